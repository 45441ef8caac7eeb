//! Simplifying constructors of the operators that put bit-vectors together and take them apart.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};

/// How many nodes a tree may have that a rule goes through.
const TERMS_VISITED: usize = 12;

impl Terms {
    /// `concat`, with `a` as the high part.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a) + self.width(b);
        if self.bits_constant(a).is_some_and(|c| c.is_zero()) {
            return self.zero_extend(width, b);
        }
        // Neighbouring slices of one term are one slice.
        if let (Op::Extract { high, low }, Op::Extract { high: h, low: l }) = (self.op(a), self.op(b))
            && self.args(a) == self.args(b)
            && low == h + 1
        {
            let whole = self.args(a)[0];
            return self.extract(high, l, whole);
        }
        let sort = Sort::BitVec(width);
        self.fold(Op::Concat, sort, &[a, b]).unwrap_or_else(|| self.intern(Op::Concat, sort, &[a, b]))
    }

    /// `(_ extract high low)`.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        let width = self.width(a);
        assert!(low <= high && high < width, "extract {high} {low} from {width} bits");
        let (high, low, a) = self.source_of_slice(high, low, a);
        if low == 0 && high == self.width(a) - 1 {
            return a;
        }
        let (op, sort) = (Op::Extract { high, low }, Sort::BitVec(high - low + 1));
        if let Some(folded) = self.fold(op, sort, &[a]) {
            return folded;
        }
        let args = self.args(a).to_vec();
        match self.op(a) {
            Op::ZeroExtend | Op::SignExtend => {
                let inner = self.width(args[0]);
                if high < inner {
                    return self.extract(high, low, args[0]);
                }
                if self.op(a) == Op::ZeroExtend && low >= inner {
                    return self.bits(high - low + 1, 0);
                }
                if low == 0 {
                    return self.resize(high + 1, self.op(a) == Op::SignExtend, args[0]);
                }
            }
            // The low bits of these depend on the low bits of their arguments alone.
            Op::Add | Op::Mul | Op::BvAnd | Op::BvOr | Op::BvXor if low == 0 && self.narrows(a) => {
                let (x, y) = (self.extract(high, 0, args[0]), self.extract(high, 0, args[1]));
                return self.rebuild_at(self.op(a), x, y);
            }
            Op::Neg if low == 0 && self.narrows(a) => {
                let x = self.extract(high, 0, args[0]);
                return self.neg(x);
            }
            Op::BvNot if self.narrows(a) => {
                let x = self.extract(high, low, args[0]);
                return self.bv_not(x);
            }
            Op::Ite if self.is_small_ite(a) => {
                let (x, y) = (self.extract(high, low, args[1]), self.extract(high, low, args[2]));
                return self.ite(args[0], x, y);
            }
            _ => {}
        }
        self.intern(op, sort, &[a])
    }

    /// The innermost part, through slices and concatenations, that has all of bits `high` to `low` of `a`; with their
    /// places in it.
    fn source_of_slice(&self, mut high: u32, mut low: u32, mut a: Term) -> (u32, u32, Term) {
        loop {
            let args = self.args(a);
            match self.op(a) {
                Op::Extract { low: offset, .. } => (high, low, a) = (high + offset, low + offset, args[0]),
                Op::Concat => {
                    let split = self.width(args[1]);
                    if high < split {
                        a = args[1];
                    } else if low >= split {
                        (high, low, a) = (high - split, low - split, args[0]);
                    } else {
                        return (high, low, a);
                    }
                }
                _ => return (high, low, a),
            }
        }
    }

    /// Whether cutting low bits off `t` pays: a small tree of arithmetic over terms that are cheap to cut. The bound
    /// keeps the recursion shallow and a shared term from being cut once per path to it.
    fn narrows(&self, t: Term) -> bool {
        self.is_small_tree(t, |t, part| match t.op(part) {
            Op::Add | Op::Mul | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Neg | Op::BvNot => Some(false),
            Op::Const(_) | Op::ZeroExtend | Op::SignExtend | Op::Extract { .. } => Some(true),
            _ => None,
        })
    }

    /// Whether `t` is a small tree of if-then-elses, with a constant at one leaf at least.
    ///
    /// A rule that goes into the branches may go on from there through operators that can be undone: they count, so
    /// that no rule recurses deeply.
    pub(crate) fn is_small_ite(&self, t: Term) -> bool {
        let mut constant = false;
        let mut visited = 0;
        let mut pending = vec![(t, true)];
        while let Some((part, branch)) = pending.pop() {
            visited += 1;
            let args = self.args(part);
            let last_is_constant = || args.last().is_some_and(|&a| self.is_constant(a));
            match self.op(part) {
                Op::Ite if visited <= TERMS_VISITED => pending.extend([(args[1], branch), (args[2], branch)]),
                _ if part == t || visited > TERMS_VISITED => return false,
                Op::Neg | Op::BvNot | Op::ZeroExtend | Op::SignExtend | Op::ToReal => {
                    pending.push((args[0], false));
                }
                Op::Add | Op::BvXor | Op::Plus if last_is_constant() => pending.push((args[0], false)),
                Op::Concat => pending.extend([(args[0], false), (args[1], false)]),
                Op::Times => pending.extend(args.iter().map(|&a| (a, false))),
                _ => constant |= branch && self.is_constant(part),
            }
        }
        constant
    }

    /// Whether `t`, read as a tree, has few nodes down to its leaves. `leaf` says of each node whether it is a leaf,
    /// or `None` if it may not occur at all. The condition of an if-then-else is no part of the tree.
    fn is_small_tree(&self, t: Term, mut leaf: impl FnMut(&Terms, Term) -> Option<bool>) -> bool {
        let mut pending = vec![t];
        let mut visited = 0;
        while let Some(part) = pending.pop() {
            visited += 1;
            match leaf(self, part) {
                _ if visited > TERMS_VISITED => return false,
                None => return false,
                Some(true) => {}
                Some(false) => {
                    let skip = usize::from(self.op(part) == Op::Ite);
                    pending.extend_from_slice(&self.args(part)[skip..]);
                }
            }
        }
        true
    }

    fn rebuild_at(&mut self, op: Op, x: Term, y: Term) -> Term {
        match op {
            Op::Add => self.add(x, y),
            Op::Mul => self.mul(x, y),
            Op::BvAnd => self.bv_and(x, y),
            Op::BvOr => self.bv_or(x, y),
            _ => self.bv_xor(x, y),
        }
    }

    /// Zero extension of `a` to `width` bits.
    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        self.extend(Op::ZeroExtend, width, a)
    }

    /// Sign extension of `a` to `width` bits.
    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        // What has been zero-extended is not negative.
        let op = if self.op(a) == Op::ZeroExtend { Op::ZeroExtend } else { Op::SignExtend };
        self.extend(op, width, a)
    }

    fn extend(&mut self, op: Op, width: u32, a: Term) -> Term {
        let old = self.width(a);
        assert!(old <= width, "extension from {old} to {width} bits");
        if old == width {
            return a;
        }
        let sort = Sort::BitVec(width);
        if let Some(folded) = self.fold(op, sort, &[a]) {
            return folded;
        }
        if self.op(a) == op {
            let inner = self.args(a)[0];
            return self.extend(op, width, inner);
        }
        if self.is_small_ite(a) {
            let [cond, x, y] = [self.args(a)[0], self.args(a)[1], self.args(a)[2]];
            let signed = op == Op::SignExtend;
            let (x, y) = (self.resize(width, signed, x), self.resize(width, signed, y));
            return self.ite(cond, x, y);
        }
        self.intern(op, sort, &[a])
    }
}
