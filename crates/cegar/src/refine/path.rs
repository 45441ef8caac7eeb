//! The concrete path of an abstract counterexample: its concretisation `γ(τ)` (\[MIN\] section 2.2).

use crate::explore::AbstractTrace;
use tamis_logic::{Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{GuardId, Guards, Point, System};

/// A sequence of edges from the initial point to the error point, and where it passes points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path<E> {
    /// The edges.
    pub edges: Vec<E>,
    /// Where in `edges` each step starts, and at which point.
    pub cuts: Vec<(usize, Point)>,
}

/// Why a path is infeasible.
pub struct Core {
    /// The last cut from which on the path is infeasible, whatever came before.
    pub start: usize,
    /// The path's guards that cannot hold together; none of them can be left out.
    pub guards: Vec<GuardId>,
}

impl Core {
    /// What the core requires of the state at a position of the path: the condition of the rest, as far as it is in the
    /// core.
    pub fn rest<S: System>(
        &self,
        terms: &mut Terms,
        system: &S,
        path: &Path<S::Edge>,
        position: usize,
    ) -> Guards {
        let mut condition = system.guards(terms, &path.edges[position..]);
        condition.guards.retain(|(id, _)| self.guards.contains(&id.after(position)));
        condition
    }
}

impl<E: Copy> Path<E> {
    /// The path through all steps of a trace.
    pub fn new<S: System<Edge = E>>(system: &S, trace: &AbstractTrace<E>) -> Path<E> {
        let mut path = Path { edges: Vec::new(), cuts: Vec::new() };
        for (step, edges) in trace.steps.iter().zip(&trace.paths) {
            path.cuts.push((path.edges.len(), system.steps()[step.index()].from));
            path.edges.extend(edges);
        }
        path
    }

    /// The edges between a cut and the next one.
    pub fn segment(&self, cut: usize) -> &[E] {
        let end = self.cuts.get(cut + 1).map_or(self.edges.len(), |&(position, _)| position);
        &self.edges[self.cuts[cut].0..end]
    }

    /// The shortest suffix that is infeasible, and why; `None` if the path is feasible. What holds from any state needs
    /// no predicates before it, and predicates that do not depend on the path's start diverge less.
    pub fn core<S: System<Edge = E>>(
        &self,
        terms: &mut Terms,
        system: &S,
        budget: &Budget,
    ) -> Result<Option<Core>, Stop> {
        // An infeasible suffix stays so when the path before it is added: bisect.
        let (mut feasible, mut infeasible) = (self.cuts.len(), None);
        let mut low = 0;
        while low < feasible {
            let middle = low + (feasible - low) / 2;
            let position = self.cuts[middle].0;
            let condition = system.guards(terms, &self.edges[position..]);
            match unsat_core(terms, budget, &condition)? {
                Some(core) => {
                    let guards = core.into_iter().map(|id| id.after(position)).collect();
                    infeasible = Some(Core { start: middle, guards });
                    low = middle + 1;
                }
                None => feasible = middle,
            }
        }
        Ok(infeasible)
    }

    /// The first guard that no execution of the path passes: the one that makes `Σ_i` unsatisfiable
    /// (\[SMC\] section 4.3). `None` if the path is feasible.
    pub fn failing_guard<S: System<Edge = E>>(
        &self,
        terms: &mut Terms,
        system: &S,
        budget: &Budget,
    ) -> Result<Option<GuardId>, Stop> {
        let condition = system.guards(terms, &self.edges);
        let mut solver = Solver::new(budget);
        for &(id, guard) in &condition.guards {
            solver.assert(terms, guard);
            if let Answer::Unsat = solver.check(terms, &[])? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}

/// A minimal set of guards that cannot hold together; `None` if all of them can.
fn unsat_core(terms: &Terms, budget: &Budget, condition: &Guards) -> Result<Option<Vec<GuardId>>, Stop> {
    let mut solver = Solver::new(budget);
    let guards: Vec<Term> = condition.terms().collect();
    if let Answer::Sat = solver.check(terms, &guards)? {
        return Ok(None);
    }
    let core = solver.core().to_vec();
    let core = solver.minimize_core(terms, &core)?;
    Ok(Some(condition.guards.iter().filter(|(_, g)| core.contains(g)).map(|&(id, _)| id).collect()))
}
