//! SMT-LIB 2 scripts: a reader of commands from a stream.
//!
//! The reader takes SMT-LIB 2.6 over Core, bit-vectors, integers, reals, arrays, declared sorts and functions, without
//! quantifiers: what the `QF_` logics without strings, floats and datatypes are made of. Definitions and `let` are
//! expanded as they are read; what comes out are [`Term`]s. Symbols follow the script's levels: a `pop` forgets the
//! declarations since its `push`, unless `:global-declarations` is on.
//!
//! Nothing here recurses on the depth of a term, and no input makes it panic: an [`Error`] says where and what is
//! wrong, and whether it is the script that is wrong or this reader that lacks something. After an error, the reader
//! goes on with the next command.
//!
//! ```
//! use tamis_logic::Terms;
//! use tamis_logic::smtlib::{Command, ErrorKind, Reader};
//! let script = "(declare-const x Int) (assert (< 2 x)) (assert (= x y)) (check-sat)";
//! let mut terms = Terms::new();
//! let mut reader = Reader::new(script.as_bytes());
//! let mut next = || reader.next_command(&mut terms);
//! assert!(matches!(next(), Ok(Some((Command::Declare { .. }, _)))));
//! assert!(matches!(next(), Ok(Some((Command::Assert { .. }, _)))));
//! let error = next().unwrap_err();
//! assert_eq!((error.kind, error.to_string()), (ErrorKind::Undeclared, "1:53: no such symbol at `y`".into()));
//! assert!(matches!(next(), Ok(Some((Command::CheckSat, _)))));
//! assert!(matches!(next(), Ok(None)));
//! ```
//!
//! Deviations from the standard: bit-vector operators that are associative take more than two arguments; a symbol
//! that names an operator outside Core may be declared, and then hides the operator; integers become reals where a real
//! is needed; `check-allsat` is MathSAT's.
//!
//! [`Term`]: crate::Term

mod attributes;
mod commands;
mod error;
mod heads;
mod lexer;
mod operators;
mod repeated;
mod scope;
mod sorts;
mod terms;

pub use commands::Command;
pub use error::{Error, ErrorKind, Position, Undecided};

use crate::store::{Term, Terms};
use lexer::{Lexer, Token};
use repeated::Repeated;
use scope::Scopes;
use std::io::Read;
use terms::Frame;

/// Reads the commands of a script, one by one.
pub struct Reader<'a> {
    lexer: Lexer<'a>,
    scopes: Scopes,
    /// Whether an integer is read as a real number: in logics without integers.
    real_numerals: bool,
    /// Whether declarations survive `pop`.
    global_declarations: bool,
    /// Whether the last command was not read to its end.
    failed: bool,
    /// Applications and bindings that are open, and the terms read inside them.
    frames: Vec<Frame>,
    values: Vec<Term>,
    /// The name of the term that was read last, if it was given one.
    name: Option<String>,
    /// The names given to parts of the term that is being read.
    names: Vec<(String, Term)>,
    /// The names that were given in the term that was read last.
    given: Vec<(String, Term)>,
    /// The first term that no theory here decides.
    undecided: Option<Undecided>,
    /// How many terms definitions have been expanded to in the command that is being read.
    expanded: usize,
    repeated: Repeated,
}

impl<'a> Reader<'a> {
    /// A reader of the script in `source`. It takes no more from it than it needs for the next command, as far as the
    /// source allows.
    pub fn new(source: impl Read + 'a) -> Reader<'a> {
        Reader {
            lexer: Lexer::new(Box::new(source)),
            scopes: Scopes::default(),
            real_numerals: false,
            global_declarations: false,
            failed: false,
            frames: Vec::new(),
            values: Vec::new(),
            name: None,
            names: Vec::new(),
            given: Vec::new(),
            undecided: None,
            expanded: 0,
            repeated: Repeated::default(),
        }
    }

    /// The next command and where it starts; `None` at the end of the script. All calls must be given the same store.
    pub fn next_command(&mut self, terms: &mut Terms) -> Result<Option<(Command, Position)>, Error> {
        if std::mem::take(&mut self.failed) {
            self.lexer.skip_command()?;
        }
        let mark = self.scopes.mark();
        self.expanded = 0;
        let result = self.command(terms);
        if result.is_err() {
            self.failed = true;
            self.scopes.undo(mark);
            self.frames.clear();
            self.values.clear();
            self.names.clear();
        }
        result
    }

    /// How many levels are open.
    pub fn levels(&self) -> usize {
        self.scopes.levels()
    }

    /// The first term of the script that is read, but that the theories of linear arithmetic and arrays do not decide:
    /// a check that depends on it has no answer.
    pub fn undecided(&self) -> Option<Undecided> {
        self.undecided
    }

    fn unexpected(&self, token: &Token, position: Position, wanted: &str) -> Error {
        Error::new(ErrorKind::Syntax, position, format!("{wanted} expected")).at_token(&token.text())
    }

    fn open(&mut self) -> Result<(), Error> {
        match self.lexer.next()? {
            (Token::Open, _) => Ok(()),
            (token, position) => Err(self.unexpected(&token, position, "`(`")),
        }
    }

    fn close(&mut self) -> Result<(), Error> {
        match self.lexer.next()? {
            (Token::Close, _) => Ok(()),
            (token, position) => Err(self.unexpected(&token, position, "`)`")),
        }
    }

    fn symbol(&mut self) -> Result<String, Error> {
        Ok(self.symbol_at()?.0)
    }

    fn symbol_at(&mut self) -> Result<(String, Position), Error> {
        match self.lexer.next()? {
            (Token::Symbol(s), position) if !is_reserved(s.as_bytes()) => Ok((s, position)),
            (Token::Quoted(s), position) => Ok((s, position)),
            (token, position) => Err(self.unexpected(&token, position, "a symbol")),
        }
    }

    fn numeral(&mut self) -> Result<(String, Position), Error> {
        match self.lexer.next()? {
            (Token::Numeral(s), position) => Ok((s, position)),
            (token, position) => Err(self.unexpected(&token, position, "a numeral")),
        }
    }
}

/// Words that are no symbols without bars.
pub(crate) fn is_reserved(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 14] = [
        b"_",
        b"!",
        b"as",
        b"let",
        b"forall",
        b"exists",
        b"match",
        b"par",
        b"lambda",
        b"BINARY",
        b"DECIMAL",
        b"HEXADECIMAL",
        b"NUMERAL",
        b"STRING",
    ];
    WORDS.contains(&word)
}

pub(crate) fn is_operator_name(name: &str) -> bool {
    operators::operator(name).is_some() || name == "true" || name == "false" || name == "const"
}
