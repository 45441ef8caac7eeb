//! What values point to.

use super::super::nodes::{Access, Pointer};
use super::super::{constant, is_constant};
use super::{Analysis, Thing, field_of, is_aggregate, width};
use crate::tree::{ArithOp, AssignOp, CompareOp, ExprId, ExprKind, Type};

impl Analysis<'_> {
    /// What the value of an expression points to, if it may be an address.
    pub(in crate::memory) fn expr(&mut self, e: ExprId) -> Option<Pointer> {
        if let Some(&known) = self.exprs.get(&e) {
            return known;
        }
        if is_aggregate(self.unit[e].ty) && !matches!(self.unit[e].kind, ExprKind::Call { .. }) {
            self.value(e);
            return None;
        }
        let result = self.kind(e);
        let result = result.filter(|_| self.holds_address(self.unit[e].ty));
        self.exprs.insert(e, result);
        result
    }

    fn kind(&mut self, e: ExprId) -> Option<Pointer> {
        let unit = self.unit;
        let ty = unit[e].ty;
        match unit[e].kind {
            ExprKind::Load(place) => {
                let at = self.place(place);
                self.access(at, ty, field_of(unit, place));
                self.load(at, ty)
            }
            ExprKind::AddressOf(_) if constant(unit, e).is_some() => None,
            ExprKind::AddressOf(place) => {
                self.address(place);
                Some(self.array(place))
            }
            ExprKind::LabelAddress(label) => Some(self.label(label)),
            ExprKind::FunctionAddress(function) => Some(self.function(function)),
            ExprKind::PointerAdd { pointer, index, subtract, scale } => {
                let (at, distance) = (self.expr(pointer), self.expr(index));
                let by = constant(unit, index);
                match at {
                    Some(at) => {
                        let by_multiples = (scale, self.divisor(index));
                        Some(self.pointer_add(at, by, subtract, by_multiples))
                    }
                    // A number as an offset from null.
                    None => distance.map(|_| self.number([index])),
                }
            }
            ExprKind::PointerDiff { left, right, scale } => {
                self.compare(left, right, Some(scale as i64));
                let (left, right) = (self.expr(left), self.expr(right));
                self.given.extend(left.into_iter().chain(right));
                self.arith(ArithOp::Sub, (None, left), (None, right))
            }
            ExprKind::Arith(..) if is_constant(unit, e) => None,
            ExprKind::Arith(op, a, b) => {
                let (left, right) = (self.expr(a), self.expr(b));
                let constants = (constant(unit, a), constant(unit, b));
                self.arith(op, (constants.0, left), (constants.1, right))
            }
            ExprKind::Assign { place, op, value } => {
                let at = self.place(place);
                self.access(at, unit[place].ty, field_of(unit, place));
                let right = self.expr(value);
                let result = match op {
                    None => right,
                    Some(AssignOp::Pointer { subtract, scale }) => {
                        let old = self.nodes.target(at);
                        let by_multiples = (scale, self.divisor(value));
                        Some(self.pointer_add(old, constant(unit, value), subtract, by_multiples))
                    }
                    Some(AssignOp::Arith(op, _)) => {
                        let old = self.load(at, unit[place].ty);
                        let by = constant(unit, value);
                        self.arith(op, (None, old), (by, right))
                    }
                };
                if self.holds_address(unit[place].ty) {
                    self.store(at, result);
                } else {
                    self.cut.extend(result);
                }
                self.load(at, ty)
            }
            ExprKind::Step { place, by, .. } => {
                let at = self.place(place);
                self.access(at, unit[place].ty, field_of(unit, place));
                if self.holds_address(unit[place].ty) {
                    let old = self.nodes.target(at);
                    let new = self.moved(old, by as i64);
                    self.store(at, Some(new));
                }
                self.load(at, ty)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.expr(cond);
                let (a, b) = (self.expr(then), self.expr(otherwise));
                self.either(a, b)
            }
            ExprKind::Elvis { value, then, otherwise } => {
                let first = self.expr(value);
                let (a, b) = (self.expr(then), self.expr(otherwise));
                let a = self.either(first, a);
                self.either(a, b)
            }
            ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b)
            }
            ExprKind::Block { ref body, value } => {
                body.iter().for_each(|&s| self.stmt(s));
                value.and_then(|v| self.expr(v))
            }
            ExprKind::Call { callee, ref args } => self.call(e, callee, args),
            ExprKind::Alloca(size) => {
                self.expr(size);
                Some(self.thing(Thing::Allocated(e)))
            }
            ExprKind::Overflow { operands, result, stores, .. } => {
                let number = self.number(operands);
                let at = self.expr(result);
                if let (true, Some(at), Some(to)) = (stores, at, unit.pointee(unit[result].ty)) {
                    self.access(at, to, None);
                    self.store(at, Some(number));
                }
                None
            }
            ExprKind::VaArg(list) => {
                self.expr(list);
                let at = self.variadic();
                Some(self.nodes.target(at))
            }
            ExprKind::Compare(op, a, b) => {
                let exact = matches!(op, CompareOp::Eq | CompareOp::Ne);
                for (side, other) in [(a, b), (b, a)] {
                    if exact && constant(unit, other) == Some(0) {
                        self.test(side);
                    }
                }
                let scale = unit.pointee(unit[a].ty).and_then(|to| unit.size_of(to)).unwrap_or(1);
                self.compare(a, b, (!exact).then_some(scale as i64));
                None
            }
            ExprKind::VaCopy(to, from) => {
                if let (Some(to), Some(from)) = (self.expr(to), self.expr(from)) {
                    self.list_copy(to, from);
                }
                None
            }
            ExprKind::VaStart(list) => {
                if let Some(at) = self.expr(list) {
                    self.list(at);
                }
                None
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.expr(a);
                self.expr(b);
                None
            }
            ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Magnitude(a) | ExprKind::SwapBytes(a) => {
                Some(self.number([a]))
            }
            ExprKind::Convert(a) => self.convert(a, ty),
            ExprKind::Not(a) => {
                self.test(a);
                self.expr(a);
                None
            }
            ExprKind::BitCount(_, a) | ExprKind::VaEnd(a) => {
                self.expr(a);
                None
            }
            ExprKind::Const(_)
            | ExprKind::Float(_)
            | ExprKind::Bound
            | ExprKind::Trap
            | ExprKind::Unreachable
            | ExprKind::Unsupported(_) => None,
        }
    }

    /// A number is read only to see whether it is 0: no part of an address gets away.
    fn test(&mut self, mut e: ExprId) {
        let unit = self.unit;
        let is_number = |e: ExprId| matches!(unit[e].ty, Type::Int(_));
        while let ExprKind::Convert(a) = unit[e].kind
            && is_number(e)
            && is_number(a)
            && unit.size_of(unit[a].ty) <= unit.size_of(unit[e].ty)
        {
            e = a;
        }
        let ExprKind::Load(place) = unit[e].kind else { return };
        let is_part = is_number(e) && field_of(unit, place).is_none() && !self.holds_address(unit[e].ty);
        if !is_part || self.exprs.contains_key(&e) {
            return;
        }
        let at = self.place(place);
        let at = self.nodes.locate_raw(at);
        let access = Access { bit: 8 * at.offset, width: width(unit, unit[e].ty) };
        self.nodes.data(at.node).tested.insert(access);
        self.exprs.insert(e, None);
    }

    pub(super) fn either(&mut self, a: Option<Pointer>, b: Option<Pointer>) -> Option<Pointer> {
        if let (Some(a), Some(b)) = (a, b) {
            self.nodes.unify(a, b);
        }
        a.or(b)
    }
}
