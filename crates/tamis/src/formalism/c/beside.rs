//! The program is run beside the search: if it has one execution only, that is the answer. If it has inputs, a few executions are
//! tried: one that violates the property is an answer too.

use super::certificate::Proof;
use super::property::Property;
use super::reproduction::Reproduction;
use super::single::{self, Open};
use super::witness::make::Witnesses;
use crate::arguments::CheckOptions;
use crate::check::proof as told;
use crate::check::report::Report;
use crate::formalism::{Beside, Case};
use crate::verdict::{ExitStatus, Verdict};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use tamis_cegar::Search;
use tamis_interpreter_c::interpreter::Outcome;
use tamis_interpreter_c::{Chance, Execution};
use tamis_solver::{Budget, Stop};

/// The search has so long for an answer of its own, which says more: a program that it decides soon has invariants.
const SEARCH_FIRST: Duration = Duration::from_millis(500);

/// What a run showed.
#[derive(Clone, Copy)]
enum Shown {
    /// The only execution.
    Single(Execution),
    /// An execution among others that violates the property.
    Violation(Chance),
}

/// A run of the program on a thread of its own.
pub struct Run<'a> {
    case: Case<'a, Property>,
    budget: Budget,
    answer: Receiver<Shown>,
    shown: Option<Shown>,
}

impl<'a> Run<'a> {
    /// Starts to run the program, if a run can be an answer. Once it is, the search is cancelled.
    pub fn start(case: Case<'a, Property>, search: &Budget) -> Option<Run<'a>> {
        let (options, property) = (case.options, case.property);
        let searches = &case.preset.strategy.searches;
        let decides =
            matches!(property, Property::Unreachable(_) | Property::Memory(_) | Property::Specified(_));
        let wanted = decides && searches.iter().any(|s| matches!(s, Search::Bounded | Search::Unwind));
        // Which choices of a machine get stuck shows in executions that are the same up to a choice: random ones are not.
        let compared = property.specification().is_some_and(|s| s.strategy.is_some());
        if !wanted || compared || options.no_execution {
            return None;
        }
        let (sender, answer) = channel();
        let budget = case.budget.child();
        let (options, property) = (options.clone(), property.clone());
        let (running, search) = (budget.clone(), search.clone());
        let work = move || run(&options, &property, &running, &search, &sender);
        std::thread::Builder::new().name("run".to_owned()).spawn(work).ok()?;
        Some(Run { case, budget, answer, shown: None })
    }
}

impl Beside<Proof> for Run<'_> {
    fn answer(&mut self, patience: Duration) -> Option<bool> {
        self.shown = self.answer.recv_timeout(patience).ok();
        self.shown.map(|shown| matches!(shown, Shown::Single(execution) if !execution.violates))
    }

    fn report(&mut self) -> Option<(Report, Option<Proof>)> {
        let shown = self.shown?;
        let Case { options, property, budget, .. } = self.case;
        let CheckOptions { input, limits, witness, .. } = options;
        let witnesses = Witnesses::of(&self.case);
        let unit = single::unit(input, property, witness.is_some()).ok()?;
        let account = match &shown {
            Shown::Single(execution) if execution.violates => {
                Some(single::account(&unit, execution, property, limits.memory, budget).ok()?)
            }
            Shown::Violation(chance) => {
                Some(single::account_of_chance(&unit, chance, property, limits.memory, budget)?)
            }
            Shown::Single(_) => None,
        };
        if let Some(account) = account {
            let reproduction = Reproduction { witnesses, left: self.case.left() };
            return Some((reproduction.confirmed(&unit, &account), None));
        }
        let Shown::Single(execution) = shown else { return None };
        let again = single::execution(input, &unit, property, limits.memory, budget).ok();
        budget.check().ok()?;
        if again != Some(execution) {
            let why = "evidence: the program does something else when it is run again";
            return Some((Report::internal(property.name(), why), None));
        }
        let report = Report {
            proof: Some(told::Proof::Execution(execution.steps)),
            advice: witnesses.of_execution(&unit),
            ..Report::new(property.name(), Verdict::True, ExitStatus::True)
        };
        Some((report, Some(Proof::Execution(execution))))
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        self.budget.cancel(Stop::Cancelled);
    }
}

fn run(
    options: &CheckOptions,
    property: &Property,
    budget: &Budget,
    search: &Budget,
    sender: &Sender<Shown>,
) {
    let began = Instant::now();
    let Ok(unit) = single::unit(&options.input, property, options.witness.is_some()) else { return };
    let memory = options.limits.memory;
    let shown = match single::execution(&options.input, &unit, property, memory, budget) {
        Ok(execution) => Some(Shown::Single(execution)),
        Err(Open::Run(Outcome::OutOfInputs { .. }))
            if matches!(property, Property::Unreachable(_) | Property::Memory(_)) =>
        {
            std::thread::sleep(SEARCH_FIRST.saturating_sub(began.elapsed()));
            single::by_chance(&options.input, &unit, property, memory, budget).map(Shown::Violation)
        }
        Err(_) => None,
    };
    let Some(shown) = shown else { return };
    if sender.send(shown).is_ok() {
        std::thread::sleep(SEARCH_FIRST.saturating_sub(began.elapsed()));
        if budget.check().is_ok() {
            search.cancel(Stop::Cancelled);
        }
    }
}
