//! A violation as a table of cycles.

use super::model::{Reduced, Violation};
use crate::check::counterexample::Table;
use crate::check::counterexample::cycles::{Kind, Word};
use tamis_design::{Signal, value_text};
use tamis_logic::Terms;

/// The words that the property depends on, in each cycle.
pub fn table(terms: &Terms, model: &Reduced, violation: &Violation) -> Table {
    let (_, name, place) = model.named();
    let inputs = model.cone.inputs.iter().map(|signal| (signal, Kind::Input));
    let registers = model.cone.registers.iter().map(|r| (&r.signal, Kind::Register));
    let shown: Vec<(&Signal, Kind)> = inputs.chain(registers).collect();
    let mut cycles = Vec::with_capacity(violation.run.cycles.len());
    for cycle in 0..violation.run.cycles.len() {
        let value =
            |(signal, _): &(&Signal, Kind)| value_text(&violation.run.value(terms, cycle, signal.term));
        cycles.push(shown.iter().map(value).collect());
    }
    Table {
        file: place.map(|p| p.file.to_string()).unwrap_or_default(),
        line: place.map_or(0, |p| p.line),
        violation: name.to_owned(),
        words: shown.iter().map(|(signal, kind)| Word { name: signal.name.clone(), kind: *kind }).collect(),
        cycles,
        loop_start: violation.start,
    }
}
