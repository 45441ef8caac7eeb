//! Expressions whose value depends on the order of evaluation, which C leaves open.

mod support;

use support::translate;
use tamis_program::{Command, Havoc};

/// The lines where the order of evaluation is open.
fn open_at(text: &str) -> Vec<u32> {
    let program = translate(text).program;
    let open = |command: &Command| matches!(command, Command::Havoc(_, Havoc::Approximated(what)) if what.contains("order"));
    let mut lines: Vec<u32> =
        program.edges().iter().filter(|e| open(&e.command)).map(|e| e.source.line).collect();
    lines.dedup();
    lines
}

#[test]
fn an_open_order_of_evaluation() {
    let program = |expression: &str| {
        format!(
            "int g, *h; int table[3][3]; struct s {{ int a[2]; }} t, *s = &t; int elsewhere(void);\n\
             extern void reach_error(void); extern void abort(void);\n\
             int move(void) {{ s = 0; return 0; }}\n\
             int set(int v) {{ g = v; return v; }}\n\
             int get(void) {{ return g; }}\n\
             int check(void) {{ if (g) reach_error(); return 1; }}\n\
             int stop(void) {{ if (g) abort(); return 1; }}\n\
             int store(int *q) {{ h = 0; return *q = 1; }}\n\
             int two(int a, int b) {{ return a + b; }}\n\
             int main(void) {{ int x = 1, y = 2, z = 0, *p = &z; x = {expression}; return x + y + z; }}\n"
        )
    };
    let open = [
        "y + (y = 3)",
        "y++ + y",
        "y++ + y++",
        "g + set(1)",
        "set(1) + set(2)",
        "set(1) + get()",
        "two(y++, y)",
        "two(set(1), get())",
        "x++",
        "(x = 3)",
        "0; g += set(1)",
        "0; *p += store(p)",
        "0; *(p + y) = (y = 0)",
        "0; *h = store(p)",
        "table[y][y = 1]",
        "s->a[move()]",
        "({ int v[set(1)][set(2)]; sizeof v > 0; })",
        "({ int v[2] = { set(1), set(2) }; v[0]; })",
        "({ int v[2] = { [0] = set(1), [0] = 4 }; v[0]; })",
        "__sync_fetch_and_add(h, store(p))",
        "two(check(), stop())",
        "s->a[0] + elsewhere()",
        "stop() + check()",
        "two(set(1), ({ if (y) return 1; 2; }))",
        "({ if (y) return 1; 2; }) + set(1)",
    ];
    for expression in open {
        assert_eq!(open_at(&program(expression)), [10], "{expression}");
    }
    let settled = [
        "y + set(1)",
        "y++ && y",
        "(y++, y)",
        "y++ ? y : g",
        "set(1) || set(2)",
        "two(y, set(1))",
        "(x = 3, x)",
        "get() + get()",
        "({ x++; x; })",
        "0; *p += set(1)",
        "0; *p = store(p)",
        "table[y][set(1)]",
        "({ int v[2] = { set(1), y }; v[0]; })",
        "__sync_fetch_and_add(p, set(1))",
    ];
    for expression in settled {
        assert_eq!(open_at(&program(expression)), [], "{expression}");
    }
}
