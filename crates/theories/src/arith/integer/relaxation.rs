//! The system over the rationals, and branch and bound in it.

use super::system::{Halt, Limit, Premises, Range, System};
use crate::arith::simplex::{Failure, LinearForm, Reason, Side, Simplex, Sort};
use crate::arith::{Delta, Rational, Var};
use crate::theory::{Atom, Literal};

/// What branch and bound came to, where it found no conflict.
pub(super) enum Solved {
    /// Values of all variables of the system, replaced ones included.
    Values(Vec<Rational>),
    /// The budget is used up.
    Open,
}

/// A simplex tableau of the ranges. Its literals number the premises of bounds.
pub(super) struct Relaxation {
    simplex: Simplex,
    variables: u32,
    premises: Vec<Premises>,
    /// A bound that excludes another one.
    conflict: Option<Premises>,
}

impl Relaxation {
    pub(super) fn new(system: &System) -> Relaxation {
        let mut simplex = Simplex::new();
        simplex.share_watch(&system.watch);
        for _ in 0..system.variables {
            simplex.variable(Sort::Int);
        }
        let mut relaxation =
            Relaxation { simplex, variables: system.variables, premises: Vec::new(), conflict: None };
        for Range { form, lower, upper } in &system.ranges {
            let var = relaxation.simplex.name(form.clone());
            for (side, limit) in [(Side::Lower, lower), (Side::Upper, upper)] {
                if let Some(limit) = limit {
                    relaxation.bound(var, side, limit);
                }
            }
        }
        relaxation
    }

    fn bound(&mut self, var: Var, side: Side, limit: &Limit) {
        let reason = Reason::Asserted(Literal::new(Atom(self.premises.len() as u32), true));
        self.premises.push(limit.premises.clone());
        let bounded = self.simplex.tighten(var, side, Delta::from(limit.value.clone()), reason);
        if let Err(reasons) = bounded
            && self.conflict.is_none()
        {
            self.conflict = Some(self.premises_of(&reasons));
        }
    }

    fn premises_of(&self, reasons: &[Reason]) -> Premises {
        let mut joined = Premises::default();
        for reason in reasons {
            if let Reason::Asserted(literal) = reason {
                joined.0.extend_from_slice(&self.premises[literal.atom.0 as usize].0);
            }
        }
        joined.0.sort_unstable();
        joined.0.dedup();
        joined
    }

    fn halt(&self, failure: Failure) -> Halt {
        match failure {
            Failure::Conflict(reasons) => Halt::Conflict(self.premises_of(&reasons)),
            Failure::Stopped(_) => Halt::Stopped,
        }
    }

    fn feasible(&mut self) -> Result<(), Halt> {
        if let Some(conflict) = self.conflict.take() {
            return Err(Halt::Conflict(conflict));
        }
        self.simplex.make_feasible().map_err(|failure| self.halt(failure))
    }

    /// Branch and bound with at most so many branches.
    pub(super) fn branch(&mut self, budget: usize) -> Result<Solved, Halt> {
        self.feasible()?;
        match self.simplex.branch_and_bound(budget) {
            Ok(true) => {
                let values = self.simplex.model();
                Ok(Solved::Values(values.into_iter().take(self.variables as usize).collect()))
            }
            Ok(false) => Ok(Solved::Open),
            Err(failure) => Err(self.halt(failure)),
        }
    }

    /// Branch and bound, after the variables have been given the bounds that follow: the one with the fewest values is
    /// branched on first.
    pub(super) fn branch_in_box(&mut self, budget: usize) -> Result<Solved, Halt> {
        self.feasible()?;
        for number in 0..self.variables {
            for side in [Side::Lower, Side::Upper] {
                self.implied(Var(number), side)?;
            }
        }
        self.branch(budget)
    }

    /// The bound on the integer `var` that follows; it holds from now on.
    fn implied(&mut self, var: Var, side: Side) -> Result<Option<Limit>, Halt> {
        let found = self.simplex.extreme(var, side).map_err(|failure| self.halt(failure))?;
        let Some((value, reasons)) = found else { return Ok(None) };
        let value = if side == Side::Lower { value.ceil() } else { value.floor() };
        let limit = Limit { value, premises: self.premises_of(&reasons) };
        self.bound(var, side, &limit);
        self.feasible()?;
        Ok(Some(limit))
    }

    /// Tightens ranges to what the relaxation implies, rounded. Whether there is an equation now.
    pub(super) fn tighten(&mut self, ranges: &mut [Range]) -> Result<bool, Halt> {
        self.feasible()?;
        let mut equation = false;
        for range in ranges {
            let var = self.simplex.name(range.form.clone());
            for side in [Side::Lower, Side::Upper] {
                let place = if side == Side::Lower { &mut range.lower } else { &mut range.upper };
                if let Some(limit) = self.implied(var, side)?
                    && place.as_ref().is_none_or(|known| known.value != limit.value)
                {
                    *place = Some(limit);
                }
            }
            range.check()?;
            equation |= range.equation().is_some();
        }
        Ok(equation)
    }

    /// A point of the relaxation where `form` is at most -1, if there is one; the bounds stay as they were.
    pub(super) fn point_below(
        &mut self,
        form: &LinearForm,
        sign: &Rational,
    ) -> Result<Option<Vec<Rational>>, Halt> {
        self.feasible()?;
        let var = self.simplex.name(form.clone());
        let side = if sign.is_positive() { Side::Upper } else { Side::Lower };
        let mark = self.simplex.mark();
        let reason = Reason::Branch(0);
        let bounded = self.simplex.tighten(var, side, Delta::from(-sign), reason);
        let found = match bounded.map_err(Failure::Conflict).and_then(|()| self.simplex.make_feasible()) {
            Ok(()) => {
                let values = self.simplex.model();
                Ok(Some(values.into_iter().take(self.variables as usize).collect()))
            }
            Err(Failure::Conflict(_)) => Ok(None),
            Err(Failure::Stopped(_)) => Err(Halt::Stopped),
        };
        self.simplex.undo(mark);
        found
    }
}
