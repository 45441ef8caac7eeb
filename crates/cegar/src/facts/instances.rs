//! Facts about all elements of arrays, where they are assumed: what has index variables stands for some of its instances.

use tamis_logic::{Substitution, Term, Terms};

/// What to assume for each of `formulas`, which hold for all values of their index variables, in a question over `roots`: itself,
/// or instances of it. Index variables of the question stand for one value each, the same as in instances.
pub(crate) fn assumed(terms: &mut Terms, formulas: &[Term], roots: &[Term]) -> Vec<Term> {
    let mut assumed = formulas.to_vec();
    let mut roots = roots.to_vec();
    let mut indexed = Vec::new();
    for (place, &formula) in formulas.iter().enumerate() {
        let variables = terms.index_variables(formula);
        if variables.is_empty() {
            roots.push(formula);
        } else {
            indexed.push((place, (formula, variables)));
        }
    }
    if indexed.is_empty() {
        return assumed;
    }
    let own: Substitution = terms.free_vars_of(&roots).into_iter().map(|v| (v, v)).collect();
    let (places, questions): (Vec<usize>, Vec<_>) = indexed.into_iter().unzip();
    for (place, instances) in std::iter::zip(places, terms.instances(&questions, &roots, &own)) {
        assumed[place] = terms.and(&instances);
    }
    assumed
}

/// That a formula does not hold for some values of its index variables: for those that make it read what is stored, or for others.
pub(crate) fn refuted(terms: &mut Terms, formula: Term) -> Term {
    let mut failure = terms.not(formula);
    let variables = terms.index_variables(formula);
    if variables.is_empty() {
        return failure;
    }
    for case in terms.index_cases(formula, &variables) {
        let this = terms.substitute(formula, &case);
        let same: Vec<Term> = variables
            .iter()
            .filter_map(|&v| case.get(v).map(|t| (v, t)))
            .map(|(v, t)| terms.eq(v, t))
            .collect();
        let (other, fails) = (terms.and(&same), terms.not(this));
        let other = terms.not(other);
        failure = terms.and2(failure, other);
        failure = terms.or2(failure, fails);
    }
    failure
}
