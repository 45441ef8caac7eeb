//! Programs that print what they compute do so as when they are compiled.

use crate::support::Folder;
use std::path::Path;
use std::process::Command;

/// How gcc is asked for a data model. Without SSE it computes in wider formats than the program says.
const MODELS: [(&str, &[&str]); 2] = [("--64", &["-m64"]), ("--32", &["-m32", "-msse2", "-mfpmath=sse"])];

/// Compiles and runs a file.
fn native(folder: &Path, file: &Path, model: &[&str]) -> (String, i32) {
    let program = folder.join("native");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O0", "-fwrapv"]).args(model).arg(file).arg("-o").arg(&program);
    let compiled = compiler.output().expect("a C compiler");
    let complaint = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{} does not compile: {complaint}", file.display());
    let run = Command::new(&program).output().expect("the compiled program runs");
    (String::from_utf8_lossy(&run.stdout).into_owned(), run.status.code().expect("an exit status"))
}

/// Compares the interpreter with the compiled program, in both data models.
#[track_caller]
pub fn same_as_compiled(file: &Path) {
    let folder = Folder::new();
    for (model, flags) in MODELS {
        if !tamis_testing::cc(flags[0]) {
            continue;
        }
        let (stdout, status) = native(&folder.path, file, flags);
        let ours = folder.run(&["run".as_ref(), model.as_ref(), file.as_os_str()]);
        assert_eq!(ours.stdout, stdout, "{} {model}: {}", file.display(), ours.stderr);
        let end = format!("exit status: {status}");
        assert_eq!(ours.stderr.lines().last(), Some(end.as_str()), "{} {model}", file.display());
        assert_eq!(ours.exit, Some(0), "{} {model}", file.display());
    }
}

#[track_caller]
fn program(name: &str) {
    same_as_compiled(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/programs").join(name));
}

macro_rules! programs {
    ($($name:ident),* $(,)?) => {$(
        #[test]
        fn $name() {
            program(concat!(stringify!($name), ".c"));
        }
    )*};
}
programs!(aggregates, bitfields, calls, control, conversions, floats, memory, pointers, strings, wide);
