//! An interpreter of C: a second semantics, independent of the translation to formulas.
//!
//! It executes the typed tree of `tamis_front_c` on concrete values, as gcc on x86 Linux with `-fwrapv` does, in the
//! unit's data model. It shares neither code nor representation with the translation into guarded commands, nor with
//! the logic: what one has wrong, the other can show.
//!
//! The tree is compiled to the instructions of a register machine (`compile`), and these are executed on a memory of
//! bytes with addresses (`memory`). No part recurses as deep as the program does.
//!
//! **Undefined behaviour** ends the run where the machine would trap or a value could be anything: division by 0,
//! shifts out of range, accesses to what is no living object, calls that do not fit. Two kinds are reported once for
//! each place and do not end it, unless [`Limits::trap`] says so: signed overflow, which wraps, and the use of values
//! that were never set, which [`Inputs`] choose. Reads of such bytes are uses, but for copies of records, of single
//! bytes, and by `memcpy` and the like.
//!
//! **Order of evaluation** is from left to right, but for the right side of a compound assignment, which is evaluated
//! before the old value is read.
//!
//! **A run that must be the only one** ([`Interpreter::determined`]) also stops where C leaves open what comes next: see
//! `machine::determined`.
//!
//! **Floating point** is IEEE's in each format. gcc for 32 bits computes in wider registers unless it is told to use
//! SSE (`-msse2 -mfpmath=sse`); this is not imitated.

mod code;
mod compile;
mod extended;
mod inputs;
mod instr;
mod library;
mod machine;
mod memory;
mod observer;
mod outcome;
mod output;
mod scalar;

pub use inputs::{Alternative, Inputs, parse_number};
pub use observer::{Chosen, Event, Moment, Observer, Unset, Value};
pub use outcome::{Limit, Limits, Outcome, Undefined};
pub use output::{Console, Output, Stream};

use machine::Machine;
use outcome::Stop;
use tamis_front_c::tree::{Function, Position, Unit};
use tamis_solver::Budget;

/// Whether a function without a body can be called all the same.
pub(crate) fn is_known(unit: &Unit, function: &Function) -> bool {
    library::find(&function.name, function.body.is_some(), unit.target()).is_some()
}

/// A program that can be run.
pub struct Interpreter<'a> {
    unit: &'a Unit,
    inputs: Inputs,
    limits: Limits,
    arguments: Vec<String>,
    determined: bool,
    budget: Option<&'a Budget>,
    /// How many statements the last run executed, and a number that stands for them.
    course: (u64, u64),
    /// What memory that is left behind counts as.
    leaks: &'a [Undefined],
}

impl<'a> Interpreter<'a> {
    /// A run of `main` on some inputs, within some limits.
    ///
    /// ```
    /// use tamis_interpreter_c::interpreter::{Inputs, Interpreter, Limits, Outcome};
    /// use tamis_front_c::{Options, parse};
    /// let text = "extern void reach_error(void);
    ///     extern int __VERIFIER_nondet_int(void);
    ///     int main(void) { int x = __VERIFIER_nondet_int(); if (x > 2) reach_error(); return x; }";
    /// let unit = parse("two.i", text, &Options::default())?;
    /// let run = |x| Interpreter::new(&unit, Inputs::list([x]), Limits::default()).run(&mut (), &mut Vec::new());
    /// assert_eq!(run(2), Outcome::Exit(2));
    /// assert!(matches!(run(3), Outcome::Violation { .. }));
    /// # Ok::<(), tamis_front_c::Error>(())
    /// ```
    pub fn new(unit: &'a Unit, inputs: Inputs, limits: Limits) -> Interpreter<'a> {
        let arguments = vec!["program".to_owned()];
        Interpreter {
            unit,
            inputs,
            limits,
            arguments,
            determined: false,
            budget: None,
            course: (0, 0),
            leaks: &[],
        }
    }

    /// A run that ends where C leaves open what the program does.
    pub fn determined(mut self) -> Interpreter<'a> {
        self.determined = true;
        self.limits.trap = true;
        self
    }

    /// A run whose end counts as undefined behaviour of the given kinds, if it leaves allocated memory behind.
    pub fn looking_for(mut self, kinds: &'a [Undefined]) -> Interpreter<'a> {
        self.leaks = kinds;
        self
    }

    /// A run that ends with a budget.
    pub fn within(mut self, budget: &'a Budget) -> Interpreter<'a> {
        self.budget = Some(budget);
        self
    }

    /// How many statements the last run executed, and a number that stands for all of them, in their order.
    pub fn course(&self) -> (u64, u64) {
        self.course
    }

    /// The arguments of `main`, the name of the program first.
    pub fn with_arguments(mut self, arguments: Vec<String>) -> Interpreter<'a> {
        self.arguments = arguments;
        self
    }

    /// Runs the program to its end.
    pub fn run(&mut self, observer: &mut dyn Observer, output: &mut dyn Output) -> Outcome {
        match self.attempt(observer, output) {
            Ok(()) => Outcome::Exit(0),
            Err(stop) => *stop,
        }
    }

    fn attempt(&mut self, observer: &mut dyn Observer, output: &mut dyn Output) -> Result<(), Stop> {
        let unit = self.unit;
        let unsupported = |what: String, at: Position| Box::new(Outcome::Unsupported { what, at });
        if let Some((at, what)) = unit.refused() {
            return Err(unsupported(what.to_owned(), at));
        }
        let Some(main) = unit.main() else {
            return Err(unsupported("no main".to_owned(), Position::default()));
        };
        let code = compile::compile(unit, observer.wants_all(), self.determined);
        let code = code.map_err(|what| unsupported(what, Position::default()))?;
        let mut machine = Machine::new(unit, &code, &mut self.inputs, self.limits, observer, output);
        machine.budget = self.budget;
        machine.determined = self.determined.then(Box::default);
        machine.memory.blocks.keeps = self.determined;
        let end = machine.start(main, &self.arguments);
        self.course = (machine.steps, machine.determined.as_ref().map_or(0, |d| d.course));
        let ended = matches!(
            end.as_ref().err().map(|stop| &**stop),
            None | Some(Outcome::Exit(_) | Outcome::Aborted { .. } | Outcome::Violation { .. })
        );
        let ends = matches!(
            end.as_ref().err().map(|stop| &**stop),
            None | Some(Outcome::Exit(_) | Outcome::Aborted { .. })
        );
        let leak = if ends { machine.leak(self.leaks, unit[main].at) } else { None };
        let end = leak.map_or(end, Err);
        if ended && machine.is_between_operands() {
            // In another order, what was not evaluated yet may have come first.
            let what = "the order of evaluation";
            return Err(Box::new(Outcome::Undetermined { what, at: Position::default() }));
        }
        end
    }
}
