//! Closed forms: what `k` rounds on one path do to the variables.
//!
//! A round gives each variable a value over the variables before it. Those that it leaves alone are *fixed*. Of the others,
//!
//! - one *moves* if it becomes `x + c` with `c` over what is fixed: after `k` rounds it is `x + k·c`, modulo 2^width as always;
//! - one *sums up* if it becomes `x + d` where `d` itself moves by `s` in each round: after `k` rounds it is
//!   `x + k·d + s·k(k-1)/2`;
//! - one *follows* if nothing in a round reads it: after `k` rounds it is what the last round makes of the state before it;
//! - what is left, such as a flag that each round sets, is taken to be fixed, under the condition that a round does not change it.
//!   That is no loss where a round sets it to the same value each time: the search makes one round by itself.

use super::throughout::{MAX_SIZE, PATIENCE, Throughout};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use tamis_logic::{Op, Sort, Term, Terms};

/// Numbers of rounds have so many bits.
pub(super) const COUNT_BITS: u32 = 24;

/// So many rounds at once.
pub(super) const MAX_ROUNDS: usize = 1 << 22;

/// What a path does to the variables.
pub(super) struct Motion {
    /// How many rounds.
    pub count: Term,
    /// What is added to a variable in each round.
    moving: FxHashMap<Term, Term>,
    /// What is added to a variable in a round, and what is added to that from one round to the next.
    summing: Vec<(Term, Term, Term)>,
    following: Vec<(Term, Term)>,
    /// What is to stay as it is, and what a round makes of it.
    kept: Vec<(Term, Term)>,
    /// What sums rest on.
    because: Vec<Term>,
}

impl Motion {
    /// The motion of variables by a round, given their values after it. `None` if nothing moves.
    pub fn new(terms: &mut Terms, after: &[(Term, Term)], guards: &[Term]) -> Option<Motion> {
        if after.iter().any(|&(_, value)| terms.size(value) > MAX_SIZE) {
            return None;
        }
        let changed: Vec<(Term, Term)> = after.iter().copied().filter(|(v, value)| v != value).collect();
        let added: Vec<Option<Term>> = changed.iter().map(|&(v, value)| added(terms, value, v)).collect();
        let mut read: FxHashSet<Term> = terms.free_vars_of(guards).into_iter().collect();
        for (&(_, value), added) in changed.iter().zip(&added) {
            read.extend(terms.free_vars(added.unwrap_or(value)));
        }
        let mut motion = Motion {
            count: terms.fresh("rounds", Sort::BitVec(COUNT_BITS)),
            moving: FxHashMap::default(),
            summing: Vec::new(),
            following: Vec::new(),
            kept: Vec::new(),
            because: Vec::new(),
        };
        let mut open: FxHashMap<Term, Term> = FxHashMap::default();
        for (&(v, value), added) in changed.iter().zip(&added) {
            match added {
                Some(added) => drop(open.insert(v, *added)),
                None if read.contains(&v) => motion.kept.push((v, value)),
                None => motion.following.push((v, value)),
            }
        }
        let moves = |terms: &Terms, open: &FxHashMap<Term, Term>, added: Term| {
            terms.free_vars(added).iter().any(|v| open.contains_key(v))
        };
        let settled: Vec<Term> = open.keys().copied().filter(|v| !moves(terms, &open, open[v])).collect();
        for v in settled {
            motion.moving.extend(open.remove_entry(&v));
        }
        for (v, value) in changed {
            let Some(&added) = open.get(&v) else { continue };
            let mut because = Vec::new();
            let grows = match moves(terms, &open, added) {
                true => None,
                false => motion.throughout(terms).step(terms, added, &mut because),
            };
            match grows {
                Some(grows) => {
                    motion.summing.push((v, added, grows));
                    motion.because.extend(because);
                }
                // A second degree is as far as it goes.
                None => motion.kept.push((v, value)),
            }
        }
        (!motion.moving.is_empty() || !motion.summing.is_empty()).then_some(motion)
    }

    fn throughout(&self, terms: &mut Terms) -> Throughout<'_> {
        let one = terms.bits(COUNT_BITS, 1);
        let last = terms.sub(self.count, one);
        let beyond = self.summing.iter().map(|&(v, ..)| v).chain(self.following.iter().map(|&(v, _)| v));
        Throughout { moving: &self.moving, beyond: beyond.collect(), last, patience: Cell::new(PATIENCE) }
    }

    /// When `count` rounds, at most so many, can be made in which each guard holds. `None` if that cannot be said.
    pub fn condition(&self, terms: &mut Terms, guards: &[Term], most: usize) -> Option<Vec<Term>> {
        let (few, many) = (terms.bits(COUNT_BITS, 2), terms.bits(COUNT_BITS, most as u128));
        let mut condition = vec![terms.ule(few, self.count), terms.ule(self.count, many)];
        condition.extend(&self.because);
        let throughout = self.throughout(terms);
        for &guard in guards {
            condition.push(throughout.holds(terms, guard)?);
        }
        for &(v, value) in &self.kept {
            let unchanged = terms.eq(v, value);
            condition.push(throughout.holds(terms, unchanged)?);
        }
        condition.retain(|&c| !terms.is_true(c));
        (!condition.iter().any(|&c| terms.is_false(c))).then_some(condition)
    }

    /// The variables that `count` rounds change, and their values then.
    pub fn after(&self, terms: &mut Terms) -> Vec<(Term, Term)> {
        let mut after = self.before_round(terms, self.count);
        let one = terms.bits(COUNT_BITS, 1);
        let last = terms.sub(self.count, one);
        let before_last: FxHashMap<Term, Term> = self.before_round(terms, last).into_iter().collect();
        for &(v, value) in &self.following {
            after.push((v, terms.substitute_with(value, |v| before_last.get(&v).copied())));
        }
        after
    }

    /// What moves and what sums up, after so many rounds.
    fn before_round(&self, terms: &mut Terms, rounds: Term) -> Vec<(Term, Term)> {
        let mut values = Vec::new();
        for (&v, &step) in &self.moving {
            let times = terms.resize(terms.width(v), false, rounds);
            let way = terms.mul(times, step);
            values.push((v, terms.add(v, way)));
        }
        for &(v, added, grows) in &self.summing {
            let width = terms.width(v);
            let times = terms.resize(width, false, rounds);
            let first = terms.mul(times, added);
            let pairs = pairs(terms, rounds, width);
            let rest = terms.mul(pairs, grows);
            let way = terms.add(first, rest);
            values.push((v, terms.add(v, way)));
        }
        values.sort_unstable();
        values
    }
}

/// `k(k-1)/2` of a number of rounds, modulo 2^width: without wrap-around before the division.
fn pairs(terms: &mut Terms, rounds: Term, width: u32) -> Term {
    let wide = 2 * COUNT_BITS;
    let (k, one) = (terms.zero_extend(wide, rounds), terms.bits(wide, 1));
    let before = terms.sub(k, one);
    let product = terms.mul(k, before);
    let half = terms.lshr(product, one);
    terms.resize(width, false, half)
}

/// What is added to a variable if a value is a sum with it, once: a term without it.
fn added(terms: &mut Terms, value: Term, v: Term) -> Option<Term> {
    let Sort::BitVec(width) = terms.sort(v) else { return None };
    if value == v {
        return Some(terms.bits(width, 0));
    }
    if terms.op(value) != Op::Add {
        return None;
    }
    let [a, b] = [terms.args(value)[0], terms.args(value)[1]];
    for (part, other) in [(a, b), (b, a)] {
        if terms.free_vars(other).contains(&v) {
            continue;
        }
        if let Some(rest) = added(terms, part, v) {
            return Some(terms.add(rest, other));
        }
    }
    None
}
