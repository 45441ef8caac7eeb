//! The abstract system: predicates at points, and images of regions through steps, computed on demand.

use crate::system::{Execution, Formula, Point, StepId, System};
use tamis_diagram::{Bdd, BddVar, Diagrams};
use tamis_logic::{Model, Sort, Term, Terms};
use tamis_paq::{Context, Engine, Interrupted, Predicate};
use tamis_solver::{Answer, Budget, Solver, Stats};

/// The abstraction of a system by predicates per point.
pub struct Abstraction<'a, S: System> {
    pub(crate) system: &'a S,
    budget: Budget,
    /// Where regions live.
    pub diagrams: Diagrams,
    predicates: Vec<Vec<Predicate>>,
    /// For each step, once it has been asked for, a solver that holds its formula.
    steps: Vec<Option<StepSolver<S::State, S::Decode>>>,
    images: usize,
}

struct StepSolver<T, D> {
    solver: Solver,
    formula: Formula<T, D>,
    model_variables: Vec<Term>,
    /// The predicates of the step's target, read in the state at its end.
    targets: Vec<Predicate>,
}

/// An execution of one step that starts in a region, found by the solver.
pub struct Witness<E> {
    /// The edges of the step and the values chosen.
    pub execution: Execution<E>,
    /// Which minterm over the predicates of its start the execution's first state satisfies.
    pub source: Vec<bool>,
}

impl<'a, S: System> Abstraction<'a, S> {
    /// The abstraction without predicates.
    pub fn new(system: &'a S, budget: &Budget, max_nodes: usize) -> Abstraction<'a, S> {
        Abstraction {
            system,
            budget: budget.clone(),
            diagrams: Diagrams::new(max_nodes),
            predicates: vec![Vec::new(); system.points()],
            steps: system.steps().iter().map(|_| None).collect(),
            images: 0,
        }
    }

    /// The predicates at a point.
    pub fn predicates(&self, point: Point) -> &[Predicate] {
        &self.predicates[point.index()]
    }

    /// How many predicates there are, over all points.
    pub fn predicate_count(&self) -> usize {
        self.predicates.iter().map(Vec::len).sum()
    }

    /// Adds a predicate at a point; `false` if it was there already.
    pub fn add_predicate(&mut self, point: Point, formula: Term) -> Result<bool, Interrupted> {
        if self.predicates(point).iter().any(|p| p.formula == formula) {
            return Ok(false);
        }
        let var = self.diagrams.new_var()?;
        self.predicates[point.index()].push(Predicate { formula, var });
        Ok(true)
    }

    /// A region of a point as a formula over the state variables.
    pub fn concretize(&self, terms: &mut Terms, point: Point, region: &Bdd) -> Term {
        self.meaning(terms, region, &self.predicates[point.index()])
    }

    /// As [`concretize`](Abstraction::concretize), as a disjunction of cubes or a conjunction of clauses over the
    /// predicates, whichever is shorter, unless both are long: the form in which people read it.
    pub fn readable(&self, terms: &mut Terms, point: Point, region: &Bdd) -> Result<Term, Interrupted> {
        const LONG: u64 = 256;
        let complement = self.diagrams.not(region);
        let cubes = self.diagrams.isop_at_most(region, LONG)?;
        let clauses = self.diagrams.isop_at_most(&complement, LONG)?;
        let (cover, negated) = match (cubes, clauses) {
            (Some(cubes), Some(clauses)) if cubes.len() <= clauses.len() => (cubes, false),
            (_, Some(clauses)) => (clauses, true),
            (Some(cubes), None) => (cubes, false),
            (None, None) => return Ok(self.concretize(terms, point, region)),
        };
        let mut parts = Vec::with_capacity(cover.len());
        for cube in &cover {
            let mut literals = Vec::with_capacity(cube.len());
            for &(var, value) in cube {
                let formula = self.formula_of(&self.predicates[point.index()], var);
                literals.push(if value != negated { formula } else { terms.not(formula) });
            }
            parts.push(if negated { terms.or(&literals) } else { terms.and(&literals) });
        }
        Ok(if negated { terms.and(&parts) } else { terms.or(&parts) })
    }

    fn formula_of(&self, predicates: &[Predicate], var: BddVar) -> Term {
        let predicate = predicates.iter().find(|p| p.var == var);
        predicate.map(|p| p.formula).expect("a region is over its point's predicates")
    }

    fn meaning(&self, terms: &mut Terms, region: &Bdd, predicates: &[Predicate]) -> Term {
        self.diagrams.to_term(terms, region, |var| self.formula_of(predicates, var))
    }

    /// The states at the end of `step` that executions from `region` reach, abstracted by the predicates there, less
    /// what is in `known`: those need not be found again.
    pub fn image(
        &mut self,
        terms: &mut Terms,
        engine: &dyn Engine,
        step: StepId,
        region: &Bdd,
        known: &Bdd,
    ) -> Result<Bdd, Interrupted> {
        self.images += 1;
        let start = self.concretize(terms, self.system.steps()[step.index()].from, region);
        let targets = self.prepare(terms, step).to_vec();
        let known_there = self.meaning(terms, known, &targets);
        let unknown_there = terms.not(known_there);
        let Abstraction { diagrams, steps, .. } = self;
        let Some(StepSolver { solver, .. }) = &mut steps[step.index()] else { return Ok(known.clone()) };
        let query = terms.fresh("query", Sort::Bool);
        let constraint = terms.and2(start, unknown_there);
        solver.assert_under(terms, query, constraint);
        let result = engine.abstraction(&mut Context { terms, diagrams, solver }, &[query], &targets);
        let done = terms.not(query);
        solver.assert(terms, done);
        result
    }

    /// An execution of `step` from `region` to a state that satisfies the minterm `target`, if there is one. At the
    /// error point the minterm is empty.
    pub fn witness(
        &mut self,
        terms: &mut Terms,
        step: StepId,
        region: &Bdd,
        target: &[bool],
    ) -> Result<Option<Witness<S::Edge>>, Interrupted> {
        let from = self.system.steps()[step.index()].from;
        let start = self.concretize(terms, from, region);
        let targets = self.prepare(terms, step).to_vec();
        let mut conjuncts = vec![start];
        for (p, &value) in targets.iter().zip(target) {
            conjuncts.push(if value { p.formula } else { terms.not(p.formula) });
        }
        let system = self.system;
        let sources = self.predicates[from.index()].clone();
        let Some(StepSolver { solver, formula, model_variables, .. }) = &mut self.steps[step.index()] else {
            return Ok(None);
        };
        let query = terms.fresh("query", Sort::Bool);
        let constraint = terms.and(&conjuncts);
        solver.assert_under(terms, query, constraint);
        let answer = solver.check(terms, &[query])?;
        let witness = match answer {
            Answer::Unsat => None,
            Answer::Sat => {
                let source = sources.iter().map(|p| solver.value(terms, p.formula).as_bool()).collect();
                let model: Model = solver.model(terms, model_variables);
                system.execution(terms, step, formula, &model).map(|execution| Witness { execution, source })
            }
        };
        let done = terms.not(query);
        solver.assert(terms, done);
        Ok(witness)
    }

    /// Makes the step's solver if there is none yet, and reads the target's predicates at the step's end.
    fn prepare(&mut self, terms: &mut Terms, step: StepId) -> &[Predicate] {
        let system = self.system;
        let budget = &self.budget;
        let to = system.steps()[step.index()].to;
        let prepared = self.steps[step.index()].get_or_insert_with(|| {
            let formula = system.encode(terms, step, &system.symbolic());
            let mut solver = Solver::new(budget);
            for &c in &formula.constraints {
                solver.assert(terms, c);
            }
            let model_variables = system.model_variables(terms, &formula);
            StepSolver { solver, formula, model_variables, targets: Vec::new() }
        });
        let known = prepared.targets.len();
        for p in &self.predicates[to.index()][known..] {
            let formula = system.read(terms, &mut prepared.formula.post, p.formula);
            prepared.targets.push(Predicate { formula, var: p.var });
        }
        &prepared.targets
    }

    /// The work of all solvers so far.
    pub fn solver_stats(&self) -> Stats {
        let mut stats = Stats::default();
        self.steps.iter().flatten().for_each(|s| stats.add(s.solver.stats()));
        stats
    }

    /// How many images have been computed.
    pub fn images(&self) -> usize {
        self.images
    }
}
