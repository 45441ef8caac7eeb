//! Terms of the SMT theories: Core, bit-vectors, integers and reals, arrays, uninterpreted sorts and functions.
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
//!
//! [`smtlib`] reads SMT-LIB 2 scripts; [`Terms::to_smtlib`] writes terms that it reads back as the same ids.

mod adopt;
mod array_value;
mod bits;
mod build;
mod bv_abbreviations;
mod bv_order;
mod bv_poly;
mod bv_shape;
mod cells;
mod choices;
mod environment;
mod equation;
mod eval;
mod float;
mod indexed;
mod linear;
mod model;
mod normal_order;
mod op;
mod path;
mod persistent;
mod print;
mod print_value;
mod range;
mod simplify_arith;
mod simplify_array;
mod simplify_bool;
mod simplify_bv;
pub mod smtlib;
mod sort;
mod store;
mod substitute;
mod symbols;
mod traverse;
mod value;

pub use array_value::ArrayValue;
pub use bits::Bits;
pub use cells::Cells;
pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;
pub use environment::Environment;
pub use float::{FloatFormat, Rounded};
pub use linear::Linear;
pub use model::{FunctionTable, Model};
pub use op::{ConstId, FunctionId, Op, Symbol};
pub use path::Path;
pub use persistent::PersistentMap;
pub use sort::{ArraySort, Sort, SortName};
pub use store::{Term, Terms};
pub use substitute::Substitution;
pub use value::Value;
