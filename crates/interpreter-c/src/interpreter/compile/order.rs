//! Operands that C evaluates in any order, for a run that must be the only one.
//!
//! Which operands can be in conflict at all is seen here: one has to change something, and another one has to look at
//! memory. Around these the machine notes what they access. An expression's own access is not ordered with what its
//! operands change outside of calls (`i = i++`), unless the two cannot meet.

use super::super::instr::{Instr, Reg};
use super::Compiler;
use super::place::Where;
use tamis_front_c::tree::{
    Callee, ExprId, ExprKind, InitEntry, ObjectId, PlaceId, PlaceKind, StmtId, StmtKind, Type,
};

/// What evaluating something does.
pub(super) type Facts = u8;
/// It reads or writes memory.
const TOUCHES: Facts = 1;
/// It may change something, or end the run.
const ACTS: Facts = 2;
/// A jump may leave it, or enter it.
const LEAVES: Facts = 4;

/// Operands that are being compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands {
    forked: bool,
    guarded: bool,
}

/// What a place is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Object(ObjectId),
    Pointer,
}

impl Compiler<'_> {
    /// Operands follow.
    pub(super) fn fork(&mut self, operands: &[Facts]) -> Operands {
        self.fork_guarded(operands, false)
    }

    fn fork_guarded(&mut self, operands: &[Facts], guarded: bool) -> Operands {
        let touching = operands.iter().filter(|&&f| f & TOUCHES != 0).count();
        let all = operands.iter().fold(0, |all, f| all | f);
        let forked = self.determined && (guarded || (touching >= 2 && all & ACTS != 0));
        if forked {
            if all & LEAVES != 0 {
                self.open("a jump out of an operand");
            }
            self.emit(Instr::Fork);
            self.forks += 1;
        }
        Operands { forked, guarded }
    }

    /// One of the operands is evaluated.
    pub(super) fn side(&mut self, operands: Operands) {
        if operands.forked {
            self.emit(Instr::Side);
        }
    }

    /// All of them are.
    pub(super) fn join(&mut self, operands: Operands) {
        if operands.forked {
            self.emit(Instr::Join);
            self.forks -= 1;
        }
    }

    pub(super) fn is_forked(&self, operands: Operands) -> bool {
        operands.forked
    }

    /// The operands of an assignment to a place, or of an access to it, are the place's and perhaps a value.
    pub(super) fn fork_access(&mut self, p: PlaceId, value: Option<ExprId>, reads: bool) -> Operands {
        if !self.determined {
            return Operands { forked: false, guarded: false };
        }
        let mut pending = Vec::new();
        self.pending_in_place(p, &mut pending);
        if let Some(value) = value {
            self.pending(value, &mut pending);
        }
        let guarded = self.guard(p, &pending);
        let mut operands = vec![self.place_facts(p)];
        if let Some(value) = value {
            let facts = self.facts(value);
            operands.push(facts);
            if reads && facts & ACTS != 0 {
                operands.push(TOUCHES);
            }
        }
        self.fork_guarded(&operands, guarded)
    }

    /// Whether an access to a place may meet what is pending, which has to be seen in the run.
    fn guard(&mut self, p: PlaceId, pending: &[PlaceId]) -> bool {
        let mut guarded = false;
        for &changed in pending {
            let whole = |p: PlaceId| matches!(self.unit[p].kind, PlaceKind::Object(_));
            let surely = whole(p) && whole(changed);
            let (own, other) = (self.root(p), self.root(changed));
            let hidden = |o: ObjectId| !self.exposed[o.index()];
            guarded |= match (own, other) {
                (Root::Object(a), Root::Object(b)) if a == b && surely => {
                    self.open("the order of evaluation");
                    return false;
                }
                (Root::Object(a), Root::Object(b)) => a == b,
                (Root::Object(o), Root::Pointer) | (Root::Pointer, Root::Object(o)) => !hidden(o),
                (Root::Pointer, Root::Pointer) => true,
            };
        }
        guarded
    }

    /// The expression's own access, at a place that was evaluated; registers from `d` on are free.
    pub(super) fn own_access(&mut self, operands: Operands, p: PlaceId, place: Where, d: Reg) {
        if !operands.guarded {
            return;
        }
        let size = self.unit.size_of(self.unit[p].ty).unwrap_or(1) as u32;
        self.address_of(place.loc, d);
        self.emit(Instr::Own { p: d, size });
    }

    /// An object gets a first value, which must not change it on the way.
    pub(super) fn check_first_value(&mut self, object: ObjectId, value: ExprId) {
        if !self.determined {
            return;
        }
        let mut pending = Vec::new();
        self.pending(value, &mut pending);
        if pending.iter().any(|&p| self.root(p) == Root::Object(object)) {
            self.open("the order of evaluation");
        }
    }

    /// The values of an initialiser are evaluated in any order; whether one that another one replaces is, is open.
    pub(super) fn fork_entries(&mut self, entries: &[InitEntry]) -> Operands {
        if !self.determined || entries.len() < 2 {
            return Operands { forked: false, guarded: false };
        }
        let facts: Vec<Facts> = entries.iter().map(|entry| self.facts(entry.value)).collect();
        if facts.iter().any(|f| f & ACTS != 0) {
            let unit = self.unit;
            let range = |e: &InitEntry| (e.offset, e.offset + unit.size_of(unit[e.value].ty).unwrap_or(1));
            let replaced = entries.iter().enumerate().any(|(i, a)| {
                entries[i + 1..].iter().any(|b| {
                    let ((from, to), (start, end)) = (range(a), range(b));
                    a.bits.is_none() && b.bits.is_none() && from < end && start < to
                })
            });
            if replaced {
                self.open("an initial value that another one replaces");
            }
        }
        self.fork(&facts)
    }

    /// Operands and lengths that the program does not name are evaluated in any order.
    pub(super) fn check_temporaries(&mut self, objects: &[ObjectId]) {
        let unit = self.unit;
        for group in objects.chunk_by(|&a, &b| unit[a].is_temporary() && unit[b].is_temporary()) {
            let values = group.iter().filter_map(|&o| unit[o].init()).flat_map(|init| &init.entries);
            let facts: Vec<Facts> = values.map(|entry| self.facts(entry.value)).collect();
            let touching = facts.iter().filter(|&&f| f & TOUCHES != 0).count();
            if group.len() > 1 && touching > 1 && facts.iter().any(|f| f & ACTS != 0) {
                self.open("the order of evaluation");
            }
        }
    }

    /// What evaluating an expression does.
    pub(super) fn facts(&mut self, e: ExprId) -> Facts {
        if let Some(&known) = self.facts.get(&e) {
            return known;
        }
        let unit = self.unit;
        let facts = match &unit[e].kind {
            ExprKind::Const(_)
            | ExprKind::Float(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::Bound => 0,
            ExprKind::Load(p) => self.place_facts(*p) | TOUCHES,
            ExprKind::AddressOf(p) => self.place_facts(*p),
            ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::Not(a)
            | ExprKind::Convert(a)
            | ExprKind::Magnitude(a)
            | ExprKind::SwapBytes(a)
            | ExprKind::BitCount(_, a) => self.facts(*a),
            ExprKind::Arith(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::PointerAdd { pointer: a, index: b, .. }
            | ExprKind::PointerDiff { left: a, right: b, .. } => self.facts(*a) | self.facts(*b),
            ExprKind::Cond { cond: a, then: b, otherwise: c }
            | ExprKind::Elvis { value: a, then: b, otherwise: c } => {
                self.facts(*a) | self.facts(*b) | self.facts(*c)
            }
            ExprKind::Assign { place, value, .. } => {
                self.place_facts(*place) | self.facts(*value) | ACTS | TOUCHES
            }
            ExprKind::Step { place, .. } => self.place_facts(*place) | ACTS | TOUCHES,
            ExprKind::Call { callee, args } => {
                let pointer = if let Callee::Pointer(p, _) = callee { self.facts(*p) } else { 0 };
                args.iter().fold(pointer | ACTS | TOUCHES, |all, &arg| all | self.facts(arg))
            }
            ExprKind::Overflow { operands: [a, b], result, stores, .. } => {
                let stored = if *stores { ACTS | TOUCHES } else { 0 };
                self.facts(*a) | self.facts(*b) | self.facts(*result) | stored
            }
            ExprKind::VaStart(a) | ExprKind::VaArg(a) | ExprKind::VaEnd(a) | ExprKind::Alloca(a) => {
                self.facts(*a) | ACTS | TOUCHES
            }
            ExprKind::VaCopy(a, b) => self.facts(*a) | self.facts(*b) | ACTS | TOUCHES,
            ExprKind::Block { body, value } => {
                let last = value.map_or(0, |value| self.facts(value));
                body.iter().fold(last | ACTS | TOUCHES, |all, &s| all | self.leaves(s, false, false))
            }
            ExprKind::Trap | ExprKind::Unreachable | ExprKind::Unsupported(_) => ACTS | TOUCHES,
        };
        self.facts.insert(e, facts);
        facts
    }

    /// What finding a place does.
    pub(super) fn place_facts(&mut self, p: PlaceId) -> Facts {
        match self.unit[p].kind {
            // Its values are set where it stands.
            PlaceKind::Compound(_) => ACTS | TOUCHES,
            PlaceKind::Object(_) | PlaceKind::String(_) => 0,
            PlaceKind::Deref(e) | PlaceKind::Value(e) => self.facts(e),
            PlaceKind::Member { base, .. } => self.place_facts(base),
            PlaceKind::Index { base, index } => self.place_facts(base) | self.facts(index),
        }
    }

    /// Whether a jump may leave or enter a statement; `breaks` and `continues` tell whether these stay inside.
    fn leaves(&mut self, s: StmtId, breaks: bool, continues: bool) -> Facts {
        let unit = self.unit;
        match &unit[s].kind {
            StmtKind::Empty | StmtKind::Asm { .. } | StmtKind::Unsupported(_) => 0,
            StmtKind::Expr(e) => self.facts(*e) & LEAVES,
            StmtKind::Block(stmts) => stmts.iter().fold(0, |all, &s| all | self.leaves(s, breaks, continues)),
            StmtKind::Declare(objects) => {
                let inits = objects.iter().filter_map(|&o| unit[o].init());
                inits.flat_map(|init| &init.entries).fold(0, |all, entry| all | self.facts(entry.value))
                    & LEAVES
            }
            StmtKind::If { cond, then, otherwise } => {
                let otherwise = otherwise.map_or(0, |s| self.leaves(s, breaks, continues));
                self.facts(*cond) & LEAVES | self.leaves(*then, breaks, continues) | otherwise
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.facts(*cond) & LEAVES | self.leaves(*body, true, true)
            }
            StmtKind::For { init, cond, step, body } => {
                let init = init.map_or(0, |s| self.leaves(s, breaks, continues));
                let exprs = [*cond, *step].into_iter().flatten().fold(0, |all, e| all | self.facts(e));
                init | exprs & LEAVES | self.leaves(*body, true, true)
            }
            StmtKind::Switch { cond, body, .. } => {
                self.facts(*cond) & LEAVES | self.leaves(*body, true, continues)
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } => self.leaves(*body, breaks, continues),
            StmtKind::Break => {
                if breaks {
                    0
                } else {
                    LEAVES
                }
            }
            StmtKind::Continue => {
                if continues {
                    0
                } else {
                    LEAVES
                }
            }
            StmtKind::Label { .. }
            | StmtKind::Goto { .. }
            | StmtKind::IndirectGoto { .. }
            | StmtKind::Return(_) => LEAVES,
        }
    }

    /// What an expression changes without an order between that and its value.
    fn pending(&self, e: ExprId, out: &mut Vec<PlaceId>) {
        let unit = self.unit;
        match &unit[e].kind {
            ExprKind::Assign { place, value, .. } => {
                out.push(*place);
                self.pending_in_place(*place, out);
                self.pending(*value, out);
            }
            ExprKind::Step { place, .. } => {
                out.push(*place);
                self.pending_in_place(*place, out);
            }
            ExprKind::Load(p) | ExprKind::AddressOf(p) => self.pending_in_place(*p, out),
            ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::Not(a)
            | ExprKind::Convert(a)
            | ExprKind::Magnitude(a)
            | ExprKind::SwapBytes(a)
            | ExprKind::BitCount(_, a) => self.pending(*a, out),
            ExprKind::Arith(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::PointerAdd { pointer: a, index: b, .. }
            | ExprKind::PointerDiff { left: a, right: b, .. } => {
                self.pending(*a, out);
                self.pending(*b, out);
            }
            // The first one is complete before the second begins.
            ExprKind::LogAnd(_, b) | ExprKind::LogOr(_, b) | ExprKind::Comma(_, b) => self.pending(*b, out),
            ExprKind::Cond { then, otherwise, .. } | ExprKind::Elvis { then, otherwise, .. } => {
                self.pending(*then, out);
                self.pending(*otherwise, out);
            }
            _ => {}
        }
    }

    fn pending_in_place(&self, p: PlaceId, out: &mut Vec<PlaceId>) {
        match self.unit[p].kind {
            PlaceKind::Object(_) | PlaceKind::String(_) => {}
            PlaceKind::Compound(object) => {
                let entries = self.unit[object].init().map(|init| &init.entries[..]);
                entries.unwrap_or_default().iter().for_each(|entry| self.pending(entry.value, out));
            }
            PlaceKind::Deref(e) | PlaceKind::Value(e) => self.pending(e, out),
            PlaceKind::Member { base, .. } => self.pending_in_place(base, out),
            PlaceKind::Index { base, index } => {
                self.pending_in_place(base, out);
                self.pending(index, out);
            }
        }
    }

    /// The variable that a place is a part of, if it is found by its name alone.
    fn root(&self, mut p: PlaceId) -> Root {
        loop {
            match self.unit[p].kind {
                PlaceKind::Object(object) | PlaceKind::Compound(object) => return Root::Object(object),
                PlaceKind::Member { base, .. } => p = base,
                // An index may lead out of an array, which ends the run.
                PlaceKind::Index { base, .. } if matches!(self.unit[base].ty, Type::Array(_)) => p = base,
                _ => return Root::Pointer,
            }
        }
    }
}
