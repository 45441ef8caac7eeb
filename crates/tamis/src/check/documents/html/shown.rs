//! What a page needs beside the document for machines.

use super::recheck::{self, Recheck};
use super::sources::{self, Source};
use crate::check::board::Board;
use crate::check::counterexample::{Counterexample, Fold, folds};
use crate::check::report::Report;
use crate::check::scene::{Film, Scene};
use serde::Serialize;

/// The section `report` of the document.
#[derive(Serialize)]
pub struct Shown<'a> {
    /// The command line.
    command: Vec<String>,
    sources: Vec<Source>,
    /// For each property, in the order of the document.
    properties: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    /// Where steps of the counterexample are folded.
    folds: Vec<Fold>,
    /// The same for the counterexample of each check.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    folds_of_checks: Vec<Vec<Fold>>,
    /// Commands that check the evidence again.
    recheck: Vec<Recheck>,
    #[serde(flatten)]
    scene: &'a Scene,
    film: &'a Film,
}

impl Shown<'_> {
    pub fn of<'a>(board: &Board, reports: &'a [Report]) -> Shown<'a> {
        let part = |report: &'a Report| Part {
            folds: folded(report.counterexample.as_ref()),
            folds_of_checks: report
                .checks
                .iter()
                .map(|check| folded(check.counterexample.as_ref()))
                .collect(),
            recheck: recheck::commands(board, report),
            scene: &report.scene,
            film: &report.film,
        };
        Shown {
            command: std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect(),
            sources: sources::sources(&board.options.input, reports),
            properties: reports.iter().map(part).collect(),
        }
    }
}

fn folded(counterexample: Option<&Counterexample>) -> Vec<Fold> {
    match counterexample {
        Some(Counterexample::Lines(rows)) => folds(rows),
        _ => Vec::new(),
    }
}
