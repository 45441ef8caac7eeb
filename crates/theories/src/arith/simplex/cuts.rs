//! Cuts: bounds that every integer solution satisfies and the present values do not.

use super::bounds::{Reason, Side};
use super::integers::Split;
use super::{LinearForm, Simplex};
use crate::arith::{Rational, Var};
use crate::theory::Literal;

/// Cuts from longer rows are too dense to be of use.
const CUT_LENGTH: usize = 24;

/// A nonbasic variable at a bound, seen from there: `x = bound + s` or `x = bound - s` with `s ≥ 0`.
struct AtBound<'a> {
    var: Var,
    bound: &'a Rational,
    side: Side,
    reason: Reason,
}

impl Simplex {
    /// A mixed-integer Gomory cut from a row whose basic variable should be an integer and is not.
    ///
    /// With every nonbasic variable at a bound, the row is `x + Σ āⱼ·sⱼ = β` over distances `sⱼ ≥ 0` from the bounds. Let
    /// `f₀` be the fraction of `β` and `fⱼ` that of `āⱼ`. Then `Σ cⱼ·sⱼ ≥ 1`, where `cⱼ` is `fⱼ/f₀` or `(1-fⱼ)/(1-f₀)` for
    /// integer variables, whichever is smaller, and `āⱼ/f₀` or `-āⱼ/(1-f₀)` for others, whichever is positive. Bounds of
    /// variables with `cⱼ = 0` are not needed.
    pub(super) fn gomory_cut(&self) -> Option<Split> {
        (0..self.tableau.rows.len() as u32).find_map(|row| self.gomory_cut_of(row))
    }

    fn gomory_cut_of(&self, row: u32) -> Option<Split> {
        let basic = self.tableau.row(row).basic;
        let value = &self.var(basic).value;
        let entries = &self.tableau.row(row).entries;
        if !self.var(basic).integer
            || value.real.is_integer()
            || !value.infinitesimal.is_zero()
            || entries.len() > CUT_LENGTH
        {
            return None;
        }
        let fraction = value.real.fract();
        let rest = Rational::ONE - &fraction;
        let (mut form, mut bound, mut reasons) = (LinearForm::new(), Rational::ONE, Vec::<Literal>::new());
        for entry in entries {
            if entry.var == basic {
                continue;
            }
            let at = self.at_bound(entry.var)?;
            let coefficient = &entry.coefficient / self.tableau.basic_coefficient(row);
            let coefficient = if at.side == Side::Lower { coefficient } else { -coefficient };
            let weight = if self.var(entry.var).integer {
                let own = coefficient.fract();
                if own <= fraction { own / &fraction } else { (Rational::ONE - own) / &rest }
            } else if coefficient.is_positive() {
                coefficient / &fraction
            } else {
                -coefficient / &rest
            };
            if weight.is_zero() {
                continue;
            }
            let Reason::Asserted(literal) = at.reason else { return None };
            reasons.push(literal);
            // weight·s is weight·(x - bound) or weight·(bound - x)
            let weight = if at.side == Side::Lower { weight } else { -weight };
            bound += &(&weight * at.bound);
            self.add_expanded(&mut form, &weight, at.var);
        }
        let small = bound.is_small() && form.terms().iter().all(|(_, coefficient)| coefficient.is_small());
        reasons.sort_unstable();
        reasons.dedup();
        small.then_some(Split::Cut { form, bound, reasons })
    }

    /// The bound that a nonbasic variable is at, unless it is strict.
    fn at_bound(&self, var: Var) -> Option<AtBound<'_>> {
        let variable = self.var(var);
        [Side::Lower, Side::Upper].into_iter().find_map(|side| {
            let bound = variable.bound(side)?;
            (bound.value == variable.value && bound.value.infinitesimal.is_zero()).then_some(AtBound {
                var,
                bound: &bound.value.real,
                side,
                reason: bound.reason,
            })
        })
    }

    /// Adds a variable, or what it is the name of.
    fn add_expanded(&self, form: &mut LinearForm, factor: &Rational, var: Var) {
        match self.definitions.get(&var) {
            None => form.add(factor, var),
            Some(definition) => {
                for (term, coefficient) in definition.terms() {
                    form.add(&(factor * coefficient), *term);
                }
            }
        }
    }
}
