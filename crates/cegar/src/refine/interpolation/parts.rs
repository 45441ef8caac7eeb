//! The parts of a path as formulas, each over the state where it starts, the state where the next one starts, and what it
//! chooses.
//!
//! Of a state there is what the rest of the path, as far as it is in the core, depends on: variables, and elements of
//! arrays at indices that are terms over the state. They are found backward: what a part's guards read, and what it reads to
//! make what the next part's state has. An element at an index that the part chooses is its own. That elements at equal indices are
//! equal is said for each two of them.

use crate::refine::path::{Core, Path};
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Sort, Substitution, Term, Terms};
use tamis_solver::{Budget, Reads, Stop};
use tamis_system::{GuardId, System};

/// With more elements of arrays in one part there are no interpolants.
const MAX_ELEMENTS: usize = 40;

/// A part of a path.
pub struct Part {
    /// What the state has where the part starts.
    pub words: Vec<Word>,
    /// What it requires, over the names of those words where it starts.
    guards: Vec<Term>,
    /// That elements at equal indices are equal, where it starts.
    congruence: Vec<Term>,
    /// What it makes of the words of the next part, by their names.
    made: Vec<(Word, Term)>,
}

/// A word of a state.
#[derive(Clone, Copy)]
pub struct Word {
    /// A variable, or an element of an array.
    pub term: Term,
    /// What it is called where the part starts.
    pub start: Term,
    /// What it is called where the part before ends: the two need not be one state.
    pub end: Term,
}

/// Names for words. They are the same for all paths, so that the terms do not grow with the iterations.
#[derive(Default)]
pub struct Names {
    words: FxHashMap<(usize, Term), Word>,
    own: FxHashMap<(usize, Term), Term>,
    /// Of what makes two states agree on a predicate.
    agree: FxHashMap<(usize, Term), Term>,
}

impl Names {
    fn word(&mut self, terms: &mut Terms, cut: usize, term: Term) -> Word {
        let fresh = |terms: &mut Terms| terms.fresh("word", terms.sort(term));
        *self.words.entry((cut, term)).or_insert_with(|| Word {
            term,
            start: fresh(terms),
            end: fresh(terms),
        })
    }

    /// A literal for what is said about a predicate at some part.
    pub fn literal(&mut self, terms: &mut Terms, cut: usize, predicate: Term) -> Term {
        *self.agree.entry((cut, predicate)).or_insert_with(|| terms.fresh("agree", Sort::Bool))
    }
}

impl Part {
    /// All of it, where the state at its end is the one where the next part starts.
    pub fn as_group(&self, terms: &mut Terms) -> Vec<Term> {
        let made: Vec<Term> = self.made.iter().map(|&(word, value)| terms.eq(word.start, value)).collect();
        made.into_iter().chain(self.required()).collect()
    }

    /// What it requires of the state where it starts.
    pub fn required(&self) -> impl Iterator<Item = Term> + '_ {
        self.guards.iter().chain(&self.congruence).copied()
    }

    /// From the names of the next part's words where this one ends to what it makes of them.
    pub fn substitution(&self) -> Substitution {
        self.made.iter().map(|&(word, value)| (word.end, value)).collect()
    }

    /// What it makes of the words of the next part, where it ends.
    pub fn ends(&self, terms: &mut Terms) -> Vec<Term> {
        self.made.iter().map(|&(word, value)| terms.eq(word.end, value)).collect()
    }
}

/// The parts from the core's start on; `None` if they cannot be made, or can be executed after all as far as elements of arrays are
/// concerned.
pub fn parts<S: System>(
    terms: &mut Terms,
    system: &S,
    names: &mut Names,
    path: &Path<S::Edge>,
    core: &Core,
    budget: &Budget,
) -> Result<Option<Vec<Part>>, Stop> {
    let state: FxHashSet<Term> = system.state_variables().into_iter().collect();
    let mut parts: Vec<Part> = Vec::new();
    for cut in (core.start..path.cuts.len()).rev() {
        budget.check()?;
        let position = path.cuts[cut].0;
        let mut followed = system.follow(terms, path.segment(cut), &system.symbolic());
        let in_core = |id: GuardId| core.guards.contains(&id.after(position));
        let mut roots: Vec<Term> = followed
            .condition
            .guards
            .iter()
            .filter(|(id, _)| in_core(*id))
            .map(|&(_, guard)| guard)
            .collect();
        let guards = roots.len();
        let next: Vec<Word> = parts.last().map_or_else(Vec::new, |part| part.words.clone());
        roots.extend(next.iter().map(|word| system.read(terms, &mut followed.post, word.term)));
        let mut naming = Naming::new(names, &state, cut - core.start);
        let Some(named) = naming.name(terms, &roots) else { return Ok(None) };
        let congruence = naming.congruence(terms);
        let words = std::mem::take(&mut naming.found);
        let made = next.iter().zip(&named[guards..]).map(|(&word, &value)| (word, value)).collect();
        parts.push(Part { words, guards: named[..guards].to_vec(), congruence, made });
    }
    parts.reverse();
    Ok(Some(parts))
}

/// Names for what a part reads of the state, and chooses.
struct Naming<'a> {
    names: &'a mut Names,
    state: &'a FxHashSet<Term>,
    cut: usize,
    found: Vec<Word>,
    /// What has been named.
    named: FxHashMap<Term, Term>,
    /// The elements: array, index and name.
    elements: Vec<(Term, Term, Term)>,
}

impl<'a> Naming<'a> {
    fn new(names: &'a mut Names, state: &'a FxHashSet<Term>, cut: usize) -> Naming<'a> {
        Naming { names, state, cut, found: Vec::new(), named: FxHashMap::default(), elements: Vec::new() }
    }

    /// Terms over names; `None` if that leaves arrays, or there are too many elements.
    fn name(&mut self, terms: &mut Terms, roots: &[Term]) -> Option<Vec<Term>> {
        let read = Reads::default().over_variables(terms, roots);
        let order = terms.post_order(&read);
        let mut args = Vec::new();
        for t in order {
            if self.named.contains_key(&t) || is_array(terms, t) {
                continue;
            }
            let new = match terms.op(t) {
                Op::Var(_) => self.named_word(terms, t),
                Op::Select => {
                    let &[array, index] = terms.args(t) else { return None };
                    let (true, Some(&at)) = (terms.is_var(array), self.named.get(&index)) else {
                        return None;
                    };
                    let name = self.named_word(terms, t);
                    self.elements.push((array, at, name));
                    name
                }
                _ => {
                    args.clear();
                    for a in terms.args(t) {
                        args.push(*self.named.get(a)?);
                    }
                    if args == terms.args(t) { t } else { terms.rebuild(t, &args) }
                }
            };
            self.named.insert(t, new);
        }
        (self.elements.len() <= MAX_ELEMENTS).then(|| read.iter().map(|t| self.named[t]).collect())
    }

    /// The name of a variable or an element, which is one of the state if it depends on nothing else.
    fn named_word(&mut self, terms: &mut Terms, t: Term) -> Term {
        if terms.free_vars(t).iter().all(|v| self.state.contains(v)) {
            let word = self.names.word(terms, self.cut, t);
            self.found.push(word);
            return word.start;
        }
        let sort = terms.sort(t);
        *self.names.own.entry((self.cut, t)).or_insert_with(|| terms.fresh("own", sort))
    }

    /// That elements of one array at equal indices are equal.
    fn congruence(&self, terms: &mut Terms) -> Vec<Term> {
        let mut said = Vec::new();
        for (i, &(array, at, element)) in self.elements.iter().enumerate() {
            for &(_, there, value) in self.elements[i + 1..].iter().filter(|other| other.0 == array) {
                let (same_index, same) = (terms.eq(at, there), terms.eq(element, value));
                let implied = terms.implies(same_index, same);
                if !terms.is_true(implied) {
                    said.push(implied);
                }
            }
        }
        said
    }
}

fn is_array(terms: &Terms, t: Term) -> bool {
    matches!(terms.sort(t), Sort::Array(_))
}
