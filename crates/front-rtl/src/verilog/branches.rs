//! Branch conditions of the source, named so that they survive synthesis ([CTL §4.1, Fig. 1]).
//!
//! The paper rewrites the Verilog: a condition becomes a signal with a name of its own, which is found again behind
//! the synthesis tool. Here the netlist of the elaborated design is rewritten, before processes become logic: in it, parameters and
//! `generate` are resolved and each condition is a signal already. For every condition of an `if`, every item of a `case`
//! and every `?:` there is a wire more, which nothing reads; it becomes an output, and its term a candidate.
//!
//! An item of a `case` is `signal = value` (with several values, one of them; a bit that `casez` does not look at
//! is not looked at), as if the statement were written with `if`.

use super::places::{Range, Sources, range};
use super::rtlil::{Module, Spec, spec};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use tamis_design::Place;

/// What the wires' names start with.
pub const PREFIX: &str = "tamis_branch_";

/// A condition of the source, as it was written once; modules have it in each of their instances.
#[derive(Debug)]
pub struct Branch {
    /// What it says.
    pub name: String,
    /// Where it stands.
    pub place: Option<Place>,
}

/// Adds wires for the conditions of all modules to a netlist. The condition with the wire `tamis_branch_3` is the fourth.
pub fn add(text: &str, modules: &[Module], sources: &mut Sources) -> (String, Vec<Branch>) {
    let mut branches = Vec::new();
    let mut additions: FxHashMap<usize, String> = FxHashMap::default();
    for module in modules {
        let mut added = String::new();
        let mut known: FxHashMap<(&str, String), ()> = FxHashMap::default();
        let ternary = module.cells.iter().filter(|c| c.kind == "$mux");
        let conditions = module
            .cases
            .iter()
            .map(|c| (c.signal.as_str(), c.values.clone(), c.switch_src.as_str(), c.src.as_str()))
            .chain(ternary.map(|c| (c.select.as_str(), vec!["1'1".to_owned()], "", c.src.as_str())));
        for (signal, values, switch, src) in conditions {
            if signal.contains(super::sva::PREFIX) || known.insert((signal, values.join(",")), ()).is_some() {
                continue;
            }
            let Some(logic) = logic(module, signal, &values, branches.len()) else { continue };
            added += &logic;
            branches.push(named(sources, &values, range(switch), range(src)));
        }
        additions.insert(module.end, added);
    }
    let mut edited = String::with_capacity(text.len() + text.len() / 4);
    for (number, line) in text.lines().enumerate() {
        edited += additions.get(&number).map_or("", String::as_str);
        edited += line;
        edited.push('\n');
    }
    (edited, branches)
}

/// The wire of a condition and what drives it; nothing for a condition that is constant.
fn logic(module: &Module, signal: &str, values: &[String], number: usize) -> Option<String> {
    let Spec::Wires(width) = spec(module, signal)? else {
        // `case (1'b1)`, the other way round: each value is a condition.
        let [value] = values else { return None };
        let Spec::Wires(1) = spec(module, value)? else { return None };
        return if signal == "1'1" { Some(wire(number, value)) } else { None };
    };
    if width == 1 && values == ["1'1"] {
        return Some(wire(number, signal));
    }
    let mut text = String::new();
    let mut equal = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let value_spec = spec(module, value)?;
        if value_spec.width() != width {
            return None;
        }
        let (left, right) = match value_spec {
            Spec::Constant(bits) if bits.contains(|c| c != '0' && c != '1') => {
                let mask: String =
                    bits.chars().map(|c| if c == '0' || c == '1' { '1' } else { '0' }).collect();
                let fixed: String = bits.chars().map(|c| if c == '1' { '1' } else { '0' }).collect();
                let masked = format!("$tamis${number}${index}$masked");
                cell(&mut text, "$and", &masked, signal, &format!("{width}'{mask}"), width, width);
                (masked, format!("{width}'{fixed}"))
            }
            _ => (signal.to_owned(), value.clone()),
        };
        let name = format!("$tamis${number}${index}$equal");
        cell(&mut text, "$eq", &name, &left, &right, width, 1);
        equal.push(name);
    }
    let mut any = equal.first()?.clone();
    for (index, name) in equal.iter().enumerate().skip(1) {
        let either = format!("$tamis${number}${index}$either");
        cell(&mut text, "$or", &either, &any, name, 1, 1);
        any = either;
    }
    text += &wire(number, &any);
    Some(text)
}

fn wire(number: usize, value: &str) -> String {
    format!("  attribute \\keep 1\n  wire \\{PREFIX}{number}\n  connect \\{PREFIX}{number} {value}\n")
}

/// A cell of two arguments, and the wire of its result, which has its name.
fn cell(text: &mut String, kind: &str, name: &str, a: &str, b: &str, width: u32, result: u32) {
    let _ = write!(
        text,
        "  wire width {result} {name}\n  cell {kind} {name}$cell\n    parameter \\A_SIGNED 0\n    parameter \\B_SIGNED 0\n    \
         parameter \\A_WIDTH {width}\n    parameter \\B_WIDTH {width}\n    parameter \\Y_WIDTH {result}\n    \
         connect \\A {a}\n    connect \\B {b}\n    connect \\Y {name}\n  end\n"
    );
}

/// The condition as the source writes it: the text of its own range, as `if` and `?:` have it; of a `case` the head and
/// the values.
fn named(sources: &mut Sources, values: &[String], switch: Option<Range>, own: Option<Range>) -> Branch {
    /// The longest text that is quoted.
    const LONGEST: usize = 60;
    let own = own.filter(|r| r.start != r.end);
    let is_item = own.is_none();
    let Some(range) = own.or(switch) else {
        return Branch { name: "a branch".to_owned(), place: None };
    };
    let mut name = sources.text(&range).unwrap_or_else(|| "a branch".to_owned());
    if let Some((condition, _)) = name.split_once('?') {
        name.truncate(condition.trim_end().len());
    } else if is_item {
        let head = head(&name).to_owned();
        name = format!("{head} {}", values.join(", "));
    }
    if name.chars().count() > LONGEST {
        name = name.chars().take(LONGEST).chain(['…']).collect();
    }
    Branch { name, place: Some(sources.place(&range)) }
}

/// `case (x)` of what starts with it.
fn head(text: &str) -> &str {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return &text[..=i],
            ')' => depth -= 1,
            _ => {}
        }
    }
    text
}
