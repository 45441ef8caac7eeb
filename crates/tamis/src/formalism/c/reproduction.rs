//! A violation of the model is made an execution of the C program, or it is not believed.

use super::input;
use super::witness::make::Witnesses;
use super::{of_account, of_replay};
use crate::arguments::ReplayKind;
use crate::check::counterexample::Counterexample;
use crate::check::report::Report;
use crate::refusal::one_line;
use crate::run;
use crate::verdict::{ExitStatus, Verdict};
use std::time::Duration;
use tamis_evidence::Replay;
use tamis_front_c::tree::Unit;
use tamis_interpreter_c::account::Account;
use tamis_interpreter_c::{Irreproducible, Native, NativeLimits};
use tamis_logic::Terms;
use tamis_program::Program;

/// How violations are reproduced in a run.
pub struct Reproduction<'a> {
    pub witnesses: Witnesses<'a>,
    /// The time that is left.
    pub left: Option<Duration>,
}

impl Reproduction<'_> {
    /// Executes the C program on the inputs of a violation: only what it does is believed.
    pub fn report(&self, terms: &Terms, program: &Program, replay: &Replay) -> Report {
        let Witnesses { options, property, .. } = self.witnesses;
        let unit = match input::read(&options.input, property, options.witness.is_some()) {
            Ok(unit) => unit,
            Err(refusal) => return self.unconfirmed(program, replay, refusal.reason(), refusal.status()),
        };
        let wanted = property.violations();
        let unknown = |reason| self.unconfirmed(program, replay, reason, ExitStatus::Unknown);
        let account = match tamis_interpreter_c::reproduce(terms, program, &unit, replay, wanted, self.left) {
            Ok(account) => account,
            Err(failure @ Irreproducible::Undefined { at, .. }) => {
                return unknown(format!("{failure}, {}", run::place(&unit, at)));
            }
            Err(failure @ Irreproducible::Disagreement { .. }) => {
                let parted =
                    failure.parted().map(|(at, what)| format!(", from {} on: {what}", run::place(&unit, at)));
                return unknown(format!("replay: {failure}{}", parted.unwrap_or_default()));
            }
            Err(failure) => return unknown(failure.to_string()),
        };
        self.confirmed(&unit, &account)
    }

    /// A violation that passes approximations, where the C program comes to it on the same inputs, and C leaves nothing open on
    /// the way: then it does not matter what was approximated.
    pub fn without_doubt(&self, program: &Program, replay: &Replay) -> Option<Report> {
        let Witnesses { options, property, .. } = self.witnesses;
        let unit = input::read(&options.input, property, options.witness.is_some()).ok()?;
        let account = tamis_interpreter_c::reproduce_exactly(
            program,
            &unit,
            replay,
            property.violations(),
            self.left.map(|left| left / 4),
        )?;
        Some(self.confirmed(&unit, &account)).filter(|report| report.status == ExitStatus::False)
    }

    /// An execution of the C program that violates the property.
    pub fn confirmed(&self, unit: &Unit, account: &Account) -> Report {
        let Witnesses { options, property, .. } = self.witnesses;
        let violated = account.last_undefined().map_or(property.name(), |kind| property.violated_by(kind));
        let name = property.name();
        let rows = of_account::rows(unit, account, &options.input.files, property);
        let native = self.natively(unit, account);
        if let Some(native @ Native::Differs(_)) = &native {
            let report = Report::unknown(name, format!("replay: {native}"), ExitStatus::Unknown);
            return Report {
                counterexample: Some(Counterexample::Lines(rows)),
                native: Some(native.to_string()),
                ..report
            };
        }
        Report {
            counterexample: Some(Counterexample::Lines(rows)),
            native: native.map(|native| native.to_string()),
            advice: self.witnesses.of_violation(unit, account),
            ..Report::new(name, Verdict::False(violated.to_owned()), ExitStatus::False)
        }
    }

    fn unconfirmed(&self, program: &Program, replay: &Replay, reason: String, status: ExitStatus) -> Report {
        let Witnesses { options, property, .. } = self.witnesses;
        Report {
            counterexample: Some(Counterexample::Lines(of_replay::rows(
                program,
                replay,
                &options.input.files,
            ))),
            ..Report::unknown(property.name(), one_line(&reason), status)
        }
    }

    /// Writes the harness, and replays the violation natively, if that is wanted.
    fn natively(&self, unit: &Unit, account: &Account) -> Option<Native> {
        let Witnesses { options, property, .. } = self.witnesses;
        let wanted = property.violations();
        let runs = options.replay == ReplayKind::Native;
        if options.harness.is_none() && !runs {
            return None;
        }
        if property.specification().is_some() {
            let why = "the compiled program does not know the specification";
            if options.harness.is_some() {
                eprintln!("warning: no harness is written: {why}");
            }
            return runs.then(|| Native::Impossible(why.to_owned()));
        }
        let harness = match tamis_interpreter_c::harness(unit, account, wanted) {
            Ok(harness) => harness,
            Err(why) => {
                if options.harness.is_some() {
                    eprintln!("warning: no harness is written: {why}");
                }
                return runs.then(|| Native::Impossible(why.to_string()));
            }
        };
        if let Some(file) = &options.harness {
            crate::output::write(file, &harness.text);
        }
        if !runs {
            return None;
        }
        let reading = input::reading(&options.input.reading);
        let sources = match tamis_front_c::preprocessed(&options.input.files, &reading) {
            Ok(sources) => sources,
            Err(e) => return Some(Native::Impossible(e.diagnostic().message.clone())),
        };
        let usual = NativeLimits::default();
        let limits = NativeLimits {
            time: self.left.map_or(usual.time, |left| left.min(usual.time)),
            memory: options.limits.memory.unwrap_or(usual.memory),
        };
        let native =
            tamis_interpreter_c::replay_natively(&sources, &harness, wanted, account.arguments(), limits);
        // The machine holds something else where nothing was set.
        Some(match native {
            Native::Differs(how) if account.used_unset() => Native::Impossible(format!(
                "the violation depends on what was never set; the compiled program {how}"
            )),
            native => native,
        })
    }
}
