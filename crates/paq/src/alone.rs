//! Queries by themselves: a formula and predicates, without a solver that is there already.

use crate::{Abstraction, Context, Engine, Interrupted, Predicate};
use tamis_diagram::Diagrams;
use tamis_logic::{Term, Terms};
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
/// // P = {x < 0, y = 2, x ≠ 4} and φ = x < y - 2 ∨ x > y: Example 1 of [SMT].
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
pub fn weakest(engine: &dyn Engine, query: &mut Query<'_>) -> Result<Abstraction, Interrupted> {
    let formula = query.terms.and(query.formula);
    let negation = [query.terms.not(formula)];
    let Query { terms, diagrams, predicates, budget, .. } = query;
    let mut dual = Query { terms, diagrams, formula: &negation, predicates, budget };
    let mut answer = strongest(engine, &mut dual)?;
    answer.function = query.diagrams.not(&answer.function);
    Ok(answer)
}
