//! Expressions of Verilog as text, with the operators that Yosys does not read: `a -> b` and `a <-> b` (IEEE 1800-2017,
//! 11.4.7). They bind weaker than all others, and to the right.

use super::lexer::{Token, join};
use super::words::{arguments, closing_bracket};

/// The text of an expression for Yosys.
pub fn expression_text(tokens: &[Token]) -> String {
    if has_arrows(tokens) { list(tokens) } else { join(tokens) }
}

/// Whether an expression has operators that Yosys does not read.
pub fn has_arrows(tokens: &[Token]) -> bool {
    tokens.iter().any(is_arrow)
}

fn is_arrow(token: &Token) -> bool {
    token.text == "->" || token.text == "<->"
}

/// Expressions between commas.
fn list(tokens: &[Token]) -> String {
    arguments(tokens).iter().map(|one| operand(one)).collect::<Vec<_>>().join(", ")
}

fn operand(tokens: &[Token]) -> String {
    let mut i = 0;
    while i < tokens.len() {
        if is_arrow(&tokens[i]) {
            let (left, right) = (plain(&tokens[..i]), operand(&tokens[i + 1..]));
            return match tokens[i].text.as_str() {
                "->" => format!("(!({left}) || ({right}))"),
                _ => format!("(!({left}) == !({right}))"),
            };
        }
        i = closing_bracket(tokens, i).unwrap_or(i + 1);
    }
    plain(tokens)
}

/// An expression without such operators outside of brackets.
fn plain(tokens: &[Token]) -> String {
    let (mut text, mut from, mut i) = (String::new(), 0, 0);
    while i < tokens.len() {
        match closing_bracket(tokens, i) {
            Some(close) => {
                text += &join(&tokens[from..=i]);
                text += &list(&tokens[i + 1..close - 1]);
                (from, i) = (close - 1, close);
            }
            None => i += 1,
        }
    }
    text + &join(&tokens[from..])
}

#[cfg(test)]
mod tests {
    use super::super::lexer::tokens;
    use super::expression_text;

    #[test]
    fn arrows_bind_weakest_and_to_the_right() {
        for (text, expected) in [
            ("a && b", "a && b"),
            ("a || b -> c -> d", "(!(a || b) || ((!(c) || (d))))"),
            ("f(a -> b, c) ? d[1] : e <-> g", "(!(f((!(a) || (b)), c) ? d[1] : e) == !(g))"),
            ("!(a -> b)", "!((!(a) || (b)))"),
        ] {
            assert_eq!(expression_text(&tokens(text)), expected);
        }
    }
}
