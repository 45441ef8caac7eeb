//! What evaluating an expression does besides giving a value.
//!
//! C leaves the order of evaluation of most operands open: see [`super::order`] for what is done where it matters.

use crate::memory::{RegionId, Touches, is_plain, library};
use crate::tree::{
    ArithOp, AssignOp, Callee, ExprId, ExprKind, FunctionId, ObjectId, PlaceId, PlaceKind, StmtId, StmtKind,
    Storage, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

use super::facts::{is_total, operands, place_operands};
use super::library::{ERRNO, Known, known};

/// What an expression or a function may read, write, and do to the rest of the execution.
#[derive(Clone, Default, Debug)]
pub(super) struct Footprint {
    pub(super) reads: FxHashSet<ObjectId>,
    pub(super) writes: FxHashSet<ObjectId>,
    /// Those writes that the language does not order before the value of the expression.
    pub(super) pending: FxHashSet<ObjectId>,
    /// The regions of memory it reads.
    pub(super) loads: FxHashSet<RegionId>,
    /// The regions of memory it writes.
    pub(super) stores: FxHashSet<RegionId>,
    /// The functions it calls, whose effects are not in here, and in how many places.
    calls: FxHashMap<FunctionId, u64>,
    /// Whether the execution may end or hang in it.
    stops: bool,
    /// Whether it may end.
    ends: bool,
    /// Whether the property may be violated in it.
    pub(super) violates: bool,
    /// Whether a jump in it may leave the expression around it.
    leaves: bool,
}

impl Footprint {
    /// Whether it matters which of the two is evaluated first, given that `self` is.
    pub(super) fn conflicts(&self, later: &Footprint) -> bool {
        let meet = |a: &FxHashSet<ObjectId>, b: &FxHashSet<ObjectId>| a.iter().any(|o| b.contains(o));
        let touch = |a: &FxHashSet<RegionId>, b: &FxHashSet<RegionId>| a.iter().any(|r| b.contains(r));
        meet(&self.writes, &later.reads)
            || meet(&self.writes, &later.writes)
            || meet(&self.reads, &later.writes)
            || touch(&self.stores, &later.loads)
            || touch(&self.stores, &later.stores)
            || touch(&self.loads, &later.stores)
            // The end of the execution on the one side could come before a violation on the other.
            || (self.stops && later.violates)
            || (self.violates && later.ends)
            // What the one leaves out, another order does first.
            || (self.leaves && later.acts())
            || (later.leaves && self.acts())
    }

    /// Whether it matters that it is evaluated at all, apart from its value.
    fn acts(&self) -> bool {
        !self.writes.is_empty() || !self.stores.is_empty() || self.stops || self.violates || self.leaves
    }

    /// Adds what another does.
    pub(super) fn absorb(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.loads.extend(&other.loads);
        self.stores.extend(&other.stores);
        self.stops |= other.stops;
        self.ends |= other.ends;
        self.leaves |= other.leaves;
        self.violates |= other.violates;
    }
}

/// The footprints of functions, computed as they are asked for.
pub(super) struct Effects<'a> {
    unit: &'a Unit,
    pub(super) touches: Rc<Touches>,
    addressed: Rc<FxHashSet<ObjectId>>,
    /// What each function does by itself.
    bodies: FxHashMap<FunctionId, Rc<Footprint>>,
    /// What each function does with all it calls.
    calls: FxHashMap<FunctionId, Rc<Footprint>>,
    /// How many activations the expansion of each function has.
    expansions: FxHashMap<FunctionId, u64>,
    /// What an undefined function may write: every variable that other translation units can name.
    external: Vec<ObjectId>,
}

impl<'a> Effects<'a> {
    pub(super) fn new(
        unit: &'a Unit,
        touches: Rc<Touches>,
        addressed: Rc<FxHashSet<ObjectId>>,
    ) -> Effects<'a> {
        let reachable = |&o: &ObjectId| unit[o].external && !matches!(unit[o].storage, Storage::Automatic(_));
        Effects {
            unit,
            touches,
            addressed,
            bodies: FxHashMap::default(),
            calls: FxHashMap::default(),
            expansions: FxHashMap::default(),
            external: unit.objects().filter(reachable).collect(),
        }
    }

    /// What an expression does, with all it calls.
    pub(super) fn of(&mut self, e: ExprId) -> Footprint {
        let mut footprint = Footprint::default();
        self.expr(e, true, &mut footprint);
        self.close(&mut footprint);
        footprint
    }

    /// What finding a place does, with all it calls.
    pub(super) fn find(&mut self, place: PlaceId, out: &mut Footprint) {
        self.place(place, out);
        self.close(out);
    }

    /// Adds what the called functions do.
    fn close(&mut self, footprint: &mut Footprint) {
        for function in std::mem::take(&mut footprint.calls).into_keys() {
            let called = self.call(function);
            footprint.absorb(&called);
        }
    }

    /// The functions that a call of a function may run, itself included.
    pub(super) fn below(&mut self, function: FunctionId) -> FxHashSet<FunctionId> {
        let mut seen: FxHashSet<FunctionId> = [function].into_iter().collect();
        let mut work = vec![function];
        while let Some(next) = work.pop() {
            let body = self.body(next);
            work.extend(body.calls.keys().copied().filter(|&called| seen.insert(called)));
        }
        seen
    }

    /// How many calls each function of a cycle makes within it, on average and rounded up.
    pub(super) fn calls_in_cycle(&mut self, cycle: &FxHashSet<FunctionId>) -> u64 {
        let mut calls = 0u64;
        for &caller in cycle {
            let body = self.body(caller);
            let within = body.calls.iter().filter(|(called, _)| cycle.contains(called));
            calls += within.map(|(_, &times)| times).sum::<u64>();
        }
        calls.div_ceil(cycle.len().max(1) as u64)
    }

    /// The functions that a function calls and that call it, over others or directly, itself included.
    pub(super) fn cycle(&mut self, function: FunctionId) -> FxHashSet<FunctionId> {
        let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
        for caller in self.below(function) {
            for &called in self.body(caller).calls.keys() {
                callers.entry(called).or_default().push(caller);
            }
        }
        let mut cycle: FxHashSet<FunctionId> = [function].into_iter().collect();
        let mut work = vec![function];
        while let Some(next) = work.pop() {
            let calling = callers.get(&next).into_iter().flatten().copied();
            work.extend(calling.filter(|&caller| cycle.insert(caller)));
        }
        cycle
    }

    /// What a call of a function does with all it calls, apart from its arguments.
    pub(super) fn call(&mut self, function: FunctionId) -> Rc<Footprint> {
        if let Some(footprint) = self.calls.get(&function) {
            return footprint.clone();
        }
        let mut footprint = Footprint::default();
        for next in self.below(function) {
            let body = self.body(next);
            footprint.absorb(&body);
        }
        let footprint = Rc::new(footprint);
        self.calls.insert(function, footprint.clone());
        footprint
    }

    fn body(&mut self, function: FunctionId) -> Rc<Footprint> {
        if let Some(footprint) = self.bodies.get(&function) {
            return footprint.clone();
        }
        let mut footprint = Footprint::default();
        match (known(self.unit, function), self.unit[function].body) {
            (Some(Known::Violation), _) => footprint.violates = true,
            (Some(Known::Assert), _) => {
                (footprint.violates, footprint.stops, footprint.ends) = (true, true, true);
            }
            (Some(Known::Assume | Known::End | Known::Object), _) => {
                (footprint.stops, footprint.ends) = (true, true);
            }
            (
                Some(
                    Known::Nothing
                    | Known::Input
                    | Known::Magnitude
                    | Known::Question(_)
                    | Known::Apart
                    | Known::Entry
                    | Known::Uninterpreted,
                ),
                _,
            ) => {}
            (Some(Known::Output | Known::Pure), _) => self.sets_errno(&mut footprint),
            (None, None) if library(self.unit, function).is_some() => {
                footprint.stops = true;
                self.sets_errno(&mut footprint);
            }
            (None, Some(body)) => {
                self.stmt(body, &mut footprint);
                footprint.violates |= self.unit.target().is_behaviour();
            }
            (None, None) => {
                (footprint.stops, footprint.ends) = (true, true);
                footprint.writes.extend(&self.external);
                footprint.reads.extend(&self.external);
                let regions = self.external.iter().filter_map(|o| self.touches.objects.get(o)).flatten();
                footprint.stores.extend(regions.clone());
                footprint.loads.extend(regions);
            }
        }
        // Each activation has locals of its own: no other code can name them.
        let unit = self.unit;
        let lasting = |o: &ObjectId| !matches!(unit[*o].storage, Storage::Automatic(_));
        footprint.leaves = false;
        footprint.reads.retain(lasting);
        footprint.writes.retain(lasting);
        let footprint = Rc::new(footprint);
        self.bodies.insert(function, footprint.clone());
        footprint
    }

    fn sets_errno(&self, footprint: &mut Footprint) {
        if let Some(&errno) = self.external.iter().find(|&&o| self.unit[o].name == ERRNO) {
            footprint.writes.insert(errno);
            footprint.stores.extend(self.touches.objects.get(&errno).into_iter().flatten());
        }
    }

    /// The lasting variables that the code reachable from a function reads. What is defined elsewhere is not counted.
    pub(super) fn read_from(&mut self, function: FunctionId) -> FxHashSet<ObjectId> {
        let mut reads = FxHashSet::default();
        let mut seen: FxHashSet<FunctionId> = [function].into_iter().collect();
        let mut work = vec![function];
        while let Some(function) = work.pop() {
            if self.unit[function].body.is_some() {
                let body = self.body(function);
                reads.extend(&body.reads);
                work.extend(body.calls.keys().copied().filter(|&called| seen.insert(called)));
            }
        }
        reads
    }

    /// How many calls of defined functions there are in an expansion of a function, itself included. Calls in dead code
    /// count, those that close a cycle do not.
    pub(super) fn expansion(&mut self, function: FunctionId) -> u64 {
        if let Some(&count) = self.expansions.get(&function) {
            return count;
        }
        let count = self.expansion_below(function, &mut FxHashMap::default());
        self.expansions.insert(function, count);
        count
    }

    fn expansion_below(&mut self, function: FunctionId, known: &mut FxHashMap<FunctionId, u64>) -> u64 {
        if let Some(&count) = known.get(&function) {
            return count;
        }
        known.insert(function, 0);
        let body = self.body(function);
        let mut count = 1u64;
        for (&called, &times) in &body.calls {
            if self.unit[called].body.is_some() {
                count = count.saturating_add(times.saturating_mul(self.expansion_below(called, known)));
            }
        }
        known.insert(function, count);
        count
    }

    /// `pending`: whether writes are unordered with what surrounds the expression.
    fn expr(&mut self, e: ExprId, pending: bool, out: &mut Footprint) {
        let unit = self.unit;
        let expr = &unit[e];
        match &expr.kind {
            ExprKind::Load(place) => {
                self.place(*place, out);
                self.reads(*place, out);
            }
            ExprKind::AddressOf(place) => self.place(*place, out),
            ExprKind::Step { place, .. } => {
                self.place(*place, out);
                self.reads(*place, out);
                self.writes(*place, pending, out);
            }
            ExprKind::Assign { place, op, value } => {
                self.place(*place, out);
                if op.is_some() {
                    self.reads(*place, out);
                }
                if let Some(AssignOp::Arith(ArithOp::Div | ArithOp::Rem, _)) = op {
                    out.stops = true;
                }
                self.writes(*place, pending, out);
                self.expr(*value, pending, out);
            }
            ExprKind::LogAnd(first, second)
            | ExprKind::LogOr(first, second)
            | ExprKind::Comma(first, second) => {
                self.expr(*first, false, out);
                self.expr(*second, pending, out);
            }
            ExprKind::Cond { cond: first, then, otherwise }
            | ExprKind::Elvis { value: first, then, otherwise } => {
                self.expr(*first, false, out);
                self.expr(*then, pending, out);
                self.expr(*otherwise, pending, out);
            }
            ExprKind::Call { callee, args } => {
                for &arg in args {
                    self.expr(arg, false, out);
                }
                if let Some(regions) = self.touches.calls.get(&e) {
                    out.loads.extend(regions);
                    out.stores.extend(regions);
                }
                // These are not expanded.
                for &function in self.touches.callbacks.get(&e).into_iter().flatten() {
                    out.calls.entry(function).or_default();
                }
                match *callee {
                    Callee::Function(function) => *out.calls.entry(function).or_default() += 1,
                    Callee::Pointer(pointer, _) => {
                        self.expr(pointer, false, out);
                        (out.stops, out.ends) = (true, true);
                        for &function in self.touches.callees.get(&e).into_iter().flatten() {
                            *out.calls.entry(function).or_default() += 1;
                        }
                        // These are not expanded.
                        for &function in self.touches.mistyped.get(&e).into_iter().flatten() {
                            out.calls.entry(function).or_default();
                        }
                        if self.touches.unknown.contains(&e) {
                            out.writes.extend(&self.external);
                            out.reads.extend(&self.external);
                        }
                    }
                }
            }
            ExprKind::Block { body, value } => {
                for &stmt in body {
                    self.stmt(stmt, out);
                }
                if let Some(value) = value {
                    self.expr(*value, false, out);
                }
            }
            ExprKind::Trap => (out.stops, out.ends) = (true, true),
            ExprKind::Unreachable => (out.violates, out.stops, out.ends) = (true, true, true),
            kind => {
                if let ExprKind::Arith(op, left, right) = kind {
                    out.stops |=
                        matches!(op, ArithOp::Div | ArithOp::Rem) && !is_total(unit, *op, *left, *right);
                }
                if let ExprKind::Overflow { stores: true, .. } = kind {
                    out.stores.extend(self.touches.calls.get(&e).into_iter().flatten());
                    // Where it stores is not told apart: nothing may be moved across it.
                    (out.stops, out.leaves) = (true, true);
                }
                for operand in operands(unit, kind) {
                    self.expr(operand, pending, out);
                }
            }
        }
    }

    /// What finding a place does.
    fn place(&mut self, place: PlaceId, out: &mut Footprint) {
        let mut root = place;
        loop {
            match self.unit[root].kind {
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => root = base,
                PlaceKind::Compound(object) => {
                    let entries = self.unit[object].init().into_iter().flat_map(|init| &init.entries);
                    entries.for_each(|entry| self.expr(entry.value, true, out));
                    self.writes(root, true, out);
                    break;
                }
                _ => break,
            }
        }
        for operand in place_operands(self.unit, place) {
            self.expr(operand, true, out);
        }
    }

    pub(super) fn reads(&self, place: PlaceId, out: &mut Footprint) {
        match self.unit[place].kind {
            PlaceKind::Object(object) if is_plain(self.unit, &self.addressed, object) => {
                out.reads.insert(object);
            }
            _ => out.loads.extend(self.touches.places.get(&place).into_iter().flatten()),
        }
    }

    fn writes(&self, place: PlaceId, pending: bool, out: &mut Footprint) {
        match self.unit[place].kind {
            PlaceKind::Object(object) if is_plain(self.unit, &self.addressed, object) => {
                out.writes.insert(object);
                if pending {
                    out.pending.insert(object);
                }
            }
            _ => out.stores.extend(self.touches.places.get(&place).into_iter().flatten()),
        }
    }

    fn stmt(&mut self, s: StmtId, out: &mut Footprint) {
        let unit = self.unit;
        match &unit[s].kind {
            StmtKind::Empty | StmtKind::Unsupported(_) => {}
            StmtKind::Break | StmtKind::Continue => out.leaves = true,
            StmtKind::Expr(e) => self.expr(*e, false, out),
            StmtKind::Return(e) => {
                out.leaves = true;
                if let Some(e) = e {
                    self.expr(*e, false, out);
                }
            }
            StmtKind::Block(body) => body.iter().for_each(|&s| self.stmt(s, out)),
            StmtKind::Declare(objects) => {
                for &object in objects {
                    if let Storage::Automatic(Some(init)) = &unit[object].storage {
                        init.entries.iter().for_each(|entry| self.expr(entry.value, false, out));
                    }
                    if let Some(regions) = self.touches.objects.get(&object) {
                        out.stores.extend(regions);
                    }
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                self.expr(*cond, false, out);
                self.stmt(*then, out);
                if let Some(otherwise) = otherwise {
                    self.stmt(*otherwise, out);
                }
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                out.stops = true;
                self.expr(*cond, false, out);
                self.stmt(*body, out);
            }
            StmtKind::For { init, cond, step, body } => {
                out.stops = true;
                if let Some(init) = init {
                    self.stmt(*init, out);
                }
                for e in [cond, step].into_iter().flatten() {
                    self.expr(*e, false, out);
                }
                self.stmt(*body, out);
            }
            StmtKind::Switch { cond, body, .. } => {
                self.expr(*cond, false, out);
                self.stmt(*body, out);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } | StmtKind::Label { body, .. } => {
                self.stmt(*body, out);
            }
            StmtKind::Goto { .. } => (out.stops, out.leaves) = (true, true),
            StmtKind::IndirectGoto { address, .. } => {
                (out.stops, out.leaves) = (true, true);
                self.expr(*address, false, out);
            }
            StmtKind::Asm { outputs, inputs, .. } => {
                (out.stops, out.leaves) = (true, true);
                inputs.iter().for_each(|&e| {
                    self.expr(e, false, out);
                    out.stores.extend(self.touches.calls.get(&e).into_iter().flatten());
                });
                for &output in outputs {
                    self.place(output, out);
                    self.writes(output, false, out);
                }
            }
        }
    }
}
