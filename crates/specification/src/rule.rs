//! Rules: automata over the events of a program, as SLAM's SLIC has them.
//!
//! ```text
//! rule locks(void *lock) {
//!     state Free, Held;
//!     var int depth = 0;
//!     call acquire for ($1) {
//!         Free -> Held { depth++; };
//!         Held -> error "the lock is taken twice";
//!     }
//!     return try_acquire for ($1) when ($return != 0) { Free -> Held; }
//!     exit { Held -> error "the lock is held at the end"; }
//! }
//! ```
//!
//! A rule about an object is about *any one*: it is chosen before the program begins, and where an event names an object with
//! `for`, an input of the program tells whether it is that one. So a proof is for all objects, and a violation is one of one.
//! Of the transitions of an event, the first is taken whose state and conditions hold; if there is none,
//! the rule stays as it is.

use crate::monitor::{Monitor, ours, variable, violated};
use crate::names::{Names, words};
use crate::scanner::{Fragment, Scanner};
use crate::{Language, Specification, Tried};
use std::sync::Arc;
use tamis_diagnostics::Diagnostic;
use tamis_front_c::tree::vocabulary::OBJECT;
use tamis_front_c::{Event, Piece, Variable};

/// The variable that tells the state.
const STATE: &str = "state";

/// What is wrong with `for` in a rule that has no object.
const NO_OBJECT: &str = "this rule is about no object: `rule name(type object)` is";

/// Words that no state or variable may be called.
const RESERVED: [&str; 2] = [STATE, "violated"];

/// The rules of a file.
pub fn rules(file: &str, text: &str) -> Result<Vec<Specification>, Diagnostic> {
    let mut scanner = Scanner::new(file, text);
    let mut rules: Vec<Specification> = Vec::new();
    while !scanner.is_at_end() {
        let at = scanner.here();
        if !scanner.takes_word("rule") {
            return Err(scanner.error("`rule` is expected here"));
        }
        let rule = Rule::read(&mut scanner)?;
        if rules.iter().any(|other| other.name == rule.name) {
            return Err(scanner.error_at(at, format!("there are two rules `{}`", rule.name)));
        }
        rules.push(rule.specification(&scanner, text)?);
    }
    match rules.is_empty() {
        true => Err(Diagnostic::about_file(file, "there is no rule in this file")),
        false => Ok(rules),
    }
}

struct Rule<'a> {
    name: &'a str,
    names: Names<'a>,
    /// The object: its type, and its name.
    object: Option<(Fragment<'a>, &'a str)>,
    states: Vec<&'a str>,
    variables: Vec<Variable>,
    /// Functions that, without a body, are taken to change nothing.
    stubs: Vec<Stub<'a>>,
    clauses: Vec<Clause<'a>>,
}

/// A function that changes nothing, and gives any result but the rule's object in some of its states.
struct Stub<'a> {
    function: &'a str,
    at: usize,
    gives_no: Vec<usize>,
}

/// What is to be done at some events.
struct Clause<'a> {
    events: Vec<(Event, usize)>,
    object: Option<Fragment<'a>>,
    when: Option<Fragment<'a>>,
    transitions: Vec<Transition<'a>>,
}

struct Transition<'a> {
    at: usize,
    /// The states that it leaves; all if there are none.
    from: Vec<usize>,
    when: Option<Fragment<'a>>,
    to: Target,
    updates: Vec<Fragment<'a>>,
}

enum Target {
    State(usize),
    Stay,
    Error(usize, String),
}

impl<'a> Rule<'a> {
    fn read(scanner: &mut Scanner<'a>) -> Result<Rule<'a>, Diagnostic> {
        let name = scanner.name("the name of the rule")?;
        let mut rule = Rule {
            name,
            names: Names::new(name),
            object: None,
            states: Vec::new(),
            variables: Vec::new(),
            stubs: Vec::new(),
            clauses: Vec::new(),
        };
        if scanner.takes("(") {
            let from = scanner.here();
            let declared = scanner.c_until(from, |c| c == ')')?;
            rule.object = Some(rule.declared(scanner, declared)?);
            scanner.expect(")")?;
        }
        scanner.expect("{")?;
        while !scanner.takes("}") {
            match scanner.peek() {
                Some("state") => rule.read_states(scanner)?,
                Some("var") => rule.read_variable(scanner)?,
                Some("stub") => rule.read_stubs(scanner)?,
                _ => {
                    let clause = rule.read_clause(scanner)?;
                    rule.clauses.push(clause);
                }
            }
        }
        Ok(rule)
    }

    /// A declaration, as a type and a name.
    fn declared(
        &mut self,
        scanner: &Scanner<'a>,
        declaration: Fragment<'a>,
    ) -> Result<(Fragment<'a>, &'a str), Diagnostic> {
        let text = declaration.text;
        let start = text.rfind(|c| !crate::scanner::is_part_of_name(c)).map_or(0, |i| i + 1);
        let (ty, name) = (text[..start].trim_end(), &text[start..]);
        if ty.is_empty() || name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(scanner.error_at(declaration.at, "a type and a name are expected here"));
        }
        self.new_name(scanner, name, declaration.at + start)?;
        self.names.add(name);
        Ok((Fragment { text: ty, at: declaration.at }, name))
    }

    fn new_name(&self, scanner: &Scanner<'_>, name: &str, at: usize) -> Result<(), Diagnostic> {
        if RESERVED.contains(&name) {
            return Err(scanner.error_at(at, format!("`{name}` has a meaning of its own in a rule")));
        }
        if self.names.knows(name) || self.states.contains(&name) {
            return Err(scanner.error_at(at, format!("there is another `{name}` in this rule")));
        }
        Ok(())
    }

    fn read_states(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Diagnostic> {
        scanner.takes_word("state");
        loop {
            let at = scanner.here();
            let name = scanner.name("the name of a state")?;
            self.new_name(scanner, name, at)?;
            self.states.push(name);
            if !scanner.takes(",") {
                return scanner.expect(";");
            }
        }
    }

    fn read_variable(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Diagnostic> {
        let from = scanner.here();
        scanner.takes_word("var");
        let declared = scanner.c_until(from, |c| c == '=' || c == ';')?;
        let (ty, name) = self.declared(scanner, declared)?;
        let init = match scanner.takes("=") {
            true => {
                let value = scanner.c_until(from, |c| c == ';')?;
                Some(scanner.piece(value.at, format!("({})", value.text)))
            }
            false => None,
        };
        let ty = scanner.piece(ty.at, ty.text.to_owned());
        self.variables.push(Variable { ty, name: self.names.of(name), init });
        scanner.expect(";")
    }

    fn read_stubs(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Diagnostic> {
        let at = scanner.here();
        scanner.takes_word("stub");
        let mut functions = vec![scanner.name("the name of a function")?];
        while scanner.takes(",") {
            functions.push(scanner.name("the name of a function")?);
        }
        let mut gives_no = Vec::new();
        let giving = scanner.here();
        if scanner.takes_word("giving") {
            if self.object.is_none() {
                return Err(scanner.error_at(giving, NO_OBJECT));
            }
            if !scanner.takes_word("no") {
                return Err(scanner.error("`no` and states are expected here"));
            }
            gives_no.push(self.state(scanner)?);
            while scanner.takes(",") {
                gives_no.push(self.state(scanner)?);
            }
        }
        let stub = |function| Stub { function, at, gives_no: gives_no.clone() };
        self.stubs.extend(functions.into_iter().map(stub));
        scanner.expect(";")
    }

    /// What the result of a stub fulfils.
    fn fresh(&self, stub: &Stub<'_>) -> Option<Piece> {
        let state = self.names.of(STATE);
        let states: Vec<String> = stub.gives_no.iter().map(|s| format!("{state} == {s}")).collect();
        (!states.is_empty())
            .then(|| ours(format!("!(({}) && {}($return))", states.join(" || "), self.tells())))
    }

    fn read_clause(&mut self, scanner: &mut Scanner<'a>) -> Result<Clause<'a>, Diagnostic> {
        let mut clause =
            Clause { events: vec![event(scanner)?], object: None, when: None, transitions: Vec::new() };
        while scanner.takes("|") {
            clause.events.push(event(scanner)?);
        }
        let at = scanner.here();
        if scanner.takes_word("for") {
            if self.object.is_none() {
                return Err(scanner.error_at(at, NO_OBJECT));
            }
            clause.object = Some(scanner.enclosed('(', ')')?);
        }
        if scanner.takes_word("when") {
            clause.when = Some(scanner.enclosed('(', ')')?);
        }
        scanner.expect("{")?;
        while !scanner.takes("}") {
            clause.transitions.push(self.read_transition(scanner)?);
        }
        Ok(clause)
    }

    fn state(&self, scanner: &mut Scanner<'a>) -> Result<usize, Diagnostic> {
        let at = scanner.here();
        let name = scanner.name("a state")?;
        let known = self.states.iter().position(|&state| state == name);
        known.ok_or_else(|| scanner.error_at(at, format!("there is no state `{name}` declared before")))
    }

    fn read_transition(&self, scanner: &mut Scanner<'a>) -> Result<Transition<'a>, Diagnostic> {
        let at = scanner.here();
        let mut from = Vec::new();
        if !scanner.takes("*") {
            from.push(self.state(scanner)?);
            while scanner.takes(",") {
                from.push(self.state(scanner)?);
            }
        }
        let when = match scanner.takes_word("when") {
            true => Some(scanner.enclosed('(', ')')?),
            false => None,
        };
        scanner.expect("->")?;
        let here = scanner.here();
        let to = match scanner.peek() {
            Some("error") => {
                scanner.takes_word("error");
                Target::Error(here, scanner.string()?)
            }
            Some("stay") => {
                scanner.takes_word("stay");
                Target::Stay
            }
            _ => Target::State(self.state(scanner)?),
        };
        let mut updates = Vec::new();
        if scanner.takes("{") {
            while !scanner.takes("}") {
                let from = scanner.here();
                let update = scanner.c_until(from, |c| c == ';' || c == '}')?;
                scanner.takes(";");
                if !update.text.is_empty() {
                    updates.push(update);
                }
            }
        }
        // After braces, as in C, no semicolon is needed.
        if !scanner.takes(";") && updates.is_empty() {
            return Err(scanner.error("`;` is expected here"));
        }
        Ok(Transition { at, from, when, to, updates })
    }

    fn specification(self, scanner: &Scanner<'_>, text: &str) -> Result<Specification, Diagnostic> {
        let mut monitor = Monitor::new(self.name);
        monitor.variable(variable("int", self.names.of(STATE), None));
        if let Some((ty, name)) = &self.object {
            let ty = scanner.piece(ty.at, ty.text.to_owned());
            monitor.function(format!("int {}(__typeof__(", self.tells()), ty.clone(), "));");
            if self.speaks_of_object() {
                monitor.variable(Variable { ty, name: self.names.of(name), init: None });
            }
        }
        self.variables.iter().for_each(|variable| monitor.variable(variable.clone()));
        for stub in &self.stubs {
            monitor.stub(stub.function, scanner.error_at(stub.at, ""), self.fresh(stub));
        }
        let mut errors = Vec::new();
        for transition in self.clauses.iter().flat_map(|clause| &clause.transitions) {
            if let Target::Error(at, message) = &transition.to {
                errors.push((scanner.line_and_column(*at), message.clone()));
            }
        }
        let mut known: Vec<&Event> = Vec::new();
        for (event, at) in self.clauses.iter().flat_map(|clause| &clause.events) {
            if !known.contains(&event) {
                known.push(event);
                monitor.hook(event.clone(), scanner.error_at(*at, ""), self.code(scanner, event), true);
            }
        }
        Ok(Specification {
            name: self.name.to_owned(),
            language: Language::Rules,
            file: scanner.file.to_owned(),
            text: Arc::from(text),
            weaving: Arc::new(monitor.finish()),
            states: self.states.iter().map(|&state| state.to_owned()).collect(),
            errors,
            strategy: None,
            tried: Tried::default(),
        })
    }

    /// Whether an expression of the rule names its object.
    fn speaks_of_object(&self) -> bool {
        let Some((_, object)) = self.object else { return false };
        let of_clause = |clause: &Clause<'_>| {
            let of_transition =
                |t: &Transition<'_>| t.when.iter().chain(&t.updates).any(|c| names(c.text, object));
            clause.when.is_some_and(|c| names(c.text, object)) || clause.transitions.iter().any(of_transition)
        };
        self.clauses.iter().any(of_clause)
    }

    /// The function that tells whether something is the object that the rule is about.
    fn tells(&self) -> String {
        format!("{OBJECT}{}", self.name)
    }

    /// What happens at an event.
    fn code(&self, scanner: &Scanner<'_>, event: &Event) -> Vec<Piece> {
        let clauses = || self.clauses.iter().filter(|c| c.events.iter().any(|(e, _)| e == event));
        let c = |fragment: &Fragment<'_>| scanner.piece(fragment.at, self.names.in_c(fragment.text));
        // The object has a variable only where the rule speaks of it otherwise.
        let object = self.object.filter(|_| self.speaks_of_object()).map(|(_, name)| self.names.of(name));
        let mut code = vec![ours("{")];
        for (number, clause) in clauses().enumerate() {
            code.push(ours(format!("int $applies{number} = 1")));
            if let Some(when) = &clause.when {
                code.extend([ours("&& ("), c(when), ours(")")]);
            }
            if let Some(named) = &clause.object {
                code.extend([ours(format!("&& {}(", self.tells())), c(named), ours(")")]);
            }
            code.push(ours(";"));
            if let (Some(object), Some(named)) = (&object, &clause.object) {
                code.extend([ours(format!("if ($applies{number}) {object} = (")), c(named), ours(");")]);
            }
        }
        for (number, clause) in clauses().enumerate() {
            for transition in &clause.transitions {
                code.push(ours(format!("if ($applies{number}")));
                if let Some(when) = &transition.when {
                    code.extend([ours("&& ("), c(when), ours(")")]);
                }
                if !transition.from.is_empty() {
                    let state = self.names.of(STATE);
                    let states: Vec<String> =
                        transition.from.iter().map(|from| format!("{state} == {from}")).collect();
                    code.push(ours(format!("&& ({})", states.join(" || "))));
                }
                code.push(ours(") {"));
                for update in &transition.updates {
                    code.extend([c(update), ours(";")]);
                }
                match &transition.to {
                    Target::State(to) => {
                        let moves = format!("{} = {to};", self.names.of(STATE));
                        code.push(scanner.piece(transition.at, moves));
                    }
                    Target::Stay => {}
                    Target::Error(at, _) => {
                        code.push(scanner.piece(*at, format!("{}();", violated(self.name))));
                    }
                }
                code.push(ours("} else"));
            }
        }
        code.push(ours(";}"));
        code
    }
}

/// Whether some C has a name in it.
fn names(text: &str, name: &str) -> bool {
    words(text).contains(&(name, true))
}

/// An event, with its place.
pub fn event(scanner: &mut Scanner<'_>) -> Result<(Event, usize), Diagnostic> {
    let at = scanner.here();
    let kind = scanner.name("an event")?;
    let event = match kind {
        "call" => Event::Call(scanner.name("the name of a function")?.to_owned()),
        "return" => Event::Return(scanner.name("the name of a function")?.to_owned()),
        "assign" => Event::Assign(scanner.name("the name of a global variable")?.to_owned()),
        "label" => Event::Label(scanner.name("the name of a label")?.to_owned()),
        "entry" => Event::Start,
        "exit" => Event::End,
        _ => {
            let message = format!(
                "`{kind}` is no event: there are call f, return f, assign g, label l, entry and exit"
            );
            return Err(scanner.error_at(at, message));
        }
    };
    Ok((event, at))
}
