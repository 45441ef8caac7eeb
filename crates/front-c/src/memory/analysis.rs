//! The walk that gathers what may point where.
//!
//! Each function is visited once, whoever calls it: parameters of all calls meet. Calls through pointers are bound as
//! their targets become known, until nothing new does. Integers as wide as an address may hold one.

use super::nodes::{Access, Nodes, Pointer};
use crate::tree::{
    ArithOp, AssignOp, BitField, Callee, ExprId, ExprKind, FunctionId, Init, ObjectId, PlaceId, PlaceKind,
    SignatureId, StmtId, StmtKind, StringId, Type, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// No array is longer: the end of a range that has none.
const ENDLESS: i64 = i64::MAX / 16;

/// Copying an array member of more elements folds it.
const FOLDED_COPY: u64 = 16;

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
}

/// The walk.
pub(crate) struct Analysis<'a> {
    pub(super) unit: &'a Unit,
    pub(super) nodes: Nodes<Thing>,
    pub(super) things: FxHashMap<Thing, Pointer>,
    function_nodes: FxHashMap<FunctionId, Pointer>,
    variadic: Option<Pointer>,
    pub(super) places: FxHashMap<PlaceId, Pointer>,
    exprs: FxHashMap<ExprId, Option<Pointer>>,
    pub(super) values: FxHashMap<ExprId, Pointer>,
    /// The variables whose addresses are taken.
    pub(super) addressed: FxHashSet<ObjectId>,
    literals: FxHashMap<Vec<u32>, Vec<StringId>>,
    /// What numbers that were made of addresses point to, if they are taken as addresses again.
    numbers: Option<Pointer>,
    /// What addresses that are accessed in parts point to.
    in_parts: Option<Pointer>,
    sites: Vec<Site>,
    reached: FxHashSet<FunctionId>,
    work: Vec<FunctionId>,
    current: FunctionId,
}

/// What a library function does with pointers, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Library {
    /// Returns fresh memory.
    Allocates,
    /// Returns fresh memory with the contents of the old.
    Reallocates,
    /// Copies from the second argument to the first, which it returns.
    Copies,
    /// Fills what the first argument points to, and returns it.
    Fills,
    /// Nothing.
    Frees,
}

/// What a function that the program does not define does with pointers.
pub(crate) fn library(unit: &Unit, function: FunctionId) -> Option<Library> {
    let data = &unit[function];
    if data.body.is_some() {
        return None;
    }
    let name = data.name.strip_prefix("__builtin_").unwrap_or(&data.name);
    Some(match name {
        "malloc" | "calloc" | "alloca" | "aligned_alloc" | "memalign" | "valloc" => Library::Allocates,
        "realloc" => Library::Reallocates,
        "memcpy" | "memmove" | "mempcpy" => Library::Copies,
        "memset" => Library::Fills,
        "free" | "cfree" => Library::Frees,
        _ => return None,
    })
}

impl<'a> Analysis<'a> {
    /// Visits all that `main` reaches.
    pub(crate) fn run(unit: &'a Unit, main: FunctionId) -> Analysis<'a> {
        let mut walk = Analysis {
            unit,
            nodes: Nodes::new(),
            things: FxHashMap::default(),
            function_nodes: FxHashMap::default(),
            variadic: None,
            places: FxHashMap::default(),
            exprs: FxHashMap::default(),
            values: FxHashMap::default(),
            addressed: FxHashSet::default(),
            literals: FxHashMap::default(),
            numbers: None,
            in_parts: None,
            sites: Vec::new(),
            reached: [main].into_iter().collect(),
            work: vec![main],
            current: main,
        };
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
            if !walk.bind_sites() && !walk.settle() {
                break;
            }
        }
        walk
    }

    /// Makes the nodes as coarse as their accesses ask for; whether anything has changed.
    ///
    /// An address that is also read or written in parts may be copied by its parts, which are not followed: all such
    /// addresses are taken to point to the same.
    fn settle(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.nodes.len() {
            let Some(node) = self.nodes.root_at(index) else { continue };
            changed |= super::regions::fit(&mut self.nodes, node);
        }
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
        changed
    }

    /// Binds the calls through pointers to targets that have become known.
    fn bind_sites(&mut self) -> bool {
        let mut news = false;
        for i in 0..self.sites.len() {
            let target = self.nodes.resolve(self.sites[i].target);
            let functions = self.nodes.data(target.node).functions.clone();
            for function in functions {
                if self.sites[i].bound.insert(function) && fits(self.unit, self.sites[i].signature, function)
                {
                    news = true;
                    self.bind(self.sites[i].call, function);
                }
            }
        }
        news
    }

    /// The functions that a call through a pointer may reach, and whether there may be others.
    pub(super) fn callees(&mut self, call: ExprId) -> (Vec<FunctionId>, bool) {
        let unit = self.unit;
        let Some(site) = self.sites.iter().find(|s| s.call == call) else { return (Vec::new(), true) };
        let (target, signature) = (site.target, site.signature);
        let target = self.nodes.resolve(target);
        let data = self.nodes.data(target.node);
        let mut functions: Vec<FunctionId> =
            data.functions.iter().copied().filter(|&f| fits(unit, signature, f)).collect();
        functions.sort_unstable();
        (functions, data.external || data.number)
    }

    /// The calls that have been visited.
    pub(super) fn calls(&self) -> Vec<(ExprId, Callee)> {
        let calls = self.exprs.keys().filter_map(|&e| match self.unit[e].kind {
            ExprKind::Call { callee, .. } => Some((e, callee)),
            _ => None,
        });
        calls.collect()
    }

    /// The node of an object; an initial value is visited with its object.
    pub(super) fn thing(&mut self, thing: Thing) -> Pointer {
        if let Some(&at) = self.things.get(&thing) {
            return at;
        }
        let at = self.nodes.fresh();
        self.things.insert(thing, at);
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
            Some(&other) => other,
            None => {
                known.push(literal);
                literal
            }
        }
    }

    fn init(&mut self, at: Pointer, init: &Init) {
        for entry in &init.entries {
            let to = plus(at, entry.offset as i64);
            let ty = self.unit[entry.value].ty;
            if is_aggregate(ty) {
                let from = self.value(entry.value);
                self.copy(to, from, ty);
            } else {
                let value = self.expr(entry.value);
                self.access(to, ty, entry.bits);
                self.store(to, value);
            }
        }
    }

    /// Notes that a scalar is read or written.
    fn access(&mut self, at: Pointer, ty: Type, bits: Option<BitField>) {
        let at = self.nodes.resolve_raw(at);
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

    fn holds_address(&self, ty: Type) -> bool {
        match ty {
            Type::Float(_) => width(self.unit, ty) >= self.unit.word(),
            _ => ty.int().is_some_and(|int| int.bits >= self.unit.word()),
        }
    }

    /// A struct or union is copied.
    fn copy(&mut self, to: Pointer, from: Pointer, ty: Type) {
        if self.nodes.resolve(to) == self.nodes.resolve(from) {
            return;
        }
        match ty {
            Type::Record(record) if self.unit[record].union => {
                let size = self.unit[record].size.unwrap_or(0) as i64;
                for offset in 0..size {
                    for at in [to, from] {
                        let at = self.nodes.resolve_raw(plus(at, offset));
                        let access = Access { bit: 8 * at.offset, width: 8 };
                        self.nodes.data(at.node).accesses.insert(access);
                    }
                }
                let word = i64::from(self.unit.word() / 8);
                for offset in (0..size).step_by(word as usize) {
                    let (a, b) = (self.nodes.target(plus(to, offset)), self.nodes.target(plus(from, offset)));
                    self.nodes.unify(a, b);
                }
            }
            Type::Record(record) => {
                let unit = self.unit;
                for field in &unit[record].fields {
                    let offset = field.offset as i64;
                    if is_aggregate(field.ty) {
                        self.copy(plus(to, offset), plus(from, offset), field.ty);
                    } else if field.bits.is_none_or(|b| b.width > 0) {
                        self.access(plus(to, offset), field.ty, field.bits);
                        self.access(plus(from, offset), field.ty, field.bits);
                        if field.bits.is_none() && self.holds_address(field.ty) {
                            let value = self.nodes.target(plus(from, offset));
                            self.store(plus(to, offset), Some(value));
                        }
                    }
                }
            }
            Type::Array(array) => {
                let array = self.unit[array];
                let (Some(size), Some(length)) = (self.unit.size_of(array.element), array.length) else {
                    return;
                };
                let folded = length > FOLDED_COPY;
                for at in [to, from].into_iter().filter(|_| folded) {
                    self.moved(at, size as i64);
                }
                for i in 0..if folded { 1 } else { length } {
                    let offset = (i * size) as i64;
                    let (to, from) = (plus(to, offset), plus(from, offset));
                    if is_aggregate(array.element) {
                        self.copy(to, from, array.element);
                    } else {
                        self.access(to, array.element, None);
                        self.access(from, array.element, None);
                        let value = self.load(from, array.element);
                        self.store(to, value);
                    }
                }
            }
            _ => {}
        }
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
                let at = self.place(base);
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

    /// What the value of an expression points to, if it may be an address.
    pub(super) fn expr(&mut self, e: ExprId) -> Option<Pointer> {
        if let Some(&known) = self.exprs.get(&e) {
            return known;
        }
        if is_aggregate(self.unit[e].ty) && !matches!(self.unit[e].kind, ExprKind::Call { .. }) {
            self.value(e);
            return None;
        }
        let result = self.kind(e);
        let result = result.filter(|_| self.holds_address(self.unit[e].ty));
        self.exprs.insert(e, result);
        result
    }

    fn kind(&mut self, e: ExprId) -> Option<Pointer> {
        let unit = self.unit;
        let ty = unit[e].ty;
        match unit[e].kind {
            ExprKind::Load(place) => {
                let at = self.place(place);
                self.access(at, ty, field_of(unit, place));
                self.load(at, ty)
            }
            ExprKind::AddressOf(_) if super::constant(unit, e).is_some() => None,
            ExprKind::AddressOf(place) => {
                self.address(place);
                Some(self.place(place))
            }
            ExprKind::FunctionAddress(function) => Some(self.function(function)),
            ExprKind::PointerAdd { pointer, index, subtract, scale } => {
                let at = self.expr(pointer);
                self.expr(index);
                let by = super::constant(unit, index);
                at.map(|at| self.pointer_add(at, by, subtract, scale))
            }
            ExprKind::Arith(op, a, b) => {
                let (left, right) = (self.expr(a), self.expr(b));
                self.arith(op, (a, left), (b, right))
            }
            ExprKind::Assign { place, op, value } => {
                let at = self.place(place);
                self.access(at, unit[place].ty, field_of(unit, place));
                let right = self.expr(value);
                let result = match op {
                    None => right,
                    Some(AssignOp::Pointer { subtract, scale }) => {
                        let old = self.nodes.target(at);
                        Some(self.pointer_add(old, super::constant(unit, value), subtract, scale))
                    }
                    Some(AssignOp::Arith(op, _)) => {
                        let old = self.load(at, unit[place].ty);
                        self.arith(op, (value, old), (value, right))
                    }
                };
                if self.holds_address(unit[place].ty) {
                    self.store(at, result);
                }
                self.load(at, ty)
            }
            ExprKind::Step { place, by, .. } => {
                let at = self.place(place);
                self.access(at, unit[place].ty, field_of(unit, place));
                if self.holds_address(unit[place].ty) {
                    let old = self.nodes.target(at);
                    let new = self.moved(old, by as i64);
                    self.store(at, Some(new));
                }
                self.load(at, ty)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.expr(cond);
                let (a, b) = (self.expr(then), self.expr(otherwise));
                self.either(a, b)
            }
            ExprKind::Elvis { value, then, otherwise } => {
                let first = self.expr(value);
                let (a, b) = (self.expr(then), self.expr(otherwise));
                let a = self.either(first, a);
                self.either(a, b)
            }
            ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b)
            }
            ExprKind::Block { ref body, value } => {
                body.iter().for_each(|&s| self.stmt(s));
                value.and_then(|v| self.expr(v))
            }
            ExprKind::Call { callee, ref args } => self.call(e, callee, args),
            ExprKind::Alloca(size) => {
                self.expr(size);
                Some(self.thing(Thing::Allocated(e)))
            }
            ExprKind::Overflow { operands, result, stores, .. } => {
                for operand in operands {
                    self.expr(operand);
                }
                let at = self.expr(result);
                if let (true, Some(at), Some(to)) = (stores, at, unit.pointee(unit[result].ty)) {
                    self.access(at, to, None);
                    let number = self.number();
                    self.store(at, Some(number));
                }
                None
            }
            ExprKind::VaArg(list) => {
                self.expr(list);
                let at = self.variadic();
                Some(self.nodes.target(at))
            }
            ExprKind::VaCopy(a, b)
            | ExprKind::PointerDiff { left: a, right: b, .. }
            | ExprKind::Compare(_, a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b) => {
                self.expr(a);
                self.expr(b);
                None
            }
            ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Magnitude(a) | ExprKind::SwapBytes(a) => {
                self.expr(a);
                Some(self.number())
            }
            // A narrower number may be a part of an address.
            ExprKind::Convert(a) => match self.expr(a) {
                Some(at) => Some(at),
                None if super::constant(unit, e).is_some() => None,
                None => Some(self.number()),
            },
            ExprKind::Not(a) | ExprKind::BitCount(_, a) | ExprKind::VaStart(a) | ExprKind::VaEnd(a) => {
                self.expr(a);
                None
            }
            ExprKind::Const(_)
            | ExprKind::Float(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Bound
            | ExprKind::Trap
            | ExprKind::Unreachable
            | ExprKind::Unsupported(_) => None,
        }
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

    fn pointer_add(&mut self, at: Pointer, by: Option<i128>, subtract: bool, scale: u64) -> Pointer {
        match by {
            Some(by) if self.wrapped(by).unsigned_abs() < ENDLESS as u128 => {
                let by = (self.wrapped(by) as i64).saturating_mul(scale as i64).clamp(-ENDLESS, ENDLESS);
                plus(at, if subtract { -by } else { by })
            }
            _ => self.moved(at, scale as i64),
        }
    }

    fn either(&mut self, a: Option<Pointer>, b: Option<Pointer>) -> Option<Pointer> {
        if let (Some(a), Some(b)) = (a, b) {
            self.nodes.unify(a, b);
        }
        a.or(b)
    }

    /// Arithmetic on integers that may be addresses.
    fn arith(
        &mut self,
        op: ArithOp,
        (a, left): (ExprId, Option<Pointer>),
        (b, right): (ExprId, Option<Pointer>),
    ) -> Option<Pointer> {
        if !matches!(op, ArithOp::Add | ArithOp::Sub | ArithOp::And | ArithOp::Or | ArithOp::Xor) {
            return Some(self.number());
        }
        let constants = (super::constant(self.unit, a), super::constant(self.unit, b));
        match (op, left, right, constants) {
            (ArithOp::Add | ArithOp::Sub, Some(at), _, (_, Some(by))) => {
                Some(self.pointer_add(at, Some(self.wrapped(by)), op == ArithOp::Sub, 1))
            }
            (ArithOp::Add, _, Some(at), (Some(by), _)) => {
                Some(self.pointer_add(at, Some(self.wrapped(by)), false, 1))
            }
            // Which of the two is the address, if any, is not known, and neither is what becomes of it.
            _ => Some(self.number()),
        }
    }

    /// What a number points to that was computed otherwise than by moving an address: nobody knows.
    fn number(&mut self) -> Pointer {
        let at = match self.numbers {
            Some(at) => at,
            None => self.nodes.fresh(),
        };
        self.numbers = Some(at);
        self.nodes.data(at.node).number = true;
        at
    }

    /// A constant as the signed number of the width of an address.
    fn wrapped(&self, by: i128) -> i128 {
        let modulus = 1i128 << self.unit.word();
        let by = by.rem_euclid(modulus);
        if by >= modulus / 2 { by - modulus } else { by }
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

    /// Where variable arguments are: lists of them are handed on, so all share one place.
    fn variadic(&mut self) -> Pointer {
        if let Some(at) = self.variadic {
            return at;
        }
        let at = self.nodes.fresh();
        self.variadic = Some(at);
        at
    }

    fn call(&mut self, e: ExprId, callee: Callee, args: &[ExprId]) -> Option<Pointer> {
        for &arg in args {
            self.expr(arg);
        }
        let unit = self.unit;
        match callee {
            Callee::Pointer(pointer, signature) => {
                let target = self.expr(pointer).unwrap_or_else(|| {
                    let at = self.nodes.fresh();
                    self.nodes.data(at.node).external = true;
                    at
                });
                self.sites.push(Site { call: e, target, signature, bound: FxHashSet::default() });
                if is_aggregate(unit[e].ty) {
                    return None;
                }
                let at = self.thing(Thing::Value(e));
                self.load(at, unit[e].ty)
            }
            Callee::Function(function) => match library(unit, function) {
                Some(Library::Allocates) => Some(self.thing(Thing::Allocated(e))),
                Some(Library::Reallocates) => {
                    let at = self.thing(Thing::Allocated(e));
                    if let Some(old) = args.first().and_then(|&a| self.expr(a)) {
                        self.nodes.unify(at, old);
                    }
                    Some(at)
                }
                Some(Library::Copies) => {
                    let to = args.first().and_then(|&a| self.expr(a));
                    let from = args.get(1).and_then(|&a| self.expr(a));
                    let at = self.either(to, from);
                    if unit[function].name.ends_with("mempcpy") { at.map(|at| self.moved(at, 1)) } else { at }
                }
                Some(Library::Fills) => args.first().and_then(|&a| self.expr(a)),
                Some(Library::Frees) => None,
                None => {
                    self.bind(e, function);
                    let at = self.thing(Thing::Result(function));
                    (!is_aggregate(unit[e].ty)).then(|| self.nodes.target(at))
                }
            },
        }
    }

    /// Arguments become parameters, and the result the value of the call.
    fn bind(&mut self, call: ExprId, function: FunctionId) {
        let unit = self.unit;
        let ExprKind::Call { callee, ref args } = unit[call].kind else { return };
        let data = &unit[function];
        if data.body.is_some() && self.reached.insert(function) {
            self.work.push(function);
        }
        for (i, &arg) in args.iter().enumerate() {
            let ty = unit[arg].ty;
            match data.params.get(i) {
                Some(&param) if is_aggregate(ty) => {
                    let (to, from) = (self.thing(Thing::Object(param)), self.value(arg));
                    self.copy(to, from, ty);
                }
                Some(&param) => {
                    let value = self.expr(arg);
                    let to = self.thing(Thing::Object(param));
                    self.access(to, unit[param].ty, None);
                    self.store(to, value);
                }
                None if data.body.is_some() => {
                    let value = self.expr(arg);
                    let to = self.variadic();
                    self.store(to, value);
                }
                None => self.given(function, arg),
            }
        }
        let from = self.thing(Thing::Result(function));
        if data.body.is_none() {
            self.nodes.data(from.node).external = true;
            if data.result.is_pointer() {
                let target = self.nodes.target(from);
                self.nodes.data(target.node).external = true;
            }
        }
        if let Callee::Pointer(..) = callee {
            let to = self.thing(Thing::Value(call));
            if is_aggregate(unit[call].ty) {
                self.copy(to, from, unit[call].ty);
            } else if self.holds_address(unit[call].ty) {
                let value = self.nodes.target(from);
                self.store(to, Some(value));
            }
        }
    }

    /// A function that is defined elsewhere gets a pointer: what it returns of that type may be the same.
    fn given(&mut self, function: FunctionId, arg: ExprId) {
        let ty = self.unit[arg].ty;
        let Some(value) = self.expr(arg) else { return };
        if ty.is_pointer() && ty == self.unit[function].result && self.unit.pointee(ty) != Some(Type::Void) {
            let result = self.thing(Thing::Result(function));
            self.store(result, Some(value));
        }
    }

    fn stmt(&mut self, s: StmtId) {
        let unit = self.unit;
        match &unit[s].kind {
            StmtKind::Expr(e) => {
                self.expr(*e);
            }
            StmtKind::Block(body) => body.iter().for_each(|&s| self.stmt(s)),
            StmtKind::Declare(objects) => {
                for &object in objects {
                    let at = self.thing(Thing::Object(object));
                    if let Some(size) = unit[object].dynamic_size {
                        self.expr(size);
                    }
                    if unit[object].is_automatic()
                        && let Some(init) = unit[object].init()
                    {
                        self.init(at, init);
                    }
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.expr(*cond);
                self.stmt(*then);
                otherwise.iter().for_each(|&s| self.stmt(s));
            }
            StmtKind::While { cond, body }
            | StmtKind::DoWhile { body, cond }
            | StmtKind::Switch { cond, body, .. } => {
                self.expr(*cond);
                self.stmt(*body);
            }
            StmtKind::For { init, cond, step, body } => {
                init.iter().for_each(|&s| self.stmt(s));
                for &e in [cond, step].into_iter().flatten() {
                    self.expr(e);
                }
                self.stmt(*body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => {
                self.stmt(*body);
            }
            StmtKind::Return(Some(value)) => {
                let to = self.thing(Thing::Result(self.current));
                let ty = unit[*value].ty;
                if is_aggregate(ty) {
                    let from = self.value(*value);
                    self.copy(to, from, ty);
                } else {
                    let value = self.expr(*value);
                    self.store(to, value);
                }
            }
            StmtKind::IndirectGoto { address, .. } => {
                self.expr(*address);
            }
            StmtKind::Asm { outputs, inputs, .. } => {
                for &input in inputs {
                    self.expr(input);
                }
                for &output in outputs {
                    let at = self.place(output);
                    self.access(at, unit[output].ty, field_of(unit, output));
                }
            }
            StmtKind::Empty
            | StmtKind::Goto { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Unsupported(_) => {}
        }
    }
}

/// Whether a function may be called as one of the type: the classes of the parameters and of the result agree.
fn fits(unit: &Unit, signature: SignatureId, function: FunctionId) -> bool {
    let (wanted, data) = (&unit[signature], &unit[function]);
    let class = |ty: Type| match ty {
        Type::Bool | Type::Int(_) | Type::Pointer { .. } => (0, ty.int().map_or(0, |int| int.bits)),
        Type::Float(_) => (1, width(unit, ty)),
        Type::Record(record) => (2, record.index() as u32),
        _ => (3, 0),
    };
    let params = match (&wanted.params, &data.prototype) {
        (Some(a), Some(b)) => {
            (a.len() == b.len() || (data.variadic && a.len() >= b.len()))
                && a.iter().zip(b).all(|(&a, &b)| class(a) == class(b))
        }
        _ => true,
    };
    params && (wanted.result == Type::Void || class(wanted.result) == class(data.result))
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
