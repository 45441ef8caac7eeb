//! Equations, solved over the integers.

use super::system::{Affine, Halt, Limit, Premises, Range, System};
use crate::arith::{LinearForm, Rational, Var};
use rustc_hash::FxHashMap;

/// The greater of two lower bounds.
fn greater(a: Option<Limit>, b: Option<Limit>) -> Option<Limit> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a.value >= b.value { a } else { b }),
        (a, b) => a.or(b),
    }
}

/// The less of two upper bounds.
fn less(a: Option<Limit>, b: Option<Limit>) -> Option<Limit> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a.value <= b.value { a } else { b }),
        (a, b) => a.or(b),
    }
}

impl Range {
    /// Divides by the common divisor of the coefficients and rounds the bounds to what they say about integers. None if
    /// the form is 0, and a conflict if the bounds exclude that.
    fn normalise(self) -> Result<Option<Range>, Halt> {
        let Some((factor, form)) = self.form.normalised() else {
            let violated = [
                self.lower.filter(|limit| limit.value.is_positive()),
                self.upper.filter(|limit| limit.value.is_negative()),
            ];
            return match violated.into_iter().flatten().next() {
                Some(limit) => Err(Halt::Conflict(limit.premises)),
                None => Ok(None),
            };
        };
        let (lower, upper) =
            if factor.is_negative() { (self.upper, self.lower) } else { (self.lower, self.upper) };
        let scaled = |limit: Limit| Limit { value: limit.value / &factor, premises: limit.premises };
        let lower = lower.map(scaled).map(|limit| Limit { value: limit.value.ceil(), ..limit });
        let upper = upper.map(scaled).map(|limit| Limit { value: limit.value.floor(), ..limit });
        Ok(Some(Range { form, lower, upper }))
    }

    /// A conflict if the bounds exclude each other.
    pub(super) fn check(&self) -> Result<(), Halt> {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower.value > upper.value => {
                let mut premises = lower.premises.clone();
                premises.join(&upper.premises);
                Err(Halt::Conflict(premises))
            }
            _ => Ok(()),
        }
    }

    /// The value of the form, if the bounds leave only one.
    pub(super) fn equation(&self) -> Option<(&Limit, &Limit)> {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower.value == upper.value => Some((lower, upper)),
            _ => None,
        }
    }
}

impl System {
    /// Solves equations, until there are none.
    pub(super) fn solve_equations(&mut self) -> Result<(), Halt> {
        loop {
            if self.watch.stops_now() {
                return Err(Halt::Stopped);
            }
            self.normalise()?;
            let lengths = self.ranges.iter().enumerate().filter(|(_, range)| range.equation().is_some());
            let Some((at, _)) = lengths.min_by_key(|(at, range)| (range.form.terms().len(), *at)) else {
                return Ok(());
            };
            let range = self.ranges.swap_remove(at);
            if let Some((lower, upper)) = range.equation() {
                let mut premises = lower.premises.clone();
                premises.join(&upper.premises);
                self.solve_equation(range.form.clone(), lower.value.clone(), &premises);
            }
        }
    }

    /// Divides and rounds all ranges, and joins those of the same form.
    pub(super) fn normalise(&mut self) -> Result<(), Halt> {
        let mut places: FxHashMap<LinearForm, usize> = FxHashMap::default();
        let mut kept: Vec<Range> = Vec::with_capacity(self.ranges.len());
        for range in std::mem::take(&mut self.ranges) {
            let Some(range) = range.normalise()? else { continue };
            match places.get(&range.form) {
                None => {
                    places.insert(range.form.clone(), kept.len());
                    range.check()?;
                    kept.push(range);
                }
                Some(&at) => {
                    let known = &mut kept[at];
                    known.lower = greater(known.lower.take(), range.lower);
                    known.upper = less(known.upper.take(), range.upper);
                    known.check()?;
                }
            }
        }
        self.ranges = kept;
        Ok(())
    }

    /// Replaces a variable of `form = value`, whose coefficients have no common divisor.
    ///
    /// A variable whose coefficient is 1 or -1 is replaced by what the equation says it is. As long as there is none, the
    /// variable `x` with the least coefficient `a` is replaced by `t - Σ qᵢ·xᵢ`, where `qᵢ` is the rounded quotient of the
    /// other coefficients by `a`. That says nothing but that `t` is an integer, and leaves the remainders as
    /// coefficients of the others: Euclid's algorithm on all of them.
    fn solve_equation(&mut self, mut form: LinearForm, value: Rational, premises: &Premises) {
        loop {
            let terms = form.terms();
            let Some((var, coefficient)) = terms.iter().min_by_key(|(_, coefficient)| coefficient.abs())
            else {
                return;
            };
            let (var, coefficient) = (*var, coefficient.clone());
            let mut by = Affine::default();
            let others = terms.iter().filter(|(other, _)| *other != var);
            if coefficient.abs() == Rational::ONE {
                for (other, factor) in others {
                    by.form.add(&-(factor / &coefficient), *other);
                }
                by.constant = &value / &coefficient;
                self.replace(var, by, premises);
                return;
            }
            let half = Rational::ratio(1, 2).unwrap_or(Rational::ZERO);
            for (other, factor) in others {
                let quotient = (factor / &coefficient + &half).floor();
                by.form.add(&-quotient, *other);
            }
            let fresh = Var(self.variables);
            self.variables += 1;
            by.form.add(&Rational::ONE, fresh);
            form = form.replace(var, &by.form);
            self.replace(var, by, &Premises::default());
        }
    }

    /// Replaces a variable everywhere, because of `premises`.
    fn replace(&mut self, var: Var, by: Affine, premises: &Premises) {
        for range in &mut self.ranges {
            let Some(coefficient) = range.form.coefficient(var) else { continue };
            let shift = coefficient * &by.constant;
            range.form = range.form.replace(var, &by.form);
            for limit in [&mut range.lower, &mut range.upper].into_iter().flatten() {
                limit.value = &limit.value - &shift;
                limit.premises.join(premises);
            }
        }
        self.replaced.push((var, by));
    }
}
