//! The search for a proof or a violation in a program with a witness's code in it, with all evidence checked.

use crate::arguments::Preset;
use crate::formalism::c::property::Property;
use crate::limits::Limits;
use std::time::Duration;
use tamis_cegar::{Outcome, Silent};
use tamis_diagnostics::Error;
use tamis_evidence::{Certificate, Rejection, Replay};
use tamis_front_c::tree::Unit;
use tamis_front_c::{Options, Sources};
use tamis_interpreter_c::Irreproducible;
use tamis_interpreter_c::account::Account;
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_program::{Command, EdgeId, Havoc, Program, ProgramSystem, Simplified, executed, simplify};
use tamis_solver::Budget;
use tamis_system::ConcreteTrace;

/// What is known about a program.
pub enum Found {
    /// No execution violates the property.
    Safe,
    /// One does.
    Violation(Box<(Account, Unit)>),
    /// Neither, for the given reason.
    Unknown(String),
}

/// How programs are searched.
pub struct Search<'a> {
    pub preset: &'a Preset,
    pub budget: &'a Budget,
    pub limits: Limits,
}

/// A program that was searched, and how.
type Subject<'a> = (&'a Program, &'a Simplified);

/// What a search found, before the C program is asked.
enum Answer {
    Safe,
    Violation(Replay),
    Doubtful(Replay),
    Unknown(String),
}

impl Search<'_> {
    /// Decides a property of a program, where `shape` makes of the automaton what is to be searched.
    pub fn decide(
        &self,
        sources: &Sources,
        property: &Property,
        shape: &dyn Fn(&mut Terms, &Program) -> Program,
    ) -> Result<Found, Error> {
        let target = property.target();
        let mut reading = Options::default();
        loop {
            let sources = sources.aimed(&target, reading.deepened);
            let mut terms = Terms::new();
            let program = sources.program(&mut terms)?;
            let program = shape(&mut terms, &program);
            let (found, approximated) = self.search(&mut terms, &program, &sources, property)?;
            match reading.refined(&approximated) {
                Some(finer) if self.budget.check().is_ok() => reading = finer,
                _ => return Ok(found),
            }
        }
    }

    /// What is found, and what it depends on that is only approximated.
    fn search(
        &self,
        terms: &mut Terms,
        program: &Program,
        sources: &Sources,
        property: &Property,
    ) -> Result<(Found, Vec<String>), Error> {
        let simplified = simplify(program, terms);
        let mut answer = self.run(terms, (program, &simplified), &simplified.program);
        if let Answer::Doubtful(doubt) = answer {
            let exact = simplified.program.without_approximations(terms);
            answer = match self.run(terms, (program, &simplified), &exact) {
                violation @ Answer::Violation(_) => violation,
                _ => Answer::Doubtful(doubt),
            };
        }
        Ok(match answer {
            Answer::Safe => (Found::Safe, Vec::new()),
            Answer::Unknown(reason) => (Found::Unknown(reason), Vec::new()),
            Answer::Doubtful(replay) => {
                let causes: Vec<String> =
                    replay.approximated.iter().map(|&e| cause(program, e).to_owned()).collect();
                let reason = format!("approximated: {}", causes.first().map_or("", String::as_str));
                (Found::Unknown(reason), causes)
            }
            Answer::Violation(replay) => {
                let unit = sources.unit()?;
                let wanted = property.violations();
                let done =
                    tamis_interpreter_c::reproduce(terms, program, &unit, &replay, wanted, self.time());
                let found = match done {
                    Ok(account) => Found::Violation(Box::new((account, unit))),
                    Err(why @ Irreproducible::Disagreement { .. }) => {
                        Found::Unknown(format!("evidence: {why}"))
                    }
                    Err(why) => Found::Unknown(why.to_string()),
                };
                (found, Vec::new())
            }
        })
    }

    fn time(&self) -> Option<Duration> {
        self.limits.timeout
    }

    fn run(&self, terms: &mut Terms, subject: Subject<'_>, program: &Program) -> Answer {
        let system = ProgramSystem::over(terms, program, self.preset.summary);
        let (outcome, _) =
            tamis_cegar::check(terms, &system, &self.preset.strategy, self.budget, &mut Silent);
        match outcome {
            Outcome::Safe(invariants) => {
                let invariants = system.at_locations(&invariants);
                let certificate = Certificate { invariants };
                self.accepted(tamis_evidence::certify(terms, program, &certificate, self.budget))
            }
            Outcome::Exhausted(steps) => {
                let rounds = steps.saturating_mul(program.locations().count());
                self.accepted(tamis_evidence::certify_exhausted(terms, program, rounds, self.budget))
            }
            Outcome::Unsafe(trace) => replay(terms, subject, program, &trace),
            Outcome::Unknown(why) => Answer::Unknown(match why {
                Interrupted::Stopped(stop) => self.limits.reason(stop),
                Interrupted::OutOfNodes => "decision diagrams outgrew their limit".to_owned(),
                Interrupted::Unsuitable(_, why) => why.to_owned(),
            }),
        }
    }

    fn accepted(&self, checked: Result<(), Rejection>) -> Answer {
        match checked {
            Ok(()) => Answer::Safe,
            Err(Rejection::Stopped(stop)) => Answer::Unknown(self.limits.reason(stop)),
            Err(rejection) => Answer::Unknown(format!("evidence: {rejection}")),
        }
    }
}

/// Re-runs an execution on the program that was searched, and on the one before its simplification.
fn replay(
    terms: &Terms,
    (original, simplified): Subject<'_>,
    searched: &Program,
    found: &ConcreteTrace<EdgeId>,
) -> Answer {
    let failed = |why: String| Answer::Unknown(format!("evidence: {why}"));
    let execution = executed(&found.execution);
    if let Err(divergence) = tamis_evidence::replay(terms, searched, &found.initial, &execution) {
        return failed(divergence.to_string());
    }
    let Some(execution) = simplified.lift(terms, original, &found.initial, &execution) else {
        return failed("the trace is none of the program before its simplification".to_owned());
    };
    match tamis_evidence::replay(terms, original, &found.initial, &execution) {
        Ok(replay) if replay.approximated.is_empty() => Answer::Violation(replay),
        Ok(replay) => Answer::Doubtful(replay),
        Err(divergence) => failed(divergence.to_string()),
    }
}

/// What is approximated at an edge.
fn cause(program: &Program, edge: EdgeId) -> &str {
    match &program.edge(edge).command {
        Command::Havoc(_, Havoc::Approximated(what)) => what,
        _ => "an unmodelled value",
    }
}
