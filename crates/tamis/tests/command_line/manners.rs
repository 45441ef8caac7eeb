//! What a user expects of any program: signals, full disks, standard input, old files, options under other names.

use crate::support::{Folder, Run};
use crate::unknowns::DIVERGES;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const BUG: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 84)
        reach_error();
    return 0;
}
";

/// Starts a run, sends it a signal after a while, and waits for its end.
fn signalled(folder: &Folder, arguments: &[&str], signal: &str, after: Duration) -> Run {
    let (out, err) = (folder.path.join(".stdout"), folder.path.join(".stderr"));
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .current_dir(&folder.path)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(File::create(&out).expect("a file"))
        .stderr(File::create(&err).expect("a file"))
        .spawn()
        .expect("the program starts");
    std::thread::sleep(after);
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("a signal");
    assert!(sent.success());
    let exit = child.wait().expect("its end").code();
    let text = |path| String::from_utf8_lossy(&fs::read(path).expect("the output")).into_owned();
    Run { exit, stdout: text(out), stderr: text(err), took: start.elapsed() }
}

#[test]
fn a_signal_ends_a_run_with_a_verdict_and_all_documents() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::with("p.c", DIVERGES);
        for old in ["run.json", "run.sarif", "run.xml", "run.yml"] {
            fs::write(folder.path.join(old), "of an earlier run").expect("a file");
        }
        let arguments = [
            "check",
            "p.c",
            "--json=run.json",
            "--sarif",
            "run.sarif",
            "--junit",
            "run.xml",
            "--witness",
            "run.yml",
            "--stats",
        ];
        let run = signalled(&folder, &arguments, signal, Duration::from_secs(1));
        run.ends_with(3, "unknown(interrupted)");
        assert!(run.took < Duration::from_secs(8), "it took {:?}", run.took);
        run.says("stopped while ");
        run.says("statistics so far:");
        let text = |name: &str| fs::read_to_string(folder.path.join(name)).expect("a document");
        let document: serde_json::Value = serde_json::from_str(&text("run.json")).expect("JSON");
        assert_eq!(document["verdict"], "unknown(interrupted)");
        assert!(document["properties"][0]["statistics"]["total_time"].as_f64().is_some_and(|t| t > 0.5));
        let sarif: serde_json::Value = serde_json::from_str(&text("run.sarif")).expect("JSON");
        assert_eq!(sarif["runs"][0]["results"][0]["kind"], "open");
        assert!(text("run.xml").contains("interrupted"));
        assert!(!folder.path.join("run.yml").exists(), "there is nothing to witness");
    }
}

#[test]
fn a_signal_while_the_input_is_preprocessed() {
    let folder = Folder::with("waits.c", "#include \"pipe.h\"\nint main(void) { return 0; }\n");
    let made = Command::new("mkfifo").arg(folder.path.join("pipe.h")).status().expect("a named pipe");
    assert!(made.success());
    let run = signalled(&folder, &["check", "waits.c"], "-TERM", Duration::from_millis(500));
    run.ends_with(3, "unknown(interrupted)");
}

#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::with("p.c", BUG);
    for option in [
        "--json=/dev/full",
        "--sarif=/dev/full",
        "--junit=/dev/full",
        "--harness=/dev/full",
        "--witness=/dev/full",
    ] {
        let run = folder.run(&["check", "p.c", option]);
        run.ends_with(6, "false(unreach-call)");
        run.says("error: /dev/full cannot be written: No space left on device");
    }
    let run_with = |out: &str, err: &str| {
        let stream = |name: &str| match name {
            "" => Stdio::piped(),
            name => Stdio::from(File::options().write(true).open(name).expect("a device")),
        };
        let child = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .current_dir(&folder.path)
            .args(["check", "p.c"])
            .stdout(stream(out))
            .stderr(stream(err))
            .spawn();
        child.and_then(|child| child.wait_with_output()).expect("its end")
    };
    let full_out = run_with("/dev/full", "");
    let said = String::from_utf8_lossy(&full_out.stderr);
    assert_eq!(full_out.status.code(), Some(6), "{said}");
    assert!(said.contains("error: stdout cannot be written: No space left on device"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    let full_err = run_with("", "/dev/full");
    assert_eq!(full_err.status.code(), Some(6));
    assert_eq!(String::from_utf8_lossy(&full_err.stdout), "VERDICT: false(unreach-call)\n");
}

#[test]
fn what_an_earlier_run_has_left_goes_and_inputs_stay() {
    let folder = Folder::with("p.c", "int main(void) { return 0 }\n");
    fs::write(folder.path.join("harness.c"), "old").expect("a file");
    assert_eq!(folder.run(&["check", "p.c", "--harness", "harness.c"]).exit, Some(4));
    assert!(!folder.path.join("harness.c").exists());
    let run = folder.run(&["check", "p.c", "--harness", "./p.c"]);
    assert_eq!(run.exit, Some(2));
    run.says("it is an input");
    assert!(folder.path.join("p.c").exists());
}

#[test]
fn standard_input_is_a_program() {
    let folder = Folder::new();
    fs::write(folder.path.join("limit.h"), "#define LIMIT 84\n").expect("a header");
    let program = format!("#include \"limit.h\"\n{}", BUG.replace("84", "LIMIT"));
    fs::write(folder.path.join("given"), program).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .current_dir(&folder.path)
        .args(["check", "-", "--property", "unreach-call", "--property", "no-overflow", "--replay", "native"])
        .stdin(File::open(folder.path.join("given")).expect("a file"))
        .output()
        .expect("its end");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.ends_with("property no-overflow: true\nVERDICT: false(unreach-call)\n"), "{out}{err}");
    assert!(err.contains("  <stdin>\n") && err.contains("6 | int n = __VERIFIER_nondet_int();"), "{err}");
    assert!(err.contains("replay: the compiled program comes to the violation"), "{err}");
}

#[test]
fn cpp_is_refused_as_cpp() {
    for name in ["p.cpp", "p.cc", "p.cxx"] {
        let run = Folder::with(name, BUG).run(&["check", name]);
        assert_eq!(run.exit, Some(4), "{}", run.stderr);
        assert!(
            run.stdout.contains(&format!("unknown(input: {name}: is C++, as its extension")),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn options_of_other_tools_are_explained() {
    let folder = Folder::with("p.c", BUG);
    for (given, ours) in [
        ("--unwindset", "--unwind N"),
        ("--bounds-check", "--property memory-safety"),
        ("--pointer-check", "--property memory-safety"),
        ("--timelimit=5", "--timeout TIME"),
        ("-timelimit", "--timeout TIME"),
        ("--memlimit", "--memory SIZE"),
        ("--k-induction", "--preset k-induction"),
        ("--signed-overflow-check", "--property no-overflow"),
    ] {
        let run = folder.run(&["check", "p.c", given]);
        assert_eq!(run.exit, Some(2));
        run.says(ours);
        assert!(!run.stderr.contains("similar"), "{}", run.stderr);
    }
    folder.run(&["check", "p.c", "--timeot", "5"]).says("'--timeout'");
}

#[test]
fn two_definitions_are_shown_at_their_places() {
    let folder =
        Folder::with("a.c", "int f(void);\nint f(void) { return 1; }\nint main(void) { return f(); }\n");
    fs::write(folder.path.join("b.c"), "int f(void);\n\n  int f(void) { return 2; }\n").expect("a file");
    let run = folder.run(&["check", "a.c", "b.c"]);
    run.ends_with(4, "unknown(input: `f` is defined twice: at a.c:2:5 and here)");
    run.says("--> b.c:3:7");
}

#[test]
fn colours_are_where_they_are_wanted() {
    let folder = Folder::with("p.c", BUG);
    let run = folder.run(&["check", "p.c", "--color", "always"]);
    run.ends_with(1, "false(unreach-call)");
    run.says("\u{1b}[1;31mcounterexample\u{1b}[0m:");
    for when in ["auto", "never"] {
        let run = folder.run(&["--color", when, "check", "p.c"]);
        assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
    }
    assert_eq!(folder.run(&["check", "p.c", "--color", "mauve"]).exit, Some(2));
}

#[test]
fn a_configuration_is_found_upwards() {
    let folder = Folder::new();
    let inner = folder.path.join("src/deep");
    fs::create_dir_all(&inner).expect("a folder");
    fs::create_dir_all(folder.path.join("headers")).expect("a folder");
    fs::write(folder.path.join("headers/size.h"), "#define SIZE 4\n").expect("a header");
    let program = "#include \"size.h\"\nextern int __VERIFIER_nondet_int(void);\n\
        int main(void) { int x = __VERIFIER_nondet_int(); return x + SIZE + MORE; }\n";
    fs::write(inner.join("p.c"), program).expect("a program");
    let configure = |text: &str| fs::write(folder.path.join("tamis.toml"), text).expect("a file");
    configure(
        "property = \"no-overflow\"\ninclude = [\"headers\"]\ndefine = [\"MORE=1\"]\ntimeout = \"20s\"\n",
    );
    let run = folder.run(&["check", "src/deep/p.c"]);
    run.ends_with(1, "false(no-overflow)");
    run.says("note: options are taken from ");
    // The command line counts.
    folder.run(&["check", "src/deep/p.c", "--property", "unreach-call"]).ends_with(0, "true");
    assert_eq!(folder.run(&["check", "src/deep/p.c", "--no-config"]).exit, Some(4));
    assert_eq!(folder.run(&["run", "src/deep/p.c", "--input", "3"]).exit, Some(0));
    for (text, place) in [
        ("property = \"no-overflow\"\ntimeuot = \"3s\"\n", "tamis.toml:2:1: unknown field `timeuot`"),
        ("timeout = \"3 weeks\"\n", "tamis.toml:1:11: unknown unit of time 'weeks'"),
        ("\nmemory = 5\n", "tamis.toml:2:10: "),
        ("preset = \"magik\"\n", "tamis.toml:1:10: no such preset"),
        ("include = [\n", "tamis.toml:"),
    ] {
        configure(text);
        let run = folder.run(&["check", "src/deep/p.c"]);
        assert_eq!((run.exit, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        run.says(place);
    }
}

#[test]
fn flags_are_taken_from_a_compilation_database() {
    let folder = Folder::with("p.c", "int a[SIZE == 4 ? 1 : -1];\nint main(void) { return 0; }\n");
    let build = folder.path.join("build");
    fs::create_dir(&build).expect("a folder");
    let database = format!(
        r#"[{{"directory": "{0}", "file": "p.c", "command": "cc -DSIZE=4 -c p.c"}},
           {{"directory": "{0}", "file": "q.c", "command": "cc -DSIZE=5 -c q.c"}}]"#,
        folder.path.display()
    );
    fs::write(build.join("compile_commands.json"), database).expect("a database");
    folder.run(&["check", "--compile-commands", "build", "p.c"]).ends_with(0, "true");
    folder.run(&["check", "--compile-commands", "build/compile_commands.json", "p.c"]).ends_with(0, "true");
    let other = "int main(void) { return 0; }\n";
    fs::write(folder.path.join("r.c"), other).expect("a file");
    let run = folder.run(&["check", "--compile-commands", "build", "r.c"]);
    run.ends_with(4, "unknown(input: build/compile_commands.json: has no command for r.c)");
    let run = folder.run(&["check", "--compile-commands", "nowhere", "p.c"]);
    assert_eq!(run.exit, Some(4), "{}", run.stderr);
}

#[test]
fn shells_and_manuals_are_served() {
    let folder = Folder::new();
    for (shell, sign) in [("bash", "_tamis()"), ("zsh", "#compdef tamis"), ("fish", "complete -c tamis")] {
        let run = folder.run(&["completions", shell]);
        assert_eq!(run.exit, Some(0));
        assert!(
            run.stdout.contains(sign)
                && run.stdout.contains("memory-safety") | run.stdout.contains("timeout")
        );
    }
    let run = folder.run(&["man"]);
    assert!(run.stdout.contains(".TH tamis 1"), "{}", run.stdout);
    assert_eq!(folder.run(&["man", "pages"]).exit, Some(0));
    let page = fs::read_to_string(folder.path.join("pages/tamis-check.1")).expect("a page");
    assert!(page.contains("\\-\\-timeout"), "{page}");
}

#[test]
fn help_and_documentation_name_all_presets_and_engines() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("a page");
    let help = Folder::new().run(&["check", "--help"]).stdout;
    // The options of a check name them; the text is broken into lines.
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let strategies = read("docs/strategies.md");
    let presets = fs::read_dir(root.join("presets")).expect("a folder");
    for preset in presets.flatten().map(|entry| entry.path()) {
        let name = preset.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(help.contains(&format!(" {name},")) || help.contains(&format!(", {name}")), "{name}: {help}");
        assert!(strategies.contains(&format!("`{name}`")), "{name}");
        // What a preset calls its engine is what the pages call it.
        let text = fs::read_to_string(&preset).expect("a preset");
        for line in text.lines().filter_map(|line| line.strip_prefix("engine = ")) {
            assert!(strategies.contains(&format!("`{}`", line.trim().trim_matches('"'))), "{line}");
        }
    }
    let engines = Folder::new().run(&["abstract", "--help"]).stdout;
    let (_, engines) = engines.split_once("--engine").expect("the option");
    let (_, engines) = engines.split_once("[possible values: ").expect("the engines");
    let (engines, _) = engines.split_once(']').expect("the engines");
    let page = read("docs/abstract.md");
    for name in engines.split(',') {
        assert!(page.contains(&format!("`{}`", name.trim())), "{name}");
    }
}
