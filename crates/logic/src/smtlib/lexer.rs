//! Tokens of SMT-LIB, read from a stream.

use super::error::{Error, ErrorKind, Position};
use std::io::Read;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Open,
    Close,
    Symbol(String),
    /// A symbol in bars, which are not part of it: never a reserved word.
    Quoted(String),
    /// With its colon.
    Keyword(String),
    Numeral(String),
    Decimal(String),
    /// Without `#x`.
    Hexadecimal(String),
    /// Without `#b`.
    Binary(String),
    String(String),
    End,
}

impl Token {
    /// The token as it is written.
    pub fn text(&self) -> String {
        match self {
            Token::Open => "(".into(),
            Token::Close => ")".into(),
            Token::Symbol(s) | Token::Keyword(s) | Token::Numeral(s) | Token::Decimal(s) => s.clone(),
            Token::Quoted(s) => format!("|{s}|"),
            Token::Hexadecimal(s) => format!("#x{s}"),
            Token::Binary(s) => format!("#b{s}"),
            Token::String(s) => format!("\"{}\"", s.replace('"', "\"\"")),
            Token::End => "end of input".into(),
        }
    }
}

/// No token is longer.
const MAX_TOKEN: usize = 1 << 24;

/// No recorded text is longer.
const MAX_RECORD: usize = 1 << 24;

const CHUNK: usize = 1 << 14;

/// Texts that are looked up as a whole are not longer.
const MAX_ENCLOSED: usize = 96;

pub(crate) struct Lexer<'a> {
    source: Box<dyn Read + 'a>,
    /// What has been read last is its first part.
    buffer: Box<[u8]>,
    filled: usize,
    at: usize,
    /// For each `(` in the buffer how far its `)` is, if that is near and all between them is plain; 0 otherwise.
    spans: Box<[u8]>,
    /// Places of `(` without `)`, kept for its memory.
    unclosed: Vec<usize>,
    here: Position,
    /// How many parentheses are open.
    depth: u64,
    peeked: Option<(Token, Position)>,
    recorded: Option<String>,
}

impl<'a> Lexer<'a> {
    pub fn new(source: Box<dyn Read + 'a>) -> Lexer<'a> {
        let here = Position { line: 1, column: 1 };
        Lexer {
            source,
            buffer: vec![0; CHUNK].into_boxed_slice(),
            filled: 0,
            at: 0,
            spans: vec![0; CHUNK].into_boxed_slice(),
            unclosed: Vec::new(),
            here,
            depth: 0,
            peeked: None,
            recorded: None,
        }
    }

    pub fn next(&mut self) -> Result<(Token, Position), Error> {
        let (token, position) = match self.peeked.take() {
            Some(peeked) => peeked,
            None => self.scan()?,
        };
        match token {
            Token::Open => self.depth += 1,
            Token::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if let Some(text) = &mut self.recorded {
            let tight = text.is_empty() || text.ends_with('(') || token == Token::Close;
            text.push_str(if tight { "" } else { " " });
            text.push_str(&token.text());
            if text.len() > MAX_RECORD {
                return Err(Error::new(ErrorKind::Limit, position, "an expression too long to keep"));
            }
        }
        Ok((token, position))
    }

    pub fn peek(&mut self) -> Result<&Token, Error> {
        if self.peeked.is_none() {
            self.peeked = Some(self.scan()?);
        }
        Ok(self.peeked.as_ref().map_or(&Token::End, |(token, _)| token))
    }

    /// Where the next token is.
    pub fn position(&mut self) -> Result<Position, Error> {
        self.peek()?;
        Ok(self.peeked.as_ref().map_or(self.here, |(_, position)| *position))
    }

    /// Passes over spaces, so that the next token may begin here; `false` if one has been read ahead, or is to be kept.
    fn pass_spaces(&mut self) -> bool {
        if self.peeked.is_some() || self.recorded.is_some() {
            return false;
        }
        while self.at < self.filled && self.buffer[self.at] == b' ' {
            self.take(1);
        }
        true
    }

    /// The text from behind the next token, which is a `(`, up to its `)`, if it is short, plain and at hand.
    pub fn enclosed(&mut self) -> Option<(&[u8], Position)> {
        if !self.pass_spaces() {
            return None;
        }
        let length = usize::from(*self.spans[..self.filled].get(self.at)?);
        (length > 0).then(|| (&self.buffer[self.at + 1..][..length], self.here))
    }

    /// Passes over the `(` before what [`enclosed`](Lexer::enclosed) gave.
    pub fn enter(&mut self) {
        self.take(1);
        self.depth += 1;
    }

    /// Finds the `)` of each `(` in the buffer: to look for it at each one would mean to look at most bytes again and again.
    fn measure(&mut self) {
        let words = self.filled.div_ceil(8);
        self.buffer[self.filled..8 * words].fill(b' ');
        let (buffer, spans) = (&self.buffer[..8 * words], &mut self.spans[..8 * words]);
        let unclosed = &mut self.unclosed;
        unclosed.clear();
        // A loop without branches first: most bytes say nothing.
        for (span, &byte) in spans.iter_mut().zip(buffer) {
            *span = u8::from(says_something(byte));
        }
        for word in 0..words {
            let places = 8 * word..8 * word + 8;
            let Ok(marks) = <[u8; 8]>::try_from(&spans[places.clone()]) else { return };
            let mut marks = u64::from_le_bytes(marks);
            spans[places.clone()].fill(0);
            while marks != 0 {
                let at = places.start + marks.trailing_zeros() as usize / 8;
                marks &= marks - 1;
                match buffer[at] {
                    b'(' => unclosed.push(at),
                    b')' => {
                        let start = unclosed.pop();
                        if let Some(start) = start.filter(|start| at - start <= MAX_ENCLOSED) {
                            spans[start] = (at - start) as u8;
                        }
                    }
                    // Quotes, comments, annotations: no text around them is plain.
                    _ => unclosed.clear(),
                }
            }
        }
    }

    /// The next token if that is a symbol without bars and at hand as a whole: most need not be copied.
    pub fn at_hand(&mut self) -> Option<&[u8]> {
        if !self.pass_spaces() {
            return None;
        }
        let rest = &self.buffer[self.at..self.filled];
        let run = rest.iter().position(|&byte| !is_symbol_byte(byte))?;
        let is_symbol = rest[..run].first().is_some_and(|first| !first.is_ascii_digit());
        is_symbol.then_some(&rest[..run])
    }

    /// Passes over so many bytes of one line.
    pub fn take(&mut self, length: usize) {
        self.at += length;
        self.here.column += length as u64;
    }

    /// Starts to keep the text of what is read.
    pub fn record(&mut self) {
        self.recorded = Some(String::new());
    }

    /// The text that was read since [`record`](Lexer::record).
    pub fn take_record(&mut self) -> String {
        self.recorded.take().unwrap_or_default()
    }

    /// Reads up to the end of the command whose reading failed.
    pub fn skip_command(&mut self) -> Result<(), Error> {
        self.recorded = None;
        while self.depth > 0 {
            match self.next() {
                Ok((Token::End, _)) => self.depth = 0,
                Err(error) if error.kind == ErrorKind::Io => return Err(error),
                // Bytes that are no token were passed over.
                _ => {}
            }
        }
        Ok(())
    }

    /// The byte at hand; `None` at the end.
    fn byte(&mut self) -> Result<Option<u8>, Error> {
        if self.at == self.filled {
            self.fill()?;
        }
        Ok(self.buffer[..self.filled].get(self.at).copied())
    }

    /// Reads on.
    #[cold]
    fn fill(&mut self) -> Result<(), Error> {
        (self.at, self.filled) = (0, 0);
        self.filled = loop {
            match self.source.read(&mut self.buffer) {
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::new(ErrorKind::Io, self.here, format!("cannot read: {e}"))),
                Ok(read) => break read,
            }
        };
        self.measure();
        Ok(())
    }

    fn advance(&mut self, byte: u8) {
        self.at += 1;
        match byte {
            b'\n' => self.here = Position { line: self.here.line + 1, column: 1 },
            0x80..=0xbf => {}
            _ => self.here.column += 1,
        }
    }

    fn error(&self, message: &str) -> Error {
        Error::new(ErrorKind::Syntax, self.here, message)
    }

    #[inline]
    fn scan(&mut self) -> Result<(Token, Position), Error> {
        loop {
            let position = self.here;
            let Some(byte) = self.byte()? else { return Ok((Token::End, position)) };
            self.advance(byte);
            let token = match byte {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b';' => {
                    while let Some(byte) = self.byte()?
                        && byte != b'\n'
                    {
                        self.advance(byte);
                    }
                    continue;
                }
                b'(' => Token::Open,
                b')' => Token::Close,
                b'|' => Token::Quoted(self.until_bar(position)?),
                b'"' => Token::String(self.string(position)?),
                b'#' => self.literal(position)?,
                b':' => Token::Keyword(self.word(b':')?),
                b'0'..=b'9' => self.number(byte, position)?,
                byte if is_symbol_byte(byte) => Token::Symbol(self.word(byte)?),
                _ => {
                    let shown = char::from(byte).escape_default().to_string();
                    let error = Error::new(ErrorKind::Syntax, position, "not a token of SMT-LIB");
                    return Err(error.at_token(&shown));
                }
            };
            return Ok((token, position));
        }
    }

    /// The longest run of symbol characters, after `first`.
    fn word(&mut self, first: u8) -> Result<String, Error> {
        let mut text = String::new();
        loop {
            let rest = &self.buffer[self.at..self.filled];
            let run = rest.iter().position(|&byte| !is_symbol_byte(byte)).unwrap_or(rest.len());
            if text.len() + run > MAX_TOKEN {
                return Err(Error::new(ErrorKind::Limit, self.here, "a token longer than 2^24 characters"));
            }
            if text.is_empty() {
                text.reserve_exact(run + 1);
                text.push(char::from(first));
            }
            // All of them are ASCII.
            text.push_str(std::str::from_utf8(&rest[..run]).unwrap_or_default());
            self.at += run;
            self.here.column += run as u64;
            if self.at < self.filled || !self.byte()?.is_some_and(is_symbol_byte) {
                return Ok(text);
            }
        }
    }

    fn push(&mut self, text: &mut String, byte: u8) -> Result<(), Error> {
        if text.len() == MAX_TOKEN {
            return Err(Error::new(ErrorKind::Limit, self.here, "a token longer than 2^24 characters"));
        }
        self.advance(byte);
        text.push(char::from(byte));
        Ok(())
    }

    fn number(&mut self, first: u8, position: Position) -> Result<Token, Error> {
        let mut text = String::from(char::from(first));
        let mut decimal = false;
        while let Some(byte) = self.byte()? {
            if byte == b'.' && !decimal {
                decimal = true;
            } else if !byte.is_ascii_digit() {
                break;
            }
            self.push(&mut text, byte)?;
        }
        let bad = |what: &str| Err(Error::new(ErrorKind::Syntax, position, what).at_token(&text));
        if self.byte()?.is_some_and(is_symbol_byte) || text.ends_with('.') {
            return bad("a malformed number");
        }
        let whole = text.split('.').next().unwrap_or_default();
        if whole.len() > 1 && whole.starts_with('0') {
            return bad("a number with a leading zero");
        }
        Ok(if decimal { Token::Decimal(text) } else { Token::Numeral(text) })
    }

    fn literal(&mut self, position: Position) -> Result<Token, Error> {
        let text = self.word(b'#')?;
        let malformed = || Error::new(ErrorKind::Syntax, position, "a malformed bit-vector").at_token(&text);
        match (text.get(..2), text.get(2..).unwrap_or_default()) {
            (_, "") => Err(malformed()),
            (Some("#x"), digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
                Ok(Token::Hexadecimal(digits.to_owned()))
            }
            (Some("#b"), digits) if digits.bytes().all(|b| b == b'0' || b == b'1') => {
                Ok(Token::Binary(digits.to_owned()))
            }
            _ => Err(malformed()),
        }
    }

    fn until_bar(&mut self, position: Position) -> Result<String, Error> {
        let mut bytes = Vec::new();
        loop {
            match self.byte()? {
                None => {
                    return Err(Error::new(ErrorKind::Syntax, position, "a symbol without its closing bar"));
                }
                Some(b'|') => {
                    self.advance(b'|');
                    break;
                }
                Some(b'\\') => return Err(self.error("a backslash in a symbol").at_token("\\")),
                Some(byte) => self.push_byte(&mut bytes, byte)?,
            }
        }
        self.text(bytes, position)
    }

    fn string(&mut self, position: Position) -> Result<String, Error> {
        let mut bytes = Vec::new();
        loop {
            match self.byte()? {
                None => {
                    return Err(Error::new(
                        ErrorKind::Syntax,
                        position,
                        "a string without its closing quote",
                    ));
                }
                Some(b'"') => {
                    self.advance(b'"');
                    // Two quotes stand for one.
                    if self.byte()? != Some(b'"') {
                        break;
                    }
                    self.push_byte(&mut bytes, b'"')?;
                }
                Some(byte) => self.push_byte(&mut bytes, byte)?,
            }
        }
        self.text(bytes, position)
    }

    fn push_byte(&mut self, bytes: &mut Vec<u8>, byte: u8) -> Result<(), Error> {
        if bytes.len() == MAX_TOKEN {
            return Err(Error::new(ErrorKind::Limit, self.here, "a token longer than 2^24 characters"));
        }
        self.advance(byte);
        bytes.push(byte);
        Ok(())
    }

    fn text(&self, bytes: Vec<u8>, position: Position) -> Result<String, Error> {
        String::from_utf8(bytes)
            .map_err(|_| Error::new(ErrorKind::Syntax, position, "text that is not UTF-8"))
    }
}

/// Whether a byte has to do with where terms begin and end, or what is around it may mean something else elsewhere.
fn says_something(byte: u8) -> bool {
    // `(` and `)`; `:` and `;`, of annotations and comments.
    let (parenthesis, colon) = (byte & 0xfe == b'(', byte & 0xfe == b':');
    parenthesis | colon | (byte == b'"') | (byte == b'|') | (byte == b'\n')
}

fn is_symbol_byte(byte: u8) -> bool {
    const SYMBOL: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).is_ascii_alphanumeric();
            byte += 1;
        }
        let others = b"~!@$%^&*_-+=<>.?/";
        let mut at = 0;
        while at < others.len() {
            table[others[at] as usize] = true;
            at += 1;
        }
        table
    };
    SYMBOL[byte as usize]
}
