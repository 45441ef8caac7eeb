//! AIGER 1.9, in text and in binary: latches, inputs and and-gates.
//!
//! The format is that of Biere, Heljanko and Wieringa, *AIGER 1.9 And Beyond*, 2011. Each latch and input is a word of one bit.
//! A latch starts with 0, with 1, or with any value, if its own literal is its reset. Where there are neither `bad` nor
//! `justice` properties, each output is a bad one, as in the older format and competitions.
//!
//! The reader is our own: that of the crate registry (`flussab-aiger` 0.1.1) takes the number of variables that are left for a bound
//! on the number of properties, and refuses most files that have any.

mod circuit;
mod text;
mod writer;

pub use writer::{Form, write};

use crate::Source;
use crate::names::Names;
use circuit::{Circuit, Literal};
use tamis_design::{Condition, Justice, Register, Signal};
use tamis_diagnostics::Error;
use tamis_logic::{Sort, Term, Terms};

/// Reads a design. `file` is its name in messages.
///
/// # Errors
/// If the text is no AIGER, with the place.
///
/// ```
/// use tamis_logic::Terms;
/// // A toggle, which is not to be 1.
/// let text = "aag 1 0 1 0 0 1\n2 3\n2\nl0 toggle\n";
/// let source = tamis_front_rtl::aiger::read(&mut Terms::new(), "toggle.aag", text.as_bytes())?;
/// assert_eq!(source.design.registers[0].signal.name, "toggle");
/// assert_eq!(source.design.properties.len(), 1);
/// # Ok::<(), tamis_diagnostics::Error>(())
/// ```
pub fn read(terms: &mut Terms, file: &str, text: &[u8]) -> Result<Source, Error> {
    let circuit = circuit::parse(file, text)?;
    let mut names = Names::default();
    // The conditions of the variables, by number.
    let mut variables = vec![terms.bool(false); circuit.variables + 1];
    let mut source = Source::default();
    let mut signal =
        |terms: &mut Terms, kind: char, number: usize, variable: usize, variables: &mut [Term]| {
            let name = circuit.name(kind, number);
            let term = names.variable(terms, &name, Sort::BitVec(1));
            let one = terms.bits(1, 1);
            variables[variable] = terms.eq(term, one);
            Signal::new(number, name, term)
        };
    for (i, &input) in circuit.inputs.iter().enumerate() {
        source.design.inputs.push(signal(terms, 'i', i, input, &mut variables));
    }
    for (i, latch) in circuit.latches.iter().enumerate() {
        let signal = signal(terms, 'l', i, latch.variable, &mut variables);
        let init = latch.reset.map(|value| terms.bits(1, value.into()));
        source.design.registers.push(Register { signal, init, next: None });
    }
    for gate in &circuit.gates {
        let args = gate.args.map(|a| literal(terms, &variables, a));
        variables[gate.variable] = terms.and(&args);
    }
    for (register, latch) in source.design.registers.iter_mut().zip(&circuit.latches) {
        let next = literal(terms, &variables, latch.next);
        register.next = Some(terms.bool_to_bits(1, next));
    }
    let old = circuit.bad.is_empty() && circuit.justice.is_empty();
    let (properties, kind) = if old { (&circuit.outputs, 'o') } else { (&circuit.bad, 'b') };
    source.design.properties = conditions(terms, &circuit, &variables, properties, kind);
    source.design.constraints = conditions(terms, &circuit, &variables, &circuit.constraints, 'c');
    source.design.fairness = conditions(terms, &circuit, &variables, &circuit.fairness, 'f');
    for (number, literals) in circuit.justice.iter().enumerate() {
        let conditions = literals.iter().map(|&l| literal(terms, &variables, l)).collect();
        let name = circuit.name('j', number);
        source.design.justice.push(Justice { number, name, conditions, place: None });
    }
    Ok(source)
}

fn literal(terms: &mut Terms, variables: &[Term], literal: Literal) -> Term {
    let variable = variables[literal.variable()];
    if literal.is_negated() { terms.not(variable) } else { variable }
}

fn conditions(
    terms: &mut Terms,
    circuit: &Circuit,
    variables: &[Term],
    literals: &[Literal],
    kind: char,
) -> Vec<Condition> {
    let numbered = literals.iter().enumerate();
    numbered.map(|(i, &l)| Condition::new(i, circuit.name(kind, i), literal(terms, variables, l))).collect()
}
