//! Facts and predicates that have nothing in common, taken apart.

use super::free::release;
use crate::define::replace_defined;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_logic::{FunctionId, Op, Term, Terms};

/// Facts and the predicates that depend on them or on each other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Part {
    pub facts: Vec<Term>,
    /// Positions and formulas.
    pub predicates: Vec<(usize, Term)>,
}

/// What a conjunction of facts leaves open.
pub(super) struct Parts {
    /// Independent of each other.
    pub parts: Vec<Part>,
    /// Positions of predicates that have one value.
    pub fixed: Vec<usize>,
}

/// A symbol that formulas can have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shared {
    Var(Term),
    Function(FunctionId),
}

/// Takes facts and predicates apart: variables that are defined are replaced, what can have any value is let go, and the
/// rest falls into parts that share no symbols. Predicates in no part and not fixed can have both values, whatever else
/// holds.
pub(super) fn take_apart(
    terms: &mut Terms,
    facts: Vec<Term>,
    predicates: &[Term],
    hidden: &mut u32,
) -> Parts {
    let mut facts = facts;
    let mut formulas = predicates.to_vec();
    replace_defined(terms, &mut facts, &mut formulas, |_, _| true);
    let mut size = usize::MAX;
    let (mut released, count) = ([facts, formulas].concat(), predicates.len());
    // What is let go may have been the only other place of a variable.
    loop {
        let facts = released.len() - count;
        let mut roots: Vec<Term> = released[..facts].to_vec();
        roots.extend(released[facts..].iter().filter(|&&p| !terms.is_constant(p)));
        release(terms, &mut roots, hidden);
        let mut kept = roots.split_off(facts).into_iter();
        let mut next: Vec<Term> = roots;
        for &p in &released[facts..] {
            next.push(if terms.is_constant(p) { p } else { kept.next().unwrap_or(p) });
        }
        released = drop_free(terms, next, facts);
        let now = terms.post_order(&released).len();
        if now >= size {
            break;
        }
        size = now;
    }
    let facts = released.len() - count;
    let formulas = released.split_off(facts);
    group(terms, &released, &formulas)
}

/// Drops facts that are variables which occur nowhere else.
fn drop_free(terms: &Terms, roots: Vec<Term>, facts: usize) -> Vec<Term> {
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    for t in terms.post_order(&roots) {
        terms.args(t).iter().for_each(|&arg| *uses.entry(arg).or_default() += 1);
    }
    roots.iter().for_each(|&root| *uses.entry(root).or_default() += 1);
    let says = |t: Term| !(terms.is_true(t) || terms.is_var(t) && uses[&t] == 1);
    let kept = roots.iter().enumerate().filter(|&(place, &t)| place >= facts || says(t));
    kept.map(|(_, &t)| t).collect()
}

fn group(terms: &Terms, facts: &[Term], formulas: &[Term]) -> Parts {
    let mut owner: FxHashMap<Shared, usize> = FxHashMap::default();
    let mut sets = Sets { parent: (0..facts.len() + formulas.len()).collect() };
    for (at, &root) in facts.iter().chain(formulas).enumerate() {
        for symbol in symbols(terms, root) {
            match owner.get(&symbol) {
                Some(&other) => sets.join(at, other),
                None => drop(owner.insert(symbol, at)),
            }
        }
    }
    let mut parts: FxHashMap<usize, Part> = FxHashMap::default();
    let mut order = Vec::new();
    let mut fixed = Vec::new();
    for (position, &formula) in formulas.iter().enumerate() {
        if terms.is_constant(formula) {
            fixed.push(position);
            continue;
        }
        let set = sets.find(facts.len() + position);
        let part = parts.entry(set).or_insert_with(|| {
            order.push(set);
            Part { facts: Vec::new(), predicates: Vec::new() }
        });
        part.predicates.push((position, formula));
    }
    for (at, &fact) in facts.iter().enumerate() {
        if let Some(part) = parts.get_mut(&sets.find(at)) {
            part.facts.push(fact);
        }
    }
    // A predicate that is a variable by itself is free.
    let is_free = |part: &Part| {
        part.facts.is_empty() && part.predicates.len() == 1 && terms.is_var(part.predicates[0].1)
    };
    let mut found: Vec<Part> = order.iter().filter_map(|set| parts.remove(set)).collect();
    found.retain(|part| !is_free(part));
    found.iter_mut().for_each(|part| part.facts.sort_unstable());
    Parts { parts: found, fixed }
}

fn symbols(terms: &Terms, root: Term) -> FxHashSet<Shared> {
    let symbol = |t: Term| match terms.op(t) {
        Op::Var(_) => Some(Shared::Var(t)),
        Op::Apply(f) => Some(Shared::Function(f)),
        // By zero, it is a function of the dividend.
        op @ (Op::IntDiv | Op::Mod | Op::Divide) => {
            let known = terms.is_constant(terms.args(t)[1]);
            (!known).then(|| Shared::Function(terms.division_by_zero(op)))
        }
        _ => None,
    };
    terms.post_order(&[root]).into_iter().filter_map(symbol).collect()
}

/// Disjoint sets.
struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a] = b;
    }
}
