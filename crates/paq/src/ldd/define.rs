//! Variables that an equation defines are replaced by their value before diagrams are made: in formulas of programs
//! in SSA form, that is most of them.

use rustc_hash::FxHashSet;
use tamis_logic::{Op, RBig, Sort, Substitution, Term, Terms};
use tamis_solver::{Budget, Stop};

/// Replaces variables that a conjunct gives a value, everywhere. The conjuncts are then implied by nothing less: the
/// equations are gone, and so are the variables.
pub(super) fn replace_defined(
    terms: &mut Terms,
    conjuncts: Vec<Term>,
    mut predicates: Vec<Term>,
    budget: &Budget,
) -> Result<(Vec<Term>, Vec<Term>), Stop> {
    let mut conjuncts = flatten(terms, conjuncts);
    loop {
        let mut definitions: Vec<(Term, Term)> = Vec::new();
        let mut rest = Vec::new();
        for conjunct in conjuncts {
            budget.check()?;
            let known: Substitution = definitions.iter().copied().collect();
            let conjunct = if definitions.is_empty() { conjunct } else { terms.substitute(conjunct, &known) };
            let Some((var, value)) = definition(terms, conjunct) else {
                rest.push(conjunct);
                continue;
            };
            let one: Substitution = [(var, value)].into_iter().collect();
            for (_, old) in &mut definitions {
                *old = terms.substitute(*old, &one);
            }
            definitions.push((var, value));
        }
        if definitions.is_empty() {
            return Ok((rest, predicates));
        }
        let all: Substitution = definitions.into_iter().collect();
        let replaced = rest.into_iter().map(|conjunct| terms.substitute(conjunct, &all)).collect();
        for predicate in &mut predicates {
            *predicate = terms.substitute(*predicate, &all);
        }
        conjuncts = flatten(terms, replaced);
    }
}

/// The conjuncts of conjuncts, in their order, each once.
pub(crate) fn flatten(terms: &Terms, conjuncts: Vec<Term>) -> Vec<Term> {
    let (mut flat, mut seen) = (Vec::new(), FxHashSet::default());
    let mut open: Vec<Term> = conjuncts.into_iter().rev().collect();
    while let Some(t) = open.pop() {
        if terms.op(t) == Op::And {
            open.extend(terms.args(t).iter().rev());
        } else if !terms.is_true(t) && seen.insert(t) {
            flat.push(t);
        }
    }
    flat
}

/// The variable that a conjunct defines, and its value.
fn definition(terms: &mut Terms, conjunct: Term) -> Option<(Term, Term)> {
    if terms.is_var(conjunct) {
        return Some((conjunct, terms.tru()));
    }
    match terms.op(conjunct) {
        Op::Not if terms.is_var(terms.args(conjunct)[0]) => Some((terms.args(conjunct)[0], terms.fals())),
        _ => solutions(terms, conjunct).pop(),
    }
}

/// What an equation says of variables: each with the value that it has if the equation holds. The latest comes last.
pub(super) fn solutions(terms: &mut Terms, equation: Term) -> Vec<(Term, Term)> {
    if terms.op(equation) != Op::Eq {
        return Vec::new();
    }
    let (a, b) = (terms.args(equation)[0], terms.args(equation)[1]);
    match terms.sort(a) {
        Sort::Int | Sort::Real => numeric(terms, a, b),
        Sort::Bool => {
            let simple = |&(var, value): &(Term, Term)| {
                terms.is_var(var) && (terms.is_var(value) || terms.is_constant(value))
            };
            [(a, b), (b, a)].into_iter().filter(simple).collect()
        }
        _ => {
            let defines =
                |&(var, value): &(Term, Term)| terms.is_var(var) && !terms.free_vars(value).contains(&var);
            let mut both: Vec<(Term, Term)> = [(a, b), (b, a)].into_iter().filter(defines).collect();
            both.sort_unstable();
            both
        }
    }
}

/// `a = b` solved for each of its variables: integers must have a unit coefficient.
fn numeric(terms: &mut Terms, a: Term, b: Term) -> Vec<(Term, Term)> {
    let sort = terms.sort(a);
    let (left, right) = (terms.linear(a), terms.linear(b));
    let mut sum = left;
    for (t, c) in right.terms {
        let old = sum.terms.remove(&t).unwrap_or(RBig::ZERO) - c;
        if !old.is_zero() {
            sum.terms.insert(t, old);
        }
    }
    sum.constant -= right.constant;
    let unit = |c: &RBig| c.is_one() || *c == RBig::from(-1);
    let mut solutions = Vec::new();
    for (&var, c) in &sum.terms {
        let others: Vec<Term> = sum.terms.keys().copied().filter(|&t| t != var).collect();
        if !terms.is_var(var) || (sort == Sort::Int && !unit(c)) || terms.free_vars_of(&others).contains(&var)
        {
            continue;
        }
        let scale = RBig::from(-1) / c;
        let mut value = vec![number(terms, sort, &sum.constant * &scale)];
        for t in others {
            value.push(terms.multiple(&sum.terms[&t] * &scale, t));
        }
        solutions.push((var, terms.plus(&value)));
    }
    solutions
}

fn number(terms: &mut Terms, sort: Sort, value: RBig) -> Term {
    if sort == Sort::Int { terms.int(value.floor()) } else { terms.real(value) }
}
