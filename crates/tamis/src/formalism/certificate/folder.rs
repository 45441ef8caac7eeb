//! A certificate's folder, read without trust in what is there.

use crate::formalism::Unwritten;
use crate::hash::sha256;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use tamis_solver::Budget;

/// The file that says what the others are.
pub const MANIFEST: &str = "certificate.json";

/// A folder has no more conditions. Neither does one that is written.
pub const MAX_CONDITIONS: usize = 100_000;

/// No file is larger, in bytes. Neither is one that is written.
pub const MAX_FILE: u64 = 1 << 28;

/// What a manifest lists.
pub trait Manifest: Sized {
    type Entry;

    /// Reads a manifest; `Err` says what is wrong with it.
    fn parse(text: &str) -> Result<Self, String>;

    /// The conditions.
    fn conditions(&self) -> &[Self::Entry];

    /// A condition's file, and its hash.
    fn file(entry: &Self::Entry) -> (&str, &str);
}

/// A folder whose manifest could be read, and which has the files that it names and no others.
pub struct Folder<M> {
    path: PathBuf,
    pub manifest: M,
}

impl<M: Manifest> Folder<M> {
    /// Opens a folder; `Err` says in what way it is no certificate.
    pub fn open(path: &Path) -> Result<Folder<M>, String> {
        let text = read(path, MANIFEST)?;
        let manifest = M::parse(&text).map_err(|why| format!("{MANIFEST}: {why}"))?;
        let listed: HashSet<&str> = manifest.conditions().iter().map(|c| M::file(c).0).collect();
        let found = names(path)?;
        let is_extra = |name: &&String| *name != MANIFEST && !listed.contains(&***name);
        if let Some(name) = found.iter().find(is_extra) {
            return Err(format!("{}: not a part of the certificate", name.escape_debug()));
        }
        Ok(Folder { path: path.to_owned(), manifest })
    }

    /// A condition and its text, if it is the one that the manifest means.
    pub fn condition(&self, index: usize) -> Result<(&M::Entry, String), String> {
        let entry = &self.manifest.conditions()[index];
        let (file, hash) = M::file(entry);
        let text = read(&self.path, file)?;
        if sha256(text.as_bytes()) != hash {
            return Err(format!("{file}: does not have the hash that {MANIFEST} says"));
        }
        Ok((entry, text))
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
    digits && ["initiation", "consecution", "safety", "exhaustion", "base", "step"].contains(&purpose)
}

/// The text of a file in a folder, which must be a plain file of a reasonable size: a link could lead anywhere, and
/// what is no file may never end.
pub fn read(folder: &Path, name: &str) -> Result<String, String> {
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

/// Makes an empty folder for a certificate: a new one, or one that holds nothing but an earlier certificate, which is gone
/// then. `Err` says why that cannot be.
pub fn prepare(folder: &Path) -> Result<(), String> {
    if !folder.exists() {
        return fs::create_dir_all(folder).map_err(|e| format!("cannot be made: {e}"));
    }
    let names = names(folder)?;
    for name in &names {
        let is_file = folder.join(name).symlink_metadata().is_ok_and(|data| data.is_file());
        if !is_file || (name != MANIFEST && !is_condition(name)) {
            return Err(format!("holds other things than an earlier certificate: {name}"));
        }
    }
    // The manifest goes first: a folder without it is no certificate, should this not come to its end.
    let manifest_first =
        names.iter().filter(|n| *n == MANIFEST).chain(names.iter().filter(|n| *n != MANIFEST));
    for name in manifest_first {
        fs::remove_file(folder.join(name)).map_err(|e| format!("{name}: cannot be removed: {e}"))?;
    }
    Ok(())
}

/// Writes conditions, which `script` gives by their number: what each is for, and its text. Their files and hashes.
pub fn write_conditions(
    folder: &Path,
    count: usize,
    script: impl Fn(usize) -> (&'static str, String),
    budget: &Budget,
) -> Result<Vec<(String, String)>, Unwritten> {
    if count > MAX_CONDITIONS {
        return Err(Unwritten::Because(format!("{count} conditions are too many")));
    }
    let mut files = Vec::with_capacity(count);
    for i in 0..count {
        budget.check().map_err(Unwritten::Stopped)?;
        let (purpose, text) = script(i);
        let file = file_name(i + 1, purpose);
        if text.len() as u64 > MAX_FILE {
            return Err(Unwritten::Because(format!("{file} would be larger than {} MB", MAX_FILE >> 20)));
        }
        fs::write(folder.join(&file), &text)?;
        files.push((file, sha256(text.as_bytes())));
    }
    Ok(files)
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
