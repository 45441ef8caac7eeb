//! Linear arithmetic (\[SMT\] section 2.2): difference logic on its constraint graph, and everything linear by the general
//! simplex method.
//!
//! The two procedures are independent. Whoever joins them sends conjunctions of `x - y ≤ c` to [`Difference`], which is
//! much faster and propagates exhaustively (on graphs of common size), and anything else to [`Simplex`]. Both propagate registered atoms: the
//! experiments of \[SMT\] section 4.3 show that theory propagation is what makes predicate abstraction over arithmetic
//! feasible, and [`Difference::set_propagation`], [`Simplex::set_propagation`] switch it off to show it again.
//!
//! \[SMT\]: *SMT Techniques for Fast Predicate Abstraction*.

mod delta;
mod difference;
mod integer;
mod rational;
mod rational_ops;
mod simplex;
mod stop;

pub use delta::Delta;
pub use difference::{Difference, Domain, Integers, Reals};
pub use rational::{ParseRationalError, Rational};
pub use simplex::{LinearForm, Outcome, Relation, Simplex, Sort, Split};
pub use stop::Stop;

/// A variable of the procedure that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

impl Var {
    fn index(self) -> usize {
        self.0 as usize
    }
}
