//! Types.

use super::{ArrayId, PointeeId, RecordId, SignatureId};
use tamis_program::IntType;

/// A type, without qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// `_Bool`: 8 bits that hold 0 or 1.
    Bool,
    /// Any other integer type, enumerations included.
    Int(IntType),
    /// A real floating type.
    Float(FloatType),
    /// A pointer, as its address.
    Pointer {
        /// The width of an address.
        bits: u32,
        /// What it points to.
        to: PointeeId,
    },
    /// An array.
    Array(ArrayId),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function(SignatureId),
    /// A type whose values are not modelled; what to call one of them in a message.
    Other(&'static str),
}

/// A format of floating point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatType {
    /// `_Float16`.
    Half,
    /// `float`.
    Single,
    /// `double`.
    Double,
    /// `long double`: 80 bits, in 12 or 16 bytes.
    Extended,
    /// `__float128`.
    Quad,
}

/// An array type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    /// The type of an element.
    pub element: Type,
    /// How many there are; `None` where the type is incomplete, a flexible member, or the length is not constant.
    pub length: Option<u64>,
}

/// A struct or union type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// `struct tag` or `union tag`; without a tag the keyword alone.
    pub name: String,
    /// Whether it is a union.
    pub union: bool,
    /// Its size in bytes; `None` where it is incomplete or not constant.
    pub size: Option<u64>,
    /// Its alignment in bytes.
    pub align: u64,
    /// The members in the order of the declaration, unnamed ones included.
    pub fields: Vec<Field>,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type.
    pub ty: Type,
    /// Where it starts, in bytes; of a bit-field, the byte of its lowest bit.
    pub offset: u64,
    /// Which bits it has, if it is a bit-field.
    pub bits: Option<BitField>,
}

/// The bits of a bit-field. As the machine is little-endian, bit `i` of the field is bit `first + i` of the number
/// that the bytes from the field's offset on make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    /// The lowest bit, below 8.
    pub first: u32,
    /// How many bits; 0 only for unnamed fields.
    pub width: u32,
}

/// A function type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// What a call gives.
    pub result: Type,
    /// The parameter types, if there is a prototype.
    pub params: Option<Vec<Type>>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

impl Type {
    /// How a value of the type is stored, if it is an integer or an address.
    pub fn int(self) -> Option<IntType> {
        match self {
            Type::Bool => Some(IntType { bits: 8, signed: false }),
            Type::Int(int) => Some(int),
            Type::Pointer { bits, .. } => Some(IntType { bits, signed: false }),
            _ => None,
        }
    }

    /// Whether it is a pointer.
    pub fn is_pointer(self) -> bool {
        matches!(self, Type::Pointer { .. })
    }

    /// Whether a conversion to a wider type repeats the highest bit. gcc does so for addresses, which it compares
    /// without a sign.
    pub fn extends_sign(self) -> bool {
        match self {
            Type::Int(int) => int.signed,
            Type::Pointer { .. } => true,
            _ => false,
        }
    }
}
