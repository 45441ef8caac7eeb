//! Words of properties: what is an operator, what closes a bracket, what separates arguments.

use super::lexer::{Kind, Token, join};

/// A message about a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Where the word starts, in bytes.
    pub at: usize,
    /// Why it is not taken.
    pub message: String,
}

/// A clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// `posedge` or `negedge`.
    pub edge: String,
    /// The signal.
    pub signal: String,
}

/// Words that are operators of sequences and properties.
const WORDS: &[&str] = &[
    "and",
    "or",
    "not",
    "intersect",
    "throughout",
    "within",
    "first_match",
    "until",
    "until_with",
    "s_until",
    "s_until_with",
    "implies",
    "iff",
    "nexttime",
    "s_nexttime",
    "always",
    "s_always",
    "eventually",
    "s_eventually",
    "strong",
    "weak",
    "accept_on",
    "reject_on",
    "sync_accept_on",
    "sync_reject_on",
    "case",
    "endcase",
];

/// Symbols that are.
const SYMBOLS: &[&str] = &["|->", "|=>", "#-#", "#=#", "##", "[*", "[=", "[->"];

/// Whether a word is an operator of sequences and properties.
pub fn is_operator(token: &Token) -> bool {
    match token.kind {
        Kind::Name => WORDS.contains(&token.text.as_str()),
        Kind::Operator => SYMBOLS.contains(&token.text.as_str()),
        Kind::Literal | Kind::Directive => false,
    }
}

/// The index behind the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "(" | "[" | "{" | "[*" | "[=" | "[->" if token.kind == Kind::Operator => depth += 1,
            ")" | "]" | "}" if token.kind == Kind::Operator => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The index behind the bracket that closes the one at `open`, if there is one.
pub fn closing_bracket(tokens: &[Token], open: usize) -> Option<usize> {
    let opens = ["(", "[", "{"].contains(&tokens.get(open)?.text.as_str());
    opens.then(|| closing(tokens, open)).flatten()
}

/// Arguments, which commas separate.
pub fn arguments(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut all: Vec<Vec<Token>> = Vec::new();
    let mut depth = 0;
    for token in tokens {
        match token.text.as_str() {
            "(" | "[" | "{" | "[*" | "[=" | "[->" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                all.push(Vec::new());
                continue;
            }
            _ => {}
        }
        match all.last_mut() {
            Some(last) => last.push(token.clone()),
            None => all.push(vec![token.clone()]),
        }
    }
    all
}

/// `(posedge name)` or `posedge name` behind an `@`.
pub fn clock_event(tokens: &[Token], next: &mut usize) -> Option<Clock> {
    let text = |i: usize| tokens.get(i).map(|t| t.text.as_str());
    let parenthesis = text(*next) == Some("(");
    let start = *next + usize::from(parenthesis);
    let edge = text(start).filter(|e| ["posedge", "negedge"].contains(e))?.to_owned();
    let mut end = start + 1;
    while tokens.get(end).is_some_and(|t| t.kind == Kind::Name || t.text == ".") {
        end += 1;
        if text(end) != Some(".") && tokens[end - 1].text != "." {
            break;
        }
    }
    let signal = join(tokens.get(start + 1..end)?);
    if signal.is_empty() || (parenthesis && text(end) != Some(")")) {
        return None;
    }
    *next = end + usize::from(parenthesis);
    Some(Clock { edge, signal })
}
