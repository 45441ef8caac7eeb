//! The language of properties (IEEE 1800-2017, 16.7 to 16.12), by recursive descent.

mod instances;
mod properties;
mod ranges;
mod sequences;

use super::lexer::{Kind, Token, join};
use super::property::Property;
use super::sequence::Sequence;
use super::words::{Clock, Refusal, clock_event, closing, is_operator};
use std::collections::BTreeMap;

/// A named property or sequence.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its arguments, with what they are if they are not given.
    pub formals: Vec<(String, Option<Vec<Token>>)>,
    /// What it says.
    pub body: Vec<Token>,
}

/// Named properties and sequences.
pub type Definitions = BTreeMap<String, Definition>;

/// What an assertion says.
#[derive(Debug)]
pub struct Assertion {
    /// The clock, if one is named.
    pub clock: Option<Clock>,
    /// The condition of `disable iff`.
    pub disable: Option<String>,
    /// What is to hold from each cycle on.
    pub property: Property,
    /// The expressions, by number.
    pub leaves: Vec<String>,
    /// The delays and ranges that are no literal numbers.
    pub constants: Vec<String>,
}

/// What is known outside of an assertion.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Named properties and sequences.
    pub definitions: &'a Definitions,
    /// The values of the delays and ranges that are no literal numbers, if they are known.
    pub values: Option<&'a [u32]>,
    /// Whether something may happen between two edges.
    pub asynchronous: bool,
}

/// Parses what stands in the parentheses of `assert property (…)`. The text ends at `end`.
pub fn assertion(tokens: &[Token], context: Context, end: usize) -> Result<Assertion, Refusal> {
    let mut parser = Parser {
        tokens: tokens.to_vec(),
        next: 0,
        end,
        definitions: context.definitions,
        values: context.values,
        asynchronous: context.asynchronous,
        instances: 0,
        clock: None,
        disable: None,
        leaves: Vec::new(),
        constants: Vec::new(),
    };
    if let Some(directive) = tokens.iter().find(|t| t.kind == Kind::Directive) {
        return Err(parser.refused(directive.at, "a directive inside an assertion is not taken"));
    }
    let node = parser.spec()?;
    if let Some(token) = parser.peek() {
        let message = format!("`{}` is not understood in a property", token.text);
        return Err(Refusal { at: token.at, message });
    }
    let property = parser.property_of(node)?;
    let Parser { clock, disable, leaves, constants, .. } = parser;
    Ok(Assertion { clock, disable, property, leaves, constants })
}

/// Whether words are a Boolean expression and nothing more.
pub fn is_expression(tokens: &[Token], definitions: &Definitions) -> bool {
    !tokens.iter().any(|t| {
        is_operator(t)
            || t.text == "@"
            || t.text == "disable"
            || t.text == "if"
            || definitions.contains_key(&t.text)
    })
}

/// A part of a property, with the place where it starts.
struct Node {
    at: usize,
    kind: Part,
    /// Whether it may take for ever.
    unbounded: bool,
}

enum Part {
    Sequence(Sequence),
    /// Both or one of two, which may be sequences or not.
    Both(Box<Node>, Box<Node>),
    Either(Box<Node>, Box<Node>),
    Property(Property),
}

fn node(at: usize, sequence: Sequence) -> Node {
    let unbounded = sequence.longest().is_none();
    Node { at, kind: Part::Sequence(sequence), unbounded }
}

struct Parser<'a> {
    tokens: Vec<Token>,
    next: usize,
    /// Where the text ends, for messages.
    end: usize,
    definitions: &'a Definitions,
    values: Option<&'a [u32]>,
    asynchronous: bool,
    instances: usize,
    clock: Option<Clock>,
    disable: Option<String>,
    leaves: Vec<String>,
    constants: Vec<String>,
}

type Parsed<T> = Result<T, Refusal>;

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn at(&self) -> usize {
        self.peek().map_or(self.end, |t| t.at)
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|t| t.text == text && t.kind != Kind::Literal)
    }

    fn take(&mut self, text: &str) -> bool {
        let is = self.is(text);
        self.next += usize::from(is);
        is
    }

    fn refused(&self, at: usize, message: impl Into<String>) -> Refusal {
        Refusal { at, message: message.into() }
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.take(text) {
            return Ok(());
        }
        let found = self.peek().map_or("the end".to_owned(), |t| format!("`{}`", t.text));
        Err(self.refused(self.at(), format!("`{text}` is expected in the property, not {found}")))
    }

    /// `[@(clock)] [disable iff (e)] property`.
    fn spec(&mut self) -> Parsed<Node> {
        self.head()?;
        self.implication()
    }

    /// A clock and a reset.
    fn head(&mut self) -> Parsed<()> {
        if self.is("@") {
            let at = self.at();
            let clock = self.clock_event()?;
            match &self.clock {
                Some(other) if *other != clock => {
                    return Err(self.refused(at, "a property with several clocks is not taken"));
                }
                _ => self.clock = Some(clock),
            }
        }
        if self.is("disable") {
            let at = self.at();
            self.next += 1;
            self.expect("iff")?;
            let Some(close) = self.is("(").then(|| closing(&self.tokens, self.next)).flatten() else {
                return Err(self.refused(self.at(), "`disable iff` has its condition in parentheses"));
            };
            let text = join(&self.tokens[self.next + 1..close - 1]);
            self.next = close;
            if self.disable.as_ref().is_some_and(|known| *known != text) {
                return Err(self.refused(at, "a second `disable iff` is not taken"));
            }
            self.disable = Some(text);
        }
        Ok(())
    }

    fn clock_event(&mut self) -> Parsed<Clock> {
        let at = self.at();
        self.next += 1;
        clock_event(&self.tokens, &mut self.next).ok_or_else(|| {
            self.refused(at, "the clock of a property is `@(posedge name)` or `@(negedge name)`")
        })
    }
}
