//! `check-allsat`, as MathSAT has it: all combinations of values that given formulas have in models.

use super::checks::Last;
use super::session::{Failure, Session};
use tamis_logic::Term;
use tamis_solver::{Cube, Stop};

impl Session {
    /// Prints each combination on a line of its own as soon as it is found, `(b1 (not b2))`, and at the end `sat` if
    /// there was one, `unsat` if there was none, or `unknown` if there may be more.
    pub(super) fn check_allsat(&mut self, important: &[(Term, String)]) -> Result<(), Failure> {
        self.last = Last::Nothing;
        self.output.ask();
        let literals = self.literals();
        let wanted: Vec<Term> = important.iter().map(|&(t, _)| t).collect();
        let output = self.output.clone();
        let mut count = 0u64;
        let mut on_model = |values: &[bool]| {
            count += 1;
            let parts: Vec<String> = std::iter::zip(important, values)
                .map(|((_, text), &value)| if value { text.clone() } else { format!("(not {text})") })
                .collect();
            let read = output.line(&format!("({})", parts.join(" ")));
            if read { Cube::Minterm } else { Cube::Enough }
        };
        let found = self.solver.enumerate(&self.terms, &literals, &wanted, &mut on_model);
        match found {
            Ok(done) if done.complete => {
                self.decided(if count > 0 { "sat" } else { "unsat" });
                eprintln!("{count} models");
                Ok(())
            }
            // Nobody reads on: the rest is not looked for.
            Ok(_) => {
                eprintln!("{count} models so far");
                self.undecided(Stop::Cancelled)
            }
            Err(stop) => {
                eprintln!("{count} models so far");
                self.undecided(stop)
            }
        }
    }
}
