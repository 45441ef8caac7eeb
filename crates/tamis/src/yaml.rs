//! YAML documents, as task definitions and witnesses are written in it.
//!
//! What a file may cost is bounded before it is looked at: its size, how deep it nests, how much its aliases repeat. All
//! scalars are texts here: whether `1e5` is a number or part of a hash is for the reader of the document to know.

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{AliasLimits, DuplicateKeyPolicy};
use serde_saphyr::{Error, Location, Options, Spanned};
use std::fmt;
use std::path::Path;
use tamis_diagnostics::Diagnostic;

/// A larger file is not read.
const LARGEST: u64 = 64 << 20;

/// Values may be nested so deep.
const DEPTH: usize = 64;

/// So much may be repeated by aliases.
const REPEATED: usize = 10_000;

/// A value, and where it begins, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub value: Value,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Scalar(String),
    Sequence(Vec<Node>),
    Mapping(Vec<(String, Node)>),
}

impl Node {
    /// What a mapping has under a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Mapping(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The text of a scalar.
    pub fn scalar(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a sequence; anything else is one item.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::Sequence(items) => items,
            _ => std::slice::from_ref(self),
        }
    }
}

/// A document and its text.
#[derive(Clone, Debug)]
pub struct Document {
    pub name: String,
    text: String,
    pub root: Node,
}

impl Document {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Document, Diagnostic> {
        let name = path.display().to_string();
        let about = |message: String| Diagnostic::about_file(name.clone(), message);
        let unreadable = |e: std::io::Error| about(format!("cannot be read: {e}"));
        let size = std::fs::metadata(path).map_err(unreadable)?.len();
        if size > LARGEST {
            return Err(about(format!("is too large: {} MB", size >> 20)));
        }
        let text = String::from_utf8(std::fs::read(path).map_err(unreadable)?);
        Document::parse(&name, text.map_err(|_| about("is not UTF-8".to_owned()))?)
    }

    /// Reads a text.
    pub fn parse(name: &str, text: String) -> Result<Document, Diagnostic> {
        match serde_saphyr::from_str_with_options::<Spanned<Raw>>(&text, options()) {
            Ok(raw) => {
                let root = node(raw, &text);
                Ok(Document { name: name.to_owned(), text, root })
            }
            Err(error) => {
                let (line, column) = error.location().map_or((1, 1), place);
                let message = one_line(&error);
                Err(diagnostic(name, &text, (line.max(1), column.max(1)), message))
            }
        }
    }

    /// A message about a value.
    pub fn error(&self, node: &Node, message: impl Into<String>) -> Diagnostic {
        diagnostic(&self.name, &self.text, (node.line, node.column), message.into())
    }
}

fn diagnostic(name: &str, text: &str, (line, column): (u32, u32), message: String) -> Diagnostic {
    let source_line = text.lines().nth(line.saturating_sub(1) as usize).map(str::to_owned);
    Diagnostic { file: name.to_owned(), line, column, message, source_line }
}

fn options() -> Options {
    let mut options = Options::default();
    options.with_snippet = false;
    options.duplicate_keys = DuplicateKeyPolicy::Error;
    let mut limits = AliasLimits::default();
    limits.max_total_replayed_events = REPEATED;
    options.alias_limits = limits;
    let mut budget = options.budget.take().unwrap_or_default();
    budget.max_depth = DEPTH;
    budget.flow_nesting_limit = DEPTH;
    options.budget = Some(budget);
    options
}

fn place(location: Location) -> (u32, u32) {
    (location.line() as u32, location.column() as u32)
}

/// What is wrong, without the place, which is told beside it.
fn one_line(error: &Error) -> String {
    let text = error.without_snippet().to_string();
    let text = text.lines().next().unwrap_or("this is not YAML");
    let end = text.find(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

/// A value before it is known where it is.
enum Raw {
    Text(String),
    /// A scalar that looks like something else than a text: what was written is in the source.
    Plain,
    Sequence(Vec<Spanned<Raw>>),
    Mapping(Vec<(String, Spanned<Raw>)>),
}

fn node(raw: Spanned<Raw>, text: &str) -> Node {
    let (line, column) = place(raw.referenced);
    let value = match raw.value {
        Raw::Text(scalar) => Value::Scalar(scalar),
        Raw::Plain => {
            let span = raw.defined.span();
            let ends = span.byte_offset().zip(span.byte_len());
            let written = ends.and_then(|(from, length)| text.get(from as usize..(from + length) as usize));
            Value::Scalar(written.unwrap_or_default().trim().to_owned())
        }
        Raw::Sequence(items) => Value::Sequence(items.into_iter().map(|raw| node(raw, text)).collect()),
        Raw::Mapping(entries) => {
            Value::Mapping(entries.into_iter().map(|(key, raw)| (key, node(raw, text))).collect())
        }
    };
    Node { value, line, column }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

macro_rules! plain {
    ($($visit:ident: $ty:ty),*) => {$(
        fn $visit<E: de::Error>(self, _: $ty) -> Result<Raw, E> {
            Ok(Raw::Plain)
        }
    )*};
}

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    plain!(visit_bool: bool, visit_i64: i64, visit_i128: i128, visit_u64: u64, visit_u128: u128, visit_f64: f64);

    fn visit_unit<E: de::Error>(self) -> Result<Raw, E> {
        Ok(Raw::Plain)
    }

    fn visit_none<E: de::Error>(self) -> Result<Raw, E> {
        Ok(Raw::Plain)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Raw::Sequence(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            all.push(entry);
        }
        Ok(Raw::Mapping(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(name: &str, text: &str) -> Result<Node, Diagnostic> {
        Document::parse(name, text.to_owned()).map(|document| document.root)
    }

    fn scalar<'a>(node: &'a Node, path: &[&str]) -> Option<&'a str> {
        path.iter().try_fold(node, |node, key| node.get(key)).and_then(Node::scalar)
    }

    #[test]
    fn a_task() {
        let text = "format_version: '2.0'\n\n# a comment\ninput_files: 'a # b.c'\nproperties:\n  - property_file: ../p.prp # of the suite\n    expected_verdict: false\n  - property_file: q.prp\noptions:\n  language: C\n  data_model: ILP32\n";
        let node = parse("t.yml", text).expect("it is YAML");
        assert_eq!(scalar(&node, &["format_version"]), Some("2.0"));
        assert_eq!(scalar(&node, &["input_files"]), Some("a # b.c"));
        assert_eq!(scalar(&node, &["options", "data_model"]), Some("ILP32"));
        let properties = node.get("properties").expect("properties").items();
        assert_eq!(scalar(&properties[0], &["property_file"]), Some("../p.prp"));
        assert_eq!(scalar(&properties[0], &["expected_verdict"]), Some("false"));
        assert_eq!(properties[1].line, 8);
    }

    #[test]
    fn sequences() {
        for text in [
            "f:\n  - a.c\n  - \"b.c\"\n",
            "f: [a.c, 'b.c']\n",
            "f:\n- a.c\n-   b.c\n",
            "f:\n  -\n    a.c\n  - b.c",
        ] {
            let node = parse("t.yml", text).expect("it is YAML");
            let items = node.get("f").expect("f").items();
            assert_eq!(
                items.iter().map(|n| n.scalar()).collect::<Vec<_>>(),
                [Some("a.c"), Some("b.c")],
                "{text}"
            );
        }
    }

    #[test]
    fn scalars_are_what_was_written() {
        let text = "a: 2.0\nb: 0012e45\nc: true\nd: 0x10\ne: \"1\\t2\"\nf: |\n  x <\n  y\ng: ~\nh: 99999999999999999999999999999999999999999999999\nü: 1.50\n";
        let node = parse("t.yml", text).expect("it is YAML");
        for (key, value) in [
            ("a", "2.0"),
            ("b", "0012e45"),
            ("c", "true"),
            ("d", "0x10"),
            ("e", "1\t2"),
            ("f", "x <\ny\n"),
            ("h", "99999999999999999999999999999999999999999999999"),
            ("ü", "1.50"),
        ] {
            assert_eq!(scalar(&node, &[key]), Some(value), "{key}");
        }
    }

    #[test]
    fn errors_have_a_place() {
        for (text, line) in [
            ("a: '1'\n\tb: 2\n", 2),
            ("a: 1\na: 2\n", 2),
            ("a: [1, 2\n", 1),
            ("a: 'x\n", 2),
            ("a:\n    b: 1\n  c: 2\n", 3),
            ("a: 1\nb: *nothing\n", 2),
        ] {
            assert_eq!(parse("t.yml", text).expect_err("it is wrong").line, line, "{text}");
        }
    }

    #[test]
    fn what_grows_is_refused() {
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..12 {
            let all = vec![format!("*a{}", i - 1); 10].join(", ");
            laughs += &format!("a{i}: &a{i} [{all}]\n");
        }
        assert!(parse("t.yml", &laughs).is_err());
        assert!(parse("t.yml", &"[".repeat(100_000)).is_err());
        assert!(parse("t.yml", &"- ".repeat(100_000)).is_err());
        let nested = (0..1000).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>();
        assert!(parse("t.yml", &nested).is_err());
    }
}
