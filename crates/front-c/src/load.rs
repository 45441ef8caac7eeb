//! From files and texts to programs.

use crate::error::{Diagnostic, Error};
use crate::options::Options;
use crate::preprocess::{compiler_accepts, preprocess};
use crate::tree::Unit;
use crate::{rucc, translate};
use std::fs;
use std::path::Path;
use tamis_logic::Terms;
use tamis_program::Program;

/// Parsing and translating recurse as deep as the program nests.
const STACK_BYTES: usize = 512 << 20;

/// The automaton of a C file. `.i` is taken as it is; anything else is preprocessed with the system's `cc -E`.
///
/// ```no_run
/// use tamis_front_c::{DataModel, Options, load};
/// use tamis_logic::Terms;
/// let options = Options { data_model: DataModel::Ilp32, ..Options::default() };
/// let program = load("lock.c".as_ref(), &options, &mut Terms::new())?;
/// println!("{} edges", program.edges().len());
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn load(path: &Path, options: &Options, terms: &mut Terms) -> Result<Program, Error> {
    let name = path.display().to_string();
    let unreadable = |message: &str| Error::Unreadable(Diagnostic::about_file(name.clone(), message));
    if path.is_dir() {
        return Err(unreadable("is a folder"));
    }
    let source = fs::read(path).map_err(|e| unreadable(&format!("cannot be read: {e}")))?;
    if source.contains(&0) {
        return Err(unreadable("is not a text file"));
    }
    let preprocessed = path.extension().is_some_and(|e| e == "i");
    let result = if preprocessed { Ok(source.clone()) } else { preprocess(path, &source, options) };
    let result = result.and_then(|text| {
        let text = decode(&name, text)?;
        build(&name, &text, options, terms).map_err(|failure| match failure {
            // What the compiler takes is C, whatever our parser says.
            Failure::Parse(Error::Unreadable(mut d)) if compiler_accepts(&text, options.data_model) => {
                d.message = format!("the parser does not take this yet: {}", d.message);
                Error::Unsupported(d)
            }
            Failure::Parse(e) | Failure::Translate(e) => e,
        })
    });
    result.map_err(|mut e| {
        let d = e.diagnostic_mut();
        if d.file == name && !preprocessed && d.line > 0 {
            // The user wrote the line before macros were expanded in it.
            let source = String::from_utf8_lossy(&source);
            d.source_line = source.lines().nth(d.line as usize - 1).map(str::to_owned);
        }
        e
    })
}

/// The text of a file. The compiler takes any bytes in comments and strings; here a byte that is no UTF-8 becomes `?`,
/// which keeps lengths, and is refused where its value could matter: on a line with a character constant.
fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Error> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(not_utf8) => not_utf8.into_bytes(),
    };
    for (number, line) in bytes.split(|&b| b == b'\n').enumerate() {
        if line.contains(&b'\'') && std::str::from_utf8(line).is_err() {
            let mut d =
                Diagnostic::about_file(name, "a character constant that is not UTF-8 is not supported yet");
            d.line = number as u32 + 1;
            return Err(Error::Unsupported(d));
        }
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    Ok(text)
}

/// The automaton of preprocessed text; `name` stands for it where there are no line markers.
///
/// ```
/// use tamis_front_c::{Options, translate_source};
/// use tamis_logic::Terms;
/// let text = "extern void reach_error(void);
///     extern int __VERIFIER_nondet_int(void);
///     int main(void) { int x = __VERIFIER_nondet_int(); if (x > 2) reach_error(); return 0; }";
/// let program = translate_source("two.i", text, &Options::default(), &mut Terms::new())?;
/// assert_eq!(program.incoming(program.error()).len(), 1);
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn translate_source(
    name: &str,
    text: &str,
    options: &Options,
    terms: &mut Terms,
) -> Result<Program, Error> {
    build(name, text, options, terms).map_err(|failure| match failure {
        Failure::Parse(e) | Failure::Translate(e) => e,
    })
}

/// The typed tree of preprocessed text, before anything is said about what is supported.
///
/// ```
/// use tamis_front_c::{Options, parse};
/// let unit = parse("f.i", "int main(void) { return 1 + 2; }", &Options::default())?;
/// let main = unit.main().expect("there is one");
/// assert_eq!(unit[main].name, "main");
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn parse(name: &str, text: &str, options: &Options) -> Result<Unit, Error> {
    let model = options.data_model;
    with_stack(name, || rucc::parse(name, text, model).map(|(unit, _)| unit), |e| e)
}

/// Which step failed.
enum Failure {
    Parse(Error),
    Translate(Error),
}

fn build(name: &str, text: &str, options: &Options, terms: &mut Terms) -> Result<Program, Failure> {
    let model = options.data_model;
    let work = || {
        let (unit, lines) = rucc::parse(name, text, model).map_err(Failure::Parse)?;
        translate::translate(&unit, &lines, name, terms).map_err(Failure::Translate)
    };
    with_stack(name, work, Failure::Translate)
}

/// Does some work on a thread with a large stack.
fn with_stack<T: Send, E: Send>(
    name: &str,
    work: impl FnOnce() -> Result<T, E> + Send,
    failed: impl FnOnce(Error) -> E,
) -> Result<T, E> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("front-c".to_owned()).stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, work) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(e) => {
                let message = format!("cannot start a thread to parse in: {e}");
                Err(failed(Error::Unreadable(Diagnostic::about_file(name, message))))
            }
        }
    })
}
