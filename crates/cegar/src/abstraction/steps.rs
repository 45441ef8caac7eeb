//! What a step's solver answers: images, relations, and executions.

use super::Abstraction;
use super::local::Split;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_diagram::{Bdd, BddVar};
use tamis_logic::{Model, Op, Sort, Term, Terms};
use tamis_paq::{Context, Engine, Interrupted, Predicate};
use tamis_solver::{Answer, Budget, Solver, Stats};
use tamis_system::{Execution, Formula, Point, StepId, System};

/// A solver that holds the formula of a step.
pub(super) struct StepSolver<T, D> {
    solver: Solver,
    formula: Formula<T, D>,
    model_variables: Vec<Term>,
    /// Predicates of the step's target, read in the state at its end.
    targets: FxHashMap<BddVar, Term>,
    /// Other formulas, read there.
    read: FxHashMap<Term, Term>,
    /// How many clauses the solver has had after its first question.
    clauses: Option<u64>,
    /// What is known where the step starts, once a question has needed it.
    facts: Option<Known>,
    /// How many questions about steps there had been when it was last needed.
    needed: usize,
}

/// Facts that a step's solver has, and what to assume so that they hold.
struct Known {
    /// Holds with all of them.
    holds: Term,
    told: FxHashSet<Term>,
    formula: Term,
}

/// A solver that has become so many times larger than the formula it is about, and by so many clauses, is made anew:
/// what earlier questions have left behind slows down the later ones.
const MAX_GROWTH: u64 = 4;
const MAX_LEFT_BEHIND: u64 = 1 << 14;

impl<T, D> StepSolver<T, D> {
    pub(super) fn stats(&self) -> &Stats {
        self.solver.stats()
    }

    /// Begins with a new solver, which is small until it is asked; what the one before has done.
    fn renew(&mut self, terms: &mut Terms, budget: &Budget) -> Stats {
        let before = std::mem::replace(&mut self.solver, Solver::new(budget));
        self.formula.constraints.iter().for_each(|&c| self.solver.assert(terms, c));
        (self.clauses, self.facts) = (None, None);
        before.stats().clone()
    }
}

/// An execution of one step that starts in a region, found by the solver.
pub struct Witness<E> {
    /// The edges that it takes.
    pub path: Vec<E>,
    /// The values, in the execution's first state, of all predicates that are or were in use there.
    pub source: Vec<(BddVar, bool)>,
}

impl<S: System> Abstraction<'_, S> {
    fn ends(&self, step: StepId) -> (Point, Point) {
        let step = self.system.steps()[step.index()];
        (step.from, step.to)
    }

    pub(super) fn compute_image(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
        region: &Bdd,
        known: &Bdd,
        precision: &[Predicate],
    ) -> Result<Bdd, Interrupted> {
        let start = self.concretize(terms, region);
        let mut targets = precision.to_vec();
        for var in self.diagrams.support(known) {
            if targets.iter().all(|p| p.var != var) {
                // Known states may be described by predicates that are no longer in use.
                targets.push(Predicate { formula: self.predicates.formula(var), var });
            }
        }
        let in_use = precision.len();
        let targets = self.prepare(terms, step, &targets);
        let meaning: FxHashMap<BddVar, Term> = targets.iter().map(|p| (p.var, p.formula)).collect();
        let known_there = self.diagrams.to_term(terms, known, |var| meaning[&var]);
        let unknown_there = terms.not(known_there);
        let constraint = terms.and2(start, unknown_there);
        let facts = self.facts_before(terms, step);
        self.under(terms, step, (constraint, facts), |context, assumptions| {
            Ok(engine.abstraction(context, assumptions, &targets[..in_use])?.function)
        })
    }

    /// The relation of `step` between the predicates that it is about.
    pub(super) fn relation_over(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
        split: &Split,
    ) -> Result<Bdd, Interrupted> {
        self.images += 1;
        let mut both = split.sources.clone();
        for p in self.prepare(terms, step, &split.targets) {
            both.push(Predicate { formula: p.formula, var: self.primed(p.var)? });
        }
        let truth = terms.tru();
        self.under(terms, step, (truth, None), |context, assumptions| {
            Ok(engine.abstraction(context, assumptions, &both)?.function)
        })
    }

    /// What the step requires; it must have been prepared.
    pub(super) fn constraints(&self, step: StepId) -> &[Term] {
        self.steps[step.index()].as_ref().map_or(&[], |s| &s.formula.constraints)
    }

    /// An execution of `step` to the error, from a state in `region` that fulfils the facts, if there is one.
    pub fn error_witness(
        &mut self,
        terms: &mut Terms,
        step: StepId,
        region: &Bdd,
    ) -> Result<Option<Witness<S::Edge>>, Interrupted> {
        self.prepare(terms, step, &[]);
        let facts = self.facts_before(terms, step).map(|(_, holds)| holds);
        self.execute(terms, step, region, &[], facts)
    }

    /// Whether an execution of `step` leads from a state in `region` that fulfils the facts to one that satisfies the cube `target`.
    pub fn is_possible(
        &mut self,
        terms: &mut Terms,
        step: StepId,
        region: &Bdd,
        target: &[(BddVar, bool)],
    ) -> Result<bool, Interrupted> {
        self.prepare(terms, step, &[]);
        let Some((_, holds)) = self.facts_before(terms, step) else { return Ok(true) };
        Ok(self.execute(terms, step, region, target, Some(holds))?.is_some())
    }

    /// An execution of `step` from `region` to a state that satisfies the cube `target`, if there is one. At the
    /// error point the cube is empty.
    pub fn witness(
        &mut self,
        terms: &mut Terms,
        step: StepId,
        region: &Bdd,
        target: &[(BddVar, bool)],
    ) -> Result<Option<Witness<S::Edge>>, Interrupted> {
        self.execute(terms, step, region, target, None)
    }

    fn execute(
        &mut self,
        terms: &mut Terms,
        step: StepId,
        region: &Bdd,
        target: &[(BddVar, bool)],
        facts: Option<Term>,
    ) -> Result<Option<Witness<S::Edge>>, Interrupted> {
        let (from, _) = self.ends(step);
        // Assumed rather than asserted for this once: the solver keeps its conclusions, and its size where the region
        // is a combination of predicates that it knows.
        let start = self.concretize(terms, region);
        let mut assumptions =
            if terms.op(start) == Op::And { terms.args(start).to_vec() } else { vec![start] };
        assumptions.extend(facts);
        let targets: Vec<Predicate> =
            target.iter().map(|&(var, _)| Predicate { formula: self.predicates.formula(var), var }).collect();
        for (p, &(_, value)) in self.prepare(terms, step, &targets).iter().zip(target) {
            assumptions.push(if value { p.formula } else { terms.not(p.formula) });
        }
        let sources = self.predicates.ever_at(from).to_vec();
        let system = self.system;
        let Some(StepSolver { solver, formula, model_variables, .. }) = &mut self.steps[step.index()] else {
            return Ok(None);
        };
        if let Answer::Unsat = solver.check(terms, &assumptions)? {
            return Ok(None);
        }
        let value = |p: &Predicate| (p.var, solver.value(terms, p.formula).as_bool());
        let source = sources.iter().map(value).collect();
        let model: Model = solver.model(terms, model_variables);
        let execution = system.execution(terms, step, formula, &model);
        let path = |execution: Execution<S::Edge>| execution.into_iter().map(|taken| taken.edge).collect();
        Ok(execution.map(|execution| Witness { path: path(execution), source }))
    }

    /// A formula over the state after a step, over the state before it.
    pub fn read_after(&mut self, terms: &mut Terms, step: StepId, formula: Term) -> Term {
        self.prepare(terms, step, &[]);
        let system = self.system;
        let prepared = self.steps[step.index()].as_mut().expect("the step has been prepared");
        let StepSolver { formula: step, read, .. } = prepared;
        *read.entry(formula).or_insert_with(|| system.read(terms, &mut step.post, formula))
    }

    /// The step's solver; the step must have been prepared.
    pub(crate) fn step_solver(&mut self, step: StepId) -> &mut Solver {
        &mut self.steps[step.index()].as_mut().expect("the step has been prepared").solver
    }

    /// What is known where a step starts, of what the step reads: all of it, and what to assume so that the step's solver, which
    /// must have been prepared, knows it. A fact is told to the solver once, and not with each question.
    fn facts_before(&mut self, terms: &mut Terms, step: StepId) -> Option<(Term, Term)> {
        let fact = self.facts.as_ref()?[self.ends(step).0];
        if terms.is_true(fact) {
            return None;
        }
        let StepSolver { solver, facts, .. } = self.steps[step.index()].as_mut()?;
        let known = facts.get_or_insert_with(|| Known {
            holds: terms.fresh("facts", Sort::Bool),
            told: FxHashSet::default(),
            formula: terms.tru(),
        });
        if known.formula != fact {
            let parts = if terms.op(fact) == Op::And { terms.args(fact).to_vec() } else { vec![fact] };
            for part in parts {
                if known.told.insert(part) {
                    solver.assert_under(terms, known.holds, part);
                }
            }
            known.formula = fact;
        }
        Some((fact, known.holds))
    }

    /// Asks the step's solver, which must have been prepared, under a constraint for this once, and with facts.
    pub(super) fn under<T>(
        &mut self,
        terms: &mut Terms,
        step: StepId,
        (constraint, facts): (Term, Option<(Term, Term)>),
        ask: impl FnOnce(&mut Context<'_>, &[Term]) -> Result<T, Interrupted>,
    ) -> Result<T, Interrupted> {
        let mut prepared = self.steps[step.index()].take().expect("the step has been prepared");
        let query = terms.fresh("query", Sort::Bool);
        prepared.solver.assert_under(terms, query, constraint);
        let mut formula = prepared.formula.constraints.clone();
        formula.push(constraint);
        let mut assumptions = vec![query];
        if let Some((fact, holds)) = facts {
            formula.push(fact);
            assumptions.push(holds);
        }
        let (diagrams, solver) = (&mut self.diagrams, &mut prepared.solver);
        let result = ask(&mut Context { terms, diagrams, solver, formula: &formula }, &assumptions);
        let done = terms.not(query);
        prepared.solver.assert(terms, done);
        self.steps[step.index()] = Some(prepared);
        result
    }

    /// Gives up what the solver of another step knows, if it is large: of those the one that has not been needed for longest.
    fn make_room(&mut self, terms: &mut Terms, step: StepId) {
        let others = self.steps.iter_mut().enumerate().filter(|(i, _)| *i != step.index());
        let large = others.filter_map(|(_, s)| s.as_mut()).filter(|s| s.stats().clauses > MAX_LEFT_BEHIND);
        if let Some(idle) = large.min_by_key(|s| s.needed) {
            self.finished.add(&idle.renew(terms, &self.budget));
        }
    }

    /// Makes the step's solver if there is none yet, and reads predicates in the state at the step's end.
    pub(crate) fn prepare(
        &mut self,
        terms: &mut Terms,
        step: StepId,
        predicates: &[Predicate],
    ) -> Vec<Predicate> {
        let system = self.system;
        let budget = &self.budget;
        let prepared = self.steps[step.index()].get_or_insert_with(|| {
            let formula = system.encode(terms, step, &system.symbolic());
            let mut solver = Solver::new(budget);
            for &c in &formula.constraints {
                solver.assert(terms, c);
            }
            let model_variables = system.model_variables(terms, &formula);
            StepSolver {
                solver,
                formula,
                model_variables,
                targets: FxHashMap::default(),
                read: FxHashMap::default(),
                clauses: None,
                facts: None,
                needed: 0,
            }
        });
        self.questions += 1;
        prepared.needed = self.questions;
        let clauses = prepared.solver.stats().clauses;
        if clauses > 0 && clauses > MAX_GROWTH * *prepared.clauses.get_or_insert(clauses) + MAX_LEFT_BEHIND {
            self.finished.add(&prepared.renew(terms, budget));
        }
        if clauses == 0 && budget.memory_is_short() {
            self.make_room(terms, step);
        }
        let prepared = self.steps[step.index()].as_mut().expect("the step has been prepared");
        let StepSolver { formula, targets, .. } = prepared;
        let mut read = |p: &Predicate| {
            let read =
                targets.entry(p.var).or_insert_with(|| system.read(terms, &mut formula.post, p.formula));
            Predicate { formula: *read, var: p.var }
        };
        predicates.iter().map(&mut read).collect()
    }
}
