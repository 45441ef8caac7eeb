//! The system of bounds, and the steps to its solution.

use super::basis::reduced_coordinates;
use super::directions::Directions;
use super::relaxation::{Relaxation, Solved};
use crate::arith::stop::Watch;
use crate::arith::{LinearForm, Rational, Var};
use crate::theory::Literal;

/// How many branches are tried before the directions are looked at.
const FIRST_BRANCHES: usize = 64;

/// Asserted literals that something follows from: ascending, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Premises(pub(super) Vec<Literal>);

impl Premises {
    pub(super) fn join(&mut self, other: &Premises) {
        if self.0.is_empty() {
            self.0.clone_from(&other.0);
        } else if !other.0.is_empty() && self.0 != other.0 {
            self.0.extend_from_slice(&other.0);
            self.0.sort_unstable();
            self.0.dedup();
        }
    }
}

/// A bound of a form and what it follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Limit {
    pub(super) value: Rational,
    pub(super) premises: Premises,
}

/// A form between its bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) form: LinearForm,
    pub(super) lower: Option<Limit>,
    pub(super) upper: Option<Limit>,
}

/// Why there is no answer yet, or never.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// There is no solution, because of these.
    Conflict(Premises),
    /// The search was stopped.
    Stopped,
}

/// A sum of variables and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Affine {
    pub(super) form: LinearForm,
    pub(super) constant: Rational,
}

/// What a system came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::arith) enum Answer {
    /// Values of the variables that were given, by their number; 0 for those without bounds.
    Solution(Vec<Rational>),
    /// These literals have no solution.
    Conflict(Vec<Literal>),
    /// The budget was used up, or the search was stopped.
    Unknown,
}

/// Integer variables, and bounds on linear forms of them with integer coefficients.
#[derive(Clone, Debug)]
pub(in crate::arith) struct System {
    /// How many variables were given, and how many there are with those that replace them.
    given: u32,
    pub(super) variables: u32,
    pub(super) ranges: Vec<Range>,
    /// What variables were replaced by, in the order of replacement.
    pub(super) replaced: Vec<(Var, Affine)>,
    pub(super) watch: Watch,
}

impl System {
    /// A system without bounds.
    pub(in crate::arith) fn new(variables: u32, watch: Watch) -> System {
        System { given: variables, variables, ranges: Vec::new(), replaced: Vec::new(), watch }
    }

    /// Bounds a form, each bound because of a literal.
    pub(in crate::arith) fn bound(
        &mut self,
        form: LinearForm,
        lower: Option<(Rational, Literal)>,
        upper: Option<(Rational, Literal)>,
    ) {
        let limit = |(value, literal)| Limit { value, premises: Premises(vec![literal]) };
        self.ranges.push(Range { form, lower: lower.map(limit), upper: upper.map(limit) });
    }

    /// Looks for a solution with at most `budget` branches. Without that limit there would always be an answer.
    pub(in crate::arith) fn solve(mut self, budget: usize) -> Answer {
        match self.find(budget) {
            Ok(Some(values)) => Answer::Solution(self.values_of_given(values)),
            Ok(None) | Err(Halt::Stopped) => Answer::Unknown,
            Err(Halt::Conflict(premises)) => Answer::Conflict(premises.0),
        }
    }

    /// Values of the variables that are not replaced; none if the budget is used up.
    fn find(&mut self, budget: usize) -> Result<Option<Vec<Rational>>, Halt> {
        loop {
            self.solve_equations()?;
            let mut relaxation = Relaxation::new(self);
            if let Solved::Values(values) = relaxation.branch(FIRST_BRANCHES.min(budget))? {
                return Ok(Some(values));
            }
            let directions = Directions::new(self)?;
            self.ranges.clone_from(&directions.bounded);
            // Bounds of the relaxation that are implied by ranges that do not matter would not be bounds of the rest.
            let mut relaxation = Relaxation::new(self);
            if relaxation.tighten(&mut self.ranges)? {
                // An equation: there is one variable less when it is solved. What was moved out of the way comes back.
                self.ranges.extend(directions.unbounded);
                continue;
            }
            let coordinates = reduced_coordinates(self)?;
            let inside = self.in_coordinates(&coordinates)?;
            let mut relaxation = Relaxation::new(&inside);
            let Solved::Values(found) = relaxation.branch_in_box(budget)? else { return Ok(None) };
            let mut values = coordinates.values(&found);
            directions.move_along_ray(&mut values);
            return Ok(Some(values));
        }
    }

    /// Values of the variables that were given, from those that are not replaced.
    fn values_of_given(&self, mut values: Vec<Rational>) -> Vec<Rational> {
        values.resize(self.variables as usize, Rational::ZERO);
        for (var, by) in self.replaced.iter().rev() {
            let value = by.form.evaluate(|var| values[var.index()].clone()) + &by.constant;
            values[var.index()] = value;
        }
        values.truncate(self.given as usize);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::Atom;
    use tamis_testing::Random;

    /// The terms of a form, and its bounds.
    type Between<'a> = (&'a [(u32, i64)], i64, i64);

    fn system(variables: u32, ranges: &[Between]) -> System {
        let mut system = System::new(variables, Watch::default());
        for (at, (terms, lower, upper)) in ranges.iter().enumerate() {
            let form = terms.iter().map(|&(var, c)| (Var(var), Rational::from(c))).collect();
            let literal = |positive| Literal::new(Atom(at as u32), positive);
            let limits = [(*lower, literal(false)), (*upper, literal(true))];
            let [lower, upper] = limits.map(|(value, literal)| Some((Rational::from(value), literal)));
            system.bound(form, lower, upper);
        }
        system
    }

    fn atoms(answer: Answer) -> Vec<u32> {
        let Answer::Conflict(literals) = answer else { panic!("{answer:?} is no conflict") };
        literals.into_iter().map(|literal| literal.atom.0).collect()
    }

    /// 3x - z = 0, 3y - w = 0, 1 ≤ z - w ≤ 2: no direction is bounded but that of the last range, which is not needed
    /// for the branching that would go on for ever.
    #[test]
    fn a_divisor_that_two_equations_hide() {
        let ranges: &[Between] = &[
            (&[(0, 3), (2, -1)], 0, 0),
            (&[(1, 3), (3, -1)], 0, 0),
            (&[(2, 1), (3, -1)], 1, 2),
            (&[(0, 1), (1, 1), (2, 1)], -100, 100),
        ];
        assert_eq!(atoms(system(4, ranges).solve(0)), [0, 0, 1, 1, 2, 2]);
    }

    /// 1 ≤ 27x - 41y + 8z ≤ 1 and another such equation have solutions far from 0.
    #[test]
    fn equations_with_distant_solutions() {
        let rows = [[2701i64, -4111, 8], [1009, 17, -90001]];
        let terms = rows.map(|row| [0, 1, 2].map(|var| (var, row[var as usize])));
        let ranges = [(&terms[0][..], 1, 1), (&terms[1][..], 1, 1)];
        let Answer::Solution(values) = system(3, &ranges).solve(0) else { panic!("no solution") };
        for row in rows {
            let sum =
                row.iter().zip(&values).fold(Rational::ZERO, |sum, (c, v)| sum + Rational::from(*c) * v);
            assert_eq!(sum, Rational::ONE);
        }
    }

    /// Bounds on one side only leave room: the solution is moved into it.
    #[test]
    fn one_sided_bounds_are_met_far_away() {
        let mut system = system(2, &[(&[(0, 5), (1, -7)], 1, 3)]);
        let literal = Literal::new(Atom(9), true);
        system.bound(
            LinearForm::from([(Var(0), 1), (Var(1), 1)]),
            Some((Rational::from(100_000), literal)),
            None,
        );
        let Answer::Solution(values) = system.solve(0) else { panic!("no solution") };
        let difference = Rational::from(5) * &values[0] - Rational::from(7) * &values[1];
        assert!(difference >= Rational::from(1) && difference <= Rational::from(3));
        assert!(&values[0] + &values[1] >= Rational::from(100_000));
    }

    /// Random systems, most without bounds in some direction: solutions are solutions, and where there is none, the
    /// literals of the conflict have none near 0.
    #[test]
    fn random_systems_are_decided() {
        let mut source = Random::new(5);
        let mut random = |bound: u64| source.below(bound);
        let (mut solutions, mut conflicts) = (0, 0);
        for _ in 0..3_000 {
            let variables = 2 + random(2) as u32;
            let mut system = System::new(variables, Watch::default());
            let mut rows: Vec<(LinearForm, Option<Rational>, Option<Rational>)> = Vec::new();
            for at in 0..2 + random(4) as u32 {
                let mut form = LinearForm::new();
                for var in 0..variables {
                    form.add(&Rational::from(random(25) as i64 - 12), Var(var));
                }
                let lower = Rational::from(random(41) as i64 - 20);
                let upper = &lower + Rational::from(random(4) as i64);
                let (lower, upper) = ((random(3) > 0).then_some(lower), (random(3) > 0).then_some(upper));
                let limit = |value: &Option<Rational>, positive| {
                    value.clone().map(|value| (value, Literal::new(Atom(at), positive)))
                };
                system.bound(form.clone(), limit(&lower, false), limit(&upper, true));
                rows.push((form, lower, upper));
            }
            let holds = |point: &[Rational], among: &dyn Fn(u32, bool) -> bool| {
                rows.iter().zip(0..).all(|((form, lower, upper), at)| {
                    let value = form.evaluate(|var| point[var.index()].clone());
                    let above = !among(at, false) || lower.as_ref().is_none_or(|lower| value >= *lower);
                    above && (!among(at, true) || upper.as_ref().is_none_or(|upper| value <= *upper))
                })
            };
            match system.solve(100_000) {
                Answer::Solution(point) => {
                    solutions += 1;
                    assert!(point.iter().all(Rational::is_integer));
                    assert!(holds(&point, &|_, _| true), "{rows:?} {point:?}");
                }
                Answer::Conflict(literals) => {
                    conflicts += 1;
                    let among = |at, positive| literals.contains(&Literal::new(Atom(at), positive));
                    let side = 15_u32;
                    for number in 0..side.pow(variables) {
                        let digits = (0..variables).map(|place| number / side.pow(place) % side);
                        let point: Vec<Rational> =
                            digits.map(|digit| Rational::from(i64::from(digit) - 7)).collect();
                        assert!(!holds(&point, &among), "{rows:?} {literals:?} {point:?}");
                    }
                }
                Answer::Unknown => panic!("{rows:?} is not decided"),
            }
        }
        assert!(solutions > 500 && conflicts > 500, "{solutions} and {conflicts}");
    }
}
