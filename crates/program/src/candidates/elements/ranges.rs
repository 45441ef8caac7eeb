//! Of which elements a condition may hold at a point.

use super::conditions::Condition;
use super::counters::{Counter, stride};
use super::unless;
use crate::candidates::ways::Way;
use crate::system::ProgramSystem;
use tamis_logic::{Op, Substitution, Term, Terms};
use tamis_system::Point;

/// So many places that a loop is at are looked at for one condition, so many bounds of each kind, and so many premises.
const MOST_PLACES: usize = 3;
const MOST_BOUNDS: usize = 3;
const MOST_PREMISES: usize = 3;

/// So many pairs of bounds that do not change are looked at.
const MOST_FULL: usize = 6;

pub(super) struct Ranges<'a, 'p> {
    pub system: &'a ProgramSystem<'p>,
    pub ways: &'a [Way],
    pub counters: &'a [Counter],
    pub point: Point,
}

/// What an index variable is where a loop is now, with the counter in it and its bounds.
struct Place<'a> {
    index: Term,
    now: Term,
    counter: &'a Counter,
    least: Vec<Term>,
    beyond: Vec<Term>,
}

impl<'a> Ranges<'a, '_> {
    /// The conditions, each of some ranges; if `conditional`, on premises.
    pub fn candidates(&self, terms: &mut Terms, conditions: &[Condition], conditional: bool) -> Vec<Term> {
        let live: Vec<Term> = self.system.live_at(self.system.location(self.point)).collect();
        let mut premises = if conditional { self.premises(terms, &live) } else { Vec::new() };
        // What rests on a premise elsewhere may need none here.
        premises.push(terms.tru());
        let mut found = Vec::new();
        for condition in conditions {
            let is_known = |v: &Term| live.contains(v) || condition.indices.contains(v);
            if !terms.free_vars(condition.formula).iter().all(is_known) {
                continue;
            }
            for ranged in self.ranged(terms, condition, &live) {
                for &premise in &premises {
                    found.push(terms.implies(premise, ranged));
                }
            }
        }
        found
    }

    /// What decides where executions go from here, but counters.
    fn premises(&self, terms: &Terms, live: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        for way in self.ways.iter().filter(|way| way.from == self.point && way.to != self.point) {
            for &guard in &way.guards {
                let is_other = |v: &Term| {
                    live.contains(v)
                        && terms.array_parts(terms.sort(*v)).is_none()
                        && self.counters.iter().all(|c| c.variable != *v)
                };
                if terms.free_vars(guard).iter().all(is_other) && !found.contains(&guard) {
                    found.push(guard);
                }
            }
        }
        found.truncate(MOST_PREMISES);
        found
    }

    fn ranged(&self, terms: &mut Terms, condition: &Condition, live: &[Term]) -> Vec<Term> {
        if condition.indices.is_empty() {
            return vec![condition.formula];
        }
        let places = self.places(terms, condition, live);
        let mut found = Vec::new();
        if let &[index] = &condition.indices[..] {
            self.between_bounds(terms, condition, index, live, &mut found);
        }
        for place in &places {
            self.around(terms, condition, place, live, &mut found);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        found.retain(|&f| seen.insert(f));
        found
    }

    /// The places that loops are at when they come by elements of a condition: here, or else anywhere.
    fn places(&self, terms: &mut Terms, condition: &Condition, live: &[Term]) -> Vec<Vec<Place<'a>>> {
        let mut bindings: Vec<Vec<Term>> = Vec::new();
        for here in [true, false] {
            for way in self.ways.iter().filter(|way| (way.from == self.point) == here) {
                for (array, pattern) in terms.reads(condition.formula) {
                    for index in
                        way.sites.iter().filter(|(a, _)| *a == array).map(|&(_, i)| i).collect::<Vec<_>>()
                    {
                        for solution in terms.solve_index(pattern, index, &condition.indices) {
                            let now: Option<Vec<Term>> =
                                condition.indices.iter().map(|&j| solution.get(j)).collect();
                            // What is divided is no place that a loop moves on from.
                            let Some(now) = now.filter(|now| !divides(terms, now)) else { continue };
                            if !bindings.contains(&now) && bindings.len() < MOST_PLACES {
                                bindings.push(now);
                            }
                        }
                    }
                }
            }
            if !bindings.is_empty() {
                break;
            }
        }
        let mut places = Vec::new();
        for binding in bindings {
            if let (&[j], &[now]) = (&condition.indices[..], &binding[..]) {
                places.extend(self.nested(terms, j, now, live).into_iter().map(|place| vec![place]));
                continue;
            }
            let pairs = std::iter::zip(&condition.indices, binding);
            let place: Option<Vec<Place>> = pairs.map(|(&j, now)| self.place(terms, j, now, live)).collect();
            places.extend(place);
        }
        places
    }

    fn place(&self, terms: &mut Terms, index: Term, now: Term, live: &[Term]) -> Option<Place<'a>> {
        self.nested(terms, index, now, live).pop()
    }

    /// The place of a loop, and those of the loops around it: where they are when the loops inside begin.
    fn nested(&self, terms: &mut Terms, index: Term, now: Term, live: &[Term]) -> Vec<Place<'a>> {
        let all: Vec<Term> = self.counters.iter().map(|c| c.variable).collect();
        let of = |v: Term| self.counters.iter().find(|c| c.variable == v);
        let inside: Vec<&Counter> = terms.by_stride(now, &all).into_iter().filter_map(of).collect();
        let started: Option<Vec<(Term, Term)>> =
            inside.iter().map(|c| Some((c.variable, *c.starts.first()?))).collect();
        let Some(started) = started.filter(|s| !s.is_empty()) else { return Vec::new() };
        let counter = inside[0];
        let mut at = |bounds: &[Term]| -> Vec<Term> {
            let bounds = bounds.iter().map(|&bound| {
                let mut values: Substitution = started.iter().copied().collect();
                values.insert(counter.variable, bound);
                terms.substitute(now, &values)
            });
            bounds.collect()
        };
        let (mut least, mut beyond) = (at(&counter.from), at(&counter.below));
        for bounds in [&mut least, &mut beyond] {
            bounds.retain(|&b| terms.free_vars(b).iter().all(|v| live.contains(v)));
        }
        let levels = (1..=inside.len()).map(|level| {
            let begun: Substitution = started[level..].iter().copied().collect();
            let now = terms.substitute(now, &begun);
            Place { index, now, counter, least: least.clone(), beyond: beyond.clone() }
        });
        levels.collect()
    }

    /// Of all elements between the bounds of counters.
    fn between_bounds(
        &self,
        terms: &mut Terms,
        condition: &Condition,
        index: Term,
        live: &[Term],
        found: &mut Vec<Term>,
    ) {
        let fitting: Vec<&Counter> =
            self.counters.iter().filter(|c| terms.sort(c.variable) == terms.sort(index)).collect();
        let is_known = |terms: &Terms, b: Term| terms.free_vars(b).iter().all(|v| live.contains(v));
        let mut bounds: Vec<(bool, Term, Term)> = Vec::new();
        for counter in &fitting {
            for &low in &counter.from {
                for &high in &counter.below {
                    let range = (counter.signed, low, high);
                    if !bounds.contains(&range) && is_known(terms, low) && is_known(terms, high) {
                        bounds.push(range);
                    }
                }
            }
        }
        for (signed, low, high) in bounds.into_iter().take(MOST_FULL) {
            let range = vec![not_below(terms, signed, index, low), below(terms, signed, index, high)];
            self.push(terms, condition, index, &range, &fitting, found);
        }
    }

    /// A range of a condition, and the same for every so manieth element where counters step so far.
    fn push(
        &self,
        terms: &mut Terms,
        condition: &Condition,
        index: Term,
        range: &[Term],
        counters: &[&Counter],
        found: &mut Vec<Term>,
    ) {
        found.push(unless(terms, range, condition.formula));
        for counter in counters {
            for &start in counter.starts.iter().take(2) {
                if let Some(stride) = stride(terms, index, start, &counter.step) {
                    let range = [range, &[stride]].concat();
                    found.push(unless(terms, &range, condition.formula));
                }
            }
        }
    }

    /// Of the elements that loops have come by, and of those that they have yet to: of an outer loop's rounds, and of this one's.
    fn around(
        &self,
        terms: &mut Terms,
        condition: &Condition,
        place: &[Place],
        live: &[Term],
        found: &mut Vec<Term>,
    ) {
        let all: Vec<Term> = place.iter().flat_map(|p| all_of(terms, p)).collect();
        found.push(unless(terms, &all, condition.formula));
        for (level, this) in place.iter().enumerate() {
            // Rows before this one, this row's elements before this one.
            let outer = &place[..level];
            let known = |t: Term| terms.free_vars(t).iter().all(|v| live.contains(v));
            if !outer.iter().all(|p| known(p.now)) || !known(this.now) {
                continue;
            }
            let fixed: Substitution = outer.iter().map(|p| (p.index, p.now)).collect();
            let formula = terms.substitute(condition.formula, &fixed);
            let inner: Vec<Term> = place[level + 1..].iter().flat_map(|p| all_of(terms, p)).collect();
            let signed = this.counter.signed;
            let up = !this.counter.step.is_negative();
            let is_last = level + 1 == place.len();
            let mut ranges: Vec<Vec<Term>> = Vec::new();
            let one = terms.bits(terms.width(this.now), 1);
            let next = terms.add(this.now, one);
            // This element itself is to come where it is no row.
            let (passed_below, passed_from) = (this.now, next);
            let (ahead_from, ahead_below) = if is_last { (this.now, next) } else { (next, this.now) };
            for &low in this.least.iter().take(MOST_BOUNDS) {
                let high = if up { passed_below } else { ahead_below };
                ranges.push(vec![
                    not_below(terms, signed, this.index, low),
                    below(terms, signed, this.index, high),
                ]);
            }
            for &high in this.beyond.iter().take(MOST_BOUNDS) {
                let low = if up { ahead_from } else { passed_from };
                ranges.push(vec![
                    not_below(terms, signed, this.index, low),
                    below(terms, signed, this.index, high),
                ]);
            }
            for range in ranges {
                let range = [range, inner.clone()].concat();
                let ranged = Condition { formula, indices: Vec::new() };
                self.push(terms, &ranged, this.index, &range, &[this.counter], found);
            }
        }
    }
}

/// Whether terms divide.
fn divides(terms: &Terms, all: &[Term]) -> bool {
    terms.post_order(all).iter().any(|&t| matches!(terms.op(t), Op::Sdiv | Op::Ashr))
}

/// That an index is between the first bounds of a place.
fn all_of(terms: &mut Terms, place: &Place) -> Vec<Term> {
    let signed = place.counter.signed;
    let mut range = Vec::new();
    if let Some(&low) = place.least.first() {
        range.push(not_below(terms, signed, place.index, low));
    }
    if let Some(&high) = place.beyond.first() {
        range.push(below(terms, signed, place.index, high));
    }
    range
}

fn below(terms: &mut Terms, signed: bool, x: Term, bound: Term) -> Term {
    if signed { terms.slt(x, bound) } else { terms.ult(x, bound) }
}

fn not_below(terms: &mut Terms, signed: bool, x: Term, bound: Term) -> Term {
    let below = below(terms, signed, x, bound);
    terms.not(below)
}
