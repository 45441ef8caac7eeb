//! What `tamis check --witness` writes has the form that the format asks for, and is confirmed.

use crate::schema::{self, EntryType, Location, WaypointType};
use crate::support::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every so many programs of the regression suite are taken.
const SAMPLE: usize = 5;

fn folders(below: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(below).expect("a readable folder");
    let mut entries: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    entries.sort();
    for path in entries.into_iter().filter(|p| p.is_dir()) {
        if path.join("test.desc").is_file() {
            found.push(path);
        } else {
            folders(&path, found);
        }
    }
}

fn value(description: &str, key: &str) -> String {
    let line = description.lines().find_map(|line| line.strip_prefix(&format!("{key}: ")));
    line.unwrap_or_default().trim().to_owned()
}

fn tamis(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("a run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let verdict = text(&output.stdout).lines().last().unwrap_or_default().to_owned();
    (verdict, text(&output.stderr))
}

/// What stands in a file at a place.
fn at<'a>(text: &'a str, location: &Location) -> &'a str {
    let line = text.lines().nth(location.line as usize - 1).unwrap_or_default();
    line.get(location.column.map_or(0, |column| column as usize - 1)..).unwrap_or_default()
}

/// Places are where the format says: at keywords, at last parentheses, at statements.
fn places_are_right(text: &str, entries: &[schema::Entry]) {
    for entry in entries {
        for item in &entry.content {
            if let Some(invariant) = &item.invariant
                && matches!(invariant.kind, schema::InvariantType::LoopInvariant)
            {
                let here = at(text, &invariant.location);
                assert!(["for", "while", "do"].iter().any(|word| here.starts_with(word)), "{here}");
            }
            for step in item.segment.iter().flatten() {
                let here = at(text, &step.waypoint.location);
                match step.waypoint.kind {
                    WaypointType::Branching => {
                        let words = ["if", "for", "while", "do"];
                        assert!(words.iter().any(|word| here.starts_with(word)), "{here}");
                    }
                    WaypointType::FunctionEnter | WaypointType::FunctionReturn => {
                        assert!(here.starts_with(')'), "{here}");
                    }
                    _ => assert!(!here.trim().is_empty()),
                }
            }
        }
    }
}

#[test]
fn of_the_regression_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../regression");
    let mut tests = Vec::new();
    folders(&root, &mut tests);
    // Designs have witnesses of another format.
    tests.retain(|folder| folder.join("main.c").is_file());
    let out = Folder::new();
    let file = out.path.join("witness.yml");
    let file = file.to_str().expect("a name");
    let (mut proofs, mut violations) = (0, 0);
    let is_chosen = |folder: &&PathBuf| {
        let name = folder.strip_prefix(&root).expect("a folder of the tests").to_string_lossy();
        tamis_testing::is_sampled(&name, SAMPLE)
    };
    for folder in tests.iter().filter(is_chosen) {
        let description = std::fs::read_to_string(folder.join("test.desc")).expect("a description");
        let (expected, options) = (value(&description, "verdict"), value(&description, "options"));
        let options: Vec<&str> = options.split_ascii_whitespace().collect();
        let decided =
            expected == "true" || expected == "false(unreach-call)" || expected == "false(no-overflow)";
        // What a run alone proves is no invariant, and whoever checks a witness does not run the program. Of many verdicts there
        // is no witness.
        let foreign = [
            "no-division",
            "no-shift",
            "no-null",
            "no-uninitialised",
            "memory-safety",
            "valid-",
            "-contract",
            "one execution",
            "--rule",
            "--spec",
            "--all",
        ]
        .iter()
        .any(|p| description.contains(p));
        // The places of a text with line markers of its own are in no file of the task.
        let source = std::fs::read(folder.join("main.c")).expect("a program");
        let marked = String::from_utf8_lossy(&source).contains("#line");
        if !decided || foreign || marked || options.iter().any(|o| o.ends_with(".prp")) {
            continue;
        }
        let _ = std::fs::remove_file(file);
        let mut arguments = vec!["check", "main.c", "--timeout", "60", "--witness", file];
        arguments.extend(&options);
        let (verdict, told) = tamis(folder, &arguments);
        assert_eq!(verdict, format!("VERDICT: {expected}"), "{}", folder.display());
        let text = std::fs::read_to_string(file)
            .unwrap_or_else(|_| panic!("no witness of {}:\n{told}", folder.display()));
        let entries = schema::valid(&text);
        places_are_right(&String::from_utf8_lossy(&source), &entries);
        match entries[0].entry_type {
            EntryType::InvariantSet => proofs += 1,
            EntryType::ViolationSequence => violations += 1,
        }
        let mut arguments = vec!["certify", file, "main.c", "--timeout", "60"];
        arguments.extend(reading(&options));
        let (confirmed, told) = tamis(folder, &arguments);
        assert_eq!(confirmed, verdict, "{}:\n{told}\n{text}", folder.display());
    }
    assert!(proofs >= 15 && violations >= 15, "{proofs} proofs and {violations} violations");
}

/// The options that say how a program is read.
fn reading<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::new();
    let mut options = options.iter();
    while let Some(&option) = options.next() {
        if option.starts_with("-D")
            || option.starts_with("-I")
            || option == "--include"
            || option.starts_with("--function")
            || option.ends_with(".c")
        {
            kept.push(option);
            if matches!(
                option,
                "-D" | "-I" | "--include" | "--function" | "--function-depth" | "--function-elements"
            ) {
                kept.extend(options.next());
            }
        }
    }
    kept
}

/// A macro before a call moves it in what is read; the target is the call where it was written.
#[test]
fn the_target_behind_a_macro_is_the_call() {
    let text = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n#define SIZE 4\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == SIZE || x == SIZE + SIZE) reach_error();\n  return 0; }\n";
    let folder = Folder::with("main.c", text);
    folder.run(&["check", "main.c", "--witness", "w.yml"]).ends_with(1, "false(unreach-call)");
    let written = std::fs::read_to_string(folder.path.join("w.yml")).expect("a witness");
    let entries = schema::valid(&written);
    let steps = entries[0].content.iter().filter_map(|item| item.segment.as_ref()).flatten();
    let target = &steps.last().expect("a target").waypoint.location;
    assert!(at(text, target).starts_with("reach_error();"), "{target:?}");
    folder.run(&["certify", "w.yml", "main.c"]).ends_with(1, "false(unreach-call)");
}

#[test]
fn places_in_preprocessed_files_are_those_of_the_file() {
    let text = "# 100 \"other.c\"\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n# 7 \"another.c\"\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x == 3)\n    reach_error();\n  return 0; }\n";
    let folder = Folder::with("main.i", text);
    folder.run(&["check", "main.i", "--witness", "w.yml"]).ends_with(1, "false(unreach-call)");
    let written = std::fs::read_to_string(folder.path.join("w.yml")).expect("a witness");
    let entries = schema::valid(&written);
    assert_eq!(entries[0].metadata.task.data_model, schema::DataModel::Lp64);
    let places: Vec<(u32, Option<u32>)> = entries[0]
        .content
        .iter()
        .flat_map(|item| item.segment.as_ref().expect("a segment"))
        .map(|step| (step.waypoint.location.line, step.waypoint.location.column))
        .collect();
    assert_eq!(places, [(6, Some(33)), (7, Some(3)), (8, Some(5))]);
    folder.run(&["certify", "w.yml", "main.i"]).ends_with(1, "false(unreach-call)");
}

#[test]
fn the_same_evidence_has_the_same_text() {
    let text = "extern void reach_error(void);\nint main(void) {\n  int i = 0;\n  while (i < 100000000)\n    i++;\n  if (i != 100000000) reach_error();\n}\n";
    let folder = Folder::with("main.c", text);
    let write = |name: &str| {
        folder.run(&["check", "main.c", "--witness", name]).ends_with(0, "true");
        let text = std::fs::read_to_string(folder.path.join(name)).expect("a witness");
        assert!(schema::valid(&text)[0].content[0].invariant.is_some());
        text.lines().filter(|line| !line.contains("creation_time")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(write("a.yml"), write("b.yml"));
}

#[test]
fn several_properties_have_several_witnesses() {
    let text = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x + 1 == 7) reach_error();\n}\n";
    let folder = Folder::with("main.c", text);
    let properties = ["--property", "unreach-call", "--property", "no-overflow"];
    let run = folder.run(&[&["check", "main.c", "--witness", "w.yml"][..], &properties].concat());
    assert_eq!(run.exit, Some(1), "{}", run.stderr);
    for (name, verdict) in [("unreach-call", "false(unreach-call)"), ("no-overflow", "false(no-overflow)")] {
        let file = format!("w-{name}.yml");
        schema::valid(&std::fs::read_to_string(folder.path.join(&file)).expect("a witness"));
        folder.run(&["certify", &file, "main.c"]).ends_with(1, verdict);
    }
}
