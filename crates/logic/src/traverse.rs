//! Walking terms, each shared part once and without recursion.

use crate::op::{FunctionId, Op};
use crate::store::{Term, Terms};
use rustc_hash::FxHashSet;

impl Terms {
    /// Every term below `roots`, the roots included, arguments before what uses them, each once.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        self.post_order_until(roots, |_| false)
    }

    /// As [`post_order`](Terms::post_order), without what stands below a term that `stop` accepts.
    pub fn post_order_until(&self, roots: &[Term], mut stop: impl FnMut(Term) -> bool) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut pending: Vec<Term> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(t) = pending.pop() {
            if seen.insert(t) {
                found.push(t);
                if !stop(t) {
                    pending.extend_from_slice(self.args(t));
                }
            }
        }
        // An argument's id is below its user's.
        found.sort_unstable();
        found
    }

    /// The variables in `t`, each once, in order of their making.
    pub fn free_vars(&self, t: Term) -> Vec<Term> {
        self.free_vars_of(&[t])
    }

    /// The variables in any of `roots`, each once, in order of their making.
    pub fn free_vars_of(&self, roots: &[Term]) -> Vec<Term> {
        let mut all = self.post_order(roots);
        all.retain(|&t| self.is_var(t));
        all
    }

    /// The declared functions in any of `roots`, each once, in order of their declaration; divisions by zero are not
    /// declared.
    pub fn functions_of(&self, roots: &[Term]) -> Vec<FunctionId> {
        let function = |t: Term| match self.op(t) {
            Op::Apply(f) if self.divides_by_zero(f).is_none() => Some(f),
            _ => None,
        };
        let mut found: Vec<FunctionId> = self.post_order(roots).into_iter().filter_map(function).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The number of distinct terms in `t`.
    pub fn size(&self, t: Term) -> usize {
        self.post_order(&[t]).len()
    }

    /// The atoms of a formula: its smallest Boolean parts, constants apart. An if-then-else at another sort does
    /// not stand in the way: its condition's atoms are not atoms of the formula around it.
    pub fn atoms(&self, formula: Term) -> Vec<Term> {
        let mut found = self.post_order_until(&[formula], |t| !self.is_connective(t));
        found.retain(|&t| !self.is_connective(t) && !matches!(self.op(t), Op::Bool(_)));
        found
    }

    /// Whether a term is a Boolean combination of Boolean terms, and not an atom.
    pub fn is_connective(&self, t: Term) -> bool {
        use crate::sort::Sort::Bool;
        match self.op(t) {
            Op::Not | Op::And | Op::Or => true,
            Op::Ite => self.sort(t) == Bool,
            Op::Eq => self.sort(self.args(t)[0]) == Bool,
            _ => false,
        }
    }
}
