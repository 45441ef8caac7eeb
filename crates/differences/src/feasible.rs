//! Which comparisons of a few numbers can hold together, under bounds on their differences.

use crate::graph::Vertex;
use crate::limits;
use crate::table::Table;
use std::borrow::Cow;
use std::rc::Rc;

/// `x - y ≤ most`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    pub x: Vertex,
    pub y: Vertex,
    pub most: i64,
}

/// Whether `x - y` is in `least..=most`, or is not if that is `negated`. One of the two ends may be missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Comparison {
    pub x: Vertex,
    pub y: Vertex,
    pub least: Option<i64>,
    pub most: Option<i64>,
    pub negated: bool,
}

/// `x - y ≠ difference`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Apart {
    pub x: Vertex,
    pub y: Vertex,
    pub difference: i64,
}

/// No bound at all: sums of three do not overflow.
const NONE: i64 = i64::MAX / 4;

/// The tightest bounds on all differences of some numbers, as a square matrix.
#[derive(Clone)]
pub(crate) struct Closure {
    vertices: Rc<[Vertex]>,
    most: Vec<i64>,
}

impl Closure {
    /// All that follows from bounds that can hold together.
    pub fn new(bounds: &[Bound], more: impl Iterator<Item = Vertex> + Clone) -> Closure {
        let all = bounds.iter().flat_map(|b| [b.x, b.y]).chain(more);
        let mut place_of = vec![usize::MAX; all.clone().max().map_or(0, |last| last as usize + 1)];
        let mut count = 0;
        for vertex in all {
            count += usize::from(std::mem::replace(&mut place_of[vertex as usize], 0) > 0);
        }
        let mut vertices = Vec::with_capacity(count);
        for (vertex, place) in (0..).zip(&mut place_of).filter(|(_, place)| **place == 0) {
            *place = vertices.len();
            vertices.push(vertex);
        }
        let mut most = vec![NONE; count * count];
        (0..count).for_each(|at| most[at * count + at] = 0);
        for &Bound { x, y, most: bound } in bounds {
            let known = &mut most[place_of[x as usize] * count + place_of[y as usize]];
            *known = bound.min(*known);
        }
        let mut closure = Closure { vertices: vertices.into(), most };
        closure.close();
        closure
    }

    /// All shortest ways (Floyd and Warshall).
    fn close(&mut self) {
        let count = self.vertices.len();
        // Most numbers have bounds to a few others only.
        let mut onward: Vec<(usize, i64)> = Vec::with_capacity(count);
        for via in 0..count {
            onward.clear();
            let row = self.most[via * count..][..count].iter().copied().enumerate();
            onward.extend(row.filter(|&(to, most)| most < NONE && to != via));
            for from in (0..count).filter(|&from| from != via && !onward.is_empty()) {
                let first = self.most(from, via);
                if first >= NONE {
                    continue;
                }
                let row = &mut self.most[from * count..][..count];
                for &(to, second) in &onward {
                    row[to] = row[to].min(first + second);
                }
            }
        }
    }

    pub fn place(&self, vertex: Vertex) -> usize {
        self.vertices.binary_search(&vertex).unwrap_or(0)
    }

    /// What is known of some of the numbers, which come in ascending order.
    pub fn restricted(&self, vertices: &[Vertex]) -> Closure {
        let places: Vec<usize> = vertices.iter().map(|&vertex| self.place(vertex)).collect();
        let most = places.iter().flat_map(|&x| places.iter().map(move |&y| (x, y)));
        Closure { vertices: vertices.into(), most: most.map(|(x, y)| self.most(x, y)).collect() }
    }

    /// Whether a difference can be what it is not to be.
    fn allows(&self, &Apart { x, y, difference }: &Apart) -> bool {
        let (x, y) = (self.place(x), self.place(y));
        difference <= self.most(x, y) && -difference <= self.most(y, x)
    }

    /// Whether a number can be as large as one likes, or as small.
    fn is_unbounded(&self, vertex: Vertex) -> bool {
        let at = self.place(vertex);
        let others = || (0..self.vertices.len()).filter(move |&other| other != at);
        others().all(|other| self.most(at, other) >= NONE)
            || others().all(|other| self.most(other, at) >= NONE)
    }

    /// Of numbers that are to be apart, those that are not so by their bounds. Those that are not `fixed` and have no bound on one
    /// side can be moved far away.
    pub fn open(&self, apart: &[Apart], fixed: &[Vertex]) -> Vec<Apart> {
        let movable = |vertex: Vertex| fixed.binary_search(&vertex).is_err() && self.is_unbounded(vertex);
        let is_open = |pair: &&Apart| self.allows(pair) && !movable(pair.x) && !movable(pair.y);
        apart.iter().filter(is_open).copied().collect()
    }

    /// All bounds, in a fixed order.
    pub fn bounds(&self) -> &[i64] {
        &self.most
    }

    fn most(&self, x: usize, y: usize) -> i64 {
        self.most[x * self.vertices.len() + y]
    }

    /// Takes a bound into account that neither follows from the others nor contradicts them.
    fn add(&mut self, x: usize, y: usize, most: i64) {
        let count = self.vertices.len();
        for i in 0..count {
            let before = self.most(i, x);
            // What is no nearer to `y` by the new bound is no nearer to anything behind it.
            if before >= NONE || before + most >= self.most(i, y) {
                continue;
            }
            for j in 0..count {
                let after = self.most(y, j);
                if after < NONE {
                    let way = before + most + after;
                    let known = &mut self.most[i * count + j];
                    *known = way.min(*known);
                }
            }
        }
    }
}

/// What is known with a bound more; `None` if it contradicts the rest.
fn bounded<'a>(known: Cow<'a, Closure>, x: usize, y: usize, most: i64) -> Option<Cow<'a, Closure>> {
    if most + known.most(y, x) < 0 {
        return None;
    }
    if most >= known.most(x, y) {
        return Some(known);
    }
    let mut known = known.into_owned();
    known.add(x, y, most);
    Some(Cow::Owned(known))
}

/// A comparison between places of a closure.
#[derive(Clone, Copy)]
struct Placed {
    x: usize,
    y: usize,
    least: Option<i64>,
    most: Option<i64>,
    negated: bool,
}

/// The truth table of which values the comparisons can have together, given what is known and what is apart: bit `i` of an
/// index is the value of comparison `i`. `None` if that takes too long.
pub(crate) fn feasible(known: &Closure, comparisons: &[Comparison], apart: &[Apart]) -> Option<Table> {
    let placed = |c: &Comparison| Placed {
        x: known.place(c.x),
        y: known.place(c.y),
        least: c.least,
        most: c.most,
        negated: c.negated,
    };
    let comparisons: Vec<Placed> = comparisons.iter().map(placed).collect();
    let table = Table::constant(comparisons.len(), false);
    let outside = |&Apart { x, y, difference }: &Apart| Placed {
        x: known.place(x),
        y: known.place(y),
        least: Some(difference),
        most: Some(difference),
        negated: true,
    };
    let outside = apart.iter().map(outside).collect();
    let mut walk = Walk { comparisons: &comparisons, outside, table, left: limits::BOUNDS_TRIED };
    walk.go_through(known, 0, 0)?;
    Some(walk.table)
}

/// The way through all values of comparisons.
struct Walk<'a> {
    comparisons: &'a [Placed],
    /// Those that are to be outside their intervals on either side.
    outside: Vec<Placed>,
    table: Table,
    /// How many bounds may still be tried.
    left: u32,
}

impl Walk<'_> {
    /// Decides comparison `at` and those after it. What is to be outside an interval on either side comes last.
    fn go_through(&mut self, known: &Closure, at: usize, index: usize) -> Option<()> {
        let Some(&comparison) = self.comparisons.get(at) else {
            let outside = std::mem::take(&mut self.outside);
            if self.all_outside(known, &outside)? {
                self.table.insert(index);
            }
            self.outside = outside;
            return Some(());
        };
        for value in [false, true] {
            self.left = self.left.checked_sub(1)?;
            let index = index | usize::from(value) << at;
            let with_it = match (value != comparison.negated, sides(known, comparison)) {
                (true, _) => inside(known, comparison),
                (false, [false, false]) => None,
                (false, [true, true]) => {
                    self.outside.push(comparison);
                    self.go_through(known, at + 1, index)?;
                    self.outside.pop();
                    None
                }
                (false, [below, _]) => side(known, comparison, below),
            };
            if let Some(known) = with_it {
                self.go_through(&known, at + 1, index)?;
            }
        }
        Some(())
    }

    /// Whether all these differences can be outside their intervals.
    fn all_outside(&mut self, known: &Closure, outside: &[Placed]) -> Option<bool> {
        let Some((&first, rest)) = outside.split_first() else { return Some(true) };
        if !can_be_inside(known, first) {
            return self.all_outside(known, rest);
        }
        let [below, above] = sides(known, first);
        for (is_below, possible) in [(true, below), (false, above)] {
            self.left = self.left.checked_sub(1)?;
            let with_it = if possible { side(known, first, is_below) } else { None };
            if let Some(known) = with_it
                && self.all_outside(&known, rest)?
            {
                return Some(true);
            }
        }
        Some(false)
    }
}

/// What is known if a difference is in its interval.
fn inside(known: &Closure, Placed { x, y, least, most, .. }: Placed) -> Option<Cow<'_, Closure>> {
    let mut known = Cow::Borrowed(known);
    if let Some(most) = most {
        known = bounded(known, x, y, most)?;
    }
    if let Some(least) = least {
        known = bounded(known, y, x, -least)?;
    }
    Some(known)
}

/// Whether a difference can be in its interval.
fn can_be_inside(known: &Closure, Placed { x, y, least, most, .. }: Placed) -> bool {
    least.is_none_or(|least| least <= known.most(x, y)) && most.is_none_or(|most| -most <= known.most(y, x))
}

/// Whether a difference can be below its interval, and above.
fn sides(known: &Closure, Placed { x, y, least, most, .. }: Placed) -> [bool; 2] {
    let below = least.is_some_and(|least| known.most(y, x) >= NONE || -known.most(y, x) < least);
    let above = most.is_some_and(|most| known.most(x, y) > most);
    [below, above]
}

/// What is known if a difference is below its interval, or above.
fn side(known: &Closure, Placed { x, y, least, most, .. }: Placed, below: bool) -> Option<Cow<'_, Closure>> {
    let known = Cow::Borrowed(known);
    match (below, least, most) {
        (true, Some(least), _) => bounded(known, x, y, least - 1),
        (false, _, Some(most)) => bounded(known, y, x, -most - 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_testing::Random;

    /// Small numbers, all their values gone through. The bounds keep them small.
    #[test]
    fn random_comparisons_against_all_values() {
        const N: usize = 4;
        const RANGE: i64 = 4;
        let mut source = Random::new(11);
        let mut random = |n: u64| source.below(n);
        for round in 0..400 {
            let mut pair = || {
                let x = random(N as u64);
                let y = (x + 1 + random(N as u64 - 1)) % N as u64;
                (x as Vertex, y as Vertex, random(5) as i64 - 2, random(4))
            };
            // Number 0 is 0, and the others are not far from it.
            let near = (1..N as Vertex).flat_map(|v| [(v, 0), (0, v)]);
            let mut bounds: Vec<Bound> = near.map(|(x, y)| Bound { x, y, most: RANGE }).collect();
            let (x, y, most, _) = pair();
            bounds.push(Bound { x, y, most: most + 2 });
            let comparisons: Vec<Comparison> = (0..4)
                .map(|_| {
                    let (x, y, c, kind) = pair();
                    let least = (kind > 0).then_some(c);
                    let most = (kind != 1).then_some(if kind == 3 { c + 1 } else { c });
                    Comparison { x, y, least, most, negated: kind == 2 }
                })
                .collect();
            let apart: Vec<Apart> = (0..round % 4)
                .map(|_| {
                    let (x, y, difference, _) = pair();
                    Apart { x, y, difference }
                })
                .collect();
            let closure = Closure::new(&bounds, 0..N as Vertex);
            let found = feasible(&closure, &comparisons, &apart).expect("little to try");
            let mut expected = Table::constant(4, false);
            let span = (2 * RANGE + 1) as usize;
            for code in 0..span.pow(N as u32 - 1) {
                let value = |v: Vertex| match v {
                    0 => 0,
                    _ => (code / span.pow(v - 1) % span) as i64 - RANGE,
                };
                let are_apart = |a: &Apart| value(a.x) - value(a.y) != a.difference;
                if bounds.iter().all(|b| value(b.x) - value(b.y) <= b.most) && apart.iter().all(are_apart) {
                    let holds = |c: &Comparison| {
                        let d = value(c.x) - value(c.y);
                        (c.least.is_none_or(|least| d >= least) && c.most.is_none_or(|most| d <= most))
                            != c.negated
                    };
                    expected.insert((0..4).map(|i| usize::from(holds(&comparisons[i])) << i).sum());
                }
            }
            assert_eq!(found, expected, "{bounds:?} {comparisons:?} {apart:?}");
        }
    }
}
