//! Every kind of error with memory in programs of many shapes, each beside a safe twin.
//!
//! A shape is a place for four values of some type, and how they are loaded and stored. A kind is what goes wrong with one
//! of them, chosen by an input, and what is right instead.

use std::path::Path;
use std::process::Command;

/// In the texts `T` is the type of a value, `I` the index and `V` what is loaded or stored.
struct Shape {
    name: &'static str,
    outside: &'static str,
    make: &'static str,
    load: &'static str,
    store: &'static str,
    end: &'static str,
    /// Whether the object begins with the first value, and an index below is one that is used.
    first: bool,
}

const fn shape(
    name: &'static str,
    [outside, make, load, store, end]: [&'static str; 5],
    first: bool,
) -> Shape {
    Shape { name, outside, make, load, store, end, first }
}

const SHAPES: [Shape; 14] = [
    shape("a local array", ["", "T a[4];", "V = a[I];", "a[I] = V;", ""], true),
    shape("a global array", ["static T a[4];", "", "V = a[I];", "a[I] = V;", ""], true),
    shape("a block", ["", "T *a = malloc(4 * sizeof *a);", "V = a[I];", "a[I] = V;", "free(a);"], true),
    shape(
        "a member",
        ["struct s { T head; T a[4]; };", "struct s s;", "V = s.a[I];", "s.a[I] = V;", ""],
        false,
    ),
    shape(
        "a member of members of a block",
        [
            "struct s { T head; struct { T head; struct { T a[4]; } in; } mid; };",
            "struct s *s = malloc(sizeof *s);",
            "V = s->mid.in.a[I];",
            "s->mid.in.a[I] = V;",
            "free(s);",
        ],
        false,
    ),
    shape(
        "a flexible array",
        [
            "struct s { long n; T a[]; };",
            "struct s *s = malloc(sizeof *s + 4 * sizeof(T));",
            "V = s->a[I];",
            "s->a[I] = V;",
            "free(s);",
        ],
        false,
    ),
    shape(
        "an array of structures",
        ["struct e { short k; T v; };", "struct e a[4];", "V = a[I].v;", "a[I].v = V;", ""],
        true,
    ),
    shape("rows", ["", "T a[2][4];", "V = a[1][I];", "a[1][I] = V;", ""], false),
    shape(
        "a parameter",
        [
            "static T get(T *a, int i) { return a[i]; }\nstatic void put(T *a, int i, T v) { a[i] = v; }",
            "T a[4];",
            "V = get(a, I);",
            "put(a, I, V);",
            "",
        ],
        true,
    ),
    shape(
        "a loop",
        [
            "",
            "T a[4];",
            "for (int k = 0; k <= I; k++) V = a[k];",
            "for (int k = I; k < (I) + 1; k++) a[k] = V;",
            "",
        ],
        true,
    ),
    shape(
        "a pointer that walks",
        [
            "",
            "T *a = malloc(4 * sizeof *a);",
            "{ T *w = a; while (w < a + (I)) w++; V = *w; }",
            "{ T *w = a; while (w < a + (I)) w++; *w = V; }",
            "free(a);",
        ],
        false,
    ),
    shape(
        "a list",
        [
            "struct n { struct n *next; T v; };",
            "struct n *l = 0; for (int k = 0; k < 4; k++) { struct n *m = malloc(sizeof *m); m->next = l; l = m; }",
            "{ struct n *w = l; for (int k = 0; k < (I); k++) w = w->next; V = w->v; }",
            "{ struct n *w = l; for (int k = 0; k < (I); k++) w = w->next; w->v = V; }",
            "while (l) { struct n *w = l->next; free(l); l = w; }",
        ],
        false,
    ),
    shape(
        "library functions",
        ["", "T a[4];", "memcpy(&V, &a[I], sizeof V);", "{ T t = V; memcpy(&a[I], &t, sizeof t); }", ""],
        true,
    ),
    shape(
        "unions",
        ["union u { T p; T q; char c; };", "union u a[4];", "V = a[I].p;", "a[I].q = V;", ""],
        true,
    ),
];

enum Step {
    Text(&'static str),
    /// Into a variable, from an index.
    Load(&'static str, &'static str),
    /// To an index, a value.
    Store(&'static str, &'static str),
}

use Step::{Load, Store, Text};

/// All values are 0 first, one of them then points to a block of two integers.
const CLEAR: [Step; 4] = [Store("0", "0"), Store("1", "0"), Store("2", "0"), Store("3", "0")];
const BLOCK: [Step; 2] = [Text("int *p = malloc(2 * sizeof *p), *q = 0; *p = 1;"), Store("x", "p")];

/// What is wrong, and what is right: of values that are integers, and of pointers.
struct Kind {
    property: &'static str,
    ty: &'static str,
    begin: [&'static [Step]; 2],
    wrong: &'static [Step],
    right: &'static [Step],
}

const fn of_integers(wrong: &'static [Step], right: &'static [Step]) -> Kind {
    Kind { property: "valid-deref", ty: "int", begin: [&CLEAR, &[]], wrong, right }
}

const fn of_blocks(property: &'static str, wrong: &'static [Step], right: &'static [Step]) -> Kind {
    Kind { property, ty: "int *", begin: [&CLEAR, &BLOCK], wrong, right }
}

const fn of_locals(property: &'static str, wrong: &'static [Step], right: &'static [Step]) -> Kind {
    Kind { property, ty: "int *", begin: [&CLEAR, &[Text("int *q = 0;")]], wrong, right }
}

/// Holds the verdicts of programs of all shapes against what they should be.
fn check(kind: &Kind, shapes: impl Fn(&Shape) -> bool) {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("memory-{:?}", std::thread::current().id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("p.c");
    let mut wrong = Vec::new();
    for shape in SHAPES.iter().filter(|&shape| shapes(shape)) {
        for (steps, expected) in
            [(kind.right, "true".to_owned()), (kind.wrong, format!("false({})", kind.property))]
        {
            let text = program(shape, kind, steps);
            std::fs::write(&file, &text).expect("a file");
            let run = Command::new(env!("CARGO_BIN_EXE_tamis"))
                .args(["check", "--quiet", "--property", "memory-safety", "--timeout", "300"])
                .arg(&file)
                .output()
                .expect("tamis runs");
            let said = String::from_utf8_lossy(&run.stdout);
            let verdict = said.trim().trim_start_matches("VERDICT: ");
            if verdict != expected {
                wrong.push(format!("{}: {verdict} instead of {expected}\n{text}", shape.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn program(shape: &Shape, kind: &Kind, steps: &[Step]) -> String {
    let all = kind.begin.iter().copied().flatten().chain(steps);
    let body: Vec<String> = all
        .map(|step| match step {
            Text(text) => (*text).to_owned(),
            Load(into, index) => replaced(shape.load, &[("V", into), ("I", index)]),
            Store(index, value) => replaced(shape.store, &[("V", value), ("I", index)]),
        })
        .collect();
    let text = format!(
        "{}\nint main(void)\n{{\n    int x = __VERIFIER_nondet_int();\n    if (x < 0 || x > 3)\n        return 0;\n    \
         {}\n    {}\n    {}\n    return 0;\n}}\n",
        shape.outside,
        shape.make,
        body.join("\n    "),
        shape.end
    );
    let head = "#include <stdlib.h>\n#include <string.h>\nextern int __VERIFIER_nondet_int(void);\nstatic int sum;\n\
                static int *own(void) { int l = 1; int *r = &l; return r; }\n\
                static int *shared(void) { static int l = 1; int *r = &l; return r; }\n";
    head.to_owned() + &replaced(&text, &[("T", kind.ty)])
}

/// A text with other words in the place of some.
fn replaced(text: &str, words: &[(&str, &str)]) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end.max(1));
        out.push_str(words.iter().find(|(name, _)| *name == word).map_or(word, |(_, to)| to));
        rest = after;
    }
    out
}

#[test]
fn stores_behind_the_end() {
    check(&of_integers(&[Store("x + 1", "x")], &[Store("x", "x")]), |_| true);
}

#[test]
fn loads_behind_the_end() {
    let wrong = &[Text("int v = 0;"), Load("v", "x + 1"), Text("sum += v;")];
    let right = &[Text("int v = 0;"), Load("v", "x"), Text("sum += v;")];
    check(&of_integers(wrong, right), |_| true);
}

#[test]
fn stores_before_the_start() {
    check(&of_integers(&[Store("x - 1", "x")], &[Store("3 - x", "x")]), |shape| shape.first);
}

#[test]
fn null_pointers() {
    let wrong = &[Load("q", "x ^ 1"), Text("*q = 2; free(p);")];
    check(&of_blocks("valid-deref", wrong, &[Load("q", "x"), Text("*q = 2; free(p);")]), |_| true);
}

#[test]
fn pointers_that_were_never_set() {
    let wrong = &[Load("q", "x ^ 1"), Text("*q = 2; free(p);")];
    let right = &[Load("q", "x"), Text("*q = 2; free(p);")];
    check(&Kind { begin: [&[], &BLOCK], ..of_blocks("valid-deref", wrong, right) }, |_| true);
}

#[test]
fn blocks_that_were_freed() {
    let wrong = &[Text("free(p);"), Load("q", "x"), Text("if (q) sum += *q;")];
    let right = &[Text("free(p);"), Store("x", "0"), Load("q", "x"), Text("if (q) sum += *q;")];
    check(&of_blocks("valid-deref", wrong, right), |_| true);
}

#[test]
fn variables_that_are_out_of_scope() {
    let wrong =
        &[Text("{ int y = x;"), Store("x", "&y"), Text("}"), Load("q", "x"), Text("if (q) sum += *q;")];
    let right = &[Text("{ int y = x;"), Store("x", "&y"), Load("q", "x"), Text("if (q) sum += *q; }")];
    check(&of_locals("valid-deref", wrong, right), |_| true);
}

#[test]
fn variables_of_functions_that_returned() {
    let wrong = &[Text("int *r = own();"), Store("x", "r"), Load("q", "x"), Text("sum += *q;")];
    let right = &[Text("int *r = shared();"), Store("x", "r"), Load("q", "x"), Text("sum += *q;")];
    check(&of_locals("valid-deref", wrong, right), |_| true);
}

#[test]
fn blocks_that_are_freed_twice() {
    let wrong = &[Text("free(p);"), Load("q", "x"), Text("free(q);")];
    let right = &[Text("free(p);"), Store("x", "0"), Load("q", "x"), Text("free(q);")];
    check(&of_blocks("valid-free", wrong, right), |_| true);
}

#[test]
fn blocks_that_are_freed_in_the_middle() {
    let right = &[Text("p++;"), Store("x", "p"), Load("q", "x"), Text("free(q - 1);")];
    check(&of_blocks("valid-free", &[Load("q", "x"), Text("free(q + 1);")], right), |_| true);
}

#[test]
fn variables_that_are_freed() {
    let wrong = &[Text("int y = 0;"), Store("x", "&y"), Load("q", "x"), Text("free(q);")];
    let right = &[Text("int y = 0;"), Store("x", "&y"), Load("q", "x ^ 1"), Text("free(q);")];
    check(&of_locals("valid-free", wrong, right), |_| true);
}

#[test]
fn blocks_that_are_lost() {
    let wrong = &[Text("p = 0;"), Store("x", "p")];
    check(&of_blocks("valid-memtrack", wrong, &[Load("q", "x"), Text("free(q);")]), |_| true);
}

#[test]
fn blocks_that_were_given_back_to_be_larger() {
    let wrong = &[Text("p = realloc(p, 16);"), Load("q", "x"), Text("*q = 3; free(p);")];
    let right =
        &[Text("p = realloc(p, 16);"), Store("x", "p"), Load("q", "x"), Text("*q = 3; q[3] = 1; free(p);")];
    check(&of_blocks("valid-deref", wrong, right), |_| true);
}
