//! Executions of an automaton, made again by a C program: by the one it comes from, and by others.

use tamis_evidence::replay;
use tamis_front_c::{Options, parse, translate_source};
use tamis_interpreter_c::interpreter::Undefined;
use tamis_interpreter_c::{Irreproducible, reproduce};
use tamis_logic::{Bits, Model, Terms, Value};
use tamis_program::Command;

const DECLARATIONS: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    extern void *malloc(unsigned long);\n";

/// Takes the only path of `model` to its error, all choices and all that was never set being `value`, and has `program`
/// make it again.
fn made_by(model: &str, program: &str, value: u128) -> Result<(), Irreproducible> {
    let (options, mut terms) = (Options::default(), Terms::new());
    let automaton =
        translate_source("m.i", &format!("{DECLARATIONS}{model}"), &options, &mut terms).expect("C");
    let unit = parse("p.i", &format!("{DECLARATIONS}{program}"), &options).expect("C");
    let bits = |v| automaton.variable(v).ty.int().map(|int| Value::Bits(Bits::new(int.bits, value)));
    let (mut path, mut at) = (Vec::new(), automaton.error());
    while at != automaton.entry() {
        let &edge = automaton.incoming(at).first().expect("a path");
        let chosen = match automaton.edge(edge).command {
            Command::Havoc(v, _) => bits(v),
            _ => None,
        };
        path.push((edge, chosen));
        at = automaton.edge(edge).from;
    }
    path.reverse();
    let initial: Model =
        automaton.vars().filter_map(|v| bits(v).map(|value| (automaton.term(v), value))).collect();
    let execution = replay(&terms, &automaton, &initial, &path).expect("an execution of the automaton");
    reproduce(&terms, &automaton, &unit, &execution, &[], None).map(drop)
}

#[test]
fn inputs_and_what_was_never_set_are_the_same() {
    for program in [
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }",
        "int main(void) { int x; if (x == 7) reach_error(); return 0; }",
        "int main(void) { int *p = malloc(4); if (*p == 7) reach_error(); return 0; }",
        "int f(void) {} int main(void) { int y = f(); if (y == 7) reach_error(); return 0; }",
    ] {
        assert_eq!(made_by(program, program, 7), Ok(()), "{program}");
    }
}

#[test]
fn another_program_does_something_else() {
    let model = "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); return 0; }";
    let other = model.replace("x == 7", "x == 8");
    assert!(matches!(made_by(model, &other, 7), Err(Irreproducible::Disagreement { .. })));
    let more = model.replace("if (x", "__VERIFIER_nondet_int(); if (x");
    assert!(matches!(made_by(model, &more, 7), Err(Irreproducible::Disagreement { .. })));
    let undefined = model.replace("if (x", "int a[2]; a[x] = 1; if (x");
    let found = made_by(model, &undefined, 7);
    assert!(
        matches!(found, Err(Irreproducible::Undefined { kind: Undefined::OutOfBounds, .. })),
        "{found:?}"
    );
}
