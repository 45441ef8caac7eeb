//! Bit-vectors as integers.

use tamis_logic::{IBig, RBig, Term, Terms};

/// An integer that is equal to a bit-vector modulo a power of two, and where it lies.
#[derive(Clone, Debug)]
pub struct Value {
    /// The integer.
    pub expression: Term,
    /// It is at least this.
    pub low: IBig,
    /// It is at most this.
    pub high: IBig,
}

/// `2^exponent`.
pub fn power(exponent: u32) -> IBig {
    IBig::ONE << exponent as usize
}

/// Whether a number is a power of two.
pub fn is_power(n: &IBig) -> bool {
    *n > IBig::ZERO && n.trailing_zeros().is_some_and(|zeros| IBig::ONE << zeros == *n)
}

impl Value {
    pub fn constant(terms: &mut Terms, n: IBig) -> Value {
        Value { expression: terms.int(n.clone()), low: n.clone(), high: n }
    }

    pub fn sum(terms: &mut Terms, summands: &[Value]) -> Value {
        let expressions: Vec<Term> = summands.iter().map(|s| s.expression).collect();
        Value {
            expression: terms.plus(&expressions),
            low: summands.iter().map(|s| &s.low).sum(),
            high: summands.iter().map(|s| &s.high).sum(),
        }
    }

    pub fn minus(&self, terms: &mut Terms, other: &Value) -> Value {
        let negative = other.times(terms, &IBig::NEG_ONE);
        Value::sum(terms, &[self.clone(), negative])
    }

    pub fn times(&self, terms: &mut Terms, factor: &IBig) -> Value {
        let ends = [&self.low * factor, &self.high * factor];
        let [low, high] = if *factor < IBig::ZERO { [ends[1].clone(), ends[0].clone()] } else { ends };
        Value { expression: terms.multiple(RBig::from(factor.clone()), self.expression), low, high }
    }

    /// `low ≤ expression` and `expression ≤ high`.
    pub fn bounds(&self, terms: &mut Terms) -> [Term; 2] {
        let (low, high) = (terms.int(self.low.clone()), terms.int(self.high.clone()));
        [terms.le(low, self.expression), terms.le(self.expression, high)]
    }

    /// The multiples of `2^width` in the interval; `None` if there are too many.
    pub fn multiples_within(&self, width: u32, most: usize) -> Option<Vec<IBig>> {
        self.moved_into(&power(width), &IBig::ZERO, most)
            .map(|shifts| shifts.into_iter().filter(|m| *m >= self.low && *m <= self.high).collect())
    }

    /// The multiples of `modulus` that take the value into the interval of that length from `start` on when they are
    /// subtracted, for some number that it may be; `None` if there are too many.
    pub fn moved_into(&self, modulus: &IBig, start: &IBig, most: usize) -> Option<Vec<IBig>> {
        let (first, last) = self.turns(modulus, start);
        let count = usize::try_from(&last - &first).ok().filter(|&count| count < most)?;
        Some((0..=count).map(|k| (&first + IBig::from(k)) * modulus).collect())
    }

    /// The least and the greatest such multiple, divided by `modulus`.
    pub fn turns(&self, modulus: &IBig, start: &IBig) -> (IBig, IBig) {
        (floor_div(&(&self.low - start), modulus), floor_div(&(&self.high - start), modulus))
    }

    /// The value as a number without or with a sign: all cases, each with its condition; `None` if there are too many.
    pub fn wrapped(
        &self,
        terms: &mut Terms,
        width: u32,
        signed: bool,
        most: usize,
    ) -> Option<Vec<(Value, Term)>> {
        let modulus = power(width);
        let start = if signed { -power(width - 1) } else { IBig::ZERO };
        let end = &start + &modulus - IBig::ONE;
        let shifts = self.moved_into(&modulus, &start, most)?;
        let mut cases = Vec::new();
        for shift in shifts {
            let shift = Value::constant(terms, shift);
            let moved = self.minus(terms, &shift);
            // Only what the interval does not say already.
            let (least, greatest) = (terms.int(start.clone()), terms.int(end.clone()));
            let mut within = Vec::new();
            if moved.low < start {
                within.push(terms.le(least, moved.expression));
            }
            if moved.high > end {
                within.push(terms.le(moved.expression, greatest));
            }
            let condition = terms.and(&within);
            cases.push((moved, condition));
        }
        Some(cases)
    }
}

/// Division rounding down.
fn floor_div(a: &IBig, by: &IBig) -> IBig {
    let quotient = a / by;
    if &quotient * by > *a { quotient - IBig::ONE } else { quotient }
}
