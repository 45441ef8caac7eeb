//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// A model checker for C programs: proves that no execution reaches an error, or shows one that does.
#[derive(Parser)]
#[command(name = "tamis", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Verify a C program.
    ///
    /// The error is a call of reach_error or __VERIFIER_error, or a failing assert. The last line on stdout is the
    /// verdict. Exit status: 0 true, 1 false, 2 usage, 3 unknown, 4 input cannot be read, 5 internal error or
    /// evidence that failed its check.
    Check(CheckOptions),
    /// Answer an SMT-LIB 2 script.
    ///
    /// Answers go to stdout in the script's own language, messages for people to stderr. Exit status: 0 every command
    /// was answered, 2 usage, 3 a check ended unknown, 4 the script cannot be read or a command has no answer,
    /// 5 internal error or an answer that contradicts the script's :status.
    Solve(SolveOptions),
}

/// Options of `tamis solve`.
#[derive(Args, Clone)]
pub struct SolveOptions {
    /// The script, or - for standard input.
    pub file: PathBuf,

    /// Stop after this time: seconds, or a number with s, min or h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is used: megabytes, or a number with MB or GB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<u64>,

    /// Seed of the search, as :random-seed. Tamis' own search is deterministic and makes no use of it.
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,

    /// Hand the script to another solver: z3, cvc5, bitwuzla, yices-smt2, mathsat, or the path of one.
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,

    /// Print what the run took.
    #[arg(long)]
    pub stats: bool,
}

/// Options of `tamis check`.
#[derive(Args, Clone)]
pub struct CheckOptions {
    /// The program: C source (.c, preprocessed with the system's cc) or preprocessed source (.i).
    pub file: PathBuf,

    /// The property to check.
    #[arg(long, value_enum, default_value_t = Property::UnreachCall)]
    pub property: Property,

    /// 32-bit data model: long and pointers have 4 bytes.
    #[arg(long = "32", conflicts_with = "lp64")]
    pub ilp32: bool,

    /// 64-bit data model: long and pointers have 8 bytes (the default).
    #[arg(long = "64")]
    pub lp64: bool,

    /// Add a directory to those that the preprocessor searches.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Define a macro for the preprocessor.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Stop after this time: seconds, or a number with s, min or h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is used: megabytes, or a number with MB or GB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<u64>,

    /// How regions are abstracted.
    #[arg(long, value_enum, default_value_t = AbstractionKind::Exact)]
    pub abstraction: AbstractionKind,

    /// Print what the run took.
    #[arg(long)]
    pub stats: bool,
}

/// A property of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Property {
    /// No call of an error function and no failing assert can be reached.
    UnreachCall,
}

impl Property {
    /// The name in verdicts.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
        }
    }
}

/// An engine for predicate abstraction queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AbstractionKind {
    /// The strongest abstraction, by enumeration of models inside one search.
    Exact,
    /// Each predicate by itself; exact from the first spurious counterexample on that this cannot exclude.
    Cartesian,
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit of time '{unit}' (s, min, h)")),
    };
    let seconds = parse_number(number)? * factor;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

fn parse_memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "" | "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        _ => return Err(format!("unknown unit of memory '{unit}' (MB, GB)")),
    };
    Ok((parse_number(number)? * factor) as u64)
}

fn split_unit(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn parse_number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok(number),
        _ => Err("a positive number is expected".to_owned()),
    }
}
