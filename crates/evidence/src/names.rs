//! Names for values at cutpoints, where executions are followed round by round: formulas stay linear in what there is to follow.

use crate::place::Place;
use tamis_logic::{Substitution, Term, Terms};
use tamis_program::{Location, Program};

/// Names, and what they stand for.
#[derive(Default)]
pub(crate) struct Names {
    pub definitions: Vec<Term>,
}

impl Names {
    /// A name for a value.
    fn name(&mut self, terms: &mut Terms, name: &str, value: Term) -> Term {
        let named = terms.fresh(name, terms.sort(value));
        self.definitions.push(terms.eq(named, value));
        named
    }

    /// Names for the executions that come to a cutpoint: that they do, and the values there.
    pub fn enter(
        &mut self,
        terms: &mut Terms,
        program: &Program,
        at: Location,
        (condition, mut values): (Term, Substitution),
    ) -> (Term, Substitution) {
        let line = Place::of(program, at).line;
        for variable in program.variables() {
            if let Some(value) = values.get(variable.term).filter(|&value| !terms.is_var(value)) {
                let named = self.name(terms, &format!("{}@{line}", variable.name), value);
                values.insert(variable.term, named);
            }
        }
        (self.name(terms, &format!("here@{line}"), condition), values)
    }
}
