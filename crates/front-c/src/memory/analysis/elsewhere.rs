//! What other translation units may do to memory, and where pointers that come from them may point.
//!
//! Code of another unit may store into all that it is given or can name, and into what it reaches from there. A pointer
//! that is read from such memory may point to what this unit knows nothing of: data or a function. It points to an
//! object of this unit only if it did before, if it is compared with a pointer to that object, or if it is a variable
//! that is defined elsewhere, or an element of one, and the object is one that other units can name.

use super::super::nodes::{NodeId, Pointer};
use super::{Analysis, Thing, is_aggregate, plus};
use crate::memory::constant;
use crate::tree::{ExprId, ExprKind, Init, ObjectId, Storage, Type};
use rustc_hash::FxHashMap;

/// Elements of an array of pointers that are told apart, where other units have set them.
const ELEMENTS: u64 = 16;

/// Two addresses that are compared.
pub(super) struct Compared {
    left: Pointer,
    right: Pointer,
    /// The size of the elements that are between them, if they need not be equal.
    step: Option<i64>,
}

impl Analysis<'_> {
    /// Addresses, or numbers that were converted from them, are compared.
    pub(super) fn compare(&mut self, a: ExprId, b: ExprId, step: Option<i64>) {
        let (left, right) = (self.expr(a), self.expr(b));
        if let (Some(left), Some(right)) = (left, right)
            && (self.was_address(a) || self.was_address(b))
        {
            self.compared.push(Compared { left, right, step });
        }
    }

    fn was_address(&self, e: ExprId) -> bool {
        match self.unit[e].kind {
            ExprKind::Convert(a) => self.was_address(a) || self.unit[e].ty.is_pointer(),
            _ => self.unit[e].ty.is_pointer(),
        }
    }

    /// A list of variable arguments is begun: it leads to all of them.
    pub(super) fn list(&mut self, at: Pointer) {
        let all = self.variadic();
        for offset in self.list_offsets() {
            self.store(plus(at, offset), Some(all));
        }
    }

    pub(super) fn list_copy(&mut self, to: Pointer, from: Pointer) {
        for offset in self.list_offsets() {
            let value = self.nodes.target(plus(from, offset));
            self.store(plus(to, offset), Some(value));
        }
    }

    /// Where the pointers of a list of variable arguments are.
    fn list_offsets(&self) -> impl Iterator<Item = i64> + use<> {
        let word = i64::from(self.unit.word() / 8);
        (0..3).map(move |i| i * word)
    }

    /// What the values of expressions point to, and what the members of structs among them do.
    pub(in crate::memory) fn pointers_in(&mut self, values: &[ExprId]) -> Vec<Pointer> {
        let mut pointers = Vec::new();
        for &e in values {
            if !is_aggregate(self.unit[e].ty) {
                pointers.extend(self.expr(e));
                continue;
            }
            let at = self.value(e);
            let at = self.nodes.resolve(at);
            let size = self.unit.size_of(self.unit[e].ty).map_or(i64::MAX, |size| size as i64);
            let data = self.nodes.data(at.node);
            let inside =
                |cell: i64| data.stride > 0 || (at.offset..at.offset.saturating_add(size)).contains(&cell);
            pointers.extend(data.cells.iter().filter(|c| inside(*c.0)).map(|(_, &target)| target));
            for node in self.nodes.parts_of(at.node) {
                pointers.extend(self.nodes.data(node).cells.values());
            }
        }
        pointers
    }

    /// Decides what other units may reach; whether anything has changed.
    pub(super) fn settle_elsewhere(&mut self) -> bool {
        let mut changed = self.find_unknown_calls();
        let unknown = self.sites.iter().filter(|site| site.unknown).map(|site| site.call);
        let undefined = self.undefined_calls.iter().filter(|u| u.returns).map(|u| u.call);
        let calls: Vec<ExprId> = undefined.chain(unknown).collect();
        for &call in &calls {
            let ExprKind::Call { ref args, .. } = self.unit[call].kind else { continue };
            for at in self.handed_over(args).1 {
                changed |= self.reach(at.node);
            }
        }
        if !calls.is_empty() {
            changed |= self.reach_named();
        }
        changed |= self.spread();
        changed |= self.meet_compared();
        changed | self.meet_declared()
    }

    /// Finds the calls through pointers that may be calls of functions of other units, and what those give.
    fn find_unknown_calls(&mut self) -> bool {
        let mut changed = false;
        for i in 0..self.sites.len() {
            let (call, target) = (self.sites[i].call, self.sites[i].target);
            let data = self.nodes.data(target.node);
            if self.sites[i].unknown || !(data.is_elsewhere() || data.number) {
                continue;
            }
            self.sites[i].unknown = true;
            changed = true;
            let (value, ty) = (self.thing(Thing::Value(call)), self.unit[call].ty);
            self.reach(value.node);
            let ExprKind::Call { ref args, .. } = self.unit[call].kind else { continue };
            for &arg in args {
                if ty.is_pointer() && self.unit[arg].ty == ty && self.unit.pointee(ty) != Some(Type::Void) {
                    let passed = self.expr(arg);
                    self.store(value, passed);
                }
            }
        }
        changed
    }

    /// Other units may store into the variables that they can name.
    fn reach_named(&mut self) -> bool {
        let unit = self.unit;
        let mut changed = false;
        for object in unit.objects() {
            let data = &unit[object];
            if !data.external || data.is_automatic() || data.refused.is_some() {
                continue;
            }
            let thing = Thing::Object(object);
            if self.things.contains_key(&thing) || data.init().is_some_and(|init| self.has_addresses(init)) {
                let node = self.thing(thing).node;
                changed |= self.reach(node);
            }
        }
        changed
    }

    fn has_addresses(&self, init: &Init) -> bool {
        init.entries.iter().any(|entry| {
            let ty = self.unit[entry.value].ty;
            is_aggregate(ty) || (self.holds_address(ty) && constant(self.unit, entry.value).is_none())
        })
    }

    pub(super) fn reach(&mut self, node: NodeId) -> bool {
        !std::mem::replace(&mut self.nodes.data(node).reached, true)
    }

    /// What may have been stored by other units may point to what only those know.
    fn spread(&mut self) -> bool {
        let mut work = Vec::new();
        for index in 0..self.nodes.len() {
            if let Some(node) = self.nodes.root_at(index) {
                let data = self.nodes.data(node);
                if data.reached || data.is_elsewhere() {
                    work.push(node);
                }
            }
        }
        let mut changed = false;
        while let Some(node) = work.pop() {
            let targets: Vec<Pointer> = self.nodes.data(node).cells.values().copied().collect();
            for target in targets {
                let target = self.nodes.resolve(target).node;
                let data = self.nodes.data(target);
                if !std::mem::replace(&mut data.foreign, true) {
                    changed = true;
                    work.push(target);
                }
            }
        }
        changed
    }

    /// A pointer from outside that is compared with another may be equal to it.
    fn meet_compared(&mut self) -> bool {
        let mut changed = false;
        for i in 0..self.compared.len() {
            let Compared { left, right, step } = self.compared[i];
            if !self.is_outside(left) && !self.is_outside(right) {
                continue;
            }
            let (left, right) = match step {
                Some(step) => (self.moved(left, step), self.moved(right, step)),
                None => (left, right),
            };
            changed |= self.meet(left, right);
        }
        changed
    }

    /// Whether a pointer may come from outside of the program.
    fn is_outside(&mut self, at: Pointer) -> bool {
        let data = self.nodes.data(at.node);
        data.is_elsewhere() || data.number || (data.guessed && data.objects.is_empty())
    }

    /// Two pointers may be equal; whether that is news.
    pub(super) fn meet(&mut self, a: Pointer, b: Pointer) -> bool {
        let differ = self.nodes.resolve(a) != self.nodes.resolve(b);
        if differ {
            self.nodes.unify(a, b);
        }
        differ
    }

    /// Pointers that are defined elsewhere may point to each other's objects, and to those of this unit that others can
    /// name, if the types agree.
    fn meet_declared(&mut self) -> bool {
        let unit = self.unit;
        let is_named =
            |o: &ObjectId| unit[*o].external && !unit[*o].is_automatic() && unit[*o].refused.is_none();
        let met = |o: &ObjectId| self.things.contains_key(&Thing::Object(*o));
        let named: Vec<ObjectId> = unit.objects().filter(is_named).filter(met).collect();
        let mut pointers: FxHashMap<Type, Pointer> = FxHashMap::default();
        let mut changed = false;
        for &object in named.iter().filter(|&&o| unit[o].storage == Storage::Elsewhere) {
            for (at, ty) in self.elements(object) {
                let Some(to) = unit.pointee(ty).map(unsigned) else { continue };
                let at = self.nodes.locate(at);
                let Some(&target) = self.nodes.data(at.node).cells.get(&at.offset) else { continue };
                // What is not looked at need not be told apart from anything.
                let data = self.nodes.data(target.node);
                if data.accesses.is_empty() && data.tested.is_empty() {
                    continue;
                }
                let known = *pointers.entry(to).or_insert(target);
                changed |= self.meet(known, target);
            }
        }
        if pointers.is_empty() {
            return changed;
        }
        for object in named {
            let start = self.thing(Thing::Object(object));
            for (at, ty) in self.parts(start, unit[object].ty) {
                let whole = at == start;
                for to in [Some(unsigned(ty)), whole.then_some(Type::Void)].into_iter().flatten() {
                    if let Some(&target) = pointers.get(&to) {
                        self.addressed.insert(object);
                        changed |= self.meet(target, at);
                    }
                }
            }
        }
        changed
    }

    /// All objects within an object, itself included, with their types.
    pub(super) fn parts(&self, at: Pointer, ty: Type) -> Vec<(Pointer, Type)> {
        let unit = self.unit;
        let (mut work, mut parts) = (Vec::new(), Vec::new());
        self.within(at, ty, &mut work);
        while let Some((at, ty)) = work.pop() {
            parts.push((at, ty));
            if let Type::Record(record) = ty {
                let fields = unit[record].fields.iter().filter(|field| field.bits.is_none());
                for field in fields {
                    self.within(plus(at, field.offset as i64), field.ty, &mut work);
                }
            }
        }
        parts
    }

    /// A variable and, if it is an array, its elements.
    fn elements(&mut self, object: ObjectId) -> Vec<(Pointer, Type)> {
        let mut elements = Vec::new();
        let at = self.thing(Thing::Object(object));
        self.within(at, self.unit[object].ty, &mut elements);
        elements
    }

    fn within(&self, at: Pointer, ty: Type, out: &mut Vec<(Pointer, Type)>) {
        out.push((at, ty));
        if let Type::Array(array) = ty {
            let (element, length) = (self.unit[array].element, self.unit[array].length);
            let size = self.unit.size_of(element).unwrap_or(1) as i64;
            for i in 0..length.unwrap_or(1).min(ELEMENTS) as i64 {
                self.within(plus(at, i * size), element, out);
            }
        }
    }
}

/// The type of what a pointer of another signedness may point to as well.
pub(super) fn unsigned(ty: Type) -> Type {
    match ty {
        Type::Int(int) => Type::Int(tamis_program::IntType { signed: false, ..int }),
        _ => ty,
    }
}
