//! Files that are not what they should be: each ends with its message and exit code, never with a panic or a hang.

use crate::support::{Folder, Run};
use std::fs;
use std::process::{Command, Stdio};
use tamis_testing::Random;

/// Checks one file of that content.
fn check(name: &str, content: impl AsRef<[u8]>) -> Run {
    Folder::with(name, content).run(&["check", name, "--timeout", "30"])
}

const ONE_LINE: &str = "extern void reach_error(void); int main(void) { if (0) reach_error(); return 0; }\n";

#[test]
fn an_empty_file_has_no_main() {
    let run = check("empty.c", "");
    run.ends_with(4, "unknown(input: empty.c: there is no definition of `main`)");
    run.says("--> empty.c");
}

#[test]
fn a_file_without_main_is_named() {
    let run = check("library.c", "int twice(int x) { return 2 * x; }\n");
    run.ends_with(4, "unknown(input: library.c: there is no definition of `main`)");
    run.says("--> library.c");
}

#[test]
fn a_missing_file_is_named() {
    let run = Folder::new().run(&["check", "nowhere.c"]);
    run.ends_with(4, "unknown(input: nowhere.c: cannot be read: No such file or directory (os error 2))");
    run.says("--> nowhere.c");
}

#[test]
fn a_folder_is_not_a_program() {
    Folder::new().run(&["check", "."]).ends_with(4, "unknown(input: .: is a folder)");
}

#[test]
fn binary_garbage_is_not_a_program() {
    let garbage = Random::new(1).bytes(10_000);
    for name in ["garbage.c", "garbage.i"] {
        check(name, &garbage).ends_with(4, &format!("unknown(input: {name}: is not a text file)"));
    }
}

#[test]
fn garbage_without_zero_bytes_is_a_syntax_error_or_not_text() {
    let garbage: Vec<u8> = (0..5000u32).map(|i| (i * i % 255 + 1) as u8).collect();
    for name in ["garbage.c", "garbage.i"] {
        let run = check(name, &garbage);
        assert_eq!(run.exit, Some(4), "{run:?}");
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
}

#[test]
fn a_file_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with("secret.c", ONE_LINE);
    let path = folder.path.join("secret.c");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
    if fs::read(&path).is_ok() {
        // The superuser reads everything: there is nothing to be seen here.
        eprintln!("skipped: this user may read every file");
        return;
    }
    folder
        .run(&["check", "secret.c"])
        .ends_with(4, "unknown(input: secret.c: cannot be read: Permission denied (os error 13))");
}

#[test]
fn a_syntax_error_has_line_and_caret() {
    for name in ["wrong.c", "wrong.i"] {
        let run = check(name, "int main(void)\n{\n    int x = ;\n    return 0;\n}\n");
        run.ends_with(4, "unknown(input: expected an expression, found `;`)");
        run.says(&format!("  --> {name}:3:13\n   |\n 3 |     int x = ;\n   |             ^\n"));
    }
}

#[test]
fn a_type_error_has_line_and_caret() {
    let text = "int main(void)\n{\n    struct pair { int a; } p;\n\treturn p + 1;\n}\n";
    let run = check("wrong.c", text);
    run.ends_with(4, "unknown(input: invalid operands to binary + (have 'struct pair' and 'int'))");
    run.says("  --> wrong.c:4:9\n   |\n 4 | \treturn p + 1;\n   | \t       ^\n");
}

#[test]
fn an_undeclared_variable_has_line_and_caret() {
    let run = check("wrong.c", "int main(void) {\n    return lost;\n}\n");
    assert_eq!(run.exit, Some(4));
    run.says("'lost' undeclared");
    run.says("--> wrong.c:2:12");
}

#[test]
fn an_error_in_a_macro_shows_the_line_that_the_user_wrote() {
    let run = check("macro.c", "#define BAD (1 +)\nint main(void) {\n    return BAD;\n}\n");
    assert_eq!(run.exit, Some(4), "{run:?}");
    run.says("macro.c:3:");
    run.says("    return BAD;");
}

#[test]
fn a_missing_header_is_located() {
    let run = check("includes.c", "#include \"missing.h\"\nint main(void) { return 0; }\n");
    run.ends_with(4, "unknown(input: missing.h: No such file or directory)");
    run.says("--> includes.c:1:10");
}

#[test]
fn an_unfinished_file_is_a_syntax_error() {
    for text in
        ["int main(void) {", "int main(void) { return 0; } /* ", "int main(void) { char c = '", "#if 1\nint"]
    {
        let run = check("unfinished.c", text);
        assert_eq!(run.exit, Some(4), "{text}: {run:?}");
        assert!(run.stdout.starts_with("VERDICT: unknown(input: "), "{text}: {run:?}");
    }
}

#[test]
fn bytes_of_another_encoding_do_no_harm() {
    let comment = b"/* caf\xe9 */ int main(void) { return 0; }\n".as_slice();
    check("comment.c", comment).ends_with(0, "true");
    // Refused where the parser would see them.
    let string = b"int main(void) { const char *s = \"caf\xe9\"; return 0; }\n".as_slice();
    for (name, text) in [("comment.i", comment), ("string.c", string), ("string.i", string)] {
        let run = check(name, text);
        assert!(
            run.exit == Some(0) || run.exit == Some(4) && run.stderr.contains("is not UTF-8 text"),
            "{run:?}"
        );
    }
}

#[test]
fn a_file_name_of_another_encoding_does_no_harm() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.c");
    let run = Folder::with(name, ONE_LINE).run(&["check".as_ref(), name]);
    assert!(
        run.exit == Some(0) || run.exit == Some(4) && run.stderr.contains("is not UTF-8 text"),
        "{run:?}"
    );
}

#[test]
fn a_file_name_may_look_like_an_option() {
    Folder::with("-E.c", ONE_LINE).run(&["check", "--", "-E.c"]).ends_with(0, "true");
    Folder::with("two words.c", ONE_LINE).run(&["check", "two words.c"]).ends_with(0, "true");
}

#[test]
fn very_deep_nesting_is_refused_with_its_place() {
    let parentheses = format!("{}x{};", "(".repeat(10_000), ")".repeat(10_000));
    let blocks = format!("{}x = 1;{}", "{ x++; ".repeat(5_000), "}".repeat(5_000));
    for inside in [parentheses, blocks] {
        let text = format!("int main(void) {{ int x = 0;\n{inside}\nreturn x; }}\n");
        let run = check("deep.c", text);
        run.ends_with(3, "unknown(unsupported: brackets nested more deeply than 256 levels, line 2)");
        run.says("--> deep.c:2:");
    }
}

#[test]
fn long_expressions_are_no_problem() {
    let sum = vec!["1"; 20_000].join(" + ");
    let text = format!(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) {{
            int x = __VERIFIER_nondet_int();
            if (x + {sum} != x + 20000 || {}x != x) reach_error();
            return 0;
        }}",
        "~".repeat(10_000)
    );
    check("long.c", text).ends_with(0, "true");
}

#[test]
fn chains_of_else_if_are_no_problem() {
    let chain: String = (0..3000).map(|i| format!("if (x == {i}) y = {i};\nelse ")).collect();
    let text = format!(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int main(void) {{ int x = __VERIFIER_nondet_int(), y = 0; {chain} y = 1; if (x == 7 && y != 7) reach_error(); }}"
    );
    check("chain.c", text).ends_with(0, "true");
}

#[test]
fn five_megabytes_of_functions_are_read() {
    let mut text = String::from("extern void reach_error(void);\n");
    for i in 0..60_000 {
        text += &format!("int f{i}(int a, int b) {{ int c = a + {i}; if (c > b) c = b - {i}; return c; }}\n");
    }
    text += "/* ";
    text += &"a long comment to fill the file ".repeat(20_000);
    text += "*/ int main(void) { if (f7(1, 2) > 100) reach_error(); return 0; }\n";
    assert!(text.len() > 5_000_000);
    check("large.c", text).ends_with(0, "true");
}

#[test]
fn a_reader_that_goes_away_does_no_harm() {
    let folder = Folder::with("one.c", ONE_LINE);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .current_dir(&folder.path)
        .args(["check", "one.c"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
}
