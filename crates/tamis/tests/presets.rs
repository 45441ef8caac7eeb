//! Every preset gives the same verdicts on the same small programs.

use std::path::{Path, PathBuf};
use std::process::Command;

const PRESETS: [&str; 15] = [
    "default",
    "magic",
    "magic-greedy",
    "magic-minimize",
    "satabs",
    "blast",
    "interpolation",
    "sbe-allsat",
    "lbe-allsat",
    "lbe-ldd",
    "lbe-min",
    "ctl",
    "ctl-old",
    "ctl-naive",
    "ic3-ia",
];

/// The programs of `regression/strategies`: safe and unsafe twins, with the verdict in the name's end.
fn programs() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regression/strategies");
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(path.join("test.desc")).expect("a test.desc");
        let verdict = text.lines().find_map(|l| l.strip_prefix("verdict: ")).expect("a verdict");
        programs.push((path, verdict.to_owned()));
    }
    programs.sort();
    programs
}

fn check(folder: &Path, options: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .current_dir(folder)
        .args(["check", "main.c", "--timeout", "120", "--memory", "4GB"])
        .args(options)
        .output()
        .expect("tamis runs");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = stdout.lines().last().unwrap_or_default().trim_start_matches("VERDICT: ").to_owned();
    (verdict, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn every_preset_gives_the_same_verdicts() {
    let programs = programs();
    assert!(programs.len() >= 8, "the set has shrunk to {} programs", programs.len());
    for (folder, expected) in &programs {
        for preset in PRESETS {
            let (verdict, stderr) = check(folder, &["--preset", preset]);
            assert_eq!(verdict, *expected, "{preset} on {}:\n{stderr}", folder.display());
        }
    }
}

#[test]
fn iterations_are_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regression/strategies/lock-safe");
    let (verdict, stderr) = check(&folder, &["--preset", "satabs", "--trace-iterations"]);
    assert_eq!(verdict, "true");
    for told in [
        "iteration 1: 0 predicates",
        "abstract counterexample",
        "cannot be executed",
        "spurious: no execution passes main.c:",
        "no abstract counterexample",
    ] {
        assert!(stderr.contains(told), "'{told}' is missing:\n{stderr}");
    }
}

#[test]
fn presets_that_cannot_be_read_are_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regression/strategies/lock-safe");
    let (_, stderr) = check(&folder, &["--preset", "magick"]);
    assert!(stderr.contains("no such preset"), "{stderr}");
    let (_, stderr) = check(&folder, &["--preset", "missing.toml"]);
    assert!(stderr.contains("missing.toml"), "{stderr}");
}
