//! The abstract domain: what is known of a bit-vector, as a reduced product of an interval of its signed values, one of its unsigned
//! values, and its lowest bits. All operations allow for wrap-around.

use tamis_logic::Bits;

/// What is known of a value of up to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    width: u32,
    signed: (i128, i128),
    unsigned: (i128, i128),
    /// So many of the lowest bits are known, and what they are.
    low: (u32, u64),
}

fn low_mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl Range {
    /// Any value.
    pub fn any(width: u32) -> Range {
        let half = 1i128 << (width - 1);
        Range { width, signed: (-half, half - 1), unsigned: (0, 2 * half - 1), low: (0, 0) }
    }

    /// One value.
    pub fn constant(bits: &Bits) -> Range {
        let (signed, unsigned) = (bits.signed(), bits.unsigned() as i128);
        let (width, low) = (bits.width(), (bits.width(), bits.unsigned() as u64));
        Range { width, signed: (signed, signed), unsigned: (unsigned, unsigned), low }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn signed(&self) -> (i128, i128) {
        self.signed
    }

    pub fn unsigned(&self) -> (i128, i128) {
        self.unsigned
    }

    pub fn low(&self) -> (u32, u64) {
        self.low
    }

    /// The only value, as an unsigned number.
    pub fn value(&self) -> Option<u64> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0 as u64)
    }

    pub fn is_any(&self) -> bool {
        *self == Range::any(self.width)
    }

    /// What the parts say of each other; `None` if there is no such value.
    fn reduced(mut self) -> Option<Range> {
        let (half, all) = (1i128 << (self.width - 1), 1i128 << self.width);
        for _ in 0..2 {
            if self.signed.0 >= 0 {
                self.unsigned = meet(self.unsigned, self.signed);
            } else if self.signed.1 < 0 {
                self.unsigned = meet(self.unsigned, (self.signed.0 + all, self.signed.1 + all));
            }
            if self.unsigned.1 < half {
                self.signed = meet(self.signed, self.unsigned);
            } else if self.unsigned.0 >= half {
                self.signed = meet(self.signed, (self.unsigned.0 - all, self.unsigned.1 - all));
            }
            // The ends have the known lowest bits.
            let (bits, value) = (self.low.0, i128::from(self.low.1));
            if bits > 0 && bits < 64 {
                let stride = 1i128 << bits;
                for ends in [&mut self.signed, &mut self.unsigned] {
                    ends.0 += (value - ends.0).rem_euclid(stride);
                    ends.1 -= (ends.1 - value).rem_euclid(stride);
                }
            }
            if self.signed.0 > self.signed.1 || self.unsigned.0 > self.unsigned.1 {
                return None;
            }
        }
        if let Some(value) = self.value() {
            self.low = (self.width, value);
        }
        Some(self)
    }

    fn built(
        width: u32,
        signed: Option<(i128, i128)>,
        unsigned: Option<(i128, i128)>,
        low: (u32, u64),
    ) -> Range {
        let any = Range::any(width);
        let fits = |ends: &(i128, i128), of: (i128, i128)| of.0 <= ends.0 && ends.1 <= of.1;
        let signed = signed.filter(|ends| fits(ends, any.signed)).unwrap_or(any.signed);
        let unsigned = unsigned.filter(|ends| fits(ends, any.unsigned)).unwrap_or(any.unsigned);
        let bits = low.0.min(width);
        let range = Range { width, signed, unsigned, low: (bits, low.1 & low_mask(bits)) };
        // The result of an operation on some value has a value.
        range.reduced().unwrap_or(any)
    }

    pub fn between_signed(width: u32, low: i128, high: i128) -> Range {
        Range::built(width, Some((low, high)), None, (0, 0))
    }

    pub fn between_unsigned(width: u32, low: i128, high: i128) -> Range {
        Range::built(width, None, Some((low, high)), (0, 0))
    }

    /// What both say.
    pub fn meet(&self, other: &Range) -> Option<Range> {
        let bits = self.low.0.min(other.low.0);
        if (self.low.1 ^ other.low.1) & low_mask(bits) != 0 {
            return None;
        }
        let low = if self.low.0 >= other.low.0 { self.low } else { other.low };
        let (signed, unsigned) = (meet(self.signed, other.signed), meet(self.unsigned, other.unsigned));
        if signed.0 > signed.1 || unsigned.0 > unsigned.1 {
            return None;
        }
        Range { width: self.width, signed, unsigned, low }.reduced()
    }

    /// What either says.
    pub fn join(&self, other: &Range) -> Range {
        let hull = |a: (i128, i128), b: (i128, i128)| (a.0.min(b.0), a.1.max(b.1));
        let same = (self.low.1 ^ other.low.1).trailing_zeros();
        let bits = self.low.0.min(other.low.0).min(same);
        Range {
            width: self.width,
            signed: hull(self.signed, other.signed),
            unsigned: hull(self.unsigned, other.unsigned),
            low: (bits, self.low.1 & low_mask(bits)),
        }
    }

    /// What has grown goes to the next of some thresholds, in order.
    pub fn widened(&self, grown: &Range, thresholds: &[i128]) -> Range {
        let any = Range::any(self.width);
        let wide = |old: (i128, i128), new: (i128, i128), any: (i128, i128)| {
            let below =
                || thresholds.iter().rev().copied().find(|&t| t <= new.0 && t >= any.0).unwrap_or(any.0);
            let above = || thresholds.iter().copied().find(|&t| t >= new.1 && t <= any.1).unwrap_or(any.1);
            (if new.0 < old.0 { below() } else { old.0 }, if new.1 > old.1 { above() } else { old.1 })
        };
        let low = self.join(grown).low;
        Range {
            width: self.width,
            signed: wide(self.signed, grown.signed, any.signed),
            unsigned: wide(self.unsigned, grown.unsigned, any.unsigned),
            low,
        }
    }

    pub fn add(&self, other: &Range) -> Range {
        let sum = |a: (i128, i128), b: (i128, i128)| Some((a.0 + b.0, a.1 + b.1));
        let low = (self.low.0.min(other.low.0), self.low.1.wrapping_add(other.low.1));
        // Unsigned values that all wrap around are known too.
        let all = 1i128 << self.width;
        let unsigned = sum(self.unsigned, other.unsigned)
            .map(|(a, b)| if a >= all { (a - all, b - all) } else { (a, b) });
        Range::built(self.width, sum(self.signed, other.signed), unsigned, low)
    }

    pub fn neg(&self) -> Range {
        let all = 1i128 << self.width;
        let unsigned = (self.unsigned.0 > 0).then_some((all - self.unsigned.1, all - self.unsigned.0));
        let low = (self.low.0, self.low.1.wrapping_neg());
        Range::built(self.width, Some((-self.signed.1, -self.signed.0)), unsigned, low)
    }

    pub fn mul(&self, other: &Range) -> Range {
        let product = |a: (i128, i128), b: (i128, i128)| {
            let ends =
                [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
            Some((*ends.iter().min()?, *ends.iter().max()?))
        };
        // As many bits are known as of the one that has fewer, and as many more as the other has zeros at the end.
        let zeros = |low: (u32, u64)| if low.0 == 0 { 0 } else { low.1.trailing_zeros().min(low.0) };
        let (a, b) = (self.low, other.low);
        let bits = (a.0 + zeros(b)).min(b.0 + zeros(a));
        let low = (bits, a.1.wrapping_mul(b.1));
        Range::built(
            self.width,
            product(self.signed, other.signed),
            product(self.unsigned, other.unsigned),
            low,
        )
    }

    pub fn udiv(&self, other: &Range) -> Range {
        match other.unsigned {
            (low, high) if low > 0 => {
                let ends = (self.unsigned.0 / high, self.unsigned.1 / low);
                Range::built(self.width, None, Some(ends), (0, 0))
            }
            _ => Range::any(self.width),
        }
    }

    pub fn urem(&self, other: &Range) -> Range {
        let (low, high) = other.unsigned;
        match low > 0 {
            true if self.unsigned.1 < low => *self,
            true => Range::between_unsigned(self.width, 0, self.unsigned.1.min(high - 1)),
            false => Range::any(self.width),
        }
    }

    pub fn sdiv(&self, other: &Range) -> Range {
        let (low, high) = other.signed;
        if low <= 0 {
            return Range::any(self.width);
        }
        let ends = [self.signed.0 / low, self.signed.0 / high, self.signed.1 / low, self.signed.1 / high];
        let (Some(&a), Some(&b)) = (ends.iter().min(), ends.iter().max()) else {
            return Range::any(self.width);
        };
        Range::between_signed(self.width, a, b)
    }

    pub fn srem(&self, other: &Range) -> Range {
        let (low, high) = other.signed;
        if low <= 0 {
            return Range::any(self.width);
        }
        let (least, most) = self.signed;
        if least >= 0 && most < low {
            return *self;
        }
        let down = if least >= 0 { 0 } else { least.max(1 - high) };
        let up = if most <= 0 { 0 } else { most.min(high - 1) };
        Range::between_signed(self.width, down, up)
    }

    pub fn and(&self, other: &Range) -> Range {
        let most = self.unsigned.1.min(other.unsigned.1);
        let bits = self.low.0.min(other.low.0);
        Range::built(self.width, None, Some((0, most)), (bits, self.low.1 & other.low.1))
    }

    pub fn or(&self, other: &Range) -> Range {
        let least = self.unsigned.0.max(other.unsigned.0);
        let most = up_to_ones(self.unsigned.1 | other.unsigned.1);
        let bits = self.low.0.min(other.low.0);
        Range::built(self.width, None, Some((least, most)), (bits, self.low.1 | other.low.1))
    }

    pub fn xor(&self, other: &Range) -> Range {
        let most = up_to_ones(self.unsigned.1 | other.unsigned.1);
        let bits = self.low.0.min(other.low.0);
        Range::built(self.width, None, Some((0, most)), (bits, self.low.1 ^ other.low.1))
    }

    pub fn not(&self) -> Range {
        let all = (1i128 << self.width) - 1;
        let signed = (-1 - self.signed.1, -1 - self.signed.0);
        let unsigned = (all - self.unsigned.1, all - self.unsigned.0);
        Range::built(self.width, Some(signed), Some(unsigned), (self.low.0, !self.low.1))
    }

    pub fn shl(&self, by: &Range) -> Range {
        match by.value() {
            Some(by) if by < u64::from(self.width) => {
                self.mul(&Range::constant(&Bits::new(self.width, 1u128 << by)))
            }
            _ => Range::any(self.width),
        }
    }

    pub fn lshr(&self, by: &Range) -> Range {
        match by.value() {
            Some(by) if by < u64::from(self.width) => {
                Range::between_unsigned(self.width, self.unsigned.0 >> by, self.unsigned.1 >> by)
            }
            _ => Range::between_unsigned(self.width, 0, self.unsigned.1),
        }
    }

    pub fn ashr(&self, by: &Range) -> Range {
        match by.value() {
            Some(by) if by < u64::from(self.width) => {
                Range::between_signed(self.width, self.signed.0 >> by, self.signed.1 >> by)
            }
            _ => Range::any(self.width),
        }
    }

    /// The lowest bits.
    pub fn truncated(&self, width: u32) -> Range {
        Range::built(width, Some(self.signed), Some(self.unsigned), self.low)
    }

    pub fn zero_extended(&self, width: u32) -> Range {
        let low = if self.low.0 == self.width { (width, self.low.1) } else { self.low };
        Range::built(width, Some(self.unsigned), Some(self.unsigned), low)
    }

    pub fn sign_extended(&self, width: u32) -> Range {
        Range::built(width, Some(self.signed), None, self.low)
    }

    /// The values that could be extended to this.
    pub fn before_extension(&self, width: u32, signed: bool) -> Option<Range> {
        let any = Range::any(width);
        let low = (self.low.0.min(width), self.low.1 & low_mask(self.low.0.min(width)));
        let range = match signed {
            true => Range { signed: meet(self.signed, any.signed), low, ..any },
            false => Range { unsigned: meet(self.unsigned, any.unsigned), low, ..any },
        };
        range.reduced()
    }
}

fn meet(a: (i128, i128), b: (i128, i128)) -> (i128, i128) {
    (a.0.max(b.0), a.1.min(b.1))
}

/// The least number of ones only that is not smaller.
fn up_to_ones(x: i128) -> i128 {
    let bits = 128 - x.leading_zeros();
    (1i128 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u32 = 4;

    fn holds(range: &Range, x: &Bits) -> bool {
        range.meet(&Range::constant(x)).is_some()
    }

    /// Ranges of all kinds: intervals, with or without known lowest bits.
    fn ranges() -> Vec<Range> {
        let mut all = Vec::new();
        for low in -8i128..8 {
            for high in low..8 {
                let between = Range::between_signed(WIDTH, low, high);
                all.push(between);
                let odd = Range { low: (1, 1), ..Range::any(WIDTH) };
                all.extend(between.meet(&odd));
                if low >= -2 {
                    all.push(Range::between_unsigned(WIDTH, low + 2, high + 7));
                }
            }
        }
        all
    }

    /// Whatever values are in the operands, the result is in the result's range.
    #[test]
    fn operations_hold_of_all_values() {
        type Abstract = fn(&Range, &Range) -> Range;
        type Concrete = fn(&Bits, &Bits) -> Bits;
        let operations: [(&str, Abstract, Concrete); 13] = [
            ("add", Range::add, Bits::add),
            ("mul", Range::mul, Bits::mul),
            ("udiv", Range::udiv, Bits::udiv),
            ("urem", Range::urem, Bits::urem),
            ("sdiv", Range::sdiv, Bits::sdiv),
            ("srem", Range::srem, Bits::srem),
            ("and", Range::and, Bits::and),
            ("or", Range::or, Bits::or),
            ("xor", Range::xor, Bits::xor),
            ("shl", Range::shl, Bits::shl),
            ("lshr", Range::lshr, Bits::lshr),
            ("ashr", Range::ashr, Bits::ashr),
            ("join", Range::join, |a, _| a.clone()),
        ];
        let values: Vec<Bits> = (0..1 << WIDTH).map(|x| Bits::new(WIDTH, x)).collect();
        let all = ranges();
        for a in &all {
            let here: Vec<&Bits> = values.iter().filter(|x| holds(a, x)).collect();
            assert!(!here.is_empty());
            for x in &here {
                assert!(holds(&a.neg(), &x.neg()) && holds(&a.not(), &x.not()));
                assert!(holds(&a.truncated(2), &x.extract(1, 0)));
                assert!(holds(&a.zero_extended(6), &x.zero_extend(6)));
                assert!(holds(&a.sign_extended(6), &x.sign_extend(6)));
            }
            for b in all.iter().step_by(3) {
                for (name, over, exactly) in &operations {
                    let range = over(a, b);
                    for x in &here {
                        for y in values.iter().filter(|y| holds(b, y)) {
                            assert!(
                                holds(&range, &exactly(x, y)),
                                "{name} of {a:?} and {b:?}: {range:?} lacks {x:?}, {y:?}"
                            );
                        }
                    }
                }
                let both = a.meet(b);
                for x in here.iter().filter(|x| holds(b, x)) {
                    assert!(both.is_some_and(|both| holds(&both, x)));
                }
            }
        }
    }
}
