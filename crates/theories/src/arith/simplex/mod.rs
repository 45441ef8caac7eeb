//! Linear arithmetic over integers and reals by the general simplex method.
//!
//! Every linear form that an atom bounds has a name, a variable of the tableau; asserting a literal bounds a variable.
//! A search for values between the bounds either finds some or a row whose bounds exclude each other.
//!
//! ## References
//! - B. Dutertre, L. de Moura. *A Fast Linear-Arithmetic Solver for DPLL(T)*. CAV 2006.
//! - R. E. Gomory. *An Algorithm for the Mixed Integer Problem*. 1960.
//! - L. de Moura, N. Bjørner. *Model-based Theory Combination*. 2008.
//!
//! Deviations: rows have integer coefficients without common divisor instead of a unit basic coefficient; integer
//! variables are first searched inside the theory, by a short branch and bound whose refutations are explained, before the
//! Boolean search is asked to split.

mod bounds;
mod cuts;
mod form;
mod integers;
mod model;
mod optimum;
mod propagate;
mod search;
mod tableau;
mod theory;

use std::ops::Range;

use rustc_hash::FxHashMap;

use self::bounds::{Event, Variable};
use self::tableau::Tableau;
use super::stop::{Stop, Watch};
use super::{Delta, Rational, Var};
use crate::theory::{Atom, Literal};

pub(super) use bounds::{Reason, Side};
pub use form::LinearForm;
pub use integers::{Outcome, Split};
pub(super) use search::Failure;

/// Whether a variable is an integer or any real number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// An integer.
    Int,
    /// A real number.
    Real,
}

/// How a linear form is related to a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// At most.
    Le,
    /// Less than.
    Lt,
    /// At least.
    Ge,
    /// Greater than.
    Gt,
}

impl Relation {
    /// Whether it holds between two numbers.
    pub fn holds(self, left: &Rational, right: &Rational) -> bool {
        match self {
            Relation::Le => left <= right,
            Relation::Lt => left < right,
            Relation::Ge => left >= right,
            Relation::Gt => left > right,
        }
    }

    /// The relation after multiplication by a negative number.
    fn mirrored(self) -> Relation {
        match self {
            Relation::Le => Relation::Ge,
            Relation::Lt => Relation::Gt,
            Relation::Ge => Relation::Le,
            Relation::Gt => Relation::Lt,
        }
    }
}

/// A search gave up because it was told to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// A decision procedure for linear arithmetic.
///
/// ```
/// use tamis_theories::arith::{LinearForm, Rational, Relation, Simplex, Sort};
/// use tamis_theories::{Atom, Check, Literal, Theory};
/// let mut theory = Simplex::new();
/// let (x, y) = (theory.variable(Sort::Int), theory.variable(Sort::Int));
/// // x + y ≤ 3, x - y ≥ 2, y > 0
/// theory.bound(Atom(0), &LinearForm::from([(x, 1), (y, 1)]), Relation::Le, Rational::from(3));
/// theory.bound(Atom(1), &LinearForm::from([(x, 1), (y, -1)]), Relation::Ge, Rational::from(2));
/// theory.bound(Atom(2), &LinearForm::from(y), Relation::Gt, Rational::from(0));
/// for atom in 0..2 {
///     theory.assert(Literal::new(Atom(atom), true)).unwrap();
/// }
/// assert_eq!(theory.check(), Check::Consistent);
/// theory.assert(Literal::new(Atom(2), true)).unwrap();
/// assert!(matches!(theory.check(), Check::Conflict(conflict) if conflict.0.len() == 3));
/// ```
#[derive(Clone, Debug)]
pub struct Simplex {
    tableau: Tableau,
    variables: Vec<Variable>,
    /// The names of linear forms, which are normalised.
    names: FxHashMap<LinearForm, Var>,
    /// What a name stands for.
    definitions: FxHashMap<Var, LinearForm>,
    atoms: Vec<AtomState>,
    by_number: FxHashMap<Atom, u32>,
    trail: Vec<Event>,
    levels: Vec<Level>,
    /// The first event of the trail whose consequences have not been looked for.
    next: usize,
    /// Reasons of propagated atoms.
    reasons: Vec<Literal>,
    /// Basic variables that may be out of bounds; they stay through backtracking.
    suspects: Vec<Var>,
    splits: Vec<Split>,
    checks_with_split: usize,
    dive: usize,
    /// How many branches the search that looks at the whole system may take.
    effort: usize,
    stopped: bool,
    propagation: bool,
    watch: Watch,
}

#[derive(Clone, Debug)]
struct AtomState {
    number: Atom,
    meaning: Meaning,
    asserted: Option<bool>,
    /// The propagated value, and where its reasons are.
    propagated: Option<(bool, Range<usize>)>,
}

#[derive(Clone, Debug)]
enum Meaning {
    /// The form is 0.
    Constant(bool),
    /// Either `var ≤ upper` or `var ≥ lower`, and nothing between them.
    Bound { var: Var, upper: Delta, lower: Delta, positive: Side },
}

#[derive(Clone, Copy, Debug)]
struct Level {
    trail: usize,
    next: usize,
}

impl Default for Simplex {
    fn default() -> Self {
        Self::new()
    }
}

impl Simplex {
    /// A procedure without variables.
    pub fn new() -> Self {
        Simplex {
            tableau: Tableau::default(),
            variables: Vec::new(),
            names: FxHashMap::default(),
            definitions: FxHashMap::default(),
            atoms: Vec::new(),
            by_number: FxHashMap::default(),
            trail: Vec::new(),
            levels: Vec::new(),
            next: 0,
            reasons: Vec::new(),
            suspects: Vec::new(),
            splits: Vec::new(),
            checks_with_split: 0,
            dive: 32,
            effort: 1_000,
            stopped: false,
            propagation: true,
            watch: Watch::default(),
        }
    }

    /// A new variable.
    pub fn variable(&mut self, sort: Sort) -> Var {
        let var = self.tableau.add_variable();
        self.variables.push(Variable {
            integer: sort == Sort::Int,
            value: Delta::ZERO,
            lower: None,
            upper: None,
            atoms: Vec::new(),
            open: 0,
            suspect: false,
        });
        var
    }

    /// Gives `atom` the meaning `form relation constant`. Over integers the bound is rounded to what it says about them:
    /// `2x + 2y ≤ 3` is `x + y ≤ 1`.
    ///
    /// # Panics
    /// If `atom` has a meaning already.
    pub fn bound(&mut self, atom: Atom, form: &LinearForm, relation: Relation, constant: Rational) {
        let meaning = match form.normalised() {
            None => Meaning::Constant(relation.holds(&Rational::ZERO, &constant)),
            Some((factor, form)) => {
                let relation = if factor.is_negative() { relation.mirrored() } else { relation };
                let var = self.name(form);
                self.meaning(var, relation, constant / factor)
            }
        };
        let index = self.atoms.len() as u32;
        assert!(self.by_number.insert(atom, index).is_none(), "an atom has one meaning");
        if let Meaning::Bound { var, upper, .. } = &meaning {
            let sorted = &self.variables[var.index()].atoms;
            let at = sorted.partition_point(|&other| self.limit(other, Side::Upper) <= Some(upper));
            self.variables[var.index()].atoms.insert(at, index);
            self.variables[var.index()].open += 1;
        }
        self.atoms.push(AtomState { number: atom, meaning, asserted: None, propagated: None });
    }

    /// Whether `atom` has a meaning here.
    pub fn knows(&self, atom: Atom) -> bool {
        self.by_number.contains_key(&atom)
    }

    /// Switches theory propagation on or off; it is on at first. Conflicts are found early in either case.
    pub fn set_propagation(&mut self, on: bool) {
        self.propagation = on;
    }

    /// How many branches a [`check`](crate::Theory::check) may try inside the theory before it asks for a split.
    pub fn set_dive(&mut self, branches: usize) {
        self.dive = branches;
    }

    /// How many branches a [`check`](crate::Theory::check) may take, at first, to decide all bounds on integers together,
    /// if those of [`set_dive`](Simplex::set_dive) did not suffice. 0 leaves that out. Each time the number does not
    /// suffice it is doubled, and so every question is decided in the end whose bounds are on integers alone.
    pub fn set_effort(&mut self, branches: usize) {
        self.effort = branches;
    }

    /// What to ask during long searches, whether to stop.
    pub fn set_stop(&mut self, stop: Option<Stop>) {
        self.watch.set(stop);
    }

    /// Asks what another search asks.
    pub(super) fn share_watch(&mut self, watch: &Watch) {
        self.watch = watch.clone();
    }

    /// Whether the latest check or propagation was stopped: a [`Check::Split`](crate::Check::Split) without splits.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// The variable that is equal to a normalised form.
    pub(super) fn name(&mut self, form: LinearForm) -> Var {
        if let [(var, coefficient)] = form.terms()
            && *coefficient == Rational::ONE
        {
            return *var;
        }
        if let Some(&var) = self.names.get(&form) {
            return var;
        }
        let integer = form.terms().iter().all(|(var, _)| self.var(*var).integer);
        let var = self.variable(if integer { Sort::Int } else { Sort::Real });
        self.variables[var.index()].value = form
            .terms()
            .iter()
            .fold(Delta::ZERO, |sum, (term, coefficient)| &sum + &self.var(*term).value.scale(coefficient));
        self.tableau.add_row(var, &form);
        self.definitions.insert(var, form.clone());
        self.names.insert(form, var);
        var
    }

    fn meaning(&self, var: Var, relation: Relation, constant: Rational) -> Meaning {
        let positive = match relation {
            Relation::Le | Relation::Lt => Side::Upper,
            Relation::Ge | Relation::Gt => Side::Lower,
        };
        // `≤ c` and `> c` part the line after c, `< c` and `≥ c` before it.
        let after = matches!(relation, Relation::Le | Relation::Gt);
        let (upper, lower) = if self.var(var).integer {
            let upper = if after { constant.floor() } else { constant.ceil() - Rational::ONE };
            (Delta::from(upper.clone()), Delta::from(upper + Rational::ONE))
        } else {
            let constant = Delta::from(constant);
            if after { (constant.clone(), constant.above()) } else { (constant.below(), constant) }
        };
        Meaning::Bound { var, upper, lower, positive }
    }

    /// The bound of an atom on one side.
    fn limit(&self, atom: u32, side: Side) -> Option<&Delta> {
        match (&self.atoms[atom as usize].meaning, side) {
            (Meaning::Bound { upper, .. }, Side::Upper) => Some(upper),
            (Meaning::Bound { lower, .. }, Side::Lower) => Some(lower),
            (Meaning::Constant(_), _) => None,
        }
    }

    fn index(&self, atom: Atom) -> u32 {
        *self.by_number.get(&atom).expect("an atom of this theory")
    }
}
