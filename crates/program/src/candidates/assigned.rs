//! What assignments leave behind: after `x := e`, `x` is `e` as long as nothing in it changes; after a store, memory holds there
//! what was stored. That the end of a string is 0 where a loop looks for it, say.

use crate::automaton::{Command, Program};
use rustc_hash::FxHashSet;
use tamis_logic::{Op, Term, Terms};

/// The equations of all assignments, at most so many.
pub(super) fn equations(terms: &mut Terms, program: &Program, most: usize) -> Vec<Term> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    for edge in program.edges() {
        let Command::Assign(v, value) = edge.command else { continue };
        let var = program.term(v);
        let mut stored = value;
        while terms.op(stored) == Op::Store {
            let [array, index, element] = terms.args(stored)[..] else { break };
            let selected = terms.select(var, index);
            note(terms, selected, element, &mut seen, &mut found);
            stored = array;
        }
        // An array that another one is equal to is no longer of use to a proof.
        if terms.sort(value).width().is_some() && !terms.free_vars(value).contains(&var) {
            note(terms, var, value, &mut seen, &mut found);
        }
        if found.len() >= most {
            break;
        }
    }
    found
}

fn note(terms: &mut Terms, a: Term, b: Term, seen: &mut FxHashSet<Term>, found: &mut Vec<Term>) {
    let equal = terms.eq(a, b);
    if !terms.is_constant(equal) && seen.insert(equal) {
        found.push(equal);
    }
}
