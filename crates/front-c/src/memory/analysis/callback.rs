//! Functions that are handed to an undefined function, which may call them.
//!
//! Handed over is what an argument is, a struct's members included, or what such a function returns; not what could only
//! be found in memory. What a callback does is not translated, so where its parameters point matters only for what it
//! stores. A scalar that it stores through one of them needs nothing: it is in memory of other units, or in memory that
//! the undefined function can reach and that is made arbitrary anyway. But it may store an address there, or keep its
//! parameter in a variable of this unit; then both sides have to know the same memory, which is found by its type.

use super::super::nodes::Pointer;
use super::elsewhere::unsigned;
use super::{Analysis, Thing, is_aggregate};
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, Type};
use rustc_hash::FxHashSet;

/// A pointer: what it points to, and its type.
type Typed = (Pointer, Type);

impl Analysis<'_> {
    /// Whether one of some functions may do what code of other translation units can.
    pub(in crate::memory) fn may_be_undefined(&self, functions: &[FunctionId]) -> bool {
        functions.iter().any(|function| self.undefined.contains(function))
    }

    /// The functions that a call of an undefined function hands over, and all pointers that it gets hold of.
    pub(in crate::memory) fn handed_over(&mut self, args: &[ExprId]) -> (Vec<FunctionId>, Vec<Pointer>) {
        let mut pointers = self.pointers_in(args);
        let mut functions = Vec::new();
        let mut next = 0;
        while let Some(&at) = pointers.get(next) {
            next += 1;
            for function in self.nodes.data(at.node).functions.clone() {
                if !functions.contains(&function) {
                    functions.push(function);
                    let result = self.thing(Thing::Result(function));
                    pointers.extend(self.nodes.data(result.node).cells.values());
                }
            }
        }
        functions.sort_unstable();
        (functions, pointers)
    }

    /// Lets undefined functions call what they are handed; whether anything has changed.
    pub(super) fn bind_callbacks(&mut self) -> bool {
        let unknown = self.sites.iter().filter(|site| site.unknown).map(|site| site.call);
        let calls: Vec<ExprId> = self.undefined_calls.iter().map(|u| u.call).chain(unknown).collect();
        let mut changed = false;
        for call in calls {
            let ExprKind::Call { ref args, .. } = self.unit[call].kind else { continue };
            let (functions, _) = self.handed_over(args);
            if !functions.is_empty() {
                changed |= self.bind_handed(args, &functions) | self.return_handed(call, &functions);
            }
        }
        changed
    }

    /// Callbacks may run, and get pointers to what the undefined function knows and to what the arguments of its call, or
    /// other callbacks, lead it to.
    fn bind_handed(&mut self, args: &[ExprId], functions: &[FunctionId]) -> bool {
        let unit = self.unit;
        let mut changed = false;
        let mut known = Vec::new();
        for &arg in args {
            if is_aggregate(unit[arg].ty) {
                let at = self.value(arg);
                known.extend(self.pointers_at(at, unit[arg].ty));
            } else if let Some(at) = self.expr(arg) {
                known.push((at, unit[arg].ty));
            }
        }
        for &function in functions {
            let result = self.thing(Thing::Result(function));
            known.extend(self.pointers_at(result, unit[function].result));
        }
        let known = self.found_from(known);
        for &function in functions.iter().filter(|&&f| unit[f].body.is_some()) {
            if self.reached.insert(function) {
                self.work.push(function);
                changed = true;
            }
            if unit[function].variadic {
                let at = self.variadic();
                changed |= self.reach(at.node);
            }
            for &param in &unit[function].params {
                let at = self.thing(Thing::Object(param));
                changed |= self.reach(at.node);
                changed |= self.meet_known(at, unit[param].ty, &known);
            }
        }
        changed
    }

    /// An undefined function may return what a callback of the same type has returned to it.
    fn return_handed(&mut self, call: ExprId, functions: &[FunctionId]) -> bool {
        let unit = self.unit;
        let ExprKind::Call { callee, .. } = unit[call].kind else { return false };
        let value = match callee {
            Callee::Function(function) => self.thing(Thing::Result(function)),
            Callee::Pointer(..) => self.thing(Thing::Value(call)),
        };
        let mut changed = false;
        for &function in functions {
            let ty = unit[function].result;
            if ty.is_pointer() && ty == unit[call].ty && unit.pointee(ty) != Some(Type::Void) {
                let result = self.thing(Thing::Result(function));
                let (from, to) = (self.nodes.target(result), self.nodes.target(value));
                changed |= self.meet(from, to);
            }
        }
        changed
    }

    /// A parameter of a callback may be any pointer of its type that the caller knows. One to `void` is a `void *` of the
    /// caller, the context that such functions take along; if the caller has none, it may be any. A context may be passed
    /// as a number, too.
    fn meet_known(&mut self, param: Pointer, ty: Type, known: &[Typed]) -> bool {
        let unit = self.unit;
        if !self.holds_address(ty) {
            return false;
        }
        let known: Vec<(Pointer, Type)> = known
            .iter()
            .filter(|&&(at, ty)| ty.is_pointer() || !self.nodes.data(at.node).objects.is_empty())
            .map(|&(at, ty)| (at, unit.pointee(ty).map_or(Type::Void, unsigned)))
            .filter(|(_, to)| !matches!(to, Type::Function(_)))
            .collect();
        let to = unit.pointee(ty).map_or(Type::Void, unsigned);
        let any = ty.is_pointer() && to == Type::Void && known.iter().all(|known| known.1 != Type::Void);
        let mut changed = false;
        for (at, from) in known.into_iter().filter(|known| any || known.1 == to || known.1 == Type::Void) {
            // It may be another element of the same array.
            let at = match unit.size_of(from) {
                Some(size) if from != Type::Void => self.moved(at, size as i64),
                _ => at,
            };
            let target = self.nodes.target(param);
            changed |= self.meet(target, at);
        }
        changed
    }

    /// Pointers, and all that are found in what they point to, along the types.
    fn found_from(&mut self, mut work: Vec<Typed>) -> Vec<Typed> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        while let Some((at, ty)) = work.pop() {
            let at = self.nodes.resolve(at);
            if seen.insert((at, ty)) {
                found.push((at, ty));
                if let Some(to) = self.unit.pointee(ty) {
                    work.extend(self.pointers_at(at, to));
                }
            }
        }
        found
    }

    /// The pointers that are stored in an object.
    fn pointers_at(&mut self, at: Pointer, ty: Type) -> Vec<Typed> {
        let parts = self.parts(at, ty).into_iter().filter(|(_, ty)| ty.is_pointer());
        let mut pointers = Vec::new();
        for (at, ty) in parts.collect::<Vec<_>>() {
            let at = self.nodes.locate(at);
            let target = self.nodes.data(at.node).cells.get(&at.offset).copied();
            pointers.extend(target.map(|target| (target, ty)));
        }
        pointers
    }
}
