//! Which bounds matter.

use super::relaxation::Relaxation;
use super::system::{Halt, Limit, Range, System};
use crate::arith::Rational;
use crate::arith::stop::Watch;

/// The ranges, parted (Bromberger, section 4: *bounded* and *guarded unbounded* inequations).
pub(super) struct Directions {
    /// Ranges whose form is bounded on both sides, by themselves or by others.
    pub(super) bounded: Vec<Range>,
    /// Ranges whose form is bounded on one side only.
    pub(super) unbounded: Vec<Range>,
    /// A direction along which the forms of bounded ranges do not change, and those of the others get away from their
    /// bounds.
    ray: Vec<Rational>,
}

/// The system with all bounds at 0: the directions in which its solutions can be moved.
fn cone(system: &System) -> System {
    let mut cone = System::new(system.variables, Watch::default());
    cone.watch = system.watch.clone();
    let zero = |limit: &Limit| Limit { value: Rational::ZERO, premises: limit.premises.clone() };
    cone.ranges.extend(system.ranges.iter().map(|range| Range {
        form: range.form.clone(),
        lower: range.lower.as_ref().map(zero),
        upper: range.upper.as_ref().map(zero),
    }));
    cone
}

/// 1 if only an upper bound is there, -1 if only a lower one.
fn open_side(range: &Range) -> Option<Rational> {
    match (&range.lower, &range.upper) {
        (None, Some(_)) => Some(Rational::ONE),
        (Some(_), None) => Some(Rational::from(-1)),
        _ => None,
    }
}

impl Directions {
    /// A form with an upper bound is not bounded below if there is a direction in which no bound is violated and the
    /// form sinks; the sum of such directions is one for all these forms.
    pub(super) fn new(system: &System) -> Result<Directions, Halt> {
        let mut relaxation = Relaxation::new(&cone(system));
        let mut ray = vec![Rational::ZERO; system.variables as usize];
        let mut sinks = vec![false; system.ranges.len()];
        for at in 0..system.ranges.len() {
            let range = &system.ranges[at];
            let Some(sign) = open_side(range) else { continue };
            if sinks[at] {
                continue;
            }
            let Some(point) = relaxation.point_below(&range.form, &sign)? else { continue };
            for (other, sinks) in system.ranges.iter().zip(&mut sinks) {
                let change = other.form.evaluate(|var| point[var.index()].clone());
                *sinks |= open_side(other).is_some_and(|sign| (sign * change).is_negative());
            }
            for (sum, value) in ray.iter_mut().zip(&point) {
                *sum += value;
            }
        }
        let common = ray.iter().fold(Rational::ZERO, |gcd, value| gcd.gcd(value));
        if !common.is_zero() {
            ray.iter_mut().for_each(|value| *value = &*value / &common);
        }
        let parted = system.ranges.iter().cloned().zip(sinks);
        let (unbounded, bounded): (Vec<_>, Vec<_>) = parted.partition(|(_, sinks)| *sinks);
        let ranges = |parted: Vec<(Range, bool)>| parted.into_iter().map(|(range, _)| range).collect();
        Ok(Directions { bounded: ranges(bounded), unbounded: ranges(unbounded), ray })
    }

    /// Moves a solution of the bounded ranges into the others.
    pub(super) fn move_along_ray(&self, values: &mut [Rational]) {
        let mut steps = Rational::ZERO;
        for range in &self.unbounded {
            let [value, change] =
                [&*values, &self.ray[..]].map(|point| range.form.evaluate(|var| point[var.index()].clone()));
            let bound = range.upper.as_ref().or(range.lower.as_ref()).map(|limit| &limit.value);
            if let Some(bound) = bound {
                let needed = ((bound - &value) / &change).ceil();
                if needed > steps {
                    steps = needed;
                }
            }
        }
        for (value, change) in values.iter_mut().zip(&self.ray) {
            *value += &(&steps * change);
        }
    }
}

/// A range that no literal stands for, as the tests of other modules need them.
#[cfg(test)]
impl Range {
    pub(super) fn free(form: crate::arith::LinearForm, lower: i64, upper: i64) -> Range {
        let limit = |value: i64| Limit { value: Rational::from(value), premises: Default::default() };
        Range { form, lower: Some(limit(lower)), upper: Some(limit(upper)) }
    }
}
