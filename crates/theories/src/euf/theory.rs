//! The closure as a theory.

use super::CongruenceClosure;
use super::backtrack::Undo;
use super::proof::Reason;
use super::terms::Head;
use crate::{Check, Conflict, Literal, Theory};

impl CongruenceClosure {
    /// The conflict, if there is one.
    pub(super) fn state(&self) -> Result<(), Conflict> {
        match &self.conflict {
            Some((_, conflict)) => Err(conflict.clone()),
            None => Ok(()),
        }
    }
}

/// The closure is complete at any time: [`assert`](Theory::assert) finds every conflict, and
/// [`check`](Theory::check) never asks for a split. Literals over atoms without a meaning here are ignored.
impl Theory for CongruenceClosure {
    fn push(&mut self) {
        self.open_level();
    }

    fn pop(&mut self, levels: usize) {
        self.close_levels(levels);
    }

    fn assert(&mut self, literal: Literal) -> Result<(), Conflict> {
        self.state()?;
        let Some(number) = self.atoms.number(literal.atom) else { return Ok(()) };
        let entry = self.atoms.get(number);
        if entry.asserted != Some(literal.positive) {
            if entry.asserted.is_none() {
                self.atoms.set_asserted(number, Some(literal.positive));
                self.record(Undo::Asserted(number));
            }
            let is_known_false = self.same(entry.node, self.truth(false));
            // An equality that is false already goes the other way, because there the conflict is met at once.
            let (a, b) = match self.terms.head(entry.node) {
                Head::Equality if literal.positive && !is_known_false => self.terms.sides(entry.node),
                _ => (entry.node, self.truth(literal.positive)),
            };
            self.enqueue(a, b, Reason::Asserted(literal));
            self.close();
        }
        self.state()
    }

    fn propagate(&mut self, implied: &mut Vec<Literal>) -> Result<(), Conflict> {
        self.state()?;
        if self.propagation {
            let atoms = &self.atoms;
            implied.extend(self.implied.take().iter().filter(|literal| !atoms.is_asserted(literal.atom)));
        }
        Ok(())
    }

    fn explain(&mut self, implied: Literal, reasons: &mut Vec<Literal>) {
        let number = self.atoms.number(implied.atom).expect("an implied literal is over a known atom");
        self.explain_truth(self.atoms.get(number).node, implied.positive, reasons);
    }

    fn check(&mut self) -> Check {
        match &self.conflict {
            Some((_, conflict)) => Check::Conflict(conflict.clone()),
            None => Check::Consistent,
        }
    }
}
