//! Linear decision diagrams: BDDs whose nodes are labelled with linear inequalities or Boolean variables.
//!
//! A [`LinearDiagrams`] manager owns the nodes and the order of labels; an [`Ldd`] is a function. Atoms are `t ≤ k` or
//! `t < k` with `t` in a normal form, so a literal and its complement share a node. Atoms of one `t` are neighbours in
//! the order, the strongest first, and what an atom implies is not asked again below it. Beyond that, paths may
//! contradict themselves in the theory, and a function may have several diagrams; those contradictions vanish with
//! the variables they are about: a diagram from which all numeric variables are
//! [eliminated](LinearDiagrams::eliminate) is a BDD, and canonical.
//!
//! ## References
//! S. Chaki, A. Gurfinkel, O. Strichman, *Decision diagrams for linear arithmetic*, FMCAD 2009.

mod eliminate;
mod expression;
mod feasibility;
mod inspect;
mod ite;
mod labels;
mod manager;
mod nodes;
mod project;
mod reorder;
mod substitute;

pub use expression::{Domain, Expression, NumVar};
pub use manager::{BoolVar, Ldd, LinearDiagrams, Projection};
pub use nodes::Failure;
