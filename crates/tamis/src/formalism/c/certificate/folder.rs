//! A certificate's folder, read without trust in what is there.

use super::manifest::Manifest;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The file that says what the others are.
pub const MANIFEST: &str = "certificate.json";

/// A folder has no more conditions. Neither does one that is written.
pub const MAX_CONDITIONS: usize = 100_000;

/// No file is larger, in bytes. Neither is one that is written.
pub const MAX_FILE: u64 = 1 << 28;

/// A folder whose manifest could be read, and which has the files that it names and no others.
pub struct Folder {
    path: PathBuf,
    pub manifest: Manifest,
}

impl Folder {
    /// Opens a folder; `Err` says in what way it is no certificate.
    pub fn open(path: &Path) -> Result<Folder, String> {
        let text = read(path, MANIFEST)?;
        let manifest = Manifest::parse(&text).map_err(|why| format!("{MANIFEST}: {why}"))?;
        let listed: HashSet<&str> = manifest.conditions.iter().map(|c| &*c.file).collect();
        let found = names(path)?;
        let is_extra = |name: &&String| *name != MANIFEST && !listed.contains(&***name);
        if let Some(name) = found.iter().find(is_extra) {
            return Err(format!("{}: not a part of the certificate", name.escape_debug()));
        }
        Ok(Folder { path: path.to_owned(), manifest })
    }

    /// The text of a condition, if it is the one that the manifest means.
    pub fn condition(&self, index: usize) -> Result<String, String> {
        let entry = &self.manifest.conditions[index];
        let text = read(&self.path, &entry.file)?;
        if crate::hash::sha256(text.as_bytes()) != entry.sha256 {
            return Err(format!("{}: does not have the hash that {MANIFEST} says", entry.file));
        }
        Ok(text)
    }
}

/// The names of what is in a folder, as many as a certificate can have.
pub fn names(path: &Path) -> Result<Vec<String>, String> {
    let cannot = |e: std::io::Error| format!("cannot be read: {e}");
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(cannot)? {
        let name = entry.map_err(cannot)?.file_name();
        names.push(
            name.into_string().map_err(|name| format!("{}: not a part of a certificate", name.display()))?,
        );
        if names.len() > MAX_CONDITIONS + 1 {
            return Err(format!("more than {MAX_CONDITIONS} files"));
        }
    }
    names.sort();
    Ok(names)
}

/// The name of a condition's file: its number, and what it is for.
pub fn file_name(number: usize, purpose: &str) -> String {
    format!("{number:04}-{purpose}.smt2")
}

/// Whether a file in a folder may be a condition, by its name. Nothing else is looked at, so no path leaves the folder.
pub fn is_condition(name: &str) -> bool {
    let Some((number, purpose)) = name.strip_suffix(".smt2").and_then(|stem| stem.split_once('-')) else {
        return false;
    };
    let digits = number.len() >= 4 && number.bytes().all(|b| b.is_ascii_digit());
    digits && ["initiation", "consecution", "safety", "exhaustion"].contains(&purpose)
}

/// The text of a file in a folder, which must be a plain file of a reasonable size: a link could lead anywhere, and
/// what is no file may never end.
fn read(folder: &Path, name: &str) -> Result<String, String> {
    let told = |e: std::io::Error| match e.raw_os_error() {
        Some(libc::ELOOP) => format!("{name}: a symbolic link"),
        _ => format!("{name}: cannot be read: {e}"),
    };
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file: File =
        OpenOptions::new().read(true).custom_flags(flags).open(folder.join(name)).map_err(told)?;
    let data = file.metadata().map_err(told)?;
    if !data.is_file() {
        return Err(format!("{name}: not a plain file"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("{name}: larger than {} MB", MAX_FILE >> 20));
    }
    String::from_utf8(bytes).map_err(|_| format!("{name}: not a text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_plain_names() {
        assert!(is_condition(&file_name(1, "safety")) && is_condition(&file_name(123_456, "exhaustion")));
        for name in
            ["1-safety.smt2", "../0001-safety.smt2", "/0001-safety.smt2", "0001-safety.smt2/", "0001-x.smt2"]
        {
            assert!(!is_condition(name), "{name}");
        }
    }
}
