//! The macros that are defined, and their expansion (IEEE 1800-2017, 22.5.1).

use super::super::sva::lexer::tokens;
use super::super::sva::words::{arguments, closing};
use rustc_hash::FxHashMap;

/// How deep macros may use each other.
const MAX_DEPTH: usize = 64;

/// How many macros one use may expand.
const MAX_EXPANSIONS: usize = 10_000;

/// How long an expansion may be, in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// What a macro stands for.
#[derive(Clone, Debug)]
struct Macro {
    /// Its arguments, with what they are if they are not given; none if it takes none.
    formals: Option<Vec<(String, Option<String>)>>,
    body: String,
}

/// The macros that are defined.
#[derive(Clone, Debug)]
pub struct Macros {
    defined: FxHashMap<String, Macro>,
    /// Whether all files that may define some were found.
    pub is_complete: bool,
}

impl Macros {
    /// Those that Yosys defines, and the user's, as `NAME` or `NAME=VALUE`.
    pub fn new(user: &[String]) -> Macros {
        let mut macros = Macros { defined: FxHashMap::default(), is_complete: true };
        for definition in ["YOSYS=1", "FORMAL=1"].into_iter().chain(user.iter().map(String::as_str)) {
            let (name, body) = definition.split_once('=').unwrap_or((definition, ""));
            macros.defined.insert(name.to_owned(), Macro { formals: None, body: body.to_owned() });
        }
        macros
    }

    /// Whether a name is defined.
    pub fn is_defined(&self, name: &str) -> bool {
        self.defined.contains_key(name)
    }

    /// Whether a macro takes arguments; none if it is not defined.
    pub fn has_arguments(&self, name: &str) -> Option<bool> {
        self.defined.get(name).map(|m| m.formals.is_some())
    }

    /// Takes a definition, as it stands behind `` `define ``.
    pub fn define(&mut self, text: &str) {
        let end = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        let mut formals = None;
        // Arguments follow without a blank.
        if rest.starts_with('(') {
            let words = tokens(rest);
            let Some(close) = closing(&words, 0) else { return };
            let all = arguments(&words[1..close - 1]);
            formals = Some(
                all.iter()
                    .filter_map(|argument| {
                        let (first, last) = (argument.first()?, argument.last()?);
                        let default = argument
                            .get(1)
                            .filter(|t| t.text == "=")
                            .map(|equals| rest[equals.at + 1..last.at + last.text.len()].trim().to_owned());
                        Some((first.text.clone(), default))
                    })
                    .collect(),
            );
            let behind = words[close - 1].at + 1;
            rest = &rest[behind..];
        }
        let body = rest.lines().map(|line| uncommented(line.trim_end().trim_end_matches('\\')));
        let body = body.collect::<Vec<_>>().join(" ").trim().to_owned();
        self.defined.insert(name.to_owned(), Macro { formals, body });
    }

    /// Forgets a macro.
    pub fn undefine(&mut self, name: &str) {
        self.defined.remove(name.split_whitespace().next().unwrap_or(name));
    }

    /// What the use of a macro stands for; none if it is not a right use.
    pub fn expansion(&self, name: &str, actuals: &[String]) -> Option<String> {
        self.expand(name, actuals, 0, &mut { MAX_EXPANSIONS })
    }

    fn expand(&self, name: &str, actuals: &[String], depth: usize, left: &mut usize) -> Option<String> {
        let definition = self.defined.get(name).filter(|_| depth < MAX_DEPTH)?;
        *left = left.checked_sub(1)?;
        let formals = definition.formals.as_deref().unwrap_or_default();
        if actuals.len() > formals.len() {
            return None;
        }
        let mut values: FxHashMap<&str, &str> = FxHashMap::default();
        for (i, (formal, default)) in formals.iter().enumerate() {
            let given = actuals.get(i).map(String::as_str).filter(|a| !a.is_empty() || default.is_none());
            values.insert(formal, given.or(default.as_deref())?);
        }
        let text = substituted(&definition.body, &values);
        // Macros in it.
        let words = tokens(&text);
        let (mut expanded, mut at, mut i) = (String::new(), 0, 0);
        while i < words.len() {
            let used =
                words[i].text.strip_prefix('`').and_then(|name| Some((name, self.has_arguments(name)?)));
            let Some((name, has_arguments)) = used else {
                i += 1;
                continue;
            };
            let start = words[i].at;
            let mut last = i;
            let mut inner = Vec::new();
            if has_arguments && words.get(i + 1).is_some_and(|t| t.text == "(") {
                let close = closing(&words, i + 1)?;
                for argument in arguments(&words[i + 2..close - 1]) {
                    let part = argument.first().zip(argument.last());
                    inner.push(part.map_or("", |(a, b)| &text[a.at..b.at + b.text.len()]).to_owned());
                }
                last = close - 1;
            }
            expanded += &text[at..start];
            expanded += &self.expand(name, &inner, depth + 1, left)?;
            if expanded.len() > MAX_LENGTH {
                return None;
            }
            at = words[last].at + words[last].text.len();
            i = last + 1;
        }
        Some(expanded + &text[at..])
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A line without the comment at its end.
fn uncommented(line: &str) -> &str {
    let mut quoted = false;
    for (i, c) in line.char_indices() {
        quoted ^= c == '"';
        if !quoted && line[i..].starts_with("//") {
            return &line[..i];
        }
    }
    line
}

/// A body with its arguments; ` `` ` joins words, and `` `" `` is a quote around which arguments count.
fn substituted(body: &str, values: &FxHashMap<&str, &str>) -> String {
    let mut text = String::new();
    let mut rest = body;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        let name = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        let length = if let Some(behind) = rest.strip_prefix("``") {
            rest.len() - behind.len()
        } else if rest.starts_with("`\"") {
            text.push('"');
            2
        } else if name > 0 {
            let word = &rest[..name];
            text += if quoted { word } else { values.get(word).copied().unwrap_or(word) };
            name
        } else {
            quoted ^= c == '"';
            text.push(c);
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    text
}
