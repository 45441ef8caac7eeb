//! A run of the interpreter of C, written down.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use tamis_evidence::alignment::PlainNames;
use tamis_evidence::interpreter::{Event, Inputs, Interpreter, Limits, Moment, Observer, Outcome, Value};
use tamis_front_c::tree::Unit;

/// An assignment to a variable.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub name: String,
    pub value: Value,
    pub line: u32,
    /// Whether the variable had the value before.
    pub unchanged: bool,
}

/// What a run did.
pub struct Record {
    pub assigned: Vec<Assigned>,
    /// The inputs by the function that asked.
    pub inputs: HashMap<String, VecDeque<Value>>,
    pub outcome: Outcome,
}

struct Watch<'a> {
    plain: &'a PlainNames,
    assigned: Vec<Assigned>,
    inputs: HashMap<String, VecDeque<Value>>,
    values: HashMap<u64, Value>,
}

impl Observer for Watch<'_> {
    fn event(&mut self, moment: &Moment, event: &Event<'_>) -> ControlFlow<()> {
        match *event {
            Event::Assign { object, address, value } if self.plain.contains(object) => {
                let (name, line) = (object.to_owned(), moment.at.line);
                let unchanged = self.values.insert(address, value) == Some(value);
                self.assigned.push(Assigned { name, value, line, unchanged });
            }
            Event::Input { name, value } => self.inputs.entry(name.to_owned()).or_default().push_back(value),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Runs the program on random inputs; bytes that were never set are all `fill`.
pub fn record(unit: &Unit, plain: &PlainNames, seed: u64, fill: u8, steps: u64) -> Record {
    let inputs = Inputs::seed(seed).with_unset_bytes(fill);
    let limits = Limits { steps: Some(steps), depth: 2000, ..Limits::default() };
    let mut watch = Watch { plain, assigned: Vec::new(), inputs: HashMap::new(), values: HashMap::new() };
    let outcome = Interpreter::new(unit, inputs, limits).run(&mut watch, &mut Vec::new());
    Record { assigned: watch.assigned, inputs: watch.inputs, outcome }
}
