//! Variable arguments in memory.
//!
//! The caller of a variadic function puts the arguments that have no parameter into a structure, one behind the other as the
//! machine's stack has them, and hands over its address as one more argument. `va_start` makes a list begin there, and
//! `va_arg` takes what the list is at and moves it on. So lists are objects like any others, and may be copied and handed on.
//! The interpreter has its own reading of all this.

use crate::tree::contexts;
use crate::tree::{
    Callee, ExprId, ExprKind, Field, FunctionId, Growing, Init, InitEntry, ObjectId, PlaceId, PlaceKind,
    Position, Record, StmtKind, Storage, Type, Unit,
};
use rustc_hash::FxHashMap;

/// A program without variadic functions of its own. One with arguments that the stack would align is left as it is.
pub(crate) fn removed(unit: Unit) -> Unit {
    let variadic: Vec<FunctionId> =
        unit.functions().filter(|&f| unit[f].variadic && unit[f].body.is_some()).collect();
    if variadic.is_empty() || !unit.exprs().all(|e| is_plain(&unit, e)) {
        return unit;
    }
    let mut tree = Growing::new(unit);
    let byte = Growing::int(8, false);
    let more = tree.pointer(byte);
    let parameters: FxHashMap<FunctionId, ObjectId> =
        variadic.iter().map(|&f| (f, parameter(&mut tree, f, more))).collect();
    for e in tree.unit.exprs().collect::<Vec<_>>() {
        match tree.unit[e].kind {
            ExprKind::Call { callee: Callee::Function(function), ref args }
                if parameters.contains_key(&function) =>
            {
                let args = args.clone();
                call(&mut tree, e, Callee::Function(function), args, more);
            }
            ExprKind::Call { callee: Callee::Pointer(pointer, signature), ref args }
                if tree.unit[signature].variadic =>
            {
                let args = args.clone();
                let callee = Callee::Pointer(pointer, tree.with_parameter(signature, more));
                call(&mut tree, e, callee, args, more);
            }
            ExprKind::VaArg(list) => next(&mut tree, e, list, more),
            ExprKind::VaCopy(to, from) => copy(&mut tree, e, to, from),
            _ => {}
        }
    }
    for function in variadic {
        starts(&mut tree, function, parameters[&function]);
    }
    tree.unit
}

/// Whether an expression takes nothing from a list that would be aligned there.
fn is_plain(unit: &Unit, e: ExprId) -> bool {
    let word = u64::from(unit.word() / 8);
    let fits = |ty: Type| unit.size_of(ty).is_some() && alignment(unit, ty) <= word;
    match unit[e].kind {
        ExprKind::VaArg(list) => fits(unit[e].ty) && cursor_type(unit, list).is_some(),
        ExprKind::VaStart(list) => cursor_type(unit, list).is_some(),
        _ => true,
    }
}

fn alignment(unit: &Unit, ty: Type) -> u64 {
    match ty {
        Type::Record(record) => unit[record].align,
        Type::Array(array) => alignment(unit, unit[array].element),
        ty => unit.size_of(ty).unwrap_or(1),
    }
}

/// What a list is moved on by: its third member on a machine of 64 bits, all of it on one of 32.
fn cursor_type(unit: &Unit, list: ExprId) -> Option<Type> {
    match unit.pointee(unit[list].ty)? {
        Type::Record(record) => unit[record].fields.get(2).map(|field| field.ty).filter(|ty| ty.is_pointer()),
        ty => ty.is_pointer().then_some(ty),
    }
}

/// Gives a function one more parameter.
fn parameter(tree: &mut Growing, function: FunctionId, more: Type) -> ObjectId {
    let at = tree.unit[function].at;
    let param = tree.variable("(arguments)", more, at);
    let signature = tree.with_parameter(tree.unit[function].signature, more);
    let data = &mut tree.unit.functions[function.index()];
    data.params.push(param);
    data.prototype.get_or_insert_default().push(more);
    data.variadic = false;
    data.signature = signature;
    param
}

/// A call, whose further arguments go into memory.
fn call(tree: &mut Growing, e: ExprId, callee: Callee, args: Vec<ExprId>, more: Type) {
    let unit = &tree.unit;
    let named = match callee {
        Callee::Function(function) => unit[function].params.len() - 1,
        Callee::Pointer(_, signature) => unit[signature].params.as_ref().map_or(0, |p| p.len() - 1),
    };
    if args.len() < named {
        return;
    }
    let (ty, at) = (unit[e].ty, unit[e].at);
    // Operands that are evaluated in any order, before the area is filled.
    let mut operands = Vec::new();
    let values: Vec<ExprId> = args
        .into_iter()
        .map(|arg| {
            if matches!(tree.unit[arg].kind, ExprKind::Const(_) | ExprKind::Float(_)) {
                return arg;
            }
            let operand = tree.variable("(argument)", tree.unit[arg].ty, at);
            let entries = vec![InitEntry { offset: 0, bits: None, value: arg }];
            tree.unit.objects[operand.index()].storage = Storage::Automatic(Some(Init { entries }));
            operands.push(operand);
            tree.load(operand, at)
        })
        .collect();
    let mut body = vec![tree.stmt(StmtKind::Declare(operands), at)];
    let (named, further) = values.split_at(named);
    let mut args = named.to_vec();
    let zero = ExprKind::Const(0);
    args.push(if further.is_empty() {
        tree.expr(zero, more, at)
    } else {
        let (area, place) = area(tree, further, at);
        body.push(tree.stmt(StmtKind::Declare(vec![area]), at));
        let pointer = tree.pointer(tree.unit[area].ty);
        let address = tree.expr(ExprKind::AddressOf(place), pointer, at);
        tree.convert(address, more)
    });
    let call = tree.expr(ExprKind::Call { callee, args }, ty, at);
    let value = if ty == Type::Void {
        body.push(tree.stmt(StmtKind::Expr(call), at));
        None
    } else {
        Some(call)
    };
    tree.unit.exprs[e.index()].kind = ExprKind::Block { body, value };
}

/// A structure that holds arguments as the stack does.
fn area(tree: &mut Growing, values: &[ExprId], at: Position) -> (ObjectId, PlaceId) {
    let word = u64::from(tree.unit.word() / 8);
    let (mut fields, mut entries, mut offset) = (Vec::new(), Vec::new(), 0);
    for &value in values {
        let ty = tree.unit[value].ty;
        fields.push(Field { name: None, ty, offset, bits: None });
        entries.push(InitEntry { offset, bits: None, value });
        offset += tree.unit.size_of(ty).unwrap_or(word).next_multiple_of(word);
    }
    let name = "struct (arguments)".to_owned();
    let record = tree.record(Record { name, union: false, size: Some(offset), align: word, fields });
    let area = tree.variable("(arguments)", record, at);
    tree.unit.objects[area.index()].storage = Storage::Automatic(Some(Init { entries }));
    let place = tree.place(PlaceKind::Object(area), record, at);
    (area, place)
}

/// Where a list is.
fn cursor(tree: &mut Growing, list: ExprId, at: Position) -> PlaceId {
    let ty = tree.unit.pointee(tree.unit[list].ty).unwrap_or(Type::Void);
    let place = tree.place(PlaceKind::Deref(list), ty, at);
    match ty {
        Type::Record(record) => {
            let ty = tree.unit[record].fields[2].ty;
            tree.place(PlaceKind::Member { base: place, field: 2 }, ty, at)
        }
        _ => place,
    }
}

/// `place = value`, which has no value itself.
fn assign(tree: &mut Growing, place: PlaceId, value: ExprId, at: Position) -> ExprKind {
    let ty = tree.unit[place].ty;
    let value = tree.convert(value, ty);
    let assigned = tree.expr(ExprKind::Assign { place, op: None, value }, ty, at);
    ExprKind::Convert(assigned)
}

/// The lists that a function starts begin at its last parameter.
fn starts(tree: &mut Growing, function: FunctionId, param: ObjectId) {
    let Some(body) = tree.unit[function].body else { return };
    for e in contexts::expressions_in(&tree.unit, body) {
        let ExprKind::VaStart(list) = tree.unit[e].kind else { continue };
        let at = tree.unit[e].at;
        let place = cursor(tree, list, at);
        let first = tree.load(param, at);
        tree.unit.exprs[e.index()].kind = assign(tree, place, first, at);
    }
}

/// `({ list *l = list; T *at = l->cursor; l->cursor = (char *)at + size; *at; })`
fn next(tree: &mut Growing, e: ExprId, list: ExprId, bytes: Type) {
    let (ty, at) = (tree.unit[e].ty, tree.unit[e].at);
    let word = u64::from(tree.unit.word() / 8);
    let size = tree.unit.size_of(ty).unwrap_or(word).next_multiple_of(word);
    let whole = tree.variable("(list)", tree.unit[list].ty, at);
    let entries = vec![InitEntry { offset: 0, bits: None, value: list }];
    tree.unit.objects[whole.index()].storage = Storage::Automatic(Some(Init { entries }));
    let here = tree.load(whole, at);
    let place = cursor(tree, here, at);
    let place_ty = tree.unit[place].ty;
    let before = tree.expr(ExprKind::Load(place), place_ty, at);
    let pointer = tree.pointer(ty);
    let before = tree.convert(before, pointer);
    let argument = tree.variable("(argument)", pointer, at);
    let entries = vec![InitEntry { offset: 0, bits: None, value: before }];
    tree.unit.objects[argument.index()].storage = Storage::Automatic(Some(Init { entries }));
    let from = tree.load(argument, at);
    let from = tree.convert(from, bytes);
    let index = tree.expr(ExprKind::Const(size.into()), Growing::int(tree.unit.word(), true), at);
    let sum = ExprKind::PointerAdd { pointer: from, index, subtract: false, scale: 1 };
    let sum = tree.expr(sum, bytes, at);
    let here = tree.load(whole, at);
    let place = cursor(tree, here, at);
    let moved = assign(tree, place, sum, at);
    let moved = tree.expr(moved, Type::Void, at);
    let body = [StmtKind::Declare(vec![whole]), StmtKind::Declare(vec![argument]), StmtKind::Expr(moved)];
    let body = body.into_iter().map(|kind| tree.stmt(kind, at)).collect();
    let pointer = tree.load(argument, at);
    let place = tree.place(PlaceKind::Deref(pointer), ty, at);
    let value = tree.expr(ExprKind::Load(place), ty, at);
    tree.unit.exprs[e.index()].kind = ExprKind::Block { body, value: Some(value) };
}

/// `*to = *from`
fn copy(tree: &mut Growing, e: ExprId, to: ExprId, from: ExprId) {
    let at = tree.unit[e].at;
    let Some(ty) = tree.unit.pointee(tree.unit[to].ty) else { return };
    let wanted = tree.unit[to].ty;
    let from = tree.convert(from, wanted);
    let (to, from) = (tree.place(PlaceKind::Deref(to), ty, at), tree.place(PlaceKind::Deref(from), ty, at));
    let value = tree.expr(ExprKind::Load(from), ty, at);
    tree.unit.exprs[e.index()].kind = assign(tree, to, value, at);
}
