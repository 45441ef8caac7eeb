//! `check-allsat`, as MathSAT has it: all combinations of values that given formulas have in models.

use super::checks::Last;
use super::confirm::{Confirm, Doubt};
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
        let mut choices: Vec<[Term; 2]> = Vec::with_capacity(important.len());
        for &(t, _) in important {
            choices.push([self.terms.not(t), t]);
        }
        let wanted: Vec<Term> = important.iter().map(|&(t, _)| t).collect();
        let asserted = self.assertions.iter().map(|a| a.formula).collect();
        let mut confirm = Confirm::new(&self.terms, &self.budget, asserted, self.settings.check_models);
        let (output, terms) = (self.output.clone(), &self.terms);
        let texts: Vec<[String; 2]> =
            important.iter().map(|(_, text)| [format!("(not {text})"), text.clone()]).collect();
        let (mut count, mut doubt, mut line) = (0u64, None, String::new());
        let mut on_model = |values: &[bool]| {
            let chosen = |values: &[bool]| -> Vec<Term> {
                std::iter::zip(&choices, values).map(|(choice, &value)| choice[usize::from(value)]).collect()
            };
            if let Err(found) = confirm.combination(terms, || chosen(values)) {
                doubt = Some(found);
                return Cube::Enough;
            }
            count += 1;
            line.clear();
            for (text, &value) in std::iter::zip(&texts, values) {
                line.push(if line.is_empty() { '(' } else { ' ' });
                line.push_str(&text[usize::from(value)]);
            }
            line.push_str(if line.is_empty() { "()" } else { ")" });
            let read = output.line(&line);
            if read { Cube::Minterm } else { Cube::Enough }
        };
        self.solver.set_theory_propagation(self.settings.theory_propagation);
        let strategy = self.settings.enumeration;
        let found = self.solver.enumerate_by(strategy, terms, &literals, &wanted, &mut on_model);
        match (found, doubt) {
            (_, Some(Doubt::Wrong)) => Err(Failure::Internal(format!(
                "combination {} of the enumeration has no model that evaluates to it",
                count + 1
            ))),
            (Ok(done), None) if done.complete => {
                self.decided(if count > 0 { "sat" } else { "unsat" });
                eprintln!("{count} models");
                Ok(())
            }
            // Nobody reads on: the rest is not looked for.
            (Ok(_), None) => self.cut_short(count, Stop::Cancelled),
            (Err(stop), _) | (_, Some(Doubt::Stopped(stop))) => self.cut_short(count, stop),
        }
    }

    fn cut_short(&mut self, count: u64, stop: Stop) -> Result<(), Failure> {
        eprintln!("{count} models so far");
        self.undecided(stop)
    }
}
