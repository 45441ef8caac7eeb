//! Conditions of paths, and joins of paths.
//!
//! A path's condition is a list of conditions, each met after those before it. Paths that part share what they have met before, and
//! where they meet again, what both sides of a branch have in common is found by going back to it: after
//! `if (c) … else …` the condition is what it was before, and not `p ∧ c ∨ p ∧ ¬c`. Values are chosen by what tells the
//! paths apart, and by no more.
//!
//! A guard also says which of few constants a value cannot be: after `p != 0` a pointer is to one of its objects, so that what it
//! points to is as plain as it was before null was stored anywhere. Such values are narrowed on the path, choices by what it has met
//! are made, and both are what they were where it meets others.

use crate::environment::Environment;
use crate::op::Op;
use crate::persistent::PersistentMap;
use crate::store::{Term, Terms};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The condition of a path.
#[derive(Clone, Debug, Default)]
pub struct Path {
    last: Option<Arc<Met>>,
    /// Values, by their indices, and what they are on this path: the same choices with fewer ends.
    narrowed: PersistentMap<Term>,
}

/// So many values in a guard are narrowed.
const MOST_NARROWED: usize = 4;

/// So many choices in a value are looked at for those that a path decides.
const MOST_DECIDED: usize = 48;

#[derive(Debug)]
struct Met {
    before: Path,
    condition: Term,
    /// How many conditions there are up to this one.
    length: usize,
    /// Which conditions are known to hold or not, by their indices: these and their parts.
    known: PersistentMap<bool>,
}

impl Path {
    fn length(&self) -> usize {
        self.last.as_ref().map_or(0, |met| met.length)
    }

    /// Whether two paths have met the same conditions on the same way.
    pub fn is_same(&self, other: &Path) -> bool {
        match (&self.last, &other.last) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// What is known of a condition on the path, if that is plain.
    pub fn decides(&self, terms: &Terms, condition: Term) -> Option<bool> {
        let (atom, is_true) = match terms.op(condition) {
            Op::Bool(b) => return Some(b),
            Op::Not => (terms.args(condition)[0], false),
            _ => (condition, true),
        };
        let known = self.last.as_ref()?.known.get(atom.index() as u64)?;
        Some(*known == is_true)
    }

    /// The path on which a condition holds too; `None` if it cannot.
    pub fn meet(&self, terms: &Terms, condition: Term) -> Option<Path> {
        match self.decides(terms, condition) {
            Some(true) => return Some(self.clone()),
            Some(false) => return None,
            None => {}
        }
        let mut known = self.last.as_ref().map_or_else(PersistentMap::new, |met| met.known.clone());
        let mut learn = |t: Term| match terms.op(t) {
            Op::Not => known.insert(terms.args(t)[0].index() as u64, false),
            _ => known.insert(t.index() as u64, true),
        };
        learn(condition);
        if terms.op(condition) == Op::And {
            terms.args(condition).iter().copied().for_each(&mut learn);
        }
        if let Op::Not = terms.op(condition)
            && terms.op(terms.args(condition)[0]) == Op::Or
        {
            for &part in terms.args(terms.args(condition)[0]) {
                match terms.op(part) {
                    Op::Not => known.insert(terms.args(part)[0].index() as u64, true),
                    _ => known.insert(part.index() as u64, false),
                }
            }
        }
        let length = self.length() + 1;
        let last = Some(Arc::new(Met { before: self.clone(), condition, length, known }));
        Some(Path { last, narrowed: self.narrowed.clone() })
    }

    /// The path past a guard over variables with these values: on which a condition holds too, of which the guard is a part. `None` if
    /// it cannot.
    ///
    /// ```
    /// use tamis_logic::{Environment, Path, Sort, Terms};
    /// let mut t = Terms::new();
    /// let (p, c) = (t.var("p", Sort::BitVec(64)), t.var("c", Sort::Bool));
    /// let [null, one, other] = [0, 16, 32].map(|address| t.bits(64, address));
    /// let (start, mut values) = (Path::default(), Environment::default());
    /// let d = t.var("d", Sort::Bool);
    /// let pointer = t.ite(c, one, null);
    /// let pointer = t.ite(d, pointer, other);
    /// values.assign(&mut t, &start, p, pointer);
    /// let is_null = t.eq(p, null);
    /// let guard = t.not(is_null);
    /// let condition = values.read(&mut t, &start, guard);
    /// let path = start.pass(&mut t, &values, guard, condition).unwrap();
    /// assert_eq!(values.read(&mut t, &path, p), t.ite(d, one, other));
    /// ```
    pub fn pass(
        &self,
        terms: &mut Terms,
        values: &Environment,
        guard: Term,
        condition: Term,
    ) -> Option<Path> {
        let mut path = self.meet(terms, condition)?;
        if !terms.is_constant(guard) && !terms.is_true(condition) {
            path.narrow(terms, values, guard);
        }
        Some(path)
    }

    /// Leaves out the ends of choices with which a guard that holds would not.
    fn narrow(&mut self, terms: &mut Terms, values: &Environment, guard: Term) {
        let mut choices = values.choices(terms, self, guard);
        choices.truncate(MOST_NARROWED);
        for choice in choices {
            let mut with = self.clone();
            let left = terms.without_ends(choice, &mut |terms, end| {
                with.narrowed.insert(choice.index() as u64, end);
                let holds = values.read(terms, &with, guard);
                !terms.is_false(holds)
            });
            if let Some(left) = left.filter(|&left| left != choice) {
                self.narrowed.insert(choice.index() as u64, left);
            }
        }
    }

    /// What a value is on this path: choices that its conditions decide are made.
    pub(crate) fn narrowed(&self, terms: &mut Terms, value: Term) -> Term {
        if self.last.is_none() { value } else { self.decided(terms, value, &mut { MOST_DECIDED }) }
    }

    fn decided(&self, terms: &mut Terms, mut value: Term, left: &mut usize) -> Term {
        loop {
            if let Some(&less) = self.narrowed.get(value.index() as u64) {
                value = less;
                continue;
            }
            if terms.op(value) != Op::Ite || *left == 0 {
                return value;
            }
            *left -= 1;
            let [condition, one, other] = [terms.args(value)[0], terms.args(value)[1], terms.args(value)[2]];
            match self.decides(terms, condition) {
                Some(true) => value = one,
                Some(false) => value = other,
                None => {
                    let otherwise = terms.not(condition);
                    let mut side = |condition: Term, value: Term| match self.meet(terms, condition) {
                        Some(path) => path.decided(terms, value, left),
                        None => value,
                    };
                    let (one, other) = (side(condition, one), side(otherwise, other));
                    return terms.ite(condition, one, other);
                }
            }
        }
    }

    /// The conditions, the last one first.
    pub fn conditions(&self) -> Vec<Term> {
        let mut found = Vec::with_capacity(self.length());
        let mut path = self;
        while let Some(met) = &path.last {
            found.push(met.condition);
            path = &met.before;
        }
        found
    }

    /// The condition as a term.
    pub fn term(&self, terms: &mut Terms) -> Term {
        let conditions = self.conditions();
        terms.and(&conditions)
    }

    /// Joins paths of which each execution goes one at most, with the values at their ends.
    ///
    /// ```
    /// use tamis_logic::{Environment, Path, Sort, Terms};
    /// let mut t = Terms::new();
    /// let c = t.var("c", Sort::Bool);
    /// let not_c = t.not(c);
    /// let start = Path::default();
    /// let ways = [c, not_c].map(|c| (start.meet(&t, c).unwrap(), Environment::default()));
    /// assert!(Path::join(&mut t, ways.to_vec()).unwrap().0.is_same(&start));
    /// ```
    pub fn join(terms: &mut Terms, ways: Vec<(Path, Environment)>) -> Option<(Path, Environment)> {
        // From the ends back to where paths have parted, the longest first: by length and place.
        let mut open: BTreeMap<(usize, usize), Way> = BTreeMap::new();
        let mut left = 0;
        for (path, values) in ways {
            let truth = terms.tru();
            left += 1;
            left -= usize::from(add(terms, &mut open, Way { path, since: truth, values }));
        }
        while left > 1 {
            let (_, way) = open.pop_last()?;
            let met = way.path.last.as_ref()?;
            let since = terms.and2(met.condition, way.since);
            let back = Way { path: met.before.clone(), since, values: way.values };
            left -= usize::from(add(terms, &mut open, back));
        }
        let (_, Way { path, since, values }) = open.pop_last()?;
        Some((path.meet(terms, since)?, values))
    }
}

/// A way that goes on from a path, if what has been met since holds.
struct Way {
    path: Path,
    since: Term,
    values: Environment,
}

/// Adds a way to others; whether it was joined with one that has parted from it at the same place.
fn add(terms: &mut Terms, open: &mut BTreeMap<(usize, usize), Way>, way: Way) -> bool {
    let place = way.path.last.as_ref().map_or(0, |met| Arc::as_ptr(met) as usize);
    let at = (way.path.length(), place);
    let Some(there) = open.remove(&at) else {
        open.insert(at, way);
        return false;
    };
    // Either condition tells the two apart; the one that says less is the better one.
    let values = if terms.op(there.since) == Op::And || terms.is_true(way.since) {
        Environment::choose(terms, way.since, &way.values, &there.values)
    } else {
        Environment::choose(terms, there.since, &there.values, &way.values)
    };
    let since = either(terms, there.since, way.since);
    open.insert(at, Way { path: way.path, since, values });
    true
}

/// `a ∨ b`, where `a ∨ ¬a ∧ b` is `a ∨ b`.
fn either(terms: &mut Terms, a: Term, b: Term) -> Term {
    let (a, b) = (without(terms, a, b), without(terms, b, a));
    terms.or2(a, b)
}

/// A conjunction without the conjunct that another formula, or one of its disjuncts, is the complement of.
fn without(terms: &mut Terms, all: Term, other: Term) -> Term {
    if terms.op(all) != Op::And {
        return all;
    }
    let alternatives = if terms.op(other) == Op::Or { terms.args(other).to_vec() } else { vec![other] };
    let complements: Vec<Term> = alternatives.into_iter().map(|t| terms.not(t)).collect();
    let args = terms.args(all).to_vec();
    if !args.iter().any(|a| complements.contains(a)) {
        return all;
    }
    let rest: Vec<Term> = args.into_iter().filter(|a| !complements.contains(a)).collect();
    terms.and(&rest)
}

impl Terms {
    /// Whether it is plain that no two of some conditions hold together: they say that a term is one of different constants, as the
    /// cases of a `switch` do, and one may say that none of the others holds.
    ///
    /// ```
    /// use tamis_logic::{Sort, Terms};
    /// let mut t = Terms::new();
    /// let x = t.var("x", Sort::BitVec(8));
    /// let [one, two, three] = [1, 2, 3].map(|n| t.bits(8, n));
    /// let (a, b, c) = (t.eq(x, one), t.eq(x, two), t.ne(x, three));
    /// let neither = { let either = t.or2(a, b); t.not(either) };
    /// assert!(t.exclude_each_other(&[a, neither, b]));
    /// assert!(!t.exclude_each_other(&[a, b, c]));
    /// ```
    pub fn exclude_each_other(&mut self, conditions: &[Term]) -> bool {
        let mut cases: Vec<(Term, Term)> = Vec::new();
        let mut rest = None;
        for &condition in conditions {
            match self.case(condition) {
                Some(case) => cases.push(case),
                None if rest.is_none() => rest = Some(condition),
                None => return false,
            }
        }
        let is_one_term = cases.windows(2).all(|two| two[0].0 == two[1].0);
        cases.sort_unstable_by_key(|&(_, constant)| constant);
        if !is_one_term || cases.windows(2).any(|two| two[0].1 == two[1].1) {
            return false;
        }
        let Some(rest) = rest else { return true };
        conditions.iter().all(|&other| {
            let not_other = self.not(other);
            other == rest || rest == not_other || self.has_part(rest, not_other)
        })
    }

    /// That a term is a constant: the two.
    fn case(&self, condition: Term) -> Option<(Term, Term)> {
        if self.op(condition) != Op::Eq {
            return None;
        }
        match *self.args(condition) {
            [t, constant] if self.is_constant(constant) => Some((t, constant)),
            [constant, t] if self.is_constant(constant) => Some((t, constant)),
            _ => None,
        }
    }

    /// Whether a condition is a conjunction, or a disjunction's complement, of which another is a part.
    fn has_part(&mut self, condition: Term, part: Term) -> bool {
        match self.op(condition) {
            Op::And => self.args(condition).contains(&part),
            Op::Not => {
                let (inner, complement) = (self.args(condition)[0], self.not(part));
                self.op(inner) == Op::Or && self.args(inner).contains(&complement)
            }
            _ => false,
        }
    }
}

/// Long paths are dropped without recursion.
impl Drop for Path {
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(met) = last {
            last = Arc::into_inner(met).and_then(|mut met| met.before.last.take());
        }
    }
}
