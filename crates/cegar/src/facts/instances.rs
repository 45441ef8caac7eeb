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
