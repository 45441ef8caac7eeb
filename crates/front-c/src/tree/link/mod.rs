//! Several translation units as one program.
//!
//! What has external linkage is one thing under one name (C11 6.2.2); everything else is kept apart, whatever it is
//! called. Types are matched by their structure, as C matches the types of different translation units (6.2.7).

mod nodes;
mod symbols;
mod types;

use super::renumber::Renumber;
use super::{FunctionId, ObjectId, Position, TypeIds, Unit};
use nodes::Shift;
use rustc_hash::FxHashMap;
use std::fmt;
use types::TypeMap;

/// Why units do not make a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError {
    /// The file of the second of two declarations that do not go together.
    pub file: String,
    /// Where it stands, as a position of the program that was being made.
    pub at: Position,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.at.line, self.at.column, self.message)
    }
}

impl std::error::Error for LinkError {}

/// Makes one unit of several.
///
/// Positions keep their files: those of each unit follow those of the units before it in [`Unit::files`].
///
/// ```
/// use tamis_front_c::{Options, parse, tree::link};
/// let main = parse("a.i", "int twice(int); int main(void) { return twice(3); }", &Options::default())?;
/// let other = parse("b.i", "int twice(int x) { return 2 * x; }", &Options::default())?;
/// let program = link(vec![main, other]).expect("they go together");
/// assert!(program.functions().all(|f| program[f].body.is_some()));
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn link(units: Vec<Unit>) -> Result<Unit, Box<LinkError>> {
    let mut units = units.into_iter();
    let Some(first) = units.next() else { return Ok(Unit::default()) };
    if units.len() == 0 {
        return Ok(first);
    }
    let mut linker = Linker::new(&first);
    for unit in std::iter::once(first).chain(units) {
        linker.add(&unit)?;
    }
    linker.unit.settle_calls();
    Ok(linker.unit)
}

/// A program with definitions of functions of the C library. A definition need not name the types that pointers among its
/// parameters point to: the program's declaration counts.
pub(crate) fn link_library(program: Unit, definitions: Vec<Unit>) -> Result<Unit, Box<LinkError>> {
    let mut linker = Linker::new(&program);
    linker.add(&program)?;
    linker.library = true;
    for unit in definitions {
        linker.add(&unit)?;
    }
    linker.unit.settle_calls();
    Ok(linker.unit)
}

/// What an external name is.
#[derive(Clone, Copy)]
enum Symbol {
    Object(ObjectId),
    Function(FunctionId),
}

/// The program so far.
struct Linker {
    unit: Unit,
    type_ids: TypeIds,
    records: types::Records,
    symbols: FxHashMap<String, Symbol>,
    /// Whether what is added is the C library.
    library: bool,
}

impl Linker {
    fn new(first: &Unit) -> Linker {
        Linker {
            unit: Unit {
                word: first.word,
                target: first.target.clone(),
                malloc_may_fail: first.malloc_may_fail,
                ..Unit::default()
            },
            type_ids: TypeIds::default(),
            records: FxHashMap::default(),
            symbols: FxHashMap::default(),
            library: false,
        }
    }

    fn add(&mut self, from: &Unit) -> Result<(), Box<LinkError>> {
        let mut shift = Shift::new(&self.unit, TypeMap::new(from, &self.unit));
        self.unit.files.extend(from.files.iter().cloned());
        if from.word != self.unit.word {
            let at = shift.position(Position::default());
            return Err(self.error(at, "the data model is not that of the other files".to_owned()));
        }
        self.map_types(from, &mut shift.types);
        for id in from.objects() {
            let object = self.resolve_object(&from[id], &shift)?;
            shift.objects.push(object);
        }
        for id in from.functions() {
            let function = self.resolve_function(&from[id], &shift)?;
            shift.functions.push(function);
        }
        self.copy(from, &shift);
        for (id, &own) in from.objects().zip(&shift.objects) {
            self.define_object(&from[id], own, &shift)?;
        }
        for (id, &own) in from.functions().zip(&shift.functions) {
            self.define_function(&from[id], own, &shift)?;
        }
        if let Some(main) = from.main {
            self.unit.main = Some((&shift).function(main));
        }
        let ordered = |&(order, f): &(u32, FunctionId)| (order, shift.functions[f.index()]);
        self.unit.constructors.extend(from.constructors.iter().map(ordered));
        self.unit.destructors.extend(from.destructors.iter().map(ordered));
        self.define_aliases(from, &shift);
        self.unit.warnings.extend(from.warnings.iter().cloned());
        if self.unit.refused.is_none() {
            self.unit.refused = from.refused.map(|(at, what)| (shift.position(at), what));
        }
        Ok(())
    }

    fn error(&self, at: Position, message: String) -> Box<LinkError> {
        let file = self.unit.files.get(at.file as usize).cloned().unwrap_or_default();
        Box::new(LinkError { file, at, message })
    }

    /// A place in words, for a message.
    fn place(&self, at: Position) -> String {
        let file = self.unit.files.get(at.file as usize).map_or("", String::as_str);
        format!("{file}:{}:{}", at.line, at.column)
    }
}
