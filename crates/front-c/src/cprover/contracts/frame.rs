//! Checks of what a function assigns to and frees, where it and what it calls do.
//!
//! The contract's targets are found when the function is entered, and functions in C say of an address whether it is in one of them,
//! or in an object that came into being since ([`super::functions`]). Here each assignment in a function that may run
//! then is preceded by an assertion that asks for that. Not asked for: variables that an assignment names and that belong to the function
//! it is in. A library function that writes is asked for where it is known how much; of others a check is approximated.

use crate::tree::contexts::expressions_in;
use crate::tree::{
    Callee, ExprId, ExprKind, FunctionId, Growing, ObjectId, PlaceId, PlaceKind, Position, StmtId, StmtKind,
    Type, Unit,
};
use rustc_hash::FxHashSet;

/// The variable that says whether a function runs whose contract is enforced, by its number.
pub(super) fn active(number: usize) -> String {
    format!("tamis_in_contract_{number}")
}

/// The function that says whether bytes may be assigned to.
pub(super) fn may_assign(number: usize) -> String {
    format!("tamis_may_assign_{number}")
}

/// The function that says whether a block may be freed.
pub(super) fn may_free(number: usize) -> String {
    format!("tamis_may_free_{number}")
}

/// The function that says whether an object may be assigned to as a whole.
pub(super) fn may_havoc(number: usize) -> String {
    format!("tamis_may_havoc_{number}")
}

/// What the names of variables begin with that checks have.
const OURS: &str = "tamis_";

/// What a violation says; the texts are in the unit.
pub(super) fn told(function: &str) -> [String; 2] {
    [format!("contract of {function}: assigns"), format!("contract of {function}: frees")]
}

/// The texts as C, so that they are in the unit.
pub(super) fn told_in_c(function: &str, number: usize) -> String {
    let [assigns, frees] = told(function);
    format!("static const char *const tamis_told_{number}[2] = {{ \"{assigns}\", \"{frees}\" }}; ")
}

/// Functions that write so many bytes, both by argument.
const WRITERS: [(&str, usize, usize); 5] =
    [("memcpy", 0, 2), ("memmove", 0, 2), ("memset", 0, 2), ("__CPROVER_havoc_slice", 0, 1), ("bzero", 0, 1)];

/// Functions that write nothing that the program can name.
const READERS: [&str; 38] = [
    "malloc",
    "calloc",
    "alloca",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "memcmp",
    "memchr",
    "strchr",
    "strrchr",
    "strstr",
    "strdup",
    "abs",
    "labs",
    "abort",
    "exit",
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "fputs",
    "fflush",
    "isdigit",
    "isspace",
    "isalpha",
    "isalnum",
    "isupper",
    "islower",
    "isxdigit",
    "toupper",
    "tolower",
    "reach_error",
    "assert",
    "__assert_fail",
    "bcmp",
    "strcasecmp",
    "strncasecmp",
];

/// A program whose functions with enforced contracts are checked for what they assign to.
pub(crate) fn checked(unit: Unit, enforced: &[String]) -> Unit {
    let mut unit = unit;
    for (number, function) in enforced.iter().enumerate() {
        let named =
            |name: &str| -> Vec<FunctionId> { unit.functions().filter(|&f| unit[f].name == name).collect() };
        let (assign, free) = (named(&may_assign(number)), named(&may_free(number)));
        let havoc = named(&may_havoc(number));
        let declared = unit.stmts().filter_map(|stmt| match &unit[stmt].kind {
            StmtKind::Declare(objects) => Some(objects.iter().copied()),
            _ => None,
        });
        let statics = declared
            .flatten()
            .filter(|&object| !unit[object].is_automatic() && !unit[object].external)
            .collect();
        let body = named(&super::functions::original(function));
        let reached = reached(&unit, &body);
        let mut weaver =
            Weaver { tree: Growing::new(unit), assign, free, havoc, statics, told: told(function) };
        for function in reached {
            weaver.function(function);
        }
        unit = weaver.tree.unit;
    }
    unit
}

/// The functions that may run in calls of some, themselves among them.
fn reached(unit: &Unit, from: &[FunctionId]) -> Vec<FunctionId> {
    let taken = unit.exprs().filter_map(|e| match unit[e].kind {
        ExprKind::FunctionAddress(function) => Some(function),
        _ => None,
    });
    let taken: Vec<FunctionId> = taken.collect();
    let (mut open, mut seen, mut order) = (from.to_vec(), FxHashSet::default(), Vec::new());
    while let Some(function) = open.pop() {
        let Some(body) = unit[function].body else { continue };
        if !seen.insert(function) {
            continue;
        }
        order.push(function);
        for e in expressions_in(unit, body) {
            match unit[e].kind {
                ExprKind::Call { callee: Callee::Function(called), .. } => open.push(called),
                ExprKind::Call { .. } => open.extend(&taken),
                _ => {}
            }
        }
    }
    order.sort_unstable();
    order
}

/// Whether a member is a bit-field, which has no address.
fn is_bit_field(unit: &Unit, base: PlaceId, field: u32) -> bool {
    match unit[base].ty {
        Type::Record(record) => unit[record].fields.get(field as usize).is_some_and(|f| f.bits.is_some()),
        _ => false,
    }
}

struct Weaver {
    tree: Growing,
    assign: Vec<FunctionId>,
    free: Vec<FunctionId>,
    havoc: Vec<FunctionId>,
    /// Static variables that functions declare.
    statics: FxHashSet<ObjectId>,
    told: [String; 2],
}

impl Weaver {
    fn function(&mut self, function: FunctionId) {
        let Some(body) = self.tree.unit[function].body else { return };
        for e in expressions_in(&self.tree.unit, body) {
            let at = self.tree.unit[e].at;
            match self.tree.unit[e].kind.clone() {
                ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                    self.assignment(e, place, at)
                }
                ExprKind::Overflow { result, stores: true, .. } => {
                    let bytes = self.tree.unit.pointee(self.tree.unit[result].ty);
                    let bytes = bytes.and_then(|ty| self.tree.unit.size_of(ty)).unwrap_or(1);
                    let bytes = self.number(bytes, at);
                    if let ExprKind::Overflow { op, operands, stores, .. } = self.tree.unit[e].kind.clone() {
                        let (declared, pointer) = self.bound(result, at);
                        let result = self.tree.load(pointer, at);
                        let kind = ExprKind::Overflow { op, operands, result, stores };
                        self.before(e, kind, declared, pointer, bytes, 0);
                    }
                }
                ExprKind::Call { callee: Callee::Function(called), args } => self.call(e, called, args, at),
                _ => {}
            }
        }
    }

    fn assignment(&mut self, e: ExprId, place: PlaceId, at: Position) {
        let Some((base, path)) = self.addressed(place) else { return };
        let ty = self.tree.unit[base].ty;
        let Some(bytes) = self.tree.unit.size_of(ty) else { return };
        let pointer = self.tree.pointer(ty);
        let address = self.tree.expr(ExprKind::AddressOf(base), pointer, at);
        let (declared, object) = self.bound(address, at);
        let loaded = self.tree.load(object, at);
        let mut here = self.tree.place(PlaceKind::Deref(loaded), ty, at);
        if let Some((field, ty)) = path {
            here = self.tree.place(PlaceKind::Member { base: here, field }, ty, at);
        }
        let mut kind = self.tree.unit[e].kind.clone();
        if let ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } = &mut kind {
            *place = here;
        }
        let bytes = self.number(bytes, at);
        self.before(e, kind, declared, object, bytes, 0);
    }

    /// The place whose address says where an assignment goes, and the bit-field in it if it is one; `None` for what the
    /// function owns.
    fn addressed(&self, place: PlaceId) -> Option<(PlaceId, Option<(u32, Type)>)> {
        let unit = &self.tree.unit;
        let mut root = place;
        loop {
            match unit[root].kind {
                PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => root = base,
                PlaceKind::Object(object) if self.owned(object) => return None,
                PlaceKind::Compound(_) | PlaceKind::Value(_) => return None,
                PlaceKind::Object(_) | PlaceKind::String(_) | PlaceKind::Deref(_) => break,
            }
        }
        match unit[place].kind {
            PlaceKind::Member { base, field } if is_bit_field(unit, base, field) => {
                Some((base, Some((field, unit[place].ty))))
            }
            _ => Some((place, None)),
        }
    }

    /// Whether a variable is a function's own, or one of the checks' themselves.
    fn owned(&self, object: ObjectId) -> bool {
        let data = &self.tree.unit[object];
        data.is_automatic() || self.statics.contains(&object) || data.name.starts_with(OURS)
    }

    fn call(&mut self, e: ExprId, called: FunctionId, args: Vec<ExprId>, at: Position) {
        let data = &self.tree.unit[called];
        if data.body.is_some() {
            return;
        }
        let name = data.name.trim_start_matches("__builtin_").to_owned();
        let pointed = |arg: &ExprId| self.tree.unit.pointee(self.tree.unit[*arg].ty).is_some();
        if let Some(&(_, to, size)) = WRITERS.iter().find(|(known, ..)| *known == name)
            && let (Some(&pointer), Some(&bytes)) = (args.get(to), args.get(size))
        {
            let (first, object) = self.bound(pointer, at);
            let (second, length) = self.bound(bytes, at);
            let mut all = args.clone();
            all[to] = self.tree.load(object, at);
            all[size] = self.tree.load(length, at);
            let kind = ExprKind::Call { callee: Callee::Function(called), args: all };
            let bytes = self.tree.load(length, at);
            self.before_all(e, kind, vec![first, second], object, Some(bytes), 0);
        } else if matches!(name.as_str(), "free" | "realloc" | "__CPROVER_havoc_object") {
            let Some(&pointer) = args.first() else { return };
            let what = if name == "__CPROVER_havoc_object" { 2 } else { 1 };
            let (declared, object) = self.bound(pointer, at);
            let mut all = args.clone();
            all[0] = self.tree.load(object, at);
            let kind = ExprKind::Call { callee: Callee::Function(called), args: all };
            self.before_all(e, kind, vec![declared], object, None, what);
        } else if !READERS.contains(&name.as_str())
            && !name.starts_with("__CPROVER_")
            && !name.starts_with("__VERIFIER_")
            && args.iter().any(pointed)
        {
            self.approximated(e, at);
        }
    }

    /// Checks before an expression, whose place or argument is now a variable's.
    fn before(
        &mut self,
        e: ExprId,
        kind: ExprKind,
        declared: StmtId,
        pointer: ObjectId,
        bytes: ExprId,
        what: usize,
    ) {
        self.before_all(e, kind, vec![declared], pointer, Some(bytes), what);
    }

    fn before_all(
        &mut self,
        e: ExprId,
        kind: ExprKind,
        mut body: Vec<StmtId>,
        pointer: ObjectId,
        bytes: Option<ExprId>,
        what: usize,
    ) {
        let at = self.tree.unit[e].at;
        let ty = self.tree.unit[e].ty;
        let functions = match what {
            0 => self.assign.clone(),
            1 => self.free.clone(),
            _ => self.havoc.clone(),
        };
        for function in functions {
            let params = self.tree.unit[function].prototype.clone().unwrap_or_default();
            let mut args = Vec::new();
            for (value, param) in [Some(self.tree.load(pointer, at)), bytes].into_iter().flatten().zip(params)
            {
                args.push(self.tree.convert(value, param));
            }
            let fine = self.tree.call(function, args, at);
            body.push(self.assertion(fine, what % 2, at));
        }
        let value = self.tree.expr(kind, ty, at);
        self.replace(e, body, value, ty, at);
    }

    fn replace(&mut self, e: ExprId, mut body: Vec<StmtId>, value: ExprId, ty: Type, at: Position) {
        let value = if ty == Type::Void {
            body.push(self.tree.stmt(StmtKind::Expr(value), at));
            None
        } else {
            Some(value)
        };
        self.tree.unit.exprs[e.index()].kind = ExprKind::Block { body, value };
    }

    /// What a function writes that is not known may be more than is granted.
    fn approximated(&mut self, e: ExprId, at: Position) {
        let ty = self.tree.unit[e].ty;
        let int = Growing::int(32, true);
        let unknown = self.tree.declare("__VERIFIER_approximated_assignment", int, Vec::new(), at);
        let mut body = Vec::new();
        for function in self.assign.clone() {
            // No object is at null: it may be assigned to only where the contract does not count.
            let params = self.tree.unit[function].prototype.clone().unwrap_or_default();
            let mut args = Vec::new();
            for (value, param) in [0, 1].into_iter().zip(params) {
                args.push(self.tree.expr(ExprKind::Const(value), param, at));
            }
            let fine = self.tree.call(function, args, at);
            let fine = self.tree.convert(fine, int);
            let any = self.tree.call(unknown, Vec::new(), at);
            let either = self.tree.expr(ExprKind::LogOr(fine, any), int, at);
            body.push(self.assertion(either, 0, at));
        }
        let kind = self.tree.unit[e].kind.clone();
        let value = self.tree.expr(kind, ty, at);
        self.replace(e, body, value, ty, at);
    }

    fn assertion(&mut self, condition: ExprId, what: usize, at: Position) -> StmtId {
        let text = self.told[what].clone();
        let literals = self.tree.unit.strings.iter().enumerate();
        let is_it =
            |elements: &[u32]| elements.iter().take_while(|&&c| c != 0).map(|&c| c as u8).eq(text.bytes());
        let literal = literals
            .clone()
            .find(|(_, literal)| is_it(&literal.elements))
            .map(|(i, literal)| (i, literal.ty));
        let bool_ = Type::Bool;
        let character = Growing::int(8, true);
        let pointer = self.tree.pointer(character);
        let assert = self.tree.declare("__CPROVER_assert", Type::Void, vec![bool_, pointer], at);
        let mut args = vec![self.tree.convert(condition, bool_)];
        if let Some((index, ty)) = literal {
            let place = self.tree.place(PlaceKind::String(crate::tree::StringId(index as u32)), ty, at);
            args.push(self.tree.expr(ExprKind::AddressOf(place), pointer, at));
        }
        let call = self.tree.call(assert, args, at);
        self.tree.stmt(StmtKind::Expr(call), at)
    }

    fn number(&mut self, value: u64, at: Position) -> ExprId {
        let word = Growing::int(self.tree.unit.word(), false);
        self.tree.expr(ExprKind::Const(i128::from(value)), word, at)
    }

    /// A variable that holds a value, and its declaration.
    fn bound(&mut self, value: ExprId, at: Position) -> (StmtId, ObjectId) {
        let ty = self.tree.unit[value].ty;
        let object = self.tree.variable("(assigned)", ty, at);
        let init =
            crate::tree::Init { entries: vec![crate::tree::InitEntry { offset: 0, bits: None, value }] };
        self.tree.unit.objects[object.index()].storage = crate::tree::Storage::Automatic(Some(init));
        (self.tree.stmt(StmtKind::Declare(vec![object]), at), object)
    }
}
