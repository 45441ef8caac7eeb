//! What is to be checked: tasks, from lists, sets, folders, databases and files.

pub mod database;
mod definition;
mod list;
mod set;

use super::judge::Expected;
use crate::arguments::{BatchOptions, PropertyChoice};
use crate::refusal::Refusal;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tamis_diagnostics::Diagnostic;

/// A program or a design, with a property if one is named.
#[derive(Clone, Debug)]
pub struct Task {
    /// What results call it: its path as it is written in the list.
    pub name: String,
    pub suite: Option<String>,
    pub sources: Sources,
    /// `--32` or `--64`, if that is said.
    pub data_model: Option<&'static str>,
    pub property: Option<Question>,
    pub expected: Option<Expected>,
}

/// Where a task's program or design is.
#[derive(Clone, Debug)]
pub enum Sources {
    /// These files together.
    Files(Vec<PathBuf>),
    /// One file, as a compilation database says that it is compiled.
    Compiled { file: PathBuf, entry: Value },
}

/// What is asked of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// The property that is checked where none is named.
    Usual(String),
    /// A property by its name.
    Named(String),
    /// A property file, with its name for people.
    File(String, PathBuf),
    /// A rule that Tamis brings along, or a file.
    Rule(String),
}

impl Question {
    /// Its name for people.
    pub fn name(&self) -> String {
        match self {
            Question::Usual(name) | Question::Named(name) | Question::File(name, _) => name.clone(),
            Question::Rule(rule) => stem(Path::new(rule)),
        }
    }
}

/// A file's name, without folder and ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// All tasks that the options name.
pub fn read(options: &BatchOptions) -> Result<Vec<Task>, Refusal> {
    let mut tasks = Vec::new();
    for path in &options.tasks {
        let found = of_path(path, options.root.as_deref())?;
        if found.is_empty() {
            return Err(about(path, "there is no task in it"));
        }
        tasks.extend(found);
    }
    let asked = asked(options);
    let tasks = tasks.into_iter().flat_map(|task| questioned(task, &asked)).collect::<Vec<_>>();
    match tasks.is_empty() {
        true => Err(Refusal::usage("no task has a property of that name")),
        false => Ok(tasks),
    }
}

fn of_path(path: &Path, root: Option<&Path>) -> Result<Vec<Task>, Refusal> {
    if path.is_dir() {
        return definition::folder(path);
    }
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "set" => set::read(path),
        "json" => database::read(path),
        "tsv" => list::table(path, root),
        "txt" | "list" | "lst" | "" => list::lines(path, root),
        _ => of_file(path.display().to_string(), path),
    }
}

/// The tasks of a file that is not a list: a program, a design or a task definition.
fn of_file(name: String, path: &Path) -> Result<Vec<Task>, Refusal> {
    match path.extension().unwrap_or_default().to_string_lossy().as_ref() {
        "yml" | "yaml" => definition::read(name, path),
        "c" | "i" | "btor" | "btor2" | "aig" | "aag" | "v" | "sv" => {
            let sources = Sources::Files(vec![path.to_owned()]);
            let (suite, data_model, property, expected) = (None, None, None, None);
            Ok(vec![Task { name, suite, sources, data_model, property, expected }])
        }
        _ => Err(about(path, "is neither a list nor something that can be checked")),
    }
}

/// What the command line asks.
fn asked(options: &BatchOptions) -> Vec<Question> {
    let properties = options.property.iter().map(|choice| match choice {
        PropertyChoice::Named(name) => Question::Named(name.clone()),
        PropertyChoice::File(file) => Question::File(stem(file), file.clone()),
    });
    properties.chain(options.rule.iter().cloned().map(Question::Rule)).collect()
}

/// A task with what is asked of it: one that names no property is asked all, one that does, only its own.
fn questioned(task: Task, asked: &[Question]) -> Vec<Task> {
    match &task.property {
        None if !asked.is_empty() => {
            asked.iter().map(|question| Task { property: Some(question.clone()), ..task.clone() }).collect()
        }
        Some(own) if !asked.is_empty() && !asked.iter().any(|question| question.name() == own.name()) => {
            vec![]
        }
        _ => vec![task],
    }
}

/// A message about a file.
fn about(path: &Path, message: impl Into<String>) -> Refusal {
    Refusal::unreadable(Diagnostic::about_file(path.display().to_string(), message))
}

/// The text of a file.
fn contents(path: &Path) -> Result<String, Refusal> {
    let bytes = std::fs::read(path).map_err(|e| about(path, format!("cannot be read: {e}")))?;
    String::from_utf8(bytes).map_err(|_| about(path, "is not UTF-8"))
}

/// A message about a line, from 1.
fn about_line(path: &Path, text: &str, line: usize, message: impl Into<String>) -> Refusal {
    Refusal::unreadable(Diagnostic {
        file: path.display().to_string(),
        line: line as u32,
        column: 1,
        message: message.into(),
        source_line: text.lines().nth(line - 1).map(str::to_owned),
    })
}
