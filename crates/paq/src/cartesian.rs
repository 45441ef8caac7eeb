//! Cartesian abstraction: \[SMC\] section 4.4.

use crate::{Abstraction, Context, Engine, Interrupted, Predicate};
use tamis_logic::{Term, Terms};
use tamis_solver::{Answer, Solver};

/// Decides each predicate by itself: the answer is the conjunction of the predicates that the formula implies and of
/// the complements of those it excludes. Linear in the number of predicates, and blind to how they hang together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cartesian;

impl Engine for Cartesian {
    fn name(&self) -> &'static str {
        "cartesian"
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        let Context { terms, diagrams, solver, .. } = context;
        let answer = |function| Abstraction { function, exact: false, engine: "cartesian" };
        if let Answer::Unsat = solver.check(terms, assumptions)? {
            return Ok(answer(diagrams.fals()));
        }
        let mut seen = Seen::new(predicates);
        seen.record(terms, solver, predicates);
        let mut literals = Vec::new();
        for (i, p) in predicates.iter().enumerate() {
            let [seen_false, value] = seen.values[i];
            if seen_false && value {
                continue;
            }
            // Only `value` has been seen so far: can it be otherwise?
            let otherwise = if value { terms.not(p.formula) } else { p.formula };
            let assumptions: Vec<Term> = assumptions.iter().copied().chain([otherwise]).collect();
            match solver.check(terms, &assumptions)? {
                Answer::Sat => seen.record(terms, solver, predicates),
                Answer::Unsat => literals.push((p.var, value)),
            }
        }
        Ok(answer(diagrams.cube(&literals)?))
    }

    fn is_exact(&self) -> bool {
        false
    }
}

/// Which truth values each predicate took in the models found so far: a model found for one predicate spares the
/// question for others.
pub(crate) struct Seen {
    pub values: Vec<[bool; 2]>,
}

impl Seen {
    pub fn new(predicates: &[Predicate]) -> Seen {
        Seen { values: vec![[false; 2]; predicates.len()] }
    }

    pub fn record(&mut self, terms: &Terms, solver: &mut Solver, predicates: &[Predicate]) {
        for (seen, p) in self.values.iter_mut().zip(predicates) {
            seen[usize::from(solver.value(terms, p.formula).as_bool())] = true;
        }
    }
}
