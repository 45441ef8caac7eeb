//! File names as references (`file://…`), for documents and editors.

use std::path::{Path, PathBuf};

/// A file name as a reference: relative ones stay relative to where the run began.
pub fn to_uri(file: &str) -> String {
    let mut uri = String::new();
    if file.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' => {
                uri.push(byte as char)
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The file of a reference, if it is one of a file on this machine.
pub fn to_path(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    // Between the slashes may stand the name of this machine.
    let path = path.strip_prefix("localhost").unwrap_or(path);
    if !path.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?
            }
            byte => byte,
        });
    }
    from_bytes(bytes)
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

#[cfg(not(unix))]
fn from_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The reference of a path.
pub fn of_path(path: &Path) -> String {
    to_uri(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_become_references_and_back() {
        assert_eq!(to_uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(to_uri("/tmp/ü.c"), "file:///tmp/%C3%BC.c");
        assert_eq!(to_path("file:///tmp/%C3%BC.c"), Some(PathBuf::from("/tmp/ü.c")));
        assert_eq!(to_path("file://localhost/tmp/a%20b.c"), Some(PathBuf::from("/tmp/a b.c")));
        for other in ["untitled:Untitled-1", "https://a/b.c", "file:///a%4", "file:///a%zz"] {
            assert_eq!(to_path(other), None, "{other}");
        }
    }
}
