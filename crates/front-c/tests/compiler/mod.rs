//! The system's compiler as a reference.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use tamis_front_c::DataModel;

/// Both data models.
pub const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// What a program prints; `None` where the compiler is missing, or cannot make programs of the data model here.
pub fn run(program: &str, model: DataModel) -> Option<String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let unique = format!("reference-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(unique);
    fs::create_dir_all(&folder).expect("a folder for the test");
    let answer = compile_and_run(&folder, program, model);
    let _ = fs::remove_dir_all(&folder);
    answer
}

fn compile_and_run(folder: &std::path::Path, program: &str, model: DataModel) -> Option<String> {
    let flag = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let cc = |source: &str, name: &str| {
        let (path, executable) = (folder.join(format!("{name}.c")), folder.join(name));
        fs::write(&path, source).expect("a file for the test");
        let output = Command::new("cc")
            .args([flag, "-w", "-fwrapv", "-o"])
            .arg(&executable)
            .arg(&path)
            .output()
            .ok()?;
        Some((output, executable))
    };
    let (output, executable) = cc(program, "program")?;
    if !output.status.success() {
        // Without the 32-bit library not even this compiles.
        let (smallest, _) = cc("#include <stdio.h>\nint main(void) { return 0; }\n", "smallest")?;
        assert!(!smallest.status.success(), "{}\n{program}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    let output = Command::new(executable).output().expect("the program runs");
    assert!(output.status.success(), "the program failed\n{program}");
    Some(String::from_utf8(output.stdout).expect("it prints text"))
}
