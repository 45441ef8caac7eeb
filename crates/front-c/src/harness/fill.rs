//! Arbitrary values, type by type, as statements of C.
//!
//! | type | what it gets |
//! | --- | --- |
//! | a number | any value, from a `__VERIFIER_nondet_…` of its type |
//! | a struct, an array | its members and elements; long arrays of numbers all at once |
//! | a union | its bytes; with pointers in it, one of its members |
//! | a pointer to data | a fresh object, filled in the same way; null at the depth that is the limit, and where what it points to has no size |
//! | a pointer to a function | one of the functions of that type in the program; null if there is none, or if null is wanted too |

use crate::options::Entry;
use crate::tree::{Array, FloatType, Function, RecordId, Type, Unit};
use std::collections::BTreeSet;

/// Longer arrays are filled by a loop, or all at once.
const SPELLED_OUT: u64 = 16;

/// More statements are not written: what is left keeps its initial value.
const STATEMENTS: usize = 20_000;

/// Writes statements.
pub(super) struct Filler<'a> {
    unit: &'a Unit,
    entry: &'a Entry,
    /// Whether assignments go through casts, as what is assigned may be `const`.
    casts: bool,
    out: Vec<String>,
    written: usize,
    /// The declarations that are needed.
    needed: BTreeSet<(&'static str, &'static str)>,
    named: usize,
    open: Vec<String>,
}

impl<'a> Filler<'a> {
    pub(super) fn new(unit: &'a Unit, entry: &'a Entry, casts: bool) -> Filler<'a> {
        Filler {
            unit,
            entry,
            casts,
            out: Vec::new(),
            written: 0,
            needed: BTreeSet::new(),
            named: 0,
            open: Vec::new(),
        }
    }

    /// Fills a variable.
    pub(super) fn fill(&mut self, place: &str, ty: Type, shown: &str) {
        self.value(place, ty, self.entry.depth, shown);
    }

    /// The statements since the last time.
    pub(super) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.out)
    }

    /// The program goes on behind the call, so that nothing is lost.
    pub(super) fn end(&mut self) -> String {
        let name = self.call("__VERIFIER_assume", "void __VERIFIER_assume(int)");
        format!("{name}(0); // a program would go on here")
    }

    /// What is left open.
    pub(super) fn open(&mut self) -> Vec<String> {
        std::mem::take(&mut self.open)
    }

    /// Declarations of what the statements call, as far as the text has none.
    pub(super) fn declarations(&self, text: &str) -> Vec<String> {
        let declared = |name: &str| crate::cprover::mentions(text, name);
        self.needed
            .iter()
            .filter(|(name, _)| !declared(name))
            .map(|(_, declaration)| format!("{declaration};"))
            .collect()
    }

    fn say(&mut self, line: String) {
        self.written += 1;
        if self.written == STATEMENTS {
            self.open.push("what is not assigned has its initial value: there is too much of it".to_owned());
        }
        if self.written < STATEMENTS {
            self.out.push(line);
        }
    }

    fn call(&mut self, name: &'static str, declaration: &'static str) -> &'static str {
        self.needed.insert((name, declaration));
        name
    }

    fn assign(&mut self, place: &str, base: &str, value: &str) {
        match self.casts && !base.is_empty() {
            true => self.say(format!("*({base} *)&({place}) = {value};")),
            false => self.say(format!("{place} = {value};")),
        }
    }

    fn value(&mut self, place: &str, ty: Type, depth: u32, shown: &str) {
        if self.written >= STATEMENTS {
            return;
        }
        match ty {
            Type::Bool | Type::Int(_) => {
                let Some((base, name, declaration)) = number(self.unit, ty) else {
                    return self.leave(shown, "a number of this width");
                };
                let call = self.call(name, declaration);
                self.assign(place, base, &format!("{call}()"));
            }
            Type::Float(float) => {
                let (base, name, declaration) = match float {
                    FloatType::Single => {
                        ("float", "__VERIFIER_nondet_float", "float __VERIFIER_nondet_float(void)")
                    }
                    FloatType::Double | FloatType::Extended => {
                        ("", "__VERIFIER_nondet_double", "double __VERIFIER_nondet_double(void)")
                    }
                    _ => return self.leave(shown, "a number of this format"),
                };
                let call = self.call(name, declaration);
                self.assign(place, base, &format!("{call}()"));
            }
            Type::Pointer { to, .. } => self.pointer(place, ty, self.unit[to], depth, shown),
            Type::Array(array) => {
                let Array { element, length } = self.unit[array];
                match length {
                    Some(length) => self.elements(place, element, length, depth, shown),
                    None => self.leave(shown, "an array without a length"),
                }
            }
            Type::Record(record) => self.record(place, record, depth, shown),
            Type::Void | Type::Function(_) => {}
            Type::Other(what) => self.leave(shown, what),
        }
    }

    fn leave(&mut self, shown: &str, what: &str) {
        self.open.push(format!("{shown} is not set: {what}"));
    }

    fn elements(&mut self, place: &str, element: Type, length: u64, depth: u32, shown: &str) {
        let size = self.unit.size_of(element);
        if length > SPELLED_OUT
            && self.is_plain(element)
            && let Some(bytes) = size.and_then(|size| size.checked_mul(length))
        {
            let name =
                self.call("__CPROVER_havoc_slice", "void __CPROVER_havoc_slice(void *, __SIZE_TYPE__)");
            return self.say(format!("{name}((void *)({place}), {bytes});"));
        }
        if length <= SPELLED_OUT {
            for i in 0..length {
                self.value(&format!("{place}[{i}]"), element, depth, &format!("{shown}[{i}]"));
            }
            return;
        }
        self.named += 1;
        let index = format!("i{}", self.named);
        self.say(format!("for (unsigned long {index} = 0; {index} < {length}; {index}++) {{"));
        self.value(&format!("{place}[{index}]"), element, depth, &format!("{shown}[…]"));
        self.say("}".to_owned());
    }

    fn record(&mut self, place: &str, record: RecordId, depth: u32, shown: &str) {
        let data = &self.unit[record];
        let Some(size) = data.size else { return self.leave(shown, "its type is incomplete") };
        if data.union && !data.fields.iter().any(|field| !self.is_plain(field.ty)) {
            if size > 0 {
                let name =
                    self.call("__CPROVER_havoc_slice", "void __CPROVER_havoc_slice(void *, __SIZE_TYPE__)");
                self.say(format!("{name}((void *)&({place}), {size});"));
            }
            return;
        }
        let fields: Vec<_> = data.fields.to_vec();
        if data.union {
            let choice = self.call("__VERIFIER_nondet_uint", "unsigned __VERIFIER_nondet_uint(void)");
            self.say(format!("switch ({choice}()) {{"));
            let last = fields.iter().rposition(|field| field.name.is_some());
            for (i, field) in fields.iter().enumerate() {
                let Some(name) = &field.name else { continue };
                let label = if Some(i) == last { "default:".to_owned() } else { format!("case {i}:") };
                self.say(format!("{label} {{"));
                self.value(&member(place, name), field.ty, depth, &member(shown, name));
                self.say("break; }".to_owned());
            }
            return self.say("}".to_owned());
        }
        for field in fields {
            match (&field.name, field.ty) {
                (Some(_), Type::Array(array)) if self.unit[array].length.is_none_or(|length| length == 0) => {
                }
                (Some(name), ty) => {
                    let (place, shown) = (member(place, name), member(shown, name));
                    match field.bits {
                        // Nothing has the address of a bit-field.
                        Some(_) => {
                            let casts = std::mem::replace(&mut self.casts, false);
                            self.value(&place, ty, depth, &shown);
                            self.casts = casts;
                        }
                        None => self.value(&place, ty, depth, &shown),
                    }
                }
                // The members of one without a name are named like its neighbours.
                (None, Type::Record(inner)) => self.record(place, inner, depth, shown),
                (None, _) => {}
            }
        }
    }

    fn pointer(&mut self, place: &str, pointer: Type, to: Type, depth: u32, shown: &str) {
        if let Type::Function(_) = to {
            return self.function(place, pointer, shown);
        }
        let known = match to {
            Type::Void => true,
            to => self.unit.size_of(to).is_some_and(|size| size > 0),
        };
        if depth == 0 || !known {
            self.assign(place, "void *", "0");
            let why = if known { "the limit of depth" } else { "what it points to has no size" };
            return self.open.push(format!("{shown} is null: {why}"));
        }
        let count = self.entry.elements.max(1);
        if self.entry.null {
            let choice = self.call("__VERIFIER_nondet_bool", "_Bool __VERIFIER_nondet_bool(void)");
            self.say(format!("if ({choice}()) {{"));
            self.assign(place, "void *", "0");
            self.say("} else {".to_owned());
        }
        self.named += 1;
        let kept = format!("tamis_object_{}", self.named);
        let size = match (to, count) {
            (Type::Void, count) => count.to_string(),
            (_, 1) => format!("sizeof *{place}"),
            (_, count) => format!("{count} * sizeof *{place}"),
        };
        self.call("malloc", "void *malloc(__SIZE_TYPE__)");
        self.call("__VERIFIER_assume", "void __VERIFIER_assume(int)");
        // The block is pointed to as long as the program runs: it is no leak.
        self.say(format!("static void *{kept};"));
        self.say(format!("{kept} = malloc({size});"));
        self.say(format!("__VERIFIER_assume({kept} != 0);"));
        self.assign(place, "void *", &kept);
        let text = matches!(to, Type::Int(int) if int.bits == 8) && self.entry.strings;
        match to {
            Type::Void => self.elements(&format!("((unsigned char *){kept})"), BYTE, count, depth - 1, shown),
            to if count == 1 => self.value(&format!("(*{place})"), to, depth - 1, &format!("(*{shown})")),
            to => self.elements(place, to, count, depth - 1, shown),
        }
        if text {
            self.say(format!("((char *){kept})[{}] = 0;", count - 1));
        }
        if self.entry.null {
            self.say("}".to_owned());
        }
    }

    fn function(&mut self, place: &str, pointer: Type, shown: &str) {
        let Some(Type::Function(signature)) = self.unit.pointee(pointer) else { return };
        let wanted = &self.unit[signature];
        let fits = |function: &Function| {
            function.body.is_some()
                && self.unit[function.signature] == *wanted
                && function.name != super::OTHER_MAIN
                && function.external
        };
        let names: Vec<String> = self
            .unit
            .functions()
            .filter(|&f| {
                fits(&self.unit[f]) || self.unit[f].name == self.entry.function && fits(&self.unit[f])
            })
            .map(|f| self.unit[f].name.clone())
            .collect();
        if names.is_empty() {
            self.assign(place, "void *", "0");
            return self.open.push(format!(
                "{shown} is null: the program has no function of its type that other files can name"
            ));
        }
        let null = if self.entry.null { "null or " } else { "" };
        self.open.push(format!("{shown} is {null}one of {}", names.join(", ")));
        let choice = self.call("__VERIFIER_nondet_uint", "unsigned __VERIFIER_nondet_uint(void)");
        self.say(format!("switch ({choice}()) {{"));
        if self.entry.null {
            self.say("case 0:".to_owned());
            self.assign(place, "void *", "0");
            self.say("break;".to_owned());
        }
        for (i, name) in names.iter().enumerate() {
            let label = if i + 1 == names.len() { "default:".to_owned() } else { format!("case {}:", i + 1) };
            self.say(format!("{label} {{"));
            if !self.entry.function.eq(name) {
                // It may not be declared where the harness stands.
                self.say(format!("extern __typeof__(*{place}) {name};"));
            }
            self.assign(place, "void *", name);
            self.say("break; }".to_owned());
        }
        self.say("}".to_owned());
    }

    /// Whether any bytes are values of a type.
    fn is_plain(&self, ty: Type) -> bool {
        match ty {
            Type::Int(_) | Type::Float(FloatType::Single | FloatType::Double) => true,
            Type::Array(array) => self.is_plain(self.unit[array].element),
            Type::Record(record) => self.unit[record].fields.iter().all(|field| self.is_plain(field.ty)),
            _ => false,
        }
    }
}

/// `unsigned char`.
const BYTE: Type = Type::Int(tamis_program::IntType { bits: 8, signed: false });

/// A member of what stands at a place.
fn member(place: &str, name: &str) -> String {
    match place.strip_prefix("(*").and_then(|rest| rest.strip_suffix(')')) {
        Some(pointer) if !pointer.contains(['(', ' ']) => format!("{pointer}->{name}"),
        _ => format!("{place}.{name}"),
    }
}

/// The type of a number in C, and the function that gives any.
fn number(unit: &Unit, ty: Type) -> Option<(&'static str, &'static str, &'static str)> {
    let Type::Int(int) = ty else {
        return Some(("_Bool", "__VERIFIER_nondet_bool", "_Bool __VERIFIER_nondet_bool(void)"));
    };
    Some(match (int.bits, int.signed, unit.word()) {
        (8, true, _) => ("signed char", "__VERIFIER_nondet_char", "char __VERIFIER_nondet_char(void)"),
        (8, false, _) => {
            ("unsigned char", "__VERIFIER_nondet_uchar", "unsigned char __VERIFIER_nondet_uchar(void)")
        }
        (16, true, _) => ("short", "__VERIFIER_nondet_short", "short __VERIFIER_nondet_short(void)"),
        (16, false, _) => {
            ("unsigned short", "__VERIFIER_nondet_ushort", "unsigned short __VERIFIER_nondet_ushort(void)")
        }
        (32, true, _) => ("int", "__VERIFIER_nondet_int", "int __VERIFIER_nondet_int(void)"),
        (32, false, _) => ("unsigned", "__VERIFIER_nondet_uint", "unsigned __VERIFIER_nondet_uint(void)"),
        (64, true, 64) => ("long", "__VERIFIER_nondet_long", "long __VERIFIER_nondet_long(void)"),
        (64, false, 64) => {
            ("unsigned long", "__VERIFIER_nondet_ulong", "unsigned long __VERIFIER_nondet_ulong(void)")
        }
        (64, true, _) => {
            ("long long", "__VERIFIER_nondet_longlong", "long long __VERIFIER_nondet_longlong(void)")
        }
        (64, false, _) => (
            "unsigned long long",
            "__VERIFIER_nondet_ulonglong",
            "unsigned long long __VERIFIER_nondet_ulonglong(void)",
        ),
        (128, true, _) => ("__int128", "__VERIFIER_nondet_int128", "__int128 __VERIFIER_nondet_int128(void)"),
        (128, false, _) => (
            "unsigned __int128",
            "__VERIFIER_nondet_uint128",
            "unsigned __int128 __VERIFIER_nondet_uint128(void)",
        ),
        _ => return None,
    })
}
