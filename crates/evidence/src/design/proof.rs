//! The conditions of proofs about designs.

use super::cycles::{constraints, differ, next, reset};
use crate::certify::{Certificate, Rejection, decide};
use crate::conditions::{Condition, Purpose, Ways};
use crate::strongest_post::Arrival;
use crate::tidy::tidy_between;
use tamis_design::Design;
use tamis_logic::{Substitution, Term, Terms};
use tamis_solver::{Budget, Stop};

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// A formula that holds in every cycle, of an execution or not, after one in which it held, and excludes the violation.
    Invariant(Term),
    /// Induction over several cycles.
    KInduction {
        /// How many cycles the step looks back.
        k: usize,
        /// Whether the states of the step differ pairwise.
        simple_path: bool,
        /// A formula that is inductive by itself, and holds in the step's cycles.
        facts: Term,
    },
    /// No execution has more cycles than so many, and none violates the property.
    Exhaustion(usize),
}

/// Where the conditions of a proof start and end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Point {
    /// Before the reset.
    Reset,
    /// In a cycle.
    Cycle,
    /// In a cycle that violates the property.
    Violation,
}

/// The conditions of a proof that a property holds, from the design alone.
///
/// ```
/// use tamis_design::{Condition, Design, Register, Signal};
/// use tamis_evidence::design::{Proof, certify};
/// use tamis_logic::{Sort, Terms};
/// use tamis_solver::Budget;
/// // A bit that is toggled twice in each cycle.
/// let mut terms = Terms::new();
/// let bit = terms.var("bit", Sort::Bool);
/// let zero = terms.fals();
/// let design = Design {
///     registers: vec![Register { signal: Signal::new(0, "bit", bit), init: Some(zero), next: Some(bit) }],
///     properties: vec![Condition::new(0, "set", bit)],
///     ..Design::default()
/// };
/// let (clear, nothing) = (terms.not(bit), terms.tru());
/// assert!(certify(&mut terms, &design, 0, &Proof::Invariant(clear), &Budget::unlimited()).is_ok());
/// assert!(certify(&mut terms, &design, 0, &Proof::Invariant(nothing), &Budget::unlimited()).is_err());
/// ```
pub fn conditions(
    terms: &mut Terms,
    design: &Design,
    property: usize,
    proof: &Proof,
) -> Vec<Condition<Point>> {
    let bad = design.properties[property].term;
    let truth = terms.tru();
    match *proof {
        Proof::Invariant(invariant) => inductive(terms, design, bad, invariant),
        Proof::KInduction { k, simple_path, facts } => {
            // That facts are inductive says nothing of the violation, so it is excluded.
            let nothing = terms.fals();
            let mut conditions = inductive(terms, design, nothing, facts);
            conditions.extend(base(terms, design, bad, k));
            conditions.push(step(terms, design, bad, (k, simple_path, facts)));
            conditions
        }
        Proof::Exhaustion(cycles) => {
            let mut conditions = base(terms, design, bad, cycles);
            let way = unrolled(terms, design, cycles + 1).1;
            let (from, to) = (Point::Reset, Point::Cycle);
            let purpose = Purpose::Exhaustion;
            conditions.push(Condition { purpose, from, to, before: truth, way, failure: truth });
            conditions
        }
    }
}

/// Checks a proof from the design alone.
///
/// # Errors
/// The condition that does not hold, or a limit.
pub fn certify(
    terms: &mut Terms,
    design: &Design,
    property: usize,
    proof: &Proof,
    budget: &Budget,
) -> Result<(), Rejection<Point>> {
    let conditions = conditions(terms, design, property, proof);
    match decide(terms, &conditions, budget)? {
        None => Ok(()),
        Some(failing) => Err(Rejection::of(failing)),
    }
}

/// The same invariant without the conjuncts that it can do without; `None` if it is not inductive. It is no evidence until
/// [`certify`] has accepted it.
///
/// # Errors
/// If a limit is reached.
pub fn tidy(
    terms: &mut Terms,
    design: &Design,
    property: usize,
    invariant: Term,
    budget: &Budget,
) -> Result<Option<Term>, Stop> {
    let ways = ways(terms, design, design.properties[property].term);
    let certificate = at_cycles(invariant);
    let tidied = tidy_between(terms, ways, Point::Violation, &certificate, &|_| true, budget)?;
    Ok(tidied.and_then(|certificate| certificate.invariants.first().map(|&(_, invariant)| invariant)))
}

fn at_cycles(invariant: Term) -> Certificate<Point> {
    Certificate { invariants: vec![(Point::Cycle, invariant)] }
}

/// The three ways there are: the reset, a cycle, and a cycle that violates the property.
fn ways(terms: &mut Terms, design: &Design, bad: Term) -> Ways<Point> {
    let now = Substitution::new();
    let first = reset(terms, design);
    let cycle = constraints(terms, design, &now);
    let after = next(terms, design, &now);
    let violates = terms.and2(cycle, bad);
    let way = |at, condition, values| Arrival { at, condition, values };
    Ways {
        all: vec![
            (Point::Reset, way(Point::Cycle, terms.tru(), first)),
            (Point::Cycle, way(Point::Cycle, cycle, after)),
            (Point::Cycle, way(Point::Violation, violates, now)),
        ],
    }
}

/// That an invariant is one, and excludes the violation.
fn inductive(terms: &mut Terms, design: &Design, bad: Term, invariant: Term) -> Vec<Condition<Point>> {
    let ways = ways(terms, design, bad);
    ways.conditions(terms, (Point::Reset, Point::Violation), &at_cycles(invariant), &|_| true)
}

/// That none of the first cycles violates the property.
fn base(terms: &mut Terms, design: &Design, bad: Term, cycles: usize) -> Vec<Condition<Point>> {
    let truth = terms.tru();
    let (mut now, mut way) = (reset(terms, design), truth);
    let mut conditions = Vec::with_capacity(cycles);
    for cycle in 0..cycles {
        if cycle > 0 {
            now = next(terms, design, &now);
        }
        let allowed = constraints(terms, design, &now);
        way = terms.and2(way, allowed);
        let failure = terms.substitute(bad, &now);
        let (from, to) = (Point::Reset, Point::Violation);
        conditions.push(Condition { purpose: Purpose::Base, from, to, before: truth, way, failure });
    }
    conditions
}

/// That k cycles which do not violate the property are not followed by one that does.
fn step(
    terms: &mut Terms,
    design: &Design,
    bad: Term,
    (k, simple_path, facts): (usize, bool, Term),
) -> Condition<Point> {
    let mut cycles = vec![Substitution::new()];
    let (mut known, mut way) = (Vec::new(), Vec::new());
    for i in 0..=k {
        if i > 0 {
            cycles.push(next(terms, design, &cycles[i - 1]));
        }
        known.push(terms.substitute(facts, &cycles[i]));
        way.push(constraints(terms, design, &cycles[i]));
        if simple_path {
            for before in 0..i {
                way.push(differ(terms, design, &cycles[before], &cycles[i]));
            }
        }
        if i < k {
            let violates = terms.substitute(bad, &cycles[i]);
            way.push(terms.not(violates));
        }
    }
    Condition {
        purpose: Purpose::Step,
        from: Point::Cycle,
        to: Point::Violation,
        before: terms.and(&known),
        way: terms.and(&way),
        failure: terms.substitute(bad, &cycles[k]),
    }
}

/// So many cycles from the reset on: the values in the last of them, and that all of them fulfil the constraints.
pub(super) fn unrolled(terms: &mut Terms, design: &Design, cycles: usize) -> (Substitution, Term) {
    let mut now = reset(terms, design);
    let mut all = Vec::with_capacity(cycles);
    for cycle in 0..cycles {
        if cycle > 0 {
            now = next(terms, design, &now);
        }
        all.push(constraints(terms, design, &now));
    }
    (now, terms.and(&all))
}

impl Condition<Point> {
    /// The condition in words.
    pub fn describe(&self, design: &Design, property: usize) -> String {
        let property = match &design.properties[property] {
            tamis_design::Condition { name, place: Some(place), .. } => format!("{name}, {place}"),
            tamis_design::Condition { name, .. } => name.clone(),
        };
        // Names can hold anything, and stand in comments that end with the line.
        let property: String = property.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        match (self.purpose, self.to) {
            (Purpose::Initiation, _) => "before the reset everything is possible".to_owned(),
            (Purpose::Consecution, _) if self.from == Point::Reset => {
                "the invariant holds after a reset".to_owned()
            }
            (Purpose::Consecution, _) => {
                "the invariant holds after a cycle in which it and the constraints held".to_owned()
            }
            (Purpose::Safety, _) => {
                format!("no cycle in which the invariant and the constraints hold violates {property}")
            }
            (Purpose::Exhaustion, _) => "no execution has so many cycles".to_owned(),
            (Purpose::Base, _) => format!("no execution violates {property} in its first cycles"),
            (Purpose::Step, _) => {
                format!("cycles that do not violate {property} are not followed by one that does")
            }
        }
    }

    /// The condition as an SMT-LIB script of its own, whose answer is `unsat` if it holds.
    pub fn script(&self, terms: &Terms, design: &Design, property: usize) -> String {
        let says = match self.purpose {
            Purpose::Base | Purpose::Exhaustion => {
                ["from the reset on", "the constraints hold in all cycles", "and the last violates it"]
            }
            _ => ["what holds in a cycle", "what happens", "and the result is not as it should be"],
        };
        self.commented_script(terms, &self.describe(design, property), says)
    }
}
