//! Formulas about all elements of arrays, in C as far as C goes: `for all j in [0, n): a[j] == 0`.

use super::{AND, CONDITIONAL, OR, Printer, Text};
use tamis_logic::{Op, Term};

/// An interval of an index variable.
#[derive(Default)]
struct Interval {
    from: Option<(Term, bool)>,
    to: Option<(Term, bool)>,
    signed: bool,
}

impl Printer<'_> {
    /// A formula with index variables: its conjuncts, those without first.
    pub(super) fn for_all(&mut self, formula: Term) -> Option<Text> {
        let conjuncts = self.terms.conjuncts(&[formula]);
        let (indexed, plain): (Vec<Term>, Vec<Term>) =
            conjuncts.into_iter().partition(|&c| !self.terms.index_variables(c).is_empty());
        let mut parts = Vec::new();
        match &plain[..] {
            [] => {}
            &[alone] => parts.push(self.boolean(alone)?),
            all => parts.push(self.junction(all, "&&", AND)?),
        }
        for conjunct in indexed {
            parts.push(self.all_elements(conjunct)?);
        }
        if parts.len() == 1 {
            return parts.pop();
        }
        // Nothing says where what holds of all ends but parentheses.
        let parts: Vec<String> = parts.into_iter().map(|part| part.operand(AND)).collect();
        self.text(parts.join(" && "), AND)
    }

    /// One conjunct: the intervals of its index variables, and what is left.
    fn all_elements(&mut self, conjunct: Term) -> Option<Text> {
        let variables = self.terms.index_variables(conjunct);
        let mut intervals: Vec<Interval> = variables.iter().map(|_| Interval::default()).collect();
        let mut left: Vec<(Term, bool)> = Vec::new();
        for (literal, positive) in disjuncts(self.terms, conjunct) {
            let bounded = variables.iter().zip(&mut intervals).any(|(&v, interval)| {
                // What does not hold outside is where it is claimed.
                self.bounds(v, interval, literal, !positive)
            });
            if !bounded {
                left.push((literal, positive));
            }
        }
        let mut ranges = Vec::new();
        for (&v, interval) in variables.iter().zip(&intervals) {
            let name = self.index_name(v);
            let range = match (interval.from, interval.to) {
                (Some((from, from_in)), Some((to, to_in))) => {
                    let from = self.number(from, interval.signed)?.text;
                    let to = self.number(to, interval.signed)?.text;
                    let (open, close) = (if from_in { '[' } else { '(' }, if to_in { ']' } else { ')' });
                    format!("{name} in {open}{from}, {to}{close}")
                }
                (Some((from, from_in)), None) => {
                    let from = self.number(from, interval.signed)?.text;
                    format!("{name} {} {from}", if from_in { ">=" } else { ">" })
                }
                (None, Some((to, to_in))) => {
                    let to = self.number(to, interval.signed)?.text;
                    format!("{name} {} {to}", if to_in { "<=" } else { "<" })
                }
                (None, None) => name,
            };
            ranges.push(range);
        }
        let mut parts = Vec::new();
        for (literal, positive) in left {
            let part = if positive { self.boolean(literal)? } else { self.negation(literal)? };
            parts.push(part);
        }
        let body = match parts.len() {
            0 => self.text("0".to_owned(), super::PRIMARY)?.text,
            1 => parts.remove(0).text,
            _ => parts.into_iter().map(|p| p.operand(OR + 1)).collect::<Vec<_>>().join(" || "),
        };
        // It binds weaker than anything else.
        self.text(format!("for all {}: {body}", ranges.join(", ")), CONDITIONAL)
    }

    /// Whether a literal that is a premise bounds an index variable, which the interval takes in.
    fn bounds(&self, v: Term, interval: &mut Interval, literal: Term, positive: bool) -> bool {
        let signed = match self.terms.op(literal) {
            Op::Slt => true,
            Op::Ult => false,
            _ => return false,
        };
        let &[a, b] = self.terms.args(literal) else { return false };
        let other = if a == v { b } else { a };
        let has_bound = interval.from.is_some() || interval.to.is_some();
        let is_plain = self.terms.free_vars(other).iter().all(|&x| !self.terms.is_index_variable(x));
        if (a == v) == (b == v) || !is_plain || has_bound && interval.signed != signed {
            return false;
        }
        // v < b, and its complement b <= v; a < v, and its complement v <= a.
        let (end, included) = match (a == v, positive) {
            (true, true) => (&mut interval.to, false),
            (true, false) => (&mut interval.from, true),
            (false, true) => (&mut interval.from, false),
            (false, false) => (&mut interval.to, true),
        };
        if end.is_some() {
            return false;
        }
        *end = Some((other, included));
        interval.signed = signed;
        true
    }

    /// The name of an index variable, marked where the program has that name too.
    pub(super) fn index_name(&self, v: Term) -> String {
        let letter = self.terms.index_letter(v);
        let is_taken = self.program.variables().iter().any(|variable| variable.name == letter);
        if is_taken { format!("{letter}'") } else { letter.to_owned() }
    }
}

/// The disjuncts of a formula, each a term and whether it is meant as it is or negated.
fn disjuncts(terms: &tamis_logic::Terms, formula: Term) -> Vec<(Term, bool)> {
    let mut found = Vec::new();
    let mut pending = vec![(formula, true)];
    while let Some((t, positive)) = pending.pop() {
        match (terms.op(t), positive) {
            (Op::Not, _) => pending.push((terms.args(t)[0], !positive)),
            (Op::Or, true) | (Op::And, false) => {
                pending.extend(terms.args(t).iter().rev().map(|&a| (a, positive)))
            }
            _ => found.push((t, positive)),
        }
    }
    found
}
