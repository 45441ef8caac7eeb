//! Contracts of loops, as statements at their heads.
//!
//! What is checked is checked wherever execution comes to the head of a loop that is entered: that the invariant holds, and that what
//! decreases did since the last time there, in the order of tuples, and did not fall below 0. Of a loop whose condition is
//! false at once nothing is asked. CBMC instead
//! forgets what the loop did before the round that it looks at: an invariant that always holds, but does not follow from itself,
//! passes here and fails there. Which memory a loop may assign to is not checked.
//!
//! Without being asked, an invariant is a condition that is looked at and nothing more: so it is among those that the search
//! takes for candidates.

use super::clauses::{Clause, Kind, from};
use super::conditions::{Conditions, Use};
use crate::cprover::words::Words;
use crate::cprover::{Refused, replaced};
use std::fmt::Write;
use std::ops::Range;

/// A loop, by its words.
struct Loop {
    keyword: usize,
    /// The brackets of its head; of `do`, there are none at its beginning.
    brackets: Option<(usize, usize)>,
    clauses: Vec<Clause>,
    /// The word that its body begins with.
    body: usize,
    /// The word behind the whole statement.
    end: usize,
}

/// A text in which the contracts of loops are statements; `None` if it has none.
pub(super) fn woven(text: &str, checked: bool) -> Result<Option<String>, Refused> {
    let concerned =
        text.contains("__CPROVER_loop_invariant") || checked && text.contains("__CPROVER_decreases");
    if !concerned {
        return Ok(None);
    }
    let words = Words::of(text);
    let mut pieces: Vec<(Range<usize>, String)> = Vec::new();
    for (number, found) in loops(&words)?.into_iter().enumerate() {
        weave(&words, &found, checked, number, &mut pieces)?;
    }
    // What is put before a word comes in the order in which it was found: outer loops first.
    pieces.sort_by_key(|(range, _)| range.start);
    Ok((!pieces.is_empty()).then(|| replaced(text, &pieces)))
}

/// The loops that have clauses.
fn loops(words: &Words<'_>) -> Result<Vec<Loop>, Refused> {
    let mut found = Vec::new();
    for i in 0..words.words.len() {
        let member = i > 0 && matches!(words.word(i - 1), "." | "->");
        match words.word(i) {
            "while" | "for" if !member && words.word(i + 1) == "(" => {
                let Some(close) = words.closing(i + 1) else { continue };
                let (clauses, body) = from(words, close + 1)?;
                if clauses.is_empty()
                    || words.word(body) == ";" && words.word(i) == "while" && closes_do(words, i)
                {
                    continue;
                }
                let end = statement_end(words, body);
                found.push(Loop { keyword: i, brackets: Some((i + 1, close)), clauses, body, end });
            }
            "do" if !member => {
                let (mut clauses, body) = from(words, i + 1)?;
                let tail = statement_end(words, body);
                let mut end = tail + 1;
                if words.word(tail) == "while"
                    && let Some(close) = words.closing(tail + 1)
                {
                    let (more, behind) = from(words, close + 1)?;
                    clauses.extend(more);
                    end = behind + 1;
                }
                if !clauses.is_empty() {
                    found.push(Loop { keyword: i, brackets: None, clauses, body, end });
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Whether a `while` ends a `do`: what is before it is the end of a body, and nothing is behind it.
fn closes_do(words: &Words<'_>, at: usize) -> bool {
    (0..at).rev().any(|i| {
        words.word(i) == "do" && statement_end(words, from(words, i + 1).map_or(i + 1, |(_, b)| b)) == at
    })
}

/// The word behind a statement.
fn statement_end(words: &Words<'_>, at: usize) -> usize {
    let last = words.words.len();
    let behind = |open: usize| words.closing(open).map_or(last, |close| close + 1);
    match words.word(at) {
        "" => last,
        "{" => behind(at),
        "if" => {
            let then = statement_end(words, behind(at + 1));
            if words.word(then) == "else" { statement_end(words, then + 1) } else { then }
        }
        "while" | "for" | "switch" => {
            let body = from(words, behind(at + 1)).map_or(last, |(_, body)| body);
            statement_end(words, body)
        }
        "do" => {
            let body = from(words, at + 1).map_or(last, |(_, body)| body);
            let tail = statement_end(words, body);
            from(words, behind(tail + 1)).map_or(last, |(_, end)| end + 1)
        }
        _ if words.word(at + 1) == ":" => statement_end(words, at + 2),
        _ => {
            let mut i = at;
            while i < last && words.word(i) != ";" {
                i = if matches!(words.word(i), "(" | "[" | "{") { behind(i) } else { i + 1 };
            }
            (i + 1).min(last)
        }
    }
}

/// Puts the statements of one loop in its place.
fn weave(
    words: &Words<'_>,
    found: &Loop,
    checked: bool,
    number: usize,
    pieces: &mut Vec<(Range<usize>, String)>,
) -> Result<(), Refused> {
    let mut conditions = Conditions::new(words, &format!("tamis_loop_{number}_"), false);
    let mut code = String::new();
    let mut before = String::new();
    for clause in &found.clauses {
        if clause.kind == Kind::Invariant || clause.kind == Kind::Decreases && checked {
            pieces.push((clause.bytes(words), String::new()));
        }
        match clause.kind {
            Kind::Invariant => {
                let condition = conditions.condition(clause.inside.clone(), Use::Checked)?;
                let told = words.line(clause.inside.clone()).replace('\\', "\\\\").replace('"', "\\\"");
                let _ = match checked {
                    true => write!(code, "__CPROVER_assert({condition}, \"loop invariant {told}\"); "),
                    false => write!(code, "if ({condition}) ; "),
                };
            }
            Kind::Decreases if checked => {
                let parts = words.split(clause.inside.clone(), ",");
                let (mut smaller, mut equal) = (Vec::new(), Vec::new());
                let mut keep = String::new();
                let turn = format!("tamis_loop_{number}_turn");
                let _ = write!(before, "_Bool {turn} = 0; ");
                for (i, part) in parts.into_iter().enumerate() {
                    let value = conditions.condition(part, Use::Checked)?;
                    let (new, old) =
                        (format!("tamis_loop_{number}_new_{i}"), format!("tamis_loop_{number}_last_{i}"));
                    // As wide as all values that a number can have.
                    let _ = write!(before, "__int128 {old} = 0; ");
                    let _ = write!(code, "__int128 {new} = ({value}); ");
                    let mut all = equal.clone();
                    all.push(format!("{new} < {old} && {old} >= 0"));
                    smaller.push(format!("({})", all.join(" && ")));
                    equal.push(format!("{new} == {old}"));
                    let _ = write!(keep, "{old} = {new}; ");
                }
                let told = words.line(clause.inside.clone()).replace('\\', "\\\\").replace('"', "\\\"");
                let less = smaller.join(" || ");
                let _ = write!(
                    code,
                    "if ({turn}) __CPROVER_assert({less}, \"loop decreases {told}\"); {turn} = 1; {keep}"
                );
            }
            _ => {}
        }
    }
    if code.is_empty() {
        return Ok(());
    }
    let entry = conditions.kept();
    before.insert_str(0, &entry);
    // The condition of a loop may be false at once, but for that of `do`.
    let mut first_time = None;
    if checked && found.brackets.is_some() {
        let entered = format!("tamis_loop_{number}_entered");
        let _ = write!(before, "_Bool {entered} = 0; ");
        first_time = Some(format!("({{ if (!{entered}) {{ {entered} = 1; {code}}} 1; }})"));
        code = format!("if ({entered}) {{ {code}}} ");
    }
    let byte = |word: usize| words.words.get(word).map_or(words.text.len(), |w| w.at.start);
    let at = |word: usize| byte(word)..byte(word);
    // What is kept of the time before the loop may be about variables of its head.
    let declared = match found.brackets {
        Some((open, close)) if words.word(found.keyword) == "for" && !entry.is_empty() => {
            semicolons(words, open, close).first().map(|&first| (open + 1..first, first))
        }
        _ => None,
    };
    if let Some((init, first)) = declared {
        let init = words.line(init);
        pieces.push((at(found.keyword), format!("{{ {init}; {before}")));
        pieces.push((
            words.words[found.brackets.map_or(0, |(open, _)| open + 1)].at.start..byte(first),
            String::new(),
        ));
    } else if !before.is_empty() {
        pieces.push((at(found.keyword), format!("{{ {before}")));
    }
    match found.brackets {
        None => {
            pieces.push((at(found.body), format!("{{ {code}")));
            let tail = statement_end(words, found.body);
            pieces.push((at(tail), "} ".to_owned()));
        }
        Some((open, close)) => {
            let head = format!("({{ {code}1; }})");
            let tail = first_time.map_or(String::new(), |code| format!(" && {code}"));
            if words.word(found.keyword) == "while" {
                pieces.push((at(open + 1), format!("{head} && (")));
                pieces.push((at(close), format!("){tail}")));
            } else {
                let parts: Vec<usize> = semicolons(words, open, close);
                let &[first, second] = &parts[..] else {
                    return Err((
                        byte(found.keyword),
                        "a contract of this loop is not supported yet".to_owned(),
                    ));
                };
                let empty = first + 1 == second;
                pieces.push((
                    at(first + 1),
                    if empty { format!("{head}{tail}") } else { format!("{head} && (") },
                ));
                if !empty {
                    pieces.push((at(second), format!("){tail}")));
                }
            }
        }
    }
    if !before.is_empty() {
        let end = byte(found.end.saturating_sub(1)) + words.word(found.end.saturating_sub(1)).len();
        pieces.push((end..end, " }".to_owned()));
    }
    Ok(())
}

/// The semicolons between brackets that stand in no others.
fn semicolons(words: &Words<'_>, open: usize, close: usize) -> Vec<usize> {
    let (mut found, mut i) = (Vec::new(), open + 1);
    while i < close {
        match words.word(i) {
            "(" | "[" | "{" => i = words.closing(i).unwrap_or(close),
            ";" => found.push(i),
            _ => {}
        }
        i += 1;
    }
    found
}
