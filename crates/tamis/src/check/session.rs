//! The check of one property, in whatever formalism it is.

use super::board::Board;
use super::certificate;
use super::iterations::Iterations;
use super::progress::Progress;
use super::report::Report;
use super::scene::Scene;
use super::statistics::{Numbers, Part, Times};
use crate::arguments::{AbstractionKind, CheckOptions};
use crate::formalism::{Answer, Beside, Case, Check, Formalism, Model, Passed, Property};
use crate::interrupt;
use crate::limits::{INTERRUPTED, Limits};
use crate::refusal::one_line;
use crate::verdict::{ExitStatus, Verdict};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tamis_cegar::{EngineKind, Outcome, Statistics};
use tamis_logic::Terms;
use tamis_program::ErrorPoint;
use tamis_solver::Budget;

/// Proofs are tidied for so long at least.
const TIDYING: Duration = Duration::from_secs(1);

/// For so long a proof is put into words.
const TELLING: Duration = Duration::from_secs(2);

/// Vacuity is looked for so long at least.
const DOUBTING: Duration = Duration::from_millis(100);

/// After a search without an answer, what runs beside it has so long at least.
const RUNNING: Duration = Duration::from_secs(10);

/// Whether execution comes to a goal.
pub enum Reached {
    /// It never does.
    Never,
    /// It does.
    By {
        last: Option<ErrorPoint>,
        /// What the model's execution passes.
        all: Vec<ErrorPoint>,
        /// The lines that the input was seen to pass.
        visited: Vec<(String, u32)>,
    },
    /// Only past an approximation, as far as is known.
    Perhaps(Option<ErrorPoint>),
    /// The search was stopped.
    Unknown,
}

/// The check of one property.
pub struct Session<'a, F: Formalism> {
    formalism: F,
    case: Case<'a, F::Property>,
    limits: Limits,
    /// Of the search, which may be cancelled by itself.
    budget: Budget,
    board: &'a Board,
    progress: Progress,
    counts: Statistics,
    times: Times,
    /// The proof, if it is to be written.
    proof: Option<F::Words>,
    /// Whether the input could be read.
    loaded: bool,
}

impl<'a, F: Formalism> Session<'a, F> {
    pub fn new(
        formalism: F,
        case: Case<'a, F::Property>,
        limits: Limits,
        board: &'a Board,
    ) -> Session<'a, F> {
        Session {
            formalism,
            case,
            limits,
            budget: case.budget.child(),
            board,
            progress: Progress::new("reading", case.options.quiet),
            counts: Statistics::default(),
            times: Times::default(),
            proof: None,
            loaded: false,
        }
    }

    /// The answer, with its evidence.
    pub fn run(&mut self) -> Report {
        let report = self.answer();
        self.progress.finish();
        let numbers = Numbers { counts: self.counts.clone(), times: self.times, ..Numbers::default() };
        Report { numbers: numbers.at_end(self.case.start), ..report }
    }

    fn answer(&mut self) -> Report {
        let Case { options, property, .. } = self.case;
        let name = property.name();
        if let Some(reason) = property.unsupported() {
            return Report::unknown(name, one_line(&reason), ExitStatus::Unknown);
        }
        let folder = match certificate::folder(options, self.board, name) {
            Ok(folder) => folder,
            Err(report) => return *report,
        };
        let beside = self.formalism.beside(self.case, &self.budget);
        loop {
            self.say(F::PHASES.reading);
            let mut terms = Terms::new();
            let began = self.starts(Part::FrontEnd);
            let loaded = self.formalism.load(property, &mut terms);
            self.ends(began);
            self.loaded = loaded.is_ok();
            let (mut warnings, report) = match loaded {
                Ok(source) => self.decide(&mut terms, source),
                // The preprocessor hears the signal too.
                Err(_) if interrupt::asked() => (
                    Vec::new(),
                    Report { advice: self.board.stopped(INTERRUPTED), ..Report::interrupted(name) },
                ),
                Err(refusal) => {
                    self.progress.finish();
                    refusal.print();
                    (Vec::new(), Report::refused(name, &refusal))
                }
            };
            // What stands between this and an answer may be an approximation that need not be as coarse.
            match self.formalism.refined(&report.approximations) {
                Some(finer) if self.budget.check().is_ok() => self.formalism = finer,
                _ => {
                    let mut report = self.settle(report, beside);
                    warnings.append(&mut report.warnings);
                    return self.certificate(Report { warnings, ..report }, folder);
                }
            }
        }
    }

    /// Whether some execution comes to a goal that the formalism was asked about: what it passes then, by the model and by
    /// the input itself; `None` where none does, which is proved.
    pub fn reached(&mut self) -> Reached {
        let mut terms = Terms::new();
        let Ok(source) = self.formalism.load(self.case.property, &mut terms) else {
            return Reached::Unknown;
        };
        let model = self.formalism.model(source, &mut terms);
        let reached = match self.search(&mut terms, &model) {
            Answer::Proof(_) => Reached::Never,
            Answer::Violation(violation) => {
                let Passed { last, all } = self.formalism.passed(&model, &violation);
                let visited = self.formalism.visited(&self.case, &model, &violation);
                Reached::By { last, all, visited }
            }
            Answer::Doubtful(violation) => {
                let Passed { last, .. } = self.formalism.passed(&model, &violation);
                Reached::Perhaps(last)
            }
            Answer::Stopped(_) | Answer::Failed(_) => Reached::Unknown,
        };
        self.progress.finish();
        reached
    }

    /// Writes the proof where it is wanted.
    fn certificate(&mut self, report: Report, folder: Option<PathBuf>) -> Report {
        let Some(folder) = folder else { return report };
        self.say("writing the certificate");
        let proof = self.proof.as_ref();
        certificate::store(&self.formalism, &self.case, report, &folder, proof, &self.limits)
    }

    /// The answer, given what the search found and what is known beside it.
    fn settle(&mut self, report: Report, beside: Option<Box<dyn Beside<F::Words> + 'a>>) -> Report {
        let Some(mut beside) = beside else { return report };
        if report.status == ExitStatus::Internal || !self.loaded {
            return report;
        }
        if !matches!(report.verdict, Verdict::Unknown(_)) {
            // Where both know, they have to agree.
            let holds = report.verdict == Verdict::True;
            return match beside.answer(Duration::ZERO) {
                Some(other) if other != holds => {
                    let why = "evidence: the program's only execution contradicts the search";
                    Report::internal(self.case.property.name(), why)
                }
                _ => report,
            };
        }
        if self.case.budget.check().is_err() {
            return report;
        }
        self.say(F::PHASES.beside);
        let began = self.starts(Part::Evidence);
        let known = beside.answer(self.case.start.elapsed().max(RUNNING)).is_some();
        let settled = if known { beside.report() } else { None };
        self.ends(began);
        let Some((settled, proof)) = settled else { return report };
        if proof.is_some() && self.case.options.certificate.is_some() {
            self.proof = proof;
        }
        Report { scene: report.scene, ..settled }
    }

    /// Takes the time of a part of the run from now on, where the watchdog sees it too.
    fn starts(&self, part: Part) -> (Part, Instant) {
        self.board.starts(part);
        (part, Instant::now())
    }

    fn ends(&mut self, (part, began): (Part, Instant)) {
        self.times.add(part, began.elapsed());
        self.board.ends(self.times);
    }

    fn say(&self, what: &'static str) {
        self.progress.say(what);
        self.board.phase(what);
    }

    /// Searches the input: what the user is to be warned of, and the answer.
    fn decide(&mut self, terms: &mut Terms, source: F::Source) -> (Vec<String>, Report) {
        self.say(F::PHASES.reducing);
        let mut model = self.formalism.model(source, terms);
        let warnings = model.warnings().to_vec();
        let mut answer = self.search(terms, &model);
        if let Answer::Doubtful(doubt) = &answer
            && let Some(report) = self.formalism.without_doubt(&self.case, &model, doubt)
        {
            let scene = self.scene(terms, &model, &answer);
            return (warnings, Report { scene, ..report });
        }
        if let Answer::Doubtful(doubt) = answer {
            // Perhaps there is a violation that passes no approximation.
            model = model.exact(terms);
            answer = match self.search(terms, &model) {
                // Evidence that fails its check is never passed over.
                second @ (Answer::Violation(_) | Answer::Failed(_)) => second,
                _ => Answer::Doubtful(doubt),
            };
        }
        let scene = self.scene(terms, &model, &answer);
        let name = self.case.property.name();
        let report = match answer {
            Answer::Proof(proof) => self.proved(terms, &model, &proof),
            Answer::Violation(violation) => {
                self.say(F::PHASES.replaying);
                let began = self.starts(Part::Evidence);
                let report = self.formalism.reproduce(&self.case, terms, &model, &violation);
                self.ends(began);
                Report { point: self.formalism.passed(&model, &violation).last, ..report }
            }
            Answer::Doubtful(violation) => {
                let report = self.formalism.doubtful(&self.case, &model, &violation);
                Report { point: self.formalism.passed(&model, &violation).last, ..report }
            }
            Answer::Stopped(reason) => Report {
                interrupted: true,
                advice: self.board.stopped(&reason),
                ..Report::unknown(name, reason, ExitStatus::Unknown)
            },
            Answer::Failed(why) => Report::internal(name, &format!("evidence: {why}")),
        };
        (warnings, Report { scene, ..report })
    }

    /// What a page shows of the search, if one is wanted.
    fn scene(&mut self, terms: &mut Terms, model: &F::Model, answer: &Answer<F::Model>) -> Scene {
        match &self.case.options.report {
            Some(_) => self.formalism.scene(&self.case, terms, model, answer),
            None => Scene::default(),
        }
    }

    /// A proof, in words where those are to be written, with what it leaves to doubt as far as that is soon found out.
    fn proved(&mut self, terms: &mut Terms, model: &F::Model, proof: &<F::Model as Model>::Proof) -> Report {
        let Case { options, property, .. } = self.case;
        if options.certificate.is_some() {
            self.proof = Some(F::words(terms, model, proof));
        }
        self.formalism.learn(terms, model, proof);
        let began = self.starts(Part::Evidence);
        let budget = self.budget.child_with_timeout((self.times.search / 20).max(DOUBTING));
        let warnings = model.vacuity(terms, proof, &budget);
        self.ends(began);
        let search = (&self.budget, self.times.search);
        let telling = self.budget.child_with_timeout(TELLING);
        let told = model.told(terms, proof, &telling);
        Report {
            proof: Some(told),
            warnings,
            advice: self.formalism.witness(&self.case, terms, model, proof, search),
            ..Report::new(property.name(), Verdict::True, ExitStatus::True)
        }
    }

    /// Searches for a proof or a violation, and checks the evidence for it.
    fn search(&mut self, terms: &mut Terms, model: &F::Model) -> Answer<F::Model> {
        self.say("searching");
        let began = self.starts(Part::Search);
        let CheckOptions { abstraction, trace_iterations, quiet, .. } = self.case.options;
        let preset = self.case.preset;
        let mut strategy = preset.strategy.clone();
        strategy.engine = match abstraction {
            Some(AbstractionKind::Exact) => EngineKind::AllSat,
            Some(AbstractionKind::Cartesian) => EngineKind::Cartesian,
            None => strategy.engine,
        };
        let system = model.system(terms, preset);
        let shown = *trace_iterations && !quiet;
        let mut observer = Iterations::new(&mut self.progress, self.board, model, &system, shown);
        let (outcome, counts) = tamis_cegar::check(terms, &system, &strategy, &self.budget, &mut observer);
        observer.update(&counts);
        self.counts = counts;
        self.ends(began);
        self.say("checking the evidence");
        let began = self.starts(Part::Evidence);
        let tidying = Some(self.times.search.max(TIDYING));
        let gave_up = matches!(outcome, Outcome::Unknown(_));
        let check = Check { budget: &self.budget, limits: &self.limits, tidying };
        let answer = check.answer(terms, (model, &system), outcome);
        if gave_up {
            self.board.phase("searching");
        }
        self.ends(began);
        answer
    }
}
