//! A design with one of its properties, as it is searched, as its proofs are checked and as it is executed.

use super::property::Kind;
use crate::arguments::Preset;
use crate::check::proof::{self as told, Invariant};
use crate::formalism::{Model, Rejected};
use rustc_hash::FxHashSet;
use std::time::Duration;
use tamis_cegar::KInduction;
use tamis_design::{
    Condition, Cycle, Design, DesignSystem, Lasso, Place, Run, SavedLoop, Stimulus, expression,
};
use tamis_evidence::design::{self as evidence, Point as At, Proof};
use tamis_evidence::{Ranged, Rejection, readable};
use tamis_logic::{Op, Term, Terms};
use tamis_solver::Budget;
use tamis_system::{ConcreteTrace, Invariants, Point};

/// Formulas with longer texts are shown as SMT-LIB.
const MAX_LENGTH: usize = 400;

/// A loop is gone through so many times at most for the registers that the property does not depend on to return as well.
const ROUNDS: usize = 16;

/// A design and one of its properties.
pub struct Reduced {
    /// As it was read; for a liveness property, with that one alone of its kind.
    pub whole: Design,
    pub property: Kind,
    /// What the property depends on, with that property alone.
    pub cone: Design,
    /// What proofs are about: the cone, or the cone with a property that says that there is no loop.
    proved: Design,
    /// The same for the search, with what is known as a constraint.
    searched: Design,
    /// How the search saves loops.
    saved: Option<SavedLoop>,
    /// What holds in every cycle, by proofs of other properties.
    facts: Term,
    pub warnings: Vec<String>,
}

/// An execution of the design as it was read that violates the property.
pub struct Violation {
    pub run: Run,
    /// Of a liveness property: the cycle that comes again after the last.
    pub start: Option<usize>,
    /// Whether all registers return to it, and not only those that the property depends on.
    pub returns: bool,
}

impl Reduced {
    /// A design for one of its properties. `known` are formulas that were shown to be invariants before.
    pub fn new(
        terms: &mut Terms,
        mut whole: Design,
        property: Kind,
        known: &[Term],
        warnings: Vec<String>,
    ) -> Reduced {
        let (cone, proved, mut searched, saved) = match property {
            Kind::Safety(number) => {
                let cone = whole.cone(terms, number);
                (cone.clone(), cone.clone(), cone, None)
            }
            Kind::Liveness(number) => {
                let cone = whole.cone_of_justice(terms, number);
                whole.justice = cone.justice.clone();
                let saved = SavedLoop::new(terms, &cone);
                let searched = cone.with_saved_loop(terms, &saved);
                (cone.clone(), proved(terms, &cone, &saved), searched, Some(saved))
            }
            // Not checked, and never asked for.
            Kind::Unchecked => Default::default(),
        };
        let read: FxHashSet<Term> = cone.signals().map(|s| s.term).collect();
        let is_read = |t: Term| read.contains(&t);
        let known: Vec<Term> =
            known.iter().copied().filter(|&fact| terms.free_vars(fact).into_iter().all(is_read)).collect();
        let facts = terms.and(&known);
        if !terms.is_true(facts) {
            let number = searched.constraints.len();
            searched.constraints.push(Condition::new(number, "what is known of other properties", facts));
        }
        Reduced { whole, property, cone, proved, searched, saved, facts, warnings }
    }

    /// The property's number in the source, its name and where it stands.
    pub fn named(&self) -> (usize, &str, Option<&Place>) {
        match self.property {
            Kind::Safety(number) => {
                let Condition { number, name, place, .. } = &self.whole.properties[number];
                (*number, name, place.as_ref())
            }
            _ => match self.whole.justice.first() {
                Some(justice) => (justice.number, &justice.name, justice.place.as_ref()),
                None => (0, "", None),
            },
        }
    }

    /// Where the property stands.
    pub fn place(&self) -> Option<&Place> {
        self.named().2
    }

    fn check(&self, terms: &mut Terms, proof: Proof, budget: &Budget) -> Result<Proof, Rejected> {
        match evidence::certify(terms, &self.proved, 0, &proof, budget) {
            Ok(()) => Ok(proof),
            Err(Rejection::Stopped(stop)) => Err(Rejected::Stopped(stop)),
            Err(rejection) => Err(Rejected::Fails(rejected(&rejection))),
        }
    }

    /// The invariant of the design that a proof tells of, if it does. Induction over one cycle is one: no cycle fulfils the
    /// constraints and violates the property.
    pub fn invariant(&self, terms: &mut Terms, proof: &Proof) -> Option<Term> {
        match (proof, self.property) {
            (&Proof::Invariant(invariant), Kind::Safety(_)) => Some(invariant),
            (&Proof::KInduction { k: 0 | 1, simple_path: false, facts }, Kind::Safety(number)) => {
                let constraints = self.cone.constraints.iter().map(|c| c.term);
                let violation: Vec<Term> = constraints.chain([self.whole.properties[number].term]).collect();
                let violation = terms.and(&violation);
                let fine = terms.not(violation);
                Some(terms.and2(fine, facts))
            }
            // What is said of saved loops is no invariant of the design.
            _ => None,
        }
    }

    /// The conditions of a proof: what each is for, and what it says.
    pub fn conditions(&self, terms: &mut Terms, proof: &Proof) -> Vec<(&'static str, String)> {
        let conditions = evidence::conditions(terms, &self.proved, 0, proof);
        conditions.iter().map(|c| (c.purpose.name(), c.describe(&self.proved, 0))).collect()
    }

    /// Whether a proof is one of the design alone; for what is made of proofs and is not told.
    pub fn holds(&self, terms: &mut Terms, proof: &Proof, budget: &Budget) -> bool {
        evidence::certify(terms, &self.proved, 0, proof, budget).is_ok()
    }

    /// The conjuncts of a formula that holds in every cycle, for people.
    fn conjuncts(&self, terms: &Terms, formula: Term) -> Vec<Invariant> {
        let conjuncts = match terms.op(formula) {
            Op::And => terms.args(formula).to_vec(),
            Op::Bool(true) => Vec::new(),
            _ => vec![formula],
        };
        let (file, line) = self.place().map_or((String::new(), 0), |p| (p.file.to_string(), p.line));
        let conjunct = |t: &Term| {
            let invariant = text(terms, *t);
            let conditions = vec![invariant.clone()];
            Invariant { file: file.clone(), line, function: None, invariant, conditions }
        };
        conjuncts.iter().map(conjunct).collect()
    }

    /// An execution that violates a liveness property. Its cone has the loop that was found; that the other registers return
    /// too is asked of some rounds.
    fn lasso(&self, terms: &Terms, mut stimulus: Stimulus, saved: &SavedLoop) -> Result<Violation, String> {
        // The last cycle is the start of the loop once more.
        stimulus.cycles.pop();
        let start = saved.start(&stimulus).ok_or("no loop was saved")?;
        let own = Lasso::new(terms, &self.cone, &stimulus, start, 1).map_err(|e| e.to_string())?;
        if let Ok(Lasso { run, start }) = Lasso::new(terms, &self.whole, &stimulus, start, ROUNDS) {
            return Ok(Violation { run, start: Some(start), returns: true });
        }
        let run = Run::new(terms, &self.whole, &stimulus).map_err(|e| e.to_string())?;
        Ok(Violation { run, start: Some(own.start), returns: false })
    }
}

/// What a proof of a liveness property is about, as `evidence` says it.
pub fn proved(terms: &mut Terms, cone: &Design, saved: &SavedLoop) -> Design {
    evidence::without_loops(terms, cone, saved).unwrap_or_default()
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
        DesignSystem::new(terms, &self.searched, 0)
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

    /// What was known is part of the invariant: nothing but the design stands behind the proof.
    fn certify(
        &self,
        terms: &mut Terms,
        _: &DesignSystem<'_>,
        invariants: &Invariants,
        budget: &Budget,
        tidying: Option<Duration>,
    ) -> Result<Proof, Rejected> {
        let invariant = terms.and2(invariants[DesignSystem::RUNNING], self.facts);
        if let Some(time) = tidying {
            let limited = budget.child_with_timeout(time);
            let tidy = evidence::tidy(terms, &self.proved, 0, invariant, &limited);
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
        let k = k.saturating_sub(1);
        // What was shown before the search, and by it.
        let shown = facts.map_or(terms.tru(), |facts| facts[DesignSystem::RUNNING]);
        let facts = terms.and2(self.facts, shown);
        self.check(terms, Proof::KInduction { k, simple_path, facts }, budget)
    }

    /// Executes the design as it was read on the values of a counterexample: all constraints hold in all cycles, and the
    /// property is violated in the last, or by the loop that the last cycle closes.
    fn replay(&self, terms: &Terms, trace: &ConcreteTrace<Cycle>) -> Result<Violation, String> {
        let stimulus = DesignSystem::stimulus(trace);
        let number = match (&self.saved, self.property) {
            (Some(saved), _) => return self.lasso(terms, stimulus, saved),
            (None, Kind::Safety(number)) => number,
            (None, _) => return Err("the property is not checked".to_owned()),
        };
        let run = Run::new(terms, &self.whole, &stimulus).map_err(|e| e.to_string())?;
        match run.violates(terms, &self.whole, number) {
            true => Ok(Violation { run, start: None, returns: true }),
            false => Err("the last cycle does not violate the property".to_owned()),
        }
    }

    fn is_doubtful(_: &Violation) -> bool {
        false
    }

    fn vacuity(&self, terms: &mut Terms, proof: &Proof, budget: &Budget) -> Vec<String> {
        let found = evidence::vacuity(terms, &self.proved, proof, budget);
        found.iter().map(ToString::to_string).collect()
    }

    fn told(&self, terms: &mut Terms, proof: &Proof, budget: &Budget) -> told::Proof {
        // The words of a design are unsigned.
        let values = |terms: &Terms, formula: Term| {
            let words = terms.free_vars(formula).into_iter();
            words.map(|value| Ranged { value, signed: false }).collect::<Vec<_>>()
        };
        let mut plain = |formula: Term| {
            let values = values(terms, formula);
            readable(terms, formula, &values, budget).unwrap_or(formula)
        };
        let proof = &match *proof {
            Proof::Invariant(invariant) => Proof::Invariant(plain(invariant)),
            Proof::KInduction { k, simple_path, facts } => {
                Proof::KInduction { k, simple_path, facts: plain(facts) }
            }
            Proof::Exhaustion(_) => return told::Proof::Exhaustion,
        };
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
