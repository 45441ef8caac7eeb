//! Proofs by exhaustion are re-checked: all executions are followed to their ends.

use crate::certify::{Rejection, acyclic_order, on_a_way_to_error};
use crate::conditions::{Condition, Purpose};
use crate::strongest_post::{Arrival, join, strongest_post};
use rustc_hash::FxHashSet;
use tamis_logic::{Substitution, Term, Terms};
use tamis_program::{Location, Program, back_edges};
use tamis_solver::{Answer, Budget, Solver};

/// Checks from the program alone that no execution passes loop heads more than `rounds` times, and none comes to the
/// error location. Executions are followed together from one loop head to the next, with values in terms of inputs; those
/// that can no longer come to the error location are left.
///
/// ```
/// use tamis_evidence::certify_exhausted;
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// use tamis_solver::Budget;
/// let text = "extern void reach_error(void);
///     int main(void) { int s = 0; for (int i = 0; i < 3; i++) s += i; if (s != 3) reach_error(); return 0; }";
/// let mut terms = Terms::new();
/// let program = translate_source("sum.i", text, &Options::default(), &mut terms)?;
/// assert_eq!(certify_exhausted(&mut terms, &program, 4, &Budget::unlimited()), Ok(()));
/// assert!(certify_exhausted(&mut terms, &program, 2, &Budget::unlimited()).is_err());
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn certify_exhausted(
    terms: &mut Terms,
    program: &Program,
    rounds: usize,
    budget: &Budget,
) -> Result<(), Rejection> {
    exhaust(terms, program, rounds, budget).map(drop)
}

/// A way that no execution goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Way {
    /// How many loop heads executions have passed before.
    pub round: usize,
    /// Where it starts: the entry or a loop head.
    pub from: Location,
    /// Where it ends: a loop head or the error location.
    pub to: Location,
}

/// A proof by exhaustion: the ways that end all executions, since none goes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exhaustion {
    /// No execution passes more loop heads.
    pub rounds: usize,
    /// The ways, in the order in which executions come to them.
    pub infeasible: Vec<Way>,
}

/// Follows all executions to their ends, like [`certify_exhausted`], and notes what ends them.
pub fn exhaust(
    terms: &mut Terms,
    program: &Program,
    rounds: usize,
    budget: &Budget,
) -> Result<Exhaustion, Rejection> {
    let mut solver = Solver::new(budget);
    let mut proof = Exhaustion { rounds, infeasible: Vec::new() };
    proof.rounds = follow(terms, program, rounds, budget, &mut |terms, way, arrival| {
        let infeasible = solver.check(terms, &[arrival.condition])? == Answer::Unsat;
        if infeasible {
            proof.infeasible.push(way);
        }
        Ok(infeasible)
    })?;
    Ok(proof)
}

impl Exhaustion {
    /// The conditions of the proof, from the program alone: that no execution goes the ways that it names. If that is so, all
    /// executions have ended, and none in a violation; `Err` if ways that it does not name are left.
    pub fn conditions(
        &self,
        terms: &mut Terms,
        program: &Program,
        budget: &Budget,
    ) -> Result<Vec<Condition>, Rejection> {
        let (mut conditions, truth) = (Vec::new(), terms.tru());
        let claimed: FxHashSet<Way> = self.infeasible.iter().copied().collect();
        follow(terms, program, self.rounds, budget, &mut |_, way, arrival| {
            let infeasible = claimed.contains(&way);
            if infeasible {
                conditions.push(Condition {
                    purpose: Purpose::Infeasible(way.round),
                    from: way.from,
                    to: way.to,
                    before: truth,
                    way: arrival.condition,
                    failure: truth,
                });
            }
            Ok(infeasible)
        })?;
        Ok(conditions)
    }
}

/// Whether no execution goes a way.
type Judge<'a> = dyn FnMut(&Terms, Way, &Arrival) -> Result<bool, Rejection> + 'a;

/// Follows executions round by round, except where the judge says that none goes on, until none is left; after how many
/// rounds.
fn follow(
    terms: &mut Terms,
    program: &Program,
    rounds: usize,
    budget: &Budget,
    is_infeasible: &mut Judge<'_>,
) -> Result<usize, Rejection> {
    if program.entry() == program.error() {
        return Err(Rejection::Safety(program.entry()));
    }
    let heads: Vec<Location> = back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
    let is_cutpoint = |l: Location| l == program.error() || heads.contains(&l);
    let matters = on_a_way_to_error(program);
    let order = acyclic_order(program, &matters, &is_cutpoint).map_err(Rejection::UncutLoop)?;
    let mut here: Vec<(Location, Term, Substitution)> =
        vec![(program.entry(), terms.tru(), Substitution::new())];
    for round in 0..=rounds {
        let mut arriving: Vec<(Location, Vec<(Term, Substitution)>)> = Vec::new();
        for (from, condition, values) in here.drain(..) {
            budget.check()?;
            for arrival in strongest_post(terms, program, from, (condition, values), &order, &is_cutpoint) {
                let to = arrival.at;
                if !matters[to.index()] || is_infeasible(terms, Way { round, from, to }, &arrival)? {
                    continue;
                }
                if to == program.error() {
                    return Err(Rejection::Safety(from));
                }
                let way = (arrival.condition, arrival.values);
                match arriving.iter_mut().find(|(at, _)| *at == to) {
                    Some((_, ways)) => ways.push(way),
                    None => arriving.push((to, vec![way])),
                }
            }
        }
        if arriving.is_empty() {
            return Ok(round);
        }
        // An execution is at one place after so many rounds, so what arrives by different ways excludes each other.
        for (at, ways) in arriving {
            let (condition, values) = join(terms, program, ways);
            here.push((at, condition, values));
        }
    }
    Err(Rejection::Unfinished)
}
