//! `tamis.toml`: what is said once for a folder and all below it.
//!
//! The file is looked for in the folder of the first input, and then upwards. The command line counts over it, and so does a task
//! definition. What it says is part of what a verdict is about, so a run tells that it has read one.

use super::values::{parse_duration, parse_memory, parse_preset, parse_property};
use super::{Arguments, CheckOptions, Command, ReadingOptions};
use clap::error::ErrorKind;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The name of the file.
const NAME: &str = "tamis.toml";

/// What it may say.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Configuration {
    /// One property or several, as `--property`.
    property: Option<Spanned<Properties>>,
    /// As `--timeout`.
    timeout: Option<Spanned<String>>,
    /// As `--memory`.
    memory: Option<Spanned<String>>,
    /// As `--preset`; a file is one beside this one.
    preset: Option<Spanned<String>>,
    /// As `-I`, from the folder of the file on.
    include: Option<Vec<PathBuf>>,
    /// As `-D`.
    define: Option<Vec<String>>,
    /// As `--compile-commands`, from the folder of the file on.
    compile_commands: Option<PathBuf>,
    /// As `--32` and `--64`.
    data_model: Option<DataModel>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Properties {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
enum DataModel {
    #[serde(rename = "ILP32")]
    Ilp32,
    #[serde(rename = "LP64")]
    Lp64,
}

/// Whether the file that is found for an input limits time, and memory.
pub fn limits_of(input: &Path) -> (bool, bool) {
    let found = find(&[input.to_owned()]).and_then(|file| read(&file).ok());
    found.map_or((false, false), |(_, said)| (said.timeout.is_some(), said.memory.is_some()))
}

/// The arguments with what the file says that is found for them.
pub fn applied(mut arguments: Arguments) -> Result<Arguments, clap::Error> {
    let applied = match &mut arguments.command {
        Command::Check(options) => for_check(options),
        Command::Cfa(options) => for_reading(&options.input.files, &mut options.input.reading),
        Command::Run(options) => for_reading(&options.program.files, &mut options.program.reading),
        Command::Harness(options) => for_reading(&options.files, &mut options.reading),
        _ => Ok(()),
    };
    // One message for all that is wrong with what is given, and one exit code.
    applied.map_err(|why| clap::Error::raw(ErrorKind::InvalidValue, format!("{why}\n")))?;
    Ok(arguments)
}

fn for_check(options: &mut CheckOptions) -> Result<(), String> {
    if options.input.reading.no_config {
        return Ok(());
    }
    let Some(file) = find(&options.input.files) else { return Ok(()) };
    let (text, said) = read(&file)?;
    let located = |at: std::ops::Range<usize>, why: String| located(&file, &text, at.start, &why);
    // What specifications and tasks say is meant to be checked.
    let is_task = options.input.files.iter().any(|file| file.extension().is_some_and(|e| e == "yml"));
    let asked = !options.property.is_empty() || !options.rule.is_empty() || !options.spec.is_empty();
    if let (false, Some(property)) = (is_task || asked, &said.property) {
        let names = match property.get_ref() {
            Properties::One(name) => std::slice::from_ref(name),
            Properties::Several(names) => names,
        };
        for name in names {
            let name = if name.ends_with(".prp") { beside(&file, Path::new(name)) } else { name.into() };
            let choice = parse_property(&name.to_string_lossy());
            options.property.push(choice.map_err(|why| located(property.span(), why))?);
        }
    }
    if let (None, Some(timeout)) = (options.limits.timeout, &said.timeout) {
        let time = parse_duration(timeout.get_ref()).map_err(|why| located(timeout.span(), why))?;
        options.limits.timeout = Some(time);
    }
    if let (None, Some(memory)) = (options.limits.memory, &said.memory) {
        let size = parse_memory(memory.get_ref()).map_err(|why| located(memory.span(), why))?;
        options.limits.memory = Some(size);
    }
    if let (None, Some(preset)) = (&options.preset, &said.preset) {
        let name = preset.get_ref();
        let name = if name.ends_with(".toml") { beside(&file, Path::new(name)) } else { name.into() };
        let strategy = parse_preset(&name.to_string_lossy()).map_err(|why| located(preset.span(), why))?;
        options.preset = Some(strategy);
    }
    if !options.quiet {
        eprintln!("note: options are taken from {}", file.display());
    }
    say_reading(&file, &said, &mut options.input.reading);
    Ok(())
}

fn for_reading(files: &[PathBuf], reading: &mut ReadingOptions) -> Result<(), String> {
    match find(files).filter(|_| !reading.no_config) {
        Some(file) => {
            let (_, said) = read(&file)?;
            say_reading(&file, &said, reading);
            Ok(())
        }
        None => Ok(()),
    }
}

fn say_reading(file: &Path, said: &Configuration, reading: &mut ReadingOptions) {
    // Folders of the command line are searched before, and macros defined there are defined last.
    reading.include.extend(said.include.iter().flatten().map(|folder| beside(file, folder)));
    let own = std::mem::take(&mut reading.define);
    reading.define = said.define.iter().flatten().cloned().chain(own).collect();
    if let (None, Some(database)) = (&reading.compile_commands, &said.compile_commands) {
        reading.compile_commands = Some(beside(file, database));
    }
    match said.data_model {
        Some(DataModel::Ilp32) if !reading.lp64 => reading.ilp32 = true,
        Some(DataModel::Lp64) if !reading.ilp32 => reading.lp64 = true,
        _ => {}
    }
}

/// A path as one from the folder of the file on.
fn beside(file: &Path, path: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).join(path)
}

/// The nearest file, from the first input upwards.
fn find(files: &[PathBuf]) -> Option<PathBuf> {
    let folder = files.first()?.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // As the user wrote it, as long as that is possible.
    let near = folder.join(NAME);
    if near.is_file() {
        return Some(near.strip_prefix(".").map(Path::to_owned).unwrap_or(near));
    }
    let folder = folder.canonicalize().ok()?;
    folder.ancestors().skip(1).map(|above| above.join(NAME)).find(|file| file.is_file())
}

fn read(file: &Path) -> Result<(String, Configuration), String> {
    let text =
        std::fs::read_to_string(file).map_err(|e| format!("{} cannot be read: {e}", file.display()))?;
    match toml::from_str(&text) {
        Ok(said) => Ok((text, said)),
        Err(e) => Err(located(file, &text, e.span().map_or(0, |at| at.start), e.message())),
    }
}

/// What is wrong, at a byte of the file.
fn located(file: &Path, text: &str, byte: usize, why: &str) -> String {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before[start..].chars().count() + 1;
    format!("{}:{line}:{column}: {}", file.display(), why.replace('\n', " "))
}
