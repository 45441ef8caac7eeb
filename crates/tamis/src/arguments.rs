//! The command line.

use crate::property::Property;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use tamis_cegar::{Strategy, preset, preset_names};
use tamis_program::SummaryKind;

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
    /// The error is a call of reach_error or __VERIFIER_error, or a failing assert, if no other property is given. The
    /// last line on stdout is the verdict. Exit status: 0 true, 1 false, 2 usage, 3 unknown, 4 input cannot be read, 5 internal error or
    /// evidence that failed its check.
    Check(CheckOptions),
    /// Check evidence again, by itself.
    ///
    /// Evidence is a folder that `check --certificate` has written: every condition is decided once more, by the built-in
    /// solver or another one, and if the program is given too, the conditions must be those of the program. Or it is a
    /// witness of any tool, which is validated against its program. The last line on stdout is the verdict. Exit status: 0 the
    /// proof holds, 1 the violation is confirmed, 2 usage, 3 a solver gave up or the witness is refuted, 4 it is no evidence, or
    /// not of this program, 5 a condition does not hold.
    Certify(CertifyOptions),
    /// Show what a C program is translated to.
    ///
    /// Prints the control-flow automaton, or a summary of it, to stdout. Exit status: 0 printed, 2 usage,
    /// 3 the program has a construct that is not supported, 4 input cannot be read, 5 internal error.
    Cfa(CfaOptions),
    /// Answer an SMT-LIB 2 script.
    ///
    /// Answers go to stdout in the script's own language, messages for people to stderr. Exit status: 0 every command
    /// was answered, 2 usage, 3 a check ended unknown, 4 the script cannot be read or a command has no answer,
    /// 5 internal error or an answer that contradicts the script's :status.
    Solve(SolveOptions),
    /// Solve a predicate abstraction query.
    ///
    /// Prints the strongest Boolean combination of predicates that the script's assertions imply, as prime implicants, to
    /// stdout, and what it took to stderr. Exit status: 0 answered, 2 usage, 3 unknown, 4 the script cannot be read,
    /// 5 internal error or engines that disagree.
    Abstract(AbstractOptions),
    /// Execute a C program on given inputs.
    ///
    /// What the program prints goes to stdout, everything else to stderr; the last line there says how the run ended.
    /// Exit status: 0 it ran to its end, 1 it violates its property, 2 usage, 3 it was stopped by a limit, by
    /// undefined behaviour or by something that is not known, 4 it cannot be read, 5 internal error.
    Run(RunOptions),
}

/// Options of `tamis certify`.
#[derive(Args, Clone)]
pub struct CertifyOptions {
    /// The evidence: a certificate's folder, or a witness of format 2.0.
    pub evidence: PathBuf,

    /// The program that it is of, as it was given to `check`. A witness needs it.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingOptions,

    /// The property that it must be of, as for `check`.
    #[arg(long, value_name = "NAME|FILE.prp", value_parser = parse_property)]
    pub property: Option<PropertyChoice>,

    /// Let another solver decide the conditions: z3, cvc5, bitwuzla, yices-smt2, mathsat, or the path of one.
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,

    /// Stop after this time: seconds, or a number with s, min or h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is used: megabytes, or a number with MB or GB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<u64>,

    /// How the loop works where a witness alone does not decide: a preset's name, or a file like those under presets/.
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "default", value_parser = parse_preset)]
    pub preset: Strategy,

    /// Print the verdict and nothing else but errors.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Options of `tamis run`.
#[derive(Args, Clone)]
pub struct RunOptions {
    #[command(flatten)]
    pub program: InputOptions,

    /// Take the inputs from a file: one value in a line, or a function's name and a value.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "seed"])]
    pub inputs: Option<PathBuf>,

    /// The inputs, separated by commas.
    #[arg(
        long,
        value_name = "VALUES",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with = "seed"
    )]
    pub input: Vec<String>,

    /// Make up the inputs from a seed.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Print every line that does something, with the values it writes.
    #[arg(long)]
    pub trace: bool,

    /// Stop also at signed overflow and at uses of uninitialised values, which are only reported otherwise.
    #[arg(long)]
    pub trap_ub: bool,

    /// Stop after so many statements.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,

    /// Stop after this time: seconds, or a number with s, min or h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is used: megabytes, or a number with MB or GB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<u64>,

    /// The arguments of the program.
    #[arg(last = true)]
    pub arguments: Vec<String>,
}

/// Options of `tamis abstract`.
#[derive(Args, Clone)]
pub struct AbstractOptions {
    /// The query: an SMT-LIB 2 script, or - for standard input. Its assertions are the formula.
    #[arg(default_value = "-", hide_default_value = true, conflicts_with = "extract")]
    pub file: PathBuf,

    /// Write the queries that the functions of C programs give: one for each two of a function's loop heads with paths
    /// between them, with the conditions of its branches as predicates, over linear arithmetic.
    #[arg(long, value_name = "FILE.c", num_args = 1..)]
    pub extract: Vec<PathBuf>,

    /// The folder for extracted queries.
    #[arg(long, value_name = "DIR", default_value = "queries", requires = "extract")]
    pub output: PathBuf,

    /// How many predicates an extracted query has, at least and at most.
    #[arg(long, value_name = "LEAST-MOST", default_value = "10-56", value_parser = parse_range, requires = "extract")]
    pub extract_predicates: (usize, usize),

    #[command(flatten)]
    pub reading: ReadingOptions,

    /// The predicates, by name: Booleans that are declared, definitions without parameters, named terms. Otherwise they are
    /// the formulas of the script's check-allsat.
    #[arg(long, value_name = "NAMES")]
    pub predicates: Vec<String>,

    /// What solves the query; min if nothing is said.
    #[arg(long, value_name = "NAME", value_parser = parse_engine, conflicts_with = "all_engines")]
    pub engine: Option<String>,

    /// The weakest combination that implies the formula, instead of the strongest that it implies.
    #[arg(long)]
    pub weakest: bool,

    /// Successive approximations, by cubes that grow so much at a time (the engine steps).
    #[arg(long, value_name = "N")]
    pub step: Option<usize>,

    /// Stop successive approximations at cubes of this size.
    #[arg(long, value_name = "N")]
    pub last: Option<usize>,

    /// Keep nothing from one approximation to the next.
    #[arg(long)]
    pub non_incremental: bool,

    /// The most literals of a clause, for the engine maxcube; 2 if nothing is said.
    #[arg(long, value_name = "N")]
    pub size: Option<usize>,

    /// Seed of random choices, for successive approximations.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Let every engine solve the query by itself, and compare. A timeout is for each of them.
    #[arg(long)]
    pub all_engines: bool,

    /// Print the answer as a term of SMT-LIB.
    #[arg(long)]
    pub smtlib: bool,

    /// Print a JSON document instead of the answer, or to a file.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub json: Option<Option<PathBuf>>,

    /// Stop after this time: seconds, or a number with s, min or h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is used: megabytes, or a number with MB or GB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<u64>,

    /// The most nodes that decision diagrams may have.
    #[arg(long, value_name = "N")]
    pub nodes: Option<usize>,
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

    /// Seed of the search's random choices, as :random-seed. The same seed gives the same run.
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,

    /// Hand the script to another solver: z3, cvc5, bitwuzla, yices-smt2, mathsat, or the path of one.
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,

    /// Print what the run took.
    #[arg(long)]
    pub stats: bool,
}

/// Where a program comes from.
#[derive(Args, Clone)]
pub struct InputOptions {
    /// The program: C source (.c, preprocessed with the system's cc), preprocessed source (.i), or a compilation database
    /// (compile_commands.json); several files are linked. Or a task definition (.yml), which names them.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingOptions,
}

/// How C source is read.
#[derive(Args, Clone)]
pub struct ReadingOptions {
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

    /// Forget a macro that the preprocessor predefines.
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,

    /// Read a header before each file.
    #[arg(long = "include", value_name = "HEADER")]
    pub before: Vec<PathBuf>,
}

/// Options of `tamis check`.
#[derive(Args, Clone)]
pub struct CheckOptions {
    #[command(flatten)]
    pub input: InputOptions,

    /// The property to check: unreach-call (the default), no-overflow, no-division-by-zero, no-shift-out-of-range,
    /// no-null-dereference, or a property file (.prp). Several are checked one by one.
    #[arg(long, value_name = "NAME|FILE.prp", value_parser = parse_property)]
    pub property: Vec<PropertyChoice>,

    /// Stop after this time: seconds, or a number with s, min or h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is used: megabytes, or a number with MB or GB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<u64>,

    /// How the loop works: a preset's name (default, magic, magic-greedy, magic-minimize, satabs, blast, sbe-allsat,
    /// lbe-allsat, lbe-ldd, lbe-min), or a file like those under presets/.
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "default", value_parser = parse_preset)]
    pub preset: Strategy,

    /// How regions are abstracted, if not as the preset says.
    #[arg(long, value_enum)]
    pub abstraction: Option<AbstractionKind>,

    /// Tell of every iteration: the predicates, the abstract states, the abstract counterexample and why it is spurious.
    #[arg(long)]
    pub trace_iterations: bool,

    /// Search the program as it was translated, without simplifying it first.
    #[arg(long)]
    pub no_simplify: bool,

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

    /// Write the evidence as a witness of format 2.0 (YAML), for other tools to check. Of several properties each has a
    /// file, with its name before the extension.
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Print every line of a counterexample, also what it does again and again.
    #[arg(long)]
    pub full_trace: bool,

    /// Print the verdict and nothing else but errors.
    #[arg(long, short)]
    pub quiet: bool,
}

/// Options of `tamis cfa`.
#[derive(Args, Clone)]
pub struct CfaOptions {
    #[command(flatten)]
    pub input: InputOptions,

    /// The output's format.
    #[arg(long, value_enum, default_value_t = GraphFormat::Text)]
    pub format: GraphFormat,

    /// Show the blocks of a summary instead of single edges.
    #[arg(long, value_enum)]
    pub summary: Option<SummaryChoice>,

    /// Show the program as `tamis check` searches it.
    #[arg(long, conflicts_with = "raw")]
    pub simplified: bool,

    /// Show the program as it was translated (the default).
    #[arg(long)]
    pub raw: bool,
}

/// How a graph is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GraphFormat {
    /// Each location with its edges.
    Text,
    /// The language of Graphviz.
    Dot,
    /// A picture.
    Svg,
    /// Only how many locations, edges and variables there are.
    Count,
}

/// A summary of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SummaryChoice {
    /// Small blocks: every basic block.
    Sbe,
    /// Blocks by the rules of sequence and choice.
    Rule,
    /// All that lies between two loop heads.
    Cutset,
}

impl From<SummaryChoice> for SummaryKind {
    fn from(choice: SummaryChoice) -> SummaryKind {
        match choice {
            SummaryChoice::Sbe => SummaryKind::Sbe,
            SummaryChoice::Rule => SummaryKind::Rule,
            SummaryChoice::Cutset => SummaryKind::Cutset,
        }
    }
}

/// A property as it is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyChoice {
    /// By its name.
    Named(Property),
    /// By a property file.
    File(PathBuf),
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

fn parse_property(text: &str) -> Result<PropertyChoice, String> {
    if text.ends_with(".prp") {
        return Ok(PropertyChoice::File(PathBuf::from(text)));
    }
    Property::named(text).map(PropertyChoice::Named).ok_or_else(|| {
        let names: Vec<&str> = Property::names().collect();
        format!("no such property; there are {}, or the name of a .prp file", names.join(", "))
    })
}

impl AbstractOptions {
    /// The engine that is asked for; or an option that has no meaning for it.
    pub fn asked(&self) -> Result<&str, &'static str> {
        let engine = match (&self.engine, self.step) {
            (Some(name), _) => name.as_str(),
            (None, Some(_)) => "steps",
            (None, None) => "min",
        };
        let stepping = [
            ("--step", self.step.is_some()),
            ("--last", self.last.is_some()),
            ("--non-incremental", self.non_incremental),
        ];
        let idle = stepping.into_iter().find(|&(_, given)| given && engine != "steps" && !self.all_engines);
        match idle {
            Some((option, _)) => Err(option),
            None if self.size.is_some() && engine != "maxcube" && !self.all_engines => Err("--size"),
            None => Ok(engine),
        }
    }
}

fn parse_engine(name: &str) -> Result<String, String> {
    let names: Vec<&str> = tamis_paq::engine_names().collect();
    match names.contains(&name) {
        true => Ok(name.to_owned()),
        false => Err(format!("no such engine; there are {}", names.join(", "))),
    }
}

fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let ends = text.split_once('-').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    ends.filter(|(least, most)| least <= most && *most > 0)
        .ok_or_else(|| "two numbers are expected, as 10-56".to_owned())
}

fn parse_preset(name: &str) -> Result<Strategy, String> {
    if let Some(strategy) = preset(name) {
        return strategy.map_err(|e| e.to_string());
    }
    if !name.ends_with(".toml") {
        let names: Vec<&str> = preset_names().collect();
        return Err(format!("no such preset; there are {}, or the name of a .toml file", names.join(", ")));
    }
    let text = std::fs::read_to_string(name).map_err(|e| e.to_string())?;
    Strategy::from_toml(&text).map_err(|e| e.to_string())
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
