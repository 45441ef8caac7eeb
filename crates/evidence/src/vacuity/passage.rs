//! Whether an execution can pass an edge, as far as invariants tell.

use crate::certify::{acyclic_order, connected};
use crate::strongest_post::strongest_post;
use rustc_hash::FxHashMap;
use tamis_logic::{Substitution, Term, Terms};
use tamis_program::{Command, EdgeId, Location, Program};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// What invariants say of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passage {
    /// They do not exclude that it is passed.
    Possible,
    /// They exclude it, though not that execution comes to it.
    Refused,
    /// They exclude that execution comes to it.
    Unreached,
}

/// Parts of a program with invariants at the locations that cut its loops.
pub struct Passages<'a> {
    pub program: &'a Program,
    /// What holds at the locations where ways begin.
    pub starts: Vec<(Location, Term)>,
    /// The locations that are looked at: ways that leave them are none.
    pub within: Vec<bool>,
    pub budget: &'a Budget,
}

impl Passages<'_> {
    /// What is known of an edge; `None` if a loop is not cut.
    pub fn of(&self, terms: &mut Terms, edge: EdgeId) -> Result<Option<Passage>, Stop> {
        let target = self.program.edge(edge).from;
        let starts: FxHashMap<Location, Term> = self.starts.iter().copied().collect();
        let mut reached = false;
        if let Some(&invariant) = starts.get(&target) {
            let (truth, nothing) = (terms.tru(), Substitution::new());
            match self.ask(terms, invariant, (truth, &nothing), edge)? {
                Passage::Possible => return Ok(Some(Passage::Possible)),
                passage => reached |= passage == Passage::Refused,
            }
        } else {
            let before = self.before(target, &starts);
            let ends = |l: Location| l == target || starts.contains_key(&l) || l == self.program.error();
            let Ok(order) = acyclic_order(self.program, &before, &ends) else { return Ok(None) };
            for &(from, invariant) in self.starts.iter().filter(|(from, _)| before[from.index()]) {
                self.budget.check()?;
                let anywhere = (terms.tru(), Substitution::new());
                for way in strongest_post(terms, self.program, from, anywhere, &order, &ends) {
                    if way.at != target {
                        continue;
                    }
                    match self.ask(terms, invariant, (way.condition, &way.values), edge)? {
                        Passage::Possible => return Ok(Some(Passage::Possible)),
                        passage => reached |= passage == Passage::Refused,
                    }
                }
            }
        }
        Ok(Some(if reached { Passage::Refused } else { Passage::Unreached }))
    }

    /// The locations from which ways lead to one, back to where they begin.
    fn before(&self, target: Location, starts: &FxHashMap<Location, Term>) -> Vec<bool> {
        let previous = |l: Location| -> Vec<Location> {
            let into = if l != target && starts.contains_key(&l) { &[] } else { self.program.incoming(l) };
            into.iter().map(|&e| self.program.edge(e).from).filter(|from| self.within[from.index()]).collect()
        };
        connected(self.program, target, &previous)
    }

    /// What is known of an edge after one way to it.
    fn ask(
        &self,
        terms: &mut Terms,
        invariant: Term,
        (condition, values): (Term, &Substitution),
        edge: EdgeId,
    ) -> Result<Passage, Stop> {
        let mut solver = Solver::new(self.budget);
        solver.assert(terms, invariant);
        solver.assert(terms, condition);
        let guard = match self.program.edge(edge).command {
            Command::Assume(guard) => terms.substitute(guard, values),
            _ => terms.tru(),
        };
        Ok(if solver.check(terms, &[guard])? == Answer::Sat {
            Passage::Possible
        } else if solver.check(terms, &[])? == Answer::Sat {
            Passage::Refused
        } else {
            Passage::Unreached
        })
    }
}
