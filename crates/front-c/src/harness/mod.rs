//! A function as a program: a `main` that calls it with arbitrary arguments, in arbitrary globals.
//!
//! The harness is C, written from the typed tree and put behind the text of the file that defines the function, so that it
//! can name what is static there. Search and interpreter read it like any other code, and a counterexample
//! is told in its lines. As a file of its own, to be edited, it includes that file.
//!
//! - A parameter is declared as the function does, without its qualifiers, and [filled](fill).
//! - Variables with static storage that are not `const` are filled before the call, those of other files by functions
//!   behind their texts, those of functions when execution comes to them first.
//! - The program's own `main` gets another name.

mod fill;
mod parameter;

use crate::cprover::words::{Kind, Words};
use crate::lines::Lines;
use crate::load::{Source, parse_all, with_stack};
use crate::options::{Entry, Options};
use crate::tree::{FunctionId, ObjectId, Position, Storage, Unit};
use fill::Filler;
use std::fmt::Write;
use tamis_diagnostics::{Diagnostic, Error};

/// What the program's own `main` is called.
const OTHER_MAIN: &str = "main_of_the_program";

/// How a harness is called where it is shown.
fn name(function: &str) -> String {
    format!("<harness of {function}>")
}

/// Text that is put into the text of a unit at some byte.
struct Insertion {
    unit: usize,
    byte: usize,
    text: String,
}

/// A harness: what it adds to the units, as lines, and what it leaves open.
struct Harness {
    /// The unit that defines the function.
    home: usize,
    /// For each unit, the lines behind its text.
    lines: Vec<Vec<String>>,
    /// Where variables of functions get their values.
    inside: Vec<Insertion>,
    open: Vec<String>,
    /// Statics of functions and of other files, which a file of its own cannot name.
    out_of_sight: Vec<String>,
}

/// The units of a program, with a harness for a function as their `main`.
pub(crate) fn added(sources: Vec<Source>, entry: &Entry) -> Result<Vec<Source>, Error> {
    let sources = without_main(sources);
    let (harness, mut sources) = accepted(sources, entry)?;
    let function = &entry.function;
    let notes = harness.open.iter().map(|open| format!("harness of {function}: {open}"));
    sources[harness.home].notes.extend(notes);
    Ok(sources)
}

/// The units with what a harness adds to them.
fn with(sources: &[Source], harness: &Harness, entry: &Entry) -> Vec<Source> {
    let mut sources = sources.to_vec();
    for (number, source) in sources.iter_mut().enumerate() {
        let lines = Lines::new(&source.name, &source.text).0;
        let mut text = String::new();
        let mut done = 0;
        let mut inside: Vec<&Insertion> = harness.inside.iter().filter(|i| i.unit == number).collect();
        inside.sort_by_key(|insertion| insertion.byte);
        for Insertion { byte, text: code, .. } in inside {
            text.push_str(&source.text[done..*byte]);
            done = *byte;
            let at = lines.position(*byte as u32);
            let there = lines.files().get(at.file as usize).map_or("", String::as_str);
            let column = " ".repeat(at.column.saturating_sub(1) as usize);
            let _ = write!(text, "\n# {} \"{there}\"\n{code}\n# {} \"{there}\"\n{column}", at.line, at.line);
        }
        text.push_str(&source.text[done..]);
        let file = match number == harness.home {
            true => name(&entry.function),
            false => format!("{} in {}", name(&entry.function), source.name),
        };
        let behind = &harness.lines[number];
        if !behind.is_empty() {
            let _ = write!(text, "\n# 1 \"{file}\"\n{}\n", behind.join("\n"));
            source.generated.push((file, behind.join("\n")));
        }
        source.text = text;
    }
    sources
}

/// The harness of a function as a C file, to be edited.
pub(crate) fn file(
    sources: Vec<Source>,
    paths: &[std::path::PathBuf],
    options: &Options,
    entry: &Entry,
) -> Result<String, Error> {
    let sources = without_main(sources);
    let (harness, _) = accepted(sources, entry)?;
    let home = &paths.get(harness.home).or(paths.first()).cloned().unwrap_or_default();
    let others: Vec<String> =
        paths.iter().filter(|path| *path != home).map(|path| format!(" {}", path.display())).collect();
    let mut text = format!(
        "// A harness for {} of {}: a program that calls it with arbitrary arguments. Edit what it is called with, and what\n\
         // must hold before and afterwards: __VERIFIER_assume(…), assert(…). Checked by\n//\n",
        entry.function,
        home.display()
    );
    let mut flags = String::new();
    for folder in &options.include {
        let _ = write!(flags, " -I {}", folder.display());
    }
    for definition in &options.macros {
        let _ = match definition {
            crate::options::Macro::Define(d) => write!(flags, " -D {d}"),
            crate::options::Macro::Undefine(d) => write!(flags, " -U {d}"),
        };
    }
    let _ = writeln!(text, "//     tamis check THIS_FILE.c{}{flags} --property all", others.join(""));
    text.push_str("//\n// What it leaves open:\n");
    for open in harness.open.iter().chain(&harness.out_of_sight) {
        let _ = writeln!(text, "// - {open}");
    }
    let path = std::fs::canonicalize(home).unwrap_or_else(|_| home.clone());
    let _ = write!(
        text,
        "\n#define main {OTHER_MAIN}\n#include \"{}\"\n#undef main\n\n{}\n",
        path.display(),
        harness.lines[harness.home].join("\n")
    );
    Ok(text)
}

/// The units with another name for `main`.
fn without_main(mut sources: Vec<Source>) -> Vec<Source> {
    for source in &mut sources {
        let words = Words::of(&source.text);
        let is_it = |i: usize| {
            words.words[i].kind == Kind::Name
                && words.word(i) == "main"
                && words.word(i + 1) == "("
                && i.checked_sub(1).is_none_or(|before| !matches!(words.word(before), "." | "->"))
        };
        let places: Vec<_> =
            (0..words.words.len()).filter(|&i| is_it(i)).map(|i| words.words[i].at.clone()).collect();
        let pieces: Vec<_> = places.into_iter().map(|at| (at, OTHER_MAIN.to_owned())).collect();
        source.text = crate::cprover::replaced(&source.text, &pieces);
    }
    sources
}

/// Writes the harness; where the parser does not take it, as members are `const`, once more with casts.
fn accepted(sources: Vec<Source>, entry: &Entry) -> Result<(Harness, Vec<Source>), Error> {
    let lines: Vec<Lines> = sources.iter().map(|s| Lines::new(&s.name, &s.text).0).collect();
    let work = || {
        let mut plain = sources.clone();
        plain.iter_mut().for_each(|source| source.options.weaving = None);
        let (unit, _) = parse_all(&plain)?;
        let mut failed = None;
        for casts in [false, true] {
            let harness = write_with(&sources, &lines, &unit, entry, casts)?;
            let with = with(&sources, &harness, entry);
            let changed = with.iter().zip(&sources).filter(|(new, old)| new.text != old.text);
            let parsed: Result<Vec<_>, Error> = changed
                .map(|(new, _)| crate::rucc::parse(&new.name, &new.text, new.options.data_model))
                .collect();
            match parsed {
                Ok(_) => return Ok((harness, with)),
                Err(e) => failed = Some((harness.home, e)),
            }
        }
        let (home, why) = failed.map_or((0, String::new()), |(home, e)| (home, e.diagnostic().to_string()));
        let message = format!("no harness of `{}` can be written: {why}", entry.function);
        Err(Error::Unsupported(Diagnostic::about_file(sources[home].name.clone(), message)))
    };
    with_stack("", work, |e| e)
}

fn write_with(
    sources: &[Source],
    lines: &[Lines],
    unit: &Unit,
    entry: &Entry,
    casts: bool,
) -> Result<Harness, Error> {
    let function = defined(sources, unit, &entry.function)?;
    let spot = |at: Position| place(lines, at);
    let Some((home, byte)) = spot(unit[function].at) else {
        let message = format!("the definition of `{}` was not found in the text", entry.function);
        return Err(Error::Unsupported(Diagnostic::about_file(sources[0].name.clone(), message)));
    };
    let mut harness = Harness {
        home,
        lines: vec![Vec::new(); sources.len()],
        inside: Vec::new(),
        open: Vec::new(),
        out_of_sight: Vec::new(),
    };
    let parameters = parameter::declarations(&sources[home].text, unit, function).map_err(|message| {
        Error::Unsupported(lines[home].diagnostic(byte as u32, format!("`{}`: {message}", entry.function)))
    })?;
    let mut fillers: Vec<Filler<'_>> = (0..sources.len()).map(|_| Filler::new(unit, entry, casts)).collect();
    let mut bodies: Vec<Vec<String>> = vec![Vec::new(); sources.len()];
    if entry.globals {
        let depths: Vec<Vec<(usize, u32)>> = sources.iter().map(|s| braces(&s.text)).collect();
        for object in unit.objects().filter(|&o| is_variable(unit, o)) {
            let Some((number, byte)) = spot(unit[object].at) else { continue };
            let name = unit[object].name.clone();
            let filler = &mut fillers[number];
            filler.fill(&name, unit[object].ty, &name);
            let code = filler.take();
            if code.is_empty() {
                continue;
            }
            if depth_at(&depths[number], byte) == 0 {
                if number != home {
                    let file = &sources[number].name;
                    harness.out_of_sight.push(format!("{name} of {file} has its initial value"));
                }
                bodies[number].extend(code);
            } else if let Some(end) = statement_end(&sources[number].text, byte) {
                let first = format!("tamis_first_{}", harness.inside.len());
                let text = format!(
                    "{{ static _Bool {first} = 1; if ({first}) {{ {first} = 0; {} }} }}",
                    code.join(" ")
                );
                harness.inside.push(Insertion { unit: number, byte: end, text });
                harness
                    .out_of_sight
                    .push(format!("the static variable {name} of a function has its initial value"));
            }
        }
    } else {
        harness.open.push("globals have their initial values".to_owned());
    }
    // The call.
    let mut call = Vec::new();
    let filler = &mut fillers[home];
    for (declaration, &object) in parameters.iter().zip(&unit[function].params) {
        let name = &unit[object].name;
        call.push(format!("{declaration};"));
        filler.fill(name, unit[object].ty, name);
        call.extend(filler.take());
    }
    let arguments: Vec<&str> = unit[function].params.iter().map(|&p| unit[p].name.as_str()).collect();
    call.push(format!("{}({});", entry.function, arguments.join(", ")));
    // Nothing is said of what is still allocated then.
    call.push(filler.end());
    if unit[function].variadic {
        harness.open.push(format!("{} gets no more arguments than it names", entry.function));
    }
    for (number, mut body) in bodies.into_iter().enumerate() {
        let inside = harness.inside.iter().any(|insertion| insertion.unit == number);
        let mut declared = fillers[number].declarations(&sources[number].text);
        harness.open.append(&mut fillers[number].open());
        let head = if number == home {
            "int main(void)".to_owned()
        } else {
            format!("void {}(void)", others(number))
        };
        if number == home {
            let elsewhere: Vec<usize> =
                (0..sources.len()).filter(|&n| n != home && !harness.lines[n].is_empty()).collect();
            for n in elsewhere {
                declared.push(format!("void {}(void);", others(n)));
                body.insert(0, format!("{}();", others(n)));
            }
            body.append(&mut call);
            body.push("return 0;".to_owned());
        } else if body.is_empty() {
            if inside {
                insert_declarations(&mut harness, number, declared);
            }
            continue;
        }
        if inside {
            insert_declarations(&mut harness, number, declared.clone());
        }
        let mut lines = declared;
        lines.extend([String::new(), head, "{".to_owned()]);
        lines.extend(body.into_iter().map(|line| format!("    {line}")));
        lines.push("}".to_owned());
        harness.lines[number] = lines;
        if number != home && number > home {
            // The home unit is written before what it calls is known.
            let at = harness.lines[home].iter().position(|line| line == "{").map_or(0, |at| at + 1);
            harness.lines[home].insert(at, format!("    {}();", others(number)));
            harness.lines[home].insert(0, format!("void {}(void);", others(number)));
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    harness.open.retain(|line| seen.insert(line.clone()));
    Ok(harness)
}

/// The function that fills the variables of another file.
fn others(number: usize) -> String {
    format!("tamis_globals_{number}")
}

/// Declarations that code inside of functions needs stand before all else.
fn insert_declarations(harness: &mut Harness, unit: usize, declared: Vec<String>) {
    harness.inside.push(Insertion { unit, byte: 0, text: declared.join(" ") });
}

/// The function of a name that is defined.
fn defined(sources: &[Source], unit: &Unit, name: &str) -> Result<FunctionId, Error> {
    let name = if name == "main" { OTHER_MAIN } else { name };
    let found: Vec<FunctionId> =
        unit.functions().filter(|&f| unit[f].name == name && unit[f].body.is_some()).collect();
    let failed = |message: String| {
        Err(Error::Unreadable(Diagnostic::about_file(sources.first().map_or("", |s| &s.name), message)))
    };
    match found[..] {
        [function] => Ok(function),
        [] => failed(format!("there is no definition of `{name}`")),
        _ => failed(format!("several files define a function `{name}`")),
    }
}

/// Whether a variable has static storage, a name and values of its own.
fn is_variable(unit: &Unit, object: ObjectId) -> bool {
    let data = &unit[object];
    let plain = |name: &str| {
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.is_empty()
            && !name.starts_with("__")
    };
    matches!(data.storage, Storage::Static(_))
        && !data.constant
        && data.refused.is_none()
        && plain(&data.name)
}

/// The unit and the byte of a place.
fn place(lines: &[Lines], mut at: Position) -> Option<(usize, usize)> {
    for (number, lines) in lines.iter().enumerate() {
        let files = lines.files().len() as u32;
        if at.file < files {
            return lines.byte(at).map(|byte| (number, byte));
        }
        at.file -= files;
    }
    None
}

/// The braces of a text, with the depth behind each.
fn braces(text: &str) -> Vec<(usize, u32)> {
    let words = Words::of(text);
    let (mut found, mut depth) = (Vec::new(), 0u32);
    for (i, word) in words.words.iter().enumerate() {
        match words.word(i) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => continue,
        }
        found.push((word.at.start, depth));
    }
    found
}

fn depth_at(braces: &[(usize, u32)], byte: usize) -> u32 {
    let behind = braces.partition_point(|&(at, _)| at < byte);
    behind.checked_sub(1).map_or(0, |last| braces[last].1)
}

/// The byte behind the semicolon that ends a declaration.
fn statement_end(text: &str, byte: usize) -> Option<usize> {
    let words = Words::of(text.get(byte..)?);
    let mut i = 0;
    while i < words.words.len() {
        match words.word(i) {
            "(" | "[" | "{" => i = words.closing(i)?,
            ";" => return Some(byte + words.words[i].at.end),
            _ => {}
        }
        i += 1;
    }
    None
}
