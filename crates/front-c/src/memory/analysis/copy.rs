//! Structures, unions and arrays that are copied, and initial values.

use super::super::nodes::{Access, Pointer};
use super::{Analysis, is_aggregate, plus};
use crate::tree::{Init, Type};

/// Copying an array member of more elements folds it.
const FOLDED_COPY: u64 = 16;

impl Analysis<'_> {
    pub(super) fn init(&mut self, at: Pointer, init: &Init) {
        for entry in &init.entries {
            let to = plus(at, entry.offset as i64);
            let ty = self.unit[entry.value].ty;
            if is_aggregate(ty) {
                let from = self.value(entry.value);
                self.copy(to, from, ty);
            } else {
                let value = self.expr(entry.value);
                self.access(to, ty, entry.bits);
                self.store(to, value);
            }
        }
    }

    /// A struct or union is copied.
    pub(super) fn copy(&mut self, to: Pointer, from: Pointer, ty: Type) {
        if self.nodes.resolve(to) == self.nodes.resolve(from) {
            return;
        }
        match ty {
            Type::Record(record) if self.unit[record].union => {
                let size = self.unit[record].size.unwrap_or(0) as i64;
                for offset in 0..size {
                    for at in [to, from] {
                        let at = self.nodes.locate_raw(plus(at, offset));
                        let access = Access { bit: 8 * at.offset, width: 8 };
                        self.nodes.data(at.node).accesses.insert(access);
                    }
                }
                let word = i64::from(self.unit.word() / 8);
                for offset in (0..size).step_by(word as usize) {
                    let (a, b) = (self.nodes.target(plus(to, offset)), self.nodes.target(plus(from, offset)));
                    self.nodes.unify(a, b);
                }
            }
            Type::Record(record) => {
                let unit = self.unit;
                for field in &unit[record].fields {
                    let offset = field.offset as i64;
                    if is_aggregate(field.ty) {
                        let [to, from] = [to, from].map(|at| self.folded_member(plus(at, offset), field.ty));
                        self.copy(to, from, field.ty);
                    } else if field.bits.is_none_or(|b| b.width > 0) {
                        self.access(plus(to, offset), field.ty, field.bits);
                        self.access(plus(from, offset), field.ty, field.bits);
                        let whole = field.bits.is_none_or(|b| b.width >= self.unit.word());
                        if whole && self.holds_address(field.ty) {
                            let value = self.nodes.target(plus(from, offset));
                            self.store(plus(to, offset), Some(value));
                        }
                    }
                }
            }
            Type::Array(array) => {
                let array = self.unit[array];
                let (Some(size), Some(length)) = (self.unit.size_of(array.element), array.length) else {
                    return;
                };
                let folded = length > FOLDED_COPY;
                for at in [to, from].into_iter().filter(|_| folded) {
                    self.moved(at, size as i64);
                }
                for i in 0..if folded { 1 } else { length } {
                    let offset = (i * size) as i64;
                    let (to, from) = (plus(to, offset), plus(from, offset));
                    if is_aggregate(array.element) {
                        self.copy(to, from, array.element);
                    } else {
                        self.access(to, array.element, None);
                        self.access(from, array.element, None);
                        let value = self.load(from, array.element);
                        self.store(to, value);
                    }
                }
            }
            _ => {}
        }
    }

    /// A member, or its elements where it is an array that copying folds.
    fn folded_member(&mut self, at: Pointer, ty: Type) -> Pointer {
        let Type::Array(array) = ty else { return at };
        match self.unit.size_of(ty).and_then(|size| i64::try_from(size).ok()) {
            Some(size) if self.unit[array].length > Some(FOLDED_COPY) => self.nodes.enter(at, size, false),
            _ => at,
        }
    }
}
