//! The trait.

use crate::branching::Branching;
use crate::candidates::Candidates;
use crate::control_flow::ControlFlow;
use crate::execution::Execution;
use crate::path::{Followed, Guards};
use crate::point::{Point, Step, StepId};
use crate::registers::Registers;
use crate::rounds::Accelerated;
use std::hash::Hash;
use tamis_logic::{Model, Term, Terms};

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

/// A system whose error point must not be reached. See the [crate](crate) for what its parts mean and for an example.
pub trait System {
    /// A symbolic state: a term for the value of each state variable. It is cloned often.
    type State: Clone;
    /// How an execution is read off a model of a step's formula.
    type Decode;
    /// The smallest piece of an execution: an edge of an automaton, a clock cycle. Refinement refutes one sequence of edges
    /// at a time. The more an edge says, such as which branches a cycle takes, the easier that is, and the more there are.
    type Edge: Copy + Eq + Hash;

    /// How many points there are: at least two. The first is [initial](Point::INITIAL) and no step ends there; the last
    /// is the error, and no step starts there.
    fn points(&self) -> usize;

    /// The point that must not be reached.
    fn error(&self) -> Point {
        Point(self.points() as u32 - 1)
    }

    /// The steps. There may be several between the same points.
    fn steps(&self) -> &[Step];

    /// The state variables, of any sort. Predicates and invariants are over them.
    fn state_variables(&self) -> Vec<Term>;

    /// The state in which every state variable stands for itself.
    fn symbolic(&self) -> Self::State;

    /// A term over the state variables, read in a state. The state may be completed on the way: a variable that it has
    /// no value for has any.
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

    /// An execution of the step that a model of its formula describes; `None` only if it is no model.
    fn execution(
        &self,
        terms: &Terms,
        step: StepId,
        formula: &Formula<Self::State, Self::Decode>,
        model: &Model,
    ) -> Option<Execution<Self::Edge>>;

    /// The path of every execution of a step, if they all take the same one.
    fn only_path(&self, step: StepId) -> Option<Vec<Self::Edge>>;

    /// Executes `path` from a symbolic state: edges one after the other, from where a step starts, maybe not to where one
    /// ends.
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

    /// When an execution of the step could as well have gone to the error: from the same state, with the same choices. A
    /// shortest execution to the error has no such step. `None` if that is not known.
    fn also_fails(
        &self,
        _terms: &mut Terms,
        _step: StepId,
        _pre: &Self::State,
        _formula: &Formula<Self::State, Self::Decode>,
    ) -> Option<Term> {
        None
    }

    /// Whether the formalism can check a proof by k-induction. It is not offered one otherwise.
    fn certifies_k_induction(&self) -> bool {
        false
    }

    /// The branches, if the system knows of any. Strategies that take predicates from branches take them from unsat
    /// cores where there are none.
    fn branching(&self) -> Option<&dyn Branching<Edge = Self::Edge>> {
        None
    }

    /// The state variables one by one, if the steps give each a value of its own. Abstractions that keep some variables as
    /// they are keep none where this is not known.
    fn registers(&self) -> Option<&dyn Registers> {
        None
    }

    /// What may hold at points, if the system has ideas. Searches that guess invariants have nothing to guess from otherwise.
    fn candidates(&self) -> Option<&dyn Candidates> {
        None
    }

    /// The control flow, if there is one. What follows executions in the order of the program does nothing otherwise.
    fn control_flow(&self) -> Option<&dyn ControlFlow<Edge = Self::Edge>> {
        None
    }

    /// Loops of which many rounds can be made at once, if the system knows such. Searches for long executions make one round after
    /// the other where this is not known.
    fn accelerated(&self) -> Option<&dyn Accelerated<State = Self::State, Edge = Self::Edge>> {
        None
    }

    /// An edge for people: its place and what it does.
    fn describe(&self, terms: &Terms, edge: Self::Edge) -> String;

    /// One of an edge's conditions for people, by its [index](crate::GuardId::index).
    fn describe_guard(&self, terms: &Terms, edge: Self::Edge, index: usize) -> String {
        let _ = index;
        self.describe(terms, edge)
    }
}
