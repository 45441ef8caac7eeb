//! Linear temporal logic over the events of a program: the safety fragment.
//!
//! A trace has a position for the beginning and the end of the program and for each event that the formula may notice: calls of
//! functions and labels that it names, just before they run, and assignments to globals that its conditions name, just after.
//! `call(f)` and `label(l)` hold in their positions alone; a condition in C holds where it is true.
//!
//! A formula that nothing but a bad beginning violates becomes an automaton by *progression*: what has to hold from the next
//! position on is a formula again, and there are finitely many of them. `false` is the error. Only by its form a formula is
//! known as such: in negation normal form it has no *until* and no *eventually* without a bound. The others are liveness.

mod formula;
mod parse;

use crate::monitor::{Monitor, ours, variable, violated};
use crate::names::words;
use crate::scanner::Scanner;
use crate::{Language, Specification, Tried};
use formula::{Formula, Needed};
use parse::{Parsed, Proposition};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use tamis_diagnostics::Diagnostic;
use tamis_front_c::{Event, Piece};

/// Automata with more states are not made.
const MOST_STATES: usize = 256;

/// Code with more branches is not made.
const MOST_BRANCHES: usize = 4_000;

/// What a formula is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Temporal {
    /// A bad beginning violates it.
    Safety(Box<Specification>),
    /// Something has to happen in the end.
    Liveness,
    /// It is one of safety whose automaton is too large.
    TooLarge,
}

/// The formula in a part of a file, which is the `number`th there.
pub fn formula(file: &str, text: &str, part: Range<usize>, number: usize) -> Result<Temporal, Diagnostic> {
    let mut scanner = Scanner::part(file, text, part.clone());
    let Parsed { propositions, formula } = parse::parse(&mut scanner)?;
    let Some(formula) = formula else { return Ok(Temporal::Liveness) };
    let name = if number == 0 { "ltl".to_owned() } else { format!("ltl_{}", number + 1) };
    let mut automaton = Automaton {
        name: &name,
        scanner: &scanner,
        at: part.start,
        propositions: &propositions,
        states: vec![formula.clone()],
        numbers: [(formula, 0)].into_iter().collect(),
        branches: 0,
    };
    let Some(monitor) = automaton.monitor() else { return Ok(Temporal::TooLarge) };
    let place = scanner.line_and_column(part.start);
    let said = text[part].split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Temporal::Safety(Box::new(Specification {
        name: name.clone(),
        language: Language::Temporal,
        file: file.to_owned(),
        text: Arc::from(text),
        weaving: Arc::new(monitor.finish()),
        states: Vec::new(),
        errors: vec![(place, format!("{said} does not hold"))],
        strategy: None,
        tried: Tried::default(),
    })))
}

/// The formulas of a property file that become monitors.
pub fn formulas(file: &str, text: &str) -> Result<Vec<Specification>, Diagnostic> {
    let mut found = Vec::new();
    for (number, (start, _)) in text.match_indices("LTL(").enumerate() {
        let start = start + "LTL(".len();
        let mut scanner = Scanner::part(file, text, start..text.len());
        let inside = scanner.c_until(start, |c| c == ')')?;
        if let Ok(Temporal::Safety(specification)) =
            formula(file, text, start..start + inside.text.len(), number)
        {
            found.push(*specification);
        }
    }
    Ok(found)
}

struct Automaton<'a> {
    name: &'a str,
    scanner: &'a Scanner<'a>,
    at: usize,
    propositions: &'a [Proposition<'a>],
    states: Vec<Formula>,
    numbers: FxHashMap<Formula, usize>,
    branches: usize,
}

impl Automaton<'_> {
    fn monitor(&mut self) -> Option<Monitor> {
        let mut monitor = Monitor::new(self.name);
        let state = format!("{}$state", self.name);
        monitor.variable(variable("int", state.clone(), None));
        let events = self.events();
        let mut codes: Vec<Vec<Piece>> = events.iter().map(|_| vec![ours("{ ")]).collect();
        let mut next = 0;
        while next < self.states.len() {
            for ((event, _), code) in events.iter().zip(&mut codes) {
                code.push(ours(format!("if ({state} == {next}) {{")));
                self.step(next, event, &mut Vec::new(), code)?;
                code.push(ours("} else "));
            }
            next += 1;
        }
        for ((event, certain), mut code) in events.into_iter().zip(codes) {
            code.push(ours("; }"));
            let place = self.scanner.error_at(self.at, "");
            monitor.hook(event, place, code, certain);
        }
        Some(monitor)
    }

    /// The events that are positions, each with whether it is named as such.
    fn events(&self) -> Vec<(Event, bool)> {
        let mut events = vec![(Event::Start, true)];
        for proposition in self.propositions {
            match proposition {
                Proposition::Call(f) => events.push((Event::Call((*f).to_owned()), true)),
                Proposition::Label(l) => events.push((Event::Label((*l).to_owned()), true)),
                Proposition::Condition(condition) => {
                    let mut before = "";
                    for (word, is_name) in words(condition.text) {
                        let event = Event::Assign(word.to_owned());
                        let member = before.ends_with('.') || before.ends_with('>');
                        if is_name && !member && !events.iter().any(|(known, _)| *known == event) {
                            events.push((event, false));
                        }
                        if !word.trim().is_empty() {
                            before = word;
                        }
                    }
                }
            }
        }
        events.push((Event::End, true));
        events
    }

    /// Goes on from a state, with the values of conditions that are known.
    fn step(
        &mut self,
        state: usize,
        event: &Event,
        known: &mut Vec<(usize, bool)>,
        code: &mut Vec<Piece>,
    ) -> Option<()> {
        self.branches += 1;
        if self.branches > MOST_BRANCHES {
            return None;
        }
        let value = |p: usize| match (&self.propositions[p], event) {
            (Proposition::Call(f), Event::Call(g)) => Some(f == g),
            (Proposition::Label(f), Event::Label(g)) => Some(f == g),
            (Proposition::Call(_) | Proposition::Label(_), _) => Some(false),
            (Proposition::Condition(_), _) => known.iter().find(|(q, _)| *q == p).map(|(_, value)| *value),
        };
        match self.states[state].progress(&value) {
            Ok(Formula::False) => {
                code.push(self.scanner.piece(self.at, format!("{}();", violated(self.name))));
            }
            Ok(next) => {
                let number = match self.numbers.get(&next) {
                    Some(&number) => number,
                    None if self.states.len() == MOST_STATES => return None,
                    None => {
                        self.numbers.insert(next.clone(), self.states.len());
                        self.states.push(next);
                        self.states.len() - 1
                    }
                };
                code.push(ours(format!("{}$state = {number};", self.name)));
            }
            Err(Needed(p)) => {
                let Proposition::Condition(condition) = &self.propositions[p] else { return None };
                code.push(ours("if ("));
                code.push(self.scanner.piece(condition.at, condition.text.to_owned()));
                code.push(ours(") {"));
                known.push((p, true));
                self.step(state, event, known, code)?;
                code.push(ours("} else {"));
                known.pop();
                known.push((p, false));
                self.step(state, event, known, code)?;
                known.pop();
                code.push(ours("}"));
            }
        }
        Some(())
    }
}
