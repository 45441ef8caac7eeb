//! What the loop needs to know of a system.

use std::hash::Hash;
use tamis_logic::{Model, Term, Terms, Value};

/// A point at which regions are abstracted: a cutpoint of a program, or the one location of a transition system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point(pub u32);

impl Point {
    /// The point as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A loop-free piece of behaviour between two points, by its place in [`System::steps`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StepId(pub u32);

impl StepId {
    /// The step as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step's ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where it starts.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
}

/// A step as a formula.
#[derive(Clone, Debug)]
pub struct Formula<S, D> {
    /// Hold together exactly of the step's executions.
    pub constraints: Vec<Term>,
    /// The symbolic state at the step's end.
    pub post: S,
    /// What the system needs to read an execution off a model.
    pub decode: D,
}

/// The condition under which a path can be executed from a state.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    /// The conjuncts, in terms of the state before the path and of the inputs, each with the position in the path of
    /// the edge it comes from.
    pub guards: Vec<(usize, Term)>,
    /// The variables that stand for values chosen along the path, existentially quantified.
    pub inputs: Vec<Term>,
}

/// A path, executed symbolically.
#[derive(Clone, Debug)]
pub struct Followed<S> {
    /// When the path can be executed, in terms of the state before it.
    pub condition: Guards,
    /// The state after it.
    pub post: S,
}

/// A branch of a system: a place where a condition decides how it goes on. By its place among the system's branches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BranchId(pub u32);

impl BranchId {
    /// The branch as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An execution of a step or of several: edges, with the value chosen at each that chooses one.
pub type Execution<E> = Vec<(E, Option<Value>)>;

/// A system whose error point must not be reached.
///
/// A program implements this over its cutpoints and blocks; a transition system would over three points (initial,
/// running, bad) and its next-state relation.
pub trait System {
    /// A symbolic state.
    type State: Clone;
    /// How an execution is read off a model of a step's formula.
    type Decode;
    /// The smallest piece of an execution.
    type Edge: Copy + Eq + Hash;

    /// How many points there are. Point 0 is initial and no step ends there; the last one is the error.
    fn points(&self) -> usize;

    /// The steps.
    fn steps(&self) -> &[Step];

    /// The state in which every state variable stands for itself.
    fn symbolic(&self) -> Self::State;

    /// A term over the state variables, read in a state.
    fn read(&self, terms: &mut Terms, state: &mut Self::State, t: Term) -> Term;

    /// The formula of a step from a symbolic state; what the step chooses and meets on the way is fresh each time.
    fn encode(
        &self,
        terms: &mut Terms,
        step: StepId,
        pre: &Self::State,
    ) -> Formula<Self::State, Self::Decode>;

    /// The variables to which a model must give values so that [`execution`](System::execution) can read it.
    fn model_variables(&self, terms: &Terms, formula: &Formula<Self::State, Self::Decode>) -> Vec<Term>;

    /// An execution of the step that a model of its formula describes.
    fn execution(
        &self,
        terms: &Terms,
        step: StepId,
        formula: &Formula<Self::State, Self::Decode>,
        model: &Model,
    ) -> Option<Execution<Self::Edge>>;

    /// The path of every execution of a step, if they all take the same one.
    fn only_path(&self, step: StepId) -> Option<Vec<Self::Edge>>;

    /// Executes `path` from a symbolic state.
    fn follow(&self, terms: &mut Terms, path: &[Self::Edge], pre: &Self::State) -> Followed<Self::State>;

    /// The condition under which `path` can be executed.
    fn guards(&self, terms: &mut Terms, path: &[Self::Edge]) -> Guards {
        self.follow(terms, path, &self.symbolic()).condition
    }

    /// A state at `point` that is one of several, and the constraints that say so: the last state whose condition holds,
    /// and the first if none does. States that agree on a value need no constraint for it.
    fn merge(
        &self,
        terms: &mut Terms,
        point: Point,
        states: &mut [(Term, Self::State)],
    ) -> (Self::State, Vec<Term>);

    /// The state variables.
    fn state_variables(&self) -> Vec<Term>;

    /// The branches, in whose conditions refinement may look for predicates.
    fn branches(&self) -> usize;

    /// The branch that an edge is a way out of.
    fn branch_of(&self, edge: Self::Edge) -> Option<BranchId>;

    /// The part of the system that a branch lies in: [MIN] section 3.2 combines branches of one part only.
    fn part_of(&self, branch: BranchId) -> usize;

    /// *PredInfer* [MIN Fig. 2] for a single branch: its condition and the condition's weakest preconditions, at most
    /// `limit` at a point. That of several branches is the union.
    fn pred_infer(&self, terms: &mut Terms, branch: BranchId, limit: usize) -> Vec<(Point, Term)>;

    /// An edge for people: its place and what it does.
    fn describe(&self, terms: &Terms, edge: Self::Edge) -> String;
}
