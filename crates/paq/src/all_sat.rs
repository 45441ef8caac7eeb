//! Exact abstraction by enumeration inside the search: [SMT] section 3.1, the AllSAT approach of [SUM] section 4.3.

use crate::{Context, Engine, Interrupted, Predicate};
use tamis_diagram::{Bdd, Cube as Minterm, Diagrams, OutOfNodes};
use tamis_logic::Term;
use tamis_solver::Cube;

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
/// let mut context = Context { terms: &mut terms, diagrams: &mut diagrams, solver: &mut solver };
/// let answer = AllSat.abstraction(&mut context, &[], &p).unwrap();
/// assert_eq!(answer, diagrams.literal(p[0].var, false));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AllSat;

/// Minterms found so far.
struct Union<'a> {
    diagrams: &'a mut Diagrams,
    result: Result<Option<Bdd>, OutOfNodes>,
    batch: Vec<Minterm>,
}

impl Union<'_> {
    fn add(&mut self, minterm: Minterm) {
        self.batch.push(minterm);
        if self.batch.len() == BATCH {
            self.merge();
        }
    }

    fn merge(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        if let (Ok(result), false) = (&self.result, batch.is_empty()) {
            let union = self.diagrams.union_of_cubes(&batch);
            self.result = match (result, union) {
                (Some(old), Ok(new)) => self.diagrams.or(old, &new).map(Some),
                (_, new) => new.map(Some),
            };
        }
    }
}

/// Cubes are merged into the result this many at a time.
const BATCH: usize = 256;

impl Engine for AllSat {
    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Bdd, Interrupted> {
        let important: Vec<Term> = predicates.iter().map(|p| p.formula).collect();
        let mut found = Union { diagrams: context.diagrams, result: Ok(None), batch: Vec::new() };
        context.solver.enumerate(context.terms, assumptions, &important, &mut |values| {
            found.add(predicates.iter().zip(values).map(|(p, &v)| (p.var, v)).collect());
            if found.result.is_ok() { Cube::Minterm } else { Cube::Enough }
        })?;
        found.merge();
        Ok(found.result?.unwrap_or_else(|| context.diagrams.fals()))
    }

    fn is_exact(&self) -> bool {
        true
    }
}
