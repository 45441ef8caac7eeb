//! The obvious semantics of properties on finite traces.

use super::language::{P, S};
use std::collections::BTreeSet;

/// A trace: the values of `a` to `d` in each cycle. What comes after it is not known.
pub struct Trace(pub Vec<u8>);

/// How far what is not known is looked at: longer than the shortest match of any sequence here.
const HORIZON: usize = 16;

type Ends = BTreeSet<usize>;

impl Trace {
    pub fn value(&self, c: char, at: usize) -> Option<bool> {
        self.0.get(at).map(|cycle| cycle >> (c as u8 - b'a') & 1 == 1)
    }

    /// The ends, behind their last cycle, of the matches from a cycle on: all that are certain, or all that are possible.
    fn ends(&self, s: &S, from: usize, certain: bool) -> Ends {
        let limit = self.0.len() + HORIZON;
        let letter = |c: char, value: bool, at: usize| match self.value(c, at) {
            Some(v) => v == value,
            None => !certain && at < limit,
        };
        match s {
            S::Leaf(c, value) => letter(*c, *value, from).then_some(from + 1).into_iter().collect(),
            S::Delay(a, least, most, b) => {
                let mut all = Ends::new();
                // `##n b` is `1 ##n b`.
                let before = a.as_ref().map_or(Ends::from([from + 1]), |a| self.ends(a, from, certain));
                for end in before {
                    for n in *least..=most.unwrap_or(limit) {
                        // `##1` starts in the cycle behind the end, `##0` in the last one, which both have.
                        if n == 0 && end == from {
                            continue;
                        }
                        let start = end + n - 1;
                        if start >= limit {
                            break;
                        }
                        all.extend(self.ends(b, start, certain).into_iter().filter(|&e| n > 0 || e > start));
                    }
                }
                all
            }
            S::Repeat(s, least, most) => {
                let mut all = Ends::new();
                let mut now = Ends::from([from]);
                if *least == 0 {
                    all.insert(from);
                }
                for n in 1..=most.unwrap_or(limit) {
                    now = now.iter().flat_map(|&at| self.ends(s, at, certain)).collect();
                    if n >= *least {
                        all.extend(&now);
                    }
                    if now.is_empty() || (most.is_none() && n > *least && n > limit) {
                        break;
                    }
                }
                all
            }
            S::Goto(c, least, most, exact) => {
                let mut all = Ends::new();
                let mut now = Ends::from([from]);
                let find = |at: usize| -> Ends {
                    let mut found = Ends::new();
                    for end in at..limit {
                        if letter(*c, true, end) {
                            found.insert(end + 1);
                        }
                        if !letter(*c, false, end) {
                            break;
                        }
                    }
                    found
                };
                for n in 1..=most.unwrap_or(limit) {
                    now = now.iter().flat_map(|&at| find(at)).collect();
                    if n >= *least {
                        all.extend(&now);
                    }
                    if now.is_empty() {
                        break;
                    }
                }
                if !exact {
                    let mut work: Vec<usize> = all.iter().copied().collect();
                    while let Some(at) = work.pop() {
                        if at < limit && letter(*c, false, at) && all.insert(at + 1) {
                            work.push(at + 1);
                        }
                    }
                }
                all
            }
            S::Or(a, b) => &self.ends(a, from, certain) | &self.ends(b, from, certain),
            S::Intersect(a, b) => &self.ends(a, from, certain) & &self.ends(b, from, certain),
            S::And(a, b) => {
                let (a, b) = (self.ends(a, from, certain), self.ends(b, from, certain));
                a.iter().flat_map(|&x| b.iter().map(move |&y| x.max(y))).collect()
            }
            S::Throughout(c, s) => {
                let ends = self.ends(s, from, certain);
                ends.into_iter().filter(|&end| (from..end).all(|at| letter(*c, true, at))).collect()
            }
            S::Within(a, b) => {
                let inside =
                    |end: usize| (from..end).any(|at| self.ends(a, at, certain).iter().any(|&e| e <= end));
                self.ends(b, from, certain).into_iter().filter(|&end| inside(end)).collect()
            }
            S::First(s) => {
                let (these, others) = (self.ends(s, from, certain), self.ends(s, from, !certain));
                let earliest = |ends: &Ends| ends.first().copied().unwrap_or(usize::MAX);
                // Certain: no other may come before. Possible: none is certain before.
                these.iter().copied().filter(|&end| end <= earliest(&others)).collect()
            }
        }
    }

    /// Whether a property holds from a cycle on, if that is certain.
    fn holds(&self, p: &P, from: usize) -> Option<bool> {
        let not = |value: Option<bool>| value.map(|v| !v);
        let or = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        };
        let and = |a, b| not(or(not(a), not(b)));
        if from > self.0.len() + 2 {
            return None;
        }
        match p {
            P::Seq(s) if self.ends(s, from, false).is_empty() => Some(false),
            P::Seq(s) => (!self.ends(s, from, true).is_empty()).then_some(true),
            P::Then(s, overlap, p) => {
                let later = |end: usize| match overlap {
                    // After no cycle there is none that both share.
                    true if end == from => Some(true),
                    true => self.holds(p, end - 1),
                    false => self.holds(p, end),
                };
                let certain = self.ends(s, from, true);
                if certain.iter().any(|&end| later(end) == Some(false)) {
                    return Some(false);
                }
                self.ends(s, from, false).iter().all(|&end| later(end) == Some(true)).then_some(true)
            }
            P::Followed(s, overlap, p) => {
                not(self.holds(&P::Then(s.clone(), *overlap, Box::new(P::Not(p.clone()))), from))
            }
            P::Not(p) => not(self.holds(p, from)),
            P::And(a, b) => and(self.holds(a, from), self.holds(b, from)),
            P::Or(a, b) => or(self.holds(a, from), self.holds(b, from)),
            P::Implies(a, b) => or(not(self.holds(a, from)), self.holds(b, from)),
            P::Iff(a, b) => {
                let (a, b) = (self.holds(a, from), self.holds(b, from));
                or(and(a, b), and(not(a), not(b)))
            }
            P::If(c, a, b) => match self.value(*c, from) {
                Some(true) => self.holds(a, from),
                Some(false) => self.holds(b, from),
                None => None,
            },
            P::Next(n, p) => self.holds(p, from + n),
            P::Always(p) => {
                let fails = (from..self.0.len()).any(|at| self.holds(p, at) == Some(false));
                if fails { Some(false) } else { None }
            }
            P::Range(all, least, most, p) => {
                let each = (*least..=*most).map(|n| self.holds(p, from + n));
                match all {
                    true => each.fold(Some(true), and),
                    false => each.fold(Some(false), or),
                }
            }
            P::Abort(c, accepts, p) => {
                // What is decided before the first cycle with the condition is; else that decides.
                let first = (from..self.0.len()).find(|&at| self.value(*c, at) == Some(true));
                let before = |n: usize| Trace(self.0[..n].to_vec()).holds(p, from);
                match first {
                    Some(at) => before(at).or(Some(*accepts)),
                    None => self.holds(p, from),
                }
            }
            P::Case(a, b, x, y, z) => match (self.value(*a, from), self.value(*b, from)) {
                (Some(true), Some(true)) => self.holds(x, from),
                (Some(true), Some(false)) => self.holds(y, from),
                (Some(false), _) => self.holds(z, from),
                _ => None,
            },
            P::Until(a, b, with) => {
                let rest = if from < self.0.len() { self.holds(p, from + 1) } else { None };
                match with {
                    false => or(self.holds(b, from), and(self.holds(a, from), rest)),
                    true => and(self.holds(a, from), or(self.holds(b, from), rest)),
                }
            }
        }
    }

    /// The first cycle after which it is certain that the attempt from the first cycle fails.
    pub fn fails(&self, p: &P) -> Option<usize> {
        (1..=self.0.len()).find(|&n| Trace(self.0[..n].to_vec()).holds(p, 0) == Some(false)).map(|n| n - 1)
    }
}
