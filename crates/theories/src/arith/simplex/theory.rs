//! The procedure as the search sees it.

use super::bounds::{Event, Reason, Side};
use super::search::Failure;
use super::{Level, Meaning, Simplex};
use crate::theory::{Check, Conflict, Literal, Theory};

impl Simplex {
    /// The asserted literals among reasons, each once.
    pub(super) fn conflict(reasons: &[Reason]) -> Conflict {
        let asserted = |reason: &Reason| match reason {
            Reason::Asserted(literal) => Some(*literal),
            Reason::Branch(_) => None,
        };
        let mut literals: Vec<Literal> = reasons.iter().filter_map(asserted).collect();
        literals.sort_unstable();
        literals.dedup();
        Conflict(literals)
    }
}

impl Theory for Simplex {
    fn push(&mut self) {
        self.levels.push(Level { trail: self.trail.len(), next: self.next });
    }

    fn pop(&mut self, levels: usize) {
        if levels == 0 {
            return;
        }
        let remaining = self.levels.len().checked_sub(levels).expect("no more levels than were pushed");
        let level = self.levels[remaining];
        self.levels.truncate(remaining);
        self.undo(level.trail);
        // What older bounds implied in the forgotten levels must be found again.
        self.next = level.next;
        self.splits.clear();
    }

    fn assert(&mut self, literal: Literal) -> Result<(), Conflict> {
        let index = self.index(literal.atom);
        let state = &self.atoms[index as usize];
        if state.asserted == Some(literal.positive) {
            return Ok(());
        }
        match &state.meaning {
            Meaning::Constant(truth) if *truth == literal.positive => {}
            Meaning::Constant(_) => return Err(Conflict(vec![literal])),
            Meaning::Bound { var, upper, lower, positive } => {
                let side = if literal.positive { *positive } else { positive.opposite() };
                let value = if side == Side::Upper { upper } else { lower };
                let (var, value) = (*var, value.clone());
                self.tighten(var, side, value, Reason::Asserted(literal))
                    .map_err(|reasons| Simplex::conflict(&reasons))?;
            }
        }
        if self.atoms[index as usize].asserted.replace(literal.positive).is_none() {
            self.trail.push(Event::Asserted(index));
            if self.atoms[index as usize].propagated.is_none() {
                self.closed(index);
            }
        }
        Ok(())
    }

    fn propagate(&mut self, implied: &mut Vec<Literal>) -> Result<(), Conflict> {
        self.stopped = false;
        match self.make_feasible() {
            Ok(()) => {}
            Err(Failure::Conflict(reasons)) => return Err(Simplex::conflict(&reasons)),
            Err(Failure::Stopped(_)) => {
                self.stopped = true;
                return Ok(());
            }
        }
        if !self.propagation {
            return Ok(());
        }
        self.propagate_bounds(implied).map_err(|reasons| Simplex::conflict(&reasons))
    }

    fn explain(&mut self, implied: Literal, reasons: &mut Vec<Literal>) {
        let index = self.index(implied.atom);
        let (positive, range) = self.atoms[index as usize].propagated.clone().expect("a propagated literal");
        assert_eq!(positive, implied.positive, "a propagated literal");
        reasons.extend_from_slice(&self.reasons[range]);
    }

    fn check(&mut self) -> Check {
        self.stopped = false;
        self.splits.clear();
        match self.check_integers() {
            Ok(true) => Check::Consistent,
            Ok(false) => Check::Split,
            Err(Failure::Conflict(reasons)) => Check::Conflict(Simplex::conflict(&reasons)),
            Err(Failure::Stopped(_)) => {
                self.stopped = true;
                Check::Split
            }
        }
    }
}
