//! Functions without a body that do what a machine allows.

use super::code::{called, function, pieces};
use crate::sources::Piece;
use crate::tree::{Spelling, Type, Unit};
use std::fmt::Write;
use tamis_diagnostics::{Diagnostic, Error};

/// The file name of this code. Its calls are those of the program.
const MACHINE: &str = "<machine>";

/// What a function does that has no body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandIn {
    /// The function.
    pub function: String,
    /// Where the machine is.
    pub place: Diagnostic,
    /// The ways to go on from each state. The first is where it begins; where there are none it never returns.
    pub states: Vec<Vec<Way>>,
    /// Whether it does not matter if there is no such function, or if it has a body, which then counts.
    pub only_if_undefined: bool,
}

/// A way to go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What is done.
    pub act: Act,
    /// The next state.
    pub to: usize,
}

/// What a machine does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Nothing that can be seen.
    Silent,
    /// Calls a function with any arguments `$1`, `$2` and so on that fulfil a condition.
    Call(String, Option<Piece>),
    /// Returns any value `$return` that fulfils a condition.
    Return(Option<Piece>),
}

/// Adds the bodies of functions to the units that declare them first. Functions that no unit knows are warned of.
pub(super) fn stand_in(
    stand_ins: &[StandIn],
    units: &[&Unit],
    code: &mut [String],
    warnings: &mut Vec<String>,
) -> Result<(), Error> {
    let mut stubs: Vec<(String, &str)> = Vec::new();
    for machine in stand_ins {
        let wrong = |message: String| Err(Error::Unreadable(Diagnostic { message, ..machine.place.clone() }));
        let name = &machine.function;
        let known: Vec<usize> = (0..units.len()).filter(|&u| function(units[u], name).is_some()).collect();
        let has_body = |&u: &usize| function(units[u], name).is_some_and(|f| units[u][f].body.is_some());
        if machine.only_if_undefined {
            if known.iter().any(has_body) || !called(units, name) {
                continue;
            }
            let Diagnostic { file, line, .. } = &machine.place;
            stubs.push((format!("{file}:{line}"), name.as_str()));
        }
        let Some(&host) = known.first() else {
            let Diagnostic { file, line, .. } = &machine.place;
            warnings.push(format!("{file}:{line}: the program never calls {name}"));
            continue;
        };
        if known.iter().any(has_body) {
            return wrong(format!("{name} has a body: nothing stands in for it"));
        }
        let Some(spelling) = spelling(units[host], name) else {
            return wrong(format!("{name} has no prototype: what its calls are is not known"));
        };
        let mut text = format!("\n# 1 \"{MACHINE}\"\n__typeof__({}) {name}(", spelling.result);
        let params = spelling.params.as_deref().unwrap_or_default();
        let declared: Vec<String> =
            params.iter().enumerate().map(|(i, ty)| format!("__typeof__({ty}) ${}", i + 1)).collect();
        text += &if declared.is_empty() { "void".to_owned() } else { declared.join(", ") };
        text += ") { int $state = 0; for (;;) { int $way = __VERIFIER_nondet_int(); switch ($state) {";
        for (state, ways) in machine.states.iter().enumerate() {
            let _ = write!(text, "case {state}: ");
            if ways.is_empty() {
                text += "for (;;) ; ";
            }
            for (number, way) in ways.iter().enumerate() {
                // The last takes all that is left: nothing is chosen but ways.
                let chosen = format!("if ($way == {number})");
                text += if number + 1 == ways.len() { "" } else { &chosen };
                text += "{";
                act(units[host], &way.act, spelling, &mut text).or_else(wrong)?;
                let _ = write!(text, "$state = {}; break; }}", way.to);
            }
        }
        text += "} } }\n";
        code[host] += &text;
    }
    if let Some((place, _)) = stubs.first() {
        let names: Vec<&str> = stubs.iter().map(|(_, name)| *name).collect();
        let names = names.join(", ");
        warnings.push(format!("{place}: no body is known, so a call is taken to change nothing: {names}"));
    }
    Ok(())
}

fn spelling<'a>(unit: &'a Unit, name: &str) -> Option<&'a Spelling> {
    unit.spellings.get(&function(unit, name)?).filter(|spelling| spelling.params.is_some())
}

fn act(unit: &Unit, act: &Act, own: &Spelling, text: &mut String) -> Result<(), String> {
    let assume = |when: &Option<Piece>, text: &mut String| {
        if let Some(when) = when {
            *text += "__VERIFIER_assume((";
            pieces(&[Piece { text: format!("{}) != 0);", when.text), ..when.clone() }], text);
            let _ = write!(text, "\n# 1 \"{MACHINE}\"\n");
        }
    };
    match act {
        Act::Silent => {}
        Act::Return(when) if own.result == "void" => {
            assume(when, text);
            *text += "return;";
        }
        Act::Return(when) => {
            let _ = write!(text, "__typeof__({}) $return = {};", own.result, any(&own.result));
            assume(when, text);
            *text += "return $return;";
        }
        Act::Call(name, when) => {
            let callee = function(unit, name).ok_or_else(|| format!("there is no function {name}"))?;
            let (Some(spelling), false) = (spelling(unit, name), unit[callee].variadic) else {
                return Err(format!("{name} has no prototype that tells its parameters"));
            };
            let params = spelling.params.as_deref().unwrap_or_default();
            let mut arguments = Vec::new();
            for (i, ty) in params.iter().enumerate() {
                if let Some(Type::Record(_) | Type::Other(_)) =
                    unit[callee].prototype.as_ref().and_then(|types| types.get(i))
                {
                    return Err(format!("an argument of {name} is of a type of which no value is chosen"));
                }
                let _ = write!(text, "__typeof__({ty}) ${} = {};", i + 1, any(ty));
                arguments.push(format!("${}", i + 1));
            }
            assume(when, text);
            let _ = write!(text, "{name}({});", arguments.join(", "));
        }
    }
    Ok(())
}

/// Any value of a type.
fn any(ty: &str) -> String {
    match ty.ends_with('*') {
        true => "__VERIFIER_nondet_pointer()".to_owned(),
        false => format!("(__typeof__({ty}))__VERIFIER_nondet_longlong()"),
    }
}

/// What this code calls, if the unit does not declare it.
pub(super) fn declarations(unit: &Unit) -> String {
    let declared = [
        ("__VERIFIER_nondet_longlong", "extern long long __VERIFIER_nondet_longlong(void);"),
        ("__VERIFIER_nondet_pointer", "extern void *__VERIFIER_nondet_pointer(void);"),
        ("__VERIFIER_assume", "extern void __VERIFIER_assume(int);"),
    ];
    let missing = declared.iter().filter(|(name, _)| function(unit, name).is_none());
    missing.map(|(_, text)| *text).collect::<Vec<_>>().join(" ") + "\n"
}
