//! Types of one unit as types of the program.

use super::Linker;
use crate::tree::{Array, ArrayId, Field, PointeeId, Record, RecordId, Signature, SignatureId, Type, Unit};
use rustc_hash::FxHashMap;

/// The records of the program by what two equal ones have in common at first sight.
pub(super) type Records = FxHashMap<(String, Option<u64>, Option<String>), Vec<RecordId>>;

/// The types of a unit in the program, as far as they are known.
pub(super) struct TypeMap {
    records: Vec<Option<RecordId>>,
    pointees: Vec<Option<PointeeId>>,
    arrays: Vec<Option<ArrayId>>,
    signatures: Vec<Option<SignatureId>>,
    /// How many records the program had before the unit: only those can be declared in one unit and defined in another.
    earlier: usize,
}

impl TypeMap {
    pub(super) fn new(unit: &Unit, program: &Unit) -> TypeMap {
        TypeMap {
            records: vec![None; unit.records.len()],
            pointees: vec![None; unit.pointees.len()],
            arrays: vec![None; unit.arrays.len()],
            signatures: vec![None; unit.signatures.len()],
            earlier: program.records.len(),
        }
    }

    /// A type of the unit in the program. All types of the unit must have been mapped.
    pub(super) fn get(&self, ty: Type) -> Type {
        match ty {
            Type::Pointer { bits, to } => Type::Pointer { bits, to: self.pointees[to.index()].unwrap_or(to) },
            Type::Array(array) => Type::Array(self.arrays[array.index()].unwrap_or(array)),
            Type::Record(record) => Type::Record(self.records[record.index()].unwrap_or(record)),
            Type::Function(signature) => Type::Function(self.signature(signature)),
            other => other,
        }
    }

    pub(super) fn signature(&self, signature: SignatureId) -> SignatureId {
        self.signatures[signature.index()].unwrap_or(signature)
    }
}

/// What two records have in common at first sight. An incomplete one has its tag alone.
fn key(record: &Record) -> (String, Option<u64>, Option<String>) {
    let first = record.fields.first().and_then(|f| f.name.clone());
    (record.name.clone(), record.size, first)
}

fn incomplete_key(name: &str) -> (String, Option<u64>, Option<String>) {
    (name.to_owned(), None, None)
}

fn has_tag(record: &Record) -> bool {
    record.name.contains(' ')
}

impl Linker {
    /// Maps every type of a unit.
    pub(super) fn map_types(&mut self, from: &Unit, map: &mut TypeMap) {
        for index in 0..from.records.len() as u32 {
            self.record(from, RecordId(index), map);
        }
        for index in 0..from.pointees.len() as u32 {
            self.pointee(from, PointeeId(index), map);
        }
        for index in 0..from.arrays.len() as u32 {
            self.array(from, ArrayId(index), map);
        }
        for index in 0..from.signatures.len() as u32 {
            self.signature(from, SignatureId(index), map);
        }
    }

    fn ty(&mut self, from: &Unit, ty: Type, map: &mut TypeMap) -> Type {
        match ty {
            Type::Pointer { bits, to } => Type::Pointer { bits, to: self.pointee(from, to, map) },
            Type::Array(array) => Type::Array(self.array(from, array, map)),
            Type::Record(record) => Type::Record(self.record(from, record, map)),
            Type::Function(signature) => Type::Function(self.signature(from, signature, map)),
            other => other,
        }
    }

    fn pointee(&mut self, from: &Unit, id: PointeeId, map: &mut TypeMap) -> PointeeId {
        if let Some(known) = map.pointees[id.index()] {
            return known;
        }
        let to = self.ty(from, from[id], map);
        let own = match self.type_ids.pointer(&mut self.unit, to) {
            Type::Pointer { to, .. } => to,
            _ => id,
        };
        map.pointees[id.index()] = Some(own);
        own
    }

    fn array(&mut self, from: &Unit, id: ArrayId, map: &mut TypeMap) -> ArrayId {
        if let Some(known) = map.arrays[id.index()] {
            return known;
        }
        let Array { element, length } = from[id];
        let element = self.ty(from, element, map);
        let own = match self.type_ids.array(&mut self.unit, Array { element, length }) {
            Type::Array(array) => array,
            _ => id,
        };
        map.arrays[id.index()] = Some(own);
        own
    }

    fn signature(&mut self, from: &Unit, id: SignatureId, map: &mut TypeMap) -> SignatureId {
        if let Some(known) = map.signatures[id.index()] {
            return known;
        }
        let Signature { result, params, variadic } = &from[id];
        let result = self.ty(from, *result, map);
        let params = params.as_ref().map(|params| params.iter().map(|&p| self.ty(from, p, map)).collect());
        let signature = Signature { result, params, variadic: *variadic };
        let own = self.type_ids.signature(&mut self.unit, signature);
        map.signatures[id.index()] = Some(own);
        own
    }

    /// The record of the program that a unit's record is: one of the same structure, or a new one.
    fn record(&mut self, from: &Unit, id: RecordId, map: &mut TypeMap) -> RecordId {
        if let Some(known) = map.records[id.index()] {
            return known;
        }
        let record = &from[id];
        let complete = !record.fields.is_empty() || record.size.is_some();
        let candidates = self.records.get(&key(record)).cloned().unwrap_or_default();
        for own in candidates.into_iter().filter(|own| complete || own.index() < map.earlier) {
            let mut assumed = FxHashMap::default();
            if same_record(&self.unit, own, from, id, &mut assumed) {
                for (theirs, ours) in assumed {
                    map.records[theirs.index()].get_or_insert(ours);
                }
                return own;
            }
        }
        if complete && has_tag(record) {
            // A declaration without members in another unit is completed here.
            let waiting = self.records.get(&incomplete_key(&record.name)).cloned().unwrap_or_default();
            if let Some(&own) = waiting.iter().find(|own| own.index() < map.earlier) {
                self.records.entry(incomplete_key(&record.name)).or_default().retain(|&r| r != own);
                self.fill(from, id, own, map);
                return own;
            }
        }
        if !complete
            && has_tag(record)
            && let Some(own) = self.unit.records[..map.earlier].iter().position(|r| r.name == record.name)
        {
            let own = RecordId(own as u32);
            map.records[id.index()] = Some(own);
            return own;
        }
        let own = RecordId(self.unit.records.len() as u32);
        self.unit.records.push(Record { fields: Vec::new(), ..record.clone() });
        self.fill(from, id, own, map);
        own
    }

    fn fill(&mut self, from: &Unit, id: RecordId, own: RecordId, map: &mut TypeMap) {
        map.records[id.index()] = Some(own);
        let record = &from[id];
        self.records.entry(key(record)).or_default().push(own);
        let fields = record
            .fields
            .iter()
            .map(|field| Field { ty: self.ty(from, field.ty, map), ..field.clone() })
            .collect();
        self.unit.records[own.index()] = Record { fields, ..record.clone() };
    }
}

/// Whether two records have the same structure, given what is assumed of others: as types refer to themselves, those
/// that nothing tells apart are the same.
fn same_record(
    a: &Unit,
    ours: RecordId,
    b: &Unit,
    theirs: RecordId,
    assumed: &mut FxHashMap<RecordId, RecordId>,
) -> bool {
    if let Some(&known) = assumed.get(&theirs) {
        return known == ours;
    }
    assumed.insert(theirs, ours);
    let (x, y) = (&a[ours], &b[theirs]);
    if x.name != y.name || x.union != y.union {
        return false;
    }
    let incomplete = |r: &Record| r.size.is_none() && r.fields.is_empty();
    if has_tag(x) && (incomplete(x) || incomplete(y)) {
        // Which one it is shows where it is complete.
        assumed.remove(&theirs);
        return true;
    }
    x.size == y.size
        && x.align == y.align
        && x.fields.len() == y.fields.len()
        && x.fields.iter().zip(&y.fields).all(|(f, g)| {
            f.name == g.name
                && f.offset == g.offset
                && f.bits == g.bits
                && same_type(a, f.ty, b, g.ty, assumed)
        })
}

fn same_type(
    a: &Unit,
    ours: Type,
    b: &Unit,
    theirs: Type,
    assumed: &mut FxHashMap<RecordId, RecordId>,
) -> bool {
    match (ours, theirs) {
        (Type::Pointer { to: x, .. }, Type::Pointer { to: y, .. }) => same_type(a, a[x], b, b[y], assumed),
        (Type::Array(x), Type::Array(y)) => {
            a[x].length == b[y].length && same_type(a, a[x].element, b, b[y].element, assumed)
        }
        (Type::Record(x), Type::Record(y)) => same_record(a, x, b, y, assumed),
        (Type::Function(x), Type::Function(y)) => {
            let (x, y) = (&a[x], &b[y]);
            let params = match (&x.params, &y.params) {
                (Some(p), Some(q)) => {
                    p.len() == q.len() && p.iter().zip(q).all(|(&p, &q)| same_type(a, p, b, q, assumed))
                }
                (None, None) => true,
                _ => false,
            };
            x.variadic == y.variadic && params && same_type(a, x.result, b, y.result, assumed)
        }
        (x, y) => x == y,
    }
}
