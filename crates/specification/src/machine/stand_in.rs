//! Machines that stand in for functions.

use super::{Action, Machine, read_all};
use crate::scanner::Scanner;
use tamis_diagnostics::Diagnostic;
use tamis_front_c::{Act, Event, StandIn, Way};

/// The machines of a file, as what functions without a body do. Of a call only what the machine says is taken: it is an
/// assumption, which a check of the function itself against the machine is to show.
pub fn stand_ins(file: &str, text: &str) -> Result<Vec<StandIn>, Diagnostic> {
    let mut scanner = Scanner::new(file, text);
    let machines = read_all(&mut scanner)?;
    machines.iter().map(|machine| stand_in(machine, &scanner)).collect()
}

fn stand_in(machine: &Machine<'_>, scanner: &Scanner<'_>) -> Result<StandIn, Diagnostic> {
    let mut states = vec![Vec::new(); machine.states.len()];
    if let Some(when) = &machine.when {
        let message = "a machine with a condition does not say what the function does otherwise: it cannot stand in for it";
        return Err(scanner.error_at(when.at, message));
    }
    for step in &machine.moves {
        let act = match &step.action {
            None => Act::Silent,
            Some(Action { event, when }) => {
                let when = when.map(|when| scanner.piece(when.at, when.text.to_owned()));
                match event {
                    Event::Return(function) if function == machine.function => Act::Return(when),
                    Event::Call(function) => Act::Call(function.clone(), when),
                    _ => {
                        let message = "a machine that stands in for a function calls functions and returns";
                        return Err(scanner.error_at(step.at, message));
                    }
                }
            }
        };
        states[step.from].push(Way { act, to: step.to });
    }
    let place = scanner.error_at(machine.at, "");
    Ok(StandIn { function: machine.function.to_owned(), place, states, only_if_undefined: false })
}
