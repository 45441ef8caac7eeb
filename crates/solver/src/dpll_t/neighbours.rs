//! The neighbours of a model: assignments that differ from it in free predicates alone.
//!
//! Where the Boolean part does not depend on some bounds, arithmetic can go through their combinations by itself, without
//! the SAT search: it is told the bounds that the rest of the model needs, and then enumerates, by chronological backtracking, what
//! it can add to it. It notices an inconsistency when the literal that causes it is asserted, so that there are no dead
//! ends of any depth, and theory propagation would cost more than it saves. This goes beyond [SMT §3.1], which has one
//! conflict analysis for every model.

use super::arithmetic::Arithmetic;
use super::skeleton::Skeleton;
use super::theories::Theories;
use crate::sat::SatLit;
use rustc_hash::FxHashMap;
use tamis_theories::arith::Stop;
use tamis_theories::{Atom, Check, Literal, Theory};

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

/// Arithmetic of its own, in which the neighbours are looked for.
pub(crate) struct Neighbourhood {
    arith: Arithmetic,
    skeleton: Skeleton,
    free: Vec<Atom>,
    places: FxHashMap<Atom, usize>,
    /// The bounds that are asserted, whatever the free atoms are.
    told: Vec<Literal>,
    /// The values of the free atoms, as far as they are known, in the order in which they became so.
    values: Vec<Option<bool>>,
    trail: Vec<usize>,
    choices: Vec<Choice>,
    steps: usize,
    stop: Stop,
}

/// A free atom that was given a value on a level of its own.
struct Choice {
    place: usize,
    value: bool,
    /// Whether the other value has been tried.
    second: bool,
    trail: usize,
}

impl Neighbourhood {
    /// The neighbourhood of models in the bounds `free`.
    pub fn new(skeleton: Skeleton, free: Vec<Atom>, stop: Stop) -> Neighbourhood {
        let places = free.iter().enumerate().map(|(place, &atom)| (atom, place)).collect();
        let values = vec![None; free.len()];
        Neighbourhood {
            arith: Arithmetic::default(),
            skeleton,
            free,
            places,
            told: Vec::new(),
            values,
            trail: Vec::new(),
            choices: Vec::new(),
            steps: 0,
            stop,
        }
    }

    /// Asserts the bounds that a model needs beside the free ones, unless they are those that the last one needed.
    /// Arithmetic is a new one, which knows nothing else: most of the bounds in the formula are in alternatives that the
    /// model does not take, and what is left is often difference logic where the whole is not.
    fn tell(&mut self, all: &Arithmetic, value: &dyn Fn(SatLit) -> bool) -> bool {
        let mut needed = self.skeleton.needed_bounds(value);
        needed.retain(|literal| !self.places.contains_key(&literal.atom));
        if !self.told.is_empty() && self.told == needed {
            return true;
        }
        self.told.clear();
        self.arith = all.part(|atom| {
            self.places.contains_key(&atom) || needed.binary_search_by_key(&atom, |l| l.atom).is_ok()
        });
        self.arith.push();
        if needed.iter().any(|&literal| self.arith.assert(literal).is_err()) {
            return false;
        }
        self.told = needed;
        true
    }

    /// Gives a free atom a value; whether that is consistent, as far as can be told cheaply.
    fn assume(&mut self, place: usize, value: bool) -> bool {
        self.values[place] = Some(value);
        self.trail.push(place);
        self.arith.assert(Literal::new(self.free[place], value)).is_ok() && self.consistent()
    }

    fn consistent(&mut self) -> bool {
        self.arith.propagate(&mut Vec::new()).is_ok()
    }

    fn undo(&mut self, trail: usize) {
        for place in self.trail.drain(trail..) {
            self.values[place] = None;
        }
    }

    fn choose(&mut self, place: usize, value: bool, second: bool) -> bool {
        self.arith.push();
        self.choices.push(Choice { place, value, second, trail: self.trail.len() });
        self.assume(place, value)
    }

    /// Takes the other side of the latest choice that has one. False if there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(choice) = self.choices.pop() {
            self.arith.pop(1);
            self.undo(choice.trail);
            if !choice.second && self.choose(choice.place, !choice.value, true) {
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
        let model: Vec<bool> = near.free.iter().map(|atom| value(self.sat_of[atom.0 as usize])).collect();
        let told = near.tell(&self.arith, value);
        near.arith.push();
        let mut consistent = told && near.consistent();
        let mut all = consistent;
        while consistent {
            if near.stops() {
                all = false;
                break;
            }
            match near.values.iter().position(Option::is_none) {
                Some(place) => {
                    if near.choose(place, model[place], false) {
                        continue;
                    }
                }
                None => {
                    let accepted = self.accepts(&mut near.arith, value);
                    all &= accepted;
                    let (places, values) = (&near.places, &near.values);
                    let of_atom = |atom: Atom| places.get(&atom).and_then(|&place| values[place]);
                    if visit(accepted.then_some(&of_atom)) == Next::Stop {
                        all = false;
                        break;
                    }
                }
            }
            consistent = near.backtrack();
        }
        near.arith.pop(1 + near.choices.len());
        near.choices.clear();
        near.undo(0);
        let region =
            if all { Surroundings::Visited(near.skeleton.needed_inputs()) } else { Surroundings::Open };
        self.neighbourhood = Some(near);
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
