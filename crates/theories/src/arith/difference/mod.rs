//! Difference logic: conjunctions of `x - y ≤ c`.
//!
//! A constraint is an edge of a graph; the constraints are consistent when no cycle is negative. A potential function
//! witnesses that and is repaired edge by edge; new edges are followed both ways to find the atoms that they decide.
//!
//! ## References
//! - S. Cotton, O. Maler. *Fast and Flexible Difference Constraint Propagation for DPLL(T)*. SAT 2006.
//! - R. Nieuwenhuis, A. Oliveras. *DPLL(T) with Exhaustive Theory Propagation and its Application to Difference Logic*.
//!   CAV 2005: \[NO05b\] of \[SMT\].
//!
//! Deviations: a potential is repaired from whichever end of the edge is quicker, for a new variable at the end of a long
//! chain should give way and not the chain; reasons are not recorded with a propagation but found again, when asked for,
//! among the edges that were there then: most propagations are never explained.

mod domain;
mod graph;
mod paths;

use rustc_hash::FxHashMap;

use self::graph::{Added, Direction, Edge, Graph};
use self::paths::Reach;
use super::stop::{Stop, Watch};
use super::{Rational, Var};
use crate::theory::{Atom, Check, Conflict, Literal, Theory};

pub use domain::{Domain, Integers, Reals};

/// How many edges the search for the consequences of one edge may look at, each way.
const REACH_BUDGET: usize = 10_000;

/// A decision procedure for difference logic over a [`Domain`].
///
/// A bound on a single variable is a difference to a variable that stands for 0.
///
/// ```
/// use tamis_theories::arith::{Difference, Integers};
/// use tamis_theories::{Atom, Literal, Theory};
/// let mut theory = Difference::<Integers>::new();
/// let [x, y, z] = [(); 3].map(|()| theory.variable());
/// theory.difference(Atom(0), x, y, -1); // x < y
/// theory.difference(Atom(1), y, z, 0); // y ≤ z
/// theory.difference(Atom(2), z, x, 0); // z ≤ x
/// theory.assert(Literal::new(Atom(0), true)).unwrap();
/// theory.assert(Literal::new(Atom(1), true)).unwrap();
/// let (mut implied, mut reasons) = (Vec::new(), Vec::new());
/// theory.propagate(&mut implied).unwrap();
/// assert_eq!(implied, [Literal::new(Atom(2), false)]);
/// theory.explain(implied[0], &mut reasons);
/// assert_eq!(reasons.len(), 2);
/// assert!(theory.assert(!implied[0]).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Difference<D: Domain> {
    graph: Graph<D>,
    atoms: Vec<AtomState<D::Constant>>,
    by_number: FxHashMap<Atom, u32>,
    /// For every variable, the atoms that it is in.
    occurrences: Vec<Vec<u32>>,
    /// For every variable, how many of its atoms are neither asserted nor propagated, and how many are in all.
    open: Vec<u32>,
    open_atoms: usize,
    trail: Vec<Event>,
    levels: Vec<Level>,
    /// The first edge whose consequences have not been looked for.
    next: usize,
    /// Atoms made when there were edges already, which have not been compared with them.
    late: Vec<u32>,
    /// How many asserted literals are not in the graph because the search was stopped.
    missing: usize,
    stopped: bool,
    propagation: bool,
    watch: Watch,
    forward: Reach<D::Weight>,
    backward: Reach<D::Weight>,
}

#[derive(Clone, Debug)]
struct AtomState<C> {
    number: Atom,
    x: Var,
    y: Var,
    constant: C,
    asserted: Option<bool>,
    /// The propagated value and the number of edges at that time.
    propagated: Option<(bool, u32)>,
}

impl<C> AtomState<C> {
    fn is_open(&self) -> bool {
        self.asserted.is_none() && self.propagated.is_none()
    }
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Asserted(u32),
    Propagated(u32),
    Examined(u32),
    Missed,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    trail: usize,
    edges: usize,
    next: usize,
}

impl<D: Domain> Default for Difference<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Domain> Difference<D> {
    /// A procedure without variables.
    pub fn new() -> Self {
        Difference {
            graph: Graph::new(),
            atoms: Vec::new(),
            by_number: FxHashMap::default(),
            occurrences: Vec::new(),
            open: Vec::new(),
            open_atoms: 0,
            trail: Vec::new(),
            levels: Vec::new(),
            next: 0,
            late: Vec::new(),
            missing: 0,
            stopped: false,
            propagation: true,
            watch: Watch::default(),
            forward: Reach::new(),
            backward: Reach::new(),
        }
    }

    /// A new variable.
    pub fn variable(&mut self) -> Var {
        self.occurrences.push(Vec::new());
        self.open.push(0);
        self.graph.add_node()
    }

    /// Gives `atom` the meaning `x - y ≤ c`. Its negation is `y - x ≤ -c - 1` over the integers and `y - x < -c` over the
    /// reals, where the strict `x - y < c` is the negation of `y - x ≤ -c`.
    ///
    /// # Panics
    /// If `atom` has a meaning already.
    pub fn difference(&mut self, atom: Atom, x: Var, y: Var, c: D::Constant) {
        let index = self.atoms.len() as u32;
        assert!(self.by_number.insert(atom, index).is_none(), "an atom has one meaning");
        self.atoms.push(AtomState { number: atom, x, y, constant: c, asserted: None, propagated: None });
        self.occurrences[x.index()].push(index);
        if x != y {
            self.occurrences[y.index()].push(index);
        }
        self.opened(index);
        if !self.graph.edges.is_empty() {
            self.late.push(index);
        }
    }

    /// Whether `atom` has a meaning here.
    pub fn knows(&self, atom: Atom) -> bool {
        self.by_number.contains_key(&atom)
    }

    /// Switches theory propagation on or off; it is on at first.
    pub fn set_propagation(&mut self, on: bool) {
        self.propagation = on;
    }

    /// What to ask during long searches, whether to stop.
    pub fn set_stop(&mut self, stop: Option<Stop>) {
        self.watch.set(stop);
    }

    /// Whether a search was stopped since the latest [`pop`](Theory::pop) or complete check, so that its answer is
    /// not complete.
    pub fn stopped(&self) -> bool {
        self.stopped || self.missing > 0
    }

    /// Values of all variables that satisfy what is asserted. Only their differences mean something: any number may be
    /// added to all of them.
    pub fn model(&self) -> Vec<Rational> {
        D::concrete(&self.graph.potential, self.graph.edges.iter().map(|edge| self.graph.slack(edge)))
    }

    fn edge(&self, index: u32, positive: bool) -> Edge<D::Weight> {
        let atom = &self.atoms[index as usize];
        let literal = Literal::new(atom.number, positive);
        if positive {
            Edge { from: atom.y, to: atom.x, weight: D::holds(&atom.constant), literal }
        } else {
            Edge { from: atom.x, to: atom.y, weight: D::fails(&atom.constant), literal }
        }
    }

    fn index(&self, atom: Atom) -> u32 {
        *self.by_number.get(&atom).expect("an atom of this theory")
    }

    /// Sets what is known of an atom and keeps count of those of which nothing is.
    fn change(&mut self, index: u32, change: impl FnOnce(&mut AtomState<D::Constant>)) {
        let state = &mut self.atoms[index as usize];
        let was_open = state.is_open();
        change(state);
        match (was_open, state.is_open()) {
            (true, false) => {
                self.open[state.x.index()] -= 1;
                self.open[state.y.index()] -= 1;
                self.open_atoms -= 1;
            }
            (false, true) => self.opened(index),
            _ => {}
        }
    }

    fn opened(&mut self, index: u32) {
        let state = &self.atoms[index as usize];
        self.open[state.x.index()] += 1;
        self.open[state.y.index()] += 1;
        self.open_atoms += 1;
    }

    fn imply(&mut self, edge: &Edge<D::Weight>, index: u32, age: u32, implied: &mut Vec<Literal>) {
        self.change(index, |state| state.propagated = Some((edge.literal.positive, age)));
        self.trail.push(Event::Propagated(index));
        implied.push(edge.literal);
    }

    /// Decides an atom that was made after the edges that imply it.
    fn examine(&mut self, index: u32, implied: &mut Vec<Literal>) {
        self.trail.push(Event::Examined(index));
        if !self.atoms[index as usize].is_open() {
            return;
        }
        let age = self.graph.edges.len() as u32;
        for positive in [true, false] {
            let edge = self.edge(index, positive);
            if self.graph.explain(&edge, age).is_some() {
                self.imply(&edge, index, age, implied);
                return;
            }
        }
    }

    /// Decides the atoms between the nodes that edge `new` brings nearer to each other.
    fn consequences(&mut self, new: u32, implied: &mut Vec<Literal>) {
        self.graph.reach(new, Direction::Forward, REACH_BUDGET, &self.watch, &mut self.forward);
        let forward_work = self.open_at(&self.forward.nodes);
        if forward_work == 0 {
            return;
        }
        self.graph.reach(new, Direction::Backward, REACH_BUDGET, &self.watch, &mut self.backward);
        let backward_work = self.open_at(&self.backward.nodes);
        let less = if forward_work <= backward_work { &mut self.forward } else { &mut self.backward };
        let nodes = std::mem::take(&mut less.nodes);
        for &node in &nodes {
            if self.open[node.index()] == 0 {
                continue;
            }
            for at in 0..self.occurrences[node.index()].len() {
                let index = self.occurrences[node.index()][at];
                if !self.atoms[index as usize].is_open() {
                    continue;
                }
                for positive in [true, false] {
                    let edge = self.edge(index, positive);
                    if self.is_implied_through(new, &edge) {
                        self.imply(&edge, index, new + 1, implied);
                        break;
                    }
                }
            }
        }
        let less = if forward_work <= backward_work { &mut self.forward } else { &mut self.backward };
        less.nodes = nodes;
    }

    fn open_at(&self, nodes: &[Var]) -> usize {
        nodes.iter().map(|node| self.open[node.index()] as usize).sum()
    }

    /// Whether the shortest path through edge `new` is at least as strong as `edge`.
    fn is_implied_through(&self, new: u32, edge: &Edge<D::Weight>) -> bool {
        let to_end = &self.backward.distance[edge.from.index()];
        let from_start = &self.forward.distance[edge.to.index()];
        let (Some(to_end), Some(from_start)) = (to_end, from_start) else { return false };
        // Both distances contain the new edge.
        D::sub(&D::add(to_end, from_start), &self.graph.edges[new as usize].weight) <= edge.weight
    }
}

impl<D: Domain> Theory for Difference<D> {
    fn push(&mut self) {
        let (trail, edges) = (self.trail.len(), self.graph.edges.len());
        self.levels.push(Level { trail, edges, next: self.next });
    }

    fn pop(&mut self, levels: usize) {
        if levels == 0 {
            return;
        }
        let remaining = self.levels.len().checked_sub(levels).expect("no more levels than were pushed");
        let level = self.levels[remaining];
        self.levels.truncate(remaining);
        while self.trail.len() > level.trail {
            match self.trail.pop() {
                Some(Event::Asserted(index)) => self.change(index, |state| state.asserted = None),
                Some(Event::Propagated(index)) => self.change(index, |state| state.propagated = None),
                Some(Event::Examined(index)) => self.late.push(index),
                Some(Event::Missed) => self.missing -= 1,
                None => {}
            }
        }
        self.graph.truncate(level.edges);
        // What older edges implied in the forgotten levels must be found again.
        self.next = level.next;
        self.stopped = false;
    }

    fn assert(&mut self, literal: Literal) -> Result<(), Conflict> {
        let index = self.index(literal.atom);
        let state = &self.atoms[index as usize];
        if state.asserted == Some(literal.positive) {
            return Ok(());
        }
        // An implied edge would change no distance.
        let known = state.propagated.is_some_and(|(positive, _)| positive == literal.positive);
        if !known {
            match self.graph.add(self.edge(index, literal.positive), &self.watch) {
                Added::Feasible => {}
                Added::Cycle(literals) => return Err(Conflict(literals)),
                Added::Stopped => {
                    self.missing += 1;
                    self.trail.push(Event::Missed);
                }
            }
        }
        if self.atoms[index as usize].asserted.is_none() {
            self.trail.push(Event::Asserted(index));
        }
        self.change(index, |state| state.asserted = Some(literal.positive));
        Ok(())
    }

    fn propagate(&mut self, implied: &mut Vec<Literal>) -> Result<(), Conflict> {
        while self.propagation && self.next < self.graph.edges.len() {
            if self.watch.stops_now() {
                self.stopped = true;
                break;
            }
            if self.open_atoms > 0 {
                self.consequences(self.next as u32, implied);
            }
            self.next += 1;
        }
        while self.propagation
            && !self.stopped
            && let Some(index) = self.late.pop()
        {
            self.examine(index, implied);
        }
        Ok(())
    }

    fn explain(&mut self, implied: Literal, reasons: &mut Vec<Literal>) {
        let index = self.index(implied.atom);
        let (positive, age) = self.atoms[index as usize].propagated.expect("a propagated literal");
        assert_eq!(positive, implied.positive, "a propagated literal");
        let path = self.graph.explain(&self.edge(index, positive), age);
        reasons.extend(path.expect("a path implies the literal"));
    }

    fn check(&mut self) -> Check {
        self.stopped = false;
        if self.missing > 0 { Check::Split } else { Check::Consistent }
    }
}
