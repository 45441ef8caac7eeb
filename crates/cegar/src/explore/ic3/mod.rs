//! IC3 with implicit predicate abstraction: frames of clauses over predicates, without images of regions.
//!
//! Cimatti, Griggio, Mover, Tonetta, *IC3 Modulo Theories via Implicit Predicate Abstraction*, TACAS 2014. IC3 explores the
//! abstract system that the predicates `P` in use define: a state is a valuation of `P`, and there is a step from one to the
//! other if some execution of the step goes from a state with the first to one with the second. The paper asks about such a step by
//! `EQ_P(X, X̄) ∧ T(X̄, X̄') ∧ EQ_P(X̄', X')`, which computes no abstraction. Here frames and cubes are over `P` alone and a
//! question is about one step, so that the copies `X` and `X'` can be dropped: `F(X̄) ∧ ¬c(X̄) ∧ T(X̄, X̄') ∧ c(X̄')` has the same
//! answer, and the valuation of `P` in `X̄` is the abstract predecessor. Only an abstract counterexample makes a difference: a
//! chain of abstract steps whose executions need not fit together. The loop tries it on the system and refines.
//!
//! Each point has frames of its own, over its own predicates: `F_i[p]` holds of the states at `p` after at most `i` steps.
//! At the initial point every state is possible, at the others none after 0 steps. A cube at a point is blocked at `i` if no step
//! into the point leads there from `F_{i-1}` of where the step starts. The error is the empty cube at the error point, to be
//! blocked at one frame after the other. There is no further condition about first states: steps from the initial point are
//! among the steps.
//!
//! When predicates are added, all clauses stay: what holds of more abstract executions holds of fewer. So it is when facts of other
//! searches come into use, which questions then assume of the states where a step starts.
//!
//! | part | module |
//! | --- | --- |
//! | what is blocked at a point up to a frame | `frames` |
//! | questions about a step | `steps` |
//! | fewer literals in a clause | `generalise` |
//! | fewer literals in a predecessor | `lift` |
//! | abstract counterexamples | `trace` |
//!
//! Cubes and obligations are those of [IC3 over bits](crate::ic3).

mod frames;
mod generalise;
mod lift;
mod steps;
mod trace;

use super::{AbstractTrace, Exploration};
use crate::cegar::Run;
use crate::ic3::cube::{Activity, Cube, Literal};
use crate::ic3::generalise::Effort;
use crate::ic3::obligations::{Obligation, ObligationId, Obligations};
use frames::Frames;
use rustc_hash::{FxHashMap, FxHashSet};
use steps::Steps;
use tamis_diagram::BddVar;
use tamis_logic::{Term, Terms};
use tamis_paq::Interrupted;
use tamis_system::{Invariants, Point, StepId, System};

/// A predicate and its value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Valued {
    var: BddVar,
    value: bool,
}

impl Literal for Valued {
    fn variable(self) -> usize {
        self.var.index()
    }

    fn is_negative(self) -> bool {
        !self.value
    }
}

impl Valued {
    /// The literal as a formula, if `formula` is that of its predicate.
    fn of(self, terms: &mut Terms, formula: Term) -> Term {
        if self.value { formula } else { terms.not(formula) }
    }
}

type StateCube = Cube<Valued>;

/// Where an obligation is, and the step that leads from it to the next one; none from the error.
#[derive(Clone, Copy)]
struct Out {
    point: Point,
    step: Option<StepId>,
}

/// The answer to whether a cube is blocked at a frame.
enum Asked {
    /// It is, and so is this part of it.
    Blocked(StateCube),
    /// A step leads into it; the step's solver has a model.
    Reached(StepId),
}

/// The state of the exploration.
pub struct Ic3<S: System> {
    steps: Steps<S>,
    frames: Frames,
    /// The steps into each point; those that led into a cube last come first.
    incoming: Vec<Vec<StepId>>,
    obligations: Obligations<Valued, Out>,
    activity: Activity,
    /// The state variables.
    state: FxHashSet<Term>,
    /// The variables of predicates.
    variables: FxHashMap<BddVar, Vec<Term>>,
    /// The frame that is the same as the next one, once there is one.
    fixpoint: Option<usize>,
}

impl<S: System> Ic3<S> {
    /// The exploration before its first step.
    pub fn new(run: &Run<'_, S>) -> Ic3<S> {
        let system = run.abstraction.system;
        let mut incoming = vec![Vec::new(); system.points()];
        for (i, step) in system.steps().iter().enumerate() {
            incoming[step.to.index()].push(StepId(i as u32));
        }
        Ic3 {
            steps: Steps::new(system.steps().len()),
            frames: Frames::new(system.points()),
            incoming,
            obligations: Obligations::default(),
            activity: Activity::new(0),
            state: system.state_variables().into_iter().collect(),
            variables: FxHashMap::default(),
            fixpoint: None,
        }
    }

    /// Has the error blocked in the last frame.
    fn oblige_error(&mut self, run: &Run<'_, S>) {
        let out = Out { point: run.abstraction.system.error(), step: None };
        let (frame, cube) = (self.frames.last(), Cube::from_iter([]));
        self.obligations.push(Obligation { frame, cube, out, next: None, depth: 0, tries: 0 });
    }

    /// Blocks cubes in their frames, or their predecessors first; an abstract counterexample if there is one.
    fn block(&mut self, run: &mut Run<'_, S>) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        while let Some(id) = self.obligations.pop(self.frames.last()) {
            run.budget.check()?;
            let Obligation { frame, cube, out, depth, .. } = &self.obligations[id];
            let (frame, point, depth) = (*frame, out.point, *depth);
            if let Some(blocked) = self.frames.blocked_by(point, frame, cube) {
                self.obligations.put_off(id, blocked + 1);
                continue;
            }
            let cube = cube.clone();
            let tries = self.obligations.note_try(id);
            match self.ask(run, point, frame, &cube)? {
                Asked::Blocked(core) => {
                    let blocked = self.generalise_and_add(run, point, frame, core, Effort::after(tries))?;
                    self.obligations.put_off(id, blocked + 1);
                }
                Asked::Reached(step) => {
                    let from = run.abstraction.system.steps()[step.index()].from;
                    if from == Point::INITIAL {
                        return self.trace(run, step, id).map(Some);
                    }
                    let before = self.predecessor(run, step, &cube)?;
                    self.obligations.put_back(id);
                    let out = Out { point: from, step: Some(step) };
                    let (frame, next, depth) = (frame - 1, Some(id), depth + 1);
                    self.obligations.push(Obligation { frame, cube: before, out, next, depth, tries: 0 });
                }
            }
        }
        Ok(None)
    }

    /// Whether a cube is blocked at a frame: relative induction, over all steps into the point.
    fn ask(
        &mut self,
        run: &mut Run<'_, S>,
        point: Point,
        frame: usize,
        cube: &StateCube,
    ) -> Result<Asked, Interrupted> {
        let mut core: Vec<Valued> = Vec::new();
        for i in 0..self.incoming[point.index()].len() {
            let step = self.incoming[point.index()][i];
            match self.steps.excludes(run, &self.frames, step, frame - 1, cube)? {
                Some(needed) => core.extend(needed),
                None => {
                    self.incoming[point.index()][..=i].rotate_right(1);
                    return Ok(Asked::Reached(step));
                }
            }
        }
        Ok(Asked::Blocked(core.into_iter().collect()))
    }

    /// Takes clauses as far as they hold; whether two frames have become the same.
    fn propagate(&mut self, run: &mut Run<'_, S>) -> Result<bool, Interrupted> {
        let last = self.frames.last();
        let from = std::mem::replace(&mut self.frames.earliest, last);
        for frame in from..last {
            for point in (1..run.abstraction.system.points() as u32).map(Point) {
                let mut cubes = self.frames.at(point, frame).to_vec();
                cubes.sort_by_key(|c| c.len());
                for cube in cubes {
                    run.budget.check()?;
                    // It may have become a part of a clause that was taken further before.
                    if self.frames.at(point, frame).contains(&cube)
                        && let Asked::Blocked(_) = self.ask(run, point, frame + 1, &cube)?
                    {
                        self.add(run, point, frame + 1, cube);
                    }
                }
            }
            if self.frames.is_empty(frame) {
                self.fixpoint = Some(frame);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Blocks a cube up to a frame.
    fn add(&mut self, run: &mut Run<'_, S>, point: Point, frame: usize, cube: StateCube) {
        self.steps.block(run, point, frame, &cube);
        self.frames.add(point, frame, cube);
    }
}

impl<S: System> Exploration<S> for Ic3<S> {
    fn explore(&mut self, run: &mut Run<'_, S>) -> Result<Option<AbstractTrace<S::Edge>>, Interrupted> {
        let variables = (0..run.abstraction.system.points() as u32)
            .flat_map(|p| run.abstraction.predicates.ever_at(Point(p)).iter().map(|p| p.var.index() + 1));
        self.activity.grow(variables.max().unwrap_or(0));
        self.oblige_error(run);
        loop {
            if let Some(trace) = self.block(run)? {
                return Ok(Some(trace));
            }
            self.frames.extend();
            self.steps.extend(run, self.frames.last());
            if self.propagate(run)? {
                return Ok(None);
            }
        }
    }

    /// Abstract states of fewer predicates are no longer states; clauses over them stay.
    fn refined(&mut self, run: &mut Run<'_, S>, trace: &AbstractTrace<S::Edge>, start: usize) -> bool {
        self.obligations = Obligations::default();
        trace.first_outdated(run, start).is_some()
    }

    fn restart(&mut self, run: &Run<'_, S>) {
        *self = Ic3::new(run);
    }

    fn invariants(&self, run: &mut Run<'_, S>) -> Result<Invariants, Interrupted> {
        let fixpoint = self.fixpoint.expect("the exploration has found all that is reached");
        let mut formulas = vec![run.terms.tru()];
        for point in (1..run.abstraction.system.points() as u32).map(Point) {
            let mut clauses = Vec::new();
            for cube in self.frames.after(point, fixpoint) {
                clauses.push(steps::clause(run.terms, &run.abstraction.predicates, cube));
            }
            // Cubes were blocked for states that fulfil the facts, so that the clauses are inductive together with them.
            clauses.extend(run.abstraction.facts.as_ref().map(|facts| facts[point]));
            formulas.push(run.terms.and(&clauses));
        }
        Ok(formulas.into_iter().collect())
    }

    fn states(&self) -> usize {
        self.frames.len()
    }
}
