//! The check of one property.

use super::board::Board;
use super::iterations::Iterations;
use super::progress::Progress;
use super::report::Report;
use super::statistics::{Numbers, Times};
use super::{advice, certificate, proof};
use crate::arguments::{AbstractionKind, CheckOptions};
use crate::certificate::{Proof, Subject as Subjected};
use crate::formalism::c::beside::Run;
use crate::formalism::c::input;
use crate::formalism::c::of_replay;
use crate::formalism::c::property::Property;
use crate::formalism::c::reproduction::Reproduction;
use crate::formalism::c::single;
use crate::formalism::c::witness::make::Witnesses;
use crate::limits::Limits;
use crate::refusal::one_line;
use crate::verdict::{ExitStatus, Verdict};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tamis_cegar::{EngineKind, Outcome, Statistics};
use tamis_evidence::{Certificate, Exhaustion, Rejection, Replay};
use tamis_interpreter_c::Execution;
use tamis_logic::Terms;
use tamis_paq::Interrupted;
use tamis_program::{Command, EdgeId, Havoc, Program, ProgramSystem, Simplified, executed, simplify};
use tamis_solver::Budget;
use tamis_system::ConcreteTrace;

/// Proofs are tidied for so long at least.
const TIDYING: Duration = Duration::from_secs(1);

/// Vacuity is looked for so long at least.
const DOUBTING: Duration = Duration::from_millis(100);

/// After a search without an answer, the program is run for so long at least.
const RUNNING: Duration = Duration::from_secs(10);

/// The check of one property.
pub struct Session<'a> {
    options: &'a CheckOptions,
    limits: Limits,
    /// Of the search, which may be cancelled by itself.
    budget: Budget,
    /// Of the whole check.
    overall: Budget,
    start: Instant,
    property: &'a Property,
    board: &'a Board,
    progress: Progress,
    counts: Statistics,
    times: Times,
    /// The proof, if it is to be written.
    proof: Option<Proof>,
    /// Whether the program could be translated.
    translated: bool,
}

impl<'a> Session<'a> {
    pub fn new(
        options: &'a CheckOptions,
        limits: Limits,
        overall: Budget,
        start: Instant,
        property: &'a Property,
        board: &'a Board,
    ) -> Session<'a> {
        let progress = Progress::new("reading", options.quiet);
        Session {
            options,
            limits,
            budget: overall.child(),
            overall,
            start,
            property,
            board,
            progress,
            counts: Statistics::default(),
            times: Times::default(),
            proof: None,
            translated: false,
        }
    }

    /// The answer, with its evidence.
    pub fn run(&mut self) -> Report {
        let report = self.answer();
        self.progress.finish();
        let numbers = Numbers { counts: self.counts.clone(), times: self.times, ..Numbers::default() };
        Report { numbers: numbers.at_end(self.start), ..report }
    }

    fn answer(&mut self) -> Report {
        let name = self.property.name();
        if let Property::Unsupported(what) = self.property {
            let reason = one_line(&format!("unsupported property: {what}"));
            return Report::unknown(name, reason, ExitStatus::Unknown);
        }
        let folder = match certificate::folder(self.options, self.board, name) {
            Ok(folder) => folder,
            Err(report) => return *report,
        };
        let run = Run::start(self.options, self.property, &self.overall, &self.budget);
        let target = self.property.target();
        let physical = self.options.witness.is_some();
        let mut reading =
            tamis_front_c::Options { target, physical, ..input::reading(&self.options.input.reading) };
        loop {
            self.say("reading the program");
            let mut terms = Terms::new();
            let began = Instant::now();
            let loaded = input::load(&self.options.input, &reading, &mut terms);
            self.times.front_end += began.elapsed();
            self.translated = loaded.is_ok();
            let mut warnings = loaded.as_ref().map_or(Vec::new(), |program| program.warnings().to_vec());
            let report = match loaded {
                Ok(program) if self.property.undefined().is_empty() => self.decide(&mut terms, &program),
                Ok(program) => self.decide(&mut terms, &program.checked(self.property.undefined())),
                Err(refusal) => {
                    self.progress.finish();
                    refusal.print();
                    Report::refused(name, &refusal)
                }
            };
            // What stands between this and an answer may be an approximation that need not be as coarse.
            match reading.refined(&report.approximations) {
                Some(finer) if self.budget.check().is_ok() => reading = finer,
                _ => {
                    let mut report = self.settle(report, run);
                    warnings.append(&mut report.warnings);
                    let report = Report { warnings, ..report };
                    return self.certificate(report, folder, reading.deepened);
                }
            }
        }
    }

    /// Writes the proof where it is wanted.
    fn certificate(&mut self, report: Report, folder: Option<PathBuf>, deepened: u32) -> Report {
        let Some(folder) = folder else { return report };
        self.say("writing the certificate");
        let subject =
            Subjected { property: self.property.clone(), deepened, simplified: !self.options.no_simplify };
        let proof = (&subject, self.proof.as_ref());
        certificate::store(report, &folder, self.options, proof, &self.limits, &self.overall)
    }

    /// The answer, given what the search found and what came of running the program.
    fn settle(&mut self, report: Report, run: Option<Run>) -> Report {
        let Some(run) = run else { return report };
        let open = matches!(report.verdict, Verdict::Unknown(_));
        if report.status == ExitStatus::Internal || !self.translated {
            return report;
        }
        if !open {
            // Where both know, they have to agree.
            let holds = report.verdict == Verdict::True;
            return match run.answer(Duration::ZERO) {
                Some(execution) if execution.violates == holds => {
                    let why = "evidence: the program's only execution contradicts the search";
                    Report::internal(self.property.name(), why)
                }
                _ => report,
            };
        }
        if self.overall.check().is_err() {
            return report;
        }
        self.say("running the program");
        let began = Instant::now();
        let execution = run.answer(self.start.elapsed().max(RUNNING));
        let settled = execution.map(|execution| self.single(&execution));
        self.times.evidence += began.elapsed();
        settled.flatten().unwrap_or(report)
    }

    /// The answer if the program has one execution, which is run once more.
    fn single(&mut self, execution: &Execution) -> Option<Report> {
        let name = self.property.name();
        let CheckOptions { input, limits, witness, .. } = self.options;
        let unit = single::unit(input, self.property, witness.is_some()).ok()?;
        if execution.violates {
            let account = single::account(&unit, execution, limits.memory, &self.overall).ok()?;
            let left = limits.timeout.map(|limit| limit.saturating_sub(self.start.elapsed()));
            return Some(Reproduction { witnesses: self.witnesses(), left }.confirmed(&unit, &account));
        }
        let again = single::execution(input, &unit, limits.memory, &self.overall).ok();
        self.overall.check().ok()?;
        if again != Some(*execution) {
            let why = "evidence: the program does something else when it is run again";
            return Some(Report::internal(name, why));
        }
        if self.options.certificate.is_some() {
            self.proof = Some(Proof::Execution(*execution));
        }
        Some(Report {
            verdict: Verdict::True,
            status: ExitStatus::True,
            single: Some(*execution),
            advice: self.witnesses().of_execution(&unit),
            ..Report::unknown(name, "", ExitStatus::True)
        })
    }

    fn say(&self, what: &'static str) {
        self.progress.say(what);
        self.board.phase(what);
    }

    fn decide(&mut self, terms: &mut Terms, program: &Program) -> Report {
        self.say("simplifying the program");
        let simplified =
            if self.options.no_simplify { Simplified::unchanged(program) } else { simplify(program, terms) };
        let subject = Subject { original: program, simplified: &simplified };
        let mut answer = self.search(terms, subject, &simplified.program);
        if let Answer::Doubtful(doubt) = answer {
            // Perhaps there is a violation that passes no approximation.
            let exact = simplified.program.without_approximations(terms);
            answer = match self.search(terms, subject, &exact) {
                // Evidence that fails its check is never passed over.
                second @ (Answer::Violation(_) | Answer::None { status: ExitStatus::Internal, .. }) => second,
                _ => Answer::Doubtful(doubt),
            };
        }
        if let Answer::Violation(replay) = answer {
            self.say("running the program on the counterexample");
            let began = Instant::now();
            let left = self.options.limits.timeout.map(|limit| limit.saturating_sub(self.start.elapsed()));
            let reproduction = Reproduction { witnesses: self.witnesses(), left };
            let report = reproduction.report(terms, program, &replay);
            self.times.evidence += began.elapsed();
            return report;
        }
        if self.options.certificate.is_some() {
            self.proof = match &answer {
                Answer::Proof(found) => Some(Proof::of_invariants(terms, &simplified.program, found)),
                Answer::Exhausted(exhaustion) => Some(Proof::of_exhaustion(exhaustion)),
                _ => None,
            };
        }
        let warnings = self.vacuity(terms, subject, &answer);
        Report { warnings, ..self.report(terms, program, &simplified.program, answer) }
    }

    /// In which ways a proof is vacuous, as far as that is soon found out.
    fn vacuity(&mut self, terms: &mut Terms, subject: Subject<'_>, answer: &Answer) -> Vec<String> {
        let invariants = match answer {
            Answer::Proof(certificate) => &certificate.invariants[..],
            Answer::Exhausted(_) => &[],
            _ => return Vec::new(),
        };
        let began = Instant::now();
        let budget = self.budget.child_with_timeout((self.times.search / 20).max(DOUBTING));
        let found = tamis_evidence::vacuity(terms, subject.original, subject.simplified, invariants, &budget);
        self.times.evidence += began.elapsed();
        found.iter().map(|vacuity| one_line(&vacuity.to_string())).collect()
    }

    fn witnesses(&self) -> Witnesses<'a> {
        Witnesses { options: self.options, property: self.property, several: self.board.is_one_of_several() }
    }

    fn report(&self, terms: &Terms, program: &Program, searched: &Program, answer: Answer) -> Report {
        let name = self.property.name();
        match answer {
            Answer::Proof(certificate) => Report {
                verdict: Verdict::True,
                status: ExitStatus::True,
                invariants: Some(proof::invariants(terms, searched, &certificate)),
                advice: self.witnesses().of_proof(
                    (terms, searched),
                    &certificate,
                    &self.budget,
                    self.times.search,
                ),
                ..Report::unknown(name, "", ExitStatus::True)
            },
            Answer::Exhausted(_) => Report {
                verdict: Verdict::True,
                status: ExitStatus::True,
                exhausted: true,
                advice: self.witnesses().of_proof(
                    (terms, searched),
                    &Certificate::default(),
                    &self.budget,
                    self.times.search,
                ),
                ..Report::unknown(name, "", ExitStatus::True)
            },
            Answer::Doubtful(replay) | Answer::Violation(replay) => {
                let first = replay.approximated.first();
                let reason = first.map(|&e| approximation(program, e)).unwrap_or_default();
                Report {
                    approximations: replay
                        .approximated
                        .iter()
                        .map(|&e| cause(program, e).to_owned())
                        .collect(),
                    counterexample: Some(of_replay::rows(program, &replay, &self.options.input.files)),
                    advice: advice::approximations(program, &replay.approximated),
                    ..Report::unknown(name, one_line(&reason), ExitStatus::Unknown)
                }
            }
            Answer::None { reason, status, interrupted } => {
                let told = status == ExitStatus::Unknown;
                let advice = if told { self.board.stopped(&reason) } else { Vec::new() };
                Report { interrupted, advice, ..Report::unknown(name, reason, status) }
            }
        }
    }

    /// Searches `program`, which is the subject's simplified one or a part of it, for a proof or a violation, and checks
    /// the evidence for it.
    fn search(&mut self, terms: &mut Terms, subject: Subject<'_>, program: &Program) -> Answer {
        self.say("searching");
        let began = Instant::now();
        let mut strategy = self.options.preset.strategy.clone();
        strategy.engine = match self.options.abstraction {
            Some(AbstractionKind::Exact) => EngineKind::AllSat,
            Some(AbstractionKind::Cartesian) => EngineKind::Cartesian,
            None => strategy.engine,
        };
        let system = ProgramSystem::over(terms, program, self.options.preset.summary);
        let mut observer = Iterations::new(
            &mut self.progress,
            self.board,
            &system,
            program,
            self.options.trace_iterations && !self.options.quiet,
        );
        let (outcome, counts) = tamis_cegar::check(terms, &system, &strategy, &self.budget, &mut observer);
        observer.update(&counts);
        self.counts = counts;
        self.times.search += began.elapsed();
        self.say("checking the evidence");
        let began = Instant::now();
        let answer = match outcome {
            Outcome::Safe(invariants) => {
                let invariants = system.at_locations(&invariants);
                self.certify(terms, program, Certificate { invariants })
            }
            Outcome::Exhausted(steps) => {
                // Each step may pass several loop heads.
                let rounds = steps.saturating_mul(program.locations().count());
                let checked = tamis_evidence::exhaust(terms, program, rounds, &self.budget);
                self.accepted(program, checked.map(Answer::Exhausted))
            }
            Outcome::Unsafe(trace) => subject.replay(terms, program, &trace),
            Outcome::Unknown(why) => {
                self.board.phase("searching");
                self.gave_up(why)
            }
        };
        self.times.evidence += began.elapsed();
        answer
    }

    /// Checks a proof, after dropping what it can do without as far as that takes no longer than the search.
    fn certify(&self, terms: &mut Terms, program: &Program, certificate: Certificate) -> Answer {
        let budget = self.budget.child_with_timeout(self.times.search.max(TIDYING));
        if let Ok(Some(tidy)) = tamis_evidence::tidy(terms, program, &certificate, &budget)
            && tamis_evidence::certify(terms, program, &tidy, &self.budget).is_ok()
        {
            return Answer::Proof(tidy);
        }
        let checked = tamis_evidence::certify(terms, program, &certificate, &self.budget);
        self.accepted(program, checked.map(|()| Answer::Proof(certificate)))
    }

    /// A proof, if it was accepted.
    fn accepted(&self, program: &Program, checked: Result<Answer, Rejection>) -> Answer {
        match checked {
            Ok(proof) => proof,
            Err(Rejection::Stopped(stop)) => Answer::stopped(self.limits.reason(stop)),
            Err(rejection) => Answer::failed(&one_line(&rejection.describe(program))),
        }
    }

    fn gave_up(&self, why: Interrupted) -> Answer {
        match why {
            Interrupted::Stopped(stop) => Answer::stopped(self.limits.reason(stop)),
            Interrupted::OutOfNodes => Answer::stopped("decision diagrams outgrew their limit".to_owned()),
            Interrupted::Unsuitable(_, why) => Answer::stopped(why.to_owned()),
        }
    }
}

/// What a search found, its evidence checked.
enum Answer {
    Proof(Certificate),
    /// A proof: all executions were followed to their ends.
    Exhausted(Exhaustion),
    Violation(Replay),
    /// A violation of the model that passes an approximation.
    Doubtful(Replay),
    /// Nothing, for the given reason.
    None {
        reason: String,
        status: ExitStatus,
        /// Whether it was stopped on its way.
        interrupted: bool,
    },
}

impl Answer {
    fn stopped(reason: String) -> Answer {
        Answer::None { reason, status: ExitStatus::Unknown, interrupted: true }
    }

    fn failed(why: &dyn std::fmt::Display) -> Answer {
        Answer::None { reason: format!("evidence: {why}"), status: ExitStatus::Internal, interrupted: false }
    }
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
        let execution = executed(&found.execution);
        if let Err(divergence) = tamis_evidence::replay(terms, searched, &found.initial, &execution) {
            return Answer::failed(&divergence);
        }
        let Some(execution) = self.simplified.lift(terms, self.original, &found.initial, &execution) else {
            return Answer::failed(&"the trace is none of the program before its simplification");
        };
        match tamis_evidence::replay(terms, self.original, &found.initial, &execution) {
            Ok(replay) if replay.approximated.is_empty() => Answer::Violation(replay),
            Ok(replay) => Answer::Doubtful(replay),
            Err(divergence) => Answer::failed(&divergence),
        }
    }
}

/// Why a counterexample that passes an over-approximation is not believed.
fn approximation(program: &Program, edge: EdgeId) -> String {
    let source = program.edge(edge).source;
    format!("approximated: {}, {}:{}", cause(program, edge), program.file(source.file), source.line)
}

/// What is approximated at an edge.
fn cause(program: &Program, edge: EdgeId) -> &str {
    match &program.edge(edge).command {
        Command::Havoc(_, Havoc::Approximated(what)) => what,
        _ => "an unmodelled value",
    }
}
