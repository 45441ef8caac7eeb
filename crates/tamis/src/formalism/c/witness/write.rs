//! Witnesses to files.

use super::{InvariantKind, Place};
use crate::hash::{sha256, uuid};
use std::fmt::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use tamis_front_c::{DataModel, file_bytes, file_name};

/// A waypoint to follow: its type, its place, and its constraint with the format of that, which may be none.
pub type WrittenWaypoint = (&'static str, Place, Option<(String, &'static str)>);

/// What a witness of ours says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Waypoints to follow one after the other.
    Violation(Vec<WrittenWaypoint>),
    /// Invariants.
    Correctness(Vec<(InvariantKind, Place, String)>),
}

/// The text of a witness for a program. The same program and evidence give the same text but for the time.
pub fn write(
    entry: &Entry,
    files: &[impl AsRef<Path>],
    specification: &str,
    data_model: DataModel,
) -> std::io::Result<String> {
    let (kind, content) = match entry {
        Entry::Violation(waypoints) => ("violation_sequence", violation(waypoints)),
        Entry::Correctness(invariants) => ("invariant_set", correctness(invariants)),
    };
    let mut task = "      input_files:\n".to_owned();
    let mut hashes = String::new();
    for file in files {
        let name = quoted(&file_name(file.as_ref()));
        let _ = writeln!(task, "        - {name}");
        let _ = writeln!(hashes, "        {name}: {}", quoted(&sha256(&file_bytes(file.as_ref())?)));
    }
    let model = match data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    };
    let _ = write!(
        task,
        "      input_file_hashes:\n{hashes}      specification: {}\n      data_model: {model}\n      language: C\n",
        quoted(specification)
    );
    let id = uuid(&format!("{kind}\n{task}{content}"));
    Ok(format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n    creation_time: {}\n    \
         producer:\n      name: Tamis\n      version: {}\n    task:\n{task}  content:{content}",
        quoted(&id),
        quoted(&now()),
        quoted(env!("CARGO_PKG_VERSION")),
    ))
}

fn violation(waypoints: &[WrittenWaypoint]) -> String {
    let mut text = "\n".to_owned();
    for (kind, place, constraint) in waypoints {
        let _ = write!(
            text,
            "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow\n"
        );
        if let Some((value, format)) = constraint {
            let _ = writeln!(text, "            constraint:\n              value: {}", quoted(value));
            if !format.is_empty() {
                let _ = writeln!(text, "              format: {format}");
            }
        }
        text += &location(place, 12);
    }
    text
}

fn correctness(invariants: &[(InvariantKind, Place, String)]) -> String {
    if invariants.is_empty() {
        return " []\n".to_owned();
    }
    let mut text = "\n".to_owned();
    for (kind, place, value) in invariants {
        let kind = match kind {
            InvariantKind::Loop => "loop_invariant",
            InvariantKind::Location => "location_invariant",
        };
        let _ = writeln!(text, "    - invariant:\n        type: {kind}");
        text += &location(place, 8);
        let _ = writeln!(text, "        value: {}\n        format: c_expression", quoted(value));
    }
    text
}

fn location(place: &Place, indent: usize) -> String {
    let space = " ".repeat(indent);
    let Place { file, line, column, function } = place;
    let mut text = format!("{space}location:\n{space}  file_name: {}\n{space}  line: {line}\n", quoted(file));
    if let Some(column) = column {
        let _ = writeln!(text, "{space}  column: {column}");
    }
    if let Some(function) = function {
        let _ = writeln!(text, "{space}  function: {function}");
    }
    text
}

/// A text in double quotes.
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The time in UTC, as ISO 8601 writes it.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    time(seconds)
}

fn time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that leap days are last: there are 146097 days in 400 of them.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(time(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(time(1_735_689_599), "2024-12-31T23:59:59Z");
    }

    #[test]
    fn quotes() {
        assert_eq!(quoted("a \"b\\c\"\n"), r#""a \"b\\c\"\u000a""#);
    }
}
