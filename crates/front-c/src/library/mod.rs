//! Functions of the C library that are told in C.
//!
//! Where a program calls one of them and does not define it, its definition here is linked to the program. So they need
//! no meaning of their own in the translation: their loops are loops like any other.

use crate::lines::Lines;
use crate::options::DataModel;
use crate::rucc;
use crate::tree::{Callee, ExprKind, FunctionId, Unit, link};
use rustc_hash::FxHashSet;

/// The definitions, each with its name on the line before, after `//`. `SIZE` is `size_t`.
const STRINGS: &str = include_str!("string.c");

/// The texts of all functions, by name.
fn functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    STRINGS.split("\n//").skip(1).filter_map(|part| {
        let (name, text) = part.split_once('\n')?;
        Some((name.trim(), text))
    })
}

/// Links the definitions of the library functions that a program declares and does not define. One whose declaration
/// in the program has another type is left as it is.
pub(crate) fn supply(unit: Unit, lines: &mut Lines, model: DataModel) -> Unit {
    let used: FxHashSet<FunctionId> = unit
        .expressions()
        .filter_map(|e| match unit[e].kind {
            ExprKind::Call { callee: Callee::Function(function), .. } => Some(function),
            ExprKind::FunctionAddress(function) => Some(function),
            _ => None,
        })
        .collect();
    let missing = |name: &str| {
        let is_it = |&&f: &&FunctionId| unit[f].body.is_none() && unit[f].name == name;
        used.iter().find(is_it).is_some_and(|&f| unit[f].refused.is_none())
    };
    let wanted: Vec<_> = functions().filter(|(name, _)| missing(name)).collect();
    let mut unit = unit;
    for (name, text) in wanted {
        let size = if model == DataModel::Ilp32 { "unsigned int" } else { "unsigned long" };
        let text = text.replace("SIZE", size);
        let Ok((definition, more)) = rucc::parse(&format!("<{name}>"), &text, model) else { continue };
        if let Ok(linked) = link(vec![unit.clone(), definition]) {
            unit = linked;
            lines.append(more);
        }
    }
    unit
}
