//! `certificate.json`.

use super::{Proof, Subject};
use crate::formalism::c::property::Property;
use crate::formalism::certificate::SourceFile;
use crate::formalism::certificate::folder::{self, MAX_CONDITIONS, is_condition};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;
use tamis_evidence::Exhaustion;
use tamis_front_c::{Refinement, Target};
use tamis_interpreter_c::Execution;
use tamis_specification::{Specification, Strategy};

/// What tells a certificate from other JSON.
const FORMAT: &str = "tamis certificate";

/// Induction over more ways is not looked at: its conditions grow with their number.
const MAX_WAYS: usize = 1000;

/// The version of the format.
const VERSION: u32 = 1;

/// What a folder's conditions are of, and which they are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    /// The version of Tamis that wrote it.
    pub tamis: String,
    pub files: Vec<SourceFile>,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    pub property: String,
    /// What must not be reached: `errors`, `label`, `call NAME`, or `nothing` where undefined behaviour is the violation.
    pub target: String,
    /// Where the property is a specification, what it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specification: Option<SpecificationEntry>,
    /// The verdict; conditions there are only for `true`.
    pub verdict: String,
    /// Whether allocations may fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub malloc_may_fail: bool,
    /// How many times recursion was unfolded deeper.
    pub unfolding: u32,
    /// Whether arrays within structures were not apart from the members around them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undivided: bool,
    /// Whether the program was simplified before it was searched.
    pub simplified: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<InvariantEntry>,
    /// In a proof by exhaustion, where loops end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exhaustion: Option<ExhaustionEntry>,
    /// In a proof by induction, what is claimed; the invariants are its facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub induction: Option<InductionEntry>,
    /// In a proof by the program's only execution, what it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<ExecutionEntry>,
    pub conditions: Vec<Entry>,
}

/// A specification, whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecificationEntry {
    /// `rules`, `machines` or `temporal`.
    pub language: String,
    /// The file that it is from.
    pub file: String,
    /// The text of that file.
    pub text: String,
    /// How the machine chooses that simulates the program: which call, which state and action, which answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Vec<[usize; 3]>>,
}

impl SpecificationEntry {
    fn new(specification: &Specification) -> SpecificationEntry {
        SpecificationEntry {
            language: specification.language.name().to_owned(),
            file: specification.file.clone(),
            text: specification.text.to_string(),
            strategy: specification.strategy.as_ref().map(|Strategy(chosen)| {
                chosen.iter().map(|(&(site, what), &answer)| [site, what, answer]).collect()
            }),
        }
    }

    /// The specification of a name.
    fn named(&self, name: &str) -> Result<Specification, String> {
        let found = Specification::read_all(&self.language, &self.file, &self.text)?;
        let found = found.into_iter().find(|specification| specification.name == name);
        let found =
            found.ok_or_else(|| format!("there is no specification `{}` in it", name.escape_debug()))?;
        match &self.strategy {
            None => Ok(found),
            Some(chosen) => {
                let chosen = chosen.iter().map(|&[site, what, answer]| ((site, what), answer));
                let strategy = Strategy(chosen.collect());
                found.with_strategy(strategy).ok_or_else(|| "there is no such strategy".to_owned())
            }
        }
    }
}

/// All executions, followed to their ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExhaustionEntry {
    /// The returns to loops with which no execution comes back, in order.
    pub last: Vec<usize>,
    /// How many returns there are.
    pub returns: usize,
}

impl From<&Exhaustion> for ExhaustionEntry {
    fn from(Exhaustion { last, returns }: &Exhaustion) -> ExhaustionEntry {
        ExhaustionEntry { last: last.clone(), returns: *returns }
    }
}

/// Induction over ways between cutpoints.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InductionEntry {
    /// How many ways.
    pub k: usize,
    /// Whether no state is passed twice.
    pub simple_path: bool,
}

/// The only execution of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecutionEntry {
    /// How many statements it has.
    pub statements: u64,
    /// A number that stands for these statements, in their order, to the base 16.
    pub course: String,
}

impl ExecutionEntry {
    pub fn new(execution: &Execution) -> ExecutionEntry {
        ExecutionEntry { statements: execution.steps, course: format!("{:016x}", execution.course) }
    }
}

/// A location of the program that was searched, and where it is in the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct At {
    pub location: usize,
    pub file: String,
    pub line: u32,
    pub function: String,
}

/// An invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvariantEntry {
    pub at: At,
    pub smtlib: String,
    /// As a C expression, where that is not too long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<String>,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub file: String,
    pub sha256: String,
    /// `initiation`, `consecution`, `safety`, `exhaustion`, `base` or `step`.
    pub kind: String,
    pub from: At,
    pub to: At,
}

impl Manifest {
    /// A manifest that has everything but invariants and conditions.
    pub fn new(files: Vec<SourceFile>, data_model: &str, subject: &Subject, verdict: String) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            tamis: env!("CARGO_PKG_VERSION").to_owned(),
            files,
            data_model: data_model.to_owned(),
            property: subject.property.name().to_owned(),
            target: target_text(&subject.property.target()),
            specification: subject.property.specification().map(SpecificationEntry::new),
            verdict,
            malloc_may_fail: false,
            unfolding: subject.refinement.deepened,
            undivided: subject.refinement.undivided,
            simplified: subject.simplified,
            invariants: Vec::new(),
            exhaustion: None,
            induction: None,
            execution: None,
            conditions: Vec::new(),
        }
    }

    /// Reads a manifest; `Err` says what is wrong with it.
    fn read(text: &str) -> Result<Manifest, String> {
        let manifest: Manifest = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if manifest.format != FORMAT {
            return Err(format!("the format is not `{FORMAT}`"));
        }
        if manifest.version != VERSION {
            return Err(format!("version {} of the format is not known, only {VERSION}", manifest.version));
        }
        if manifest.conditions.len() > MAX_CONDITIONS {
            return Err(format!("more than {MAX_CONDITIONS} conditions"));
        }
        if manifest.unfolding > Refinement::DEEPEST {
            return Err(format!("recursion is never unfolded {} times deeper", manifest.unfolding));
        }
        let mut names = HashSet::new();
        for entry in &manifest.conditions {
            if !is_condition(&entry.file) {
                return Err(format!("`{}` is no name of a condition's file", entry.file.escape_debug()));
            }
            if !names.insert(&*entry.file) {
                return Err(format!("{} is named twice", entry.file));
            }
        }
        let mut locations = HashSet::new();
        if let Some(twice) = manifest.invariants.iter().find(|i| !locations.insert(i.at.location)) {
            return Err(format!("two invariants at location {}", twice.at.location));
        }
        let by_invariants = !manifest.invariants.is_empty() || manifest.induction.is_some();
        let kinds = [manifest.execution.is_some(), manifest.exhaustion.is_some(), by_invariants];
        if manifest.induction.as_ref().is_some_and(|induction| induction.k > MAX_WAYS) {
            return Err(format!("induction over more than {MAX_WAYS} ways"));
        }
        if kinds.iter().filter(|kind| **kind).count() > 1 {
            return Err("it is of more than one kind".to_owned());
        }
        if manifest.execution.is_some() && !manifest.conditions.is_empty() {
            return Err("the program's only execution has no conditions".to_owned());
        }
        manifest.subject().map(|_| manifest)
    }

    /// What the proof is of.
    pub fn subject(&self) -> Result<Subject, String> {
        let specified = match &self.specification {
            Some(entry) => Some(Property::Specified(Arc::new(entry.named(&self.property)?))),
            None => Property::named(&self.property),
        };
        let property = match specified {
            Some(property @ Property::Specified(_)) if self.target == target_text(&property.target()) => {
                property
            }
            Some(Property::Unreachable(_)) => Property::Unreachable(target(&self.target)?),
            Some(property @ (Property::Defined(_) | Property::Memory(_)))
                if self.target == target_text(&property.target()) =>
            {
                property
            }
            Some(Property::Defined(_) | Property::Memory(_)) => {
                return Err(format!("{} has no such target", self.property));
            }
            _ => return Err(format!("`{}` is no property with proofs", self.property.escape_debug())),
        };
        let refinement = Refinement { deepened: self.unfolding, undivided: self.undivided };
        Ok(Subject { property, refinement, simplified: self.simplified })
    }

    /// The proof.
    pub fn proof(&self) -> Proof {
        match (&self.exhaustion, &self.execution) {
            (_, Some(ExecutionEntry { statements, course })) => {
                let course = u64::from_str_radix(course, 16).unwrap_or_default();
                Proof::Execution(Execution { steps: *statements, course, violates: false })
            }
            (Some(ExhaustionEntry { last, returns }), None) => {
                Proof::Exhaustion(Exhaustion { last: last.clone(), returns: *returns })
            }
            (None, None) => {
                let formula = |i: &InvariantEntry| (i.at.location, i.smtlib.clone());
                let formulas = self.invariants.iter().map(formula).collect();
                match self.induction {
                    Some(InductionEntry { k, simple_path }) => {
                        Proof::KInduction { k, simple_path, facts: formulas }
                    }
                    None => Proof::Invariants(formulas),
                }
            }
        }
    }
}

impl folder::Manifest for Manifest {
    type Entry = Entry;

    fn parse(text: &str) -> Result<Manifest, String> {
        Manifest::read(text)
    }

    fn conditions(&self) -> &[Entry] {
        &self.conditions
    }

    fn file(entry: &Entry) -> (&str, &str) {
        (&entry.file, &entry.sha256)
    }
}

fn target_text(target: &Target) -> String {
    match target {
        Target::Errors => "errors".to_owned(),
        Target::Label => "label".to_owned(),
        Target::Call(function) => format!("call {function}"),
        Target::Nothing => "nothing".to_owned(),
        Target::Values => "values".to_owned(),
        Target::Memory => "memory".to_owned(),
        Target::Pointers => "pointers".to_owned(),
    }
}

fn target(text: &str) -> Result<Target, String> {
    match text {
        "errors" => Ok(Target::Errors),
        "label" => Ok(Target::Label),
        _ => match text.strip_prefix("call ") {
            Some(function) => Ok(Target::Call(function.to_owned())),
            None => Err(format!("`{}` is no target", text.escape_debug())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_survive_the_way_through_a_manifest() {
        for (target, deepened) in [(Target::Errors, 0), (Target::Label, 2), (Target::Call("f".to_owned()), 1)]
        {
            let property = Property::Unreachable(target);
            let refinement = Refinement { deepened, undivided: deepened > 1 };
            let subject = Subject { property, refinement, simplified: deepened > 0 };
            let manifest = Manifest::new(Vec::new(), "LP64", &subject, "true".to_owned());
            let text = serde_json::to_string(&manifest).expect("a text");
            assert_eq!(Manifest::read(&text).and_then(|m| m.subject()), Ok(subject));
        }
    }
}
