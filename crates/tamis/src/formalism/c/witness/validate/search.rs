//! The search for a proof or a violation in a program with a witness's code in it, with all evidence checked.

use crate::arguments::Preset;
use crate::formalism::c::approximations::cause;
use crate::formalism::c::property::Property;
use crate::formalism::c::translation::Translation;
use crate::formalism::{Answer, Check, Model};
use crate::limits::Limits;
use std::time::Duration;
use tamis_cegar::Silent;
use tamis_diagnostics::Error;
use tamis_front_c::tree::Unit;
use tamis_front_c::{Refinement, Sources};
use tamis_interpreter_c::Irreproducible;
use tamis_interpreter_c::account::Account;
use tamis_logic::Terms;
use tamis_program::{Program, simplify};
use tamis_solver::Budget;

/// What is known about a program.
pub enum Found {
    /// No execution violates the property.
    Safe,
    /// One does.
    Violation(Box<(Account, Unit)>),
    /// Neither, for the given reason.
    Unknown(String),
}

/// How programs are searched.
pub struct Search<'a> {
    pub preset: &'a Preset,
    pub budget: &'a Budget,
    pub limits: Limits,
}

impl Search<'_> {
    /// Decides a property of a program, where `shape` makes of the automaton what is to be searched.
    pub fn decide(
        &self,
        sources: &Sources,
        property: &Property,
        shape: &dyn Fn(&mut Terms, &Program) -> Program,
    ) -> Result<Found, Error> {
        let target = property.target();
        let mut refinement = Refinement::default();
        loop {
            let sources = sources.aimed(&target, refinement);
            let mut terms = Terms::new();
            let program = sources.program(&mut terms)?;
            let program = shape(&mut terms, &program);
            let (found, approximated) = self.search(&mut terms, program, &sources, property)?;
            match refinement.refined(&approximated) {
                Some(finer) if self.budget.check().is_ok() => refinement = finer,
                _ => return Ok(found),
            }
        }
    }

    /// What is found, and what it depends on that is only approximated.
    fn search(
        &self,
        terms: &mut Terms,
        program: Program,
        sources: &Sources,
        property: &Property,
    ) -> Result<(Found, Vec<String>), Error> {
        let simplified = simplify(&program, terms);
        let mut model = Translation::new(program, simplified);
        let mut answer = self.run(terms, &model);
        if let Answer::Doubtful(doubt) = answer {
            model = model.exact(terms);
            answer = match self.run(terms, &model) {
                // Evidence that fails its check is never passed over.
                second @ (Answer::Violation(_) | Answer::Failed(_)) => second,
                _ => Answer::Doubtful(doubt),
            };
        }
        let program = &model.original;
        Ok(match answer {
            Answer::Proof(_) => (Found::Safe, Vec::new()),
            Answer::Stopped(reason) => (Found::Unknown(reason), Vec::new()),
            Answer::Failed(why) => (Found::Unknown(format!("evidence: {why}")), Vec::new()),
            Answer::Doubtful(replay) => {
                let causes: Vec<String> =
                    replay.approximated.iter().map(|&e| cause(program, e).to_owned()).collect();
                let reason = format!("approximated: {}", causes.first().map_or("", String::as_str));
                (Found::Unknown(reason), causes)
            }
            Answer::Violation(replay) => {
                let unit = sources.unit()?;
                let wanted = property.violations();
                let done =
                    tamis_interpreter_c::reproduce(terms, program, &unit, &replay, wanted, self.time());
                let found = match done {
                    Ok(account) => Found::Violation(Box::new((account, unit))),
                    Err(why @ Irreproducible::Disagreement { .. }) => {
                        Found::Unknown(format!("evidence: {why}"))
                    }
                    Err(why) => Found::Unknown(why.to_string()),
                };
                (found, Vec::new())
            }
        })
    }

    fn time(&self) -> Option<Duration> {
        self.limits.timeout
    }

    fn run(&self, terms: &mut Terms, model: &Translation) -> Answer<Translation> {
        let system = model.system(terms, self.preset);
        let (outcome, _) =
            tamis_cegar::check(terms, &system, &self.preset.strategy, self.budget, &mut Silent);
        let check = Check { budget: self.budget, limits: &self.limits, tidying: None };
        check.answer(terms, (model, &system), outcome)
    }
}
