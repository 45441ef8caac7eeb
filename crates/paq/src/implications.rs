//! Implications of few literals: \[CTL\] section 2.2, Eq. 6 and 7.
//!
//! The abstract relation of a step is the conjunction of the implications `Ŷ → Ŷ'` that hold, where `Ŷ` is a conjunction of
//! literals before the step and `Ŷ'` a disjunction of literals after it. With all of them the relation is exact. The paper
//! takes at most two literals before and one after, which is cubic in the number of predicates and leaves what is missing
//! to refinement. An implication is a clause, so the search is [`MaxCube`](crate::MaxCube)'s, with a limit for each side.
//! The abstract initial states are those of an empty `Ŷ`.
//!
//! Beyond the paper, predicates come and go while the step stays: with the relation that is known for some predicates
//! ([`Ends::known`]) only clauses with a new one are tried. And a literal before the step is tried only with a literal
//! after it that may depend on it ([`Ends::related`]): an implication without that holds, if at all, because of how the
//! predicates before the step hang together.

use crate::max_cube::{Clauses, Literal, Wanted};
use crate::{Abstraction, Context, Engine, Interrupted, MaxCube, Predicate};
use tamis_diagram::Bdd;
use tamis_logic::Term;
use tamis_solver::Answer;

/// The conjunction of all implications of so many literals that hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Implications {
    /// The most literals before a step.
    pub before: usize,
    /// The most literals after it.
    pub after: usize,
}

/// The limits of the paper's experiments.
impl Default for Implications {
    fn default() -> Implications {
        Implications { before: 2, after: 1 }
    }
}

/// What a relation is between.
pub struct Ends<'a> {
    /// The predicates before the step.
    pub before: &'a [Predicate],
    /// The predicates after it, read in the state there, by the variables of that state.
    pub after: &'a [Predicate],
    /// What is known already: the conjunction of the implications over those that are not new.
    pub known: &'a Bdd,
    /// Whether the predicate `before[i]` is new.
    pub is_new_before: &'a dyn Fn(usize) -> bool,
    /// Whether the predicate `after[j]` is new.
    pub is_new_after: &'a dyn Fn(usize) -> bool,
    /// Whether the value of `after[j]`, or with no `j` what the step requires, may depend on `before[i]`.
    pub related: &'a dyn Fn(usize, Option<usize>) -> bool,
}

impl Implications {
    /// The relation of a step, whose formula the solver holds under the assumptions.
    pub fn relation(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        ends: &Ends<'_>,
    ) -> Result<Bdd, Interrupted> {
        let Context { terms, diagrams, solver, .. } = context;
        if ends.known.is_false() || solver.check(terms, assumptions)? == Answer::Unsat {
            return Ok(diagrams.fals());
        }
        // A clause has its literals in this order: those after the step decide which before it may be in it.
        let predicates: Vec<Predicate> = ends.after.iter().chain(ends.before).copied().collect();
        let mut clauses = Clauses::new(terms, diagrams, solver, assumptions, &predicates);
        clauses.up_to(self.before + self.after, &Limited { limits: *self, ends }, ends.known.clone())
    }
}

/// Clauses within the limits that have something new.
struct Limited<'a> {
    limits: Implications,
    ends: &'a Ends<'a>,
}

impl Wanted for Limited<'_> {
    fn admits(&self, literals: &[Literal]) -> bool {
        let targets = self.ends.after.len();
        let after = literals.iter().take_while(|&&(place, _)| place < targets).count();
        let (after, before) = literals.split_at(after);
        let related = |&(place, _): &Literal| {
            let source = place - targets;
            match after {
                [] => (self.ends.related)(source, None),
                after => after.iter().any(|&(target, _)| (self.ends.related)(source, Some(target))),
            }
        };
        after.len() <= self.limits.after && before.len() <= self.limits.before && before.iter().all(related)
    }

    fn is_asked(&self, clause: &[Literal]) -> bool {
        let targets = self.ends.after.len();
        let is_new = |&(place, _): &Literal| match place.checked_sub(targets) {
            Some(source) => (self.ends.is_new_before)(source),
            None => (self.ends.is_new_after)(place),
        };
        clause.iter().any(is_new)
    }
}

impl Engine for Implications {
    fn name(&self) -> &'static str {
        "implications"
    }

    /// Eq. 6: disjunctions of the predicates after a step, whatever is assumed before it.
    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        let found = MaxCube { size: self.after }.abstraction(context, assumptions, predicates)?;
        Ok(Abstraction { engine: "implications", ..found })
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn implications(&self) -> Option<Implications> {
        Some(*self)
    }
}
