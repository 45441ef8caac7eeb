//! As much of JSON as a compilation database needs.

/// A value. Numbers, `true`, `false` and `null` say nothing there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Json {
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object, in the order of its members.
    Object(Vec<(String, Json)>),
    /// Anything else.
    Other,
}

/// A syntax error, at a byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SyntaxError {
    pub(crate) byte: usize,
    pub(crate) message: &'static str,
}

/// How deep values may nest: a database has three levels.
const DEPTH: usize = 64;

impl Json {
    /// Reads a whole text.
    pub(crate) fn parse(text: &str) -> Result<Json, SyntaxError> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(DEPTH)?;
        reader.blanks();
        if reader.at == text.len() { Ok(value) } else { Err(reader.error("text after the value")) }
    }

    /// The member of an object.
    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(n, _)| n == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, message: &'static str) -> SyntaxError {
        SyntaxError { byte: self.at, message }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|b| b" \t\r\n".contains(&b)) {
            self.at += 1;
        }
    }

    /// Steps over a character, after blanks.
    fn eat(&mut self, wanted: u8) -> bool {
        self.blanks();
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, SyntaxError> {
        self.blanks();
        if depth == 0 {
            return Err(self.error("values nested too deep"));
        }
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'[') => {
                self.at += 1;
                let mut items = Vec::new();
                if self.eat(b']') {
                    return Ok(Json::List(items));
                }
                loop {
                    items.push(self.value(depth - 1)?);
                    if self.eat(b']') {
                        return Ok(Json::List(items));
                    }
                    if !self.eat(b',') {
                        return Err(self.error("`,` or `]` expected"));
                    }
                }
            }
            Some(b'{') => {
                self.at += 1;
                let mut members = Vec::new();
                if self.eat(b'}') {
                    return Ok(Json::Object(members));
                }
                loop {
                    self.blanks();
                    let name = self.string()?;
                    if !self.eat(b':') {
                        return Err(self.error("`:` expected"));
                    }
                    members.push((name, self.value(depth - 1)?));
                    if self.eat(b'}') {
                        return Ok(Json::Object(members));
                    }
                    if !self.eat(b',') {
                        return Err(self.error("`,` or `}` expected"));
                    }
                }
            }
            Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)) {
                    self.at += 1;
                }
                Ok(Json::Other)
            }
            _ => Err(self.error("a value expected")),
        }
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        if self.peek() != Some(b'"') {
            return Err(self.error("a string expected"));
        }
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.text[self.at..].chars().next() else {
                return Err(self.error("a string without an end"));
            };
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(text),
                '\\' => text.push(self.escape()?),
                c => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, SyntaxError> {
        let kind = self.peek().ok_or_else(|| self.error("a string without an end"))?;
        self.at += 1;
        Ok(match kind {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'"' | b'\\' | b'/' => kind as char,
            b'u' => {
                let first = self.unit()?;
                let code = if (0xd800..0xdc00).contains(&first) {
                    if !self.text[self.at..].starts_with("\\u") {
                        return Err(self.error("half of a surrogate pair"));
                    }
                    self.at += 2;
                    let second = self.unit()?;
                    0x10000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
                } else {
                    first
                };
                char::from_u32(code).ok_or_else(|| self.error("half of a surrogate pair"))?
            }
            _ => return Err(self.error("an unknown escape")),
        })
    }

    fn unit(&mut self) -> Result<u32, SyntaxError> {
        let digits = self.text.get(self.at..self.at + 4);
        let unit = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
        let unit = unit.ok_or_else(|| self.error("four hexadecimal digits expected"))?;
        self.at += 4;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_nest() {
        let json = Json::parse(r#" [ {"a": "x\n\"\u00e9\ud83d\ude00", "b": [1, -2.5e3, true, null]}, {} ] "#);
        let Ok(Json::List(items)) = json else { panic!("{json:?}") };
        assert_eq!(items[0].get("a").and_then(Json::text), Some("x\n\"é😀"));
        assert_eq!(items[0].get("b"), Some(&Json::List(vec![Json::Other; 4])));
        assert_eq!(items[1], Json::Object(Vec::new()));
    }

    #[test]
    fn errors_have_a_place() {
        for (text, byte) in
            [("", 0), ("[1 2]", 3), ("{\"a\" 1}", 5), ("\"abc", 4), ("[] x", 3), ("\"\\q\"", 3)]
        {
            assert_eq!(Json::parse(text).map_err(|e| e.byte), Err(byte), "{text}");
        }
        assert!(Json::parse(&"[".repeat(100_000)).is_err());
        assert!(Json::parse("\"\\ud800\"").is_err());
    }
}
