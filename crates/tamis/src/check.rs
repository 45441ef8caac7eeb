//! `tamis check`.

use crate::arguments::{AbstractionKind, CheckOptions};
use crate::iterations::Iterations;
use crate::limits::Limits;
use crate::progress::Progress;
use crate::statistics::Times;
use crate::verdict::{ExitStatus, Verdict};
use crate::{input, proof, run, statistics, trace};
use std::time::Instant;
use tamis_cegar::{ConcreteTrace, EngineKind, GaveUp, Outcome, Point, ProgramSystem, Statistics};
use tamis_evidence::{Certificate, Irreproducible, Rejection, Replay};
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_program::{Command, EdgeId, Havoc, Program, Simplified, simplify};
use tamis_solver::Budget;

/// Stack for the run: formulas are walked without recursion, but the C parser recurses on nesting.
const STACK: usize = 512 << 20;

/// Runs the check and prints its verdict.
pub fn run(options: CheckOptions) -> ExitStatus {
    let start = Instant::now();
    let limits = Limits { timeout: options.timeout, memory: options.memory };
    let budget = Budget::unlimited();
    limits.watch(start, budget.clone(), move |stop| Verdict::Unknown(limits.reason(stop)).announce());
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let mut session = Session { options, limits, budget, start, times: Times::default() };
        session.run()
    });
    let (verdict, status) = match worker.map(|w| w.join()) {
        Ok(Ok(answer)) => answer,
        // The panic's message is on stderr already.
        Ok(Err(_)) => internal("a panic; please report this program"),
        Err(error) => internal(&format!("no thread: {error}")),
    };
    if verdict.announce() {
        status
    } else {
        // The watchdog is ending the process with a verdict of its own.
        ExitStatus::Unknown
    }
}

fn internal(what: &str) -> (Verdict, ExitStatus) {
    (Verdict::Unknown(format!("internal error: {what}")), ExitStatus::Internal)
}

struct Session {
    options: CheckOptions,
    limits: Limits,
    budget: Budget,
    start: Instant,
    times: Times,
}

impl Session {
    fn run(&mut self) -> (Verdict, ExitStatus) {
        let mut terms = Terms::new();
        let mut progress = Progress::new("reading");
        let loaded = input::load(&self.options.input, &mut terms);
        self.times.front_end = self.start.elapsed();
        let answer = match loaded {
            Err(refusal) => {
                progress.finish();
                refusal.print();
                (Verdict::Unknown(refusal.reason()), refusal.status())
            }
            Ok(program) => self.decide(&mut terms, &program, &mut progress),
        };
        progress.finish();
        answer
    }

    fn decide(
        &mut self,
        terms: &mut Terms,
        program: &Program,
        progress: &mut Progress,
    ) -> (Verdict, ExitStatus) {
        progress.say("simplifying");
        let simplified =
            if self.options.no_simplify { Simplified::unchanged(program) } else { simplify(program, terms) };
        let subject = Subject { original: program, simplified: &simplified };
        let (mut answer, mut counts) = self.search(terms, subject, &simplified.program, progress);
        if let Answer::Doubtful(doubt) = answer {
            // Perhaps there is a violation that passes no approximation.
            let exact = simplified.program.without_approximations(terms);
            let (second, more) = self.search(terms, subject, &exact, progress);
            answer = match second {
                // Evidence that fails its check is never passed over.
                Answer::Violation(_) | Answer::None(_, ExitStatus::Internal) => second,
                _ => Answer::Doubtful(doubt),
            };
            counts = more;
        }
        if let Answer::Violation(replay) = answer {
            progress.say("running the program");
            let began = Instant::now();
            answer = self.reproduce(terms, program, replay);
            self.times.evidence += began.elapsed();
        }
        progress.finish();
        let answer = match answer {
            Answer::Proof(certificate) => {
                proof::print(terms, &simplified.program, &certificate);
                (Verdict::True, ExitStatus::True)
            }
            Answer::Violation(replay) => {
                trace::print(program, &replay);
                (Verdict::False(self.options.property), ExitStatus::False)
            }
            Answer::Doubtful(replay) => {
                trace::print(program, &replay);
                let reason =
                    replay.approximated.first().map(|&e| approximation(program, e)).unwrap_or_default();
                (Verdict::Unknown(input::one_line(&reason)), ExitStatus::Unknown)
            }
            Answer::Unconfirmed(replay, reason, status) => {
                trace::print(program, &replay);
                (Verdict::Unknown(reason), status)
            }
            Answer::None(reason, status) => (Verdict::Unknown(reason), status),
        };
        if self.options.stats {
            statistics::print(&counts, self.times, self.start.elapsed());
        }
        answer
    }

    /// Searches `program`, which is the subject's simplified one or a part of it, for a proof or a violation, and checks
    /// the evidence for it.
    fn search(
        &mut self,
        terms: &mut Terms,
        subject: Subject<'_>,
        program: &Program,
        progress: &mut Progress,
    ) -> (Answer, Statistics) {
        progress.say("searching");
        let began = Instant::now();
        let mut strategy = self.options.preset.clone();
        strategy.engine = match self.options.abstraction {
            Some(AbstractionKind::Exact) => EngineKind::AllSat,
            Some(AbstractionKind::Cartesian) => EngineKind::Cartesian,
            None => strategy.engine,
        };
        let system = ProgramSystem::over(terms, program, strategy.summary.into());
        let mut observer =
            Iterations { progress, system: &system, program, shown: self.options.trace_iterations };
        let (outcome, counts) = tamis_cegar::check(terms, &system, &strategy, &self.budget, &mut observer);
        self.times.search += began.elapsed();
        progress.say("checking the evidence");
        let began = Instant::now();
        let answer = match outcome {
            Outcome::Safe(invariants) => {
                let at = |i: usize| system.location(Point(i as u32));
                let invariants = invariants.into_iter().enumerate().map(|(i, inv)| (at(i), inv)).collect();
                self.certify(terms, program, Certificate { invariants })
            }
            Outcome::Unsafe(trace) => subject.replay(terms, program, &trace),
            Outcome::Unknown(why) => Answer::None(self.gave_up(why), ExitStatus::Unknown),
        };
        self.times.evidence += began.elapsed();
        (answer, counts)
    }

    /// Executes the C program on the inputs of a violation.
    fn reproduce(&self, terms: &Terms, program: &Program, replay: Replay) -> Answer {
        let unit = match input::read(&self.options.input) {
            Ok(unit) => unit,
            Err(refusal) => return Answer::Unconfirmed(replay, refusal.reason(), refusal.status()),
        };
        let left = self.options.timeout.map(|limit| limit.saturating_sub(self.start.elapsed()));
        let failure = match tamis_evidence::reproduce(terms, program, &unit, &replay, left) {
            Ok(()) => return Answer::Violation(replay),
            Err(failure) => failure,
        };
        let (reason, status) = match &failure {
            Irreproducible::Undefined { at, .. } => {
                (format!("{failure}, {}", run::place(&unit, *at)), ExitStatus::Unknown)
            }
            Irreproducible::DependsOnMemory | Irreproducible::Unknown(_) => {
                (failure.to_string(), ExitStatus::Unknown)
            }
            Irreproducible::Disagreement(_) => (format!("evidence: {failure}"), ExitStatus::Internal),
        };
        Answer::Unconfirmed(replay, reason, status)
    }

    fn certify(&self, terms: &mut Terms, program: &Program, certificate: Certificate) -> Answer {
        match tamis_evidence::certify(terms, program, &certificate, &self.budget) {
            Ok(()) => Answer::Proof(certificate),
            Err(Rejection::Stopped(stop)) => Answer::None(self.limits.reason(stop), ExitStatus::Unknown),
            Err(rejection) => Answer::None(format!("evidence: {rejection}"), ExitStatus::Internal),
        }
    }

    fn gave_up(&self, why: GaveUp) -> String {
        match why {
            GaveUp::Interrupted(Interrupted::Stopped(stop)) => self.limits.reason(stop),
            GaveUp::Interrupted(Interrupted::OutOfNodes) => {
                "decision diagrams outgrew their limit".to_owned()
            }
            GaveUp::NoNewPredicate => "no predicate excludes a spurious counterexample".to_owned(),
        }
    }
}

/// What a search found, its evidence checked.
enum Answer {
    Proof(Certificate),
    Violation(Replay),
    /// A violation of the model that passes an approximation.
    Doubtful(Replay),
    /// A violation of the model that the C program was not seen to make, for the given reason.
    Unconfirmed(Replay, String, ExitStatus),
    /// Nothing, for the given reason.
    None(String, ExitStatus),
}

/// What is checked: the program as the user sees it, and as it is searched.
#[derive(Clone, Copy)]
struct Subject<'a> {
    original: &'a Program,
    simplified: &'a Simplified,
}

impl Subject<'_> {
    /// Re-runs an execution on the program that was searched, and then on the original: no simplification can make up
    /// a violation.
    fn replay(&self, terms: &Terms, searched: &Program, found: &ConcreteTrace<EdgeId>) -> Answer {
        let failed =
            |why: &dyn std::fmt::Display| Answer::None(format!("evidence: {why}"), ExitStatus::Internal);
        if let Err(divergence) = tamis_evidence::replay(terms, searched, &found.initial, &found.execution) {
            return failed(&divergence);
        }
        let Some(execution) = self.simplified.lift(terms, self.original, &found.initial, &found.execution)
        else {
            return failed(&"the trace is none of the program before its simplification");
        };
        match tamis_evidence::replay(terms, self.original, &found.initial, &execution) {
            Ok(replay) if replay.approximated.is_empty() => Answer::Violation(replay),
            Ok(replay) => Answer::Doubtful(replay),
            Err(divergence) => failed(&divergence),
        }
    }
}

/// Why a counterexample that passes an over-approximation is not believed.
fn approximation(program: &Program, edge: EdgeId) -> String {
    let edge = program.edge(edge);
    let what = match &edge.command {
        Command::Havoc(_, Havoc::Approximated(what)) => what.as_str(),
        _ => "an unmodelled value",
    };
    let file = program.file(edge.source.file);
    format!("approximated: {what}, {file}:{}", edge.source.line)
}
