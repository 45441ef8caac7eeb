//! Assertions and assumptions, which get numbers before Yosys takes them through its passes and are known by these afterwards.
//!
//! Assumptions pass as assertions: Yosys writes the names of assertions only. Each has to come out once for each instance
//! of its module. Yosys leaves out what a pass does not know, and an assertion that got lost would be a proof of nothing.

use super::places::{Sources, range};
use super::rtlil::Module;
use super::{sampled, sva};
use rustc_hash::FxHashMap;
use tamis_design::{Condition, Design, Place};
use tamis_logic::Terms;

/// What the names of the cells start with.
const PREFIX: &str = "tamis_check_";

/// An assertion or assumption of a module.
#[derive(Debug)]
pub struct Check {
    kind: Kind,
    /// The label, or what it says.
    name: String,
    place: Option<Place>,
    /// Whether a clock samples it.
    sampled: bool,
    /// How many instances of its module there are.
    instances: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Assertion,
    Assumption,
}

/// The assertions that have monitors, by the names of these.
pub type Monitors = FxHashMap<String, Monitored>;

/// An assertion that has a monitor.
#[derive(Debug)]
pub struct Monitored {
    /// The user's label, or what it says.
    pub name: String,
    pub place: Place,
    /// Whether a clock samples it.
    pub sampled: bool,
}

/// Numbers the assertions and assumptions of a netlist. The lines stay where they are.
pub fn number(
    text: &str,
    modules: &[Module],
    instances: &FxHashMap<&str, usize>,
    monitors: &Monitors,
    sources: &mut Sources,
) -> (String, Vec<Check>) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut checks = Vec::new();
    for module in modules {
        let instances = instances.get(module.name.as_str()).copied().unwrap_or(0);
        for cell in &module.cells {
            let kind = match cell.check() {
                "assert" => Kind::Assertion,
                "assume" => Kind::Assumption,
                _ => continue,
            };
            let cell_kind = if cell.kind == "$check" { "$check" } else { "$assert" };
            lines[cell.line] = format!("  cell {cell_kind} \\{PREFIX}{}", checks.len());
            if let Some(line) = cell.flavor_line {
                lines[line] = "    parameter \\FLAVOR \"assert\"".to_owned();
            }
            let range = range(&cell.src);
            let place = range.as_ref().map(|r| sources.place(r));
            let sampled = cell.triggered || module.registers.contains(&cell.enable);
            let (name, place, sampled) = match (monitor(&cell.input, monitors), &range, &place) {
                (Some((name, monitored)), ..) => (name, Some(monitored.place.clone()), monitored.sampled),
                (None, Some(range), Some(at)) if !cell.name.starts_with('\\') => {
                    (sources.text(range).unwrap_or_else(|| at.to_string()), place, sampled)
                }
                _ => (cell.name.trim_start_matches('\\').to_owned(), place, sampled),
            };
            checks.push(Check { kind, name, place, sampled, instances });
        }
    }
    (lines.join("\n") + "\n", checks)
}

/// The assertion whose monitor has this wire, and its name behind the `generate` blocks that it is in. Blocks of ours are left
/// out.
fn monitor<'a>(wire: &str, monitors: &'a Monitors) -> Option<(String, &'a Monitored)> {
    let wire = wire.strip_prefix('\\')?.strip_suffix(sva::OK)?;
    let (blocks, own) = wire.rsplit_once('.').unwrap_or(("", wire));
    let monitored = monitors.get(own)?;
    let blocks = blocks.split('.').filter(|block| !block.is_empty() && !block.starts_with(sva::PREFIX));
    let path: Vec<&str> = blocks.chain([monitored.name.as_str()]).collect();
    Some((path.join("."), monitored))
}

/// Tells the properties of a design, as Yosys named them, apart again into properties and constraints, in the order of
/// the source. With `edges`, what a clock samples is moved to the cycle that it is about.
///
/// # Errors
/// The check that did not come out once for each instance, and how often it did.
pub fn tell_apart<'a>(
    terms: &mut Terms,
    design: &mut Design,
    checks: &'a [Check],
    edges: bool,
) -> Result<(), (&'a Check, usize)> {
    let mut found: Vec<(usize, String, Condition)> = Vec::new();
    for condition in design.properties.drain(..) {
        let Some((path, number)) = condition.name.rsplit_once(PREFIX) else { continue };
        let Some(number) = number.parse().ok().filter(|&n: &usize| n < checks.len()) else { continue };
        found.push((number, path.trim_end_matches('.').to_owned(), condition));
    }
    for (number, check) in checks.iter().enumerate() {
        let count = found.iter().filter(|(n, ..)| *n == number).count();
        if count != check.instances {
            return Err((check, count));
        }
    }
    let place = |number: usize| checks[number].place.as_ref();
    found.sort_by(|a, b| (place(a.0), &a.1, a.0).cmp(&(place(b.0), &b.1, b.0)));
    for (number, path, mut condition) in found {
        let check = &checks[number];
        if edges && check.sampled {
            sampled::move_back(terms, design, &mut condition);
        }
        condition.name = match path.as_str() {
            "" => check.name.clone(),
            path => format!("{path}: {}", check.name),
        };
        condition.place = check.place.clone();
        let list = match check.kind {
            Kind::Assertion => &mut design.properties,
            Kind::Assumption => &mut design.constraints,
        };
        condition.number = list.len();
        if check.kind == Kind::Assumption {
            condition.term = terms.not(condition.term);
        }
        list.push(condition);
    }
    Ok(())
}

impl Check {
    /// What to say of a check of which some got lost.
    pub fn lost(&self, count: usize, version: &str) -> (String, Option<&Place>) {
        let what = if self.kind == Kind::Assertion { "assertion" } else { "assumption" };
        let message = format!(
            "the {what} `{}` is in {} instances, and Yosys {version} leaves it in {count}",
            self.name, self.instances
        );
        (message, self.place.as_ref())
    }
}
