//! Conversions.

use super::super::instr::{Instr, Reg};
use super::super::scalar::{Format, Int, Kind};
use super::Compiler;
use tamis_front_c::tree::Type;

impl Compiler<'_> {
    /// Converts the value in `d` from one type to another.
    pub(super) fn convert(&mut self, from: Type, to: Type, d: Reg) {
        let (source, target) = (self.kind(from), self.kind(to));
        if to == Type::Bool {
            return self.truth(source, d);
        }
        match (source, target) {
            (Kind::Int(a), Kind::Int(b)) => {
                if self.determined && a.is_address() && !b.is_address() {
                    self.emit(Instr::Exposed { a: d });
                }
                let pointed = self.determined && b.is_address() && !a.is_address();
                // An address is compared without a sign, but extended with one.
                let a = if from.extends_sign() && !a.signed() && a.bits() < b.bits() {
                    let signed = Int::new(a.bits(), true);
                    self.emit(Instr::Normal { d, a: d, k: signed });
                    signed
                } else {
                    a
                };
                self.convert_int(a, b, d);
                if pointed {
                    self.emit(Instr::Pointed { a: d });
                }
            }
            (Kind::Int(from), Kind::Float(to)) => {
                self.emit(Instr::IntToFloat { d, a: d, from, to });
            }
            (Kind::Float(from), Kind::Int(to)) => {
                self.emit(Instr::FloatToInt { d, a: d, from, to });
            }
            (Kind::Float(from), Kind::Float(to)) if from != to => {
                self.emit(Instr::FloatToFloat { d, a: d, from, to });
            }
            _ => {}
        }
    }

    fn convert_int(&mut self, from: Int, to: Int, d: Reg) {
        if to.is_wide() {
            if from != to {
                self.emit(Instr::Widen { d, a: d, from, to });
            }
            return;
        }
        // What the register holds is right already if every value of the old format is one of the new.
        let keeps = match (from.signed(), to.signed()) {
            (false, true) => from.bits() < to.bits(),
            (true, false) => false,
            _ => from.bits() <= to.bits(),
        };
        if !keeps {
            self.emit(Instr::Normal { d, a: d, k: to });
        }
    }

    /// Whether the value in `d` is not 0: 0 or 1, in `d`.
    pub(super) fn truth(&mut self, kind: Kind, d: Reg) {
        match kind {
            Kind::Int(k) if k.is_wide() => {
                self.emit(Instr::WideNonZero { d, a: d });
            }
            Kind::Int(k) => {
                self.test_address(k, d);
                self.emit(Instr::NonZero { d, a: d });
            }
            Kind::Float(format) => {
                self.emit(Instr::FloatNonZero { d, a: d, format });
            }
            Kind::Void | Kind::Record { .. } => self.unsupported("a test of such a value"),
        }
    }

    /// The value in `a`, if it is an address, is compared with null.
    pub(super) fn test_address(&mut self, k: Int, a: Reg) {
        if self.determined && k.is_address() {
            self.emit(Instr::Tested { a });
        }
    }

    /// Copies a value between registers.
    pub(super) fn move_value(&mut self, kind: Kind, d: Reg, a: Reg) {
        if d == a {
            return;
        }
        for i in 0..kind.registers() {
            self.emit(Instr::Move { d: d + i, a: a + i });
        }
    }

    /// The number 1 of a floating format, in `d`.
    pub(super) fn float_one(&mut self, format: Format, d: Reg) {
        match format {
            Format::Single => self.emit(Instr::Const { d, value: u64::from(1f32.to_bits()) }),
            Format::Double => self.emit(Instr::Const { d, value: 1f64.to_bits() }),
            Format::Extended => {
                self.emit(Instr::Const { d, value: 1 << 63 });
                self.emit(Instr::Const { d: d + 1, value: 0x3fff })
            }
        };
    }
}
