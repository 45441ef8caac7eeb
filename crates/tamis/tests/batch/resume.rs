//! A batch that is stopped goes on where it was, and what is done is not done again.

use crate::support::Folder;
use crate::{SAFE, UNSAFE, instead, results, write};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Programs in a list, and an executable that takes a while and notes each start.
fn folder(count: usize) -> Folder {
    let folder = Folder::new();
    for i in 0..count {
        write(&folder, &format!("{i}.c"), &format!("// {i}\n{SAFE}"));
    }
    let names: String = (0..count).map(|i| format!("{i}.c\n")).collect();
    write(&folder, "list.txt", &names);
    instead(&folder, &format!("echo \"$2\" >> {}/started\nsleep 0.2", folder.path.display()));
    folder
}

const BATCH: [&str; 6] = ["batch", "list.txt", "--executable", "instead", "--jobs", "2"];

fn start(folder: &Folder) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.current_dir(&folder.path).args(BATCH);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Waits until so many results are there.
fn wait_for(folder: &Folder, count: usize) {
    let start = Instant::now();
    while results(&folder.path.join("tamis-batch.jsonl")).len() < count {
        assert!(start.elapsed() < Duration::from_secs(60), "no results come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Each check has one result.
fn complete(folder: &Folder, count: usize) {
    let records = results(&folder.path.join("tamis-batch.jsonl"));
    let tasks: BTreeSet<&str> = records.iter().filter_map(|record| record["task"].as_str()).collect();
    assert_eq!((records.len(), tasks.len()), (count, count));
    assert!(records.iter().all(|record| record["verdict"] == "true"), "{records:?}");
}

fn starts(folder: &Folder) -> usize {
    fs::read_to_string(folder.path.join("started")).unwrap_or_default().lines().count()
}

#[test]
fn after_a_kill() {
    let folder = folder(8);
    let mut batch = start(&folder);
    wait_for(&folder, 3);
    batch.kill().expect("it is there");
    batch.wait().expect("it has ended");
    let ledger = folder.path.join("tamis-batch.jsonl");
    let done = results(&ledger).len();
    assert!((3..8).contains(&done), "{done}");
    // As if it had been killed in the middle of a line.
    let mut text = fs::read_to_string(&ledger).expect("it is there");
    text.push_str("{\"format\":1,\"key\":\"ab");
    fs::write(&ledger, text).expect("it is written");
    let before = starts(&folder);
    let run = folder.run(&BATCH);
    assert_eq!(run.exit, Some(0), "{run:?}");
    run.says(&format!("{done} of 8 checks are done already"));
    complete(&folder, 8);
    assert_eq!(starts(&folder) - before, 8 - done, "nothing is done again");
    let run = folder.run(&BATCH);
    run.says("8 of 8 checks are done already");
    assert_eq!(run.exit, Some(0));
}

#[test]
fn after_an_interruption_no_check_goes_on() {
    let folder = folder(8);
    instead(&folder, "case \"$2\" in 5.c) sleep 1000.123;; esac; sleep 0.1");
    let batch = start(&folder);
    wait_for(&folder, 6);
    // The one that takes long runs now.
    Command::new("kill").args(["-INT", &batch.id().to_string()]).status().expect("there is a kill");
    let output = batch.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(
        errors.contains("interrupted: ") && errors.contains("goes on from tamis-batch.jsonl"),
        "{errors}"
    );
    let left = Command::new("pgrep").args(["-f", "sleep 1000.123"]).output();
    assert!(left.is_err() || left.is_ok_and(|left| left.stdout.is_empty()), "a check goes on");
    instead(&folder, "sleep 0.01");
    let run = folder.run(&BATCH);
    assert_eq!(run.exit, Some(0), "{run:?}");
}

#[test]
fn what_changed_is_done_again() {
    let folder = folder(0);
    write(
        &folder,
        "a.c",
        "#include \"a.h\"\nextern void reach_error(void);\nint main(void) { if (X) reach_error(); }\n",
    );
    write(&folder, "a.h", "#define X 0\n");
    write(&folder, "list.txt", "a.c\n");
    let lines = |run: &[&str], exit| {
        let run = folder.run(&[&BATCH, run].concat());
        assert_eq!(run.exit, Some(exit), "{run:?}");
        results(&folder.path.join("tamis-batch.jsonl")).len()
    };
    assert_eq!(lines(&[], 0), 1);
    assert_eq!(lines(&["--timeout", "50"], 0), 2);
    assert_eq!(lines(&["--timeout", "50", "--", "-DY"], 0), 3);
    assert_eq!(lines(&[], 0), 3);
    write(&folder, "a.h", "#define X 1\n");
    assert_eq!(lines(&[], 1), 4);
    instead(&folder, "# another one");
    assert_eq!(lines(&[], 1), 5);
}

#[test]
fn checks_that_end_without_a_verdict_are_told_apart() {
    let folder = folder(4);
    let odd = "case \"$2\" in 0.c) exit 7;; 1.c) kill -9 $$;; 2.c) echo VERDICT: 'unknown(some reason)'; exit 3;; esac";
    instead(&folder, odd);
    let run = folder.run(&BATCH);
    assert_eq!(run.exit, Some(5), "{run:?}");
    let records = results(&folder.path.join("tamis-batch.jsonl"));
    let of =
        |task: &str| records.iter().find(|record| record["task"] == task).cloned().unwrap_or(Value::Null);
    assert_eq!(of("0.c")["verdict"], "unknown(no verdict, exit code 7)");
    assert_eq!(of("0.c")["judgement"], "crash");
    assert_eq!(of("1.c")["verdict"], "unknown(ended by signal 9)");
    assert_eq!(of("2.c")["judgement"], "unknown");
    assert_eq!(of("3.c")["judgement"], "proved");
}

#[test]
fn against_a_baseline() {
    let folder = folder(0);
    for (name, text) in [("a.c", SAFE), ("b.c", UNSAFE), ("c.c", SAFE)] {
        write(&folder, name, text);
    }
    write(&folder, "list.tsv", "path\texpected\na.c\ttrue\nb.c\tfalse\nc.c\ttrue\n");
    let batch = |more: &[&str]| {
        folder.run(&[&["batch", "list.tsv", "--executable", "instead", "--jobs", "2"], more].concat())
    };
    let nothing = "echo 'VERDICT: unknown(too hard)'; exit 3";
    instead(&folder, &format!("case \"$2\" in c.c) {nothing};; esac"));
    assert_eq!(batch(&["--results", "old.jsonl"]).exit, Some(3));
    // The same again: what is unknown was before.
    let run = batch(&["--results", "same.jsonl", "--baseline", "old.jsonl", "--junit", "same.xml"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert!(run.stdout.contains("0 lost, 0 worse, 0 slower, 0 gained, 0 new"), "{}", run.stdout);
    let junit = fs::read_to_string(folder.path.join("same.xml")).expect("it was written");
    assert!(junit.contains("<skipped message=\"as before: too hard\"/>"), "{junit}");
    instead(&folder, &format!("case \"$2\" in a.c) {nothing};; b.c) sleep 0.1;; esac"));
    let run = batch(&["--results", "new.jsonl", "--baseline", "old.jsonl", "--junit", "new.xml"]);
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stdout.contains("1 lost, 0 worse, 0 slower, 1 gained, 0 new"), "{}", run.stdout);
    assert!(run.stdout.contains("lost        a.c: unknown(too hard), true before"), "{}", run.stdout);
    let junit = fs::read_to_string(folder.path.join("new.xml")).expect("it was written");
    assert!(junit.contains("failures=\"1\""), "{junit}");
    // Twice the processor time of what took long, and nothing else.
    let text = fs::read_to_string(folder.path.join("same.jsonl")).expect("it is there");
    let mut slow: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    slow.iter_mut().for_each(|record| record["processor_seconds"] = 9.0.into());
    let lines: String = slow.iter().map(|record| format!("{record}\n")).collect();
    fs::write(folder.path.join("same.jsonl"), lines).expect("it is written");
    instead(&folder, &format!("case \"$2\" in c.c) {nothing};; esac"));
    let run = batch(&["--results", "same.jsonl", "--baseline", "old.jsonl"]);
    assert!(run.stdout.contains("0 lost, 0 worse, 2 slower"), "{}", run.stdout);
    assert_eq!(run.exit, Some(1));
}
