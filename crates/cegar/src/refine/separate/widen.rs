//! From the value of a word to many: a cube's literal is made to exclude less.

use crate::refine::eliminate::bit;
use tamis_logic::{Bits, Term, Terms};
use tamis_solver::{Answer, Solver, Stop};

/// Literals that a word satisfies where it has `value`, and that cannot hold together with `others` in the solver, given
/// that the value cannot: an interval around the value that is as large as can be, or some of its bits. Whichever
/// leaves more values; bounds of numbers are intervals, parity and alignment are bits.
pub fn widen(
    terms: &mut Terms,
    solver: &mut Solver,
    others: &[Term],
    word: Term,
    value: &Bits,
) -> Result<Vec<Term>, Stop> {
    let width = value.width();
    let (low, high) = interval(terms, solver, others, word, value)?;
    let bits: Vec<Term> = (0..width).map(|i| bit(terms, word, i, value.bit(i))).collect();
    let few = minimize_beside(terms, solver, others, &bits)?;
    let last_of_cube = Bits::power(width, width - few.len() as u32).sub(&Bits::one(width));
    if high.sub(&low).ult(&last_of_cube) {
        return Ok(few);
    }
    if low == high {
        let value = terms.bits_value(low);
        return Ok(vec![terms.eq(word, value)]);
    }
    let mut bounds = Vec::new();
    if !low.is_zero() {
        let low = terms.bits_value(low);
        bounds.push(terms.ule(low, word));
    }
    if !high.is_ones() {
        let high = terms.bits_value(high);
        bounds.push(terms.ule(word, high));
    }
    Ok(bounds)
}

/// The ends of the largest interval around a value that `others` exclude: upward as far as possible first.
fn interval(
    terms: &mut Terms,
    solver: &mut Solver,
    others: &[Term],
    word: Term,
    value: &Bits,
) -> Result<(Bits, Bits), Stop> {
    let width = value.width();
    let mut excluded = |terms: &mut Terms, low: &Bits, high: &Bits| {
        let (low, high) = (terms.bits_value(low.clone()), terms.bits_value(high.clone()));
        let bounds = [terms.ule(low, word), terms.ule(word, high)];
        let assumptions: Vec<Term> = others.iter().copied().chain(bounds).collect();
        Ok(match solver.check(terms, &assumptions)? {
            Answer::Unsat => None,
            Answer::Sat => Some(solver.value(terms, word).as_bits().clone()),
        })
    };
    // Between an end that is known to do and one that is too far, in the middle; what the solver says is too far is too.
    let (mut high, mut beyond) = (value.clone(), excluded(terms, value, &Bits::ones(width))?);
    if beyond.is_none() {
        high = Bits::ones(width);
    }
    while let Some(far) = &beyond {
        let half = far.sub(&high).lshr(&Bits::one(width));
        if half.is_zero() {
            break;
        }
        let middle = high.add(&half);
        match excluded(terms, value, &middle)? {
            None => high = middle,
            Some(found) => beyond = Some(found),
        }
    }
    let (mut low, mut beyond) = (value.clone(), excluded(terms, &Bits::zero(width), &high)?);
    if beyond.is_none() {
        low = Bits::zero(width);
    }
    while let Some(far) = &beyond {
        let half = low.sub(far).lshr(&Bits::one(width));
        if half.is_zero() {
            break;
        }
        let middle = low.sub(&half);
        match excluded(terms, &middle, &high)? {
            None => low = middle,
            Some(found) => beyond = Some(found),
        }
    }
    Ok((low, high))
}

/// A minimal part of `literals` that cannot hold together with `others`, given that all of them cannot.
fn minimize_beside(
    terms: &Terms,
    solver: &mut Solver,
    others: &[Term],
    literals: &[Term],
) -> Result<Vec<Term>, Stop> {
    let (mut kept, mut needed) = (literals.to_vec(), 0);
    while needed < kept.len() {
        let without = kept.iter().enumerate().filter(|&(i, _)| i != needed).map(|(_, &l)| l);
        let assumptions: Vec<Term> = without.chain(others.iter().copied()).collect();
        match solver.check(terms, &assumptions)? {
            Answer::Sat => needed += 1,
            // What is needed of more literals is needed of fewer: it is in every core.
            Answer::Unsat => kept.retain(|l| solver.core().contains(l)),
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_logic::Sort;
    use tamis_solver::Budget;

    /// What is left of a value of `x` when `excluded` is to be excluded.
    fn widened(
        excluded: impl FnOnce(&mut Terms, Term) -> Term,
        value: u128,
        expected: impl FnOnce(&mut Terms, Term) -> Vec<Term>,
    ) {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let excluded = excluded(&mut terms, x);
        let mut solver = Solver::new(&Budget::unlimited());
        solver.assert(&terms, excluded);
        let found = widen(&mut terms, &mut solver, &[], x, &Bits::new(8, value)).unwrap();
        assert_eq!(found, expected(&mut terms, x));
    }

    #[test]
    fn bounds_become_intervals() {
        let at_least_16 = |t: &mut Terms, x| {
            let sixteen = t.bits(8, 16);
            t.ule(sixteen, x)
        };
        widened(at_least_16, 3, |t, x| {
            let fifteen = t.bits(8, 15);
            vec![t.ule(x, fifteen)]
        });
        let outside = |t: &mut Terms, x| {
            let (ten, twenty) = (t.bits(8, 10), t.bits(8, 20));
            let (below, above) = (t.ult(x, ten), t.ult(twenty, x));
            t.or2(below, above)
        };
        widened(outside, 13, |t, x| {
            let (ten, twenty) = (t.bits(8, 10), t.bits(8, 20));
            vec![t.ule(ten, x), t.ule(x, twenty)]
        });
    }

    #[test]
    fn parity_is_a_bit_and_a_single_value_an_equation() {
        let odd = |t: &mut Terms, x| bit(t, x, 0, true);
        widened(odd, 6, |t, x| vec![bit(t, x, 0, false)]);
        let not_7 = |t: &mut Terms, x| {
            let seven = t.bits(8, 7);
            t.ne(x, seven)
        };
        widened(not_7, 7, |t, x| {
            let seven = t.bits(8, 7);
            vec![t.eq(x, seven)]
        });
    }
}
