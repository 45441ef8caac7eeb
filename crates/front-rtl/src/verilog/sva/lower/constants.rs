//! Delays and ranges that are no literal numbers: parameters, variables of `generate`, expressions of them.
//!
//! What they are is known when the design is elaborated, and it may be something else in each instance. So the file is
//! lowered twice. First the constants become a wire in the place of the assertion, and Yosys tells its values. Then there is a
//! monitor for each of the values, chosen by `generate`; a value that was not told would be an instance of a module that is nowhere.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The constants of an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The name of the wire.
    pub wire: String,
    /// How many constants it has, 32 bits each, the first lowest.
    pub count: usize,
}

/// The values of constants, by the names of their wires.
pub type Values = FxHashMap<String, BTreeSet<Vec<u32>>>;

/// The most values of the constants of one assertion.
pub const MAX_VALUES: usize = 256;

/// The constants as parameters.
pub fn parameters(label: &str, constants: &[String]) -> String {
    let mut text = String::new();
    for (i, constant) in constants.iter().enumerate() {
        let _ = write!(text, "localparam [31:0] {label}_c{i} = {constant}; ");
    }
    text
}

impl Probe {
    /// The wire of the constants of an assertion, and its text.
    pub fn new(label: &str, constants: &[String]) -> (Probe, String) {
        let wire = format!("{label}_c");
        let parts: Vec<String> = (0..constants.len()).rev().map(|i| format!("{label}_c{i}")).collect();
        let width = 32 * constants.len();
        let text = parameters(label, constants)
            + &format!("wire [{}:0] {wire} = {{{}}};", width - 1, parts.join(", "));
        (Probe { wire, count: constants.len() }, text)
    }

    /// The values in a netlist.
    pub fn values(&self, netlist: &str) -> BTreeSet<Vec<u32>> {
        let mut all = BTreeSet::new();
        for line in netlist.lines() {
            let Some((wire, value)) =
                line.trim_start().strip_prefix("connect ").and_then(|l| l.split_once(' '))
            else {
                continue;
            };
            let name = wire.trim_start_matches('\\').rsplit('.').next().unwrap_or_default();
            if name != self.wire {
                continue;
            }
            // 32 bits may be written as a number with a sign.
            let words = match (value.split_once('\''), value.parse::<i32>()) {
                (Some((_, bits)), _)
                    if bits.len() == 32 * self.count && bits.bytes().all(|c| c == b'0' || c == b'1') =>
                {
                    let words = bits.as_bytes().rchunks(32);
                    words
                        .map(|word| word.iter().fold(0, |value, bit| value << 1 | u32::from(*bit == b'1')))
                        .collect()
                }
                (None, Ok(number)) if self.count == 1 => vec![number as u32],
                _ => continue,
            };
            all.insert(words);
        }
        all
    }
}

/// One of several texts, by the values of constants.
pub fn choice(label: &str, constants: &[String], texts: &[(Vec<u32>, String)]) -> String {
    let mut text = parameters(label, constants);
    let mut all = vec!["0".to_owned()];
    for (number, (values, monitor)) in texts.iter().enumerate() {
        let equal = values.iter().enumerate().map(|(i, value)| format!("{label}_c{i} == {value}"));
        let equal = equal.collect::<Vec<_>>().join(" && ");
        let _ = write!(text, "if ({equal}) begin: {label}_v{number} {monitor} end ");
        all.push(equal);
    }
    let known = all.join(" || ");
    text + &format!("if (!({known})) begin: {label}_v {label}_has_other_constants {label}_i(); end")
}
