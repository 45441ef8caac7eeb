//! The functions that are made for formats, compiled by gcc and run beside those of its library.

use super::super::template::{Setting, Template};
use super::scan::From;
use super::{print, scan};
use crate::options::DataModel;
use crate::rucc;
use std::fmt::Write;
use std::process::Command;

const SETTING: Setting = Setting { model: DataModel::Lp64, errno: false };

/// A made function in C, which the front end takes as well.
fn definition(name: &str, made: Option<super::Made>) -> String {
    let made = made.unwrap_or_else(|| panic!("{name}: the format is not known"));
    let text = Template::of(name.to_owned(), made.text).text(SETTING);
    let parsed = rucc::parse("made", &text, DataModel::Lp64);
    assert!(
        parsed.is_ok(),
        "{}\n{text}",
        parsed.err().map(|e| e.diagnostic().message.clone()).unwrap_or_default()
    );
    text
}

/// Compiles a program and runs it; what it prints are differences.
pub(in super::super) fn run(name: &str, text: &str) {
    let folder = std::env::temp_dir().join(format!("tamis-formats-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, program) = (folder.join("main.c"), folder.join("main"));
    std::fs::write(&source, text).expect("a file");
    let compiled =
        Command::new("gcc").args(["-w", "-O0"]).arg(&source).arg("-o").arg(&program).arg("-lm").output();
    let compiled = compiled.expect("gcc runs");
    assert!(compiled.status.success(), "{}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert!(output.status.success(), "{:?}", output.status);
    std::fs::remove_dir_all(&folder).expect("a folder");
}

/// What no program with exact conversions calls.
const HEAD: &str = "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n";

/// Conversions whose meaning is defined, each with the values that it is for: a sample.
fn conversions() -> Vec<(String, &'static str)> {
    let mut conversions = Vec::new();
    for letter in ["d", "i", "u", "x", "X", "o", "c", "s"] {
        let is_text = matches!(letter, "c" | "s");
        let flags: &[&str] = match letter {
            "c" | "s" => &["", "-"],
            "x" | "X" | "o" => &["", "-", "0", "#", "-#", "#0"],
            "u" => &["", "-", "0"],
            _ => &["", "-", "0", "+", " ", "-+", "+0"],
        };
        let lengths: &[&str] = if is_text { &[""] } else { &["", "hh", "h", "l", "ll", "z", "j", "t"] };
        let precisions: &[&str] = if letter == "c" { &[""] } else { &["", ".", ".0", ".3", ".12"] };
        for flag in flags {
            for width in ["", "1", "7", "20"] {
                for precision in precisions {
                    for length in lengths {
                        let kind = match (letter, *length) {
                            ("s", _) => "texts",
                            (_, "" | "h" | "hh") => "ints",
                            _ => "longs",
                        };
                        conversions.push((format!("<%{flag}{width}{precision}{length}{letter}>%%"), kind));
                    }
                }
            }
        }
    }
    conversions.into_iter().step_by(23).collect()
}

#[test]
fn printing_is_that_of_the_library() {
    let conversions = conversions();
    assert!(conversions.len() > 50);
    let (mut text, mut main) = (HEAD.to_owned(), String::new());
    for (i, (format, values)) in conversions.iter().enumerate() {
        let bounded = i % 2 == 0;
        text.push_str(&definition(
            &format!("f{i}"),
            print::function(&format!("f{i}"), format.as_bytes(), bounded),
        ));
        let limit = if bounded { "limit, " } else { "" };
        let _ = writeln!(
            main,
            "for (int i = 0; i < 8; i++) for (int limit = 0; limit < 40; limit += 3) {{ char a[64], b[64]; \
             memset(a, 'q', 64); memset(b, 'q', 64); int m = f{i}(a, {limit}{values}[i]), n = {}(b, {limit}\"{format}\", \
             {values}[i]); if (m != n || memcmp(a, b, 64)) printf(\"{} %d: %.20s %.20s\\n\", i, a, b); }}",
            if bounded { "snprintf" } else { "sprintf" },
            format.replace('%', "%%"),
        );
    }
    let _ = write!(
        text,
        "int ints[8] = {{0, 1, -1, 42, -300, 2147483647, -2147483647 - 1, 97}};\n\
         long longs[8] = {{0, 1, -1, 4200000000, -300, 9223372036854775807, -9223372036854775807 - 1, 255}};\n\
         char *texts[8] = {{\"\", \"a\", \"ab\", \"abc\", \"abcdefgh\", \"hello world\", \"%d\", \"x y\"}};\n\
         int main(void) {{ {main} return 0; }}\n"
    );
    run("print", &text);
}

#[test]
fn scanning_is_that_of_the_library() {
    let formats = [
        "%d",
        "%i",
        "%x",
        "%o",
        "%u",
        "%3d",
        "%2x",
        "%hhd",
        "%hd",
        "%hu",
        " %d , %d",
        "%d-%d",
        "%*d %d",
        "%d%n",
        "a%d",
        "%d b",
        "%d%%",
        "%i%i",
        "%1d%1d",
        "%4i",
        "%8x",
        "%hhx:%hhx",
    ];
    let texts = [
        "s",
        "%s",
        "%3s",
        "%c",
        "%2c",
        "%[a-c]",
        "%[^,],%s",
        "%*s %s",
        "%s %s",
        "%5[0-9]x%s",
        "%[]a]%s",
        " %c%c",
        "%[a-]%s",
    ];
    let inputs = [
        "",
        " ",
        "12",
        "-12x",
        "+7 b",
        "0x1f",
        "0",
        "077",
        "08",
        "1,2",
        "1 , 2",
        "3-4",
        "abc",
        "ab,cd",
        "  abc def",
        "99999999999",
        "-99999999999999999999",
        "18446744073709551616",
        "5%",
        "a5",
        "]a x",
        "a-b",
        "12345x99",
        "- 5",
        "-",
        "+",
        "ff:0a",
        "300",
    ];
    let (mut text, mut main) = (HEAD.to_owned(), String::new());
    text.push_str("long long __VERIFIER_nondet_scanf_number(void) { return 0; }\nint __VERIFIER_unspecified_scanf(void) { return 1; }\n");
    for (i, format) in formats.iter().chain(&texts).enumerate() {
        let made = scan::function(&format!("f{i}"), format.as_bytes(), From::Text);
        let count = made.as_ref().map_or(0, |made| made.params.len());
        text.push_str(&definition(&format!("f{i}"), made));
        let pointers = |name: &str| (0..count).map(|k| format!(", (void *){name}[{k}]")).collect::<String>();
        let _ = writeln!(
            main,
            "for (int i = 0; i < {}; i++) {{ char a[3][64], b[3][64]; memset(a, 'q', sizeof a); memset(b, 'q', sizeof b); \
             int m = f{i}(inputs[i]{}), n = sscanf(inputs[i], \"{format}\"{}); if (m != n || memcmp(a, b, sizeof a)) \
             printf(\"<{}> of <%s>: %d %d\\n\", inputs[i], m, n); }}",
            inputs.len(),
            pointers("a"),
            pointers("b"),
            format.replace('%', "%%"),
        );
    }
    let inputs: String = inputs.iter().map(|input| format!("{input:?}, ")).collect();
    let _ = write!(text, "char *inputs[] = {{ {inputs} }};\nint main(void) {{ {main} return 0; }}\n");
    run("scan", &text);
}

#[test]
fn what_is_read_from_a_stream_is_c() {
    for format in ["%d", "%s", "%5c", "%[^\n]", "%lf %f", "%d,%n", " %c"] {
        definition("f", scan::function("f", format.as_bytes(), From::Stream));
    }
    for format in ["%f", "%10.3g|%Le", "%p", "%-*.*s", "%n"] {
        definition("f", print::function("f", format.as_bytes(), true));
    }
    for unknown in ["%", "%ls", "%k", "%99999d"] {
        assert!(print::function("f", unknown.as_bytes(), true).is_none(), "{unknown}");
    }
}
