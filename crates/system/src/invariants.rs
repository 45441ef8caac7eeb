//! Proofs: a formula at each point.

use crate::point::Point;
use std::ops::Index;
use tamis_logic::Term;

/// For each point of a system a formula over its state variables. In a proof they are inductive together, and the error
/// point's is false.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invariants {
    formulas: Vec<Term>,
}

impl Invariants {
    /// The formulas with their points.
    pub fn iter(&self) -> impl Iterator<Item = (Point, Term)> + '_ {
        self.formulas.iter().enumerate().map(|(i, &formula)| (Point(i as u32), formula))
    }
}

impl Index<Point> for Invariants {
    type Output = Term;

    fn index(&self, point: Point) -> &Term {
        &self.formulas[point.index()]
    }
}

/// From the formulas in the order of the points.
impl FromIterator<Term> for Invariants {
    fn from_iter<I: IntoIterator<Item = Term>>(formulas: I) -> Invariants {
        Invariants { formulas: formulas.into_iter().collect() }
    }
}
