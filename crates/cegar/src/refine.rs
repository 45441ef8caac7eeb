//! Refinement by weakest preconditions, guided by an unsat core.
//!
//! A spurious trace is one path, with an infeasible path condition. The guards in a minimal unsat core of that
//! condition are why it is infeasible. At each point that the path passes, the weakest preconditions of the core's
//! later guards, over the path's rest, are atoms from which an inductive sequence of assertions can be combined that
//! refutes the path: `I_m = ¬⋀ guards after m`. With those atoms as predicates, an exact abstraction no longer has
//! the path ([SMC] section 4.3; cf. [MIN] Fig. 2).
//!
//! Two deviations. Of the infeasible suffixes of the path the shortest is refuted: what holds from any state needs no
//! predicates before it, and predicates that do not depend on the path's start diverge less. And where a guard speaks
//! of a value chosen later in the path, the value is eliminated; see [`eliminate`](crate::eliminate).

use crate::abstraction::Abstraction;
use crate::eliminate::{Precision, state_predicates};
use crate::reach::AbstractTrace;
use crate::system::{Guards, Point, System};
use tamis_logic::{Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver, Stop};

/// Adds predicates at the points of `trace` that refute its path, and returns the step from which on the path is
/// infeasible whatever came before; `None` if the path is feasible after all.
pub fn refine<S: System>(
    terms: &mut Terms,
    abstraction: &mut Abstraction<'_, S>,
    budget: &Budget,
    trace: &AbstractTrace<S::Edge>,
    precision: Precision,
) -> Result<Option<usize>, Interrupted> {
    let path = Path::new(abstraction.system, trace);
    let Some((start, core)) = path.shortest_infeasible_suffix(terms, abstraction.system, budget)? else {
        return Ok(None);
    };
    for m in start + 1..path.cuts.len() {
        budget.check()?;
        let (position, point) = path.cuts[m];
        let mut condition = abstraction.system.guards(terms, &path.edges[position..]);
        condition.guards.retain(|(i, _)| core.contains(&(i + position)));
        for predicate in state_predicates(terms, &condition, precision) {
            abstraction.add_predicate(point, predicate)?;
        }
    }
    Ok(Some(start))
}

struct Path<E> {
    edges: Vec<E>,
    /// Where in `edges` each step starts, and at which point.
    cuts: Vec<(usize, Point)>,
}

impl<E: Copy> Path<E> {
    fn new<S: System<Edge = E>>(system: &S, trace: &AbstractTrace<E>) -> Path<E> {
        let mut path = Path { edges: Vec::new(), cuts: Vec::new() };
        for (step, execution) in trace.steps.iter().zip(&trace.executions) {
            path.cuts.push((path.edges.len(), system.steps()[step.index()].from));
            path.edges.extend(execution.iter().map(|&(edge, _)| edge));
        }
        path
    }

    /// The last cut from which the path's rest is infeasible, and a minimal core of it: positions in `edges`.
    fn shortest_infeasible_suffix<S: System<Edge = E>>(
        &self,
        terms: &mut Terms,
        system: &S,
        budget: &Budget,
    ) -> Result<Option<(usize, Vec<usize>)>, Stop> {
        // An infeasible suffix stays so when the path before it is added: bisect.
        let (mut feasible, mut infeasible) = (self.cuts.len(), None);
        let mut low = 0;
        while low < feasible {
            let middle = low + (feasible - low) / 2;
            let position = self.cuts[middle].0;
            let condition = system.guards(terms, &self.edges[position..]);
            match unsat_core(terms, budget, &condition)? {
                Some(core) => {
                    infeasible = Some((middle, core.into_iter().map(|i| i + position).collect()));
                    low = middle + 1;
                }
                None => feasible = middle,
            }
        }
        Ok(infeasible)
    }
}

/// The positions of a minimal set of guards that cannot hold together; `None` if all of them can.
fn unsat_core(terms: &Terms, budget: &Budget, condition: &Guards) -> Result<Option<Vec<usize>>, Stop> {
    let mut solver = Solver::new(budget);
    let guards: Vec<Term> = condition.guards.iter().map(|&(_, guard)| guard).collect();
    if let Answer::Sat = solver.check(terms, &guards)? {
        return Ok(None);
    }
    let core = solver.core().to_vec();
    let core = solver.minimize_core(terms, &core)?;
    Ok(Some(
        condition.guards.iter().filter(|(_, g)| core.contains(g)).map(|&(position, _)| position).collect(),
    ))
}
