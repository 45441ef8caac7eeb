//! The search for values within bounds.

use super::bounds::{Bound, Reason, Side};
use super::{Simplex, Stopped};
use crate::arith::{Delta, Var};

/// After so many pivots in one search, variables are chosen by Bland's rule, which cannot cycle.
const HEURISTIC_PIVOTS: usize = 200;

/// Why a search for feasible values ended without them.
#[derive(Debug)]
pub(in crate::arith) enum Failure {
    /// Bounds that exclude each other.
    Conflict(Vec<Reason>),
    /// The search was stopped.
    Stopped(Stopped),
}

impl Simplex {
    /// Moves basic variables between their bounds, or finds bounds that exclude each other: `Check` of Dutertre and
    /// de Moura, figure 1.
    ///
    /// Deviation: until a limit of pivots the variable that is furthest out of bounds leaves the basis, and the one that
    /// occurs in the fewest rows enters it. Bland's rule, the least index of both, takes over then and guarantees
    /// termination.
    pub(in crate::arith) fn make_feasible(&mut self) -> Result<(), Failure> {
        let mut pivots = 0;
        loop {
            let bland = pivots >= HEURISTIC_PIVOTS;
            let Some((leaving, side)) = self.leaving(bland) else { return Ok(()) };
            if pivots % 16 == 0 && self.watch.stops_now() {
                return Err(Failure::Stopped(Stopped));
            }
            let row = self.tableau.row_of(leaving).expect("a basic variable");
            match self.entering(row, side, bland) {
                Some(entering) => {
                    let Some(Bound { value, .. }) = self.var(leaving).bound(side) else { continue };
                    let value = value.clone();
                    self.pivot_and_update(row, entering, &value);
                }
                None => return Err(Failure::Conflict(self.row_conflict(row, side))),
            }
            pivots += 1;
        }
    }

    /// A basic variable that is out of bounds, and on which side; variables that are not leave the suspects.
    fn leaving(&mut self, bland: bool) -> Option<(Var, Side)> {
        let mut best: Option<(Var, Side, Delta)> = None;
        let mut kept = 0;
        for at in 0..self.suspects.len() {
            let var = self.suspects[at];
            let violated =
                if self.tableau.is_basic(var) { self.variables[var.index()].violated() } else { None };
            let Some((side, bound)) = violated else {
                self.variables[var.index()].suspect = false;
                continue;
            };
            let better = match &best {
                None => true,
                Some((known, ..)) if bland => var < *known,
                Some((known, _, distance)) => {
                    let here = Self::distance(&self.variables[var.index()].value, &bound.value);
                    (&here, *known) > (distance, var)
                }
            };
            if better {
                let distance = Self::distance(&self.variables[var.index()].value, &bound.value);
                best = Some((var, side, distance));
            }
            self.suspects[kept] = var;
            kept += 1;
        }
        self.suspects.truncate(kept);
        best.map(|(var, side, _)| (var, side))
    }

    fn distance(a: &Delta, b: &Delta) -> Delta {
        if a > b { a - b } else { b - a }
    }

    /// Whether raising the variable of a row's entry raises the row's basic variable. In `Σ aⱼ·xⱼ = 0` it does when the
    /// two have different signs.
    pub(super) fn same_direction(&self, row: u32, entry_is_positive: bool) -> bool {
        self.tableau.basic_coefficient(row).is_positive() != entry_is_positive
    }

    /// A nonbasic variable of the row that can move such that the basic variable leaves its violated `side`.
    fn entering(&self, row: u32, side: Side, bland: bool) -> Option<Var> {
        let basic = self.tableau.row(row).basic;
        let mut best: Option<(usize, Var)> = None;
        for entry in &self.tableau.row(row).entries {
            if entry.var == basic {
                continue;
            }
            // Below its lower bound the basic variable must rise.
            let same = self.same_direction(row, entry.coefficient.is_positive());
            let toward = if same { side.opposite() } else { side };
            if self.var(entry.var).can_move(toward) {
                let key = (if bland { 0 } else { self.tableau.columns[entry.var.index()].len() }, entry.var);
                if best.is_none_or(|known| key < known) {
                    best = Some(key);
                }
            }
        }
        best.map(|(_, var)| var)
    }

    /// The bounds that keep the basic variable of a row beyond its bound on `side`: the coefficients of the row are a
    /// Farkas certificate of it.
    pub(super) fn row_conflict(&self, row: u32, side: Side) -> Vec<Reason> {
        let basic = self.tableau.row(row).basic;
        let mut reasons = Vec::new();
        for entry in &self.tableau.row(row).entries {
            let same = entry.var != basic && self.same_direction(row, entry.coefficient.is_positive());
            let blocking = if same { side.opposite() } else { side };
            if let Some(bound) = self.var(entry.var).bound(blocking) {
                reasons.push(bound.reason);
            }
        }
        reasons
    }

    /// Sets a nonbasic variable, and the basic ones that depend on it.
    pub(super) fn update(&mut self, var: Var, value: &Delta) {
        let change = value - &self.var(var).value;
        for at in 0..self.tableau.columns[var.index()].len() {
            let cell = self.tableau.columns[var.index()][at];
            let basic = self.tableau.row(cell.row).basic;
            if basic == var {
                continue;
            }
            let factor = self.tableau.at(cell) / self.tableau.basic_coefficient(cell.row);
            let variable = &mut self.variables[basic.index()];
            variable.value = &variable.value - &change.scale(&factor);
            self.suspect(basic);
        }
        self.variables[var.index()].value = value.clone();
    }

    /// Makes the basic variable of the row nonbasic at `value`, by moving `entering`.
    pub(super) fn pivot_and_update(&mut self, row: u32, entering: Var, value: &Delta) {
        let basic = self.tableau.row(row).basic;
        let missing = value - &self.var(basic).value;
        let cell = self.tableau.columns[entering.index()].iter().find(|cell| cell.row == row);
        let coefficient = self.tableau.at(*cell.expect("the entering variable is in the row"));
        let step = missing.scale(&-(self.tableau.basic_coefficient(row) / coefficient));
        let moved = &self.var(entering).value + &step;
        self.update(entering, &moved);
        self.tableau.pivot(row, entering);
        self.suspect(entering);
    }
}
