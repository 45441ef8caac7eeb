//! All models over important literals ([SMT §3.1]).

use super::choice::Choose;
use super::clauses::Lit;
use super::congruence::Check;
use super::outside::{Blocked, Following};
use super::product::Part;
use super::{Differences, Formulas, Unfit};
use crate::budget::{Budget, Stop};
use crate::enumerate::{Cube, Enumeration};
use crate::solver::Solver;
use rustc_hash::FxHashSet;
use std::ops::Range;
use tamis_logic::{Term, Terms};

/// With so many conflicts and no model between them, the query is left to CaDiCaL.
const PATIENCE: u64 = 20_000;

/// How many steps are taken between two looks at the budget.
const POLL_EVERY: u32 = 512;

/// What is decided: important literals, what they and the assertions need, and choices.
enum Step {
    Important,
    Needed,
    Choices(Range<usize>),
}

/// The first choice says most of what important literals are: few are left to be decided, and few of them wrong.
const CHOICE_FIRST: [Step; 4] =
    [Step::Choices(0..1), Step::Important, Step::Needed, Step::Choices(1..usize::MAX)];
/// Or important literals come first: products are larger if nothing has been chosen that they could do without.
const CHOICE_LAST: [Step; 4] =
    [Step::Important, Step::Needed, Step::Choices(1..usize::MAX), Step::Choices(0..1)];
const WITHOUT_CHOICES: [Step; 2] = [Step::Needed, Step::Important];

/// With more conflicts for each product, and some more, important literals are decided wrong too often to be the first.
const CONFLICTS_OF_PRODUCT: u64 = 20;
const CONFLICTS_AT_FIRST: u64 = 100;

/// A cube: positions of important terms, and their values.
pub(super) type Literals = Vec<(usize, bool)>;

/// What an enumeration came to.
pub(crate) enum Found {
    Done(Enumeration),
    /// These cubes are blocked, after so many models. The rest is too hard to be found here.
    Rest(Vec<Literals>, u64),
}

/// The enumeration under way.
pub(super) struct Run<'a> {
    pub formulas: &'a mut Formulas,
    pub important: Vec<Lit>,
    assumed: Vec<Lit>,
    /// Its negation is in all clauses that block.
    pub activation: Lit,
    seen: FxHashSet<Box<[u64]>>,
    /// Blocked cubes that are no minterms.
    blocked: Vec<Literals>,
    /// What follows without having been noticed in time.
    pub following: Vec<Following>,
    pub models: u64,
    /// The order in which decisions are made.
    order: &'static [Step],
    /// How many conflicts there were before this enumeration.
    before: u64,
    budget: &'a Budget,
}

/// What the caller is told of a model: the values. It says which cube is not to be visited again.
pub(crate) type OnModel<'a> = &'a mut dyn FnMut(&[bool]) -> Cube;

/// All combinations of values that are in a cube and in each of some parts.
pub struct Product<'a> {
    /// Positions of important terms, and their values.
    pub cube: &'a [(usize, bool)],
    /// They share no important term with the cube.
    pub parts: &'a [&'a Part],
}

/// The caller is told of a product, and says whether more are wanted.
pub(crate) type OnProduct<'a> = &'a mut dyn FnMut(&Product<'_>) -> bool;

/// Who is told of what is found.
pub(crate) enum Receiver<'a> {
    Models(OnModel<'a>),
    Products(OnProduct<'a>, Box<Blocked>),
}

/// What to do next.
pub(super) enum Next {
    Go,
    End(Found),
}

impl Solver {
    /// Enumerates models as [`enumerate_beyond`](Solver::enumerate_beyond) does, if all is of the kind that fits here.
    pub(crate) fn enumerate_differences(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        important: &[Term],
        known: &[Literals],
        receiver: Receiver<'_>,
    ) -> Result<Option<Found>, Stop> {
        if matches!(self.differences, Differences::Unfit) {
            return Ok(None);
        }
        let state = std::mem::replace(&mut self.differences, Differences::Unfit);
        let mut formulas = match state {
            Differences::Fit(formulas) => formulas,
            _ => Box::new(Formulas::new()),
        };
        let all = self.all_assertions();
        let new = all.get(formulas.asserted..).unwrap_or(&[]);
        if formulas.assert_all(terms, new).is_err() {
            return Ok(None);
        }
        formulas.asserted = all.len();
        let literals = formulas
            .literals(terms, important)
            .and_then(|important| Ok((important, formulas.literals(terms, assumptions)?)));
        let Ok((important, assumed)) = literals else {
            self.differences = Differences::Fit(formulas);
            return Ok(None);
        };
        if !formulas.has_theories() {
            self.differences = Differences::Fit(formulas);
            return Ok(None);
        }
        let before = (formulas.search.conflicts, formulas.search.decisions, formulas.search.propagations);
        let activation = Lit::new(formulas.search.variable(), true);
        formulas.assumed = assumed.clone();
        let mut run = Run {
            formulas: &mut formulas,
            important,
            assumed: std::iter::once(activation).chain(assumed).collect(),
            activation,
            seen: FxHashSet::default(),
            blocked: Vec::new(),
            following: Vec::new(),
            models: 0,
            order: match receiver {
                Receiver::Models(_) => &CHOICE_FIRST,
                Receiver::Products(..) => &CHOICE_LAST,
            },
            before: before.0,
            budget: &self.budget,
        };
        let found = run.enumerate(known, receiver);
        let models = run.models;
        formulas.search.restart();
        formulas.search.drop_passing(!activation);
        let search = &formulas.search;
        self.count_own_search(
            models,
            [search.conflicts - before.0, search.decisions - before.1, search.propagations - before.2],
        );
        self.differences = Differences::Fit(formulas);
        found.map(Some)
    }
}

impl Solver {
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
        if let Some(stop) = self.stopped {
            return Err(stop);
        }
        let receiver = Receiver::Products(on_product, Box::default());
        let found = self.enumerate_differences(terms, assumptions, important, &[], receiver)?;
        self.sat.forget();
        self.concrete = None;
        Ok(match found {
            Some(Found::Done(done)) => Some(done),
            _ => None,
        })
    }
}

impl Formulas {
    /// The literals of terms that are asked about.
    fn literals(&mut self, terms: &Terms, roots: &[Term]) -> Result<Vec<Lit>, Unfit> {
        self.encode(terms, roots)?;
        let lits: Result<Vec<Lit>, Unfit> = roots.iter().map(|&t| self.known_literal(t)).collect();
        for &lit in lits.iter().flatten() {
            self.demand(lit);
            self.demand(!lit);
        }
        lits
    }
}

/// Truth values as bits.
fn packed(values: &[bool]) -> Box<[u64]> {
    let word = |chunk: &[bool]| chunk.iter().rev().fold(0, |word, &value| word << 1 | u64::from(value));
    values.chunks(64).map(word).collect()
}

impl Run<'_> {
    fn enumerate(&mut self, known: &[Literals], mut receiver: Receiver<'_>) -> Result<Found, Stop> {
        for cube in known {
            let clause = self.excluding(cube);
            self.formulas.search.block_from_start(&clause);
        }
        self.formulas.order_choices(&self.important);
        let mut steps = 0u32;
        let mut latest = self.formulas.search.conflicts;
        loop {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(POLL_EVERY) {
                self.budget.check()?;
            }
            let search = &mut self.formulas.search;
            if search.refuted {
                return Ok(Found::Done(self.done(true)));
            }
            if !search.propagate() {
                if !self.resolve() {
                    return Ok(Found::Done(self.done(true)));
                }
                if self.formulas.search.conflicts > latest + PATIENCE {
                    return Ok(self.rest(known));
                }
                continue;
            }
            if search.level() < self.assumed.len() {
                let lit = self.assumed[search.level()];
                match search.value(lit) {
                    Some(true) => search.decide(None),
                    Some(false) => return Ok(Found::Done(self.done(true))),
                    None => search.decide(Some(lit)),
                }
                continue;
            }
            match self.next_decision() {
                Choose::Made => {}
                Choose::Decide(lit) => {
                    self.formulas.search.decide(Some(lit));
                    continue;
                }
                Choose::Conflict(clause) => {
                    self.formulas.search.set_conflict(&clause);
                    self.formulas.search.keep_lemma();
                    if !self.resolve() {
                        return Ok(Found::Done(self.done(true)));
                    }
                    continue;
                }
            }
            match self.formulas.check_functions() {
                Check::Open(lit) => self.formulas.search.decide(Some(lit)),
                Check::Missing(instances) => {
                    self.formulas.search.restart();
                    instances.into_iter().for_each(|instance| self.formulas.add_instance(instance));
                    self.assign_following();
                }
                Check::Stuck => return Ok(self.rest(known)),
                Check::Model => {
                    latest = self.formulas.search.conflicts;
                    let next = match &mut receiver {
                        Receiver::Models(on_model) => self.give(on_model),
                        Receiver::Products(on_product, blocked) => self.give_product(on_product, blocked),
                    };
                    if let Next::End(found) = next {
                        return Ok(found);
                    }
                }
            }
        }
    }

    /// Learns from the conflict and goes back; `false` if nothing is left.
    pub(super) fn resolve(&mut self) -> bool {
        let more = self.formulas.search.resolve(!self.activation);
        self.assign_following();
        let conflicts = self.formulas.search.conflicts - self.before;
        if conflicts > CONFLICTS_AT_FIRST + CONFLICTS_OF_PRODUCT * self.models {
            self.order = &CHOICE_FIRST;
        }
        more
    }

    /// What to decide next.
    fn next_decision(&mut self) -> Choose {
        let search = &mut self.formulas.search;
        let order = match search.choices.is_empty() {
            true => &WITHOUT_CHOICES[..],
            false => self.order,
        };
        for step in order {
            let decision = match step {
                Step::Important => self
                    .important
                    .iter()
                    .find(|&&lit| search.value(lit).is_none())
                    .map(|&lit| search.preferred(lit)),
                Step::Needed => search.unjustified(),
                Step::Choices(places) => {
                    let (from, to) = (places.start, places.end.min(search.choices.len()));
                    for at in from..to {
                        match search.choose(at) {
                            Choose::Made => {}
                            other => return other,
                        }
                    }
                    None
                }
            };
            if let Some(lit) = decision {
                return Choose::Decide(lit);
            }
        }
        Choose::Made
    }

    pub(super) fn done(&self, complete: bool) -> Enumeration {
        Enumeration { models: self.models, duplicates: 0, complete }
    }

    /// What has been found, for somebody else to go on with.
    fn rest(&mut self, known: &[Literals]) -> Found {
        let count = self.important.len();
        let minterm = |bits: &[u64]| -> Literals {
            (0..count).map(|at| (at, bits[at / 64] >> (at % 64) & 1 == 1)).collect()
        };
        let mut blocked = known.to_vec();
        blocked.append(&mut self.blocked);
        blocked.extend(self.seen.iter().map(|bits| minterm(bits)));
        Found::Rest(blocked, self.models)
    }

    /// The clause against a cube.
    pub(super) fn excluding(&self, cube: &[(usize, bool)]) -> Vec<Lit> {
        self.against(cube).collect()
    }

    /// Its literals.
    pub(super) fn against(&self, cube: &[(usize, bool)]) -> impl Iterator<Item = Lit> {
        let against = |&(at, value): &(usize, bool)| self.important[at].flip_if(value);
        std::iter::once(!self.activation).chain(cube.iter().map(against))
    }

    /// Gives the model to the caller and blocks it.
    fn give(&mut self, on_model: OnModel<'_>) -> Next {
        let search = &mut self.formulas.search;
        let values: Vec<bool> = self.important.iter().map(|&lit| search.value(lit) == Some(true)).collect();
        let mut cube = Cube::Minterm;
        if self.seen.insert(packed(&values)) {
            self.models += 1;
            cube = on_model(&values);
        }
        let literals: Literals = match cube {
            Cube::Minterm => values.iter().copied().enumerate().collect(),
            Cube::Positions(kept) => {
                let literals: Literals = kept.iter().map(|&at| (at, values[at])).collect();
                let clause = self.excluding(&literals);
                self.formulas.search.block(&clause);
                self.blocked.push(literals.clone());
                literals
            }
            Cube::Enough => return Next::End(Found::Done(self.done(false))),
        };
        let clause = self.excluding(&literals);
        let search = &mut self.formulas.search;
        search.block_for_now(&clause);
        search.set_conflict(&clause);
        if self.resolve() { Next::Go } else { Next::End(Found::Done(self.done(true))) }
    }
}
