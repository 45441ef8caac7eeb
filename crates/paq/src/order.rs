//! A first order for the variables of predicates: those that say something of the same things are neighbours.
//!
//! Queries about an edge have each predicate twice, before and after it (\[SUM\] section 4.2), all of the first kind before
//! all of the second. Where the edge leaves most of them alone, the answer says that they come in equal pairs, and its
//! diagram doubles with each pair whose two are apart.

use crate::Predicate;
use rustc_hash::FxHashMap;
use tamis_diagram::BddVar;
use tamis_logic::{Op, Term, Terms};

/// The variables of the predicates, in the order of their formulas.
pub(crate) fn by_affinity(terms: &Terms, formula: &[Term], predicates: &[Predicate]) -> Vec<BddVar> {
    let formulas: Vec<Term> = predicates.iter().map(|p| p.formula).collect();
    places_by_affinity(terms, formula, &formulas).into_iter().map(|place| predicates[place].var).collect()
}

/// The places of the predicates, those next to each other whose formulas have the same symbols, then those that share
/// some. Of a Boolean that a conjunct of the formula defines, the definition counts.
fn places_by_affinity(terms: &Terms, formula: &[Term], predicates: &[Term]) -> Vec<usize> {
    let meanings = definitions(terms, formula);
    let mut groups: Vec<(Vec<Term>, Vec<usize>)> = Vec::new();
    let mut places: FxHashMap<Vec<Term>, usize> = FxHashMap::default();
    for (at, predicate) in predicates.iter().enumerate() {
        let symbols = terms.free_vars(*meanings.get(predicate).unwrap_or(predicate));
        let place = *places.entry(symbols).or_insert_with_key(|symbols| {
            groups.push((symbols.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(at);
    }
    let mut order = Vec::with_capacity(predicates.len());
    let mut last: Vec<Term> = Vec::new();
    while !groups.is_empty() {
        let shared = |symbols: &[Term]| symbols.iter().filter(|s| last.contains(s)).count();
        // The first of those that share most.
        let next = (0..groups.len()).rev().max_by_key(|&at| shared(&groups[at].0)).unwrap_or(0);
        let (symbols, members) = groups.remove(next);
        order.extend(members);
        last = symbols;
    }
    order
}

/// What conjuncts `b ⇔ t` say of Boolean variables.
fn definitions(terms: &Terms, formula: &[Term]) -> FxHashMap<Term, Term> {
    let mut found = FxHashMap::default();
    let mut open = formula.to_vec();
    while let Some(t) = open.pop() {
        let equation = if terms.op(t) == Op::Not { terms.args(t)[0] } else { t };
        match (terms.op(equation), terms.args(equation)) {
            (Op::And, args) if equation == t => open.extend(args),
            (Op::Eq, &[a, b]) if terms.is_connective(equation) => {
                for (var, meaning) in [(a, b), (b, a)] {
                    if terms.is_var(var) && !terms.is_var(meaning) {
                        found.entry(var).or_insert(meaning);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A test fails by panicking.

    use super::*;
    use tamis_diagram::Diagrams;
    use tamis_logic::Sort;

    #[test]
    fn what_is_said_of_the_same_stands_together() {
        let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(100));
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
        let (one, two) = (terms.int(1), terms.int(2));
        let meanings =
            [terms.le(x, one), terms.le(y, one), terms.le(z, one), terms.le(x, two), terms.le(x, y)];
        let (mut formula, mut predicates) = (Vec::new(), Vec::new());
        for (i, &meaning) in meanings.iter().enumerate() {
            let b = terms.var(&format!("b{i}"), Sort::Bool);
            formula.push(terms.eq(b, meaning));
            predicates.push(Predicate { formula: b, var: diagrams.new_var().unwrap() });
        }
        let order = by_affinity(&terms, &formula, &predicates);
        let places: Vec<usize> = order.iter().map(|var| var.index()).collect();
        assert_eq!(places, [0, 3, 4, 1, 2]);
        // The same, said in the predicates themselves.
        let plain: Vec<Predicate> =
            (0..5).map(|i| Predicate { formula: meanings[i], ..predicates[i] }).collect();
        assert_eq!(by_affinity(&terms, &[], &plain), order);
    }
}
