//! Satisfiability of formulas without quantifiers, on the SAT solver CaDiCaL.
//!
//! Terms are simplified by what is asserted (`preprocess`), become circuits of structurally hashed gates (`blast`, `word`,
//! `circuit`), gates become clauses when they are needed (`cnf`), and the formula's top becomes clauses directly
//! (`assert`). Arrays of bit-vectors are bits with lemmas (`bit_arrays`). Numbers, other arrays, declared sorts and
//! functions are decided by theories that take part in the search (`dpll_t`, after [SMT §2.2]). On top of that: assumptions, models,
//! minimal cores, interpolants from proofs (`interpolation`), and the enumeration of all models over a set of predicates inside one search ([`Solver::enumerate`],
//! after [SMT §3.1]), which is what predicate abstraction is made of. Formulas over functions and differences of integers are
//! enumerated in a search of our own ([`tamis_differences`]).
//!
//! ## References
//! \[SMT\] S. K. Lahiri, R. Nieuwenhuis, A. Oliveras: *SMT Techniques for Fast Predicate Abstraction*, CAV 2006.

mod algebra;
mod assert;
mod bit_arrays;
mod blast;
mod blocker;
mod budget;
mod circuit;
mod clock;
mod cnf;
mod cone;
mod dpll_t;
mod encoding;
mod enumerate;
#[cfg(unix)]
pub mod external;
mod interpolation;
mod limits;
mod minimize;
mod netlist;
mod preprocess;
mod rebuild;
mod sat;
mod search;
mod solver;
mod stats;
mod word;

pub use algebra::{Algebra, evaluate};
pub use budget::{Budget, Stop, Turnstile, release_memory, resident_memory};
pub use circuit::{Circuit, Gate, Lit};
pub use clock::thread_time;
pub use cone::ConeSolver;
pub use enumerate::Strategy;
pub use interpolation::{Interpolated, InterpolationSystem, interpolants};
pub use netlist::{Copied, Netlist};
pub use preprocess::Reads;
pub use sat::sat_solver_version;
pub use solver::{Answer, Solver};
pub use stats::Stats;
pub use tamis_differences::{Cube, Enumeration, Part, Product};
