//! Facts that one search has shown, for the others.

use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tamis_logic::{Term, Terms};
use tamis_system::Invariants;

/// Where facts are put up. Those that come later say more.
#[derive(Default)]
pub(crate) struct Board {
    facts: Mutex<Option<Arc<Published>>>,
}

struct Published {
    terms: Terms,
    facts: Invariants,
}

/// What a reader has seen of a board.
#[derive(Default)]
pub(crate) struct Seen(Option<Arc<Published>>);

impl Board {
    /// Puts up inductive facts, over terms of a store that was made from the reader's, or the other way round.
    pub fn publish(&self, terms: &Terms, facts: &Invariants) {
        let published = Published { terms: terms.clone(), facts: facts.clone() };
        *self.facts.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(published));
    }

    /// Facts that a reader has not seen, in its own terms.
    pub fn news(&self, terms: &mut Terms, seen: &mut Seen) -> Option<Invariants> {
        let now = self.facts.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        if seen.0.as_ref().is_some_and(|before| Arc::ptr_eq(before, &now)) {
            return None;
        }
        let facts = adopted(terms, &now.terms, &now.facts);
        seen.0 = Some(now);
        Some(facts)
    }
}

/// Invariants over terms of another store, which was made from this one.
pub(crate) fn adopted(terms: &mut Terms, original: &Terms, invariants: &Invariants) -> Invariants {
    let roots: Vec<Term> = invariants.iter().map(|(_, formula)| formula).collect();
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    for t in original.post_order(&roots) {
        // Index variables may be younger than the store.
        if let Some(name) = original.var_name(t) {
            known.insert(t, terms.var_at(name, original.sort(t)));
            continue;
        }
        let args: Vec<Term> = original.args(t).iter().map(|a| known[a]).collect();
        known.insert(t, terms.adopt(original, t, &args));
    }
    roots.iter().map(|t| known[t]).collect()
}
