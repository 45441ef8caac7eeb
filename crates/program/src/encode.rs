//! Formulas of blocks: EDGEQUERY of \[SUM\] section 4.2.
//!
//! The paper's query is `A ∧ CFG ∧ Src ∧ Dst` over a program in SSA form (section 4.1). Here SSA is made on the way: a
//! symbolic state maps each variable to a term, an assignment changes the map, and where paths that disagree on a live
//! variable meet, a φ-variable is made and equated on each edge. In the loop the map has the assigned value itself: `A`
//! is substituted away, and constants propagate ([`encode`]). For engines by themselves the value gets a name, and `A`
//! is there as in the paper, one equation for each assignment ([`edge_query`]).
//!
//! `CFG` is the paper's: a location entered by several edges has a Boolean `B_ℓ` and the constraint
//! `B_ℓ ⇒ ⋁ (B_ℓ' ∧ G(ℓ',ℓ) ∧ φ(ℓ',ℓ))`; one entered by a single edge needs neither. `Src` and `Dst` belong to the
//! caller: a predicate over the block's end is a term to be read in the state at its end ([`State::read`]).

use crate::automaton::{Command, EdgeId, Location, Program, Var};
use crate::liveness::Liveness;
use crate::summary::Block;
use rustc_hash::FxHashMap;
use tamis_logic::{Model, Sort, Term, Terms};

/// A symbolic state: a term for each variable's value.
#[derive(Clone, Debug)]
pub struct State {
    /// `None`: any value. The variable is dead here, so nothing should ask; if something does, it gets a variable that
    /// nothing constrains, which is sound.
    values: Vec<Option<Term>>,
}

impl State {
    /// The state in which each variable has the value of its own term.
    pub fn symbolic(program: &Program) -> State {
        State { values: program.variables().iter().map(|v| Some(v.term)).collect() }
    }

    /// The value of a variable.
    pub fn value(&mut self, terms: &mut Terms, program: &Program, v: Var) -> Term {
        *self.values[v.index()].get_or_insert_with(|| {
            let data = program.variable(v);
            terms.fresh(&data.name, terms.sort(data.term))
        })
    }

    /// Gives a variable a value.
    pub fn assign(&mut self, v: Var, value: Term) {
        self.values[v.index()] = Some(value);
    }

    /// A term over the program's variables, read in this state.
    pub fn read(&mut self, terms: &mut Terms, program: &Program, t: Term) -> Term {
        for var in terms.free_vars(t) {
            if let Some(v) = program.var_of(var) {
                self.value(terms, program, v);
            }
        }
        terms.substitute_with(t, |var| program.var_of(var).and_then(|v| self.values[v.index()]))
    }
}

/// A block as a formula.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Holds exactly of the block's executions, projected on the state before and [`post`](Encoded::post).
    pub constraints: Vec<Term>,
    /// The state at the block's end.
    pub post: State,
    /// For each location inside the block, its incoming edges: the condition under which the edge is taken, and what
    /// the edge's `havoc` chose.
    steps: FxHashMap<Location, Vec<Taken>>,
    last: Vec<Taken>,
}

#[derive(Clone, Debug)]
struct Taken {
    edge: EdgeId,
    condition: Term,
    input: Option<Term>,
}

/// A path through the program, with the value chosen at each `havoc`.
pub type Execution = Vec<(EdgeId, Option<tamis_logic::Value>)>;

/// The formula of `block` from the symbolic state `pre`.
pub fn encode(terms: &mut Terms, program: &Program, live: &Liveness, block: &Block, pre: &State) -> Encoded {
    encode_with(terms, program, live, block, pre, false)
}

/// The formula of `block` from the program's own variables, with a name for each value that is assigned: an inequality
/// has the variables then that the program compares.
pub fn edge_query(terms: &mut Terms, program: &Program, live: &Liveness, block: &Block) -> Encoded {
    encode_with(terms, program, live, block, &State::symbolic(program), true)
}

fn encode_with(
    terms: &mut Terms,
    program: &Program,
    live: &Liveness,
    block: &Block,
    pre: &State,
    named: bool,
) -> Encoded {
    let mut encoder = Encoder {
        terms,
        program,
        live,
        named,
        constraints: Vec::new(),
        at: FxHashMap::default(),
        steps: FxHashMap::default(),
        pending: FxHashMap::default(),
    };
    for e in block.edges() {
        *encoder.pending.entry(program.edge(e).from).or_default() += 1;
    }
    let truth = encoder.terms.tru();
    encoder.at.insert(block.from, (truth, pre.clone()));
    for (l, incoming) in &block.inner {
        if let Some((reached, state, taken)) = encoder.enter(*l, incoming) {
            encoder.at.insert(*l, (reached, state));
            encoder.steps.insert(*l, taken);
        }
    }
    match encoder.enter(block.to, &block.last) {
        Some((reached, post, last)) => {
            encoder.constraints.push(reached);
            Encoded { constraints: encoder.constraints, post, steps: encoder.steps, last }
        }
        None => {
            let falsehood = encoder.terms.fals();
            Encoded {
                constraints: vec![falsehood],
                post: pre.clone(),
                steps: encoder.steps,
                last: Vec::new(),
            }
        }
    }
}

struct Encoder<'a> {
    terms: &'a mut Terms,
    program: &'a Program,
    live: &'a Liveness,
    /// Whether assigned values get names.
    named: bool,
    constraints: Vec<Term>,
    /// The condition under which a location is reached, and the state there.
    at: FxHashMap<Location, (Term, State)>,
    steps: FxHashMap<Location, Vec<Taken>>,
    /// How many edges out of a location are still to be encoded: with the last one its state is dropped.
    pending: FxHashMap<Location, u32>,
}

impl Encoder<'_> {
    /// Executes the edges into a location; `None` if none of them can be taken.
    fn enter(&mut self, l: Location, incoming: &[EdgeId]) -> Option<(Term, State, Vec<Taken>)> {
        let mut arrivals: Vec<(Taken, State)> = Vec::new();
        for &e in incoming {
            arrivals.extend(self.execute(e));
        }
        if arrivals.len() <= 1 {
            let (taken, state) = arrivals.pop()?;
            return Some((taken.condition, state, vec![taken]));
        }
        // The φ-assignments of each edge, then R_ℓ.
        let (merged, equations) = self.merge(l, &mut arrivals);
        let mut ways = Vec::with_capacity(arrivals.len());
        let mut steps = Vec::with_capacity(arrivals.len());
        for ((mut taken, _), mut equations) in arrivals.into_iter().zip(equations) {
            equations.push(taken.condition);
            taken.condition = self.terms.and(&equations);
            ways.push(taken.condition);
            steps.push(taken);
        }
        let reached = self.terms.fresh("B", Sort::Bool);
        let some_way = self.terms.or(&ways);
        let r = self.terms.implies(reached, some_way);
        self.constraints.push(r);
        Some((reached, merged, steps))
    }

    /// The state in which `arrivals` meet at `l`, and for each arrival the equations of its φ-assignments.
    fn merge(&mut self, l: Location, arrivals: &mut [(Taken, State)]) -> (State, Vec<Vec<Term>>) {
        let mut merged = arrivals[0].1.clone();
        let mut equations = vec![Vec::new(); arrivals.len()];
        for v in self.program.vars() {
            let first = arrivals[0].1.values[v.index()];
            if arrivals.iter().all(|(_, state)| state.values[v.index()] == first) {
                continue;
            }
            if !self.live.is_live(l, v) {
                merged.values[v.index()] = None;
                continue;
            }
            let phi = self.fresh(v);
            merged.values[v.index()] = Some(phi);
            for ((_, state), equations) in arrivals.iter_mut().zip(&mut equations) {
                let value = state.value(self.terms, self.program, v);
                equations.push(self.terms.eq(phi, value));
            }
        }
        (merged, equations)
    }

    fn fresh(&mut self, v: Var) -> Term {
        let data = self.program.variable(v);
        self.terms.fresh(&data.name, self.terms.sort(data.term))
    }

    fn execute(&mut self, e: EdgeId) -> Option<(Taken, State)> {
        let edge = self.program.edge(e);
        let left = self.pending.get_mut(&edge.from)?;
        *left -= 1;
        let (reached, mut state) =
            if *left == 0 { self.at.remove(&edge.from)? } else { self.at.get(&edge.from)?.clone() };
        let mut taken = Taken { edge: e, condition: reached, input: None };
        match &edge.command {
            Command::Assign(v, value) => {
                let mut value = state.read(self.terms, self.program, *value);
                if self.named {
                    let name = self.fresh(*v);
                    self.constraints.push(self.terms.eq(name, value));
                    value = name;
                }
                state.assign(*v, value);
            }
            Command::Havoc(v, _) => {
                let input = self.fresh(*v);
                taken.input = Some(input);
                state.assign(*v, input);
            }
            Command::Assume(guard) => {
                let guard = state.read(self.terms, self.program, *guard);
                taken.condition = self.terms.and2(reached, guard);
                if self.terms.is_false(taken.condition) {
                    return None;
                }
            }
        }
        Some((taken, state))
    }
}

impl Encoded {
    /// An execution of the block that `model`, a model of the constraints, describes. A model may satisfy the
    /// conditions of several paths (\[SUM\] section 4.2): any one of them is an execution, found backwards from the end.
    pub fn execution(
        &self,
        terms: &Terms,
        program: &Program,
        block: &Block,
        model: &Model,
    ) -> Option<Execution> {
        let mut path = Vec::new();
        let mut arrivals = &self.last;
        loop {
            let conditions: Vec<Term> = arrivals.iter().map(|t| t.condition).collect();
            let values = terms.eval_all(&conditions, model);
            let taken = &arrivals[values.iter().position(|v| v.as_bool())?];
            path.push((taken.edge, taken.input.map(|input| terms.eval(input, model))));
            let from = program.edge(taken.edge).from;
            if from == block.from {
                break;
            }
            arrivals = self.steps.get(&from)?;
        }
        path.reverse();
        Some(path)
    }

    /// The variables of the formula: what a model must give values to for [`execution`](Encoded::execution).
    pub fn free_vars(&self, terms: &Terms) -> Vec<Term> {
        let mut roots = self.constraints.clone();
        for taken in self.steps.values().flatten().chain(&self.last) {
            roots.push(taken.condition);
            roots.extend(taken.input);
        }
        terms.free_vars_of(&roots)
    }
}
