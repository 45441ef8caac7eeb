//! The part of a model that suffices: [SMT §5]'s further work, to extend a minterm to a larger cube before the search goes on.
//!
//! A literal of every asserted clause, one cube of every choice, and the important literals that stand for more than a Boolean
//! are justified down to atoms and variables. Whatever else is assigned, the assertions hold with the values that
//! numbers have. An important literal that is a Boolean of its own and that nothing of this needs can have both values, whatever
//! other such literals have; so the cube without it has a model for each of its minterms. If the Boolean is given by a function,
//! that holds as long as no other application has the same arguments in these values.

use super::Formulas;
use super::clauses::Lit;
use super::encode::Gate;
use super::number::Given;

impl Formulas {
    /// The positions of important literals without which the present model is a cube of models. `None` if all are
    /// needed or that cannot be told.
    pub(super) fn sufficient(&self, important: &[Lit]) -> Option<Vec<usize>> {
        let candidate = |lit: Lit| {
            let var = lit.var();
            let is_gate = self.gates.get(var as usize).is_some_and(Option::is_some);
            !is_gate && !self.search.is_atom(var) && self.search.level_of(lit) > 0
        };
        let mut spare: Vec<usize> = (0..important.len()).filter(|&at| candidate(important[at])).collect();
        if spare.is_empty() {
            return None;
        }
        let mut needed = vec![false; self.search.variables()];
        let mut pending: Vec<Lit> =
            important.iter().copied().filter(|&lit| !candidate(lit)).map(|lit| self.as_it_is(lit)).collect();
        pending.extend(&self.assumed);
        self.justify(&mut needed, &mut pending)?;
        for choice in &self.search.choices {
            pending.extend_from_slice(choice.holding(&self.search, &needed)?);
            self.justify(&mut needed, &mut pending)?;
        }
        for clause in &self.asserted_clauses {
            let holds = |lit: &&Lit| self.search.value(**lit) == Some(true);
            if clause.iter().filter(holds).any(|lit| needed[lit.var() as usize]) {
                continue;
            }
            let other = clause.iter().filter(holds).find(|&&lit| !candidate(lit));
            pending.push(*other.or_else(|| clause.iter().find(holds))?);
            self.justify(&mut needed, &mut pending)?;
        }
        let once = |at: usize| important.iter().filter(|lit| lit.var() == important[at].var()).count() == 1;
        spare.retain(|&at| {
            let var = important[at].var();
            !needed[var as usize] && once(at) && self.is_free_result(var)
        });
        let kept: Vec<usize> = (0..important.len()).filter(|at| spare.binary_search(at).is_err()).collect();
        (kept.len() < important.len()).then_some(kept)
    }

    /// The literal of a variable that is true.
    fn as_it_is(&self, lit: Lit) -> Lit {
        lit.flip_if(self.search.value(lit) == Some(false))
    }

    /// Takes over what true literals need.
    fn justify(&self, needed: &mut [bool], pending: &mut Vec<Lit>) -> Option<()> {
        while let Some(lit) = pending.pop() {
            if std::mem::replace(&mut needed[lit.var() as usize], true) {
                continue;
            }
            let value = |lit: Lit| self.search.value(lit);
            match self.gates.get(lit.var() as usize) {
                Some(Some(Gate::And(inputs))) if lit.is_positive() => {
                    pending.extend(inputs.iter().filter(|&&input| value(input) == Some(true)));
                    if inputs.iter().any(|&input| value(input) != Some(true)) {
                        return None;
                    }
                }
                Some(Some(Gate::And(inputs))) => {
                    let mut refuted = inputs.iter().filter(|&&input| value(input) == Some(false));
                    let known = refuted.clone().any(|input| needed[input.var() as usize]);
                    if !known {
                        pending.push(!*refuted.next()?);
                    }
                }
                Some(Some(Gate::Ite(c, a, b))) => {
                    let [a, b] = [a, b].map(|branch| branch.flip_if(!lit.is_positive()));
                    let branches = match value(*c) {
                        Some(true) => vec![*c, a],
                        Some(false) => vec![!*c, b],
                        None => vec![a, b],
                    };
                    if branches.iter().any(|&branch| value(branch) != Some(true)) {
                        return None;
                    }
                    pending.extend(branches);
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Whether a variable is given by no function, or by one that is not known at the same arguments otherwise.
    fn is_free_result(&self, var: u32) -> bool {
        let result = Given::Truth(Lit::new(var, true));
        self.functions.iter().enumerate().all(|(f, applications)| {
            let Some(at) = applications.iter().position(|application| application.result == result) else {
                return true;
            };
            (0..applications.len()).filter(|&other| other != at).all(|other| {
                let open = matches!(applications[other].result,
                    Given::Truth(lit) if self.search.value(lit).is_none());
                open || !self.same_arguments(f, at, other)
            })
        })
    }
}
