//! Contracts of functions and loops, woven into the text as C.
//!
//! As CBMC has them: a function's contract says what callers grant (`__CPROVER_requires`), what holds afterwards
//! (`__CPROVER_ensures`), and which memory it may change and free (`__CPROVER_assigns`, `__CPROVER_frees`). Enforced, the contract is a function
//! around the definition, and each assignment on the way is checked ([`frame`]); where it stands for calls, a
//! function in the place of the definition ([`functions`]). So search, interpreter and counterexample know it as any other code.
//! Without being asked, contracts of functions are left out, as CBMC does, and said to be.
//!
//! A loop's contract is [checked](loops) if that is asked for; else what it says is no more than a condition that the search
//! may guess as an invariant, which is then proved like any other.

mod clauses;
mod conditions;
pub(crate) mod frame;
mod functions;
mod loops;
mod targets;

pub(super) use clauses::without;

use super::replaced;
use super::words::Words;
use crate::lines::Lines;
use crate::load::Source;
use crate::options::{Contracts, Target};
use functions::{Contract, Declared, declarations};
use tamis_diagnostics::{Diagnostic, Error};

/// The texts of a program's units, with the contracts that are asked for.
pub(crate) fn woven(mut sources: Vec<Source>, contracts: &Contracts) -> Result<Vec<Source>, Error> {
    let asked =
        contracts.enforced.iter().map(|f| (f, true)).chain(contracts.replacing.iter().map(|f| (f, false)));
    for (number, (function, enforced)) in asked.enumerate() {
        weave(&mut sources, function, enforced, number)?;
    }
    for source in &mut sources {
        let text =
            loops::woven(&source.text, contracts.loops).map_err(|e| refuse(&source.name, &source.text, e))?;
        if let Some(text) = text {
            source.text = text;
        }
    }
    Ok(sources)
}

fn refuse(name: &str, text: &str, (byte, message): super::Refused) -> Error {
    let (lines, _) = Lines::new(name, text);
    Error::Unsupported(lines.diagnostic(byte as u32, message))
}

/// Puts one function's contract in its place.
fn weave(sources: &mut [Source], function: &str, enforced: bool, number: usize) -> Result<(), Error> {
    let texts: Vec<(String, String)> =
        sources.iter().map(|source| (source.name.clone(), source.text.clone())).collect();
    let words: Vec<Words<'_>> = texts.iter().map(|(_, text)| Words::of(text)).collect();
    let mut found: Vec<Vec<Declared>> = Vec::new();
    for ((name, text), words) in texts.iter().zip(&words) {
        found.push(declarations(words, function).map_err(|e| refuse(name, text, e))?);
    }
    let failed = |message: String| {
        Err(Error::Unreadable(Diagnostic::about_file(
            texts.first().map_or("", |(name, _)| name.as_str()),
            message,
        )))
    };
    // The contract is in the unit that defines the function, or else in the first one that has one.
    let with_clauses = |unit: usize| found[unit].iter().find(|d| !d.clauses.is_empty());
    let homes: Vec<usize> = (0..texts.len())
        .filter(|&unit| with_clauses(unit).is_some() && found[unit].iter().any(Declared::is_defined))
        .collect();
    let first = (0..texts.len()).find(|&unit| with_clauses(unit).is_some());
    let is_static = |unit: usize| found[unit].iter().any(|d| d.is_static(&words[unit]));
    let homes: Vec<usize> = match homes.first() {
        Some(&home) if is_static(home) => homes,
        Some(&home) => vec![home],
        None => first.into_iter().collect(),
    };
    if homes.is_empty() {
        return failed(format!("there is no contract of `{function}`"));
    }
    if enforced && !found.iter().flatten().any(Declared::is_defined) {
        return failed(format!("there is no definition of `{function}`, whose contract is to be enforced"));
    }
    for unit in 0..texts.len() {
        let mut pieces = Vec::new();
        for declared in found[unit].iter().filter(|d| d.is_defined()) {
            pieces.extend(match enforced {
                true => declared.renamed(&words[unit], function),
                false => declared.removed(&words[unit]),
            });
        }
        // What is woven is no longer left out.
        for clause in found[unit].iter().flat_map(|declared| &declared.clauses) {
            pieces.push((clause.bytes(&words[unit]), String::new()));
        }
        pieces.sort_by_key(|(range, _)| range.start);
        let (name, text) = &texts[unit];
        let mut new = replaced(text, &pieces);
        if homes.contains(&unit)
            && let Some(declared) = with_clauses(unit)
        {
            let lines = Lines::new(name, text).0;
            let set = sources[unit].options.target == Target::Values;
            let contract = Contract { words: &words[unit], lines: &lines, function, declared, number, set };
            let code = if enforced { contract.enforced() } else { contract.replacement() };
            new.push_str(&code.map_err(|e| refuse(name, text, e))?);
        }
        sources[unit].text = new;
    }
    Ok(())
}
