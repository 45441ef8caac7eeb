//! Values that are one of a few numbers.
//!
//! Where paths are joined, a counter, a position in a text or a pointer to one of several objects becomes a *choice*: `ite`s whose
//! ends are constants. An operation on it is done on each of its ends, so conditions are decided by which one it is, and nothing is
//! left to compute with bits.
//!
//! A value that is joined in every round of a loop would be more `ite`s with each, though its ends are the same few. Then it is
//! written as one condition for each end: `ite(c₁, e₁, ite(c₂, e₂, … eₙ))`.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, Terms};

/// The most parts, `ite`s and ends, of a choice that is looked into.
const MOST_PARTS: usize = 96;

/// The most parts of one that may be written shorter, and the most ends.
const MOST_LONG: usize = 256;
const MOST_ENDS: usize = 32;

/// With so many parts for each end a choice is written shorter.
const LONG: usize = 3;

/// The most pairs of ends of two choices for which an operation is done, and a comparison.
const MOST_PAIRS: usize = 64;
const MOST_COMPARED: usize = 256;

impl Terms {
    /// `ite(condition, one, other)`, which is as short as its ends allow if they are few numbers.
    pub(crate) fn choose(&mut self, condition: Term, one: Term, other: Term) -> Term {
        let chosen = self.ite(condition, one, other);
        self.shortened(chosen)
    }

    /// A choice that has many parts for its few ends, with one condition for each end.
    fn shortened(&mut self, choice: Term) -> Term {
        if self.op(choice) != Op::Ite || !matches!(self.sort(choice), Sort::BitVec(_)) {
            return choice;
        }
        let Some(parts) = self.parts_of_choice(choice, MOST_LONG) else { return choice };
        let ends: Vec<Term> = parts.iter().copied().filter(|&part| self.is_constant(part)).collect();
        let [others @ .., last] = &ends[..] else { return choice };
        if parts.len() <= LONG * ends.len() || ends.len() > MOST_ENDS {
            return choice;
        }
        let mut short = *last;
        for &this in others.iter().rev() {
            let is_this = self.over_parts(&parts, &mut |terms, end| terms.bool(end == this));
            short = self.ite(is_this, this, short);
        }
        short
    }

    /// What a function makes of a term, where that is a choice among few constants: the same choice among what it makes of them.
    pub(crate) fn over_choices(
        &mut self,
        t: Term,
        function: &mut dyn FnMut(&mut Terms, Term) -> Term,
    ) -> Option<Term> {
        if self.op(t) != Op::Ite {
            return None;
        }
        let parts = self.parts_of_choice(t, MOST_PARTS)?;
        Some(self.over_parts(&parts, function))
    }

    /// Likewise, the choice being given by its parts.
    fn over_parts(&mut self, parts: &[Term], function: &mut dyn FnMut(&mut Terms, Term) -> Term) -> Term {
        let mut made: Vec<Term> = Vec::with_capacity(parts.len());
        for &part in parts {
            let new = if self.op(part) == Op::Ite {
                let [condition, one, other] = [self.args(part)[0], self.args(part)[1], self.args(part)[2]];
                let of = |part: Term| made[parts.binary_search(&part).expect("a part of the choice")];
                let (one, other) = (of(one), of(other));
                self.ite(condition, one, other)
            } else {
                function(self, part)
            };
            made.push(new);
        }
        made[parts.len() - 1]
    }

    /// A choice among few constants without the ends that are not to be kept; `None` if none is left, or if it is no such choice.
    pub(crate) fn without_ends(
        &mut self,
        t: Term,
        keep: &mut dyn FnMut(&mut Terms, Term) -> bool,
    ) -> Option<Term> {
        let parts = self.parts_of_choice(t, MOST_PARTS)?;
        let mut left: Vec<Option<Term>> = Vec::with_capacity(parts.len());
        for &part in &parts {
            let new = if self.op(part) == Op::Ite {
                let [condition, one, other] = [self.args(part)[0], self.args(part)[1], self.args(part)[2]];
                let of = |part: Term| left[parts.binary_search(&part).expect("a part of the choice")];
                match (of(one), of(other)) {
                    (Some(one), Some(other)) => Some(self.ite(condition, one, other)),
                    (one, other) => one.or(other),
                }
            } else {
                keep(self, part).then_some(part)
            };
            left.push(new);
        }
        left[parts.len() - 1]
    }

    /// That a term is a constant.
    pub(crate) fn eq_over_choices(&mut self, t: Term, constant: Term) -> Term {
        match self.over_choices(t, &mut |terms, end| terms.eq(end, constant)) {
            Some(equal) => equal,
            None => self.eq(t, constant),
        }
    }

    /// As [`rebuild`](Terms::rebuild); where all arguments are constants but for one or two that are choices among few, the
    /// result is such a choice: so pointers to one of several objects stay that, and comparisons of them are decided.
    pub(crate) fn rebuild_over_choices(&mut self, like: Term, args: &[Term]) -> Term {
        if args == self.args(like) {
            return like;
        }
        if matches!(self.op(like), Op::Ite | Op::And | Op::Or | Op::Not) {
            let built = self.rebuild(like, args);
            return self.shortened(built);
        }
        let mut open: Vec<Term> = args.iter().copied().filter(|&a| !self.is_constant(a)).collect();
        open.dedup();
        let with = |args: &[Term], choice: Term, end: Term| -> Vec<Term> {
            args.iter().map(|&a| if a == choice { end } else { a }).collect()
        };
        let most = if self.sort(like) == Sort::Bool { MOST_COMPARED } else { MOST_PAIRS };
        let are_few = match open[..] {
            [one] => self.ends(one).is_some(),
            [one, other] => {
                let both = self.ends(one).zip(self.ends(other));
                both.is_some_and(|(one, other)| one * other <= most)
            }
            _ => false,
        };
        if !are_few {
            return self.rebuild(like, args);
        }
        let chosen = self.over_choices(open[0], &mut |terms, end| {
            let args = with(args, open[0], end);
            let inner = open.get(1).and_then(|&other| {
                terms.over_choices(other, &mut |terms, end| terms.rebuild(like, &with(&args, other, end)))
            });
            inner.unwrap_or_else(|| terms.rebuild(like, &args))
        });
        match chosen {
            Some(chosen) => self.shortened(chosen),
            None => self.rebuild(like, args),
        }
    }

    /// How many ends a choice among few numbers has.
    pub(crate) fn ends(&self, t: Term) -> Option<usize> {
        if self.op(t) != Op::Ite || !matches!(self.sort(t), Sort::BitVec(_)) {
            return None;
        }
        let parts = self.parts_of_choice(t, MOST_PARTS)?;
        Some(parts.into_iter().filter(|&part| self.is_constant(part)).count())
    }

    /// The parts of a choice in the order of their ids, so that it comes last; `None` if they are more than so many, or an end is no
    /// constant.
    fn parts_of_choice(&self, choice: Term, most: usize) -> Option<Vec<Term>> {
        let (mut found, mut at) = (vec![choice], 0);
        while at < found.len() {
            let part = found[at];
            if self.op(part) == Op::Ite {
                for &side in &self.args(part)[1..] {
                    if !found.contains(&side) {
                        found.push(side);
                    }
                }
            } else if !self.is_constant(part) {
                return None;
            }
            if found.len() > most {
                return None;
            }
            at += 1;
        }
        // Arguments have smaller ids.
        found.sort_unstable();
        Some(found)
    }
}
