//! What is known about one property at the end.

use super::board::Board;
use super::counterexample::Counterexample;
use super::documents::Place;
use super::proof::Proof;
use super::scene::{Film, Scene};
use super::statistics::Numbers;
use crate::color;
use crate::limits::INTERRUPTED;
use crate::refusal::Refusal;
use crate::verdict::{ExitStatus, Verdict};
use tamis_program::ErrorPoint;

/// The answer to one property, with its evidence.
#[derive(Clone, Debug)]
pub struct Report {
    pub property: String,
    pub verdict: Verdict,
    pub status: ExitStatus,
    /// What a task definition expects.
    pub expected: Option<bool>,
    /// An execution of the program, or of the model if it was not confirmed.
    pub counterexample: Option<Counterexample>,
    pub proof: Option<Proof>,
    /// How the compiled program behaved on the counterexample, if that was asked for.
    pub native: Option<String>,
    /// In which ways a proof says less than it seems to.
    pub warnings: Vec<String>,
    /// The approximations that an unconfirmed counterexample passes.
    pub approximations: Vec<String>,
    /// What stopped an unknown, and what to do next.
    pub advice: Vec<String>,
    /// Where the input is not taken.
    pub refused_at: Option<(String, u32, u32)>,
    pub numbers: Numbers,
    /// Whether the numbers are of a run that did not come to its end.
    pub interrupted: bool,
    /// The point of the program at which the model violates the property.
    pub point: Option<ErrorPoint>,
    /// The checks that the property has, each with its verdict, if they were asked for.
    pub checks: Vec<Checked>,
    /// The lines that execution comes to, or does not, if that was asked for.
    pub cover: Vec<Covered>,
    /// What only a page shows, if one was asked for.
    pub scene: Scene,
    pub film: Film,
}

/// One check of a property.
#[derive(Clone, Debug)]
pub struct Checked {
    pub point: ErrorPoint,
    pub verdict: Verdict,
    /// Whether execution comes to it, as far as that is known.
    pub reached: Option<bool>,
    pub counterexample: Option<Counterexample>,
}

/// One line of the input.
#[derive(Clone, Debug)]
pub struct Covered {
    pub file: String,
    pub line: u32,
    /// Whether execution comes to it, as far as that is known.
    pub reached: Option<bool>,
    /// Whether the interpreter was seen to pass it.
    pub replayed: bool,
}

impl Report {
    /// An answer, with nothing to show for it yet.
    pub fn new(property: &str, verdict: Verdict, status: ExitStatus) -> Report {
        Report {
            property: property.to_owned(),
            verdict,
            status,
            expected: None,
            counterexample: None,
            proof: None,
            native: None,
            warnings: Vec::new(),
            approximations: Vec::new(),
            advice: Vec::new(),
            refused_at: None,
            numbers: Numbers::default(),
            interrupted: false,
            point: None,
            checks: Vec::new(),
            cover: Vec::new(),
            scene: Scene::default(),
            film: Film::default(),
        }
    }

    /// No answer, for a reason.
    pub fn unknown(property: &str, reason: impl Into<String>, status: ExitStatus) -> Report {
        Report::new(property, Verdict::Unknown(reason.into()), status)
    }

    /// Somebody has ended the run.
    pub fn interrupted(property: &str) -> Report {
        Report { interrupted: true, ..Report::unknown(property, INTERRUPTED, ExitStatus::Unknown) }
    }

    /// The input was refused.
    pub fn refused(property: &str, refusal: &Refusal) -> Report {
        let refused_at = refusal.place();
        Report { refused_at, ..Report::unknown(property, refusal.reason(), refusal.status()) }
    }

    /// Something is wrong with Tamis.
    pub fn internal(property: &str, why: &str) -> Report {
        Report::unknown(property, why, ExitStatus::Internal)
    }

    /// The line of the violation, if there is a counterexample.
    pub fn violation(&self) -> Option<Place<'_>> {
        self.counterexample.as_ref()?.place()
    }

    /// The place that the answer is about: of the violation, or where the input is refused.
    pub fn place(&self) -> Option<Place<'_>> {
        let refused = || self.refused_at.as_ref().map(|(file, line, column)| Place::at(file, *line, *column));
        self.violation().or_else(refused)
    }

    /// What is violated, as the counterexample says it.
    pub fn violation_text(&self) -> Option<&str> {
        self.counterexample.as_ref()?.violation()
    }

    /// Prints what people want to know to stderr; of several properties, each has its line on stdout.
    pub fn print(&self, board: &Board) {
        let options = &board.options;
        if !options.quiet {
            if let Some(counterexample) = &self.counterexample {
                let confirmed = matches!(self.verdict, Verdict::False(_));
                counterexample.print(confirmed, options.full_trace);
            }
            if let Some(native) = &self.native {
                eprintln!("replay: {native}");
            }
            if let Some(proof) = &self.proof {
                proof.print(options.full_trace);
            }
            self.warnings.iter().for_each(|line| eprintln!("{}: {line}", color::warning("warning")));
            self.advice.iter().for_each(|line| eprintln!("{line}"));
            if options.stats {
                self.numbers.print(self.interrupted);
            }
        }
        if let (Some(expected), Verdict::True | Verdict::False(_)) = (self.expected, &self.verdict)
            && expected != (self.verdict == Verdict::True)
        {
            eprintln!("note: the task definition expects {expected}");
        }
        for check in &self.checks {
            if let (Some(counterexample), false) = (&check.counterexample, options.quiet) {
                eprintln!("{}", check.point);
                counterexample.print(matches!(check.verdict, Verdict::False(_)), options.full_trace);
            }
        }
        for check in &self.checks {
            let unreachable = if check.reached == Some(false) { ", never reached" } else { "" };
            println!("check {}: {}{unreachable}", check.point, check.verdict);
        }
        if !options.quiet {
            super::all::print_cover(&self.cover);
        }
        if board.is_one_of_several() {
            println!("property {}: {}", self.property, self.verdict);
        }
    }
}

/// The verdict on all properties together: the first that is violated, else the first that is unknown, else true.
pub fn overall(reports: &[Report]) -> (Verdict, ExitStatus) {
    let violated = reports.iter().find(|r| matches!(r.verdict, Verdict::False(_)));
    // Of the unknowns, one that is our own fault is told before others.
    let unknown = |r: &&Report| matches!(r.verdict, Verdict::Unknown(_));
    let internal = reports.iter().filter(unknown).find(|r| r.status == ExitStatus::Internal);
    let first = violated.or(internal).or_else(|| reports.iter().find(unknown)).or(reports.first());
    match first {
        Some(report) => (report.verdict.clone(), report.status),
        None => (Verdict::Unknown("internal error: no property".to_owned()), ExitStatus::Internal),
    }
}
