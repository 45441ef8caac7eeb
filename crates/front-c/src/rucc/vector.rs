//! GNU's vectors. One is a struct with an array of its lanes, and an operator on vectors is a statement expression that
//! does the same to each lane: what follows knows nothing of vectors.

use super::lower::Lower;
use crate::tree::{
    ArithOp, Array, CompareOp, Expr, ExprId, ExprKind, Field, Init, InitEntry, ObjectId, PlaceId, PlaceKind,
    Position, Record, RecordId, Type,
};
use rucc_sema::ExprList;
use tamis_program::IntType;

/// What the lanes of a vector are, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Lanes {
    pub(super) element: Type,
    pub(super) count: u32,
}

impl Lower<'_> {
    /// The type of vectors with these lanes, whatever it is called and qualified by.
    pub(super) fn vector_type(&mut self, lanes: Lanes) -> Type {
        if let Some(&known) = self.vectors.get(&lanes) {
            return Type::Record(known);
        }
        let Lanes { element, count } = lanes;
        let Some(size) = self.unit.size_of(element).map(|size| size * u64::from(count)) else {
            return Type::Other("vector");
        };
        let ty = self.array(Array { element, length: Some(u64::from(count)) });
        let name = Some("lanes".to_owned());
        self.unit.records.push(Record {
            name: format!("vector of {size} bytes"),
            union: false,
            size: Some(size),
            align: size.max(1),
            fields: vec![Field { name, ty, offset: 0, bits: None }],
        });
        let record = RecordId(self.unit.records.len() as u32 - 1);
        self.vectors.insert(lanes, record);
        self.lanes.insert(record, lanes);
        Type::Record(record)
    }

    pub(super) fn lanes_of(&self, ty: Type) -> Option<Lanes> {
        match ty {
            Type::Record(record) => self.lanes.get(&record).copied(),
            _ => None,
        }
    }

    /// One lane of a vector that is at a place.
    pub(super) fn lane_place(
        &mut self,
        vector: PlaceId,
        index: ExprId,
        at: Position,
    ) -> Result<PlaceId, String> {
        let Type::Record(record) = self.unit[vector].ty else { return Err("vector".to_owned()) };
        let Some(&Lanes { element, .. }) = self.lanes.get(&record) else { return Err("vector".to_owned()) };
        let array = self.unit[record].fields[0].ty;
        let base = self.add_place(PlaceKind::Member { base: vector, field: 0 }, array, at);
        Ok(self.add_place(PlaceKind::Index { base, index }, element, at))
    }

    /// `-v`, `~v`, `!v`.
    pub(super) fn vector_unary(
        &mut self,
        op: rucc_ast::UnaryOp,
        operand: ExprId,
        ty: Type,
        at: Position,
    ) -> ExprId {
        use rucc_ast::UnaryOp;
        let lanes = self.lanes_of(self.unit[operand].ty);
        self.lanewise(vec![operand], ty, at, |s, values, to| {
            let value = values[0];
            Ok(match op {
                UnaryOp::Minus => s.add_expr(ExprKind::Neg(value), to, at),
                UnaryOp::BitNot => s.add_expr(ExprKind::BitNot(value), to, at),
                UnaryOp::Not => {
                    let zero = match lanes.map(|l| l.element) {
                        Some(element @ Type::Float(_)) => s.add_expr(ExprKind::Float(0), element, at),
                        Some(element) => s.add_expr(ExprKind::Const(0), element, at),
                        None => return Err("vector"),
                    };
                    s.mask(CompareOp::Eq, value, zero, to, at)
                }
                _ => return Err("vector"),
            })
        })
    }

    /// An operator on two vectors; a shift's right operand may have lanes of another type.
    pub(super) fn vector_arith(
        &mut self,
        op: ArithOp,
        left: ExprId,
        right: ExprId,
        ty: Type,
        at: Position,
    ) -> ExprId {
        self.lanewise(vec![left, right], ty, at, |s, values, to| {
            let (left, right) = (s.convert(values[0], to), values[1]);
            let shift = matches!(op, ArithOp::Shl | ArithOp::Shr);
            let right = if shift { right } else { s.convert(right, to) };
            Ok(s.add_expr(ExprKind::Arith(op, left, right), to, at))
        })
    }

    /// A comparison of two vectors: all bits of a lane are 1 where it holds.
    pub(super) fn vector_compare(
        &mut self,
        op: CompareOp,
        left: ExprId,
        right: ExprId,
        ty: Type,
        at: Position,
    ) -> ExprId {
        self.lanewise(vec![left, right], ty, at, |s, values, to| Ok(s.mask(op, values[0], values[1], to, at)))
    }

    fn mask(&mut self, op: CompareOp, left: ExprId, right: ExprId, to: Type, at: Position) -> ExprId {
        let holds = self.compare(op, left, right, at);
        let holds = self.convert(holds, to);
        self.add_expr(ExprKind::Neg(holds), to, at)
    }

    /// `v op= w`, `v++` and the like; the place is found once.
    pub(super) fn vector_update(
        &mut self,
        op: ArithOp,
        place: PlaceId,
        value: ExprId,
        before: bool,
        at: Position,
    ) -> ExprId {
        let ty = self.unit[place].ty;
        let address = self.address_of(place, at);
        let (pointer, place) = if self.is_pure(address) {
            (None, place)
        } else {
            let pointer = self.temporary("(pointer)", address);
            let loaded = self.load_object(pointer, at);
            (Some(pointer), self.deref(loaded, ty, at))
        };
        let value = self.temporary("(vector)", value);
        let old = self.load_place(place, at);
        let old = self.temporary("(old)", old);
        let (left, right) = (self.load_object(old, at), self.load_object(value, at));
        let new = self.vector_arith(op, left, right, ty, at);
        let stored = self.store(place, new, at);
        let result = if before { self.load_object(old, at) } else { self.load_place(place, at) };
        let operands = pointer.into_iter().chain([value]).collect();
        self.sequence(operands, vec![old], vec![stored], result, at)
    }

    /// The operand of `v++`: 1 in each lane.
    pub(super) fn ones(&mut self, ty: Type, at: Position) -> ExprId {
        let int = self.int();
        let one = self.add_expr(ExprKind::Const(1), int, at);
        self.broadcast(one, ty, at)
    }

    /// A number in each lane.
    pub(super) fn broadcast(&mut self, value: ExprId, ty: Type, at: Position) -> ExprId {
        self.lanewise(vec![value], ty, at, |s, values, to| Ok(s.convert(values[0], to)))
    }

    /// `__builtin_convertvector`: the number in each lane in another type.
    pub(super) fn convert_lanes(&mut self, value: ExprId, ty: Type, at: Position) -> ExprId {
        self.broadcast(value, ty, at)
    }

    /// A vector, or a number, as the vector or number with the same bytes.
    pub(super) fn reinterpreted(&mut self, value: ExprId, ty: Type) -> ExprId {
        let Expr { ty: from, at, .. } = self.unit[value];
        let same = match (self.lanes_of(from), self.lanes_of(ty)) {
            (Some(a), Some(b)) => {
                a.count == b.count && [a.element, b.element].iter().all(|e| matches!(e, Type::Int(_)))
            }
            _ => false,
        };
        if same {
            return self.broadcast(value, ty, at);
        }
        let object = self.temporary("(vector)", value);
        let place = self.object_place(object, at);
        let address = self.address_of(place, at);
        let pointer = self.pointer(ty);
        let address = self.convert(address, pointer);
        let place = self.add_place(PlaceKind::Deref(address), ty, at);
        let result = self.load_place(place, at);
        self.sequence(vec![object], Vec::new(), Vec::new(), result, at)
    }

    /// `__builtin_shuffle`: which lanes is said by a vector, modulo their number.
    pub(super) fn shuffle(&mut self, sources: Vec<ExprId>, mask: ExprId, ty: Type, at: Position) -> ExprId {
        let Some(Lanes { element: Type::Int(index_type), .. }) = self.lanes_of(self.unit[mask].ty) else {
            return self.unsupported("vector", ty, at);
        };
        let Some(Lanes { count, .. }) = self.lanes_of(ty) else { return self.unsupported("vector", ty, at) };
        let two = sources.len() == 2;
        let operands: Vec<ObjectId> =
            sources.into_iter().chain([mask]).map(|value| self.temporary("(vector)", value)).collect();
        let index_type = Type::Int(IntType { signed: false, ..index_type });
        let picked = |s: &mut Self, lane: u32| {
            let chosen = s.lane(operands[operands.len() - 1], lane, at)?;
            let chosen = s.convert(chosen, index_type);
            let bits = |s: &mut Self, value: u32| {
                let mask = s.add_expr(ExprKind::Const(i128::from(value)), index_type, at);
                s.add_expr(ExprKind::Arith(ArithOp::And, chosen, mask), index_type, at)
            };
            let index = bits(s, count - 1);
            let first = s.object_place(operands[0], at);
            let first = s.lane_place(first, index, at)?;
            let first = s.load_place(first, at);
            if !two {
                return Ok(first);
            }
            let index = bits(s, count - 1);
            let second = s.object_place(operands[1], at);
            let second = s.lane_place(second, index, at)?;
            let otherwise = s.load_place(second, at);
            let cond = bits(s, count);
            let ty = s.unit[first].ty;
            // The condition is whether the index is in the second vector.
            Ok(s.add_expr(ExprKind::Cond { cond, then: otherwise, otherwise: first }, ty, at))
        };
        self.built(operands.clone(), ty, at, picked)
    }

    /// `__builtin_shufflevector`: which lanes is said by constants, where -1 is any value.
    pub(super) fn shuffle_vector(&mut self, operands: ExprList, ty: Type, at: Position) -> ExprId {
        let tast = self.tast;
        let [first, second, picks @ ..] = &tast[operands] else { return self.unsupported("vector", ty, at) };
        let (first, second) = (self.expr(*first), self.expr(*second));
        let Some(split) = self.lanes_of(self.unit[first].ty).map(|l| i128::from(l.count)) else {
            return self.unsupported("vector", ty, at);
        };
        let sources = [first, second].map(|value| self.temporary("(vector)", value));
        let picks: Vec<ExprId> = picks.iter().map(|&pick| self.expr(pick)).collect();
        self.built(sources.to_vec(), ty, at, |s, lane| {
            let ExprKind::Const(pick) = s.unit[picks[lane as usize]].kind else {
                return Err("vector".to_owned());
            };
            match u32::try_from(if pick < split { pick } else { pick - split }) {
                Ok(from) => s.lane(sources[usize::from(pick >= split)], from, at),
                Err(_) => match s.lanes_of(ty).map(|l| l.element) {
                    Some(element @ Type::Int(int)) => {
                        Ok(s.unspecified(&format!("lane{}", int.bits), element, at))
                    }
                    _ => Err("a lane that is left open".to_owned()),
                },
            }
        })
    }

    /// A vector whose lanes are made of those of the operands; a number is the same for each lane.
    fn lanewise(
        &mut self,
        operands: Vec<ExprId>,
        ty: Type,
        at: Position,
        lane: impl Fn(&mut Self, &[ExprId], Type) -> Result<ExprId, &'static str>,
    ) -> ExprId {
        let Some(to) = self.lanes_of(ty).map(|l| l.element) else {
            return self.unsupported("vector", ty, at);
        };
        let operands: Vec<ObjectId> =
            operands.into_iter().map(|value| self.temporary("(vector)", value)).collect();
        self.built(operands.clone(), ty, at, |s, index| {
            let mut values = Vec::with_capacity(operands.len());
            for &operand in &operands {
                values.push(s.lane(operand, index, at)?);
            }
            lane(s, &values, to).map_err(str::to_owned)
        })
    }

    /// The value of a lane of a variable, or of a variable that is no vector.
    fn lane(&mut self, object: ObjectId, lane: u32, at: Position) -> Result<ExprId, String> {
        if self.lanes_of(self.unit[object].ty).is_none() {
            return Ok(self.load_object(object, at));
        }
        let ty = self.difference_type();
        let index = self.add_expr(ExprKind::Const(i128::from(lane)), ty, at);
        let vector = self.object_place(object, at);
        let place = self.lane_place(vector, index, at)?;
        Ok(self.load_place(place, at))
    }

    /// A new vector, lane by lane, after variables that hold the operands.
    fn built(
        &mut self,
        operands: Vec<ObjectId>,
        ty: Type,
        at: Position,
        lane: impl Fn(&mut Self, u32) -> Result<ExprId, String>,
    ) -> ExprId {
        let Some(Lanes { element, count }) = self.lanes_of(ty) else {
            return self.unsupported("vector", ty, at);
        };
        let bytes = self.unit.size_of(element).unwrap_or(0);
        let mut entries = Vec::with_capacity(count as usize);
        for index in 0..count {
            let value = match lane(self, index) {
                Ok(value) => self.convert(value, element),
                Err(what) => return self.unsupported(what, ty, at),
            };
            entries.push(InitEntry { offset: u64::from(index) * bytes, bits: None, value });
        }
        let result = self.temporary_of("(lanes)", ty, Init { entries }, at);
        let value = self.load_object(result, at);
        self.sequence(operands, vec![result], Vec::new(), value, at)
    }
}
