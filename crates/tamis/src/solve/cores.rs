//! Minimal cores.

use super::checks::Last;
use super::output::symbol;
use super::session::{Failure, Session};
use std::collections::HashSet;
use tamis_logic::Term;
use tamis_solver::Answer;

impl Session {
    pub(super) fn get_unsat_core(&mut self) -> Result<(), Failure> {
        if !self.settings.produce_unsat_cores {
            return Err(Failure::Refused("no core: :produce-unsat-cores is off".to_owned()));
        }
        let Last::Unsat { core, assumptions } = &self.last else {
            return Err(self.not_left("core", "unsat"));
        };
        let core: HashSet<Term> = core.iter().copied().collect();
        let guards: Vec<Term> = self.assertions.guards().filter(|t| core.contains(t)).collect();
        let mut always: Vec<Term> = self.assertions.activations().collect();
        always.extend(assumptions.iter().map(|&(t, _)| t));
        let core = self.minimal(guards, &always);
        let names: Vec<String> = self.assertions.names_in(&core).into_iter().map(symbol).collect();
        self.output.line(&format!("({})", names.join(" ")));
        Ok(())
    }

    pub(super) fn get_unsat_assumptions(&mut self) -> Result<(), Failure> {
        if !self.settings.produce_unsat_assumptions {
            let message = "no unsatisfiable assumptions: :produce-unsat-assumptions is off";
            return Err(Failure::Refused(message.to_owned()));
        }
        let Last::Unsat { core, assumptions } = &self.last else {
            return Err(self.not_left("unsatisfiable assumptions", "unsat"));
        };
        let assumed = assumptions.clone();
        let failed: Vec<Term> = assumed.iter().map(|&(t, _)| t).filter(|t| core.contains(t)).collect();
        let mut core = self.minimal(failed, &self.literals());
        let mut texts: Vec<&str> = Vec::with_capacity(core.len());
        for (t, text) in &assumed {
            if let Some(at) = core.iter().position(|other| other == t) {
                core.swap_remove(at);
                texts.push(text);
            }
        }
        self.output.line(&format!("({})", texts.join(" ")));
        Ok(())
    }

    /// Those of `candidates` that are needed, one by one, for a contradiction with all that holds `always`. Where a
    /// limit cuts this short, what is left is still a core.
    fn minimal(&mut self, candidates: Vec<Term>, always: &[Term]) -> Vec<Term> {
        let (mut needed, mut untried) = (Vec::new(), candidates);
        untried.sort_unstable();
        untried.dedup();
        while let Some(tried) = untried.pop() {
            let without: Vec<Term> = always.iter().chain(&needed).chain(&untried).copied().collect();
            match self.solver.check(&self.terms, &without) {
                Ok(Answer::Unsat) => {
                    let reported: HashSet<Term> = self.solver.core().iter().copied().collect();
                    untried.retain(|t| reported.contains(t));
                }
                Ok(Answer::Sat) | Err(_) => needed.push(tried),
            }
        }
        needed.sort_unstable();
        needed
    }
}
