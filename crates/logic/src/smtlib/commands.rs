//! The commands.

use super::error::{Error, ErrorKind, Position};
use super::lexer::Token;
use super::scope::{Binding, Macro};
use super::sorts::SortDefinition;
use super::{Reader, is_reserved};
use crate::op::FunctionId;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A command of a script. What it says about symbols and sorts has already been taken in when it is given out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `(set-logic name)`.
    SetLogic(String),
    /// `(set-option :keyword value)`; the value as text.
    SetOption(String, String),
    /// `(set-info :keyword value)`; the value as text.
    SetInfo(String, String),
    /// `(declare-sort name arity)`.
    DeclareSort(String),
    /// `(define-sort name …)`.
    DefineSort(String),
    /// `(declare-const name sort)`, or `declare-fun` without arguments.
    Declare {
        /// The name as it is in the script.
        name: String,
        /// The variable.
        var: Term,
    },
    /// `(declare-fun name (sort …) sort)`.
    DeclareFunction {
        /// The name as it is in the script.
        name: String,
        /// The function.
        function: FunctionId,
    },
    /// `(define-fun name …)` or `(define-const name …)`.
    Define {
        /// The name as it is in the script.
        name: String,
        /// What it stands for, if it has no parameters.
        term: Option<Term>,
    },
    /// `(assert formula)`.
    Assert {
        /// The formula.
        formula: Term,
        /// The name that the whole formula is given, if it is.
        name: Option<String>,
        /// All names that the formula and parts of it are given, in the order in which these end.
        names: Vec<(String, Term)>,
    },
    /// `(push n)`.
    Push(usize),
    /// `(pop n)`.
    Pop(usize),
    /// `(check-sat)`.
    CheckSat,
    /// `(check-sat-assuming (formula …))`, each with its text.
    CheckSatAssuming(Vec<(Term, String)>),
    /// MathSAT's `(check-allsat (formula …))`: all combinations of values of the formulas, each with its text.
    CheckAllSat(Vec<(Term, String)>),
    /// `(get-model)`.
    GetModel,
    /// `(get-value (term …))`, each with its text.
    GetValue(Vec<(Term, String)>),
    /// `(get-assignment)`.
    GetAssignment,
    /// `(get-unsat-core)`.
    GetUnsatCore,
    /// `(get-unsat-assumptions)`.
    GetUnsatAssumptions,
    /// `(get-assertions)`.
    GetAssertions,
    /// `(get-info :keyword)`.
    GetInfo(String),
    /// `(get-option :keyword)`.
    GetOption(String),
    /// `(echo "text")`.
    Echo(String),
    /// `(reset)`.
    Reset,
    /// `(reset-assertions)`.
    ResetAssertions,
    /// `(exit)`.
    Exit,
}

/// No more levels are open at once.
const MAX_LEVELS: usize = 1 << 20;

/// No command lists more terms.
const MAX_LISTED: usize = 1 << 20;

/// The texts of a command's terms are together no longer.
const MAX_LISTED_TEXT: usize = 1 << 25;

/// Commands that are SMT-LIB's or well known, but not ours.
const UNSUPPORTED: [&str; 16] = [
    "define-fun-rec",
    "define-funs-rec",
    "declare-datatype",
    "declare-datatypes",
    "declare-codatatypes",
    "get-proof",
    "get-interpolant",
    "get-interpolants",
    "get-abduct",
    "get-qe",
    "declare-heap",
    "declare-pool",
    "minimize",
    "maximize",
    "assert-soft",
    "simplify",
];

impl Reader<'_> {
    pub(super) fn command(&mut self, terms: &mut Terms) -> Result<Option<(Command, Position)>, Error> {
        let position = match self.lexer.next()? {
            (Token::End, _) => return Ok(None),
            (Token::Open, position) => position,
            (token, position) => return Err(self.unexpected(&token, position, "`(`")),
        };
        let (name, at) = self.symbol_at()?;
        let command = match &*name {
            "declare-const" | "declare-fun" | "declare-sort" | "define-sort" | "define-fun"
            | "define-const" => {
                return self.declaration(terms, &name).map(|command| Some((command, position)));
            }
            "set-logic" => {
                let logic = self.symbol()?;
                self.real_numerals = has_reals_only(&logic);
                self.scopes.change();
                Command::SetLogic(logic)
            }
            "set-option" => {
                let (keyword, value) = (self.keyword()?, self.attribute_value()?);
                if keyword == ":global-declarations" {
                    self.global_declarations = value == "true";
                }
                Command::SetOption(keyword, value)
            }
            "set-info" => Command::SetInfo(self.keyword()?, self.attribute_value()?),
            "assert" => {
                let formula = self.formula(terms)?;
                Command::Assert { formula, name: self.name.take(), names: std::mem::take(&mut self.given) }
            }
            "push" | "pop" => {
                let levels = self.level_count()?;
                self.close()?;
                return Ok(Some((self.change_level(&name, levels, position)?, position)));
            }
            "check-sat" => Command::CheckSat,
            "check-sat-assuming" => Command::CheckSatAssuming(self.formulas(terms)?),
            "check-allsat" => Command::CheckAllSat(self.formulas(terms)?),
            "get-model" => Command::GetModel,
            "get-value" => Command::GetValue(self.terms_with_text(terms, Reader::term)?),
            "get-assignment" => Command::GetAssignment,
            "get-unsat-core" => Command::GetUnsatCore,
            "get-unsat-assumptions" => Command::GetUnsatAssumptions,
            "get-assertions" => Command::GetAssertions,
            "get-info" => Command::GetInfo(self.keyword()?),
            "get-option" => Command::GetOption(self.keyword()?),
            "echo" => match self.lexer.next()? {
                (Token::String(text), _) => Command::Echo(text),
                (token, at) => return Err(self.unexpected(&token, at, "a string")),
            },
            "reset" => {
                self.close()?;
                self.scopes.reset(false);
                self.real_numerals = false;
                self.scopes.change();
                self.global_declarations = false;
                self.undecided = None;
                return Ok(Some((Command::Reset, position)));
            }
            "reset-assertions" => {
                self.close()?;
                self.scopes.reset(self.global_declarations);
                return Ok(Some((Command::ResetAssertions, position)));
            }
            "exit" => Command::Exit,
            _ => {
                let known = UNSUPPORTED.contains(&&*name);
                let message = if known { "a command that is not supported" } else { "no such command" };
                return Err(Error::new(ErrorKind::Unsupported, at, message).at_token(&name));
            }
        };
        self.close()?;
        Ok(Some((command, position)))
    }

    fn level_count(&mut self) -> Result<usize, Error> {
        if *self.lexer.peek()? == Token::Close {
            return Ok(1);
        }
        let (digits, at) = self.numeral()?;
        let too_many = |_| Error::new(ErrorKind::Limit, at, "too many levels").at_token(&digits);
        digits.parse().map_err(too_many)
    }

    fn change_level(&mut self, name: &str, levels: usize, position: Position) -> Result<Command, Error> {
        let open = self.scopes.levels();
        if name == "pop" {
            if levels > open {
                let message = format!("`pop` of {levels} levels, but {open} are open");
                return Err(Error::new(ErrorKind::Level, position, message));
            }
            self.scopes.pop(levels);
            return Ok(Command::Pop(levels));
        }
        if levels > MAX_LEVELS - open {
            return Err(Error::new(ErrorKind::Limit, position, "too many levels"));
        }
        self.scopes.push(levels);
        Ok(Command::Push(levels))
    }

    fn formulas(&mut self, terms: &mut Terms) -> Result<Vec<(Term, String)>, Error> {
        self.terms_with_text(terms, Reader::formula)
    }

    /// A list of terms in parentheses.
    fn terms_with_text(
        &mut self,
        terms: &mut Terms,
        read: fn(&mut Self, &mut Terms) -> Result<Term, Error>,
    ) -> Result<Vec<(Term, String)>, Error> {
        self.open()?;
        let (mut found, mut length) = (Vec::new(), 0);
        while *self.lexer.peek()? != Token::Close {
            let position = self.position()?;
            self.lexer.record();
            let t = read(self, terms)?;
            let text = self.lexer.take_record();
            length += text.len();
            if found.len() == MAX_LISTED || length > MAX_LISTED_TEXT {
                return Err(Error::new(ErrorKind::Limit, position, "more terms than a command takes"));
            }
            found.push((t, text));
        }
        self.close()?;
        Ok(found)
    }

    /// A command that gives a symbol a meaning, to its end.
    fn declaration(&mut self, terms: &mut Terms, command: &str) -> Result<Command, Error> {
        let (name, at) = self.symbol_at()?;
        if matches!(command, "declare-sort" | "define-sort") {
            return self.sort_declaration(terms, command, name, at);
        }
        let core = ["true", "false", "not", "=>", "and", "or", "xor", "=", "distinct", "ite"];
        if self.scopes.symbol(&name).is_some() || core.contains(&&*name) {
            return Err(Error::new(ErrorKind::Redeclared, at, "already declared").at_token(&name));
        }
        match command {
            "declare-const" => {
                let sort = self.sort(terms)?;
                self.close()?;
                Ok(self.declare_var(terms, name, sort))
            }
            "declare-fun" => {
                self.open()?;
                let mut args = Vec::new();
                while *self.lexer.peek()? != Token::Close {
                    args.push(self.sort(terms)?);
                }
                self.close()?;
                let result = self.sort(terms)?;
                self.close()?;
                if args.is_empty() {
                    return Ok(self.declare_var(terms, name, result));
                }
                let function = terms.declare_function(&name, &args, result);
                self.declare(&name, Binding::Function(function));
                Ok(Command::DeclareFunction { name, function })
            }
            _ => self.definition(terms, command, name),
        }
    }

    fn declare_var(&mut self, terms: &mut Terms, name: String, sort: Sort) -> Command {
        let var = terms.var_at(&name, sort);
        self.declare(&name, Binding::Term(var));
        Command::Declare { name, var }
    }

    /// `define-fun` or `define-const`, after the name.
    fn definition(&mut self, terms: &mut Terms, command: &str, name: String) -> Result<Command, Error> {
        let mut params = Vec::new();
        let mut seen = FxHashSet::default();
        if command == "define-fun" {
            self.open()?;
            while *self.lexer.peek()? != Token::Close {
                self.open()?;
                let (param, at) = self.symbol_at()?;
                if !seen.insert(param.clone()) {
                    return Err(
                        Error::new(ErrorKind::Redeclared, at, "two parameters of one name").at_token(&param)
                    );
                }
                let sort = self.sort(terms)?;
                self.close()?;
                params.push((param, sort));
            }
            self.close()?;
        }
        let result = self.sort(terms)?;
        let position = self.position()?;
        let mark = self.scopes.mark();
        let mut vars = Vec::with_capacity(params.len());
        for (param, sort) in &params {
            let var = terms.fresh(param, *sort);
            self.scopes.bind(param, Binding::Term(var));
            vars.push(var);
        }
        let mut body = self.term(terms)?;
        self.close()?;
        self.scopes.undo(mark);
        if result == Sort::Real && terms.sort(body) == Sort::Int {
            body = terms.to_real(body);
        }
        if terms.sort(body) != result {
            let (body, result) = (terms.sort_text(terms.sort(body)), terms.sort_text(result));
            let message = format!("the definition is of sort {body}, not {result}");
            return Err(Error::new(ErrorKind::Sort, position, message));
        }
        if vars.is_empty() {
            self.declare(&name, Binding::Term(body));
            return Ok(Command::Define { name, term: Some(body) });
        }
        let definition = Macro { params: vars, body, size: terms.size(body) };
        self.declare(&name, Binding::Macro(Rc::new(definition)));
        Ok(Command::Define { name, term: None })
    }

    fn sort_declaration(
        &mut self,
        terms: &mut Terms,
        command: &str,
        name: String,
        at: Position,
    ) -> Result<Command, Error> {
        let built_in = ["Bool", "Int", "Real", "Array", "BitVec"].contains(&&*name);
        if built_in || self.scopes.sort(&name).is_some() || is_reserved(name.as_bytes()) {
            return Err(Error::new(ErrorKind::Redeclared, at, "already declared").at_token(&name));
        }
        if command == "declare-sort" {
            let arity = match self.lexer.peek()? {
                Token::Close => 0,
                _ => {
                    let (digits, at) = self.numeral()?;
                    let limit = |_| Error::new(ErrorKind::Limit, at, "too many parameters").at_token(&digits);
                    digits.parse().map_err(limit)?
                }
            };
            self.close()?;
            self.scopes.bind_sort(&name, SortDefinition::Declared(arity), self.global_declarations);
            return Ok(Command::DeclareSort(name));
        }
        self.open()?;
        let mut params = Vec::new();
        while *self.lexer.peek()? != Token::Close {
            params.push(self.symbol()?);
        }
        self.close()?;
        let (body, _) = self.sort_expr(terms, &params, 0, &mut 0)?;
        self.close()?;
        let definition = SortDefinition::Defined { params: params.len(), body };
        self.scopes.bind_sort(&name, definition, self.global_declarations);
        Ok(Command::DefineSort(name))
    }
}

/// Whether a logic has reals and no integers.
fn has_reals_only(logic: &str) -> bool {
    let reals = logic.ends_with("RA") || logic.ends_with("RDL");
    let integers = logic.ends_with("IRA");
    reals && !integers
}
