//! The engine for any query.

use super::{Failure, Options, Order, Query, solve};
use crate::limits;
use crate::{Abstraction, Context, Engine, Interrupted, Predicate};
use tamis_logic::Term;

/// Eliminates all variables but those of the predicates from linear decision diagrams, \[SUM\] section 4.3.
///
/// Bit-vectors are read as integers ([`LinearReading`](crate::LinearReading)); where that is not exact, the answer is an approximation.
///
/// ```
/// use tamis_diagram::Diagrams;
/// use tamis_logic::{Sort, Terms};
/// use tamis_paq::{Ldd, Predicate, Query, strongest};
/// use tamis_solver::Budget;
/// // P = {x < 3, x = 5}, φ = x > 3, on bytes: the strongest combination is ¬(x < 3).
/// let (mut terms, mut diagrams) = (Terms::new(), Diagrams::new(1 << 16));
/// let x = terms.var("x", Sort::BitVec(8));
/// let (three, five) = (terms.bits(8, 3), terms.bits(8, 5));
/// let (below, equal, above) = (terms.ult(x, three), terms.eq(x, five), terms.ult(three, x));
/// let p = [below, equal].map(|formula| Predicate { formula, var: diagrams.new_var().unwrap() });
/// let (formula, budget) = ([above], Budget::unlimited());
/// let mut query =
///     Query { terms: &mut terms, diagrams: &mut diagrams, formula: &formula, predicates: &p, budget: &budget };
/// let answer = strongest(&Ldd::default(), &mut query).unwrap();
/// assert!(answer.exact);
/// assert_eq!(answer.function, diagrams.literal(p[0].var, false));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Ldd {
    /// How diagrams are ordered, and how large they may become.
    pub options: Options,
}

impl Ldd {
    /// With diagrams that fit into so many bytes.
    pub fn within(memory: Option<u64>) -> Ldd {
        let mut options = Options::default();
        let nodes = memory.and_then(|bytes| usize::try_from(bytes / limits::NODE_BYTES).ok());
        options.max_nodes = nodes.unwrap_or(usize::MAX).min(options.max_nodes);
        Ldd { options }
    }

    /// With the order of first appearance in the query.
    pub fn in_static_order() -> Ldd {
        Ldd { options: Options { order: Order::Static, ..Options::default() } }
    }
}

impl Engine for Ldd {
    fn name(&self) -> &'static str {
        match self.options.order {
            Order::Dynamic => "ldd",
            Order::Static => "ldd-static",
        }
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        _assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        let query = Query { formula: context.formula, assumptions: &[], predicates };
        let budget = context.solver.budget().clone();
        let answer = solve(context.terms, &query, context.diagrams, &self.options, &budget)?;
        Ok(Abstraction { function: answer.result, exact: answer.exact, engine: self.name() })
    }

    fn is_exact(&self) -> bool {
        false
    }
}

impl From<Failure> for Interrupted {
    fn from(failure: Failure) -> Interrupted {
        match failure {
            Failure::NotLinear(t) => Interrupted::Unsuitable(t, "not linear arithmetic"),
            Failure::OutOfNodes => Interrupted::OutOfNodes,
            Failure::Stopped(stop) => Interrupted::Stopped(stop),
        }
    }
}
