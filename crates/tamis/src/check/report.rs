//! What is known about one property at the end.

use super::board::Board;
use super::counterexample::{self, Note, Row};
use super::documents::Place;
use super::proof::{self, Invariant};
use super::statistics::Numbers;
use crate::refusal::Refusal;
use crate::verdict::{ExitStatus, Verdict};
use tamis_interpreter_c::{Execution, Native};

/// The answer to one property, with its evidence.
#[derive(Clone, Debug)]
pub struct Report {
    pub property: String,
    pub verdict: Verdict,
    pub status: ExitStatus,
    /// What a task definition expects.
    pub expected: Option<bool>,
    /// An execution of the program, or of the model if it was not confirmed.
    pub counterexample: Option<Vec<Row>>,
    /// Loop invariants, if there is a proof.
    pub invariants: Option<Vec<Invariant>>,
    /// Whether the proof is that all executions end, and none in a violation.
    pub exhausted: bool,
    /// The program's only execution, if that is the proof.
    pub single: Option<Execution>,
    /// How the compiled program behaved on the counterexample, if that was asked for.
    pub native: Option<Native>,
    /// In which ways a proof says less than it seems to.
    pub warnings: Vec<String>,
    /// The approximations that an unconfirmed counterexample passes.
    pub approximations: Vec<String>,
    /// What stopped an unknown, and what to do next.
    pub advice: Vec<String>,
    pub numbers: Numbers,
    /// Whether the numbers are shown without being asked for.
    pub interrupted: bool,
}

impl Report {
    pub fn unknown(property: &str, reason: impl Into<String>, status: ExitStatus) -> Report {
        Report {
            property: property.to_owned(),
            verdict: Verdict::Unknown(reason.into()),
            status,
            expected: None,
            counterexample: None,
            invariants: None,
            exhausted: false,
            single: None,
            native: None,
            warnings: Vec::new(),
            approximations: Vec::new(),
            advice: Vec::new(),
            numbers: Numbers::default(),
            interrupted: false,
        }
    }

    /// The input was refused.
    pub fn refused(property: &str, refusal: &Refusal) -> Report {
        Report::unknown(property, refusal.reason(), refusal.status())
    }

    /// Something is wrong with Tamis.
    pub fn internal(property: &str, why: &str) -> Report {
        Report::unknown(property, why, ExitStatus::Internal)
    }

    /// The line of the violation, if there is a counterexample.
    pub fn violation(&self) -> Option<Place<'_>> {
        let row = self.counterexample.as_ref()?.last()?;
        Some(Place { file: &row.file, line: row.line })
    }

    /// What is violated, as the counterexample says it.
    pub fn violation_text(&self) -> Option<&str> {
        self.counterexample.as_ref()?.last()?.does.iter().rev().find_map(|note| match note {
            Note::Violation(what) => Some(what.as_str()),
            _ => None,
        })
    }

    /// Prints what people want to know to stderr; of several properties, each has its line on stdout.
    pub fn print(&self, board: &Board) {
        let options = &board.options;
        if !options.quiet {
            if let Some(rows) = &self.counterexample {
                let confirmed = matches!(self.verdict, Verdict::False(_));
                counterexample::print(rows, confirmed, options.full_trace);
            }
            if let Some(native) = &self.native {
                eprintln!("replay: {native}");
            }
            if self.exhausted {
                eprintln!("proof: every execution was followed to its end");
            }
            if self.single.is_some() {
                eprintln!("proof: the program has one execution");
            }
            if let Some(invariants) = &self.invariants {
                proof::print(invariants);
            }
            self.warnings.iter().for_each(|line| eprintln!("warning: {line}"));
            self.advice.iter().for_each(|line| eprintln!("{line}"));
            if options.stats || self.interrupted {
                self.numbers.print(self.interrupted);
            }
        }
        if let (Some(expected), Verdict::True | Verdict::False(_)) = (self.expected, &self.verdict)
            && expected != (self.verdict == Verdict::True)
        {
            eprintln!("note: the task definition expects {expected}");
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
