//! Is an abstract counterexample real? [SMC] section 4.3, over whole blocks.

use crate::system::{Execution, Formula, StepId, System};
use rustc_hash::FxHashMap;
use tamis_logic::{Model, Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};

/// A concrete counterexample.
#[derive(Clone, Debug)]
pub struct ConcreteTrace<E> {
    /// The values of the state variables at the start.
    pub initial: Model,
    /// The execution from there to the error.
    pub execution: Execution<E>,
}

/// Looks for executions along sequences of steps, on any path through them.
///
/// Like the paper's simulation it adds the formula of one step at a time, each from the symbolic state that the one
/// before ends in, so that what is constant along a trace is constant in its formula. The traces of a run have long
/// beginnings in common: the formulas are kept in a tree, one solver holds all of them, each under a literal of its
/// own, and a trace is the assumption of the literals on its way through the tree.
pub struct TraceChecker<'a, S: System> {
    system: &'a S,
    solver: Solver,
    nodes: Vec<Node<S>>,
    children: FxHashMap<(Option<NodeId>, StepId), NodeId>,
}

type NodeId = usize;

struct Node<S: System> {
    step: StepId,
    formula: Formula<S::State, S::Decode>,
    activation: Term,
}

impl<'a, S: System> TraceChecker<'a, S> {
    /// A checker that has seen no trace yet.
    pub fn new(system: &'a S, budget: &Budget) -> TraceChecker<'a, S> {
        TraceChecker {
            system,
            solver: Solver::new(budget),
            nodes: Vec::new(),
            children: FxHashMap::default(),
        }
    }

    /// An execution along `steps` from any state, if there is one.
    pub fn concretize(
        &mut self,
        terms: &mut Terms,
        steps: &[StepId],
    ) -> Result<Option<ConcreteTrace<S::Edge>>, Stop> {
        let mut way: Vec<NodeId> = Vec::with_capacity(steps.len());
        for &step in steps {
            let parent = way.last().copied();
            way.push(self.child(terms, parent, step));
        }
        let assumptions: Vec<Term> = way.iter().map(|&n| self.nodes[n].activation).collect();
        if let Answer::Unsat = self.solver.check(terms, &assumptions)? {
            return Ok(None);
        }
        let mut execution = Vec::new();
        for Node { step, formula, .. } in way.iter().map(|&n| &self.nodes[n]) {
            let model = self.solver.model(terms, &self.system.model_variables(terms, formula));
            let part = self.system.execution(terms, *step, formula, &model);
            execution.extend(part.expect("a model of a step's formula describes an execution"));
        }
        let initial = self.solver.model(terms, &self.system.state_variables());
        Ok(Some(ConcreteTrace { initial, execution }))
    }

    /// The node of `step` after `parent`, found or made.
    fn child(&mut self, terms: &mut Terms, parent: Option<NodeId>, step: StepId) -> NodeId {
        if let Some(&node) = self.children.get(&(parent, step)) {
            return node;
        }
        let start = parent.map_or_else(|| self.system.symbolic(), |p| self.nodes[p].formula.post.clone());
        let formula = self.system.encode(terms, step, &start);
        let activation = terms.fresh("step", Sort::Bool);
        for &c in &formula.constraints {
            self.solver.assert_under(terms, activation, c);
        }
        self.nodes.push(Node { step, formula, activation });
        let node = self.nodes.len() - 1;
        self.children.insert((parent, step), node);
        node
    }
}
