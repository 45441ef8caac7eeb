//! Integer variables: divisibility, branch and bound, and what the search is asked to split on.

use super::bounds::{Bound, Reason, Side};
use super::search::Failure;
use super::{LinearForm, Simplex, Stopped};
use crate::arith::integer::{Answer, Projection, System};
use crate::arith::{Delta, Rational, Var};
use crate::theory::{Conflict, Literal};

/// Offers a cut at every so many checks that need a split: more would fill the tableau.
const CUT_PERIOD: usize = 4;

/// What the search can do about an integer variable whose value is not an integer. The caller makes atoms of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Split {
    /// `var ≤ at` or `var ≥ at + 1`: true for every integer.
    Branch {
        /// The variable.
        var: Var,
        /// The greatest integer that is less than its present value.
        at: Rational,
    },
    /// If the reasons hold, then `form ≥ bound`.
    Cut {
        /// Over variables that the caller made.
        form: LinearForm,
        /// The least value of the form.
        bound: Rational,
        /// Asserted literals.
        reasons: Vec<Literal>,
    },
}

/// What a search for integer values inside the theory came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The present values satisfy what is asserted: see [`Simplex::model`].
    Model,
    /// There are no such values.
    Conflict(Conflict),
    /// The budget was used up, or the search was stopped.
    Unknown,
}

/// One decision of the search inside the theory.
struct Branch {
    var: Var,
    at: Rational,
    trail: usize,
    /// Whether `var ≤ at` was tried first.
    down_first: bool,
    /// The conflict of the side that was tried first.
    first: Option<Vec<Reason>>,
}

impl Simplex {
    /// The splits that the latest check asked for. Every one is a valid clause; a branch is always among them.
    pub fn take_splits(&mut self) -> Vec<Split> {
        std::mem::take(&mut self.splits)
    }

    /// Looks for integer values by branch and bound inside the theory, with at most `budget` branches.
    ///
    /// Complete if the integer variables are bounded and the budget suffices.
    pub fn solve_integers(&mut self, budget: usize) -> Outcome {
        match self.branch_and_bound(budget) {
            Ok(true) => Outcome::Model,
            Ok(false) | Err(Failure::Stopped(_)) => Outcome::Unknown,
            Err(Failure::Conflict(reasons)) => Outcome::Conflict(Simplex::conflict(&reasons)),
        }
    }

    /// Whether the present values are a model, after a short search inside the theory; otherwise there are splits.
    pub(super) fn check_integers(&mut self) -> Result<bool, Failure> {
        if self.branch_and_bound(self.dive)? || self.solve_system()? {
            return Ok(true);
        }
        self.make_feasible()?;
        let Some((var, at)) = self.fractional() else { return Ok(true) };
        self.checks_with_split += 1;
        if self.checks_with_split.is_multiple_of(CUT_PERIOD) {
            self.splits.extend(self.gomory_cut());
        }
        self.splits.push(Split::Branch { var, at });
        Ok(false)
    }

    /// Hands what is asserted to [`System`], which looks at all of it. Whether that found a solution; it is the present
    /// values then. The budget grows with every failure, so that an answer comes in the end.
    ///
    /// Where there are real variables too, they are eliminated before. If that takes too much, only the bounds on integers
    /// are handed over, and only a conflict counts.
    fn solve_system(&mut self) -> Result<bool, Failure> {
        if self.effort == 0 {
            return Ok(false);
        }
        let mut system = System::new(self.variables.len() as u32, self.watch.clone());
        let mixed = self.variables.iter().any(|v| !v.integer && (v.lower.is_some() || v.upper.is_some()));
        let whole = !mixed || self.project(&mut system).is_some();
        if !mixed || !whole {
            system = System::new(self.variables.len() as u32, self.watch.clone());
            for (form, [lower, upper]) in self.asserted_bounds(true) {
                let real = |(value, literal): (Delta, Literal)| (value.real, literal);
                system.bound(form, lower.map(real), upper.map(real));
            }
        }
        match system.solve(self.effort) {
            Answer::Conflict(literals) => {
                Err(Failure::Conflict(literals.into_iter().map(Reason::Asserted).collect()))
            }
            Answer::Solution(values) if !mixed => {
                self.adopt(&values);
                Ok(true)
            }
            Answer::Solution(values) if whole => self.adopt_integers(&values),
            Answer::Solution(_) => Ok(false),
            Answer::Unknown if self.watch.stops_now() => Err(Failure::Stopped(Stopped)),
            Answer::Unknown => {
                self.effort = self.effort.saturating_mul(2);
                Ok(false)
            }
        }
    }

    /// What is asserted of forms, of `integers` alone or of all: lower and upper bounds with their literals.
    #[allow(clippy::type_complexity)]
    fn asserted_bounds(&self, integers: bool) -> Vec<(LinearForm, [Option<(Delta, Literal)>; 2])> {
        let limit = |bound: &Option<Bound>| match bound {
            Some(Bound { value, reason: Reason::Asserted(literal) }) => Some((value.clone(), *literal)),
            _ => None,
        };
        let mut found = Vec::new();
        for (index, variable) in self.variables.iter().enumerate() {
            let limits = [limit(&variable.lower), limit(&variable.upper)];
            if limits.iter().any(Option::is_some) && (variable.integer || !integers) {
                let var = Var(index as u32);
                let form = self.definitions.get(&var).cloned().unwrap_or_else(|| LinearForm::from(var));
                found.push((form, limits));
            }
        }
        found
    }

    /// What is asserted as bounds on integers, without the real variables.
    fn project(&self, system: &mut System) -> Option<()> {
        let mut projection = Projection::default();
        for (form, [lower, upper]) in self.asserted_bounds(false) {
            projection.bound(&form, lower, upper);
        }
        projection.onto_integers(|var| self.var(var).integer, system, &self.watch)
    }

    /// Gives the integer variables these values, and the real ones values that go with them. Whether there are any.
    fn adopt_integers(&mut self, values: &[Rational]) -> Result<bool, Failure> {
        let root = self.trail.len();
        let mut fits = true;
        for (index, value) in values.iter().enumerate() {
            let var = Var(index as u32);
            if self.variables[index].integer && !self.definitions.contains_key(&var) {
                for side in [Side::Lower, Side::Upper] {
                    let value = Delta::from(value.clone());
                    fits &= self.tighten(var, side, value, Reason::Branch(0)).is_ok();
                }
            }
        }
        let found = if fits { self.make_feasible() } else { Ok(()) };
        self.undo(root);
        match found {
            Ok(()) => Ok(fits),
            Err(Failure::Conflict(_)) => Ok(false),
            Err(stopped) => Err(stopped),
        }
    }

    /// Makes the given values of integer variables the present ones.
    fn adopt(&mut self, values: &[Rational]) {
        for (index, value) in values.iter().enumerate() {
            if self.variables[index].integer && !self.definitions.contains_key(&Var(index as u32)) {
                self.variables[index].value = Delta::from(value.clone());
            }
        }
        self.follow_definitions();
        let satisfied = self.variables.iter().all(|variable| variable.violated().is_none());
        assert!(satisfied, "a solution is between the bounds");
    }

    /// Feasible values of the relaxation, where rows that can have no integer solution are conflicts already.
    fn relax(&mut self) -> Result<Option<(Var, Rational)>, Failure> {
        self.make_feasible()?;
        let fractional = self.fractional();
        if fractional.is_some()
            && let Some(reasons) = self.divisibility_conflict()
        {
            return Err(Failure::Conflict(reasons));
        }
        Ok(fractional)
    }

    /// Branch and bound, depth first, with the values moved in place. True: the values are integers. False: the budget is
    /// used up.
    ///
    /// A conflict of a side that does not need its branch is one of the whole, so that the search backjumps over branches
    /// that had no part in it. When both sides fail, what they need besides the branch fails by itself.
    pub(in crate::arith) fn branch_and_bound(&mut self, mut budget: usize) -> Result<bool, Failure> {
        let root = self.trail.len();
        let mut branches: Vec<Branch> = Vec::new();
        let mut state = self.relax();
        loop {
            match state {
                Ok(None) => {
                    self.undo(root);
                    return Ok(true);
                }
                Ok(Some(_)) if budget == 0 => {
                    self.undo(root);
                    return Ok(false);
                }
                Ok(Some((var, at))) => {
                    budget -= 1;
                    let fraction = &self.var(var).value.real - &at;
                    let down_first = &fraction + &fraction <= Rational::ONE;
                    branches.push(Branch { var, at, trail: self.trail.len(), down_first, first: None });
                    state = self.descend(&branches, down_first);
                }
                Err(Failure::Conflict(reasons)) => match self.backjump(&mut branches, reasons) {
                    None => {
                        let down_first = branches.last().is_some_and(|branch| branch.down_first);
                        state = self.descend(&branches, !down_first);
                    }
                    Some(reasons) => {
                        self.undo(root);
                        return Err(Failure::Conflict(reasons));
                    }
                },
                Err(stopped) => {
                    self.undo(root);
                    return Err(stopped);
                }
            }
        }
    }

    /// Takes one side of the latest branch.
    fn descend(&mut self, branches: &[Branch], down: bool) -> Result<Option<(Var, Rational)>, Failure> {
        let Some(Branch { var, at, .. }) = branches.last() else { return self.relax() };
        let reason = Reason::Branch(branches.len() as u32 - 1);
        let (side, value) = if down { (Side::Upper, at.clone()) } else { (Side::Lower, at + Rational::ONE) };
        self.tighten(*var, side, Delta::from(value), reason).map_err(Failure::Conflict)?;
        self.relax()
    }

    /// Leaves branches until one has a side to try, and keeps there the conflict of the first. If there is none, the
    /// conflict of the whole.
    fn backjump(&mut self, branches: &mut Vec<Branch>, mut reasons: Vec<Reason>) -> Option<Vec<Reason>> {
        while let Some(mut branch) = branches.pop() {
            self.undo(branch.trail);
            let own = Reason::Branch(branches.len() as u32);
            if !reasons.contains(&own) {
                continue;
            }
            reasons.retain(|reason| *reason != own);
            match branch.first.take() {
                None => {
                    branch.first = Some(reasons);
                    branches.push(branch);
                    return None;
                }
                Some(first) => {
                    for reason in first {
                        if !reasons.contains(&reason) {
                            reasons.push(reason);
                        }
                    }
                }
            }
        }
        Some(reasons)
    }

    /// An integer variable whose value is not one, and the floor of the value. Of several the one with the smallest range:
    /// it has the fewest values to try.
    fn fractional(&self) -> Option<(Var, Rational)> {
        let mut best: Option<(Option<Rational>, Var)> = None;
        for (index, variable) in self.variables.iter().enumerate() {
            let var = Var(index as u32);
            if !variable.integer || variable.value.is_integer() || self.definitions.contains_key(&var) {
                continue;
            }
            let range = match (&variable.lower, &variable.upper) {
                (Some(lower), Some(upper)) => Some(&upper.value.real - &lower.value.real),
                _ => None,
            };
            let better = match (&best, &range) {
                (None, _) | (Some((None, _)), Some(_)) => true,
                (Some((Some(known), _)), Some(range)) => range < known,
                (Some(_), None) => false,
            };
            if better {
                best = Some((range, var));
            }
        }
        best.map(|(_, var)| (var, self.var(var).value.floor()))
    }

    /// A row over integers whose free variables have a common divisor that the fixed part does not: no integer values
    /// satisfy it. Only rows with a basic variable that is no integer now can be of this kind.
    fn divisibility_conflict(&self) -> Option<Vec<Reason>> {
        (0..self.tableau.rows.len() as u32).find_map(|row| {
            let basic = self.var(self.tableau.row(row).basic);
            if !basic.integer || basic.value.is_integer() {
                return None;
            }
            let (mut divisor, mut fixed) = (Rational::ZERO, Rational::ZERO);
            let mut reasons = Vec::new();
            for entry in &self.tableau.row(row).entries {
                let variable = self.var(entry.var);
                if let Some((lower, upper)) = variable.fixed() {
                    fixed += &(&entry.coefficient * &lower.value.real);
                    reasons.extend([lower.reason, upper.reason]);
                } else if variable.integer {
                    divisor = divisor.gcd(&entry.coefficient);
                } else {
                    return None;
                }
            }
            (!divisor.is_zero() && !(fixed / divisor).is_integer()).then_some(reasons)
        })
    }
}
