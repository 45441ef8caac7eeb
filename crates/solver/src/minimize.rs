//! Minimal unsatisfiable cores.

use crate::budget::Stop;
use crate::solver::{Answer, Solver};
use tamis_logic::{Term, Terms};

impl Solver {
    /// A minimal part of `core` that cannot hold together with the assertions, given that all of `core` cannot: the
    /// elements are dropped one at a time, where the rest stays unsatisfiable, the first ones first. What is last in
    /// `core` is what the result prefers.
    ///
    /// The cores that the checks on the way report are used only where they do not change the result: the untried
    /// elements up to the first one that such a core has can go at once.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// use tamis_solver::{Budget, Solver};
    /// let mut t = Terms::new();
    /// let (p, q) = (t.var("p", Sort::Bool), t.var("q", Sort::Bool));
    /// let (not_p, p_or_q) = (t.not(p), t.or2(p, q));
    /// let mut solver = Solver::new(&Budget::unlimited());
    /// solver.assert(&t, not_p);
    /// let not_q = t.not(q);
    /// // {p} alone is unsatisfiable, and so is {p ∨ q, ¬q}.
    /// assert_eq!(solver.minimize_core(&t, &[p_or_q, not_q, p]), Ok(vec![p]));
    /// assert_eq!(solver.minimize_core(&t, &[p, p_or_q, not_q]), Ok(vec![p_or_q, not_q]));
    /// ```
    pub fn minimize_core(&mut self, terms: &Terms, core: &[Term]) -> Result<Vec<Term>, Stop> {
        let mut needed: Vec<Term> = Vec::new();
        let mut untried: Vec<Term> = core.to_vec();
        while !untried.is_empty() {
            let without: Vec<Term> = needed.iter().chain(&untried[1..]).copied().collect();
            match self.check(terms, &without)? {
                Answer::Sat => needed.push(untried.remove(0)),
                Answer::Unsat => {
                    untried.remove(0);
                    let reported = self.core();
                    let useless = untried.iter().take_while(|t| !reported.contains(t)).count();
                    untried.drain(..useless);
                }
            }
        }
        Ok(needed)
    }
}
