//! A run of the interpreter of C, written down.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::ControlFlow;
use tamis_front_c::tree::Unit;
use tamis_interpreter_c::alignment::PlainNames;
use tamis_interpreter_c::interpreter::{
    Event, Inputs, Interpreter, Limits, Moment, Observer, Outcome, Undefined, Value,
};
use tamis_program::Undefined as Marked;

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
    /// Undefined behaviour, of the kinds that automata have marks for.
    pub undefined: BTreeSet<Marked>,
}

struct Watch<'a> {
    plain: &'a PlainNames,
    assigned: Vec<Assigned>,
    inputs: HashMap<String, VecDeque<Value>>,
    values: HashMap<u64, Value>,
    undefined: BTreeSet<Marked>,
}

fn marked(kind: Undefined) -> Option<Marked> {
    Some(match kind {
        Undefined::SignedOverflow | Undefined::DivisionOverflow => Marked::SignedOverflow,
        Undefined::DivisionByZero => Marked::DivisionByZero,
        Undefined::ShiftOutOfRange => Marked::ShiftOutOfRange,
        Undefined::NullAccess => Marked::NullAccess,
        _ => return None,
    })
}

impl Observer for Watch<'_> {
    fn event(&mut self, moment: &Moment, event: &Event<'_>) -> ControlFlow<()> {
        match *event {
            Event::Assign { object, address, value, .. } if self.plain.is_told(object, moment.function) => {
                let (name, line) = (object.to_owned(), moment.at.line);
                let unchanged = self.values.insert(address, value) == Some(value);
                self.assigned.push(Assigned { name, value, line, unchanged });
            }
            Event::Input { name, value, .. } | Event::Unspecified { name, value } => {
                self.inputs.entry(name.to_owned()).or_default().push_back(value)
            }
            Event::Undefined(kind, _) => self.undefined.extend(marked(kind)),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Runs the program on random inputs; bytes that were never set are all `fill`.
pub fn record(unit: &Unit, plain: &PlainNames, seed: u64, fill: u8, steps: u64) -> Record {
    let inputs = Inputs::seed(seed).with_unset_bytes(fill);
    let limits = Limits { steps: Some(steps), depth: 2000, ..Limits::default() };
    let mut watch = Watch {
        plain,
        assigned: Vec::new(),
        inputs: HashMap::new(),
        values: HashMap::new(),
        undefined: BTreeSet::new(),
    };
    let outcome = Interpreter::new(unit, inputs, limits).run(&mut watch, &mut Vec::new());
    if let Outcome::Undefined { kind, .. } = outcome {
        watch.undefined.extend(marked(kind));
    }
    Record { assigned: watch.assigned, inputs: watch.inputs, outcome, undefined: watch.undefined }
}
