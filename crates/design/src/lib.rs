//! Word-level transition systems: what a hardware design is after its front end.
//!
//! A [`Design`] has inputs, registers with a first and a next value, conditions that every cycle fulfils (constraints) and
//! conditions that no cycle may fulfil (properties), all of them terms over the inputs and registers. Registers may be words
//! of any width or memories (arrays); one without a first value starts with any, one without a next value takes any in each
//! cycle. [`Design::cone`] leaves what one property depends on, [`Run`] executes a design on given values, and
//! [`DesignSystem`] makes it a [`System`](tamis_system::System) of three points: before the reset, running, bad.
//! Liveness ([`Justice`]) becomes such a property by [`Design::with_saved_loop`].
//!
//! A cycle in which a property is violated fulfils the constraints, as all cycles before it do.
//!
//! ```
//! use tamis_design::{Condition, Design, DesignSystem, Register, Signal};
//! use tamis_logic::{Sort, Terms};
//! use tamis_system::System;
//! // A counter from 0 that is not to reach 9.
//! let mut terms = Terms::new();
//! let count = terms.var("count", Sort::BitVec(4));
//! let (zero, one, nine) = (terms.bits(4, 0), terms.bits(4, 1), terms.bits(4, 9));
//! let next = terms.add(count, one);
//! let bad = terms.eq(count, nine);
//! let design = Design {
//!     registers: vec![Register { signal: Signal::new(0, "count", count), init: Some(zero), next: Some(next) }],
//!     properties: vec![Condition::new(0, "never nine", bad)],
//!     ..Design::default()
//! };
//! let system = DesignSystem::new(&mut terms, &design, 0);
//! assert_eq!(system.points(), 3);
//! assert_eq!(system.state_variables(), [count]);
//! ```

mod cone;
mod design;
mod lasso;
mod registers;
mod run;
mod system;
mod text;

pub use design::{Condition, Design, Justice, Place, Register, Signal};
pub use lasso::{Lasso, NoLasso, SavedLoop};
pub use run::{NotAnExecution, Run, Stimulus};
pub use system::{Cycle, DesignSystem};
pub use text::{expression, value_text};
