//! Names and places of the source for what Yosys wrote as BTOR2.
//!
//! Yosys ends the lines of inputs and properties with a comment that says where they stand. A property without a label has its place for
//! a name. Registers and
//! memories have theirs in the netlist, by name.

use super::places::{Sources, range};
use super::rtlil::Module;
use crate::Source;
use rustc_hash::FxHashMap;
use tamis_design::Place;

/// Gives every signal and condition its place in the source, and properties without a label a name that is short.
pub fn from_source(source: &mut Source, text: &str, netlist: &[Module], sources: &mut Sources) {
    let lines: Vec<&str> = text.lines().collect();
    // A memory is a cell by now.
    let wires = netlist.iter().flat_map(|m| &m.wires).map(|(name, wire)| (name.as_str(), wire.src.as_str()));
    let cells = netlist.iter().flat_map(|m| &m.cells).map(|cell| (cell.name.as_str(), cell.src.as_str()));
    let declared: FxHashMap<&str, &str> =
        cells.chain(wires).map(|(name, src)| (name.trim_start_matches('\\'), src)).collect();
    let of_line = |place: &Option<Place>, sources: &mut Sources| -> Option<Place> {
        let line = lines.get(place.as_ref()?.line as usize - 1)?;
        let (_, comment) = line.rsplit_once(" ; ")?;
        range(comment.trim()).map(|r| sources.place(&r))
    };
    let design = &mut source.design;
    for signal in design.inputs.iter_mut().chain(design.registers.iter_mut().map(|r| &mut r.signal)) {
        let declared = declared.get(signal.name.as_str()).and_then(|src| range(src));
        signal.place = of_line(&signal.place, sources).or_else(|| declared.map(|r| sources.place(&r)));
    }
    for condition in design.properties.iter_mut().chain(&mut design.constraints) {
        let own = of_line(&condition.place, sources);
        let named = range(&condition.name).map(|r| (sources.place(&r), sources.text(&r)));
        condition.place = own.or_else(|| named.as_ref().map(|(place, _)| place.clone()));
        if let (Some((place, text)), Some(_)) = (named, &condition.place) {
            condition.name = match text {
                Some(text) => format!("{text} at {place}"),
                None => place.to_string(),
            };
        }
    }
}
