//! Abstract reachability over the points, breadth first, and abstract counterexamples.

use crate::abstraction::Abstraction;
use crate::progress::Observer;
use crate::system::{Execution, Point, StepId, System};
use std::collections::VecDeque;
use tamis_diagram::Bdd;
use tamis_logic::Terms;
use tamis_paq::{Engine, Interrupted};
use tamis_solver::Budget;

/// What abstract reachability found.
pub enum Reached<E> {
    /// The error point is not reached: the region of each point, which together are inductive.
    Safe(Vec<Bdd>),
    /// A path of abstract states to the error point.
    Counterexample(AbstractTrace<E>),
}

/// An abstract counterexample: steps from the initial point to the error point. Each has an execution of its own that
/// agrees with its neighbours on the predicates, though not on the values.
pub struct AbstractTrace<E> {
    /// The steps.
    pub steps: Vec<StepId>,
    /// An execution of each.
    pub executions: Vec<Execution<E>>,
}

/// States found at a point at once, and where they came from.
struct Ring {
    point: Point,
    region: Bdd,
    sources: Vec<Arrival>,
}

#[derive(Clone)]
struct Arrival {
    ring: usize,
    step: StepId,
    region: Bdd,
}

/// Explores the abstract states from the initial point on. Each point's new states wait until the search comes to
/// the point again and are then taken further together: the rings of the search. A counterexample follows the rings
/// back.
pub fn reach<S: System>(
    terms: &mut Terms,
    abstraction: &mut Abstraction<'_, S>,
    engine: &dyn Engine,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Reached<S::Edge>, Interrupted> {
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
    let mut waiting: Vec<Vec<Arrival>> = vec![Vec::new(); system.points()];
    let mut rings = vec![Ring { point: Point(0), region: abstraction.diagrams.tru(), sources: Vec::new() }];
    reached[0] = abstraction.diagrams.tru();
    let mut queue = VecDeque::from([Point(0)]);

    while let Some(point) = queue.pop_front() {
        let ring = if point == Point(0) { 0 } else { rings.len() };
        if ring == rings.len() {
            let sources = std::mem::take(&mut waiting[point.index()]);
            let mut region = abstraction.diagrams.fals();
            for arrival in &sources {
                region = abstraction.diagrams.or(&region, &arrival.region)?;
            }
            rings.push(Ring { point, region, sources });
        }
        let region = rings[ring].region.clone();
        for &step in &outgoing[point.index()] {
            budget.check()?;
            let to = system.steps()[step.index()].to;
            if to == error {
                if let Some(last) = abstraction.witness(terms, step, &region, &[])? {
                    return back_trace(terms, abstraction, &rings, ring, step, last.execution, last.source);
                }
                continue;
            }
            let known = reached[to.index()].clone();
            if known == abstraction.diagrams.tru() {
                continue;
            }
            let image = abstraction.image(terms, engine, step, &region, &known)?;
            observer.image(&image, abstraction.predicates(to).len());
            let not_known = abstraction.diagrams.not(&known);
            let new = abstraction.diagrams.and(&image, &not_known)?;
            if new == abstraction.diagrams.fals() {
                continue;
            }
            reached[to.index()] = abstraction.diagrams.or(&known, &new)?;
            if waiting[to.index()].is_empty() {
                queue.push_back(to);
            }
            waiting[to.index()].push(Arrival { ring, step, region: new });
        }
        abstraction.diagrams.maybe_reorder();
    }
    Ok(Reached::Safe(reached))
}

/// Follows the rings back from an execution of `step` that starts in ring `ring` at the minterm `source`.
fn back_trace<S: System>(
    terms: &mut Terms,
    abstraction: &mut Abstraction<'_, S>,
    rings: &[Ring],
    mut ring: usize,
    step: StepId,
    execution: Execution<S::Edge>,
    mut source: Vec<bool>,
) -> Result<Reached<S::Edge>, Interrupted> {
    let mut trace = AbstractTrace { steps: vec![step], executions: vec![execution] };
    while rings[ring].point != Point(0) {
        let predicates = abstraction.predicates(rings[ring].point);
        let value = |var| predicates.iter().position(|p| p.var == var).is_some_and(|i| source[i]);
        let arrival = rings[ring].sources.iter().find(|a| abstraction.diagrams.eval(&a.region, value)).cloned();
        // A Cartesian image holds minterms that no execution reaches: then any execution into the region does.
        let arrival = arrival.expect("a ring is the union of its arrivals");
        let before = &rings[arrival.ring].region;
        let witness = match abstraction.witness(terms, arrival.step, before, &source)? {
            Some(witness) => Some(witness),
            None => abstraction.witness(terms, arrival.step, before, &[])?,
        };
        let witness = witness.expect("an image is not empty unless an execution reaches it");
        trace.steps.push(arrival.step);
        trace.executions.push(witness.execution);
        source = witness.source;
        ring = arrival.ring;
    }
    trace.steps.reverse();
    trace.executions.reverse();
    Ok(Reached::Counterexample(trace))
}
