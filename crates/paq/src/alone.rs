//! Queries by themselves: a formula and predicates, without a solver that is there already.

use crate::limits;
use crate::{Abstraction, Context, Engine, Interrupted, Predicate, order};
use tamis_diagram::Diagrams;
use tamis_logic::{Op, Term, Terms};
use tamis_solver::{Budget, Solver};

/// A formula, and predicates to describe it with.
pub struct Query<'a> {
    /// The store of the terms below.
    pub terms: &'a mut Terms,
    /// Where the answer is built.
    pub diagrams: &'a mut Diagrams,
    /// The conjuncts of the formula.
    pub formula: &'a [Term],
    /// The predicates: any formulas.
    pub predicates: &'a [Predicate],
    /// What stops the engine.
    pub budget: &'a Budget,
}

/// `G_P(φ)`, the strongest Boolean combination of predicates that the formula implies; one that is implied by it if the
/// engine is not exact.
///
/// ```
/// use tamis_diagram::Diagrams;
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::{AllSat, Predicate, Query, strongest, weakest};
/// use tamis_solver::Budget;
/// // P = {x < 0, y = 2, x ≠ 4} and φ = x < y - 2 ∨ x > y: Example 1 of \[SMT\].
/// let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 16));
/// let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
/// let [zero, one, two, four] = [0, 1, 2, 4].map(|n| terms.int(n));
/// let (x_1, y_2, two_x) = (terms.plus(&[y, one]), terms.eq(y, two), terms.plus(&[x, two]));
/// let negative = terms.lt(x, zero);
/// let equal = terms.eq(x, four);
/// let not_4 = terms.not(equal);
/// let (low, high) = (terms.lt(two_x, y), terms.le(x_1, x));
/// let formula = [terms.or2(low, high)];
/// let p = [negative, y_2, not_4].map(|formula| Predicate { formula, var: diagrams.new_var().unwrap() });
/// let budget = Budget::unlimited();
/// let mut query =
///     Query { terms: &mut terms, diagrams: &mut diagrams, formula: &formula, predicates: &p, budget: &budget };
/// let answer = weakest(&AllSat, &mut query).unwrap();
/// // p1 p2 ∨ p2 ¬p3, or a combination that differs from it in what no numbers satisfy.
/// let cubes = [vec![(p[0].var, true), (p[1].var, true)], vec![(p[1].var, true), (p[2].var, false)]];
/// let expected = query.diagrams.union_of_cubes(&cubes).unwrap();
/// assert!(query.diagrams.is_subset(&expected, &answer.function));
/// let above = strongest(&AllSat, &mut query).unwrap();
/// assert_eq!(query.diagrams.minterm_count(&above.function, &p.map(|p| p.var)), 6.0);
/// ```
pub fn strongest(engine: &dyn Engine, query: &mut Query<'_>) -> Result<Abstraction, Interrupted> {
    if query.predicates.len() >= limits::PREDICATES_TO_ORDER && query.diagrams.is_blank() {
        let order = order::by_affinity(query.terms, query.formula, query.predicates);
        query.diagrams.arrange(&order);
    }
    let mut solver = Solver::new(query.budget);
    for &conjunct in query.formula {
        solver.assert(query.terms, conjunct);
    }
    let mut context =
        Context { terms: query.terms, diagrams: query.diagrams, solver: &mut solver, formula: query.formula };
    engine.abstraction(&mut context, &[], query.predicates)
}

/// `F_P(φ)`, the weakest Boolean combination of predicates that implies the formula, which is `¬G_P(¬φ)`; one that
/// implies it if the engine is not exact. Combinations that nothing satisfies imply everything.
///
/// A conjunct `b ↔ p`, where `b` is a Boolean among the predicates and `p` none of them, is not part of the formula but says
/// what the predicate is.
pub fn weakest(engine: &dyn Engine, query: &mut Query<'_>) -> Result<Abstraction, Interrupted> {
    let (negation, meanings) = negation(query.terms, query.formula, query.predicates);
    let Query { terms, diagrams, budget, .. } = query;
    let mut dual = Query { terms, diagrams, formula: &[negation], predicates: &meanings, budget };
    let mut answer = strongest(engine, &mut dual)?;
    answer.function = query.diagrams.not(&answer.function);
    Ok(answer)
}

/// The negation of a formula, where conjuncts that define Booleans among the predicates are taken for what they define; and
/// the predicates with these definitions.
pub fn negation(terms: &mut Terms, formula: &[Term], predicates: &[Predicate]) -> (Term, Vec<Predicate>) {
    let is_predicate = |terms: &Terms, t: Term| {
        let t = if terms.op(t) == Op::Not { terms.args(t)[0] } else { t };
        predicates.iter().any(|p| p.formula == t)
    };
    // An equivalence of two predicates is something that the formula says, whatever these mean.
    let (mut said, mut conjuncts): (Vec<Term>, Vec<Term>) =
        terms.conjuncts(formula).into_iter().partition(|&conjunct| {
            let equation = if terms.op(conjunct) == Op::Not { terms.args(conjunct)[0] } else { conjunct };
            terms.op(equation) == Op::Eq && terms.args(equation).iter().all(|&side| is_predicate(terms, side))
        });
    let mut meanings = predicates.to_vec();
    for p in predicates {
        let found = conjuncts.iter().enumerate().find_map(|(at, &conjunct)| {
            let negated = terms.op(conjunct) == Op::Not;
            let equation = if negated { terms.args(conjunct)[0] } else { conjunct };
            let (var, meaning) = terms.side(equation, |side| side == p.formula && terms.is_var(side))?;
            (!terms.free_vars(meaning).contains(&var)).then_some((at, meaning, negated))
        });
        if let Some((at, meaning, negated)) = found {
            conjuncts.remove(at);
            let meaning = if negated { terms.not(meaning) } else { meaning };
            let formulas = conjuncts.iter_mut().chain(&mut said);
            let all = formulas.chain(meanings.iter_mut().map(|p| &mut p.formula));
            all.for_each(|t| *t = terms.substitute_with(*t, |var| (var == p.formula).then_some(meaning)));
        }
    }
    conjuncts.append(&mut said);
    let whole = terms.and(&conjuncts);
    (terms.not(whole), meanings)
}
