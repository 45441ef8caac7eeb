//! Programs with one execution: to run them is to prove them.
//!
//! A program without inputs, in which C leaves nothing open that it comes to, does one thing and no other. The
//! [interpreter](crate::interpreter) runs it and stops where that is not so: at an input, at undefined behaviour, at a
//! value that was never set, at a number that tells where an object is, where the order of evaluation matters, and at what
//! the C library does not promise.

use crate::interpreter::{Inputs, Interpreter, Limits, Outcome, Undefined};
use crate::reproduce::account::{Account, Happening, Moved};
use std::fmt;
use tamis_front_c::tree::Unit;
use tamis_solver::Budget;

/// The only execution of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Execution {
    /// How many statements it has.
    pub steps: u64,
    /// A number that stands for these statements, in their order.
    pub course: u64,
    /// Whether it violates the property.
    pub violates: bool,
}

impl fmt::Display for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} statements", self.steps)
    }
}

/// Runs a program to its end, or to undefined behaviour that is `wanted`, in so many bytes of memory. `Err` is how the run ended if the program may have other executions, or has none that ends
/// within the budget.
///
/// ```
/// use tamis_interpreter_c::single_execution;
/// use tamis_front_c::{Options, parse};
/// use tamis_solver::Budget;
/// let run = |body: &str| {
///     let text = format!("extern void reach_error(void); int a[2]; int main(void) {{ {body} }}");
///     let unit = parse("program.i", &text, &Options::default()).expect("it is C");
///     single_execution(&unit, &[], 1 << 30, &Budget::unlimited()).map(|execution| execution.violates)
/// };
/// assert_eq!(run("if (a + 1 != &a[1]) reach_error(); return 0;"), Ok(false));
/// assert_eq!(run("if (a + 1 == &a[1]) reach_error(); return 0;"), Ok(true));
/// // Nobody knows which is first in memory.
/// assert!(run("int b; if (&b < a) reach_error(); return 0;").is_err());
/// // Nor which operand is first.
/// assert!(run("int i = 0; if (i + i++ == 1) reach_error(); return 0;").is_err());
/// ```
pub fn single_execution(
    unit: &Unit,
    wanted: &[Undefined],
    memory: u64,
    budget: &Budget,
) -> Result<Execution, Outcome> {
    let limits = Limits { memory, ..Limits::default() };
    run(unit, Inputs::list([]), wanted, limits, budget, unwatched)
}

/// Runs a program whose only execution violates the property once more, and tells what it does.
pub fn account_of_single(
    unit: &Unit,
    execution: &Execution,
    wanted: &[Undefined],
    memory: u64,
    budget: &Budget,
) -> Result<Account, Outcome> {
    account_of(unit, &|| Inputs::list([]), execution, wanted, memory, budget)
}

/// Makes a violating run once more, and tells what it does.
pub(crate) fn account_of(
    unit: &Unit,
    inputs: &dyn Fn() -> Inputs,
    execution: &Execution,
    wanted: &[Undefined],
    memory: u64,
    budget: &Budget,
) -> Result<Account, Outcome> {
    let limits = Limits { memory, ..Limits::default() };
    let mut account = Account::of_length(execution.steps);
    let again = run(unit, inputs(), wanted, limits, budget, |interpreter| {
        let outcome = interpreter.run(&mut account, &mut Vec::new());
        note(&mut account, &outcome);
        outcome
    });
    if again.as_ref() == Ok(execution) && execution.violates {
        return Ok(account);
    }
    // One who watches looks at values that the program only copies, and they may never have been set: then the end alone is told.
    let mut account = Account::default();
    let again = run(unit, inputs(), wanted, limits, budget, |interpreter| {
        let outcome = interpreter.run(&mut (), &mut Vec::new());
        note(&mut account, &outcome);
        outcome
    })?;
    let told = account.last_undefined().is_some();
    let stopped = || Outcome::Stopped(tamis_front_c::tree::Position::default());
    if again == *execution && again.violates && told { Ok(account) } else { Err(stopped()) }
}

/// Notes the undefined behaviour that ended a run.
fn note(account: &mut Account, outcome: &Outcome) {
    if let Outcome::Undefined { kind, detail, at, .. } = outcome {
        let what = Happening::Undefined(*kind, detail.clone());
        account.push(Moved { at: *at, depth: 1, what });
    }
}

pub(crate) fn unwatched(interpreter: &mut Interpreter<'_>) -> Outcome {
    interpreter.run(&mut (), &mut Vec::new())
}

/// A run that ends where C leaves open what comes next; `Err` is how, if that is no end.
pub(crate) fn run(
    unit: &Unit,
    inputs: Inputs,
    wanted: &[Undefined],
    limits: Limits,
    budget: &Budget,
    run: impl FnOnce(&mut Interpreter<'_>) -> Outcome,
) -> Result<Execution, Outcome> {
    let interpreter = Interpreter::new(unit, inputs, limits).determined().within(budget);
    let mut interpreter = interpreter.looking_for(wanted);
    let violates = match run(&mut interpreter) {
        Outcome::Exit(_) | Outcome::Aborted { .. } => false,
        Outcome::Violation { .. } => true,
        Outcome::Undefined { kind, .. } if wanted.contains(&kind) => true,
        other => return Err(other),
    };
    let (steps, course) = interpreter.course();
    Ok(Execution { steps, course, violates })
}
