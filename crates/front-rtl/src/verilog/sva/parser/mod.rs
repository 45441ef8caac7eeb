//! The language of properties (IEEE 1800-2017, 16.7 to 16.12), by recursive descent.
//!
//! Expressions of Verilog are not parsed: they are the words between operators of properties. A parenthesis opens a sequence or a
//! property if there is such an operator in it, and is part of an expression otherwise.
//!
//! What can be negated is bounded: a weak sequence that may match for ever never fails, and its negation is no matter of
//! finitely many cycles.

use super::lexer::{Kind, Token, join};
use super::property::{Overlap, Property};
use super::sequence::{Leaf, Sequence};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A message about a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Where the word starts, in bytes.
    pub at: usize,
    /// Why it is not taken.
    pub message: String,
}

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

/// A clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// `posedge` or `negedge`.
    pub edge: String,
    /// The signal.
    pub signal: String,
}

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
}

/// The most instances of named properties in one assertion: more are a recursion.
const MAX_INSTANCES: usize = 1000;

/// Words that are operators of sequences and properties.
const WORDS: &[&str] = &[
    "and",
    "or",
    "not",
    "intersect",
    "throughout",
    "within",
    "first_match",
    "until",
    "until_with",
    "s_until",
    "s_until_with",
    "implies",
    "iff",
    "nexttime",
    "s_nexttime",
    "always",
    "s_always",
    "eventually",
    "s_eventually",
    "strong",
    "weak",
    "accept_on",
    "reject_on",
    "sync_accept_on",
    "sync_reject_on",
];

/// Symbols that are.
const SYMBOLS: &[&str] = &["|->", "|=>", "#-#", "#=#", "##", "[*", "[=", "[->"];

fn is_operator(token: &Token) -> bool {
    match token.kind {
        Kind::Name => WORDS.contains(&token.text.as_str()),
        Kind::Operator => SYMBOLS.contains(&token.text.as_str()),
        Kind::Literal | Kind::Directive => false,
    }
}

/// The index behind the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "(" | "[" | "{" | "[*" | "[=" | "[->" if token.kind == Kind::Operator => depth += 1,
            ")" | "]" | "}" if token.kind == Kind::Operator => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Parses what stands in the parentheses of `assert property (…)`.
pub fn assertion(tokens: &[Token], definitions: &Definitions, end: usize) -> Result<Assertion, Refusal> {
    let mut parser = Parser {
        tokens: tokens.to_vec(),
        next: 0,
        end,
        definitions,
        instances: 0,
        clock: None,
        disable: None,
        leaves: Vec::new(),
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
    Ok(Assertion { clock: parser.clock, disable: parser.disable, property, leaves: parser.leaves })
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

struct Parser<'a> {
    tokens: Vec<Token>,
    next: usize,
    /// Where the text ends, for messages.
    end: usize,
    definitions: &'a Definitions,
    instances: usize,
    clock: Option<Clock>,
    disable: Option<String>,
    leaves: Vec<String>,
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

    /// `s |-> p`, `s |=> p`, `s #-# p`, `s #=# p`, `if (e) p else p`, `always p`.
    fn implication(&mut self) -> Parsed<Node> {
        let at = self.at();
        if self.take("always") {
            if self.is("[") {
                return Err(self.refused(at, "`always` with a range is not taken"));
            }
            let node = self.implication()?;
            let kind = Part::Property(Property::Always(Rc::new(self.property_of(node)?)));
            return Ok(Node { at, kind, unbounded: true });
        }
        if self.take("if") {
            let Some(close) = self.is("(").then(|| closing(&self.tokens, self.next)).flatten() else {
                return Err(self.refused(self.at(), "`if` has its condition in parentheses"));
            };
            let condition = self.leaf(self.next + 1, close - 1);
            self.next = close;
            let yes = self.implication()?;
            let mut unbounded = yes.unbounded;
            let yes = self.property_of(yes)?;
            let mut parts =
                vec![Property::then(Sequence::Cycle(condition, true), Overlap::Last, Rc::new(yes))];
            if self.take("else") {
                let no = self.implication()?;
                unbounded |= no.unbounded;
                let no = self.property_of(no)?;
                parts.push(Property::then(Sequence::Cycle(condition, false), Overlap::Last, Rc::new(no)));
            }
            return Ok(Node { at, kind: Part::Property(Property::all_of(parts)), unbounded });
        }
        let left = self.until()?;
        let (overlap, followed) = match self.peek().map(|t| t.text.as_str()) {
            Some("|->") => (Overlap::Last, false),
            Some("|=>") => (Overlap::None, false),
            Some("#-#") => (Overlap::Last, true),
            Some("#=#") => (Overlap::None, true),
            _ => return Ok(left),
        };
        self.next += 1;
        let sequence = self.sequence_of(left)?;
        if sequence.is_nullable() {
            return Err(
                self.refused(at, "a sequence that no cycle matches cannot stand before an implication")
            );
        }
        let unbounded = sequence.longest().is_none();
        let right = self.implication()?;
        let mut both = unbounded || right.unbounded;
        let property = if followed {
            if unbounded || right.unbounded {
                return Err(self.refused(at, "`#-#` and `#=#` are taken with bounded sequences only"));
            }
            both = false;
            let not = self.property_of(right)?.negated();
            Property::then(sequence, overlap, Rc::new(not)).negated()
        } else {
            Property::then(sequence, overlap, Rc::new(self.property_of(right)?))
        };
        Ok(Node { at, kind: Part::Property(property), unbounded: both })
    }

    /// `p until q`, `p implies q`.
    fn until(&mut self) -> Parsed<Node> {
        let left = self.iff()?;
        let Some(word) = self.peek().map(|t| t.text.clone()) else { return Ok(left) };
        let at = left.at;
        match word.as_str() {
            "until" | "until_with" => {
                self.next += 1;
                let right = self.until()?;
                let overlap = if word == "until" { Overlap::None } else { Overlap::Last };
                let (p, q) = (self.property_of(left)?, self.property_of(right)?);
                let kind = Part::Property(Property::Until(Rc::new(p), Rc::new(q), overlap));
                Ok(Node { at, kind, unbounded: true })
            }
            "implies" => {
                self.next += 1;
                let right = self.until()?;
                let unbounded = right.unbounded;
                let not = self.negation_of(left)?;
                let kind = Part::Property(Property::any_of([not, self.property_of(right)?]));
                Ok(Node { at, kind, unbounded })
            }
            "s_until" | "s_until_with" => {
                Err(self.refused(self.at(), format!("`{word}` is liveness, which is not taken")))
            }
            _ => Ok(left),
        }
    }

    fn iff(&mut self) -> Parsed<Node> {
        let left = self.or()?;
        if !self.take("iff") {
            return Ok(left);
        }
        let at = left.at;
        let right = self.iff()?;
        for side in [&left, &right] {
            self.bounded(side)?;
        }
        let (p, q) = (self.property_of(left)?, self.property_of(right)?);
        let neither = Property::all_of([p.clone().negated(), q.clone().negated()]);
        let kind = Part::Property(Property::any_of([Property::all_of([p, q]), neither]));
        Ok(Node { at, kind, unbounded: false })
    }

    fn or(&mut self) -> Parsed<Node> {
        let mut left = self.and()?;
        while self.take("or") {
            let right = self.and()?;
            let (at, unbounded) = (left.at, left.unbounded || right.unbounded);
            left = Node { at, kind: Part::Either(Box::new(left), Box::new(right)), unbounded };
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Node> {
        let mut left = self.not()?;
        while self.take("and") {
            let right = self.not()?;
            let (at, unbounded) = (left.at, left.unbounded || right.unbounded);
            left = Node { at, kind: Part::Both(Box::new(left), Box::new(right)), unbounded };
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed<Node> {
        let at = self.at();
        let Some(word) = self.peek().map(|t| t.text.clone()) else {
            return Err(self.refused(at, "a property ends where an expression is expected"));
        };
        match word.as_str() {
            "not" => {
                self.next += 1;
                let node = self.not()?;
                let kind = Part::Property(self.negation_of(node)?);
                Ok(Node { at, kind, unbounded: false })
            }
            // The two differ at the end of a trace alone.
            "nexttime" | "s_nexttime" => {
                self.next += 1;
                let count = if self.take("[") {
                    let count = self.number()?;
                    self.expect("]")?;
                    count
                } else {
                    1
                };
                let node = self.not()?;
                let unbounded = node.unbounded;
                let property = self.property_of(node)?;
                let property = if count == 0 { property } else { Property::Next(count, Rc::new(property)) };
                Ok(Node { at, kind: Part::Property(property), unbounded })
            }
            "strong" | "weak" => {
                self.next += 1;
                self.expect("(")?;
                let node = self.intersect()?;
                self.expect(")")?;
                if word == "strong" && node.unbounded {
                    return Err(
                        self.refused(at, "a strong sequence without a bound is liveness, which is not taken")
                    );
                }
                Ok(node)
            }
            "s_always" | "eventually" | "s_eventually" => {
                Err(self.refused(at, format!("`{word}` is not taken: only safety is checked")))
            }
            "accept_on" | "reject_on" | "sync_accept_on" | "sync_reject_on" | "case" => {
                Err(self.refused(at, format!("`{word}` is not taken in a property")))
            }
            _ => self.intersect(),
        }
    }

    fn intersect(&mut self) -> Parsed<Node> {
        let mut left = self.within()?;
        while self.is("intersect") {
            let here = self.at();
            self.next += 1;
            let right = self.within()?;
            if left.unbounded && right.unbounded {
                return Err(self.refused(here, "`intersect` is taken where one side is bounded"));
            }
            let at = left.at;
            let sequence = self.sequence_of(left)?.intersect(self.sequence_of(right)?);
            left = node(at, sequence);
        }
        Ok(left)
    }

    fn within(&mut self) -> Parsed<Node> {
        let mut left = self.throughout()?;
        while self.is("within") {
            let here = self.at();
            self.next += 1;
            let right = self.throughout()?;
            if right.unbounded {
                return Err(self.refused(here, "`within` is taken where its right side is bounded"));
            }
            let at = left.at;
            let any = || Sequence::Any.repeat(0, None);
            let inner = any().concat(self.sequence_of(left)?).concat(any());
            left = node(at, inner.intersect(self.sequence_of(right)?));
        }
        Ok(left)
    }

    fn throughout(&mut self) -> Parsed<Node> {
        let left = self.delays()?;
        if !self.is("throughout") {
            return Ok(left);
        }
        let here = self.at();
        self.next += 1;
        let at = left.at;
        let condition = match self.sequence_of(left)? {
            letter @ (Sequence::Cycle(..) | Sequence::Any | Sequence::Never) => letter,
            _ => return Err(self.refused(here, "before `throughout` stands an expression")),
        };
        let right = self.throughout()?;
        let right = self.sequence_of(right)?;
        Ok(node(at, condition.repeat(0, None).intersect(right)))
    }

    /// `a ##1 b`, `##[1:3] b`.
    fn delays(&mut self) -> Parsed<Node> {
        let at = self.at();
        // `##n b` is `1 ##n b`.
        let mut whole = Sequence::Any;
        if !self.is("##") {
            let first = self.repetition()?;
            if !self.is("##") {
                return Ok(first);
            }
            whole = self.sequence_of(first)?;
        }
        while self.take("##") {
            let (least, most) = self.range()?;
            let right = self.repetition()?;
            let right = self.sequence_of(right)?;
            let between = |least, most: Option<u32>| Sequence::Any.repeat(least, most.map(|n| n - 1));
            whole = match (least, most) {
                (0, Some(0)) => whole.fusion(right),
                (0, most) => {
                    let at_once = whole.clone().fusion(right.clone());
                    Sequence::any_of([at_once, whole.concat(between(0, most)).concat(right)])
                }
                (least, most) => whole.concat(between(least - 1, most)).concat(right),
            };
        }
        Ok(node(at, whole))
    }

    /// `3`, `[1:3]`, `[1:$]`, `[*]`, `[+]`.
    fn range(&mut self) -> Parsed<(u32, Option<u32>)> {
        if self.take("[*") {
            self.expect("]")?;
            return Ok((0, None));
        }
        if !self.take("[") {
            let count = self.number()?;
            return Ok((count, Some(count)));
        }
        if self.take("+") {
            self.expect("]")?;
            return Ok((1, None));
        }
        self.bounds()
    }

    /// `m:n]`, `m:$]`, `n]`.
    fn bounds(&mut self) -> Parsed<(u32, Option<u32>)> {
        let at = self.at();
        let least = self.number()?;
        let most = if !self.take(":") {
            Some(least)
        } else if self.take("$") {
            None
        } else {
            Some(self.number()?)
        };
        self.expect("]")?;
        if most.is_some_and(|most| most < least) {
            return Err(self.refused(at, "the range is empty"));
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Parsed<u32> {
        let number = self
            .peek()
            .filter(|t| t.kind == Kind::Literal)
            .and_then(|t| t.text.replace('_', "").parse().ok());
        match number {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => {
                Err(self.refused(self.at(), "a number is expected here; parameters and macros are not known"))
            }
        }
    }

    /// `s[*n]`, `e[->n]`, `e[=n]`.
    fn repetition(&mut self) -> Parsed<Node> {
        let mut repeated = self.primary()?;
        while let Some(symbol) = self.peek().map(|t| t.text.clone()) {
            if !["[*", "[->", "[="].contains(&symbol.as_str()) {
                break;
            }
            self.next += 1;
            let (here, at) = (self.at(), repeated.at);
            let (least, most) = if symbol == "[*" && self.take("]") { (0, None) } else { self.bounds()? };
            let sequence = self.sequence_of(repeated)?;
            let sequence = match (symbol.as_str(), sequence) {
                ("[*", sequence) => sequence.repeat(least, most),
                (_, Sequence::Cycle(leaf, value)) => {
                    let until = Sequence::Cycle(leaf, !value).repeat(0, None);
                    let found = until.clone().concat(Sequence::Cycle(leaf, value)).repeat(least, most);
                    if symbol == "[=" { found.concat(until) } else { found }
                }
                _ => {
                    return Err(
                        self.refused(here, format!("`{symbol}` is for expressions that are no constants"))
                    );
                }
            };
            repeated = node(at, sequence);
        }
        Ok(repeated)
    }

    fn primary(&mut self) -> Parsed<Node> {
        let at = self.at();
        let Some(token) = self.peek().cloned() else {
            return Err(self.refused(at, "a property ends where an expression is expected"));
        };
        if token.text == "@" {
            self.head()?;
            return self.primary();
        }
        if token.text == "first_match" {
            self.next += 1;
            self.expect("(")?;
            let inner = self.or()?;
            self.expect(")")?;
            return Ok(node(at, self.sequence_of(inner)?.first_match()));
        }
        if token.kind == Kind::Name && self.definitions.contains_key(&token.text) {
            self.expand()?;
            return self.primary();
        }
        if token.text == "(" {
            let Some(close) = closing(&self.tokens, self.next) else {
                return Err(self.refused(at, "the parenthesis is not closed"));
            };
            let inside = &self.tokens[self.next + 1..close - 1];
            let after = self.tokens.get(close);
            let ends =
                after.is_none_or(|t| is_operator(t) || [")", ";", ",", "else"].contains(&t.text.as_str()));
            if !is_expression(inside, self.definitions) && ends {
                self.next += 1;
                self.head()?;
                let node = self.implication()?;
                if self.is(",") {
                    return Err(self.refused(self.at(), "local variables of sequences are not taken"));
                }
                self.expect(")")?;
                return Ok(node);
            }
        }
        self.expression()
    }

    /// The words up to the next operator.
    fn expression(&mut self) -> Parsed<Node> {
        let (at, start) = (self.at(), self.next);
        let mut i = start;
        while let Some(token) = self.tokens.get(i) {
            match token.text.as_str() {
                ")" | "," | ";" | "else" => break,
                "@" => return Err(self.refused(token.at, "an event is not taken inside an expression")),
                "(" | "[" | "{" => {
                    let Some(close) = closing(&self.tokens, i) else {
                        return Err(self.refused(token.at, "the bracket is not closed"));
                    };
                    if i == start && token.text == "(" && arguments(&self.tokens[i + 1..close - 1]).len() > 1
                    {
                        return Err(self.refused(token.at, "local variables of sequences are not taken"));
                    }
                    if let Some(inner) = self.tokens[i + 1..close - 1].iter().find(|t| is_operator(t)) {
                        let message = format!("`{}` stands inside an expression", inner.text);
                        return Err(self.refused(inner.at, message));
                    }
                    i = close;
                }
                _ if is_operator(token) => break,
                _ => i += 1,
            }
        }
        if i == start {
            return Err(self.refused(at, "an expression is expected here"));
        }
        self.next = i;
        let sequence = match join(&self.tokens[start..i]).as_str() {
            "1" | "1'b1" => Sequence::Any,
            "0" | "1'b0" => Sequence::Never,
            _ => Sequence::Cycle(self.leaf(start, i), true),
        };
        Ok(node(at, sequence))
    }

    /// The number of an expression.
    fn leaf(&mut self, start: usize, end: usize) -> Leaf {
        let text = join(&self.tokens[start..end]);
        if let Some(known) = self.leaves.iter().position(|l| *l == text) {
            return known;
        }
        self.leaves.push(text);
        self.leaves.len() - 1
    }

    /// Replaces an instance of a named property or sequence by what it says, in parentheses.
    fn expand(&mut self) -> Parsed<()> {
        let start = self.next;
        let name = self.tokens[start].clone();
        self.instances += 1;
        if self.instances > MAX_INSTANCES {
            return Err(self.refused(name.at, "recursive properties are not taken"));
        }
        let Definition { formals, body } = self.definitions[&name.text].clone();
        let mut end = start + 1;
        let mut actuals: Vec<Vec<Token>> = Vec::new();
        if self.tokens.get(end).is_some_and(|t| t.text == "(") {
            let Some(close) = closing(&self.tokens, end) else {
                return Err(self.refused(name.at, "the parenthesis is not closed"));
            };
            actuals = arguments(&self.tokens[end + 1..close - 1]);
            end = close;
        }
        if self.tokens.get(end).is_some_and(|t| t.text == ".") {
            return Err(self.refused(name.at, "the end points of sequences are not taken"));
        }
        let mut given: BTreeMap<&str, Vec<Token>> = BTreeMap::new();
        for (i, actual) in actuals.into_iter().enumerate() {
            let (formal, actual) = match &actual[..] {
                [dot, formal, inner @ ..] if dot.text == "." => {
                    let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default();
                    (Some(formal.text.clone()), inner.to_vec())
                }
                _ => (formals.get(i).map(|(name, _)| name.clone()), actual),
            };
            let Some((known, _)) = formals.iter().find(|(name, _)| Some(name) == formal.as_ref()) else {
                return Err(self.refused(name.at, format!("`{}` has no such argument", name.text)));
            };
            given.insert(known, actual);
        }
        for (formal, default) in &formals {
            if let (false, Some(default)) = (given.contains_key(formal.as_str()), default) {
                given.insert(formal, default.clone());
            }
            if !given.contains_key(formal.as_str()) {
                return Err(self.refused(name.at, format!("`{}` needs its argument `{formal}`", name.text)));
            }
        }
        let bracket =
            |text: &str| Token { kind: Kind::Operator, text: text.to_owned(), at: name.at, glued: false };
        let mut expanded = vec![bracket("(")];
        for token in body {
            match given.get(token.text.as_str()) {
                // What is one word needs no parentheses, and may be a clock or a number.
                Some(actual) if actual.len() == 1 => {
                    expanded.extend(actual.iter().cloned().map(|t| Token { glued: token.glued, ..t }));
                }
                Some(actual) => {
                    expanded.push(Token { glued: token.glued, ..bracket("(") });
                    expanded.extend(actual.iter().cloned());
                    expanded.push(bracket(")"));
                }
                None => expanded.push(token),
            }
        }
        expanded.push(bracket(")"));
        // What stands for an expression alone is part of the expression around it.
        self.tokens.splice(start..end, expanded);
        Ok(())
    }

    /// What a part says as a property.
    fn property_of(&self, node: Node) -> Parsed<Property> {
        Ok(match node.kind {
            Part::Sequence(s) if s.is_nullable() => {
                return Err(self.refused(node.at, "a sequence that no cycle matches is no property"));
            }
            Part::Sequence(s) => Property::Match(s),
            Part::Both(a, b) => Property::all_of([self.property_of(*a)?, self.property_of(*b)?]),
            Part::Either(a, b) => Property::any_of([self.property_of(*a)?, self.property_of(*b)?]),
            Part::Property(p) => p,
        })
    }

    fn negation_of(&self, node: Node) -> Parsed<Property> {
        self.bounded(&node)?;
        Ok(self.property_of(node)?.negated())
    }

    fn bounded(&self, node: &Node) -> Parsed<()> {
        if node.unbounded {
            return Err(self.refused(node.at, "what may take for ever is not taken under a negation"));
        }
        Ok(())
    }

    /// What a part says as a sequence.
    fn sequence_of(&self, node: Node) -> Parsed<Sequence> {
        match node.kind {
            Part::Sequence(s) => Ok(s),
            Part::Both(a, b) => {
                if a.unbounded && b.unbounded {
                    return Err(
                        self.refused(node.at, "`and` of two sequences without bounds is not taken here")
                    );
                }
                Ok(self.sequence_of(*a)?.and(self.sequence_of(*b)?))
            }
            Part::Either(a, b) => Ok(Sequence::any_of([self.sequence_of(*a)?, self.sequence_of(*b)?])),
            Part::Property(_) => Err(self.refused(node.at, "a sequence is expected here, not a property")),
        }
    }
}

fn node(at: usize, sequence: Sequence) -> Node {
    let unbounded = sequence.longest().is_none();
    Node { at, kind: Part::Sequence(sequence), unbounded }
}

/// `(posedge name)` or `posedge name` behind an `@`.
pub fn clock_event(tokens: &[Token], next: &mut usize) -> Option<Clock> {
    let text = |i: usize| tokens.get(i).map(|t| t.text.as_str());
    let parenthesis = text(*next) == Some("(");
    let start = *next + usize::from(parenthesis);
    let edge = text(start).filter(|e| ["posedge", "negedge"].contains(e))?.to_owned();
    let mut end = start + 1;
    while tokens.get(end).is_some_and(|t| t.kind == Kind::Name || t.text == ".") {
        end += 1;
        if text(end) != Some(".") && tokens[end - 1].text != "." {
            break;
        }
    }
    let signal = join(tokens.get(start + 1..end)?);
    if signal.is_empty() || (parenthesis && text(end) != Some(")")) {
        return None;
    }
    *next = end + usize::from(parenthesis);
    Some(Clock { edge, signal })
}

/// Arguments, which commas separate.
pub fn arguments(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut all: Vec<Vec<Token>> = Vec::new();
    let mut depth = 0;
    for token in tokens {
        match token.text.as_str() {
            "(" | "[" | "{" | "[*" | "[=" | "[->" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                all.push(Vec::new());
                continue;
            }
            _ => {}
        }
        match all.last_mut() {
            Some(last) => last.push(token.clone()),
            None => all.push(vec![token.clone()]),
        }
    }
    all
}
