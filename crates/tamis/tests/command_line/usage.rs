//! The command line: what it takes, what it refuses, and what goes where.

use crate::support::Folder;

#[test]
fn wrong_usage_ends_with_2_and_says_why() {
    let folder = Folder::with("a.c", "int main(void) { return 0; }\n");
    let cases: [(&[&str], &str); 9] = [
        (&[], "Usage: tamis"),
        (&["frobnicate", "a.c"], "unrecognized subcommand 'frobnicate'"),
        (&["check"], "<FILE>"),
        (&["check", "--frobnicate", "a.c"], "unexpected argument '--frobnicate'"),
        (&["check", "--32", "--64", "a.c"], "cannot be used with"),
        (&["check", "--timeout", "0", "a.c"], "a positive number is expected"),
        (&["check", "--timeout", "3 weeks", "a.c"], "unknown unit of time 'weeks'"),
        (&["check", "--memory", "lots", "a.c"], "unknown unit of memory 'lots'"),
        (&["check", "--abstraction", "cubist", "a.c"], "invalid value 'cubist'"),
    ];
    for (arguments, message) in cases {
        let run = folder.run(arguments);
        assert_eq!(run.exit, Some(2), "{arguments:?}: {run:?}");
        assert_eq!(run.stdout, "", "{arguments:?}");
        run.says(message);
    }
}

#[test]
fn help_goes_to_stdout() {
    let none: &[&str] = &[];
    for arguments in [["--help"].as_slice(), &["-h"], &["help"], &["check", "--help"], &["help", "check"]] {
        let run = Folder::new().run(arguments);
        assert_eq!((run.exit, run.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(run.stdout.contains("Usage: tamis"), "{arguments:?}: {}", run.stdout);
    }
    assert_eq!(Folder::new().run(none).exit, Some(2));
}

#[test]
fn the_version_goes_to_stdout() {
    let run = Folder::new().run(&["-V"]);
    assert_eq!(run.exit, Some(0));
    assert_eq!(run.stdout, format!("tamis {}\n", env!("CARGO_PKG_VERSION")));
    let run = Folder::new().run(&["--version"]);
    assert_eq!(run.exit, Some(0));
    assert!(
        run.stdout.starts_with(&format!("tamis {} (commit ", env!("CARGO_PKG_VERSION"))),
        "{}",
        run.stdout
    );
    for solver in ["CaDiCaL ", "OxiDD ", "rucc "] {
        let line = run.stdout.lines().find_map(|line| line.strip_prefix(solver)).expect("a version");
        assert!(line.starts_with(|c: char| c.is_ascii_digit()), "{line}");
    }
}

#[test]
fn include_folders_and_macros_reach_the_preprocessor() {
    let folder = Folder::with(
        "main.c",
        "#include \"size.h\"\nint a[SIZE == COUNT ? 1 : -1];\nint main(void) { return 0; }\n",
    );
    std::fs::create_dir(folder.path.join("headers")).expect("a folder");
    std::fs::write(folder.path.join("headers/size.h"), "#define SIZE 4\n").expect("a header");
    folder.run(&["check", "main.c", "-I", "headers", "-D", "COUNT=4"]).ends_with(0, "true");
    assert_eq!(folder.run(&["check", "main.c", "-I", "headers", "-D", "COUNT=5"]).exit, Some(4));
}

#[test]
fn statistics_go_to_stderr() {
    let folder = Folder::with("a.c", "int main(void) { return 0; }\n");
    let run = folder.run(&["check", "a.c", "--stats"]);
    run.ends_with(0, "true");
    assert!(run.stderr.lines().count() > 3, "{}", run.stderr);
}
