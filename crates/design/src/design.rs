//! Designs.

use std::fmt;
use std::sync::Arc;
use tamis_logic::Term;

/// A word-level transition system.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// What the environment chooses in each cycle.
    pub inputs: Vec<Signal>,
    /// What is kept from cycle to cycle. A first value is over registers that stand before in this list.
    pub registers: Vec<Register>,
    /// Hold in every cycle.
    pub constraints: Vec<Condition>,
    /// A cycle that fulfils one of them violates the property. Each has a verdict of its own.
    pub properties: Vec<Condition>,
    /// An execution without an end that fulfils all conditions of one of them again and again violates that property. Each
    /// has a verdict of its own.
    pub justice: Vec<Justice>,
    /// What such an execution fulfils again and again beside.
    pub fairness: Vec<Condition>,
    /// Conditions of branches in the source, where predicates may be looked for ([CTL §4.1]).
    pub branches: Vec<Condition>,
}

/// A named word of a design: a variable.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Which of its kind it is in the source, inputs and registers each counted from 0; a cone keeps it.
    pub number: usize,
    /// The name in the source.
    pub name: String,
    /// The variable that stands for it.
    pub term: Term,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// A word that is kept from cycle to cycle.
#[derive(Clone, Debug)]
pub struct Register {
    /// The register.
    pub signal: Signal,
    /// Its value in the first cycle, over registers; any if there is none.
    pub init: Option<Term>,
    /// Its value in the next cycle, over registers and inputs; any if there is none.
    pub next: Option<Term>,
}

/// A named condition on a cycle: a constraint, what a property forbids, a branch.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Which of its kind it is in the source, from 0; a cone keeps it.
    pub number: usize,
    /// The name in the source, or what it says.
    pub name: String,
    /// The condition, of sort `Bool`.
    pub term: Term,
    /// Where it stands.
    pub place: Option<Place>,
}

/// A liveness property: what must not happen is that all of its conditions hold again and again.
#[derive(Clone, Debug)]
pub struct Justice {
    /// Which of its kind it is in the source, from 0; a cone keeps it.
    pub number: usize,
    /// The name in the source.
    pub name: String,
    /// The conditions, of sort `Bool`.
    pub conditions: Vec<Term>,
    /// Where it stands.
    pub place: Option<Place>,
}

/// A place in a source file.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            0 => write!(f, "{}:{}", self.file, self.line),
            column => write!(f, "{}:{}:{column}", self.file, self.line),
        }
    }
}

impl Signal {
    /// A signal whose place is not known.
    pub fn new(number: usize, name: impl Into<String>, term: Term) -> Signal {
        Signal { number, name: name.into(), term, place: None }
    }
}

impl Condition {
    /// A condition whose place is not known.
    pub fn new(number: usize, name: impl Into<String>, term: Term) -> Condition {
        Condition { number, name: name.into(), term, place: None }
    }
}

impl Design {
    /// The registers' variables.
    pub fn state(&self) -> impl Iterator<Item = Term> + '_ {
        self.registers.iter().map(|r| r.signal.term)
    }

    /// The signals that have a variable: inputs, then registers.
    pub fn signals(&self) -> impl Iterator<Item = &Signal> {
        self.inputs.iter().chain(self.registers.iter().map(|r| &r.signal))
    }

    /// The same design with the inputs `chosen` as registers that take any value in every cycle: predicates are over
    /// registers alone, so that those over inputs need this. They come last among the registers, and their numbers
    /// stay those of inputs.
    pub fn with_inputs_as_registers(mut self, mut chosen: impl FnMut(&Signal) -> bool) -> Design {
        let (moved, inputs) = self.inputs.into_iter().partition(|input| chosen(input));
        self.inputs = inputs;
        let moved: Vec<Signal> = moved;
        self.registers.extend(moved.into_iter().map(|signal| Register { signal, init: None, next: None }));
        self
    }
}
