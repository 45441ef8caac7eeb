//! Proofs are re-checked: initiation, consecution over each loop-free part, and safety.

use crate::conditions::{Condition, Purpose, conditions};
use crate::place::Place;
use std::fmt;
use tamis_logic::{Term, Terms};
use tamis_program::{Location, Program};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// A proof: a formula over the program's variables at each cutpoint. The error location's is false and need not be
/// given; the entry's must hold of every state.
#[derive(Clone, Debug)]
pub struct Certificate<P = Location> {
    /// The cutpoints and what holds at them.
    pub invariants: Vec<(P, Term)>,
}

impl<P> Default for Certificate<P> {
    fn default() -> Certificate<P> {
        Certificate { invariants: Vec::new() }
    }
}

/// Why a proof is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection<P = Location> {
    /// The formula at the entry does not hold of every initial state.
    Initiation,
    /// A loop passes through no cutpoint.
    UncutLoop(P),
    /// A formula is not preserved from one cutpoint to another.
    Consecution {
        /// The cutpoint before.
        from: P,
        /// The cutpoint after.
        to: P,
    },
    /// The error location can be reached from states that satisfy the formula at a cutpoint.
    Safety(P),
    /// An execution violates the property in one of its first cycles.
    Base,
    /// Cycles that do not violate the property can be followed by one that does.
    Step,
    /// There are executions that take longer than is claimed.
    Unfinished,
    /// A limit ended the check.
    Stopped(Stop),
}

impl<P: Copy> Rejection<P> {
    /// What it means that a condition does not hold.
    pub fn of(failing: &Condition<P>) -> Rejection<P> {
        match failing.purpose {
            Purpose::Initiation => Rejection::Initiation,
            Purpose::Consecution => Rejection::Consecution { from: failing.from, to: failing.to },
            Purpose::Safety => Rejection::Safety(failing.from),
            Purpose::Exhaustion => Rejection::Unfinished,
            Purpose::Base => Rejection::Base,
            Purpose::Step => Rejection::Step,
        }
    }
}

impl<P> From<Stop> for Rejection<P> {
    fn from(stop: Stop) -> Rejection<P> {
        Rejection::Stopped(stop)
    }
}

impl<P> fmt::Display for Rejection<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Initiation => write!(f, "the invariant at the entry does not hold initially"),
            Rejection::UncutLoop(_) => write!(f, "a loop has no invariant"),
            Rejection::Consecution { .. } => write!(f, "an invariant is not preserved"),
            Rejection::Safety(_) => write!(f, "the invariants do not exclude the violation"),
            Rejection::Base => write!(f, "an execution violates the property in its first steps"),
            Rejection::Step => write!(f, "the induction step does not hold"),
            Rejection::Unfinished => write!(f, "there are longer executions"),
            Rejection::Stopped(_) => write!(f, "a limit was reached while the proof was checked"),
        }
    }
}

impl Rejection {
    /// Why the condition does not hold, with where.
    pub fn describe(&self, program: &Program) -> String {
        let place = |l: Location| Place::of(program, l);
        match self {
            Rejection::Initiation => format!("{self}, {}", place(program.entry())),
            Rejection::UncutLoop(l) => format!("{self}, {}", place(*l)),
            Rejection::Consecution { from, to } => {
                format!("{self}: that at {} is not, on the way from {}", place(*to), place(*from))
            }
            Rejection::Safety(from) => format!("{self}: there is a way to one from {}", place(*from)),
            _ => self.to_string(),
        }
    }
}

/// Checks a proof from the program alone, by deciding its [`conditions`](crate::conditions()): one that the solver cannot refute rejects the
/// proof.
///
/// ```
/// use tamis_evidence::{Certificate, certify};
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// use tamis_solver::Budget;
/// let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
///     int main(void) { int x = __VERIFIER_nondet_int(); if (x * 2 == 7) reach_error(); return 0; }";
/// let mut terms = Terms::new();
/// let program = translate_source("even.i", text, &Options::default(), &mut terms)?;
/// assert_eq!(certify(&mut terms, &program, &Certificate::default(), &Budget::unlimited()), Ok(()));
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn certify(
    terms: &mut Terms,
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<(), Rejection> {
    let conditions = conditions(terms, program, certificate)?;
    match decide(terms, &conditions, budget)? {
        None => Ok(()),
        Some(failing) => Err(Rejection::of(failing)),
    }
}

/// Decides conditions; the first that does not hold, if there is one.
///
/// Those with the same start come one after the other, and share a solver.
pub fn decide<'a, P>(
    terms: &Terms,
    conditions: &'a [Condition<P>],
    budget: &Budget,
) -> Result<Option<&'a Condition<P>>, Stop> {
    let mut solver = Solver::new(budget);
    let mut before = None;
    for condition in conditions {
        budget.check()?;
        if condition.formulas().iter().any(|&f| terms.is_false(f)) {
            continue;
        }
        if before != Some(condition.before) {
            solver = Solver::new(budget);
            solver.assert(terms, condition.before);
            before = Some(condition.before);
        }
        if solver.check(terms, &[condition.way, condition.failure])? == Answer::Sat {
            return Ok(Some(condition));
        }
    }
    Ok(None)
}

/// The locations that the entry leads to and that lead to the error location, in the control flow.
pub(crate) fn on_a_way_to_error(program: &Program) -> Vec<bool> {
    let after = |l: Location| program.outgoing(l).iter().map(|&e| program.edge(e).to).collect::<Vec<_>>();
    let before = |l: Location| program.incoming(l).iter().map(|&e| program.edge(e).from).collect::<Vec<_>>();
    let from_entry = connected(program, program.entry(), &after);
    let to_error = connected(program, program.error(), &before);
    from_entry.into_iter().zip(to_error).map(|(a, b)| a && b).collect()
}

/// The locations that `next` leads to from `start`.
pub(crate) fn connected(
    program: &Program,
    start: Location,
    next: &dyn Fn(Location) -> Vec<Location>,
) -> Vec<bool> {
    let mut found = vec![false; program.locations().count()];
    let mut pending = vec![start];
    while let Some(l) = pending.pop() {
        if !std::mem::replace(&mut found[l.index()], true) {
            pending.extend(next(l));
        }
    }
    found
}

/// The locations that matter and are no cutpoints, each after its predecessors among them; or a location on a cycle of
/// such locations. By repeatedly taking a location all of whose predecessors have been taken.
pub(crate) fn acyclic_order(
    program: &Program,
    matters: &[bool],
    is_cutpoint: &dyn Fn(Location) -> bool,
) -> Result<Vec<Location>, Location> {
    let inner: Vec<bool> = program.locations().map(|l| matters[l.index()] && !is_cutpoint(l)).collect();
    let mut missing = vec![0usize; inner.len()];
    for edge in program.edges() {
        if inner[edge.from.index()] && inner[edge.to.index()] {
            missing[edge.to.index()] += 1;
        }
    }
    let mut ready: Vec<Location> =
        program.locations().filter(|l| inner[l.index()] && missing[l.index()] == 0).collect();
    let mut order = Vec::new();
    while let Some(l) = ready.pop() {
        order.push(l);
        for &e in program.outgoing(l) {
            let to = program.edge(e).to;
            if inner[to.index()] {
                missing[to.index()] -= 1;
                if missing[to.index()] == 0 {
                    ready.push(to);
                }
            }
        }
    }
    match program.locations().find(|l| inner[l.index()] && missing[l.index()] > 0) {
        Some(l) => Err(l),
        None => Ok(order),
    }
}
