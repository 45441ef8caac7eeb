//! Proofs by exhaustion are re-checked: all executions are followed to their ends.

use crate::certify::{Rejection, acyclic_order, on_a_way_to_error};
use crate::strongest_post::{join, strongest_post};
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
    let heads: Vec<Location> = back_edges(program).into_iter().map(|e| program.edge(e).to).collect();
    let is_cutpoint = |l: Location| l == program.error() || heads.contains(&l);
    let matters = on_a_way_to_error(program);
    let order = acyclic_order(program, &matters, &is_cutpoint).map_err(Rejection::UncutLoop)?;
    let mut solver = Solver::new(budget);
    let mut here: Vec<(Location, Term, Substitution)> =
        vec![(program.entry(), terms.tru(), Substitution::new())];
    for _ in 0..=rounds {
        let mut arriving: Vec<(Location, Vec<(Term, Substitution)>)> = Vec::new();
        for (from, condition, values) in here.drain(..) {
            budget.check()?;
            for way in strongest_post(terms, program, from, (condition, values), &order, &is_cutpoint) {
                if !matters[way.at.index()] || solver.check(terms, &[way.condition])? == Answer::Unsat {
                    continue;
                }
                if way.at == program.error() {
                    return Err(Rejection::Safety(from));
                }
                match arriving.iter_mut().find(|(at, _)| *at == way.at) {
                    Some((_, ways)) => ways.push((way.condition, way.values)),
                    None => arriving.push((way.at, vec![(way.condition, way.values)])),
                }
            }
        }
        if arriving.is_empty() {
            return Ok(());
        }
        // An execution is at one place after so many rounds, so what arrives by different ways excludes each other.
        for (at, ways) in arriving {
            let (condition, values) = join(terms, program, ways);
            here.push((at, condition, values));
        }
    }
    Err(Rejection::Unfinished)
}
