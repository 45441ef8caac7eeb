//! Proofs for people say no more than they need.
//!
//! An invariant that a search has found is a conjunction of much that happened to be true. What the proof rests on is
//! found backwards: the unsat core of "this way leads to the error" names the conjuncts that exclude it, each of
//! those must be preserved on all ways to its cutpoint, and so on until nothing new is needed. What is left is inductive
//! by construction; it is no evidence until [`certify`](crate::certify()) has accepted it.

use crate::certify::Certificate;
use crate::conditions::Ways;
use crate::instances::{assumed, refuted};
use crate::strongest_post::Arrival;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use tamis_logic::{Op, Term, Terms};
use tamis_program::Program;
use tamis_solver::{Answer, Budget, Solver, Stop};

/// A core of more conjuncts is taken as it is: trying to do without each of them costs a query.
const SMALL_CORE: usize = 12;

/// The same proof without the conjuncts that it can do without; `None` if it is not inductive in the first place.
pub fn tidy(
    terms: &mut Terms,
    program: &Program,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Option<Certificate>, Stop> {
    let cutpoints = certificate.invariants.iter().map(|&(l, _)| l);
    let Ok(ways) = Ways::between(terms, program, cutpoints) else { return Ok(None) };
    let is_state = |v: Term| program.var_of(v).is_some();
    tidy_between(terms, ways, program.error(), certificate, &is_state, budget)
}

/// The same, over the ways between cutpoints.
pub(crate) fn tidy_between<P: Copy + Eq + Hash>(
    terms: &mut Terms,
    Ways { all: ways }: Ways<P>,
    error: P,
    certificate: &Certificate<P>,
    is_state: &dyn Fn(Term) -> bool,
    budget: &Budget,
) -> Result<Option<Certificate<P>>, Stop> {
    let mut conjuncts: FxHashMap<P, Vec<Term>> = FxHashMap::default();
    for &(location, invariant) in &certificate.invariants {
        conjuncts.insert(location, split(terms, invariant));
    }
    let mut tidying = Tidying {
        terms,
        budget,
        is_state,
        conjuncts,
        needed: FxHashMap::default(),
        pending: Vec::new(),
        ways,
    };
    let falsum = tidying.terms.fals();
    tidying.pending.push((error, falsum));
    while let Some((at, conjunct)) = tidying.pending.pop() {
        if !tidying.justify(at, conjunct)? {
            return Ok(None);
        }
    }
    let needed = tidying.needed;
    let kept = |&(location, _): &(P, Term)| {
        let conjuncts = needed.get(&location).map_or(&[][..], Vec::as_slice);
        (location, terms.and(conjuncts))
    };
    Ok(Some(Certificate { invariants: certificate.invariants.iter().map(kept).collect() }))
}

struct Tidying<'a, P> {
    terms: &'a mut Terms,
    budget: &'a Budget,
    is_state: &'a dyn Fn(Term) -> bool,
    conjuncts: FxHashMap<P, Vec<Term>>,
    needed: FxHashMap<P, Vec<Term>>,
    /// What must still be shown to be preserved.
    pending: Vec<(P, Term)>,
    /// The ways between cutpoints, with where they start.
    ways: Vec<(P, Arrival<P>)>,
}

impl<P: Copy + Eq + Hash> Tidying<'_, P> {
    /// Finds what makes a conjunct hold at a location, on every way there. `false` if nothing does.
    fn justify(&mut self, at: P, conjunct: Term) -> Result<bool, Stop> {
        for i in 0..self.ways.len() {
            let (from, way) = &self.ways[i];
            if way.at != at {
                continue;
            }
            let from = *from;
            let (failure, own) = refuted(self.terms, conjunct, &way.values, self.is_state);
            let violated = self.terms.and2(way.condition, failure);
            let mut solver = Solver::new(self.budget);
            solver.assert(self.terms, violated);
            let all = self.conjuncts.get(&from).cloned().unwrap_or_default();
            // What each conjunct stands for in this question.
            let meant = assumed(self.terms, &all, &[violated], &own, self.is_state);
            let of = |conjuncts: &[Term]| -> Vec<Term> {
                let place = |c: &Term| all.iter().position(|a| a == c).map(|place| meant[place]);
                conjuncts.iter().filter_map(place).collect()
            };
            let needed = self.needed.get(&from).cloned().unwrap_or_default();
            let known = of(&needed);
            if solver.check(self.terms, &known)? == Answer::Unsat {
                continue;
            }
            if solver.check(self.terms, &meant)? == Answer::Sat {
                return Ok(false);
            }
            let mut core: Vec<Term> = solver.core().iter().copied().filter(|t| meant.contains(t)).collect();
            if core.len() <= SMALL_CORE {
                self.shrink(&mut solver, &mut core, &known)?;
            }
            for (conjunct, meant) in std::iter::zip(all, meant) {
                if core.contains(&meant) && !needed.contains(&conjunct) {
                    self.needed.entry(from).or_default().push(conjunct);
                    self.pending.push((from, conjunct));
                }
            }
        }
        Ok(true)
    }

    /// Drops members of a core that the others, with what is needed anyway, can do without.
    fn shrink(&self, solver: &mut Solver, core: &mut Vec<Term>, known: &[Term]) -> Result<(), Stop> {
        let mut i = 0;
        while i < core.len() {
            let mut rest: Vec<Term> =
                core.iter().copied().enumerate().filter(|&(k, _)| k != i).map(|(_, t)| t).collect();
            rest.extend(known.iter().filter(|t| !core.contains(t)));
            match solver.check(self.terms, &rest)? {
                Answer::Unsat => {
                    core.remove(i);
                }
                Answer::Sat => i += 1,
            }
        }
        Ok(())
    }
}

/// The conjuncts of a formula. What all members of a disjunction have in common is one too.
fn split(terms: &mut Terms, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        Op::Or => {
            let members: Vec<Vec<Term>> = terms.args(formula).iter().map(|&m| literals(terms, m)).collect();
            let Some((first, others)) = members.split_first() else { return vec![formula] };
            let common: Vec<Term> =
                first.iter().copied().filter(|t| others.iter().all(|m| m.contains(t))).collect();
            let rest: Vec<Term> = members
                .iter()
                .map(|m| {
                    let own: Vec<Term> = m.iter().copied().filter(|t| !common.contains(t)).collect();
                    terms.and(&own)
                })
                .collect();
            let rest = terms.or(&rest);
            common.into_iter().chain([rest]).filter(|&t| !terms.is_true(t)).collect()
        }
        Op::Bool(true) => Vec::new(),
        _ => vec![formula],
    }
}

fn literals(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        _ => vec![formula],
    }
}
