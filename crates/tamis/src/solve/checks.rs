//! Checks, and what they leave behind: models and cores.

use super::model;
use super::output::symbol;
use super::session::{Failure, Session};
use crate::verdict::ExitStatus;
use tamis_logic::smtlib::Undecided;
use tamis_logic::{Model, Sort, Term};
use tamis_solver::{Answer, Stop};

/// What the latest check has left.
pub enum Last {
    /// There was none, or the assertions have changed since.
    Nothing,
    Sat(Model),
    /// With the literals and assumptions that take part, and the assumptions with their text.
    Unsat {
        core: Vec<Term>,
        assumptions: Vec<(Term, String)>,
    },
    /// With the reason.
    Unknown(String),
}

impl Session {
    /// `check-sat`, or `check-sat-assuming` with assumptions.
    pub(super) fn check(&mut self, assumptions: Vec<(Term, String)>) -> Result<(), Failure> {
        self.last = Last::Nothing;
        self.output.ask();
        let mut assumed = self.literals();
        assumed.extend(assumptions.iter().map(|&(t, _)| t));
        self.solver.set_theory_propagation(self.settings.theory_propagation);
        match self.solver.check(&self.terms, &assumed) {
            Ok(Answer::Sat) => {
                let mut formulas: Vec<Term> = self.assertions.iter().map(|a| a.formula).collect();
                formulas.extend(assumptions.iter().map(|&(t, _)| t));
                let found = self.model(&formulas)?;
                self.last = Last::Sat(found);
                self.decided("sat");
            }
            Ok(Answer::Unsat) => {
                self.last = Last::Unsat { core: self.solver.core().to_vec(), assumptions };
                self.decided("unsat");
            }
            Err(stop) => return self.undecided(stop),
        }
        Ok(())
    }

    /// The literals of all that is on the assertion stack.
    pub(super) fn literals(&self) -> Vec<Term> {
        self.assertions.activations().chain(self.assertions.guards()).collect()
    }

    /// The model of a check, by which the formulas are true.
    fn model(&mut self, formulas: &[Term]) -> Result<Model, Failure> {
        let mut vars = self.terms.free_vars_of(formulas);
        vars.extend(model::constants(&self.assertions));
        let found = self.solver.model(&self.terms, &vars);
        let values = self.terms.eval_all(formulas, &found);
        match values.iter().position(|value| !value.as_bool()) {
            None => Ok(found),
            Some(wrong) => {
                let formula: String = self.terms.to_smtlib(formulas[wrong]).chars().take(200).collect();
                Err(Failure::Internal(format!(
                    "the model does not satisfy assertion {}: {formula}",
                    wrong + 1
                )))
            }
        }
    }

    /// Gives an answer, which is compared with the one that the script expects.
    pub(super) fn decided(&mut self, answer: &str) {
        self.output.answer(answer);
        if let Some(expected) = self.expected.take()
            && contradicts(answer, &expected)
        {
            self.worsen(ExitStatus::Internal);
        }
    }

    /// Gives no answer; an exhausted limit ends the run.
    pub(super) fn undecided(&mut self, stop: Stop) -> Result<(), Failure> {
        self.output.answer("unknown");
        self.expected = None;
        self.worsen(ExitStatus::Unknown);
        let reason = match self.undecided {
            Some(Undecided { position, what }) if stop == Stop::Unsupported => {
                format!("not decided: {what}, at line {} column {}", position.line, position.column)
            }
            _ => self.limits.reason(stop),
        };
        self.last = Last::Unknown(reason.clone());
        if stop != Stop::Unsupported {
            return Err(Failure::Stopped(stop));
        }
        eprintln!("unknown: {reason}");
        // The script is outside of the logics that are decided here.
        self.worsen(ExitStatus::Unreadable);
        Ok(())
    }

    /// Why the latest check has not left what is asked for.
    pub(super) fn not_left(&self, what: &str, wanted: &str) -> Failure {
        match &self.last {
            Last::Unknown(reason) => {
                Failure::Unknown(format!("no {what}: the last check ended unknown ({reason})"))
            }
            Last::Nothing => Failure::Refused(format!("no {what}: no check since the assertions changed")),
            Last::Sat(_) | Last::Unsat { .. } => {
                Failure::Refused(format!("no {what}: the last check did not answer {wanted}"))
            }
        }
    }

    pub(super) fn get_model(&mut self) -> Result<(), Failure> {
        let text = model::model_text(&self.terms, &self.assertions, self.found_model()?);
        self.output.line(&text);
        Ok(())
    }

    pub(super) fn get_value(&mut self, wanted: &[(Term, String)]) -> Result<(), Failure> {
        let roots: Vec<Term> = wanted.iter().map(|&(t, _)| t).collect();
        let values = self.terms.eval_all(&roots, self.found_model()?);
        let pairs: Vec<String> = std::iter::zip(wanted, &values)
            .map(|((_, text), value)| format!("({text} {})", self.terms.value_text(value)))
            .collect();
        self.output.line(&format!("({})", pairs.join("\n ")));
        Ok(())
    }

    /// The values of all formulas that have a name in an assertion.
    pub(super) fn get_assignment(&mut self) -> Result<(), Failure> {
        if !self.settings.produce_assignments {
            return Err(Failure::Refused("no assignment: :produce-assignments is off".to_owned()));
        }
        let Last::Sat(model) = &self.last else { return Err(self.not_left("assignment", "sat")) };
        let named: Vec<(&str, Term)> = self
            .assertions
            .iter()
            .flat_map(|a| &a.names)
            .filter(|&&(_, t)| self.terms.sort(t) == Sort::Bool)
            .map(|(name, t)| (name.as_str(), *t))
            .collect();
        let roots: Vec<Term> = named.iter().map(|&(_, t)| t).collect();
        let values = self.terms.eval_all(&roots, model);
        let pairs: Vec<String> = std::iter::zip(&named, &values)
            .map(|((name, _), value)| format!("({} {})", symbol(name), value.as_bool()))
            .collect();
        self.output.line(&format!("({})", pairs.join(" ")));
        Ok(())
    }

    fn found_model(&self) -> Result<&Model, Failure> {
        if !self.settings.produce_models {
            return Err(Failure::Refused("no model: :produce-models is off".to_owned()));
        }
        match &self.last {
            Last::Sat(found) => Ok(found),
            _ => Err(self.not_left("model", "sat")),
        }
    }
}

/// Compares an answer with the one that the script expects; a contradiction is said loudly.
pub(super) fn contradicts(answer: &str, expected: &str) -> bool {
    let wrong = matches!(expected, "sat" | "unsat") && expected != answer;
    if wrong {
        eprintln!("CONTRADICTION: the answer is {answer}, but the script says :status {expected}");
    }
    wrong
}
