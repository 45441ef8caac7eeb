//! Questions about a step. Each step has a solver with its formula, and what is blocked where the step starts: a clause of
//! frame `i` counts if the literal of a frame up to `i` is assumed.

use super::frames::Frames;
use super::{StateCube, Valued};
use crate::abstraction::Predicates;
use crate::cegar::Run;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tamis_diagram::BddVar;
use tamis_logic::{Sort, Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver};
use tamis_system::{Formula, Point, StepId, System};

/// A solver is made anew when it has this many clauses that were for one question, or that later ones made superfluous.
const MAX_SUPERFLUOUS: usize = 4000;

/// The solvers of all steps, as far as they have been asked.
pub(super) struct Steps<S: System> {
    solvers: Vec<Option<StepSolver<S>>>,
    /// The literals of frames. That of a frame implies that of the next one.
    literals: Vec<Term>,
}

pub(super) struct StepSolver<S: System> {
    pub solver: Solver,
    pub formula: Formula<S::State, S::Decode>,
    pub model_variables: Vec<Term>,
    /// Predicates of the step's target, read in the state at its end.
    after: FxHashMap<BddVar, Rc<After>>,
    /// The variables that the step's constraints read.
    pub support: Vec<Term>,
    /// What other searches have shown of the states where the step starts, and what to assume so that the solver knows it.
    facts: Option<(Term, Term)>,
    superfluous: usize,
    /// Knows nothing, and how often it has been asked.
    lifting: Option<(Solver, usize)>,
}

/// A predicate at the end of a step.
pub(super) struct After {
    /// Over the state before it, and what is chosen.
    pub formula: Term,
    pub variables: Vec<Term>,
}

/// The complement of a cube as a formula over the state.
pub(super) fn clause(terms: &mut Terms, predicates: &Predicates, cube: &StateCube) -> Term {
    let mut literals = Vec::with_capacity(cube.len());
    for lit in cube.iter() {
        let complement = Valued { value: !lit.value, ..*lit };
        literals.push(complement.of(terms, predicates.formula(lit.var)));
    }
    terms.or(&literals)
}

impl<S: System> Steps<S> {
    pub fn new(steps: usize) -> Steps<S> {
        Steps { solvers: (0..steps).map(|_| None).collect(), literals: Vec::new() }
    }

    /// Takes note of a new last frame.
    pub fn extend(&mut self, run: &mut Run<'_, S>, last: usize) {
        let before = self.literals.len();
        self.make_literals(run.terms, last);
        for solver in self.solvers.iter_mut().flatten() {
            chain(run.terms, &mut solver.solver, &self.literals[before.saturating_sub(1)..]);
        }
    }

    fn make_literals(&mut self, terms: &mut Terms, last: usize) {
        while self.literals.len() <= last {
            self.literals.push(terms.fresh("frame", Sort::Bool));
        }
    }

    /// Blocks a cube at a point up to a frame.
    pub fn block(&mut self, run: &mut Run<'_, S>, point: Point, frame: usize, cube: &StateCube) {
        let clause = clause(run.terms, &run.abstraction.predicates, cube);
        for (i, step) in run.abstraction.system.steps().iter().enumerate() {
            if step.from == point
                && let Some(solver) = &mut self.solvers[i]
            {
                solver.solver.assert_under(run.terms, self.literals[frame], clause);
                solver.superfluous += 1;
            }
        }
    }

    /// Whether the step leads from no state of a frame, those of the cube left out, into the cube at its end: then the literals of
    /// the cube that are needed for that.
    pub fn excludes(
        &mut self,
        run: &mut Run<'_, S>,
        frames: &Frames,
        step: StepId,
        frame: usize,
        cube: &StateCube,
    ) -> Result<Option<Vec<Valued>>, Interrupted> {
        let ends = run.abstraction.system.steps()[step.index()];
        if frame == 0 && ends.from != Point::INITIAL {
            return Ok(Some(Vec::new()));
        }
        if self.solvers[step.index()].as_ref().is_none_or(|s| s.superfluous > MAX_SUPERFLUOUS) {
            self.prepare(run, frames, step);
        }
        let mut assumptions = self.target(run, step, cube);
        let count = assumptions.len();
        assumptions.extend(self.facts(run, step));
        let solver = self.solvers[step.index()].as_mut().expect("the step has a solver");
        let mut once = None;
        if ends.from != Point::INITIAL {
            assumptions.push(self.literals[frame]);
            if ends.from == ends.to && frames.blocked_by(ends.from, frame, cube).is_none() {
                let without = clause(run.terms, &run.abstraction.predicates, cube);
                let question = run.terms.fresh("question", Sort::Bool);
                solver.solver.assert_under(run.terms, question, without);
                assumptions.push(question);
                solver.superfluous += 1;
                once = Some(question);
            }
        }
        let answer = solver.solver.check(run.terms, &assumptions)?;
        if let Some(question) = once {
            let done = run.terms.not(question);
            solver.solver.assert(run.terms, done);
        }
        if answer == Answer::Sat {
            return Ok(None);
        }
        let core: FxHashSet<Term> = solver.solver.core().iter().copied().collect();
        // Literals that say the same after the step are needed once.
        let mut seen = FxHashSet::default();
        let needed = |&(_, said): &(&Valued, &Term)| core.contains(said) && seen.insert(*said);
        Ok(Some(cube.iter().zip(&assumptions[..count]).filter(needed).map(|(&lit, _)| lit).collect()))
    }

    /// What to assume so that the solver of a step that has been asked about knows the facts in use.
    pub fn facts(&mut self, run: &mut Run<'_, S>, step: StepId) -> Option<Term> {
        let fact = run.abstraction.facts.as_ref()?[run.abstraction.system.steps()[step.index()].from];
        let asked = self.solver(step);
        if let Some((_, holds)) = asked.facts.filter(|&(known, _)| known == fact) {
            return Some(holds);
        }
        let holds = run.terms.fresh("facts", Sort::Bool);
        asked.solver.assert_under(run.terms, holds, fact);
        asked.facts = Some((fact, holds));
        Some(holds)
    }

    /// The literals of a cube at the end of a step that has been asked about, over the state before it.
    pub fn target(&mut self, run: &mut Run<'_, S>, step: StepId, cube: &StateCube) -> Vec<Term> {
        let solver = self.solver(step);
        let mut literals = Vec::with_capacity(cube.len());
        for lit in cube.iter() {
            let after = solver.after(run, lit.var).formula;
            literals.push(lit.of(run.terms, after));
        }
        literals
    }

    /// The solver of a step that has been asked about.
    pub fn solver(&mut self, step: StepId) -> &mut StepSolver<S> {
        self.solvers[step.index()].as_mut().expect("the step has been asked about")
    }

    /// Makes a step's solver, for the first time or anew.
    fn prepare(&mut self, run: &mut Run<'_, S>, frames: &Frames, step: StepId) {
        self.make_literals(run.terms, frames.last());
        let (system, terms) = (run.abstraction.system, &mut *run.terms);
        let made = &mut self.solvers[step.index()];
        let mut solver = Solver::new(run.budget);
        solver.leave_evaluation();
        chain(terms, &mut solver, &self.literals);
        let from = system.steps()[step.index()].from;
        for frame in 1..=frames.last() {
            for cube in frames.at(from, frame) {
                let clause = clause(terms, &run.abstraction.predicates, cube);
                solver.assert_under(terms, self.literals[frame], clause);
            }
        }
        let mut step = match made.take() {
            Some(before) => StepSolver { solver, facts: None, superfluous: 0, ..before },
            None => {
                let formula = system.encode(terms, step, &system.symbolic());
                let model_variables = system.model_variables(terms, &formula);
                let support = terms.free_vars_of(&formula.constraints);
                let after = FxHashMap::default();
                StepSolver {
                    solver,
                    formula,
                    model_variables,
                    after,
                    support,
                    facts: None,
                    superfluous: 0,
                    lifting: None,
                }
            }
        };
        step.formula.constraints.iter().for_each(|&c| step.solver.assert(terms, c));
        *made = Some(step);
    }
}

impl<S: System> StepSolver<S> {
    /// A predicate in the state at the step's end.
    pub fn after(&mut self, run: &mut Run<'_, S>, var: BddVar) -> Rc<After> {
        let (system, formula) = (run.abstraction.system, run.abstraction.predicates.formula(var));
        let read = || {
            let formula = system.read(run.terms, &mut self.formula.post, formula);
            Rc::new(After { formula, variables: run.terms.free_vars(formula) })
        };
        self.after.entry(var).or_insert_with(read).clone()
    }

    /// A solver that knows nothing but what it was asked before.
    pub fn lifting(&mut self, budget: &Budget) -> &mut Solver {
        let (solver, asked) = match self.lifting.take() {
            Some((solver, asked)) if asked < MAX_SUPERFLUOUS => (solver, asked),
            _ => {
                let mut solver = Solver::new(budget);
                solver.leave_evaluation();
                (solver, 0)
            }
        };
        &mut self.lifting.insert((solver, asked + 1)).0
    }
}

/// Has the literal of each frame imply that of the next one.
fn chain(terms: &Terms, solver: &mut Solver, literals: &[Term]) {
    for pair in literals.windows(2) {
        solver.assert_under(terms, pair[0], pair[1]);
    }
}
