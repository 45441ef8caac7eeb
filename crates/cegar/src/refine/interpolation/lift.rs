//! From interpolants over bits to predicates over words.
//!
//! At a point of the path, the interpolant says what the states are that the part before ends in, and the rest of the path,
//! with the predicates that were found at its points, what they must not be: its parts are executed from states of
//! their own, which agree on those predicates with the states where the parts before them end. Predicates at the point
//! are such that no state of the first kind agrees on them with one of the second: then a combination of them lies
//! between the two. It is the interpolant of words. The fewest are taken, and of several those that are closest to the program:
//!
//! 1. atoms of weakest preconditions of the rest's guards, which always do if nothing is chosen on the way;
//! 2. predicates in use there, atoms of strongest postconditions, and weakest preconditions of the predicates at the next point;
//! 3. what the interpolant, as a set of states, looks like: bounds of words, and orders between two ([`shapes`](super::shapes));
//! 4. the bits that it is about;
//! 5. its parts as they are, or itself. They do in any case.

use super::parts::{Names, Part, Word};
use super::shapes::shapes;
use crate::refine::eliminate::positive;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, Substitution, Term, Terms};
use tamis_solver::{Answer, Budget, Reads, Solver, Stop};

/// An interpolant of more bits, or parts, is not taken apart into them.
const MAX_APART: usize = 12;

/// An interpolant that is a larger formula is no predicate.
const MAX_SIZE: usize = 600;

/// Where predicates over words may come from.
pub struct Candidates {
    /// Predicates at the point.
    pub in_use: Vec<Term>,
    /// Weakest preconditions of the rest.
    pub before: Vec<Term>,
    /// Strongest postconditions of what was before.
    pub after: Vec<Term>,
}

/// The rest of a path, each part from a state of its own.
pub struct Lifting {
    solver: Solver,
    budget: Budget,
    /// The predicates where the part that was added last ends, over its names where it ends.
    chosen: Vec<Term>,
    /// The same over the names where it starts.
    preimages: Vec<Term>,
}

impl Lifting {
    pub fn new(budget: &Budget) -> Lifting {
        Lifting {
            solver: Solver::new(budget),
            budget: budget.clone(),
            chosen: Vec::new(),
            preimages: Vec::new(),
        }
    }

    /// Adds the part before those that are there.
    pub fn prepend(&mut self, terms: &mut Terms, part: &Part) {
        let made = part.substitution();
        self.preimages = self.chosen.drain(..).map(|p| terms.substitute(p, &made)).collect();
        let ends = part.ends(terms);
        part.required().chain(ends).for_each(|said| self.solver.assert(terms, said));
    }

    /// Predicates where `part`, which was added last, starts; `None` if there are none of a reasonable size.
    pub fn lift(
        &mut self,
        terms: &mut Terms,
        names: &mut Names,
        place: usize,
        part: &Part,
        interpolant: Term,
        candidates: &Candidates,
    ) -> Result<Option<Vec<Term>>, Stop> {
        let state = StateNames::new(&part.words);
        let reached = names.literal(terms, place, interpolant);
        let said = terms.substitute(interpolant, &state.ends);
        self.solver.assert_under(terms, reached, said);
        let mut known = FxHashSet::default();
        // What is to be preferred comes last.
        let mut literals: Vec<Said> = Vec::new();
        for stage in 0..5 {
            self.budget.check()?;
            let found = match stage {
                0 => candidates.before.clone(),
                1 => {
                    let mut found: Vec<Term> = self.preimages.iter().flat_map(|&p| terms.atoms(p)).collect();
                    found.extend(candidates.after.iter().chain(&candidates.in_use));
                    found
                }
                2 => shapes(terms, &self.budget, interpolant)?,
                3 => few(terms.atoms(interpolant)),
                _ => whole(terms, interpolant),
            };
            let mut new = Vec::new();
            for p in found {
                let p = terms.substitute(p, &state.words);
                let p = positive(terms, p);
                if known.insert(p)
                    && let Some([start, end]) = state.both(terms, p)
                {
                    let literal = names.literal(terms, place, p);
                    let same = terms.eq(start, end);
                    self.solver.assert_under(terms, literal, same);
                    new.push(Said { literal, predicate: p, end });
                }
            }
            new.append(&mut literals);
            literals = new;
            let mut assumed: Vec<Term> = literals.iter().map(|said| said.literal).collect();
            assumed.push(reached);
            if self.solver.check(terms, &assumed)? == Answer::Sat {
                continue;
            }
            let core = self.solver.minimize_core(terms, &assumed)?;
            literals.retain(|said| core.contains(&said.literal));
            literals.iter().for_each(|said| self.solver.assert(terms, said.literal));
            self.chosen = literals.iter().map(|said| said.end).collect();
            return Ok(Some(literals.iter().map(|said| said.predicate).collect()));
        }
        Ok(None)
    }
}

/// What is said of a predicate: that the state where one part ends and that where the next starts agree on it.
struct Said {
    literal: Term,
    predicate: Term,
    /// The predicate over the first of the two.
    end: Term,
}

/// The names of a state's words.
struct StateNames<'a> {
    /// From the names where the part starts to those where the one before ends.
    ends: Substitution,
    /// From the names where the part starts to the words.
    words: Substitution,
    of: FxHashMap<Term, &'a Word>,
}

impl<'a> StateNames<'a> {
    fn new(words: &'a [Word]) -> StateNames<'a> {
        StateNames {
            ends: words.iter().map(|word| (word.start, word.end)).collect(),
            words: words.iter().map(|word| (word.start, word.term)).collect(),
            of: words.iter().map(|word| (word.term, word)).collect(),
        }
    }

    /// A predicate over the names where the part starts, and over those where the one before ends; `None` if it speaks of more
    /// than there are names for.
    fn both(&self, terms: &mut Terms, p: Term) -> Option<[Term; 2]> {
        // What is written to an array is left out first: words are elements of variables.
        let read = Reads::default().over_variables(terms, &[p])[0];
        let mut named: FxHashMap<Term, [Term; 2]> = FxHashMap::default();
        for t in terms.post_order_until(&[read], |t| self.of.contains_key(&t)) {
            let new = match self.of.get(&t) {
                Some(word) => [word.start, word.end],
                None if terms.is_var(t) => return None,
                None => {
                    let args: Vec<[Term; 2]> = terms.args(t).iter().map(|a| named[a]).collect();
                    [0, 1].map(|side| {
                        let args: Vec<Term> = args.iter().map(|both| both[side]).collect();
                        if args == terms.args(t) { t } else { terms.rebuild(t, &args) }
                    })
                }
            };
            named.insert(t, new);
        }
        Some(named[&read])
    }
}

fn few(formulas: Vec<Term>) -> Vec<Term> {
    if formulas.len() <= MAX_APART { formulas } else { Vec::new() }
}

/// The conjuncts or disjuncts of a formula, or itself if they are many; nothing if it is large.
fn whole(terms: &Terms, formula: Term) -> Vec<Term> {
    if terms.size(formula) > MAX_SIZE {
        return Vec::new();
    }
    let inner = positive(terms, formula);
    match terms.op(inner) {
        Op::And | Op::Or if terms.args(inner).len() <= MAX_APART => terms.args(inner).to_vec(),
        _ => vec![inner],
    }
}

/// Whether formulas are interpolants between groups.
pub fn is_sequence(terms: &mut Terms, budget: &Budget, groups: &[Vec<Term>], found: &[Term]) -> bool {
    let truth = terms.tru();
    let before = [&[truth], found].concat();
    groups.iter().enumerate().all(|(k, group)| {
        let mut solver = Solver::new(budget);
        group.iter().chain([&before[k]]).for_each(|&said| solver.assert(terms, said));
        let next = found.get(k).copied().unwrap_or_else(|| terms.fals());
        let not = terms.not(next);
        solver.assert(terms, not);
        solver.check(terms, &[]) != Ok(Answer::Sat)
    })
}
