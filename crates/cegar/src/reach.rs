//! Abstract reachability over the points, breadth first, and abstract counterexamples.
//!
//! The search proceeds in rings: the states that wait at a point are taken further together. A counterexample follows
//! the rings back. After a refinement the search does not start anew: it is rewound to the last ring before the one
//! that the new predicates change, as lazy abstraction does. What lies before keeps its coarser regions, which is
//! sound, and if such a region turns out too coarse, the next counterexample passes through it.

use crate::abstraction::Abstraction;
use crate::progress::Observer;
use crate::system::{Execution, Point, StepId, System};
use std::collections::VecDeque;
use tamis_diagram::Bdd;
use tamis_logic::Terms;
use tamis_paq::{Engine, Interrupted};
use tamis_solver::Budget;

/// An abstract counterexample: steps from the initial point to the error point. Each has an execution of its own that
/// agrees with its neighbours on the predicates, though not on the values.
pub struct AbstractTrace<E> {
    /// The steps.
    pub steps: Vec<StepId>,
    /// An execution of each.
    pub executions: Vec<Execution<E>>,
    /// For each step, the ring that it starts in.
    pub rings: Vec<RingId>,
    /// For each step, with how many predicates the region that it starts in was computed.
    pub precisions: Vec<usize>,
}

/// A ring of the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RingId(usize);

/// States found at a point, and where they came from.
struct Ring {
    point: Point,
    region: Bdd,
    sources: Vec<Arrival>,
    /// The search as it was when the ring was about to be expanded.
    frontier: Frontier,
}

#[derive(Clone)]
struct Arrival {
    ring: RingId,
    step: StepId,
    region: Bdd,
    /// How many predicates its point had when the region was computed.
    precision: usize,
}

#[derive(Clone)]
struct Frontier {
    /// What is known to be reached at each point, waiting states included.
    reached: Vec<Bdd>,
    /// The states at each point that have not been taken further.
    waiting: Vec<Vec<Arrival>>,
    /// The points at which states wait.
    queue: VecDeque<Point>,
}

/// The state of the search.
pub struct Exploration {
    rings: Vec<Ring>,
    frontier: Frontier,
    /// The ring to be expanded next, if it has been made already.
    current: Option<RingId>,
    outgoing: Vec<Vec<StepId>>,
    error: Point,
}

impl Exploration {
    /// The search before its first step.
    pub fn new<S: System>(abstraction: &Abstraction<'_, S>) -> Exploration {
        let system = abstraction.system;
        let error = Point(system.points() as u32 - 1);
        let mut outgoing: Vec<Vec<StepId>> = vec![Vec::new(); system.points()];
        for (i, step) in system.steps().iter().enumerate() {
            outgoing[step.from.index()].push(StepId(i as u32));
        }
        // Steps into the error first: a counterexample ends the search.
        for steps in &mut outgoing {
            steps.sort_by_key(|s| system.steps()[s.index()].to != error);
        }
        let mut reached = vec![abstraction.diagrams.fals(); system.points()];
        reached[0] = abstraction.diagrams.tru();
        let frontier =
            Frontier { reached, waiting: vec![Vec::new(); system.points()], queue: VecDeque::new() };
        let start = Ring {
            point: Point(0),
            region: abstraction.diagrams.tru(),
            sources: Vec::new(),
            frontier: frontier.clone(),
        };
        Exploration { rings: vec![start], frontier, current: Some(RingId(0)), outgoing, error }
    }

    /// The regions reached so far; after [`explore`](Exploration::explore) found no counterexample they are inductive.
    pub fn reached(&self) -> &[Bdd] {
        &self.frontier.reached
    }

    /// Goes on until the error point is reached or nothing is waiting.
    pub fn explore<S: System>(
        &mut self,
        terms: &mut Terms,
        abstraction: &mut Abstraction<'_, S>,
        engine: &dyn Engine,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        while let Some(ring) = self.next_ring(abstraction)? {
            if let Some(trace) = self.expand(terms, abstraction, engine, budget, observer, ring)? {
                return Ok(Some(trace));
            }
            abstraction.diagrams.maybe_reorder();
        }
        Ok(None)
    }

    /// Forgets what was found from `ring` on, and expands it again.
    pub fn rewind(&mut self, ring: RingId) {
        self.rings.truncate(ring.0 + 1);
        self.frontier = self.rings[ring.0].frontier.clone();
        self.current = Some(ring);
    }

    fn next_ring<S: System>(
        &mut self,
        abstraction: &Abstraction<'_, S>,
    ) -> Result<Option<RingId>, Interrupted> {
        if let Some(ring) = self.current.take() {
            return Ok(Some(ring));
        }
        let Some(point) = self.frontier.queue.pop_front() else { return Ok(None) };
        let sources = std::mem::take(&mut self.frontier.waiting[point.index()]);
        let mut region = abstraction.diagrams.fals();
        for arrival in &sources {
            region = abstraction.diagrams.or(&region, &arrival.region)?;
        }
        self.rings.push(Ring { point, region, sources, frontier: self.frontier.clone() });
        Ok(Some(RingId(self.rings.len() - 1)))
    }

    fn expand<S: System>(
        &mut self,
        terms: &mut Terms,
        abstraction: &mut Abstraction<'_, S>,
        engine: &dyn Engine,
        budget: &Budget,
        observer: &mut dyn Observer,
        ring: RingId,
    ) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        let Ring { point, region, .. } = &self.rings[ring.0];
        for &step in &self.outgoing[point.index()] {
            budget.check()?;
            let to = abstraction.system.steps()[step.index()].to;
            if to == self.error {
                if let Some(last) = abstraction.witness(terms, step, region, &[])? {
                    return self
                        .back_trace(terms, abstraction, ring, step, last.execution, last.source)
                        .map(Some);
                }
                continue;
            }
            let known = &self.frontier.reached[to.index()];
            if known.is_true() {
                continue;
            }
            let image = abstraction.image(terms, engine, step, region, known)?;
            let precision = abstraction.predicates(to).len();
            observer.image(&image, precision);
            let new = abstraction.diagrams.minus(&image, known)?;
            if new.is_false() {
                continue;
            }
            self.frontier.reached[to.index()] = abstraction.diagrams.or(known, &new)?;
            let waiting = &mut self.frontier.waiting[to.index()];
            if waiting.is_empty() {
                self.frontier.queue.push_back(to);
            }
            waiting.push(Arrival { ring, step, region: new, precision });
        }
        Ok(None)
    }

    /// Follows the rings back from an execution of `step` that starts in ring `ring` at the minterm `source`.
    fn back_trace<S: System>(
        &self,
        terms: &mut Terms,
        abstraction: &mut Abstraction<'_, S>,
        mut ring: RingId,
        step: StepId,
        execution: Execution<S::Edge>,
        mut source: Vec<bool>,
    ) -> Result<AbstractTrace<S::Edge>, Interrupted> {
        let mut trace = AbstractTrace {
            steps: vec![step],
            executions: vec![execution],
            rings: vec![ring],
            precisions: Vec::new(),
        };
        while ring != RingId(0) {
            let predicates = abstraction.predicates(self.rings[ring.0].point);
            let value = |var| predicates.iter().position(|p| p.var == var).is_some_and(|i| source[i]);
            let arrivals = &self.rings[ring.0].sources;
            let arrival = arrivals.iter().find(|a| abstraction.diagrams.eval(&a.region, value));
            let arrival = arrival.expect("a ring is the union of its arrivals");
            trace.precisions.push(arrival.precision);
            // The region knows the predicates of its time only; and a Cartesian one holds minterms that no execution
            // reaches: then any execution into the region will do.
            let target = &source[..arrival.precision];
            let before = &self.rings[arrival.ring.0].region;
            let witness = match abstraction.witness(terms, arrival.step, before, target)? {
                Some(witness) => Some(witness),
                None => abstraction.witness(terms, arrival.step, before, &[])?,
            };
            let witness = witness.expect("an image is empty unless an execution reaches it");
            trace.steps.push(arrival.step);
            trace.executions.push(witness.execution);
            trace.rings.push(arrival.ring);
            source = witness.source;
            ring = arrival.ring;
        }
        trace.precisions.push(0);
        trace.steps.reverse();
        trace.executions.reverse();
        trace.rings.reverse();
        trace.precisions.reverse();
        Ok(trace)
    }
}
