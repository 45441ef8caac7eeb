//! Functions of the C library that are told in C.
//!
//! Where a program calls one of them and does not define it, its definition here is linked to the program. So they need
//! no meaning of their own in the translation: their loops are loops like any other. Those of `shared.c` are linked before
//! the interpreter reads the program, the others are its own.

mod format;
mod retarget;
mod template;
#[cfg(test)]
mod tests;

use crate::desugar::variadic;
use crate::lines::Lines;
use crate::memory;
use crate::options::DataModel;
use crate::rucc;
use crate::translate::is_known;
use crate::tree::{Callee, ExprKind, FunctionId, Growing, Position, Unit, link_library};
use rustc_hash::FxHashSet;
use template::{Setting, Template};

/// Whether a file is no file of the user's, but the text of a library function.
pub fn is_library_text(file: &str) -> bool {
    file.starts_with('<')
        && file.ends_with('>')
        && !matches!(file, "<stdin>" | "<built-in>" | "<command-line>")
}

const OWN: [&str; 4] =
    [include_str!("string.c"), include_str!("ctype.c"), include_str!("stdlib.c"), include_str!("math.c")];
const SHARED: [&str; 1] = [include_str!("shared.c")];

/// The function through which `errno` is found.
const ERRNO: &str = "__errno_location";

/// Whether a function of a name that a program calls and does not define has a meaning to the translation: one of its own, or a
/// definition in C.
pub fn knows(name: &str) -> bool {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let sources = OWN.iter().chain(&SHARED);
    if sources.flat_map(|source| template::templates(source)).any(|template| template.name == plain)
        || retarget::MADE.contains(&plain)
    {
        return true;
    }
    let mut tree = Growing::new(Unit::default());
    let function = tree.declare(name, Growing::int(32, true), Vec::new(), Position::default());
    memory::library(&tree.unit, function).is_some() || is_known(&tree.unit, function)
}

/// Links the definitions of the library functions that a program uses and does not define, beside those that the
/// interpreter knows as well.
pub(crate) fn supply(unit: Unit, lines: &mut Lines, model: DataModel) -> Unit {
    let (unit, texts) = retarget::retarget(variadic::removed(unit));
    supply_from(&OWN, texts, unit, lines, model)
}

/// Links the definitions of the library functions that nobody here knows otherwise.
pub(crate) fn supply_shared(unit: Unit, lines: &mut Lines, model: DataModel) -> Unit {
    let (unit, texts) = retarget::retarget_shared(unit);
    supply_from(&SHARED, texts, unit, lines, model)
}

/// Links definitions until none is wanted. One that the program declares with another type is left as it is.
fn supply_from(
    sources: &[&'static str],
    texts: retarget::Texts,
    unit: Unit,
    lines: &mut Lines,
    model: DataModel,
) -> Unit {
    let made = texts.into_iter().map(|(name, text)| Template::of(name, text));
    let told = sources.iter().flat_map(|source| template::templates(source));
    let mut templates: Vec<Template> = told.chain(made).collect();
    let used = used_functions(&unit);
    let sized: Vec<Template> = used
        .iter()
        .filter_map(|&f| unit[f].name.strip_prefix(retarget::SIZED))
        .filter_map(|size| templates.iter().find_map(|t| t.sized(retarget::SIZED, size)))
        .collect();
    templates.extend(sized);
    let named = |name: &str| used.iter().find(|&&f| unit[f].name == name).copied();
    let setting = Setting { model, errno: named(ERRNO).is_some() };
    let mut wanted: Vec<&Template> = templates
        .iter()
        .filter(|t| named(&t.name).is_some_and(|f| unit[f].body.is_none() && unit[f].refused.is_none()))
        .collect();
    let mut definitions: Vec<(Unit, Lines)> = Vec::new();
    let mut next = 0;
    while let Some(&template) = wanted.get(next) {
        next += 1;
        let text = template.text(setting);
        let Ok((definition, more)) = rucc::parse(&format!("<{}>", template.name), &text, model) else {
            continue;
        };
        for function in used_functions(&definition).into_iter().filter(|&f| definition[f].body.is_none()) {
            let name = &definition[function].name;
            let known = wanted.iter().any(|t| t.name == *name);
            let defined = unit.functions().any(|f| unit[f].name == *name && unit[f].body.is_some());
            if let Some(template) = templates.iter().find(|t| t.name == *name && !known && !defined) {
                wanted.push(template);
            }
        }
        definitions.push((definition, more));
    }
    if definitions.is_empty() {
        return unit;
    }
    let all = definitions.iter().map(|(definition, _)| definition.clone()).collect();
    if let Ok(linked) = link_library(unit.clone(), all) {
        definitions.into_iter().for_each(|(_, more)| lines.append(more));
        return linked;
    }
    definitions.into_iter().fold(unit, |unit, (definition, more)| {
        match link_library(unit.clone(), vec![definition]) {
            Ok(linked) => {
                lines.append(more);
                linked
            }
            Err(_) => unit,
        }
    })
}

/// The functions that are called by name or whose addresses are taken.
fn used_functions(unit: &Unit) -> FxHashSet<FunctionId> {
    let of = |kind: &ExprKind| match *kind {
        ExprKind::Call { callee: Callee::Function(function), .. } => Some(function),
        ExprKind::FunctionAddress(function) => Some(function),
        _ => None,
    };
    unit.expressions().filter_map(|e| of(&unit[e].kind)).collect()
}
