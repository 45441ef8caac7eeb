//! `tamis batch` as its users meet it: what it takes, what it keeps when it is stopped, what it writes, and a cluster that fails.

mod cluster;
mod documents;
mod page;
mod resume;
mod slurm;
#[path = "../command_line/support.rs"]
#[allow(dead_code)]
mod support;
mod tasks;

use serde_json::Value;
use std::fs;
use std::path::Path;
use support::Folder;

const SAFE: &str = "extern void reach_error(void); int main(void) { if (sizeof(int) != 4) reach_error(); }\n";
const UNSAFE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) { if (__VERIFIER_nondet_int() == 42) reach_error(); }\n";

/// Writes a file, with the folders that it is in.
fn write(folder: &Folder, name: &str, text: &str) {
    let path = folder.path.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a written file");
}

/// An executable that does something before it is Tamis.
fn instead(folder: &Folder, first: &str) {
    use std::os::unix::fs::PermissionsExt;
    let script = format!("#!/bin/sh\n{first}\nexec {} \"$@\"\n", env!("CARGO_BIN_EXE_tamis"));
    write(folder, "instead", &script);
    let path = folder.path.join("instead");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("an executable file");
}

/// The results in a file.
fn results(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// What the results say of each task, in the order of their names.
fn said(folder: &Folder) -> Vec<(String, String, String)> {
    let text = |record: &Value, key: &str| record[key].as_str().unwrap_or("-").to_owned();
    let of = |r: &Value| (text(r, "task"), text(r, "property"), text(r, "verdict"));
    let mut all: Vec<_> = results(&folder.path.join("tamis-batch.jsonl")).iter().map(of).collect();
    all.sort();
    all
}

/// Names, properties and verdicts as they are expected.
fn rows(rows: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    rows.iter().map(|(a, b, c)| (a.to_string(), b.to_string(), c.to_string())).collect()
}
