//! Bit-vector values of any width, with the semantics of SMT-LIB's `FixedSizeBitVectors`.

use dashu_int::{IBig, UBig};
use std::fmt;

/// A bit-vector value: `width` bits, of which the least significant is bit 0.
///
/// Up to 128 bits are held in place; only wider values are on the heap.
///
/// ```
/// use tamis_logic::Bits;
/// let a = Bits::new(8, 250);
/// assert_eq!(a.add(&Bits::new(8, 10)), Bits::new(8, 4));
/// assert_eq!(a.signed(), -6);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    width: u32,
    number: Number,
}

/// The unsigned reading. Which variant holds it depends on the width alone, so equal values are equal here.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Number {
    /// Of at most [`INLINE`] bits.
    Small(u128),
    /// Of more.
    Big(UBig),
}

use Number::{Big, Small};

/// The widest value held in place.
const INLINE: u32 = 128;

fn mask(width: u32) -> u128 {
    u128::MAX >> (INLINE - width)
}

// The methods are named after the SMT-LIB operators; the traits of the standard library would promise Rust's semantics.
#[allow(clippy::should_implement_trait)]
impl Bits {
    /// The value `bits` modulo 2^`width`.
    ///
    /// # Panics
    /// If `width` is 0.
    pub fn new(width: u32, bits: u128) -> Bits {
        assert!(width > 0, "a bit-vector without bits");
        let number = if width <= INLINE { Small(bits & mask(width)) } else { Big(UBig::from(bits)) };
        Bits { width, number }
    }

    /// The value `bits` modulo 2^`width`, for any number.
    pub fn from_ubig(width: u32, mut bits: UBig) -> Bits {
        assert!(width > 0, "a bit-vector without bits");
        bits.clear_high_bits(width as usize);
        let number =
            if width <= INLINE { Small(u128::try_from(&bits).unwrap_or_default()) } else { Big(bits) };
        Bits { width, number }
    }

    /// The two's complement representation of `value` in `width` bits.
    pub fn from_signed(width: u32, value: i128) -> Bits {
        if width <= INLINE { Bits::new(width, value as u128) } else { Bits::from_ibig(width, &value.into()) }
    }

    /// The two's complement representation of `value` in `width` bits, for any number.
    pub fn from_ibig(width: u32, value: &IBig) -> Bits {
        let magnitude = Bits::from_ubig(width, value.clone().into_parts().1);
        if *value < IBig::ZERO { magnitude.neg() } else { magnitude }
    }

    /// The value whose bit `i` is `bits[i]`.
    pub fn from_bits(bits: &[bool]) -> Bits {
        let width = bits.len() as u32;
        if width <= INLINE {
            let number = bits.iter().rev().fold(0, |n, &bit| n << 1 | u128::from(bit));
            return Bits::new(width, number);
        }
        let byte = |chunk: &[bool]| chunk.iter().rev().fold(0u8, |n, &bit| n << 1 | u8::from(bit));
        let bytes: Vec<u8> = bits.chunks(8).map(byte).collect();
        Bits::from_ubig(width, UBig::from_le_bytes(&bytes))
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
        if width <= INLINE {
            Bits::new(width, u128::MAX)
        } else {
            Bits::from_ubig(width, UBig::ones(width as usize))
        }
    }

    /// 2^`exponent` in `width` bits.
    pub fn power(width: u32, exponent: u32) -> Bits {
        if width <= INLINE {
            Bits::new(width, 1u128.checked_shl(exponent).unwrap_or(0))
        } else {
            Bits::from_ubig(width, UBig::ONE << exponent as usize)
        }
    }

    /// The least signed value, with only the sign bit set.
    pub fn min_signed(width: u32) -> Bits {
        Bits::power(width, width - 1)
    }

    /// The greatest signed value.
    pub fn max_signed(width: u32) -> Bits {
        Bits::min_signed(width).not()
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value read as an unsigned number.
    ///
    /// # Panics
    /// If it is 2^128 or more, which no value of up to 128 bits is; see [`to_ubig`](Bits::to_ubig).
    pub fn unsigned(&self) -> u128 {
        self.to_u128().expect("an unsigned value below 2^128")
    }

    /// The value read as a two's complement number.
    ///
    /// # Panics
    /// If an `i128` does not hold it, as it does any value of up to 128 bits; see [`to_ibig`](Bits::to_ibig).
    pub fn signed(&self) -> i128 {
        match &self.number {
            Small(bits) => {
                let unused = INLINE - self.width;
                ((bits << unused) as i128) >> unused
            }
            Big(_) => i128::try_from(&self.to_ibig()).expect("a signed value of 128 bits"),
        }
    }

    /// The value read as an unsigned number, if that is below 2^128.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.number {
            Small(bits) => Some(*bits),
            Big(bits) => u128::try_from(bits).ok(),
        }
    }

    /// The value read as an unsigned number.
    pub fn to_ubig(&self) -> UBig {
        match &self.number {
            Small(bits) => UBig::from(*bits),
            Big(bits) => bits.clone(),
        }
    }

    /// The value read as a two's complement number.
    pub fn to_ibig(&self) -> IBig {
        let unsigned = IBig::from(self.to_ubig());
        if self.is_negative() { unsigned - (IBig::ONE << self.width as usize) } else { unsigned }
    }

    /// Bit `index`, where 0 is the least significant.
    pub fn bit(&self, index: u32) -> bool {
        use dashu_int::ops::BitTest;
        match &self.number {
            Small(bits) => index < self.width && (bits >> index) & 1 == 1,
            Big(bits) => bits.bit(index as usize),
        }
    }

    /// The sign bit.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether no bit is set.
    pub fn is_zero(&self) -> bool {
        match &self.number {
            Small(bits) => *bits == 0,
            Big(bits) => bits.is_zero(),
        }
    }

    /// Whether the value is 1.
    pub fn is_one(&self) -> bool {
        match &self.number {
            Small(bits) => *bits == 1,
            Big(bits) => bits.is_one(),
        }
    }

    /// Whether every bit is set.
    pub fn is_ones(&self) -> bool {
        self.trailing_ones() == self.width
    }

    /// How many bits are set from bit 0 up to the first that is not.
    pub fn trailing_ones(&self) -> u32 {
        match &self.number {
            Small(bits) => bits.trailing_ones(),
            Big(bits) => bits.trailing_ones().unwrap_or(0) as u32,
        }
    }

    /// `k` if the value is 2^k.
    pub fn power_of_two(&self) -> Option<u32> {
        use dashu_int::ops::PowerOfTwo;
        match &self.number {
            Small(bits) => bits.is_power_of_two().then(|| bits.trailing_zeros()),
            Big(bits) => bits.is_power_of_two().then(|| bits.trailing_zeros().unwrap_or(0) as u32),
        }
    }

    /// The value as a shift amount, if it is below the width.
    pub fn amount(&self) -> Option<u32> {
        self.to_u128().filter(|&by| by < u128::from(self.width)).map(|by| by as u32)
    }

    fn with(&self, other: &Bits, small: fn(u128, u128) -> u128, big: fn(&UBig, &UBig) -> UBig) -> Bits {
        debug_assert_eq!(self.width, other.width);
        match (&self.number, &other.number) {
            (Small(a), Small(b)) => Bits::new(self.width, small(*a, *b)),
            _ => Bits::from_ubig(self.width, big(&self.to_ubig(), &other.to_ubig())),
        }
    }

    /// `bvneg`.
    pub fn neg(&self) -> Bits {
        match &self.number {
            Small(bits) => Bits::new(self.width, bits.wrapping_neg()),
            Big(bits) => Bits::from_ubig(self.width, (UBig::ONE << self.width as usize) - bits),
        }
    }

    /// `bvnot`.
    pub fn not(&self) -> Bits {
        match &self.number {
            Small(bits) => Bits::new(self.width, !bits),
            Big(bits) => Bits::from_ubig(self.width, UBig::ones(self.width as usize) - bits),
        }
    }

    /// `bvadd`.
    pub fn add(&self, other: &Bits) -> Bits {
        self.with(other, u128::wrapping_add, |a, b| a + b)
    }

    /// `bvsub`.
    pub fn sub(&self, other: &Bits) -> Bits {
        self.add(&other.neg())
    }

    /// `bvmul`.
    pub fn mul(&self, other: &Bits) -> Bits {
        self.with(other, u128::wrapping_mul, |a, b| a * b)
    }

    /// `bvudiv`: by zero, all ones.
    pub fn udiv(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return Bits::ones(self.width);
        }
        self.with(other, |a, b| a / b, |a, b| a / b)
    }

    /// `bvurem`: by zero, the dividend.
    pub fn urem(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return self.clone();
        }
        self.with(other, |a, b| a % b, |a, b| a % b)
    }

    /// `bvsdiv`: truncating; by zero, -1 for a non-negative dividend and 1 for a negative one.
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.abs().udiv(&other.abs());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// `bvsrem`: the sign follows the dividend; by zero, the dividend.
    pub fn srem(&self, other: &Bits) -> Bits {
        let remainder = self.abs().urem(&other.abs());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// `bvsmod`: the sign follows the divisor; by zero, the dividend.
    pub fn smod(&self, other: &Bits) -> Bits {
        let remainder = self.srem(other);
        let crosses = !remainder.is_zero() && remainder.is_negative() != other.is_negative();
        if crosses && !other.is_zero() { remainder.add(other) } else { remainder }
    }

    fn abs(&self) -> Bits {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `bvand`.
    pub fn and(&self, other: &Bits) -> Bits {
        self.with(other, |a, b| a & b, |a, b| a & b)
    }

    /// `bvor`.
    pub fn or(&self, other: &Bits) -> Bits {
        self.with(other, |a, b| a | b, |a, b| a | b)
    }

    /// `bvxor`.
    pub fn xor(&self, other: &Bits) -> Bits {
        self.with(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `bvshl`: a shift by the width or more gives 0.
    pub fn shl(&self, by: &Bits) -> Bits {
        match (by.amount(), &self.number) {
            (None, _) => Bits::zero(self.width),
            (Some(by), Small(bits)) => Bits::new(self.width, bits << by),
            (Some(by), Big(bits)) => Bits::from_ubig(self.width, bits << by as usize),
        }
    }

    /// `bvlshr`: a shift by the width or more gives 0.
    pub fn lshr(&self, by: &Bits) -> Bits {
        match by.amount() {
            Some(by) => self.extract(self.width - 1, by).zero_extend(self.width),
            None => Bits::zero(self.width),
        }
    }

    /// `bvashr`: a shift by the width or more gives the sign in every bit.
    pub fn ashr(&self, by: &Bits) -> Bits {
        let by = by.amount().unwrap_or(self.width - 1);
        self.extract(self.width - 1, by).sign_extend(self.width)
    }

    /// `bvult`.
    pub fn ult(&self, other: &Bits) -> bool {
        self.number < other.number
    }

    /// `bvslt`.
    pub fn slt(&self, other: &Bits) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (a, b) if a == b => self.ult(other),
            (a, _) => a,
        }
    }

    /// `concat`, with `self` as the high part.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        match (&self.number, &low.number) {
            (Small(a), Small(b)) if width <= INLINE => Bits::new(width, (a << low.width) | b),
            _ => Bits::from_ubig(width, (self.to_ubig() << low.width as usize) | low.to_ubig()),
        }
    }

    /// `(_ extract high low)`.
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        let width = high - low + 1;
        match &self.number {
            Small(bits) => Bits::new(width, bits >> low),
            Big(bits) => Bits::from_ubig(width, bits >> low as usize),
        }
    }

    /// Zero extension to `width` bits.
    pub fn zero_extend(&self, width: u32) -> Bits {
        match &self.number {
            Small(bits) => Bits::new(width, *bits),
            Big(bits) => Bits::from_ubig(width, bits.clone()),
        }
    }

    /// Sign extension to `width` bits.
    pub fn sign_extend(&self, width: u32) -> Bits {
        if width <= INLINE {
            return Bits::from_signed(width, self.signed());
        }
        if !self.is_negative() {
            return self.zero_extend(width);
        }
        let fill = UBig::ones((width - self.width) as usize) << self.width as usize;
        Bits::from_ubig(width, self.to_ubig() | fill)
    }
}

/// As SMT-LIB writes it: `#x…` when the width is a multiple of four, `#b…` otherwise.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (prefix, digit_bits) = if self.width.is_multiple_of(4) { ("#x", 4) } else { ("#b", 1) };
        let digits = (self.width / digit_bits) as usize;
        match (&self.number, digit_bits) {
            (Small(bits), 4) => write!(f, "{prefix}{bits:0digits$x}"),
            (Small(bits), _) => write!(f, "{prefix}{bits:0digits$b}"),
            (Big(bits), 4) => write!(f, "{prefix}{bits:0digits$x}"),
            (Big(bits), _) => write!(f, "{prefix}{bits:0digits$b}"),
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.to_ubig(), self.width)
    }
}
