//! Which values a bit-vector term can have, whatever its variables are: from its form alone.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use crate::value::Value;

/// How deep terms are looked into.
const DEPTH: u32 = 12;

impl Terms {
    /// A range of unsigned numbers that the values of a bit-vector term of at most 64 bits are in.
    pub fn unsigned_range(&self, t: Term) -> (u64, u64) {
        self.range_within(t, DEPTH)
    }

    fn range_within(&self, t: Term, depth: u32) -> (u64, u64) {
        let Sort::BitVec(width) = self.sort(t) else { return (0, u64::MAX) };
        if width > 64 {
            return (0, u64::MAX);
        }
        let all = (0, u64::MAX >> (64 - width));
        if let Some(value) = self.small_constant(t) {
            return (value, value);
        }
        if depth == 0 {
            return all;
        }
        let args = self.args(t);
        let of = |t: Term| self.range_within(t, depth - 1);
        let found = match self.op(t) {
            Op::Ite => {
                let ((a, b), (c, d)) = (of(args[1]), of(args[2]));
                Some((a.min(c), b.max(d)))
            }
            Op::ZeroExtend => Some(of(args[0])),
            Op::SignExtend => {
                let (low, high) = of(args[0]);
                (high >> (self.width(args[0]) - 1) == 0).then_some((low, high))
            }
            Op::Add | Op::Mul => {
                let combine = if self.op(t) == Op::Add { u64::checked_add } else { u64::checked_mul };
                args.iter()
                    .map(|&a| of(a))
                    .map(Some)
                    .reduce(|x, y| {
                        let ((a, b), (c, d)) = (x?, y?);
                        Some((combine(a, c)?, combine(b, d)?))
                    })
                    .flatten()
            }
            Op::BvAnd => args.iter().map(|&a| of(a).1).min().map(|high| (0, high)),
            Op::Concat => {
                let (((a, b), (c, d)), low) = ((of(args[0]), of(args[1])), self.width(args[1]));
                Some(((a << low) | c, (b << low) | d))
            }
            Op::Extract { high, low: 0 } => {
                let (a, b) = of(args[0]);
                (b <= u64::MAX >> (63 - high)).then_some((a, b))
            }
            Op::Lshr => {
                let (a, b) = of(args[0]);
                self.small_constant(args[1]).filter(|&by| by < 64).map(|by| (a >> by, b >> by))
            }
            Op::Shl => {
                let (a, b) = of(args[0]);
                let by = self.small_constant(args[1]).filter(|&by| by < 64);
                by.filter(|&by| b.leading_zeros() as u64 >= by).map(|by| (a << by, b << by))
            }
            Op::Urem => {
                let by = self.small_constant(args[1]).filter(|&by| by > 0);
                by.map(|by| (0, of(args[0]).1.min(by - 1)))
            }
            Op::Udiv => {
                let (a, b) = of(args[0]);
                self.small_constant(args[1]).filter(|&by| by > 0).map(|by| (a / by, b / by))
            }
            _ => None,
        };
        found.filter(|&(_, high)| high <= all.1).unwrap_or(all)
    }

    /// The value of a constant of at most 64 bits.
    pub(crate) fn small_constant(&self, t: Term) -> Option<u64> {
        match self.stored_constant(t)? {
            Value::Bits(bits) if bits.width() <= 64 => Some(bits.unsigned() as u64),
            _ => None,
        }
    }
}
