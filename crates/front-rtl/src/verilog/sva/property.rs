//! Properties as obligations, and what is left of them after a cycle.
//!
//! An attempt to fulfil a property starts in every cycle. What is left of it after a cycle is a property again, to be fulfilled
//! from the next cycle on; `False` is a failure, at the earliest cycle in which it is certain.

use super::sequence::{Leaf, Sequence};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What is to hold from a cycle on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// Fulfilled.
    True,
    /// Failed.
    False,
    /// A sequence matches, or may still match.
    Match(Sequence),
    /// From the end of every match of the sequence on, the property holds: from its last cycle (`|->`) or from the one after
    /// it (`|=>`).
    Then(Sequence, Overlap, Rc<Property>),
    /// All hold.
    And(BTreeSet<Property>),
    /// One holds.
    Or(BTreeSet<Property>),
    /// It does not hold.
    Not(Rc<Property>),
    /// It holds so many cycles later, at least one.
    Next(u32, Rc<Property>),
    /// It holds from each cycle on.
    Always(Rc<Property>),
    /// The first holds from each cycle on, until the second does; with `Overlap::Last`, there too.
    Until(Rc<Property>, Rc<Property>, Overlap),
    /// It holds, unless an expression does first: then it is fulfilled (`accept_on`) or has failed (`reject_on`). In the cycle
    /// of both, the expression decides.
    Abort(Leaf, bool, Rc<Property>),
}

/// Whether two share a cycle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Overlap {
    /// The last of the first is the first of the second.
    Last,
    /// None.
    None,
}

use Property::{Abort, Always, And, False, Match, Next, Not, Or, Then, True, Until};

impl Property {
    /// All hold.
    pub fn all_of(parts: impl IntoIterator<Item = Property>) -> Property {
        let mut all = BTreeSet::new();
        for part in parts {
            match part {
                True => {}
                False => return False,
                And(more) => all.extend(more),
                one => all.extend([one]),
            }
        }
        if all.len() <= 1 { all.pop_first().unwrap_or(True) } else { And(all) }
    }

    /// One holds.
    pub fn any_of(parts: impl IntoIterator<Item = Property>) -> Property {
        let mut all = BTreeSet::new();
        for part in parts {
            match part {
                False => {}
                True => return True,
                Or(more) => all.extend(more),
                one => all.extend([one]),
            }
        }
        if all.len() <= 1 { all.pop_first().unwrap_or(False) } else { Or(all) }
    }

    /// It does not hold.
    pub fn negated(self) -> Property {
        match self {
            True => False,
            False => True,
            Not(p) => (*p).clone(),
            p => Not(Rc::new(p)),
        }
    }

    /// The property holds after every match. A choice is a conjunction here, so that each part of it is followed by itself.
    pub fn then(sequence: Sequence, overlap: Overlap, property: Rc<Property>) -> Property {
        match sequence {
            Sequence::Never | Sequence::Empty => True,
            Sequence::Or(choices) => {
                Property::all_of(choices.into_iter().map(|s| Property::then(s, overlap, property.clone())))
            }
            sequence => Then(sequence, overlap, property),
        }
    }

    /// What `s |-> p` or `s |=> p` says: also of a sequence that no cycle matches, after which `|=>` starts at once and `|->` not
    /// at all.
    pub fn after_match(sequence: Sequence, overlap: Overlap, property: Property) -> Property {
        let at_once = sequence.is_nullable() && overlap == Overlap::None;
        let now = if at_once { property.clone() } else { True };
        Property::all_of([now, Property::then(sequence, overlap, Rc::new(property))])
    }

    /// It holds so many cycles later.
    pub fn next(count: u32, property: Property) -> Property {
        if count == 0 { property } else { Next(count, Rc::new(property)) }
    }

    /// What is left after a cycle.
    pub fn after(&self, cycle: &impl Fn(Leaf) -> bool) -> Property {
        match self {
            True => True,
            False => False,
            Match(s) => match s.after(cycle) {
                Sequence::Never => False,
                rest if rest.is_nullable() => True,
                rest => Match(rest),
            },
            Then(s, overlap, p) => {
                let rest = s.after(cycle);
                let now = match (rest.is_nullable(), overlap) {
                    (false, _) => True,
                    (true, Overlap::Last) => p.after(cycle),
                    (true, Overlap::None) => (**p).clone(),
                };
                Property::all_of([Property::then(rest, *overlap, p.clone()), now])
            }
            And(parts) => Property::all_of(parts.iter().map(|p| p.after(cycle))),
            Or(parts) => Property::any_of(parts.iter().map(|p| p.after(cycle))),
            Not(p) => p.after(cycle).negated(),
            Next(1, p) => (**p).clone(),
            Next(count, p) => Next(count - 1, p.clone()),
            Always(p) => Property::all_of([p.after(cycle), self.clone()]),
            Until(p, q, overlap) => {
                let (holds, ends) = (p.after(cycle), q.after(cycle));
                match overlap {
                    Overlap::None => Property::any_of([ends, Property::all_of([holds, self.clone()])]),
                    Overlap::Last => Property::all_of([holds, Property::any_of([ends, self.clone()])]),
                }
            }
            Abort(leaf, accepts, _) if cycle(*leaf) => {
                if *accepts {
                    True
                } else {
                    False
                }
            }
            Abort(leaf, accepts, p) => match p.after(cycle) {
                True => True,
                False => False,
                rest => Abort(*leaf, *accepts, Rc::new(rest)),
            },
        }
    }

    /// The expressions that the next cycle may be asked for.
    pub fn asks(&self, leaves: &mut BTreeSet<Leaf>) {
        match self {
            True | False | Next(..) => {}
            Match(s) => s.asks(leaves),
            Then(s, overlap, p) => {
                s.asks(leaves);
                if *overlap == Overlap::Last {
                    p.asks(leaves);
                }
            }
            And(parts) | Or(parts) => parts.iter().for_each(|p| p.asks(leaves)),
            Not(p) | Always(p) => p.asks(leaves),
            Until(p, q, _) => {
                p.asks(leaves);
                q.asks(leaves);
            }
            Abort(leaf, _, p) => {
                leaves.insert(*leaf);
                p.asks(leaves);
            }
        }
    }

    /// The properties of which this is the conjunction.
    pub fn parts(self) -> Vec<Property> {
        match self {
            True => Vec::new(),
            And(parts) => parts.into_iter().collect(),
            one => vec![one],
        }
    }
}
