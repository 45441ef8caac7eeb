//! Cubes of a choice that would do as well as the one that a model is in.
//!
//! A region comes as its prime implicants, which overlap. To say that one of them holds would fix all of its literals, and
//! what the others allow would have to be found for each of them. So of the cube that holds only those literals are needed
//! that are not spare. Every cube that needs nothing else is an alternative; that the values of spare literals are in one
//! of these is a *relation* between them, and part of what the model stands for.

use super::Formulas;
use super::choice::Choice;
use super::clauses::Lit;
use super::enumerate::Literals;
use super::implicant::{Kind, Needed, Spare};

impl Formulas {
    /// Whether each spare literal is free, or restricted by comparisons alone.
    pub(super) fn are_open(&self, lits: &[Lit], kinds: &[Kind], uses: &[u8]) -> Vec<bool> {
        let is_open = |(lit, kind): (&Lit, &Kind)| match kind {
            Kind::Other => false,
            Kind::Comparison(_) => uses[lit.var() as usize] == 1,
            Kind::Boolean => uses[lit.var() as usize] == 1 && self.is_free_result(lit.var()),
        };
        lits.iter().zip(kinds).map(is_open).collect()
    }

    /// For each cube of a choice that holds by what is needed, by facts and by open literals: the places and values of the latter.
    /// The facts that are used are added to `facts`: numbers are to be compared as they say.
    pub(super) fn alternatives(
        &self,
        choice: &Choice,
        needed: &Needed,
        spare: &Spare<'_>,
        facts: &mut Vec<Lit>,
    ) -> Vec<Literals> {
        let mut found = Vec::new();
        let mut rest = Literals::new();
        for cube in choice.cubes() {
            let before = facts.len();
            rest.clear();
            let holds = cube.iter().all(|&lit| {
                if needed.has(lit) {
                    return self.search.is_true(lit);
                }
                if self.search.is_true(lit) && self.search.level_of(lit) == 0 {
                    facts.push(lit);
                    return true;
                }
                let place = spare.open_place(lit);
                rest.extend(place.map(|at| (at, lit.is_positive() == spare.lits[at].is_positive())));
                place.is_some()
            });
            match holds {
                true => found.push(rest.clone()),
                false => facts.truncate(before),
            }
        }
        found
    }
}
