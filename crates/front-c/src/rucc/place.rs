//! Lvalues.

use super::lower::Lower;
use crate::tree::{
    Array, ExprId, ExprKind, ObjectId, PlaceId, PlaceKind, Position, StringId, StringLiteral, Type,
};
use rucc_ast::UnaryOp;
use rucc_lex::Encoding;
use rucc_sema::{Category, Conversion, DeclKind, ExprKind as Rucc};
use tamis_program::IntType;

impl Lower<'_> {
    /// The place that an lvalue is, or why it is not taken.
    pub(super) fn place(&mut self, id: rucc_sema::ExprId) -> Result<PlaceId, String> {
        let tast = self.tast;
        let node = tast[id];
        let at = self.position(tast.expr_span(id));
        if self.is_elsewhere(node.ty) {
            return Err("named address space".to_owned());
        }
        if let Type::Other(what) = self.ty(node.ty) {
            return Err(what.to_owned());
        }
        match node.kind {
            Rucc::Decl(decl) if tast[decl].kind == DeclKind::Object => {
                let object = self.object(decl);
                Ok(self.object_place(object, at))
            }
            Rucc::CompoundLiteral(decl) => {
                let object = self.object(decl);
                let ty = self.unit[object].ty;
                Ok(self.add_place(PlaceKind::Compound(object), ty, at))
            }
            Rucc::Str(literal) => {
                let string = self.string(literal);
                let ty = self.unit[string].ty;
                Ok(self.add_place(PlaceKind::String(string), ty, at))
            }
            Rucc::Unary { op: UnaryOp::Deref, operand } => {
                let ty = self.ty(node.ty);
                let pointer = self.expr(operand);
                Ok(self.deref(pointer, ty, at))
            }
            Rucc::Subscript { base, index } => self.subscript(base, index, node.ty, at),
            Rucc::Member { base, field } => {
                let base = self.place(base)?;
                let Type::Record(record) = self.unit[base].ty else {
                    return Err("access to a member of this type".to_owned());
                };
                let ty = self.unit[record].fields[field as usize].ty;
                Ok(self.add_place(PlaceKind::Member { base, field }, ty, at))
            }
            _ if node.category == Category::Rvalue => {
                let value = self.expr(id);
                let ty = self.unit[value].ty;
                Ok(self.add_place(PlaceKind::Value(value), ty, at))
            }
            Rucc::Unary { op: UnaryOp::Real | UnaryOp::Imag, .. } => Err("complex number".to_owned()),
            _ => Err("this lvalue".to_owned()),
        }
    }

    pub(super) fn object_place(&mut self, object: ObjectId, at: Position) -> PlaceId {
        let ty = self.unit[object].ty;
        self.add_place(PlaceKind::Object(object), ty, at)
    }

    /// The value of a variable.
    pub(super) fn load_object(&mut self, object: ObjectId, at: Position) -> ExprId {
        let place = self.object_place(object, at);
        self.load_place(place, at)
    }

    pub(super) fn load_place(&mut self, place: PlaceId, at: Position) -> ExprId {
        let ty = self.unit[place].ty;
        self.add_expr(ExprKind::Load(place), ty, at)
    }

    /// The value of the object that an lvalue designates.
    pub(super) fn load(&mut self, id: rucc_sema::ExprId, at: Position) -> ExprId {
        if let Some(input) = self.volatile_input(id, at) {
            return input;
        }
        match self.place(id) {
            Ok(place) => match self.unit[place].ty {
                Type::Void => self.address_of(place, at),
                Type::Other(what) => self.unsupported(what, Type::Other(what), at),
                _ => self.load_place(place, at),
            },
            Err(what) => {
                let ty = self.value_ty(self.tast[id].ty);
                self.unsupported(what, ty, at)
            }
        }
    }

    /// `&lvalue` of the type.
    pub(super) fn address(&mut self, operand: rucc_sema::ExprId, ty: Type, at: Position) -> ExprId {
        if self.tast[operand].category == Category::Function {
            let value = self.expr(operand);
            return self.convert(value, ty);
        }
        match self.place(operand) {
            Ok(place) => {
                let value = self.address_of(place, at);
                self.convert(value, ty)
            }
            Err(what) => self.unsupported(what, ty, at),
        }
    }

    /// The address of a place. What a pointer points to is where it points.
    pub(super) fn address_of(&mut self, place: PlaceId, at: Position) -> ExprId {
        let target = self.unit[place].ty;
        let ty = self.pointer(target);
        match self.unit[place].kind {
            PlaceKind::Deref(pointer) if self.unit[pointer].ty == ty => pointer,
            _ => self.add_expr(ExprKind::AddressOf(place), ty, at),
        }
    }

    /// What a pointer points to, as an object of the type. What the address of a place points to is that place, and
    /// what the address of an array points to is its first element: neither needs memory to be looked up by address.
    pub(super) fn deref(&mut self, pointer: ExprId, ty: Type, at: Position) -> PlaceId {
        match self.unit[pointer].kind {
            ExprKind::AddressOf(place) if self.unit[place].ty == ty => return place,
            ExprKind::AddressOf(place) if self.element(place) == Some(ty) => {
                let size = self.difference_type();
                let index = self.add_expr(ExprKind::Const(0), size, at);
                return self.add_place(PlaceKind::Index { base: place, index }, ty, at);
            }
            ExprKind::PointerAdd { pointer, index, subtract: false, .. } => {
                if let ExprKind::AddressOf(place) = self.unit[pointer].kind
                    && self.element(place) == Some(ty)
                {
                    return self.add_place(PlaceKind::Index { base: place, index }, ty, at);
                }
            }
            _ => {}
        }
        let wanted = self.pointer(ty);
        let pointer = self.convert(pointer, wanted);
        self.add_place(PlaceKind::Deref(pointer), ty, at)
    }

    /// The type of the elements of an array whose elements have a constant size.
    fn element(&self, place: PlaceId) -> Option<Type> {
        match self.unit[place].ty {
            Type::Array(array) => {
                let element = self.unit[array].element;
                self.unit.size_of(element).map(|_| element)
            }
            _ => None,
        }
    }

    fn subscript(
        &mut self,
        base: rucc_sema::ExprId,
        index: rucc_sema::ExprId,
        ty: rucc_types::TypeId,
        at: Position,
    ) -> Result<PlaceId, String> {
        if rucc_types::is_vector(self.types, self.tast[base].ty) {
            let vector = self.place(base)?;
            let index = self.expr(index);
            return self.lane_place(vector, index, at);
        }
        let element = self.ty(ty);
        if let Rucc::Convert { kind: Conversion::ArrayDecay, operand } = self.tast[base].kind
            && !self.is_variable_length(ty)
        {
            let base = self.place(operand)?;
            let index = self.expr(index);
            return Ok(self.add_place(PlaceKind::Index { base, index }, element, at));
        }
        let pointer_type = self.tast[base].ty;
        let pointer = self.expr(base);
        let index = self.expr(index);
        let sum = self.pointer_add(pointer, index, false, pointer_type, at)?;
        Ok(self.deref(sum, element, at))
    }

    /// A string literal; each has its own place in the table.
    pub(super) fn string(&mut self, literal: rucc_sema::StrId) -> StringId {
        if let Some(&known) = self.strings.get(&literal) {
            return known;
        }
        let mut elements = self.tast[literal].elements.clone();
        elements.push(0);
        let (bits, signed) = match self.tast[literal].encoding {
            Encoding::Plain => (8, self.target.char_is_signed),
            Encoding::Utf8 => (8, self.target.char_is_signed),
            Encoding::Wide => (self.tast[literal].encoding.element_width(self.target), true),
            encoding => (encoding.element_width(self.target), false),
        };
        let element = Type::Int(IntType { bits, signed });
        let ty = self.array(Array { element, length: Some(elements.len() as u64) });
        self.unit.strings.push(StringLiteral { elements, ty });
        let string = StringId(self.unit.strings.len() as u32 - 1);
        self.strings.insert(literal, string);
        string
    }
}
