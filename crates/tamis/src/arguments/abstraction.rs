//! The options of `tamis abstract`.

use super::ReadingOptions;
use crate::limits::Limits;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// Options of `tamis abstract`.
#[derive(Args, Clone)]
pub struct AbstractOptions {
    /// The query: an SMT-LIB 2 script, or - for standard input. Its assertions are the formula. A script may have several queries.
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
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(tamis_paq::engine_names()),
          conflicts_with = "all_engines")]
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

    #[command(flatten)]
    pub limits: Limits,

    /// The most nodes that decision diagrams may have.
    #[arg(long, value_name = "N")]
    pub nodes: Option<usize>,
}

impl AbstractOptions {
    /// Whether engines work side by side, in threads.
    pub fn races(&self) -> bool {
        self.all_engines || self.asked() == Ok("min")
    }

    /// Whether the engine needs diagrams for its answer alone.
    pub fn enumerates(&self) -> bool {
        !self.races() && self.asked().is_ok_and(|engine| !engine.starts_with("ldd"))
    }

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

fn parse_range(text: &str) -> Result<(usize, usize), String> {
    let ends = text.split_once('-').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    ends.filter(|(least, most)| least <= most && *most > 0)
        .ok_or_else(|| "two numbers are expected, as 10-56".to_owned())
}
