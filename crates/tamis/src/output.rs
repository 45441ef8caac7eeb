//! Files that a run is to write.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Finds out before a long run whether a file can be written after it. What is there stays; what is not is not left.
pub fn probe(file: &Path) -> io::Result<()> {
    let exists = file.exists();
    let mut options = OpenOptions::new();
    // A pipe that nobody reads is an error, and not waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.append(true).create(true).open(file)?;
    if exists { Ok(()) } else { fs::remove_file(file) }
}

/// A name as one of a file: what would leave the folder, or be hidden in it, is replaced.
pub fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    if name.starts_with('.') { format!("_{name}") } else { name }
}

/// A file's name with the name of one of several properties before the extension.
pub fn of_property(file: &Path, property: &str, several: bool) -> PathBuf {
    if !several {
        return file.to_owned();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let extension = file.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
    file.with_file_name(format!("{stem}.{}{extension}", file_name(property)))
}
