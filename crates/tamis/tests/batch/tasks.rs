//! What is taken as tasks.

use crate::support::Folder;
use crate::{SAFE, UNSAFE, rows, said, write};

const DEFINITION: &str = "format_version: '2.0'
input_files: '../src/a.c'
properties:
  - property_file: ../prp/unreach-call.prp
    expected_verdict: true
  - property_file: ../prp/no-overflow.prp
    expected_verdict: true
  - property_file: ../prp/coverage-branches.prp
options:
  language: C
  data_model: ILP32
";

fn folder() -> Folder {
    let folder = Folder::new();
    write(&folder, "src/a.c", SAFE);
    write(&folder, "src/b.c", UNSAFE);
    write(&folder, "src/long.c", &SAFE.replace("sizeof(int) != 4", "sizeof(long) != 4"));
    write(&folder, "prp/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    write(&folder, "prp/no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    write(&folder, "set/a.yml", DEFINITION);
    let other = DEFINITION.replace("a.c", "b.c").replacen("true", "false", 1);
    write(&folder, "set/deeper/b.yml", &other.replace("../", "../../"));
    folder
}

#[test]
fn a_table_says_what_is_expected() {
    let folder = folder();
    let table = "path\tproperty\texpected\tbits\tlines\n\
                 src/a.c\tunreach-call\ttrue\t64\t1\n\
                 src/b.c\tunreach-call\tfalse\t-\t2\n\
                 src/long.c\tunreach-call\ttrue\t32\t1\n\
                 src/long.c\tno-overflow\t-\t-\t1\n";
    write(&folder, "list.tsv", table);
    let run = folder.run(&["batch", "list.tsv"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    let expected = [
        ("src/a.c", "unreach-call", "true"),
        ("src/b.c", "unreach-call", "false(unreach-call)"),
        ("src/long.c", "no-overflow", "true"),
        ("src/long.c", "unreach-call", "true"),
    ];
    assert_eq!(said(&folder), rows(&expected));
    assert!(run.stdout.contains("all"), "{}", run.stdout);
}

#[test]
fn a_wrong_verdict_is_told_and_ends_with_1() {
    let folder = folder();
    write(&folder, "list.tsv", "path\texpected\nsrc/a.c\tfalse\nsrc/b.c\tfalse\n");
    let run = folder.run(&["batch", "list.tsv"]);
    assert_eq!(run.exit, Some(1), "{run:?}");
    assert!(run.stdout.contains("WRONG       src/a.c: true, expected false"), "{}", run.stdout);
}

#[test]
fn lines_below_a_root() {
    let folder = folder();
    write(&folder, "lists/list.txt", "# two programs\na.c\nb.c # unsafe\n\n");
    let run = folder.run(&["batch", "lists/list.txt", "--root", "src", "--property", "no-overflow"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert_eq!(said(&folder), rows(&[("a.c", "no-overflow", "true"), ("b.c", "no-overflow", "true")]));
    let run = folder.run(&["batch", "src/b.c"]);
    assert_eq!(run.exit, Some(1), "a violation that nobody expects: {run:?}");
}

#[test]
fn definitions_in_folders_and_sets() {
    let folder = folder();
    assert_eq!(folder.run(&["batch", "set"]).exit, Some(0));
    let all = [
        ("a.yml", "no-overflow", "true"),
        ("a.yml", "unreach-call", "true"),
        ("deeper/b.yml", "no-overflow", "true"),
        ("deeper/b.yml", "unreach-call", "false(unreach-call)"),
    ];
    assert_eq!(said(&folder), rows(&all));
    write(&folder, "some.set", "# a set\nset/*.yml\nset/*/[a-c].yml\nset/a.yml\n");
    let run =
        folder.run(&["batch", "some.set", "--property", "unreach-call", "--results", "tamis-batch.jsonl2"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    let of_set = crate::results(&folder.path.join("tamis-batch.jsonl2"));
    assert_eq!(of_set.len(), 2, "each once, and of the one property");
    write(&folder, "none.set", "set/*.yaml\n");
    let run = folder.run(&["batch", "none.set"]);
    assert_eq!(run.exit, Some(4), "{run:?}");
    run.says("no file has such a name");
}

#[test]
fn the_files_of_a_database_one_by_one() {
    let folder = folder();
    write(&folder, "src/c.c", "#include \"c.h\"\nint main(void) { return LOCKS; }\n");
    write(&folder, "src/inc/c.h", "extern void mutex_lock(int *), mutex_unlock(int *);\n");
    let database = format!(
        "[{{\"directory\": {0:?}, \"file\": \"a.c\", \"command\": \"cc -c a.c\"}},
          {{\"directory\": {0:?}, \"file\": \"c.c\", \"arguments\": [\"cc\", \"-DLOCKS=0\", \"-I\", \"inc\", \"-c\", \"c.c\"]}},
          {{\"directory\": {0:?}, \"file\": \"a.c\", \"command\": \"cc -c a.c\"}},
          {{\"directory\": {0:?}, \"file\": \"x.cpp\", \"command\": \"c++ -c x.cpp\"}}]",
        folder.path.join("src")
    );
    write(&folder, "build/compile_commands.json", &database);
    let run = folder.run(&["batch", "build/compile_commands.json", "--rule", "locks"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert_eq!(said(&folder), rows(&[("src/a.c", "locks", "true"), ("src/c.c", "locks", "true")]));
}

#[test]
fn presets_are_checks_of_their_own() {
    let folder = folder();
    let run = folder.run(&["batch", "src/a.c", "--preset", "default", "--preset", "bounded"]);
    assert_eq!(run.exit, Some(0), "{run:?}");
    assert_eq!(said(&folder).len(), 2);
    assert!(run.stdout.contains("bounded"), "{}", run.stdout);
}

#[test]
fn what_is_wrong_is_said_before_anything_runs() {
    let folder = folder();
    write(&folder, "bad.tsv", "path\texpected\nsrc/a.c\tperhaps\n");
    write(&folder, "headless.tsv", "file\nsrc/a.c\n");
    write(&folder, "bad.json", "{}");
    write(&folder, "empty.txt", "# nothing\n");
    fs_dir(&folder, "nothing");
    for (arguments, exit, message) in [
        (&["bad.tsv"][..], 4, "true or false is expected, or -"),
        (&["headless.tsv"], 4, "one of them is `path`"),
        (&["bad.json"], 4, "is not a list of compiler commands"),
        (&["empty.txt"], 4, "there is no task in it"),
        (&["nothing"], 4, "there is no task definition"),
        (&["none.tsv"], 4, "cannot be read"),
        (&["src/a.c", "--preset", "nonsense"], 2, "no such preset"),
        (&["set", "--property", "nonsense"], 2, "no task has a property of that name"),
        (&["src/a.c", "--junit", "no/such/x"], 2, "no/such/x cannot be written"),
        (&["src/a.c", "--results", "src/b.c"], 2, "line 1 is no result"),
        (&["src/a.c", "--baseline", "none.jsonl"], 2, "none.jsonl"),
        (&["src/a.c", "--", "--witness", "x.yml"], 2, "--witness is not for all checks at once"),
        (&["src/a.c", "--", "--nonsense"], 2, "--nonsense"),
        (&["src/a.c", "--", "src/b.c"], 2, "is no option of `check`"),
        (&["src/a.c", "--cluster", "here"], 2, "tcp://HOST:PORT or tls://HOST:PORT is expected"),
        (&["src/a.c", "--emit", "slurm"], 2, "--into"),
        (&[], 2, "TASKS"),
    ] {
        let run = folder.run(&[&["batch"], arguments].concat());
        assert_eq!(run.exit, Some(exit), "{arguments:?}: {run:?}");
        run.says(message);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
}

fn fs_dir(folder: &Folder, name: &str) {
    std::fs::create_dir(folder.path.join(name)).expect("a folder");
}
