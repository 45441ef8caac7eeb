//! The program is run beside the search: if it has one execution only, that is the answer.

use crate::arguments::CheckOptions;
use crate::formalism::c::property::Property;
use crate::formalism::c::single;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tamis_interpreter_c::Execution;
use tamis_solver::{Budget, Stop};

/// The search has so long for an answer of its own, which says more: a program that it decides soon has invariants.
const PATIENCE: Duration = Duration::from_millis(500);

/// A run of the program on a thread of its own.
pub struct Run {
    budget: Budget,
    answer: Receiver<Execution>,
}

impl Run {
    /// Starts to run the program, if a run can be an answer. Once it is, the search is cancelled.
    pub fn start(
        options: &CheckOptions,
        property: &Property,
        overall: &Budget,
        search: &Budget,
    ) -> Option<Run> {
        let wanted = matches!(property, Property::Unreachable(_)) && options.preset.strategy.bounded_search;
        if !wanted || options.no_execution {
            return None;
        }
        let (sender, answer) = channel();
        let budget = overall.child();
        let (options, property) = (options.clone(), property.clone());
        let (running, search) = (budget.clone(), search.clone());
        let work = move || run(&options, &property, &running, &search, &sender);
        std::thread::Builder::new().name("run".to_owned()).spawn(work).ok()?;
        Some(Run { budget, answer })
    }

    /// The execution, if it is known in time. The run ends.
    pub fn answer(self, patience: Duration) -> Option<Execution> {
        self.answer.recv_timeout(patience).ok()
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.budget.cancel(Stop::Cancelled);
    }
}

fn run(
    options: &CheckOptions,
    property: &Property,
    budget: &Budget,
    search: &Budget,
    sender: &Sender<Execution>,
) {
    let began = Instant::now();
    let Ok(unit) = single::unit(&options.input, property, options.witness.is_some()) else { return };
    let memory = options.limits.memory;
    let Ok(execution) = single::execution(&options.input, &unit, memory, budget) else { return };
    if sender.send(execution).is_ok() {
        std::thread::sleep(PATIENCE.saturating_sub(began.elapsed()));
        if budget.check().is_ok() {
            search.cancel(Stop::Cancelled);
        }
    }
}
