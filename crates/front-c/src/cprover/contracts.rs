//! Contracts of functions and loops: which clauses there are, and the text without them.

use super::Refused;
use super::words::Words;
use crate::tree::vocabulary::UNINTERPRETED;
use rustc_hash::FxHashSet;

/// The clauses of contracts.
const CLAUSES: [&str; 7] = [
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_decreases",
    "__CPROVER_requires_contract",
];

/// A text with blanks for its clauses, and how many there were. All else stays where it was.
pub(super) fn without(text: &str) -> Result<(String, usize), Refused> {
    let words = Words::of(text);
    let (mut blank, mut clauses, mut declared) = (Vec::new(), 0, FxHashSet::default());
    for (i, word) in words.words.iter().enumerate() {
        if words.word(i).starts_with(UNINTERPRETED) && words.word(i + 1) == "(" {
            // Of several declarations the first one counts: CBMC does not mind that others have other types.
            let end = words.closing(i + 1).filter(|&end| words.word(end + 1) == ";");
            let start =
                (0..i).rev().find(|&before| matches!(words.word(before), ";" | "}" | "{" | "(" | "="));
            let is_declaration = start.is_none_or(|start| matches!(words.word(start), ";" | "}"))
                && start.map_or(0, |start| start + 1) < i
                && words.word(i - 1) != "return";
            if let Some(end) = end.filter(|_| is_declaration)
                && !declared.insert(words.word(i))
            {
                let first = start.map_or(0, |start| start + 1);
                blank.push(words.words[first].at.start..words.words[end + 1].at.end);
            }
            continue;
        }
        if !CLAUSES.contains(&words.word(i)) {
            continue;
        }
        let unclosed = || (word.at.start, format!("`{}` has no arguments in brackets", words.word(i)));
        if words.word(i + 1) != "(" {
            return Err(unclosed());
        }
        let end = words.closing(i + 1).ok_or_else(unclosed)?;
        blank.push(word.at.start..words.words[end].at.end);
        clauses += 1;
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in blank {
        bytes[range].iter_mut().filter(|b| !matches!(b, b'\n' | b'\r')).for_each(|b| *b = b' ');
    }
    let text = String::from_utf8(bytes).map_err(|_| (0, "the text is not UTF-8".to_owned()))?;
    Ok((text, clauses))
}
