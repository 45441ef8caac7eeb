//! Properties (IEEE 1800-2017, 16.12).
//!
//! What can be negated is bounded: a weak sequence that may match for ever never fails, and its negation is no matter of
//! finitely many cycles.

use super::super::automaton::MAX_STATES;
use super::super::expression::expression_text;
use super::super::property::{Overlap, Property};
use super::super::sequence::{Leaf, Sequence};
use super::super::words::{arguments, closing, closing_bracket};
use super::{Node, Parsed, Parser, Part};
use std::rc::Rc;

/// Whether a property starts with this word, and goes on as far as it can.
fn is_prefix(word: &str) -> bool {
    let words = ["always", "s_always", "eventually", "s_eventually", "if", "case"];
    let aborts = ["accept_on", "reject_on", "sync_accept_on", "sync_reject_on"];
    words.contains(&word) || aborts.contains(&word)
}

impl Parser<'_> {
    /// `s |-> p`, `s |=> p`, `s #-# p`, `s #=# p`, and what starts with a word.
    pub(super) fn implication(&mut self) -> Parsed<Node> {
        let at = self.at();
        if let Some(word) = self.peek().map(|t| t.text.clone()).filter(|word| is_prefix(word)) {
            return self.prefixed(&word);
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
        let unbounded = sequence.longest().is_none();
        let right = self.implication()?;
        let mut both = unbounded || right.unbounded;
        let property = if followed {
            if unbounded || right.unbounded {
                return Err(self.refused(at, "`#-#` and `#=#` are taken with bounded sequences only"));
            }
            both = false;
            Property::after_match(sequence, overlap, self.property_of(right)?.negated()).negated()
        } else {
            Property::after_match(sequence, overlap, self.property_of(right)?)
        };
        Ok(Node { at, kind: Part::Property(property), unbounded: both })
    }

    /// What starts with a word: `always p`, `if (e) p else q`, `accept_on (e) p`.
    fn prefixed(&mut self, word: &str) -> Parsed<Node> {
        let at = self.at();
        self.next += 1;
        match word {
            "always" | "s_always" => self.always(at, word),
            "eventually" | "s_eventually" => self.eventually(at, word),
            "if" => self.choice(at),
            "case" => self.case(at),
            _ => self.abort(at, word),
        }
    }

    /// `always p`, `always [m:n] p`. Strong or weak is a matter of the end of a trace.
    fn always(&mut self, at: usize, word: &str) -> Parsed<Node> {
        let range = if self.take("[") { Some(self.bounds()?) } else { None };
        let node = self.implication()?;
        let mut unbounded = node.unbounded;
        let property = self.property_of(node)?;
        let property = match range {
            Some((least, Some(most))) => {
                Property::all_of(self.delayed(at, least, most)?.map(|n| Property::next(n, property.clone())))
            }
            _ if word == "s_always" => return Err(self.refused(at, "`s_always` has a range with an end")),
            Some((least, None)) => Property::next(least, Property::Always(Rc::new(property))),
            None => Property::Always(Rc::new(property)),
        };
        unbounded |= range.is_none_or(|(_, most)| most.is_none());
        Ok(Node { at, kind: Part::Property(property), unbounded })
    }

    /// `eventually [m:n] p`; without an end it is liveness.
    fn eventually(&mut self, at: usize, word: &str) -> Parsed<Node> {
        let range = if self.take("[") { Some(self.bounds()?) } else { None };
        let Some((least, Some(most))) = range else {
            let message =
                format!("`{word}` without an end is liveness, which is not taken: only safety is checked");
            return Err(self.refused(at, message));
        };
        let node = self.implication()?;
        let unbounded = node.unbounded;
        let property = self.property_of(node)?;
        let some =
            Property::any_of(self.delayed(at, least, most)?.map(|n| Property::next(n, property.clone())));
        Ok(Node { at, kind: Part::Property(some), unbounded })
    }

    /// The cycles of a range.
    fn delayed(&self, at: usize, least: u32, most: u32) -> Parsed<std::ops::RangeInclusive<u32>> {
        if most as usize > MAX_STATES {
            return Err(self.refused(at, format!("a range beyond {MAX_STATES} cycles is not taken")));
        }
        Ok(least..=most)
    }

    /// `if (e) p else q`.
    fn choice(&mut self, at: usize) -> Parsed<Node> {
        let condition = self.condition("if")?;
        let condition = self.leaf_of(condition);
        let yes = self.implication()?;
        let no = if self.take("else") { Some(self.implication()?) } else { None };
        self.either(at, condition, yes, no)
    }

    /// The words of the condition that stands in parentheses here.
    fn condition(&mut self, word: &str) -> Parsed<String> {
        let Some(close) = self.is("(").then(|| closing(&self.tokens, self.next)).flatten() else {
            return Err(self.refused(self.at(), format!("`{word}` has its condition in parentheses")));
        };
        let text = expression_text(&self.tokens[self.next + 1..close - 1]);
        self.next = close;
        Ok(text)
    }

    /// One of two properties, by the value of an expression.
    fn either(&self, at: usize, condition: Leaf, yes: Node, no: Option<Node>) -> Parsed<Node> {
        let unbounded = yes.unbounded || no.as_ref().is_some_and(|n| n.unbounded);
        let mut parts = Vec::new();
        for (value, node) in [(true, Some(yes)), (false, no)] {
            let Some(node) = node else { continue };
            let property = Rc::new(self.property_of(node)?);
            parts.push(Property::then(Sequence::Cycle(condition, value), Overlap::Last, property));
        }
        Ok(Node { at, kind: Part::Property(Property::all_of(parts)), unbounded })
    }

    /// `case (e) a, b: p; default: q; endcase`: what no item names and no default is fulfilled.
    fn case(&mut self, at: usize) -> Parsed<Node> {
        let subject = self.condition("case")?;
        let mut items: Vec<(Leaf, Node)> = Vec::new();
        let mut default = None;
        while !self.take("endcase") {
            if self.take("default") {
                self.take(":");
                default = Some(self.implication()?);
            } else {
                let start = self.next;
                while self.peek().is_some_and(|t| t.text != ":") {
                    self.next = match closing_bracket(&self.tokens, self.next) {
                        Some(close) => close,
                        None => self.next + 1,
                    };
                }
                let values = arguments(&self.tokens[start..self.next]);
                self.expect(":")?;
                let equal = values.iter().map(|v| format!("(({subject}) == ({}))", expression_text(v)));
                let condition = equal.collect::<Vec<_>>().join(" || ");
                if condition.is_empty() {
                    return Err(self.refused(self.at(), "an item of `case` has no value"));
                }
                let leaf = self.leaf_of(condition);
                items.push((leaf, self.implication()?));
            }
            self.take(";");
        }
        let mut whole = default;
        for (condition, property) in items.into_iter().rev() {
            whole = Some(self.either(at, condition, property, whole)?);
        }
        whole.ok_or_else(|| self.refused(at, "`case` has no item"))
    }

    /// `accept_on (e) p`: the attempt ends, fulfilled, with the first cycle in which the condition holds. Those that are not
    /// `sync_` look between two edges too, where there is something.
    fn abort(&mut self, at: usize, word: &str) -> Parsed<Node> {
        if !word.starts_with("sync_") && self.asynchronous {
            let message = format!("`{word}` may come between two edges here; `sync_{word}` is taken");
            return Err(self.refused(at, message));
        }
        let condition = self.condition(word)?;
        let condition = self.leaf_of(condition);
        let node = self.implication()?;
        let unbounded = node.unbounded;
        let property = Rc::new(self.property_of(node)?);
        let kind = Part::Property(Property::Abort(condition, word.ends_with("accept_on"), property));
        Ok(Node { at, kind, unbounded })
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

    pub(super) fn or(&mut self) -> Parsed<Node> {
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
                    let count = self.constant(&["]"])?;
                    self.expect("]")?;
                    count
                } else {
                    1
                };
                let node = self.not()?;
                let unbounded = node.unbounded;
                let property = self.property_of(node)?;
                Ok(Node { at, kind: Part::Property(Property::next(count, property)), unbounded })
            }
            "strong" | "weak" => {
                self.next += 1;
                self.expect("(")?;
                let node = self.or()?;
                self.expect(")")?;
                let (start, unbounded) = (node.at, node.unbounded);
                let node = Node { at: start, kind: Part::Sequence(self.sequence_of(node)?), unbounded };
                if word == "strong" && node.unbounded {
                    return Err(
                        self.refused(at, "a strong sequence without a bound is liveness, which is not taken")
                    );
                }
                Ok(node)
            }
            _ if is_prefix(&word) => self.implication(),
            _ => self.intersect(),
        }
    }

    /// What a part says as a property.
    pub(super) fn property_of(&self, node: Node) -> Parsed<Property> {
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

    pub(super) fn negation_of(&self, node: Node) -> Parsed<Property> {
        self.bounded(&node)?;
        Ok(self.property_of(node)?.negated())
    }

    pub(super) fn bounded(&self, node: &Node) -> Parsed<()> {
        if node.unbounded {
            return Err(self.refused(node.at, "what may take for ever is not taken under a negation"));
        }
        Ok(())
    }

    /// What a part says as a sequence.
    pub(super) fn sequence_of(&self, node: Node) -> Parsed<Sequence> {
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
