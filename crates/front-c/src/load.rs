//! From files and texts to programs.

use crate::compile_commands::{self, Database};
use crate::decode::decode;
use crate::desugar::{devices, jumps, startup};
use crate::lines::{Lines, without_markers};
use crate::options::Options;
use crate::preprocess::{compiler_accepts, preprocess};
use crate::standard_input::{file_bytes, file_name};
use crate::tree::{Unit, link};
use crate::{cprover, library, rucc, translate, weave};
use std::path::{Path, PathBuf};
use tamis_diagnostics::{Diagnostic, Error};
use tamis_logic::Terms;
use tamis_program::Program;

/// Parsing and translating recurse as deep as the program nests.
const STACK_BYTES: usize = 512 << 20;

/// The automaton of a C program: of all its files, linked.
///
/// `.i` is taken as it is, `.json` is a compilation database that names the files; anything else is preprocessed with the
/// system's `cc -E`.
///
/// ```no_run
/// use tamis_front_c::{DataModel, Options, load};
/// use tamis_logic::Terms;
/// let options = Options { data_model: DataModel::Ilp32, ..Options::default() };
/// let program = load(&["lock.c", "main.c"], &options, &mut Terms::new())?;
/// println!("{} edges", program.edges().len());
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn load(paths: &[impl AsRef<Path>], options: &Options, terms: &mut Terms) -> Result<Program, Error> {
    let sources = sources(paths, options)?;
    let name = sources[0].name.clone();
    let work = || {
        let (unit, mut lines) = parse_all(&sources)?;
        let unit = library::supply(unit, &mut lines, sources[0].options.data_model);
        translate::translate(&unit, &lines, &name, options.refinement, terms)
    };
    with_stack(&name, work, |e| e).map_err(|e| as_written(e, &sources))
}

/// The automata of a program's functions, one by one: each from any state, with the function's end as its error
/// location, and with calls expanded only while there are fewer than `edges` edges. `visit` is told each function's
/// name, and its automaton or why there is none.
///
/// This is for analyses of functions by themselves; nothing about memory or what the caller did is assumed or proved.
///
/// ```no_run
/// use tamis_front_c::{Options, load_functions};
/// load_functions(&["list.c"], &Options::default(), 10_000, |name, program, _terms| match program {
///     Ok(program) => println!("{name}: {} edges", program.edges().len()),
///     Err(error) => eprintln!("{name}: {}", error.diagnostic().message),
/// })?;
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn load_functions(
    paths: &[impl AsRef<Path>],
    options: &Options,
    edges: usize,
    mut visit: impl FnMut(&str, Result<Program, Error>, Terms) + Send,
) -> Result<(), Error> {
    let sources = sources(paths, options)?;
    let work = || {
        let (unit, mut lines) = parse_all(&sources)?;
        let defined: Vec<_> = unit.functions().filter(|&f| unit[f].body.is_some()).collect();
        let unit = library::supply(unit, &mut lines, sources[0].options.data_model);
        for function in defined {
            let mut terms = Terms::new();
            let program = translate::translate_function(&unit, &lines, function, edges, &mut terms);
            visit(&unit[function].name, program, terms);
        }
        Ok(())
    };
    with_stack(&sources[0].name, work, |e| e).map_err(|e| as_written(e, &sources))
}

/// The typed tree of a C program, before anything is said about what is supported.
///
/// ```no_run
/// use tamis_front_c::{Options, read};
/// let unit = read(&["main.c"], &Options::default())?;
/// println!("{} functions", unit.functions().count());
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn read(paths: &[impl AsRef<Path>], options: &Options) -> Result<Unit, Error> {
    let sources = sources(paths, options)?;
    let work = || parse_all(&sources).map(|(unit, _)| unit);
    with_stack(&sources[0].name, work, |e| e).map_err(|e| as_written(e, &sources))
}

/// A translation unit after preprocessing: what the compiler sees of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preprocessed {
    /// The file that it comes from.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The translation units of a program, as they are parsed.
///
/// ```no_run
/// use tamis_front_c::{Options, preprocessed};
/// for unit in preprocessed(&["main.c"], &Options::default())? {
///     println!("{}: {} lines", unit.name, unit.text.lines().count());
/// }
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn preprocessed(paths: &[impl AsRef<Path>], options: &Options) -> Result<Vec<Preprocessed>, Error> {
    let sources = sources(paths, options)?;
    Ok(sources.into_iter().map(|Source { name, text, .. }| Preprocessed { name, text }).collect())
}

/// A translation unit, ready to be parsed.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    /// What the user wrote, if that is not what is parsed.
    written: Option<Vec<u8>>,
    pub(crate) text: String,
    pub(crate) options: Options,
    /// What is worth a warning about the text.
    warnings: Vec<String>,
    /// What is to be said about it.
    pub(crate) notes: Vec<String>,
    /// The files that were made up, with their text.
    pub(crate) generated: Vec<(String, String)>,
}

impl Source {
    fn new(name: String, written: Option<Vec<u8>>, text: String, options: Options) -> Source {
        Source {
            name,
            written,
            text,
            options,
            warnings: Vec::new(),
            notes: Vec::new(),
            generated: Vec::new(),
        }
    }

    /// The same in plain C, whatever dialect it is in.
    fn plain(self) -> Result<Source, Error> {
        let written = self.written.clone();
        let plain = cprover::plain(&self.name, &self.text, self.options.data_model);
        match plain {
            Ok(None) => Ok(self),
            Ok(Some(plain)) => Ok(Source { text: plain.text, warnings: plain.warnings, ..self }),
            Err(e) => Err(match written {
                Some(written) => with_line(e, &self.name, &written),
                None => e,
            }),
        }
    }
}

impl Source {
    /// A unit of preprocessed text.
    pub(crate) fn of_text(name: String, text: String, options: Options) -> Source {
        Source::new(name, None, text, options)
    }
}

/// The translation units of a program, with the harness of the function that it begins with.
pub(crate) fn sources(paths: &[impl AsRef<Path>], options: &Options) -> Result<Vec<Source>, Error> {
    let sources = units(paths, options)?;
    match &options.entry {
        Some(entry) => crate::harness::added(sources, entry),
        None => Ok(sources),
    }
}

/// The harness of the function that the options name, as a C file to be edited.
///
/// ```no_run
/// use tamis_front_c::{Entry, Options, harness};
/// let function = "push".to_owned();
/// let entry = Entry { function, depth: 3, elements: 1, null: false, strings: false, globals: true };
/// print!("{}", harness(&["stack.c"], &Options { entry: Some(entry), ..Options::default() })?);
/// # Ok::<(), tamis_front_c::Error>(())
/// ```
pub fn harness(paths: &[impl AsRef<Path>], options: &Options) -> Result<String, Error> {
    let sources = units(paths, options)?;
    let paths: Vec<PathBuf> = paths.iter().map(|path| path.as_ref().to_owned()).collect();
    match &options.entry {
        Some(entry) => crate::harness::file(sources, &paths, options, entry),
        None => Err(Error::Unreadable(Diagnostic::about_file("", "there is no function to call"))),
    }
}

/// The translation units of a program.
fn units(paths: &[impl AsRef<Path>], options: &Options) -> Result<Vec<Source>, Error> {
    let mut sources = Vec::new();
    let database = options.database.as_deref().map(Database::open).transpose()?;
    for path in paths {
        let path = path.as_ref();
        if path.extension().is_some_and(|e| e == "json") {
            let name = path.display().to_string();
            let text = decode(&name, contents(path)?)?;
            for (file, options) in compile_commands::read(&name, &text, options)? {
                sources.push(source(file, options)?);
            }
        } else {
            let options = match &database {
                Some(database) => database.options(path, options)?,
                None => options.clone(),
            };
            sources.push(source(path.to_owned(), options)?);
        }
    }
    if sources.is_empty() {
        return Err(Error::Unreadable(Diagnostic::about_file("", "there is no file to read")));
    }
    let written: Vec<_> = sources.iter().map(|s| (s.name.clone(), s.written.clone())).collect();
    let sources = cprover::contracts::woven(sources, &options.contracts).map_err(|e| {
        let file = e.diagnostic().file.clone();
        match written.iter().find_map(|(name, text)| (*name == file).then_some(text.as_ref()?)) {
            Some(text) => with_line(e, &file, text),
            None => e,
        }
    })?;
    sources.into_iter().map(Source::plain).collect()
}

fn contents(path: &Path) -> Result<Vec<u8>, Error> {
    let unreadable = |message: String| Error::Unreadable(Diagnostic::about_file(file_name(path), message));
    if path.is_dir() {
        return Err(unreadable("is a folder".to_owned()));
    }
    let bytes = file_bytes(path).map_err(|e| unreadable(format!("cannot be read: {e}")))?;
    if bytes.contains(&0) {
        return Err(unreadable("is not a text file".to_owned()));
    }
    Ok(bytes)
}

/// The extensions by which compilers know C++.
const CPP: [&str; 11] = ["cpp", "cc", "cxx", "c++", "C", "CPP", "cp", "hpp", "hh", "hxx", "cppm"];

fn source(path: PathBuf, options: Options) -> Result<Source, Error> {
    let name = file_name(&path);
    if let Some(extension) = path.extension().and_then(|e| e.to_str()).filter(|e| CPP.contains(e)) {
        let message = format!("is C++, as its extension .{extension} says, and Tamis reads C");
        return Err(Error::Unreadable(Diagnostic::about_file(name, message)));
    }
    let bytes = contents(&path)?;
    if path.extension().is_some_and(|e| e == "i") {
        let text = decode(&name, bytes)?;
        let text = if options.physical { without_markers(&text) } else { text };
        return Ok(Source::new(name, None, text, options));
    }
    let text = match preprocess(&path, &bytes, &options) {
        Ok(text) => decode(&name, text)?,
        Err(e) => return Err(with_line(e, &name, &bytes)),
    };
    Ok(Source::new(name, Some(bytes), text, options))
}

/// Parses and links.
pub(crate) fn parse_all(sources: &[Source]) -> Result<(Unit, Lines), Error> {
    let mut parsed = Vec::new();
    for source in sources {
        parsed.push(parse_text(source, &source.text)?);
    }
    if let Some(weaving) = sources.first().and_then(|source| source.options.weaving.as_ref()) {
        parsed = weave::woven(sources, parsed, weaving, parse_text)?;
    }
    let mut units = Vec::new();
    let mut removed: Vec<String> =
        sources.first().map(|source| source.options.without_body.clone()).unwrap_or_default();
    let mut lines: Option<Lines> = None;
    for (mut unit, more) in parsed {
        removed.retain(|name| !unit.remove_body(name));
        units.push(unit);
        match &mut lines {
            None => lines = Some(more),
            Some(lines) => lines.append(more),
        }
    }
    let lines = lines.unwrap_or_else(|| Lines::new("", "").0);
    match link(units) {
        Ok(mut unit) => {
            unit.warnings.extend(sources.iter().flat_map(|source| source.notes.iter().cloned()));
            unit.generated = sources.iter().flat_map(|source| source.generated.iter().cloned()).collect();
            if let Some(weaving) = sources.first().and_then(|source| source.options.weaving.as_ref()) {
                weave::hide(&mut unit, weaving);
            }
            if let Some(first) = sources.first() {
                unit = cprover::contracts::frame::checked(unit, &first.options.contracts.enforced);
            }
            Ok(match sources.first() {
                Some(first) => completed(unit, lines, &first.options),
                None => (unit, lines),
            })
        }
        Err(e) => Err(Error::Unreadable(lines.diagnostic_at(e.at, e.message))),
    }
}

/// Parses a text of a translation unit.
fn parse_text(source: &Source, text: &str) -> Result<(Unit, Lines), Error> {
    let model = source.options.data_model;
    let (mut unit, lines) = rucc::parse_with(&source.name, text, model, source.options.volatile.inputs)
        .map_err(|e| match e {
            // What the compiler takes is C, whatever our parser says.
            Error::Unreadable(mut d) if compiler_accepts(text, model) => {
                d.message = format!("the parser does not take this yet: {}", d.message);
                Error::Unsupported(d)
            }
            e => e,
        })?;
    unit.warnings.extend(source.warnings.iter().cloned());
    Ok((unit, lines))
}

/// A program whose units are all there, with what both readings of it share.
fn completed(mut unit: Unit, mut lines: Lines, options: &Options) -> (Unit, Lines) {
    rucc::refuse_mistyped(&mut unit, options.data_model);
    unit.aim(options);
    let unit = devices::as_inputs(unit, &options.volatile.devices);
    let unit = library::supply_shared(unit, &mut lines, options.data_model);
    (startup::made_calls(jumps::made_returns(unit)), lines)
}

/// An error with the line that the user wrote, before macros were expanded in it.
pub(crate) fn as_written(error: Error, sources: &[Source]) -> Error {
    let file = &error.diagnostic().file;
    match sources.iter().find(|s| s.name == *file).and_then(|s| s.written.as_ref().map(|w| (&s.name, w))) {
        Some((name, written)) => with_line(error, name, written),
        None => error,
    }
}

fn with_line(mut error: Error, name: &str, written: &[u8]) -> Error {
    let d = error.diagnostic_mut();
    if d.file == name && d.line > 0 {
        let line = written.split(|&b| b == b'\n').nth(d.line as usize - 1);
        d.source_line = line.map(|l| String::from_utf8_lossy(l).trim_end_matches('\r').to_owned());
    }
    error
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
    let work = || {
        let source = Source::of_text(name.to_owned(), text.to_owned(), options.clone()).plain()?;
        let (unit, mut lines) = parse_all(&[source])?;
        let unit = library::supply(unit, &mut lines, options.data_model);
        translate::translate(&unit, &lines, name, options.refinement, terms)
    };
    with_stack(name, work, |e| e)
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
    let work = || {
        let source = Source::of_text(name.to_owned(), text.to_owned(), options.clone()).plain()?;
        parse_all(&[source]).map(|(unit, _)| unit)
    };
    with_stack(name, work, |e| e)
}

/// Does some work on a thread with a large stack.
pub(crate) fn with_stack<T: Send, E: Send>(
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
