//! Closed forms as facts: what `k` rounds of a loop add to its variables, told without `k`.
//!
//! A round adds to `x` something from `a` to `b`, and to a counter `y` something from `c` to `d`, all of one sign. Then `x` gains on `y` by
//! some rate at least and by some rate at most: `x - r·y` never falls, and is not below what it was when the loop was entered. A
//! round of an outer loop has as many rounds of an inner loop as *its* counter has way to go; within the inner loop the same
//! holds of what `x` was before it. Such facts say at a loop's exit what sums have come to at least, and that they cannot have wrapped around.
//!
//! Of what moves by multiples of a number it is also told that the remainder stays.

mod pass;
mod told;

use super::evaluate::Environment;
use super::ways::Way;
use crate::system::ProgramSystem;
use pass::{Ends, Pass, Round, gcd, joined, product, sum};
use rustc_hash::FxHashMap;
use tamis_logic::{Term, Terms};
use tamis_system::Point;
use told::{Rate, Told};

/// So many variables of a loop are looked at.
const MOST_VARIABLES: usize = 8;

/// Larger rates are chance.
const LARGEST_RATE: i128 = 1 << 24;

/// What is added to variables by the loops that begin at a point.
struct Loop {
    head: Point,
    /// What rounds without an inner loop add, and rounds with one.
    rounds: Vec<Round>,
    /// The values with which the loop is entered.
    entry: FxHashMap<Term, Ends>,
    /// Inner loops: where, and the values with which they are entered.
    inner: Vec<(Point, FxHashMap<Term, Ends>)>,
}

/// Rates and strides at each point, given the ranges at each location.
pub(super) fn facts(
    terms: &mut Terms,
    system: &ProgramSystem<'_>,
    ways: &[Way],
    known: &[Option<Environment>],
    stop: &dyn Fn() -> bool,
) -> Vec<Vec<Term>> {
    let mut found = vec![Vec::new(); system.count()];
    let mut passes = Vec::new();
    for way in ways {
        if stop() {
            return found;
        }
        passes.extend(Pass::new(terms, system, way, known));
    }
    for p in 1..(system.count() as u32).saturating_sub(1) {
        if stop() {
            break;
        }
        let Some(this) = Loop::at(Point(p), &passes) else { continue };
        let mut told = Told { system, known, found: &mut found };
        this.tell(terms, &passes, &mut told);
    }
    found
}

impl Loop {
    /// The loops that begin at a point; `None` if there are none.
    fn at(head: Point, passes: &[Pass]) -> Option<Loop> {
        let from_to = |a: Point, b: Point| passes.iter().filter(move |p| p.from == a && p.to == b);
        let mut this = Loop { head, rounds: Vec::new(), entry: FxHashMap::default(), inner: Vec::new() };
        this.rounds.extend(from_to(head, head).map(|p| p.adds.clone()));
        let mut inside = Vec::new();
        for first in passes.iter().filter(|p| p.from == head && p.to != head) {
            let inner = first.to;
            if inside.contains(&inner) || from_to(inner, head).next().is_none() {
                continue;
            }
            let rounds: Vec<&Round> = from_to(inner, inner).map(|p| &p.adds).collect();
            if rounds.is_empty() {
                continue;
            }
            inside.push(inner);
            let entered = joined(from_to(head, inner).map(|p| &p.after));
            let before = joined(from_to(head, inner).map(|p| &p.adds));
            let once = joined(rounds.into_iter());
            for last in from_to(inner, head) {
                let times = rounds_made(&once, &entered, &last.before);
                let mut round = Round::default();
                for (v, &ends) in &last.adds {
                    let within =
                        once.get(v).copied().zip(times).and_then(|(once, times)| product(once, times));
                    let within = within.or_else(|| once.get(v).copied().filter(|&ends| ends == (0, 0)));
                    if let (Some(&first), Some(within)) = (before.get(v), within) {
                        round.insert(*v, sum(sum(first, within), ends));
                    }
                }
                this.rounds.push(round);
            }
            this.inner.push((inner, entered));
        }
        if this.rounds.is_empty() {
            return None;
        }
        let entries = passes.iter().filter(|p| p.to == head && p.from != head && !inside.contains(&p.from));
        this.entry = joined(entries.map(|p| &p.after));
        Some(this)
    }

    /// Tells what is known of each two variables.
    fn tell(&self, terms: &mut Terms, passes: &[Pass], told: &mut Told<'_>) {
        let round = joined(self.rounds.iter());
        let mut moving: Vec<Term> = round.keys().copied().collect();
        moving.sort_unstable();
        moving.retain(|v| self.rounds.iter().any(|r| r[v] != (0, 0)));
        moving.truncate(MOST_VARIABLES);
        for &x in &moving {
            let Some(&start) = self.entry.get(&x) else { continue };
            if let Some(stride) = self.stride(terms, passes, x, start) {
                told.found[self.head.index()].push(stride);
            }
            for &y in moving.iter().filter(|&&y| y != x) {
                let Some(&from) = self.entry.get(&y) else { continue };
                for above in [false, true] {
                    let Some(rate) = self.rate(x, y, above) else { continue };
                    let Some(gained) = product((rate, rate), from) else { continue };
                    let bound = if above { start.1 - gained.0 } else { start.0 - gained.1 };
                    let fact = Rate { x, sum: vec![(rate, y)], bound, above };
                    told.push(terms, self.head, &fact);
                    self.tell_inside(terms, passes, &fact, told);
                }
            }
        }
    }

    /// Tells the same of what variables were before inner loops, within these.
    fn tell_inside(&self, terms: &mut Terms, passes: &[Pass], fact: &Rate, told: &mut Told<'_>) {
        for (inner, entered) in &self.inner {
            let rounds = passes.iter().filter(|p| p.from == *inner && p.to == *inner);
            let once = joined(rounds.map(|p| &p.adds));
            if fact.sum.iter().any(|(_, y)| once.get(y) != Some(&(0, 0))) {
                continue;
            }
            let Some(&(add, same)) = once.get(&fact.x) else { continue };
            if (add, same) == (0, 0) {
                told.push(terms, *inner, fact);
            }
            if add != same || add == 0 {
                continue;
            }
            for (&j, &(step, other)) in &once {
                let Some(&(first, last)) = entered.get(&j) else { continue };
                // What x gains with each step of the inner counter.
                if step == other && step != 0 && add % step == 0 && first == last {
                    let gain = add / step;
                    let mut sum = fact.sum.clone();
                    sum.push((gain, j));
                    let fact = Rate { sum, bound: fact.bound - gain * first, ..*fact };
                    told.push(terms, *inner, &fact);
                }
            }
        }
    }

    /// The rate at which `x` gains on `y` in all rounds, at least or at most; `None` if `y` does not only grow or only shrink, or
    /// if that would not say more than where `x` goes.
    fn rate(&self, x: Term, y: Term, above: bool) -> Option<i128> {
        let mut rates = Vec::new();
        for round in &self.rounds {
            let ((low, high), (c, d)) = (*round.get(&x)?, *round.get(&y)?);
            if c <= 0 && d >= 0 {
                return None;
            }
            let ends = [low, high].into_iter().flat_map(|x| [c, d].map(|y| (x, y)));
            // Whichever way y goes, it is Δx >= r·Δy, or <=.
            let up = c > 0;
            let rounded = ends.map(|(x, y)| if above == up { ceiling(x, y) } else { floor(x, y) });
            rates.push(if above == up { rounded.max()? } else { rounded.min()? });
            if rates.len() > 1 && self.rounds[0].get(&y)?.0.signum() != c.signum() {
                return None;
            }
        }
        let up = self.rounds.first()?.get(&y)?.0 > 0;
        let rate = if above == up { rates.into_iter().max()? } else { rates.into_iter().min()? };
        (rate != 0 && rate.abs() <= LARGEST_RATE).then_some(rate)
    }

    /// That the remainder of a variable by what divides all its steps stays; where that is a power of two, the intervals know.
    fn stride(&self, terms: &mut Terms, passes: &[Pass], x: Term, start: Ends) -> Option<Term> {
        let inside = |p: Point| p == self.head || self.inner.iter().any(|&(inner, _)| inner == p);
        let within = passes.iter().filter(|p| inside(p.from) && inside(p.to));
        let divisor = within.map(|p| p.steps.get(&x)).try_fold(0, |d, step| Some(gcd(d, *step?)))?;
        if start.0 != start.1 || start.0 < 0 || divisor < 3 || divisor.is_power_of_two() {
            return None;
        }
        let width = terms.width(x);
        let (by, rest) = (terms.bits(width, divisor), terms.bits(width, start.0.unsigned_abs() % divisor));
        let remainder = terms.urem(x, by);
        Some(terms.eq(remainder, rest))
    }
}

/// How many rounds an inner loop makes, by some counter of it.
fn rounds_made(once: &Round, entered: &FxHashMap<Term, Ends>, left: &FxHashMap<Term, Ends>) -> Option<Ends> {
    let mut best: Option<Ends> = None;
    for (v, &(step, same)) in once {
        let (Some(&start), Some(&end)) = (entered.get(v), left.get(v)) else { continue };
        if step != same || step == 0 {
            continue;
        }
        let way =
            if step > 0 { (end.0 - start.1, end.1 - start.0) } else { (start.0 - end.1, start.1 - end.0) };
        let size = step.abs();
        let times = (ceiling(way.0.max(0), size), way.1.max(0) / size);
        best = Some(best.map_or(times, |best| (best.0.max(times.0), best.1.min(times.1))));
    }
    best.filter(|times| times.0 <= times.1)
}

fn floor(x: i128, y: i128) -> i128 {
    let quotient = x / y;
    if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient }
}

fn ceiling(x: i128, y: i128) -> i128 {
    -floor(-x, y)
}
