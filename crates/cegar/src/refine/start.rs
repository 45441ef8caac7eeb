//! The predicates that an abstract model starts with.

use super::Refinement;
use super::proposal::Located;
use crate::cegar::Run;
use rustc_hash::FxHashSet;
use tamis_logic::Term;
use tamis_paq::Interrupted;
use tamis_system::{BranchId, System};

impl<S: System> Refinement<S> {
    /// Where the abstract relation itself is refined, the predicates in the property (\[CTL\] section 2.2). Where predicates
    /// are to be small, those too, and conditions of branches. None otherwise.
    pub fn start(&mut self, run: &mut Run<'_, S>) -> Result<(), Interrupted> {
        let mut located = Vec::new();
        if self.fine || run.refines_relation() {
            located.extend(self.of_property(run));
        }
        if self.fine {
            located.extend(self.of_branches(run));
        }
        let ids = self.pool.located(&located);
        self.chosen.extend(ids);
        self.apply(run)
    }

    /// The predicates in the property, if the system has one that is about registers.
    fn of_property(&self, run: &mut Run<'_, S>) -> Vec<Located> {
        let Some(registers) = run.abstraction.system.registers() else { return Vec::new() };
        let property = registers.property();
        let atoms = match self.fine {
            true => super::leaves::leaves(run.terms, property),
            false => run.terms.atoms(property),
        };
        let state: FxHashSet<Term> = run.abstraction.system.state_variables().into_iter().collect();
        let over_state = |&atom: &Term| {
            let variables = run.terms.free_vars(atom);
            !variables.is_empty() && variables.iter().all(|v| state.contains(v))
        };
        atoms.into_iter().filter(over_state).map(|atom| (registers.running(), atom)).collect()
    }

    /// The condition of each branch, and at points before it its weakest precondition on one way there.
    fn of_branches(&self, run: &mut Run<'_, S>) -> Vec<Located> {
        let Some(branching) = run.abstraction.system.branching() else { return Vec::new() };
        if branching.branches() > MAX_BRANCHES {
            return Vec::new();
        }
        let branches = (0..branching.branches() as u32).map(BranchId);
        branches.flat_map(|branch| branching.pred_infer(run.terms, branch, 1)).collect()
    }
}

/// A system with more branches than this has no use for all their conditions.
const MAX_BRANCHES: usize = 200;
