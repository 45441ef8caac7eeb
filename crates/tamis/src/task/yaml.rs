//! As much of YAML as task definitions use: mappings, sequences, and scalars on one line.

use tamis_front_c::Diagnostic;

/// A value, and the line it begins on, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub value: Value,
    pub line: u32,
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

/// Reads a document.
pub fn parse(name: &str, text: &str) -> Result<Node, Diagnostic> {
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let content = without_comment(line);
        if content.trim().is_empty() || content.trim() == "---" {
            continue;
        }
        let indent = content.len() - content.trim_start_matches(' ').len();
        let line = Line { number: number as u32 + 1, indent, content: content.trim().to_owned() };
        if content[indent..].starts_with('\t') {
            return Err(error(name, &line, "lines are indented by spaces, not by tabs"));
        }
        lines.push(line);
    }
    let mut reader = Reader { name, lines, next: 0 };
    let node = reader.block(0)?;
    match reader.peek() {
        None => Ok(node),
        Some(line) => Err(error(name, line, "this line is indented otherwise than those it belongs to")),
    }
}

#[derive(Clone, Debug)]
struct Line {
    number: u32,
    indent: usize,
    content: String,
}

struct Reader<'a> {
    name: &'a str,
    lines: Vec<Line>,
    next: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Line> {
        self.lines.get(self.next)
    }

    /// The value that begins on the next line, if that is indented by at least `indent`.
    fn block(&mut self, indent: usize) -> Result<Node, Diagnostic> {
        let Some(line) = self.peek().filter(|line| line.indent >= indent).cloned() else {
            let line = self.lines.get(self.next.saturating_sub(1)).map_or(1, |line| line.number);
            return Ok(Node { value: Value::Scalar(String::new()), line });
        };
        let value = if line.content == "-" || line.content.starts_with("- ") {
            Value::Sequence(self.sequence(line.indent)?)
        } else if key(&line.content).is_some() {
            Value::Mapping(self.mapping(line.indent)?)
        } else {
            self.next += 1;
            return self.inline(&line.content, &line);
        };
        Ok(Node { value, line: line.number })
    }

    fn sequence(&mut self, indent: usize) -> Result<Vec<Node>, Diagnostic> {
        let mut items = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.indent == indent) {
            let Some(rest) = line.content.strip_prefix('-').filter(|r| r.is_empty() || r.starts_with(' '))
            else {
                break;
            };
            let content = rest.trim_start().to_owned();
            if content.is_empty() {
                self.next += 1;
                items.push(self.block(indent + 1)?);
            } else {
                // What follows the dash is a block of its own, that begins where it stands.
                let inner = indent + 1 + (rest.len() - content.len());
                let line = &mut self.lines[self.next];
                (line.indent, line.content) = (inner, content);
                items.push(self.block(inner)?);
            }
        }
        Ok(items)
    }

    fn mapping(&mut self, indent: usize) -> Result<Vec<(String, Node)>, Diagnostic> {
        let mut entries: Vec<(String, Node)> = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.indent == indent).cloned() {
            let Some((key, rest)) = key(&line.content) else { break };
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(error(self.name, &line, &format!("`{key}` is given twice")));
            }
            self.next += 1;
            let node = if !rest.is_empty() {
                self.inline(rest, &line)?
            } else if self.peek().is_some_and(|l| l.indent == indent && l.content.starts_with("- ")) {
                // A sequence may stand under its key without being indented.
                Node { value: Value::Sequence(self.sequence(indent)?), line: line.number }
            } else {
                self.block(indent + 1)?
            };
            entries.push((key, node));
        }
        Ok(entries)
    }

    /// A value on one line.
    fn inline(&self, text: &str, line: &Line) -> Result<Node, Diagnostic> {
        let value = if let Some(inside) = text.strip_prefix('[') {
            let Some(inside) = inside.strip_suffix(']') else {
                return Err(error(
                    self.name,
                    line,
                    "a list that is opened by `[` ends on the same line by `]`",
                ));
            };
            let parts = inside.split(',').map(str::trim).filter(|part| !part.is_empty());
            Value::Sequence(parts.map(|part| self.inline(part, line)).collect::<Result<_, _>>()?)
        } else if text.starts_with(['{', '&', '*', '!', '|', '>', '%', '@', '`']) {
            return Err(error(self.name, line, "this kind of YAML is not used in task definitions"));
        } else {
            Value::Scalar(unquoted(text).ok_or_else(|| error(self.name, line, "a quote is not closed"))?)
        };
        Ok(Node { value, line: line.number })
    }
}

/// A line `key: rest`, taken apart.
fn key(content: &str) -> Option<(String, &str)> {
    if content.starts_with(['[', '{']) {
        return None;
    }
    if content.starts_with(['"', '\'']) {
        let quote = content.chars().next()?;
        let end = content[1..].find(quote)? + 1;
        let rest = content[end + 1..].trim_start().strip_prefix(':')?;
        return Some((content[1..end].to_owned(), rest.trim()));
    }
    let end = content.find(": ").or_else(|| content.strip_suffix(':').map(str::len))?;
    Some((content[..end].trim().to_owned(), content[end + 1..].trim()))
}

fn unquoted(text: &str) -> Option<String> {
    match text.chars().next() {
        Some('\'') => Some(text[1..].strip_suffix('\'')?.replace("''", "'")),
        Some('"') => Some(text[1..].strip_suffix('"')?.replace("\\\"", "\"").replace("\\\\", "\\")),
        _ => Some(text.to_owned()),
    }
}

/// A line without its comment: from a `#` at its start or after a space, outside of quotes.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (i, c) in line.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if (c == '"' || c == '\'') && (before == ' ' || before == '[' || before == ',') => {
                quote = Some(c);
            }
            None if c == '#' && before == ' ' => return &line[..i],
            None => {}
        }
        before = c;
    }
    line
}

fn error(name: &str, line: &Line, message: &str) -> Diagnostic {
    Diagnostic {
        file: name.to_owned(),
        line: line.number,
        column: line.indent as u32 + 1,
        message: message.to_owned(),
        source_line: Some(format!("{}{}", " ".repeat(line.indent), line.content)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn errors_have_a_place() {
        for (text, line) in [
            ("a: 1\n\tb: 2\n", 2),
            ("a: 1\na: 2\n", 2),
            ("a: [1, 2\n", 1),
            ("a: 'x\n", 1),
            ("a:\n    b: 1\n  c: 2\n", 3),
            ("a: {b: 1}\n", 1),
        ] {
            assert_eq!(parse("t.yml", text).expect_err("it is wrong").line, line, "{text}");
        }
    }
}
