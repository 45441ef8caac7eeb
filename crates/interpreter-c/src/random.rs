//! Runs on inputs chosen at random.
//!
//! Many violations depend on few inputs, however long the loops are that come before them: two arrays of 100,000 elements, filled with
//! inputs and compared, are different in nearly all executions. A search that makes formulas has a copy of the loop for each
//! round; a run takes a few milliseconds. As with programs that have [one execution](crate::single_execution), a run ends
//! where C leaves open what comes next, so a violation that it comes to is one: a call of the error, or undefined behaviour that
//! is asked for, as an access out of bounds.

use crate::interpreter::{Inputs, Limits, Undefined};
use crate::reproduce::account::Account;
use crate::single::{Execution, account_of, run, unwatched};
use tamis_front_c::tree::Unit;
use tamis_solver::Budget;

/// Runs, and how many statements each may have: many short ones first.
const RUNS: [(u64, u64); 3] = [(24, 50_000), (8, 2_000_000), (4, 20_000_000)];

/// A violating execution on inputs chosen at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chance {
    /// What the inputs are made of.
    seed: u64,
    execution: Execution,
}

/// Looks for inputs with which a program violates the property, or comes to undefined behaviour that is `wanted`, in so many bytes of memory.
///
/// ```
/// use tamis_interpreter_c::{account_of_inputs, random_inputs};
/// use tamis_interpreter_c::interpreter::Undefined;
/// use tamis_front_c::{Options, parse};
/// use tamis_solver::Budget;
/// let run = |statement: &str, wanted: &[Undefined]| {
///     let text = format!("extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
///         int main(void) {{ int x = __VERIFIER_nondet_int(), a[2] = {{ 0 }}; {statement} return 0; }}");
///     let unit = parse("program.i", &text, &Options::default()).expect("it is C");
///     let found = random_inputs(&unit, wanted, 1 << 30, &Budget::unlimited())?;
///     account_of_inputs(&unit, &found, wanted, 1 << 30, &Budget::unlimited())
/// };
/// assert_eq!(run("if (x > 0) reach_error();", &[]).map(|account| account.given().len()), Some(1));
/// assert!(run("if (x > 0 && x < 0) reach_error();", &[]).is_none());
/// assert!(run("a[x & 3] = 1;", &[Undefined::OutOfBounds]).is_some());
/// assert!(run("a[x & 3] = 1;", &[]).is_none());
/// ```
pub fn random_inputs(unit: &Unit, wanted: &[Undefined], memory: u64, budget: &Budget) -> Option<Chance> {
    let mut seed = 0;
    for (runs, steps) in RUNS {
        for _ in 0..runs {
            budget.check().ok()?;
            seed += 1;
            let limits = Limits { memory, steps: Some(steps), ..Limits::default() };
            let execution = run(unit, Inputs::seed(seed), wanted, limits, budget, unwatched);
            if let Ok(execution) = execution
                && execution.violates
            {
                return Some(Chance { seed, execution });
            }
        }
    }
    None
}

/// Runs a program on such inputs once more, and tells what it does.
pub fn account_of_inputs(
    unit: &Unit,
    chance: &Chance,
    wanted: &[Undefined],
    memory: u64,
    budget: &Budget,
) -> Option<Account> {
    account_of(unit, &|| Inputs::seed(chance.seed), &chance.execution, wanted, memory, budget).ok()
}
