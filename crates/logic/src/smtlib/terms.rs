//! Terms in scripts, read with a stack of our own: depth costs memory, not the machine's stack.

use super::error::{Error, ErrorKind, Position};
use super::heads::Head;
use super::lexer::Token;
use super::scope::Binding;
use super::sorts::check_width;
use super::{Reader, is_reserved};
use crate::bits::Bits;
use crate::sort::Sort;
use crate::store::{Term, Terms};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use rustc_hash::FxHashSet;

/// What is open around the place where the reader is.
pub(super) enum Frame {
    /// An application whose arguments are being read: the values from `first` on.
    /// With its text, if that is to be kept.
    Apply { head: Head, first: usize, position: Position, text: Option<Kept> },
    /// A `let` whose bindings are being read; there is a value for each name but the last.
    Bindings(Box<Bindings>),
    /// A `let` whose body is being read; at its end, the scope goes back to the mark.
    Body(usize),
    /// An annotation whose term is being read.
    Annotated,
}

/// The text of a term behind its `(`, and what symbols meant at its start.
type Kept = (Box<[u8]>, u64);

/// What comes next in a script.
enum AtHand {
    Term(Term),
    /// A term whose text is not known, after its `(`.
    Text(Kept, Position),
    /// Something else.
    Nothing,
}

pub(super) struct Bindings {
    names: Vec<String>,
    first: usize,
    position: Position,
}

/// Terms nest no deeper in a script.
const MAX_DEPTH: usize = 1 << 21;

impl Reader<'_> {
    /// A term of sort `Bool`.
    pub(super) fn formula(&mut self, terms: &mut Terms) -> Result<Term, Error> {
        let position = self.position()?;
        let t = self.term(terms)?;
        if terms.sort(t) == Sort::Bool {
            return Ok(t);
        }
        let message = format!("a formula expected, this is of sort {}", terms.sort_text(terms.sort(t)));
        Err(Error::new(ErrorKind::Sort, position, message))
    }

    /// A term.
    pub(super) fn term(&mut self, terms: &mut Terms) -> Result<Term, Error> {
        self.name = None;
        self.given.clear();
        let mark = self.scopes.mark();
        loop {
            let read = match self.at_hand() {
                AtHand::Term(t) => Some(t),
                AtHand::Text(text, position) => self.open_term(terms, position, Some(text))?,
                AtHand::Nothing => match self.lexer.next()? {
                    (Token::Open, position) => self.open_term(terms, position, None)?,
                    (Token::Close, position) => Some(self.close_application(terms, position)?),
                    (token, position) => Some(self.atom(terms, &token, position)?),
                },
            };
            if let Some(t) = read
                && let Some(whole) = self.deliver(t)?
            {
                if !self.names.is_empty() {
                    self.scopes.undo(mark);
                    self.keep_names();
                }
                return Ok(whole);
            }
        }
    }

    /// What comes next, if that can be told from a text or a symbol as it stands there.
    fn at_hand(&mut self) -> AtHand {
        if self.repeated.is_worthwhile()
            && let Some((text, position)) = self.lexer.enclosed()
        {
            let generation = self.scopes.generation();
            return match self.repeated.find(text, generation) {
                Some(t) => {
                    let length = text.len();
                    self.lexer.take(1 + length);
                    AtHand::Term(t)
                }
                None => {
                    let text = (text.into(), generation);
                    self.lexer.enter();
                    AtHand::Text(text, position)
                }
            };
        }
        self.constant_at_hand().map_or(AtHand::Nothing, AtHand::Term)
    }

    /// The term of the next token, if that is a symbol that stands for one.
    fn constant_at_hand(&mut self) -> Option<Term> {
        let name = self.lexer.at_hand().filter(|name| !is_reserved(name))?;
        let Some(&Binding::Term(t)) = self.scopes.symbol_of(name) else { return None };
        let length = name.len();
        self.lexer.take(length);
        Some(t)
    }

    /// The head that the next token is, if that is a symbol that is not reserved.
    fn head_at_hand(&mut self) -> Option<Head> {
        let name = self.lexer.at_hand().filter(|name| !is_reserved(name))?;
        let head = Head::of(&self.scopes, name)?;
        let length = name.len();
        self.lexer.take(length);
        Some(head)
    }

    /// Gives a term that has been read to what is open around it; returns it if nothing is.
    fn deliver(&mut self, t: Term) -> Result<Option<Term>, Error> {
        loop {
            if let Some(Frame::Apply { .. }) = self.frames.last() {
                self.values.push(t);
                return Ok(None);
            }
            match self.frames.pop() {
                None | Some(Frame::Apply { .. }) => return Ok(Some(t)),
                Some(Frame::Bindings(bindings)) => {
                    self.values.push(t);
                    self.close()?;
                    self.next_binding(bindings)?;
                    return Ok(None);
                }
                Some(Frame::Body(mark)) => {
                    self.close()?;
                    self.scopes.undo(mark);
                }
                Some(Frame::Annotated) => {
                    let name = self.annotations()?;
                    if let Some(name) = name {
                        self.names.push((name.clone(), t));
                        self.scopes.bind(&name, Binding::Term(t));
                        self.name = self.frames.is_empty().then_some(name);
                    }
                }
            }
        }
    }

    /// Makes the names known that were given inside of the term: those inside of a `let` went with it.
    fn keep_names(&mut self) {
        self.given = std::mem::take(&mut self.names);
        for (name, t) in self.given.clone() {
            self.declare(&name, Binding::Term(t));
        }
    }

    /// Binds a symbol to the end of the level, or for good with `:global-declarations`.
    pub(super) fn declare(&mut self, name: &str, binding: Binding) {
        if self.global_declarations {
            self.scopes.bind_globally(name, binding);
        } else {
            self.scopes.bind(name, binding);
        }
    }

    /// After a `(`: opens a frame, or reads an identifier that is a term by itself. The text is kept with it.
    fn open_term(
        &mut self,
        terms: &mut Terms,
        position: Position,
        text: Option<Kept>,
    ) -> Result<Option<Term>, Error> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(Error::new(ErrorKind::Limit, position, "terms nested too deeply"));
        }
        if let Some(head) = self.head_at_hand() {
            self.frames.push(Frame::Apply { head, first: self.values.len(), position, text });
            return Ok(None);
        }
        let (token, at) = self.lexer.next()?;
        let head = match token {
            Token::Symbol(word) => match &*word {
                "let" => {
                    self.open()?;
                    self.open()?;
                    let names = vec![self.symbol()?];
                    let bindings = Bindings { names, first: self.values.len(), position };
                    self.frames.push(Frame::Bindings(Box::new(bindings)));
                    return Ok(None);
                }
                "!" => {
                    self.frames.push(Frame::Annotated);
                    return Ok(None);
                }
                "_" => return Ok(Some(self.indexed_constant(terms, position)?)),
                "as" => return Ok(Some(self.qualified_constant(terms, position)?)),
                "forall" | "exists" | "lambda" | "match" => {
                    let message = format!("`{word}` is not supported");
                    return Err(Error::new(ErrorKind::Unsupported, at, message).at_token(&word));
                }
                _ => self.named_head(&word, at)?,
            },
            Token::Quoted(name) => self.named_head(&name, at)?,
            Token::Open => self.compound_head(terms, at)?,
            token => return Err(self.unexpected(&token, at, "an operator")),
        };
        self.frames.push(Frame::Apply { head, first: self.values.len(), position, text });
        Ok(None)
    }

    /// After a `)`: the application that it closes.
    fn close_application(&mut self, terms: &mut Terms, position: Position) -> Result<Term, Error> {
        let Some(Frame::Apply { head, first, position, text }) = self.frames.pop() else {
            return Err(self.unexpected(&Token::Close, position, "a term"));
        };
        let args = self.values.split_off(first);
        let term = self.build(terms, &head, args, position)?;
        if let Some((text, generation)) = text
            && generation == self.scopes.generation()
        {
            self.repeated.keep(text, term, generation);
        }
        Ok(term)
    }

    /// After the `)` of one binding: the next one, or the body.
    fn next_binding(&mut self, mut bindings: Box<Bindings>) -> Result<(), Error> {
        match self.lexer.next()? {
            (Token::Open, _) => {
                bindings.names.push(self.symbol()?);
                self.frames.push(Frame::Bindings(bindings));
                return Ok(());
            }
            (Token::Close, _) => {}
            (token, position) => return Err(self.unexpected(&token, position, "a binding or `)`")),
        }
        let mark = self.scopes.mark();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for (name, t) in bindings.names.iter().zip(self.values.drain(bindings.first..)) {
            if bindings.names.len() > 1 && !seen.insert(name) {
                let message = "a symbol bound twice in one `let`";
                return Err(Error::new(ErrorKind::Redeclared, bindings.position, message).at_token(name));
            }
            self.scopes.bind(name, Binding::Term(t));
        }
        self.frames.push(Frame::Body(mark));
        Ok(())
    }

    fn atom(&self, terms: &mut Terms, token: &Token, position: Position) -> Result<Term, Error> {
        match token {
            Token::Symbol(name) if !is_reserved(name.as_bytes()) => self.constant(terms, name, position),
            Token::Quoted(name) => self.constant(terms, name, position),
            Token::Numeral(digits) => {
                let number: IBig = parsed(digits, position)?;
                Ok(if self.real_numerals { terms.real(RBig::from(number)) } else { terms.int(number) })
            }
            Token::Decimal(digits) => {
                let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
                let number: IBig = parsed(&format!("{whole}{fraction}"), position)?;
                let power = UBig::from(10u8).pow(fraction.len());
                Ok(terms.real(RBig::from_parts(number, power)))
            }
            Token::Hexadecimal(digits) => bit_vector(terms, digits, 16, 4, position),
            Token::Binary(digits) => bit_vector(terms, digits, 2, 1, position),
            Token::String(_) => {
                let error = Error::new(ErrorKind::Unsupported, position, "strings are not supported");
                Err(error.at_token(&token.text()))
            }
            token => Err(self.unexpected(token, position, "a term")),
        }
    }

    fn constant(&self, terms: &mut Terms, name: &str, position: Position) -> Result<Term, Error> {
        match self.scopes.symbol(name) {
            Some(Binding::Term(t)) => Ok(*t),
            Some(_) => {
                let error = Error::new(ErrorKind::Sort, position, "a function without its arguments");
                Err(error.at_token(name))
            }
            None if name == "true" => Ok(terms.tru()),
            None if name == "false" => Ok(terms.fals()),
            None => Err(self.no_such_symbol(name, position)),
        }
    }

    /// Where the next token is.
    pub(super) fn position(&mut self) -> Result<Position, Error> {
        self.lexer.position()
    }
}

/// Numbers have no more digits: their arithmetic would take too long.
const MAX_DIGITS: usize = 100_000;

fn parsed(digits: &str, position: Position) -> Result<IBig, Error> {
    let limit = || Error::new(ErrorKind::Limit, position, "a number with too many digits").at_token(digits);
    if digits.len() > MAX_DIGITS {
        return Err(limit());
    }
    IBig::from_str_radix(digits, 10).map_err(|_| limit())
}

fn bit_vector(
    terms: &mut Terms,
    digits: &str,
    radix: u32,
    digit_bits: u64,
    position: Position,
) -> Result<Term, Error> {
    let width = digits.len() as u64 * digit_bits;
    check_width(width, position)?;
    let malformed = |_| Error::new(ErrorKind::Syntax, position, "a malformed bit-vector").at_token(digits);
    let bits = UBig::from_str_radix(digits, radix).map_err(malformed)?;
    Ok(terms.bits_value(Bits::from_ubig(width as u32, bits)))
}
