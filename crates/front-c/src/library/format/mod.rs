//! Formats of `printf` and `scanf` as functions in C: a call whose format is a string literal is one of a function made for it.

use crate::tree::{FloatType, Type, Unit};
use tamis_program::IntType;

pub(super) mod output;
pub(super) mod print;
pub(super) mod scan;
#[cfg(test)]
pub(super) mod tests;

/// How wide an integer argument is said to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Largest,
    Size,
    Difference,
    LongDouble,
}

impl Length {
    /// The signed integer type of that width, and the unsigned one; the words are those of `template`.
    pub(super) fn types(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Length::Char => ("signed char", "unsigned char"),
            Length::Short => ("short", "unsigned short"),
            Length::Int => ("int", "unsigned int"),
            Length::Long => ("long", "unsigned long"),
            Length::LongLong | Length::Largest => ("long long", "unsigned long long"),
            Length::Size | Length::Difference => ("DIFFERENCE", "SIZE"),
            Length::LongDouble => return None,
        })
    }
}

/// What an argument after a format has to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Param {
    Int(Length, bool),
    Pointer,
    Double,
    LongDouble,
}

impl Param {
    /// A value of the type, in the form of a type of the tree, of what an argument is passed as. `None` if the argument
    /// is of another kind or width.
    pub(super) fn ty(self, unit: &Unit, given: Type) -> Option<Type> {
        match self {
            Param::Int(length, signed) => {
                let bits = match length {
                    Length::Char | Length::Short | Length::Int => 32,
                    Length::LongLong | Length::Largest => 64,
                    _ => unit.word(),
                };
                let fits = matches!(given, Type::Int(int) if int.bits == bits);
                fits.then_some(Type::Int(IntType { bits, signed }))
            }
            Param::Pointer => given.is_pointer().then_some(given),
            Param::Double => (given == Type::Float(FloatType::Double)).then_some(given),
            Param::LongDouble => (given == Type::Float(FloatType::Extended)).then_some(given),
        }
    }
}

/// A function that does what a format says.
pub(super) struct Made {
    /// Its definition.
    pub(super) text: String,
    /// What follows the format.
    pub(super) params: Vec<Param>,
}

/// What is left of a format.
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

impl Cursor<'_> {
    pub(super) fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub(super) fn eat(&mut self, text: &[u8]) -> bool {
        match self.0.strip_prefix(text) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// A decimal number; `None` if it is unreasonably large.
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut value: u32 = 0;
        while let Some(digit) = self.0.first().filter(|c| c.is_ascii_digit()) {
            value = value.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
            self.0 = &self.0[1..];
        }
        (value <= 4096).then_some(value)
    }

    pub(super) fn length(&mut self) -> Length {
        const LENGTHS: [(&[u8], Length); 9] = [
            (b"hh", Length::Char),
            (b"h", Length::Short),
            (b"ll", Length::LongLong),
            (b"q", Length::LongLong),
            (b"l", Length::Long),
            (b"j", Length::Largest),
            (b"z", Length::Size),
            (b"t", Length::Difference),
            (b"L", Length::LongDouble),
        ];
        LENGTHS.iter().find(|(text, _)| self.eat(text)).map_or(Length::Int, |&(_, length)| length)
    }
}
