//! The options of `tamis check`.

use super::values::{Preset, parse_preset, parse_property};
use super::{InputOptions, PropertyChoice};
use crate::limits::Limits;
use clap::{Args, ValueEnum};
use std::num::NonZero;
use std::path::PathBuf;

/// Options of `tamis check`.
#[derive(Args, Clone)]
pub struct CheckOptions {
    #[command(flatten)]
    pub input: InputOptions,

    /// The property to check: unreach-call (the default), memory-safety, valid-deref, valid-free, valid-memtrack,
    /// valid-memcleanup, no-overflow, no-division-by-zero, no-shift-out-of-range, no-null-dereference,
    /// no-uninitialised-read, no-unrelated-comparison, all (assertions,
    /// memory and arithmetic), or a property file (.prp); of a design, one that it names. Several are checked one by one.
    #[arg(long, value_name = "NAME|FILE.prp", value_parser = parse_property)]
    pub property: Vec<PropertyChoice>,

    /// A rule about the use of an interface: a file, or the name of one that Tamis brings along, such as locks. Each rule is a
    /// property with a verdict of its own.
    #[arg(long, value_name = "NAME|FILE.rule")]
    pub rule: Vec<String>,

    /// A machine that says all that a function may do (.lts).
    #[arg(long, value_name = "FILE.lts")]
    pub spec: Vec<PathBuf>,

    /// Machines are to simulate their functions weakly: they choose where they go before they know what comes.
    #[arg(long, requires = "spec")]
    pub simulation: bool,

    #[command(flatten)]
    pub limits: Limits,

    #[arg(long, value_name = "NAME|FILE.toml", value_parser = parse_preset, help = preset_help())]
    pub preset: Option<Preset>,

    /// Look at executions only that pass each loop at most N times whenever they come to it. If there are others and none of
    /// these violates the property, the verdict says so, and is `unknown`.
    #[arg(long, value_name = "N", conflicts_with = "preset")]
    pub unwind: Option<NonZero<usize>>,

    /// How regions are abstracted, if not as the preset says.
    #[arg(long, value_enum)]
    pub abstraction: Option<AbstractionKind>,

    /// Tell of every iteration: the predicates, the abstract states, the abstract counterexample and why it is spurious.
    #[arg(long)]
    pub trace_iterations: bool,

    /// Do not run the program beside the search: neither to see whether it has one execution only, which a run would prove or refute,
    /// nor on inputs chosen at random.
    #[arg(long)]
    pub no_execution: bool,

    /// Search the program as it was translated, without simplifying it first.
    #[arg(long)]
    pub no_simplify: bool,

    /// Give each assertion, and each kind of check at each line, a verdict of its own. An execution ends at the first check
    /// that it violates.
    #[arg(long, conflicts_with_all = ["certificate", "witness", "harness"])]
    pub all: bool,

    /// Say of each line whether an execution comes to it.
    #[arg(long)]
    pub cover: bool,

    /// Write what --cover finds in the format of lcov.
    #[arg(long, value_name = "FILE", requires = "cover")]
    pub lcov: Option<PathBuf>,

    /// Print what the run took.
    #[arg(long)]
    pub stats: bool,

    /// Print the run as a JSON document, on one line of stdout before the verdict, or to a file.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub json: Option<Option<PathBuf>>,

    /// Write the run as SARIF 2.1.0, for code scanning.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write the run as JUnit XML, with a test case for each property.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write the run as a page to look at: one HTML file with the source, the counterexample or the proof, the automaton and the
    /// iterations, that needs no network.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    /// Write a violation as a test harness: a C file that, compiled together with the program, makes it happen.
    #[arg(long, value_name = "FILE.c")]
    pub harness: Option<PathBuf>,

    /// How a violation is replayed: by the interpreter, always; or also compiled with the system's compiler and run, in a
    /// sandbox.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ReplayKind::Interpreter)]
    pub replay: ReplayKind,

    /// Write the proof to a folder, as conditions in SMT-LIB: a new folder, an empty one, or one that holds an earlier
    /// certificate and nothing else, which is replaced. Several properties get a folder each in it.
    #[arg(long, value_name = "DIR")]
    pub certificate: Option<PathBuf>,

    /// Write the evidence as a witness, for other tools to check: of format 2.0 (YAML) for a program, of BTOR2 or AIGER for a
    /// design; a proof of a design is a circuit. Of several properties each has a file, with its name before the extension.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Write a violation of a design as waveforms (VCD). Of several properties each has a file, with its name before the
    /// extension.
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,

    /// Print every line or cycle of a counterexample, also what it does again and again, and every condition of an invariant.
    #[arg(long)]
    pub full_trace: bool,

    /// Print the verdict and nothing else but errors.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Names all presets, as the files under presets/ do.
fn preset_help() -> String {
    let names: Vec<&str> = tamis_cegar::preset_names().collect();
    format!(
        "How the search works: a preset's name, or a file like those under presets/. If nothing is said, programs are searched by \
         default, and designs by hardware. There are {}",
        names.join(", ")
    )
}

/// An engine for predicate abstraction queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AbstractionKind {
    /// The strongest abstraction, by enumeration of models inside one search.
    Exact,
    /// Each predicate by itself; exact from the first spurious counterexample on that this cannot exclude.
    Cartesian,
}

/// How violations are replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReplayKind {
    /// By the interpreter of C.
    Interpreter,
    /// Then also by the machine.
    Native,
}
