//! Zones as formulas over bit-vectors.

use super::forms::ends;
use super::zone::Zone;
use crate::candidates::evaluate::{Environment, evaluate};
use crate::candidates::range::Range;
use tamis_logic::{Bits, Term, Terms};

/// The differences between live variables that a zone bounds, but those that follow from others.
pub(super) fn differences(
    terms: &mut Terms,
    numbers: &[(Term, bool)],
    zone: &Zone,
    environment: &Environment,
    live: &[Term],
) -> Vec<Term> {
    let here: Vec<usize> = (1..=numbers.len()).filter(|&i| live.contains(&numbers[i - 1].0)).collect();
    let exact = |i: usize, j: usize| {
        zone.bound(i, j).zip(zone.bound(j, i)).is_some_and(|(above, below)| above + below == 0)
    };
    let through = |i: usize, k: usize, j: usize| Some(zone.bound(i, k)? + zone.bound(k, j)?);
    let mut told = Vec::new();
    for &i in &here {
        told.extend(alone(terms, environment, numbers[i - 1], (zone.bound(0, i), zone.bound(i, 0))));
        for &j in here.iter().filter(|&&j| numbers[j - 1].0 != numbers[i - 1].0) {
            let Some(most) = zone.bound(i, j) else { continue };
            // Equal numbers are told apart by their order, so that not both are left out.
            let others = here.iter().copied().filter(|&k| k != i && k != j);
            let follows = through(i, 0, j).is_some_and(|bound| bound <= most)
                || others
                    .filter(|&k| !((exact(i, k) && k > i) || (exact(k, j) && k > j)))
                    .any(|k| through(i, k, j).is_some_and(|bound| bound <= most));
            if follows {
                continue;
            }
            let (x, y) = (numbers[i - 1], numbers[j - 1]);
            if exact(i, j) && x.1 == y.1 && terms.sort(x.0) == terms.sort(y.0) {
                if i < j {
                    let by = terms.bits_value(Bits::from_signed(terms.width(y.0), most));
                    let sum = terms.add(y.0, by);
                    told.push(terms.eq(x.0, sum));
                }
            } else {
                told.extend(at_most(terms, environment, x, y, most));
            }
        }
    }
    told
}

/// What a zone knows of one number that its range does not.
fn alone(
    terms: &mut Terms,
    environment: &Environment,
    (x, signed): (Term, bool),
    (below, above): (Option<i128>, Option<i128>),
) -> Vec<Term> {
    let Some(range) = evaluate(terms, environment, x) else { return Vec::new() };
    let (width, (low, high)) = (range.width(), ends(&range, signed));
    let mut told = Vec::new();
    for (bound, is_least) in [(below.map(|b| -b), true), (above, false)] {
        let Some(bound) = bound.filter(|&b| if is_least { b > low } else { b < high }) else { continue };
        let number = terms.bits_value(Bits::from_signed(width, bound));
        let (a, b) = if is_least { (number, x) } else { (x, number) };
        told.push(if signed { terms.sle(a, b) } else { terms.ule(a, b) });
    }
    told
}

/// `x - y <= most`, between numbers: in more bits where a sum could wrap around.
fn at_most(
    terms: &mut Terms,
    environment: &Environment,
    (x, x_signed): (Term, bool),
    (y, y_signed): (Term, bool),
    most: i128,
) -> Option<Term> {
    let (a, b) = (evaluate(terms, environment, x)?, evaluate(terms, environment, y)?);
    let number = |terms: &mut Terms, width: u32, n: i128| terms.bits_value(Bits::from_signed(width, n));
    if a.width() == b.width() && x_signed == y_signed {
        let width = a.width();
        let order = |terms: &mut Terms, a: Term, b: Term| match x_signed {
            true => terms.sle(a, b),
            false => terms.ule(a, b),
        };
        let any = ends(&Range::any(width), x_signed);
        let fits = |range: &Range, by: i128| {
            let (low, high) = ends(range, x_signed);
            any.0 <= low + by && high + by <= any.1
        };
        if fits(&b, most) {
            let by = number(terms, width, most);
            let sum = terms.add(y, by);
            return Some(order(terms, x, sum));
        }
        if fits(&a, -most) {
            let by = number(terms, width, -most);
            let sum = terms.add(x, by);
            return Some(order(terms, sum, y));
        }
        if most == -1 {
            return Some(if x_signed { terms.slt(x, y) } else { terms.ult(x, y) });
        }
    }
    let width = a.width().max(b.width()) + 2;
    if most.unsigned_abs() >= 1 << (width - 2) {
        return None;
    }
    let (x, y) = (terms.resize(width, x_signed, x), terms.resize(width, y_signed, y));
    let by = number(terms, width, most);
    let sum = terms.add(y, by);
    Some(terms.sle(x, sum))
}
