//! Which function of a C file a line is in, by its text alone: an editor asks at every movement of the cursor, and of files that
//! are not C yet.

/// A function's name and its lines, from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: String,
    pub first: u32,
    pub last: u32,
}

/// A name and its line.
type Named = (String, u32);

/// The functions that a text defines, as far as that can be seen without its macros.
pub fn functions(text: &str) -> Vec<Function> {
    let mut found = Vec::new();
    let (mut depth, mut parentheses) = (0_u32, 0_u32);
    // What has been seen of a definition: the last name, the name before the first parenthesis, and where that is.
    let (mut word, mut named): (Option<Named>, Option<Named>) = (None, None);
    let mut open: Option<Named> = None;
    for (token, line) in Tokens::new(text) {
        match token {
            Token::Word(name) => {
                if depth == 0 && parentheses == 0 {
                    word = Some((name.to_owned(), line));
                }
            }
            Token::Mark('(') => {
                if depth == 0 && parentheses == 0 && named.is_none() {
                    // `__attribute__((…))` names nothing.
                    named = word.take().filter(|(name, _)| !name.starts_with("__attribute"));
                }
                parentheses += 1;
            }
            Token::Mark(')') => parentheses = parentheses.saturating_sub(1),
            Token::Mark('{') => {
                if depth == 0 {
                    open = named.take();
                }
                depth += 1;
            }
            Token::Mark('}') => {
                depth = depth.saturating_sub(1);
                if let (0, Some((name, first))) = (depth, open.take_if(|_| depth == 0)) {
                    found.push(Function { name, first, last: line });
                }
                if depth == 0 {
                    (word, named) = (None, None);
                }
            }
            Token::Mark(';' | '=') if depth == 0 && parentheses == 0 => (word, named) = (None, None),
            Token::Mark(_) => {}
        }
    }
    found
}

enum Token<'a> {
    Word(&'a str),
    Mark(char),
}

/// The words and marks of a text with their lines, without comments, literals and directives.
struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0, line: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes on behind so many bytes.
    fn pass(&mut self, bytes: usize) {
        let passed = &self.rest()[..bytes];
        self.line += passed.matches('\n').count() as u32;
        self.at += bytes;
    }

    /// How long a literal is, from its quote to its other one, or to the end of the line.
    fn literal(&self, quote: char) -> usize {
        let mut escaped = false;
        for (at, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => return at,
                c if c == quote => return at + 1,
                _ => {}
            }
        }
        self.rest().len()
    }

    /// How long a directive is: lines that end with a backslash go on.
    fn directive(&self) -> usize {
        let rest = self.rest();
        let mut from = 0;
        while let Some(end) = rest[from..].find('\n') {
            if !rest[..from + end].ends_with('\\') {
                return from + end;
            }
            from += end + 1;
        }
        rest.len()
    }

    fn begins_line(&self) -> bool {
        let before = &self.text[..self.at];
        before[before.rfind('\n').map_or(0, |end| end + 1)..].trim().is_empty()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Token<'a>, u32);

    fn next(&mut self) -> Option<(Token<'a>, u32)> {
        loop {
            let rest = self.rest();
            let c = rest.chars().next()?;
            if rest.starts_with("//") {
                self.pass(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                self.pass(rest.find("*/").map_or(rest.len(), |end| end + 2));
            } else if c == '"' || c == '\'' {
                self.pass(self.literal(c));
            } else if c == '#' && self.begins_line() {
                self.pass(self.directive());
            } else if c.is_alphanumeric() || c == '_' {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let line = self.line;
                self.pass(end);
                return Some((Token::Word(&rest[..end]), line));
            } else {
                let line = self.line;
                self.pass(c.len_utf8());
                if !c.is_whitespace() {
                    return Some((Token::Mark(c), line));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_names_and_lines() {
        let text = "#define OPEN {\\\n  {\nint x = 3, a[] = { 1, 2 };\nstruct s { int (*f)(int); };\n\
            static int twice(int x) /* { */\n{\n  char *s = \"}\", c = '}';\n  if (x) { x++; }\n  return 2 * x;\n}\n\
            int declared(void);\n__attribute__((noreturn)) void stop(int code) { for (;;) ; }\n\
            int (*table[2])(int) = { 0 };\nint main(void) {\n";
        let names: Vec<_> = functions(text).into_iter().map(|f| (f.name, f.first, f.last)).collect();
        assert_eq!(names, [("twice".to_owned(), 4, 9), ("stop".to_owned(), 11, 11)]);
    }

    #[test]
    fn anything_is_taken() {
        for text in ["", "\"", "'", "/*", "#", "}}}}", "((((", "{{{", "int f(", "ü(ä){}", "# \\\n", "f(){'\\"]
        {
            functions(text);
        }
        assert_eq!(functions("ü(ä){}").len(), 1);
    }
}
