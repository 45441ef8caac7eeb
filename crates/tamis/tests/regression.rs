//! The regression suite: every folder below `regression/` with a `test.desc` is a test.
//!
//! A `test.desc` has lines `key: value`:
//! - `why`: one sentence on what the test is for;
//! - `options`: arguments of `tamis check` beside the file, which is `main.c` in the same folder, or `main.btor2`, `main.aag`,
//!   `main.v`, `main.sv` for a design; the last two are left out without Yosys;
//! - `exit`: the expected exit code;
//! - `verdict`: the expected verdict, as the last line on stdout says it after `VERDICT: `;
//! - `stderr`: a text that must appear on stderr (any number of times);
//! - `not`: a text that must not appear on stdout or stderr (any number of times).

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

#[derive(Default)]
struct Description {
    why: String,
    options: Vec<String>,
    exit: Option<i32>,
    verdict: Option<String>,
    stdout: Vec<String>,
    stderr: Vec<String>,
    not: Vec<String>,
}

impl Description {
    fn parse(text: &str) -> Result<Description, String> {
        let mut d = Description::default();
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            let (key, value) = line.split_once(": ").ok_or(format!("not a 'key: value' line: {line}"))?;
            let value = value.trim().to_owned();
            match key {
                "why" => d.why = value,
                "options" => d.options = value.split_ascii_whitespace().map(str::to_owned).collect(),
                "exit" => d.exit = Some(value.parse().map_err(|_| format!("not an exit code: {value}"))?),
                "verdict" => d.verdict = Some(value),
                "stdout" => d.stdout.push(value),
                "stderr" => d.stderr.push(value),
                "not" => d.not.push(value),
                _ => return Err(format!("unknown key: {key}")),
            }
        }
        if d.why.is_empty() || d.exit.is_none() || d.verdict.is_none() {
            return Err("'why', 'exit' and 'verdict' must be given".to_owned());
        }
        Ok(d)
    }
}

fn folders(below: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(below).expect("a readable folder").map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries.into_iter().filter(|p| p.is_dir()) {
        if path.join("test.desc").is_file() {
            found.push(path);
        } else {
            folders(&path, found);
        }
    }
}

fn run(folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(folder.join("test.desc")).map_err(|e| e.to_string())?;
    let d = Description::parse(&text)?;
    let inputs = ["main.c", "main.system", "main.btor2", "main.aag", "main.v", "main.sv"];
    let input = inputs.into_iter().find(|name| folder.join(name).is_file()).ok_or("there is no input")?;
    if input.ends_with("v") && tamis_testing::yosys().is_none() {
        return Ok(());
    }
    let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .current_dir(folder)
        .args(["check", input, "--timeout", "120", "--memory", "4GB"])
        .args(&d.options)
        .output()
        .map_err(|e| e.to_string())?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let last = stdout.lines().last().unwrap_or_default();
    let verdict = last.strip_prefix("VERDICT: ").unwrap_or("(none)");
    if Some(verdict) != d.verdict.as_deref() {
        return Err(format!("verdict {verdict}, expected {}\n{stderr}", d.verdict.unwrap_or_default()));
    }
    if output.status.code() != d.exit {
        return Err(format!("exit code {:?}, expected {:?}", output.status.code(), d.exit));
    }
    if let Some(missing) = d.stdout.iter().find(|s| !stdout.contains(s.as_str())) {
        return Err(format!("stdout lacks '{missing}':\n{stdout}"));
    }
    if let Some(missing) = d.stderr.iter().find(|s| !stderr.contains(s.as_str())) {
        return Err(format!("stderr lacks '{missing}':\n{stderr}"));
    }
    if let Some(present) = d.not.iter().find(|s| stderr.contains(s.as_str()) || stdout.contains(s.as_str())) {
        return Err(format!("'{present}' appears:\n{stdout}{stderr}"));
    }
    Ok(())
}

/// Every folder is a test by its name, so that `cargo test --test regression soundness/` runs some of them.
fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regression");
    let mut tests = Vec::new();
    folders(&root, &mut tests);
    assert!(tests.len() >= 350, "the suite has shrunk to {} tests", tests.len());
    let trial = |folder: PathBuf| {
        let name = folder.strip_prefix(&root).unwrap_or(&folder).display().to_string();
        Trial::test(name, move || run(&folder).map_err(Failed::from))
    };
    libtest_mimic::run(&arguments, tests.into_iter().map(trial).collect()).exit_code()
}
