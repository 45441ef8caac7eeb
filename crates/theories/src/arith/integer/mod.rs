//! Conjunctions of bounds on integer forms, decided to the end.
//!
//! Branch and bound follows a direction without integers for ever where variables have no bounds, and walks through
//! millions of values where a divisibility or a thin direction would settle the question. Here the whole system is
//! looked at instead, in this order:
//!
//! 1. Equations are solved over the integers and their variables replaced (`equations`). Bounds are divided by the
//!    common divisor of their form and rounded, which may make new equations.
//! 2. What is left is relaxed to the rationals; bounds that the relaxation implies are rounded, and make equations
//!    again where they close a range (`relaxation`).
//! 3. Bounds of which the opposite is not implied do not matter: a solution of the others can be moved far enough along
//!    a ray on which they have room (`directions`). What stays is bounded in every direction that it mentions.
//! 4. The lattice of those directions gets a reduced basis (`basis`), in whose coordinates the solutions lie in a box
//!    that is as narrow as can be; branch and bound in the box ends.
//!
//! Where there are real variables too, they are eliminated first (`projection`).
//!
//! Every step keeps, with each bound, the asserted literals that it follows from.
//!
//! ## References
//! - W. Pugh. *The Omega Test*. 1991: the elimination of equations.
//! - M. Bromberger. *A Reduction from Unbounded Linear Mixed Arithmetic Problems into Bounded Problems*. 2018: step 3.
//! - A. K. Lenstra, H. W. Lenstra, L. Lovász. *Factoring Polynomials with Rational Coefficients*. 1982: step 4.
//! - K. Aardal, C. A. J. Hurkens, A. K. Lenstra. *Solving a System of Linear Diophantine Equations with Lower and Upper
//!   Bounds on the Variables*. 2000: branching in the coordinates of a reduced basis.

mod basis;
mod directions;
mod equations;
mod projection;
mod relaxation;
mod system;

pub(super) use projection::Projection;
pub(super) use system::{Answer, System};
