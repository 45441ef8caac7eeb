//! Proofs without what they can do without.

use tamis_evidence::{Certificate, certify, tidy};
use tamis_front_c::{Options, translate_source};
use tamis_logic::{Term, Terms};
use tamis_program::{Location, Program, back_edges};
use tamis_solver::Budget;

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
fn what_is_not_needed_goes() {
    let mut terms = Terms::new();
    let (program, head, v) = setting(&mut terms);
    let five = terms.bits(32, 5);
    let product = terms.mul(five, v("x"));
    let goal = terms.eq(v("y"), product);
    let step = terms.eq(v("w"), five);
    let same = terms.eq(v("z"), v("x"));
    let invariant = terms.and(&[same, goal, step]);
    let proof = Certificate { invariants: vec![(head, invariant)] };
    assert_eq!(certify(&mut terms, &program, &proof, &Budget::unlimited()), Ok(()));
    let tidied =
        tidy(&mut terms, &program, &proof, &Budget::unlimited()).expect("no limit").expect("inductive");
    // The step is needed for the goal, and nothing needs z.
    let needed = terms.and(&[goal, step]);
    assert_eq!(tidied.invariants, vec![(head, needed)]);
    assert_eq!(certify(&mut terms, &program, &tidied, &Budget::unlimited()), Ok(()));
}

#[test]
fn what_is_no_proof_stays_none() {
    let mut terms = Terms::new();
    let (program, head, v) = setting(&mut terms);
    let five = terms.bits(32, 5);
    let product = terms.mul(five, v("x"));
    let goal = terms.eq(v("y"), product);
    let proof = Certificate { invariants: vec![(head, goal)] };
    assert!(tidy(&mut terms, &program, &proof, &Budget::unlimited()).expect("no limit").is_none());
}
