//! The walk over a function whose variables hold constants.

use super::constants::{Known, arith, number};
use super::gather::Gather;
use crate::tree::renumber::Renumber;
use crate::tree::{
    AssignOp, CaseId, Expr, ExprId, ExprKind, FunctionId, LabelId, ObjectId, Place, PlaceId, PlaceKind,
    ScopeId, SignatureId, Stmt, StmtId, StmtKind, Storage, StringId, Type, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A loop of more rounds is left as it is.
const ROUNDS: usize = 128;

/// The walk, in the order of execution.
pub(super) struct Rounds<'a> {
    unit: &'a mut Unit,
    /// The variables that may change without being named.
    addressed: FxHashSet<ObjectId>,
    /// The program has no more expressions than this.
    most: usize,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(unit: &'a mut Unit, addressed: FxHashSet<ObjectId>, most: usize) -> Rounds<'a> {
        Rounds { unit, addressed, most }
    }

    /// Whether a variable changes only where it is named.
    fn is_followed(&self, object: ObjectId) -> bool {
        let data = &self.unit[object];
        let is_number = matches!(data.ty, Type::Int(_)) && number(data.ty).is_some();
        data.is_automatic() && is_number && !self.addressed.contains(&object)
    }

    pub(super) fn stmt(&mut self, s: StmtId, known: &mut Known) {
        match self.unit[s].kind.clone() {
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Expr(e) => self.expr(e, known),
            StmtKind::Block(body) => body.into_iter().for_each(|s| self.stmt(s, known)),
            StmtKind::Declare(objects) => objects.into_iter().for_each(|o| self.declare(o, known)),
            StmtKind::If { cond, then, otherwise } => {
                self.expr(cond, known);
                let mut no = known.clone();
                self.stmt(then, known);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise, &mut no);
                }
                *known = std::mem::take(known).meet(no);
            }
            StmtKind::While { cond, body } => self.repeat(s, None, Some(cond), None, body, known),
            StmtKind::For { init, cond, step, body } => {
                if let Some(init) = init {
                    self.stmt(init, known);
                }
                self.repeat(s, init, cond, step, body, known);
            }
            StmtKind::DoWhile { body, cond } => self.any_rounds(Some(cond), None, body, known),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value, known);
                }
                known.dead = true;
            }
            // No function with these is walked.
            StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default { .. }
            | StmtKind::Label { .. }
            | StmtKind::Goto { .. }
            | StmtKind::IndirectGoto { .. }
            | StmtKind::Asm { .. }
            | StmtKind::Unsupported(_) => known.forget_all(),
        }
    }

    fn declare(&mut self, object: ObjectId, known: &mut Known) {
        known.forget([object]);
        if let Some(size) = self.unit[object].dynamic_size {
            self.expr(size, known);
        }
        let Storage::Automatic(Some(init)) = self.unit[object].storage.clone() else { return };
        for entry in &init.entries {
            self.expr(entry.value, known);
        }
        if let [only] = init.entries[..]
            && self.is_followed(object)
            && let Some(value) = known.value(self.unit, only.value)
        {
            known.set(self.unit, object, value);
        }
    }

    /// An expression is evaluated: variables in it become the constants that they hold, and some may change.
    fn expr(&mut self, e: ExprId, known: &mut Known) {
        let gathered = Gather::of_exprs(self.unit, [e]);
        let changed: FxHashSet<ObjectId> = gathered.changed().collect();
        let (loads, blocks) = (gathered.loads, gathered.blocks);
        let assigned = self.assigned_value(e, known);
        for (load, object) in loads {
            if !changed.contains(&object)
                && let Some(value) = known.get(object)
            {
                self.unit.exprs[load.index()].kind = ExprKind::Const(value);
            }
        }
        known.forget(changed);
        // Statements in it are executed then or not: what holds throughout holds at their start.
        for block in blocks {
            if let ExprKind::Block { body, .. } = self.unit[block].kind.clone() {
                let mut inside = known.clone();
                body.into_iter().for_each(|s| self.stmt(s, &mut inside));
            }
        }
        if let Some((object, value)) = assigned.filter(|&(object, _)| self.is_followed(object)) {
            known.set(self.unit, object, value);
        }
    }

    /// The variable that an expression assigns at last, and its value.
    fn assigned_value(&self, e: ExprId, known: &Known) -> Option<(ObjectId, i128)> {
        let unit = &*self.unit;
        let of = |place: PlaceId| match unit[place].kind {
            PlaceKind::Object(object) => Some(object),
            _ => None,
        };
        match unit[e].kind {
            ExprKind::Convert(a) if unit[e].ty == Type::Void => self.assigned_value(a, known),
            ExprKind::Assign { place, op: None, value } => Some((of(place)?, known.value(unit, value)?)),
            ExprKind::Assign { place, op: Some(AssignOp::Arith(op, ty)), value } => {
                let (object, int) = (of(place)?, number(ty)?);
                // The old value is converted to the type of the operation first, which nothing but a cut could change.
                let old =
                    number(unit[object].ty).filter(|own| own.bits <= int.bits).and(known.get(object))?;
                let old = arith(crate::tree::ArithOp::Add, int, old, 0)?;
                Some((object, arith(op, int, old, known.value(unit, value)?)?))
            }
            ExprKind::Step { place, up, by, .. } => {
                let (object, by) = (of(place)?, i128::from(by));
                Some((object, known.get(object)? + if up { by } else { -by }))
            }
            _ => None,
        }
    }

    /// A loop is written out if it can be.
    fn repeat(
        &mut self,
        s: StmtId,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        known: &mut Known,
    ) {
        let mut now = known.clone();
        match self.written_out(cond, step, body, &mut now) {
            Some(rounds) => {
                let all = init.into_iter().chain(rounds).collect();
                self.unit.stmts[s.index()].kind = StmtKind::Block(all);
                *known = now;
            }
            None => self.any_rounds(cond, step, body, known),
        }
    }

    /// A loop that stays: what changes in it is not known.
    fn any_rounds(&mut self, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId, known: &mut Known) {
        let parts = Gather::of_exprs(self.unit, cond.into_iter().chain(step));
        let gathered = Gather::of_stmt(self.unit, body);
        let changed: Vec<ObjectId> = parts.changed().chain(gathered.changed()).collect();
        known.forget(changed);
        known.dead = false;
        let mut inside = known.clone();
        if let Some(cond) = cond {
            self.expr(cond, &mut inside);
        }
        self.stmt(body, &mut inside);
        if let Some(step) = step {
            self.expr(step, &mut inside);
        }
    }

    /// The rounds of a loop one by one, if their number is known.
    fn written_out(
        &mut self,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        now: &mut Known,
    ) -> Option<Vec<StmtId>> {
        let cond = cond?;
        let asked = Gather::of_exprs(self.unit, [cond]);
        let parts = Gather::of_exprs(self.unit, step);
        let gathered = Gather::of_stmt(self.unit, body);
        let is_plain = asked.changed().next().is_none() && asked.calls.is_empty();
        if !is_plain || !asked.blocks.is_empty() || !parts.blocks.is_empty() || gathered.breaks {
            return None;
        }
        let declared = gathered.declared;
        let mut rounds = Vec::new();
        while now.value(self.unit, cond)? != 0 {
            if rounds.len() >= 2 * ROUNDS || self.unit.exprs.len() > self.most {
                return None;
            }
            let mut copy = Again::new(self.unit, &declared);
            let round = copy.stmt(body);
            let next = step.map(|step| copy.expr(step));
            self.addressed.extend(Gather::of_stmt(self.unit, round).addressed);
            self.stmt(round, now);
            rounds.push(round);
            if let Some(next) = next {
                self.expr(next, now);
                let at = self.unit[next].at;
                self.unit.stmts.push(Stmt { kind: StmtKind::Expr(next), at });
                rounds.push(StmtId(self.unit.stmts.len() as u32 - 1));
            }
            if now.dead {
                break;
            }
        }
        Some(rounds)
    }
}

/// Copies a piece of a function, with the variables that it declares.
struct Again<'a> {
    unit: &'a mut Unit,
    declared: &'a FxHashSet<ObjectId>,
    objects: FxHashMap<ObjectId, ObjectId>,
}

impl<'a> Again<'a> {
    fn new(unit: &'a mut Unit, declared: &'a FxHashSet<ObjectId>) -> Again<'a> {
        Again { unit, declared, objects: FxHashMap::default() }
    }
}

impl Renumber for Again<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        let Expr { kind, ty, at } = self.unit[id].clone();
        let kind = self.expr_kind(&kind);
        self.unit.exprs.push(Expr { kind, ty, at });
        ExprId(self.unit.exprs.len() as u32 - 1)
    }

    fn place(&mut self, id: PlaceId) -> PlaceId {
        let Place { kind, ty, at } = self.unit[id].clone();
        let kind = self.place_kind(kind);
        self.unit.places.push(Place { kind, ty, at });
        PlaceId(self.unit.places.len() as u32 - 1)
    }

    fn stmt(&mut self, id: StmtId) -> StmtId {
        let Stmt { kind, at } = self.unit[id].clone();
        let kind = self.stmt_kind(&kind);
        self.unit.stmts.push(Stmt { kind, at });
        StmtId(self.unit.stmts.len() as u32 - 1)
    }

    fn object(&mut self, id: ObjectId) -> ObjectId {
        if !self.declared.contains(&id) || !self.unit[id].is_automatic() {
            return id;
        }
        if let Some(&own) = self.objects.get(&id) {
            return own;
        }
        let own = ObjectId(self.unit.objects.len() as u32);
        self.objects.insert(id, own);
        let object = self.unit[id].clone();
        self.unit.objects.push(object.clone());
        let storage = self.storage(&object.storage);
        let dynamic_size = object.dynamic_size.map(|e| self.expr(e));
        let copy = &mut self.unit.objects[own.index()];
        (copy.storage, copy.dynamic_size) = (storage, dynamic_size);
        own
    }

    fn function(&mut self, id: FunctionId) -> FunctionId {
        id
    }

    fn string(&mut self, id: StringId) -> StringId {
        id
    }

    /// There are no labels where this is used.
    fn label(&mut self, id: LabelId) -> LabelId {
        id
    }

    fn case(&mut self, id: CaseId) -> CaseId {
        id
    }

    fn scope(&mut self, id: Option<ScopeId>) -> Option<ScopeId> {
        id
    }

    fn ty(&mut self, ty: Type) -> Type {
        ty
    }

    fn signature(&mut self, id: SignatureId) -> SignatureId {
        id
    }
}
