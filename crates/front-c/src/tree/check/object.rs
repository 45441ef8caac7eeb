//! Types, variables and functions.

use super::{Checked, ensure};
use crate::tree::{
    BitField, ExprId, ExprKind, Function, InitEntry, Object, PlaceId, PlaceKind, Record, Storage,
    StringLiteral, Type, Unit,
};

impl Unit {
    pub(super) fn check_record(&self, record: &Record) -> Checked {
        let Some(size) = record.size else { return Ok(()) };
        for field in &record.fields {
            let name = field.name.as_deref().unwrap_or("(unnamed)");
            let end = match field.bits {
                Some(BitField { first, width }) => {
                    ensure(first < 8, || format!("bit-field {name} begins at bit {first}"))?;
                    // A field of no width ends a unit and has no bits.
                    if width == 0 { 0 } else { (field.offset * 8 + u64::from(first + width)).div_ceil(8) }
                }
                None => field.offset + self.size_of(field.ty).unwrap_or(0),
            };
            ensure(end <= size, || format!("member {name} ends beyond {}", record.name))?;
            if let (Some(bits), Some(int)) = (field.bits, field.ty.int()) {
                ensure(bits.width <= int.bits, || format!("bit-field {name} is wider than its type"))?;
            }
        }
        Ok(())
    }

    pub(super) fn check_string(&self, string: &StringLiteral) -> Checked {
        let Type::Array(array) = string.ty else { return Err("string that is no array".to_owned()) };
        let length = self[array].length;
        ensure(length == Some(string.elements.len() as u64), || "string of another length".to_owned())?;
        ensure(string.elements.last() == Some(&0), || "string without a closing 0".to_owned())
    }

    pub(super) fn check_object(&self, object: &Object) -> Checked {
        ensure(object.align.is_power_of_two(), || format!("{} has no alignment", object.name))?;
        // `extern void end;` names an address.
        let typed = match object.ty {
            Type::Function(_) => false,
            Type::Void => object.storage == Storage::Elsewhere,
            _ => true,
        };
        ensure(typed, || format!("{} has no object type", object.name))?;
        if let (Some(size), Some(own)) = (object.size, self.size_of(object.ty)) {
            ensure(own <= size, || format!("{} is smaller than its type", object.name))?;
        }
        ensure(object.dynamic_size.is_none() || object.is_automatic(), || {
            format!("{} is static and has no constant size", object.name)
        })?;
        let Some(init) = object.init() else { return Ok(()) };
        for entry in &init.entries {
            self.check_entry(object, entry)?;
            if matches!(object.storage, Storage::Static(_)) {
                self.check_constant(entry.value)?;
            }
        }
        Ok(())
    }

    fn check_entry(&self, object: &Object, entry: &InitEntry) -> Checked {
        let ty = self.type_of(entry.value);
        ensure(!matches!(ty, Type::Void | Type::Array(_)), || "initial value without a type".to_owned())?;
        let end = match entry.bits {
            Some(BitField { first, width }) => {
                ensure(first < 8 && width > 0, || format!("initial value at bit {first}"))?;
                (entry.offset * 8 + u64::from(first + width)).div_ceil(8)
            }
            None => entry.offset + self.size_of(ty).unwrap_or(0),
        };
        ensure(object.size.is_none_or(|size| end <= size), || {
            format!("initial value at {} ends beyond {}", entry.offset, object.name)
        })
    }

    /// Whether an expression has a value before the program runs.
    fn check_constant(&self, id: ExprId) -> Checked {
        match &self[id].kind {
            ExprKind::Const(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Unsupported(_) => Ok(()),
            ExprKind::AddressOf(place) => self.check_fixed(*place),
            ExprKind::Convert(e) | ExprKind::Neg(e) | ExprKind::BitNot(e) | ExprKind::Not(e) => {
                self.check_constant(*e)
            }
            ExprKind::Arith(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::PointerAdd { pointer: a, index: b, .. }
            | ExprKind::PointerDiff { left: a, right: b, .. } => {
                self.check_constant(*a)?;
                self.check_constant(*b)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                [cond, then, otherwise].into_iter().try_for_each(|&e| self.check_constant(e))
            }
            other => Err(format!("initial value of a static variable is no constant: {other:?}")),
        }
    }

    fn check_fixed(&self, id: PlaceId) -> Checked {
        match self[id].kind {
            PlaceKind::Object(object) | PlaceKind::Compound(object) => {
                ensure(!self[object].is_automatic(), || {
                    format!("address of the automatic {} in a static initialiser", self[object].name)
                })
            }
            PlaceKind::String(_) => Ok(()),
            PlaceKind::Deref(pointer) => self.check_constant(pointer),
            PlaceKind::Member { base, .. } => self.check_fixed(base),
            PlaceKind::Index { base, index } => {
                self.check_fixed(base)?;
                self.check_constant(index)
            }
            PlaceKind::Value(_) => Err("address of a value in a static initialiser".to_owned()),
        }
    }

    pub(super) fn check_function(&self, function: &Function) -> Checked {
        let signature = &self[function.signature];
        ensure(
            signature.result == function.result
                && signature.params == function.prototype
                && signature.variadic == function.variadic,
            || format!("{} has two types", function.name),
        )?;
        let (Some(_), Some(prototype)) = (function.body, &function.prototype) else { return Ok(()) };
        let params: Vec<Type> = function.params.iter().map(|&p| self[p].ty).collect();
        ensure(&params == prototype || function.refused.is_some(), || {
            format!("the parameters of {} are not those of its prototype", function.name)
        })
    }
}
