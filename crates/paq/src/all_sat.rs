//! Exact abstraction by enumeration: \[SMT\] section 3.1, the AllSAT approach of \[SUM\] section 4.3.

use crate::union::{Union, minterm};
use crate::{Abstraction, Context, Engine, Interrupted, Predicate};
use std::time::Instant;
use tamis_diagram::Bdd;
use tamis_logic::Term;
use tamis_solver::{Cube, Strategy};

/// Enumerates the models of the formula, projected on the predicates, in one search, and collects them in a BDD.
///
/// ```
/// use tamis_diagram::Diagrams;
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::{AllSat, Context, Engine, Predicate};
/// use tamis_solver::{Budget, Solver};
/// // P = {x < 3, x = 5}, φ = x > 3: the strongest combination is ¬(x < 3).
/// let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 16));
/// let x = terms.var("x", Sort::BitVec(8));
/// let (three, five) = (terms.bits(8, 3), terms.bits(8, 5));
/// let (below, equal, above) = (terms.ult(x, three), terms.eq(x, five), terms.ult(three, x));
/// let mut solver = Solver::new(&Budget::unlimited());
/// solver.assert(&terms, above);
/// let p = [below, equal].map(|formula| Predicate { formula, var: diagrams.new_var().unwrap() });
/// let mut context =
///     Context { terms: &mut terms, diagrams: &mut diagrams, solver: &mut solver, formula: &[above] };
/// let answer = AllSat.abstraction(&mut context, &[], &p).unwrap();
/// assert_eq!(answer.function, diagrams.literal(p[0].var, false));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AllSat;

/// The settings that \[SMT\] section 4.3 compares with [`AllSat`]: as exact, and slower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Baseline {
    /// A new solver for each minterm.
    BlackBox,
    /// A new search for each minterm, which keeps what has been learned.
    Naive,
    /// As [`AllSat`], but theories report conflicts only, and not what follows.
    NoTheoryPropagation,
}

fn enumerated(
    context: &mut Context<'_>,
    strategy: Strategy,
    assumptions: &[Term],
    predicates: &[Predicate],
) -> Result<Bdd, Interrupted> {
    let important: Vec<Term> = predicates.iter().map(|p| p.formula).collect();
    let mut found = Union::new(context.diagrams);
    context.solver.enumerate_by(strategy, context.terms, assumptions, &important, &mut |values| {
        if found.add(minterm(predicates, values)) { Cube::Minterm } else { Cube::Enough }
    })?;
    Ok(found.finish()?)
}

/// As [`AllSat`], unless that takes longer or finds more minterms: then nothing.
pub(crate) fn attempt(
    context: &mut Context<'_>,
    assumptions: &[Term],
    predicates: &[Predicate],
    until: Instant,
    most: usize,
) -> Result<Option<Bdd>, Interrupted> {
    let important: Vec<Term> = predicates.iter().map(|p| p.formula).collect();
    let mut found = Union::new(context.diagrams);
    let mut count = 0;
    let done = context.solver.enumerate(context.terms, assumptions, &important, &mut |values| {
        count += 1;
        let room = found.add(minterm(predicates, values)) && count <= most && Instant::now() < until;
        if room { Cube::Minterm } else { Cube::Enough }
    })?;
    let found = found.finish()?;
    Ok(done.complete.then_some(found))
}

impl Engine for AllSat {
    fn name(&self) -> &'static str {
        "allsat"
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        let function = enumerated(context, Strategy::InSearch, assumptions, predicates)?;
        Ok(Abstraction { function, exact: true, engine: self.name() })
    }

    fn is_exact(&self) -> bool {
        true
    }
}

impl Engine for Baseline {
    fn name(&self) -> &'static str {
        match self {
            Baseline::BlackBox => "blackbox",
            Baseline::Naive => "naive",
            Baseline::NoTheoryPropagation => "no-theory-propagation",
        }
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        let strategy = match self {
            Baseline::BlackBox => Strategy::BlackBox,
            Baseline::Naive => Strategy::Naive,
            Baseline::NoTheoryPropagation => Strategy::InSearch,
        };
        context.solver.set_theory_propagation(*self != Baseline::NoTheoryPropagation);
        let function = enumerated(context, strategy, assumptions, predicates);
        context.solver.set_theory_propagation(true);
        Ok(Abstraction { function: function?, exact: true, engine: self.name() })
    }

    fn is_exact(&self) -> bool {
        true
    }
}
