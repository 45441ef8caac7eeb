//! Which numbers are equal, decided by arithmetic alone.
//!
//! Where functions take and give nothing but numbers, and every equality is two bounds, the congruence closure has
//! nothing to say that arithmetic cannot find out: a model is one as soon as applications with equal arguments have equal
//! results. Where the values of arithmetic violate that, or a disequality, there are a few cases, each of them bounds; one of
//! them has to have a model. So a combination of predicates is accepted once for all arrangements of the arguments.

use super::arithmetic::{Arithmetic, Place};
use super::numbers;
use super::table::{Head, Kind, Meaning, Number};
use super::theories::Theories;
use crate::solver::Solver;
use rustc_hash::FxHashMap;
use tamis_theories::arith::{LinearForm, Rational};
use tamis_theories::{Atom, Check, Literal, Theory};

/// How many cases are looked at for one combination of predicates.
const CASES: u32 = 256;

/// A bound that only the neighbours know.
pub(super) type LocalBound = (Atom, LinearForm, Rational);

/// Two numbers that may be equal.
struct Relation {
    /// The first minus the second, which is not constant.
    difference: Number,
    /// The first is at most the second, and at least.
    at_most: Literal,
    at_least: Literal,
}

/// How two results have to be if the arguments are equal.
enum Results {
    Related(usize),
    /// They are different numbers.
    Different,
}

/// Applications of one function: the relations between their arguments, and between their results.
struct Congruence {
    args: Vec<usize>,
    results: Results,
}

/// The equalities that matter between numbers.
#[derive(Default)]
pub(crate) struct Arrangements {
    relations: Vec<Relation>,
    congruences: Vec<Congruence>,
    /// The relations of free equalities, by ascending atom.
    equalities: Vec<(Atom, usize)>,
    bounds: Vec<LocalBound>,
    /// For each relation, where the two numbers are equal.
    places: Vec<Place>,
}

impl Arrangements {
    pub(super) fn bounds(&self) -> &[LocalBound] {
        &self.bounds
    }

    /// For a free equality, the bounds that it is the conjunction of.
    pub(super) fn equality(&self, atom: Atom) -> Option<[Literal; 2]> {
        let found = self.equalities.binary_search_by_key(&atom, |&(atom, _)| atom).ok()?;
        Some(self.equal(self.equalities[found].1))
    }

    /// For a free equality, whether it holds at present.
    pub(super) fn holds(&self, arith: &Arithmetic, atom: Atom) -> Option<bool> {
        let found = self.equalities.binary_search_by_key(&atom, |&(atom, _)| atom).ok()?;
        Some(arith.is_at(&self.places[self.equalities[found].1]))
    }

    /// Gets to know arithmetic that has the bounds; whether it has.
    pub(super) fn locate(&mut self, arith: &Arithmetic) -> bool {
        self.places.clear();
        let place =
            |Relation { difference, .. }: &Relation| arith.place(&difference.form, &-&difference.constant);
        self.places.extend(self.relations.iter().map_while(place));
        self.places.len() == self.relations.len()
    }

    fn equal(&self, at: usize) -> [Literal; 2] {
        [self.relations[at].at_most, self.relations[at].at_least]
    }

    fn different(&self, at: usize) -> [Vec<Literal>; 2] {
        self.equal(at).map(|bound| vec![Literal::new(bound.atom, !bound.positive)])
    }

    /// Whether what is asserted has a model in which the free equalities with `false` do not hold, and functions are
    /// functions. `None` if that cannot be told.
    pub(super) fn settle(
        &self,
        arith: &mut Arithmetic,
        value: &dyn Fn(Atom) -> Option<bool>,
        cases: &mut u32,
    ) -> Option<bool> {
        match arith.check() {
            Check::Consistent => {}
            Check::Conflict(_) => return Some(false),
            Check::Split => return None,
        }
        let Some(cases_of) = self.violated(arith, value) else { return Some(true) };
        let mut refuted = true;
        for case in cases_of {
            *cases += 1;
            if *cases > CASES {
                return None;
            }
            arith.push();
            let consistent = case.iter().all(|&literal| arith.assert(literal).is_ok())
                && arith.propagate(&mut Vec::new()).is_ok();
            let settled = if consistent { self.settle(arith, value, cases) } else { Some(false) };
            arith.pop(1);
            if settled == Some(true) {
                return settled;
            }
            refuted &= settled.is_some();
        }
        refuted.then_some(false)
    }

    /// Of something that the present values violate, the cases that do not.
    fn violated(
        &self,
        arith: &Arithmetic,
        value: &dyn Fn(Atom) -> Option<bool>,
    ) -> Option<Vec<Vec<Literal>>> {
        let equal = |at: usize| arith.is_at(&self.places[at]);
        for &(atom, at) in &self.equalities {
            if equal(at) && value(atom) == Some(false) {
                return Some(self.different(at).into());
            }
        }
        for Congruence { args, results } in &self.congruences {
            let same_results = || matches!(results, Results::Related(at) if equal(*at));
            if !args.iter().all(|&at| equal(at)) || same_results() {
                continue;
            }
            let mut cases: Vec<Vec<Literal>> = Vec::new();
            if let Results::Related(results) = results {
                cases.push(args.iter().chain([results]).flat_map(|&at| self.equal(at)).collect());
            }
            cases.extend(args.iter().flat_map(|&at| self.different(at)));
            return Some(cases);
        }
        None
    }
}

impl Theories {
    /// Whether there are no terms but numbers and functions of them.
    pub(super) fn is_numeric(&self) -> bool {
        let choice = |meaning| matches!(meaning, Meaning::Choice(..));
        self.table.entries.iter().all(|entry| matches!(entry.kind, Kind::Number(_)))
            && self.table.applications.iter().all(|a| matches!(a.head, Head::Function(_)))
            && !self.atoms.iter().any(|atom| choice(atom.meaning))
    }
}

impl Solver {
    /// What has to be looked at if there are numbers alone, and these predicates are free.
    pub(crate) fn arrangements(&self, free: &[Atom]) -> Arrangements {
        let mut found = Arrangements::default();
        let pairs: FxHashMap<_, _> =
            self.theories.equalities.iter().map(|(&pair, &lit)| (lit, pair)).collect();
        for &atom in free {
            if let Some(&(a, b)) = pairs.get(&self.theories.atoms[atom.0 as usize].lit)
                && let Ok(at) = self.relation(&mut found, &self.number(a).minus(&self.number(b)))
            {
                found.equalities.push((atom, at));
            }
        }
        let applications = &self.theories.table.applications;
        for (at, first) in applications.iter().enumerate() {
            for second in applications[at + 1..].iter().filter(|second| second.head == first.head) {
                let difference = |a, b| self.number(a).minus(&self.number(b));
                let results = match difference(first.result, second.result) {
                    equal if equal == Number::default() => continue,
                    number => number,
                };
                let args: Vec<Number> =
                    first.args.iter().zip(&second.args).map(|(&a, &b)| difference(a, b)).collect();
                if args.iter().any(|arg| arg.form.terms().is_empty() && !arg.constant.is_zero()) {
                    continue;
                }
                let results =
                    self.relation(&mut found, &results).map_or(Results::Different, Results::Related);
                let args = args.iter().filter_map(|arg| self.relation(&mut found, arg).ok()).collect();
                found.congruences.push(Congruence { args, results });
            }
        }
        found
    }

    /// The relation of two numbers with this difference; if that is constant, an error.
    fn relation(&self, found: &mut Arrangements, difference: &Number) -> Result<usize, ()> {
        if difference.form.terms().is_empty() {
            return Err(());
        }
        let known = found.relations.iter().position(|relation| relation.difference == *difference);
        if let Some(at) = known {
            return Ok(at);
        }
        let mut literal = |number: &Number| {
            let (form, constant, flip) = self.oriented(number);
            let atom = Atom((self.theories.atoms.len() + found.bounds.len()) as u32);
            found.bounds.push((atom, form, constant));
            Literal::new(atom, !flip)
        };
        let (at_most, at_least) = (literal(difference), literal(&numbers::negated(difference)));
        found.relations.push(Relation { difference: difference.clone(), at_most, at_least });
        Ok(found.relations.len() - 1)
    }
}
