//! Simultaneous substitution.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use rustc_hash::FxHashMap;

/// A map from variables to the terms that replace them, all at once.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
}

impl Substitution {
    /// The substitution that changes nothing.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Maps `var` to `term`, in place of what it was mapped to.
    pub fn insert(&mut self, var: Term, term: Term) {
        self.map.insert(var, term);
    }

    /// What `var` is mapped to.
    pub fn get(&self, var: Term) -> Option<Term> {
        self.map.get(&var).copied()
    }

    /// Whether no variable is mapped.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

impl FromIterator<(Term, Term)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (Term, Term)>>(pairs: I) -> Substitution {
        Substitution { map: pairs.into_iter().collect() }
    }
}

impl Terms {
    /// `t` with every variable that `substitution` maps replaced, simultaneously, and simplified on the way.
    ///
    /// ```
    /// use tamis_logic::{Sort, Substitution, Terms};
    /// let mut t = Terms::new();
    /// let (x, y) = (t.var("x", Sort::BitVec(8)), t.var("y", Sort::BitVec(8)));
    /// let x_below_y = t.ult(x, y);
    /// let swap: Substitution = [(x, y), (y, x)].into_iter().collect();
    /// assert_eq!(t.substitute(x_below_y, &swap), t.ult(y, x));
    /// ```
    pub fn substitute(&mut self, t: Term, substitution: &Substitution) -> Term {
        self.substitute_with(t, |var| substitution.get(var))
    }

    /// As [`substitute`](Terms::substitute), for many terms: what they share is walked through once.
    pub fn substitute_all(&mut self, roots: &[Term], substitution: &Substitution) -> Vec<Term> {
        self.substitute_all_with(roots, |var| substitution.get(var))
    }

    /// As [`substitute`](Terms::substitute), for a substitution given as a function.
    pub fn substitute_with(&mut self, t: Term, replacement: impl FnMut(Term) -> Option<Term>) -> Term {
        self.substitute_all_with(&[t], replacement)[0]
    }

    fn substitute_all_with(
        &mut self,
        roots: &[Term],
        mut replacement: impl FnMut(Term) -> Option<Term>,
    ) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut args = Vec::new();
        for part in self.post_order(roots) {
            let new = if self.is_var(part) {
                replacement(part).unwrap_or(part)
            } else {
                args.clear();
                args.extend(self.args(part).iter().map(|a| done[a]));
                if args == self.args(part) { part } else { self.rebuild(part, &args) }
            };
            debug_assert_eq!(self.sort(new), self.sort(part));
            done.insert(part, new);
        }
        roots.iter().map(|t| done[t]).collect()
    }

    /// The term with the operator of `like` over other arguments of the same sorts, simplified.
    pub fn rebuild(&mut self, like: Term, args: &[Term]) -> Term {
        match self.op(like) {
            Op::Bool(_) | Op::Const(_) | Op::Var(_) => like,
            op => self.build(op, self.sort(like), args),
        }
    }

    /// The term `op(args)` of sort `sort`, simplified. The operator has arguments.
    pub(crate) fn build(&mut self, op: Op, sort: Sort, args: &[Term]) -> Term {
        let width = sort.width().unwrap_or(0);
        match op {
            Op::Bool(_) | Op::Const(_) | Op::Var(_) => self.intern(op, sort, args),
            Op::Not => self.not(args[0]),
            Op::And => self.and(args),
            Op::Or => self.or(args),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Neg => self.neg(args[0]),
            Op::Add => self.add(args[0], args[1]),
            Op::Mul => self.mul(args[0], args[1]),
            Op::Udiv => self.udiv(args[0], args[1]),
            Op::Urem => self.urem(args[0], args[1]),
            Op::Sdiv => self.sdiv(args[0], args[1]),
            Op::Srem => self.srem(args[0], args[1]),
            Op::BvNot => self.bv_not(args[0]),
            Op::BvAnd => self.bv_and(args[0], args[1]),
            Op::BvOr => self.bv_or(args[0], args[1]),
            Op::BvXor => self.bv_xor(args[0], args[1]),
            Op::Shl => self.shl(args[0], args[1]),
            Op::Lshr => self.lshr(args[0], args[1]),
            Op::Ashr => self.ashr(args[0], args[1]),
            Op::Concat => self.concat(args[0], args[1]),
            Op::Extract { high, low } => self.extract(high, low, args[0]),
            Op::ZeroExtend => self.zero_extend(width, args[0]),
            Op::SignExtend => self.sign_extend(width, args[0]),
            Op::Ult => self.ult(args[0], args[1]),
            Op::Slt => self.slt(args[0], args[1]),
            Op::Plus => self.plus(args),
            Op::Times => self.times(args),
            Op::Le => self.le(args[0], args[1]),
            Op::IntDiv => self.int_div(args[0], args[1]),
            Op::Mod => self.modulo(args[0], args[1]),
            Op::Divide => self.divide(args[0], args[1]),
            Op::ToReal => self.to_real(args[0]),
            Op::ToInt => self.to_int(args[0]),
            Op::IsInt => self.is_int(args[0]),
            Op::Select => self.select(args[0], args[1]),
            Op::Store => self.store(args[0], args[1], args[2]),
            Op::ConstArray => self.const_array(sort, args[0]),
            Op::Apply(f) => self.apply(f, args),
        }
    }
}
