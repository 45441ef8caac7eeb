//! Runs on inputs chosen at random.
//!
//! Many violations depend on few inputs, however long the loops are that come before them: two arrays of 100,000 elements, filled with
//! inputs and compared, are different in nearly all executions. A search that makes formulas has a copy of the loop for each
//! round; a run takes a few milliseconds. As with programs that have [one execution](crate::single_execution), a run ends
//! where C leaves open what comes next, so a violation that it comes to is one.

use crate::interpreter::{Inputs, Interpreter, Limits, Outcome};
use crate::reproduce::account::Account;
use tamis_front_c::tree::Unit;
use tamis_solver::Budget;

/// Runs, and how many statements each may have: many short ones first.
const RUNS: [(u64, u64); 3] = [(24, 50_000), (8, 2_000_000), (4, 20_000_000)];

/// Looks for inputs with which a program calls the error, in so many bytes of memory; the number that they are made of.
///
/// ```
/// use tamis_interpreter_c::{account_of_inputs, random_inputs};
/// use tamis_front_c::{Options, parse};
/// use tamis_solver::Budget;
/// let run = |condition: &str| {
///     let text = format!("extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
///         int main(void) {{ int x = __VERIFIER_nondet_int(); if ({condition}) reach_error(); return 0; }}");
///     let unit = parse("program.i", &text, &Options::default()).expect("it is C");
///     let found = random_inputs(&unit, 1 << 30, &Budget::unlimited())?;
///     account_of_inputs(&unit, found, 1 << 30, &Budget::unlimited())
/// };
/// assert_eq!(run("x > 0").map(|account| account.given().len()), Some(1));
/// assert!(run("x > 0 && x < 0").is_none());
/// ```
pub fn random_inputs(unit: &Unit, memory: u64, budget: &Budget) -> Option<u64> {
    let mut seed = 0;
    for (runs, steps) in RUNS {
        for _ in 0..runs {
            budget.check().ok()?;
            seed += 1;
            let limits = Limits { memory, steps: Some(steps), ..Limits::default() };
            let mut interpreter =
                Interpreter::new(unit, Inputs::seed(seed), limits).determined().within(budget);
            if let Outcome::Violation { .. } = interpreter.run(&mut (), &mut Vec::new()) {
                return Some(seed);
            }
        }
    }
    None
}

/// Runs a program on such inputs once more, and tells what it does.
pub fn account_of_inputs(unit: &Unit, seed: u64, memory: u64, budget: &Budget) -> Option<Account> {
    let mut account = Account::default();
    let limits = Limits { memory, ..Limits::default() };
    let mut interpreter = Interpreter::new(unit, Inputs::seed(seed), limits).determined().within(budget);
    match interpreter.run(&mut account, &mut Vec::new()) {
        Outcome::Violation { .. } => Some(account),
        _ => None,
    }
}
