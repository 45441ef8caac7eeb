//! Which clauses of contracts there are, and the text without them.

use crate::cprover::Refused;
use crate::cprover::words::Words;
use crate::tree::vocabulary::UNINTERPRETED;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// What a clause says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Requires,
    Ensures,
    Assigns,
    Frees,
    Invariant,
    Decreases,
    /// That a pointer is to a function with a contract, as an older dialect said it.
    OfPointer,
}

/// The clauses of contracts.
const CLAUSES: [(&str, Kind); 8] = [
    ("__CPROVER_requires", Kind::Requires),
    ("__CPROVER_ensures", Kind::Ensures),
    ("__CPROVER_assigns", Kind::Assigns),
    ("__CPROVER_frees", Kind::Frees),
    ("__CPROVER_loop_invariant", Kind::Invariant),
    ("__CPROVER_decreases", Kind::Decreases),
    ("__CPROVER_requires_contract", Kind::OfPointer),
    ("__CPROVER_ensures_contract", Kind::OfPointer),
];

/// A clause of a contract.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) kind: Kind,
    /// Its name.
    pub(super) name: usize,
    /// The words between its brackets.
    pub(super) inside: Range<usize>,
}

impl Clause {
    /// Its bytes.
    pub(super) fn bytes(&self, words: &Words<'_>) -> Range<usize> {
        words.words[self.name].at.start..words.words[self.inside.end].at.end
    }

    /// The word behind it.
    pub(super) fn end(&self) -> usize {
        self.inside.end + 1
    }
}

/// The clause that begins at a word.
pub(super) fn at(words: &Words<'_>, i: usize) -> Option<Result<Clause, Refused>> {
    let (name, kind) = CLAUSES.iter().find(|(name, _)| *name == words.word(i))?;
    let end = (words.word(i + 1) == "(").then(|| words.closing(i + 1)).flatten();
    Some(match end {
        Some(end) => Ok(Clause { kind: *kind, name: i, inside: i + 2..end }),
        None => Err((words.words[i].at.start, format!("`{name}` has no arguments in brackets"))),
    })
}

/// The clauses from a word on, one behind the other, and the word behind them; attributes may stand between.
pub(super) fn from(words: &Words<'_>, mut i: usize) -> Result<(Vec<Clause>, usize), Refused> {
    let mut found = Vec::new();
    loop {
        if let Some(clause) = at(words, i) {
            let clause = clause?;
            i = clause.end();
            found.push(clause);
        } else if matches!(words.word(i), "__attribute__" | "__asm__" | "asm")
            && let Some(end) = words.closing(i + 1)
        {
            i = end + 1;
        } else {
            return Ok((found, i));
        }
    }
}

/// A text with blanks for its clauses, and how many there were. All else stays where it was.
pub(in crate::cprover) fn without(text: &str) -> Result<(String, usize), Refused> {
    let words = Words::of(text);
    let (mut blank, mut clauses, mut declared) = (Vec::new(), 0, FxHashSet::default());
    for i in 0..words.words.len() {
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
        } else if let Some(clause) = at(&words, i) {
            let clause = clause?;
            blank.push(words.words[i].at.start..words.words[clause.inside.end].at.end);
            clauses += 1;
        }
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in blank {
        bytes[range].iter_mut().filter(|b| !matches!(b, b'\n' | b'\r')).for_each(|b| *b = b' ');
    }
    let text = String::from_utf8(bytes).map_err(|_| (0, "the text is not UTF-8".to_owned()))?;
    Ok((text, clauses))
}
