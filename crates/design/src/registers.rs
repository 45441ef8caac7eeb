//! A design's registers one by one, as the hybrid abstraction of \[CTL\] section 3 takes them.
//!
//! \[CTL\]: *High Level Verification of Control Intensive Systems Using Predicate Abstraction*.

use crate::system::{Cycle, DesignSystem};
use tamis_logic::Term;
use tamis_system::{Point, Registers, StepId, Update};

impl Registers for DesignSystem<'_> {
    fn running(&self) -> Point {
        DesignSystem::RUNNING
    }

    /// A register without a first value keeps the one from before the reset, which is any.
    fn updates(&self, step: StepId) -> Vec<Update> {
        let registers = self.design().registers.iter();
        match DesignSystem::cycle(step) {
            Cycle::Reset => registers
                .zip(self.first())
                .map(|(r, first)| Update {
                    variable: r.signal.term,
                    value: Some(first.unwrap_or(r.signal.term)),
                })
                .collect(),
            Cycle::Next => registers.map(|r| Update { variable: r.signal.term, value: r.next }).collect(),
            Cycle::Bad => Vec::new(),
        }
    }

    fn conditions(&self, step: StepId) -> Vec<Term> {
        self.conditions(DesignSystem::cycle(step)).map(|c| c.term).collect()
    }

    fn property(&self) -> Term {
        self.bad()
    }
}
