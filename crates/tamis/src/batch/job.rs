//! A check that is to be made: a task with a preset and limits.
//!
//! Its key is a hash of all that its answer depends on: the contents of its files and of those that they include, the options, the
//! limits, and the executable. So a result is kept for as long as it would come out the same, and no longer. What the system's
//! headers say is left out: they change with the machine.

use super::content::Contents;
use super::judge::Expected;
use super::tasks::{self, Question, Sources, Task};
use crate::arguments::{BatchOptions, CheckOptions, check_options};
use crate::hash::sha256;
use crate::refusal::Refusal;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A check may take so long if nothing else is said.
const USUAL_TIME: Duration = Duration::from_secs(300);

/// A check to be made.
#[derive(Clone, Debug)]
pub struct Job {
    pub key: String,
    pub task: String,
    pub suite: Option<String>,
    pub property: Option<String>,
    pub preset: Option<String>,
    pub expected: Option<Expected>,
    pub sources: Sources,
    /// What is said to `check` beside the files and the limits.
    pub words: Vec<Word>,
    /// Files that have other names where the check runs: those names, and their own.
    pub renamed: Vec<(String, String)>,
}

/// A part of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    Plain(String),
    /// The name of a file that is read.
    File(PathBuf),
}

impl Word {
    /// The word as the command line has it.
    pub fn text(&self) -> OsString {
        match self {
            Word::Plain(text) => text.into(),
            Word::File(path) => path.into(),
        }
    }
}

/// What is the same for all checks.
pub struct Common {
    /// How long each check may take.
    pub time: Duration,
    /// How much memory each may use, if that is said.
    pub memory: Option<u64>,
    /// The hash of the executable.
    pub executable: String,
    pub words: Vec<Word>,
    /// How they are read as options.
    pub options: CheckOptions,
}

impl Common {
    /// Reads the options for all checks.
    pub fn new(options: &BatchOptions, executable: String) -> Result<Common, Refusal> {
        let given = ["file.c".to_owned()].into_iter().chain(options.options.iter().cloned());
        let read = check_options(given.map(OsString::from)).map_err(|e| Refusal::usage(plain(&e)))?;
        if let Some(own) = of_the_batch(&read) {
            let why = format!("{own} is not for all checks at once: a batch has options of its own");
            return Err(Refusal::usage(why));
        }
        if read.input.files.len() > 1 {
            let name = read.input.files[1].display();
            return Err(Refusal::usage(format!("{name} is no option of `check`, and files are tasks")));
        }
        Ok(Common {
            time: options.limits.timeout.unwrap_or(USUAL_TIME),
            memory: options.limits.memory,
            executable,
            words: words(&options.options),
            options: read,
        })
    }
}

/// An option that the batch says for each check itself, or whose file all checks would write.
fn of_the_batch(options: &CheckOptions) -> Option<&'static str> {
    let given = [
        ("--timeout", options.limits.timeout.is_some()),
        ("--memory", options.limits.memory.is_some()),
        ("--preset", options.preset.is_some()),
        ("--property", !options.property.is_empty()),
        ("--rule", !options.rule.is_empty()),
        ("--json", options.json.is_some()),
        ("--report", options.report.is_some()),
        ("--sarif", options.sarif.is_some()),
        ("--junit", options.junit.is_some()),
        ("--lcov", options.lcov.is_some()),
        ("--harness", options.harness.is_some()),
        ("--certificate", options.certificate.is_some()),
        ("--witness", options.witness.is_some()),
        ("--vcd", options.vcd.is_some()),
        ("-f", !options.input.design.lists.is_empty()),
    ];
    given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
}

/// What is wrong, without a title and how the command is used.
fn plain(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or("these are no options of `check`");
    first.strip_prefix("error: ").unwrap_or(first).to_owned()
}

/// These options have the name of a file.
const OF_FILES: [&str; 3] = ["--spec", "--stand-in", "--include"];

/// Tells the files among some options.
fn words(options: &[String]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut is_file = false;
    for option in options {
        let attached = option.split_once('=').filter(|(name, _)| OF_FILES.contains(name));
        match attached {
            _ if is_file => words.push(Word::File(option.into())),
            Some((name, file)) => words.extend([Word::Plain(name.to_owned()), Word::File(file.into())]),
            None => words.push(Word::Plain(option.clone())),
        }
        is_file = !is_file && OF_FILES.contains(&option.as_str());
    }
    words
}

/// The checks that tasks and presets make, each once.
pub fn jobs(tasks: &[Task], presets: &[String], common: &Common) -> Result<Vec<Job>, Refusal> {
    let mut contents = Contents::new(&common.options.input.reading.include);
    let usual = [None];
    let given: Vec<Option<&String>> = presets.iter().map(Some).collect();
    let presets = if presets.is_empty() { &usual[..] } else { &given };
    let mut seen = std::collections::BTreeSet::new();
    let mut jobs = Vec::new();
    for task in tasks {
        for preset in presets {
            let job = job(task, preset.map(String::as_str), common, &mut contents);
            if seen.insert(job.key.clone()) {
                jobs.push(job);
            }
        }
    }
    Ok(jobs)
}

fn job(task: &Task, preset: Option<&str>, common: &Common, contents: &mut Contents) -> Job {
    let mut words = common.words.clone();
    let plain = |text: &str| Word::Plain(text.to_owned());
    let said = &common.options.input.reading;
    if let (Some(model), false) = (task.data_model, said.ilp32 || said.lp64) {
        words.push(plain(model));
    }
    match &task.property {
        None | Some(Question::Usual(_)) => {}
        Some(Question::Named(name)) => words.extend([plain("--property"), plain(name)]),
        Some(Question::File(_, file)) => words.extend([plain("--property"), Word::File(file.clone())]),
        Some(Question::Rule(rule)) => words.extend([plain("--rule"), file_or_name(rule, ".rule")]),
    }
    if let Some(preset) = preset {
        words.extend([plain("--preset"), file_or_name(preset, ".toml")]);
    }
    let mut whole = format!(
        "1\n{}\n{}\n{:?} {:?}\n",
        common.executable,
        task.name,
        common.time.as_secs_f64(),
        common.memory
    );
    for word in &words {
        whole += &match word {
            Word::Plain(text) => format!("{text:?}\n"),
            Word::File(file) => format!("{}\n", contents.of(file)),
        };
    }
    whole += &match &task.sources {
        Sources::Files(files) => files.iter().map(|file| contents.of(file) + "\n").collect::<String>(),
        Sources::Compiled { file, entry } => format!("{entry}\n{}\n", contents.of_compiled(file, entry)),
    };
    Job {
        key: sha256(whole.as_bytes()),
        task: task.name.clone(),
        suite: task.suite.clone(),
        property: task.property.as_ref().map(Question::name),
        preset: preset.map(|preset| {
            if preset.ends_with(".toml") { tasks::stem(preset.as_ref()) } else { preset.to_owned() }
        }),
        expected: task.expected.clone(),
        sources: task.sources.clone(),
        words,
        renamed: Vec::new(),
    }
}

fn file_or_name(text: &str, ending: &str) -> Word {
    match text.ends_with(ending) {
        true => Word::File(text.into()),
        false => Word::Plain(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_among_options_are_seen() {
        let given = ["-DX", "--include", "a.h", "--spec=b.lts", "--all", "--stand-in", "--include"];
        let plain = |text: &str| Word::Plain(text.to_owned());
        let file = |text: &str| Word::File(text.into());
        assert_eq!(
            words(&given.map(str::to_owned)),
            [
                plain("-DX"),
                plain("--include"),
                file("a.h"),
                plain("--spec"),
                file("b.lts"),
                plain("--all"),
                plain("--stand-in"),
                file("--include")
            ]
        );
    }
}
