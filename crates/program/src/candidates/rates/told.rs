//! Rates as formulas.

use super::pass::{product, sum};
use crate::candidates::evaluate::{Environment, evaluate};
use crate::candidates::range::Range;
use crate::system::ProgramSystem;
use tamis_logic::{Bits, Term, Terms};
use tamis_system::Point;

/// So many facts are told at a point.
const MOST_RATES: usize = 48;

/// So many more bits have room for sums of a few products with rates.
const WIDER: u32 = 28;

/// `x` is at least a bound and a sum of multiples of variables, or at most.
pub(super) struct Rate {
    pub x: Term,
    pub sum: Vec<(i128, Term)>,
    pub bound: i128,
    pub above: bool,
}

impl Rate {
    /// As a formula: in more bits than the variables have, where the sum could wrap around.
    fn told(&self, terms: &mut Terms, environment: &Environment) -> Option<Term> {
        let mut ends = (self.bound, self.bound);
        let mut width = terms.width(self.x);
        for &(rate, y) in &self.sum {
            width = width.max(terms.width(y));
            ends = sum(ends, product((rate, rate), evaluate(terms, environment, y)?.signed())?);
        }
        let (least, most) = Range::any(width.min(64)).signed();
        if ends.0 < least || most < ends.1 {
            width += WIDER;
        }
        let number = |terms: &mut Terms, n: i128| terms.bits_value(Bits::from_signed(width, n));
        let mut sum = number(terms, self.bound);
        for &(rate, y) in &self.sum {
            let (rate, y) = (number(terms, rate), terms.sign_extend(width, y));
            let product = terms.mul(rate, y);
            sum = terms.add(sum, product);
        }
        let x = terms.sign_extend(width, self.x);
        Some(if self.above { terms.sle(x, sum) } else { terms.sle(sum, x) })
    }
}

/// Where facts are told.
pub(super) struct Told<'a> {
    pub system: &'a ProgramSystem<'a>,
    pub known: &'a [Option<Environment>],
    pub found: &'a mut [Vec<Term>],
}

impl Told<'_> {
    pub fn push(&mut self, terms: &mut Terms, point: Point, fact: &Rate) {
        let location = self.system.location(point);
        let live: Vec<Term> = self.system.live_at(location).collect();
        let found = &mut self.found[point.index()];
        let here = live.contains(&fact.x) && fact.sum.iter().all(|(_, y)| live.contains(y));
        let Some(environment) = self.known[location.index()].as_ref().filter(|_| here) else { return };
        if let Some(told) = fact.told(terms, environment).filter(|_| found.len() < MOST_RATES)
            && !found.contains(&told)
        {
            found.push(told);
        }
    }
}
