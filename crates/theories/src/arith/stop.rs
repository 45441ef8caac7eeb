//! Cancellation.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

/// Asks whether nobody waits for the answer any more.
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// Counts steps and asks now and then: the question may cost a system call.
#[derive(Clone, Default)]
pub(super) struct Watch {
    stop: Option<Stop>,
    steps: Cell<u32>,
}

impl Watch {
    pub(super) fn set(&mut self, stop: Option<Stop>) {
        self.stop = stop;
        self.steps.set(0);
    }

    /// Whether to stop; asks at the first step and at every 256th.
    pub(super) fn stops(&self) -> bool {
        let Some(stop) = &self.stop else { return false };
        let step = self.steps.get();
        self.steps.set(step.wrapping_add(1));
        step.is_multiple_of(256) && stop()
    }

    /// Whether to stop, asked before the next long step.
    pub(super) fn stops_now(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop())
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Watch({} steps)", self.steps.get())
    }
}
