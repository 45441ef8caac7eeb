//! Witnesses: those that are written, those that are read, and those that are wrong.

#[path = "../command_line/support.rs"]
mod support;

mod deceptive;
mod invariants;
mod mutated;
mod refused;
mod schema;
mod sequences;
mod written;

use support::{Folder, Run};

/// The SHA-256 hash of a program, which a refusal of a wrong one does not tell: computed here.
fn sha256(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The head of an entry for `main.c`.
fn head(kind: &str, program: &str) -> String {
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: 1b4e28ba-2fa1-11d2-883f-0016d3cca427\n    \
         creation_time: 2024-01-01T00:00:00Z\n    producer: {{name: someone, version: n/a}}\n    task:\n      \
         input_files: [main.c]\n      input_file_hashes:\n        main.c: {}\n      \
         specification: G ! call(reach_error())\n      data_model: LP64\n      language: C\n  content:\n",
        sha256(program)
    )
}

/// A loop or location invariant.
fn invariant(kind: &str, line: u32, value: &str) -> String {
    format!(
        "  - invariant:\n      type: {kind}\n      location: {{file_name: main.c, line: {line}, function: main}}\n      \
         value: {value:?}\n      format: c_expression\n"
    )
}

/// A segment with waypoints, each with its action, type, line, column and constraint.
fn segment(waypoints: &[(&str, &str, u32, u32, &str)]) -> String {
    let mut text = "  - segment:\n".to_owned();
    for (action, kind, line, column, constraint) in waypoints {
        text += &format!("    - waypoint:\n        type: {kind}\n        action: {action}\n");
        if !constraint.is_empty() {
            text += &format!("        constraint: {{value: {constraint:?}}}\n");
        }
        text += &format!("        location: {{file_name: main.c, line: {line}, column: {column}}}\n");
    }
    text
}

/// Runs `tamis certify` on a witness and a program.
fn certify(program: &str, witness: &str) -> Run {
    let folder = Folder::with("main.c", program);
    std::fs::write(folder.path.join("witness.yml"), witness).expect("a written file");
    folder.run(&["certify", "witness.yml", "main.c", "--timeout", "50"])
}
