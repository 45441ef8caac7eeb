//! The command line.

mod abstraction;
mod batch;
mod check;
pub mod configuration;
mod foreign;
pub mod values;

pub use abstraction::AbstractOptions;
pub use batch::BatchOptions;
pub use check::{AbstractionKind, CheckOptions, ReplayKind};
pub use values::{Preset, parse_preset};

use crate::color::Color;
use crate::limits::Limits;
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;
use tamis_program::SummaryKind;
use values::{parse_duration, parse_memory, parse_property};

/// A model checker for C programs and hardware designs: proves that no execution reaches an error, or shows one that does.
#[derive(Parser)]
#[command(name = "tamis", version, long_version = long_version(), arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    /// When messages are coloured.
    #[arg(long, value_enum, default_value_t, global = true, value_name = "WHEN")]
    pub color: Color,
}

/// The version of everything that has a part in an answer.
fn long_version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        format!(
            "{} (commit {})\nCaDiCaL {}\nOxiDD {}\nrucc {}",
            env!("CARGO_PKG_VERSION"),
            env!("TAMIS_COMMIT"),
            tamis_solver::sat_solver_version(),
            env!("TAMIS_OXIDD"),
            env!("TAMIS_RUCC"),
        )
    })
}

// There is one of them in a process.
#[allow(clippy::large_enum_variant)]
#[derive(Subcommand)]
pub enum Command {
    /// Verify a C program or a hardware design.
    ///
    /// The error is a call of reach_error or __VERIFIER_error, or a failing assert, if no other property is given; of a design
    /// all properties are checked that it has. The
    /// last line on stdout is the verdict. Exit status: 0 true, 1 false, 2 usage, 3 unknown, 4 input cannot be read, 5 internal error or
    /// evidence that failed its check.
    Check(CheckOptions),
    /// Verify many programs and designs, here or on a cluster.
    ///
    /// Each check is a process of its own, within limits. Results are kept in a file as they come: the same command goes on where
    /// it was stopped. A summary goes to stdout. Exit status: 0 every verdict is as expected, or as good as the baseline's; 1 one is wrong,
    /// a violation that nobody expects, or worse than the baseline's; 2 usage; 3 some are unknown, or not all was done;
    /// 4 a task cannot be read; 5 a check ended with an internal error.
    Batch(Box<BatchOptions>),
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
    /// Write a harness for a function: a C file whose main calls it with arbitrary arguments, to be edited.
    ///
    /// Exit status: 0 written, 2 usage, 3 the function has what no harness can be written for, 4 input cannot be read.
    Harness(HarnessOptions),
    /// Execute a C program on given inputs.
    ///
    /// What the program prints goes to stdout, everything else to stderr; the last line there says how the run ended.
    /// Exit status: 0 it ran to its end, 1 it violates its property, 2 usage, 3 it was stopped by a limit, by
    /// undefined behaviour or by something that is not known, 4 it cannot be read, 5 internal error.
    Run(RunOptions),
    /// Check programs in an editor: a language server, which speaks over standard input and output.
    ///
    /// A file is checked when it is saved. docs/editor.md says what editors show of it and how they are set up.
    Lsp(LspOptions),
    /// Print completions for a shell.
    Completions(CompletionsOptions),
    /// Print the manual page, or write those of all commands to a folder.
    Man(ManOptions),
}

/// Options of `tamis lsp`.
#[derive(Args, Clone)]
pub struct LspOptions {
    /// Stop a check after this time, if neither the editor nor tamis.toml says otherwise.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "30s")]
    pub timeout: Duration,

    /// Stop a check when it uses more memory.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory, default_value = "2GB")]
    pub memory: u64,

    /// Further options of `tamis check`, behind --.
    #[arg(last = true, value_name = "OPTIONS")]
    pub check: Vec<String>,
}

/// Options of `tamis completions`.
#[derive(Args, Clone)]
pub struct CompletionsOptions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Options of `tamis man`.
#[derive(Args, Clone)]
pub struct ManOptions {
    /// Write tamis.1 and a page for each command to this folder.
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

impl Arguments {
    /// The arguments of this process.
    ///
    /// To describe all commands to the parser takes longer than a small query. So the command that is asked for is tried by
    /// itself first; where that does not end in options, all of them have a say: in help, and in what is wrong.
    pub fn read() -> Result<Arguments, clap::Error> {
        let mut given = std::env::args_os().skip(1);
        let command = match given.next().as_ref().and_then(|name| name.to_str()) {
            Some("abstract") => alone("abstract", given).map(Command::Abstract),
            Some("check") => alone("check", given).map(Command::Check),
            Some("solve") => alone("solve", given).map(Command::Solve),
            _ => None,
        };
        let read = match command {
            Some(command) => Ok(Arguments { command, color: Color::default() }),
            None => Arguments::try_parse().map_err(foreign::with_advice),
        };
        read.and_then(configuration::applied)
    }
}

/// Options of `check`, as they would be given to it.
pub fn check_options(given: impl Iterator<Item = OsString>) -> Result<CheckOptions, clap::Error> {
    let command = CheckOptions::augment_args(clap::Command::new("check"));
    let matches = command.no_binary_name(true).try_get_matches_from(given)?;
    CheckOptions::from_arg_matches(&matches)
}

/// The options of a command, if they can be read as such.
fn alone<T: Args>(name: &'static str, given: impl Iterator<Item = OsString>) -> Option<T> {
    let command = T::augment_args(clap::Command::new(name));
    let matches = command.no_binary_name(true).try_get_matches_from(given).ok()?;
    T::from_arg_matches(&matches).ok()
}

/// Options of `tamis certify`.
#[derive(Args, Clone)]
pub struct CertifyOptions {
    /// The evidence: a certificate's folder, a witness of format 2.0, or for a design a witness of a violation in BTOR2 or AIGER.
    pub evidence: PathBuf,

    /// The program or design that it is of, as it was given to `check`. A witness needs it.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingOptions,

    #[command(flatten)]
    pub design: DesignOptions,

    /// The property that it must be of, as for `check`.
    #[arg(long, value_name = "NAME|FILE.prp", value_parser = parse_property)]
    pub property: Option<PropertyChoice>,

    /// Let another solver decide the conditions: z3, cvc5, bitwuzla, yices-smt2, mathsat, or the path of one.
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,

    #[command(flatten)]
    pub limits: Limits,

    /// How the loop works where a witness alone does not decide: a preset's name, or a file like those under presets/.
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "default", value_parser = parse_preset)]
    pub preset: Preset,

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

    /// Stop also where C leaves open what the program does next: a run to the end is then the program's only one on its
    /// inputs.
    #[arg(long)]
    pub determined: bool,

    /// Stop after so many statements.
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,

    #[command(flatten)]
    pub limits: Limits,

    /// The arguments of the program.
    #[arg(last = true)]
    pub arguments: Vec<String>,
}

/// Options of `tamis solve`.
#[derive(Args, Clone)]
pub struct SolveOptions {
    /// The script, or - for standard input.
    pub file: PathBuf,

    #[command(flatten)]
    pub limits: Limits,

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
    /// The program: C source (.c, preprocessed with the system's cc; - for standard input), preprocessed source (.i), or a compilation database
    /// (compile_commands.json); several files are linked. Or a task definition (.yml), which names them. Or a hardware
    /// design (.btor2).
    #[arg(required_unless_present = "lists", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingOptions,

    #[command(flatten)]
    pub design: DesignOptions,
}

/// How designs are read.
#[derive(Args, Clone, Default)]
pub struct DesignOptions {
    /// The module at the top of a design, if it is not the only one that no other uses.
    #[arg(long, value_name = "MODULE")]
    pub top: Option<String>,

    /// Take the names of a design's files from a list: one in a line, with +incdir+DIR and +define+NAME among them.
    #[arg(short = 'f', value_name = "FILE")]
    pub lists: Vec<PathBuf>,
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

    /// Take the preprocessor's options for each file from a compilation database: compile_commands.json, or its folder.
    #[arg(long, value_name = "PATH")]
    pub compile_commands: Option<PathBuf>,

    /// Do not look for a tamis.toml in the folder of the first file and those above it.
    #[arg(long)]
    pub no_config: bool,

    /// Forget a macro that the preprocessor predefines.
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,

    /// Let machines (.lts) stand in for functions without a body: these do what their machine allows.
    #[arg(long, value_name = "FILE.lts")]
    pub stand_in: Vec<PathBuf>,

    /// Let each allocation of memory (malloc, calloc, realloc, …) fail or not, as if it were an input.
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// Read a header before each file.
    #[arg(long = "include", value_name = "HEADER")]
    pub before: Vec<PathBuf>,

    /// Begin with this function instead of main: it is called with arbitrary arguments, and globals that are not const hold
    /// anything. `tamis harness` writes this as a C file.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// Leave out the definition of a function: that of a later file counts, or none.
    #[arg(long, value_name = "NAME")]
    pub remove_body: Vec<String>,

    /// Check a function against its contract, which is written as CBMC has it: calls of the function assume what the contract
    /// requires, and check what it ensures, assigns and frees.
    #[arg(long, value_name = "NAME")]
    pub enforce_contract: Vec<String>,

    /// Let a function's contract stand for its calls: what it requires is checked, and what it ensures is taken for granted.
    #[arg(long, value_name = "NAME")]
    pub replace_call_with_contract: Vec<String>,

    /// Check the invariants of loops that contracts say, and that what they say to decrease does.
    #[arg(long)]
    pub loop_contracts: bool,

    #[command(flatten)]
    pub fill: FillOptions,

    /// What is read from volatile objects is an input, and what is read from given ranges of addresses, such as
    /// 0x40000000-0x400fffff.
    #[arg(long, value_name = "RANGES", num_args = 0..=1, require_equals = true, default_missing_value = "",
          value_parser = ranges)]
    pub volatile_input: Option<Ranges>,
}

/// What a function is called with.
#[derive(Args, Clone)]
pub struct FillOptions {
    /// With --function: how many pointers one behind the other point to fresh objects; the next ones are null.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub function_depth: u32,

    /// With --function: how many elements the objects have that pointers point to.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub function_elements: u64,

    /// With --function: pointers may be null.
    #[arg(long)]
    pub function_null: bool,

    /// With --function: objects of characters end with 0.
    #[arg(long)]
    pub function_strings: bool,

    /// With --function: globals have their initial values.
    #[arg(long)]
    pub function_initial: bool,
}

impl ReadingOptions {
    /// The function to begin with.
    pub fn entry(&self) -> Option<tamis_front_c::Entry> {
        let fill = &self.fill;
        self.function.clone().map(|function| tamis_front_c::Entry {
            function,
            depth: fill.function_depth,
            elements: fill.function_elements,
            null: fill.function_null,
            strings: fill.function_strings,
            globals: !fill.function_initial,
        })
    }
}

/// Options of `tamis harness`.
#[derive(Args, Clone)]
pub struct HarnessOptions {
    /// The function.
    pub name: String,

    /// The program: C source, several files if need be.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write the harness to a file instead of stdout.
    #[arg(short, long, value_name = "FILE.c")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingOptions,
}

/// Ranges of addresses, first and last.
#[derive(Clone, Debug, Default)]
pub struct Ranges(Vec<(u64, u64)>);

impl ReadingOptions {
    /// The ranges of addresses that are devices.
    pub fn devices(&self) -> Vec<(u64, u64)> {
        self.volatile_input.as_ref().map(|ranges| ranges.0.clone()).unwrap_or_default()
    }
}

/// Reads ranges as `FIRST-LAST,…`.
fn ranges(text: &str) -> Result<Ranges, String> {
    let number = |text: &str| match text.trim().strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.trim().parse().ok(),
    };
    let range = |part: &str| {
        let (low, high) = part.split_once('-')?;
        let (low, high) = (number(low)?, number(high)?);
        (low <= high).then_some((low, high))
    };
    let parts = text.split(',').filter(|part| !part.is_empty());
    let ranges = parts
        .map(|part| range(part).ok_or(format!("`{part}` is no range of addresses, as 0x1000-0x1fff is")));
    ranges.collect::<Result<_, _>>().map(Ranges)
}

/// Options of `tamis cfa`.
#[derive(Args, Clone)]
pub struct CfaOptions {
    #[command(flatten)]
    pub input: InputOptions,

    /// The output's format.
    #[arg(long, value_enum, default_value_t = GraphFormat::Text)]
    pub format: GraphFormat,

    /// Show the blocks of a summary; if nothing is said, a picture has small blocks, and a text single edges.
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
    /// Single edges, without a summary.
    Edges,
    /// Small blocks: every basic block.
    Sbe,
    /// Blocks by the rules of sequence and choice.
    Rule,
    /// All that lies between two loop heads.
    Cutset,
}

impl SummaryChoice {
    /// The summary, if it is one.
    pub fn kind(self) -> Option<SummaryKind> {
        match self {
            SummaryChoice::Edges => None,
            SummaryChoice::Sbe => Some(SummaryKind::Sbe),
            SummaryChoice::Rule => Some(SummaryKind::Rule),
            SummaryChoice::Cutset => Some(SummaryKind::Cutset),
        }
    }
}

/// A property as it is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyChoice {
    /// By its name, which the formalism knows.
    Named(String),
    /// By a property file.
    File(PathBuf),
}
