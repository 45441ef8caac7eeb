//! The walk that gathers what may point where.
//!
//! Each function is visited once, whoever calls it: parameters of all calls meet. Calls through pointers are bound as
//! their targets become known, until nothing new does. Integers as wide as an address may hold one.

mod call;
mod callback;
mod copy;
mod elsewhere;
mod expression;
mod number;
mod statement;

pub(crate) use call::{Callees, Library, library};

use self::elsewhere::Compared;
use self::number::Derived;
use super::nodes::{Access, Nodes, Pointer};
use crate::tree::{
    BitField, Callee, ExprId, ExprKind, FunctionId, LabelId, ObjectId, PlaceId, PlaceKind, SignatureId,
    StringId, Type, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// No array is longer: the end of a range that has none.
const ENDLESS: i64 = i64::MAX / 16;

/// What occupies memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Thing {
    /// A variable.
    Object(ObjectId),
    /// A string literal.
    Literal(StringId),
    /// What a call of an allocating function returns.
    Allocated(ExprId),
    /// The value that a function returns.
    Result(FunctionId),
    /// The value of an expression.
    Value(ExprId),
    /// What is only known to be there.
    #[default]
    Unknown,
}

/// A call through a pointer.
struct Site {
    call: ExprId,
    target: Pointer,
    signature: SignatureId,
    bound: FxHashSet<FunctionId>,
    /// Whether it may reach functions of other translation units, as far as was found.
    unknown: bool,
}

/// A call of a function that may do what code of other translation units can.
struct UndefinedCall {
    call: ExprId,
    /// Whether it may come back.
    returns: bool,
}

/// The walk.
pub(crate) struct Analysis<'a> {
    pub(super) unit: &'a Unit,
    pub(super) nodes: Nodes<Thing>,
    pub(super) things: FxHashMap<Thing, Pointer>,
    /// In which function each thing was met first.
    pub(super) homes: FxHashMap<Thing, FunctionId>,
    function_nodes: FxHashMap<FunctionId, Pointer>,
    /// The labels whose addresses are taken, and what those point to.
    pub(super) labels: Vec<LabelId>,
    pub(super) label_node: Option<Pointer>,
    variadic: Option<Pointer>,
    pub(super) places: FxHashMap<PlaceId, Pointer>,
    exprs: FxHashMap<ExprId, Option<Pointer>>,
    pub(super) values: FxHashMap<ExprId, Pointer>,
    /// The variables whose addresses are taken.
    pub(super) addressed: FxHashSet<ObjectId>,
    literals: FxHashMap<Vec<u32>, Vec<StringId>>,
    /// The literals that stand for several.
    pub(super) repeated: FxHashSet<StringId>,
    derived: Vec<Derived>,
    /// What numbers point to that are cut to fewer bits than an address has.
    cut: Vec<Pointer>,
    /// What machine instructions are given.
    given: Vec<Pointer>,
    /// What addresses that are accessed in parts point to.
    in_parts: Option<Pointer>,
    sites: Vec<Site>,
    /// The functions that may do what code of other translation units can.
    undefined: FxHashSet<FunctionId>,
    undefined_calls: Vec<UndefinedCall>,
    /// Pieces of memory of unknown size, or of many cells, that are moved or filled.
    large_pieces: Vec<Pointer>,
    /// The addresses that are compared.
    compared: Vec<Compared>,
    reached: FxHashSet<FunctionId>,
    work: Vec<FunctionId>,
    current: FunctionId,
}

impl<'a> Analysis<'a> {
    /// Visits all that `main` reaches. Arrays within structures are nodes of their own, or not.
    pub(crate) fn run(
        unit: &'a Unit,
        main: FunctionId,
        undefined: FxHashSet<FunctionId>,
        divides: bool,
    ) -> Analysis<'a> {
        let mut walk = Analysis {
            unit,
            nodes: Nodes::new(),
            things: FxHashMap::default(),
            homes: FxHashMap::default(),
            function_nodes: FxHashMap::default(),
            labels: Vec::new(),
            label_node: None,
            variadic: None,
            places: FxHashMap::default(),
            exprs: FxHashMap::default(),
            values: FxHashMap::default(),
            addressed: FxHashSet::default(),
            literals: FxHashMap::default(),
            repeated: FxHashSet::default(),
            derived: Vec::new(),
            cut: Vec::new(),
            given: Vec::new(),
            in_parts: None,
            sites: Vec::new(),
            undefined,
            undefined_calls: Vec::new(),
            large_pieces: Vec::new(),
            compared: Vec::new(),
            reached: [main].into_iter().collect(),
            work: vec![main],
            current: main,
        };
        walk.nodes.frozen = !divides;
        for &param in &unit[main].params {
            let node = walk.thing(Thing::Object(param)).node;
            walk.nodes.data(node).external = true;
        }
        loop {
            while let Some(function) = walk.work.pop() {
                walk.current = function;
                if let Some(body) = unit[function].body {
                    walk.stmt(body);
                }
            }
            if !walk.bind_sites() && !walk.bind_callbacks() && !walk.settle() {
                break;
            }
        }
        walk
    }

    /// What an expression points to that has been visited.
    pub(in crate::memory) fn visited(&self, e: ExprId) -> Option<Pointer> {
        self.exprs.get(&e).copied().flatten()
    }

    /// Makes the nodes as coarse as their accesses ask for; whether anything has changed.
    ///
    /// An address that is also read or written in parts may be copied by its parts, which are not followed: all such
    /// addresses are taken to point to the same.
    fn settle(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.nodes.len() {
            let Some(node) = self.nodes.root_at(index) else { continue };
            changed |= super::split::fit(&mut self.nodes, node);
        }
        for index in 0..self.nodes.len() {
            if let Some(node) = self.nodes.root_at(index) {
                changed |= self.nodes.fit_parts(node);
            }
            if let Some(node) = self.nodes.root_at(index) {
                changed |= self.nodes.share_objects(node);
            }
        }
        changed |= self.settle_pieces();
        let word = i64::from(self.unit.word());
        for index in 0..self.nodes.len() {
            let Some(node) = self.nodes.root_at(index) else { continue };
            let data = self.nodes.data(node);
            let accesses: Vec<(i64, i64)> = data.accesses.iter().map(|a| data.normal_bits(*a)).collect();
            let whole = |at: i64, (start, end): (i64, i64)| start == at && end == at + word;
            let parts = |at: i64| {
                accesses.iter().any(|&(start, end)| start < at + word && at < end && !whole(at, (start, end)))
            };
            let cells: Vec<Pointer> =
                data.cells.iter().filter(|&(&at, _)| parts(8 * at)).map(|(_, &target)| target).collect();
            for target in cells {
                let known = *self.in_parts.get_or_insert(target);
                if self.nodes.resolve(known) != self.nodes.resolve(target) {
                    changed = true;
                    self.nodes.unify(known, target);
                }
            }
        }
        changed | self.settle_numbers() | self.settle_elsewhere()
    }

    /// The node of an object; an initial value is visited with its object.
    pub(super) fn thing(&mut self, thing: Thing) -> Pointer {
        if let Some(&at) = self.things.get(&thing) {
            return at;
        }
        let at = self.nodes.fresh();
        self.things.insert(thing, at);
        self.homes.insert(thing, self.current);
        self.nodes.data(at.node).objects.push((thing, 0));
        if let Thing::Object(object) = thing {
            let data = &self.unit[object];
            if data.external && !data.is_automatic() && data.init().is_none() {
                self.nodes.data(at.node).external |= matches!(data.storage, crate::tree::Storage::Elsewhere);
            }
            if !data.is_automatic()
                && let Some(init) = data.init()
            {
                self.init(at, init);
            }
        }
        at
    }

    /// The literal that stands for all of the same contents: gcc makes one of them in a translation unit.
    pub(super) fn literal(&mut self, literal: StringId) -> StringId {
        let data = &self.unit[literal];
        let known = self.literals.entry(data.elements.clone()).or_default();
        match known.iter().find(|&&other| self.unit[other].ty == data.ty) {
            Some(&other) => {
                if other != literal {
                    self.repeated.insert(other);
                }
                other
            }
            None => {
                known.push(literal);
                literal
            }
        }
    }

    /// Notes that a scalar is read or written.
    fn access(&mut self, at: Pointer, ty: Type, bits: Option<BitField>) {
        let at = self.nodes.locate_raw(at);
        let (first, width) = match bits {
            Some(field) => (i64::from(field.first), field.width),
            None => (0, width(self.unit, ty)),
        };
        if width > 0 {
            let bit = 8 * at.offset + first;
            self.nodes.data(at.node).accesses.insert(Access { bit, width });
        }
    }

    fn store(&mut self, at: Pointer, value: Option<Pointer>) {
        if let Some(value) = value {
            let target = self.nodes.target(at);
            self.nodes.unify(target, value);
        }
    }

    fn load(&mut self, at: Pointer, ty: Type) -> Option<Pointer> {
        self.holds_address(ty).then(|| self.nodes.target(at))
    }

    /// A pointer moves by an unknown number of elements: all of the object repeats after that distance. Where the
    /// pointer stops is not known, so nothing less will do.
    fn moved(&mut self, p: Pointer, scale: i64) -> Pointer {
        let at = self.nodes.resolve(p);
        let scale = scale.max(1);
        let stride = self.nodes.data(at.node).stride;
        if stride == 0 || scale % stride != 0 {
            self.nodes.refold(at.node, |data| data.add_stride(scale));
        }
        at
    }

    /// The object that an lvalue is.
    pub(super) fn place(&mut self, id: PlaceId) -> Pointer {
        if let Some(&at) = self.places.get(&id) {
            return at;
        }
        let unit = self.unit;
        let at = match unit[id].kind {
            PlaceKind::Object(object) => self.thing(Thing::Object(object)),
            PlaceKind::Compound(object) => {
                let at = self.thing(Thing::Object(object));
                if unit[object].is_automatic()
                    && let Some(init) = unit[object].init()
                {
                    self.init(at, init);
                }
                at
            }
            PlaceKind::String(literal) => {
                let literal = self.literal(literal);
                self.thing(Thing::Literal(literal))
            }
            PlaceKind::Deref(pointer) => match self.expr(pointer) {
                Some(at) => at,
                None => {
                    let at = self.nodes.fresh();
                    self.nodes.data(at.node).external = true;
                    at
                }
            },
            PlaceKind::Member { base, field } => {
                let at = self.place(base);
                match unit[base].ty {
                    Type::Record(record) => plus(at, unit[record].fields[field as usize].offset as i64),
                    _ => at,
                }
            }
            PlaceKind::Index { base, index } => {
                let at = self.array(base);
                self.expr(index);
                let element = match unit[base].ty {
                    Type::Array(array) => unit[array].element,
                    _ => Type::Void,
                };
                let size = unit.size_of(element).map_or(1, |s| s as i64);
                match super::constant(unit, index) {
                    Some(i) if unit.size_of(element).is_some() && i.unsigned_abs() < ENDLESS as u128 => {
                        plus(at, (i as i64).saturating_mul(size))
                    }
                    _ => self.moved(at, size),
                }
            }
            PlaceKind::Value(e) => self.value(e),
        };
        self.places.insert(id, at);
        at
    }

    /// Where the elements of an array are: of a member, in a node of their own.
    fn array(&mut self, place: PlaceId) -> Pointer {
        let at = self.place(place);
        match member_array(self.unit, place) {
            Some((length, last)) => self.nodes.enter(at, length, last),
            None => at,
        }
    }

    /// Where the value of a struct or union expression is.
    pub(super) fn value(&mut self, e: ExprId) -> Pointer {
        if let Some(&at) = self.values.get(&e) {
            return at;
        }
        let unit = self.unit;
        let at = match unit[e].kind {
            ExprKind::Load(place) => self.place(place),
            ExprKind::Assign { place, value, .. } => {
                let (to, from) = (self.place(place), self.value(value));
                self.copy(to, from, unit[e].ty);
                to
            }
            ExprKind::Comma(first, second) => {
                self.expr(first);
                self.value(second)
            }
            ExprKind::Convert(a) => self.value(a),
            ExprKind::Block { ref body, value: Some(value) } => {
                body.iter().for_each(|&s| self.stmt(s));
                self.value(value)
            }
            ExprKind::Call { callee: Callee::Function(function), .. } => {
                self.expr(e);
                self.thing(Thing::Result(function))
            }
            _ => {
                let to = self.thing(Thing::Value(e));
                match unit[e].kind {
                    ExprKind::Cond { cond, then, otherwise } => {
                        self.expr(cond);
                        for side in [then, otherwise] {
                            let from = self.value(side);
                            self.copy(to, from, unit[e].ty);
                        }
                    }
                    ExprKind::Call { .. } => {
                        self.expr(e);
                    }
                    _ => self.nodes.data(to.node).external = true,
                }
                to
            }
        };
        self.values.insert(e, at);
        at
    }

    /// Notes whose address is taken.
    fn address(&mut self, mut place: PlaceId) {
        loop {
            match self.unit[place].kind {
                PlaceKind::Object(object) | PlaceKind::Compound(object) => {
                    self.addressed.insert(object);
                    return;
                }
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
                PlaceKind::String(_) | PlaceKind::Deref(_) | PlaceKind::Value(_) => return,
            }
        }
    }

    /// The node of a function's code.
    fn function(&mut self, function: FunctionId) -> Pointer {
        if let Some(&at) = self.function_nodes.get(&function) {
            return at;
        }
        let at = self.nodes.fresh();
        self.nodes.data(at.node).functions.push(function);
        self.function_nodes.insert(function, at);
        at
    }

    /// What the address of a label points to: nothing that a program may look at.
    fn label(&mut self, label: LabelId) -> Pointer {
        if !self.labels.contains(&label) {
            self.labels.push(label);
        }
        if let Some(at) = self.label_node {
            return at;
        }
        let at = self.nodes.fresh();
        self.nodes.data(at.node).external = true;
        self.label_node = Some(at);
        at
    }

    /// Where variable arguments are: lists of them are handed on, so all share one place.
    fn variadic(&mut self) -> Pointer {
        if let Some(at) = self.variadic {
            return at;
        }
        let at = self.nodes.fresh();
        self.variadic = Some(at);
        at
    }
}

/// The size of an array that is a member of a structure, and whether nothing follows it in what the place is a part of.
pub(crate) fn member_array(unit: &Unit, place: PlaceId) -> Option<(i64, bool)> {
    let (Type::Array(array), PlaceKind::Member { .. }) = (unit[place].ty, unit[place].kind) else {
        return None;
    };
    unit.size_of(unit[array].element)?;
    let length = unit.size_of(unit[place].ty).unwrap_or(0).try_into().ok()?;
    let (mut at, mut last) = (place, true);
    while let PlaceKind::Member { base, field } = unit[at].kind {
        if let Type::Record(record) = unit[base].ty {
            last &= !unit[record].union && field as usize + 1 == unit[record].fields.len();
        }
        at = base;
    }
    Some((length, last && !matches!(unit[at].kind, PlaceKind::Index { .. })))
}

/// The bits of a scalar.
pub(crate) fn width(unit: &Unit, ty: Type) -> u32 {
    match ty {
        Type::Float(crate::tree::FloatType::Extended) => 80,
        _ if is_aggregate(ty) => 0,
        _ => unit.size_of(ty).map_or(0, |size| 8 * size as u32),
    }
}

/// Which bits of its bytes a place has, if it is a bit-field.
pub(crate) fn field_of(unit: &Unit, place: PlaceId) -> Option<BitField> {
    match unit[place].kind {
        PlaceKind::Member { base, field } => match unit[base].ty {
            Type::Record(record) => unit[record].fields[field as usize].bits,
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn is_aggregate(ty: Type) -> bool {
    matches!(ty, Type::Record(_) | Type::Array(_))
}

pub(crate) fn plus(at: Pointer, offset: i64) -> Pointer {
    Pointer { node: at.node, offset: at.offset.saturating_add(offset) }
}
