//! Choosing definitions that do not depend on each other in a circle.

use super::Preprocessor;
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};

impl Preprocessor {
    /// Takes facts that define variables out of the list, as definitions; whether there were any.
    pub(super) fn eliminate(&mut self, facts: &mut Vec<Term>) -> bool {
        let mut candidates = Candidates::default();
        for (at, &fact) in facts.iter().enumerate() {
            if let Some((var, definition)) = self.solved(fact) {
                candidates.add(var, definition, at);
            }
        }
        candidates.break_circles(&self.terms);
        let mut taken: Vec<usize> = Vec::new();
        for var in &candidates.order {
            if let Some(&(definition, at)) = candidates.chosen.get(var) {
                self.definitions.insert(*var, definition);
                taken.push(at);
            }
        }
        taken.sort_unstable();
        let mut at = 0;
        facts.retain(|_| {
            at += 1;
            taken.binary_search(&(at - 1)).is_err()
        });
        !taken.is_empty()
    }
}

/// One definition for each variable, and the place of the fact it comes from.
#[derive(Default)]
struct Candidates {
    chosen: FxHashMap<Term, (Term, usize)>,
    order: Vec<Term>,
}

impl Candidates {
    fn add(&mut self, var: Term, definition: Term, at: usize) {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.chosen.entry(var) {
            entry.insert((definition, at));
            self.order.push(var);
        }
    }

    /// What a term depends on: a variable on its definition, another term on its arguments.
    fn depends_on<'a>(&'a self, terms: &'a Terms, t: Term) -> &'a [Term] {
        match self.chosen.get(&t) {
            Some((definition, _)) => std::slice::from_ref(definition),
            None => terms.args(t),
        }
    }

    /// Gives up definitions until none depends on its own variable: a depth-first search, in which a circle is closed by
    /// a term that is still being visited. The variable that was entered last on the way round is given up.
    fn break_circles(&mut self, terms: &Terms) {
        #[derive(PartialEq)]
        enum State {
            Open(usize),
            Done,
        }
        let mut states: FxHashMap<Term, State> = FxHashMap::default();
        for at in 0..self.order.len() {
            let mut path: Vec<(Term, usize)> = vec![(self.order[at], 0)];
            if states.contains_key(&self.order[at]) {
                continue;
            }
            states.insert(self.order[at], State::Open(0));
            while let Some((t, next)) = path.last_mut() {
                let Some(&child) = self.depends_on(terms, *t).get(*next) else {
                    states.insert(*t, State::Done);
                    path.pop();
                    continue;
                };
                *next += 1;
                match states.get(&child) {
                    Some(State::Done) => {}
                    None => {
                        states.insert(child, State::Open(path.len()));
                        path.push((child, 0));
                    }
                    Some(&State::Open(start)) => {
                        let circle = &path[start..];
                        let last = circle.iter().rposition(|(t, _)| self.chosen.contains_key(t));
                        let Some(last) = last.map(|i| start + i) else { continue };
                        self.chosen.remove(&path[last].0);
                        for (t, _) in path.drain(last + 1..) {
                            states.remove(&t);
                        }
                        // A variable depends on nothing now.
                        if let Some((t, next)) = path.last_mut() {
                            states.insert(*t, State::Done);
                            *next = 0;
                        }
                        path.pop();
                    }
                }
            }
        }
    }
}
