//! The tree, changed so that the code of a specification runs.

use super::code::{SITE, after_name, before_name, behind_name, function, global};
use super::{EXITS, Event, OURS, Weaving, used, wrapper};
use crate::tree::{
    Callee, Expr, ExprId, ExprKind, FunctionId, Init, InitEntry, LabelId, Object, ObjectId, Place, PlaceId,
    PlaceKind, Position, Stmt, StmtId, StmtKind, Storage, Type, Unit,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes a unit use what was added to it.
pub(super) fn attach(unit: &mut Unit, weaving: &Weaving) {
    let said = |name: &String| {
        let mut pieces = weaving.hooks.iter().flat_map(|hook| &hook.code);
        name == OURS || pieces.any(|piece| piece.file == *name)
    };
    let added: FxHashSet<u32> =
        unit.files.iter().enumerate().filter(|(_, name)| said(name)).map(|(i, _)| i as u32).collect();
    // What is added stays as it is: no event causes itself.
    let program: Vec<ExprId> = unit.exprs().filter(|&e| !added.contains(&unit[e].at.file)).collect();
    let wrapped: Vec<(FunctionId, FunctionId)> = unit
        .functions()
        .filter_map(|f| {
            let known = weaving.hooks.iter().any(|hook| {
                hook.event.function() == Some(&unit[f].name)
                    || hook.event == Event::End && EXITS.contains(&unit[f].name.as_str())
            });
            let wrapper = function(unit, &wrapper(&unit[f].name)).filter(|_| known)?;
            Some((f, wrapper))
        })
        .collect();
    let site = function(unit, SITE);
    let mut sites = 0;
    for &e in &program {
        let Some(function) = used(&unit[e].kind) else { continue };
        if unit[function].variadic {
            around_call(unit, e, function);
            continue;
        }
        let Some(&(_, other)) = wrapped.iter().find(|&&(from, _)| from == function) else { continue };
        match &mut unit.exprs[e.index()].kind {
            ExprKind::Call { callee: Callee::Function(callee), .. } => *callee = other,
            ExprKind::FunctionAddress(address) => *address = other,
            _ => {}
        }
        if let Some(site) = site {
            sites += 1;
            at_site(unit, e, site, sites);
        }
    }
    let others: FxHashMap<FunctionId, FunctionId> = wrapped.into_iter().collect();
    if let Some(&other) = unit.main.and_then(|main| others.get(&main)) {
        unit.main = Some(other);
    }
    // They are called by no expression.
    for (_, function) in unit.constructors.iter_mut().chain(&mut unit.destructors) {
        *function = others.get(function).copied().unwrap_or(*function);
    }
    for (number, hook) in weaving.hooks.iter().enumerate() {
        let Some(code) = function(unit, &after_name(number)) else { continue };
        match &hook.event {
            Event::Label(name) => after_labels(unit, name, code),
            Event::Assign(name) => after_assignments(unit, name, code, &program),
            _ => {}
        }
    }
}

/// Calls functions before and behind a call with unnamed arguments.
fn around_call(unit: &mut Unit, e: ExprId, called: FunctionId) {
    let name = unit[called].name.clone();
    let (Some(before), Some(behind)) =
        (function(unit, &before_name(&name)), function(unit, &behind_name(&name)))
    else {
        return;
    };
    let Expr { kind, ty, at } = unit[e].clone();
    let ExprKind::Call { callee, args } = kind else {
        // Its calls through pointers would pass unseen.
        let what = "address of a function with unnamed arguments whose calls a specification looks at";
        unit.refused.get_or_insert((at, what));
        return;
    };
    let named = unit[called].prototype.as_ref().map_or(0, Vec::len).min(args.len());
    let (declared, given) = bind_all(unit, &args, at);
    let mut body = vec![declared];
    let load = |unit: &mut Unit, values: &[ObjectId]| -> Vec<ExprId> {
        values.iter().map(|&value| read(unit, value, at)).collect()
    };
    let arguments = load(unit, &given[..named]);
    body.push(call(unit, before, arguments, at));
    let all = load(unit, &given);
    let inner = expression(unit, ExprKind::Call { callee, args: all }, ty, at);
    let mut told = load(unit, &given[..named]);
    let value = if ty == Type::Void {
        body.push(statement(unit, StmtKind::Expr(inner), at));
        None
    } else {
        let (declared, value) = bind(unit, ty, inner, at);
        body.push(declared);
        told.insert(0, read(unit, value, at));
        Some(value)
    };
    body.push(call(unit, behind, told, at));
    let value = value.map(|value| read(unit, value, at));
    unit.exprs[e.index()].kind = ExprKind::Block { body, value };
}

/// Tells the number of a call before it, behind its arguments.
fn at_site(unit: &mut Unit, e: ExprId, site: FunctionId, number: i128) {
    let Expr { kind: ExprKind::Call { callee, args }, ty, at } = unit[e].clone() else { return };
    let (declared, given) = bind_all(unit, &args, at);
    let int = unit[site].prototype.as_ref().and_then(|types| types.first().copied());
    let number = expression(unit, ExprKind::Const(number), int.unwrap_or(Type::Void), at);
    let told = call(unit, site, vec![number], at);
    let args = given.iter().map(|&value| read(unit, value, at)).collect();
    let inner = expression(unit, ExprKind::Call { callee, args }, ty, at);
    let mut body = vec![declared, told];
    let value = if ty == Type::Void {
        body.push(statement(unit, StmtKind::Expr(inner), at));
        None
    } else {
        Some(inner)
    };
    unit.exprs[e.index()].kind = ExprKind::Block { body, value };
}

/// A variable that holds a value, and its declaration.
fn bind(unit: &mut Unit, ty: Type, value: ExprId, at: Position) -> (StmtId, ObjectId) {
    let object = temporary(unit, ty, value, at);
    (statement(unit, StmtKind::Declare(vec![object]), at), object)
}

/// Variables that hold arguments, and their one declaration: what is declared together is evaluated in any order.
fn bind_all(unit: &mut Unit, args: &[ExprId], at: Position) -> (StmtId, Vec<ObjectId>) {
    let given: Vec<ObjectId> = args
        .iter()
        .map(|&arg| {
            let ty = unit[arg].ty;
            temporary(unit, ty, arg, at)
        })
        .collect();
    (statement(unit, StmtKind::Declare(given.clone()), at), given)
}

/// The value of a variable.
fn read(unit: &mut Unit, object: ObjectId, at: Position) -> ExprId {
    let ty = unit[object].ty;
    unit.places.push(Place { kind: PlaceKind::Object(object), ty, at });
    let place = PlaceId(unit.places.len() as u32 - 1);
    expression(unit, ExprKind::Load(place), ty, at)
}

fn call(unit: &mut Unit, function: FunctionId, args: Vec<ExprId>, at: Position) -> StmtId {
    let kind = ExprKind::Call { callee: Callee::Function(function), args };
    let call = expression(unit, kind, Type::Void, at);
    statement(unit, StmtKind::Expr(call), at)
}

fn expression(unit: &mut Unit, kind: ExprKind, ty: Type, at: Position) -> ExprId {
    unit.exprs.push(Expr { kind, ty, at });
    ExprId(unit.exprs.len() as u32 - 1)
}

fn statement(unit: &mut Unit, kind: StmtKind, at: Position) -> StmtId {
    unit.stmts.push(Stmt { kind, at });
    StmtId(unit.stmts.len() as u32 - 1)
}

/// Calls a function where labels of a name are reached.
fn after_labels(unit: &mut Unit, name: &str, function: FunctionId) {
    let labels: FxHashSet<LabelId> =
        unit.label_names.iter().filter(|(_, label)| label == name).map(|(id, _)| *id).collect();
    for index in 0..unit.stmts.len() {
        let Stmt { kind: StmtKind::Label { label, body }, at } = unit.stmts[index] else { continue };
        if labels.contains(&label) {
            let call = call(unit, function, Vec::new(), at);
            let body = statement(unit, StmtKind::Block(vec![call, body]), at);
            unit.stmts[index].kind = StmtKind::Label { label, body };
        }
    }
}

/// Calls a function where a global variable or a part of it has been assigned to: `g = 1` becomes a block that assigns, calls
/// and gives the value.
fn after_assignments(unit: &mut Unit, name: &str, function: FunctionId, program: &[ExprId]) {
    let Some(object) = global(unit, name) else { return };
    for &e in program {
        let Expr { kind, ty, at } = unit[e].clone();
        let place = match kind {
            ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => place,
            _ => continue,
        };
        if unit.root(place) != Some(object) {
            continue;
        }
        let assigned = expression(unit, kind, ty, at);
        let (declared, value) = bind(unit, ty, assigned, at);
        let called = call(unit, function, Vec::new(), at);
        let value = Some(read(unit, value, at));
        unit.exprs[e.index()].kind = ExprKind::Block { body: vec![declared, called], value };
    }
}

/// A variable without a name in the program.
fn temporary(unit: &mut Unit, ty: Type, value: ExprId, at: Position) -> ObjectId {
    let size = unit.size_of(ty);
    let init = Init { entries: vec![InitEntry { offset: 0, bits: None, value }] };
    unit.objects.push(Object {
        name: "(assigned)".to_owned(),
        ty,
        size,
        align: size.map_or(1, |size| size.clamp(1, 8).next_power_of_two()),
        dynamic_size: None,
        storage: Storage::Automatic(Some(init)),
        constant: false,
        volatile: false,
        external: false,
        weak: false,
        refused: None,
        declaration_refused: None,
        local: true,
        at,
    });
    ObjectId(unit.objects.len() as u32 - 1)
}
