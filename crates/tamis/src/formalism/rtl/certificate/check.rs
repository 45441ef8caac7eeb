//! A certificate's folder, checked again: each condition by a solver, and all of them against the design.

use super::manifest::Manifest;
use super::rebuild::{Failure, Rebuilt, rebuild};
use crate::arguments::{CertifyOptions, InputOptions, PropertyChoice};
use crate::certify::Finding;
use crate::formalism::certificate::{Folder, Judge, counted, same_script};
use crate::formalism::rtl::input;
use crate::hash::sha256;
use crate::limits::Limits;
use crate::verdict::ExitStatus;
use std::time::Instant;
use tamis_solver::Budget;

/// Checks a folder.
pub fn check(options: &CertifyOptions, limits: Limits, budget: &Budget, start: Instant) -> Finding {
    let judge = Judge { options, limits, budget, start };
    checked(options, &judge).unwrap_or_else(|finding| finding)
}

fn checked(options: &CertifyOptions, judge: &Judge<'_>) -> Result<Finding, Finding> {
    let decider = judge.decider()?;
    let name = options.evidence.display();
    let folder: Folder<Manifest> =
        Folder::open(&options.evidence).map_err(|why| Finding::refused(format!("{name}: {why}")))?;
    let manifest = &folder.manifest;
    claim(options, judge, manifest)?;
    let Some(words) = manifest.proof.as_ref().filter(|_| manifest.verdict == "true") else {
        let verdict = manifest.verdict.escape_debug();
        return Ok(Finding::unknown(format!("no proof: the verdict was {verdict}"), ExitStatus::Unknown));
    };
    let count = manifest.conditions.len();
    if count == 0 {
        return Err(Finding::refused(format!("{name}: a proof without conditions")));
    }
    let rebuilt = match options.files.is_empty() {
        true => None,
        false => {
            let input = given(options, manifest)?;
            let rebuilt = rebuild(&input, (&manifest.property, manifest.kind()), words).map_err(failed)?;
            if rebuilt.conditions.len() != count {
                let needs = rebuilt.conditions.len();
                return Err(others(&format!("{count} conditions, and it takes {needs}")));
            }
            Some(rebuilt)
        }
    };
    let finding = judge.conditions(&decider, count, |i| {
        let (entry, text) = folder.condition(i).map_err(Finding::refused)?;
        let is_same = |rebuilt: &Rebuilt| {
            let (purpose, script) = rebuilt.script(i);
            entry.kind == purpose && same_script(&script, &text)
        };
        match rebuilt.as_ref().is_none_or(is_same) {
            true => Ok((entry.file.clone(), text)),
            false => Err(others(&entry.file)),
        }
    })?;
    if finding.status == ExitStatus::True {
        let anew = if rebuilt.is_some() { ", made anew from the design" } else { "" };
        judge.say(&format!("checked: {}{anew}", counted(count)));
        if rebuilt.is_none() {
            judge.say(
                "not checked: that these are the conditions of the design; for that, give its files too",
            );
        }
    }
    Ok(finding)
}

/// Says what the certificate claims, unless that is not what is asked.
fn claim(options: &CertifyOptions, judge: &Judge<'_>, manifest: &Manifest) -> Result<(), Finding> {
    let files: Vec<&str> = manifest.files.iter().map(|f| &*f.name).collect();
    let property = manifest.property.escape_debug();
    judge.say(&format!("claim: {property} holds of {}", files.join(", ").escape_debug()));
    match &options.property {
        Some(PropertyChoice::Named(name)) if *name == manifest.property => Ok(()),
        Some(_) => Err(Finding::refused(format!("the certificate is of another property, {property}"))),
        None => Ok(()),
    }
}

/// The design that is given, which must be the one that the certificate names, read as it says.
fn given(options: &CertifyOptions, manifest: &Manifest) -> Result<InputOptions, Finding> {
    let mut input = InputOptions {
        files: options.files.clone(),
        reading: options.reading.clone(),
        design: options.design.clone(),
    };
    input::resolve(&mut input).map_err(refused)?;
    input.design.top = manifest.top.clone();
    input.reading.include = manifest.include.clone();
    input.reading.define = manifest.define.clone();
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

fn failed(failure: Failure) -> Finding {
    match failure {
        Failure::Refused(refusal) => refused(refusal),
        Failure::NoProof(why) => {
            Finding::refused(format!("the certificate is no proof of the design: {why}"))
        }
    }
}

fn others(what: &str) -> Finding {
    Finding::refused(format!(
        "these are not the conditions of the design (as this version, {}, makes them): {what}",
        env!("CARGO_PKG_VERSION")
    ))
}

/// The input was refused.
fn refused(refusal: crate::refusal::Refusal) -> Finding {
    refusal.print();
    Finding::unknown(refusal.reason(), refusal.status())
}
