//! Compilation databases: `compile_commands.json`, as CMake, Meson and Bear write them.

use crate::json::Json;
use crate::options::{DataModel, Macro, Options};
use std::path::{Path, PathBuf};
use tamis_diagnostics::{Diagnostic, Error};

/// The files that a database names, each with the options of its command on top of those given. A file that comes
/// several times is taken as it comes first.
pub(crate) fn read(name: &str, text: &str, options: &Options) -> Result<Vec<(PathBuf, Options)>, Error> {
    let database =
        Json::parse(text).map_err(|e| Error::Unreadable(at_byte(name, text, e.byte, e.message)))?;
    let Json::List(entries) = database else {
        return Err(unreadable(name, "is not a list of compiler commands"));
    };
    let mut files: Vec<(PathBuf, Options)> = Vec::new();
    for entry in &entries {
        let Some(file) = entry.get("file").and_then(Json::text) else {
            return Err(unreadable(name, "has an entry without a file"));
        };
        let folder = Path::new(entry.get("directory").and_then(Json::text).unwrap_or(""));
        let arguments = match (entry.get("arguments"), entry.get("command").and_then(Json::text)) {
            (Some(Json::List(list)), _) => list.iter().filter_map(Json::text).map(str::to_owned).collect(),
            (_, Some(command)) => split(command),
            _ => return Err(unreadable(name, &format!("has no command for {file}"))),
        };
        let path = folder.join(file);
        if !files.iter().any(|(known, _)| *known == path) {
            files.push((path, with_flags(options, folder, &arguments)));
        }
    }
    if files.is_empty() {
        return Err(unreadable(name, "names no file"));
    }
    Ok(files)
}

/// A database to look files up in.
pub(crate) struct Database {
    name: String,
    text: String,
}

impl Database {
    /// Reads a database; of a folder, the file `compile_commands.json` in it.
    pub(crate) fn open(path: &Path) -> Result<Database, Error> {
        let path = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
        let name = path.display().to_string();
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Database { name, text }),
            Err(e) => Err(unreadable(&name, &format!("cannot be read: {e}"))),
        }
    }

    /// The options given with those of the command that compiles a file.
    pub(crate) fn options(&self, file: &Path, options: &Options) -> Result<Options, Error> {
        let same = |known: &Path| match (known.canonicalize(), file.canonicalize()) {
            (Ok(known), Ok(file)) => known == file,
            _ => known == file,
        };
        let known = read(&self.name, &self.text, options)?.into_iter().find(|(path, _)| same(path));
        match known {
            Some((_, options)) => Ok(options),
            None => Err(unreadable(&self.name, &format!("has no command for {}", file.display()))),
        }
    }
}

fn unreadable(name: &str, message: &str) -> Error {
    Error::Unreadable(Diagnostic::about_file(name, message))
}

fn at_byte(name: &str, text: &str, byte: usize, message: &str) -> Diagnostic {
    let before = &text.as_bytes()[..byte.min(text.len())];
    let line = before.iter().filter(|&&b| b == b'\n').count();
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    Diagnostic {
        file: name.to_owned(),
        line: line as u32 + 1,
        column: (byte - start) as u32 + 1,
        message: message.to_owned(),
        source_line: text.lines().nth(line).map(str::to_owned),
    }
}

/// The options with what a compiler's command line says on top.
fn with_flags(options: &Options, folder: &Path, arguments: &[String]) -> Options {
    let mut options = options.clone();
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        let mut value = |flag: &str| match argument.strip_prefix(flag) {
            Some("") => rest.next().cloned(),
            Some(attached) => Some(attached.to_owned()),
            None => None,
        };
        match argument.as_str() {
            "-m32" => options.data_model = DataModel::Ilp32,
            "-m64" => options.data_model = DataModel::Lp64,
            "-ansi" => options.standard = Some("c90".to_owned()),
            // A flag whose value is its own argument, and could look like another flag.
            "-o" | "-MF" | "-MT" | "-MQ" | "-x" | "-arch" | "-Xclang" => {
                rest.next();
            }
            a if a.starts_with("-include") => {
                options.before.extend(value("-include").map(|header| folder.join(header)));
            }
            a if a.starts_with("-I") => options.include.extend(value("-I").map(|dir| folder.join(dir))),
            a if a.starts_with("-isystem") => {
                options.include.extend(value("-isystem").map(|dir| folder.join(dir)));
            }
            a if a.starts_with("-iquote") => {
                options.include.extend(value("-iquote").map(|dir| folder.join(dir)));
            }
            a if a.starts_with("-D") => options.macros.extend(value("-D").map(Macro::Define)),
            a if a.starts_with("-U") => options.macros.extend(value("-U").map(Macro::Undefine)),
            a if a.starts_with("-std=") => options.standard = value("-std="),
            _ => {}
        }
    }
    options
}

/// The words of a command, as a shell sees them.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().extend(chars.next()),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_understood() {
        let text = r#"[
            {"directory": "/p", "file": "a.c",
             "command": "cc -m32 -I inc -Ilib -DX=1 -D Y='a b' -UZ -include pre.h -std=gnu99 -O2 -o a.o -c a.c"},
            {"directory": "/p", "file": "b.c", "arguments": ["cc", "-isystem", "sys", "-c", "b.c"]},
            {"directory": "/p", "file": "a.c", "arguments": ["cc", "-c", "a.c"]}
        ]"#;
        let files = read("db.json", text, &Options::default()).expect("it is well formed");
        assert_eq!(files.len(), 2);
        let (path, options) = &files[0];
        assert_eq!(path, Path::new("/p/a.c"));
        assert_eq!(options.data_model, DataModel::Ilp32);
        assert_eq!(options.include, [PathBuf::from("/p/inc"), PathBuf::from("/p/lib")]);
        assert_eq!(
            options.macros,
            [Macro::Define("X=1".into()), Macro::Define("Y=a b".into()), Macro::Undefine("Z".into())]
        );
        assert_eq!(options.before, [PathBuf::from("/p/pre.h")]);
        assert_eq!(options.standard.as_deref(), Some("gnu99"));
        assert_eq!(files[1].1.include, [PathBuf::from("/p/sys")]);
    }

    #[test]
    fn words_are_split_as_a_shell_does() {
        assert_eq!(split(r#"a  "b \" c" 'd "e' f\ g """#), ["a", "b \" c", "d \"e", "f g", ""]);
    }

    #[test]
    fn a_broken_database_is_refused_with_its_place() {
        let error = read("db.json", "[\n  {\"file\": }\n]", &Options::default()).expect_err("it is broken");
        assert_eq!((error.diagnostic().line, error.diagnostic().column), (2, 12));
        for text in ["{}", "[]", "[{}]", "[{\"file\": \"a.c\"}]"] {
            assert!(read("db.json", text, &Options::default()).is_err(), "{text}");
        }
    }
}
