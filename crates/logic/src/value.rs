//! Concrete values, with the semantics of SMT-LIB's `FixedSizeBitVectors`.

use crate::sort::{MAX_WIDTH, Sort};
use std::fmt;

/// A bit-vector value: `width` bits, of which the least significant is bit 0.
///
/// ```
/// use tamis_logic::Bits;
/// let a = Bits::new(8, 250);
/// assert_eq!(a.add(Bits::new(8, 10)), Bits::new(8, 4));
/// assert_eq!(a.signed(), -6);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    bits: u128,
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (MAX_WIDTH - width)
}

// The methods are named after the SMT-LIB operators; the traits of the standard library would promise Rust's semantics.
#[allow(clippy::should_implement_trait)]
impl Bits {
    /// The value `bits` modulo 2^`width`.
    ///
    /// # Panics
    /// If `width` is 0 or above [`MAX_WIDTH`].
    pub fn new(width: u32, bits: u128) -> Bits {
        assert!((1..=MAX_WIDTH).contains(&width), "bit-vector width {width} out of range");
        Bits { width, bits: bits & mask(width) }
    }

    /// The two's complement representation of `value` in `width` bits.
    pub fn from_signed(width: u32, value: i128) -> Bits {
        Bits::new(width, value as u128)
    }

    /// 0 in `width` bits.
    pub fn zero(width: u32) -> Bits {
        Bits::new(width, 0)
    }

    /// 1 in `width` bits.
    pub fn one(width: u32) -> Bits {
        Bits::new(width, 1)
    }

    /// The value with every bit set.
    pub fn ones(width: u32) -> Bits {
        Bits::new(width, u128::MAX)
    }

    /// The least signed value, with only the sign bit set.
    pub fn min_signed(width: u32) -> Bits {
        Bits::new(width, 1 << (width - 1))
    }

    /// The greatest signed value.
    pub fn max_signed(width: u32) -> Bits {
        Bits::min_signed(width).not()
    }

    /// The number of bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// The value read as an unsigned number.
    pub fn unsigned(self) -> u128 {
        self.bits
    }

    /// The value read as a two's complement number.
    pub fn signed(self) -> i128 {
        let unused = MAX_WIDTH - self.width;
        ((self.bits << unused) as i128) >> unused
    }

    /// Bit `index`, where 0 is the least significant.
    pub fn bit(self, index: u32) -> bool {
        index < self.width && (self.bits >> index) & 1 == 1
    }

    /// The sign bit.
    pub fn is_negative(self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether no bit is set.
    pub fn is_zero(self) -> bool {
        self.bits == 0
    }

    /// Whether the value is 1.
    pub fn is_one(self) -> bool {
        self.bits == 1
    }

    /// Whether every bit is set.
    pub fn is_ones(self) -> bool {
        self.bits == mask(self.width)
    }

    /// `k` if the value is 2^k.
    pub fn power_of_two(self) -> Option<u32> {
        self.bits.is_power_of_two().then(|| self.bits.trailing_zeros())
    }

    /// `bvneg`.
    pub fn neg(self) -> Bits {
        Bits::new(self.width, self.bits.wrapping_neg())
    }

    /// `bvnot`.
    pub fn not(self) -> Bits {
        Bits::new(self.width, !self.bits)
    }

    /// `bvadd`.
    pub fn add(self, other: Bits) -> Bits {
        Bits::new(self.width, self.bits.wrapping_add(other.bits))
    }

    /// `bvsub`.
    pub fn sub(self, other: Bits) -> Bits {
        Bits::new(self.width, self.bits.wrapping_sub(other.bits))
    }

    /// `bvmul`.
    pub fn mul(self, other: Bits) -> Bits {
        Bits::new(self.width, self.bits.wrapping_mul(other.bits))
    }

    /// `bvudiv`: by zero, all ones.
    pub fn udiv(self, other: Bits) -> Bits {
        Bits::new(self.width, self.bits.checked_div(other.bits).unwrap_or(u128::MAX))
    }

    /// `bvurem`: by zero, the dividend.
    pub fn urem(self, other: Bits) -> Bits {
        Bits::new(self.width, self.bits.checked_rem(other.bits).unwrap_or(self.bits))
    }

    /// `bvsdiv`: truncating; by zero, -1 for a non-negative dividend and 1 for a negative one.
    pub fn sdiv(self, other: Bits) -> Bits {
        let quotient = self.abs().udiv(other.abs());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// `bvsrem`: the sign follows the dividend; by zero, the dividend.
    pub fn srem(self, other: Bits) -> Bits {
        let remainder = self.abs().urem(other.abs());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    fn abs(self) -> Bits {
        if self.is_negative() { self.neg() } else { self }
    }

    /// `bvand`.
    pub fn and(self, other: Bits) -> Bits {
        Bits::new(self.width, self.bits & other.bits)
    }

    /// `bvor`.
    pub fn or(self, other: Bits) -> Bits {
        Bits::new(self.width, self.bits | other.bits)
    }

    /// `bvxor`.
    pub fn xor(self, other: Bits) -> Bits {
        Bits::new(self.width, self.bits ^ other.bits)
    }

    /// `bvshl`: a shift by the width or more gives 0.
    pub fn shl(self, by: Bits) -> Bits {
        match by.amount() {
            Some(by) => Bits::new(self.width, self.bits << by),
            None => Bits::zero(self.width),
        }
    }

    /// `bvlshr`: a shift by the width or more gives 0.
    pub fn lshr(self, by: Bits) -> Bits {
        match by.amount() {
            Some(by) => Bits::new(self.width, self.bits >> by),
            None => Bits::zero(self.width),
        }
    }

    /// `bvashr`: a shift by the width or more gives the sign in every bit.
    pub fn ashr(self, by: Bits) -> Bits {
        Bits::from_signed(self.width, self.signed() >> by.amount().unwrap_or(self.width - 1))
    }

    /// The value as a shift amount, if it is below the width.
    fn amount(self) -> Option<u32> {
        (self.bits < u128::from(self.width)).then_some(self.bits as u32)
    }

    /// `bvult`.
    pub fn ult(self, other: Bits) -> bool {
        self.bits < other.bits
    }

    /// `bvslt`.
    pub fn slt(self, other: Bits) -> bool {
        self.signed() < other.signed()
    }

    /// `concat`, with `self` as the high part.
    pub fn concat(self, low: Bits) -> Bits {
        Bits::new(self.width + low.width, (self.bits << low.width) | low.bits)
    }

    /// `(_ extract high low)`.
    pub fn extract(self, high: u32, low: u32) -> Bits {
        Bits::new(high - low + 1, self.bits >> low)
    }

    /// Zero extension to `width` bits.
    pub fn zero_extend(self, width: u32) -> Bits {
        Bits::new(width, self.bits)
    }

    /// Sign extension to `width` bits.
    pub fn sign_extend(self, width: u32) -> Bits {
        Bits::from_signed(width, self.signed())
    }
}

/// As SMT-LIB writes it: `#x…` when the width is a multiple of four, `#b…` otherwise.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.width.is_multiple_of(4) {
            write!(f, "#x{:0digits$x}", self.bits, digits = (self.width / 4) as usize)
        } else {
            write!(f, "#b{:0digits$b}", self.bits, digits = self.width as usize)
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.bits, self.width)
    }
}

/// A value of any sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bits(Bits),
}

impl Value {
    /// The sort this is a value of.
    pub fn sort(self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(bits) => Sort::BitVec(bits.width()),
        }
    }

    /// `false` or 0, the value of a variable that nothing constrains.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::Bits(Bits::zero(width)),
        }
    }

    /// The truth value.
    ///
    /// # Panics
    /// If this is not a `Bool`: the term it came from was not, which is a bug in the caller.
    pub fn as_bool(self) -> bool {
        match self {
            Value::Bool(b) => b,
            Value::Bits(_) => panic!("a bit-vector where a truth value was expected"),
        }
    }

    /// The bit-vector.
    ///
    /// # Panics
    /// If this is a `Bool`: the term it came from was, which is a bug in the caller.
    pub fn as_bits(self) -> Bits {
        match self {
            Value::Bits(bits) => bits,
            Value::Bool(_) => panic!("a truth value where a bit-vector was expected"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Bits(bits) => write!(f, "{bits}"),
        }
    }
}
