//! The file of results: one JSON object on each line, written as results come.
//!
//! A line counts when it is whole: it is written in one piece and brought to the disk before the next. A run that is killed leaves
//! at most one torn line, at the end, which the next run cuts off. A lock keeps two runs from writing to one file.

use super::judge::{Expected, Judgement};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A lock is tried so often within this time.
const LOCK_TRIES: u32 = 10;
const LOCK_WAIT: std::time::Duration = std::time::Duration::from_millis(200);

/// The version of the format.
const FORMAT: u32 = 1;

/// The result of a check.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    pub format: u32,
    /// What was checked and how: see [`Job`](super::job::Job).
    pub key: String,
    pub task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expected>,
    /// As the last line of `check` says it.
    pub verdict: String,
    pub judgement: Judgement,
    /// None if a signal ended the process.
    #[serde(default)]
    pub exit_code: Option<i32>,
    /// By the clock.
    pub seconds: f64,
    /// Of all processors together.
    pub processor_seconds: f64,
    /// The most memory that it had at a time.
    pub memory_mb: f64,
    /// Where it ran, if not on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// What was written to stderr, where there is no answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub messages: String,
    /// The document of `check --json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Value>,
}

impl Record {
    pub const FORMAT: u32 = FORMAT;

    /// What the same check is called in another run, whatever the contents of its files.
    pub fn name(&self) -> (String, String, String) {
        let text = |part: &Option<String>| part.clone().unwrap_or_default();
        (self.task.clone(), text(&self.property), text(&self.preset))
    }
}

/// The file, open for more.
pub struct Ledger {
    file: File,
    known: HashMap<String, Record>,
}

impl Ledger {
    /// Opens the file, which need not be there.
    pub fn open(path: &Path) -> io::Result<Ledger> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        // A process that is being started has the files of this one for a moment, a file just closed among them.
        let takes_lock = |_| {
            file.try_lock().is_ok() || {
                std::thread::sleep(LOCK_WAIT / LOCK_TRIES);
                false
            }
        };
        if !(0..LOCK_TRIES).any(takes_lock) {
            return Err(io::Error::other("another batch is writing to it"));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
        let known =
            read_lines(&bytes[..whole])?.into_iter().map(|record| (record.key.clone(), record)).collect();
        if whole < bytes.len() {
            if !is_torn(&bytes[whole..]) {
                return Err(io::Error::other("it is not a file of results"));
            }
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok(Ledger { file, known })
    }

    /// The result of a check, if there is one.
    pub fn get(&self, key: &str) -> Option<&Record> {
        self.known.get(key)
    }

    /// Takes the result of a check out.
    pub fn take(&mut self, key: &str) -> Option<Record> {
        self.known.remove(key)
    }

    /// Writes a result, unless the check has one.
    pub fn add(&mut self, record: Record) -> io::Result<()> {
        if self.known.contains_key(&record.key) {
            return Ok(());
        }
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        self.file.write_all(&line)?;
        self.file.sync_data()?;
        self.known.insert(record.key.clone(), record);
        Ok(())
    }
}

/// The results in a file that is only read; a torn line at its end does not count.
pub fn read(path: &Path) -> io::Result<Vec<Record>> {
    let bytes = std::fs::read(path)?;
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
    read_lines(&bytes[..whole])
}

/// Whether this can be the beginning of a line: what is something else is not cut off.
fn is_torn(rest: &[u8]) -> bool {
    let start = b"{\"format\":";
    let shared = rest.len().min(start.len());
    rest[..shared] == start[..shared]
}

/// Of two lines about one check the first counts.
fn read_lines(bytes: &[u8]) -> io::Result<Vec<Record>> {
    let (mut records, mut known) = (Vec::new(), BTreeSet::new());
    for (number, line) in bytes.split(|&b| b == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let wrong = |why: String| io::Error::other(format!("line {} is no result: {why}", number + 1));
        let record: Record = serde_json::from_slice(line).map_err(|e| wrong(e.to_string()))?;
        if record.format != FORMAT {
            return Err(wrong(format!("format {} is not known", record.format)));
        }
        if known.insert(record.key.clone()) {
            records.push(record);
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(key: &str) -> Record {
        Record {
            format: FORMAT,
            key: key.to_owned(),
            task: "t.c".to_owned(),
            suite: None,
            property: None,
            preset: None,
            expected: Expected::read("true"),
            verdict: "true".to_owned(),
            judgement: Judgement::Right,
            exit_code: Some(0),
            seconds: 0.5,
            processor_seconds: 0.25,
            memory_mb: 12.0,
            worker: None,
            messages: String::new(),
            run: None,
        }
    }

    #[test]
    fn wherever_the_file_is_torn_whole_lines_count() {
        let path = std::env::temp_dir().join(format!("tamis-ledger-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut ledger = Ledger::open(&path).expect("it opens");
        for key in ["a", "b", "b"] {
            ledger.add(record(key)).expect("it is written");
        }
        drop(ledger);
        let whole = std::fs::read(&path).expect("it is there");
        assert_eq!(whole.iter().filter(|&&b| b == b'\n').count(), 2);
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).expect("it is written");
            let mut ledger = Ledger::open(&path).expect("it opens");
            let lines = whole[..length].iter().filter(|&&b| b == b'\n').count();
            assert_eq!(ledger.known.len(), lines, "{length} bytes");
            for key in ["a", "b"] {
                ledger.add(record(key)).expect("it is written");
            }
            drop(ledger);
            assert_eq!(std::fs::read(&path).expect("it is there"), whole);
        }
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn what_is_no_result_is_refused_with_its_line() {
        let error = read_lines(b"{}\n").expect_err("this is no result");
        assert!(error.to_string().starts_with("line 1 is no result"), "{error}");
    }

    #[test]
    fn another_file_is_left_alone() {
        let path = std::env::temp_dir().join(format!("tamis-ledger-other-{}.jsonl", std::process::id()));
        for text in ["int main(void) { }", "int main(void)\n{ }", "{\"a\": 1}\n"] {
            std::fs::write(&path, text).expect("it is written");
            assert!(Ledger::open(&path).is_err());
            assert_eq!(std::fs::read_to_string(&path).expect("it is there"), text);
        }
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn one_writer_at_a_time() {
        let path = std::env::temp_dir().join(format!("tamis-ledger-lock-{}.jsonl", std::process::id()));
        let first = Ledger::open(&path).expect("it opens");
        assert!(Ledger::open(&path).is_err());
        drop(first);
        assert!(Ledger::open(&path).is_ok());
        let _ = std::fs::remove_file(&path);
    }
}
