//! `tamis certify WITNESS PROGRAM`: whether a witness of any tool is right.

mod correctness;
mod execution;
mod search;
mod violation;

use crate::arguments::{CertifyOptions, InputOptions, PropertyChoice, ReadingOptions};
use crate::certify::Finding;
use crate::check::counterexample::lines;
use crate::formalism::c::input;
use crate::formalism::c::of_account;
use crate::formalism::c::property::{self, Property};
use crate::formalism::c::witness::find::Finder;
use crate::formalism::c::witness::monitor::{self, Monitor, Monitored, PREFIX};
use crate::formalism::c::witness::{self, Content, Expression, Witness};
use crate::hash::sha256;
use crate::limits::Limits;
use crate::refusal::{Refusal, one_line};
use crate::verdict::{ExitStatus, Verdict};
use search::Search;
use std::path::{Path, PathBuf};
use tamis_diagnostics::Diagnostic;
use tamis_front_c::tree::Unit;
use tamis_front_c::{DataModel, Refinement, Sources, Target};
use tamis_interpreter_c::account::Account;
use tamis_solver::Budget;

/// What is known about a witness, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conclusion {
    Confirmed(String),
    Refuted(String),
    Unknown(String),
}

/// Validates a witness.
pub fn decide(options: CertifyOptions, limits: Limits, budget: &Budget) -> Result<Finding, Refusal> {
    let witness = witness::read(&options.evidence).map_err(Refusal::unreadable)?;
    let mut input = InputOptions { files: options.files, reading: options.reading, design: options.design };
    if input.files.is_empty() {
        let name = options.evidence.display().to_string();
        let message = "a witness is checked against its program, which is not given";
        return Err(Refusal::unreadable(Diagnostic::about_file(name, message)));
    }
    input::resolve(&mut input)?;
    same_files(&witness, &input.files)?;
    let mut property = property(&witness, options.property.as_ref())?;
    same_data_model(&witness, &mut input.reading)?;
    if let Property::Unsupported(what) = &property {
        let reason = one_line(&format!("unsupported property: {what}"));
        return Ok(Finding::unknown(reason, ExitStatus::Unknown));
    }
    let reading = tamis_front_c::Options {
        target: property.target(),
        physical: true,
        ..input::reading(&input.reading)
    };
    let sources = Sources::read(&input.files, &reading)?;
    let mut unit = sources.unit()?;
    if let Property::Unreachable(Target::Call(name)) = &property
        && !witness::calls(&unit, name)
    {
        if !options.quiet {
            eprintln!("note: the program does not call {name}; all errors that it may reach count");
        }
        property = Property::Unreachable(Target::Errors);
        unit = sources.aimed(&Target::Errors, Refinement::default()).unit()?;
    }
    if sources.mentions(PREFIX) {
        let name = input.files[0].display().to_string();
        let message = format!("names that begin with {PREFIX} are ours");
        return Err(Refusal::unreadable(Diagnostic::about_file(name, message)));
    }
    let finder = Finder::new(&sources, &unit);
    let subject = Subject {
        witness: &witness,
        finder: &finder,
        property: &property,
        files: &input.files,
        quiet: options.quiet,
    };
    let search = Search { preset: &options.preset, budget, limits };
    let mut conclusion = subject.conclude(&search)?;
    if let (Conclusion::Confirmed(_), Some(what)) = (&conclusion, witness.skipped.first()) {
        conclusion = Conclusion::Unknown(format!("the rest is right, but {what} was not looked at"));
    }
    Ok(ending(&witness, &property, conclusion, options.quiet))
}

fn ending(witness: &Witness, property: &Property, conclusion: Conclusion, quiet: bool) -> Finding {
    let tell = |what: &str, why: &str| {
        if !quiet {
            eprintln!("{what}: {why}");
        }
    };
    let unknown = |reason: String| Finding::unknown(reason, ExitStatus::Unknown);
    match conclusion {
        Conclusion::Confirmed(how) => {
            tell("confirmed", &how);
            match witness.content {
                Content::Correctness(_) => Finding::accepted(),
                Content::Violation(_) => {
                    Finding { verdict: Verdict::False(property.name().to_owned()), status: ExitStatus::False }
                }
            }
        }
        Conclusion::Refuted(why) => {
            tell("refuted", &why);
            unknown(format!("witness refuted: {why}"))
        }
        Conclusion::Unknown(why) => {
            tell("unknown", &why);
            unknown(why)
        }
    }
}

/// What a witness is about.
pub struct Subject<'a> {
    pub witness: &'a Witness,
    pub finder: &'a Finder<'a>,
    pub property: &'a Property,
    pub files: &'a [PathBuf],
    pub quiet: bool,
}

impl Subject<'_> {
    fn conclude(&self, search: &Search<'_>) -> Result<Conclusion, Refusal> {
        match &self.witness.content {
            Content::Correctness(invariants) => correctness::validate(self, search, invariants),
            Content::Violation(sequences) => {
                // One of them is enough.
                let mut conclusion = Conclusion::Refuted("there is no sequence".to_owned());
                for segments in sequences {
                    conclusion = violation::validate(self, search, segments)?;
                    if matches!(conclusion, Conclusion::Confirmed(_)) {
                        break;
                    }
                }
                Ok(conclusion)
            }
        }
    }

    /// The program with code in it.
    fn monitored(
        &self,
        insert: impl FnOnce(&mut Monitor<'_>) -> Result<(), Diagnostic>,
    ) -> Result<Monitored, Refusal> {
        let mut monitor = Monitor::new(&self.witness.document, self.finder);
        insert(&mut monitor).map_err(Refusal::unreadable)?;
        Ok(monitor.finish(self.finder.sources))
    }

    /// A refusal of an expression.
    fn about(&self, expression: &Expression, message: &str) -> Refusal {
        Refusal::unreadable(self.witness.document.error(&expression.node, message))
    }

    /// Shows an execution.
    fn show(&self, account: &Account, unit: &Unit) {
        if !self.quiet {
            let rows = of_account::rows(unit, account, self.files, self.property);
            let rows: Vec<_> = rows.into_iter().filter(|row| !monitor::is_inserted_file(&row.file)).collect();
            lines::print(&rows, true, false);
        }
    }
}

/// The program must be the one that the witness is for.
fn same_files(witness: &Witness, files: &[PathBuf]) -> Result<(), Refusal> {
    let document = &witness.document;
    let wrong = |node, message: String| Err(Refusal::unreadable(document.error(node, message)));
    let said = &witness.task.files;
    if said.len() != files.len() {
        let message = format!("the witness is for {} files, and the program has {}", said.len(), files.len());
        return wrong(&document.root, message);
    }
    for file in files {
        let name = file.display().to_string();
        let base = |path: &str| Path::new(path).file_name().map(|name| name.to_os_string());
        let about = |message| Refusal::unreadable(Diagnostic::about_file(name.clone(), message));
        let same = |node: &crate::yaml::Node| node.scalar().and_then(base) == base(&name);
        let Some((node, hash)) = said.iter().find(|(node, _)| same(node)) else {
            return wrong(&said[0].0, format!("the witness is not for {name}"));
        };
        let Some(hash) = hash else { return wrong(node, "there is no hash of this file".to_owned()) };
        let bytes = std::fs::read(file).map_err(|e| about(format!("cannot be read: {e}")))?;
        if !hash.scalar().is_some_and(|hash| hash.eq_ignore_ascii_case(&sha256(&bytes))) {
            return wrong(
                hash,
                format!("{name} is not the file that the witness is for: its hash is another"),
            );
        }
    }
    Ok(())
}

/// The property of the witness, which must be the one that is asked for.
fn property(witness: &Witness, asked: Option<&PropertyChoice>) -> Result<Property, Refusal> {
    let asked = asked.map(input::properties).transpose()?.unwrap_or_default();
    if asked.len() > 1 {
        let message = "a witness is for one property, and several are asked for";
        return Err(Refusal::unreadable(witness.document.error(&witness.document.root, message)));
    }
    let asked = asked.into_iter().next();
    let Some(node) = &witness.task.specification else {
        return Ok(asked.unwrap_or(Property::Unreachable(Target::Errors)));
    };
    let text = node.scalar().unwrap_or_default();
    let said = if text.trim_start().starts_with("CHECK") {
        let several = property::parse(&witness.document.name, text);
        several.map_err(|d| Refusal::unreadable(witness.document.error(node, d.message)))?
    } else {
        vec![property::of_formula(text)]
    };
    let wrong = |message: String| Err(Refusal::unreadable(witness.document.error(node, message)));
    match asked {
        Some(asked) => match said.into_iter().find(|said| is_asked_for(said, &asked)) {
            Some(said) => Ok(said),
            None => wrong(format!("the witness is not for the property {asked}")),
        },
        None if said.len() > 1 => {
            wrong("the witness is for several properties: --property says which".to_owned())
        }
        None => Ok(said.into_iter().next().unwrap_or(Property::Unreachable(Target::Errors))),
    }
}

/// Whether a property of a witness is the one that is asked for. By its name, `unreach-call` is about error functions.
fn is_asked_for(said: &Property, asked: &Property) -> bool {
    let is_error = |target: &Target| match target {
        Target::Errors => true,
        Target::Call(name) => matches!(name.as_str(), "reach_error" | "__VERIFIER_error"),
        _ => false,
    };
    match (said, asked) {
        (Property::Unreachable(said), Property::Unreachable(Target::Errors)) => is_error(said),
        _ => said == asked,
    }
}

/// The data model of the witness counts, unless the command line says another.
fn same_data_model(witness: &Witness, reading: &mut ReadingOptions) -> Result<(), Refusal> {
    let Some((model, node)) = &witness.task.data_model else { return Ok(()) };
    let asked = match (reading.ilp32, reading.lp64) {
        (true, _) => Some(DataModel::Ilp32),
        (_, true) => Some(DataModel::Lp64),
        _ => None,
    };
    if asked.is_some_and(|asked| asked != *model) {
        let message = "the witness is for another data model";
        return Err(Refusal::unreadable(witness.document.error(node, message)));
    }
    reading.ilp32 = *model == DataModel::Ilp32;
    Ok(())
}
