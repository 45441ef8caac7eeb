//! What the user calls places in memory, for those who read formulas.

use super::Translator;
use super::promote::Known;
use crate::memory::{RegionId, Thing};
use crate::tree::{PlaceId, PlaceKind, Type, Unit};
use tamis_program::{Builder, Member, Object};

impl Translator<'_> {
    /// Notes which member of a structure an access is to.
    pub(super) fn note_member(&mut self, place: PlaceId, region: RegionId) {
        let found = self.member_of(place);
        let known = self.variables.members.entry(region).or_insert_with(|| found.clone());
        if *known != found {
            *known = None;
        }
    }

    /// The member that a place is of what a pointer points to; elements of arrays have no such name.
    fn member_of(&self, place: PlaceId) -> Option<Member> {
        let signed = is_signed(self.unit[place].ty);
        let (mut at, mut path, mut offset) = (place, String::new(), 0);
        loop {
            match self.unit[at].kind {
                PlaceKind::Member { base, field } => {
                    let Type::Record(record) = self.unit[base].ty else { return None };
                    let field = &self.unit[record].fields[field as usize];
                    if let Some(name) = field.name.as_deref().filter(|_| field.bits.is_none()) {
                        path = if path.is_empty() { name.to_owned() } else { format!("{name}.{path}") };
                    }
                    offset += field.offset;
                    at = base;
                }
                PlaceKind::Deref(_) if !path.is_empty() => return Some(Member { path, offset, signed }),
                _ => return None,
            }
        }
    }
}

/// Whether values of a type are read as signed numbers.
fn is_signed(ty: Type) -> bool {
    matches!(ty, Type::Int(int) if int.signed)
}

/// Tells the program what is in its memory.
pub(super) fn tell(known: Known<'_>, builder: &mut Builder) {
    for (index, var) in known.variables.regions.iter().enumerate() {
        let member = known.variables.members.get(&RegionId::at(index)).cloned().flatten();
        if let (Some(var), Some(member)) = (*var, member) {
            builder.set_member(var, member);
        }
    }
    for &(thing, base) in &known.addresses.placed {
        let Thing::Object(object) = thing else { continue };
        let data = &known.unit[object];
        let Some(size) = data.size.filter(|&size| size > 0) else { continue };
        let element = match data.ty {
            Type::Array(array) => {
                let ty = known.unit[array].element;
                let scalar = matches!(ty, Type::Bool | Type::Int(_) | Type::Pointer { .. });
                known.unit.size_of(ty).filter(|_| scalar).map(|size| (size, is_signed(ty)))
            }
            _ => None,
        };
        let mut members = Vec::new();
        gather(known.unit, data.ty, "", 0, &mut members);
        builder.object(Object { name: data.name.clone(), base, size, element, members });
    }
}

/// More members of one object have no names: nobody reads so many.
const MOST_MEMBERS: usize = 200;

/// Gathers the integers and pointers in a structure, with the names that lead there.
fn gather(unit: &Unit, ty: Type, path: &str, offset: u64, members: &mut Vec<(Member, u64)>) {
    let Type::Record(record) = ty else { return };
    if unit[record].union || members.len() > MOST_MEMBERS {
        return;
    }
    for field in &unit[record].fields {
        let Some(name) = field.name.as_deref().filter(|_| field.bits.is_none()) else { continue };
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let offset = offset + field.offset;
        match (field.ty, unit.size_of(field.ty)) {
            (Type::Bool | Type::Int(_) | Type::Pointer { .. }, Some(size)) => {
                let signed = is_signed(field.ty);
                members.push((Member { path, offset, signed }, size));
            }
            (Type::Record(_), _) => gather(unit, field.ty, &path, offset, members),
            _ => {}
        }
    }
}
