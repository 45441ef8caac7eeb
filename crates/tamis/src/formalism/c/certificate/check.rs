//! A certificate's folder, checked again: each condition by a solver, and all of them against the program.

use super::{Failure, Folder, Proof, Rebuilt, Subject, counted, rebuild};
use crate::arguments::{CertifyOptions, DesignOptions, InputOptions};
use crate::certify::Finding;
use crate::formalism::c::input;
use crate::formalism::c::single;
use crate::hash::sha256;
use crate::limits::Limits;
use crate::verdict::ExitStatus;
use std::time::Instant;
use tamis_evidence::Condition;
use tamis_interpreter_c::Execution;
use tamis_logic::smtlib::{Command, Reader};
use tamis_logic::{Term, Terms};
use tamis_solver::external::{External, ExternalAnswer, ExternalError};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// Checks a folder.
pub fn check(options: &CertifyOptions, limits: Limits, budget: &Budget, start: Instant) -> Finding {
    let checking = Checking { options, limits, budget, start };
    checking.check().unwrap_or_else(|finding| finding)
}

struct Checking<'a> {
    options: &'a CertifyOptions,
    limits: Limits,
    budget: &'a Budget,
    start: Instant,
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
enum Decider {
    Own,
    Other(External),
}

impl Checking<'_> {
    fn check(&self) -> Result<Finding, Finding> {
        let decider = self.decider()?;
        let name = self.options.evidence.display().to_string();
        let folder =
            Folder::open(&self.options.evidence).map_err(|why| Finding::refused(format!("{name}: {why}")))?;
        let subject = folder.manifest.subject().map_err(|why| Finding::refused(format!("{name}: {why}")))?;
        self.claim(&folder, &subject)?;
        if folder.manifest.verdict != "true" {
            let verdict = &folder.manifest.verdict;
            let why = format!("no proof: the verdict was {}", verdict.escape_debug());
            return Ok(Finding::unknown(why, ExitStatus::Unknown));
        }
        if let Proof::Execution(execution) = folder.manifest.proof() {
            return self.execution(&folder, &subject, &execution);
        }
        if folder.manifest.conditions.is_empty() {
            return Err(Finding::refused(format!("{name}: a proof without conditions")));
        }
        if self.options.files.is_empty() {
            let finding = self.conditions(&folder, &decider, None)?;
            self.say(
                "not checked: that these are the conditions of the program; for that, give its files too",
            );
            return Ok(finding);
        }
        let rebuilt = self.rebuild(&folder, &subject)?;
        self.conditions(&folder, &decider, Some(&rebuilt))
    }

    fn say(&self, what: &str) {
        if !self.options.quiet {
            eprintln!("{what}");
        }
    }

    fn decider(&self) -> Result<Decider, Finding> {
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

    /// Says what the certificate claims, unless that is not what is asked.
    fn claim(&self, folder: &Folder, subject: &Subject) -> Result<(), Finding> {
        let manifest = &folder.manifest;
        let files: Vec<&str> = manifest.files.iter().map(|f| &*f.name).collect();
        let plain = |text: &str| text.escape_debug().to_string();
        self.say(&format!(
            "claim: {} (target: {}) holds of {} under {}",
            subject.property,
            plain(&manifest.target),
            plain(&files.join(", ")),
            plain(&manifest.data_model)
        ));
        let wanted = self.options.property.as_ref().map(input::properties).transpose();
        if wanted.map_err(refused)?.is_some_and(|wanted| !wanted.contains(&subject.property)) {
            let (property, target) = (&subject.property, plain(&manifest.target));
            return Err(Finding::refused(format!(
                "the certificate is of another property, {property} ({target})"
            )));
        }
        let said = (self.options.reading.ilp32, self.options.reading.lp64);
        match (&*manifest.data_model, said) {
            ("ILP32", (_, false)) | ("LP64", (false, _)) => Ok(()),
            ("ILP32" | "LP64", _) => {
                Err(Finding::refused(format!("the certificate is for {}", manifest.data_model)))
            }
            (other, _) => Err(Finding::refused(format!("`{}` is no data model", plain(other)))),
        }
    }

    /// Runs the program, which must do what the certificate says.
    fn execution(&self, folder: &Folder, subject: &Subject, claimed: &Execution) -> Result<Finding, Finding> {
        if self.options.files.is_empty() {
            let why = "a certificate of the program's only execution is checked with the program's files";
            return Err(Finding::refused(why.to_owned()));
        }
        let input = self.input(folder)?;
        // What the program means is also asked of the translation, which refuses what nobody should run.
        rebuild(&input, subject, &Proof::Execution(*claimed), self.budget).map_err(|f| self.failed(f))?;
        let unit = single::unit(&input, &subject.property, false).map_err(refused)?;
        match single::execution(&input, &unit, self.options.limits.memory, self.budget) {
            Ok(execution) if execution == *claimed => {
                self.say(&format!(
                    "checked: the program was run, and has this execution only, of {execution}"
                ));
                Ok(Finding::accepted())
            }
            Ok(execution) if execution.violates => {
                let reason = "evidence: the program's only execution violates the property".to_owned();
                Ok(Finding::unknown(reason, ExitStatus::Internal))
            }
            Ok(execution) => Err(Finding::refused(format!(
                "the certificate is no proof of the program: it has another execution, of {execution}"
            ))),
            Err(why) => {
                self.budget.check().map_err(|stop| self.stopped(stop))?;
                Err(Finding::refused(format!("the certificate is no proof of the program: {why}")))
            }
        }
    }

    /// The program that is given, which must be the one that the certificate names.
    fn input(&self, folder: &Folder) -> Result<InputOptions, Finding> {
        let manifest = &folder.manifest;
        let mut input = InputOptions {
            files: self.options.files.clone(),
            reading: self.options.reading.clone(),
            design: DesignOptions::default(),
        };
        input::resolve(&mut input).map_err(refused)?;
        input.reading.ilp32 = manifest.data_model == "ILP32";
        if input.files.len() != manifest.files.len() {
            let (given, named) = (input.files.len(), manifest.files.len());
            return Err(Finding::refused(format!("the certificate is of {named} files, not of {given}")));
        }
        for (file, named) in std::iter::zip(&input.files, &manifest.files) {
            let name = file.display();
            let bytes =
                std::fs::read(file).map_err(|e| Finding::refused(format!("{name}: cannot be read: {e}")))?;
            if sha256(&bytes) != named.sha256 {
                let other = named.name.escape_debug();
                return Err(Finding::refused(format!(
                    "{name}: does not have the hash that the certificate says of {other}"
                )));
            }
        }
        Ok(input)
    }

    fn failed(&self, failure: Failure) -> Finding {
        match failure {
            Failure::Refused(refusal) => refused(refusal),
            Failure::NoProof(why) => {
                Finding::refused(format!("the certificate is no proof of the program: {why}"))
            }
            Failure::Stopped(stop) => self.stopped(stop),
        }
    }

    /// The conditions of the program.
    fn rebuild(&self, folder: &Folder, subject: &Subject) -> Result<Rebuilt, Finding> {
        let manifest = &folder.manifest;
        let input = self.input(folder)?;
        let rebuilt = rebuild(&input, subject, &manifest.proof(), self.budget)
            .map_err(|failure| self.failed(failure))?;
        if let Some(i) =
            (0..manifest.invariants.len()).find(|&i| manifest.invariants[i].c != rebuilt.c_text(i))
        {
            let at = &manifest.invariants[i].at;
            let why = format!("the C text of the invariant at location {} is not what it says", at.location);
            return Err(Finding::refused(why));
        }
        if rebuilt.conditions.len() != manifest.conditions.len() {
            let (has, needs) = (manifest.conditions.len(), rebuilt.conditions.len());
            return Err(self.others(&format!("{has} conditions, and it takes {needs}")));
        }
        Ok(rebuilt)
    }

    fn others(&self, what: &str) -> Finding {
        Finding::refused(format!(
            "these are not the conditions of the program (as this version, {}, makes them): {what}",
            env!("CARGO_PKG_VERSION")
        ))
    }

    /// Decides all conditions, which are the program's if it is known.
    fn conditions(
        &self,
        folder: &Folder,
        decider: &Decider,
        program: Option<&Rebuilt>,
    ) -> Result<Finding, Finding> {
        let (mut failed, mut given_up) = (None, None);
        let count = folder.manifest.conditions.len();
        for (i, entry) in folder.manifest.conditions.iter().enumerate() {
            self.budget.check().map_err(|stop| self.stopped(stop))?;
            let text = folder.condition(i).map_err(Finding::refused)?;
            let is_same = |p: &Rebuilt| {
                let Condition { purpose, from, to, .. } = &p.conditions[i];
                let ends = (entry.from.location, entry.to.location) == (from.index(), to.index());
                let script = p.conditions[i].script(&p.terms, &p.program);
                ends && entry.kind == purpose.name() && same_script(&script, &text)
            };
            if !program.is_none_or(is_same) {
                return Err(self.others(&entry.file));
            }
            let mut terms = Terms::new();
            let formulas = formulas(&mut terms, &text)
                .map_err(|why| Finding::refused(format!("{}: {why}", entry.file)))?;
            let decision = match decider {
                Decider::Own => self.decide(&terms, &formulas)?,
                Decider::Other(solver) => self.ask(solver, &text)?,
            };
            match decision {
                Decision::Holds => {}
                Decision::Fails => {
                    eprintln!("{}: satisfiable", entry.file);
                    failed.get_or_insert_with(|| entry.file.clone());
                }
                Decision::GaveUp(why) => {
                    eprintln!("{}: {why}", entry.file);
                    given_up.get_or_insert_with(|| format!("{}: {why}", entry.file));
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
        self.say(&match program {
            Some(_) => format!("checked: {}, made anew from the program", counted(count)),
            None => format!("checked: {}", counted(count)),
        });
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

    fn stopped(&self, stop: Stop) -> Finding {
        Finding::unknown(self.limits.reason(stop), ExitStatus::Unknown)
    }
}

/// The input was refused.
fn refused(refusal: crate::refusal::Refusal) -> Finding {
    refusal.print();
    Finding::unknown(refusal.reason(), refusal.status())
}

/// Whether scripts say the same, line by line. Comments may differ: they have the names of files, which may have moved. In `ours` no
/// token goes over the end of a line, so a line that starts with `;` is a comment wherever it stands among its lines.
fn same_script(ours: &str, theirs: &str) -> bool {
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
