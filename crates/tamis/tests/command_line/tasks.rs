//! Task definitions as input.

use crate::support::Folder;
use std::fs;

fn folder(task: &str) -> Folder {
    let folder = Folder::with("task.yml", task);
    fs::create_dir(folder.path.join("src")).expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path.join(name), text).expect("a written file");
    write(
        "src/a.c",
        "extern void reach_error(void); int f(void); int main(void) { if (f() != 4) reach_error(); }\n",
    );
    write("src/b.c", "int f(void) { return sizeof(long); }\n");
    write("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    write("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    folder
}

const TASK: &str = "format_version: '2.0'

# A task of two files.
input_files:
  - 'src/a.c'
  - src/b.c

properties:
  - property_file: unreach-call.prp
    expected_verdict: true
  - property_file: no-overflow.prp
    expected_verdict: true
  - property_file: coverage-branches.prp

options:
  language: C
  data_model: ILP32
";

#[test]
fn files_properties_and_data_model() {
    let run = folder(TASK).run(&["check", "task.yml"]);
    assert_eq!(
        run.stdout, "property unreach-call: true\nproperty no-overflow: true\nVERDICT: true\n",
        "{}",
        run.stderr
    );
    run.says("note: coverage-branches is a property for test generators");
    assert!(!run.stderr.contains("expects"), "{}", run.stderr);
}

#[test]
fn the_command_line_counts_more() {
    let run = folder(TASK).run(&["check", "task.yml", "--64", "--property", "unreach-call.prp"]);
    run.ends_with(1, "false(unreach-call)");
    run.says("note: the task definition expects true");
}

#[test]
fn the_older_format() {
    let old = "format_version: '1.0'\ninput_files: 'src/b.c'\nproperties:\n- property_file: ../no-such/no-overflow.prp\n  expected_verdict: false\n";
    let folder = folder(old);
    fs::write(folder.path.join("src/b.c"), "int main(void) { return 0; }\n").expect("a written file");
    let run = folder.run(&["check", "task.yml"]);
    run.ends_with(0, "true");
    run.says("no-overflow.prp does not exist; its name says no-overflow");
    run.says("note: the task definition expects false");
}

#[test]
fn what_is_no_task_definition() {
    for (task, message, place) in [
        ("input_files: a.c\n", "a task definition has a `format_version`", "task.yml:1"),
        (
            "format_version: '3.0'\ninput_files: a.c\n",
            "this format of task definitions is not known",
            "task.yml:1",
        ),
        ("format_version: '2.0'\n", "a task definition has `input_files`", "task.yml:1"),
        (
            "format_version: '2.0'\ninput_files: src/b.c\noptions:\n  data_model: LP128\n",
            "the data model is ILP32 or LP64",
            "task.yml:4",
        ),
        (
            "format_version: '2.0'\ninput_files: src/b.c\nproperties:\n  - property_file: no-overflow.prp\n    expected_verdict: perhaps\n",
            "the expected verdict is true or false",
            "task.yml:5",
        ),
        ("format_version: '2.0'\n\tinput_files: a.c\n", "tabs disallowed", "task.yml:2"),
    ] {
        let run = folder(task).run(&["check", "task.yml"]);
        assert_eq!(run.exit, Some(4), "{task}: {run:?}");
        run.says(message);
        run.says(place);
    }
    let run = folder(TASK).run(&["check", "task.yml", "src/a.c"]);
    assert_eq!(run.exit, Some(4));
    run.says("it is given alone");
}

#[test]
fn other_commands_take_them_too() {
    let run = folder(TASK).run(&["run", "task.yml"]);
    assert_eq!(run.exit, Some(0), "{}", run.stderr);
    assert_eq!(folder(TASK).run(&["cfa", "task.yml", "--format", "count"]).exit, Some(0));
}
