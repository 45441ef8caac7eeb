//! The greatest and the least value of a variable between the bounds.

use super::bounds::{Reason, Side};
use super::search::Failure;
use super::{Simplex, Stopped};
use crate::arith::{Delta, Rational, Var};

/// How far a nonbasic variable can move, and which basic one stops it; none if its own bound does.
struct Step {
    length: Delta,
    blocking: Option<(u32, Var, Delta)>,
}

impl Simplex {
    /// The extreme value of `var` on `side` among the values between the bounds, which must be
    /// [feasible](Simplex::make_feasible), with bounds that it follows from; none if there is no end.
    ///
    /// The primal simplex method, by Bland's rule: of the variables that can move the objective the first moves, until the
    /// first of those that are stopped soonest is at its bound.
    pub(in crate::arith) fn extreme(
        &mut self,
        var: Var,
        side: Side,
    ) -> Result<Option<(Delta, Vec<Reason>)>, Failure> {
        loop {
            if self.watch.stops_now() {
                return Err(Failure::Stopped(Stopped));
            }
            if let Some(bound) = self.var(var).bound(side)
                && bound.value == self.var(var).value
            {
                return Ok(Some((bound.value.clone(), vec![bound.reason])));
            }
            let (moving, toward) = match self.tableau.row_of(var) {
                None => (var, side),
                Some(row) => match self.improving(row, side) {
                    Some(found) => found,
                    None => {
                        // All variables that could help are at their bounds.
                        let value = self.var(var).value.clone();
                        return Ok(Some((value, self.row_reasons_toward(row, side))));
                    }
                },
            };
            match self.step(moving, toward) {
                None => return Ok(None),
                Some(Step { length, blocking: None }) => {
                    let value = &self.var(moving).value;
                    let moved = if toward == Side::Upper { value + &length } else { value - &length };
                    self.update(moving, &moved);
                }
                Some(Step { blocking: Some((row, _, bound)), .. }) => {
                    self.pivot_and_update(row, moving, &bound);
                }
            }
        }
    }

    /// The first nonbasic variable of a row that can move such that the basic one moves toward `side`.
    fn improving(&self, row: u32, side: Side) -> Option<(Var, Side)> {
        let basic = self.tableau.row(row).basic;
        let entries = self.tableau.row(row).entries.iter().filter(|entry| entry.var != basic);
        let candidates = entries.filter_map(|entry| {
            let same = self.same_direction(row, entry.coefficient.is_positive());
            let toward = if same { side } else { side.opposite() };
            self.var(entry.var).can_move(toward).then_some((entry.var, toward))
        });
        candidates.min_by_key(|(var, _)| *var)
    }

    /// The bounds of the nonbasic variables that keep the basic one of a row from moving toward `side`.
    fn row_reasons_toward(&self, row: u32, side: Side) -> Vec<Reason> {
        let basic = self.tableau.row(row).basic;
        let entries = self.tableau.row(row).entries.iter().filter(|entry| entry.var != basic);
        let blocking = entries.filter_map(|entry| {
            let same = self.same_direction(row, entry.coefficient.is_positive());
            self.var(entry.var).bound(if same { side } else { side.opposite() })
        });
        blocking.map(|bound| bound.reason).collect()
    }

    /// How far a nonbasic variable can move before it or a basic one is at a bound; none if nothing stops it.
    fn step(&self, moving: Var, toward: Side) -> Option<Step> {
        let distance = |from: &Delta, to: &Delta| if from > to { from - to } else { to - from };
        let own = self.var(moving).bound(toward);
        let mut best =
            own.map(|bound| Step { length: distance(&self.var(moving).value, &bound.value), blocking: None });
        for &cell in &self.tableau.columns[moving.index()] {
            let basic = self.tableau.row(cell.row).basic;
            let coefficient = self.tableau.at(cell);
            let same = self.same_direction(cell.row, coefficient.is_positive());
            let side = if same { toward } else { toward.opposite() };
            let Some(bound) = self.var(basic).bound(side) else { continue };
            // The basic variable moves by this much for each unit.
            let rate: Rational = (coefficient / self.tableau.basic_coefficient(cell.row)).abs();
            let length = distance(&self.var(basic).value, &bound.value).scale(&(Rational::ONE / rate));
            let better = match &best {
                None => true,
                Some(Step { length: known, blocking }) => {
                    length < *known
                        || length == *known && blocking.as_ref().is_some_and(|(_, var, _)| basic < *var)
                }
            };
            if better {
                best = Some(Step { length, blocking: Some((cell.row, basic, bound.value.clone())) });
            }
        }
        best
    }
}
