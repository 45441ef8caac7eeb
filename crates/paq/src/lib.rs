//! Predicate abstraction queries.
//!
//! Given predicates `P` and a formula `φ`, a query asks for `G_P(φ)`: the strongest Boolean combination of `P` that
//! `φ` implies, as a BDD with one variable a predicate. In a [`Context`], the formula is what a solver holds, under
//! assumptions, so one solver serves many queries and keeps what it has learned; [`strongest`] and [`weakest`] solve a
//! [`Query`] alone.
//!
//! The same call abstracts an edge of a summary (predicates before and after it, \[SUM\] section 4.2) or the image of a
//! region (the region assumed, predicates after it).
//!
//! \[SUM\]: *Efficient Predicate Abstraction of Program Summaries*; \[SMT\]: *SMT Techniques for Fast Predicate
//! Abstraction*; \[SMC\]: *Grand Challenge: Model Check Software*; \[CTL\]: *High Level Verification of Control Intensive
//! Systems Using Predicate Abstraction*.

mod all_sat;
mod alone;
mod cartesian;
mod copy;
mod cubes;
mod define;
mod engine;
mod implications;
pub mod ldd;
mod limits;
mod linear;
mod max_cube;
mod min;
mod named;
mod or_enumerate;
mod order;
mod successive;
mod union;

pub use all_sat::{AllSat, Baseline};
pub use alone::{Query, negation, strongest, weakest};
pub use cartesian::Cartesian;
pub use cubes::Cubes;
pub use engine::{Abstraction, Context, Engine, Interrupted, Predicate};
pub use implications::{Ends, Implications};
pub use ldd::Ldd;
pub use linear::{LinearReading, TwoVariables};
pub use max_cube::MaxCube;
pub use min::Min;
pub use named::{Parameters, engine_named, engine_names};
pub use or_enumerate::OrEnumerate;
pub use successive::{Step, Successive};
