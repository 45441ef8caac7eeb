//! What a function may assign to and free, as pieces of memory that are found before it is called.

use crate::cprover::Refused;
use crate::cprover::words::Words;
use std::ops::Range;

/// A piece of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// When it is one, before the call.
    pub(super) when: Option<String>,
    /// Where it begins.
    pub(super) start: String,
    /// Its bytes; `None` for one that ends where the object does, however far that is.
    pub(super) size: Option<String>,
    /// Whether it begins where the object does.
    pub(super) whole: bool,
}

/// The targets of a clause: groups between semicolons, each with a condition before a colon if it has one.
pub(super) fn targets(words: &Words<'_>, inside: Range<usize>) -> Result<Vec<Target>, Refused> {
    let mut found = Vec::new();
    for group in words.split(inside, ";") {
        let colon = colon(words, group.clone());
        let when = colon.map(|colon| words.line(group.start..colon));
        let list = colon.map_or(group.start, |colon| colon + 1)..group.end;
        for part in words.split(list, ",").into_iter().filter(|part| !part.is_empty()) {
            found.push(target(words, part, when.clone())?);
        }
    }
    Ok(found)
}

/// The colon that ends the condition of a group, and is none of `a ? b : c`.
fn colon(words: &Words<'_>, group: Range<usize>) -> Option<usize> {
    let (mut open, mut i) = (0, group.start);
    while i < group.end {
        match words.word(i) {
            "(" | "[" | "{" => i = words.closing(i)?,
            "?" => open += 1,
            ":" if open == 0 => return Some(i),
            ":" => open -= 1,
            _ => {}
        }
        i += 1;
    }
    None
}

fn target(words: &Words<'_>, part: Range<usize>, when: Option<String>) -> Result<Target, Refused> {
    let text = words.line(part.clone());
    let name = words.word(part.start);
    let is_call = words.word(part.start + 1) == "(" && words.closing(part.start + 1) == Some(part.end - 1);
    if !(is_call && name.starts_with(crate::tree::vocabulary::CPROVER)) {
        let is_call = is_call && words.words[part.start].kind == crate::cprover::words::Kind::Name;
        if is_call && name != "sizeof" {
            let message =
                format!("`{name}(…)` in a contract, which a function of targets says, is not supported yet");
            return Err((words.words[part.start].at.start, message));
        }
        let (start, size) = (format!("&({text})"), Some(format!("sizeof({text})")));
        return Ok(Target { when, start, size, whole: false });
    }
    let args: Vec<String> =
        words.split(part.start + 2..part.end - 1, ",").into_iter().map(|arg| words.line(arg)).collect();
    Ok(match (name, &args[..]) {
        ("__CPROVER_object_whole" | "__CPROVER_POINTER_OBJECT", [p]) => {
            Target { when, start: p.clone(), size: None, whole: true }
        }
        ("__CPROVER_object_from", [p]) => Target { when, start: p.clone(), size: None, whole: false },
        ("__CPROVER_object_upto" | "__CPROVER_object_slice", [p, n]) => {
            Target { when, start: p.clone(), size: Some(n.clone()), whole: false }
        }
        ("__CPROVER_typed_target", [place]) => Target {
            when,
            start: format!("&({place})"),
            size: Some(format!("sizeof({place})")),
            whole: false,
        },
        _ => {
            let message = format!("`{name}` as a target, with these arguments, is not supported yet");
            return Err((words.words[part.start].at.start, message));
        }
    })
}
