//! Machines: labelled transition systems that say all that a function may do, as MAGIC has them.
//!
//! ```text
//! machine server for serve when ($1 == 0) {
//!     alphabet call send, call receive;
//!     Idle: call receive -> Busy, return when ($return == 0) -> Done;
//!     Busy: call send -> Idle, tau -> Busy;
//!     Done: ;
//! }
//! ```
//!
//! The first state is that at the call of the function. What the machine speaks of, and what its alphabet names beside, are
//! *actions*; an action that the machine does not allow where it is violates it. What the function does otherwise is not looked
//! at, and neither is what happens while it does not run, or when its call does not fulfil the machine's condition.
//!
//! Trace containment: the machine may be in several states after the same actions, so all of them are followed at once. That
//! is the subset construction, a variable for each state, made while the program runs. Steps that are called `tau` are
//! taken whenever they can be, and change nothing but the state.
//!
//! Weak simulation asks for more where a machine has several ways to go: [`simulations`].
//!
//! A machine may also stand in for a function that has no body ([`stand_in`]): then calls of it do, and return, what the machine
//! allows, in any way it does.

mod simulation;
mod stand_in;

pub use simulation::{Choice, Strategy, Stuck, Tried, choice, simulations, weaving_of};
pub use stand_in::stand_ins;

use crate::monitor::{Monitor, ours, variable, violated};
use crate::rule::event;
use crate::scanner::{Fragment, Scanner};
use crate::{Language, Specification};
use std::sync::Arc;
use tamis_diagnostics::Diagnostic;
use tamis_front_c::{Event, Piece};

/// The most states of a machine.
const MOST_STATES: usize = 64;

/// The machines of a file, as what their functions are held against.
pub fn machines(file: &str, text: &str) -> Result<Vec<Specification>, Diagnostic> {
    let mut scanner = Scanner::new(file, text);
    let machines = read_all(&mut scanner)?;
    machines.iter().map(|machine| machine.specification(&scanner, text)).collect()
}

fn read_all<'a>(scanner: &mut Scanner<'a>) -> Result<Vec<Machine<'a>>, Diagnostic> {
    let mut machines: Vec<Machine<'_>> = Vec::new();
    while !scanner.is_at_end() {
        let at = scanner.here();
        if !scanner.takes_word("machine") {
            return Err(scanner.error("`machine` is expected here"));
        }
        let machine = Machine::read(scanner)?;
        if machines.iter().any(|other| other.name == machine.name) {
            return Err(scanner.error_at(at, format!("there are two machines `{}`", machine.name)));
        }
        machines.push(machine);
    }
    match machines.is_empty() {
        true => Err(Diagnostic::about_file(scanner.file, "there is no machine in this file")),
        false => Ok(machines),
    }
}

/// A labelled transition system.
struct Machine<'a> {
    at: usize,
    name: &'a str,
    function: &'a str,
    when: Option<Fragment<'a>>,
    alphabet: Vec<(Event, usize)>,
    states: Vec<&'a str>,
    moves: Vec<Move<'a>>,
}

/// A transition.
struct Move<'a> {
    at: usize,
    from: usize,
    /// Nothing, if it is silent.
    action: Option<Action<'a>>,
    to: usize,
}

struct Action<'a> {
    event: Event,
    when: Option<Fragment<'a>>,
}

impl<'a> Machine<'a> {
    fn read(scanner: &mut Scanner<'a>) -> Result<Machine<'a>, Diagnostic> {
        let at = scanner.here();
        let name = scanner.name("the name of the machine")?;
        if !scanner.takes_word("for") {
            return Err(scanner.error("`for` and the name of a function are expected here"));
        }
        let function = scanner.name("the name of a function")?;
        let when = match scanner.takes_word("when") {
            true => Some(scanner.enclosed('(', ')')?),
            false => None,
        };
        let (alphabet, states, moves) = (Vec::new(), Vec::new(), Vec::new());
        let mut machine = Machine { at, name, function, when, alphabet, states, moves };
        scanner.expect("{")?;
        let mut body = scanner.clone();
        machine.read_names(&mut body)?;
        while !scanner.takes("}") {
            if scanner.takes_word("alphabet") {
                machine.read_alphabet(scanner)?;
            } else {
                machine.read_state(scanner)?;
            }
        }
        if machine.states.is_empty() {
            return Err(scanner.error_at(at, "this machine has no states"));
        }
        Ok(machine)
    }

    /// The names of the states, which transitions before them speak of.
    fn read_names(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Diagnostic> {
        while !scanner.takes("}") {
            let at = scanner.here();
            let name = scanner.name("a state")?;
            if name != "alphabet" {
                if self.states.contains(&name) {
                    return Err(scanner.error_at(at, format!("there is another state `{name}` before")));
                }
                if self.states.len() == MOST_STATES {
                    let message = format!("a machine has at most {MOST_STATES} states");
                    return Err(scanner.error_at(at, message));
                }
                self.states.push(name);
            }
            scanner.skip_past_semicolon()?;
        }
        Ok(())
    }

    fn read_alphabet(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Diagnostic> {
        loop {
            let action = self.event(scanner)?;
            self.alphabet.push(action);
            if !scanner.takes(",") {
                return scanner.expect(";");
            }
        }
    }

    /// An event; `return` alone is that of the machine's function.
    fn event(&self, scanner: &mut Scanner<'a>) -> Result<(Event, usize), Diagnostic> {
        let at = scanner.here();
        let mut ahead = scanner.clone();
        if ahead.takes_word("return") && (ahead.peek().is_none_or(|word| word.is_empty() || word == "when")) {
            *scanner = ahead;
            return Ok((Event::Return(self.function.to_owned()), at));
        }
        event(scanner)
    }

    fn read_state(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Diagnostic> {
        let from = self.state(scanner)?;
        scanner.expect(":")?;
        if scanner.takes(";") {
            return Ok(());
        }
        loop {
            let at = scanner.here();
            let action = if scanner.takes_word("tau") {
                None
            } else {
                let (event, _) = self.event(scanner)?;
                let when = match scanner.takes_word("when") {
                    true => Some(scanner.enclosed('(', ')')?),
                    false => None,
                };
                Some(Action { event, when })
            };
            scanner.expect("->")?;
            let to = self.state(scanner)?;
            self.moves.push(Move { at, from, action, to });
            if !scanner.takes(",") {
                return scanner.expect(";");
            }
        }
    }

    fn state(&self, scanner: &mut Scanner<'a>) -> Result<usize, Diagnostic> {
        let at = scanner.here();
        let name = scanner.name("a state")?;
        let known = self.states.iter().position(|&state| state == name);
        known.ok_or_else(|| scanner.error_at(at, format!("there is no state `{name}`")))
    }

    /// What silent steps reach from each state.
    fn silently(&self) -> Vec<Vec<usize>> {
        let reach = |from: usize| {
            let mut reached = vec![from];
            let mut next = 0;
            while let Some(&at) = reached.get(next) {
                next += 1;
                let silent = self.moves.iter().filter(|m| m.action.is_none() && m.from == at);
                for to in silent.map(|m| m.to) {
                    if !reached.contains(&to) {
                        reached.push(to);
                    }
                }
            }
            reached
        };
        (0..self.states.len()).map(reach).collect()
    }

    /// All actions, each once, with the first place that speaks of it.
    fn actions(&self) -> Vec<(Event, usize)> {
        let moves = self.moves.iter().filter_map(|m| Some((m.action.as_ref()?.event.clone(), m.at)));
        let mut actions: Vec<(Event, usize)> = Vec::new();
        for (event, at) in self.alphabet.iter().cloned().chain(moves) {
            if !actions.iter().any(|(known, _)| *known == event) {
                actions.push((event, at));
            }
        }
        actions
    }

    /// The variable of a state.
    fn variable(&self, state: usize) -> String {
        format!("{}${}", self.name, self.states[state])
    }

    fn named(&self, name: &str) -> String {
        format!("{}$${name}", self.name)
    }

    fn specification(&self, scanner: &Scanner<'_>, text: &str) -> Result<Specification, Diagnostic> {
        let mut monitor = Monitor::new(self.name);
        // Whether the function runs, and how often it has been called in itself.
        monitor.variable(variable("int", self.named("runs"), None));
        monitor.variable(variable("unsigned int", self.named("inside"), None));
        for state in 0..self.states.len() {
            monitor.variable(variable("int", self.variable(state), None));
        }
        let place = |at| scanner.error_at(at, "");
        let mut errors = Vec::new();
        let (called, returned) =
            (Event::Call(self.function.to_owned()), Event::Return(self.function.to_owned()));
        let actions = self.actions();
        for (event, at) in &actions {
            let mut code = vec![ours(format!("if ({}) {{", self.named("runs")))];
            if *event == returned {
                // An inner call that returns is an action like any other; the outermost ends the run.
                code[0] = ours(format!("if ({} && {} == 1) {{", self.named("runs"), self.named("inside")));
            }
            code.extend(self.step(scanner, event, *at));
            code.push(ours("}"));
            monitor.hook(event.clone(), place(*at), code, true);
            errors.push((scanner.line_and_column(*at), self.complaint(event)));
        }
        monitor.hook(called, place(self.at), self.begin(scanner), true);
        let (runs, inside) = (self.named("runs"), self.named("inside"));
        let end = format!("if ({inside} && !--{inside}) {runs} = 0;");
        monitor.hook(returned, place(self.at), vec![ours(end)], true);
        Ok(self.specified(scanner, text, monitor, errors))
    }

    fn specified(
        &self,
        scanner: &Scanner<'_>,
        text: &str,
        monitor: Monitor,
        errors: Vec<((u32, u32), String)>,
    ) -> Specification {
        Specification {
            name: self.name.to_owned(),
            language: Language::Machines,
            file: scanner.file.to_owned(),
            text: Arc::from(text),
            weaving: Arc::new(monitor.finish()),
            states: Vec::new(),
            errors,
            strategy: None,
            tried: Tried::default(),
        }
    }

    fn complaint(&self, event: &Event) -> String {
        let what = match event {
            Event::Call(f) => format!("a call of {f}"),
            Event::Return(f) => format!("this return of {f}"),
            Event::Start => "the beginning".to_owned(),
            Event::End => "the end".to_owned(),
            Event::Assign(g) => format!("this assignment to {g}"),
            Event::Label(l) => format!("the label {l}"),
        };
        format!("{} does not allow {what} here", self.name)
    }

    /// The function is called.
    fn begin(&self, scanner: &Scanner<'_>) -> Vec<Piece> {
        let (runs, inside) = (self.named("runs"), self.named("inside"));
        let mut code = vec![ours(format!("if ({inside}++ == 0"))];
        if let Some(when) = &self.when {
            code.extend([ours("&& ("), scanner.piece(when.at, when.text.to_owned()), ours(")")]);
        }
        let start = &self.silently()[0];
        let states: Vec<String> = (0..self.states.len())
            .map(|s| format!("{} = {};", self.variable(s), u8::from(start.contains(&s))))
            .collect();
        code.push(ours(format!(") {{ {runs} = 1; {} }}", states.join(" "))));
        code
    }

    /// All states that the machine may be in after an action.
    fn step(&self, scanner: &Scanner<'_>, event: &Event, at: usize) -> Vec<Piece> {
        let closure = self.silently();
        let new = |state: usize| format!("$new{state}");
        let declared: Vec<String> = (0..self.states.len()).map(|s| format!("int {} = 0;", new(s))).collect();
        let mut code = vec![ours(declared.join(" "))];
        for Move { from, action, to, .. } in &self.moves {
            let Some(Action { event: moved, when }) = action else { continue };
            if moved != event {
                continue;
            }
            code.push(ours(format!("if ({}", self.variable(*from))));
            if let Some(when) = when {
                code.extend([ours("&& ("), scanner.piece(when.at, when.text.to_owned()), ours(")")]);
            }
            let reached: Vec<String> = closure[*to].iter().map(|&s| format!("{} = 1;", new(s))).collect();
            code.push(ours(format!(") {{ {} }}", reached.join(" "))));
        }
        let somewhere: Vec<String> = (0..self.states.len()).map(new).collect();
        code.push(ours(format!("if (!({}))", somewhere.join(" | "))));
        code.push(scanner.piece(at, format!("{}();", violated(self.name))));
        let moved: Vec<String> =
            (0..self.states.len()).map(|s| format!("{} = {};", self.variable(s), new(s))).collect();
        code.push(ours(moved.join(" ")));
        code
    }
}
