//! The solver's front: assertions, checks, models and cores.

use crate::blast::has_bits;
use crate::budget::{Budget, Stop};
use crate::circuit::Lit;
use crate::dpll_t::Concrete;
use crate::encoding::Encoding;
use crate::preprocess::Preprocessor;
use crate::sat::SatLit;
use crate::stats::Stats;
use rustc_hash::FxHashSet;
use tamis_differences::{Differences, Effort};
use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};

/// The answer to a satisfiability question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
}

/// An incremental solver for formulas without quantifiers over Bool, BitVec, Int, Real, arrays, declared sorts and
/// functions. Products of two terms, divisions by a term, and arrays with one element everywhere whose indices are arrays or
/// of a declared sort are not decided: where an answer depends on them, it is
/// [`Stop::Unsupported`].
///
/// All terms given to one solver are of one [`Terms`] store. A term is turned into clauses once, when it is first
/// needed, and what the search learns is kept from check to check.
///
/// ```
/// use tamis_logic::{Sort, Terms};
/// use tamis_solver::{Answer, Budget, Solver};
/// let mut t = Terms::new();
/// let x = t.var("x", Sort::BitVec(16));
/// let (three, big) = (t.bits(16, 3), t.bits(16, 60_000));
/// let product = t.mul(x, three);
/// let is_big = t.eq(product, big);
/// let small = t.ult(x, three);
///
/// let mut solver = Solver::new(&Budget::unlimited());
/// solver.assert(&t, is_big);
/// assert_eq!(solver.check(&t, &[]), Ok(Answer::Sat));
/// assert_eq!(solver.value(&t, x).as_bits().unsigned(), 20_000);
/// assert_eq!(solver.check(&t, &[small]), Ok(Answer::Unsat));
/// assert_eq!(solver.core(), [small]);
/// ```
pub struct Solver {
    /// The solver's own terms: everything below is about them and not about the caller's.
    pub(crate) front: Preprocessor,
    /// Assertions that are not clauses yet, each with its activation.
    pending: Vec<(Option<Term>, Term)>,
    pub(crate) encoding: Encoding,
    /// Assertions as they came, each with its activation: what a model is checked with.
    pub(crate) formulas: Vec<(Option<Term>, Term)>,
    /// The values of the theories' terms in the last model.
    pub(crate) concrete: Option<Concrete>,
    /// The core of the last check.
    core: Vec<Term>,
    pub(crate) stats: Stats,
    /// Whether the caller evaluates models.
    trusted: bool,
    /// The search for models where numbers are compared by differences only.
    pub(crate) differences: Differences,
}

impl Solver {
    /// A solver without assertions, whose searches are stopped when `budget` is exhausted.
    pub fn new(budget: &Budget) -> Solver {
        Solver {
            front: Preprocessor::default(),
            pending: Vec::new(),
            encoding: Encoding::new(budget),
            formulas: Vec::new(),
            concrete: None,
            core: Vec::new(),
            stats: Stats::default(),
            trusted: false,
            differences: Differences::default(),
        }
    }

    /// What stops the searches.
    pub fn budget(&self) -> &Budget {
        &self.encoding.budget
    }

    /// Leaves the evaluation of models to the caller, as far as terms are decided here.
    pub fn leave_evaluation(&mut self) {
        self.trusted = true;
    }

    /// Seeds the search's random choices, 0 at first. The same questions with the same seed have the same answers,
    /// models and counters. What has been learned is lost.
    pub fn set_seed(&mut self, seed: u32) {
        if seed != self.encoding.seed {
            self.encoding.seed = seed;
            self.rebuild();
        }
    }

    /// Switches theory propagation on or off; it is on at first. Without it the theories find conflicts, but do not say
    /// what follows: the configuration that \[SMT\] section 4.3 compares with.
    pub fn set_theory_propagation(&mut self, on: bool) {
        self.encoding.theories.euf.set_propagation(on);
        self.encoding.theories.arith.set_propagation(on);
    }

    /// Asserts a `Bool` term for good.
    ///
    /// If the budget is exhausted before the next check, that and every later one answers with the stop.
    pub fn assert(&mut self, _: &Terms, formula: Term) {
        self.pending.push((None, formula));
    }

    /// Asserts `activation ⇒ formula`: the formula counts in the checks that assume `activation`.
    pub fn assert_under(&mut self, _: &Terms, activation: Term, formula: Term) {
        self.pending.push((Some(activation), formula));
    }

    /// Makes clauses of the assertions that wait.
    pub(crate) fn settle(&mut self, terms: &Terms) -> Result<(), Stop> {
        if let Some(stop) = self.encoding.stopped {
            return Err(stop);
        }
        if self.pending.is_empty() {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let result = self.settle_all(terms, &pending);
        self.formulas.extend(pending);
        if let Err(stop) = result {
            self.encoding.stopped.get_or_insert(stop);
        }
        self.count_formula();
        self.encoding.stopped.map_or(Ok(()), Err)
    }

    fn settle_all(&mut self, terms: &Terms, pending: &[(Option<Term>, Term)]) -> Result<(), Stop> {
        let mut lasting = Vec::new();
        let mut guarded = Vec::new();
        for &(guard, formula) in pending {
            match guard {
                None => lasting.push(formula),
                Some(guard) => guarded.extend([guard, formula]),
            }
        }
        if !lasting.is_empty() {
            let facts = self.front.settle(terms, &lasting, &self.encoding.budget)?;
            let own = &self.front.terms;
            facts.into_iter().try_for_each(|fact| self.encoding.assert_guarded(own, None, fact))?;
        }
        if !guarded.is_empty() {
            let images = self.front.images(terms, &guarded);
            let own = &self.front.terms;
            images
                .chunks(2)
                .try_for_each(|pair| self.encoding.assert_guarded(own, Some(pair[0]), pair[1]))?;
        }
        Ok(())
    }

    /// Everything that was asserted, in order.
    pub(crate) fn all_assertions(&self) -> Vec<(Option<Term>, Term)> {
        self.formulas.iter().chain(&self.pending).copied().collect()
    }

    /// Lends out the solver's own terms: most of what needs them needs the rest of the solver too.
    pub(crate) fn with_own_terms<T>(&mut self, f: impl FnOnce(&mut Solver, &Terms) -> T) -> T {
        let own = std::mem::take(&mut self.front.terms);
        let result = f(self, &own);
        self.front.terms = own;
        result
    }

    /// Whether the assertions and the `Bool` terms `assumptions` have a common model.
    pub fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, Stop> {
        self.core.clear();
        self.concrete = None;
        self.encoding.sat.forget();
        let lits = match self.assumption_literals(terms, assumptions)? {
            Ok(lits) => lits,
            Err(falsehood) => {
                self.core.push(falsehood);
                return Ok(Answer::Unsat);
            }
        };
        let only: Vec<SatLit> = lits.iter().map(|&(_, lit)| lit).collect();
        self.encoding.theories.wants_model = true;
        let answer = self.solve(&only)?;
        if answer == Answer::Sat {
            self.accept_model(terms, assumptions)?;
        }
        if answer == Answer::Unsat {
            for (t, lit) in lits {
                if self.encoding.sat.failed(lit) {
                    self.core.push(t);
                }
            }
        }
        Ok(answer)
    }

    /// The literals of the assumptions that are not true by themselves, each once; or an assumption that is false by
    /// itself.
    #[allow(clippy::type_complexity)]
    pub(crate) fn assumption_literals(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
    ) -> Result<Result<Vec<(Term, SatLit)>, Term>, Stop> {
        self.settle(terms)?;
        self.rebuild_if_crowded();
        let found = self.circuits(terms, assumptions)?;
        let mut lits: Vec<(Term, SatLit)> = Vec::with_capacity(assumptions.len());
        let mut seen = FxHashSet::default();
        for (&t, lit) in assumptions.iter().zip(found) {
            match lit.as_constant() {
                Some(true) => {}
                Some(false) => return Ok(Err(t)),
                None => {
                    let lit = self.encoding.literal(lit);
                    if seen.insert(lit) {
                        lits.push((t, lit));
                    }
                }
            }
        }
        Ok(Ok(lits))
    }

    /// The literals of `Bool` terms in the circuit.
    pub(crate) fn circuits(&mut self, terms: &Terms, roots: &[Term]) -> Result<Vec<Lit>, Stop> {
        let images = self.front.images(terms, roots);
        let own = &self.front.terms;
        self.encoding.blast(own, &images)?;
        Ok(images.iter().map(|&t| self.encoding.blaster.lit(own, t)).collect())
    }

    /// Takes the theories' part of a model, and makes sure that the model is one. A formula with terms that no theory
    /// here decides can have a model nevertheless.
    ///
    /// An assignment to bits alone is a model of the circuit, so that nothing is evaluated then, except in debug builds.
    fn accept_model(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<(), Stop> {
        let by_theories = !self.encoding.theories.is_empty() || !self.encoding.arrays.is_empty();
        if by_theories {
            self.concrete = Concrete::new(&self.encoding.theories, &self.front.terms);
        }
        if !cfg!(debug_assertions) && (!by_theories || self.trusted && !self.encoding.theories.incomplete) {
            return Ok(());
        }
        let mut roots: Vec<Term> = assumptions.to_vec();
        for (guard, formula) in &self.formulas {
            roots.extend([guard.unwrap_or(*formula), *formula]);
        }
        let vars = terms.free_vars_of(&roots);
        let model = self.model(terms, &vars);
        let values = terms.eval_all(&roots, &model);
        let holds = |at: usize| values[at].as_bool();
        let assumed = assumptions.len();
        let asserted = self.formulas.iter().enumerate().all(|(i, (guard, _))| {
            let at = assumed + 2 * i;
            holds(at + 1) || guard.is_some() && !holds(at)
        });
        if asserted && (0..assumed).all(holds) {
            return Ok(());
        }
        self.encoding.sat.forget();
        assert!(self.encoding.theories.incomplete, "the theories accepted an assignment that is no model");
        Err(Stop::Unsupported)
    }

    /// The value of a term in the model of the last check, which was [`Answer::Sat`]. What was never part of a
    /// question is `false` or 0. Assertions made since the check do not change the model.
    ///
    /// # Panics
    /// If the last check did not answer [`Answer::Sat`].
    pub fn value(&mut self, terms: &Terms, t: Term) -> Value {
        assert!(self.encoding.sat.has_model(), "a value is asked for, but the last check found no model");
        if let Some(value) = self.bit_values(terms, t) {
            return value;
        }
        let vars = terms.free_vars(t);
        let model = self.model(terms, &vars);
        terms.eval(t, &model)
    }

    /// The value of a term all of whose bits took part in the search.
    fn bit_values(&mut self, terms: &Terms, t: Term) -> Option<Value> {
        if !has_bits(terms.sort(t)) {
            return None;
        }
        let own = self.front.find(t)?;
        let (blaster, encoder) = (&self.encoding.blaster, &self.encoding.encoder);
        let lits = blaster.find(&self.front.terms, own)?;
        let mut bits = Vec::with_capacity(lits.len());
        for &lit in lits {
            bits.push(match lit.as_constant() {
                Some(bit) => bit,
                None => self.encoding.sat.value(encoder.known(lit)?)?,
            });
        }
        Some(from_bits(terms.sort(t), &bits))
    }

    /// The values of the variables `vars` in the model of the last check, and of all functions.
    ///
    /// # Panics
    /// As [`value`](Solver::value).
    pub fn model(&mut self, terms: &Terms, vars: &[Term]) -> Model {
        assert!(self.encoding.sat.has_model(), "a model is asked for, but the last check found none");
        let mut model = Model::new();
        if let Some(values) = &self.concrete {
            values.set_functions(&self.encoding.theories, &self.front.terms, &mut model);
        }
        let mut front = std::mem::take(&mut self.front);
        let values = front.values(terms, vars, &model, &mut |own, var| self.own_value(own, var));
        self.front = front;
        for (&var, value) in vars.iter().zip(values) {
            model.set(var, value);
        }
        model
    }

    /// The value of a variable of the solver's own.
    pub(crate) fn own_value(&mut self, own: &Terms, var: Term) -> Value {
        let sort = own.sort(var);
        if has_bits(sort) {
            let Some(lits) = self.encoding.blaster.find(own, var) else { return own.default_value(sort) };
            // Bits that no clause mentions are 0.
            let bit = |&lit: &Lit| {
                self.encoding.encoder.known(lit).and_then(|lit| self.encoding.sat.value(lit)).unwrap_or(false)
            };
            let bits: Vec<bool> = lits.iter().map(bit).collect();
            return from_bits(sort, &bits);
        }
        let by_theory =
            self.concrete.as_ref().and_then(|values| values.term(&self.encoding.theories, var)).cloned();
        by_theory.or_else(|| self.encoding.arrays.value(own, var)).unwrap_or_else(|| own.default_value(sort))
    }

    /// After [`Answer::Unsat`]: assumptions of the last check that cannot hold together with the assertions. Of
    /// assumptions that mean the same, at most one.
    pub fn core(&self) -> &[Term] {
        &self.core
    }

    /// What the solver has done so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    fn count_formula(&mut self) {
        self.stats.clauses = self.encoding.asserted.before.clauses + self.encoding.encoder.clauses;
        self.stats.variables = self.encoding.sat.variables();
    }

    /// Counts a search of models, and its conflicts, decisions and propagations.
    pub(crate) fn count_own_search(&mut self, effort: Effort) {
        self.stats.solves += effort.searches;
        self.stats.models += effort.models;
        self.stats.conflicts += effort.conflicts;
        self.stats.decisions += effort.decisions;
        self.stats.propagations += effort.propagations;
        let before = &mut self.encoding.asserted.before;
        before.conflicts += effort.conflicts;
        before.decisions += effort.decisions;
        before.propagations += effort.propagations;
    }

    pub(crate) fn count_search(&mut self) {
        self.count_formula();
        let before = &self.encoding.asserted.before;
        self.stats.conflicts = before.conflicts + self.encoding.sat.statistic("conflicts");
        self.stats.decisions = before.decisions + self.encoding.sat.statistic("decisions");
        self.stats.propagations = before.propagations + self.encoding.sat.statistic("propagations");
    }
}

/// The value with these bits, the least significant first.
fn from_bits(sort: Sort, bits: &[bool]) -> Value {
    if sort == Sort::Bool { Value::Bool(bits[0]) } else { Value::Bits(Bits::from_bits(bits)) }
}
