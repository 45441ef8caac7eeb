//! Lvalues.

use super::{Checked, ensure};
use crate::tree::{Place, PlaceKind, Type, Unit};

impl Unit {
    pub(super) fn check_place(&self, place: &Place) -> Checked {
        let expected = match place.kind {
            PlaceKind::Object(object) | PlaceKind::Compound(object) => self[object].ty,
            PlaceKind::String(string) => self[string].ty,
            PlaceKind::Deref(pointer) => match self.pointee(self.type_of(pointer)) {
                Some(to) => to,
                None if self.is_unsupported(pointer) => place.ty,
                None => return Err("what is no pointer is dereferenced".to_owned()),
            },
            PlaceKind::Member { base, field } => match self[base].ty {
                Type::Record(record) => match self[record].fields.get(field as usize) {
                    Some(field) => field.ty,
                    None => return Err(format!("no member {field} in {}", self[record].name)),
                },
                _ => return Err("member of what is no struct".to_owned()),
            },
            PlaceKind::Index { base, index } => {
                ensure(self.is_int(index), || "index that is no integer".to_owned())?;
                match self[base].ty {
                    Type::Array(array) => self[array].element,
                    _ => return Err("index into what is no array".to_owned()),
                }
            }
            PlaceKind::Value(value) => {
                ensure(matches!(place.ty, Type::Record(_)) || self.is_unsupported(value), || {
                    "value as a place that is no struct".to_owned()
                })?;
                self.type_of(value)
            }
        };
        ensure(expected == place.ty, || {
            format!("place of type {} holds {}", self.spell(place.ty), self.spell(expected))
        })
    }
}
