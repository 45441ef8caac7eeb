//! k-induction with simple paths: Sheeran, Singh, Stålmarck, *Checking Safety Properties Using Induction and a SAT-Solver*,
//! FMCAD 2000.
//!
//! The step case is the unrolling of the bounded search from any state at any point but the initial one: if no `k` steps end in
//! the error, a shortest execution to the error is shorter than that, and the bounded search, which is the base case, finds it.
//! Such an execution passes no state twice, so that paths may be required to be simple. States that a model has twice on its
//! path are told apart by a clause then, and not before (Eén, Sörensson, *Temporal Induction by Incremental SAT Solving*,
//! BMC 2003).

use crate::bounded::Unrolling;
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms, Value};
use tamis_solver::{Answer, Budget, Stop};
use tamis_system::{Invariants, Point, System};

/// A proof by k-induction. What it claims of a system:
///
/// - *Base*: no execution of at most `k` steps reaches the error, the first step and the one to the error counted.
/// - *Step*: no sequence of `k` steps, from any state at a point that is neither initial nor the error, through such points,
///   reaches the error with the last of them, if no step before the last could
///   [as well have gone there](System::also_fails) and no state at a point is passed twice.
///
/// In the step, the facts hold in all states.
///
/// A shortest execution to the error fulfils the conditions of the step, so that it would have at most `k` steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KInduction {
    /// The number of steps.
    pub k: usize,
    /// Whether the step needs that no state is passed twice.
    pub simple_path: bool,
    /// What the states of the step are known to fulfil: inductive by itself. Nothing if it is not there.
    pub facts: Option<Invariants>,
}

/// The step case, for more and more steps.
pub(crate) struct StepCase<'a, S: System> {
    unrolling: Unrolling<'a, S>,
    /// The values of the state variables at a depth and place.
    values: FxHashMap<(usize, usize), Vec<Term>>,
    simple_path: bool,
}

impl<'a, S: System> StepCase<'a, S> {
    /// The step case before its first step, with facts that are inductive by themselves.
    pub fn new(
        terms: &mut Terms,
        system: &'a S,
        facts: Option<Invariants>,
        budget: &Budget,
    ) -> StepCase<'a, S> {
        let inner = (1..system.points() as u32 - 1).map(Point);
        let mut unrolling = Unrolling::new(terms, system, budget, inner, true);
        unrolling.facts = facts;
        StepCase { unrolling, values: FxHashMap::default(), simple_path: false }
    }

    /// How many clauses it has made.
    pub fn clauses(&self) -> u64 {
        self.unrolling.solver.stats().clauses
    }

    /// Tries one step more; what is claimed, if the step case holds.
    pub fn deepen(&mut self, terms: &mut Terms) -> Result<Option<KInduction>, Stop> {
        let place = self.unrolling.extend(terms)?;
        let k = self.unrolling.depths.len() - 1;
        if let Some(place) = place {
            let goal = self.unrolling.depths[k][place].reached;
            while let Answer::Sat = self.unrolling.solver.check(terms, &[goal])? {
                let places = self.unrolling.places(terms, place);
                if !self.tell_apart(terms, &places[..k]) {
                    return Ok(None);
                }
                self.simple_path = true;
            }
        }
        let facts = self.unrolling.facts.clone();
        Ok(Some(KInduction { k, simple_path: self.simple_path, facts }))
    }

    /// Requires states to differ that are the same in the solver's model, at places on a path; `false` if there are none.
    fn tell_apart(&mut self, terms: &mut Terms, path: &[usize]) -> bool {
        let mut seen: FxHashMap<(Point, Vec<Value>), (usize, usize)> = FxHashMap::default();
        let mut same = Vec::new();
        for (depth, &place) in path.iter().enumerate() {
            let terms_here = self.values_at(terms, depth, place);
            let solver = &mut self.unrolling.solver;
            let values = terms_here.iter().map(|&t| solver.value(terms, t)).collect();
            let point = self.unrolling.depths[depth][place].point;
            if let Some(earlier) = seen.insert((point, values), (depth, place)) {
                same.push((earlier, (depth, place)));
            }
        }
        for &(a, b) in &same {
            let reached = |(depth, place): (usize, usize)| self.unrolling.depths[depth][place].reached;
            let both = [reached(a), reached(b)].map(|t| terms.not(t));
            let (left, right) = (self.values[&a].clone(), self.values[&b].clone());
            let differ = left.iter().zip(&right).map(|(&x, &y)| terms.ne(x, y));
            let clause: Vec<Term> = differ.chain(both).collect();
            let clause = terms.or(&clause);
            self.unrolling.solver.assert(terms, clause);
        }
        !same.is_empty()
    }

    fn values_at(&mut self, terms: &mut Terms, depth: usize, place: usize) -> Vec<Term> {
        let Unrolling { system, depths, .. } = &mut self.unrolling;
        let state = &mut depths[depth][place].state;
        let read = || system.state_variables().iter().map(|&v| system.read(terms, state, v)).collect();
        self.values.entry((depth, place)).or_insert_with(read).clone()
    }
}
