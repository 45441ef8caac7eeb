//! Terms as numbers of a zone, with what is between them.

use super::Pack;
use super::zone::Zone;
use crate::candidates::evaluate::{Environment, evaluate};
use crate::candidates::range::Range;
use tamis_logic::{Op, Term};

/// Terms that are nested deeper are only intervals.
const MOST_NESTED: usize = 8;

/// A term's value is a number of the zone and something from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub number: usize,
    pub low: i128,
    pub high: i128,
}

/// The signed or the unsigned values of a range.
pub(super) fn ends(range: &Range, signed: bool) -> (i128, i128) {
    if signed { range.signed() } else { range.unsigned() }
}

impl Pack<'_> {
    /// The forms of a term, read as a signed or as an unsigned number.
    pub fn forms(&self, at: (&Environment, &Zone), t: Term, signed: bool) -> Vec<Form> {
        self.forms_within(at, t, signed, MOST_NESTED)
    }

    fn forms_within(&self, at: (&Environment, &Zone), t: Term, signed: bool, depth: usize) -> Vec<Form> {
        let (terms, (environment, _)) = (self.terms, at);
        let Some(range) = evaluate(terms, environment, t) else { return Vec::new() };
        let (low, high) = ends(&range, signed);
        let mut forms = vec![Form { number: 0, low, high }];
        let Some(depth) = depth.checked_sub(1) else { return forms };
        let args = terms.args(t);
        let add = |forms: &mut Vec<Form>, t: Term, signed: bool, low: i128, high: i128| {
            let inner = self.forms_within(at, t, signed, depth).into_iter().skip(1);
            forms.extend(inner.map(|f| Form { number: f.number, low: f.low + low, high: f.high + high }));
        };
        match terms.op(t) {
            Op::Var(_) => {
                // What is never negative is the same number either way.
                let same = ends(&range, true).0 >= 0;
                for view in [signed, !signed].into_iter().filter(|&view| view == signed || same) {
                    forms.extend(self.number(t, view).map(|number| Form { number, low: 0, high: 0 }));
                }
            }
            Op::Add => {
                if let &[a, b] = args {
                    for (from, taken) in [(a, b), (b, a)].into_iter().filter(|(_, t)| terms.op(*t) == Op::Neg)
                    {
                        let ends = self.difference(at, (from, terms.args(taken)[0]), signed, depth);
                        let any = ends_of_all(&range, signed);
                        if any.0 <= ends.0 && ends.1 <= any.1 {
                            forms[0].low = forms[0].low.max(ends.0);
                            forms[0].high = forms[0].high.min(ends.1);
                        }
                    }
                }
                for (i, &arg) in args.iter().enumerate() {
                    let Some(own) = evaluate(terms, environment, arg) else { continue };
                    let others = args.iter().enumerate().filter(|&(j, _)| j != i);
                    let rest = others.map(|(_, &t)| evaluate(terms, environment, t));
                    let Some(Some(rest)) = rest.reduce(|a, b| Some(a?.add(&b?))) else { continue };
                    if let Some((low, high)) = addend(&own, &rest, signed) {
                        add(&mut forms, arg, signed, low, high);
                    }
                }
            }
            Op::ZeroExtend => add(&mut forms, args[0], false, 0, 0),
            Op::SignExtend if signed || ends(&range, true).0 >= 0 => add(&mut forms, args[0], true, 0, 0),
            Op::Extract { low: 0, .. } => {
                let Some(whole) = evaluate(terms, environment, args[0]) else { return forms };
                let any = ends_of_all(&range, signed);
                for view in [true, false] {
                    let (low, high) = ends(&whole, view);
                    if any.0 <= low && high <= any.1 {
                        add(&mut forms, args[0], view, 0, 0);
                    }
                }
            }
            Op::Ite => {
                let [yes, no] = [args[1], args[2]].map(|arg| self.forms_within(at, arg, signed, depth));
                for a in yes.iter().skip(1) {
                    let other = no.iter().find(|b| b.number == a.number);
                    forms.extend(other.map(|b| Form {
                        number: a.number,
                        low: a.low.min(b.low),
                        high: a.high.max(b.high),
                    }));
                }
            }
            _ => {}
        }
        forms
    }

    /// Between which numbers the difference of two terms is.
    fn difference(
        &self,
        at: (&Environment, &Zone),
        (from, taken): (Term, Term),
        signed: bool,
        depth: usize,
    ) -> (i128, i128) {
        let [a, b] = [from, taken].map(|t| self.forms_within(at, t, signed, depth));
        let (mut low, mut high) = (i128::MIN, i128::MAX);
        for a in &a {
            for b in &b {
                let bound = |i: usize, j: usize| if i == j { Some(0) } else { at.1.bound(i, j) };
                high = bound(a.number, b.number).map_or(high, |most| high.min(most + a.high - b.low));
                low = bound(b.number, a.number).map_or(low, |most| low.max(a.low - b.high - most));
            }
        }
        (low, high)
    }
}

/// All numbers of a range's width.
fn ends_of_all(range: &Range, signed: bool) -> (i128, i128) {
    ends(&Range::any(range.width()), signed)
}

/// What is added to a number, so that nothing wraps around. Of a constant that may make it wrap around it is guessed that it
/// does not: guesses are checked.
fn addend(own: &Range, rest: &Range, signed: bool) -> Option<(i128, i128)> {
    let (least, most) = ends_of_all(own, signed);
    let (from, to) = ends(own, signed);
    let mut ways = [rest.signed(), rest.unsigned()];
    ways.sort_by_key(|(low, high)| low.abs().max(high.abs()));
    let fits = |(low, high): &(i128, i128)| least <= from + low && to + high <= most;
    let possible = |(low, high): &(i128, i128)| low == high && from + low <= most && least <= to + high;
    ways.iter().find(|way| fits(way)).or_else(|| ways.iter().find(|way| possible(way))).copied()
}
