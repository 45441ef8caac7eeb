//! A run of the automaton on the same inputs: each edge is taken if its transition formula holds of the states before
//! and after it.

use std::collections::{BTreeSet, HashMap, VecDeque};
use tamis_front_c::is_library_text;
use tamis_interpreter_c::alignment::value_bits;
use tamis_interpreter_c::interpreter::Value as CValue;
use tamis_logic::{Bits, Model, Sort, Terms, Value};
use tamis_program::{Command, EdgeId, FrameId, Havoc, Location, Program, Source, Undefined, Var};

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Error,
    /// No edge goes on.
    Stuck(Location),
    Limit,
    /// More than one edge goes on.
    Ambiguous(Location),
}

/// A step, with what it wrote, memory apart: that would be a copy at every step.
pub struct Step {
    pub edge: EdgeId,
    pub wrote: Option<(Var, Bits)>,
    chosen: Option<Value>,
}

impl Step {
    /// The state after the step, given the one before.
    pub fn apply(&self, terms: &Terms, program: &Program, state: &mut Model) {
        let (v, value) = match &program.edge(self.edge).command {
            Command::Assume(_) => return,
            Command::Assign(v, value) => (*v, Some(terms.eval(*value, state))),
            Command::Havoc(v, _) => (*v, self.chosen.clone()),
        };
        if let Some(value) = value {
            state.set(program.term(v), value);
        }
    }
}

pub struct Run {
    pub initial: Model,
    pub steps: Vec<Step>,
    pub end: End,
    /// The first step whose value is approximated.
    pub approximated: Option<usize>,
    /// The undefined behaviour that was marked where the run passed.
    pub undefined: BTreeSet<Undefined>,
}

/// What a program asks of its environment.
pub trait Environment {
    /// The value that an edge's `havoc` chooses as an input of the name; `None` if there is none.
    fn input(&mut self, program: &Program, edge: EdgeId, name: &str, width: u32) -> Option<Bits>;
}

/// The inputs that functions gave to the interpreter.
impl Environment for HashMap<String, VecDeque<CValue>> {
    fn input(&mut self, _: &Program, _: EdgeId, name: &str, width: u32) -> Option<Bits> {
        Some(value_bits(self.get_mut(name)?.pop_front()?, width))
    }
}

/// The inputs of another run, by place: a simplified program does not ask for those that nobody looks at.
#[derive(Default)]
pub struct ByPlace(HashMap<(Source, FrameId), VecDeque<Bits>>);

impl ByPlace {
    pub fn of(program: &Program, run: &Run) -> ByPlace {
        let mut places = ByPlace::default();
        for step in &run.steps {
            let edge = program.edge(step.edge);
            if let (Command::Havoc(_, Havoc::Input(_)), Some((_, bits))) = (&edge.command, &step.wrote) {
                let place = (edge.source, program.frame_of(edge.from));
                places.0.entry(place).or_default().push_back(bits.clone());
            }
        }
        places
    }
}

impl Environment for ByPlace {
    fn input(&mut self, program: &Program, edge: EdgeId, _: &str, _: u32) -> Option<Bits> {
        let edge = program.edge(edge);
        // The first edge of a function may now leave a location of its caller.
        let mut ends = [edge.from, edge.to].into_iter().map(|l| (edge.source, program.frame_of(l)));
        let place = ends.find(|place| self.0.contains_key(place))?;
        self.0.get_mut(&place)?.pop_front()
    }
}

/// Runs a program; what was never set has the byte `fill` everywhere.
pub fn run(
    terms: &Terms,
    program: &Program,
    environment: &mut dyn Environment,
    fill: u8,
    limit: usize,
) -> Run {
    let mut initial = Model::new();
    for v in program.vars() {
        let sort = terms.sort(program.term(v));
        initial.set(program.term(v), filled(terms, sort, fill));
    }
    let (mut state, mut at) = (initial.clone(), program.entry());
    let (mut steps, mut approximated, mut undefined) = (Vec::new(), None, BTreeSet::new());
    let end = loop {
        if at == program.error() {
            break End::Error;
        }
        if steps.len() >= limit {
            break End::Limit;
        }
        for mark in program.outgoing(at).iter().flat_map(|&e| program.marks(e)) {
            if terms.eval(mark.when, &state).as_bool() {
                undefined.insert(mark.what);
            }
        }
        let passes = |&e: &EdgeId| match &program.edge(e).command {
            Command::Assume(guard) => terms.eval(*guard, &state).as_bool(),
            _ => true,
        };
        let mut open = program.outgoing(at).iter().copied().filter(passes);
        let Some(edge) = open.next() else { break End::Stuck(at) };
        if open.next().is_some() {
            break End::Ambiguous(at);
        }
        let mut step = Step { edge, wrote: None, chosen: None };
        if let Command::Havoc(v, why) = &program.edge(edge).command {
            let sort = terms.sort(program.term(*v));
            let input = match (why, sort) {
                (Havoc::Input(name), Sort::BitVec(width)) => {
                    let given = environment.input(program, edge, name, width);
                    // A choice of the model that the interpreter does not have: where objects are, what `rand` gives, …
                    let library = is_library_text(program.file(program.edge(edge).source.file));
                    if given.is_none() && (library || !name.starts_with("__VERIFIER_nondet_")) {
                        approximated.get_or_insert(steps.len());
                    }
                    given
                }
                (Havoc::Approximated(_) | Havoc::Inexact(_), _) => {
                    approximated.get_or_insert(steps.len());
                    None
                }
                _ => None,
            };
            step.chosen = Some(input.map_or_else(|| filled(terms, sort, fill), Value::Bits));
        }
        step.apply(terms, program, &mut state);
        if let Command::Assign(v, _) | Command::Havoc(v, _) = &program.edge(edge).command
            && let Some(Value::Bits(bits)) = state.get(program.term(*v))
        {
            step.wrote = Some((*v, bits.clone()));
        }
        at = program.edge(edge).to;
        steps.push(step);
    };
    Run { initial, steps, end, approximated, undefined }
}

/// The value of a sort whose bytes are all the same.
fn filled(terms: &Terms, sort: Sort, byte: u8) -> Value {
    match sort {
        Sort::BitVec(width) => Value::Bits(Bits::new(width, u128::from_le_bytes([byte; 16]))),
        Sort::Array(_) => {
            let (_, element) = terms.array_parts(sort).expect("an array sort");
            let element = filled(terms, element, byte);
            Value::Array(std::sync::Arc::new(terms.constant_array(sort, element)))
        }
        sort => unreachable!("{sort:?} is no sort of a program's variable"),
    }
}
