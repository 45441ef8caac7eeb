//! Places of the source for the signals that Yosys wrote as BTOR2.
//!
//! Yosys ends the lines of inputs with a comment that says where they stand. Registers and memories have theirs in the
//! netlist, by name.

use super::places::{Sources, range};
use super::rtlil::Module;
use rustc_hash::FxHashMap;
use tamis_design::{Design, Place};

/// Gives every signal its place in the source.
pub fn places(design: &mut Design, text: &str, netlist: &[Module], sources: &mut Sources) {
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
    for signal in design.inputs.iter_mut().chain(design.registers.iter_mut().map(|r| &mut r.signal)) {
        let declared = declared.get(signal.name.as_str()).and_then(|src| range(src));
        signal.place = of_line(&signal.place, sources).or_else(|| declared.map(|r| sources.place(&r)));
    }
}
