//! Violations as witnesses that simulators of the formats take: `btorsim` for BTOR2, `aigsim` for AIGER.

use super::model::{Reduced, Violation};
use super::property::Kind;
use std::fmt::Write;
use tamis_design::{Register, Signal};
use tamis_logic::{Bits, Model, Terms, Value};

/// How inputs and registers are numbered: as in the source, or as a design that was written has them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    Source,
    Written,
}

/// The execution as a witness of BTOR2: what the environment chooses, cycle by cycle.
///
/// States are those that have no first value in frame 0, and no next value in the others. A memory is a default for all
/// elements, then the elements that differ. After the last frame of a lasso comes the one in which its loop starts, which is
/// not written again.
pub fn btor2(terms: &Terms, model: &Reduced, violation: &Violation, numbers: Numbers) -> String {
    let number = |signal: &Signal, index: usize| match numbers {
        Numbers::Source => signal.number,
        Numbers::Written => index,
    };
    let mut text = "sat\n".to_owned();
    let _ = writeln!(text, "{}", claim(model));
    for (cycle, values) in violation.run.cycles.iter().enumerate() {
        let open = |r: &Register| if cycle == 0 { r.init.is_none() } else { r.next.is_none() };
        let registers = model.whole.registers.iter().enumerate().filter(|(_, r)| open(r));
        let mut states = String::new();
        for (index, register) in registers {
            let signal = &register.signal;
            assign(&mut states, terms, values, (signal, number(signal, index)), ('#', cycle));
        }
        // The first frame has a part for states in any case.
        if cycle == 0 || !states.is_empty() {
            let _ = write!(text, "#{cycle}\n{states}");
        }
        let _ = writeln!(text, "@{cycle}");
        for (index, input) in model.whole.inputs.iter().enumerate() {
            assign(&mut text, terms, values, (input, number(input, index)), ('@', cycle));
        }
    }
    text.push_str(".\n");
    text
}

/// The property, as both formats name it: `b0` or `j0`.
fn claim(model: &Reduced) -> String {
    let kind = if matches!(model.property, Kind::Safety(_)) { 'b' } else { 'j' };
    format!("{kind}{}", model.named().0)
}

fn assign(
    text: &mut String,
    terms: &Terms,
    values: &Model,
    (signal, number): (&Signal, usize),
    (part, cycle): (char, usize),
) {
    let name: String = signal.name.chars().filter(|c| !c.is_whitespace()).collect();
    let mut line = |index: &str, value: &Value| {
        let _ = writeln!(text, "{number} {index}{} {name}{part}{cycle}", binary(value));
    };
    match terms.eval(signal.term, values) {
        Value::Array(array) => {
            line("[*] ", array.default());
            array.entries().for_each(|(index, value)| line(&format!("[{}] ", binary(index)), value));
        }
        value => line("", &value),
    }
}

/// The execution as a witness of AIGER: the property, the latches' first values, and the inputs of each cycle.
pub fn aiger(terms: &Terms, model: &Reduced, violation: &Violation) -> String {
    let mut text = format!("1\n{}\n", claim(model));
    let mut row = |signals: &mut dyn Iterator<Item = &Signal>, cycle: &Model| {
        let mut signals: Vec<&Signal> = signals.collect();
        signals.sort_by_key(|signal| signal.number);
        let bits: Vec<String> = signals.iter().map(|s| binary(&terms.eval(s.term, cycle))).collect();
        let _ = writeln!(text, "{}", bits.concat());
    };
    for (i, cycle) in violation.run.cycles.iter().enumerate() {
        if i == 0 {
            row(&mut model.whole.registers.iter().map(|r| &r.signal), cycle);
        }
        row(&mut model.whole.inputs.iter(), cycle);
    }
    text.push_str(".\n");
    text
}

/// The digits of a word to the base 2.
pub fn binary(value: &Value) -> String {
    let digits = |bits: &Bits| format!("{:0width$b}", bits.to_ubig(), width = bits.width() as usize);
    match value {
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Bits(bits) => digits(bits),
        other => format!("{other:?}"),
    }
}
