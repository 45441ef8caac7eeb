//! What a run writes: files, and the two streams.
//!
//! A disk that is full must not end in a panic, as `println!` has it, nor in silence: what cannot be written is said, and the
//! process ends with an exit code of its own. So the macros of this crate are these here. A reader that has gone away is no
//! error: it has read what it wanted.

use crate::verdict::ExitStatus;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Prints a line to stdout.
macro_rules! println {
    ($($said:tt)*) => { $crate::output::to_stdout(format_args!("{}\n", format_args!($($said)*))) };
}

/// Prints to stdout.
macro_rules! print {
    ($($said:tt)*) => { $crate::output::to_stdout(format_args!($($said)*)) };
}

/// Prints a line to stderr.
macro_rules! eprintln {
    ($($said:tt)*) => { $crate::output::to_stderr(format_args!("{}\n", format_args!($($said)*))) };
}

/// Prints to stderr.
macro_rules! eprint {
    ($($said:tt)*) => { $crate::output::to_stderr(format_args!($($said)*)) };
}

static UNWRITTEN: AtomicBool = AtomicBool::new(false);

pub fn to_stdout(said: fmt::Arguments<'_>) {
    let mut out = io::stdout().lock();
    wrote("stdout", out.write_fmt(said).and_then(|()| out.flush()));
}

pub fn to_stderr(said: fmt::Arguments<'_>) {
    if let Err(e) = io::stderr().lock().write_fmt(said)
        && e.kind() != ErrorKind::BrokenPipe
    {
        // There is nowhere left to say it.
        UNWRITTEN.store(true, Ordering::SeqCst);
    }
}

/// Something was written to a stream, or not.
pub fn wrote(stream: &str, done: io::Result<()>) {
    if let Err(e) = done
        && e.kind() != ErrorKind::BrokenPipe
    {
        unwritten(stream, &e);
    }
}

/// Says that something cannot be written, once for a stream.
fn unwritten(what: &str, error: &io::Error) {
    let before = UNWRITTEN.swap(true, Ordering::SeqCst);
    if !before || what != "stdout" {
        eprintln!("error: {what} cannot be written: {error}");
    }
}

/// How the process ends that would end so if all could be written.
pub fn status(ended: ExitStatus) -> ExitStatus {
    let graver = matches!(ended, ExitStatus::Usage | ExitStatus::Internal);
    if UNWRITTEN.load(Ordering::SeqCst) && !graver { ExitStatus::Unwritten } else { ended }
}

/// Writes a file that was asked for, and says so if it cannot. Half of a document is worse than none, and does not stay.
pub fn write(file: &Path, text: impl AsRef<[u8]>) -> bool {
    check(file, fs::write(file, text))
}

/// What became of writing a file.
pub fn check(file: &Path, done: io::Result<()>) -> bool {
    let Err(e) = done else { return true };
    if is_regular(file) {
        let _ = fs::remove_file(file);
    }
    unwritten(&file.display().to_string(), &e);
    false
}

fn is_regular(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok_and(|found| found.is_file())
}

/// Finds out before a long run whether a file can be written after it. What an earlier run has left there goes: nobody is to
/// take it for an answer of this one.
pub fn probe(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    // A pipe that nobody reads is an error, and not waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.append(true).create(true).open(file)?;
    // Devices and pipes stay, and so does what a link leads to, but empty.
    if is_regular(file) {
        fs::remove_file(file)
    } else if fs::metadata(file).is_ok_and(|found| found.is_file()) {
        OpenOptions::new().write(true).truncate(true).open(file).map(|_| ())
    } else {
        Ok(())
    }
}

/// The same for files of several properties, whose names are known only later: what an earlier run has left goes.
pub fn remove_old(file: &Path) {
    if is_regular(file) {
        // What cannot be removed cannot be written either, which is said then.
        let _ = fs::remove_file(file);
    }
}

/// Whether two names are of one file.
pub fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
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
    file.with_file_name(format!("{stem}-{}{extension}", file_name(property)))
}
