//! Proofs are re-checked: initiation, consecution over each loop-free part, and safety.

use crate::strongest_post::strongest_post;
use rustc_hash::FxHashMap;
use std::fmt;
use tamis_logic::{Substitution, Term, Terms};
use tamis_program::{Location, Program};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// A proof: a formula over the program's variables at each cutpoint. The error location's is false and need not be
/// given; the entry's must hold of every state.
#[derive(Clone, Debug, Default)]
pub struct Certificate {
    /// The cutpoints and what holds at them.
    pub invariants: Vec<(Location, Term)>,
}

/// Why a proof is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The formula at the entry does not hold of every initial state.
    Initiation,
    /// A loop passes through no cutpoint.
    UncutLoop(Location),
    /// A formula is not preserved from one cutpoint to another.
    Consecution {
        /// The cutpoint before.
        from: Location,
        /// The cutpoint after.
        to: Location,
    },
    /// The error location can be reached from states that satisfy the formula at a cutpoint.
    Safety(Location),
    /// There are executions that take longer than is claimed.
    Unfinished,
    /// A limit ended the check.
    Stopped(Stop),
}

impl From<Stop> for Rejection {
    fn from(stop: Stop) -> Rejection {
        Rejection::Stopped(stop)
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Initiation => write!(f, "the invariant at the entry does not hold initially"),
            Rejection::UncutLoop(_) => write!(f, "a loop has no invariant"),
            Rejection::Consecution { .. } => write!(f, "an invariant is not preserved"),
            Rejection::Safety(_) => write!(f, "the invariants do not exclude the violation"),
            Rejection::Unfinished => write!(f, "there are longer executions"),
            Rejection::Stopped(_) => write!(f, "a limit was reached while the proof was checked"),
        }
    }
}

/// Checks a proof from the program alone. Only locations between the entry and the error in the control flow matter:
/// elsewhere nothing can go wrong.
///
/// Each condition is `inv(from) ∧ way(from, to) ⇒ inv(to)`, with the way's strongest postcondition; a condition that
/// the solver cannot refute rejects the proof.
pub fn certify(
    terms: &mut Terms,
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<(), Rejection> {
    let invariants: FxHashMap<Location, Term> = certificate.invariants.iter().copied().collect();
    let invariant_at = |l: Location| invariants.get(&l).copied();
    let is_cutpoint = |l: Location| l == program.error() || invariant_at(l).is_some();
    let matters = on_a_way_to_error(program);
    let order = acyclic_order(program, &matters, &is_cutpoint).map_err(Rejection::UncutLoop)?;

    let truth = terms.tru();
    let initially = invariant_at(program.entry()).unwrap_or(truth);
    if !valid(terms, truth, initially, budget)? {
        return Err(Rejection::Initiation);
    }
    let mut starts: Vec<(Location, Term)> = certificate.invariants.clone();
    if invariant_at(program.entry()).is_none() {
        starts.push((program.entry(), truth));
    }
    for (from, before) in starts {
        if terms.is_false(before) || from == program.error() || !matters[from.index()] {
            continue;
        }
        let mut solver = Solver::new(budget);
        solver.assert(terms, before);
        for way in strongest_post(terms, program, from, (truth, Substitution::new()), &order, &is_cutpoint) {
            if !matters[way.at.index()] {
                continue;
            }
            // The error location's invariant is false, whatever the certificate says.
            let at_error = way.at == program.error();
            let after = if at_error { terms.fals() } else { invariant_at(way.at).unwrap_or(truth) };
            let after = terms.substitute(after, &way.values);
            let not_after = terms.not(after);
            let violated = terms.and2(way.condition, not_after);
            match solver.check(terms, &[violated])? {
                Answer::Unsat => {}
                Answer::Sat if at_error => return Err(Rejection::Safety(from)),
                Answer::Sat => return Err(Rejection::Consecution { from, to: way.at }),
            }
        }
    }
    Ok(())
}

fn valid(terms: &mut Terms, hypothesis: Term, conclusion: Term, budget: &Budget) -> Result<bool, Stop> {
    let mut solver = Solver::new(budget);
    let negation = terms.not(conclusion);
    solver.assert(terms, hypothesis);
    solver.assert(terms, negation);
    Ok(matches!(solver.check(terms, &[])?, Answer::Unsat))
}

/// The locations that the entry leads to and that lead to the error location, in the control flow.
pub(crate) fn on_a_way_to_error(program: &Program) -> Vec<bool> {
    let after = |l: Location| program.outgoing(l).iter().map(|&e| program.edge(e).to).collect::<Vec<_>>();
    let before = |l: Location| program.incoming(l).iter().map(|&e| program.edge(e).from).collect::<Vec<_>>();
    let from_entry = connected(program, program.entry(), &after);
    let to_error = connected(program, program.error(), &before);
    from_entry.into_iter().zip(to_error).map(|(a, b)| a && b).collect()
}

fn connected(program: &Program, start: Location, next: &dyn Fn(Location) -> Vec<Location>) -> Vec<bool> {
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
