//! The text of source lines, read again from the user's files.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use tamis_front_c::file_bytes;

/// Source lines by file and line.
pub struct Sources<'a> {
    inputs: &'a [PathBuf],
    files: HashMap<String, Vec<String>>,
    /// Lines of preprocessed inputs, by what their line markers call them; made when a file cannot be read.
    marked: Option<HashMap<(String, u32), String>>,
}

impl<'a> Sources<'a> {
    /// The lines of a program that is made of some files.
    pub fn new(inputs: &'a [PathBuf]) -> Sources<'a> {
        Sources { inputs, files: HashMap::new(), marked: None }
    }

    /// The same with files that were made up.
    pub fn with(mut self, texts: &[(String, String)]) -> Sources<'a> {
        for (name, text) in texts {
            self.files.insert(name.clone(), text.lines().map(|l| l.trim().to_owned()).collect());
        }
        self
    }

    /// A file whose text is known already.
    pub fn add(&mut self, file: &str, text: &str) {
        self.files.insert(file.to_owned(), text.lines().map(|l| l.trim().to_owned()).collect());
    }

    /// The text of a line, without the space around it.
    pub fn line(&mut self, file: &str, line: u32) -> String {
        let lines = self.files.entry(file.to_owned()).or_insert_with(|| {
            let bytes = file_bytes(file.as_ref()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(|l| l.trim().to_owned()).collect()
        });
        if !lines.is_empty() {
            return lines.get(line.saturating_sub(1) as usize).cloned().unwrap_or_default();
        }
        let inputs = self.inputs;
        let marked = self.marked.get_or_insert_with(|| marked_lines(inputs));
        marked.get(&(file.to_owned(), line)).cloned().unwrap_or_default()
    }

    /// The lines of a file that preprocessed inputs have.
    pub fn marked(&mut self, file: &str) -> BTreeMap<u32, String> {
        let inputs = self.inputs;
        let marked = self.marked.get_or_insert_with(|| marked_lines(inputs));
        let of_file = marked.iter().filter(|((name, _), _)| name == file);
        of_file.map(|((_, line), text)| (*line, text.clone())).collect()
    }
}

fn marked_lines(inputs: &[PathBuf]) -> HashMap<(String, u32), String> {
    let mut found: HashMap<(String, u32), String> = HashMap::new();
    for input in inputs {
        let bytes = file_bytes(input).unwrap_or_default();
        let mut place: Option<(String, u32)> = None;
        for line in String::from_utf8_lossy(&bytes).lines() {
            if let Some(marker) = marker(line) {
                let (number, file) = marker;
                let file = file.or_else(|| place.take().map(|(file, _)| file));
                place = file.map(|file| (file, number));
                continue;
            }
            if let Some((file, number)) = &mut place {
                let text = line.trim();
                if !text.is_empty() {
                    // A macro may be spread over several lines of the preprocessed text.
                    let known = found.entry((file.clone(), *number)).or_default();
                    if !known.is_empty() {
                        known.push(' ');
                    }
                    known.push_str(text);
                }
                *number += 1;
            }
        }
    }
    found
}

/// A line marker: `# 12 "file.c" 1` or `#line 12 "file.c"`.
fn marker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok()?;
    let name =
        rest[end..].trim().strip_prefix('"').and_then(|r| r.split_once('"')).map(|(name, _)| name.to_owned());
    Some((number, name))
}
