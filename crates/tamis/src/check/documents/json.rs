//! The run as a JSON document. Its schema is docs/check.schema.json; what changes the meaning of a key changes the number
//! of the format.

use super::Place;
use super::html::Shown;
use crate::check::board::Board;
use crate::check::counterexample::cycles::Word;
use crate::check::counterexample::{self, Row, Table};
use crate::check::proof::{Invariant, Proof};
use crate::check::report::{Checked, Covered, Report};
use crate::check::statistics::Number;
use crate::formalism::Formalism;
use crate::formalism::c::C;
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use tamis_cegar::Search;
use tamis_program::ErrorPoint;

/// The version of the format.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    tamis: &'static str,
    /// `C` or `RTL`.
    formalism: &'static str,
    files: Vec<String>,
    /// Of a C program.
    #[serde(skip_serializing_if = "Option::is_none")]
    data_model: Option<&'static str>,
    verdict: String,
    properties: Vec<Section<'a>>,
    seconds: f64,
    /// What a page needs beside.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Shown<'a>>,
}

#[derive(Serialize)]
struct Section<'a> {
    property: &'a str,
    /// `true`, `false` or `unknown`.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<bool>,
    /// Where the violation is.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Counterexample<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invariants: Option<&'a [Invariant]>,
    /// The search that found the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Search>,
    /// Over how many cycles, or steps between loop heads, the proof is by induction, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    induction: Option<usize>,
    /// Whether the proof is that every execution ends, and none in a violation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    exhausted: bool,
    /// How many statements the program's only execution has, if that is the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    single_execution: Option<u64>,
    /// What an unconfirmed counterexample passes that is only approximated.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    over_approximations: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    warnings: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    advice: &'a [String],
    /// Each check, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<Check<'a>>,
    /// The lines that execution comes to, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cover: Vec<Line<'a>>,
    statistics: BTreeMap<String, Number>,
}

/// One check of a property.
#[derive(Serialize)]
struct Check<'a> {
    file: &'a str,
    line: u32,
    what: &'a str,
    /// `true`, `false` or `unknown`.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// Whether execution comes to it, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Counterexample<'a>>,
}

/// One line of the input.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    line: u32,
    /// `reached`, `unreachable` or `unknown`.
    status: &'static str,
    /// Whether the interpreter was seen to pass it.
    replayed: bool,
}

#[derive(Serialize)]
struct Counterexample<'a> {
    /// Whether the input itself was seen to make it.
    confirmed: bool,
    #[serde(flatten)]
    execution: Execution<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Execution<'a> {
    /// Of a program.
    Lines { steps: &'a [Row] },
    /// Of a design: its words, and what each of them holds in each cycle.
    Cycles {
        words: &'a [Word],
        cycles: &'a [Vec<String>],
        /// The cycle that comes again after the last.
        #[serde(skip_serializing_if = "Option::is_none")]
        loop_start: Option<usize>,
    },
}

impl<'a> Counterexample<'a> {
    fn of(report: &'a Report, confirmed: bool) -> Option<Counterexample<'a>> {
        Some(Counterexample::told(report.counterexample.as_ref()?, confirmed))
    }

    fn told(counterexample: &'a counterexample::Counterexample, confirmed: bool) -> Counterexample<'a> {
        let execution = match counterexample {
            counterexample::Counterexample::Lines(steps) => Execution::Lines { steps },
            counterexample::Counterexample::Cycles(Table { words, cycles, loop_start, .. }) => {
                Execution::Cycles { words, cycles, loop_start: *loop_start }
            }
        };
        Counterexample { confirmed, execution }
    }
}

/// What stands behind a verdict.
#[derive(Serialize)]
struct Evidence {
    /// `execution`, `invariants`, `induction`, `exhaustion` or `single execution`.
    kind: &'static str,
    /// Whether it was checked, and by what.
    checked: bool,
    by: &'static str,
    /// How the compiled program behaved.
    #[serde(skip_serializing_if = "Option::is_none")]
    native: Option<String>,
}

impl Evidence {
    fn of(report: &Report) -> Option<Evidence> {
        let native = report.native.clone();
        let (kind, by) = match (&report.verdict, &report.proof) {
            (Verdict::True, Some(Proof::Execution(_))) => ("single execution", "a second run"),
            (Verdict::True, Some(Proof::Exhaustion)) => ("exhaustion", "the followed executions"),
            (Verdict::True, Some(Proof::KInduction { .. })) => ("induction", "verification conditions"),
            (Verdict::True, _) => ("invariants", "verification conditions"),
            (Verdict::False(_), _) => ("execution", "the interpreter"),
            (Verdict::Unknown(_), _) if report.counterexample.is_some() => {
                return Some(Evidence { kind: "execution", checked: false, by: "the interpreter", native });
            }
            _ => return None,
        };
        Some(Evidence { kind, checked: true, by, native })
    }
}

/// The document, on one line; a page has one section more.
pub fn document(board: &Board, reports: &[Report], verdict: &Verdict, page: bool) -> String {
    let input = &board.options.input;
    let document = Document {
        format: FORMAT,
        tamis: env!("CARGO_PKG_VERSION"),
        files: input.files.iter().map(|f| f.display().to_string()).collect(),
        formalism: board.formalism,
        data_model: match (board.formalism, input.reading.ilp32) {
            (C::NAME, true) => Some("ILP32"),
            (C::NAME, false) => Some("LP64"),
            _ => None,
        },
        verdict: verdict.to_string(),
        properties: reports.iter().map(section).collect(),
        seconds: (board.start.elapsed().as_secs_f64() * 1e3).round() / 1e3,
        report: page.then(|| Shown::of(board, reports)),
    };
    // Nothing in it can fail: keys are strings.
    serde_json::to_string(&document).unwrap_or_default()
}

fn section(report: &Report) -> Section<'_> {
    let (verdict, reason) = told(&report.verdict);
    Section {
        property: &report.property,
        verdict,
        reason,
        exit_code: report.status as u8,
        expected: report.expected,
        location: report.place(),
        evidence: Evidence::of(report),
        counterexample: Counterexample::of(report, verdict == "false"),
        invariants: report.proof.as_ref().and_then(Proof::invariants),
        search: report.numbers.counts.winner,
        induction: match &report.proof {
            Some(Proof::KInduction { k, .. }) => Some(*k),
            _ => None,
        },
        exhausted: report.proof == Some(Proof::Exhaustion),
        single_execution: match &report.proof {
            Some(Proof::Execution(statements)) => Some(*statements),
            _ => None,
        },
        over_approximations: &report.approximations,
        warnings: &report.warnings,
        advice: &report.advice,
        checks: report.checks.iter().map(check).collect(),
        cover: report.cover.iter().map(line).collect(),
        statistics: report.numbers.rows().into_iter().map(|(name, value)| (key(name), value)).collect(),
    }
}

fn check(check: &Checked) -> Check<'_> {
    let (verdict, reason) = told(&check.verdict);
    let counterexample = check.counterexample.as_ref().map(|c| Counterexample::told(c, verdict == "false"));
    let ErrorPoint { file, line, what } = &check.point;
    Check { file, line: *line, what, verdict, reason, reached: check.reached, counterexample }
}

fn line(line: &Covered) -> Line<'_> {
    let status = match line.reached {
        Some(true) => "reached",
        Some(false) => "unreachable",
        None => "unknown",
    };
    Line { file: &line.file, line: line.line, status, replayed: line.replayed }
}

fn told(verdict: &Verdict) -> (&'static str, Option<&str>) {
    match verdict {
        Verdict::True => ("true", None),
        Verdict::False(_) => ("false", None),
        Verdict::Unknown(reason) => ("unknown", Some(reason.as_str())),
    }
}

/// The name of a number as a key.
fn key(name: &str) -> String {
    match name {
        "memory" => "memory_mb".to_owned(),
        name => name.replace(',', "").replace(' ', "_"),
    }
}
