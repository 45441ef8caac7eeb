//! The words of a Verilog file, as far as assertions need them: operators of expressions may fall into pieces, those of
//! properties do not.

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name, also `$past` and `` `MACRO ``, or a keyword.
    Name,
    /// A number, a string.
    Literal,
    /// Anything else.
    Operator,
    /// A directive, such as `` `ifdef X ``, with the line that it rules.
    Directive,
}

/// A word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// Where it starts, in bytes.
    pub at: usize,
    /// Whether it follows the word before without a blank.
    pub glued: bool,
}

/// The operators of properties, longest first.
const OPERATORS: &[&str] =
    &["|->", "|=>", "#-#", "#=#", "[->", "<->", "##", "[*", "[=", "&&", "||", "::", "->"];

/// Directives that rule the rest of their line.
const LINES: &[&str] =
    &["include", "timescale", "default_nettype", "line", "pragma", "undef", "begin_keywords"];

/// The words of a text. It has no errors: what is no Verilog is left to Yosys.
pub fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut end) = (0, 0);
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            at += comment.find("*/").map_or(rest.len(), |i| i + 4);
            continue;
        }
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let (kind, length) = word(rest);
        tokens.push(Token { kind, text: rest[..length].to_owned(), at, glued: end == at });
        at += length;
        end = at;
    }
    tokens
}

/// The word at the start of a text.
fn word(text: &str) -> (Kind, usize) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let names = |from: usize| from + text[from..].find(|c| !is_name(c)).unwrap_or(text.len() - from);
    let Some(first) = text.chars().next() else { return (Kind::Operator, 0) };
    match first {
        '"' => (Kind::Literal, string(text)),
        '\\' => (Kind::Name, text.find(char::is_whitespace).unwrap_or(text.len())),
        '`' => directive(text, names(1)),
        '0'..='9' => (Kind::Literal, based(text, names(0))),
        '\'' => match based(text, 0) {
            0 => (Kind::Operator, 1),
            length => (Kind::Literal, length),
        },
        c if is_name(c) => (Kind::Name, names(0)),
        c => match OPERATORS.iter().find(|o| text.starts_with(**o)) {
            Some(operator) => (Kind::Operator, operator.len()),
            None => (Kind::Operator, c.len_utf8()),
        },
    }
}

/// The length of a string with its quotes.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return i,
            '"' if !escaped => return i + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

/// The end of a number whose digits before a base end at `from`: `'b01`, `'sd3`, `'0`.
fn based(text: &str, from: usize) -> usize {
    let Some(rest) = text[from..].strip_prefix('\'') else { return from };
    let digits = rest.strip_prefix(['s', 'S']).unwrap_or(rest);
    let is_base = digits.starts_with(['b', 'o', 'd', 'h', 'B', 'O', 'D', 'H']);
    let is_fill = from == 0 && rest.starts_with(['0', '1', 'x', 'z', 'X', 'Z']);
    if !is_base && !is_fill {
        return from;
    }
    let start = text.len() - digits.len();
    start + digits.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '?').unwrap_or(digits.len())
}

/// A directive, or the use of a macro, whose name ends at `end`.
fn directive(text: &str, end: usize) -> (Kind, usize) {
    let name = &text[1..end];
    let line = || text.find('\n').unwrap_or(text.len());
    match name {
        "define" => {
            // A line that ends with `\` goes on.
            let mut length = 0;
            for line in text.split_inclusive('\n') {
                length += line.len();
                if !line.trim_end_matches(['\r', '\n']).ends_with('\\') {
                    break;
                }
            }
            (Kind::Directive, text[..length].trim_end().len())
        }
        _ if LINES.contains(&name) => (Kind::Directive, text[..line()].trim_end().len()),
        "ifdef" | "ifndef" | "elsif" => {
            let rest = &text[end..];
            let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let name = &rest[blank..];
            let length = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            (Kind::Directive, end + blank + length)
        }
        "else" | "endif" | "resetall" | "celldefine" | "endcelldefine" | "end_keywords" => {
            (Kind::Directive, end)
        }
        _ => (Kind::Name, end),
    }
}

/// Words as text again, in one line.
pub fn join(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        // An escaped name ends with a blank.
        let escaped = i > 0 && tokens[i - 1].text.starts_with('\\');
        if i > 0 && (!token.glued || escaped) {
            text.push(' ');
        }
        text += &token.text;
    }
    if tokens.last().is_some_and(|t| t.text.starts_with('\\')) {
        text.push(' ');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn words_are_told_apart() {
        let text = "a|->b[*2] /* x */ ##[1:$] c // y\n`ifdef X d==4'b0x1 `M(\"a\\\"b\") \\e+ f[->1] '0 `define Q a \\\n b\nz";
        let words: Vec<String> = tokens(text).into_iter().map(|t| t.text).collect();
        let expected = [
            "a",
            "|->",
            "b",
            "[*",
            "2",
            "]",
            "##",
            "[",
            "1",
            ":",
            "$",
            "]",
            "c",
            "`ifdef X",
            "d",
            "=",
            "=",
            "4'b0x1",
            "`M",
            "(",
            "\"a\\\"b\"",
            ")",
            "\\e+",
            "f",
            "[->",
            "1",
            "]",
            "'0",
            "`define Q a \\\n b",
            "z",
        ];
        assert_eq!(words, expected);
    }
}
