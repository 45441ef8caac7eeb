//! Designs from the files and options of the command line.

use super::Rtl;
use super::property::{Kind, Property};
use crate::arguments::{CertifyOptions, CheckOptions, InputOptions, PropertyChoice, ReplayKind};
use crate::formalism::Formalism;
use crate::formalism::certificate::folder;
use crate::refusal::Refusal;
use std::time::Instant;
use tamis_diagnostics::Diagnostic;
use tamis_front_rtl::{FileList, Options, Source, file_list};
use tamis_logic::Terms;

/// Whether the input is a design, as the names of its files tell.
pub fn is_design(input: &InputOptions) -> Result<bool, Refusal> {
    let mut of_designs = input.files.iter().filter(|file| tamis_front_rtl::is_design(file));
    let other = input.files.iter().find(|file| !tamis_front_rtl::is_design(file));
    match (of_designs.next(), other) {
        (Some(design), Some(other)) => Err(Refusal::usage(format!(
            "{} is a file of a hardware design, and {} is none: they cannot be checked together",
            design.display(),
            other.display()
        ))),
        (Some(_), None) => Ok(true),
        (None, Some(_)) => Ok(false),
        (None, None) => Ok(!input.design.lists.is_empty()),
    }
}

/// Whether evidence is about a design: as the names of files tell, or the certificate's own manifest.
pub fn is_design_evidence(options: &CertifyOptions) -> bool {
    if let Some(first) = options.files.first() {
        return tamis_front_rtl::is_design(first);
    }
    let text = folder::read(&options.evidence, folder::MANIFEST).unwrap_or_default();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    !options.design.lists.is_empty() || manifest["formalism"] == Rtl::NAME
}

/// What only programs have is not asked of a design.
pub fn only_designs(options: &CheckOptions) -> Result<(), Refusal> {
    let reading = &options.input.reading;
    let given = [
        ("--32", reading.ilp32),
        ("--64", reading.lp64),
        ("-U", !reading.undefine.is_empty()),
        ("--include", !reading.before.is_empty()),
        ("--no-execution", options.no_execution),
        ("--unwind", options.unwind.is_some()),
        ("--harness", options.harness.is_some()),
        ("--replay native", options.replay == ReplayKind::Native),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => {
            Err(Refusal::usage(format!("{option} is for C programs, not for hardware designs")))
        }
        None => Ok(()),
    }
}

/// Puts the files that lists name among the others.
pub fn resolve(input: &mut InputOptions) -> Result<(), Refusal> {
    for list in std::mem::take(&mut input.design.lists) {
        let FileList { files, include, define } = file_list(&list)?;
        input.files.extend(files);
        input.reading.include.extend(include);
        input.reading.define.extend(define);
    }
    if input.files.is_empty() {
        return Err(Refusal::unreadable(Diagnostic::about_file("", "the lists name no file")));
    }
    Ok(())
}

/// Reads the design, until a deadline if there is one.
pub fn load(input: &InputOptions, terms: &mut Terms, deadline: Option<Instant>) -> Result<Source, Refusal> {
    let options = Options {
        top: input.design.top.clone(),
        include: input.reading.include.clone(),
        define: input.reading.define.clone(),
        deadline,
        ..Options::default()
    };
    tamis_front_rtl::load(terms, &input.files, &options).map_err(Refusal::from)
}

/// The properties that are chosen, or all there are.
pub fn properties(source: &Source, chosen: &[PropertyChoice]) -> Result<Vec<Property>, Refusal> {
    let safety = source.design.properties.iter().enumerate();
    let safety = safety.map(|(i, p)| Property::checked(&p.name, Kind::Safety(i)));
    let liveness = source.design.justice.iter().enumerate();
    let liveness = liveness.map(|(i, j)| Property::checked(&j.name, Kind::Liveness(i)));
    let of_verilog = source.liveness.iter().map(|name| (name, "unsupported: liveness"));
    let others = source.unchecked.iter().map(|p| (&p.name, p.why.as_str()));
    let unchecked = of_verilog.chain(others).map(|(name, why)| Property::unchecked(name, why));
    let all: Vec<Property> = safety.chain(liveness).chain(unchecked).collect();
    if chosen.is_empty() {
        return Ok(all);
    }
    let mut wanted: Vec<Property> = Vec::new();
    for choice in chosen {
        let name = match choice {
            PropertyChoice::Named(name) => name,
            PropertyChoice::File(file) => {
                let file = file.display();
                return Err(Refusal::usage(format!(
                    "{file}: property files are for C programs, not for hardware designs"
                )));
            }
        };
        let before = wanted.len();
        // Names come first; what no property is called may be its number, as witnesses have it.
        let is_named = all.iter().any(|p| p.name == *name);
        let is_meant = |p: &Property| if is_named { p.name == *name } else { number(source, p) == *name };
        wanted.extend(all.iter().filter(|p| is_meant(p) && !wanted.contains(p)).cloned().collect::<Vec<_>>());
        if wanted.len() == before && !wanted.iter().any(is_meant) {
            let names: Vec<&str> = all.iter().map(|p| p.name.as_str()).take(SHOWN).collect();
            let more = if all.len() > SHOWN { ", …" } else { "" };
            let names = names.join(", ");
            return Err(Refusal::usage(format!("{name}: no such property; the design has {names}{more}")));
        }
    }
    Ok(wanted)
}

/// A property as witnesses name it: `b0` is the first bad state, `j0` the first justice property.
fn number(source: &Source, property: &Property) -> String {
    match property.kind {
        Kind::Safety(place) => format!("b{}", source.design.properties[place].number),
        Kind::Liveness(place) => format!("j{}", source.design.justice[place].number),
        Kind::Unchecked => String::new(),
    }
}

/// So many properties are named where one is not found.
const SHOWN: usize = 20;
