//! Equal types have equal ids: tables that find the id of a part of a type again.

use super::{Array, ArrayId, PointeeId, Signature, SignatureId, Type, Unit};
use rustc_hash::FxHashMap;

/// The ids that the types of a [`Unit`] under construction have already got.
#[derive(Clone, Default, Debug)]
pub(crate) struct TypeIds {
    arrays: FxHashMap<Array, ArrayId>,
    pointees: FxHashMap<Type, PointeeId>,
    signatures: FxHashMap<Signature, SignatureId>,
}

impl TypeIds {
    /// The ids of a unit that is complete. Of equal types, one stands for all.
    pub(crate) fn of(unit: &Unit) -> TypeIds {
        let (mut ids, count) = (TypeIds::default(), |n: usize| 0..n as u32);
        for i in count(unit.arrays.len()) {
            ids.arrays.entry(unit.arrays[i as usize]).or_insert(ArrayId(i));
        }
        for i in count(unit.pointees.len()) {
            ids.pointees.entry(unit.pointees[i as usize]).or_insert(PointeeId(i));
        }
        for i in count(unit.signatures.len()) {
            ids.signatures.entry(unit.signatures[i as usize].clone()).or_insert(SignatureId(i));
        }
        ids
    }

    /// The array type.
    pub(crate) fn array(&mut self, unit: &mut Unit, array: Array) -> Type {
        Type::Array(*self.arrays.entry(array).or_insert_with(|| {
            unit.arrays.push(array);
            ArrayId(unit.arrays.len() as u32 - 1)
        }))
    }

    /// The type of pointers to a type.
    pub(crate) fn pointer(&mut self, unit: &mut Unit, to: Type) -> Type {
        let to = *self.pointees.entry(to).or_insert_with(|| {
            unit.pointees.push(to);
            PointeeId(unit.pointees.len() as u32 - 1)
        });
        Type::Pointer { bits: unit.word, to }
    }

    /// The function type.
    pub(crate) fn signature(&mut self, unit: &mut Unit, signature: Signature) -> SignatureId {
        match self.signatures.get(&signature) {
            Some(&known) => known,
            None => {
                unit.signatures.push(signature.clone());
                let id = SignatureId(unit.signatures.len() as u32 - 1);
                self.signatures.insert(signature, id);
                id
            }
        }
    }
}
