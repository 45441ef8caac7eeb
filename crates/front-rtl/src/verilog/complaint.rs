//! What Yosys complains about, told with the place and what to do.

use super::places::{Sources, range};
use super::rtlil::{Module, modules};
use tamis_design::Place;
use tamis_diagnostics::{Diagnostic, Error};

/// The error in Yosys' output. `netlists` are texts of the design as far as it got, the latest first, where places of
/// cells are looked for; `file` is the first of the user's.
pub fn error(output: &str, netlists: &[String], sources: &mut Sources, file: &str) -> Error {
    let Some((before, message)) = output.lines().find_map(|line| line.split_once("ERROR:")) else {
        let last = output.lines().rfind(|l| !l.trim().is_empty()).unwrap_or("nothing");
        return Error::Unreadable(Diagnostic::about_file(
            file,
            format!("Yosys ended without a result, saying: {last}"),
        ));
    };
    let message = message.trim_start();
    let mut place = before.trim_end_matches([':', ' ']).rsplit_once(':').and_then(|(file, line)| {
        let name = file.rsplit_once(' ').map_or(file, |(_, name)| name);
        let file = if sources.line(&name.into(), 1).is_some() { name } else { file };
        let line = line.parse().ok().filter(|&line| line > 0)?;
        Some(Place { file: sources.name(file), line, column: 0 })
    });
    let cell = |module: &str, cell: &str, sources: &mut Sources| -> Option<Place> {
        let all: Vec<Module> = netlists.iter().flat_map(|text| modules(text)).collect();
        let found = all.iter().filter(|m| module.is_empty() || m.name.trim_start_matches('\\') == module);
        let mut cells = found.flat_map(|m| &m.cells);
        let src = cells.find(|c| c.name.trim_start_matches('\\') == cell).map(|c| c.src.clone());
        range(&src?).map(|r| sources.place(&r))
    };
    let quoted: Vec<&str> = message.split(['`', '\'']).collect();
    let mut unsupported = false;
    let text = if let (true, [_, kind, _, module, _, name, ..]) =
        (message.contains("is not part of the design"), &quoted[..])
    {
        let plain = |name: &str| name.trim_start_matches('\\').to_owned();
        place = cell(&plain(module), &plain(name), sources);
        let kind = plain(kind);
        format!(
            "there is no module `{kind}`, of which `{}` is an instance: give the file that defines it",
            plain(name)
        )
    } else if let Some(rest) = message.strip_prefix("Unsupported cell type ") {
        unsupported = true;
        let (kind, rest) = rest.split_once(" for cell ").unwrap_or((rest, ""));
        let name = rest.split(" -- ").next().unwrap_or(rest).trim_end_matches('.');
        let (module, name) = name.split_once('.').unwrap_or(("", name));
        place = cell(module, name, sources).or_else(|| cell("", name, sources));
        match kind.starts_with('$') {
            true => format!("Yosys cannot express a cell `{kind}` as a transition system"),
            false => {
                format!("`{name}` is an instance of the black box `{kind}`: give the file that defines it")
            }
        }
    } else if let Some(rest) = message.strip_prefix("Found topological loop while processing cell ") {
        unsupported = true;
        let name = rest.split(". Active").next().unwrap_or(rest);
        place = cell("", name, sources);
        "a loop of logic without a register: its value is not a function of the registers and inputs"
            .to_owned()
    } else {
        format!("Yosys: {message}")
    };
    let diagnostic = match place {
        Some(place) => sources.diagnostic(&place, text),
        None => Diagnostic::about_file(file, text),
    };
    if unsupported { Error::Unsupported(diagnostic) } else { Error::Unreadable(diagnostic) }
}

/// What Yosys warns of and would make a design mean something else: a name that is declared nowhere, for which it takes a wire of
/// one bit that nothing drives. Verilog has such wires for names in connections of ports and in assignments; a name with dots is
/// one of another module, which Yosys does not look for.
pub fn undeclared(output: &str, sources: &mut Sources) -> Option<Error> {
    for line in output.lines() {
        let Some((before, rest)) = line.split_once("Warning: Identifier `") else { continue };
        let Some((name, _)) = rest.split_once("' is implicitly declared") else { continue };
        let name = name.trim_start_matches('\\');
        let place = before.trim_end().trim_end_matches(':').rsplit_once(':');
        let Some((file, line)) = place.and_then(|(f, l)| Some((f, l.parse().ok().filter(|&l: &u32| l > 0)?)))
        else {
            continue;
        };
        let place = Place { file: sources.name(file), line, column: 0 };
        if name.contains('.') {
            let message =
                format!("`{name}` is a name of another module or interface, which Yosys does not look for");
            return Some(Error::Unsupported(sources.diagnostic(&place, message)));
        }
        let is_assertion =
            |text: &str| ["assert", "assume", "property"].iter().any(|word| text.contains(word));
        if sources.line(&place.file, line).is_some_and(is_assertion) {
            let message = format!("`{name}` is declared nowhere");
            return Some(Error::Unreadable(sources.diagnostic(&place, message)));
        }
    }
    None
}

/// What Yosys' `check` warns of and would make a design mean something else: a signal that is driven twice.
pub fn conflict(output: &str, netlists: &[String], sources: &mut Sources, file: &str) -> Option<Error> {
    let line = output.lines().find_map(|l| l.split_once("multiple conflicting drivers for "))?.1;
    let signal = line.trim_end_matches(':');
    let (module, name) = signal.split_once('.').unwrap_or(("", signal));
    let name = name.split(' ').next().unwrap_or(name);
    let all: Vec<Module> = netlists.iter().flat_map(|text| modules(text)).collect();
    let own = all.iter().filter(|m| m.name.trim_start_matches('\\') == module);
    let src = own.filter_map(|m| m.wires.get(name)).map(|w| w.src.clone()).next();
    let message = format!("`{}` has several drivers", name.trim_start_matches('\\'));
    let diagnostic = match src.and_then(|src| range(&src)) {
        Some(range) => {
            let place = sources.place(&range);
            sources.diagnostic(&place, message)
        }
        None => Diagnostic::about_file(file, message),
    };
    Some(Error::Unsupported(diagnostic))
}
