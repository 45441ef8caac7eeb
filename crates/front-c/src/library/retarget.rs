//! Calls and addresses of library functions, brought into a form that the texts of the library take.
//!
//! - What glibc's macros of `<ctype.h>` read from a table is a call of a function: `(*__ctype_b_loc())[c]` is
//!   `__ctype_b_entry(c)`.
//! - `qsort` of elements of a constant size is a function of its own for each size, which moves elements whole.
//! - A call with a format that is a string literal is one of a function that is made for the format. Of output that is so only
//!   where it matters what is read, and strings are among the arguments.
//! - The address of a function that is no text, such as `malloc`, is that of a function that calls it: so calls through
//!   pointers know functions with bodies alone.

use super::format::scan::From;
use super::format::{Made, output, print, scan};
use crate::memory::{self, library};
use crate::options::Target;
use crate::translate::is_known;
use crate::tree::{Callee, ExprId, ExprKind, Function, FunctionId, Growing, PlaceKind, StmtKind, Type, Unit};
use rustc_hash::FxHashMap;

/// Functions whose calls become those of a function that is made for the format, where that is a literal.
pub(super) const MADE: [&str; 7] =
    ["snprintf", "sprintf", "__snprintf_chk", "__sprintf_chk", "sscanf", "fscanf", "scanf"];

/// The texts that calls have been directed to, by their names.
pub(super) type Texts = Vec<(String, String)>;

/// Directs the calls of functions that both readings of C take from the library.
pub(super) fn retarget_shared(unit: Unit) -> (Unit, Texts) {
    let mut formats = Formats { tree: Growing::new(unit), texts: Vec::new() };
    for e in formats.tree.unit.exprs().collect::<Vec<_>>() {
        if let ExprKind::Call { callee: Callee::Function(function), .. } = formats.tree.unit[e].kind {
            formats.scan(e, function);
        }
    }
    (formats.tree.unit, formats.texts)
}

/// Directs the calls of functions that the interpreter has its own reading of.
pub(super) fn retarget(unit: Unit) -> (Unit, Texts) {
    let mut formats = Formats { tree: Growing::new(unit), texts: Vec::new() };
    let mut wrappers: FxHashMap<FunctionId, FunctionId> = FxHashMap::default();
    for e in formats.tree.unit.exprs().collect::<Vec<_>>() {
        let tree = &mut formats.tree;
        match tree.unit[e].kind {
            ExprKind::Load(_) => entry_of_a_table(tree, e),
            ExprKind::Call { callee: Callee::Function(function), .. } => {
                sort_by_size(tree, e, function);
                formats.print(e, function);
                formats.output(e, function);
            }
            ExprKind::FunctionAddress(function) => {
                if library(&tree.unit, function).is_none() && !is_known(&tree.unit, function) {
                    continue;
                }
                let own = wrappers.get(&function).copied().or_else(|| wrapper(tree, function));
                if let Some(own) = own {
                    wrappers.insert(function, own);
                    tree.unit.exprs[e.index()].kind = ExprKind::FunctionAddress(own);
                }
            }
            _ => {}
        }
    }
    (formats.tree.unit, formats.texts)
}

/// Whether a function is the C library's: nothing in the program defines it.
fn is_foreign(unit: &Unit, function: FunctionId) -> bool {
    unit[function].body.is_none() && unit[function].refused.is_none()
}

/// `(*__ctype_b_loc())[c]` and its kin.
fn entry_of_a_table(tree: &mut Growing, e: ExprId) {
    let unit = &tree.unit;
    let ExprKind::Load(place) = unit[e].kind else { return };
    let PlaceKind::Deref(sum) = unit[place].kind else { return };
    let ExprKind::PointerAdd { pointer, index, subtract: false, .. } = unit[sum].kind else { return };
    let ExprKind::Load(table) = unit[pointer].kind else { return };
    let PlaceKind::Deref(call) = unit[table].kind else { return };
    let ExprKind::Call { callee: Callee::Function(function), .. } = unit[call].kind else { return };
    let (ty, at) = (unit[e].ty, unit[e].at);
    let name = match (unit[function].name.as_str(), ty) {
        ("__ctype_b_loc", Type::Int(int)) if int.bits == 16 => "__ctype_b_entry",
        ("__ctype_tolower_loc", Type::Int(int)) if int.bits == 32 => "__ctype_tolower_entry",
        ("__ctype_toupper_loc", Type::Int(int)) if int.bits == 32 => "__ctype_toupper_entry",
        _ => return,
    };
    let narrow = matches!(unit[index].ty, Type::Int(int) if int.bits < 32 || (int.bits == 32 && int.signed));
    if !is_foreign(unit, function) || !narrow {
        return;
    }
    let int = Growing::int(32, true);
    let entry = tree.declare(name, ty, vec![int], at);
    let index = tree.convert(index, int);
    tree.unit.exprs[e.index()].kind = ExprKind::Call { callee: Callee::Function(entry), args: vec![index] };
}

/// `qsort` of elements of a constant size.
fn sort_by_size(tree: &mut Growing, e: ExprId, function: FunctionId) {
    let data = &tree.unit[function];
    let ExprKind::Call { ref args, .. } = tree.unit[e].kind else { return };
    let (&[_, _, size, _], "qsort", Some(body)) = (args.as_slice(), data.name.as_str(), data.body) else {
        return;
    };
    // The definition of the library, and not one of the program.
    let file = &tree.unit.files[tree.unit[body].at.file as usize];
    let size = match tree.unit[size].kind {
        ExprKind::Const(size @ 1..=4096) if file == "<qsort>" => size,
        _ => return,
    };
    let (result, Some(prototype), at) = (data.result, data.prototype.clone(), tree.unit[e].at) else {
        return;
    };
    let sized = tree.declare(&format!("{SIZED}{size}"), result, prototype, at);
    if let ExprKind::Call { callee, .. } = &mut tree.unit.exprs[e.index()].kind {
        *callee = Callee::Function(sized);
    }
}

/// What the name of `qsort` for a size begins with.
pub(super) const SIZED: &str = "__qsort_";

/// A function that calls a function of the library with its own arguments.
fn wrapper(tree: &mut Growing, function: FunctionId) -> Option<FunctionId> {
    let data = tree.unit[function].clone();
    let prototype = data.prototype.clone().filter(|_| !data.variadic)?;
    let at = data.at;
    let params: Vec<_> = prototype.iter().map(|&ty| tree.variable("(argument)", ty, at)).collect();
    let args = params.iter().map(|&p| tree.load(p, at)).collect();
    let call = tree.call(function, args, at);
    let returned =
        if data.result == Type::Void { StmtKind::Expr(call) } else { StmtKind::Return(Some(call)) };
    let body = tree.stmt(returned, at);
    let body = tree.stmt(StmtKind::Block(vec![body]), at);
    tree.unit.functions.push(Function { params, body: Some(body), external: false, ..data });
    Some(FunctionId(tree.unit.functions.len() as u32 - 1))
}

/// The functions made for formats.
struct Formats {
    tree: Growing,
    texts: Texts,
}

impl Formats {
    /// `snprintf` and its kin.
    fn print(&mut self, e: ExprId, function: FunctionId) {
        let unit = &self.tree.unit;
        let (limit, format) = match unit[function].name.as_str() {
            "snprintf" => (Some(1), 2),
            "sprintf" => (None, 1),
            "__snprintf_chk" | "__builtin___snprintf_chk" => (Some(1), 4),
            "__sprintf_chk" | "__builtin___sprintf_chk" => (None, 3),
            _ => return,
        };
        let made = |name: &str, text: &[u8]| print::function(name, text, limit.is_some());
        self.made(e, function, "__snprintf_", &[Some(0), limit], format, made);
    }

    /// Output, where it matters what is read.
    fn output(&mut self, e: ExprId, function: FunctionId) {
        let unit = &self.tree.unit;
        let ExprKind::Call { ref args, .. } = unit[e].kind else { return };
        let follows = matches!(unit.target, Target::Memory | Target::Values);
        if !follows || !is_foreign(unit, function) {
            return;
        }
        // What is a literal is a string; what is neither that nor a pointer is no matter.
        let matters = |&a: &ExprId| unit[a].ty.is_pointer() && literal(unit, a).is_none();
        // Streams are not passed on, so they must not do anything.
        let is_simple = |&a: &ExprId| match unit[a].kind {
            ExprKind::Load(place) => matches!(unit[place].kind, PlaceKind::Object(_)),
            _ => memory::is_constant(unit, a),
        };
        let name = unit[function].name.as_str();
        let name = name.strip_prefix("__builtin_").unwrap_or(name).to_owned();
        let (text, streams) = match name.as_str() {
            "puts" | "fputs" | "fputs_unlocked" => (0, 1..args.len()),
            "fwrite" | "fwrite_unlocked" => (0, 3..args.len()),
            "printf" => (0, 0..0),
            "fprintf" | "dprintf" => (1, 0..1),
            "__printf_chk" => (1, 0..1),
            "__fprintf_chk" => (2, 0..2),
            _ => return,
        };
        let Some(others) = args.get(streams).filter(|others| others.iter().all(is_simple)) else {
            return;
        };
        if !args.iter().any(|a| matters(a) && !others.contains(a)) {
            return;
        }
        let args = args.clone();
        match name.as_str() {
            "puts" | "fputs" | "fputs_unlocked" => {
                self.direct(e, "__printf_", &[], &args[..1], output::text);
            }
            "fwrite" | "fwrite_unlocked" if args.len() == 4 => {
                self.direct(e, "__fwrite_", &args[..3], &[], |name| Some(output::bytes(name)));
            }
            _ => self.made(e, function, "__printf_", &[], text, output::function),
        }
    }

    /// `sscanf` and its kin.
    fn scan(&mut self, e: ExprId, function: FunctionId) {
        let name = self.tree.unit[function].name.as_str();
        let name = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
        let (kept, format, from): (&[Option<usize>], _, _) = match name {
            "sscanf" => (&[Some(0)], 1, From::Text),
            "fscanf" => (&[Some(0)], 1, From::Stream),
            "scanf" => (&[], 0, From::Input),
            _ => return,
        };
        self.made(e, function, "__sscanf_", kept, format, |name, text| scan::function(name, text, from));
    }

    /// Directs a call to the function that is made for its format. `kept` are the arguments before it that matter.
    fn made(
        &mut self,
        e: ExprId,
        function: FunctionId,
        prefix: &str,
        kept: &[Option<usize>],
        format: usize,
        make: impl FnOnce(&str, &[u8]) -> Option<Made>,
    ) {
        let unit = &self.tree.unit;
        let ExprKind::Call { ref args, .. } = unit[e].kind else { return };
        let args = args.clone();
        let Some(text) = args.get(format).and_then(|&a| literal(unit, a)) else { return };
        if !is_foreign(unit, function) {
            return;
        }
        let kept: Vec<ExprId> = kept.iter().flatten().map(|&i| args[i]).collect();
        self.direct(e, prefix, &kept, &args[format + 1..], |name| make(name, &text));
    }

    /// Directs a call to a function that is made for it. The types of what is `kept` are known to its text, the `rest` is as
    /// its parameters say.
    fn direct(
        &mut self,
        e: ExprId,
        prefix: &str,
        kept: &[ExprId],
        rest: &[ExprId],
        make: impl FnOnce(&str) -> Option<Made>,
    ) {
        let unit = &self.tree.unit;
        let (at, result) = (unit[e].at, unit[e].ty);
        let name = format!("{prefix}{}", self.texts.len());
        let Some(Made { text, params }) = make(&name) else { return };
        if rest.len() < params.len() {
            return;
        }
        let mut passed = kept.to_vec();
        let mut types: Vec<Type> = passed.iter().map(|&a| unit[a].ty).collect();
        for (&arg, param) in rest.iter().zip(&params) {
            let Some(ty) = param.ty(unit, unit[arg].ty) else { return };
            passed.push(arg);
            types.push(ty);
        }
        let args = passed.iter().zip(&types).map(|(&arg, &ty)| self.tree.convert(arg, ty)).collect();
        let own = self.tree.declare(&name, result, types, at);
        self.tree.unit.exprs[e.index()].kind = ExprKind::Call { callee: Callee::Function(own), args };
        self.texts.push((name, text));
    }
}

/// The bytes of a string literal.
fn literal(unit: &Unit, e: ExprId) -> Option<Vec<u8>> {
    match unit[e].kind {
        ExprKind::Convert(a) => literal(unit, a),
        ExprKind::AddressOf(place) => match unit[place].kind {
            PlaceKind::String(id) => {
                let bytes = unit[id].elements.iter().take_while(|&&c| c != 0);
                bytes.map(|&c| u8::try_from(c).ok()).collect()
            }
            _ => None,
        },
        _ => None,
    }
}
