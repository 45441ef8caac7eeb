//! Lists of files (`-f`), as simulators take them: names of files, options between them, comments.

use std::path::{Path, PathBuf};
use tamis_diagnostics::{Diagnostic, Error};

/// What a list says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileList {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Folders of included files: `+incdir+DIR`, `-I DIR`.
    pub include: Vec<PathBuf>,
    /// Macros: `+define+NAME=VALUE`, `-D NAME`.
    pub define: Vec<String>,
}

/// How deep lists may name lists; more is a cycle.
const MAX_DEPTH: usize = 30;

/// Reads a list. Names are relative to the working folder, or to the list's own in lists that `-F` names.
///
/// # Errors
/// If the file cannot be read, or says what is not understood.
pub fn file_list(path: &Path) -> Result<FileList, Error> {
    let mut list = FileList::default();
    read(path, Path::new(""), 0, &mut list)?;
    Ok(list)
}

fn read(path: &Path, folder: &Path, depth: usize, into: &mut FileList) -> Result<(), Error> {
    let name = path.display().to_string();
    let unreadable = |message: String| Error::Unreadable(Diagnostic::about_file(name.clone(), message));
    if depth > MAX_DEPTH {
        return Err(unreadable("lists name each other in a cycle".to_owned()));
    }
    let bytes = std::fs::read(path).map_err(|e| unreadable(e.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut words = words(&text).into_iter();
    while let Some((line, word)) = words.next() {
        let wrong = |message: String| {
            let source_line = text.lines().nth(line as usize - 1).map(str::to_owned);
            Error::Unreadable(Diagnostic { file: name.clone(), line, column: 0, message, source_line })
        };
        let mut argument = |attached: &str| match attached {
            "" => {
                words.next().map(|(_, next)| next).ok_or_else(|| wrong(format!("nothing follows `{word}`")))
            }
            attached => Ok(attached.to_owned()),
        };
        if let Some(folders) = word.strip_prefix("+incdir+") {
            into.include.extend(folders.split('+').filter(|f| !f.is_empty()).map(|f| folder.join(f)));
        } else if let Some(macros) = word.strip_prefix("+define+") {
            into.define.extend(macros.split('+').filter(|m| !m.is_empty()).map(str::to_owned));
        } else if let Some(rest) = word.strip_prefix("-I") {
            into.include.push(folder.join(argument(rest)?));
        } else if let Some(rest) = word.strip_prefix("-D") {
            into.define.push(argument(rest)?);
        } else if word == "-f" {
            let list = argument("")?;
            read(&folder.join(list), folder, depth + 1, into)?;
        } else if word == "-F" {
            let list = folder.join(argument("")?);
            let own = list.parent().unwrap_or(folder).to_owned();
            read(&list, &own, depth + 1, into)?;
        } else if word == "-v" {
            into.files.push(folder.join(argument("")?));
        } else if word == "-sv" || word.starts_with("+libext+") {
            // All files are read as SystemVerilog, and none is looked for.
        } else if word.starts_with(['-', '+']) {
            return Err(wrong(format!("`{word}` is not understood in a list of files")));
        } else {
            into.files.push(folder.join(&word));
        }
    }
    Ok(())
}

/// The words with their lines; what stands in quotes is one. Comments are those of Verilog, and of `#` at a line's start.
fn words(text: &str) -> Vec<(u32, String)> {
    let mut words = Vec::new();
    let mut in_comment = false;
    for (number, line) in text.lines().enumerate() {
        let mut rest = line;
        loop {
            rest = rest.trim_start();
            if in_comment {
                match rest.split_once("*/") {
                    Some((_, after)) => (rest, in_comment) = (after, false),
                    None => break,
                }
                continue;
            }
            if rest.is_empty() || rest.starts_with("//") || rest.starts_with('#') {
                break;
            }
            if let Some(after) = rest.strip_prefix("/*") {
                (rest, in_comment) = (after, true);
                continue;
            }
            let (word, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
            };
            words.push((number as u32 + 1, word.to_owned()));
            rest = after;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{FileList, file_list, words};

    #[test]
    fn words_comments_and_quotes() {
        let found: Vec<String> =
            words("a.v // b\n/* c\nd */ \"e f.v\"\n# g\n+define+X").into_iter().map(|w| w.1).collect();
        assert_eq!(found, ["a.v", "e f.v", "+define+X"]);
    }

    #[test]
    fn lists_name_files_options_and_lists() {
        let folder = std::env::temp_dir().join(format!("tamis-lists-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("sub")).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        let sub = folder.join("sub/list.f");
        write("top.f", &format!("a.sv\n+incdir+x+y -Iz -D W=1\n+define+V\n-F {}\n", sub.display()));
        write("sub/list.f", "b.sv -v c.v\n");
        write("cycle.f", &format!("-f {}", folder.join("cycle.f").display()));
        write("wrong.f", "a.v\n--unknown\n");
        let list = file_list(&folder.join("top.f")).expect("a list");
        let expected = FileList {
            files: vec!["a.sv".into(), folder.join("sub/b.sv"), folder.join("sub/c.v")],
            include: vec!["x".into(), "y".into(), "z".into()],
            define: vec!["W=1".to_owned(), "V".to_owned()],
        };
        assert_eq!(list, expected);
        assert!(file_list(&folder.join("cycle.f")).is_err());
        let wrong = file_list(&folder.join("wrong.f")).expect_err("an option");
        assert_eq!(wrong.diagnostic().line, 2);
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
