//! `--witness`: the evidence for a verdict, for other tools to check.

mod correctness;
mod violation;

pub use correctness::{certificate, excludes};

use correctness::invariants;
use violation::waypoints;

use crate::arguments::CheckOptions;
use crate::formalism::Case;
use crate::formalism::c::input;
use crate::formalism::c::property::Property;
use crate::formalism::c::witness::find::Finder;
use crate::formalism::c::witness::{Entry, calls, write};
use crate::output::of_property;
use std::time::Duration;
use tamis_evidence::Certificate;
use tamis_front_c::tree::Unit;
use tamis_front_c::{DataModel, Sources};
use tamis_interpreter_c::account::Account;
use tamis_logic::Terms;
use tamis_program::Program;
use tamis_solver::Budget;

/// What a witness can say of a proof is looked for so long at least.
const WITNESS_TIME: Duration = Duration::from_secs(10);

/// How witnesses are written in a run.
#[derive(Clone, Copy)]
pub struct Witnesses<'a> {
    pub options: &'a CheckOptions,
    pub property: &'a Property,
    /// Whether there is more than one property.
    pub several: bool,
}

impl<'a> Witnesses<'a> {
    /// The witnesses of a property.
    pub fn of(case: &Case<'a, Property>) -> Witnesses<'a> {
        Witnesses { options: case.options, property: case.property, several: case.several }
    }

    /// Writes a witness of a proof, which the search took some time for: what is to be said about it.
    pub fn of_proof(
        &self,
        (terms, searched): (&Terms, &Program),
        certificate: &Certificate,
        budget: &Budget,
        search: Duration,
    ) -> Vec<String> {
        let Some(file) = &self.options.witness else { return Vec::new() };
        if let Some(why) = self.refusal() {
            return vec![why];
        }
        let Some(sources) = self.sources() else {
            return vec![format!("{} is not written: the program cannot be read again", file.display())];
        };
        let unit = match sources.unit() {
            Ok(unit) => unit,
            Err(error) => return vec![error.diagnostic().message.clone()],
        };
        let budget = budget.child_with_timeout((2 * search).max(WITNESS_TIME));
        let finder = Finder::new(&sources, &unit);
        let said = invariants(&finder, self.property, (terms, searched), certificate, &budget);
        let (entries, suffice) = said.map_or((Vec::new(), false), |said| (said.entries, said.suffice));
        let weaker =
            "the witness is weaker than the proof: not all of it can be said about the program's variables";
        let mut notes: Vec<String> = (!suffice).then(|| weaker.to_owned()).into_iter().collect();
        notes.extend(self.save(&Entry::Correctness(entries), &unit));
        notes
    }

    /// Writes a witness of a proof that has no invariants: what is to be said about it.
    pub fn of_execution(&self, unit: &Unit) -> Vec<String> {
        if self.options.witness.is_some()
            && let Some(why) = self.refusal()
        {
            return vec![why];
        }
        self.save(&Entry::Correctness(Vec::new()), unit).into_iter().collect()
    }

    /// Writes a witness of a violation: what is to be said about it.
    pub fn of_violation(&self, unit: &Unit, account: &Account) -> Vec<String> {
        let Some(file) = &self.options.witness else { return Vec::new() };
        if let Some(why) = self.refusal() {
            return vec![why];
        }
        let unknown =
            || vec![format!("{} is not written: the place of the violation is not known", file.display())];
        let Some(sources) = self.sources() else { return unknown() };
        let finder = Finder::new(&sources, unit);
        let Some(waypoints) = waypoints(&finder, account, self.property.violations()) else {
            return unknown();
        };
        self.save(&Entry::Violation(waypoints), unit).into_iter().collect()
    }

    /// What is checked, and a witness cannot say.
    fn refusal(&self) -> Option<String> {
        let reading = &self.options.input.reading;
        let contracts = reading.loop_contracts
            || !reading.enforce_contract.is_empty()
            || !reading.replace_call_with_contract.is_empty();
        match self.property.specification() {
            Some(_) => Some(format!("no witness is written: the format has no property {}", self.property)),
            None if contracts => Some("no witness is written: the format has no contracts".to_owned()),
            None => None,
        }
    }

    /// The texts that places in a witness are in: of preprocessed files, the files themselves.
    fn sources(&self) -> Option<Sources> {
        let reading = tamis_front_c::Options {
            target: self.property.target(),
            physical: true,
            ..input::reading(&self.options.input.reading)
        };
        Sources::read(&self.options.input.files, &reading).ok()
    }

    /// Writes a witness where `--witness` says: what there is to say about it.
    fn save(&self, entry: &Entry, unit: &Unit) -> Option<String> {
        let file = self.options.witness.as_ref()?;
        let Some(specification) = self.property.competition(only_asserts(unit)) else {
            return Some(format!("no witness is written: the format has no property {}", self.property));
        };
        let file = of_property(file, self.property.name(), self.several);
        let input = &self.options.input;
        let model = if input.reading.ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let text = write(entry, &input.files, &specification, model);
        crate::output::check(&file, text.and_then(|text| std::fs::write(&file, text)));
        None
    }
}

/// Whether a program has assertions and no error functions.
fn only_asserts(unit: &Unit) -> bool {
    !calls(unit, "reach_error") && !calls(unit, "__VERIFIER_error") && calls(unit, "__assert_fail")
}
