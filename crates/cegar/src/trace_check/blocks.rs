//! Executions along sequences of steps: \[SMC\] section 4.3, over whole blocks.

use super::{AbstractTrace, Checked, Spurious, TraceCheck};
use crate::cegar::Run;
use rustc_hash::FxHashMap;
use tamis_logic::{Sort, Term, Terms};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{ConcreteTrace, Formula, StepId, System};

/// Looks for executions along sequences of steps, on any path through them.
///
/// Like the paper's simulation it adds the formula of one step at a time, each from the symbolic state that the one
/// before ends in, so that what is constant along a trace is constant in its formula. The traces of a run have long
/// beginnings in common: the formulas are kept in a tree, one solver holds all of them, each under a literal of its
/// own, and a trace is the assumption of the literals on its way through the tree.
pub struct Blocks<'a, S: System> {
    system: &'a S,
    budget: Budget,
    solver: Solver,
    nodes: Vec<Node<S>>,
    children: FxHashMap<(Option<NodeId>, StepId), NodeId>,
}

type NodeId = usize;

/// With more nodes than this the tree is made anew: memory does not grow with the number of traces. Where it is short, nothing is kept
/// from one trace to the next.
const MAX_NODES: usize = 1 << 14;

struct Node<S: System> {
    step: StepId,
    formula: Formula<S::State, S::Decode>,
    activation: Term,
}

impl<'a, S: System> Blocks<'a, S> {
    /// A checker that has seen no trace yet.
    pub fn new(system: &'a S, budget: &Budget) -> Blocks<'a, S> {
        Blocks {
            system,
            budget: budget.clone(),
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
        let way = self.way(terms, steps);
        if !self.is_feasible(terms, &way)? {
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

    /// How many steps of the sequence, from its start, can be executed: the largest `i` for which `Σ_i` is satisfiable.
    pub fn feasible_prefix(&mut self, terms: &mut Terms, steps: &[StepId]) -> Result<usize, Stop> {
        let way = self.way(terms, steps);
        for i in 1..=way.len() {
            if !self.is_feasible(terms, &way[..i])? {
                return Ok(i - 1);
            }
        }
        Ok(way.len())
    }

    fn way(&mut self, terms: &mut Terms, steps: &[StepId]) -> Vec<NodeId> {
        if self.nodes.len() > MAX_NODES || self.budget.memory_is_short() {
            *self = Blocks::new(self.system, &self.budget.clone());
        }
        let mut way: Vec<NodeId> = Vec::with_capacity(steps.len());
        for &step in steps {
            let parent = way.last().copied();
            way.push(self.child(terms, parent, step));
        }
        way
    }

    fn is_feasible(&mut self, terms: &Terms, way: &[NodeId]) -> Result<bool, Stop> {
        let assumptions: Vec<Term> = way.iter().map(|&n| self.nodes[n].activation).collect();
        Ok(self.solver.check(terms, &assumptions)? == Answer::Sat)
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

impl<S: System> TraceCheck<S> for Blocks<'_, S> {
    fn check(
        &mut self,
        run: &mut Run<'_, S>,
        trace: &AbstractTrace<S::Edge>,
    ) -> Result<Checked<S::Edge>, Interrupted> {
        Ok(match self.concretize(run.terms, &trace.steps)? {
            Some(real) => Checked::Real(real),
            None => Checked::Spurious(Spurious::default()),
        })
    }
}
