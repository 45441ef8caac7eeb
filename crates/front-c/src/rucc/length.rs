//! Variable-length arrays.
//!
//! The length of an array is computed where its type is written, once; whatever asks for its size later, as `sizeof`
//! and pointer arithmetic do, reads what was computed. Each length therefore becomes a variable of its own, initialised
//! just before what is declared with it.

use super::lower::Lower;
use crate::tree::{
    ArithOp, Array, ExprId, ExprKind, Init, InitEntry, Object, ObjectId, PlaceKind, Position, Storage, Type,
};
use rucc_sema::Checked;
use rucc_types::{ArrayLen, TypeId, TypeKind};
use rustc_hash::FxHashSet;

/// The lengths of arrays that are members of structs and unions.
pub(super) fn member_lengths(checked: &Checked) -> FxHashSet<rucc_sema::ExprId> {
    let mut lengths = FxHashSet::default();
    let variable = checked.types.records().filter(|(_, info)| info.variable.is_some());
    for mut ty in variable.flat_map(|(_, info)| info.fields.iter().map(|field| field.ty)) {
        while let TypeKind::Array { elem, len } = checked.types.kind(checked.types.canonical(ty)) {
            if let ArrayLen::Variable(vla) = len {
                lengths.insert(checked.tast.vla_size(vla));
            }
            ty = elem;
        }
    }
    lengths
}

impl Lower<'_> {
    /// Makes variables for the lengths in a type that have none yet.
    pub(super) fn bind_lengths(&mut self, ty: TypeId, made: &mut Vec<ObjectId>) {
        match self.types.kind(self.types.canonical(ty)) {
            TypeKind::Array { elem, len } => {
                if let ArrayLen::Variable(vla) = len {
                    self.bind_length(self.tast.vla_size(vla), made);
                }
                self.bind_lengths(elem, made);
            }
            TypeKind::Pointer(to) => self.bind_lengths(to, made),
            _ => {}
        }
    }

    fn bind_length(&mut self, length: rucc_sema::ExprId, made: &mut Vec<ObjectId>) {
        if self.lengths.contains_key(&length) {
            return;
        }
        let value = self.expr(length);
        let object = self.temporary("(length)", value);
        self.lengths.insert(length, object);
        self.enter_scope(object);
        made.push(object);
    }

    /// A new variable of an activation with a value.
    pub(super) fn temporary(&mut self, name: &str, value: ExprId) -> ObjectId {
        let (ty, at) = (self.unit[value].ty, self.unit[value].at);
        let entries = vec![InitEntry { offset: 0, bits: None, value }];
        self.temporary_of(name, ty, Init { entries }, at)
    }

    /// A new variable of an activation that is set part by part.
    pub(super) fn temporary_of(&mut self, name: &str, ty: Type, init: Init, at: Position) -> ObjectId {
        let size = self.unit.size_of(ty);
        self.unit.objects.push(Object {
            name: name.to_owned(),
            ty,
            size,
            align: size.unwrap_or(1).clamp(1, 16),
            dynamic_size: None,
            storage: Storage::Automatic(Some(init)),
            constant: false,
            volatile: false,
            external: false,
            weak: false,
            refused: None,
            declaration_refused: None,
            local: true,
            at,
        });
        ObjectId(self.unit.objects.len() as u32 - 1)
    }

    /// The size in bytes of an object of a type, as a `size_t`.
    pub(super) fn size_expr(&mut self, id: TypeId, at: Position) -> Result<ExprId, String> {
        let size = self.size_type();
        if let Ok(bytes) = self.layout_size(id) {
            return Ok(self.add_expr(ExprKind::Const(i128::from(bytes)), size, at));
        }
        let TypeKind::Array { elem, len } = self.types.kind(self.types.canonical(id)) else {
            return Err("object of unknown size".to_owned());
        };
        let count = match len {
            ArrayLen::Fixed(count) => self.add_expr(ExprKind::Const(i128::from(count)), size, at),
            ArrayLen::Variable(vla) => {
                let length = self.tast.vla_size(vla);
                let unbound = !self.lengths.contains_key(&length);
                let count = self.expr(length);
                if unbound && !self.is_pure(count) {
                    return Err("length of an array with side effects".to_owned());
                }
                self.convert(count, size)
            }
            ArrayLen::Unknown | ArrayLen::Star => return Err("array of unknown length".to_owned()),
        };
        let element = self.size_expr(elem, at)?;
        Ok(self.add_expr(ExprKind::Arith(ArithOp::Mul, count, element), size, at))
    }

    /// Whether evaluating an expression once more, or not at all, changes nothing.
    pub(super) fn is_pure(&self, id: ExprId) -> bool {
        match self.unit[id].kind {
            ExprKind::Const(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_) => true,
            ExprKind::Load(place) | ExprKind::AddressOf(place) => {
                matches!(self.unit[place].kind, PlaceKind::Object(_) | PlaceKind::String(_))
            }
            ExprKind::Neg(e) | ExprKind::BitNot(e) | ExprKind::Not(e) | ExprKind::Convert(e) => {
                self.is_pure(e)
            }
            ExprKind::Arith(op, a, b) => {
                !matches!(op, ArithOp::Div | ArithOp::Rem) && self.is_pure(a) && self.is_pure(b)
            }
            ExprKind::Compare(_, a, b) => self.is_pure(a) && self.is_pure(b),
            _ => false,
        }
    }

    /// The length of an array that has none of its own at the end of the file: one element.
    pub(super) fn completed(&mut self, ty: Type) -> Type {
        match ty {
            Type::Array(array) if self.unit[array].length.is_none() => {
                let element = self.unit[array].element;
                self.array(Array { element, length: Some(1) })
            }
            _ => ty,
        }
    }
}
