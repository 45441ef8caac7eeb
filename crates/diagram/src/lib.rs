//! Binary decision diagrams: regions of abstract states and abstract transition relations.
//!
//! A [`Diagrams`] manager owns the nodes and the variable order; a [`Bdd`] is a Boolean function over the manager's
//! variables. Diagrams are reduced, ordered and have complement edges (OxiDD's BCDDs), so equal functions are equal
//! values and negation is free. A manager holds a bounded number of nodes: an operation that needs more answers
//! [`OutOfNodes`] and leaves everything that existed as it was.
//!
//! ```
//! use tamis_diagram::{Diagrams, OutOfNodes};
//! # fn main() -> Result<(), OutOfNodes> {
//! let mut d = Diagrams::new(Diagrams::DEFAULT_MAX_NODES);
//! let (x, y) = (d.new_var()?, d.new_var()?);
//! // The next-state relation x' = ¬x, with y as x'. The image of x is ¬x'.
//! let flips = d.xor(&d.var(x), &d.var(y))?;
//! let image = d.and_exists(&flips, &d.var(x), &[x])?;
//! assert_eq!(image, d.literal(y, false));
//! assert_eq!(d.rename(&image, &[(y, x)])?, d.literal(x, false));
//! # Ok(()) }
//! ```
//!
//! [`Diagrams::isop`] prints a function as prime implicants, [`Diagrams::to_term`] turns it into a formula,
//! [`Diagrams::maybe_reorder`] keeps the variable order good.

mod apply;
mod bdd;
mod cube;
mod implicant;
mod inspect;
mod isop;
pub mod linear;
mod manager;
mod reorder;
mod subset;
mod term;
mod transfer;

pub use apply::Renaming;
pub use bdd::{Bdd, BddVar, Cube, OutOfNodes};
pub use manager::{Diagrams, use_small_worker_stacks};
