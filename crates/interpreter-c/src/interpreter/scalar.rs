//! How values sit in registers and in memory.

use tamis_front_c::tree::{FloatType, Type, Unit};

/// An integer format: a width from 1 to 128 bits, and a sign. In a register of 64 bits, a narrower value is extended
/// according to its sign; a wider one takes two registers, the low half first. Addresses have a format of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Int(u16);

const SIGNED: u16 = 1 << 7;
const ADDRESS: u16 = 1 << 8;

impl Int {
    pub const U32: Int = Int::new(32, false);
    pub const I32: Int = Int::new(32, true);
    pub const U64: Int = Int::new(64, false);
    pub const I64: Int = Int::new(64, true);

    pub const fn new(bits: u32, signed: bool) -> Int {
        Int(((bits - 1) & 127) as u16 | if signed { SIGNED } else { 0 })
    }

    /// The format of addresses of so many bits.
    pub const fn address(bits: u32) -> Int {
        Int(Int::new(bits, false).0 | ADDRESS)
    }

    /// Whether its values are addresses.
    #[inline]
    pub const fn is_address(self) -> bool {
        self.0 & ADDRESS != 0
    }

    #[inline]
    pub const fn bits(self) -> u32 {
        (self.0 & 127) as u32 + 1
    }

    #[inline]
    pub const fn signed(self) -> bool {
        self.0 & SIGNED != 0
    }

    #[inline]
    pub const fn is_wide(self) -> bool {
        self.bits() > 64
    }

    /// The bytes a value takes in memory.
    #[inline]
    pub const fn size(self) -> usize {
        (self.bits() as usize).div_ceil(8).next_power_of_two()
    }

    /// Cuts a value down to the width and extends it again.
    #[inline]
    pub const fn normal(self, value: u64) -> u64 {
        let shift = 64 - self.bits();
        if self.signed() { (((value << shift) as i64) >> shift) as u64 } else { value << shift >> shift }
    }

    /// The same for any width.
    pub const fn normal_wide(self, value: u128) -> u128 {
        let shift = 128 - self.bits();
        if self.signed() { (((value << shift) as i128) >> shift) as u128 } else { value << shift >> shift }
    }

    /// The value of a register of at most 64 bits, extended to 128.
    #[inline]
    pub const fn widen(self, value: u64) -> u128 {
        if self.signed() { value as i64 as i128 as u128 } else { value as u128 }
    }

    /// The least value, extended.
    pub const fn min(self) -> i128 {
        if self.signed() { i128::MIN >> (128 - self.bits()) } else { 0 }
    }

    pub const fn unsigned(self) -> Int {
        Int(self.0 & 127)
    }
}

/// A floating-point format that can be computed with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    Single,
    Double,
    /// The 80 bits of the x87, in two registers: the significand, then the sign and exponent.
    Extended,
}

/// What a value is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Void,
    Int(Int),
    Float(Format),
    /// A struct or union, which a register holds the address of.
    Record {
        size: u32,
        align: u32,
    },
}

impl Kind {
    /// The kind of a type's values, or what it is that has none.
    pub fn of(unit: &Unit, ty: Type) -> Result<Kind, String> {
        Ok(match ty {
            Type::Void => Kind::Void,
            Type::Pointer { bits, .. } => Kind::Int(Int::address(bits)),
            Type::Bool | Type::Int(_) => {
                let int = ty.int().filter(|i| (1..=128).contains(&i.bits)).ok_or("a wide integer")?;
                Kind::Int(Int::new(int.bits, int.signed))
            }
            Type::Float(FloatType::Single) => Kind::Float(Format::Single),
            Type::Float(FloatType::Double) => Kind::Float(Format::Double),
            Type::Float(FloatType::Extended) => Kind::Float(Format::Extended),
            Type::Float(FloatType::Half) => return Err("_Float16".to_owned()),
            Type::Float(FloatType::Quad) => return Err("__float128".to_owned()),
            Type::Record(record) => {
                let size = unit[record].size.ok_or_else(|| format!("incomplete {}", unit[record].name))?;
                let size = u32::try_from(size).map_err(|_| "a record of 4 GB or more".to_owned())?;
                Kind::Record { size, align: u32::try_from(unit[record].align).unwrap_or(1).max(1) }
            }
            Type::Array(_) => return Err("an array as a value".to_owned()),
            Type::Function(_) => return Err("a function as a value".to_owned()),
            Type::Other(what) => return Err(what.to_owned()),
        })
    }

    /// How many registers a value takes.
    pub fn registers(self) -> u16 {
        match self {
            Kind::Void => 0,
            Kind::Int(int) if int.is_wide() => 2,
            Kind::Float(Format::Extended) => 2,
            _ => 1,
        }
    }

    /// Size and alignment as a function argument, where an address has `word` bytes.
    pub fn argument_layout(self, word: u64) -> (u64, u64) {
        let (size, align) = match self {
            Kind::Void => (0, 1),
            Kind::Int(int) => (int.size() as u64, if int.is_wide() { 16 } else { word }),
            Kind::Float(Format::Single) => (4, word),
            Kind::Float(Format::Double) => (8, word),
            Kind::Float(Format::Extended) => (if word == 4 { 12 } else { 16 }, 16),
            Kind::Record { size, align } => (u64::from(size), u64::from(align)),
        };
        let align = if word == 4 { 4 } else { align.clamp(word, 16) };
        (size, align)
    }
}
