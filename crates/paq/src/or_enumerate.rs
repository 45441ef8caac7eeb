//! An engine that is not always exact, and enumeration where it is not.

use crate::{Abstraction, AllSat, Context, Engine, Interrupted, Predicate};
use tamis_logic::Term;

/// The answer of an engine if it is exact; otherwise, and where the engine does not take the query or runs out of nodes,
/// that of [`AllSat`].
///
/// ```
/// use tamis_paq::{Engine, Ldd, OrEnumerate};
/// assert!(!Ldd::default().is_exact());
/// assert!(OrEnumerate(Ldd::default()).is_exact());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OrEnumerate<E>(pub E);

impl<E: Engine> Engine for OrEnumerate<E> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn abstraction(
        &self,
        context: &mut Context<'_>,
        assumptions: &[Term],
        predicates: &[Predicate],
    ) -> Result<Abstraction, Interrupted> {
        match self.0.abstraction(context, assumptions, predicates) {
            Ok(answer) if answer.exact => Ok(answer),
            Err(Interrupted::Stopped(stop)) => Err(Interrupted::Stopped(stop)),
            _ => AllSat.abstraction(context, assumptions, predicates),
        }
    }

    fn is_exact(&self) -> bool {
        true
    }
}
