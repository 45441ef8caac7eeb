//! Random expressions with side effects: where the interpreter says that their order does not matter, it does not matter to
//! the compiler, optimising or not.

use crate::random::Random;
use crate::support::Folder;
use std::process::Command;

const PROGRAMS: u64 = 40;

/// A place that can be assigned to.
fn place(random: &mut Random, depth: usize) -> String {
    match random.below(8) {
        0 if depth > 0 => format!("a[{} & 3]", expression(random, depth - 1)),
        1 if depth > 0 => format!("*f5({})", expression(random, depth - 1)),
        _ => random
            .pick(&["g", "h", "x", "y", "a[1]", "*p", "*q", "s.m", "s.k", "r->m", "(*pp)[0]"])
            .to_owned(),
    }
}

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return random.pick(&["1", "2", "g", "h", "x", "y", "a[0]", "a[2]", "*p", "s.m", "r->k"]).to_owned();
    }
    let one = place(random, depth - 1);
    let (a, b) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(16) {
        0 => format!("({one}++)"),
        1 => format!("(--{one})"),
        2 => format!("({one} = {a})"),
        3 => format!("({one} += {a})"),
        4 => format!("f1({a})"),
        5 => format!("f2({a}, {b})"),
        6 => format!("f3(&{}, {a})", random.pick(&["g", "h", "x", "y", "a[1]", "a[3]", "s.m"])),
        7 => format!("({a} ? {b} : {one})"),
        8 => format!("({a}, {b})"),
        9 => format!("({a} && {b})"),
        10 => format!("f4({a}, s)"),
        11 => format!("(*({a} ? p : q))"),
        _ => format!("({a} {} {b})", random.pick(&["+", "-", "*", "^", "&", "|", "<", "=="])),
    }
}

fn program(random: &mut Random) -> String {
    let statement = |random: &mut Random| format!("{} = {};", place(random, 1), expression(random, 3));
    let statements: Vec<String> = (0..1 + random.below(3)).map(|_| statement(random)).collect();
    format!(
        "#include <stdio.h>
typedef unsigned u;
struct S {{ u m, k; }};
u g = 3, h = 5, a[4] = {{1, 2, 3, 4}};
struct S s = {{7, 9}};
static u f1(u v) {{ g += v; return g; }}
static u f2(u v, u w) {{ return v * 3 + w; }}
static u f3(u *v, u w) {{ *v += w; return *v + h; }}
static u f4(u v, struct S t) {{ return t.m + v * t.k; }}
static u *f5(u v) {{ h ^= v; return &a[v & 3]; }}
int main(void) {{
    u x = 11, y = 13, *p = &x, *q = &a[1], (*pp)[4] = &a;
    struct S *r = &s;
    {}
    printf(\"%u %u %u %u %u %u %u %u %u %u\\n\", g, h, a[0], a[1], a[2], a[3], s.m, s.k, x, y);
    return 0;
}}
",
        statements.join("\n    ")
    )
}

#[test]
fn orders_that_do_not_matter() {
    if !tamis_testing::cc("-m64") {
        return;
    }
    let (mut known, mut open) = (0, 0);
    for seed in 1..=PROGRAMS {
        let text = program(&mut Random::new(seed));
        let folder = Folder::with("p.c", &text);
        let run = folder.run(&["run", "p.c", "--determined"]);
        if run.exit != Some(0) {
            open += 1;
            continue;
        }
        known += 1;
        for level in ["-O0", "-O2"] {
            let arguments = ["-w", level, "p.c", "-o", "p"];
            let compiled = Command::new("cc").current_dir(&folder.path).args(arguments).output();
            let compiled = compiled.expect("a C compiler");
            assert!(compiled.status.success(), "{text}");
            let native = Command::new(folder.path.join("p")).output().expect("the compiled program runs");
            assert_eq!(run.stdout, String::from_utf8_lossy(&native.stdout), "{level}:\n{text}");
        }
    }
    assert!(known >= 10 && open >= 5, "{known} are known, {open} are open");
}
