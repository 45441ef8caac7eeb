//! What is in a piece of the tree.

use super::is_record_as_bytes;
use crate::memory::constant;
use crate::tree::renumber::Renumber;
use crate::tree::{
    CaseId, ExprId, ExprKind, FunctionId, LabelId, ObjectId, PlaceId, PlaceKind, ScopeId, SignatureId,
    StmtId, StmtKind, StringId, Type, Unit,
};
use rustc_hash::FxHashSet;

/// What is in a piece of the tree, found by numbering it as it is.
pub(super) struct Gather<'a> {
    unit: &'a Unit,
    exprs: FxHashSet<ExprId>,
    places: FxHashSet<PlaceId>,
    /// The variables that come into being there.
    pub(super) declared: FxHashSet<ObjectId>,
    /// The variables that are assigned by their names.
    pub(super) assigned: FxHashSet<ObjectId>,
    /// The variables whose addresses are taken, or that are written otherwise.
    pub(super) addressed: FxHashSet<ObjectId>,
    /// Where variables are read.
    pub(super) loads: Vec<(ExprId, ObjectId)>,
    pub(super) calls: Vec<ExprId>,
    /// Whether there is an expression that stands in two places.
    pub(super) shared: bool,
    /// Whether there are labels, cases, or what is not known.
    pub(super) jumps: bool,
    pub(super) breaks: bool,
    /// Expressions with statements in them, but those within others.
    pub(super) blocks: Vec<ExprId>,
    within: usize,
    /// Whether a record is indexed as what it is not.
    pub(super) indexes_record: bool,
}

impl<'a> Gather<'a> {
    fn new(unit: &'a Unit) -> Gather<'a> {
        Gather {
            unit,
            exprs: FxHashSet::default(),
            places: FxHashSet::default(),
            declared: FxHashSet::default(),
            assigned: FxHashSet::default(),
            addressed: FxHashSet::default(),
            loads: Vec::new(),
            calls: Vec::new(),
            shared: false,
            jumps: false,
            breaks: false,
            blocks: Vec::new(),
            within: 0,
            indexes_record: false,
        }
    }

    pub(super) fn of_stmt(unit: &'a Unit, stmt: StmtId) -> Gather<'a> {
        let mut gather = Gather::new(unit);
        gather.stmt(stmt);
        gather
    }

    pub(super) fn of_exprs(unit: &'a Unit, exprs: impl IntoIterator<Item = ExprId>) -> Gather<'a> {
        let mut gather = Gather::new(unit);
        for e in exprs {
            gather.expr(e);
        }
        gather
    }

    /// The variables that do not keep their values.
    pub(super) fn changed(&self) -> impl Iterator<Item = ObjectId> {
        self.assigned.iter().chain(&self.declared).copied()
    }

    fn take_address(&mut self, mut place: PlaceId) {
        loop {
            match self.unit[place].kind {
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
                PlaceKind::Object(object) | PlaceKind::Compound(object) => {
                    self.addressed.insert(object);
                    return;
                }
                _ => return,
            }
        }
    }

    fn assign(&mut self, place: PlaceId) {
        match self.unit[place].kind {
            PlaceKind::Object(object) => {
                self.assigned.insert(object);
            }
            _ => self.take_address(place),
        }
    }
}

impl Renumber for Gather<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        if !self.exprs.insert(id) {
            self.shared = true;
            return id;
        }
        let kind = &self.unit[id].kind;
        match *kind {
            ExprKind::Load(place) => {
                if let PlaceKind::Object(object) = self.unit[place].kind {
                    self.loads.push((id, object));
                }
            }
            ExprKind::AddressOf(place) => self.take_address(place),
            ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => self.assign(place),
            ExprKind::Call { .. } => self.calls.push(id),
            ExprKind::Block { .. } if self.within == 0 => self.blocks.push(id),
            ExprKind::PointerAdd { pointer, index, .. } => {
                let records = FxHashSet::default();
                self.indexes_record |=
                    constant(self.unit, index).is_none() && is_record_as_bytes(self.unit, pointer, &records);
            }
            ExprKind::Unsupported(_) | ExprKind::LabelAddress(_) => self.jumps = true,
            _ => {}
        }
        let is_block = usize::from(matches!(kind, ExprKind::Block { .. }));
        self.within += is_block;
        self.expr_kind(kind);
        self.within -= is_block;
        id
    }

    fn place(&mut self, id: PlaceId) -> PlaceId {
        if self.places.insert(id) {
            // The initial value of a literal is evaluated where it stands.
            self.jumps |= matches!(self.unit[id].kind, PlaceKind::Compound(_));
            self.place_kind(self.unit[id].kind);
        }
        id
    }

    fn stmt(&mut self, id: StmtId) -> StmtId {
        let kind = &self.unit[id].kind;
        match kind {
            StmtKind::Declare(objects) => self.declared.extend(objects),
            StmtKind::Break | StmtKind::Continue => self.breaks = true,
            StmtKind::Switch { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default { .. }
            | StmtKind::Label { .. }
            | StmtKind::Goto { .. }
            | StmtKind::IndirectGoto { .. }
            | StmtKind::Asm { .. }
            | StmtKind::Unsupported(_) => self.jumps = true,
            _ => {}
        }
        self.stmt_kind(kind);
        if let StmtKind::Declare(objects) = kind {
            for &object in objects.iter().filter(|&&o| self.unit[o].is_automatic()) {
                self.storage(&self.unit[object].storage);
                self.unit[object].dynamic_size.map(|size| self.expr(size));
            }
        }
        id
    }

    fn object(&mut self, id: ObjectId) -> ObjectId {
        id
    }

    fn function(&mut self, id: FunctionId) -> FunctionId {
        id
    }

    fn string(&mut self, id: StringId) -> StringId {
        id
    }

    fn label(&mut self, id: LabelId) -> LabelId {
        self.jumps = true;
        id
    }

    fn case(&mut self, id: CaseId) -> CaseId {
        self.jumps = true;
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
