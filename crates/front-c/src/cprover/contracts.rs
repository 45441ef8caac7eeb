//! Contracts of functions and loops: which clauses there are, and the text without them.

use super::Refused;
use super::words::Words;

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
    let (mut blank, mut clauses) = (Vec::new(), 0);
    for (i, word) in words.words.iter().enumerate() {
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
