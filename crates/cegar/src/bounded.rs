//! Bounded search for executions that reach the error: \[SMC\] section 3.1, over the blocks of the summary.
//!
//! The system is unrolled breadth first. At each depth, in steps, and point there is one symbolic state: where several
//! steps arrive, the state is that of the step taken. Depth by depth the solver is asked whether the error is reached,
//! so a shortest execution is found first; one solver holds all depths.

use crate::{Outcome, Statistics};
use std::time::{Duration, Instant};
use tamis_logic::{Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{ConcreteTrace, Formula, Point, StepId, System};

/// A search that goes one step deeper each time it is asked.
pub struct BoundedSearch<'a, S: System> {
    system: &'a S,
    budget: Budget,
    solver: Solver,
    /// At each depth, the points that can be reached there as far as the control flow goes.
    depths: Vec<Vec<Arrived<S>>>,
}

/// A point at some depth.
struct Arrived<S: System> {
    point: Point,
    /// Implies that one of the steps was taken.
    reached: Term,
    state: S::State,
    /// The steps that lead here; the last of those taken is the one that counts.
    taken: Vec<Taken<S>>,
}

struct Taken<S: System> {
    /// The place in the depth before.
    from: usize,
    step: StepId,
    literal: Term,
    formula: Formula<S::State, S::Decode>,
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
        let start = Arrived {
            point: Point::INITIAL,
            reached: terms.tru(),
            state: system.symbolic(),
            taken: Vec::new(),
        };
        BoundedSearch {
            system,
            budget: budget.clone(),
            solver: Solver::new(budget),
            depths: vec![vec![start]],
        }
    }

    /// How many steps deep the search has been.
    pub fn depth(&self) -> usize {
        self.depths.len() - 1
    }

    /// Unrolls by one step and looks for an execution of that length.
    pub fn deepen(&mut self, terms: &mut Terms) -> Result<Deeper<S::Edge>, Stop> {
        let error = self.system.error();
        let last = self.depths.len() - 1;
        let mut arriving: Vec<Vec<Taken<S>>> = (0..self.system.points()).map(|_| Vec::new()).collect();
        for (from, arrived) in self.depths[last].iter().enumerate() {
            let steps = self.system.steps().iter().enumerate().filter(|(_, s)| s.from == arrived.point);
            for (i, ends) in steps {
                self.budget.check()?;
                let step = StepId(i as u32);
                let formula = self.system.encode(terms, step, &arrived.state);
                let literal = terms.fresh("taken", Sort::Bool);
                self.solver.assert_under(terms, literal, arrived.reached);
                for &c in &formula.constraints {
                    self.solver.assert_under(terms, literal, c);
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
        self.depths.push(next);
        let here = self.depths.last().map_or(&[][..], Vec::as_slice);
        if let Some(place) = here.iter().position(|a| a.point == error) {
            let goal = here[place].reached;
            if let Answer::Sat = self.solver.check(terms, &[goal])? {
                return Ok(Deeper::Found(self.execution(terms, place)));
            }
        }
        // The error is left by no step: whoever is there has arrived.
        self.depths.last_mut().into_iter().for_each(|d| d.retain(|a| a.point != error));
        let live: Vec<Term> = self.depths.last().into_iter().flatten().map(|a| a.reached).collect();
        let anywhere = terms.or(&live);
        let goes_on = !live.is_empty() && self.solver.check(terms, &[anywhere])? == Answer::Sat;
        Ok(if goes_on { Deeper::Nothing } else { Deeper::Exhausted })
    }

    /// Reads the execution that ends at a place in the last depth off the solver's model.
    fn execution(&mut self, terms: &Terms, mut place: usize) -> ConcreteTrace<S::Edge> {
        let mut parts = Vec::new();
        for depth in (1..self.depths.len()).rev() {
            let taken = &self.depths[depth][place].taken;
            let value = |t: &&Taken<S>| self.solver.value(terms, t.literal).as_bool();
            let last = taken.iter().rev().find(value).expect("who is reached was led to by a step");
            let model = self.solver.model(terms, &self.system.model_variables(terms, &last.formula));
            let part = self.system.execution(terms, last.step, &last.formula, &model);
            parts.push(part.expect("a model of a step's formula describes an execution"));
            place = last.from;
        }
        let initial = self.solver.model(terms, &self.system.state_variables());
        ConcreteTrace { initial, execution: parts.into_iter().rev().flatten().collect() }
    }
}

/// Beside the loop, which needs memory too, the search ends when it has made this many clauses.
const MAX_CLAUSES: u64 = 8_000_000;

/// The loop may take so long at least.
const LOOP_FIRST: Duration = Duration::from_millis(200);

/// The stack of the second thread.
const STACK: usize = 64 << 20;

/// Runs the loop with a bounded search beside it, on a second thread. Who first knows the answer stops the other; who
/// gives up does not: what is too much for one of them may be little for the other. If both do, the loop's reason is
/// told, since it is the loop that was to decide.
pub(crate) fn beside<S: System + Sync>(
    terms: &mut Terms,
    system: &S,
    budget: &Budget,
    cegar: impl FnOnce(&mut Terms, &Budget) -> (Outcome<S::Edge>, Statistics),
) -> (Outcome<S::Edge>, Statistics)
where
    S::Edge: Send,
{
    let (loop_budget, search_budget, courtesy) = (budget.child(), budget.child(), budget.child());
    let mut own_terms = terms.clone();
    std::thread::scope(|scope| {
        let search = || {
            let began = Instant::now();
            let mut search = BoundedSearch::new(&mut own_terms, system, &search_budget);
            let found = loop {
                match search.deepen(&mut own_terms) {
                    Ok(Deeper::Nothing) if search.solver.stats().clauses < MAX_CLAUSES => {}
                    Ok(Deeper::Found(trace)) => break Some(Outcome::Unsafe(trace)),
                    Ok(Deeper::Exhausted) => break Some(Outcome::Exhausted(search.depth())),
                    Ok(Deeper::Nothing) | Err(_) => break None,
                }
            };
            // Invariants say more than that all executions end: the loop may have as much time again.
            if let Some(Outcome::Exhausted(_)) = found {
                wait(began.elapsed().max(LOOP_FIRST), &courtesy);
            }
            if found.is_some() {
                loop_budget.cancel(Stop::Cancelled);
            }
            (found, search.depth())
        };
        // Without a second thread there is the loop alone.
        let search = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search).ok();
        let (outcome, mut statistics) = cegar(terms, &loop_budget);
        courtesy.cancel(Stop::Cancelled);
        if !matches!(outcome, Outcome::Unknown(_)) {
            search_budget.cancel(Stop::Cancelled);
        }
        let joined = search.map(|s| s.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let (found, depth) = joined.unwrap_or((None, 0));
        statistics.bounded_depth = depth;
        let outcome = match (outcome, found) {
            (Outcome::Unknown(_), Some(found)) => found,
            (outcome, _) => outcome,
        };
        (outcome, statistics)
    })
}

/// Waits for a time, or until a budget is used up.
fn wait(time: Duration, budget: &Budget) {
    let end = Instant::now() + time;
    while Instant::now() < end && budget.check().is_ok() {
        std::thread::sleep(Duration::from_millis(2));
    }
}
