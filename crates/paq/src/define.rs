//! Variables that a conjunction defines, replaced by their definitions. In formulas of programs in SSA form, that is most of
//! them.

use rustc_hash::FxHashSet;
use tamis_logic::{Substitution, Term, Terms};

/// Replaces variables that `facts` define, in these and in `others`; the facts that defined them are gone. What is left
/// has the same models, as far as `others` can tell. A definition is used only if `allow` takes it.
pub(crate) fn replace_defined(
    terms: &mut Terms,
    facts: &mut Vec<Term>,
    others: &mut [Term],
    allow: impl Fn(&Terms, Term) -> bool,
) {
    loop {
        *facts = terms.conjuncts(facts);
        // The definitions of one round are independent of each other, so that they can be used together.
        let mut defined: FxHashSet<Term> = FxHashSet::default();
        let mut used: FxHashSet<Term> = FxHashSet::default();
        let mut substitution = Substitution::new();
        facts.retain(|&fact| {
            // Of several variables the latest: values are made of earlier ones.
            let mut solutions = terms.solutions(fact).into_iter().rev();
            let found = solutions.find_map(|(var, term)| {
                let vars = terms.free_vars(term);
                let known = defined.contains(&var) || vars.iter().any(|v| defined.contains(v));
                (!known && !used.contains(&var) && allow(terms, term)).then_some((var, term, vars))
            });
            let Some((var, term, vars)) = found else { return true };
            used.extend(vars);
            defined.insert(var);
            substitution.insert(var, term);
            false
        });
        if substitution.is_empty() {
            return;
        }
        for t in facts.iter_mut().chain(others.iter_mut()) {
            *t = terms.substitute(*t, &substitution);
        }
    }
}
