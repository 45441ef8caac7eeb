//! A certificate's folder, checked again: each condition by a solver, and all of them against the program.

use super::manifest::Manifest;
use super::{Failure, Proof, Rebuilt, Subject, rebuild};
use crate::arguments::{CertifyOptions, DesignOptions, InputOptions};
use crate::certify::Finding;
use crate::formalism::c::input;
use crate::formalism::c::single;
use crate::formalism::certificate::{Decider, Folder, Judge, counted, same_script};
use crate::hash::sha256;
use crate::limits::Limits;
use crate::verdict::ExitStatus;
use std::time::Instant;
use tamis_evidence::Condition;
use tamis_interpreter_c::Execution;
use tamis_solver::Budget;

/// Checks a folder.
pub fn check(options: &CertifyOptions, limits: Limits, budget: &Budget, start: Instant) -> Finding {
    let checking = Checking { options, budget, judge: Judge { options, limits, budget, start } };
    checking.check().unwrap_or_else(|finding| finding)
}

struct Checking<'a> {
    options: &'a CertifyOptions,
    budget: &'a Budget,
    judge: Judge<'a>,
}

impl Checking<'_> {
    fn check(&self) -> Result<Finding, Finding> {
        let decider = self.judge.decider()?;
        let name = self.options.evidence.display().to_string();
        let folder: Folder<Manifest> =
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
            self.judge.say(
                "not checked: that these are the conditions of the program; for that, give its files too",
            );
            return Ok(finding);
        }
        let rebuilt = self.rebuild(&folder, &subject)?;
        self.conditions(&folder, &decider, Some(&rebuilt))
    }

    /// Says what the certificate claims, unless that is not what is asked.
    fn claim(&self, folder: &Folder<Manifest>, subject: &Subject) -> Result<(), Finding> {
        let manifest = &folder.manifest;
        let files: Vec<&str> = manifest.files.iter().map(|f| &*f.name).collect();
        let plain = |text: &str| text.escape_debug().to_string();
        self.judge.say(&format!(
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
    fn execution(
        &self,
        folder: &Folder<Manifest>,
        subject: &Subject,
        claimed: &Execution,
    ) -> Result<Finding, Finding> {
        if self.options.files.is_empty() {
            let why = "a certificate of the program's only execution is checked with the program's files";
            return Err(Finding::refused(why.to_owned()));
        }
        let input = self.input(folder)?;
        // What the program means is also asked of the translation, which refuses what nobody should run.
        rebuild(&input, subject, &Proof::Execution(*claimed), self.budget).map_err(|f| self.failed(f))?;
        let unit = single::unit(&input, &subject.property, false).map_err(refused)?;
        match single::execution(&input, &unit, &subject.property, self.options.limits.memory, self.budget) {
            Ok(execution) if execution == *claimed => {
                self.judge.say(&format!(
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
                self.budget.check().map_err(|stop| self.judge.stopped(stop))?;
                Err(Finding::refused(format!("the certificate is no proof of the program: {why}")))
            }
        }
    }

    /// The program that is given, which must be the one that the certificate names.
    fn input(&self, folder: &Folder<Manifest>) -> Result<InputOptions, Finding> {
        let manifest = &folder.manifest;
        let mut input = InputOptions {
            files: self.options.files.clone(),
            reading: self.options.reading.clone(),
            design: DesignOptions::default(),
        };
        input::resolve(&mut input).map_err(refused)?;
        input.reading.ilp32 = manifest.data_model == "ILP32";
        input.reading.malloc_may_fail = manifest.malloc_may_fail;
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
            Failure::Stopped(stop) => self.judge.stopped(stop),
        }
    }

    /// The conditions of the program.
    fn rebuild(&self, folder: &Folder<Manifest>, subject: &Subject) -> Result<Rebuilt, Finding> {
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
        folder: &Folder<Manifest>,
        decider: &Decider,
        program: Option<&Rebuilt>,
    ) -> Result<Finding, Finding> {
        let count = folder.manifest.conditions.len();
        let finding = self.judge.conditions(decider, count, |i| {
            let (entry, text) = folder.condition(i).map_err(Finding::refused)?;
            let is_same = |p: &Rebuilt| {
                let Condition { purpose, from, to, .. } = &p.conditions[i];
                let ends = (entry.from.location, entry.to.location) == (from.index(), to.index());
                let script = p.conditions[i].script(&p.terms, &p.program);
                ends && entry.kind == purpose.name() && same_script(&script, &text)
            };
            match program.is_none_or(is_same) {
                true => Ok((entry.file.clone(), text)),
                false => Err(self.others(&entry.file)),
            }
        })?;
        if finding.status == ExitStatus::True {
            let anew = if program.is_some() { ", made anew from the program" } else { "" };
            self.judge.say(&format!("checked: {}{anew}", counted(count)));
        }
        Ok(finding)
    }
}

/// The input was refused.
fn refused(refusal: crate::refusal::Refusal) -> Finding {
    refusal.print();
    Finding::unknown(refusal.reason(), refusal.status())
}
