//! A program from standard input: `-` in the place of a file's name.
//!
//! A program is read more than once, for each property and by two readings of C. Standard input gives its text only once, so
//! it is kept.

use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

/// What standard input is called on a command line.
const DASH: &str = "-";

/// What it is called where places are told, as compilers do.
const NAME: &str = "<stdin>";

static TEXT: OnceLock<Result<Vec<u8>, (io::ErrorKind, String)>> = OnceLock::new();

/// Whether a path is that of standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == DASH
}

/// What a file is called where places in it are told.
pub fn file_name(path: &Path) -> String {
    if is_standard_input(path) { NAME.to_owned() } else { path.display().to_string() }
}

/// The bytes of a file of a program, by its path or by the [name](file_name) that places in it have.
///
/// # Errors
/// As for [`std::fs::read`].
pub fn file_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let read_before = path.as_os_str() == NAME && TEXT.get().is_some();
    if !is_standard_input(path) && !read_before {
        return std::fs::read(path);
    }
    let text = TEXT.get_or_init(|| {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|e| (e.kind(), e.to_string()))
    });
    text.clone().map_err(|(kind, message)| io::Error::new(kind, message))
}
