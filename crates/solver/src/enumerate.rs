//! All models over important symbols [SMT §3.1].
//!
//! The models of the assertions, projected on a set P of `Bool` terms, are enumerated in one search. A model found is
//! blocked by a clause over P alone, which is false where the search stands: the search analyses it like any
//! conflict, jumps back, and goes on with all it has learned (Property 2). In CaDiCaL this is a clause from an
//! external propagator that is asked about complete assignments only.
//!
//! Deviations from the paper:
//! - Formulas over functions and differences of integers have a search of their own (`differences`), which is closer to the
//!   paper's than CaDiCaL's is.
//! - As in its §3, a variable `b` with `b ↔ p` stands for each important `p`, but is kept for all enumerations with
//!   `p`. CaDiCaL wants variables of external clauses never to be eliminated, and these are not.
//! - The paper forgets blocking clauses, and may find a model twice. Here they are kept for the time of the
//!   enumeration, and no model is found twice. Each one contains the negation of an activation literal that the search
//!   assumes; afterwards a unit clause retires it, and CaDiCaL drops the clauses and all that was learned from them.

use crate::bit_arrays::{ArrayGuard, Found, View};
use crate::blocker::Blocker;
use crate::budget::Stop;
use crate::sat::SatLit;
use crate::solver::{Answer, Solver};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;
use tamis_differences::{Cube, Enumeration, Found as FoundApart, OnProduct, Question, Receiver};
use tamis_logic::{Term, Terms};

/// How models are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Inside one search, as in [SMT §3.1].
    #[default]
    InSearch,
    /// A new search for each model, which keeps what has been learned: *naive* in [SMT §4.3].
    Naive,
    /// A new solver for each model: *black-box* in [SMT §4.3].
    BlackBox,
}

/// Where the value of an important term is found in a model.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    Constant(bool),
    /// The observed variable at this index, or its negation.
    Observed {
        index: usize,
        sign: bool,
    },
}

/// The important terms of an enumeration as SAT variables.
pub(crate) struct Projection {
    sources: Vec<Source>,
    /// The variables that stand for the important terms, in ascending order.
    pub observed: Vec<SatLit>,
}

impl Projection {
    /// The values of the important terms, from those of the observed variables.
    pub fn values(&self, observed: impl Fn(usize) -> bool, values: &mut Vec<bool>) {
        values.clear();
        values.extend(self.sources.iter().map(|source| match *source {
            Source::Constant(value) => value,
            Source::Observed { index, sign } => observed(index) == sign,
        }));
    }

    /// The clause that excludes a cube, as long as `activation` holds; `None` if the cube is empty by itself.
    fn excluding(&self, activation: SatLit, cube: &[(usize, bool)]) -> Option<Vec<SatLit>> {
        let mut clause = vec![-activation];
        for &(position, value) in cube {
            match self.sources[position] {
                Source::Constant(constant) if constant != value => return None,
                Source::Constant(_) => {}
                Source::Observed { index, sign } => {
                    let variable = self.observed[index];
                    clause.push(if value == sign { -variable } else { variable });
                }
            }
        }
        clause.sort_unstable();
        clause.dedup();
        // Terms that are equal, or opposite, can be given values that contradict each other.
        clause.iter().all(|lit| clause.binary_search(&-lit).is_err()).then_some(clause)
    }

    /// The clause that excludes `cube`, as long as `activation` holds; `None` if no clause is wanted.
    pub fn blocking_clause(
        &self,
        activation: SatLit,
        values: &[bool],
        cube: &Cube,
        clause: &mut Vec<SatLit>,
    ) -> Option<()> {
        clause.clear();
        clause.push(-activation);
        let mut block = |position: usize| {
            if let Source::Observed { index, sign } = self.sources[position] {
                let variable = self.observed[index];
                clause.push(if values[position] == sign { -variable } else { variable });
            }
        };
        match cube {
            Cube::Minterm => (0..values.len()).for_each(&mut block),
            Cube::Positions(kept) => kept.iter().copied().for_each(&mut block),
            Cube::Enough => return None,
        }
        clause.sort_unstable();
        clause.dedup();
        Some(())
    }
}

impl Solver {
    /// Enumerates the models of the assertions and the `assumptions`, projected on the `Bool` terms `important`.
    ///
    /// `on_model` is called once for each model, with the values of the important terms, and says which cube around
    /// the model not to visit again. With [`Cube::Minterm`] throughout, every projected model is given exactly once.
    /// Without important terms there is one model, the empty one, if the formula is satisfiable.
    ///
    /// The solver is as before afterwards: nothing stays blocked. There is no model to ask
    /// [`value`](Solver::value) about.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// use tamis_solver::{Budget, Cube, Solver};
    /// let mut t = Terms::new();
    /// let x = t.var("x", Sort::BitVec(32));
    /// let (five, nine) = (t.bits(32, 5), t.bits(32, 9));
    /// let (p, q) = (t.ult(x, five), t.ult(x, nine));
    /// let mut solver = Solver::new(&Budget::unlimited());
    /// let mut models = Vec::new();
    /// let done = solver.enumerate(&t, &[], &[p, q], &mut |model| {
    ///     models.push((model[0], model[1]));
    ///     Cube::Minterm
    /// });
    /// models.sort();
    /// // All but x < 5 without x < 9.
    /// assert_eq!(models, [(false, false), (false, true), (true, true)]);
    /// assert_eq!(done.map(|d| d.models), Ok(3));
    /// ```
    pub fn enumerate(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        important: &[Term],
        on_model: &mut dyn FnMut(&[bool]) -> Cube,
    ) -> Result<Enumeration, Stop> {
        self.enumerate_by(Strategy::default(), terms, assumptions, important, on_model)
    }

    /// As [`enumerate`](Solver::enumerate), with a choice of the method.
    pub fn enumerate_by(
        &mut self,
        strategy: Strategy,
        terms: &Terms,
        assumptions: &[Term],
        important: &[Term],
        on_model: &mut dyn FnMut(&[bool]) -> Cube,
    ) -> Result<Enumeration, Stop> {
        self.enumerate_beyond(strategy, terms, assumptions, important, &[], on_model)
    }

    /// As [`enumerate_by`](Solver::enumerate_by), where some cubes are not visited at all: each has positions in the list of
    /// important terms and their values.
    pub fn enumerate_beyond(
        &mut self,
        strategy: Strategy,
        terms: &Terms,
        assumptions: &[Term],
        important: &[Term],
        known: &[Vec<(usize, bool)>],
        on_model: &mut dyn FnMut(&[bool]) -> Cube,
    ) -> Result<Enumeration, Stop> {
        if let Some(stop) = self.encoding.stopped {
            return Err(stop);
        }
        if strategy == Strategy::InSearch && self.encoding.theories.arith.propagates() {
            let receiver = Receiver::Models(&mut *on_model);
            match self.enumerate_differences(terms, assumptions, important, known, receiver)? {
                Some(FoundApart::Done(done)) => return Ok(done),
                Some(FoundApart::Rest(blocked, models)) => {
                    self.differences.give_up();
                    let mut done =
                        self.enumerate_beyond(strategy, terms, assumptions, important, &blocked, on_model)?;
                    done.models += models;
                    return Ok(done);
                }
                None => {}
            }
        }
        self.settle(terms)?;
        self.prepare_to_enumerate();
        self.concrete = None;
        self.encoding.sat.forget();
        self.encoding.theories.wants_model = false;
        let Ok(lits) = self.assumption_literals(terms, assumptions)? else {
            return Ok(Enumeration { models: 0, duplicates: 0, complete: true });
        };
        let assumed: Vec<SatLit> = lits.into_iter().map(|(_, lit)| lit).collect();
        let projection = self.projection(terms, important)?;
        if self.encoding.theories.incomplete {
            return Err(Stop::Unsupported);
        }
        self.encoding.flush()?;
        let activation = self.encoding.sat.fresh();
        let assumed: Vec<SatLit> = std::iter::once(activation).chain(assumed).collect();
        let known: Vec<Vec<SatLit>> =
            known.iter().filter_map(|cube| projection.excluding(activation, cube)).collect();
        if strategy != Strategy::BlackBox {
            known.iter().for_each(|clause| self.encoding.sat.clause(clause));
        }
        let found = match strategy {
            Strategy::InSearch => self.enumerate_in_search(activation, &assumed, projection, on_model),
            Strategy::Naive => self.enumerate_naive(activation, &assumed, projection, on_model),
            Strategy::BlackBox => self.enumerate_black_box(activation, &assumed, projection, known, on_model),
        };
        self.encoding.sat.forget();
        self.encoding.sat.clause(&[-activation]);
        found
    }

    /// Enumerates products over the `Bool` terms `important` whose minterms are all models of the assertions and the
    /// `assumptions`, until every model is in one. `on_product` says whether more are wanted. Products are as large as one
    /// model can tell ([SMT §5]).
    ///
    /// This is for formulas over Booleans, functions and differences of integers. `None` if the formula is not of that kind, or
    /// too hard to be enumerated this way; the products that were given are right nevertheless.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// use tamis_solver::{Budget, Solver};
    /// let mut t = Terms::new();
    /// let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::Int));
    /// let [a, b] = ["a", "b"].map(|name| t.var(name, Sort::Bool));
    /// let either = t.or2(a, b);
    /// let important = [a, b, t.lt(x, y), t.lt(y, z), t.lt(z, x)];
    /// let mut solver = Solver::new(&Budget::unlimited());
    /// solver.assert(&t, either);
    /// let (mut cubes, mut part) = (Vec::new(), Vec::new());
    /// let done = solver.enumerate_products(&t, &[], &important, &mut |product| {
    ///     cubes.push(product.cube.to_vec());
    ///     part = product.parts[0].cubes.clone();
    ///     true
    /// });
    /// assert!(done.unwrap().unwrap().complete);
    /// // The comparisons have nothing to do with a and b; not all three can hold.
    /// assert!(cubes.iter().flatten().all(|&(position, value)| position < 2 && value));
    /// assert_eq!(part.len(), 3);
    /// ```
    #[allow(clippy::type_complexity)]
    pub fn enumerate_products(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        important: &[Term],
        on_product: OnProduct<'_>,
    ) -> Result<Option<Enumeration>, Stop> {
        if let Some(stop) = self.encoding.stopped {
            return Err(stop);
        }
        let receiver = Receiver::Products(on_product);
        let found = self.enumerate_differences(terms, assumptions, important, &[], receiver)?;
        Ok(match found {
            Some(FoundApart::Done(done)) => Some(done),
            _ => None,
        })
    }

    /// What the search for functions and differences finds, if all is of the kind that it takes.
    fn enumerate_differences(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        important: &[Term],
        known: &[Vec<(usize, bool)>],
        receiver: Receiver<'_>,
    ) -> Result<Option<FoundApart>, Stop> {
        let assertions = self.all_assertions();
        let question = Question { terms, assertions: &assertions, assumptions, important, known };
        let found = self.differences.enumerate(&question, receiver, &|| self.encoding.budget.check());
        let effort = self.differences.take_effort();
        self.count_own_search(effort);
        self.encoding.sat.forget();
        self.concrete = None;
        found
    }

    /// Variables for the important terms, which CaDiCaL keeps.
    fn projection(&mut self, terms: &Terms, important: &[Term]) -> Result<Projection, Stop> {
        let lits = self.circuits(terms, important)?;
        let mut places: Vec<Option<SatLit>> = Vec::with_capacity(lits.len());
        for &lit in &lits {
            places.push(lit.as_constant().is_none().then(|| {
                let literal = self.encoding.literal(lit);
                self.encoding.proxy(literal)
            }));
        }
        let mut observed: Vec<SatLit> = places.iter().flatten().map(|p| p.abs()).collect();
        observed.sort_unstable();
        observed.dedup();
        let index_of: FxHashMap<SatLit, usize> = observed.iter().enumerate().map(|(i, &v)| (v, i)).collect();
        let sources = std::iter::zip(&lits, &places).map(|(lit, place)| match place {
            Some(p) => Source::Observed { index: index_of[&p.abs()], sign: *p > 0 },
            None => Source::Constant(lit.as_constant() == Some(true)),
        });
        Ok(Projection { sources: sources.collect(), observed })
    }

    fn enumerate_in_search(
        &mut self,
        activation: SatLit,
        assumed: &[SatLit],
        projection: Projection,
        on_model: &mut dyn FnMut(&[bool]) -> Cube,
    ) -> Result<Enumeration, Stop> {
        let (projection, models) = (Rc::new(projection), Rc::new(Cell::new(0)));
        self.encoding.arrays.rounds = 0;
        loop {
            let (view, mut observed) = self.arrays_to_observe()?;
            observed.extend_from_slice(&projection.observed);
            observed.push(activation);
            let violated = Found::default();
            let blocker = Blocker::new(projection.clone(), activation, &mut *on_model, models.clone());
            // SAFETY: the propagator that owns it has been dropped when `search` returns or unwinds, and `on_model`
            // lives on.
            let blocker = unsafe { blocker.into_static() };
            let before = models.get();
            let guard = ArrayGuard { view, found: violated.clone(), inner: blocker };
            let found = self.search(None, assumed, &observed, Some(guard));
            self.stats.models += models.get() - before;
            let (answer, outcome) = found?;
            if outcome.interrupted() {
                self.encoding.grant_requests()?;
                continue;
            }
            let violated = violated.take();
            if !violated.is_empty() {
                self.add_array_lemmas(&violated)?;
                continue;
            }
            let complete = answer == Answer::Unsat;
            return Ok(Enumeration { models: models.get(), duplicates: 0, complete });
        }
    }

    /// What has to be known of arrays in a search, with the variables for that.
    fn arrays_to_observe(&mut self) -> Result<(View, Vec<SatLit>), Stop> {
        self.add_witnesses_of_arrays()?;
        Ok(if self.has_arrays() { self.observed_array_view() } else { Default::default() })
    }

    /// Makes all that models are compared with, witnesses of disequalities included.
    fn add_witnesses_of_arrays(&mut self) -> Result<(), Stop> {
        self.encoding.encode_arrays(&self.front.terms);
        if self.has_arrays() {
            self.add_witnesses()?;
            self.encoding.encode_arrays(&self.front.terms);
        }
        Ok(())
    }

    fn enumerate_naive(
        &mut self,
        activation: SatLit,
        assumed: &[SatLit],
        projection: Projection,
        on_model: &mut dyn FnMut(&[bool]) -> Cube,
    ) -> Result<Enumeration, Stop> {
        let (mut values, mut clause) = (Vec::new(), Vec::new());
        let mut models = 0;
        while self.solve(assumed)? == Answer::Sat {
            models += 1;
            let observed: Vec<bool> =
                projection.observed.iter().map(|&v| self.encoding.sat.value(v) == Some(true)).collect();
            projection.values(|i| observed[i], &mut values);
            let cube = on_model(&values);
            if projection.blocking_clause(activation, &values, &cube, &mut clause).is_none() {
                return Ok(Enumeration { models, duplicates: 0, complete: false });
            }
            self.encoding.sat.forget();
            self.encoding.sat.clause(&clause);
        }
        Ok(Enumeration { models, duplicates: 0, complete: true })
    }

    fn enumerate_black_box(
        &mut self,
        activation: SatLit,
        assumed: &[SatLit],
        projection: Projection,
        known: Vec<Vec<SatLit>>,
        on_model: &mut dyn FnMut(&[bool]) -> Cube,
    ) -> Result<Enumeration, Stop> {
        let before = known.len();
        let mut blocked = known;
        let mut values = Vec::new();
        loop {
            let models = (blocked.len() - before) as u64;
            // A model of the copy is not looked at as a whole.
            self.add_witnesses_of_arrays()?;
            if !self.encoding.theories.is_empty() {
                self.encoding.connect_theories();
            }
            self.encoding.flush()?;
            let mut scratch = self.encoding.sat.copy();
            for clause in &blocked {
                scratch.clause(clause);
            }
            let (answer, outcome) = self.search(Some(&mut scratch), assumed, &[], None::<()>)?;
            if outcome.interrupted() {
                self.encoding.grant_requests()?;
                continue;
            }
            if answer == Answer::Unsat {
                return Ok(Enumeration { models, duplicates: 0, complete: true });
            }
            if self.refine_arrays(Some(&mut scratch))? {
                continue;
            }
            self.stats.models += 1;
            let observed: Vec<bool> =
                projection.observed.iter().map(|&v| scratch.value(v) == Some(true)).collect();
            projection.values(|i| observed[i], &mut values);
            let mut clause = Vec::new();
            let cube = on_model(&values);
            if projection.blocking_clause(activation, &values, &cube, &mut clause).is_none() {
                return Ok(Enumeration { models: models + 1, duplicates: 0, complete: false });
            }
            blocked.push(clause);
        }
    }
}
