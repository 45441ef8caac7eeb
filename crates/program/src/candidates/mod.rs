//! Candidates for invariants of a program at its cutpoints.

mod assigned;
mod elements;
mod evaluate;
pub(crate) mod executions;
mod fixpoint;
mod intervals;
mod range;
mod rates;
mod ways;
mod zones;

use crate::automaton::Location;
use crate::branch_atoms::branch_atoms;
use crate::system::ProgramSystem;
use fixpoint::Course;
use rustc_hash::FxHashSet;
use tamis_logic::{Model, Term, Terms};
use tamis_system::{Candidates, Domains, Elements, Point};

/// Preconditions are carried so many times through the program: through a loop's body and out of it.
const ROUNDS: usize = 4;

impl Candidates for ProgramSystem<'_> {
    fn live(&self, point: Point) -> Vec<Term> {
        self.live_at(self.location(point)).collect()
    }

    fn executed(&self, terms: &Terms, most: usize, stop: &dyn Fn() -> bool) -> Vec<Vec<Model>> {
        let place = |l: Location| self.point(l).map(Point::index);
        let live = |place: usize| self.live(Point(place as u32));
        let program = self.program();
        executions::visited(terms, program, (self.count(), &place), &live, most, stop)
    }

    fn interpreted(&self, terms: &mut Terms, by: Domains, stop: &dyn Fn() -> bool) -> Vec<Vec<Term>> {
        let mut facts = vec![Vec::new(); self.count()];
        let course = Course::new(self.program());
        let Some(known) = intervals::known(terms, &course, stop) else { return facts };
        if by.intervals {
            facts = intervals::facts(terms, self, &known);
        }
        if by.zones {
            let differences = zones::facts(terms, self, &course, &known, stop);
            facts.iter_mut().zip(differences).for_each(|(facts, more)| facts.extend(more));
        }
        if by.rounds {
            let ways = ways::ways(terms, self, stop);
            let rates = rates::facts(terms, self, &ways, &known, stop);
            facts.iter_mut().zip(rates).for_each(|(facts, more)| facts.extend(more));
        }
        facts
    }

    fn assigned(&self, terms: &mut Terms, most: usize) -> Vec<Vec<Term>> {
        let equations = assigned::equations(terms, self.program(), most);
        let variables: Vec<Vec<Term>> = equations.iter().map(|&e| terms.free_vars(e)).collect();
        let at = |point: Point| {
            let live: FxHashSet<Term> = self.live(point).into_iter().collect();
            let here =
                equations.iter().zip(&variables).filter(|(_, vars)| vars.iter().all(|v| live.contains(v)));
            here.map(|(&equation, _)| equation).collect()
        };
        (0..self.count() as u32).map(|p| at(Point(p))).collect()
    }

    fn written(&self, terms: &mut Terms, most: usize, stop: &dyn Fn() -> bool) -> Vec<Vec<Term>> {
        let program = self.program();
        let mut atoms = branch_atoms(terms, program, (most, ROUNDS), stop, |_, _| true);
        let points = (0..self.count() as u32).map(Point);
        points.map(|p| std::mem::take(&mut atoms[self.location(p).index()])).collect()
    }

    fn has_arrays(&self, terms: &Terms) -> bool {
        let is_array = |v: &Term| terms.array_parts(terms.sort(*v)).is_some();
        let inner = 1..(self.count() as u32).saturating_sub(1);
        inner.map(Point).any(|p| self.live_at(self.location(p)).any(|v| is_array(&v)))
    }

    fn elements(&self, terms: &mut Terms, which: Elements, stop: &dyn Fn() -> bool) -> Vec<Vec<Term>> {
        elements::candidates(terms, self, which, stop)
    }
}
