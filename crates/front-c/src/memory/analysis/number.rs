//! Numbers that are computed from addresses.
//!
//! Integers as wide as an address may hold one. Where such integers are computed with, whether an address goes in is
//! known only when all of the program has been seen: what a computation makes of addresses is noted, and decided again
//! and again until nothing changes. A narrower integer holds no address: objects lie above all of those, as gcc places
//! them, so only shifting parts back together makes an address again.

use super::super::nodes::Pointer;
use super::super::{constant, masked};
use super::{Analysis, ENDLESS, plus};
use crate::tree::{ArithOp, ExprId, ExprKind, PlaceId, StmtKind, Type};

/// Larger divisors of numbers are not told apart.
const MOST_DIVISOR: u64 = 1 << 12;

/// A number that was computed from others.
pub(super) struct Derived {
    from: Vec<Pointer>,
    to: Pointer,
    how: How,
}

/// What becomes of an address in a computation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// It is moved, whichever of the operands it is.
    Sum,
    /// It is moved, if it is the first operand.
    Difference,
    /// Nobody knows.
    Mixed,
}

impl Analysis<'_> {
    /// Whether values of a type may be addresses.
    pub(super) fn holds_address(&self, ty: Type) -> bool {
        match ty {
            Type::Float(_) => super::width(self.unit, ty) >= self.unit.word(),
            _ => ty.int().is_some_and(|int| int.bits >= self.unit.word()),
        }
    }

    /// What a converted value points to.
    pub(super) fn convert(&mut self, a: ExprId, ty: Type) -> Option<Pointer> {
        let is_float = |ty: Type| matches!(ty, Type::Float(_));
        let at =
            if is_float(ty) == is_float(self.unit[a].ty) { self.expr(a) } else { Some(self.number([a])) };
        if !self.holds_address(ty) && (is_float(ty) || matches!(ty, Type::Int(_))) {
            self.cut.extend(at);
        }
        if let Some((address, _)) = masked(self.unit, a, ty) {
            return self.expr(address);
        }
        if let (Some(at), Type::Pointer { .. }, Type::Int(_)) = (at, ty, self.unit[a].ty) {
            self.nodes.data(at.node).guessed = true;
        }
        at
    }

    /// Arithmetic on integers that may be addresses; of constants the value is given.
    pub(super) fn arith(
        &mut self,
        op: ArithOp,
        (a, left): (Option<i128>, Option<Pointer>),
        (b, right): (Option<i128>, Option<Pointer>),
    ) -> Option<Pointer> {
        let how = match (op, left, right) {
            (ArithOp::Add | ArithOp::Sub, Some(at), _) if b.is_some() => {
                return Some(self.pointer_add(at, b, op == ArithOp::Sub, (1, 1)));
            }
            (ArithOp::Add, _, Some(at)) if a.is_some() => {
                return Some(self.pointer_add(at, a, false, (1, 1)));
            }
            (ArithOp::Add, ..) => How::Sum,
            (ArithOp::Sub, ..) => How::Difference,
            _ => How::Mixed,
        };
        // The second operand of a difference moves nothing.
        let how = if how == How::Difference && left.is_none() { How::Mixed } else { how };
        Some(self.derive(left.into_iter().chain(right).collect(), how))
    }

    /// What a number points to that is computed in any way.
    pub(super) fn number(&mut self, from: impl IntoIterator<Item = ExprId>) -> Pointer {
        let from = from.into_iter().filter_map(|e| self.expr(e)).collect();
        self.derive(from, How::Mixed)
    }

    /// What machine instructions make of their operands. They may follow pointers, and take the address of an operand
    /// in memory.
    pub(super) fn assembly(&mut self, inputs: &[ExprId], outputs: &[PlaceId]) -> Pointer {
        let mut from: Vec<Pointer> = inputs.iter().filter_map(|&e| self.expr(e)).collect();
        for &output in outputs {
            let (at, ty) = (self.place(output), self.unit[output].ty);
            from.extend(self.load(at, ty));
        }
        for &input in inputs {
            if let ExprKind::Load(place) = self.unit[input].kind {
                self.address(place);
                from.push(self.place(place));
            }
        }
        self.given.extend(&from);
        for at in &from {
            self.nodes.data(at.node).reached = true;
        }
        let made = self.derive(from, How::Mixed);
        self.nodes.data(made.node).foreign = true;
        made
    }

    fn derive(&mut self, from: Vec<Pointer>, how: How) -> Pointer {
        let to = self.nodes.fresh();
        self.derived.push(Derived { from, to, how });
        to
    }

    /// Where `__builtin_add_overflow` and the like store, and what assembly is given to write through.
    pub(in crate::memory) fn given_away(&mut self) -> Vec<(ExprId, Vec<Pointer>)> {
        let unit = self.unit;
        let results = unit.exprs().filter_map(|e| match unit[e].kind {
            ExprKind::Overflow { result, stores: true, .. } => Some((e, result)),
            _ => None,
        });
        let inputs = unit.stmts().flat_map(|s| match &unit[s].kind {
            StmtKind::Asm { inputs, memory: true, .. } => inputs.clone(),
            _ => Vec::new(),
        });
        let all: Vec<(ExprId, ExprId)> = results.chain(inputs.map(|e| (e, e))).collect();
        all.into_iter()
            .filter_map(|(e, pointer)| self.exprs.get(&pointer).copied().flatten().map(|at| (e, vec![at])))
            .collect()
    }

    /// The largest power of two that divides a number for certain, up to a bound. What wraps around keeps it.
    pub(super) fn divisor(&self, e: ExprId) -> u64 {
        let unit = self.unit;
        if !matches!(unit[e].ty, Type::Int(_)) {
            return 1;
        }
        let power = |number: i128| number.checked_ilog2().map_or(1, |_| 1 << number.trailing_zeros());
        match (constant(unit, e), &unit[e].kind) {
            (Some(0), _) => MOST_DIVISOR,
            (Some(c), _) => power(c.wrapping_abs()).min(MOST_DIVISOR),
            (_, &ExprKind::Convert(a)) => self.divisor(a),
            (_, &ExprKind::Arith(ArithOp::Mul, a, b)) => {
                (self.divisor(a) * self.divisor(b)).min(MOST_DIVISOR)
            }
            (_, &ExprKind::Arith(ArithOp::Add | ArithOp::Sub, a, b)) => self.divisor(a).min(self.divisor(b)),
            _ => 1,
        }
    }

    /// A pointer moves by a number of elements, if that is known; if it is not, by a multiple of `divisor` elements.
    pub(super) fn pointer_add(
        &mut self,
        at: Pointer,
        by: Option<i128>,
        subtract: bool,
        (scale, divisor): (u64, u64),
    ) -> Pointer {
        match by.map(|by| self.wrapped(by)) {
            Some(by) if by.unsigned_abs() < ENDLESS as u128 => {
                let by = (by as i64).saturating_mul(scale as i64).clamp(-ENDLESS, ENDLESS);
                plus(at, if subtract { -by } else { by })
            }
            _ => self.moved(at, scale.saturating_mul(divisor).min(i64::MAX as u64) as i64),
        }
    }

    /// A constant as the signed number of the width of an address.
    fn wrapped(&self, by: i128) -> i128 {
        let modulus = 1i128 << self.unit.word();
        let by = by.rem_euclid(modulus);
        if by >= modulus / 2 { by - modulus } else { by }
    }

    /// Decides what the computed numbers point to; whether anything has changed.
    pub(super) fn settle_numbers(&mut self) -> bool {
        let mut changed = false;
        let cut = (0..self.cut.len()).any(|i| self.is_address(self.cut[i]));
        if let (true, Some(at)) = (cut, self.in_parts) {
            changed |= self.flag(at);
        }
        let distances = (0..self.cut.len()).any(|i| self.nodes.data(self.cut[i].node).number);
        let in_parts = cut || self.in_parts.is_some_and(|at| self.is_address(at));
        for i in 0..self.derived.len() {
            let Derived { ref from, to, how } = self.derived[i];
            let from = from.clone();
            let addresses: Vec<usize> = (0..from.len()).filter(|&i| self.is_address(from[i])).collect();
            // The distance of two addresses, say, may be 0.
            if let [first, ref rest @ ..] = addresses[..]
                && addresses.iter().any(|&i| self.nodes.data(from[i].node).external)
            {
                for &other in rest {
                    let (a, b) = (self.moved(from[first], 1), self.moved(from[other], 1));
                    changed |= self.meet(a, b);
                }
            }
            match (how, &addresses[..]) {
                // Parts of addresses may be put together.
                (_, []) if in_parts => changed |= self.flag(to),
                (_, []) => {}
                // A distance between objects that was cut may be added.
                (How::Sum | How::Difference, [_]) if distances => changed |= self.flag(to),
                (How::Sum, &[one]) | (How::Difference, &[one @ 0]) => {
                    let at = self.moved(from[one], 1);
                    if self.nodes.resolve(to) != self.nodes.resolve(at) {
                        changed = true;
                        self.nodes.unify(to, at);
                    }
                }
                _ => changed |= self.flag(to),
            }
        }
        changed | self.join_numbers()
    }

    /// A number that nobody knows the origin of, and that is taken as an address, may point to all that numbers point
    /// to.
    fn join_numbers(&mut self) -> bool {
        let is_pointer = |e: &ExprId| self.unit[*e].ty.is_pointer();
        let pointers: Vec<Pointer> =
            self.exprs.iter().filter(|(e, _)| is_pointer(e)).filter_map(|(_, &at)| at).collect();
        let is_wild = |at: &Pointer| {
            let data = self.nodes.data(at.node);
            data.number || (data.guessed && !data.external && data.objects.is_empty())
        };
        let wild: Vec<Pointer> = pointers.into_iter().filter(is_wild).collect();
        let Some(&first) = wild.first() else { return false };
        let numbers = self.numbers();
        let known: Vec<Pointer> = numbers.into_iter().filter(|&at| self.is_address(at)).collect();
        let first = self.moved(first, 1);
        let mut changed = false;
        for at in wild.into_iter().chain(known) {
            let at = self.moved(at, 1);
            if self.nodes.resolve(at) != self.nodes.resolve(first) {
                changed = true;
                self.nodes.unify(at, first);
            }
        }
        changed
    }

    /// What numbers point to that were addresses, whole or in parts.
    fn numbers(&mut self) -> Vec<Pointer> {
        let is_number = |e: &ExprId| matches!(self.unit[*e].ty, Type::Int(_) | Type::Float(_));
        let values = self.exprs.iter().filter(|(e, _)| is_number(e)).filter_map(|(_, &at)| at);
        let parts = self.cut.iter().copied().chain(self.in_parts).chain(self.given.iter().copied());
        let all: Vec<Pointer> = values.chain(parts).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        all.into_iter().filter(|&at| seen.insert(self.nodes.resolve(at).node)).collect()
    }

    /// Whether a value that points here may be the address of something.
    fn is_address(&mut self, at: Pointer) -> bool {
        let data = self.nodes.data(at.node);
        data.external || data.number || !data.objects.is_empty() || !data.functions.is_empty()
    }

    fn flag(&mut self, at: Pointer) -> bool {
        !std::mem::replace(&mut self.nodes.data(at.node).number, true)
    }
}
