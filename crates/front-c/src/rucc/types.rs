//! Types and their layout.

use super::lower::Lower;
use super::vector::Lanes;
use crate::tree::{Array, BitField, Field, FloatType, Record, RecordId, Signature, SignatureId, Type};
use rucc_base::float::Format;
use rucc_types::{
    ArrayLen, FloatKind, FunctionId, LayoutError, Qualifiers, RecordKind, TypeId, TypeKind, float_format,
    integer_info, layout,
};
use tamis_program::IntType;

impl Lower<'_> {
    /// The type of an object.
    pub(super) fn ty(&mut self, id: TypeId) -> Type {
        let id = self.types.canonical(id);
        if let Some(&known) = self.known_types.get(&id) {
            return known;
        }
        let ty = self.new_type(id);
        self.known_types.insert(id, ty);
        ty
    }

    /// The type of a value. A bit-field wider than `int` has, once read, a type of exactly its width: gcc computes in
    /// it, and so do we.
    pub(super) fn value_ty(&mut self, id: TypeId) -> Type {
        match self.types.kind(self.types.canonical(id)) {
            TypeKind::BitInt { signed, width } if width <= 128 => Type::Int(IntType { bits: width, signed }),
            _ => self.ty(id),
        }
    }

    fn new_type(&mut self, id: TypeId) -> Type {
        if self.types.hardbool_of(id).is_some() {
            return Type::Other("hardened Boolean");
        }
        match self.types.kind(id) {
            TypeKind::Void => Type::Void,
            TypeKind::Bool => Type::Bool,
            TypeKind::Int(_) => match integer_info(self.types, id, self.target) {
                Some(info) => Type::Int(IntType { bits: info.width, signed: info.signed }),
                None => Type::Other("integer of unknown width"),
            },
            TypeKind::Enum(id) => match self.types.enum_info(id).underlying {
                Some(underlying) => self.ty(underlying),
                None => Type::Other("incomplete enumeration"),
            },
            TypeKind::Float(kind) => self.float(kind),
            TypeKind::Complex(_) => Type::Other("complex number"),
            TypeKind::BitInt { .. } => Type::Other("_BitInt"),
            TypeKind::Pointer(to) => {
                let to = self.ty(to);
                self.pointer(to)
            }
            TypeKind::Atomic(inner) => {
                let size = |id| layout(self.types, id, self.target).ok().map(|l| l.size);
                if size(id) == size(inner) { self.ty(inner) } else { Type::Other("padded atomic object") }
            }
            TypeKind::Array { elem, len } => {
                let element = self.ty(elem);
                let length = match len {
                    ArrayLen::Fixed(length) => Some(length),
                    ArrayLen::Unknown | ArrayLen::Star | ArrayLen::Variable(_) => None,
                };
                self.array(Array { element, length })
            }
            TypeKind::Function(function) => Type::Function(self.signature(function)),
            TypeKind::Vector { elem, len } => {
                let element = self.ty(elem);
                self.vector_type(Lanes { element, count: len })
            }
            TypeKind::Record(record) => self.record(record),
            TypeKind::Typedef { underlying, .. } => self.ty(underlying),
        }
    }

    fn float(&self, kind: FloatKind) -> Type {
        match float_format(kind, self.target) {
            Format::Half => Type::Float(FloatType::Half),
            Format::Single => Type::Float(FloatType::Single),
            Format::Double => Type::Float(FloatType::Double),
            Format::X87Extended => Type::Float(FloatType::Extended),
            Format::Quad => Type::Float(FloatType::Quad),
            Format::Decimal32 | Format::Decimal64 | Format::Decimal128 => {
                Type::Other("decimal floating-point number")
            }
            Format::BFloat16 | Format::DoubleDouble => Type::Other("floating-point number of this format"),
        }
    }

    /// A struct or union. It has its id before its members have types, which may name it again.
    fn record(&mut self, id: rucc_types::RecordId) -> Type {
        if let Some(&known) = self.known_records.get(&id) {
            return Type::Record(known);
        }
        let info = self.types.record_info(id);
        if info.reverse {
            return Type::Other("struct with reversed storage order");
        }
        if info.variable.is_some() {
            return Type::Other("struct with a variable-length member");
        }
        let own = RecordId(self.unit.records.len() as u32);
        let keyword = info.kind.as_str();
        let name = match info.tag {
            Some(tag) => format!("{keyword} {}", self.name(tag)),
            None => keyword.to_owned(),
        };
        self.unit.records.push(Record {
            name,
            union: info.kind == RecordKind::Union,
            size: info.layout.map(|l| l.size),
            align: info.layout.map_or(1, |l| l.align),
            fields: Vec::new(),
        });
        self.known_records.insert(id, own);
        let fields = info
            .fields
            .iter()
            .map(|field| Field {
                name: field.name.map(|n| self.name(n)),
                ty: self.ty(field.ty),
                offset: field.offset,
                bits: field.bits.map(|width| BitField { first: field.bit, width }),
            })
            .collect();
        self.unit.records[own.index()].fields = fields;
        Type::Record(own)
    }

    /// A function type.
    pub(super) fn signature(&mut self, id: FunctionId) -> SignatureId {
        let function = self.types.signature(id);
        let result = self.ty(function.ret);
        let params = function.params.iter().map(|&p| self.ty(p)).collect();
        let params = function.prototyped.then_some(params);
        let signature = Signature { result, params, variadic: function.variadic };
        self.type_ids.signature(&mut self.unit, signature)
    }

    pub(super) fn pointer(&mut self, to: Type) -> Type {
        self.type_ids.pointer(&mut self.unit, to)
    }

    pub(super) fn array(&mut self, array: Array) -> Type {
        self.type_ids.array(&mut self.unit, array)
    }

    /// `int`.
    pub(super) fn int(&self) -> Type {
        Type::Int(IntType { bits: 32, signed: true })
    }

    /// `size_t`.
    pub(super) fn size_type(&self) -> Type {
        Type::Int(IntType { bits: self.unit.word, signed: false })
    }

    /// `ptrdiff_t`.
    pub(super) fn difference_type(&self) -> Type {
        Type::Int(IntType { bits: self.unit.word, signed: true })
    }

    /// `unsigned char`.
    pub(super) fn byte(&self) -> Type {
        Type::Int(IntType { bits: 8, signed: false })
    }

    /// The function type behind any pointers.
    pub(super) fn called_type(&self, id: TypeId) -> Option<FunctionId> {
        match self.types.kind(self.types.canonical(id)) {
            TypeKind::Pointer(to) => self.called_type(to),
            TypeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    pub(super) fn is_pointer(&self, id: TypeId) -> bool {
        rucc_types::is_pointer(self.types, id)
    }

    /// Whether an object of the type lies in a named address space, where a pointer does not say which byte it is.
    pub(super) fn is_elsewhere(&self, id: TypeId) -> bool {
        let id = self.types.canonical(id);
        let quals = self.types.quals(id).with(self.types.object_quals(id));
        quals.has(Qualifiers::SEG_FS) || quals.has(Qualifiers::SEG_GS)
    }

    /// The size of an object of the type, if it has one.
    pub(super) fn layout_size(&self, id: TypeId) -> Result<u64, LayoutError> {
        layout(self.types, id, self.target).map(|l| l.size)
    }

    /// Whether the size of an object of the type is known only when the program runs.
    pub(super) fn is_variable_length(&self, id: TypeId) -> bool {
        self.layout_size(id) == Err(LayoutError::Variable)
    }
}
