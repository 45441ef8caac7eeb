//! A program over a summary as a [`System`].

use crate::automaton::{Command, EdgeId, Location, Program};
use crate::encode::{Encoded, Execution, State, encode};
use crate::liveness::Liveness;
use crate::pred_infer::pred_infer;
use crate::summary::{Block, BlockId, Summary, SummaryKind};
use crate::unwinding::UnwindingOrder;
use rustc_hash::FxHashMap;
use std::ops::Range;
use tamis_logic::{Model, Term, Terms, Value};
use tamis_system::{
    Accelerated, BranchId, Branching, Candidates, ControlFlow, Effect, Followed, Formula, GuardId, Guards,
    Invariants, Passage, Point, Step, StepId, System, Taken,
};

/// A program whose points are the cutpoints of its summary and whose steps are its blocks.
pub struct ProgramSystem<'a> {
    program: &'a Program,
    summary: Summary,
    liveness: Liveness,
    steps: Vec<Step>,
    blocks: Vec<BlockId>,
    points: FxHashMap<Location, Point>,
    branches: Vec<Location>,
    branch_ids: FxHashMap<Location, BranchId>,
    places: Vec<Place>,
}

/// A location in the order in which a program is unwound.
struct Place {
    loops: Vec<Range<usize>>,
    begins_recursion: bool,
    passages: Vec<Passage<EdgeId>>,
}

impl<'a> ProgramSystem<'a> {
    /// The system of `program` over the back-edge cutset.
    pub fn new(terms: &Terms, program: &'a Program) -> ProgramSystem<'a> {
        ProgramSystem::over(terms, program, SummaryKind::Cutset)
    }

    /// The system of `program` over a summary of the given kind.
    pub fn over(terms: &Terms, program: &'a Program, kind: SummaryKind) -> ProgramSystem<'a> {
        let summary = Summary::of_kind(program, kind);
        let points: FxHashMap<Location, Point> =
            summary.cutpoints().iter().enumerate().map(|(i, &l)| (l, Point(i as u32))).collect();
        let steps =
            summary.blocks().iter().map(|b| Step { from: points[&b.from], to: points[&b.to] }).collect();
        let blocks = summary.block_ids().collect();
        let mut branches: Vec<Location> = summary
            .blocks()
            .iter()
            .flat_map(|b| b.edges())
            .map(|e| program.edge(e))
            .filter(|e| matches!(e.command, Command::Assume(g) if !terms.is_true(g)))
            .map(|e| e.from)
            .collect();
        branches.sort_unstable();
        branches.dedup();
        let branch_ids = branches.iter().enumerate().map(|(i, &l)| (l, BranchId(i as u32))).collect();
        let liveness = Liveness::new(terms, program);
        let places = places(program);
        ProgramSystem { program, liveness, summary, steps, blocks, points, branches, branch_ids, places }
    }

    /// The cutpoint that a point stands for.
    pub fn location(&self, point: Point) -> Location {
        self.summary.cutpoints()[point.index()]
    }

    /// The point that stands for a location, if it is a cutpoint.
    pub(crate) fn point(&self, location: Location) -> Option<Point> {
        self.points.get(&location).copied()
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.program
    }

    /// How many points there are.
    pub(crate) fn count(&self) -> usize {
        self.summary.cutpoints().len()
    }

    /// The block that a step stands for.
    pub(crate) fn block(&self, step: usize) -> &Block {
        self.summary.block(self.blocks[step])
    }

    /// The variables whose values can matter at a location.
    pub(crate) fn live_at(&self, location: Location) -> impl Iterator<Item = Term> + '_ {
        let live = self.program.vars().filter(move |&v| self.liveness.is_live(location, v));
        live.map(|v| self.program.term(v))
    }

    /// Invariants at points as invariants at their cutpoints.
    pub fn at_locations(&self, invariants: &Invariants) -> Vec<(Location, Term)> {
        invariants.iter().map(|(point, invariant)| (self.location(point), invariant)).collect()
    }

    /// The location whose ways out a branch decides between.
    pub fn branch_location(&self, branch: BranchId) -> Location {
        self.branches[branch.index()]
    }
}

/// The places of a program's control flow; none if the error is out of reach.
fn places(program: &Program) -> Vec<Place> {
    let order = UnwindingOrder::new(program);
    if order.place(program.error()).is_none() {
        return Vec::new();
    }
    let passages = |place| {
        order
            .passages(program, place)
            .map(|(edge, to)| Passage { edge, to })
            .collect::<Vec<Passage<EdgeId>>>()
    };
    let places = 0..order.locations().len();
    places
        .map(|i| Place {
            loops: order.loops_at(i).collect(),
            begins_recursion: order.begins_recursion(i),
            passages: passages(i),
        })
        .collect()
}

impl ControlFlow for ProgramSystem<'_> {
    type Edge = EdgeId;

    fn places(&self) -> usize {
        self.places.len()
    }

    fn loops_at(&self, place: usize) -> &[Range<usize>] {
        &self.places[place].loops
    }

    fn begins_recursion(&self, place: usize) -> bool {
        self.places[place].begins_recursion
    }

    fn passages(&self, place: usize) -> &[Passage<EdgeId>] {
        &self.places[place].passages
    }

    fn effect(&self, edge: EdgeId) -> Effect {
        match self.program.edge(edge).command {
            Command::Assign(v, value) => Effect::Assign(self.program.term(v), value),
            Command::Havoc(v, _) => Effect::Choose(self.program.term(v)),
            Command::Assume(guard) => Effect::Assume(guard),
        }
    }
}

/// An execution of a program's system as one of the program, whose edges choose one value at most.
pub fn executed(execution: &[Taken<EdgeId>]) -> Execution {
    let value = |taken: &Taken<EdgeId>| taken.chosen.first().map(|(_, value)| value.clone());
    execution.iter().map(|taken| (taken.edge, value(taken))).collect()
}

impl System for ProgramSystem<'_> {
    type State = State;
    type Decode = Encoded;
    type Edge = EdgeId;

    fn points(&self) -> usize {
        self.summary.cutpoints().len()
    }

    fn steps(&self) -> &[Step] {
        &self.steps
    }

    fn symbolic(&self) -> State {
        State::symbolic(self.program)
    }

    fn read(&self, terms: &mut Terms, state: &mut State, t: Term) -> Term {
        state.read(terms, self.program, t)
    }

    fn encode(&self, terms: &mut Terms, step: StepId, pre: &State) -> Formula<State, Encoded> {
        let block = self.summary.block(self.blocks[step.index()]);
        let encoded = encode(terms, self.program, &self.liveness, block, pre);
        Formula { constraints: encoded.constraints.clone(), post: encoded.post.clone(), decode: encoded }
    }

    fn model_variables(&self, terms: &Terms, formula: &Formula<State, Encoded>) -> Vec<Term> {
        formula.decode.free_vars(terms)
    }

    fn execution(
        &self,
        terms: &Terms,
        step: StepId,
        formula: &Formula<State, Encoded>,
        model: &Model,
    ) -> Option<Vec<Taken<EdgeId>>> {
        let block = self.summary.block(self.blocks[step.index()]);
        let path = formula.decode.execution(terms, self.program, block, model)?;
        let taken = |(edge, value): (EdgeId, Option<Value>)| {
            let chosen = match (&self.program.edge(edge).command, value) {
                (Command::Havoc(v, _), Some(value)) => vec![(self.program.term(*v), value)],
                _ => Vec::new(),
            };
            Taken { edge, chosen }
        };
        Some(path.into_iter().map(taken).collect())
    }

    fn only_path(&self, step: StepId) -> Option<Vec<EdgeId>> {
        let block = self.summary.block(self.blocks[step.index()]);
        let straight = block.last.len() == 1 && block.inner.iter().all(|(_, incoming)| incoming.len() == 1);
        straight.then(|| block.edges().collect())
    }

    fn follow(&self, terms: &mut Terms, path: &[EdgeId], pre: &State) -> Followed<State> {
        let mut followed = Followed { condition: Guards::default(), post: pre.clone() };
        let Followed { condition, post } = &mut followed;
        for (position, &e) in path.iter().enumerate() {
            match &self.program.edge(e).command {
                Command::Assign(v, value) => {
                    let value = post.read(terms, self.program, *value);
                    post.assign(*v, value);
                }
                Command::Havoc(v, _) => {
                    let data = self.program.variable(*v);
                    let input = terms.fresh(&data.name, terms.sort(data.term));
                    condition.inputs.push(input);
                    post.assign(*v, input);
                }
                Command::Assume(guard) => {
                    let guard = post.read(terms, self.program, *guard);
                    if !terms.is_true(guard) {
                        condition.guards.push((GuardId { edge: position, index: 0 }, guard));
                    }
                }
            }
        }
        followed
    }

    fn merge(&self, terms: &mut Terms, point: Point, states: &mut [(Term, State)]) -> (State, Vec<Term>) {
        let location = self.location(point);
        let [(_, first), rest @ ..] = states else { return (self.symbolic(), Vec::new()) };
        let mut merged = first.clone();
        let mut constraints = Vec::new();
        for v in self.program.vars().filter(|&v| self.liveness.is_live(location, v)) {
            let value = first.value(terms, self.program, v);
            let others: Vec<Term> = rest.iter_mut().map(|(_, s)| s.value(terms, self.program, v)).collect();
            if others.iter().all(|&other| other == value) {
                continue;
            }
            let data = self.program.variable(v);
            let any = terms.fresh(&data.name, terms.sort(data.term));
            merged.assign(v, any);
            let conditions = rest.iter().map(|(condition, _)| *condition).zip(others);
            let mut choice = value;
            for (condition, other) in conditions {
                choice = terms.ite(condition, other, choice);
            }
            constraints.push(terms.eq(any, choice));
        }
        (merged, constraints)
    }

    fn state_variables(&self) -> Vec<Term> {
        self.program.variables().iter().map(|v| v.term).collect()
    }

    fn branching(&self) -> Option<&dyn Branching<Edge = EdgeId>> {
        Some(self)
    }

    fn certifies_k_induction(&self) -> bool {
        true
    }

    fn candidates(&self) -> Option<&dyn Candidates> {
        Some(self)
    }

    fn control_flow(&self) -> Option<&dyn ControlFlow<Edge = EdgeId>> {
        (!self.places.is_empty()).then_some(self)
    }

    fn accelerated(&self) -> Option<&dyn Accelerated<State = State, Edge = EdgeId>> {
        Some(self)
    }

    fn describe(&self, terms: &Terms, edge: EdgeId) -> String {
        let edge = self.program.edge(edge);
        let place = format!("{}:{}", self.program.file(edge.source.file), edge.source.line);
        match &edge.command {
            Command::Assume(guard) => format!("{place}: assume {}", terms.to_smtlib(*guard)),
            Command::Assign(v, value) => {
                format!("{place}: {} := {}", self.program.variable(*v).name, terms.to_smtlib(*value))
            }
            Command::Havoc(v, _) => format!("{place}: havoc {}", self.program.variable(*v).name),
        }
    }
}

impl Branching for ProgramSystem<'_> {
    type Edge = EdgeId;

    fn branches(&self) -> usize {
        self.branches.len()
    }

    fn branches_of(&self, edge: EdgeId) -> Vec<BranchId> {
        self.branch_ids.get(&self.program.edge(edge).from).copied().into_iter().collect()
    }

    fn part_of(&self, branch: BranchId) -> usize {
        self.program.frame_of(self.branch_location(branch)).index()
    }

    fn pred_infer(&self, terms: &mut Terms, branch: BranchId, limit: usize) -> Vec<(Point, Term)> {
        let inferred = pred_infer(terms, self.program, &[self.branch_location(branch)], limit);
        let mut located: Vec<(Point, Term)> = inferred
            .into_iter()
            .filter_map(|(l, predicates)| self.points.get(&l).map(|&point| (point, predicates)))
            .flat_map(|(point, predicates)| predicates.into_iter().map(move |p| (point, p)))
            .collect();
        located.sort_unstable();
        located
    }
}
