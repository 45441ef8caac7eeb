//! The conditions of a certificate are decided, each by itself, by the built-in solver or another one.

use crate::arguments::CertifyOptions;
use crate::certify::Finding;
use crate::limits::Limits;
use crate::verdict::ExitStatus;
use std::time::Instant;
use tamis_logic::smtlib::{Command, Reader};
use tamis_logic::{Term, Terms};
use tamis_solver::external::{External, ExternalAnswer, ExternalError};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// How conditions are decided in a run.
pub struct Judge<'a> {
    pub options: &'a CertifyOptions,
    pub limits: Limits,
    pub budget: &'a Budget,
    pub start: Instant,
}

/// What a condition says of its own answer.
const STATUS: &str = "(set-info :status unsat)";

/// What a solver says of a condition.
enum Decision {
    Holds,
    Fails,
    GaveUp(String),
}

/// What decides conditions.
pub enum Decider {
    Own,
    Other(External),
}

impl Judge<'_> {
    /// Says something to people.
    pub fn say(&self, what: &str) {
        if !self.options.quiet {
            eprintln!("{what}");
        }
    }

    /// What is to decide, as the options say.
    pub fn decider(&self) -> Result<Decider, Finding> {
        match self.options.solver.as_deref() {
            None => Ok(Decider::Own),
            Some(name) => match External::find(name) {
                Ok(solver) => Ok(Decider::Other(solver)),
                Err(error) => {
                    eprintln!("error: {error}");
                    Err(Finding::unknown(format!("usage: {error}"), ExitStatus::Usage))
                }
            },
        }
    }

    /// Decides all conditions, which `condition` gives by their number: a file's name, and the script.
    pub fn conditions(
        &self,
        decider: &Decider,
        count: usize,
        condition: impl Fn(usize) -> Result<(String, String), Finding>,
    ) -> Result<Finding, Finding> {
        let (mut failed, mut given_up) = (None, None);
        for i in 0..count {
            self.budget.check().map_err(|stop| self.stopped(stop))?;
            let (file, text) = condition(i)?;
            let mut terms = Terms::new();
            let formulas =
                formulas(&mut terms, &text).map_err(|why| Finding::refused(format!("{file}: {why}")))?;
            let decision = match decider {
                Decider::Own => self.decide(&terms, &formulas)?,
                Decider::Other(solver) => self.ask(solver, &text)?,
            };
            match decision {
                Decision::Holds => {}
                Decision::Fails => {
                    eprintln!("{file}: satisfiable");
                    failed.get_or_insert(file);
                }
                Decision::GaveUp(why) => {
                    eprintln!("{file}: {why}");
                    given_up.get_or_insert(format!("{file}: {why}"));
                }
            }
        }
        if let Some(file) = failed {
            let reason = format!("evidence: condition {file} is satisfiable");
            return Ok(Finding::unknown(reason, ExitStatus::Internal));
        }
        if let Some(why) = given_up {
            return Ok(Finding::unknown(why, ExitStatus::Unknown));
        }
        Ok(Finding::accepted())
    }

    fn decide(&self, terms: &Terms, formulas: &[Term]) -> Result<Decision, Finding> {
        let mut solver = Solver::new(self.budget);
        formulas.iter().for_each(|&formula| solver.assert(terms, formula));
        match solver.check(terms, &[]) {
            Ok(Answer::Unsat) => Ok(Decision::Holds),
            Ok(Answer::Sat) => Ok(Decision::Fails),
            Err(stop @ Stop::Unsupported) => Ok(Decision::GaveUp(self.limits.reason(stop))),
            Err(stop) => Err(self.stopped(stop)),
        }
    }

    fn ask(&self, solver: &External, script: &str) -> Result<Decision, Finding> {
        let mut solver = solver.clone();
        solver.timeout = self.options.limits.timeout.map(|limit| limit.saturating_sub(self.start.elapsed()));
        solver.memory = self.options.limits.memory;
        // Some solvers take a status that they contradict for an error in the script.
        let script: String = script.lines().filter(|l| *l != STATUS).flat_map(|l| [l, "\n"]).collect();
        match solver.run(&script) {
            Ok(run) => Ok(match (&*run.answers, run.errors.first()) {
                ([ExternalAnswer::Unsat], None) => Decision::Holds,
                ([ExternalAnswer::Sat], None) => Decision::Fails,
                ([ExternalAnswer::Unknown], None) => Decision::GaveUp("the solver does not know".to_owned()),
                (_, Some(error)) => Decision::GaveUp(format!("the solver says: {error}")),
                _ => Decision::GaveUp("the solver's output is not understood".to_owned()),
            }),
            Err(ExternalError::Timeout(_)) => Err(self.stopped(Stop::Timeout)),
            Err(error) => Ok(Decision::GaveUp(error.to_string())),
        }
    }

    /// A limit ended the check.
    pub fn stopped(&self, stop: Stop) -> Finding {
        Finding::unknown(self.limits.reason(stop), ExitStatus::Unknown)
    }
}

/// Whether scripts say the same, line by line. Comments may differ: they have the names of files, which may have moved. In `ours` no
/// token goes over the end of a line, so a line that starts with `;` is a comment wherever it stands among its lines.
pub fn same_script(ours: &str, theirs: &str) -> bool {
    let is_command = |line: &&str| !line.starts_with(';');
    ours.lines().filter(is_command).eq(theirs.lines().filter(is_command))
}

/// The formulas of a condition's script. It declares, defines and asserts, and then asks once: whatever else a script can say would
/// make another question of it.
fn formulas(terms: &mut Terms, script: &str) -> Result<Vec<Term>, String> {
    let mut reader = Reader::new(script.as_bytes());
    let (mut formulas, mut logic, mut asked) = (Vec::new(), false, false);
    while let Some((command, at)) = reader.next_command(terms).map_err(|e| e.to_string())? {
        match command {
            _ if asked => return Err(format!("{}: something follows after the check", at.line)),
            Command::SetLogic(_) if !logic => logic = true,
            Command::SetInfo(..) | Command::Declare { .. } | Command::Define { term: Some(_), .. } => {}
            Command::Assert { formula, name: None, .. } => formulas.push(formula),
            Command::CheckSat => asked = true,
            _ => return Err(format!("{}: a command that no condition has", at.line)),
        }
    }
    if asked { Ok(formulas) } else { Err("there is no check".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::formulas;
    use tamis_logic::Terms;

    #[test]
    fn conditions_ask_one_question() {
        let good = "(set-logic QF_BV)(set-info :status unsat)(declare-const x Bool)(define-fun y () Bool (not x))\
            (assert (and x y))(check-sat)";
        assert_eq!(formulas(&mut Terms::new(), good).map(|f| f.len()), Ok(1));
        let (head, tail) = good.split_at(good.len() - "(check-sat)".len());
        for extra in [
            "(push 1)",
            "(exit)",
            "(reset)",
            "(set-logic QF_UF)",
            "(set-option :produce-models true)",
            "(check-sat)",
        ] {
            assert!(formulas(&mut Terms::new(), &format!("{head}{extra}{tail}")).is_err(), "{extra}");
        }
        assert!(formulas(&mut Terms::new(), &format!("{good}(assert false)")).is_err());
        assert!(formulas(&mut Terms::new(), head).is_err());
    }
}
