//! Constants.

use super::lower::Lower;
use crate::tree::{ExprId, ExprKind, PlaceKind, Position, Type};
use rucc_sema::{Address, Base, Const, DeclKind, Eval};

impl Lower<'_> {
    /// A constant of the type.
    pub(super) fn constant(&mut self, value: Const, ty: Type, at: Position) -> ExprId {
        match value {
            Const::Int(value) => self.add_expr(ExprKind::Const(value), ty, at),
            Const::Float(value) => match ty {
                Type::Float(_) => self.add_expr(ExprKind::Float(value.to_bits()), ty, at),
                _ => self.unsupported("this floating-point constant", ty, at),
            },
            Const::Complex { .. } | Const::ComplexInt { .. } => self.unsupported("complex number", ty, at),
            Const::Address(address) => self.address_constant(address, ty, at),
            Const::Apart { to, from } => {
                let label = self.pointer(Type::Void);
                let (to, from) = (self.label(to), self.label(from));
                let left = self.add_expr(ExprKind::LabelAddress(to), label, at);
                let right = self.add_expr(ExprKind::LabelAddress(from), label, at);
                let difference = self.difference_type();
                let apart = ExprKind::PointerDiff { left, right, scale: 1 };
                let value = self.add_expr(apart, difference, at);
                self.convert(value, ty)
            }
        }
    }

    /// An address that is known up to where the linker puts something.
    fn address_constant(&mut self, address: Address, ty: Type, at: Position) -> ExprId {
        let base = match address.base {
            Base::Absolute => {
                let integer = self.size_type();
                let value = self.add_expr(ExprKind::Const(address.offset), integer, at);
                return self.convert(value, ty);
            }
            Base::Decl(decl) if self.tast[decl].kind == DeclKind::Function => {
                let function = self.function(decl);
                let pointer = Type::Function(self.unit[function].signature);
                let pointer = self.pointer(pointer);
                self.add_expr(ExprKind::FunctionAddress(function), pointer, at)
            }
            Base::Decl(decl) => {
                let object = self.object(decl);
                let place = match self.tast[decl].name {
                    Some(_) => PlaceKind::Object(object),
                    None => PlaceKind::Compound(object),
                };
                let target = self.unit[object].ty;
                let place = self.add_place(place, target, at);
                self.address_of(place, at)
            }
            Base::Str(literal) => {
                let string = self.string(literal);
                let target = self.unit[string].ty;
                let place = self.add_place(PlaceKind::String(string), target, at);
                self.address_of(place, at)
            }
            Base::Label(label) => {
                let (label, pointer) = (self.label(label), self.pointer(Type::Void));
                self.add_expr(ExprKind::LabelAddress(label), pointer, at)
            }
        };
        if address.offset == 0 {
            return self.convert(base, ty);
        }
        let difference = self.difference_type();
        let offset = self.add_expr(ExprKind::Const(address.offset), difference, at);
        let moved = self.byte_offset(base, offset, false, at);
        self.convert(moved, ty)
    }

    /// The value that an expression of a static initialiser has, if it is one that the linker can know.
    pub(super) fn folded(&mut self, id: rucc_sema::ExprId) -> Option<Const> {
        let mut eval = Eval::new(self.tast, self.types, self.target, self.names).objects(true);
        eval.initializer(id).ok()
    }
}
