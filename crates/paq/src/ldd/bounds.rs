//! What conjuncts say about where integers lie.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{Op, RBig, Sort, Substitution, Term, Terms};

/// Where an integer lies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Interval {
    pub low: Option<RBig>,
    pub high: Option<RBig>,
}

impl Interval {
    fn point(value: RBig) -> Interval {
        Interval { low: Some(value.clone()), high: Some(value) }
    }

    pub fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    fn meet(&mut self, other: Interval) {
        let stronger = |a: Option<RBig>, b: Option<RBig>, least: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if (a < b) == least { a } else { b }),
            (a, b) => a.or(b),
        };
        self.low = stronger(self.low.take(), other.low, false);
        self.high = stronger(self.high.take(), other.high, true);
    }

    /// The least interval around both.
    fn join(self, other: Interval) -> Interval {
        let weaker = |a: Option<RBig>, b: Option<RBig>, least: bool| {
            let (a, b) = (a?, b?);
            Some(if (a < b) == least { a } else { b })
        };
        Interval { low: weaker(self.low, other.low, true), high: weaker(self.high, other.high, false) }
    }

    fn plus(self, other: Interval) -> Interval {
        let sum = |a: Option<RBig>, b: Option<RBig>| Some(a? + b?);
        Interval { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    fn times(self, factor: &RBig) -> Interval {
        let [low, high] = [self.low, self.high].map(|end| end.map(|end| end * factor));
        if *factor < RBig::ZERO { Interval { low: high, high: low } } else { Interval { low, high } }
    }
}

/// An integer variable and what a conjunct `x ≤ c` or `¬(x ≤ c)` says of it.
pub(super) fn bound(terms: &Terms, conjunct: Term) -> Option<(Term, Interval)> {
    let (atom, positive) = match terms.op(conjunct) {
        Op::Not => (terms.args(conjunct)[0], false),
        _ => (conjunct, true),
    };
    if terms.op(atom) != Op::Le {
        return None;
    }
    let (x, c) = (terms.args(atom)[0], terms.number_constant(terms.args(atom)[1])?);
    if !terms.is_var(x) || terms.sort(x) != Sort::Int {
        return None;
    }
    Some(match positive {
        true => (x, Interval { low: None, high: Some(c) }),
        false => (x, Interval { low: Some(c + RBig::ONE), high: None }),
    })
}

/// Where terms lie, and what that follows from.
#[derive(Clone, Debug, Default)]
struct Fact {
    interval: Interval,
    /// Variables whose bounds it follows from, with what is said otherwise.
    support: FxHashSet<Term>,
}

/// Where terms lie: variables by conjuncts that say so, and values by what was said of the variables that had them.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    facts: FxHashMap<Term, Fact>,
}

impl Bounds {
    /// Takes in what conjuncts say of variables.
    pub fn learn(&mut self, terms: &Terms, conjuncts: &[Term]) {
        for (x, interval) in conjuncts.iter().filter_map(|&c| bound(terms, c)) {
            let fact = self.facts.entry(x).or_default();
            fact.interval.meet(interval);
            fact.support.insert(x);
        }
    }

    /// What is known of a variable.
    pub fn get(&self, x: Term) -> Option<&Interval> {
        self.facts.get(&x).map(|fact| &fact.interval)
    }

    /// After variables got values, everywhere. That each value is where the variable was follows from the bounds of
    /// variables that the value is made of, if `holds`; otherwise nothing is known of the values.
    pub fn substituted(&self, terms: &mut Terms, definitions: &[(Term, Term)], holds: bool) -> Bounds {
        let values: Substitution = definitions.iter().copied().collect();
        let mut supports: FxHashMap<Term, FxHashSet<Term>> = FxHashMap::default();
        for &(var, value) in definitions {
            supports.insert(var, self.support(terms, value));
        }
        let mut bounds = Bounds::default();
        for (&t, fact) in &self.facts {
            let mut fact = fact.clone();
            if !holds && terms.free_vars(t).iter().chain(&fact.support).any(|v| supports.contains_key(v)) {
                continue;
            }
            for (var, support) in &supports {
                if fact.support.remove(var) {
                    fact.support.extend(support);
                }
            }
            if fact.support.iter().any(|v| supports.contains_key(v)) {
                continue;
            }
            let known = bounds.facts.entry(terms.substitute(t, &values)).or_default();
            known.interval.meet(fact.interval);
            known.support.extend(fact.support);
        }
        bounds
    }

    /// What everything that is known of a term and its parts follows from.
    fn support(&self, terms: &Terms, t: Term) -> FxHashSet<Term> {
        let facts = terms.post_order(&[t]).into_iter().filter_map(|part| self.facts.get(&part));
        facts.flat_map(|fact| fact.support.iter().copied()).collect()
    }

    /// Where a number lies, as far as its parts tell and without what follows from the bounds of `others`.
    pub fn interval(&self, terms: &Terms, t: Term, others: &[Term]) -> Interval {
        self.of(terms, t, others, &mut FxHashMap::default())
    }

    fn of(&self, terms: &Terms, t: Term, others: &[Term], done: &mut FxHashMap<Term, Interval>) -> Interval {
        if let Some(interval) = done.get(&t) {
            return interval.clone();
        }
        let args = terms.args(t);
        let mut interval = match terms.op(t) {
            Op::Const(_) => terms.number_constant(t).map_or_else(Interval::default, Interval::point),
            Op::Plus => args
                .iter()
                .map(|&arg| self.of(terms, arg, others, done))
                .fold(Interval::point(RBig::ZERO), Interval::plus),
            Op::Times if args.len() == 2 => match terms.number_constant(args[0]) {
                Some(factor) => self.of(terms, args[1], others, done).times(&factor),
                None => Interval::default(),
            },
            Op::Ite => self.of(terms, args[1], others, done).join(self.of(terms, args[2], others, done)),
            _ => Interval::default(),
        };
        if let Some(known) =
            self.facts.get(&t).filter(|known| !others.iter().any(|x| known.support.contains(x)))
        {
            interval.meet(known.interval.clone());
        }
        done.insert(t, interval.clone());
        interval
    }
}
