//! All models over important literals ([SMT §3.1]).

use crate::choice::Choose;
use crate::clauses::Lit;
use crate::congruence::Check;
use crate::limits;
use crate::outside::{Blocked, Following};
use crate::product::Part;
use crate::{Cube, Differences, Enumeration, Formulas, State, Unfit};
use rustc_hash::FxHashSet;
use std::ops::Range;
use tamis_logic::{Term, Terms};

/// Kinds of decisions: important literals, literals that a clause needs, and the choices at some places.
enum Step {
    Important,
    Needed,
    Choices(Range<usize>),
}

/// For models. The cubes of the first choice fix most important literals, so that few have to be guessed.
const CHOICE_FIRST: [Step; 4] =
    [Step::Choices(0..1), Step::Important, Step::Needed, Step::Choices(1..usize::MAX)];
/// For products. They are larger if no cube was chosen before important literals are decided.
const CHOICE_LAST: [Step; 4] =
    [Step::Important, Step::Needed, Step::Choices(1..usize::MAX), Step::Choices(0..1)];
const WITHOUT_CHOICES: [Step; 2] = [Step::Needed, Step::Important];

/// A cube: positions of important terms, and their values.
pub type Literals = Vec<(usize, bool)>;

/// What an enumeration came to.
pub enum Found {
    /// Everything was found, or as much as was wanted.
    Done(Enumeration),
    /// Given up after too many conflicts: the cubes that are blocked so far, and the number of models found.
    Rest(Vec<Literals>, u64),
}

/// The enumeration under way.
pub(crate) struct Run<'a> {
    pub formulas: &'a mut Formulas,
    pub important: Vec<Lit>,
    assumed: Vec<Lit>,
    /// Its negation is in all clauses that block.
    pub activation: Lit,
    seen: FxHashSet<Box<[u64]>>,
    /// Blocked cubes that are no minterms.
    blocked: Vec<Literals>,
    /// Literals that follow from clauses added above the level where they became unit.
    pub following: Vec<Following>,
    pub models: u64,
    /// The order in which decisions are made.
    order: &'static [Step],
    /// How many conflicts there were before this enumeration.
    before: u64,
}

/// What the caller is told of a model: the values. It says which cube is not to be visited again.
pub type OnModel<'a> = &'a mut dyn FnMut(&[bool]) -> Cube;

/// All combinations of values that are in a cube and in each of some parts.
pub struct Product<'a> {
    /// Positions of important terms, and their values.
    pub cube: &'a [(usize, bool)],
    /// They share no important term with the cube.
    pub parts: &'a [&'a Part],
}

/// The caller is told of a product, and says whether more are wanted.
pub type OnProduct<'a> = &'a mut dyn FnMut(&Product<'_>) -> bool;

/// The caller's function.
pub enum Receiver<'a> {
    /// Of models.
    Models(OnModel<'a>),
    /// Of products.
    Products(OnProduct<'a>),
}

/// What to do next.
pub(crate) enum Next {
    Go,
    End(Found),
}

/// A question: which values can important terms have?
pub struct Question<'a> {
    /// The store of all terms below.
    pub terms: &'a Terms,
    /// Everything asserted so far, in order, each with its activation. What was there at the last question is known.
    pub assertions: &'a [(Option<Term>, Term)],
    /// What holds for this question.
    pub assumptions: &'a [Term],
    /// The `Bool` terms whose values are asked for.
    pub important: &'a [Term],
    /// Cubes that are not visited.
    pub known: &'a [Literals],
}

impl Differences {
    /// Tells `receiver` of all models or products. `None` if a term is not of the kind that is decided here. `poll` is asked
    /// now and then whether to go on.
    pub fn enumerate<E>(
        &mut self,
        question: &Question<'_>,
        receiver: Receiver<'_>,
        poll: &dyn Fn() -> Result<(), E>,
    ) -> Result<Option<Found>, E> {
        let mut formulas = match std::mem::replace(&mut self.state, State::Unfit) {
            State::Unfit => return Ok(None),
            State::Fit(formulas) => formulas,
            State::Untried => Box::new(Formulas::new()),
        };
        let terms = question.terms;
        let new = question.assertions.get(formulas.asserted..).unwrap_or(&[]);
        if formulas.assert_all(terms, new).is_err() {
            return Ok(None);
        }
        formulas.asserted = question.assertions.len();
        let literals = formulas
            .literals(terms, question.important)
            .and_then(|important| Ok((important, formulas.literals(terms, question.assumptions)?)));
        let fit = literals.ok().filter(|_| formulas.has_theories());
        let found = match fit {
            Some(literals) => Some(self.run(&mut formulas, literals, question.known, receiver, poll)),
            None => None,
        };
        self.state = State::Fit(formulas);
        found.transpose()
    }

    fn run<E>(
        &mut self,
        formulas: &mut Formulas,
        (important, assumed): (Vec<Lit>, Vec<Lit>),
        known: &[Literals],
        receiver: Receiver<'_>,
        poll: &dyn Fn() -> Result<(), E>,
    ) -> Result<Found, E> {
        let before = formulas.search.effort();
        let activation = Lit::new(formulas.search.variable(), true);
        formulas.assumed = assumed.clone();
        let mut run = Run {
            formulas,
            important,
            assumed: std::iter::once(activation).chain(assumed).collect(),
            activation,
            seen: FxHashSet::default(),
            blocked: Vec::new(),
            following: Vec::new(),
            models: 0,
            order: match receiver {
                Receiver::Models(_) => &CHOICE_FIRST,
                Receiver::Products(_) => &CHOICE_LAST,
            },
            before: before.conflicts,
        };
        let found = run.enumerate(known, receiver, poll);
        let models = run.models;
        formulas.search.restart();
        formulas.search.drop_passing(!activation);
        let after = formulas.search.effort();
        self.effort.searches += 1;
        self.effort.models += models;
        self.effort.conflicts += after.conflicts - before.conflicts;
        self.effort.decisions += after.decisions - before.decisions;
        self.effort.propagations += after.propagations - before.propagations;
        found
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
    fn enumerate<E>(
        &mut self,
        known: &[Literals],
        mut receiver: Receiver<'_>,
        poll: &dyn Fn() -> Result<(), E>,
    ) -> Result<Found, E> {
        let mut blocked = Blocked::default();
        for cube in known {
            let clause = self.excluding(cube);
            self.formulas.search.block_from_start(&clause);
        }
        self.formulas.order_choices(&self.important);
        let mut steps = 0u32;
        let mut latest = self.formulas.search.conflicts;
        loop {
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(limits::STEPS_BETWEEN_POLLS) {
                poll()?;
            }
            let search = &mut self.formulas.search;
            if search.refuted {
                return Ok(Found::Done(self.done(true)));
            }
            if !search.propagate() {
                if !self.resolve() {
                    return Ok(Found::Done(self.done(true)));
                }
                if self.formulas.search.conflicts > latest + limits::CONFLICTS_BETWEEN_MODELS {
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
                        Receiver::Products(on_product) => self.give_product(on_product, &mut blocked),
                    };
                    if let Next::End(found) = next {
                        return Ok(found);
                    }
                }
            }
        }
    }

    /// Learns from the conflict and goes back; `false` if nothing is left.
    pub(crate) fn resolve(&mut self) -> bool {
        let more = self.formulas.search.resolve(!self.activation);
        self.assign_following();
        let conflicts = self.formulas.search.conflicts - self.before;
        if conflicts > limits::CONFLICTS_AT_START + limits::CONFLICTS_PER_PRODUCT * self.models {
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

    pub(crate) fn done(&self, complete: bool) -> Enumeration {
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
    pub(crate) fn excluding(&self, cube: &[(usize, bool)]) -> Vec<Lit> {
        self.against(cube).collect()
    }

    /// Its literals.
    pub(crate) fn against(&self, cube: &[(usize, bool)]) -> impl Iterator<Item = Lit> {
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
