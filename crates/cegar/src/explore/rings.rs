//! Abstract reachability over the points, breadth first, and abstract counterexamples.
//!
//! The search proceeds in rings: the states that wait at a point are taken further together. A counterexample follows
//! the rings back. After a refinement the search does not start anew: it is rewound to the last ring before the one
//! that the new predicates change, as lazy abstraction does. What lies before keeps its coarser regions, which is
//! sound, and if such a region turns out too coarse, the next counterexample passes through it.

use super::{AbstractTrace, Exploration, outgoing};
use crate::abstraction::Precision;
use crate::cegar::Run;
use std::collections::VecDeque;
use tamis_diagram::{Bdd, BddVar};
use tamis_paq::Interrupted;
use tamis_system::{Invariants, Point, StepId, System};

/// A ring of the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct RingId(usize);

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
    /// The predicates of its point when the region was computed.
    precision: Precision,
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
pub struct Rings {
    rings: Vec<Ring>,
    frontier: Frontier,
    /// The ring to be expanded next, if it has been made already.
    current: Option<RingId>,
    outgoing: Vec<Vec<StepId>>,
    error: Point,
    /// The rings that the trace found last passes, one a step.
    passed: Vec<RingId>,
}

impl<S: System> Exploration<S> for Rings {
    fn explore(&mut self, run: &mut Run<'_, S>) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        while let Some(ring) = self.next_ring(run)? {
            if let Some(trace) = self.expand(run, ring)? {
                return Ok(Some(trace));
            }
            run.abstraction.diagrams.maybe_reorder();
        }
        Ok(None)
    }

    fn refined(&mut self, run: &mut Run<'_, S>, trace: &AbstractTrace<S::Edge>, start: usize) -> bool {
        let outdated = trace.first_outdated(run, start);
        if let Some(m) = outdated {
            self.rewind(self.passed[m - 1]);
        }
        outdated.is_some()
    }

    fn restart(&mut self, _: &Run<'_, S>) {
        self.rewind(RingId(0));
    }

    fn invariants(&self, run: &mut Run<'_, S>) -> Result<Invariants, Interrupted> {
        run.invariants(&self.frontier.reached)
    }

    fn states(&self) -> usize {
        self.rings.len()
    }
}

impl Rings {
    /// The search before its first step.
    pub fn new<S: System>(run: &Run<'_, S>) -> Rings {
        let system = run.abstraction.system;
        let diagrams = &run.abstraction.diagrams;
        let mut reached = vec![diagrams.fals(); system.points()];
        reached[0] = diagrams.tru();
        let frontier =
            Frontier { reached, waiting: vec![Vec::new(); system.points()], queue: VecDeque::new() };
        let start =
            Ring { point: Point(0), region: diagrams.tru(), sources: Vec::new(), frontier: frontier.clone() };
        Rings {
            rings: vec![start],
            frontier,
            current: Some(RingId(0)),
            outgoing: outgoing(system),
            error: system.error(),
            passed: Vec::new(),
        }
    }

    /// Forgets what was found from `ring` on, and expands it again.
    fn rewind(&mut self, ring: RingId) {
        self.rings.truncate(ring.0 + 1);
        self.frontier = self.rings[ring.0].frontier.clone();
        self.current = Some(ring);
    }

    fn next_ring<S: System>(&mut self, run: &Run<'_, S>) -> Result<Option<RingId>, Interrupted> {
        if let Some(ring) = self.current.take() {
            return Ok(Some(ring));
        }
        let Some(point) = self.frontier.queue.pop_front() else { return Ok(None) };
        let sources = std::mem::take(&mut self.frontier.waiting[point.index()]);
        let mut region = run.abstraction.diagrams.fals();
        for arrival in &sources {
            region = run.abstraction.diagrams.or(&region, &arrival.region)?;
        }
        self.rings.push(Ring { point, region, sources, frontier: self.frontier.clone() });
        Ok(Some(RingId(self.rings.len() - 1)))
    }

    fn expand<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        ring: RingId,
    ) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        let Ring { point, region, .. } = &self.rings[ring.0];
        let (point, region) = (*point, region.clone());
        for i in 0..self.outgoing[point.index()].len() {
            let step = self.outgoing[point.index()][i];
            run.budget.check()?;
            let to = run.abstraction.system.steps()[step.index()].to;
            if to == self.error {
                if let Some(last) = run.abstraction.error_witness(run.terms, step, &region)? {
                    return self.back_trace(run, ring, step, last.path, last.source).map(Some);
                }
                continue;
            }
            let known = &self.frontier.reached[to.index()];
            if known.is_true() {
                continue;
            }
            let image = run.image(step, &region, known)?;
            let new = run.abstraction.diagrams.minus(&image, known)?;
            if new.is_false() {
                continue;
            }
            self.frontier.reached[to.index()] = run.abstraction.diagrams.or(known, &new)?;
            let waiting = &mut self.frontier.waiting[to.index()];
            if waiting.is_empty() {
                self.frontier.queue.push_back(to);
            }
            let precision = run.abstraction.predicates.at(to).clone();
            waiting.push(Arrival { ring, step, region: new, precision });
        }
        Ok(None)
    }

    /// Follows the rings back from a path through `step` that starts in ring `ring` at the minterm `source`.
    fn back_trace<S: System>(
        &mut self,
        run: &mut Run<'_, S>,
        mut ring: RingId,
        step: StepId,
        path: Vec<S::Edge>,
        mut source: Vec<(BddVar, bool)>,
    ) -> Result<AbstractTrace<S::Edge>, Interrupted> {
        let mut trace = AbstractTrace::empty();
        trace.steps.push(step);
        trace.paths.push(path);
        self.passed = vec![ring];
        let initial = run.abstraction.predicates.at(Point(0)).clone();
        while ring != RingId(0) {
            let value = |var| source.iter().any(|&(v, value)| v == var && value);
            let arrivals = &self.rings[ring.0].sources;
            let arrival = arrivals.iter().find(|a| run.abstraction.diagrams.eval(&a.region, value));
            let arrival = arrival.expect("a ring is the union of its arrivals");
            trace.precisions.push(arrival.precision.clone());
            let before = &self.rings[arrival.ring.0].region;
            let witness = run.arrival(arrival.step, before, &arrival.precision, &source)?;
            trace.steps.push(arrival.step);
            trace.paths.push(witness.path);
            trace.states.push(std::mem::replace(&mut source, witness.source));
            ring = arrival.ring;
            self.passed.push(ring);
        }
        trace.precisions.push(initial);
        trace.states.push(source);
        self.passed.reverse();
        Ok(trace.reversed())
    }
}
