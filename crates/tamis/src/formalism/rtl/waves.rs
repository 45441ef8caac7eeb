//! Violations as waveforms (VCD), as viewers show them.

use super::model::{Reduced, Violation};
use super::witness::binary;
use std::collections::BTreeMap;
use std::io::{self, Write};
use tamis_design::Signal;
use tamis_logic::{Bits, Terms, Value};
use vcd::{IdCode, TimescaleUnit, Writer};

/// A cycle is so long, in units of the timescale, so that there is room for both edges of a clock.
const CYCLE: u64 = 10;

/// A wire: its code, and what it is of.
struct Wire<'a> {
    code: IdCode,
    signal: &'a Signal,
    /// The element, of a memory.
    element: Option<Value>,
    /// What it showed last.
    last: String,
}

/// Writes all words of the design; of large memories, the elements that the execution names. `violation_of_…` rises in the cycle that
/// violates the property, or in which the loop starts that does.
pub fn write(terms: &Terms, model: &Reduced, violation: &Violation, to: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new(to);
    let property = model.named().1;
    let last = violation.run.cycles.len() - 1;
    writer.comment(&match violation.start {
        None => format!("violates {} in cycle {last}", plain(property)),
        Some(start) => format!("violates {}: after cycle {last} comes cycle {start} again", plain(property)),
    })?;
    writer.timescale(1, TimescaleUnit::NS)?;
    writer.add_module("design")?;
    let marker = writer.add_wire(1, &format!("violation_of_{}", plain(property)))?;
    let mut wires = declare(terms, model, violation, &mut writer)?;
    writer.upscope()?;
    writer.enddefinitions()?;
    let marked = violation.start.unwrap_or(last);
    for (cycle, values) in violation.run.cycles.iter().enumerate() {
        writer.timestamp(cycle as u64 * CYCLE)?;
        if cycle == 0 || cycle == marked {
            writer.change_scalar(marker, cycle >= marked)?;
        }
        for wire in &mut wires {
            let mut value = terms.eval(wire.signal.term, values);
            if let (Value::Array(array), Some(element)) = (&value, &wire.element) {
                value = array.select(element).clone();
            }
            let digits = binary(&value);
            if digits != wire.last {
                let bit = |c: char| if c == '1' { vcd::Value::V1 } else { vcd::Value::V0 };
                writer.change_vector(wire.code, digits.chars().map(bit))?;
                wire.last = digits;
            }
        }
    }
    writer.timestamp((last as u64 + 1) * CYCLE)
}

/// Declares the wires, those of one module together: dots in names are modules.
fn declare<'a>(
    terms: &Terms,
    model: &'a Reduced,
    violation: &Violation,
    writer: &mut Writer<&mut dyn Write>,
) -> io::Result<Vec<Wire<'a>>> {
    let mut modules: BTreeMap<Vec<String>, Vec<(&Signal, String)>> = BTreeMap::new();
    for signal in model.whole.signals() {
        let mut path: Vec<String> = plain(&signal.name).split('.').map(str::to_owned).collect();
        let name = path.pop().unwrap_or_default();
        modules.entry(path).or_default().push((signal, name));
    }
    let mut wires = Vec::new();
    for (path, signals) in modules {
        path.iter().try_for_each(|module| writer.add_module(module))?;
        for (signal, name) in signals {
            let sort = terms.sort(signal.term);
            let Some((_, element)) = terms.array_parts(sort) else {
                let code = writer.add_wire(sort.width().unwrap_or(1), &name)?;
                wires.push(Wire { code, signal, element: None, last: String::new() });
                continue;
            };
            for index in elements(terms, violation, signal) {
                let shown = format!("{name}[{}]", tamis_design::value_text(&index));
                let code = writer.add_wire(element.width().unwrap_or(1), &shown)?;
                wires.push(Wire { code, signal, element: Some(index), last: String::new() });
            }
        }
        path.iter().try_for_each(|_| writer.upscope())?;
    }
    Ok(wires)
}

/// All elements of a memory are shown if its indices have so many bits.
const SMALL: u32 = 6;

/// All elements of a small memory; of another, those that are named in some cycle.
fn elements(terms: &Terms, violation: &Violation, memory: &Signal) -> Vec<Value> {
    let index = terms.array_parts(terms.sort(memory.term)).and_then(|(index, _)| index.width());
    if let Some(width) = index.filter(|width| *width <= SMALL) {
        return (0..1u128 << width).map(|i| Value::Bits(Bits::new(width, i))).collect();
    }
    let mut found: Vec<Value> = Vec::new();
    for values in &violation.run.cycles {
        if let Value::Array(array) = terms.eval(memory.term, values) {
            found.extend(array.entries().map(|(index, _)| index.clone()));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A name in the header is a word.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || c == '$' || c.is_control() { '_' } else { c }).collect()
}
