//! The code that is put behind the texts of translation units.

use super::stand_in::{self, stand_in};
use super::{CHOICE, EXITS, Event, Hook, OURS, Weaving, uses, wrapper};
use crate::sources::Piece;
use crate::tree::{FunctionId, ObjectId, Spelling, Unit};
use std::fmt::Write;
use tamis_diagnostics::{Diagnostic, Error};

/// What is added to a program.
pub(super) struct Additions {
    /// To each unit, in their order.
    pub(super) code: Vec<String>,
    /// Events that never happen.
    pub(super) warnings: Vec<String>,
}

/// What a specification adds to some units.
pub(super) fn additions(weaving: &Weaving, units: &[&Unit]) -> Result<Additions, Error> {
    let mut code = vec![String::new(); units.len()];
    let mut never = Vec::new();
    let mut functions: Vec<&str> = Vec::new();
    for hook in &weaving.hooks {
        match &hook.event {
            Event::Assign(_) | Event::Label(_) => {
                let places: Vec<usize> = (0..units.len()).filter(|&u| has(units[u], &hook.event)).collect();
                if places.is_empty() && hook.certain {
                    never.push(hook);
                }
                for unit in places {
                    after(weaving, hook, &mut code[unit]);
                }
            }
            event => {
                let function = event.function().unwrap_or_default();
                let also: &[&str] = if *event == Event::End { &EXITS } else { &[] };
                for &name in [function].iter().chain(also) {
                    if !functions.contains(&name) {
                        functions.push(name);
                    }
                }
                if !called(units, function) {
                    never.push(hook);
                }
            }
        }
    }
    for function in functions.into_iter().filter(|name| called(units, name)) {
        wrap(weaving, function, units, &mut code)?;
    }
    let mut warnings = never_happens(&never);
    stand_in(&weaving.stand_ins, units, &mut code, &mut warnings)?;
    if let Some(site) = &weaving.site {
        for own in code.iter_mut().filter(|own| !own.is_empty()) {
            let _ = write!(own, "\n# 1 \"{OURS}\"\nstatic void {SITE}(int $n) {{ {site} = $n; }}\n");
        }
    }
    let first = code.iter().position(|code| !code.is_empty());
    for (number, own) in code.iter_mut().enumerate().filter(|(_, own)| !own.is_empty()) {
        *own = format!("{}{own}", declarations(weaving, units[number], Some(number) == first));
    }
    Ok(Additions { code, warnings })
}

/// What is to be said of events that never happen, by kind.
fn never_happens(hooks: &[&Hook]) -> Vec<String> {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for hook in hooks {
        let (what, name) = match &hook.event {
            Event::Call(name) | Event::Return(name) => ("never calls", name.as_str()),
            Event::Start | Event::End => ("has no", "main"),
            Event::Assign(name) => ("has no global variable", name.as_str()),
            Event::Label(name) => ("has no label", name.as_str()),
        };
        let what = format!("{}: the program {what}", hook.place.file);
        match said.iter_mut().find(|(known, _)| *known == what) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => said.push((what, vec![name])),
        }
    }
    said.into_iter().map(|(what, names)| format!("{what} {}", names.join(", "))).collect()
}

/// Whether events of labels and assignments may happen in a unit.
fn has(unit: &Unit, event: &Event) -> bool {
    match event {
        Event::Label(name) => unit.label_names.iter().any(|(_, label)| label == name),
        Event::Assign(name) => global(unit, name).is_some(),
        _ => false,
    }
}

/// The global variable of a name.
pub(super) fn global(unit: &Unit, name: &str) -> Option<ObjectId> {
    unit.objects().find(|&o| unit[o].name == name && !unit[o].local)
}

/// The function of a name.
pub(super) fn function(unit: &Unit, name: &str) -> Option<FunctionId> {
    unit.functions().find(|&f| unit[f].name == name)
}

/// Whether a function is called, or may be; `main` is.
pub(super) fn called(units: &[&Unit], name: &str) -> bool {
    units.iter().any(|unit| match function(unit, name) {
        Some(_) if name == "main" => unit.main().is_some(),
        Some(function) => uses(unit, function),
        None => false,
    })
}

/// A function with the code of an event that calls have no part in.
fn after(weaving: &Weaving, hook: &Hook, code: &mut String) {
    let number = weaving.hooks.iter().position(|other| other == hook).unwrap_or_default();
    let _ = write!(code, "\n# 1 \"{OURS}\"\nstatic void {}(void) {{", after_name(number));
    pieces(&hook.code, code);
    code.push_str("}\n");
}

/// The functions with the code before and behind a call of a function with unnamed arguments.
pub(super) fn before_name(function: &str) -> String {
    format!("$$before_{function}")
}

pub(super) fn behind_name(function: &str) -> String {
    format!("$$behind_{function}")
}

/// The function that tells at which call the program is.
pub(super) const SITE: &str = "$$site";

/// The function with the code of an event that calls have no part in.
pub(super) fn after_name(hook: usize) -> String {
    format!("$$after_{hook}")
}

pub(super) fn pieces(pieces: &[Piece], code: &mut String) {
    let mut before = OURS;
    for Piece { text, file, line } in pieces {
        // What closes code of a specification stands in its line, so that a message about its end tells that place.
        let closes = text.find(|c| c != ')').unwrap_or(text.len());
        let (closing, rest) = text.split_at(if file == OURS && before != OURS { closes } else { 0 });
        let name = file.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = write!(code, "{closing}\n# {line} \"{name}\"\n{rest}");
        before = file;
    }
    let _ = write!(code, "\n# 1 \"{OURS}\"\n");
}

/// What code in a unit refers to.
fn declarations(weaving: &Weaving, unit: &Unit, defines: bool) -> String {
    let mut code = format!("\n# 1 \"{OURS}\"\n");
    if function(unit, CHOICE).is_none() {
        let _ = writeln!(code, "extern int {CHOICE}(void);");
    }
    if !weaving.stand_ins.is_empty() {
        code += &stand_in::declarations(unit);
    }
    if !weaving.violated.is_empty() {
        let _ = writeln!(code, "extern void {}(void) __attribute__((noreturn));", weaving.violated);
    }
    pieces(&weaving.declarations, &mut code);
    for variable in &weaving.variables {
        code.push_str(if defines { "__typeof__(" } else { "extern __typeof__(" });
        let declared =
            Piece { text: format!("{}) {}", variable.ty.text, variable.name), ..variable.ty.clone() };
        pieces(&[declared], &mut code);
        if let (true, Some(init)) = (defines, &variable.init) {
            code.push_str(" = ");
            pieces(std::slice::from_ref(init), &mut code);
        }
        code.push_str(";\n");
    }
    code
}

/// The wrappers of a function. What has internal linkage has one in each unit.
fn wrap(weaving: &Weaving, name: &str, units: &[&Unit], code: &mut [String]) -> Result<(), Error> {
    let declared: Vec<(usize, FunctionId)> =
        units.iter().enumerate().filter_map(|(u, unit)| Some((u, function(unit, name)?))).collect();
    let own = |&(u, f): &(usize, FunctionId)| units[u][f].body.is_some() && !units[u][f].external;
    let mut host = None;
    for &(u, f) in declared.iter().filter(|d| !own(d)) {
        let rank = |u: usize, f: FunctionId| {
            let spelling = units[u].spellings.get(&f);
            (units[u][f].body.is_some(), spelling.is_some_and(|spelling| spelling.params.is_some()))
        };
        if host.is_none_or(|(known, of)| rank(u, f) > rank(known, of)) {
            host = Some((u, f));
        }
    }
    // A program that calls `main` begins and ends once.
    let again = name == "main" && declared.iter().any(|&(u, f)| uses(units[u], f));
    for (u, f) in declared.iter().copied() {
        let everywhere = units[u][f].variadic && uses(units[u], f);
        if own(&(u, f)) || host == Some((u, f)) || everywhere {
            let linkage = if own(&(u, f)) { "static " } else { "" };
            wrapper_code(weaving, name, (units[u], f), linkage, again, &mut code[u])?;
        } else if uses(units[u], f) {
            let wrapper = wrapper(name);
            let _ = write!(code[u], "\n# 1 \"{OURS}\"\nextern __typeof__({name}) {wrapper};\n");
        }
    }
    Ok(())
}

fn wrapper_code(
    weaving: &Weaving,
    name: &str,
    (unit, function): (&Unit, FunctionId),
    linkage: &str,
    again: bool,
    code: &mut String,
) -> Result<(), Error> {
    let of = |wanted: &[Event]| -> Vec<&Hook> {
        weaving.hooks.iter().filter(|hook| wanted.contains(&hook.event)).collect()
    };
    let (mut before, mut behind) = (vec![Event::Call(name.to_owned())], vec![Event::Return(name.to_owned())]);
    match name {
        "main" => {
            before.insert(0, Event::Start);
            behind.push(Event::End);
        }
        name if EXITS.contains(&name) => before.push(Event::End),
        _ => {}
    }
    let (before, behind) = (of(&before), of(&behind));
    let spelling = unit.spellings.get(&function);
    let refuse = |why: &str| {
        let hook = before.first().or(behind.first());
        let place = hook.map_or_else(|| Diagnostic::about_file("", ""), |hook| hook.place.clone());
        Err(Error::Unreadable(Diagnostic { message: format!("{name} {why}"), ..place }))
    };
    let Some(Spelling { result, params: Some(params) }) = spelling else {
        return refuse("has no prototype: what its calls are is not known");
    };
    if params.iter().chain([result]).any(|ty| ty.contains("<anonymous>") || ty.contains("<unnamed")) {
        return refuse("has a parameter whose type has no name");
    }
    let declared: Vec<String> =
        params.iter().enumerate().map(|(i, ty)| format!("__typeof__({ty}) ${}", i + 1)).collect();
    if unit[function].variadic {
        // Nothing passes on arguments that have no names: the code is called where the function is.
        let _ =
            write!(code, "\n# 1 \"{OURS}\"\nstatic void {}({}) {{", before_name(name), declared.join(", "));
        before.iter().for_each(|hook| pieces(&hook.code, code));
        let given = (result != "void").then(|| format!("__typeof__({result}) $return"));
        let given: Vec<String> = given.into_iter().chain(declared).collect();
        let _ = write!(code, "}}\nstatic void {}({}) {{", behind_name(name), given.join(", "));
        behind.iter().for_each(|hook| pieces(&hook.code, code));
        code.push_str("}\n");
        return Ok(());
    }
    let run = |hook: &Hook, code: &mut String| {
        let once = again && matches!(hook.event, Event::Start | Event::End);
        code.push_str(if once { "if ($outermost) {" } else { "" });
        pieces(&hook.code, code);
        code.push_str(if once { "}" } else { "" });
    };
    let declared = if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
    let arguments: Vec<String> = (1..=params.len()).map(|i| format!("${i}")).collect();
    let arguments = arguments.join(", ");
    let _ = write!(code, "\n# 1 \"{OURS}\"\n{linkage}__typeof__({result}) {}({declared}) {{", wrapper(name));
    if again {
        code.push_str("static int $begun; int $outermost = !$begun; $begun = 1;");
    }
    before.iter().for_each(|hook| run(hook, code));
    if result == "void" {
        let _ = write!(code, "{name}({arguments});");
    } else {
        let _ = write!(code, "__typeof__({result}) $return = {name}({arguments});");
    }
    behind.iter().for_each(|hook| run(hook, code));
    code.push_str(if result == "void" { "}\n" } else { "return $return; }\n" });
    Ok(())
}
