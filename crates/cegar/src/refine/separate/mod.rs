//! Predicates that eliminate any path: they tell the states in which its segments end from those in which the rest of
//! it can be executed.
//!
//! Weakest preconditions are predicates only where nothing is chosen in between: an input, or what is written to an
//! array at an index that is not known, leaves a quantifier. What follows needs none. As long as the abstract model has
//! a trace along the path, its segments have executions of their own that agree on the predicates at the cuts
//! ([`trace_eliminate`](super::trace_eliminate)). Seen from the error, there is a last cut at which the two states
//! differ in what matters: the next segment starts in a state from which the rest of the path can be executed, and the
//! segment before ends in one from which it cannot. An unsat core of why it cannot, over the values in that state, is a
//! cube around it that excludes all states of the first kind (Chockler, Ivrii, Matsliah: *Computing Interpolants without
//! Proofs*). Its literals become predicates. One of them tells the two states apart, so this trace is gone; and since
//! there are finitely many values, after finitely many cubes the path is. That is the progress argument of the whole
//! loop: every spurious path is eliminated, whatever it does. It holds for words of any width, and for memories: a cube
//! speaks of as many of their elements as it takes, at indices that are terms or, where a cycle chooses the index, numbers.
//!
//! How few cubes it takes depends on how wide they are; see [`Rest::exclude`].

mod widen;
mod words;

use super::eliminate::{positive, state_predicates};
use super::proposal::CandidateId;
use super::{Refinement, Refuted};
use crate::cegar::Run;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use tamis_logic::{Model, Op, Sort, Term, Terms, Value};
use tamis_paq::Interrupted;
use tamis_solver::{Answer, Budget, Solver, Stop};
use tamis_system::{Guards, System};
use widen::widen;
use words::{compared, comparison, conditions, differing_index, join_parts, pairs, reads_of, taken};

impl<S: System> Refinement<S> {
    /// Candidates that, together with those that the trace's regions were computed with, eliminate its path.
    pub(super) fn separate(
        &mut self,
        run: &mut Run<'_, S>,
        refuted: &Refuted<'_, S::Edge>,
    ) -> Result<Vec<CandidateId>, Interrupted> {
        let Refuted { path, core, .. } = refuted;
        let mut known: BTreeSet<CandidateId> =
            self.chosen.iter().copied().filter(|&id| !self.is_new(refuted, id)).collect();
        let system = run.abstraction.system;
        let cuts = core.start + 1..path.cuts.len();
        let segments =
            cuts.clone().map(|cut| system.follow(run.terms, path.segment(cut), &system.symbolic()));
        let mut after: Vec<S::State> = segments.map(|followed| followed.post).collect();
        let mut rests = Vec::new();
        for cut in cuts {
            let point = path.cuts[cut].1;
            let position = path.cuts[cut].0;
            let condition = core.rest(run.terms, system, path, position);
            let changes = |terms: &mut Terms, word: Term| {
                after.iter_mut().any(|state| system.read(terms, state, word) != word)
            };
            let mut rest = Rest::new(run.terms, run.budget, &condition, changes);
            let chosen = self.chosen.iter().flat_map(|&id| &self.pool.get(id).predicates);
            rest.prefer(run.terms, chosen.filter(|(at, _)| *at == point).map(|&(_, p)| p));
            rests.push((cut, rest));
        }
        let mut found = Vec::new();
        loop {
            run.budget.check()?;
            let asked: Vec<(usize, &[Term])> =
                rests.iter().map(|(cut, rest)| (*cut, rest.variables.as_slice())).collect();
            let states = self.trace_eliminate.ends(run, path, &self.pool, &known, &asked)?;
            let Some(states) = states else { return Ok(found) };
            let mut cube = None;
            for ((cut, rest), state) in rests.iter_mut().zip(&states).rev() {
                if let Some(literals) = rest.exclude(run.terms, state)? {
                    cube = Some((path.cuts[*cut].1, literals));
                    break;
                }
            }
            let (point, literals) = cube.expect("no execution follows the path, so the trace jumps at a cut");
            let located: Vec<_> = literals.into_iter().map(|l| (point, positive(run.terms, l))).collect();
            let before = known.len();
            for id in self.pool.located(&located) {
                if known.insert(id) {
                    found.push(id);
                }
            }
            assert!(known.len() > before, "a cube between two states tells them apart");
        }
    }
}

/// A word with more words beside it in an atom than this is compared with none of them.
pub const MAX_COMPARED: usize = 4;

/// With more pairs of words than this no more are compared.
const MAX_PAIRS: usize = 32;

/// With more literals than this only those of the solver's own core are tried one by one.
const MAX_TRIED: usize = 64;

/// What the rest of a path, from a cut on, requires of the state there: its guards as far as they are in the core.
pub(super) struct Rest {
    guards: Vec<Term>,
    /// Holds the guards.
    solver: Solver,
    /// The state variables in the guards.
    pub variables: Vec<Term>,
    /// Where the atoms of the guards read those of them that are arrays.
    reads: Vec<Reads>,
    /// Formulas over the state that the program speaks of.
    atoms: Vec<Term>,
    /// Pairs of words that occur in one atom of the guards, and whether as signed numbers.
    compared: Vec<(Term, Term, bool)>,
    /// What the guards depend on of the state: variables, and elements of arrays. What changes on the path comes
    /// first: it is what a cube had better do without, since it will have other values the next time round.
    words: Vec<Term>,
}

/// Where an atom reads arrays of the state: the arrays and the indices.
struct Reads {
    places: Vec<(Term, Term)>,
    /// Whether the atom compares signed numbers.
    signed: bool,
}

impl Rest {
    pub fn new(
        terms: &mut Terms,
        budget: &Budget,
        condition: &Guards,
        mut changes: impl FnMut(&mut Terms, Term) -> bool,
    ) -> Rest {
        let guards: Vec<Term> = condition.terms().collect();
        let inputs: FxHashSet<Term> = condition.inputs.iter().copied().collect();
        let pure = |terms: &Terms, t: Term| terms.free_vars(t).iter().all(|v| !inputs.contains(v));
        let variables: Vec<Term> =
            terms.free_vars_of(&guards).into_iter().filter(|v| !inputs.contains(v)).collect();
        let mut words: Vec<Term> =
            variables.iter().copied().filter(|&v| !matches!(terms.sort(v), Sort::Array(_))).collect();
        let mut reads = Vec::new();
        for atom in guards.iter().flat_map(|&guard| terms.atoms(guard)) {
            let mut places = reads_of(terms, atom);
            places.retain(|(array, _)| !inputs.contains(array));
            reads.push(Reads { places, signed: terms.op(atom) == Op::Slt });
        }
        for &(array, index) in reads.iter().flat_map(|reads| &reads.places) {
            if pure(terms, index) {
                words.push(terms.select(array, index));
            }
        }
        join_parts(terms, &guards, &mut words);
        let mut atoms = state_predicates(terms, condition).predicates;
        for condition in conditions(terms, &guards) {
            if pure(terms, condition) {
                atoms.extend(terms.atoms(condition));
            }
        }
        let mut solver = Solver::new(budget);
        guards.iter().for_each(|&guard| solver.assert(terms, guard));
        let changing: FxHashSet<Term> = words.iter().copied().filter(|&w| changes(terms, w)).collect();
        words.sort_by_key(|w| (!changing.contains(w), *w));
        words.dedup();
        let compared = compared(terms, &guards, &words);
        let mut rest = Rest { guards, solver, variables, reads, atoms: Vec::new(), compared, words };
        rest.prefer(terms, atoms);
        rest
    }

    /// Takes note of formulas that cubes had better be made of.
    pub fn prefer(&mut self, terms: &Terms, formulas: impl IntoIterator<Item = Term>) {
        let known = |p: Term| terms.free_vars(p).iter().all(|v| self.variables.contains(v));
        self.atoms.extend(formulas.into_iter().filter(|&p| known(p) && terms.constant(p).is_none()));
        self.atoms.sort_unstable();
        self.atoms.dedup();
    }

    /// A cube around a state that excludes every state from which the rest can be executed; `None` if it can be from
    /// this one.
    ///
    /// Formulas of the program come before comparisons of words with each other, and these before words' values: what
    /// is closer to the program is likelier to hold the next time too. A value that is needed is widened.
    pub fn exclude(&mut self, terms: &mut Terms, state: &Model) -> Result<Option<Vec<Term>>, Stop> {
        loop {
            let literals = self.comparisons_and_atoms(terms, state);
            if self.solver.check(terms, &literals)? == Answer::Unsat {
                return self.solver.minimize_core(terms, &literals).map(Some);
            }
            if !self.compare_more(terms) {
                break;
            }
        }
        let (mut literals, fixed) = loop {
            let literals = self.comparisons_and_atoms(terms, state);
            let values = terms.eval_all(&self.words, state);
            let fixed: Vec<(Term, Term, Value)> = (self.words.iter().zip(values))
                .map(|(&word, value)| {
                    let constant = terms.value(value.clone());
                    (terms.eq(word, constant), word, value)
                })
                .collect();
            let all: Vec<Term> = fixed.iter().map(|(is, ..)| *is).chain(literals.iter().copied()).collect();
            if self.solver.check(terms, &all)? == Answer::Unsat {
                break (all, fixed);
            }
            if !self.read_more(terms, state) {
                return Ok(None);
            }
        };
        if literals.len() > MAX_TRIED {
            let core = self.solver.core();
            literals.retain(|l| core.contains(l));
        }
        let mut needed = self.solver.minimize_core(terms, &literals)?;
        for (is, word, value) in fixed {
            if let (Some(place), Value::Bits(value)) = (needed.iter().position(|&l| l == is), value) {
                needed.remove(place);
                let wide = widen(terms, &mut self.solver, &needed, word, &value)?;
                needed.extend(wide);
            }
        }
        Ok(Some(needed))
    }

    /// What a cube had better be made of, as it is in a state; what is preferred comes last.
    fn comparisons_and_atoms(&self, terms: &mut Terms, state: &Model) -> Vec<Term> {
        let compared = self.compared.iter().map(|&(a, b, signed)| comparison(terms, state, a, b, signed));
        let mut literals: Vec<Term> = compared.collect();
        for &atom in &self.atoms {
            literals.push(if terms.eval(atom, state).as_bool() { atom } else { terms.not(atom) });
        }
        literals
    }

    /// Compares words that an atom of the guards comes down to in the solver's model; `false` if they are compared
    /// already. An atom may speak of a whole array, and in a model it is about two elements.
    fn compare_more(&mut self, terms: &Terms) -> bool {
        let model = self.solver.model(terms, &terms.free_vars_of(&self.guards));
        let before = self.compared.len();
        for atom in self.guards.iter().flat_map(|&guard| terms.atoms(guard)) {
            let taken = taken(terms, atom, &model);
            let mut words: Vec<Term> = self.words.iter().copied().filter(|w| taken.contains(w)).collect();
            words.sort_unstable();
            if words.len() <= MAX_COMPARED && before < MAX_PAIRS {
                let new = pairs(terms, &words, terms.op(atom) == Op::Slt);
                let new: Vec<_> = new.into_iter().filter(|pair| !self.compared.contains(pair)).collect();
                self.compared.extend(new);
            }
        }
        self.compared.len() > before
    }

    /// Makes words of elements of arrays that the state has and the solver's model, which has the same words, does not,
    /// though the guards depend on them; `false` if the guards hold in the state as they do in the model.
    fn read_more(&mut self, terms: &mut Terms, state: &Model) -> bool {
        let model = self.solver.model(terms, &terms.free_vars_of(&self.guards));
        let arrays = |array: Term| (state.get(array), model.get(array));
        let differs = |array: Term, index: &Value| match arrays(array) {
            (Some(a), Some(b)) => a.as_array().select(index) != b.as_array().select(index),
            _ => false,
        };
        for Reads { places, signed } in &self.reads {
            let mut places: Vec<(Term, Value)> =
                places.iter().map(|&(array, index)| (array, terms.eval(index, &model))).collect();
            if !places.iter().any(|(array, index)| differs(*array, index)) {
                continue;
            }
            if places.len() > MAX_COMPARED {
                places.retain(|(array, index)| differs(*array, index));
                places.truncate(1);
            }
            let mut read = |(array, index)| {
                let index = terms.value(index);
                terms.select(array, index)
            };
            let elements: Vec<Term> = places.into_iter().map(&mut read).collect();
            self.compared.extend(pairs(terms, &elements, *signed));
            self.words.splice(0..0, elements);
            self.words = without_repetition(&self.words);
            return true;
        }
        let mut overlaid = model.clone();
        state.iter().for_each(|(v, value)| overlaid.set(v, value.clone()));
        if terms.eval_all(&self.guards, &overlaid).iter().all(Value::as_bool) {
            return false;
        }
        // What is left are equalities of whole arrays.
        let differing = self.variables.iter().find_map(|&v| match arrays(v) {
            (Some(Value::Array(a)), Some(Value::Array(b))) => Some((v, differing_index(terms, a, b)?)),
            _ => None,
        });
        let (array, index) = differing.expect("guards that differ depend on something that does");
        let index = terms.value(index);
        self.words.insert(0, terms.select(array, index));
        true
    }
}

fn without_repetition(words: &[Term]) -> Vec<Term> {
    let mut once = FxHashSet::default();
    words.iter().copied().filter(|&w| once.insert(w)).collect()
}
