//! Calls: arguments become parameters, and results values.

use super::super::constant;
use super::super::nodes::Pointer;
use super::super::regions::SMALL_PIECE;
use super::{Analysis, Site, Thing, UndefinedCall, is_aggregate, width};
use crate::tree::{Callee, ExprId, ExprKind, FunctionId, SignatureId, Type, Unit};
use rustc_hash::FxHashSet;

/// What a library function does with pointers, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Library {
    /// Returns fresh memory.
    Allocates,
    /// Returns fresh memory with the contents of the old.
    Reallocates,
    /// Copies from the second argument to the first, which it returns.
    Copies,
    /// Fills what the first argument points to, and returns it.
    Fills,
    /// Makes so many bytes behind its argument arbitrary.
    Havocs,
    /// Makes the object that its argument points into arbitrary.
    HavocsObject,
    /// Nothing.
    Frees,
}

/// What a call through a pointer may reach.
#[derive(Debug)]
pub(crate) struct Callees {
    /// The functions of a fitting type.
    pub(crate) functions: Vec<FunctionId>,
    /// Whether there may be functions of other translation units.
    pub(crate) others: bool,
    /// The functions of a type that does not fit.
    pub(crate) mistyped: Vec<FunctionId>,
}

/// What a function that the program does not define does with pointers.
pub(crate) fn library(unit: &Unit, function: FunctionId) -> Option<Library> {
    let data = &unit[function];
    if data.body.is_some() {
        return None;
    }
    let name = data.name.strip_prefix("__builtin_").unwrap_or(&data.name);
    Some(match name {
        "malloc" | "calloc" | "alloca" | "aligned_alloc" | "memalign" | "valloc" => Library::Allocates,
        "realloc" => Library::Reallocates,
        "memcpy" | "memmove" | "mempcpy" => Library::Copies,
        "memset" => Library::Fills,
        "free" | "cfree" => Library::Frees,
        "__CPROVER_havoc_slice" | "__VERIFIER_nondet_memory" => Library::Havocs,
        "__CPROVER_havoc_object" => Library::HavocsObject,
        _ => return None,
    })
}

/// Functions of the C library that connect what their arguments point to.
const LINKING: [&str; 37] = [
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtoimax",
    "strtoumax",
    "strtod",
    "strtof",
    "strtold",
    "strpbrk",
    "strsep",
    "strtok",
    "strtok_r",
    "__strtok_r",
    "strcasestr",
    "memrchr",
    "rawmemchr",
    "strchrnul",
    "memmem",
    "memccpy",
    "bcopy",
    "swab",
    "insque",
    "remque",
    "index",
    "rindex",
    "basename",
    "__xpg_basename",
    "dirname",
    "realpath",
    "getcwd",
    "fgets",
    "getline",
    "getdelim",
    "wcstol",
    "wcstok",
    "setvbuf",
];

impl Analysis<'_> {
    /// Binds the calls through pointers to targets that have become known.
    pub(super) fn bind_sites(&mut self) -> bool {
        let mut news = false;
        for i in 0..self.sites.len() {
            let target = self.nodes.resolve(self.sites[i].target);
            let functions = self.nodes.data(target.node).functions.clone();
            for function in functions {
                if !self.sites[i].bound.insert(function) {
                    continue;
                }
                news = true;
                if fits(self.unit, self.sites[i].signature, function) {
                    self.bind(self.sites[i].call, function);
                } else {
                    self.bind_loosely(self.sites[i].call, function);
                }
            }
        }
        news
    }

    /// What a call through a pointer may reach.
    pub(in crate::memory) fn callees(&mut self, call: ExprId) -> Callees {
        let unit = self.unit;
        let Some(site) = self.sites.iter().find(|s| s.call == call) else {
            return Callees { functions: Vec::new(), others: true, mistyped: Vec::new() };
        };
        let (target, signature) = (site.target, site.signature);
        let target = self.nodes.resolve(target);
        let data = self.nodes.data(target.node);
        let mut all = data.functions.clone();
        all.sort_unstable();
        let (functions, mistyped) = all.into_iter().partition(|&f| fits(unit, signature, f));
        Callees { functions, others: data.is_elsewhere() || data.number, mistyped }
    }

    /// The calls that have been visited.
    pub(in crate::memory) fn calls(&self) -> Vec<(ExprId, Callee)> {
        let calls = self.exprs.keys().filter_map(|&e| match self.unit[e].kind {
            ExprKind::Call { callee, .. } => Some((e, callee)),
            _ => None,
        });
        calls.collect()
    }

    pub(super) fn call(&mut self, e: ExprId, callee: Callee, args: &[ExprId]) -> Option<Pointer> {
        for &arg in args {
            self.expr(arg);
        }
        let unit = self.unit;
        match callee {
            Callee::Pointer(pointer, signature) => {
                let target = self.expr(pointer).unwrap_or_else(|| {
                    let at = self.nodes.fresh();
                    self.nodes.data(at.node).external = true;
                    at
                });
                let bound = FxHashSet::default();
                self.sites.push(Site { call: e, target, signature, bound, unknown: false });
                if is_aggregate(unit[e].ty) {
                    return None;
                }
                let at = self.thing(Thing::Value(e));
                self.load(at, unit[e].ty)
            }
            Callee::Function(function) => match library(unit, function) {
                Some(Library::Allocates) => {
                    let at = self.thing(Thing::Allocated(e));
                    if unit[function].name.ends_with("calloc") {
                        self.large_piece(Some(at), args);
                    }
                    Some(at)
                }
                Some(Library::Reallocates) => {
                    let at = self.thing(Thing::Allocated(e));
                    self.large_pieces.push(at);
                    if let Some(old) = args.first().and_then(|&a| self.expr(a)) {
                        self.nodes.unify(at, old);
                    }
                    Some(at)
                }
                Some(Library::Copies) => {
                    let to = args.first().and_then(|&a| self.expr(a));
                    let from = args.get(1).and_then(|&a| self.expr(a));
                    let at = self.either(to, from);
                    self.large_piece(at, args.get(2..).unwrap_or_default());
                    if unit[function].name.ends_with("mempcpy") { at.map(|at| self.moved(at, 1)) } else { at }
                }
                Some(library @ (Library::Fills | Library::Havocs | Library::HavocsObject)) => {
                    let at = args.first().and_then(|&a| self.expr(a));
                    self.large_piece(at, args.get(1..).unwrap_or_default());
                    at.filter(|_| library == Library::Fills)
                }
                Some(Library::Frees) => None,
                None => {
                    self.bind(e, function);
                    if unit[function].body.is_none() {
                        self.link(function, args);
                    }
                    let at = self.thing(Thing::Result(function));
                    (!is_aggregate(unit[e].ty)).then(|| self.nodes.target(at))
                }
            },
        }
    }

    /// Notes a piece of memory that is moved or filled as a whole, if what its size is the product of is not small and
    /// constant.
    fn large_piece(&mut self, at: Option<Pointer>, size: &[ExprId]) {
        let factors = size.iter().map(|&e| constant(self.unit, e));
        let size = factors.reduce(|a, b| a?.checked_mul(b?)).flatten();
        if !size.is_some_and(|size| (0..=SMALL_PIECE).contains(&size)) {
            self.large_pieces.extend(at);
        }
    }

    /// A piece of memory of unknown size is not divided: it is moved or filled element by element.
    pub(super) fn settle_pieces(&mut self) -> bool {
        let mut changed = false;
        for i in 0..self.large_pieces.len() {
            let at = self.nodes.resolve(self.large_pieces[i]);
            if !self.nodes.data(at.node).parts.is_empty() {
                self.nodes.collapse_parts(at.node);
                changed = true;
            }
        }
        changed
    }

    /// Arguments become parameters, and the result the value of the call.
    pub(super) fn bind(&mut self, call: ExprId, function: FunctionId) {
        let unit = self.unit;
        let ExprKind::Call { callee, ref args } = unit[call].kind else { return };
        let data = &unit[function];
        if data.body.is_some() && self.reached.insert(function) {
            self.work.push(function);
        }
        for (i, &arg) in args.iter().enumerate() {
            let ty = unit[arg].ty;
            match data.params.get(i) {
                Some(&param) if is_aggregate(ty) => {
                    let (to, from) = (self.thing(Thing::Object(param)), self.value(arg));
                    self.copy(to, from, ty);
                }
                Some(&param) => {
                    let value = self.expr(arg);
                    let to = self.thing(Thing::Object(param));
                    self.access(to, unit[param].ty, None);
                    self.store(to, value);
                }
                None if data.body.is_some() => {
                    self.expr(arg);
                    let to = self.variadic();
                    for value in self.pointers_in(&[arg]) {
                        self.store(to, Some(value));
                    }
                }
                None => self.given(function, arg),
            }
        }
        let from = self.thing(Thing::Result(function));
        if data.body.is_none() {
            self.undefined_call(call, function);
            self.nodes.data(from.node).external = true;
            if data.result.is_pointer() {
                let target = self.nodes.target(from);
                self.nodes.data(target.node).external = true;
            }
        }
        if let Callee::Pointer(..) = callee {
            let to = self.thing(Thing::Value(call));
            if is_aggregate(unit[call].ty) {
                self.copy(to, from, unit[call].ty);
            } else if self.holds_address(unit[call].ty) {
                let value = self.nodes.target(from);
                self.store(to, Some(value));
            }
        }
    }

    /// A call of a function of another type: its parameters hold what is in the place of an argument, or what is known
    /// to nobody.
    fn bind_loosely(&mut self, call: ExprId, function: FunctionId) {
        let unit = self.unit;
        let ExprKind::Call { ref args, .. } = unit[call].kind else { return };
        let data = &unit[function];
        if data.body.is_some() && self.reached.insert(function) {
            self.work.push(function);
        }
        for (i, &param) in data.params.iter().enumerate() {
            let to = self.thing(Thing::Object(param));
            self.reach(to.node);
            let passed = args.get(i).filter(|_| !is_aggregate(unit[param].ty));
            let value = passed.and_then(|&arg| self.expr(arg));
            self.store(to, value);
        }
        self.undefined_call(call, function);
        let value = self.thing(Thing::Value(call));
        self.reach(value.node);
        if self.holds_address(unit[call].ty) && self.holds_address(data.result) {
            let from = self.thing(Thing::Result(function));
            let result = self.nodes.target(from);
            self.store(value, Some(result));
        }
    }

    fn undefined_call(&mut self, call: ExprId, function: FunctionId) {
        if self.undefined.contains(&function) {
            self.undefined_calls.push(UndefinedCall { call, returns: !self.unit[function].noreturn });
        }
    }

    /// What functions of the C library do with pointers that are not modelled otherwise: they store pointers into one
    /// argument's object in another's, return pointers into arguments, or write addresses as text and read them.
    fn link(&mut self, function: FunctionId, args: &[ExprId]) {
        let unit = self.unit;
        let name = unit[function].name.as_str();
        let pointers: Vec<Pointer> = args.iter().filter_map(|&a| self.expr(a)).collect();
        if name.ends_with("scanf") {
            for at in pointers {
                let read = self.nodes.target(at);
                self.nodes.data(read.node).number = true;
            }
        } else if name.ends_with("printf") {
            self.given.extend(pointers);
        } else if LINKING.contains(&name) {
            let mut linked = pointers.clone();
            for (&arg, &at) in args.iter().filter(|&&a| self.exprs[&a].is_some()).zip(&pointers) {
                let contents =
                    unit.pointee(unit[arg].ty).is_none_or(|to| to.is_pointer() || to == Type::Void);
                if contents {
                    linked.push(self.nodes.target(at));
                }
            }
            if unit[function].result.is_pointer() {
                let result = self.thing(Thing::Result(function));
                linked.push(self.nodes.target(result));
            }
            for pair in linked.windows(2) {
                let (a, b) = (self.moved(pair[0], 1), self.moved(pair[1], 1));
                self.nodes.unify(a, b);
            }
        }
    }

    /// A function that is defined elsewhere gets a pointer: what it returns of that type may be the same.
    fn given(&mut self, function: FunctionId, arg: ExprId) {
        let ty = self.unit[arg].ty;
        let Some(value) = self.expr(arg) else { return };
        if ty.is_pointer() && ty == self.unit[function].result && self.unit.pointee(ty) != Some(Type::Void) {
            let result = self.thing(Thing::Result(function));
            self.store(result, Some(value));
        }
    }
}

/// Whether a function may be called as one of the type: the classes of the parameters and of the result agree.
fn fits(unit: &Unit, signature: SignatureId, function: FunctionId) -> bool {
    let (wanted, data) = (&unit[signature], &unit[function]);
    let class = |ty: Type| match ty {
        Type::Bool | Type::Int(_) | Type::Pointer { .. } => (0, ty.int().map_or(0, |int| int.bits)),
        Type::Float(_) => (1, width(unit, ty)),
        Type::Record(record) => (2, record.index() as u32),
        _ => (3, 0),
    };
    let params = match (&wanted.params, &data.prototype) {
        (Some(a), Some(b)) => {
            (a.len() == b.len() || (data.variadic && a.len() >= b.len()))
                && a.iter().zip(b).all(|(&a, &b)| class(a) == class(b))
        }
        _ => true,
    };
    params && (wanted.result == Type::Void || class(wanted.result) == class(data.result))
}
