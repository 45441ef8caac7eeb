//! Terms over Bool and BitVec.
//!
//! Terms are hash-consed in a [`Terms`] store and referred to by [`Term`], a small copyable id: equal terms have
//! equal ids, and sharing is free. The constructors simplify, so what a caller holds is usually smaller than what it
//! asked for. An argument always has a smaller id than the term it is an argument of, so walking ids upwards visits a
//! term's parts before the term: no traversal here recurses, and depth costs no stack.
//!
//! ```
//! use tamis_logic::{Sort, Terms};
//! let mut t = Terms::new();
//! let x = t.var("x", Sort::BitVec(32));
//! let one = t.bits(32, 1);
//! let two = t.bits(32, 2);
//! // (x + 1) + 1 = x + 2
//! let once = t.add(x, one);
//! let twice = t.add(once, one);
//! assert_eq!(twice, t.add(x, two));
//! assert_eq!(t.to_smtlib(twice), "(bvadd x #x00000002)");
//! ```

mod build;
mod eval;
mod print;
mod simplify_bool;
mod simplify_bv;
mod sort;
mod store;
mod substitute;
mod traverse;
mod value;

pub use eval::Model;
pub use sort::{MAX_WIDTH, Sort};
pub use store::{Op, Symbol, Term, Terms};
pub use substitute::Substitution;
pub use value::{Bits, Value};
