//! What a user can say about how a file is read.

use crate::translate::{LARGE_BLOCK, OUTSIDE, RECURSION};
use crate::tree::ERROR_LABEL_REACHED;
use crate::weave::Weaving;
use std::path::PathBuf;
use std::sync::Arc;

/// The widths of the C types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits: i386 Linux.
    Ilp32,
    /// `long` and pointers have 64 bits: x86-64 Linux.
    #[default]
    Lp64,
}

/// A macro, as the preprocessor is told of it on its command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Macro {
    /// `-D NAME[=VALUE]`.
    Define(String),
    /// `-U NAME`.
    Undefine(String),
}

/// What a program must not reach.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// A call of `reach_error` or `__VERIFIER_error`, or a failing assertion; in a program that has neither, a label
    /// `ERROR`.
    #[default]
    Errors,
    /// A call of the named function.
    Call(String),
    /// A label `ERROR`.
    Label,
    /// Nothing: what matters is whether its behaviour is [defined](tamis_program::Mark). Only then are there marks, and
    /// is all computed that C computes, needed or not. Error functions without a body, and failing assertions, end the execution.
    Nothing,
    /// Nothing, as before, where it also matters whether what is read was ever set.
    Values,
    /// Nothing, as before, where it also matters what is done with memory: where objects end, and which of them live, is
    /// then known to the automaton.
    Memory,
    /// Nothing, as before, where it matters which objects pointers are into that are ordered or subtracted.
    Pointers,
}

impl Target {
    /// Whether undefined behaviour is what counts.
    pub fn is_behaviour(&self) -> bool {
        matches!(self, Target::Nothing | Target::Values | Target::Memory | Target::Pointers)
    }

    /// Whether a call of the function is the violation, whatever its definition says.
    pub fn is_call_of(&self, function: &str) -> bool {
        match self {
            Target::Errors => matches!(function, "reach_error" | "__VERIFIER_error" | ERROR_LABEL_REACHED),
            Target::Call(name) => name == function,
            Target::Label => function == ERROR_LABEL_REACHED,
            Target::Nothing | Target::Values | Target::Memory | Target::Pointers => false,
        }
    }
}

/// A function that is called with arbitrary arguments, in the place of a `main`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub function: String,
    /// How many pointers one behind the other point to fresh objects; the next ones are null.
    pub depth: u32,
    /// How many elements these objects have.
    pub elements: u64,
    /// Whether pointers may be null instead.
    pub null: bool,
    /// Whether objects of characters end with 0.
    pub strings: bool,
    /// Whether variables with static storage hold anything, if they are not `const`.
    pub globals: bool,
}

/// What is done with contracts in CBMC's dialect.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contracts {
    /// Functions that are checked against their contracts.
    pub enforced: Vec<String>,
    /// Functions whose contracts stand for their calls.
    pub replacing: Vec<String>,
    /// Whether contracts of loops are checked.
    pub loops: bool,
}

/// What `volatile` objects hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Volatile {
    /// Whether each load of one is an input.
    pub inputs: bool,
    /// Addresses, first and last, of devices: a load from there is an input, and a store changes nothing.
    pub devices: Vec<(u64, u64)>,
}

/// How a file is read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The widths of the C types.
    pub data_model: DataModel,
    /// Folders to look for headers in, as `cc -I`.
    pub include: Vec<PathBuf>,
    /// Macros to define and to forget, in order.
    pub macros: Vec<Macro>,
    /// Headers to read before the file, as `cc -include`.
    pub before: Vec<PathBuf>,
    /// Functions whose first definition is left out, that of another file or none taking its place. A static one may be
    /// given by the name that CBMC has for it.
    pub without_body: Vec<String>,
    /// The function to begin with, if it is not `main`.
    pub entry: Option<Entry>,
    /// What must not be reached.
    pub target: Target,
    /// A specification to weave into the program.
    pub weaving: Option<Arc<Weaving>>,
    /// A compilation database, or the folder of one (`compile_commands.json`), that says how each file is compiled.
    pub database: Option<PathBuf>,
    /// The dialect that the preprocessor announces, as `cc -std=`; the compiler's own if there is none.
    pub standard: Option<String>,
    /// Whether each statement leaves an edge of its own, which says that it is reached.
    pub each_line: bool,
    /// Whether each allocation of memory may fail, as an input says.
    pub malloc_may_fail: bool,
    /// What is approximated less.
    pub refinement: Refinement,
    /// What is read from `volatile` objects, and from places of the machine.
    pub volatile: Volatile,
    /// Which contracts of functions and loops count.
    pub contracts: Contracts,
    /// Whether places in preprocessed files (`.i`) are those of the text itself, whatever its line markers say.
    pub physical: bool,
}

/// What is approximated less than at first, because a violation depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Refinement {
    /// How many times recursion is unfolded four times as deep.
    pub deepened: u32,
    /// Whether arrays within structures are not apart from the members around them.
    pub undivided: bool,
}

impl Refinement {
    /// Recursion is not unfolded [deeper](Refinement::deepened) than this.
    pub const DEEPEST: u32 = 3;

    /// A refinement that approximates less, where a program read with this one was approximated for some reasons.
    ///
    /// ```
    /// use tamis_front_c::Refinement;
    /// let refined = Refinement::default().refined(&["recursion of f deeper than 16"]).expect("deeper");
    /// assert_eq!(refined.deepened, 1);
    /// assert!(refined.refined(&["floating-point arithmetic"]).is_none());
    /// ```
    pub fn refined(self, reasons: &[impl AsRef<str>]) -> Option<Refinement> {
        let by_depth = |reason: &str| reason.starts_with(RECURSION);
        // Blocks are kept in slots where it matters how far an access in one is from its start.
        let by_division = |reason: &str| [OUTSIDE, LARGE_BLOCK].contains(&reason);
        if !self.undivided && reasons.iter().any(|reason| by_division(reason.as_ref())) {
            return Some(Refinement { undivided: true, ..self });
        }
        let deeper = !reasons.is_empty() && reasons.iter().all(|reason| by_depth(reason.as_ref()));
        (deeper && self.deepened < Refinement::DEEPEST)
            .then(|| Refinement { deepened: self.deepened + 1, ..self })
    }
}

impl Options {
    /// The same options with some more macros defined.
    pub fn define<'a>(mut self, macros: impl IntoIterator<Item = &'a str>) -> Options {
        self.macros.extend(macros.into_iter().map(|m| Macro::Define(m.to_owned())));
        self
    }
}
