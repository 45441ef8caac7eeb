//! The options of `tamis batch`.

use super::values::parse_property;
use super::{PropertyChoice, parse_preset};
use crate::limits::Limits;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Options of `tamis batch`.
#[derive(Args, Clone)]
pub struct BatchOptions {
    /// What is to be checked: a list (.tsv with the columns path, property, expected, bits and suite; or any text file with a path
    /// on each line), a set (.set) or a folder of task definitions (.yml), a compilation database (.json) whose files are checked one
    /// by one, programs or designs themselves, or a folder that --emit has written.
    #[arg(required_unless_present = "collect", value_name = "TASKS")]
    pub tasks: Vec<PathBuf>,

    /// The folder that the paths of a list are below, if not the list's own.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// The property of tasks that name none; of task definitions, those properties alone that have this name. Several are
    /// checked one by one.
    #[arg(long, value_name = "NAME|FILE.prp", value_parser = parse_property)]
    pub property: Vec<PropertyChoice>,

    /// A rule about the use of an interface, for tasks that name no property, as for `check`.
    #[arg(long, value_name = "NAME|FILE.rule")]
    pub rule: Vec<String>,

    /// How the search works, as for `check`. Several make a check each of every task.
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = checked_preset)]
    pub preset: Vec<String>,

    #[command(flatten)]
    pub limits: Limits,

    /// How many cores a check may use.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub cores: u32,

    /// How many checks run at the same time on this machine, if not as many as its cores allow.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "cluster")]
    pub jobs: Option<u32>,

    /// The file of results, one JSON object on each line. What it has is not done again.
    #[arg(long, value_name = "FILE.jsonl", default_value = "tamis-batch.jsonl")]
    pub results: PathBuf,

    /// The results of an earlier run, to compare with: what was lost, gained, and became slower.
    #[arg(long, value_name = "FILE.jsonl")]
    pub baseline: Option<PathBuf>,

    /// A check became slower if it takes this many times the processor time of the baseline.
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0, value_parser = parse_factor, requires = "baseline")]
    pub slower: f64,

    /// Write the results as JUnit XML, with a test case for each check.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write the results as one SARIF 2.1.0 file.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write the results as BenchExec does, for its table-generator. Of several presets each has a file, with its name before the
    /// extension.
    #[arg(long, value_name = "FILE.xml")]
    pub benchexec: Option<PathBuf>,

    /// Write a page to look at: index.html in this folder.
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,

    /// Run the checks on a cluster, by its Dask scheduler: tcp://HOST:PORT, or tls://HOST:PORT.
    #[arg(long, value_name = "ADDRESS")]
    pub cluster: Option<String>,

    /// For the cluster: the certificate of the authority that all sides trust.
    #[arg(long, value_name = "FILE.pem", requires_all = ["cluster", "tls_cert", "tls_key"])]
    pub tls_ca: Option<PathBuf>,

    /// For the cluster: the certificate to show.
    #[arg(long, value_name = "FILE.pem", requires = "tls_ca")]
    pub tls_cert: Option<PathBuf>,

    /// For the cluster: the key of this certificate.
    #[arg(long, value_name = "FILE.pem", requires = "tls_ca")]
    pub tls_key: Option<PathBuf>,

    /// For the cluster: the Python to use on this machine, which has the package `distributed`.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub python: PathBuf,

    /// The executable that does the checks, if not this one: for workers with another kind of processor.
    #[arg(long, value_name = "FILE")]
    pub executable: Option<PathBuf>,

    /// Do not run the checks, but write what another system needs to run them, to the folder that --into names.
    #[arg(long, value_enum, requires = "into", conflicts_with_all = ["cluster", "collect"])]
    pub emit: Option<System>,

    /// The folder for --emit: a new one, or an empty one.
    #[arg(long, value_name = "DIR", requires = "emit")]
    pub into: Option<PathBuf>,

    /// Gather the results of a folder that --emit has written.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["tasks", "cluster"])]
    pub collect: Option<PathBuf>,

    /// Do only each Nth check of the folder that --emit has written, from the Kth on: what an element of a job array does.
    #[arg(long, value_name = "K/N", value_parser = parse_part)]
    pub part: Option<(usize, usize)>,

    /// Print the summary and nothing else but errors.
    #[arg(long, short)]
    pub quiet: bool,

    /// Options of `check` for every check.
    #[arg(last = true, value_name = "OPTION")]
    pub options: Vec<String>,
}

/// A system that runs jobs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum System {
    /// Slurm: a job array for sbatch.
    Slurm,
}

/// A preset is handed on by its name.
fn checked_preset(name: &str) -> Result<String, String> {
    parse_preset(name).map(|_| name.to_owned())
}

fn parse_factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor >= 1.0 && factor.is_finite() => Ok(factor),
        _ => Err("a number of at least 1 is expected".to_owned()),
    }
}

/// Reads `K/N`, counted from 0.
fn parse_part(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((k, n)) if k < n => Ok((k, n)),
        _ => Err("K/N is expected, with K from 0 to N - 1".to_owned()),
    }
}
