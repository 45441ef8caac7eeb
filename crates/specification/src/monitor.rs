//! The parts that all monitors have.

use tamis_diagnostics::Diagnostic;
use tamis_front_c::{Act, Event, Hook, Piece, StandIn, Variable, Way, Weaving};

/// Code that no specification says.
const OURS: &str = "<specification>";

/// A piece of our own code.
pub fn ours(text: impl Into<String>) -> Piece {
    Piece { text: text.into(), file: OURS.to_owned(), line: 1 }
}

/// The function that is called where a specification is violated.
pub fn violated(specification: &str) -> String {
    format!("{specification}$violated")
}

/// A variable of a C type of ours.
pub fn variable(ty: &str, name: String, init: Option<String>) -> Variable {
    Variable { ty: ours(ty), name, init: init.map(ours) }
}

/// A monitor that is being made.
pub struct Monitor {
    weaving: Weaving,
}

impl Monitor {
    pub fn new(specification: &str) -> Monitor {
        Monitor { weaving: Weaving { violated: violated(specification), ..Weaving::default() } }
    }

    pub fn variable(&mut self, variable: Variable) {
        self.weaving.variables.push(variable);
    }

    /// A function that is called.
    pub fn function(&mut self, before: String, ty: Piece, after: &str) {
        self.weaving.declarations.extend([ours(before), ty, ours(after)]);
    }

    /// A function that, where it has no body, gives any result that fulfils a condition and changes nothing.
    pub fn stub(&mut self, function: &str, place: Diagnostic, when: Option<Piece>) {
        let states = vec![vec![Way { act: Act::Return(when), to: 0 }]];
        self.weaving.stand_ins.push(StandIn {
            function: function.to_owned(),
            place,
            states,
            only_if_undefined: true,
        });
    }

    /// Code at an event; `certain` tells whether the event is named as one, so that one which never happens is worth a warning.
    pub fn hook(&mut self, event: Event, place: Diagnostic, code: Vec<Piece>, certain: bool) {
        self.weaving.hooks.push(Hook { event, place, code, certain });
    }

    /// A variable that tells which call of the program an event is.
    pub fn site(&mut self, variable: String) {
        self.weaving.site = Some(variable);
    }

    pub fn finish(self) -> Weaving {
        self.weaving
    }
}
