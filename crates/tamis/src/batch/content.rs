//! The contents of files as hashes, with all that they include.
//!
//! Preprocessing each file to know what it depends on would take longer than many a check. So the text is searched for
//! `#include "…"`, whether its branch is taken or not, and every file is read once. What is not found beside the including file or in
//! a folder that is named is a header of the system, or is made by a macro, and does not count.

use crate::hash::sha256;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Hashes of files, each read once.
pub struct Contents {
    include: Vec<PathBuf>,
    known: HashMap<PathBuf, One>,
}

/// A file by itself.
#[derive(Clone)]
struct One {
    hash: String,
    /// What it includes, as it is written.
    includes: Vec<String>,
}

impl Contents {
    /// With folders that are searched for headers.
    pub fn new(include: &[PathBuf]) -> Contents {
        Contents { include: include.to_vec(), known: HashMap::new() }
    }

    /// The hash of a file and of what it includes.
    pub fn of(&mut self, file: &Path) -> String {
        let include = self.include.clone();
        self.with(file, &include)
    }

    /// The same for a file of a compilation database.
    pub fn of_compiled(&mut self, file: &Path, entry: &Value) -> String {
        let folder = Path::new(entry["directory"].as_str().unwrap_or_default());
        let mut include = self.include.clone();
        include.extend(folders(entry).into_iter().map(|dir| folder.join(dir)));
        self.with(file, &include)
    }

    fn with(&mut self, file: &Path, include: &[PathBuf]) -> String {
        let (mut open, mut seen) = (vec![file.to_owned()], BTreeSet::new());
        let mut hashes = BTreeSet::new();
        while let Some(path) = open.pop() {
            if !seen.insert(path.clone()) {
                continue;
            }
            let One { hash, includes } = self.one(&path);
            hashes.insert(hash);
            for name in includes {
                let beside = path.parent().map(Path::to_owned);
                let places = beside.iter().chain(include).map(|folder| folder.join(&name));
                open.extend(places.into_iter().find(|place| place.is_file()));
            }
        }
        let first = self.one(file).hash;
        match hashes.len() {
            1 => first,
            _ => sha256(hashes.into_iter().fold(first, |all, hash| all + "\n" + &hash).as_bytes()),
        }
    }

    fn one(&mut self, path: &Path) -> One {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let one = match std::fs::read(path) {
            Ok(bytes) => One {
                hash: sha256(&bytes),
                includes: if is_written(path) { includes(&bytes) } else { vec![] },
            },
            // The check will say what is wrong with it. Once it can be read, the check is another one.
            Err(e) => One { hash: format!("unreadable: {e}"), includes: vec![] },
        };
        self.known.insert(path.to_owned(), one.clone());
        one
    }
}

/// Whether a file may include others: preprocessed text and designs for simulators do not.
fn is_written(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    !["i", "btor", "btor2", "aig", "aag", "prp", "rule", "lts", "toml"].iter().any(|e| ending == *e)
}

/// The files that a text includes by a name in quotes or brackets, in C or Verilog.
fn includes(text: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    for line in text.split(|&b| b == b'\n') {
        let line = line.trim_ascii_start();
        let Some(b'#' | b'`') = line.first() else { continue };
        let Some(rest) = line[1..].trim_ascii_start().strip_prefix(b"include") else { continue };
        let rest = rest.trim_ascii_start();
        let end = match rest.first() {
            Some(b'"') => b'"',
            Some(b'<') => b'>',
            _ => continue,
        };
        if let Some(length) = rest[1..].iter().position(|&b| b == end) {
            names.push(String::from_utf8_lossy(&rest[1..=length]).into_owned());
        }
    }
    names
}

/// The folders that a compiler's command line names for headers.
fn folders(entry: &Value) -> Vec<String> {
    let words: Vec<&str> = match (entry["arguments"].as_array(), entry["command"].as_str()) {
        (Some(list), _) => list.iter().filter_map(Value::as_str).collect(),
        (None, Some(command)) => command.split_ascii_whitespace().collect(),
        _ => vec![],
    };
    let mut found = Vec::new();
    let mut rest = words.into_iter();
    while let Some(word) = rest.next() {
        for flag in ["-I", "-isystem", "-iquote"] {
            match word.strip_prefix(flag) {
                Some("") => found.extend(rest.next().map(str::to_owned)),
                Some(attached) => found.push(attached.to_owned()),
                None => continue,
            }
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_included_counts() {
        let folder = std::env::temp_dir().join(format!("tamis-contents-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("inc")).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a written file");
        write("a.c", "#include <stdio.h>\n # include \"b.h\"\n#include \"c.h\"\n");
        write("b.h", "#include \"a.c\"\n");
        write("inc/c.h", "int x;\n");
        write("a.i", "#include \"b.h\"\n");
        let hash = |name: &str, include: &[PathBuf]| Contents::new(include).of(&folder.join(name));
        let inc = [folder.join("inc")];
        let (first, alone, plain) = (hash("a.c", &inc), hash("a.c", &[]), hash("a.i", &inc));
        assert_ne!(first, alone);
        write("inc/c.h", "int y;\n");
        assert_ne!(hash("a.c", &inc), first);
        assert_eq!(hash("a.c", &[]), alone);
        write("b.h", "int z;\n");
        assert_ne!(hash("a.c", &[]), alone);
        assert_eq!(hash("a.i", &inc), plain);
        assert!(hash("none.c", &inc).starts_with("unreadable"));
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[test]
    fn folders_of_a_command() {
        let entry = serde_json::json!({"command": "cc -Iinc -I lib -isystem sys -c a.c"});
        assert_eq!(folders(&entry), ["inc", "lib", "sys"]);
    }
}
