//! Terms of a query in a store of their own.

use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};

/// A store with copies of terms of another one. What is made there costs the other nothing, and it can go to another
/// thread.
pub(crate) struct Copied {
    pub terms: Terms,
    map: FxHashMap<Term, Term>,
}

impl Copied {
    pub fn new(original: &Terms) -> Copied {
        let mut terms = Terms::new();
        terms.adopt_sorts(original);
        Copied { terms, map: FxHashMap::default() }
    }

    /// The copy of a term.
    pub fn take(&mut self, original: &Terms, root: Term) -> Term {
        let order = original.post_order_until(&[root], |t| self.map.contains_key(&t));
        for t in order {
            if !self.map.contains_key(&t) {
                let copy = self.node(original, t, |map, arg| map[&arg]);
                self.map.insert(t, copy);
            }
        }
        self.map[&root]
    }

    /// The copy of a term in which parts that `choice` knows are replaced by another part: conditions that are decided.
    pub fn take_chosen(
        &mut self,
        original: &Terms,
        root: Term,
        choice: &dyn Fn(Term) -> Option<Term>,
    ) -> Term {
        let mut chosen: FxHashMap<Term, Term> = FxHashMap::default();
        for t in original.post_order(&[root]) {
            let copy = match choice(t) {
                Some(part) => chosen[&part],
                None => self.node(original, t, |_, arg| chosen[&arg]),
            };
            chosen.insert(t, copy);
        }
        chosen[&root]
    }

    fn node(
        &mut self,
        original: &Terms,
        t: Term,
        arg: impl Fn(&FxHashMap<Term, Term>, Term) -> Term,
    ) -> Term {
        // By name: variables that are made later must not be taken for these.
        if let Some(name) = original.var_name(t) {
            return self.terms.var_at(name, original.sort(t));
        }
        let args: Vec<Term> = original.args(t).iter().map(|&a| arg(&self.map, a)).collect();
        self.terms.adopt(original, t, &args)
    }
}
