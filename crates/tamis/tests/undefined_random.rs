//! Verdicts on undefined behaviour of random programs, against the compiler's sanitizer.
//!
//! A program computes with two inputs that are taken from a small table of interesting numbers. Compiled by `cc` with a
//! check that traps, it is run on every pair of them: that is the truth. Programs do not loop without a bound, so what
//! is compared is what operations mean, and where they are executed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tamis_testing::Random;

/// What decides a program.
struct Dice {
    random: Random,
    /// Whether shifts are by any amount. The sanitizer does not tell an amount out of range from a result that does not
    /// fit.
    wild_shifts: bool,
}

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.random.pick(from)
    }
}

/// The inputs that are tried.
const VALUES: [&str; 8] = ["0", "1", "-1", "31", "32", "1000", "2147483647", "(-2147483647 - 1)"];

/// What both worlds have: a table of inputs, and things to compute with.
const COMMON: &str = "struct pair { VARIABLE int first; VARIABLE short small; };
static VARIABLE int g = 7, table[4] = { 1, 2, 3, 4 };
static struct pair pair, other;
static int twice(VARIABLE int n) { return n + n; }
static int is(long n) { return n != 0; }
static long widen(VARIABLE int n) { return (long)n * n; }
static VARIABLE int *nullable(int n) { return n > 30 ? 0 : &table[n & 3]; }
static struct pair *pointer(int n) { return n < 0 ? 0 : n < 31 ? &pair : &other; }
";

/// Without this, and without `is`, the compiler simplifies sums and comparisons before it checks them.
const CHECKED: &str = "#define VARIABLE volatile\n";
const PLAIN: &str = "#define VARIABLE\n";

fn generate(seed: u64, wild_shifts: bool) -> String {
    let mut random = Dice { random: Random::new(seed), wild_shifts };
    let mut body = String::new();
    for _ in 0..4 + random.below(8) {
        statement(&mut random, 2, &mut body);
    }
    body
}

fn variable(random: &mut Dice) -> &'static str {
    random.pick(&["a", "b", "x", "y", "l", "u", "h", "c", "g", "pair.first", "pair.small", "table[1]"])
}

fn small(random: &mut Dice) -> String {
    let v = variable(random);
    match random.below(4) {
        0 => random.below(5).to_string(),
        1 => format!("({v} & 7)"),
        2 => format!("({v} & 31)"),
        _ => v.to_owned(),
    }
}

fn amount(random: &mut Dice) -> String {
    let v = random.pick(&["x", "y", "a", "h", "11"]);
    match random.below(3) {
        0 if random.wild_shifts => v.to_owned(),
        1 => format!("({v} & 7)"),
        _ => format!("({v} & 31)"),
    }
}

fn expression(random: &mut Dice, depth: usize) -> String {
    if depth == 0 || random.below(5) == 0 {
        return if random.below(3) == 0 {
            random.below(100).to_string()
        } else {
            variable(random).to_owned()
        };
    }
    let (left, right) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(16) {
        0..=3 => format!("({left} {} {right})", random.pick(&["+", "-", "*"])),
        4 => format!("({left} {} {})", random.pick(&["/", "%"]), small(random)),
        // The sanitizer takes a negative left operand for an overflow.
        5 => format!("(({left} & 0xffff) << {})", amount(random)),
        6 => format!("({left} >> {})", amount(random)),
        7 => format!("-{left}").replace("--", "- -"),
        8 => format!("({left} {} {right})", random.pick(&["<", "==", "&", "^", "|"])),
        9 => format!("(is({left}) {} is({right}))", random.pick(&["&&", "||"])),
        10 => format!("(is({left}) ? {right} : {})", expression(random, depth - 1)),
        11 => format!("twice({left})"),
        12 => format!("widen({left})"),
        13 => format!("({}){left}", random.pick(&["char", "short", "long", "UNSIGNED", "int"])),
        14 => format!("*nullable({left})"),
        _ => format!("pointer({left})->first"),
    }
}

fn statement(random: &mut Dice, depth: usize, out: &mut String) {
    let (target, value) = (variable(random), expression(random, 2));
    match random.below(if depth == 0 { 6 } else { 11 }) {
        0 | 1 => writeln!(out, "{target} = {value};"),
        2 => writeln!(out, "{target} {}= {value};", random.pick(&["+", "-", "*"])),
        3 => writeln!(out, "{target} /= {};", small(random)),
        4 => writeln!(out, "{target}{};", random.pick(&["++", "--"])),
        5 => writeln!(out, "printf(\"%ld\", (long)({value}));"),
        6 => writeln!(out, "other = *pointer({value});"),
        7 | 8 => {
            writeln!(out, "if (is({value})) {{").expect("a text");
            statement(random, depth - 1, out);
            writeln!(out, "}} else {{").expect("a text");
            statement(random, depth - 1, out);
            writeln!(out, "}}")
        }
        9 => {
            writeln!(out, "for (int i = 0; i < {}; i++) {{", 1 + random.below(3)).expect("a text");
            statement(random, depth - 1, out);
            writeln!(out, "}}")
        }
        _ => writeln!(out, "if (is({value})) return {target};"),
    }
    .expect("a text");
}

/// The program as the sanitizer has it: one function of many, which tells its runs apart by processes.
fn native(i: usize, body: &str) -> String {
    format!(
        "static int run_{i}(VARIABLE int x, VARIABLE int y) {{\nVARIABLE int a = 1, b = 2; VARIABLE long l = 3;\n\
         VARIABLE UNSIGNED u = 4; VARIABLE short h = 5; VARIABLE char c = 6;\n\
         {body}return (int)(a ^ b ^ l ^ u ^ h ^ c);\n}}\n"
    )
}

fn program(body: &str, other: &str) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);\nextern int printf(const char *, ...);\n{PLAIN}{other}{COMMON}\
         static int input(void) {{\nstatic const int values[8] = {{ {} }};\nint n = __VERIFIER_nondet_int();\n\
         if (n < 0 || n > 7) n = 0;\nreturn values[n];\n}}\n{}\
         int main(void) {{ int x = input(), y = input(); return run_0(x, y); }}\n",
        VALUES.join(", "),
        native(0, body)
    )
}

/// For each program, whether some run of it traps.
fn sanitized(bodies: &[String], other: &str, check: &str, folder: &Path) -> Vec<bool> {
    let mut text = format!(
        "#include <unistd.h>\n#include <sys/wait.h>\n#include <signal.h>\n\
         extern int puts(const char *);\nstatic int printf(const char *f, ...) {{ return 0; }}\n{CHECKED}{other}{COMMON}\
         static const int values[8] = {{ {} }};\n\
         static int traps(int (*run)(int, int)) {{\n\
         for (int i = 0; i < 64; i++) {{\n int status, child = fork();\n\
         if (child == 0) {{ run(values[i / 8], values[i % 8]); _exit(0); }}\n\
         waitpid(child, &status, 0);\n\
         if (WIFSIGNALED(status) && WTERMSIG(status) == SIGILL) return 1;\n}}\nreturn 0;\n}}\n",
        VALUES.join(", ")
    );
    let mut calls = String::new();
    for (i, body) in bodies.iter().enumerate() {
        text += &native(i, body);
        writeln!(calls, "puts(traps(run_{i}) ? \"1\" : \"0\");").expect("a text");
    }
    writeln!(text, "int main(void) {{\n{calls}return 0;\n}}").expect("a text");
    let (source, binary) = (folder.join("sanitized.c"), folder.join("sanitized"));
    std::fs::write(&source, text).expect("a writable folder");
    let compiled = Command::new("cc")
        .args(["-O0", "-w", "-fsanitize-undefined-trap-on-error"])
        .arg(format!("-fsanitize={check}"))
        .arg("-o")
        .arg(&binary)
        .arg(&source)
        .output()
        .expect("the compiler runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&binary).output().expect("a program that runs");
    String::from_utf8_lossy(&output.stdout).lines().map(|line| line == "1").collect()
}

fn compare(property: &str, check: &str, seeds: std::ops::Range<u64>) {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let wild_shifts = property != "no-overflow";
    let folder: PathBuf = [env!("CARGO_TARGET_TMPDIR"), property].iter().collect();
    std::fs::create_dir_all(&folder).expect("a writable folder");
    let bodies: Vec<String> = seeds.map(|seed| generate(seed, wild_shifts)).collect();
    // What is converted to an unsigned type is computed in it by the compiler, without a check.
    let other = if wild_shifts { "#define UNSIGNED unsigned\n" } else { "#define UNSIGNED int\n" };
    let truth = sanitized(&bodies, other, check, &folder);
    let file = folder.join("program.c");
    let (mut proofs, mut bugs, mut missed, mut open) = (0, 0, 0, 0);
    for (body, violated) in bodies.iter().zip(truth) {
        let program = program(body, other);
        std::fs::write(&file, &program).expect("a writable folder");
        let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .args(["check", "--quiet", "--timeout", "5", "--property", property])
            .arg(&file)
            .output()
            .expect("tamis runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let verdict = text.lines().last().unwrap_or_default().trim_start_matches("VERDICT: ").to_owned();
        let expected = if violated { format!("false({property})") } else { "true".to_owned() };
        match output.status.code() {
            Some(3) => open += 1,
            _ if verdict == expected => *(if violated { &mut bugs } else { &mut proofs }) += 1,
            // The compiler narrows operations whose result is narrowed, and then has none to check.
            _ if property == "no-overflow" && !violated => {
                assert_eq!(verdict, "false(no-overflow)", "{program}");
                missed += 1;
            }
            _ => panic!("{verdict}, and the truth is {expected}\n{program}"),
        }
    }
    let counts = format!("{proofs} proofs, {bugs} bugs, {missed} that the compiler misses, {open} open");
    println!("{property}: {counts}");
    assert!(proofs > 0 && bugs > 0 && proofs + bugs > open && missed <= bugs / 10, "{counts}");
}

#[test]
fn overflows() {
    compare("no-overflow", "signed-integer-overflow,shift-base", 0..100);
}

#[test]
fn divisions() {
    compare("no-division-by-zero", "integer-divide-by-zero", 1000..1080);
}

#[test]
fn shifts() {
    compare("no-shift-out-of-range", "shift-exponent", 2000..2080);
}

#[test]
fn null_pointers() {
    compare("no-null-dereference", "null", 3000..3080);
}

#[test]
#[ignore = "takes many minutes"]
fn many() {
    compare("no-overflow", "signed-integer-overflow,shift-base", 10_000..11_000);
    compare("no-division-by-zero", "integer-divide-by-zero", 20_000..20_500);
    compare("no-shift-out-of-range", "shift-exponent", 30_000..30_500);
    compare("no-null-dereference", "null", 40_000..40_500);
}
