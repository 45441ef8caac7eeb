//! Bounded search for executions that reach the error: \[SMC\] section 3.1, over the blocks of the summary.
//!
//! The system is unrolled breadth first. At each depth, in steps, and point there is one symbolic state: where several
//! steps arrive, the state is that of the step taken. Depth by depth the solver is asked whether the error is reached, and about
//! several depths at once when that takes long; one solver holds all depths.
//!
//! Beside the steps it may have [many rounds](tamis_system::Rounds) of a loop as one step, so that a violation behind a million
//! rounds is one of a few steps. What it finds is told round by round, and the fewer the better. The single steps stay, so that
//! up to the same depth no execution is left out.

use std::time::Duration;
use tamis_logic::{Sort, Term, Terms, Value};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{
    Accelerated, ConcreteTrace, Execution, Formula, Invariants, Point, Rounds, StepId, System,
    Taken as Passed,
};

/// A system unrolled to some depth, in one solver.
pub(crate) struct Unrolling<'a, S: System> {
    pub system: &'a S,
    budget: Budget,
    pub solver: Solver,
    /// At each depth, the points that can be reached there as far as the control flow goes.
    pub depths: Vec<Vec<Arrived<S>>>,
    /// Whether steps are left out that could as well have ended in the error: a shortest execution has none.
    shortest: bool,
    /// What is known of states at points that are reached.
    pub facts: Option<Invariants>,
    /// Loops of which many rounds are one step.
    rounds: Vec<Rounds<S::Edge>>,
}

/// A point at some depth.
pub(crate) struct Arrived<S: System> {
    pub point: Point,
    /// Implies that one of the steps was taken.
    pub reached: Term,
    /// Whether it is reached for certain: by steps without conditions.
    certain: bool,
    pub state: S::State,
    /// The steps that lead here; the last of those taken is the one that counts.
    taken: Vec<Taken<S>>,
}

pub(crate) struct Taken<S: System> {
    /// The place in the depth before.
    from: usize,
    literal: Term,
    way: Way<S>,
}

/// What was taken.
enum Way<S: System> {
    Step(StepId, Formula<S::State, S::Decode>),
    Rounds {
        /// Which of those that there are.
        which: usize,
        /// How many, and what is chosen in each, with the terms of the description in which they stand.
        chosen: Vec<(Term, Term)>,
        post: S::State,
    },
}

impl<S: System> Way<S> {
    fn post(&self) -> &S::State {
        match self {
            Way::Step(_, formula) => &formula.post,
            Way::Rounds { post, .. } => post,
        }
    }

    /// How many rounds, if it is rounds.
    fn rounds(&self) -> Option<Term> {
        match self {
            Way::Step(..) => None,
            Way::Rounds { chosen, .. } => chosen.first().map(|&(_, count)| count),
        }
    }

    fn is_certain(&self) -> bool {
        matches!(self, Way::Step(_, formula) if formula.constraints.is_empty())
    }
}

impl<'a, S: System> Unrolling<'a, S> {
    /// A system at depth 0, at one of some points in any state. If `shortest`, only shortest executions to the error are looked
    /// for.
    pub fn new(
        terms: &mut Terms,
        system: &'a S,
        budget: &Budget,
        start: impl Iterator<Item = Point>,
        shortest: bool,
    ) -> Unrolling<'a, S> {
        let at = |point| Arrived {
            point,
            reached: terms.tru(),
            certain: true,
            state: system.symbolic(),
            taken: Vec::new(),
        };
        let depths = vec![start.map(at).collect()];
        Unrolling {
            system,
            budget: budget.clone(),
            solver: Solver::new(budget),
            depths,
            shortest,
            facts: None,
            rounds: Vec::new(),
        }
    }

    /// Unrolls by one step; the place at which the error is reached in the new depth, if the control flow goes there.
    pub fn extend(&mut self, terms: &mut Terms) -> Result<Option<usize>, Stop> {
        let error = self.system.error();
        let last = self.depths.len() - 1;
        let mut arriving: Vec<Vec<Taken<S>>> = (0..self.system.points()).map(|_| Vec::new()).collect();
        for (from, arrived) in self.depths[last].iter().enumerate() {
            let steps = self.system.steps().iter().enumerate();
            for (i, ends) in steps.filter(|(_, s)| s.from == arrived.point && s.from != error) {
                self.budget.check()?;
                let step = StepId(i as u32);
                let formula = self.system.encode(terms, step, &arrived.state);
                let literal = terms.fresh("taken", Sort::Bool);
                self.solver.assert_under(terms, literal, arrived.reached);
                for &c in &formula.constraints {
                    self.solver.assert_under(terms, literal, c);
                }
                if let Some(facts) = &self.facts {
                    let fact = self.system.read(terms, &mut arrived.state.clone(), facts[ends.from]);
                    self.solver.assert_under(terms, literal, fact);
                }
                let fails = self.system.also_fails(terms, step, &arrived.state, &formula);
                if let Some(fails) = fails.filter(|_| self.shortest) {
                    let goes_on = terms.not(fails);
                    self.solver.assert_under(terms, literal, goes_on);
                }
                arriving[ends.to.index()].push(Taken { from, literal, way: Way::Step(step, formula) });
            }
            let Some(accelerated) = self.system.accelerated() else { continue };
            for (which, rounds) in self.rounds.iter().enumerate().filter(|(_, r)| r.point == arrived.point) {
                self.budget.check()?;
                let literal = terms.fresh("taken", Sort::Bool);
                self.solver.assert_under(terms, literal, arrived.reached);
                let instance = Instance::new(terms, self.system, rounds, &arrived.state);
                for &c in &instance.condition {
                    self.solver.assert_under(terms, literal, c);
                }
                let post = instance.post(terms, self.system, accelerated, rounds);
                let way = Way::Rounds { which, chosen: instance.chosen, post };
                arriving[arrived.point.index()].push(Taken { from, literal, way });
            }
        }
        let mut next = Vec::new();
        for (point, taken) in arriving.into_iter().enumerate().filter(|(_, taken)| !taken.is_empty()) {
            let point = Point(point as u32);
            let mut states: Vec<(Term, S::State)> =
                taken.iter().map(|t| (t.literal, t.way.post().clone())).collect();
            let (state, constraints) = self.system.merge(terms, point, &mut states);
            for c in constraints {
                self.solver.assert(terms, c);
            }
            let reached = terms.fresh("reached", Sort::Bool);
            let literals: Vec<Term> = taken.iter().map(|t| t.literal).collect();
            let some = terms.or(&literals);
            self.solver.assert_under(terms, reached, some);
            let before = &self.depths[last];
            let certain = taken.iter().any(|t| t.way.is_certain() && before[t.from].certain);
            next.push(Arrived { point, reached, certain, state, taken });
        }
        let place = next.iter().position(|a| a.point == error);
        self.depths.push(next);
        Ok(place)
    }

    /// After the solver found a model of a goal: looks for one with fewer rounds of loops.
    fn prefer_few_rounds(&mut self, terms: &mut Terms, goal: Term) -> Result<(), Stop> {
        let ways = self.depths.iter().flatten().flat_map(|arrived| &arrived.taken).map(|taken| &taken.way);
        let counts: Vec<Term> = ways.filter_map(Way::rounds).collect();
        if counts.is_empty() {
            return Ok(());
        }
        for most in FEW_ROUNDS {
            let few = terms.fresh("few", Sort::Bool);
            for &count in &counts {
                let most = terms.bits(terms.width(count), most);
                let within = terms.ule(count, most);
                self.solver.assert_under(terms, few, within);
            }
            if self.solver.check(terms, &[goal, few])? == Answer::Sat {
                return Ok(());
            }
        }
        self.solver.check(terms, &[goal]).map(|_| ())
    }

    /// After the solver found that a place in a depth is reached: the places on the way there, from depth 0 on, and the steps
    /// between them.
    fn way(&mut self, terms: &Terms, depth: usize, mut place: usize) -> Vec<(usize, usize)> {
        let mut way = Vec::new();
        for depth in (1..=depth).rev() {
            let taken = &self.depths[depth][place].taken;
            let is_taken = |&i: &usize| self.solver.value(terms, taken[i].literal).as_bool();
            let last = (0..taken.len()).rev().find(is_taken).expect("who is reached was led to by a step");
            way.push((place, last));
            place = taken[last].from;
        }
        way.push((place, 0));
        way.reverse();
        way
    }

    /// After the solver found that a place in the last depth is reached: the places on the way there, from depth 0 on.
    pub fn places(&mut self, terms: &Terms, place: usize) -> Vec<usize> {
        let last = self.depths.len() - 1;
        self.way(terms, last, place).into_iter().map(|(place, _)| place).collect()
    }

    /// Reads the execution that ends at a place in a depth off the solver's model.
    fn execution(
        &mut self,
        terms: &Terms,
        depth: usize,
        place: usize,
    ) -> Result<ConcreteTrace<S::Edge>, Stop> {
        let mut execution = Vec::new();
        for (depth, (place, taken)) in self.way(terms, depth, place).into_iter().enumerate().skip(1) {
            match &self.depths[depth][place].taken[taken].way {
                Way::Step(step, formula) => {
                    let model = self.solver.model(terms, &self.system.model_variables(terms, formula));
                    let part = self.system.execution(terms, *step, formula, &model);
                    execution.extend(part.expect("a model of a step's formula describes an execution"));
                }
                Way::Rounds { which, chosen, .. } => {
                    let values: Vec<Term> = chosen.iter().map(|&(_, value)| value).collect();
                    let model = self.solver.model(terms, &values);
                    let value = |t: Term| {
                        let here = chosen.iter().find(|&&(described, _)| described == t);
                        terms.eval(here.map_or(t, |&(_, value)| value), &model)
                    };
                    let rounds = &self.rounds[*which];
                    let count =
                        usize::try_from(value(rounds.count).as_bits().unsigned()).unwrap_or(usize::MAX);
                    if execution.len().saturating_add(count.saturating_mul(rounds.path.len())) > MAX_TOLD {
                        return Err(Stop::Memory);
                    }
                    execution.extend(one_by_one(rounds, count, &value));
                }
            }
        }
        let initial = self.solver.model(terms, &self.system.state_variables());
        Ok(ConcreteTrace { initial, execution })
    }
}

/// Many rounds from a state.
struct Instance<St> {
    pre: St,
    chosen: Vec<(Term, Term)>,
    condition: Vec<Term>,
}

impl<St: Clone> Instance<St> {
    fn new<S: System<State = St>>(
        terms: &mut Terms,
        system: &S,
        rounds: &Rounds<S::Edge>,
        pre: &St,
    ) -> Instance<St> {
        let inputs = rounds.chosen.iter().flatten().map(|&(_, input)| input);
        // Rounds of inner loops choose the same each time.
        let mut inputs: Vec<Term> = inputs.collect();
        inputs.sort_unstable();
        inputs.dedup();
        let described = std::iter::once(rounds.count).chain(inputs);
        let chosen = described.map(|t| (t, terms.fresh("round", terms.sort(t)))).collect();
        let mut instance = Instance { pre: pre.clone(), chosen, condition: Vec::new() };
        for &c in &rounds.condition {
            let c = instance.read(terms, system, c);
            instance.condition.push(c);
        }
        instance
    }

    fn read<S: System<State = St>>(&mut self, terms: &mut Terms, system: &S, t: Term) -> Term {
        let t = system.read(terms, &mut self.pre, t);
        let here = |v: Term| self.chosen.iter().find(|&&(described, _)| described == v);
        terms.substitute_with(t, |v| here(v).map(|&(_, value)| value))
    }

    fn post<S: System<State = St>>(
        &self,
        terms: &mut Terms,
        system: &S,
        accelerated: &dyn Accelerated<State = St, Edge = S::Edge>,
        rounds: &Rounds<S::Edge>,
    ) -> St {
        let mut before =
            Instance { pre: self.pre.clone(), chosen: self.chosen.clone(), condition: Vec::new() };
        let mut post = self.pre.clone();
        for &(v, value) in &rounds.after {
            let value = before.read(terms, system, value);
            accelerated.assign(&mut post, v, value);
        }
        post
    }
}

/// The single rounds that many stand for.
fn one_by_one<E: Copy>(rounds: &Rounds<E>, count: usize, value: &dyn Fn(Term) -> Value) -> Execution<E> {
    let choices = |chosen: &Vec<(Term, Term)>| chosen.iter().map(|&(v, input)| (v, value(input))).collect();
    let round = rounds.path.iter().zip(&rounds.chosen);
    let round: Execution<E> = round.map(|(&edge, chosen)| Passed { edge, chosen: choices(chosen) }).collect();
    (0..count).flat_map(|_| round.iter().cloned()).collect()
}

/// A search that goes deeper each time it is asked.
pub struct BoundedSearch<'a, S: System> {
    unrolling: Unrolling<'a, S>,
    /// The places of the error that have not been asked about, with their depths.
    open: Vec<(usize, usize)>,
    /// How many depths are asked about at once.
    stride: usize,
    /// Whether many rounds of loops are still to be learned.
    learns_rounds: bool,
    /// No execution of so many steps reaches the error.
    excluded: usize,
}

/// What going deeper gave.
pub enum Deeper<E> {
    /// An execution.
    Found(ConcreteTrace<E>),
    /// None up to this length.
    Nothing,
    /// There are no executions of this length, to the error or elsewhere.
    Exhausted,
}

/// An execution of more edges is not told: it takes gigabytes.
const MAX_TOLD: usize = 1 << 24;

/// Of executions, those are told that have no more rounds at once, if there are any.
const FEW_ROUNDS: [u128; 4] = [1 << 4, 1 << 9, 1 << 14, 1 << 18];

/// The search begins without many rounds, for so long: most violations are met before, and to find the rounds takes executions and
/// questions about each path of a loop, as long as many a program is searched in all.
const SINGLE_ROUNDS: Duration = Duration::from_millis(100);

/// Questions that took longer are made fewer, by asking about more depths at once.
const LONG_QUESTION: Duration = Duration::from_millis(500);

impl<'a, S: System> BoundedSearch<'a, S> {
    /// A search at depth 0.
    pub fn new(terms: &mut Terms, system: &'a S, budget: &Budget) -> BoundedSearch<'a, S> {
        let start = std::iter::once(Point::INITIAL);
        let unrolling = Unrolling::new(terms, system, budget, start, false);
        BoundedSearch { unrolling, open: Vec::new(), stride: 1, learns_rounds: false, excluded: 0 }
    }

    /// The same that takes many rounds of loops as single steps, as far as the system knows them.
    pub fn accelerated(terms: &mut Terms, system: &'a S, budget: &Budget) -> BoundedSearch<'a, S> {
        let search = BoundedSearch::new(terms, system, budget);
        BoundedSearch { learns_rounds: true, ..search }
    }

    /// Begins anew with many rounds, if there are any: behind single rounds they would be harder to find.
    fn learn_rounds(&mut self, terms: &mut Terms) {
        let Unrolling { system, budget, .. } = &self.unrolling;
        if !self.learns_rounds || budget.worked() < SINGLE_ROUNDS {
            return;
        }
        self.learns_rounds = false;
        let Some(loops) = system.accelerated() else { return };
        let rounds = loops.rounds(terms, &|| budget.check().is_err());
        if !rounds.is_empty() {
            let new = BoundedSearch::new(terms, *system, budget);
            *self = BoundedSearch { excluded: self.excluded, ..new };
            self.unrolling.rounds = rounds;
        }
    }

    /// How many steps deep the search has been.
    pub fn depth(&self) -> usize {
        self.excluded
    }

    /// Unrolls and looks for a shortest execution among those of the new lengths. At first that is one length, and more when
    /// questions become hard: then it is cheaper to refute several at once, and an execution is often easier to find than
    /// the next shorter one to refute.
    pub fn deepen(&mut self, terms: &mut Terms) -> Result<Deeper<S::Edge>, Stop> {
        self.learn_rounds(terms);
        let error = self.unrolling.system.error();
        for _ in 0..self.stride {
            let place = self.unrolling.extend(terms)?;
            let depth = self.unrolling.depths.len() - 1;
            self.open.extend(place.map(|place| (depth, place)));
        }
        let unrolling = &mut self.unrolling;
        let open = std::mem::take(&mut self.open);
        let goals: Vec<Term> =
            open.iter().map(|&(depth, place)| unrolling.depths[depth][place].reached).collect();
        let asked = unrolling.budget.worked();
        if !goals.is_empty() {
            let any = terms.or(&goals);
            if let Answer::Sat = unrolling.solver.check(terms, &[any])? {
                unrolling.prefer_few_rounds(terms, any)?;
                let is_reached = |&i: &usize| unrolling.solver.value(terms, goals[i]).as_bool();
                let first = (0..goals.len()).find(is_reached).expect("one of the goals is reached");
                let (depth, place) = open[first];
                return Ok(Deeper::Found(unrolling.execution(terms, depth, place)?));
            }
        }
        if unrolling.budget.worked().saturating_sub(asked) > LONG_QUESTION {
            self.stride += 1;
        }
        self.excluded = self.excluded.max(unrolling.depths.len() - 1);
        // The error is left by no step: whoever is there has arrived.
        let live: Vec<&Arrived<S>> =
            unrolling.depths.last().into_iter().flatten().filter(|a| a.point != error).collect();
        if live.iter().any(|a| a.certain) {
            return Ok(Deeper::Nothing);
        }
        let live: Vec<Term> = live.iter().map(|a| a.reached).collect();
        let anywhere = terms.or(&live);
        let goes_on = !live.is_empty() && unrolling.solver.check(terms, &[anywhere])? == Answer::Sat;
        Ok(if goes_on { Deeper::Nothing } else { Deeper::Exhausted })
    }

    /// How many clauses it has made.
    pub fn clauses(&self) -> u64 {
        self.unrolling.solver.stats().clauses
    }
}
