//! Systems of components that pass messages: C programs and machines over shared actions, as processes of CSP.
//!
//! ```text
//! system handshake {
//!     component client = program client.c over syn, synack, ack;
//!     component server = machine Server over syn, synack, ack;
//!     satisfies Order;
//! }
//! machine Server { Idle: syn -> Got; Got: synack -> Sent; Sent: ack -> Idle; }
//! machine Order  { S: syn -> T; T: synack -> U; U: ack -> S; }
//! ```
//!
//! The actions of a program are its calls of the functions of these names. An action happens when all components that have it in
//! their alphabets do it together. The system satisfies a machine if each of its traces, as far as the machine's actions go, is one
//! of the machine.
//!
//! It is checked on two levels (Chaki, Ouaknine, Yorav and Clarke, SoftMC 2003): inside of a program there are predicates, outside
//! only actions. Each program is known by a machine that allows more than it does, at first everything. A trace of the machines that
//! violates the property is projected onto each program; one that cannot do its part makes the machine finer ([`learn`]), and where
//! all can do theirs, together they violate it: they share nothing but actions. That a program does no more than its machine is a
//! check like any other.

mod learn;
mod product;

pub use learn::{Answer, Learned, Oracle, learn};
pub use product::{Process, violation};

use crate::scanner::Scanner;
use std::fmt::Write;
use tamis_diagnostics::Diagnostic;

/// A system, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The names of all actions.
    pub actions: Vec<String>,
    /// Its components.
    pub components: Vec<Component>,
    /// What it satisfies: the machine, and its actions.
    pub satisfies: (String, Process),
}

/// A component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// Its actions, by their numbers.
    pub alphabet: Vec<usize>,
    /// What it is.
    pub kind: Kind,
}

/// What a component is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A C program, of these files.
    Program(Vec<String>),
    /// A machine.
    Machine(Process),
}

/// A transition as it is written: from, the action if there is one, to.
type Written<'a> = (usize, Option<&'a str>, usize);

/// The system of a file.
pub fn system(file: &str, text: &str) -> Result<System, Diagnostic> {
    let mut scanner = Scanner::new(file, text);
    let (mut header, mut machines) = (None, Vec::new());
    while !scanner.is_at_end() {
        if scanner.takes_word("system") {
            if header.is_some() {
                return Err(scanner.error("there are two systems in this file"));
            }
            header = Some(Header::read(&mut scanner)?);
        } else if scanner.takes_word("machine") {
            machines.push(machine(&mut scanner)?);
        } else {
            return Err(scanner.error("`system` or `machine` is expected here"));
        }
    }
    match header {
        Some(header) => header.system(&scanner, &machines),
        None => Err(Diagnostic::about_file(file, "there is no system in this file")),
    }
}

struct Header<'a> {
    name: &'a str,
    components: Vec<(&'a str, usize, Source<'a>, Vec<&'a str>)>,
    satisfies: (&'a str, usize),
}

enum Source<'a> {
    Program(Vec<String>),
    Machine(&'a str),
}

impl<'a> Header<'a> {
    fn read(scanner: &mut Scanner<'a>) -> Result<Header<'a>, Diagnostic> {
        let name = scanner.name("the name of the system")?;
        let (mut components, mut satisfies) = (Vec::new(), None);
        scanner.expect("{")?;
        while !scanner.takes("}") {
            let at = scanner.here();
            if scanner.takes_word("satisfies") {
                satisfies = Some((scanner.name("the name of a machine")?, at));
                scanner.expect(";")?;
                continue;
            }
            if !scanner.takes_word("component") {
                return Err(scanner.error("`component` or `satisfies` is expected here"));
            }
            let component = scanner.name("the name of a component")?;
            scanner.expect("=")?;
            let source = if scanner.takes_word("program") {
                let mut files = vec![scanner.file_name()?];
                while scanner.takes(",") {
                    files.push(scanner.file_name()?);
                }
                Source::Program(files)
            } else if scanner.takes_word("machine") {
                Source::Machine(scanner.name("the name of a machine")?)
            } else {
                return Err(scanner.error("`program` or `machine` is expected here"));
            };
            if !scanner.takes_word("over") {
                return Err(scanner.error("`over` and the component's actions are expected here"));
            }
            let mut alphabet = vec![scanner.name("an action")?];
            while scanner.takes(",") {
                alphabet.push(scanner.name("an action")?);
            }
            scanner.expect(";")?;
            components.push((component, at, source, alphabet));
        }
        let satisfies = satisfies.ok_or_else(|| scanner.error("the system satisfies nothing"))?;
        Ok(Header { name, components, satisfies })
    }

    fn system(
        self,
        scanner: &Scanner<'_>,
        machines: &[(&str, Vec<Written<'_>>, usize)],
    ) -> Result<System, Diagnostic> {
        let mut actions: Vec<String> = Vec::new();
        for action in self.components.iter().flat_map(|(_, _, _, alphabet)| alphabet) {
            if !actions.iter().any(|known| known == action) {
                actions.push((*action).to_owned());
            }
        }
        let number = |action: &str| actions.iter().position(|known| known == action);
        let process = |name: &str, at: usize| -> Result<(Process, Vec<usize>), Diagnostic> {
            let found = machines.iter().find(|(known, ..)| *known == name);
            let Some((_, written, states)) = found else {
                return Err(scanner.error_at(at, format!("there is no machine `{name}` in this file")));
            };
            let mut moves = Vec::new();
            for &(from, action, to) in written {
                let action = match action {
                    None => None,
                    Some(action) => Some(number(action).ok_or_else(|| {
                        let message = format!("machine {name}: no component has the action `{action}`");
                        scanner.error_at(at, message)
                    })?),
                };
                moves.push((from, action, to));
            }
            let mut own: Vec<usize> = moves.iter().filter_map(|m| m.1).collect();
            own.sort_unstable();
            own.dedup();
            Ok((Process { states: *states, moves, alphabet: own.clone() }, own))
        };
        let mut components = Vec::new();
        for (name, at, source, alphabet) in &self.components {
            let alphabet: Vec<usize> = alphabet.iter().filter_map(|action| number(action)).collect();
            let kind = match source {
                Source::Program(files) => Kind::Program(files.clone()),
                Source::Machine(machine) => {
                    let (process, own) = process(machine, *at)?;
                    if let Some(&other) = own.iter().find(|action| !alphabet.contains(action)) {
                        let message = format!("`{}` is not in the alphabet of {name}", actions[other]);
                        return Err(scanner.error_at(*at, message));
                    }
                    Kind::Machine(Process { alphabet: alphabet.clone(), ..process })
                }
            };
            components.push(Component { name: (*name).to_owned(), alphabet, kind });
        }
        let (name, at) = self.satisfies;
        let (satisfied, _) = process(name, at)?;
        let satisfies = (name.to_owned(), satisfied);
        Ok(System { name: self.name.to_owned(), actions, components, satisfies })
    }
}

/// A machine: its name, its transitions and the number of its states.
fn machine<'a>(scanner: &mut Scanner<'a>) -> Result<(&'a str, Vec<Written<'a>>, usize), Diagnostic> {
    let name = scanner.name("the name of the machine")?;
    scanner.expect("{")?;
    let mut ahead = scanner.clone();
    let mut states: Vec<&str> = Vec::new();
    while !ahead.takes("}") {
        states.push(ahead.name("a state")?);
        ahead.skip_past_semicolon()?;
    }
    let mut moves = Vec::new();
    for from in 0..states.len() {
        scanner.name("a state")?;
        scanner.expect(":")?;
        if scanner.takes(";") {
            continue;
        }
        loop {
            let action = scanner.name("an action")?;
            scanner.expect("->")?;
            let at = scanner.here();
            let to = scanner.name("a state")?;
            let to = states.iter().position(|&state| state == to);
            let to = to.ok_or_else(|| scanner.error_at(at, "there is no such state"))?;
            moves.push((from, (action != "tau").then_some(action), to));
            if !scanner.takes(",") {
                scanner.expect(";")?;
                break;
            }
        }
    }
    scanner.expect("}")?;
    match states.is_empty() {
        true => Err(scanner.error(format!("machine {name} has no states"))),
        false => Ok((name, moves, states.len())),
    }
}

/// A process over calls of a program, in the language of machines.
pub fn as_machine(name: &str, process: &Process, actions: &[String]) -> String {
    let mut text = format!("machine {name} for main {{\n");
    let alphabet: Vec<String> = process.alphabet.iter().map(|&a| format!("call {}", actions[a])).collect();
    if !alphabet.is_empty() {
        // Each on a line of its own, by which messages tell them.
        let _ = writeln!(text, "    alphabet {};", alphabet.join(",\n        "));
    }
    for state in 0..process.states {
        let own = process.moves.iter().filter(|(from, ..)| *from == state);
        let own: Vec<String> = own
            .map(|(_, action, to)| match action {
                Some(action) => format!("call {} -> S{to}", actions[*action]),
                None => format!("tau -> S{to}"),
            })
            .collect();
        let _ = writeln!(text, "    S{state}: {};", own.join(", "));
    }
    text + "}\n"
}

/// A process that does everything but one word and what comes after it.
pub fn all_but(word: &[usize], alphabet: &[usize]) -> Process {
    let free = word.len();
    let mut moves: Vec<(usize, Option<usize>, usize)> =
        alphabet.iter().map(|&a| (free, Some(a), free)).collect();
    for (state, &expected) in word.iter().enumerate() {
        for &action in alphabet {
            let to = if action == expected { state + 1 } else { free };
            if action != expected || state + 1 < word.len() {
                moves.push((state, Some(action), to));
            }
        }
    }
    Process { states: word.len() + 1, moves, alphabet: alphabet.to_vec() }
}
