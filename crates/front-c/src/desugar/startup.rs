//! What runs before and after `main`, as calls in it: constructors at its start; exit handlers and destructors where it
//! returns, and before `exit` ends the process.

use crate::tree::{
    Callee, ExprId, ExprKind, FunctionId, Growing, Init, InitEntry, Position, StmtId, StmtKind, Storage,
    Type, Unit, contexts,
};

/// The function that calls the exit handlers, last registered first.
const HANDLERS: &str = "__exit_handlers";

/// A program in which nothing runs but `main` and what it calls.
pub(crate) fn made_calls(unit: Unit) -> Unit {
    let Some(main) = unit.main() else { return unit };
    let registers = unit.functions().any(|f| unit[f].name == HANDLERS && unit[f].body.is_some());
    let (mut before, mut after) = (unit.constructors.clone(), unit.destructors.clone());
    if !registers && before.is_empty() && after.is_empty() {
        return unit;
    }
    let at = unit[main].at;
    let mut tree = Growing::new(unit);
    if let Some(what) = not_known(&tree.unit, main) {
        tree.unit.refused.get_or_insert((at, what));
        return tree.unit;
    }
    // Both sorts are stable: of one priority, what is defined first runs first, and ends last.
    before.sort_by_key(|&(order, _)| order);
    after.sort_by_key(|&(order, _)| order);
    let handlers = tree.unit.functions().find(|&f| tree.unit[f].name == HANDLERS);
    let mut last: Vec<FunctionId> = handlers.filter(|_| registers).into_iter().collect();
    last.extend(after.into_iter().rev().map(|(_, f)| f));
    let first: Vec<FunctionId> = before.into_iter().map(|(_, f)| f).collect();
    if !last.is_empty() {
        exits(&mut tree, &last);
    }
    let Some(body) = tree.unit[main].body else { return tree.unit };
    if !last.is_empty() {
        returns(&mut tree, body, &last);
    }
    let mut stmts = calls(&mut tree, &first, at);
    stmts.push(body);
    stmts.extend(calls(&mut tree, &last, at));
    let body = tree.stmt(StmtKind::Block(stmts), at);
    tree.unit.functions[main.index()].body = Some(body);
    tree.unit
}

/// What such a program must not do to be taken.
fn not_known(unit: &Unit, main: FunctionId) -> Option<&'static str> {
    unit.exprs().find_map(|e| match unit[e].kind {
        ExprKind::Call { callee: Callee::Function(f), .. } | ExprKind::FunctionAddress(f) if f == main => {
            Some("a call of main beside constructors, destructors or exit handlers")
        }
        ExprKind::FunctionAddress(f) if is_exit(unit, f) => {
            Some("the address of exit beside destructors or exit handlers")
        }
        _ => None,
    })
}

fn is_exit(unit: &Unit, function: FunctionId) -> bool {
    unit[function].name == "exit" && unit[function].body.is_none()
}

fn calls(tree: &mut Growing, functions: &[FunctionId], at: Position) -> Vec<StmtId> {
    let call = |tree: &mut Growing, f: FunctionId| {
        let call = tree.call(f, Vec::new(), at);
        let call = tree.convert(call, Type::Void);
        tree.stmt(StmtKind::Expr(call), at)
    };
    functions.iter().map(|&f| call(tree, f)).collect()
}

/// `exit(status)` after the last calls.
fn exits(tree: &mut Growing, last: &[FunctionId]) {
    for e in tree.unit.exprs().collect::<Vec<_>>() {
        let ExprKind::Call { callee, ref args } = tree.unit[e].kind else { continue };
        let Callee::Function(function) = callee else { continue };
        let (&[status], true) = (args.as_slice(), is_exit(&tree.unit, function)) else { continue };
        let at = tree.unit[e].at;
        let (mut body, args) = kept(tree, status, at);
        body.extend(calls(tree, last, at));
        let call = tree.call(function, vec![args], at);
        body.push(tree.stmt(StmtKind::Expr(call), at));
        tree.unit.exprs[e.index()].kind = ExprKind::Block { body, value: None };
        tree.unit.exprs[e.index()].ty = Type::Void;
    }
}

/// A value in a variable, and what it is loaded by.
fn kept(tree: &mut Growing, value: ExprId, at: Position) -> (Vec<StmtId>, ExprId) {
    let status = tree.variable("(status)", tree.unit[value].ty, at);
    let entries = vec![InitEntry { offset: 0, bits: None, value }];
    tree.unit.objects[status.index()].storage = Storage::Automatic(Some(Init { entries }));
    let declared = tree.stmt(StmtKind::Declare(vec![status]), at);
    (vec![declared], tree.load(status, at))
}

/// The returns of `main`, after the last calls.
fn returns(tree: &mut Growing, body: StmtId, last: &[FunctionId]) {
    for s in contexts::statements_in(&tree.unit, body) {
        let StmtKind::Return(value) = tree.unit[s].kind else { continue };
        let at = tree.unit[s].at;
        let (mut stmts, value) = match value {
            Some(value) if tree.unit[value].ty != Type::Void => {
                let (stmts, value) = kept(tree, value, at);
                (stmts, Some(value))
            }
            value => (Vec::new(), value),
        };
        stmts.extend(calls(tree, last, at));
        stmts.push(tree.stmt(StmtKind::Return(value), at));
        tree.unit.stmts[s.index()].kind = StmtKind::Block(stmts);
    }
}
