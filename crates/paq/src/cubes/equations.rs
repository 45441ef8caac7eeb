//! Variables that a conjunction defines, replaced by their definitions.

use rustc_hash::FxHashSet;
use tamis_logic::{Op, RBig, Sort, Substitution, Term, Terms};

/// Replaces variables that `facts` define, in these and in `others`; the facts that defined them are gone. What is left
/// has the same models, as far as `others` can tell. A definition is used only if `allow` takes it.
pub(super) fn eliminate(
    terms: &mut Terms,
    facts: &mut Vec<Term>,
    others: &mut [Term],
    allow: impl Fn(&Terms, Term) -> bool,
) {
    loop {
        flatten(terms, facts);
        // The definitions of one round are independent of each other, so that they can be used together.
        let mut defined: FxHashSet<Term> = FxHashSet::default();
        let mut used: FxHashSet<Term> = FxHashSet::default();
        let mut substitution = Substitution::new();
        let mut kept = Vec::new();
        for &fact in facts.iter() {
            let found =
                definition(terms, fact).filter(|&(var, term)| !used.contains(&var) && allow(terms, term));
            let Some((var, term)) = found.filter(|(var, _)| !defined.contains(var)) else {
                kept.push(fact);
                continue;
            };
            let vars = terms.free_vars(term);
            if vars.iter().any(|v| defined.contains(v)) {
                kept.push(fact);
                continue;
            }
            used.extend(vars);
            defined.insert(var);
            substitution.insert(var, term);
        }
        if substitution.is_empty() {
            return;
        }
        *facts = kept;
        for t in facts.iter_mut().chain(others.iter_mut()) {
            *t = terms.substitute(*t, &substitution);
        }
    }
}

/// Takes conjunctions apart, and drops what is true.
fn flatten(terms: &Terms, facts: &mut Vec<Term>) {
    let mut pending: Vec<Term> = facts.drain(..).rev().collect();
    let mut seen = FxHashSet::default();
    while let Some(fact) = pending.pop() {
        match terms.op(fact) {
            Op::Bool(true) => {}
            Op::And => pending.extend(terms.args(fact).iter().rev()),
            _ if seen.insert(fact) => facts.push(fact),
            _ => {}
        }
    }
}

/// A variable that a fact defines, and its definition, which does not have it.
fn definition(terms: &mut Terms, fact: Term) -> Option<(Term, Term)> {
    let (atom, positive) = match terms.op(fact) {
        Op::Not => (terms.args(fact)[0], false),
        _ => (fact, true),
    };
    if terms.is_var(atom) {
        return Some((atom, terms.bool(positive)));
    }
    if terms.op(atom) != Op::Eq {
        return None;
    }
    let (a, b) = (terms.args(atom)[0], terms.args(atom)[1]);
    match (terms.sort(a), positive) {
        (Sort::Bool, _) => {
            let (x, y) = by_side(terms, a, b)?;
            Some((x, if positive { y } else { terms.not(y) }))
        }
        (_, false) => None,
        (Sort::Int | Sort::Real, true) => by_side(terms, a, b).or_else(|| by_sum(terms, a, b)),
        (Sort::BitVec(_), true) => {
            by_side(terms, a, b).or_else(|| by_addition(terms, a, b)).or_else(|| by_addition(terms, b, a))
        }
        (_, true) => by_side(terms, a, b),
    }
}

fn by_side(terms: &Terms, a: Term, b: Term) -> Option<(Term, Term)> {
    let defines = |x: Term, y: Term| terms.is_var(x) && !terms.free_vars(y).contains(&x);
    match () {
        () if defines(a, b) => Some((a, b)),
        () if defines(b, a) => Some((b, a)),
        () => None,
    }
}

/// `x + t = u` defines `x`.
fn by_addition(terms: &mut Terms, sum: Term, u: Term) -> Option<(Term, Term)> {
    if terms.op(sum) != Op::Add {
        return None;
    }
    let (a, b) = (terms.args(sum)[0], terms.args(sum)[1]);
    let defines = |x: Term, t: Term| terms.is_var(x) && !terms.free_vars_of(&[t, u]).contains(&x);
    let (x, t) = if defines(a, b) { (a, b) } else { defines(b, a).then_some((b, a))? };
    Some((x, terms.sub(u, t)))
}

/// A variable of a linear equation, with coefficient 1 or -1 if it is an integer.
fn by_sum(terms: &mut Terms, a: Term, b: Term) -> Option<(Term, Term)> {
    let difference = terms.minus(a, b);
    let form = terms.linear(difference);
    let units = [RBig::ONE, -RBig::ONE];
    let fits = |(&t, c): (&Term, &RBig)| {
        let others = form.terms.keys().copied().filter(|&other| other != t).collect::<Vec<_>>();
        terms.is_var(t)
            && (terms.sort(t) == Sort::Real || units.contains(c))
            && !terms.free_vars_of(&others).contains(&t)
    };
    let (&x, c) = form.terms.iter().find(|&(t, c)| fits((t, c)))?;
    let c = c.clone();
    // c·x + rest = 0.
    let own = terms.multiple(c.clone(), x);
    let rest = terms.minus(difference, own);
    Some((x, terms.multiple(-RBig::ONE / c, rest)))
}
