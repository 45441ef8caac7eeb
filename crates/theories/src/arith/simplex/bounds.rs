//! Bounds of variables, with the reasons for them.

use super::{Meaning, Simplex};
use crate::arith::{Delta, Var};
use crate::theory::Literal;

/// Which side of a variable a bound is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::arith) enum Side {
    Lower,
    Upper,
}

impl Side {
    pub(super) fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }

    /// Whether a bound `a` on this side says more than `b`.
    pub(super) fn tighter(self, a: &Delta, b: &Delta) -> bool {
        match self {
            Side::Lower => a > b,
            Side::Upper => a < b,
        }
    }
}

/// Why a bound holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::arith) enum Reason {
    /// It was asserted.
    Asserted(Literal),
    /// The branch of this depth of a search inside the theory assumes it.
    Branch(u32),
}

#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) value: Delta,
    pub(super) reason: Reason,
}

/// What backtracking undoes.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A bound was replaced.
    Bound { var: Var, side: Side, old: Option<Bound> },
    /// An atom got a value.
    Asserted(u32),
    /// An atom's value was propagated.
    Propagated(u32),
}

/// A variable of the tableau: made by the caller, or the name of a linear form.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) integer: bool,
    /// Between its bounds, if the variable is nonbasic.
    pub(super) value: Delta,
    pub(super) lower: Option<Bound>,
    pub(super) upper: Option<Bound>,
    /// Atoms that bound the variable, by ascending bound.
    pub(super) atoms: Vec<u32>,
    /// How many of the atoms are neither asserted nor propagated.
    pub(super) open: u32,
    /// Whether it is among the basic variables that may be out of bounds.
    pub(super) suspect: bool,
}

impl Variable {
    pub(super) fn bound(&self, side: Side) -> Option<&Bound> {
        match side {
            Side::Lower => self.lower.as_ref(),
            Side::Upper => self.upper.as_ref(),
        }
    }

    fn bound_mut(&mut self, side: Side) -> &mut Option<Bound> {
        match side {
            Side::Lower => &mut self.lower,
            Side::Upper => &mut self.upper,
        }
    }

    /// The bound that the value violates.
    pub(super) fn violated(&self) -> Option<(Side, &Bound)> {
        [Side::Lower, Side::Upper].into_iter().find_map(|side| {
            let bound = self.bound(side)?;
            side.tighter(&bound.value, &self.value).then_some((side, bound))
        })
    }

    /// Both bounds, if they leave one value.
    pub(super) fn fixed(&self) -> Option<(&Bound, &Bound)> {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower.value == upper.value => Some((lower, upper)),
            _ => None,
        }
    }

    /// Whether the value may move away from the bound on the other side, toward `side`.
    pub(super) fn can_move(&self, side: Side) -> bool {
        self.bound(side).is_none_or(|bound| side.tighter(&self.value, &bound.value))
    }
}

impl Simplex {
    pub(super) fn var(&self, var: Var) -> &Variable {
        &self.variables[var.index()]
    }

    /// Bounds a variable: `AssertUpper` and `AssertLower` of Dutertre and de Moura, figure 1. An error is a pair of bounds
    /// that exclude each other.
    pub(in crate::arith) fn tighten(
        &mut self,
        var: Var,
        side: Side,
        value: Delta,
        reason: Reason,
    ) -> Result<(), Vec<Reason>> {
        let variable = &mut self.variables[var.index()];
        if variable.bound(side).is_some_and(|bound| !side.tighter(&value, &bound.value)) {
            return Ok(());
        }
        if let Some(opposite) = variable.bound(side.opposite())
            && side.tighter(&value, &opposite.value)
        {
            return Err(vec![reason, opposite.reason]);
        }
        let violated = side.tighter(&value, &variable.value);
        let old = variable.bound_mut(side).replace(Bound { value: value.clone(), reason });
        self.trail.push(Event::Bound { var, side, old });
        if violated {
            if self.tableau.is_basic(var) { self.suspect(var) } else { self.update(var, &value) }
        }
        Ok(())
    }

    /// Notes that a basic variable may be out of bounds.
    pub(super) fn suspect(&mut self, var: Var) {
        let variable = &mut self.variables[var.index()];
        if !variable.suspect {
            variable.suspect = true;
            self.suspects.push(var);
        }
    }

    /// The present point of the trail, for [`undo`](Simplex::undo).
    pub(in crate::arith) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Counts an atom of which something is known now, where nothing was.
    pub(super) fn closed(&mut self, atom: u32) {
        if let Meaning::Bound { var, .. } = self.atoms[atom as usize].meaning {
            self.variables[var.index()].open -= 1;
        }
    }

    /// Counts an atom if nothing is known of it any more.
    fn reopened(&mut self, atom: u32) {
        let state = &self.atoms[atom as usize];
        if let (Meaning::Bound { var, .. }, None, None) = (&state.meaning, state.asserted, &state.propagated)
        {
            self.variables[var.index()].open += 1;
        }
    }

    /// Undoes everything after a point of the trail. Values stay: looser bounds still contain those of the nonbasic
    /// variables.
    pub(in crate::arith) fn undo(&mut self, trail: usize) {
        while self.trail.len() > trail {
            match self.trail.pop() {
                Some(Event::Bound { var, side, old }) => {
                    *self.variables[var.index()].bound_mut(side) = old;
                }
                Some(Event::Asserted(atom)) => {
                    self.atoms[atom as usize].asserted = None;
                    self.reopened(atom);
                }
                Some(Event::Propagated(atom)) => {
                    if let Some((_, reasons)) = self.atoms[atom as usize].propagated.take() {
                        self.reasons.truncate(reasons.start);
                    }
                    self.reopened(atom);
                }
                None => {}
            }
        }
    }
}
