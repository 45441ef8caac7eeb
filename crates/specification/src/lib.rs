//! Specifications of C programs, made monitors that are woven into them.
//!
//! | language | what it says | module |
//! | --- | --- | --- |
//! | rules | an automaton over events: what an interface may be used like (SLIC, of SLAM) | `rule` |
//! | machines | a labelled transition system: all that a function may do (MAGIC) | `machine` |
//! | formulas | linear temporal logic: its safety fragment | `ltl` |
//! | systems | components that share actions, and what they do together | [`system`] |
//!
//! Each of the first three becomes a [`Weaving`]: variables, and code at events. A specification is violated where that code calls the function
//! [`Weaving::violated`]; everything else is what programs have anyway: the search, the check of proofs, the replay.
//!
//! # Example
//!
//! ```
//! use tamis_front_c::{Options, Target, translate_source};
//! use tamis_logic::Terms;
//! use tamis_specification::rules;
//!
//! let text = "rule locks {
//!     state Free, Held;
//!     call lock { Free -> Held; Held -> error \"taken again\"; }
//!     call unlock { Held -> Free; }
//! }";
//! let locks = &rules("locks.rule", text)?[0];
//! assert_eq!(locks.name, "locks");
//! assert_eq!(locks.violation(3, 39), Some("taken again"));
//!
//! let options = Options { target: locks.target(), weaving: Some(locks.weaving.clone()), ..Options::default() };
//! let program = "void lock(void); void unlock(void); int main(void) { lock(); unlock(); lock(); return 0; }";
//! let program = translate_source("p.i", program, &options, &mut Terms::new()).expect("it is C");
//! assert!(!program.incoming(program.error()).is_empty());
//! # Ok::<(), tamis_front_c::Diagnostic>(())
//! ```

pub mod library;
pub mod ltl;
mod machine;
mod monitor;
mod names;
mod rule;
mod scanner;
pub mod system;

pub use machine::{Choice, Strategy, Stuck, Tried, machines, simulations, stand_ins};
pub use rule::rules;

use std::sync::Arc;
use tamis_front_c::{Target, Weaving};

/// A specification, ready to be woven into a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// Its name, which is that of the property.
    pub name: String,
    /// Which language it is written in.
    pub language: Language,
    /// The file that it is from.
    pub file: String,
    /// The text of that file.
    pub text: Arc<str>,
    /// What is woven into a program.
    pub weaving: Arc<Weaving>,
    /// The names of its states, in the order of their numbers, where it has one at a time.
    pub states: Vec<String>,
    /// The messages of errors, with their lines and columns in the file.
    pub errors: Vec<((u32, u32), String)>,
    /// Where a machine is to simulate a program and has choices: how it chooses, once it does.
    pub strategy: Option<Strategy>,
    /// The choices that were tried before.
    pub tried: Tried,
}

/// A language of specifications.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Automata over events.
    Rules,
    /// Labelled transition systems, by trace containment.
    Machines,
    /// Labelled transition systems, by weak simulation.
    Simulations,
    /// Linear temporal logic.
    Temporal,
}

impl Language {
    /// Its name in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rules => "rules",
            Language::Machines => "machines",
            Language::Simulations => "simulations",
            Language::Temporal => "temporal",
        }
    }
}

impl Specification {
    /// The specifications of a file in a language.
    pub fn read_all(language: &str, file: &str, text: &str) -> Result<Vec<Specification>, String> {
        let found = match language {
            "rules" => rules(file, text),
            "machines" => machines(file, text),
            "simulations" => simulations(file, text),
            "temporal" => ltl::formulas(file, text),
            _ => return Err(format!("there is no language `{}`", language.escape_debug())),
        };
        found.map_err(|error| error.to_string())
    }

    /// The same specification, with a strategy of its machine woven instead; `None` if it has no choices.
    pub fn with_strategy(&self, strategy: Strategy) -> Option<Specification> {
        let weaving = Arc::new(machine::weaving_of(self, &strategy)?);
        Some(Specification { weaving, strategy: Some(strategy), ..self.clone() })
    }

    /// The variable by which an execution tells how a machine has chosen.
    pub fn choice(&self) -> String {
        machine::choice(&self.name)
    }

    /// What a program must not reach once this is woven into it.
    pub fn target(&self) -> Target {
        Target::Call(self.weaving.violated.clone())
    }

    /// What is violated where code of a line and column of the file says so.
    pub fn violation(&self, line: u32, column: u32) -> Option<&str> {
        self.errors.iter().find(|(place, _)| *place == (line, column)).map(|(_, message)| message.as_str())
    }
}
