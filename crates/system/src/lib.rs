//! What a formalism tells of a system, and all that the search and the checker know of it.
//!
//! A [`System`] has *points* and *steps* between them. A step is loop-free, so it is one [`Formula`] over the state before
//! it: for a program a block of its automaton, for a transition system its next-state function. At the
//! [initial](Point::INITIAL) point every state is possible: a system that starts with known values has a first step that
//! sets them. The question is whether the last point, the error, can be reached.
//!
//! The finer structure is *edges*: an execution of a step takes a sequence of them. Where a counterexample is spurious, one
//! path of edges is executed symbolically ([`System::follow`]), and refinement looks at its conditions. Each condition is
//! known by a [`GuardId`], so that a core may keep one condition of a clock cycle that has fifty.
//!
//! What only some sources of predicates need, branches, is a trait of its own: [`Branching`]. So is what only some abstractions
//! need, state variables one by one: [`Registers`]; what only searches need that guess invariants: [`Candidates`]; what
//! follows executions edge by edge: [`ControlFlow`]; and what only searches need that go far in loops: [`Accelerated`].
//!
//! # Example
//!
//! A transition system takes three points: initial, running and bad. Here is a register that counts up while it is
//! enabled and is never to be 9, since it goes back to 0 after 5. One edge is one cycle.
//!
//! ```
//! use tamis_logic::{Bits, Model, Sort, Term, Terms, Value};
//! use tamis_system::{Followed, Formula, GuardId, Guards, Point, Step, StepId, System, Taken};
//!
//! struct Counter {
//!     count: Term,
//!     steps: Vec<Step>,
//! }
//!
//! #[derive(Clone, Copy, PartialEq, Eq, Hash)]
//! enum Cycle {
//!     Reset,
//!     Count,
//!     Bad,
//! }
//!
//! const CYCLES: [Cycle; 3] = [Cycle::Reset, Cycle::Count, Cycle::Bad];
//!
//! impl System for Counter {
//!     /// The value of the register.
//!     type State = Term;
//!     /// The input.
//!     type Decode = Vec<Term>;
//!     type Edge = Cycle;
//!
//!     fn points(&self) -> usize {
//!         3
//!     }
//!     fn steps(&self) -> &[Step] {
//!         &self.steps
//!     }
//!     fn state_variables(&self) -> Vec<Term> {
//!         vec![self.count]
//!     }
//!     fn symbolic(&self) -> Term {
//!         self.count
//!     }
//!     fn read(&self, terms: &mut Terms, state: &mut Term, t: Term) -> Term {
//!         terms.substitute_with(t, |v| (v == self.count).then_some(*state))
//!     }
//!     fn follow(&self, terms: &mut Terms, path: &[Cycle], pre: &Term) -> Followed<Term> {
//!         let mut followed = Followed { condition: Guards::default(), post: *pre };
//!         for (edge, cycle) in path.iter().enumerate() {
//!             let count = followed.post;
//!             match cycle {
//!                 Cycle::Reset => followed.post = terms.bits(4, 0),
//!                 Cycle::Count => {
//!                     let enable = terms.fresh("enable", Sort::Bool);
//!                     followed.condition.inputs.push(enable);
//!                     let (zero, one, five) = (terms.bits(4, 0), terms.bits(4, 1), terms.bits(4, 5));
//!                     let (last, more) = (terms.eq(count, five), terms.add(count, one));
//!                     let next = terms.ite(last, zero, more);
//!                     followed.post = terms.ite(enable, next, count);
//!                 }
//!                 Cycle::Bad => {
//!                     let nine = terms.bits(4, 9);
//!                     let bad = terms.eq(count, nine);
//!                     followed.condition.guards.push((GuardId { edge, index: 0 }, bad));
//!                 }
//!             }
//!         }
//!         followed
//!     }
//!     fn encode(&self, terms: &mut Terms, step: StepId, pre: &Term) -> Formula<Term, Vec<Term>> {
//!         let Followed { condition, post } = self.follow(terms, &[CYCLES[step.index()]], pre);
//!         Formula { constraints: condition.terms().collect(), post, decode: condition.inputs }
//!     }
//!     fn model_variables(&self, terms: &Terms, formula: &Formula<Term, Vec<Term>>) -> Vec<Term> {
//!         let mut variables = terms.free_vars_of(&formula.constraints);
//!         variables.extend(&formula.decode);
//!         variables
//!     }
//!     fn execution(
//!         &self,
//!         terms: &Terms,
//!         step: StepId,
//!         formula: &Formula<Term, Vec<Term>>,
//!         model: &Model,
//!     ) -> Option<Vec<Taken<Cycle>>> {
//!         let chosen = formula.decode.iter().map(|&input| (input, terms.eval(input, model))).collect();
//!         Some(vec![Taken { edge: CYCLES[step.index()], chosen }])
//!     }
//!     fn only_path(&self, step: StepId) -> Option<Vec<Cycle>> {
//!         Some(vec![CYCLES[step.index()]])
//!     }
//!     fn merge(&self, terms: &mut Terms, _: Point, states: &mut [(Term, Term)]) -> (Term, Vec<Term>) {
//!         // One term is both the state and why: no constraint is needed.
//!         let merged = states.iter().copied().reduce(|(_, first), (condition, last)| {
//!             (condition, terms.ite(condition, last, first))
//!         });
//!         (merged.map_or(self.count, |(_, state)| state), Vec::new())
//!     }
//!     fn describe(&self, _: &Terms, cycle: Cycle) -> String {
//!         match cycle {
//!             Cycle::Reset => "reset".to_owned(),
//!             Cycle::Count => "a cycle".to_owned(),
//!             Cycle::Bad => "the count is 9".to_owned(),
//!         }
//!     }
//! }
//!
//! let mut terms = Terms::new();
//! let count = terms.var("count", Sort::BitVec(4));
//! let [initial, running, bad] = [Point::INITIAL, Point(1), Point(2)];
//! let steps = vec![
//!     Step { from: initial, to: running },
//!     Step { from: running, to: running },
//!     Step { from: running, to: bad },
//! ];
//! let counter = Counter { count, steps };
//! assert_eq!(counter.error(), bad);
//!
//! // From 5 the next count is 0 or, if it is not enabled, 5.
//! let formula = counter.encode(&mut terms, StepId(1), &count);
//! let mut next = |enabled| {
//!     let five = Value::Bits(Bits::new(4, 5));
//!     let model: Model = [(count, five), (formula.decode[0], Value::Bool(enabled))].into_iter().collect();
//!     terms.eval(formula.post, &model)
//! };
//! assert_eq!(next(true), Value::Bits(Bits::new(4, 0)));
//! assert_eq!(next(false), Value::Bits(Bits::new(4, 5)));
//!
//! // The way to the error just after the reset has one condition, which is false.
//! let guards = counter.guards(&mut terms, &[Cycle::Reset, Cycle::Bad]).guards;
//! assert_eq!(guards, [(GuardId { edge: 1, index: 0 }, terms.fals())]);
//! ```
//!
//! \[MIN\]: *Predicate Abstraction with Minimum Predicates*; \[CTL\]: *High Level Verification of Control Intensive Systems
//! Using Predicate Abstraction*.

mod branching;
mod candidates;
mod control_flow;
mod execution;
mod invariants;
mod path;
mod point;
mod registers;
mod rounds;
mod system;

pub use branching::{BranchId, Branching};
pub use candidates::{Candidates, Domains, Elements};
pub use control_flow::{ControlFlow, Effect, Passage};
pub use execution::{ConcreteTrace, Execution, Taken};
pub use invariants::Invariants;
pub use path::{Followed, GuardId, Guards};
pub use point::{Point, Step, StepId};
pub use registers::{Registers, Update};
pub use rounds::{Accelerated, Rounds};
pub use system::{Formula, System};
