//! A program over its loop-cutset summary as a [`System`].

use crate::system::{Execution, Formula, Guards, Point, Step, StepId, System};
use rustc_hash::FxHashMap;
use tamis_logic::{Model, Term, Terms};
use tamis_program::{BlockId, EdgeId, Encoded, Liveness, Location, Program, State, Summary};

/// A program whose points are the cutpoints of its summary and whose steps are its blocks.
pub struct ProgramSystem<'a> {
    program: &'a Program,
    summary: Summary,
    liveness: Liveness,
    steps: Vec<Step>,
    blocks: Vec<BlockId>,
}

impl<'a> ProgramSystem<'a> {
    /// The system of `program` over the back-edge cutset.
    pub fn new(terms: &Terms, program: &'a Program) -> ProgramSystem<'a> {
        let summary = Summary::new(program);
        let points: FxHashMap<Location, Point> =
            summary.cutpoints().iter().enumerate().map(|(i, &l)| (l, Point(i as u32))).collect();
        let steps =
            summary.blocks().iter().map(|b| Step { from: points[&b.from], to: points[&b.to] }).collect();
        let blocks = summary.block_ids().collect();
        ProgramSystem { program, liveness: Liveness::new(terms, program), summary, steps, blocks }
    }

    /// The cutpoint that a point stands for.
    pub fn location(&self, point: Point) -> Location {
        self.summary.cutpoints()[point.index()]
    }
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
        let encoded = tamis_program::encode(terms, self.program, &self.liveness, block, pre);
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
    ) -> Option<Execution<EdgeId>> {
        let block = self.summary.block(self.blocks[step.index()]);
        formula.decode.execution(terms, self.program, block, model)
    }

    fn guards(&self, terms: &mut Terms, path: &[EdgeId]) -> Guards {
        let condition = tamis_program::path_condition(terms, self.program, path);
        Guards {
            guards: condition.guards,
            inputs: condition.inputs.into_iter().map(|(_, input)| input).collect(),
        }
    }

    fn state_variables(&self) -> Vec<Term> {
        self.program.variables().iter().map(|v| v.term).collect()
    }
}
