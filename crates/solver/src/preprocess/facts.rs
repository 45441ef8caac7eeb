//! Assertions as a list of facts, and their simplification by each other.

use super::{Memo, Preprocessor, Translation, is_atom};
use crate::budget::{Budget, Stop};
use crate::limits;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Sort, Term, Terms};

impl Preprocessor {
    /// The facts that remain of `formulas`, asserted for good, after the variables that they define have been replaced;
    /// ready to become circuits. Their conjunction and the definitions are equivalent to the formulas.
    pub fn settle(
        &mut self,
        original: &Terms,
        formulas: &[Term],
        budget: &Budget,
    ) -> Result<Vec<Term>, Stop> {
        self.terms.adopt_sorts(original);
        let mut passing = Memo::default();
        let mut translation = Translation { passing: Some(&mut passing), used: None, ..self.translation() };
        translation.adopt(original, formulas);
        let mut facts: Vec<Term> = formulas.iter().filter_map(|&t| translation.find_image(t)).collect();
        self.flatten(&mut facts);
        for _ in 0..limits::FACT_ROUNDS {
            budget.check()?;
            let defined = self.eliminate(&mut facts);
            let units = self.units(&facts);
            if !defined && units.is_empty() {
                break;
            }
            let changed = self.simplify(&mut facts, &units);
            if !defined && !changed {
                break;
            }
            self.flatten(&mut facts);
        }
        self.known.extend(self.units(&facts));
        let vars = self.terms.free_vars_of(&facts);
        self.used.extend(vars);
        Ok(self.lower(&facts))
    }

    /// Rewrites the facts by definitions and by each other; whether any is another now.
    fn simplify(&mut self, facts: &mut [Term], units: &FxHashMap<Term, bool>) -> bool {
        let mut passing = Memo::default();
        let mut translation =
            Translation { passing: Some(&mut passing), units: Some(units), used: None, ..self.translation() };
        let mut changed = false;
        for fact in facts {
            let new = translation.resolve_fact(*fact);
            changed |= new != *fact;
            *fact = new;
        }
        changed
    }

    /// The atoms among the facts, with their truth value. Variables are not there: those not in use are replaced.
    fn units(&self, facts: &[Term]) -> FxHashMap<Term, bool> {
        let signed = |&fact: &Term| match self.terms.op(fact) {
            Op::Not => (self.terms.args(fact)[0], false),
            _ => (fact, true),
        };
        facts.iter().map(signed).filter(|&(atom, _)| is_atom(&self.terms, atom)).collect()
    }

    /// Splits conjunctions, and what can be said by several facts; each fact once.
    fn flatten(&mut self, facts: &mut Vec<Term>) {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut pending: Vec<Term> = facts.drain(..).rev().collect();
        while let Some(fact) = pending.pop() {
            if self.terms.is_true(fact) || !seen.insert(fact) {
                continue;
            }
            match self.parts(fact) {
                Some(parts) => pending.extend(parts.into_iter().rev()),
                None => facts.push(fact),
            }
        }
        if let Some(&falsehood) = facts.iter().find(|&&fact| self.terms.is_false(fact)) {
            *facts = vec![falsehood];
        }
    }

    /// Facts whose conjunction is `fact`, if there are simpler ones.
    fn parts(&mut self, fact: Term) -> Option<Vec<Term>> {
        let args = self.terms.args(fact);
        match self.terms.op(fact) {
            Op::And => Some(args.to_vec()),
            Op::Not if self.terms.op(args[0]) == Op::Or => {
                let disjuncts = self.terms.args(args[0]).to_vec();
                Some(disjuncts.into_iter().map(|t| self.terms.not(t)).collect())
            }
            Op::Eq => self.parts_of_equality(args[0], args[1]),
            Op::Or if args.len() == 2 => self.parts_of_choice(args[0], args[1]),
            Op::Ite => {
                let [condition, then, otherwise] = [args[0], args[1], args[2]];
                self.common_definition(condition, &[then], &[otherwise])
            }
            _ => None,
        }
    }

    /// A concatenation or an extension with a variable that may be replaced is equal part by part.
    fn parts_of_equality(&mut self, a: Term, b: Term) -> Option<Vec<Term>> {
        for (a, b) in [(a, b), (b, a)] {
            if self.is_free(b) {
                return None;
            }
            let args = self.terms.args(a);
            match self.terms.op(a) {
                Op::Concat if self.has_free_part(a) => {
                    let [high, low] = [args[0], args[1]];
                    let (width, split) = (self.terms.width(a), self.terms.width(low));
                    let (b_high, b_low) =
                        (self.terms.extract(width - 1, split, b), self.terms.extract(split - 1, 0, b));
                    return Some(vec![self.terms.eq(high, b_high), self.terms.eq(low, b_low)]);
                }
                Op::ZeroExtend if self.has_free_part(args[0]) => {
                    let inner = args[0];
                    let (width, split) = (self.terms.width(a), self.terms.width(inner));
                    let zero = self.terms.bits(width - split, 0);
                    let (b_high, b_low) =
                        (self.terms.extract(width - 1, split, b), self.terms.extract(split - 1, 0, b));
                    return Some(vec![self.terms.eq(b_high, zero), self.terms.eq(inner, b_low)]);
                }
                _ => {}
            }
        }
        None
    }

    /// Whether a term is a variable that may be replaced, or a concatenation with one.
    fn has_free_part(&self, t: Term) -> bool {
        let mut pending = vec![t];
        while let Some(t) = pending.pop() {
            if self.is_free(t) {
                return true;
            }
            if self.terms.op(t) == Op::Concat && pending.len() < 64 {
                pending.extend_from_slice(self.terms.args(t));
            }
        }
        false
    }

    /// `(c ∧ x = s ∧ …) ∨ (¬c ∧ x = t ∧ …)`: what paths that join say of a variable.
    fn parts_of_choice(&mut self, a: Term, b: Term) -> Option<Vec<Term>> {
        let conjuncts = |t: Term| match self.terms.op(t) {
            Op::And => self.terms.args(t).to_vec(),
            _ => vec![t],
        };
        let (mut a, mut b) = (conjuncts(a), conjuncts(b));
        let negation = |t: Term, of: Term| self.terms.op(t) == Op::Not && self.terms.args(t)[0] == of;
        let opposite = |x: Term, y: Term| negation(x, y) || negation(y, x);
        let at = a.iter().position(|&x| b.iter().any(|&y| opposite(x, y)))?;
        let condition = a.remove(at);
        b.retain(|&y| !opposite(condition, y));
        self.common_definition(condition, &a, &b)
    }

    /// `if condition then ⋀ a else ⋀ b`, if both say what some variable is that may be replaced.
    fn common_definition(&mut self, condition: Term, a: &[Term], b: &[Term]) -> Option<Vec<Term>> {
        let (x, i, s) = a.iter().enumerate().find_map(|(i, &t)| self.value_of(t).map(|(x, s)| (x, i, s)))?;
        let value_of_x = |&t: &Term| self.terms.side(t, |side| side == x).map(|(_, value)| value);
        let (j, t) = b.iter().enumerate().find_map(|(j, t)| value_of_x(t).map(|t| (j, t)))?;
        let value = self.terms.ite(condition, s, t);
        let without = |all: &[Term], at: usize| [&all[..at], &all[at + 1..]].concat();
        let (rest_a, rest_b) = (self.terms.and(&without(a, i)), self.terms.and(&without(b, j)));
        Some(vec![self.terms.eq(x, value), self.terms.ite(condition, rest_a, rest_b)])
    }

    /// The sides of an equality, one of which is a variable that may be replaced: that one first.
    fn value_of(&self, t: Term) -> Option<(Term, Term)> {
        self.terms.side(t, |x| self.terms.sort(x) != Sort::Bool && self.is_free(x))
    }
}
