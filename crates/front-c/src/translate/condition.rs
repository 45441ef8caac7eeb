//! Conditions: expressions of which only the truth matters.

use super::Translator;
use super::expose::beyond;
use super::graph::Node;
use crate::memory::{Doubt, constant};
use crate::tree::{CompareOp, ExprId, ExprKind, Position, Type};
use tamis_diagnostics::Error;
use tamis_logic::Term;
use tamis_program::{Command, Event, IntType};

/// What is approximated where a pointer from outside is compared with the address of an object.
pub(super) const OUTSIDE: &str = "a pointer from outside to an object of the program";

/// What is approximated where addresses of string literals are compared or subtracted.
pub(super) const LITERALS: &str = "whether string literals share memory";

impl Translator<'_> {
    /// Whether an expression is not 0, as a formula.
    pub(super) fn condition(&mut self, e: ExprId) -> Result<Term, Error> {
        let unit = self.unit;
        Ok(match unit[e].kind {
            ExprKind::Not(a) => {
                let a = self.condition(a)?;
                self.terms.not(a)
            }
            ExprKind::Convert(a) if self.keeps_truth(a, e) => self.condition(a)?,
            ExprKind::Compare(op, a, b) if self.shows_layout(op, a, b) => {
                let at = self.at(e);
                self.operands(a, b, at)?;
                let bit = IntType { bits: 1, signed: false };
                let any = self.approximate(bit, "an address as a number", at)?;
                self.terms.nonzero(any)
            }
            ExprKind::Compare(op, a, b) if !self.is_float(a) => {
                let (ty, at) = (self.int_type(a)?, self.at(e));
                let (doubt, sides) = (self.memory.doubt(a, b), (a, b));
                let (a, b) = self.operands(a, b, at)?;
                if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
                    self.mark_unrelated(sides, (a, b), at)?;
                }
                let truth = match doubt {
                    None => self.compare(op, ty, a, b),
                    Some(doubt) => self.doubtful(doubt, (op, ty), (a, b), at)?,
                };
                match op {
                    CompareOp::Eq | CompareOp::Ne => self.open_identity(truth, sides, (a, b), at)?,
                    _ => truth,
                }
            }
            ExprKind::Compare(op, a, b) if self.compares_exactly(self.unit[a].ty) => {
                let (ty, at) = (self.unit[a].ty, self.at(e));
                let (a, b) = self.operands(a, b, at)?;
                match self.float_compare(op, ty, a, b) {
                    Some(truth) => truth,
                    None => return self.refuse(at, "this comparison"),
                }
            }
            ExprKind::LogAnd(a, b) if !self.facts.edges(b) => {
                let a = self.condition(a)?;
                let b = self.only_if(a, |walk| walk.condition(b))?;
                self.terms.and2(a, b)
            }
            ExprKind::LogOr(a, b) if !self.facts.edges(b) => {
                let a = self.condition(a)?;
                let not_a = self.terms.not(a);
                let b = self.only_if(not_a, |walk| walk.condition(b))?;
                self.terms.or2(a, b)
            }
            ExprKind::Cond { cond, then, otherwise }
                if !self.facts.edges(then) && !self.facts.edges(otherwise) =>
            {
                let cond = self.condition(cond)?;
                let not_cond = self.terms.not(cond);
                let then = self.only_if(cond, |walk| walk.condition(then))?;
                let otherwise = self.only_if(not_cond, |walk| walk.condition(otherwise))?;
                self.terms.ite(cond, then, otherwise)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.condition(b)?
            }
            _ => {
                let value = self.value(e)?;
                self.truth_of(value, self.unit[e].ty)
            }
        })
    }

    /// Whether a value is not 0. Zero has two signs if it is a floating-point number.
    pub(super) fn truth_of(&mut self, value: Term, ty: Type) -> Term {
        let magnitude = match ty {
            Type::Float(_) => self.terms.extract(self.terms.width(value) - 2, 0, value),
            _ => value,
        };
        self.terms.nonzero(magnitude)
    }

    /// Whether a comparison of an address with a number would show where objects are.
    fn shows_layout(&self, op: CompareOp, a: ExprId, b: ExprId) -> bool {
        let ordered = !matches!(op, CompareOp::Eq | CompareOp::Ne);
        let within = |e: ExprId| constant(self.unit, e).is_some_and(|c| !beyond(self.unit, c));
        self.unit[a].ty.is_pointer() && ordered && (within(a) != within(b))
    }

    /// A comparison of addresses whose result is not the same in every build.
    fn doubtful(
        &mut self,
        doubt: Doubt,
        (op, ty): (CompareOp, IntType),
        (a, b): (Term, Term),
        at: Position,
    ) -> Result<Term, Error> {
        let truth = self.compare(op, ty, a, b);
        let bit = IntType { bits: 1, signed: false };
        match doubt {
            Doubt::Literals => {
                let any = self.approximate(bit, LITERALS, at)?;
                let any = self.terms.nonzero(any);
                let (some_a, some_b) = (self.terms.nonzero(a), self.terms.nonzero(b));
                let both = self.terms.and2(some_a, some_b);
                Ok(self.terms.ite(both, any, truth))
            }
            Doubt::Outside if !matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                self.approximate(bit, OUTSIDE, at)?;
                Ok(truth)
            }
            Doubt::Outside => {
                let equal = self.terms.eq(a, b);
                let (yes, join) = (self.node(), self.node());
                self.fork(equal, yes, join, at, Event::Step, Event::Step)?;
                self.cursor.resume(yes);
                if self.cursor.here.is_some() {
                    self.approximate(bit, OUTSIDE, at)?;
                }
                self.cursor.join(join);
                Ok(truth)
            }
        }
    }

    /// Computes something that is only looked at where a condition holds.
    pub(super) fn only_if<T>(
        &mut self,
        condition: Term,
        compute: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.enclosing.under.push(condition);
        let computed = compute(self);
        self.enclosing.under.pop();
        computed
    }

    /// Whether `to`, a conversion of `from`, is 0 only where `from` is.
    fn keeps_truth(&self, from: ExprId, to: ExprId) -> bool {
        if self.unit[to].ty == Type::Bool && self.is_float(from) {
            return true;
        }
        match (self.unit[from].ty.int(), self.unit[to].ty) {
            (Some(_), Type::Bool) => true,
            (Some(from), Type::Int(to)) => from.bits <= to.bits,
            _ => false,
        }
    }

    /// Goes to `yes` where the expression is not 0, and to `no` where it is.
    pub(super) fn branch(&mut self, e: ExprId, yes: Node, no: Node) -> Result<(), Error> {
        self.branch_as(e, yes, no, true)
    }

    /// `sense`: whether `yes` is where the user's condition holds.
    fn branch_as(&mut self, e: ExprId, yes: Node, no: Node, sense: bool) -> Result<(), Error> {
        match self.unit[e].kind {
            ExprKind::Not(a) => self.branch_as(a, no, yes, !sense),
            ExprKind::Convert(a) if self.keeps_truth(a, e) => self.branch_as(a, yes, no, sense),
            ExprKind::LogAnd(a, b) if self.facts.edges(b) => {
                let both = self.node();
                self.branch_as(a, both, no, sense)?;
                self.cursor.resume(both);
                self.branch_as(b, yes, no, sense)
            }
            ExprKind::LogOr(a, b) if self.facts.edges(b) => {
                let neither = self.node();
                self.branch_as(a, yes, neither, sense)?;
                self.cursor.resume(neither);
                self.branch_as(b, yes, no, sense)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.branch_as(b, yes, no, sense)
            }
            _ => {
                let guard = self.condition(e)?;
                let at = self.at(e);
                self.fork(guard, yes, no, at, Event::Branch(sense), Event::Branch(!sense))
            }
        }
    }

    /// Two edges, one with a guard and one with its negation; a constant guard is a jump.
    pub(super) fn fork(
        &mut self,
        guard: Term,
        yes: Node,
        no: Node,
        at: Position,
        if_yes: Event,
        if_no: Event,
    ) -> Result<(), Error> {
        if self.terms.is_true(guard) {
            self.cursor.jump(yes);
        } else if self.terms.is_false(guard) {
            self.cursor.jump(no);
        } else {
            let otherwise = self.terms.not(guard);
            self.emit_to(yes, Command::Assume(guard), at, if_yes)?;
            self.emit_to(no, Command::Assume(otherwise), at, if_no)?;
            self.cursor.marks.clear();
            self.cursor.here = None;
        }
        Ok(())
    }
}
