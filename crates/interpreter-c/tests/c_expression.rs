//! Invariants as C.

use tamis_front_c::{Options, translate_source};
use tamis_interpreter_c::c_expression;
use tamis_logic::{Term, Terms};
use tamis_program::{Location, Program, back_edges};

const LOOP: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned x = 0, y = 0, z = 0, w = 5;
    while (__VERIFIER_nondet_int()) { x = x + 1; y = y + w; z = z + 1; w = 5; }
    if (y != 5 * x) reach_error();
    return z;
}";

fn setting(terms: &mut Terms) -> (Program, Location, impl Fn(&str) -> Term + use<>) {
    let program = translate_source("loop.i", LOOP, &Options::default(), terms).expect("it is C");
    let head = program.edge(back_edges(&program)[0]).to;
    let names: Vec<(String, Term)> = program.variables().iter().map(|v| (v.name.clone(), v.term)).collect();
    let variable = move |name: &str| names.iter().find(|(n, _)| n == name).expect("it is there").1;
    (program, head, variable)
}

#[test]
fn invariants_read_as_c() {
    let mut terms = Terms::new();
    let (program, head, v) = setting(&mut terms);
    let (x, y, ten) = (v("x"), v("y"), terms.bits(32, 10));
    let frame = program.frame_of(head);
    let less = terms.ult(x, ten);
    let equal = terms.eq(x, ten);
    let (not_less, not_equal) = (terms.not(less), terms.not(equal));
    let above = terms.ult(ten, x);
    let signed = terms.slt(x, ten);
    let sum = terms.add(x, ten);
    for (formula, text) in [
        (less, "x < 10"),
        (above, "x >= 11"),
        (terms.or2(less, equal), "x <= 10"),
        (terms.and2(not_less, not_equal), "x > 10"),
        (terms.eq(sum, y), "x + 10 == y"),
        (signed, "(int)x < 10"),
    ] {
        let shown = c_expression(&terms, &program, frame, formula, 1000).expect("it is short");
        let turned: Vec<&str> = shown.split(" == ").collect();
        let turned = turned.into_iter().rev().collect::<Vec<_>>().join(" == ");
        assert!(shown == text || turned == text, "{shown} is not {text}");
    }
}

#[test]
fn memory_reads_as_c() {
    let text = "struct node { int value; struct node *next; } *list; int a[8];
        extern void reach_error(void); extern void *malloc(unsigned long); extern int __VERIFIER_nondet_int(void);
        int main(void) {
            while (__VERIFIER_nondet_int()) {
                struct node *fresh = malloc(sizeof(struct node)); fresh->next = list; fresh->value = 3; list = fresh;
            }
            for (int i = 0; i < 8; i++) a[i] = __VERIFIER_nondet_int();
            if (list && list->value != 3) reach_error();
            if (a[2] == 7 && a[__VERIFIER_nondet_int() & 7] == 9) reach_error();
            return 0;
        }";
    let mut terms = Terms::new();
    let program = translate_source("list.i", text, &Options::default(), &mut terms).expect("it is C");
    let guards: Vec<String> = program
        .edges()
        .iter()
        .filter_map(|edge| match edge.command {
            tamis_program::Command::Assume(guard) => {
                c_expression(&terms, &program, program.frame_of(edge.from), guard, 1000)
            }
            _ => None,
        })
        .collect();
    let has = |part: &str| guards.iter().any(|g| g.contains(part));
    assert!(has("list->value"), "{guards:?}");
    assert!(has("a[2] == 7"), "{guards:?}");
    assert!(guards.iter().all(|g| !g.contains("memory of")), "{guards:?}");
}
