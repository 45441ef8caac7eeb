//! Assertions, and the variables that they define.
//!
//! A predicate `b ↔ p` makes `b` another name of `p`. An assignment of a guarded command, `c ⇒ x = t`, makes `x` the number
//! `if c then t else x'`, where `x'` is whatever `x` is otherwise: every model of the one is a model of the other,
//! as long as neither `c` nor `t` has `x` in it. Equations with guards are not what `Terms::solve` is about: `x` is made of
//! several of them, and of literals, not of terms.

use crate::clauses::Lit;
use crate::{Encoded, Formulas, Unfit};
use rustc_hash::FxHashMap;
use tamis_logic::{Op, Sort, Term, Terms};

/// A disjunction: literals, the negation of which is a guard, and an equality that holds under the guard.
struct Assignment {
    var: Term,
    value: Term,
    others: Vec<Term>,
}

impl Formulas {
    /// Asserts formulas, each under its guard if it has one.
    pub(crate) fn assert_all(
        &mut self,
        terms: &Terms,
        formulas: &[(Option<Term>, Term)],
    ) -> Result<(), Unfit> {
        let mut facts = Vec::new();
        for &(guard, formula) in formulas {
            match guard {
                None => facts.extend(terms.conjuncts(&[formula])),
                Some(guard) => {
                    let (guard, lit) = (self.literal(terms, guard)?, self.literal(terms, formula)?);
                    self.assert_clause(&[!guard, lit]);
                }
            }
        }
        self.define_numbers(terms, &facts)?;
        let mut rest = Vec::new();
        for &fact in &facts {
            if !self.define_truth(terms, fact)? {
                rest.push(fact);
            }
        }
        for fact in rest {
            self.assert_fact(terms, fact)?;
        }
        Ok(())
    }

    fn assert_fact(&mut self, terms: &Terms, fact: Term) -> Result<(), Unfit> {
        let mut lits = Vec::new();
        for part in disjuncts(terms, fact) {
            lits.push(self.literal(terms, part)?);
        }
        if let Some(assignment) = assignment(terms, fact)
            && self.holds_by_definition(terms, &assignment)?
        {
            return Ok(());
        }
        self.assert_clause(&lits);
        Ok(())
    }

    /// Takes `b = p` for the definition of `b`, if it can be one.
    fn define_truth(&mut self, terms: &Terms, fact: Term) -> Result<bool, Unfit> {
        let (equation, flip) = match terms.op(fact) {
            Op::Not => (terms.args(fact)[0], true),
            _ => (fact, false),
        };
        if terms.op(equation) != Op::Eq || terms.sort(terms.args(equation)[0]) != Sort::Bool {
            return Ok(false);
        }
        let (a, b) = (terms.args(equation)[0], terms.args(equation)[1]);
        for (var, meaning) in [(a, b), (b, a)] {
            if self.is_new(terms, var) {
                let lit = self.literal(terms, meaning)?;
                // Unless the meaning has the variable in it.
                if self.is_new(terms, var) {
                    self.encoded.insert(var, Encoded::Truth(lit.flip_if(flip)));
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Gives numbers that commands assign the values that they assign.
    fn define_numbers(&mut self, terms: &Terms, facts: &[Term]) -> Result<(), Unfit> {
        let mut by_var: FxHashMap<Term, Vec<Assignment>> = FxHashMap::default();
        let mut order = Vec::new();
        for &fact in facts {
            let Some(found) = assignment(terms, fact).filter(|found| self.is_new(terms, found.var)) else {
                continue;
            };
            let assignments = by_var.entry(found.var).or_default();
            if assignments.is_empty() {
                order.push(found.var);
            }
            assignments.push(found);
        }
        for var in order {
            let mut cases = Vec::new();
            for Assignment { value, others, .. } in &by_var[&var] {
                let whole: Vec<Term> = others.iter().copied().chain([*value]).collect();
                if terms.free_vars_of(&whole).contains(&var) {
                    continue;
                }
                self.encode(terms, &whole)?;
                let Some(value) = self.number(*value) else { continue };
                let others: Result<Vec<Lit>, Unfit> =
                    others.iter().map(|&t| Ok(!self.known_literal(t)?)).collect();
                let guard = self.and(others?);
                cases.push((guard, value));
            }
            // A value may have needed it meanwhile.
            if !self.is_new(terms, var) {
                continue;
            }
            let vertex = self.vertex()?;
            let mut number = self.leaf(vertex, 0)?;
            for &(guard, value) in cases.iter().rev() {
                number = self.choice(guard, value, number)?;
            }
            self.encoded.insert(var, Encoded::Number(number));
        }
        Ok(())
    }

    /// Whether an assignment is what the number of its variable says under the guard.
    fn holds_by_definition(&mut self, terms: &Terms, assignment: &Assignment) -> Result<bool, Unfit> {
        let (Some(number), Some(value)) = (self.number(assignment.var), self.number(assignment.value)) else {
            return Ok(false);
        };
        let mut guard = Vec::new();
        for &other in &assignment.others {
            guard.push(!self.literal(terms, other)?);
        }
        let guard = self.and(guard);
        if guard == Lit::FALSE {
            return Ok(true);
        }
        let (c, positive) = (Lit::new(guard.var(), true), guard.is_positive());
        Ok(self.restrict(number, c, positive)? == self.restrict(value, c, positive)?)
    }
}

/// The disjuncts of a formula.
fn disjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    let is_or = |&t: &Term| terms.op(t) == Op::Or;
    if is_or(&formula) && !terms.args(formula).iter().any(is_or) {
        return terms.args(formula).to_vec();
    }
    let mut found = Vec::new();
    let mut pending = vec![formula];
    while let Some(t) = pending.pop() {
        match terms.op(t) {
            Op::Or => pending.extend(terms.args(t).iter().rev()),
            _ => found.push(t),
        }
    }
    found
}

/// An equality of a variable that is no `Bool`, beside other disjuncts or alone.
fn assignment(terms: &Terms, fact: Term) -> Option<Assignment> {
    let is_equation = |t: &Term| terms.op(*t) == Op::Eq && terms.sort(terms.args(*t)[0]) != Sort::Bool;
    let parts = match terms.op(fact) {
        Op::Eq if is_equation(&fact) => vec![fact],
        Op::Or => disjuncts(terms, fact),
        _ => return None,
    };
    let mut equations = parts.iter().filter(|t| is_equation(t));
    let (&equation, None) = (equations.next()?, equations.next()) else { return None };
    let args = terms.args(equation);
    // The later variable: what is assigned is declared after what it is assigned from.
    let (first, second) = if args[0] > args[1] { (args[0], args[1]) } else { (args[1], args[0]) };
    let (var, value) = if terms.is_var(first) { (first, second) } else { (second, first) };
    let mut others = parts;
    others.retain(|&t| t != equation);
    terms.is_var(var).then_some(Assignment { var, value, others })
}
