//! Files that a run is to write.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

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
