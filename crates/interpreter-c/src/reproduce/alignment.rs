//! What the two semantics of a program have in common: the assignments to plain variables.
//!
//! The interpreter and the automaton know different objects at different addresses, and their steps differ. But both
//! assign the same values to the same scalar variables in the same order. That is how a moment of one run is found in
//! the other.

use crate::interpreter::Value as CValue;
use rustc_hash::FxHashSet;
use tamis_front_c::is_library_text;
use tamis_front_c::tree::{ExprKind, FunctionId, ObjectId, PlaceId, PlaceKind, Storage, Type, Unit};
use tamis_logic::Bits;
use tamis_program::{Command, Edge, Havoc, Program, Var};

/// The names that only scalar variables have whose address is never taken: an assignment to one shows by its name.
#[derive(Clone, Debug)]
pub struct PlainNames {
    names: FxHashSet<String>,
    /// Where variables are declared that have a value before `main`.
    statics: FxHashSet<(String, u32, u32)>,
    /// The program's own functions, by number and by name.
    functions: (FxHashSet<FunctionId>, FxHashSet<String>),
}

impl PlainNames {
    /// Those of a program.
    pub fn new(unit: &Unit) -> PlainNames {
        let mut addressed = FxHashSet::default();
        for e in unit.exprs() {
            if let ExprKind::AddressOf(place) = unit[e].kind {
                addressed.extend(variable(unit, place));
            }
        }
        // The automaton lets pointers that are defined elsewhere point to variables that other units can name.
        let pointed = unit.objects().any(|o| {
            unit[o].storage == Storage::Elsewhere && !matches!(unit[o].ty, Type::Bool | Type::Int(_))
        });
        let (mut names, mut others) = (FxHashSet::default(), FxHashSet::default());
        let mut statics = FxHashSet::default();
        for object in unit.objects() {
            let data = &unit[object];
            let scalar = matches!(data.ty, Type::Bool | Type::Int(_) | Type::Pointer { .. });
            let shown = pointed && data.external && !data.is_automatic();
            let plain = scalar && !shown && !addressed.contains(&object);
            if plain { &mut names } else { &mut others }.insert(data.name.clone());
            if !matches!(data.storage, Storage::Automatic(_)) {
                let file = unit.files().get(data.at.file as usize).cloned().unwrap_or_default();
                statics.insert((file, data.at.line, data.at.column));
            }
        }
        names.retain(|name| !others.contains(name) && !name.is_empty());
        let is_own = |&f: &FunctionId| {
            let Some(body) = unit[f].body else { return false };
            let file = unit.files().get(unit[body].at.file as usize);
            !file.is_some_and(|file| is_library_text(file))
        };
        let functions: FxHashSet<FunctionId> = unit.functions().filter(is_own).collect();
        let called = functions.iter().map(|&f| unit[f].name.clone()).collect();
        PlainNames { names, statics, functions: (functions, called) }
    }

    /// Whether an assignment in a function is one to a variable of these names. What a library function that is told in C does within
    /// it is none: the interpreter has its own way to do the same.
    pub fn is_told(&self, name: &str, function: Option<FunctionId>) -> bool {
        self.names.contains(name) && function.is_none_or(|f| self.functions.0.contains(&f))
    }

    /// Whether an edge may belong to what happens before `main`.
    fn is_before_main(&self, program: &Program, edge: &Edge) -> bool {
        let source = edge.source;
        let place = || (program.file(source.file).to_owned(), source.line, source.column);
        source.line == 0 || self.statics.contains(&place())
    }

    /// How many of the first edges of an execution belong to what happens before `main`.
    pub fn before_main<'a>(&self, program: &Program, edges: impl Iterator<Item = &'a Edge>) -> usize {
        edges.take_while(|edge| self.is_before_main(program, edge)).count()
    }

    /// Whether what an edge does to a variable is an assignment that the interpreter reports too. It does not report
    /// the values that parameters get, nor those of variables that come into being without one.
    pub fn is_assignment(&self, program: &Program, edge: &Edge, v: Var) -> bool {
        let (variable, here) = (program.variable(v), program.frame_of(edge.from));
        let arises = match &edge.command {
            // A function that returns no value leaves its caller's variable arbitrary, and that is an assignment.
            Command::Havoc(_, Havoc::Uninitialised) => variable.frame == Some(here),
            Command::Havoc(_, Havoc::Input(name)) => *name == variable.name,
            _ => false,
        };
        let passed = variable
            .frame
            .is_some_and(|frame| program.frame(frame).caller.is_some_and(|(caller, _)| caller == here));
        let owner = &program.frame(variable.frame.unwrap_or(here)).function;
        let own = self.functions.1.contains(owner);
        !variable.temporary && !arises && !passed && own && self.names.contains(&variable.name)
    }
}

fn variable(unit: &Unit, mut place: PlaceId) -> Option<ObjectId> {
    loop {
        match unit[place].kind {
            PlaceKind::Object(object) | PlaceKind::Compound(object) => return Some(object),
            PlaceKind::Member { base, .. } | PlaceKind::Index { base, .. } => place = base,
            _ => return None,
        }
    }
}

/// Whether a value of the interpreter is the one that the automaton has.
pub fn same_value(c: CValue, found: &Bits) -> bool {
    match c {
        // Objects are at other addresses.
        CValue::Address(address) => (address == 0) == found.is_zero(),
        CValue::Float(number) if number.is_nan() => true,
        _ => value_bits(c, found.width()) == *found,
    }
}

/// A value of the interpreter in so many bits.
pub fn value_bits(value: CValue, width: u32) -> Bits {
    match value {
        CValue::Int(v) => Bits::from_signed(width, v),
        CValue::Unsigned(v) => Bits::new(width, v),
        CValue::Address(v) => Bits::new(width, v.into()),
        CValue::Float(v) if width == 32 => Bits::new(width, (v as f32).to_bits().into()),
        CValue::Float(v) => Bits::new(width, v.to_bits().into()),
    }
}
