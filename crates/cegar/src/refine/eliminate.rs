//! From the conditions on a path's rest to predicates over the state before it.
//!
//! Where a condition speaks of a value that is chosen later in the path, the value is replaced where an equation
//! determines it, and its bounds are compared with each other. That gives predicates that read like the program's, but
//! may miss the one that is needed; then [`separate`](super::separate) finds it.

use rustc_hash::FxHashSet;
use tamis_logic::{Op, Sort, Substitution, Term, Terms};
use tamis_system::Guards;

/// Predicates over the state.
pub struct StatePredicates {
    /// The predicates.
    pub predicates: Vec<Term>,
    /// Whether the condition is a combination of them, whatever it says of inputs.
    pub exact: bool,
}

/// Predicates over the state of which the negation of `∃ inputs. ⋀ guards` is a combination, where the inputs can be
/// replaced.
pub fn state_predicates(terms: &mut Terms, condition: &Guards) -> StatePredicates {
    let inputs: FxHashSet<Term> = condition.inputs.iter().copied().collect();
    let mut conjuncts: Vec<Term> = condition.terms().collect();
    resolve_equations(terms, &mut conjuncts, &inputs);
    let mut predicates = FxHashSet::default();
    let mut mixed = Vec::new();
    for conjunct in conjuncts {
        if mentions(terms, conjunct, &inputs) {
            mixed.push(conjunct);
        } else {
            predicates.extend(terms.atoms(conjunct));
        }
    }
    for &conjunct in &mixed {
        for atom in terms.atoms(conjunct) {
            if !mentions(terms, atom, &inputs) {
                predicates.insert(atom);
            }
        }
    }
    compare_bounds(terms, &mixed, &inputs, &mut predicates);
    let mut predicates: Vec<Term> = predicates.into_iter().filter(|&p| terms.constant(p).is_none()).collect();
    predicates.sort_unstable();
    StatePredicates { predicates, exact: mixed.is_empty() }
}

fn mentions(terms: &Terms, t: Term, inputs: &FxHashSet<Term>) -> bool {
    terms.free_vars(t).iter().any(|v| inputs.contains(v))
}

/// Substitutes every input `u` that some conjunct equates with a term in which it does not occur.
fn resolve_equations(terms: &mut Terms, conjuncts: &mut [Term], inputs: &FxHashSet<Term>) {
    while let Some((u, value)) = conjuncts.iter().find_map(|&c| equation(terms, c, inputs)) {
        let substitution: Substitution = [(u, value)].into_iter().collect();
        for c in conjuncts.iter_mut() {
            *c = terms.substitute(*c, &substitution);
        }
    }
}

fn equation(terms: &Terms, conjunct: Term, inputs: &FxHashSet<Term>) -> Option<(Term, Term)> {
    let (u, value) = terms.side(conjunct, |side| inputs.contains(&side))?;
    (!terms.free_vars(value).contains(&u)).then_some((u, value))
}

/// For an input between two bounds, the comparison of the bounds: what is left of the input when it goes, up to the
/// gaps between numbers.
fn compare_bounds(
    terms: &mut Terms,
    conjuncts: &[Term],
    inputs: &FxHashSet<Term>,
    predicates: &mut FxHashSet<Term>,
) {
    for &u in inputs {
        let mut others: Vec<(Op, Term)> = Vec::new();
        for &conjunct in conjuncts {
            for atom in terms.atoms(conjunct) {
                let op = terms.op(atom);
                let (Op::Ult | Op::Slt | Op::Eq) = op else { continue };
                let &[a, b] = terms.args(atom) else { continue };
                for (x, other) in [(a, b), (b, a)] {
                    if x == u && !mentions(terms, other, inputs) {
                        others.push((op, other));
                    }
                }
            }
        }
        for (i, &(op, a)) in others.iter().enumerate() {
            for &(_, b) in &others[i + 1..] {
                if a == b || terms.sort(a) == Sort::Bool {
                    continue;
                }
                // Only numbers are ordered: memories are the same or not.
                let mut found = vec![terms.eq(a, b)];
                match (terms.sort(a), op) {
                    (Sort::BitVec(_), Op::Slt) => found.extend([terms.slt(a, b), terms.slt(b, a)]),
                    (Sort::BitVec(_), _) => found.extend([terms.ult(a, b), terms.ult(b, a)]),
                    _ => {}
                }
                predicates.extend(found.into_iter().map(|p| positive(terms, p)));
            }
        }
    }
}

/// The atom of a literal: a predicate and its complement are one.
pub fn positive(terms: &Terms, literal: Term) -> Term {
    if terms.op(literal) == Op::Not { terms.args(literal)[0] } else { literal }
}

/// That a bit of a word has a value.
pub fn bit(terms: &mut Terms, word: Term, i: u32, value: bool) -> Term {
    let bit = terms.extract(i, i, word);
    let set = terms.nonzero(bit);
    if value { set } else { terms.not(set) }
}
