//! Broken and extreme inputs: always a message with a place, never a panic, an overflow of the stack or a hang.

use std::fs;
use std::path::PathBuf;
use tamis_front_c::{Error, Options, parse, read};
use tamis_testing::Random;

const PROGRAM: &str = r#"
typedef struct list { int value : 7; struct list *next; union { char c[4]; float f; } u; } list_t;
enum color { RED = 1, GREEN = RED << 2 };
static const char *names[] = { [RED] = "red\n", "x" "y", L'a' ? 0 : "z" };
int add(int a, int b); extern void reach_error(void);
static int table[2][3] = {{1, 2}, [1] = {[2] = 5}};
static inline int twice(x) int x; { return x << 1; }
int main(int argc, char **argv) {
  list_t l = { .value = -3, .next = &l }, *p = &l; double d = 1.5e3; int n = argc + 1; int v[n];
  for (int i = 0, *q = v; i < n; i++, q++) { *q = i % 2 ? add(i, ~n) : -i; if (!*q) continue; else break; }
  do { n -= sizeof(int[2]); } while (n > 0 && p->next != (void *)0);
  switch (n) { case 0 ... 3: n = ({ int t = n; t ?: 4; }); default: goto out; }
  __asm__ volatile("nop" : "=r"(n) : "0"(n) : "memory");
  d += (float)n * p[0].u.f; int (*f)(int, int) = n ? add : 0; f(1, 2);
out: return table[1][2] + names[0][1] == '\x41' ? twice(GREEN) : (int)d;
}
int add(int a, int b) { return a + b; }
"#;

/// Whether a text is taken, and if not, that the message has a place in it.
fn is_read(text: &str) -> bool {
    match parse("robust.i", text, &Options::default()) {
        Ok(unit) => {
            if let Err(e) = unit.check() {
                panic!("{e}\n{text}");
            }
            true
        }
        Err(error) => {
            let d = error.diagnostic();
            // What is missing at the end is missed on the line after the last.
            let lines = text.lines().count() as u32 + 1;
            assert!((1..=lines).contains(&d.line) && d.column > 0, "{error}\n{text}");
            assert!(!d.message.is_empty());
            false
        }
    }
}

#[test]
fn the_program_itself_is_read() {
    assert!(is_read(PROGRAM));
}

#[test]
fn truncated_programs() {
    let whole = (0..PROGRAM.len()).filter(|&end| is_read(&PROGRAM[..end])).count();
    assert!(whole < PROGRAM.len() / 2);
}

#[test]
fn mutated_programs() {
    let mut random = Random::new(1);
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "*",
        "&",
        "=",
        "int ",
        "struct ",
        "0",
        "\"",
        "'",
        ".",
        "->",
        "#",
        "\\",
        "?",
        ":",
        "\n",
        "@",
        "é",
        "/*",
        "//",
        "1e999",
        "sizeof ",
        "return ",
        "typedef ",
        "case ",
        "__attribute__((",
        "goto ",
    ];
    let mut taken = 0;
    for _ in 0..1500 {
        let mut text = PROGRAM.to_owned();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            let end = (at + random.below(12)).min(text.len());
            let (Some(before), Some(after)) = (text.get(..at), text.get(end..)) else { continue };
            let middle = match random.below(3) {
                0 => "",
                1 => random.pick(&pieces),
                _ => {
                    let from = random.below(PROGRAM.len());
                    PROGRAM.get(from..(from + 9).min(PROGRAM.len())).unwrap_or("")
                }
            };
            text = format!("{before}{middle}{after}");
        }
        taken += usize::from(is_read(&text));
    }
    assert!(taken < 1500, "no mutation was noticed");
}

#[test]
fn garbage() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("robust-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    let mut random = Random::new(7);
    for (i, name) in ["a.i", "b.i", "c.c", "d.c", "e.json", "f.json"].iter().enumerate() {
        let bytes: Vec<u8> = (0..2000).map(|_| random.below(256 - 32 * i) as u8).collect();
        fs::write(folder.join(name), bytes).expect("a file for the test");
        let error = read(&[folder.join(name)], &Options::default()).expect_err("it is garbage");
        assert!(!error.diagnostic().message.is_empty());
    }
    fs::write(folder.join("include.c"), "\n#include \"is-not-there.h\"\nint main(void) { return 0; }\n")
        .expect("a file for the test");
    if tamis_testing::cc("-m64") {
        let error = read(&[folder.join("include.c")], &Options::default()).expect_err("a header is missing");
        let d = error.diagnostic();
        assert_eq!((d.line, d.source_line.as_deref()), (2, Some("#include \"is-not-there.h\"")));
    }
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn two_mains_and_none() {
    assert!(!is_read("int main(void) { return 0; }\nint main(void) { return 1; }\n"));
    assert!(
        parse("none.i", "int f(void) { return 0; }", &Options::default()).is_ok_and(|u| u.main().is_none())
    );
}

/// What nests or is repeated without end is refused before anything recurses over it.
#[test]
fn endless_expressions_and_statements() {
    let n = 2_000_000;
    let inside = |body: String| format!("int x, *p; int main(void) {{ return {body}; }}\n");
    let texts = [
        inside(vec!["x"; n].join("+")),
        inside(vec!["x"; n].join(",")),
        inside(format!("{}x", "- ".repeat(n))),
        inside(format!("{}x", "(int)".repeat(n))),
        inside(format!("{}x{}", "(".repeat(n), ")".repeat(n))),
        inside(format!("p{}", "[0]".repeat(n))),
        inside(format!("{}1", "x?1:".repeat(n))),
        format!("int x; int main(void) {{ {}; }}\n", "if (x) ".repeat(n)),
        format!("int x; int main(void) {{ {}; }}\n", "if (x) x = 1; else ".repeat(n)),
        format!("int x; int main(void) {}{}\n", "{".repeat(n), "}".repeat(n)),
        format!("int {}p;\n", "*".repeat(n)),
        format!("int p{};\n", "[2]".repeat(n)),
        format!("int {}p{};\n", "(*".repeat(n), ")(void)".repeat(n)),
        format!("int a = {}1{};\n", "{".repeat(n), "}".repeat(n)),
        "(".repeat(n),
        "struct { ".repeat(n),
    ];
    for text in texts {
        match parse("endless.i", &text, &Options::default()) {
            Err(Error::Unsupported(d) | Error::Unreadable(d)) => {
                assert!(d.line == 1 && d.column > 1, "{}", d.message)
            }
            Ok(_) => panic!("taken: {}", &text[..40]),
        }
    }
}

/// Length alone is no reason to refuse.
#[test]
fn long_lists() {
    let numbers = vec!["7"; 300_000].join(",");
    let names: Vec<String> = (0..100_000).map(|i| format!("E{i}")).collect();
    let statements = "x++; if (x) { x = 2; } else { x = 3; }".repeat(50_000);
    let text = format!(
        "int x, a[] = {{{numbers}}}; enum {{ {} }}; char s[] = {}; int main(void) {{ {statements} return E99999; }}",
        names.join(","),
        "\"abc\" ".repeat(50_000),
    );
    assert!(is_read(&text));
}

#[test]
fn blocks_of_one_block_may_nest_deeply() {
    let nested = |n: usize, body: &str| format!("{}{body}{}", "{ {".repeat(n), "} }".repeat(n));
    let text = format!("int main(void) {{ int x = 3; {} return x; }}", nested(300, "int x = 4; x++;"));
    let unit = parse("deep.i", &text, &Options::default()).expect("C");
    // The blocks that are left keep the two variables apart.
    assert_eq!(unit.objects().filter(|&o| unit[o].name == "x").count(), 2);
    // Braces of initialisers all say something.
    let list =
        format!("struct s {{ int a[1]; }} s = {{ {{ 1 }} }}; int main(void) {{ {} }}", nested(150, ";"));
    assert!(parse("list.i", &list, &Options::default()).is_ok());
}
