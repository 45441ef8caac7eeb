//! One phase of unwinding.

use super::{MAX_CLAUSES, MAX_TERMS};
use crate::Returns;
use std::collections::BTreeMap;
use std::ops::Range;
use tamis_logic::{Environment, Model, Path, Sort, Term, Terms};
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{ConcreteTrace, ControlFlow, Effect, Passage, Taken};

/// With more clauses than these an answer of the solver takes longer than to follow a few executions that are known: it gives a
/// value to each variable, whatever the question is.
const MANY_CLAUSES: u64 = 10_000;
const MOST_KNOWN: usize = 4;

/// How many rounds of a loop are followed each time that it is entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounds {
    /// Rounds in which something was open.
    pub undecided: usize,
    /// Rounds in which constants decided everything.
    pub decided: usize,
    /// Whether the solver is asked after each round in which the loop may have been left.
    asks: bool,
}

impl Rounds {
    /// Those of the first phase.
    pub const FIRST: Rounds = Rounds { undecided: 8, decided: 4096, asks: true };

    /// So many of both kinds together, and then one question about what is beyond them. The next round is begun, since loops are
    /// left at its start.
    pub fn exactly(most: usize) -> Rounds {
        let undecided = most.saturating_add(1);
        Rounds { undecided, decided: undecided, asks: false }
    }

    /// Those of the next phase.
    pub fn more(self) -> Rounds {
        let times = |n: usize| n.saturating_mul(4);
        Rounds { undecided: times(self.undecided), decided: times(self.decided), ..self }
    }
}

/// What a phase came to.
pub(super) enum Unwound<E> {
    Violated(ConcreteTrace<E>),
    /// All executions have ended.
    Ended(Returns),
    /// There may be executions that go on.
    GivenUp,
}

pub(super) struct Unwinder<'a, E> {
    flow: &'a dyn ControlFlow<Edge = E>,
    rounds: Rounds,
    budget: Budget,
    solver: Solver,
    /// Paths that have come to places that were not visited since.
    pending: BTreeMap<usize, Vec<Arrival>>,
    /// The loops that it is in, the innermost last.
    open: Vec<OpenLoop>,
    /// Executions that were found to go on, the last one first, by what they choose.
    known: Vec<Model>,
    /// How often it has been at the end of a round with something left, or at a recursive call.
    returns: usize,
    /// The returns and calls at which no execution was left.
    ends: Vec<usize>,
    /// The returns at which a loop was given up, and the paths there.
    given_up: Vec<(usize, Path)>,
    /// The paths to the error.
    violations: Vec<Path>,
    /// For each visit of a place, the number of the first way out.
    visits: Vec<usize>,
    ways: Vec<Way<E>>,
}

struct Arrival {
    way: usize,
    path: Path,
    values: Environment,
}

/// A way that was followed: an edge at a visit.
struct Way<E> {
    edge: E,
    /// When an execution at the visit goes this way.
    condition: Term,
    /// What it chooses.
    chosen: Option<Term>,
    /// The visit that it leads to.
    to: Option<usize>,
}

struct OpenLoop {
    places: Range<usize>,
    undecided: usize,
    decided: usize,
    /// Whether there was something to decide in this round.
    is_open: bool,
    /// Whether executions may have left the loop since it was last known that some are in it.
    is_left: bool,
}

impl<'a, E: Copy> Unwinder<'a, E> {
    pub fn new(
        terms: &mut Terms,
        flow: &'a dyn ControlFlow<Edge = E>,
        rounds: Rounds,
        budget: &Budget,
    ) -> Unwinder<'a, E> {
        let mut unwinder = Unwinder {
            flow,
            rounds,
            budget: budget.clone(),
            solver: Solver::new(budget),
            pending: BTreeMap::new(),
            open: Vec::new(),
            known: Vec::new(),
            returns: 0,
            ends: Vec::new(),
            given_up: Vec::new(),
            violations: Vec::new(),
            visits: Vec::new(),
            ways: Vec::new(),
        };
        unwinder.enter_loops(0);
        unwinder.visit(terms, 0, Path::default(), Environment::default());
        unwinder
    }

    /// Follows all executions, and asks about what it has found.
    pub fn run(mut self, terms: &mut Terms, variables: &[Term]) -> Result<Unwound<E>, Stop> {
        let mut at = 0;
        while let Some(place) = self.next(terms, at)? {
            self.budget.check()?;
            if terms.len() > MAX_TERMS || self.solver.stats().clauses > MAX_CLAUSES {
                return Err(Stop::Memory);
            }
            self.enter_loops(place);
            if self.flow.begins_recursion(place) && !self.recurs(terms, place)? {
                self.drop_pending(place..place + 1);
            } else if let Some((path, values)) = self.arrive(terms, place) {
                self.visit(terms, place, path, values);
            }
            at = place;
        }
        let violated = joined(terms, &self.violations);
        let violated = terms.in_normal_order(violated);
        if !terms.is_false(violated) && self.solver.check(terms, &[violated])? == Answer::Sat {
            return Ok(Unwound::Violated(self.execution(terms, variables)));
        }
        let paths: Vec<Path> = self.given_up.iter().map(|(_, path)| path.clone()).collect();
        let beyond = joined(terms, &paths);
        if !terms.is_false(beyond) && self.solver.check(terms, &[beyond])? == Answer::Sat {
            return Ok(Unwound::GivenUp);
        }
        self.ends.extend(self.given_up.iter().map(|(number, _)| number));
        self.ends.sort_unstable();
        Ok(Unwound::Ended(Returns { last: self.ends, count: self.returns }))
    }

    /// The place to go on at: the next one in the innermost loop, the first one there for another round, or one behind it.
    fn next(&mut self, terms: &mut Terms, at: usize) -> Result<Option<usize>, Stop> {
        while let Some(innermost) = self.open.last() {
            let Range { start, end } = innermost.places;
            if let Some((&place, _)) = self.pending.range(at + 1..end).next() {
                return Ok(Some(place));
            }
            if let Some((&place, _)) = self.pending.range(start..=at).next()
                && self.goes_on(terms, start..end)?
            {
                return Ok(Some(place));
            }
            self.open.pop();
        }
        Ok(self.pending.keys().next().copied())
    }

    /// Whether executions are left in the innermost loop after a round, and are to be followed.
    fn goes_on(&mut self, terms: &mut Terms, places: Range<usize>) -> Result<bool, Stop> {
        let number = self.returns;
        self.returns += 1;
        let left = self.paths(places.clone());
        let Some(round) = self.open.last_mut() else { return Ok(true) };
        if std::mem::take(&mut round.is_open) || !self.rounds.asks {
            round.undecided += 1;
        } else {
            round.decided += 1;
        }
        let is_over = round.undecided >= self.rounds.undecided || round.decided >= self.rounds.decided;
        let asks = self.rounds.asks && std::mem::take(&mut round.is_left);
        if asks {
            let condition = joined(terms, &left);
            if !self.is_possible(terms, condition)? {
                self.ends.push(number);
                self.drop_pending(places);
                return Ok(false);
            }
        }
        if is_over {
            self.given_up.extend(left.into_iter().map(|path| (number, path)));
            self.drop_pending(places);
        }
        Ok(!is_over)
    }

    /// Whether executions call a function that is active already.
    fn recurs(&mut self, terms: &mut Terms, place: usize) -> Result<bool, Stop> {
        let number = self.returns;
        self.returns += 1;
        if !self.rounds.asks {
            return Ok(true);
        }
        let condition = joined(terms, &self.paths(place..place + 1));
        let recurs = terms.is_true(condition) || self.is_possible(terms, condition)?;
        if !recurs {
            self.ends.push(number);
        }
        Ok(recurs)
    }

    /// The paths that have come to some places.
    fn paths(&self, places: Range<usize>) -> Vec<Path> {
        self.pending.range(places).flat_map(|(_, all)| all).map(|a| a.path.clone()).collect()
    }

    /// Whether executions go on under a condition: those that were found last, if they do, or others.
    fn is_possible(&mut self, terms: &mut Terms, condition: Term) -> Result<bool, Stop> {
        if self.solver.stats().clauses > MANY_CLAUSES
            && let Some(i) = self.known.iter().position(|known| terms.eval(condition, known).as_bool())
        {
            self.known[..=i].rotate_right(1);
            return Ok(true);
        }
        if self.solver.check(terms, &[condition])? == Answer::Unsat {
            return Ok(false);
        }
        let free = terms.free_vars_of(&[condition]);
        self.known.truncate(MOST_KNOWN - 1);
        self.known.insert(0, self.solver.model(terms, &free));
        Ok(true)
    }

    fn drop_pending(&mut self, places: Range<usize>) {
        self.pending.retain(|place, _| !places.contains(place));
    }

    /// Opens the loops around a place.
    fn enter_loops(&mut self, place: usize) {
        let around = self.flow.loops_at(place);
        for places in around[..around.len() - self.open.len()].iter().rev() {
            let places = places.clone();
            self.open.push(OpenLoop { places, undecided: 0, decided: 0, is_open: false, is_left: false });
        }
    }

    /// Joins the paths that have come to a place.
    fn arrive(&mut self, terms: &mut Terms, place: usize) -> Option<(Path, Environment)> {
        let arrivals = self.pending.remove(&place)?;
        for arrival in &arrivals {
            self.ways[arrival.way].to = Some(self.visits.len());
        }
        Path::join(terms, arrivals.into_iter().map(|a| (a.path, a.values)).collect())
    }

    /// Follows the edges out of a place.
    fn visit(&mut self, terms: &mut Terms, place: usize, path: Path, values: Environment) {
        self.visits.push(self.ways.len());
        let error = self.flow.places() - 1;
        let passages = self.passable(terms, place, &path, &values);
        if passages.iter().filter(|(passage, _)| passage.to != error).count() > 1 {
            self.open.iter_mut().for_each(|open| open.is_open = true);
        }
        for (Passage { edge, to }, condition) in passages {
            let path = match self.flow.effect(edge) {
                Effect::Assume(guard) => path.pass(terms, &values, guard, condition),
                _ => path.meet(terms, condition),
            };
            let Some(path) = path else { continue };
            let way = self.ways.len();
            let chosen = match self.flow.effect(edge) {
                Effect::Choose(var) => Some(terms.fresh("chosen", terms.sort(var))),
                _ => None,
            };
            if to == error {
                self.violations.push(path);
            } else {
                for open in self.open.iter_mut().filter(|open| !open.places.contains(&to)) {
                    open.is_left = true;
                }
                let mut values = values.clone();
                match (self.flow.effect(edge), chosen) {
                    (Effect::Assign(var, value), _) => values.assign(terms, &path, var, value),
                    (Effect::Choose(var), Some(any)) => values.assign(terms, &path, var, any),
                    _ => {}
                }
                self.pending.entry(to).or_default().push(Arrival { way, path, values });
            }
            self.ways.push(Way { edge, condition, chosen, to: None });
        }
    }

    /// The edges out of a place that executions can pass, with conditions that exclude each other: guards may overlap, and then
    /// one is chosen.
    fn passable(
        &self,
        terms: &mut Terms,
        place: usize,
        path: &Path,
        values: &Environment,
    ) -> Vec<(Passage<E>, Term)> {
        let (mut found, mut guards) = (Vec::new(), Vec::new());
        for passage in self.flow.passages(place) {
            let guard = match self.flow.effect(passage.edge) {
                Effect::Assume(guard) => guard,
                _ => terms.tru(),
            };
            guards.push(guard);
            let guard = values.read(terms, path, guard);
            match path.decides(terms, guard) {
                Some(true) => found.push((*passage, terms.tru())),
                Some(false) => {}
                None => found.push((*passage, guard)),
            }
        }
        let exclude_each_other = match found[..] {
            [(_, a), (_, b)] => terms.not(a) == b,
            _ => found.len() < 2 || terms.exclude_each_other(&guards),
        };
        if !exclude_each_other {
            let mut left = terms.tru();
            let last = found.len() - 1;
            for (i, (_, guard)) in found.iter_mut().enumerate() {
                let this = if i == last { terms.tru() } else { terms.fresh("choice", Sort::Bool) };
                *guard = terms.and(&[left, this, *guard]);
                let not_this = terms.not(this);
                left = terms.and2(left, not_this);
            }
        }
        found
    }

    /// After the solver found that the error is reached: the execution that it has found.
    fn execution(&mut self, terms: &Terms, variables: &[Term]) -> ConcreteTrace<E> {
        let mut roots: Vec<Term> = self.ways.iter().map(|way| way.condition).collect();
        roots.extend(self.ways.iter().filter_map(|way| way.chosen));
        roots.sort_unstable();
        roots.dedup();
        let free = terms.free_vars_of(&roots);
        let model = self.solver.model(terms, &free);
        let values = terms.eval_all(&roots, &model);
        let value = |t: Term| values[roots.binary_search(&t).expect("one of the roots")].clone();
        let mut execution = Vec::new();
        let mut visit = Some(0);
        while let Some(at) = visit {
            let ways = self.visits[at]..self.visits.get(at + 1).copied().unwrap_or(self.ways.len());
            let taken = ways.clone().find(|&way| value(self.ways[way].condition).as_bool());
            let way = &self.ways[taken.expect("an execution to the error goes on until it is there")];
            let chosen = match (self.flow.effect(way.edge), way.chosen) {
                (Effect::Choose(var), Some(any)) => vec![(var, value(any))],
                _ => Vec::new(),
            };
            execution.push(Taken { edge: way.edge, chosen });
            visit = way.to;
        }
        let initial: Model = self.solver.model(terms, variables);
        ConcreteTrace { initial, execution }
    }
}

/// That an execution goes one of several paths.
fn joined(terms: &mut Terms, paths: &[Path]) -> Term {
    let ways = paths.iter().map(|path| (path.clone(), Environment::default())).collect();
    match Path::join(terms, ways) {
        Some((path, _)) => path.term(terms),
        None => terms.fals(),
    }
}
