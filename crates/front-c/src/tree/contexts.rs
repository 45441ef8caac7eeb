//! Functions copied for their callers.
//!
//! Calls are expanded in the end, so what is decided of a function once and for all is decided for all of its callers:
//! what a pointer of its own may point to, above all. A copy of the function for each call keeps callers apart. A
//! function is copied together with all it calls, if that is small enough.

use super::renumber::Renumber;
use super::{
    Callee, Case, CaseId, Expr, ExprId, ExprKind, Function, FunctionId, LabelId, ObjectId, Place, PlaceId,
    Scope, ScopeId, SignatureId, Stmt, StmtId, StringId, Type, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// No more nodes than this are added to a program.
const ADDED_LIMIT: usize = 300_000;

/// A program in which functions are copied for their callers; `None` if nothing is to be copied.
pub(crate) fn for_callers(unit: &Unit, main: FunctionId) -> Option<Unit> {
    let taken = unit.exprs().filter_map(|e| match unit[e].kind {
        ExprKind::FunctionAddress(function) => Some(function),
        _ => None,
    });
    // Calls of these are not all known.
    let roots: FxHashSet<FunctionId> = taken.chain([main]).collect();
    let labels = unit.exprs().filter_map(|e| match unit[e].kind {
        ExprKind::LabelAddress(label) => Some(label),
        _ => None,
    });
    let labels = labels.collect();
    let mut sizes =
        Sizes { unit, roots, labels, functions: FxHashMap::default(), open: FxHashSet::default() };
    for function in unit.functions().filter(|&f| unit[f].body.is_some()) {
        sizes.visit(function);
    }
    let mut limit = ADDED_LIMIT;
    while sizes.added(limit) > ADDED_LIMIT {
        limit /= 2;
        if limit < 8 {
            return None;
        }
    }
    let copied: FxHashSet<FunctionId> =
        sizes.functions.iter().filter(|(_, size)| size.whole <= limit).map(|(&f, _)| f).collect();
    if copied.is_empty() {
        return None;
    }
    let mut program = unit.clone();
    for function in unit.functions().filter(|f| sizes.roots.contains(f) || !copied.contains(f)) {
        for &call in sizes.functions.get(&function).into_iter().flat_map(|size| &size.calls) {
            let mut kind = unit[call].kind.clone();
            own_callee(unit, &mut program, &copied, &mut kind);
            program.exprs[call.index()].kind = kind;
        }
    }
    Some(program)
}

/// The expressions in a statement, in the order of their ids.
pub(crate) fn expressions_in(unit: &Unit, stmt: StmtId) -> Vec<ExprId> {
    let mut scratch = Unit::default();
    let mut nodes = Copier::new(unit, &mut scratch);
    nodes.stmt(stmt);
    let mut exprs: Vec<ExprId> = nodes.exprs.into_keys().collect();
    exprs.sort_unstable();
    exprs
}

/// The statements in a statement, itself among them, in the order of their ids.
pub(crate) fn statements_in(unit: &Unit, stmt: StmtId) -> Vec<StmtId> {
    let mut scratch = Unit::default();
    let mut nodes = Copier::new(unit, &mut scratch);
    nodes.stmt(stmt);
    nodes.stmts.sort_unstable();
    nodes.stmts
}

/// How large a function is.
#[derive(Default)]
struct Size {
    /// In nodes, with all it calls. Without end where calls are in a cycle.
    whole: usize,
    /// The calls of defined functions in it.
    calls: Vec<ExprId>,
}

struct Sizes<'a> {
    unit: &'a Unit,
    /// The functions that are called otherwise than by their names.
    roots: FxHashSet<FunctionId>,
    /// The labels whose addresses are taken.
    labels: FxHashSet<LabelId>,
    functions: FxHashMap<FunctionId, Size>,
    open: FxHashSet<FunctionId>,
}

impl Sizes<'_> {
    /// The size of a function with all it calls.
    fn visit(&mut self, function: FunctionId) -> usize {
        if let Some(size) = self.functions.get(&function) {
            return size.whole;
        }
        if !self.open.insert(function) {
            return usize::MAX;
        }
        let mut scratch = Unit::default();
        let mut nodes = Copier::new(self.unit, &mut scratch);
        if let Some(body) = self.unit[function].body {
            nodes.stmt(body);
        }
        let own = nodes.exprs.len() + nodes.places.len() + nodes.stmts.len() + 1;
        let labels = nodes.labels.keys().any(|label| self.labels.contains(label));
        let is_call = |e: &ExprId| match self.unit[*e].kind {
            ExprKind::Call { callee: Callee::Function(called), .. } => self.unit[called].body.is_some(),
            _ => false,
        };
        let mut calls: Vec<ExprId> = nodes.exprs.keys().copied().filter(is_call).collect();
        calls.sort_unstable();
        // The addresses of labels are in tables that all activations share.
        let mut whole = if labels { usize::MAX } else { own };
        for &call in &calls {
            if let ExprKind::Call { callee: Callee::Function(called), .. } = self.unit[call].kind {
                whole = whole.saturating_add(self.visit(called));
            }
        }
        self.open.remove(&function);
        self.functions.insert(function, Size { whole, calls });
        whole
    }

    /// How many nodes are added if functions up to a size are copied.
    fn added(&self, limit: usize) -> usize {
        let mut added = 0usize;
        let stays = |f: &FunctionId, size: &Size| size.whole > limit || self.roots.contains(f);
        for (_, size) in self.functions.iter().filter(|(f, size)| stays(f, size)) {
            for &call in &size.calls {
                if let ExprKind::Call { callee: Callee::Function(called), .. } = self.unit[call].kind {
                    let whole = self.functions[&called].whole;
                    added = added.saturating_add(if whole <= limit { whole } else { 0 });
                }
            }
        }
        added
    }
}

/// Gives a call a function of its own, if it is one that is copied.
fn own_callee(unit: &Unit, program: &mut Unit, copied: &FxHashSet<FunctionId>, kind: &mut ExprKind) {
    if let ExprKind::Call { callee: Callee::Function(called), .. } = kind
        && copied.contains(called)
    {
        *called = copy_function(unit, program, copied, *called);
    }
}

/// A copy of a function, whose calls are of copies too.
fn copy_function(
    unit: &Unit,
    program: &mut Unit,
    copied: &FxHashSet<FunctionId>,
    function: FunctionId,
) -> FunctionId {
    let data = &unit[function];
    let mut copy = Copier::new(unit, program);
    let params = data.params.iter().map(|&p| copy.object(p)).collect();
    let body = data.body.map(|body| copy.stmt(body));
    let mut calls: Vec<ExprId> = copy.exprs.into_values().collect();
    calls.sort_unstable();
    for call in calls {
        if matches!(program[call].kind, ExprKind::Call { callee: Callee::Function(_), .. }) {
            let mut kind = program[call].kind.clone();
            own_callee(unit, program, copied, &mut kind);
            program.exprs[call.index()].kind = kind;
        }
    }
    program.functions.push(Function { params, body, ..data.clone() });
    FunctionId(program.functions.len() as u32 - 1)
}

/// Copies what it is asked the new id of.
struct Copier<'a> {
    from: &'a Unit,
    to: &'a mut Unit,
    exprs: FxHashMap<ExprId, ExprId>,
    places: FxHashMap<PlaceId, PlaceId>,
    objects: FxHashMap<ObjectId, ObjectId>,
    labels: FxHashMap<LabelId, LabelId>,
    cases: FxHashMap<CaseId, CaseId>,
    scopes: FxHashMap<ScopeId, ScopeId>,
    /// The statements that have been copied.
    stmts: Vec<StmtId>,
}

impl<'a> Copier<'a> {
    fn new(from: &'a Unit, to: &'a mut Unit) -> Copier<'a> {
        Copier {
            from,
            to,
            exprs: FxHashMap::default(),
            places: FxHashMap::default(),
            objects: FxHashMap::default(),
            labels: FxHashMap::default(),
            cases: FxHashMap::default(),
            scopes: FxHashMap::default(),
            stmts: Vec::new(),
        }
    }
}

impl Renumber for Copier<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        if let Some(&own) = self.exprs.get(&id) {
            return own;
        }
        let Expr { ref kind, ty, at } = self.from[id];
        let kind = self.expr_kind(kind);
        self.to.exprs.push(Expr { kind, ty, at });
        let own = ExprId(self.to.exprs.len() as u32 - 1);
        self.exprs.insert(id, own);
        own
    }

    fn place(&mut self, id: PlaceId) -> PlaceId {
        if let Some(&own) = self.places.get(&id) {
            return own;
        }
        let Place { kind, ty, at } = self.from[id];
        let kind = self.place_kind(kind);
        self.to.places.push(Place { kind, ty, at });
        let own = PlaceId(self.to.places.len() as u32 - 1);
        self.places.insert(id, own);
        own
    }

    fn stmt(&mut self, id: StmtId) -> StmtId {
        let Stmt { ref kind, at } = self.from[id];
        let kind = self.stmt_kind(kind);
        self.to.stmts.push(Stmt { kind, at });
        self.stmts.push(id);
        StmtId(self.to.stmts.len() as u32 - 1)
    }

    /// What lives in the whole run is the same for all callers.
    fn object(&mut self, id: ObjectId) -> ObjectId {
        let object = &self.from[id];
        if !object.is_automatic() {
            return id;
        }
        if let Some(&own) = self.objects.get(&id) {
            return own;
        }
        let own = ObjectId(self.to.objects.len() as u32);
        self.objects.insert(id, own);
        self.to.objects.push(object.clone());
        let storage = self.storage(&object.storage);
        let dynamic_size = object.dynamic_size.map(|e| self.expr(e));
        let copy = &mut self.to.objects[own.index()];
        (copy.storage, copy.dynamic_size) = (storage, dynamic_size);
        own
    }

    fn function(&mut self, id: FunctionId) -> FunctionId {
        id
    }

    fn string(&mut self, id: StringId) -> StringId {
        id
    }

    fn label(&mut self, id: LabelId) -> LabelId {
        if let Some(&own) = self.labels.get(&id) {
            return own;
        }
        let scope = self.scope(self.from.label_scope(id));
        self.to.labels.push(scope);
        let own = LabelId(self.to.labels.len() as u32 - 1);
        self.labels.insert(id, own);
        own
    }

    fn case(&mut self, id: CaseId) -> CaseId {
        if let Some(&own) = self.cases.get(&id) {
            return own;
        }
        let case = self.from[id];
        let scope = self.scope(case.scope);
        self.to.cases.push(Case { scope, ..case });
        let own = CaseId(self.to.cases.len() as u32 - 1);
        self.cases.insert(id, own);
        own
    }

    fn scope(&mut self, id: Option<ScopeId>) -> Option<ScopeId> {
        let id = id?;
        if let Some(&own) = self.scopes.get(&id) {
            return Some(own);
        }
        let Scope { object, parent, depth } = self.from[id];
        let (object, parent) = (self.object(object), self.scope(parent));
        self.to.scopes.push(Scope { object, parent, depth });
        let own = ScopeId(self.to.scopes.len() as u32 - 1);
        self.scopes.insert(id, own);
        Some(own)
    }

    fn ty(&mut self, ty: Type) -> Type {
        ty
    }

    fn signature(&mut self, id: SignatureId) -> SignatureId {
        id
    }
}
