//! A design with one of its properties, as it is searched and as it is executed.

use crate::arguments::Preset;
use crate::check::proof::{self as told, Invariant};
use crate::formalism::{Model, Rejected};
use std::time::Duration;
use tamis_cegar::KInduction;
use tamis_design::{Cycle, Design, DesignSystem, Place, Run, expression};
use tamis_evidence::Rejection;
use tamis_evidence::design::{self as evidence, Point as At, Proof};
use tamis_logic::{Op, Term, Terms};
use tamis_solver::Budget;
use tamis_system::{ConcreteTrace, Invariants, Point};

/// Formulas with longer texts are shown as SMT-LIB.
const MAX_LENGTH: usize = 400;

/// A design and one of its properties.
pub struct Reduced {
    /// As it was read.
    pub whole: Design,
    /// The property's place in it.
    pub property: usize,
    /// What the property depends on, with that property alone.
    pub cone: Design,
    pub warnings: Vec<String>,
}

/// An execution of the design as it was read that violates the property.
pub struct Violation {
    pub run: Run,
}

impl Reduced {
    pub fn new(terms: &Terms, whole: Design, property: usize, warnings: Vec<String>) -> Reduced {
        let cone = whole.cone(terms, property);
        Reduced { whole, property, cone, warnings }
    }

    /// Where the property stands.
    pub fn place(&self) -> Option<&Place> {
        self.whole.properties[self.property].place.as_ref()
    }

    fn check(&self, terms: &mut Terms, proof: Proof, budget: &Budget) -> Result<Proof, Rejected> {
        match evidence::certify(terms, &self.cone, 0, &proof, budget) {
            Ok(()) => Ok(proof),
            Err(Rejection::Stopped(stop)) => Err(Rejected::Stopped(stop)),
            Err(rejection) => Err(Rejected::Fails(rejected(&rejection))),
        }
    }

    /// The conjuncts of a formula that holds in every cycle, for people.
    fn conjuncts(&self, terms: &Terms, formula: Term) -> Vec<Invariant> {
        let conjuncts = match terms.op(formula) {
            Op::And => terms.args(formula).to_vec(),
            Op::Bool(true) => Vec::new(),
            _ => vec![formula],
        };
        let (file, line) = self.place().map_or((String::new(), 0), |p| (p.file.to_string(), p.line));
        let conjunct =
            |t: &Term| Invariant { file: file.clone(), line, function: None, invariant: text(terms, *t) };
        conjuncts.iter().map(conjunct).collect()
    }
}

fn rejected(rejection: &Rejection<At>) -> String {
    match rejection {
        Rejection::Consecution { from: At::Reset, .. } => {
            "the invariant does not hold after a reset".to_owned()
        }
        Rejection::Consecution { .. } => "the invariant is not preserved by a cycle".to_owned(),
        other => other.to_string(),
    }
}

fn text(terms: &Terms, formula: Term) -> String {
    expression(terms, formula, MAX_LENGTH).unwrap_or_else(|| terms.to_smtlib(formula))
}

impl Model for Reduced {
    type System<'a> = DesignSystem<'a>;
    type Edge = Cycle;
    type Proof = Proof;
    type Violation = Violation;

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn exact(self, _: &mut Terms) -> Reduced {
        self
    }

    fn system<'a>(&'a self, terms: &mut Terms, _: &Preset) -> DesignSystem<'a> {
        DesignSystem::new(terms, &self.cone, 0)
    }

    fn place(&self, _: &DesignSystem<'_>, point: Point) -> String {
        match point {
            Point::INITIAL => "the reset".to_owned(),
            DesignSystem::RUNNING => "a cycle".to_owned(),
            _ => "the violation".to_owned(),
        }
    }

    fn formula(&self, terms: &Terms, _: &DesignSystem<'_>, _: Point, formula: Term) -> String {
        text(terms, formula)
    }

    fn certify(
        &self,
        terms: &mut Terms,
        _: &DesignSystem<'_>,
        invariants: &Invariants,
        budget: &Budget,
        tidying: Option<Duration>,
    ) -> Result<Proof, Rejected> {
        let invariant = invariants[DesignSystem::RUNNING];
        if let Some(time) = tidying {
            let limited = budget.child_with_timeout(time);
            let tidy = evidence::tidy(terms, &self.cone, 0, invariant, &limited);
            if let Ok(Some(tidy)) = tidy
                && let Ok(proof) = self.check(terms, Proof::Invariant(tidy), budget)
            {
                return Ok(proof);
            }
        }
        self.check(terms, Proof::Invariant(invariant), budget)
    }

    /// The reset and the bad cycle are steps too, so there are not more cycles than steps.
    fn certify_exhausted(&self, terms: &mut Terms, steps: usize, budget: &Budget) -> Result<Proof, Rejected> {
        self.check(terms, Proof::Exhaustion(steps), budget)
    }

    /// Of the steps the last is the one to the violation, so that one cycle less is known to be good.
    fn certify_k_inductive(
        &self,
        terms: &mut Terms,
        _: &DesignSystem<'_>,
        KInduction { k, simple_path, facts }: KInduction,
        budget: &Budget,
    ) -> Result<Proof, Rejected> {
        let facts = facts.map_or(terms.tru(), |facts| facts[DesignSystem::RUNNING]);
        self.check(terms, Proof::KInduction { k: k.saturating_sub(1), simple_path, facts }, budget)
    }

    /// Executes the design as it was read on the values of a counterexample: all constraints hold in all cycles, and the
    /// property is violated in the last.
    fn replay(&self, terms: &Terms, trace: &ConcreteTrace<Cycle>) -> Result<Violation, String> {
        let run = Run::new(terms, &self.whole, &DesignSystem::stimulus(trace)).map_err(|e| e.to_string())?;
        match run.violates(terms, &self.whole, self.property) {
            true => Ok(Violation { run }),
            false => Err("the last cycle does not violate the property".to_owned()),
        }
    }

    fn is_doubtful(_: &Violation) -> bool {
        false
    }

    fn vacuity(&self, terms: &mut Terms, proof: &Proof, budget: &Budget) -> Vec<String> {
        let found = evidence::vacuity(terms, &self.cone, proof, budget);
        found.iter().map(ToString::to_string).collect()
    }

    fn told(&self, terms: &Terms, proof: &Proof) -> told::Proof {
        match *proof {
            Proof::Invariant(invariant) => told::Proof::Cycles(self.conjuncts(terms, invariant)),
            Proof::KInduction { k, simple_path, facts } => {
                let (steps, facts) = (told::Steps::Cycles, self.conjuncts(terms, facts));
                told::Proof::KInduction { k, steps, simple_path, facts }
            }
            Proof::Exhaustion(_) => told::Proof::Exhaustion,
        }
    }
}
