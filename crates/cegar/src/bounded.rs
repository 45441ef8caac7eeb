//! Bounded search for executions that reach the error: \[SMC\] section 3.1, over the blocks of the summary.
//!
//! The system is unrolled breadth first. At each depth, in steps, and point there is one symbolic state: where several
//! steps arrive, the state is that of the step taken. Depth by depth the solver is asked whether the error is reached,
//! so a shortest execution is found first; one solver holds all depths.

use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{ConcreteTrace, Formula, Point, StepId, System};

/// A system unrolled to some depth, in one solver.
pub(crate) struct Unrolling<'a, S: System> {
    pub system: &'a S,
    budget: Budget,
    pub solver: Solver,
    /// At each depth, the points that can be reached there as far as the control flow goes.
    pub depths: Vec<Vec<Arrived<S>>>,
    /// Whether steps are left out that could as well have ended in the error: a shortest execution has none.
    shortest: bool,
}

/// A point at some depth.
pub(crate) struct Arrived<S: System> {
    pub point: Point,
    /// Implies that one of the steps was taken.
    pub reached: Term,
    pub state: S::State,
    /// The steps that lead here; the last of those taken is the one that counts.
    taken: Vec<Taken<S>>,
}

pub(crate) struct Taken<S: System> {
    /// The place in the depth before.
    from: usize,
    step: StepId,
    literal: Term,
    formula: Formula<S::State, S::Decode>,
}

impl<'a, S: System> Unrolling<'a, S> {
    /// A system at depth 0, at one of some points in any state. If `shortest`, only shortest executions to the error are looked
    /// for.
    pub fn new(
        terms: &mut Terms,
        system: &'a S,
        budget: &Budget,
        start: impl Iterator<Item = Point>,
        shortest: bool,
    ) -> Unrolling<'a, S> {
        let at = |point| Arrived { point, reached: terms.tru(), state: system.symbolic(), taken: Vec::new() };
        let depths = vec![start.map(at).collect()];
        Unrolling { system, budget: budget.clone(), solver: Solver::new(budget), depths, shortest }
    }

    /// Unrolls by one step; the place at which the error is reached in the new depth, if the control flow goes there.
    pub fn extend(&mut self, terms: &mut Terms) -> Result<Option<usize>, Stop> {
        let error = self.system.error();
        let last = self.depths.len() - 1;
        let mut arriving: Vec<Vec<Taken<S>>> = (0..self.system.points()).map(|_| Vec::new()).collect();
        for (from, arrived) in self.depths[last].iter().enumerate() {
            let steps = self.system.steps().iter().enumerate();
            for (i, ends) in steps.filter(|(_, s)| s.from == arrived.point && s.from != error) {
                self.budget.check()?;
                let step = StepId(i as u32);
                let formula = self.system.encode(terms, step, &arrived.state);
                let literal = terms.fresh("taken", Sort::Bool);
                self.solver.assert_under(terms, literal, arrived.reached);
                for &c in &formula.constraints {
                    self.solver.assert_under(terms, literal, c);
                }
                let fails = self.system.also_fails(terms, step, &arrived.state, &formula);
                if let Some(fails) = fails.filter(|_| self.shortest) {
                    let goes_on = terms.not(fails);
                    self.solver.assert_under(terms, literal, goes_on);
                }
                arriving[ends.to.index()].push(Taken { from, step, literal, formula });
            }
        }
        let mut next = Vec::new();
        for (point, taken) in arriving.into_iter().enumerate().filter(|(_, taken)| !taken.is_empty()) {
            let point = Point(point as u32);
            let mut states: Vec<(Term, S::State)> =
                taken.iter().map(|t| (t.literal, t.formula.post.clone())).collect();
            let (state, constraints) = self.system.merge(terms, point, &mut states);
            for c in constraints {
                self.solver.assert(terms, c);
            }
            let reached = terms.fresh("reached", Sort::Bool);
            let literals: Vec<Term> = taken.iter().map(|t| t.literal).collect();
            let some = terms.or(&literals);
            self.solver.assert_under(terms, reached, some);
            next.push(Arrived { point, reached, state, taken });
        }
        let place = next.iter().position(|a| a.point == error);
        self.depths.push(next);
        Ok(place)
    }

    /// After the solver found that a place in the last depth is reached: the places on the way there, from depth 0 on, and the
    /// steps between them.
    fn way(&mut self, terms: &Terms, mut place: usize) -> Vec<(usize, usize)> {
        let mut way = Vec::new();
        for depth in (1..self.depths.len()).rev() {
            let taken = &self.depths[depth][place].taken;
            let is_taken = |&i: &usize| self.solver.value(terms, taken[i].literal).as_bool();
            let last = (0..taken.len()).rev().find(is_taken).expect("who is reached was led to by a step");
            way.push((place, last));
            place = taken[last].from;
        }
        way.push((place, 0));
        way.reverse();
        way
    }

    /// After the solver found that a place in the last depth is reached: the places on the way there, from depth 0 on.
    pub fn places(&mut self, terms: &Terms, place: usize) -> Vec<usize> {
        self.way(terms, place).into_iter().map(|(place, _)| place).collect()
    }

    /// Reads the execution that ends at a place in the last depth off the solver's model.
    fn execution(&mut self, terms: &Terms, place: usize) -> ConcreteTrace<S::Edge> {
        let mut execution = Vec::new();
        for (depth, (place, taken)) in self.way(terms, place).into_iter().enumerate().skip(1) {
            let taken = &self.depths[depth][place].taken[taken];
            let model = self.solver.model(terms, &self.system.model_variables(terms, &taken.formula));
            let part = self.system.execution(terms, taken.step, &taken.formula, &model);
            execution.extend(part.expect("a model of a step's formula describes an execution"));
        }
        let initial = self.solver.model(terms, &self.system.state_variables());
        ConcreteTrace { initial, execution }
    }
}

/// A search that goes one step deeper each time it is asked.
pub struct BoundedSearch<'a, S: System> {
    unrolling: Unrolling<'a, S>,
}

/// What going one step deeper gave.
pub enum Deeper<E> {
    /// An execution.
    Found(ConcreteTrace<E>),
    /// None of this length.
    Nothing,
    /// There are no executions of this length, to the error or elsewhere.
    Exhausted,
}

impl<'a, S: System> BoundedSearch<'a, S> {
    /// A search at depth 0.
    pub fn new(terms: &mut Terms, system: &'a S, budget: &Budget) -> BoundedSearch<'a, S> {
        let start = std::iter::once(Point::INITIAL);
        BoundedSearch { unrolling: Unrolling::new(terms, system, budget, start, false) }
    }

    /// How many steps deep the search has been.
    pub fn depth(&self) -> usize {
        self.unrolling.depths.len() - 1
    }

    /// Unrolls by one step and looks for an execution of that length.
    pub fn deepen(&mut self, terms: &mut Terms) -> Result<Deeper<S::Edge>, Stop> {
        let unrolling = &mut self.unrolling;
        let error = unrolling.system.error();
        if let Some(place) = unrolling.extend(terms)? {
            let goal = unrolling.depths[unrolling.depths.len() - 1][place].reached;
            if let Answer::Sat = unrolling.solver.check(terms, &[goal])? {
                return Ok(Deeper::Found(unrolling.execution(terms, place)));
            }
        }
        // The error is left by no step: whoever is there has arrived.
        unrolling.depths.last_mut().into_iter().for_each(|d| d.retain(|a| a.point != error));
        let live: Vec<Term> = unrolling.depths.last().into_iter().flatten().map(|a| a.reached).collect();
        let anywhere = terms.or(&live);
        let goes_on = !live.is_empty() && unrolling.solver.check(terms, &[anywhere])? == Answer::Sat;
        Ok(if goes_on { Deeper::Nothing } else { Deeper::Exhausted })
    }

    /// How many clauses it has made.
    pub fn clauses(&self) -> u64 {
        self.unrolling.solver.stats().clauses
    }
}
