//! Theory propagation: atoms that bounds decide, of the same variable and through rows.

use std::ops::Range;

use super::Simplex;
use super::bounds::{Event, Reason, Side};
use super::tableau::Entry;
use crate::arith::{Delta, Var};
use crate::theory::Literal;

/// Longer rows are not propagated through: they seldom imply anything and their explanations are weak.
const ROW_LIMIT: usize = 40;

/// How many row entries one propagation may look at.
const ENTRY_BUDGET: usize = 4_000;

impl Simplex {
    /// Appends the registered atoms that follow from the bounds changed since the latest propagation.
    pub(super) fn propagate_bounds(&mut self, implied: &mut Vec<Literal>) -> Result<(), Vec<Reason>> {
        let mut rows: Vec<u32> = Vec::new();
        while self.next < self.trail.len() {
            if let Event::Bound { var, side, old } = &self.trail[self.next] {
                let (var, side, old) = (*var, *side, old.as_ref().map(|bound| bound.value.clone()));
                self.unate(var, side, old.as_ref(), implied);
                rows.extend(self.tableau.columns[var.index()].iter().map(|cell| cell.row));
            }
            self.next += 1;
        }
        rows.sort_unstable();
        rows.dedup();
        let mut budget = ENTRY_BUDGET;
        for row in rows {
            let entries = &self.tableau.row(row).entries;
            let length = entries.len();
            if length > ROW_LIMIT || entries.iter().all(|entry| self.var(entry.var).open == 0) {
                continue;
            }
            budget = budget.saturating_sub(length);
            if budget == 0 || self.watch.stops() {
                break;
            }
            self.propagate_row(row, implied)?;
        }
        Ok(())
    }

    /// The atoms of a variable that a bound decides and a weaker, older one did not: positions in its sorted atoms.
    fn decided(&self, var: Var, side: Side, bound: &Delta, old: Option<&Delta>) -> Range<usize> {
        let atoms = &self.var(var).atoms;
        let below = |limit: &Delta| atoms.partition_point(|&atom| self.limit(atom, side) < Some(limit));
        let not_above = |limit: &Delta| atoms.partition_point(|&atom| self.limit(atom, side) <= Some(limit));
        match side {
            Side::Upper => below(bound)..old.map_or(atoms.len(), below),
            Side::Lower => old.map_or(0, not_above)..not_above(bound),
        }
    }

    /// `x ≤ 3` implies `x ≤ 5`.
    fn unate(&mut self, var: Var, side: Side, old: Option<&Delta>, implied: &mut Vec<Literal>) {
        let Some(bound) = self.var(var).bound(side) else { return };
        let (value, reason) = (bound.value.clone(), bound.reason);
        let range = self.decided(var, side, &value, old);
        self.imply(var, side, range, &[reason], implied);
    }

    /// Records that the atoms at `range` of the variable are decided by a bound on `side`.
    fn imply(
        &mut self,
        var: Var,
        side: Side,
        range: Range<usize>,
        reasons: &[Reason],
        implied: &mut Vec<Literal>,
    ) {
        let start = self.reasons.len();
        for at in range {
            let index = self.var(var).atoms[at];
            let state = &mut self.atoms[index as usize];
            if state.asserted.is_some() || state.propagated.is_some() {
                continue;
            }
            if self.reasons.len() == start {
                self.reasons.extend(Simplex::conflict(reasons).0);
            }
            let super::Meaning::Bound { positive, .. } = &state.meaning else { continue };
            let value = *positive == side;
            state.propagated = Some((value, start..self.reasons.len()));
            let literal = Literal::new(state.number, value);
            self.trail.push(Event::Propagated(index));
            self.closed(index);
            implied.push(literal);
        }
    }

    /// The bounds of all but one variable of a row bound that one. An error is a bound that the opposite one excludes,
    /// which happens when rounding to integers closes the gap.
    fn propagate_row(&mut self, row: u32, implied: &mut Vec<Literal>) -> Result<(), Vec<Reason>> {
        for negated in [false, true] {
            let Some((sum, unbounded)) = self.least(row, negated) else { continue };
            for at in 0..self.tableau.row(row).entries.len() {
                let entry = &self.tableau.row(row).entries[at];
                let var = entry.var;
                if self.var(var).open == 0 || unbounded.is_some_and(|other| other != var) {
                    continue;
                }
                // a·x = -Σ others ≤ -(least value of the others)
                let others = match self.least_of(entry, negated) {
                    Some(own) if unbounded.is_none() => &sum - &own,
                    _ => sum.clone(),
                };
                let coefficient = if negated { -&entry.coefficient } else { entry.coefficient.clone() };
                let side = if coefficient.is_positive() { Side::Upper } else { Side::Lower };
                let mut bound = others.scale(&-(crate::arith::Rational::ONE / coefficient));
                if self.var(var).integer {
                    bound = Delta::from(if side == Side::Upper { bound.floor() } else { bound.ceil() });
                }
                let old = self.var(var).bound(side).map(|bound| bound.value.clone());
                if old.as_ref().is_some_and(|old| !side.tighter(&bound, old)) {
                    continue;
                }
                if let Some(opposite) = self.var(var).bound(side.opposite())
                    && side.tighter(&bound, &opposite.value)
                {
                    let reason = opposite.reason;
                    let mut reasons = self.row_reasons(row, var, negated);
                    reasons.push(reason);
                    return Err(reasons);
                }
                let range = self.decided(var, side, &bound, old.as_ref());
                if !range.is_empty() {
                    let reasons = self.row_reasons(row, var, negated);
                    self.imply(var, side, range, &reasons, implied);
                }
            }
        }
        Ok(())
    }

    /// The side of its variable on which an entry of a row is least, or greatest if `negated`.
    fn least_side(entry: &Entry, negated: bool) -> Side {
        if entry.coefficient.is_positive() != negated { Side::Lower } else { Side::Upper }
    }

    /// The least value of an entry, or that of its negation.
    fn least_of(&self, entry: &Entry, negated: bool) -> Option<Delta> {
        let bound = self.var(entry.var).bound(Simplex::least_side(entry, negated))?;
        let value = bound.value.scale(&entry.coefficient);
        Some(if negated { -&value } else { value })
    }

    /// The sum of the least values of a row's entries, with the variable that has none; nothing if several have none.
    fn least(&self, row: u32, negated: bool) -> Option<(Delta, Option<Var>)> {
        let (mut sum, mut unbounded) = (Delta::ZERO, None);
        for entry in &self.tableau.row(row).entries {
            match self.least_of(entry, negated) {
                Some(value) => sum = &sum + &value,
                None if unbounded.is_none() => unbounded = Some(entry.var),
                None => return None,
            }
        }
        Some((sum, unbounded))
    }

    fn row_reasons(&self, row: u32, except: Var, negated: bool) -> Vec<Reason> {
        let others = self.tableau.row(row).entries.iter().filter(|entry| entry.var != except);
        others
            .filter_map(|entry| self.var(entry.var).bound(Simplex::least_side(entry, negated)))
            .map(|bound| bound.reason)
            .collect()
    }
}
