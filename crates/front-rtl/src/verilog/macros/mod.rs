//! Macros, as far as assertions come from them.
//!
//! Yosys has a preprocessor, but it works on a file at a time with the parser, and assertions have to be replaced before. So the uses
//! of macros that make assertions, and those inside of assertions, are expanded in the text; all other uses, and the directives,
//! stay for Yosys. An expansion stands in the line of its use, which keeps all lines in their places.

mod table;

use super::sva::lexer::{Kind, Token, tokens};
use super::sva::words::{arguments, closing, is_operator};
use std::ops::Range;
use std::path::{Path, PathBuf};
pub use table::Macros;

/// How deep files may include each other.
const MAX_DEPTH: usize = 32;

/// A text with some macros expanded.
#[derive(Debug)]
pub struct Expanded {
    /// The text.
    pub text: String,
    /// Parts of it, in bytes, and what parts of the file they come from.
    parts: Vec<(Range<usize>, Range<usize>)>,
}

impl Expanded {
    /// Where in the file something comes from.
    pub fn original(&self, at: usize) -> usize {
        let before = self.parts.partition_point(|(new, _)| new.start <= at);
        match before.checked_sub(1).map(|i| &self.parts[i]) {
            None => at,
            Some((new, old)) if at < new.end => old.start,
            Some((new, old)) => at - new.end + old.end,
        }
    }
}

/// What finds a file by its name that another one includes, and its text.
pub type Include<'a> = &'a dyn Fn(&Path, &str) -> Option<(PathBuf, String)>;

/// Reads the definitions of a file, and expands what assertions come from.
pub fn expand(path: &Path, text: &str, macros: &mut Macros, include: Include) -> Expanded {
    let edits = walk(path, text, macros, include, 0);
    edited(text, edits)
}

fn walk(path: &Path, text: &str, macros: &mut Macros, include: Include, depth: usize) -> Vec<Edit> {
    let tokens = tokens(text);
    let (conditions, edits) = (Vec::new(), Vec::new());
    let mut walk = Walk { path, text, tokens: &tokens, macros, include, conditions, edits };
    walk.all(depth);
    walk.edits
}

/// A part of a text, in bytes, and what stands there instead.
type Edit = (Range<usize>, String);

/// Whether words are about assertions.
fn is_assertion(words: &[Token]) -> bool {
    let keywords = ["assert", "assume", "cover", "restrict", "property", "sequence", "clocking", "disable"];
    words.iter().any(|t| is_operator(t) && t.kind == Kind::Operator || keywords.contains(&t.text.as_str()))
}

/// A conditional directive.
struct Condition {
    /// Whether its text counts, as far as this condition goes.
    active: bool,
    /// Whether one of its texts counted before.
    taken: bool,
}

struct Walk<'a> {
    path: &'a Path,
    text: &'a str,
    tokens: &'a [Token],
    macros: &'a mut Macros,
    include: Include<'a>,
    conditions: Vec<Condition>,
    edits: Vec<Edit>,
}

impl Walk<'_> {
    fn word(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |t| t.text.as_str())
    }

    fn bytes(&self, words: Range<usize>) -> Range<usize> {
        let last = &self.tokens[words.end - 1];
        self.tokens[words.start].at..last.at + last.text.len()
    }

    fn all(&mut self, depth: usize) {
        let mut i = 0;
        // The end of the assertion around.
        let mut assertion = 0;
        while i < self.tokens.len() {
            let token = &self.tokens[i];
            let active = self.conditions.iter().all(|c| c.active);
            if i >= assertion && active {
                assertion = self.assertion(i).unwrap_or(assertion);
            }
            if token.kind == Kind::Directive {
                let conditional = self.directive(&token.text, active, depth);
                if conditional && i < assertion && self.macros.is_complete {
                    self.edits.push((self.bytes(i..i + 1), String::new()));
                }
            } else if !active && i < assertion && self.macros.is_complete {
                self.edits.push((self.bytes(i..i + 1), String::new()));
            } else if active && token.text.starts_with('`') {
                i = self.usage(i, i < assertion);
                continue;
            }
            i += 1;
        }
    }

    /// Where an assertion or the definition of a property ends that starts here.
    fn assertion(&self, i: usize) -> Option<usize> {
        let end_of = |word: &str| (i..self.tokens.len()).find(|&j| self.word(j) == word);
        match (self.word(i), self.word(i + 1)) {
            ("assert" | "assume" | "cover" | "restrict", "property" | "sequence") => {
                (self.word(i + 2) == "(").then(|| closing(self.tokens, i + 2)).flatten()
            }
            ("property", _) => end_of("endproperty"),
            ("sequence", _) => end_of("endsequence"),
            _ => None,
        }
    }

    /// Follows a directive. Returns whether it is a condition.
    fn directive(&mut self, text: &str, active: bool, depth: usize) -> bool {
        let (name, rest) = text[1..].split_once(|c: char| c.is_whitespace()).unwrap_or((&text[1..], ""));
        let rest = rest.trim();
        match name {
            "ifdef" | "ifndef" => {
                let holds = self.macros.is_defined(rest) == (name == "ifdef");
                self.conditions.push(Condition { active: holds, taken: holds });
            }
            "elsif" | "else" => {
                let holds = name == "else" || self.macros.is_defined(rest);
                if let Some(last) = self.conditions.last_mut() {
                    last.active = holds && !last.taken;
                    last.taken |= last.active;
                }
            }
            "endif" => {
                self.conditions.pop();
            }
            "define" if active => {
                self.macros.define(rest);
                return false;
            }
            "undef" if active => {
                self.macros.undefine(rest);
                return false;
            }
            "include" if active && depth < MAX_DEPTH => {
                match (self.include)(self.path, rest.trim_matches('"')) {
                    Some((path, text)) => {
                        walk(&path, &text, self.macros, self.include, depth + 1);
                    }
                    // Yosys may find what we do not, and other conditions may hold then.
                    None => self.macros.is_complete = false,
                }
                return false;
            }
            _ => return false,
        }
        true
    }

    /// The use of a macro. Returns the word behind it.
    fn usage(&mut self, i: usize, in_assertion: bool) -> usize {
        let name = &self.word(i)[1..];
        let Some(has_arguments) = self.macros.has_arguments(name) else { return i + 1 };
        let mut end = i + 1;
        let mut actuals = Vec::new();
        if has_arguments && self.word(end) == "(" {
            let Some(close) = closing(self.tokens, end) else { return end };
            for argument in arguments(&self.tokens[end + 1..close - 1]) {
                let part = argument.first().zip(argument.last());
                let text = part.map_or("", |(a, b)| &self.text[a.at..b.at + b.text.len()]);
                actuals.push(text.to_owned());
            }
            end = close;
        }
        let Some(text) = self.macros.expansion(name, &actuals) else { return end };
        if in_assertion || is_assertion(&tokens(&text)) {
            self.edits.push((self.bytes(i..end), text.replace(['\n', '\r'], " ")));
        }
        end
    }
}

/// A text with its edits; lines stay lines.
fn edited(text: &str, edits: Vec<Edit>) -> Expanded {
    let mut expanded = Expanded { text: String::new(), parts: Vec::new() };
    let mut at = 0;
    for (old, by) in edits {
        expanded.text += &text[at..old.start];
        let start = expanded.text.len();
        expanded.text += &by;
        expanded.text.extend(std::iter::repeat_n('\n', text[old.clone()].matches('\n').count()));
        at = old.end;
        expanded.parts.push((start..expanded.text.len(), old));
    }
    expanded.text += &text[at..];
    expanded
}

#[cfg(test)]
mod tests {
    use super::{Macros, expand};
    use std::path::Path;

    #[test]
    fn what_makes_assertions_is_expanded_in_its_place() {
        let header = "`define ASSERT(n, p, c = clk) n``_A: assert property (@(posedge c) p) \\\n  else $error(`\"n`\");\n";
        let include = |_: &Path, name: &str| (name == "assert.svh").then(|| (name.into(), header.to_owned()));
        let text = "`include \"assert.svh\"\n`define N 2\nwire [`N:0] x;\n`ASSERT(first, a |-> ##`N b)\n`ASSERT(second,\n  a, other) wire y;\n\
                    `ifdef NOT\n`define N 3\n`endif\nassert property (`ifdef NOT a `else b `endif |-> `N == 2);\n";
        let mut macros = Macros::new(&[]);
        let expanded = expand(Path::new("a.sv"), text, &mut macros, &include);
        let lines: Vec<&str> = expanded.text.lines().collect();
        assert_eq!(lines.len(), text.lines().count());
        assert_eq!(lines[2], "wire [`N:0] x;");
        assert_eq!(
            lines[3].trim_end(),
            "first_A: assert property (@(posedge clk) a |-> ##2 b)    else $error(\"first\");"
        );
        assert!(lines[4].starts_with("second_A: assert property (@(posedge other) a)"), "{}", lines[4]);
        assert_eq!(lines[5], " wire y;");
        assert_eq!(
            lines[9].split_whitespace().collect::<Vec<_>>().join(" "),
            "assert property ( b |-> 2 == 2);"
        );
        let place = expanded.original(expanded.text.find("wire y").expect("it is there"));
        assert_eq!(&text[place..place + 6], "wire y");
        let place = expanded.original(expanded.text.find("##2").expect("it is there"));
        assert_eq!(&text[place..place + 13], "`ASSERT(first");
    }

    #[test]
    fn what_expands_to_itself_ends() {
        let mut text = "`define A `B assert\n`define B `A `A\n`A\n".to_owned();
        // Each is two of the next: more than anybody wants.
        for i in 0..40 {
            text += &format!("`define N{i} `N{0} `N{0}\n", i + 1);
        }
        text += "`define N40 assert\n`N0\n";
        let mut macros = Macros::new(&["X=1".to_owned()]);
        assert_eq!(expand(Path::new("a.sv"), &text, &mut macros, &|_, _| None).text, text);
    }
}
