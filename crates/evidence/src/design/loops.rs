//! That a liveness property holds, as a safety property: no execution comes back to a state after it has fulfilled all
//! conditions.
//!
//! States are finitely many, so an execution without an end that fulfils the conditions again and again has two cycles
//! with the same state, between which all have held. Saving the state in the first of the two makes the second bad. So if no
//! cycle is bad, whichever is chosen to save the state, there is no such execution. The search makes a design like this by
//! itself (`tamis_design`); of that only the variables are taken here, and what they do is said again.

use tamis_design::{Condition, Design, Register, SavedLoop, Signal};
use tamis_logic::{Term, Terms};

/// A design with the one property that it has no loop that fulfils the conditions of its first liveness property.
///
/// A register `saved` says that the state was saved in an earlier cycle; an input lets a cycle save its own. `None` if the
/// variables are not as many as the design needs.
pub fn without_loops(terms: &mut Terms, design: &Design, names: &SavedLoop) -> Option<Design> {
    let justice = design.justice.first()?;
    let conditions: Vec<Term> =
        justice.conditions.iter().copied().chain(design.fairness.iter().map(|f| f.term)).collect();
    if names.copies.len() != design.registers.len() || names.seen.len() != conditions.len() {
        return None;
    }
    let (no, yes) = (terms.bits(1, 0), terms.bits(1, 1));
    let saved = terms.eq(names.saved, yes);
    let signal = |terms: &Terms, number: usize, term: Term| {
        Signal::new(number, terms.var_name(term).unwrap_or_default(), term)
    };
    let mut registers = design.registers.clone();
    // Once saved, always saved.
    let next = terms.bv_or(names.saved, names.save);
    let number = registers.len();
    registers.push(Register { signal: signal(terms, number, names.saved), init: Some(no), next: Some(next) });
    let mut same = vec![saved];
    for (register, &copy) in design.registers.iter().zip(&names.copies) {
        // Only a cycle that saves, and is the first to do so, changes a copy.
        let not_saved = terms.not(saved);
        let wanted = terms.eq(names.save, yes);
        let saves = terms.and2(not_saved, wanted);
        let next = terms.ite(saves, register.signal.term, copy);
        let number = registers.len();
        registers.push(Register { signal: signal(terms, number, copy), init: None, next: Some(next) });
        same.push(terms.eq(register.signal.term, copy));
    }
    for (condition, &seen) in conditions.into_iter().zip(&names.seen) {
        let holds = terms.bool_to_bits(1, condition);
        let later = terms.bv_or(seen, holds);
        let first = terms.bv_and(names.save, holds);
        let next = terms.ite(saved, later, first);
        let number = registers.len();
        registers.push(Register { signal: signal(terms, number, seen), init: Some(no), next: Some(next) });
        same.push(terms.eq(seen, yes));
    }
    let mut inputs = design.inputs.clone();
    inputs.push(signal(terms, design.inputs.len(), names.save));
    let term = terms.and(&same);
    let (number, name, place) = (justice.number, justice.name.clone(), justice.place.clone());
    Some(Design {
        inputs,
        registers,
        constraints: design.constraints.clone(),
        properties: vec![Condition { number, name, term, place }],
        ..Design::default()
    })
}
