//! The neighbours of a model: assignments that differ from it in free predicates alone.
//!
//! Where the Boolean part does not depend on some bounds, arithmetic can go through their combinations by itself, without
//! the SAT search: it is told the bounds that the rest of the model needs, and then enumerates, by chronological backtracking, what
//! it can add to it. It notices an inconsistency when the literal that causes it is asserted, so that there are no dead
//! ends of any depth, and theory propagation would cost more than it saves. This goes beyond [SMT §3.1], which has one
//! conflict analysis for every model.

use super::arithmetic::Arithmetic;
use super::arrangement::Arrangements;
use super::explored::{Explored, Place};
use super::skeleton::Skeleton;
use super::theories::Theories;
use crate::sat::SatLit;
use rustc_hash::FxHashMap;
use tamis_theories::arith::Stop;
use tamis_theories::{Atom, Check, Conflict, Literal, Theory};

/// How many steps are taken between two looks at the budget.
const POLL_EVERY: usize = 256;

/// What a look at all neighbours came to.
pub(crate) enum Surroundings {
    /// Every assignment with these literals has been visited, as far as free predicates tell assignments apart.
    Visited(Vec<SatLit>),
    /// Some may have been left out.
    Open,
}

/// The values of the free atoms; nothing for other atoms.
pub(crate) type FreeValues<'a> = &'a dyn Fn(Atom) -> Option<bool>;

/// What to do after a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// Go on.
    Another,
    /// Leave the rest to the search.
    Stop,
}

/// What an enumeration does not depend on but by arithmetic, and the rest of the formula.
pub(crate) struct Freedom {
    /// The free predicates, ascending.
    pub free: Vec<Atom>,
    /// What stands for the other important literals.
    pub others: Vec<SatLit>,
    pub skeleton: Skeleton,
    /// What is to be known of equalities, if there are numbers alone.
    pub arranged: Option<Arrangements>,
}

/// Arithmetic of its own, in which the neighbours are looked for.
pub(crate) struct Neighbourhood {
    arith: Arithmetic,
    freedom: Freedom,
    places: FxHashMap<Atom, usize>,
    /// The bounds that are asserted, whatever the free atoms are.
    told: Vec<Literal>,
    /// The values of the first free atoms, each asserted on a level of its own.
    values: Vec<bool>,
    /// Whether the other values have been tried too.
    seconds: Vec<bool>,
    /// The nodes of the tree that these values lead to, from its root on.
    path: Vec<Place>,
    steps: usize,
    stop: Stop,
}

impl Neighbourhood {
    pub fn new(freedom: Freedom, stop: Stop) -> Neighbourhood {
        let places = freedom.free.iter().enumerate().map(|(place, &atom)| (atom, place)).collect();
        Neighbourhood {
            arith: Arithmetic::default(),
            freedom,
            places,
            told: Vec::new(),
            values: Vec::new(),
            seconds: Vec::new(),
            path: Vec::new(),
            steps: 0,
            stop,
        }
    }

    /// Asserts the bounds that a model needs beside the free ones, unless they are those that the last one needed.
    /// Arithmetic is a new one, which knows nothing else: most of the bounds in the formula are in alternatives that the
    /// model does not take, and what is left is often difference logic where the whole is not.
    fn tell(&mut self, all: &Arithmetic, value: &dyn Fn(SatLit) -> bool) -> bool {
        let mut needed = self.freedom.skeleton.needed_bounds(value);
        needed.retain(|literal| !self.places.contains_key(&literal.atom));
        if !self.told.is_empty() && self.told == needed {
            return true;
        }
        self.told.clear();
        let wanted =
            |atom| self.places.contains_key(&atom) || needed.binary_search_by_key(&atom, |l| l.atom).is_ok();
        let more = self.freedom.arranged.as_ref().map_or(&[][..], Arrangements::bounds);
        self.arith = all.part(wanted, more);
        if self.freedom.arranged.as_mut().is_some_and(|arranged| !arranged.locate(&self.arith)) {
            return false;
        }
        self.arith.push();
        if needed.iter().any(|&literal| self.arith.assert(literal).is_err()) {
            return false;
        }
        self.told = needed;
        true
    }

    /// Asserts that a free atom has a value; what that contradicts, as far as can be told cheaply.
    fn assume(&mut self, atom: Atom, value: bool) -> Result<(), Conflict> {
        match self.freedom.arranged.as_ref().and_then(|arranged| arranged.equality(atom)) {
            // That they differ is looked at in the end.
            Some(_) if !value => return Ok(()),
            Some(bounds) => bounds.iter().try_for_each(|&bound| self.arith.assert(bound))?,
            None => self.arith.assert(Literal::new(atom, value))?,
        }
        self.arith.propagate(&mut Vec::new())
    }

    /// Gives the next free atom a value, if that is consistent and there is something left to look for.
    fn enter(&mut self, explored: &mut Explored, value: bool, second: bool) -> bool {
        let at = self.path[self.values.len()];
        if explored.is_done(at, value) {
            return false;
        }
        self.arith.push();
        match self.assume(self.freedom.free[self.values.len()], value) {
            Ok(()) => {
                self.values.push(value);
                self.seconds.push(second);
                self.path.push(explored.next(at, value));
                true
            }
            Err(conflict) => {
                self.arith.pop(1);
                let told = |literal: &Literal| self.told.binary_search(literal).is_ok();
                if !conflict.0.iter().any(told) {
                    explored.set_done(at, value);
                }
                false
            }
        }
    }

    /// Takes back the value of the latest free atom. It comes with whether the other one has been tried.
    fn leave(&mut self, explored: &mut Explored) -> Option<(bool, bool)> {
        let taken = self.values.pop().zip(self.seconds.pop())?;
        self.arith.pop(1);
        let left = self.path.pop();
        if let (Some(left), Some(&at)) = (left, self.path.last())
            && explored.is_all_done(left)
        {
            explored.set_done(at, taken.0);
        }
        Some(taken)
    }

    /// Goes on to the next combination of values, or a part of one. False if there is none.
    ///
    /// The value that an atom has by the present values of arithmetic comes first, which need not change then.
    fn advance(&mut self, explored: &mut Explored) -> bool {
        if let Some(&atom) = self.freedom.free.get(self.values.len()) {
            let equality =
                self.freedom.arranged.as_ref().and_then(|arranged| arranged.holds(&self.arith, atom));
            let first = equality.unwrap_or_else(|| self.arith.holds(atom));
            if self.enter(explored, first, false) || self.enter(explored, !first, true) {
                return true;
            }
        }
        while let Some((value, second)) = self.leave(explored) {
            if !second && self.enter(explored, !value, true) {
                return true;
            }
        }
        false
    }

    /// Whether to give up because the budget is exhausted.
    fn stops(&mut self) -> bool {
        self.steps += 1;
        self.steps.is_multiple_of(POLL_EVERY) && (self.stop)()
    }
}

impl Theories {
    /// Goes through the assignments that the theories accept and that differ from an accepted one in free atoms alone.
    /// `visit` gets the values of these, or nothing for an assignment that cannot be accepted yet. Some may be left out: the
    /// search will find them.
    pub(super) fn neighbours(
        &mut self,
        value: &dyn Fn(SatLit) -> bool,
        visit: &mut dyn FnMut(Option<FreeValues>) -> Next,
    ) -> Surroundings {
        let Some(mut near) = self.neighbourhood.take() else { return Surroundings::Open };
        let mut explored = std::mem::take(&mut self.explored);
        let told = near.tell(&self.arith, value) && near.arith.propagate(&mut Vec::new()).is_ok();
        let mut all = told;
        near.path.clear();
        near.path.push(explored.root(near.freedom.others.iter().map(|&lit| value(lit)).collect()));
        while told && near.advance(&mut explored) {
            if near.stops() {
                all = false;
                break;
            }
            if near.values.len() < near.freedom.free.len() {
                continue;
            }
            let (places, values) = (&near.places, &near.values);
            let of_atom = |atom: Atom| places.get(&atom).map(|&place| values[place]);
            let accepted = match &near.freedom.arranged {
                Some(arranged) => arranged.settle(&mut near.arith, &of_atom, &mut 0),
                None => self.accepts(&mut near.arith, value).then_some(true),
            };
            all &= accepted.is_some();
            let next = visit((accepted == Some(true)).then_some(&of_atom));
            if let (Some(true), [.., at, _], [.., last]) = (accepted, &near.path[..], &near.values[..]) {
                explored.set_done(*at, *last);
            }
            if next == Next::Stop {
                all = false;
                break;
            }
        }
        while near.leave(&mut explored).is_some() {}
        let region = if all {
            Surroundings::Visited(near.freedom.skeleton.needed_inputs())
        } else {
            Surroundings::Open
        };
        self.neighbourhood = Some(near);
        self.explored = explored;
        region
    }

    /// Whether the theories accept an assignment with other values of the free atoms, asserted in `arith`.
    fn accepts(&mut self, arith: &mut Arithmetic, value: &dyn Fn(SatLit) -> bool) -> bool {
        if arith.check() != Check::Consistent {
            return false;
        }
        if self.table.applications.is_empty() {
            return true;
        }
        std::mem::swap(&mut self.arith, arith);
        self.combine(value);
        std::mem::swap(&mut self.arith, arith);
        std::mem::take(&mut self.requests).is_empty()
    }
}
