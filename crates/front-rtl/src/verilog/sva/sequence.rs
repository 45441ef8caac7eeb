//! Sequences as regular expressions over cycles, and their derivatives.
//!
//! A letter is a cycle: the truth of the Boolean expressions of a property in it. The derivative of a sequence by a letter is
//! what is left to match after that cycle (Brzozowski, *Derivatives of Regular Expressions*, JACM 1964). A choice at the left of a
//! concatenation is pulled out, so that what is left of a choice is a choice of what is left.

use std::collections::BTreeSet;
use std::rc::Rc;

/// The number of a Boolean expression of a property.
pub type Leaf = usize;

/// A sequence.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sequence {
    /// No match.
    Never,
    /// The match of no cycle.
    Empty,
    /// Any cycle.
    Any,
    /// A cycle in which an expression has this value.
    Cycle(Leaf, bool),
    /// One, and the other from the next cycle on: `##1`.
    Concat(Rc<Sequence>, Rc<Sequence>),
    /// One, and the other from its last cycle on: `##0`.
    Fusion(Rc<Sequence>, Rc<Sequence>),
    /// One of several.
    Or(BTreeSet<Sequence>),
    /// Both, over the same cycles.
    Intersect(Rc<Sequence>, Rc<Sequence>),
    /// So many times, one after the other; without a bound if there is none.
    Repeat(Rc<Sequence>, u32, Option<u32>),
    /// The shortest match.
    First(Rc<Sequence>),
}

use Sequence::{Any, Concat, Cycle, Empty, First, Fusion, Intersect, Never, Or, Repeat};

impl Sequence {
    /// One, then the other.
    pub fn concat(self, then: Sequence) -> Sequence {
        match (self, then) {
            (Never, _) | (_, Never) => Never,
            (Empty, s) | (s, Empty) => s,
            (Or(choices), then) => Sequence::any_of(choices.into_iter().map(|s| s.concat(then.clone()))),
            (s, then) => Concat(Rc::new(s), Rc::new(then)),
        }
    }

    /// One, and the other from its last cycle on.
    pub fn fusion(self, then: Sequence) -> Sequence {
        match (self, then) {
            (Never | Empty, _) | (_, Never | Empty) => Never,
            (Or(choices), then) => Sequence::any_of(choices.into_iter().map(|s| s.fusion(then.clone()))),
            (s, then) => Fusion(Rc::new(s), Rc::new(then)),
        }
    }

    /// One of several.
    pub fn any_of(choices: impl IntoIterator<Item = Sequence>) -> Sequence {
        let mut all = BTreeSet::new();
        for choice in choices {
            match choice {
                Never => {}
                Or(more) => all.extend(more),
                one => {
                    all.insert(one);
                }
            }
        }
        if all.len() <= 1 { all.pop_first().unwrap_or(Never) } else { Or(all) }
    }

    /// Both, over the same cycles.
    pub fn intersect(self, other: Sequence) -> Sequence {
        match (self, other) {
            (Never, _) | (_, Never) => Never,
            (a, b) if a == b => a,
            (Empty, s) | (s, Empty) => {
                if s.is_nullable() {
                    Empty
                } else {
                    Never
                }
            }
            (a, b) if a <= b => Intersect(Rc::new(a), Rc::new(b)),
            (a, b) => Intersect(Rc::new(b), Rc::new(a)),
        }
    }

    /// Both, from the same cycle on; the match ends with the later one.
    pub fn and(self, other: Sequence) -> Sequence {
        let any = || Any.repeat(0, None);
        let (first, second) = (self.clone().concat(any()), other.clone().concat(any()));
        Sequence::any_of([first.intersect(other), self.intersect(second)])
    }

    /// So many times.
    pub fn repeat(self, least: u32, most: Option<u32>) -> Sequence {
        match (self, least, most) {
            (_, _, Some(0)) => Empty,
            (s, 1, Some(1)) => s,
            (Never, 0, _) | (Empty, _, _) => Empty,
            (Never, _, _) => Never,
            (s, least, most) => Repeat(Rc::new(s), least, most),
        }
    }

    /// The shortest match.
    pub fn first_match(self) -> Sequence {
        match self {
            Never => Never,
            s if s.is_nullable() => Empty,
            s => First(Rc::new(s)),
        }
    }

    /// Whether no cycle is a match.
    pub fn is_nullable(&self) -> bool {
        match self {
            Never | Any | Cycle(..) | Fusion(..) => false,
            Empty => true,
            Concat(a, b) | Intersect(a, b) => a.is_nullable() && b.is_nullable(),
            Or(choices) => choices.iter().any(Sequence::is_nullable),
            Repeat(s, least, _) => *least == 0 || s.is_nullable(),
            First(s) => s.is_nullable(),
        }
    }

    /// The length of the longest match, if there is a bound.
    pub fn longest(&self) -> Option<u64> {
        match self {
            Never | Empty => Some(0),
            Any | Cycle(..) => Some(1),
            Concat(a, b) => Some(a.longest()? + b.longest()?),
            Fusion(a, b) => Some((a.longest()? + b.longest()?).saturating_sub(1)),
            Or(choices) => choices.iter().map(Sequence::longest).try_fold(0, |most, l| Some(l?.max(most))),
            Intersect(a, b) => match (a.longest(), b.longest()) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            Repeat(s, _, most) => match s.longest()? {
                0 => Some(0),
                length => Some(length * u64::from((*most)?)),
            },
            First(s) => s.longest(),
        }
    }

    /// What is left to match after a cycle.
    pub fn after(&self, cycle: &impl Fn(Leaf) -> bool) -> Sequence {
        match self {
            Never | Empty => Never,
            Any => Empty,
            Cycle(leaf, value) => {
                if cycle(*leaf) == *value {
                    Empty
                } else {
                    Never
                }
            }
            Concat(a, b) => {
                let through = a.after(cycle).concat((**b).clone());
                let around = if a.is_nullable() { b.after(cycle) } else { Never };
                Sequence::any_of([through, around])
            }
            Fusion(a, b) => {
                let rest = a.after(cycle);
                let last = if rest.is_nullable() { b.after(cycle) } else { Never };
                Sequence::any_of([rest.fusion((**b).clone()), last])
            }
            Or(choices) => Sequence::any_of(choices.iter().map(|s| s.after(cycle))),
            Intersect(a, b) => a.after(cycle).intersect(b.after(cycle)),
            Repeat(s, least, most) => {
                let rest = (**s).clone().repeat(least.saturating_sub(1), most.map(|m| m - 1));
                s.after(cycle).concat(rest)
            }
            First(s) => s.after(cycle).first_match(),
        }
    }

    /// The expressions that the next cycle may be asked for.
    pub fn asks(&self, leaves: &mut BTreeSet<Leaf>) {
        match self {
            Never | Empty | Any => {}
            Cycle(leaf, _) => leaves.extend([*leaf]),
            Concat(a, b) => {
                a.asks(leaves);
                if a.is_nullable() {
                    b.asks(leaves);
                }
            }
            Fusion(a, b) | Intersect(a, b) => {
                a.asks(leaves);
                b.asks(leaves);
            }
            Or(choices) => choices.iter().for_each(|s| s.asks(leaves)),
            Repeat(s, _, _) | First(s) => s.asks(leaves),
        }
    }
}
