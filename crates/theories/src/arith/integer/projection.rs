//! Mixed systems: what they say about their integers alone.
//!
//! Real variables are eliminated one after the other by adding each of their upper bounds to each of the lower ones, which
//! keeps exactly the values of the others that have a solution. What is left is a system of integers; with a solution of that
//! the reals have one too.
//!
//! ## References
//! - A. Schrijver. *Theory of Linear and Integer Programming*. 1986, section 12.2: the method of Fourier and Motzkin.

use super::system::{Limit, Premises, Range, System};
use crate::arith::stop::Watch;
use crate::arith::{Delta, LinearForm, Rational, Var};
use crate::theory::Literal;
use rustc_hash::FxHashMap;

/// Eliminations that leave more bounds than this are given up.
const BOUNDS: usize = 4_000;

/// `form ≤ bound`, where a bound less some δ is strict.
#[derive(Clone, Debug)]
struct Inequality {
    form: LinearForm,
    bound: Delta,
    premises: Premises,
}

impl Inequality {
    /// The sum of `factor` times this one and `other`; the factor is positive.
    fn plus(&self, factor: &Rational, other: &Inequality) -> Inequality {
        let mut form = other.form.clone();
        for (var, coefficient) in self.form.terms() {
            form.add(&(coefficient * factor), *var);
        }
        let mut premises = self.premises.clone();
        premises.join(&other.premises);
        Inequality { form, bound: &self.bound.scale(factor) + &other.bound, premises }
    }

    /// With integer coefficients that have no common divisor. None if it says nothing.
    fn normalised(self) -> Option<Inequality> {
        match self.form.normalised() {
            Some((factor, _)) => {
                let scale = Rational::ONE / factor.abs();
                let terms = self.form.terms().iter().map(|(var, c)| (*var, c * &scale)).collect();
                Some(Inequality { form: terms, bound: self.bound.scale(&scale), ..self })
            }
            None => self.bound.is_negative().then_some(self),
        }
    }

    /// Whether the two are an equation.
    fn is_opposite(&self, other: &Inequality) -> bool {
        let (mine, others) = (self.form.terms(), other.form.terms());
        (&self.bound + &other.bound) == Delta::ZERO
            && mine.len() == others.len()
            && mine.iter().zip(others).all(|((x, a), (y, b))| x == y && *a == -b)
    }
}

/// Bounds on forms of integers and reals.
#[derive(Default)]
pub(in crate::arith) struct Projection {
    /// By the form, normalised.
    inequalities: FxHashMap<LinearForm, Inequality>,
}

impl Projection {
    /// Bounds a form, each bound because of a literal.
    pub(in crate::arith) fn bound(
        &mut self,
        form: &LinearForm,
        lower: Option<(Delta, Literal)>,
        upper: Option<(Delta, Literal)>,
    ) {
        if let Some((bound, literal)) = upper {
            self.add(Inequality { form: form.clone(), bound, premises: Premises(vec![literal]) });
        }
        if let Some((bound, literal)) = lower {
            let form = form.terms().iter().map(|(var, c)| (*var, -c)).collect();
            self.add(Inequality { form, bound: -&bound, premises: Premises(vec![literal]) });
        }
    }

    fn add(&mut self, inequality: Inequality) {
        let Some(inequality) = inequality.normalised() else { return };
        let known = self.inequalities.get(&inequality.form);
        if known.is_none_or(|known| inequality.bound < known.bound) {
            self.inequalities.insert(inequality.form.clone(), inequality);
        }
    }

    /// Eliminates all variables that are not integers, and gives what is left to `system`. None if there would be too
    /// many bounds, or the search is stopped.
    pub(in crate::arith) fn onto_integers(
        mut self,
        is_integer: impl Fn(Var) -> bool,
        system: &mut System,
        watch: &Watch,
    ) -> Option<()> {
        while let Some(var) = self.cheapest(&is_integer) {
            if watch.stops_now() {
                return None;
            }
            self.eliminate(var)?;
        }
        let mut left: Vec<Inequality> = self.inequalities.into_values().collect();
        left.sort_unstable_by(|a, b| a.premises.0.cmp(&b.premises.0).then_with(|| a.bound.cmp(&b.bound)));
        for Inequality { form, bound, premises } in left {
            // A strict bound on a sum of integers is the next integer below it.
            let upper = Some(Limit { value: bound.floor(), premises });
            system.ranges.push(Range { form, lower: None, upper });
        }
        Some(())
    }

    /// The real variable whose elimination leaves the fewest bounds.
    fn cheapest(&self, is_integer: &impl Fn(Var) -> bool) -> Option<Var> {
        let mut counts: FxHashMap<Var, (usize, usize)> = FxHashMap::default();
        for form in self.inequalities.keys() {
            for (var, coefficient) in form.terms().iter().filter(|(var, _)| !is_integer(*var)) {
                let (above, below) = counts.entry(*var).or_default();
                *(if coefficient.is_positive() { above } else { below }) += 1;
            }
        }
        counts.into_iter().min_by_key(|&(var, (above, below))| (above * below, var)).map(|(var, _)| var)
    }

    fn eliminate(&mut self, var: Var) -> Option<()> {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for (form, inequality) in std::mem::take(&mut self.inequalities) {
            match form.coefficient(var) {
                None => {
                    self.inequalities.insert(form, inequality);
                }
                Some(c) if c.is_positive() => above.push(inequality),
                Some(_) => below.push(inequality),
            }
        }
        // With an equation, it alone is added to the others.
        let equation = above.iter().enumerate().find_map(|(at, upper)| {
            below.iter().position(|lower| lower.is_opposite(upper)).map(|lower| (at, lower))
        });
        for (at, upper) in above.iter().enumerate() {
            for (other, lower) in below.iter().enumerate() {
                if equation.is_some_and(|(equal, opposite)| (at == equal) == (other == opposite)) {
                    continue;
                }
                let (Some(a), Some(b)) = (upper.form.coefficient(var), lower.form.coefficient(var)) else {
                    continue;
                };
                self.add(upper.plus(&(-b / a), lower));
                if self.inequalities.len() > BOUNDS {
                    return None;
                }
            }
        }
        Some(())
    }
}
