//! Weak simulation: the machine answers each action by a move of its own, silent steps before and behind it included, when it
//! does not know yet what comes.
//!
//! A machine that simulates a function allows all of its traces, so trace containment is looked at first, and where the machine
//! never has a choice that is the same. Otherwise it needs a strategy. MAGIC finds one by a game on the abstract model, in which
//! the choice may depend on the abstract state; here a strategy is an order of the moves for each state and action, of which the
//! first is taken whose condition holds. That is less: a function that is simulated by choices which depend on more than the
//! machine's conditions say gets no answer. In exchange a strategy is a monitor like any other, its proof has invariants, and
//! conditions on moves can say what a choice depends on.

use super::{Machine, Move, read_all};
use crate::monitor::{Monitor, ours, variable, violated};
use crate::scanner::{Fragment, Scanner};
use crate::{Language, Specification};
use std::sync::Arc;
use tamis_diagnostics::Diagnostic;
use tamis_front_c::{Event, Piece, Weaving};

/// More strategies are not tried.
const MOST_STRATEGIES: usize = 64;

/// The machines of a file, as what simulates their functions.
pub fn simulations(file: &str, text: &str) -> Result<Vec<Specification>, Diagnostic> {
    let mut scanner = Scanner::new(file, text);
    let machines = read_all(&mut scanner)?;
    let specification = |machine: &Machine<'_>| {
        let traces = machine.specification(&scanner, text)?;
        let strategies = machine.strategies(&scanner);
        Ok(Specification { language: Language::Simulations, strategies, ..traces })
    };
    machines.iter().map(specification).collect()
}

/// A move with silent steps around it.
struct Weak<'a, 'm> {
    when: &'m Option<Fragment<'a>>,
    to: usize,
}

impl<'a> Machine<'a> {
    /// All that a state can answer to an action with.
    fn answers(&self, from: usize, event: &Event) -> Vec<Weak<'a, '_>> {
        let closure = self.silently();
        let mut answers = Vec::new();
        for Move { from: own, action, to, .. } in &self.moves {
            let Some(action) = action.as_ref().filter(|action| action.event == *event) else { continue };
            if closure[from].contains(own) {
                answers.extend(closure[*to].iter().map(|&to| Weak { when: &action.when, to }));
            }
        }
        answers
    }

    /// The strategies of a machine that has choices.
    fn strategies(&self, scanner: &Scanner<'_>) -> Vec<Arc<Weaving>> {
        let actions = self.actions();
        let mut choices = Vec::new();
        for from in 0..self.states.len() {
            for (event, _) in &actions {
                choices.push(self.answers(from, event).len().max(1));
            }
        }
        if choices.iter().all(|&choice| choice == 1) {
            return Vec::new();
        }
        let mut strategies = Vec::new();
        let mut first = vec![0; choices.len()];
        while strategies.len() < MOST_STRATEGIES {
            strategies.push(Arc::new(self.strategy(scanner, &first)));
            let Some(next) = (0..first.len()).find(|&i| first[i] + 1 < choices[i]) else { break };
            first[next] += 1;
            first[..next].fill(0);
        }
        strategies
    }

    /// The monitor of a strategy, which says what is tried first for each state and action.
    fn strategy(&self, scanner: &Scanner<'_>, first: &[usize]) -> Weaving {
        let mut monitor = Monitor::new(self.name);
        let (runs, inside, state) = (self.named("runs"), self.named("inside"), self.named("state"));
        monitor.variable(variable("int", runs.clone(), None));
        monitor.variable(variable("unsigned int", inside.clone(), None));
        monitor.variable(variable("int", state.clone(), None));
        let actions = self.actions();
        for (number, (event, at)) in actions.iter().enumerate() {
            let outermost = match *event == Event::Return(self.function.to_owned()) {
                true => format!("&& {inside} == 1"),
                false => String::new(),
            };
            let mut code = vec![ours(format!("if ({runs} {outermost}) {{"))];
            for from in 0..self.states.len() {
                code.push(ours(format!("if ({state} == {from}) {{")));
                let answers = self.answers(from, event);
                let preferred = first[from * actions.len() + number];
                for answer in answers.iter().cycle().skip(preferred).take(answers.len()) {
                    code.extend(answered(scanner, answer, &state));
                }
                code.push(scanner.piece(*at, format!("{}();", violated(self.name))));
                code.push(ours("} else"));
            }
            code.push(ours("; }"));
            monitor.hook(event.clone(), scanner.error_at(*at, ""), code, true);
        }
        let place = || scanner.error_at(self.at, "");
        let mut begin = vec![ours(format!("if ({inside}++ == 0"))];
        if let Some(when) = &self.when {
            begin.extend([ours("&& ("), scanner.piece(when.at, when.text.to_owned()), ours(")")]);
        }
        begin.push(ours(format!(") {{ {runs} = 1; {state} = 0; }}")));
        monitor.hook(Event::Call(self.function.to_owned()), place(), begin, true);
        let end = vec![ours(format!("if ({inside} && !--{inside}) {runs} = 0;"))];
        monitor.hook(Event::Return(self.function.to_owned()), place(), end, true);
        monitor.finish()
    }
}

fn answered(scanner: &Scanner<'_>, answer: &Weak<'_, '_>, state: &str) -> Vec<Piece> {
    let mut code = vec![ours("if (1")];
    if let Some(when) = answer.when {
        code.extend([ours("&& ("), scanner.piece(when.at, when.text.to_owned()), ours(")")]);
    }
    code.push(ours(format!(") {state} = {}; else", answer.to)));
    code
}
