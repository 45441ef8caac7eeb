//! Invariants about all elements of arrays, without quantifiers.
//!
//! Variables of an invariant that are no state variables are meant for all their values. To show that it holds, they get names
//! that nothing else has ([`refuted`]): what is shown of those is shown of any. To use it, they are replaced by terms
//! ([`instances`]): whatever these are, the result follows. Which terms help is a guess, made by what a question reads and writes.

use tamis_logic::{Substitution, Term, Terms};

/// That an invariant does not hold in a state, for some values of its index variables; and what these are called.
///
/// Conjuncts are looked at by cases: if `F(j)` fails for some `j`, then it does for one other than `t`, or `F(t)` fails.
pub(crate) fn refuted(
    terms: &mut Terms,
    invariant: Term,
    state: &Substitution,
    is_state: &dyn Fn(Term) -> bool,
) -> (Term, Substitution) {
    let mut own = Substitution::new();
    let mut values = state.clone();
    for variable in indices(terms, invariant, is_state) {
        let name = terms.var_name(variable).unwrap_or_default().to_owned();
        let any = terms.fresh(&name, terms.sort(variable));
        own.insert(variable, any);
        values.insert(variable, any);
    }
    let mut failures = Vec::new();
    for conjunct in terms.conjuncts(&[invariant]) {
        let indices: Vec<Term> =
            indices(terms, conjunct, is_state).iter().filter_map(|&v| own.get(v)).collect();
        let holds = terms.substitute(conjunct, &values);
        let mut failure = terms.not(holds);
        for case in terms.index_cases(holds, &indices) {
            let same: Vec<Term> = indices
                .iter()
                .filter_map(|&v| Some((v, case.get(v)?)))
                .map(|(v, t)| terms.eq(v, t))
                .collect();
            let (same, holds) = (terms.and(&same), terms.substitute(holds, &case));
            let (other, fails) = (terms.not(same), terms.not(holds));
            failure = terms.and2(failure, other);
            failure = terms.or2(failure, fails);
        }
        failures.push(failure);
    }
    (terms.or(&failures), own)
}

/// An invariant as far as a question over `roots` needs it: with instances in place of each conjunct that has index variables,
/// also at `own` values of these.
pub(crate) fn instances(
    terms: &mut Terms,
    invariant: Term,
    roots: &[Term],
    own: &Substitution,
    is_state: &dyn Fn(Term) -> bool,
) -> Term {
    if indices(terms, invariant, is_state).is_empty() {
        return invariant;
    }
    let conjuncts = terms.conjuncts(&[invariant]);
    let assumed = assumed(terms, &conjuncts, roots, own, is_state);
    terms.and(&assumed)
}

/// What each of several formulas that hold stands for in a question over `roots`.
pub(crate) fn assumed(
    terms: &mut Terms,
    formulas: &[Term],
    roots: &[Term],
    own: &Substitution,
    is_state: &dyn Fn(Term) -> bool,
) -> Vec<Term> {
    let mut assumed = formulas.to_vec();
    let mut roots = roots.to_vec();
    let (mut places, mut indexed) = (Vec::new(), Vec::new());
    for (place, &formula) in formulas.iter().enumerate() {
        match indices(terms, formula, is_state) {
            variables if variables.is_empty() => roots.push(formula),
            variables => {
                places.push(place);
                indexed.push((formula, variables));
            }
        }
    }
    for (place, instances) in std::iter::zip(places, terms.instances(&indexed, &roots, own)) {
        assumed[place] = terms.and(&instances);
    }
    assumed
}

/// The variables of an invariant that are no state variables.
fn indices(terms: &Terms, invariant: Term, is_state: &dyn Fn(Term) -> bool) -> Vec<Term> {
    let mut variables = terms.free_vars(invariant);
    variables.retain(|&v| !is_state(v));
    variables
}
