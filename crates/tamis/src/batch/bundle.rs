//! Checks that travel: with all the files that they need, under names of their own.
//!
//! C source is preprocessed here, so that where the check runs neither headers nor a compiler are needed. A file's name is made of its
//! contents; what a check says of it is given its own name again afterwards.

use super::job::{Common, Job, Word};
use super::judge::Expected;
use super::tasks::{Sources, database};
use crate::arguments::check_options;
use crate::formalism::c::input;
use crate::hash::sha256;
use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tamis_diagnostics::Diagnostic;

/// A check may use so much memory elsewhere if nothing is said.
pub const USUAL_MEMORY: u64 = 4_000_000_000;

/// A check with its files.
pub struct Parcel {
    pub files: Vec<Packed>,
    /// The files to be checked, and the options, with the names of the packed files.
    pub arguments: Vec<String>,
    /// The packed files' names, and those that they have here.
    pub renamed: Vec<(String, String)>,
}

/// A file that travels.
pub struct Packed {
    /// Relative to the folder that the check runs in.
    pub name: String,
    pub contents: Vec<u8>,
}

/// Packs a check.
pub fn pack(job: &Job, common: &Common) -> Result<Parcel, Refusal> {
    let mut parcel = Parcel { files: Vec::new(), arguments: Vec::new(), renamed: Vec::new() };
    match &job.sources {
        Sources::Files(files) => {
            for file in files {
                if file.extension().is_some_and(|ending| ending == "c") {
                    parcel.add(file, preprocessed(&[file], job, common)?, "i");
                } else {
                    parcel.copy(file)?;
                }
            }
        }
        Sources::Compiled { file, entry } => {
            let database = scratch();
            fs::write(&database, database::alone(entry)).map_err(|e| unreadable(&database, &e))?;
            let text = preprocessed(&[&database], job, common);
            let _ = fs::remove_file(&database);
            parcel.add(file, text?, "i");
            if says_32(entry) && !said(&job.words, "--64") {
                parcel.arguments.push("--32".to_owned());
            }
        }
    }
    let is_c = parcel.files.iter().all(|file| file.name.ends_with(".i"));
    parcel.options(&job.words, is_c)?;
    Ok(parcel)
}

impl Parcel {
    /// Packs contents under a name made of them, and the ending.
    fn add(&mut self, file: &Path, contents: Vec<u8>, ending: &str) {
        let name = format!("files/{}/{}.{ending}", &sha256(&contents)[..16], plain_stem(file));
        self.arguments.push(name.clone());
        self.renamed.push((name.clone(), file.display().to_string()));
        self.files.push(Packed { name, contents });
    }

    fn copy(&mut self, file: &Path) -> Result<(), Refusal> {
        let contents = fs::read(file).map_err(|e| unreadable(file, &e))?;
        let ending = file.extension().unwrap_or_default().to_string_lossy().into_owned();
        self.add(file, contents, &ending);
        Ok(())
    }

    /// Packs the options: without those for the preprocessor, which has been here, where it has.
    fn options(&mut self, words: &[Word], preprocessed: bool) -> Result<(), Refusal> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word {
                Word::File(file) => self.copy(file)?,
                Word::Plain(text)
                    if preprocessed && ["-I", "-D", "-U", "--include"].contains(&text.as_str()) =>
                {
                    words.next();
                }
                Word::Plain(text)
                    if preprocessed && ["-I", "-D", "-U"].iter().any(|flag| text.starts_with(flag)) => {}
                Word::Plain(text) => self.arguments.push(text.clone()),
            }
        }
        Ok(())
    }
}

fn said(words: &[Word], option: &str) -> bool {
    words.iter().any(|word| matches!(word, Word::Plain(text) if text == option))
}

/// Whether a compiler's command line is for 32 bits.
fn says_32(entry: &serde_json::Value) -> bool {
    let command = entry["command"].as_str().unwrap_or_default().split_ascii_whitespace();
    let listed = entry["arguments"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
    command.chain(listed).rfind(|word| ["-m32", "-m64"].contains(word)) == Some("-m32")
}

/// The text of a program's file as it is parsed.
fn preprocessed(files: &[&PathBuf], job: &Job, common: &Common) -> Result<Vec<u8>, Refusal> {
    let mut reading = common.options.input.reading.clone();
    (reading.function, reading.stand_in) = (None, vec![]);
    reading.ilp32 = said(&job.words, "--32");
    let units = tamis_front_c::preprocessed(files, &input::reading(&reading)).map_err(Refusal::from)?;
    Ok(units.into_iter().map(|unit| unit.text).collect::<Vec<_>>().join("\n").into_bytes())
}

/// A name that any system takes.
fn plain_stem(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    stem.chars()
        .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .take(80)
        .collect()
}

fn scratch() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("tamis-batch-{}-{count}.json", std::process::id()))
}

fn unreadable(file: &Path, error: &std::io::Error) -> Refusal {
    Refusal::unreadable(Diagnostic::about_file(
        file.display().to_string(),
        format!("cannot be read: {error}"),
    ))
}

/// The file of a folder that has all its checks.
const CHECKS: &str = "checks.jsonl";

/// What the folder's checks have in common: its first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    seconds: f64,
    memory: Option<u64>,
    executable: String,
}

/// A check in the folder.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    task: String,
    suite: Option<String>,
    property: Option<String>,
    preset: Option<String>,
    expected: Option<Expected>,
    arguments: Vec<String>,
    renamed: Vec<(String, String)>,
}

/// Whether this is a folder that [`write`] has written.
pub fn is_bundle(folder: &Path) -> bool {
    folder.join(CHECKS).is_file()
}

/// Writes checks with their files to a folder: the checks that cannot be packed, and why.
pub fn write<'a>(
    folder: &Path,
    jobs: &'a [Job],
    common: &Common,
) -> std::io::Result<Vec<(&'a Job, Refusal)>> {
    let header = Header {
        format: 1,
        seconds: common.time.as_secs_f64(),
        memory: common.memory.or(Some(USUAL_MEMORY)),
        executable: common.executable.clone(),
    };
    let (mut text, mut refused) = (serde_json::to_string(&header)? + "\n", Vec::new());
    for job in jobs {
        let parcel = match pack(job, common) {
            Ok(parcel) => parcel,
            Err(refusal) => {
                refused.push((job, refusal));
                // It has its place, so that it is missing nowhere.
                Parcel { files: vec![], arguments: vec![], renamed: vec![] }
            }
        };
        for Packed { name, contents } in &parcel.files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, contents)?;
        }
        text += &serde_json::to_string(&Line {
            key: job.key.clone(),
            task: job.task.clone(),
            suite: job.suite.clone(),
            property: job.property.clone(),
            preset: job.preset.clone(),
            expected: job.expected.clone(),
            arguments: parcel.arguments,
            renamed: parcel.renamed,
        })?;
        text.push('\n');
    }
    fs::write(folder.join(CHECKS), text)?;
    Ok(refused)
}

/// The checks of a folder that [`write`] has written. They run in this folder.
pub fn read(folder: &Path) -> Result<(Common, Vec<Job>), Refusal> {
    let path = folder.join(CHECKS);
    let about =
        |message: String| Refusal::unreadable(Diagnostic::about_file(path.display().to_string(), message));
    let text = fs::read_to_string(&path).map_err(|e| about(format!("cannot be read: {e}")))?;
    let mut lines = text.lines();
    let wrong = |e: serde_json::Error| about(format!("is not what --emit has written: {e}"));
    let header: Header = serde_json::from_str(lines.next().unwrap_or_default()).map_err(wrong)?;
    let nothing = ["file.c"].map(OsString::from).into_iter();
    let common = Common {
        time: Duration::try_from_secs_f64(header.seconds).unwrap_or_default(),
        memory: header.memory,
        executable: header.executable,
        options: check_options(nothing).map_err(|e| about(e.to_string()))?,
        words: vec![],
    };
    let job = |line: &str| {
        let line: Line = serde_json::from_str(line).map_err(wrong)?;
        Ok(Job {
            key: line.key,
            task: line.task,
            suite: line.suite,
            property: line.property,
            preset: line.preset,
            expected: line.expected,
            sources: Sources::Files(vec![]),
            words: line.arguments.into_iter().map(Word::Plain).collect(),
            renamed: line.renamed,
        })
    };
    Ok((common, lines.map(job).collect::<Result<_, Refusal>>()?))
}
