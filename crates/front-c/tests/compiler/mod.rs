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
    let flag = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    tamis_testing::cc(flag).then(|| compile_and_run(program, flag))
}

fn compile_and_run(program: &str, flag: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let unique = format!("reference-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(unique);
    fs::create_dir_all(&folder).expect("a folder for the test");
    let (path, executable) = (folder.join("program.c"), folder.join("program"));
    fs::write(&path, program).expect("a file for the test");
    let mut cc = Command::new("cc");
    let compiled = cc.args([flag, "-w", "-fwrapv", "-o"]).arg(&executable).arg(&path).output();
    let compiled = compiled.expect("the compiler runs");
    assert!(compiled.status.success(), "{}\n{program}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(executable).output().expect("the program runs");
    let _ = fs::remove_dir_all(&folder);
    assert!(output.status.success(), "the program failed\n{program}");
    String::from_utf8(output.stdout).expect("it prints text")
}
