//! Initial values.

use super::lower::Lower;
use super::overrides::Cover;
use crate::tree::{BitField, ExprId, ExprKind, Init, InitEntry, Position, Type};
use rucc_sema::{Conversion, DeclId, ExprKind as Rucc};
use rustc_hash::FxHashMap;

/// The entries of one initialiser, as they are collected.
#[derive(Default)]
struct Entries {
    entries: Vec<InitEntry>,
    /// GNU's `[1 ... 9] = e` gives nine entries with one value: it is evaluated once.
    shared: FxHashMap<rucc_sema::ExprId, ExprId>,
    /// Whether the values are those of constant expressions.
    constants: bool,
}

impl Lower<'_> {
    /// The initial value of a variable, if its declaration gives one.
    pub(super) fn initialiser(&mut self, id: DeclId, constants: bool) -> Option<Init> {
        self.tast[id].init?;
        let mut entries = Entries { constants, ..Entries::default() };
        self.collect(id, 0, &mut entries);
        Some(Init { entries: entries.entries })
    }

    /// Adds the entries of a declaration's initialiser, for an object that begins at an offset.
    fn collect(&mut self, id: DeclId, from: u64, out: &mut Entries) {
        let tast = self.tast;
        let Some(list) = tast[id].init else { return };
        let object = (self.ty(tast[id].ty), from);
        let mut cover = Cover::new(tast.decl_span(id).lo);
        for entry in &tast[list] {
            let offset = from + entry.offset + u64::from(entry.bit_offset / 8);
            let bits = entry
                .is_bit_field()
                .then_some(BitField { first: entry.bit_offset % 8, width: entry.bit_width });
            let span = tast.expr_span(entry.value);
            let at = self.position(span);
            let ty = self.value_ty(tast[entry.value].ty);
            if !cover.add(&self.unit, object, (ty, offset, bits), &self.braces, span.lo) {
                let byte = self.byte();
                let value = self.unsupported("initialiser that overrides part of itself", byte, at);
                out.entries.push(InitEntry { offset, bits: None, value });
            } else if entry.reverse {
                let value = self.unsupported("struct with reversed storage order", ty, at);
                out.entries.push(InitEntry { offset, bits, value });
            } else if let (Rucc::Str(literal), Type::Array(_)) = (tast[entry.value].kind, ty) {
                self.spell_out(literal, ty, offset, at, out);
            } else if out.constants
                && let Some(literal) = self.literal(entry.value)
            {
                self.collect(literal, offset, out);
            } else {
                let value = self.entry_value(entry.value, at, out);
                out.entries.push(InitEntry { offset, bits, value });
            }
        }
    }

    fn entry_value(&mut self, id: rucc_sema::ExprId, at: Position, out: &mut Entries) -> ExprId {
        if let Some(&known) = out.shared.get(&id) {
            if self.is_pure(known) {
                return known;
            }
            let ty = self.unit[known].ty;
            return self.unsupported("initialiser of a range of elements that is no constant", ty, at);
        }
        let ty = self.value_ty(self.tast[id].ty);
        let folded = if out.constants && !matches!(ty, Type::Record(_)) { self.folded(id) } else { None };
        let value = match folded {
            Some(value) => self.constant(value, ty, at),
            None => self.expr(id),
        };
        out.shared.insert(id, value);
        value
    }

    /// The compound literal that a value is read from.
    fn literal(&self, id: rucc_sema::ExprId) -> Option<DeclId> {
        match self.tast[id].kind {
            Rucc::CompoundLiteral(decl) => Some(decl),
            Rucc::Convert { kind: Conversion::Lvalue, operand } | Rucc::Cast(operand) => {
                self.literal(operand)
            }
            _ => None,
        }
    }

    /// An entry for each element that a string literal gives an array of the type.
    fn spell_out(
        &mut self,
        literal: rucc_sema::StrId,
        ty: Type,
        offset: u64,
        at: Position,
        out: &mut Entries,
    ) {
        let Type::Array(array) = ty else { return };
        let (element, length) = (self.unit[array].element, self.unit[array].length);
        let Some(size) = self.unit.size_of(element) else { return };
        let elements = &self.tast[literal].elements;
        let length = length.unwrap_or(elements.len() as u64 + 1);
        let mut values = FxHashMap::default();
        for index in 0..length {
            let unit = elements.get(index as usize).copied().unwrap_or(0);
            let value = *values
                .entry(unit)
                .or_insert_with(|| self.add_expr(ExprKind::Const(i128::from(unit)), element, at));
            out.entries.push(InitEntry { offset: offset + index * size, bits: None, value });
        }
    }
}
