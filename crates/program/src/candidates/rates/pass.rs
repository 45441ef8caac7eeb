//! What a way through a block does to variables.

use crate::candidates::evaluate::{Environment, assume, evaluate};
use crate::candidates::range::Range;
use crate::candidates::ways::Way;
use crate::system::ProgramSystem;
use rustc_hash::FxHashMap;
use tamis_logic::{Op, Sort, Term, Terms};
use tamis_system::Point;

/// Terms that are nested deeper are multiples of nothing.
const MOST_NESTED: usize = 6;

/// From where to where a number is.
pub(super) type Ends = (i128, i128);

/// What a round adds to variables. Those that are not there can have any value afterwards.
pub(super) type Round = FxHashMap<Term, Ends>;

/// A way, and what is known of what it does.
pub(super) struct Pass {
    pub from: Point,
    pub to: Point,
    /// What it adds to variables.
    pub adds: Round,
    /// Of what number that is a multiple; 0 where nothing is added.
    pub steps: FxHashMap<Term, u128>,
    /// What variables are before it, where it is taken, and after it.
    pub before: FxHashMap<Term, Ends>,
    pub after: FxHashMap<Term, Ends>,
}

impl Pass {
    /// `None` if it cannot be taken.
    pub fn new(
        terms: &mut Terms,
        system: &ProgramSystem<'_>,
        way: &Way,
        known: &[Option<Environment>],
    ) -> Option<Pass> {
        let (program, to) = (system.program(), system.location(way.to));
        let start = known[system.location(way.from).index()].clone()?;
        let environment = way.guards.iter().try_fold(start, |e, &guard| assume(terms, e, guard, true))?;
        let mut pass = Pass {
            from: way.from,
            to: way.to,
            adds: Round::default(),
            steps: FxHashMap::default(),
            before: FxHashMap::default(),
            after: FxHashMap::default(),
        };
        let range = |t: Term| evaluate(terms, &environment, t).map(|range| range.signed());
        for v in system.live_at(system.location(way.from)) {
            pass.before.extend(range(v).map(|ends| (v, ends)));
        }
        for v in system.live_at(to).collect::<Vec<_>>() {
            let Some(var) = program.var_of(v) else { continue };
            if !matches!(terms.sort(v), Sort::BitVec(4..=64)) {
                continue;
            }
            let after = way.after(terms, system, var);
            let added = terms.sub(after, v);
            let range = |t: Term| evaluate(terms, &environment, t).map(|range| range.signed());
            let any = |ends: &Ends| *ends == Range::any(terms.width(v)).signed();
            pass.steps.extend(step(terms, added, MOST_NESTED).map(|step| (v, step)));
            pass.after.extend(range(after).filter(|ends| !any(ends)).map(|ends| (v, ends)));
            pass.adds.extend(range(added).filter(|ends| !any(ends)).map(|ends| (v, ends)));
        }
        Some(pass)
    }
}

pub(super) fn hull(a: Ends, b: Ends) -> Ends {
    (a.0.min(b.0), a.1.max(b.1))
}

pub(super) fn sum(a: Ends, b: Ends) -> Ends {
    (a.0.saturating_add(b.0), a.1.saturating_add(b.1))
}

/// Products of what is between these ends.
pub(super) fn product(a: Ends, b: Ends) -> Option<Ends> {
    let ends = [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
    Some((ends.into_iter().min()?, ends.into_iter().max()?))
}

/// What is in all of some maps, joined.
pub(super) fn joined<'a>(mut maps: impl Iterator<Item = &'a FxHashMap<Term, Ends>>) -> FxHashMap<Term, Ends> {
    let mut all = maps.next().cloned().unwrap_or_default();
    for map in maps {
        all.retain(|v, ends| match map.get(v) {
            Some(&other) => {
                *ends = hull(*ends, other);
                true
            }
            None => false,
        });
    }
    all
}

/// What a term is a multiple of, in all its cases.
pub(super) fn step(terms: &Terms, t: Term, depth: usize) -> Option<u128> {
    if let Some(number) = terms.bits_constant(t) {
        return Some(number.signed().unsigned_abs());
    }
    let (args, depth) = (terms.args(t), depth.checked_sub(1)?);
    let cases = match terms.op(t) {
        Op::Ite => &args[1..],
        Op::Add | Op::Neg => args,
        Op::Mul => return args.iter().find_map(|&arg| step(terms, arg, 0)),
        _ => return None,
    };
    cases.iter().try_fold(0, |all, &case| Some(gcd(all, step(terms, case, depth)?)))
}

pub(super) fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
