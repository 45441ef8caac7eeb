//! What a set of states looks like, seen through its words: bounds of one, and orders between two.

use crate::refine::eliminate::bit;
use tamis_logic::{Bits, Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// Of a set over more words nothing is looked at.
const MAX_WORDS: usize = 6;

/// Formulas over the words of `set` that it may be a combination of: the bounds of each word, in the set and outside of it, and how
/// two words compare.
pub fn shapes(terms: &mut Terms, budget: &Budget, set: Term) -> Result<Vec<Term>, Stop> {
    let mut words = terms.free_vars(set);
    words.retain(|&v| matches!(terms.sort(v), Sort::BitVec(2..)));
    if words.len() > MAX_WORDS {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for (i, &a) in words.iter().enumerate() {
        for &b in &words[i + 1..] {
            if terms.sort(a) != terms.sort(b) {
                continue;
            }
            found.extend([
                terms.slt(a, b),
                terms.slt(b, a),
                terms.ult(a, b),
                terms.ult(b, a),
                terms.eq(a, b),
            ]);
        }
    }
    let outside = terms.not(set);
    for side in [outside, set] {
        let mut solver = Solver::new(budget);
        solver.assert(terms, side);
        for &word in &words {
            for signed in [true, false] {
                found.extend(bounds(terms, &mut solver, word, signed)?);
            }
        }
    }
    Ok(found)
}

/// The least and the greatest value of a word in the models of a solver, as far as these are not the ends of its range.
fn bounds(terms: &mut Terms, solver: &mut Solver, word: Term, signed: bool) -> Result<Vec<Term>, Stop> {
    let (Some(low), Some(high)) =
        (extreme(terms, solver, word, signed, false)?, extreme(terms, solver, word, signed, true)?)
    else {
        return Ok(Vec::new());
    };
    let ends = [low, high].map(|end| terms.bits_value(end));
    if ends[0] == ends[1] {
        return Ok(vec![terms.eq(word, ends[0])]);
    }
    let [above, below] = match signed {
        true => [terms.sle(ends[0], word), terms.sle(word, ends[1])],
        false => [terms.ule(ends[0], word), terms.ule(word, ends[1])],
    };
    Ok([above, below].into_iter().filter(|&p| terms.constant(p).is_none()).collect())
}

/// The least or the greatest value of a word, bit by bit from the highest; `None` if there are no models.
fn extreme(
    terms: &mut Terms,
    solver: &mut Solver,
    word: Term,
    signed: bool,
    greatest: bool,
) -> Result<Option<Bits>, Stop> {
    if solver.check(terms, &[])? == Answer::Unsat {
        return Ok(None);
    }
    let mut best = solver.value(terms, word).as_bits().clone();
    let width = best.width();
    let mut assumed = Vec::new();
    for i in (0..width).rev() {
        let wanted = greatest != (signed && i == width - 1);
        let is_wanted = bit(terms, word, i, wanted);
        assumed.push(is_wanted);
        if best.bit(i) == wanted {
            continue;
        }
        match solver.check(terms, &assumed)? {
            Answer::Sat => best = solver.value(terms, word).as_bits().clone(),
            Answer::Unsat => {
                assumed.pop();
                assumed.push(terms.not(is_wanted));
            }
        }
    }
    Ok(Some(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_and_orders_are_seen() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::BitVec(6)));
        let (minus_three, ten) = (t.bits(6, 61), t.bits(6, 10));
        let (above, below, less) = (t.sle(minus_three, x), t.slt(x, ten), t.slt(x, y));
        let set = t.and(&[above, below, less]);
        let found = shapes(&mut t, &Budget::unlimited(), set).unwrap();
        let nine = t.bits(6, 9);
        let at_most_nine = t.sle(x, nine);
        for expected in [above, at_most_nine, less] {
            assert!(found.contains(&expected), "{}", t.to_smtlib(expected));
        }
    }
}
