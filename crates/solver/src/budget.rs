//! Limits that a run shares among all its searches.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why a search was stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has passed.
    Timeout,
    /// The process has grown beyond its memory limit.
    Memory,
    /// Nobody waits for the answer any more.
    Cancelled,
    /// The answer depends on terms of a theory that the solver does not decide.
    Unsupported,
}

impl Stop {
    fn code(self) -> u8 {
        match self {
            Stop::Timeout => 1,
            Stop::Memory => 2,
            Stop::Cancelled => 3,
            Stop::Unsupported => 4,
        }
    }

    fn from_code(code: u8) -> Option<Stop> {
        [Stop::Timeout, Stop::Memory, Stop::Cancelled, Stop::Unsupported]
            .into_iter()
            .find(|stop| stop.code() == code)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Timeout => "timeout",
            Stop::Memory => "out of memory",
            Stop::Cancelled => "cancelled",
            Stop::Unsupported => "a theory that is not supported",
        })
    }
}

impl std::error::Error for Stop {}

/// Where searches that take turns wait for theirs.
pub trait Turnstile: Send + Sync {
    /// Returns when work may go on. It is asked often, and mostly at once.
    ///
    /// # Errors
    /// If it may not go on at all.
    fn pass(&self) -> Result<(), Stop>;

    /// How long work has been kept waiting so far.
    fn waited(&self) -> Duration;
}

/// The deadline, the memory limit and the cancellation of a run; clones share one state.
///
/// Once a budget is exhausted it stays so, with the first reason. [`child`](Budget::child) makes a budget that can be
/// cancelled without its parent: engines that race each get one, and the winner cancels the others.
///
/// Searches that take turns each have a budget [behind a turnstile](Budget::child_behind): who looks at it waits there until it is his
/// turn. The deadlines of budgets made from it do not come nearer meanwhile, so that a question that may take a second has
/// a second of work.
///
/// ```
/// use tamis_solver::{Budget, Stop};
/// let run = Budget::unlimited();
/// let engine = run.child();
/// engine.cancel(Stop::Cancelled);
/// assert_eq!(engine.check(), Err(Stop::Cancelled));
/// assert_eq!(run.check(), Ok(()));
/// run.cancel(Stop::Timeout);
/// assert_eq!(run.child().check(), Err(Stop::Timeout));
/// ```
#[derive(Clone)]
pub struct Budget {
    state: Arc<State>,
}

struct State {
    parent: Option<Budget>,
    /// Where work under this budget waits for its turn.
    gate: Option<Arc<dyn Turnstile>>,
    /// How long it had waited there when this budget was made.
    waited_before: Duration,
    made: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    /// The code of the stop, 0 while there is none.
    stop: AtomicU8,
    /// When the memory was last measured, in milliseconds since `made`.
    measured: AtomicU64,
    /// Whether there is little memory left.
    memory_is_short: AtomicBool,
}

/// Measuring memory reads a file; this often is enough to notice growth in time.
const MEASURE_EVERY_MS: u64 = 50;

impl Budget {
    fn make(parent: Option<Budget>, deadline: Option<Instant>, memory: Option<u64>) -> Budget {
        let gate = parent.as_ref().and_then(|parent| parent.state.gate.clone());
        Budget::make_behind(gate, parent, deadline, memory)
    }

    fn make_behind(
        gate: Option<Arc<dyn Turnstile>>,
        parent: Option<Budget>,
        deadline: Option<Instant>,
        memory: Option<u64>,
    ) -> Budget {
        let waited_before = gate.as_ref().map_or(Duration::ZERO, |gate| gate.waited());
        let state = State {
            parent,
            gate,
            waited_before,
            made: Instant::now(),
            deadline,
            memory,
            stop: AtomicU8::new(0),
            measured: AtomicU64::new(0),
            memory_is_short: AtomicBool::new(false),
        };
        Budget { state: Arc::new(state) }
    }

    /// No limits; stopped by [`cancel`](Budget::cancel) alone.
    pub fn unlimited() -> Budget {
        Budget::make(None, None, None)
    }

    /// A budget with a deadline and a limit in bytes on the memory of the process, either of which may be absent.
    pub fn new(deadline: Option<Instant>, memory: Option<u64>) -> Budget {
        Budget::make(None, deadline, memory)
    }

    /// A budget that is exhausted at `deadline`.
    pub fn with_deadline(deadline: Instant) -> Budget {
        Budget::make(None, Some(deadline), None)
    }

    /// A budget that is exhausted after `time` from now.
    pub fn with_timeout(time: Duration) -> Budget {
        Budget::make(None, Instant::now().checked_add(time), None)
    }

    /// A budget that ends with this one, or earlier if it is cancelled itself.
    pub fn child(&self) -> Budget {
        Budget::make(Some(self.clone()), None, None)
    }

    /// A budget that ends with this one, after `time` from now, or when it is cancelled.
    pub fn child_with_timeout(&self, time: Duration) -> Budget {
        Budget::make(Some(self.clone()), Instant::now().checked_add(time), None)
    }

    /// A budget that ends with this one, or earlier if it is cancelled itself, and under which work waits at a turnstile.
    pub fn child_behind(&self, gate: Arc<dyn Turnstile>) -> Budget {
        Budget::make_behind(Some(gate), Some(self.clone()), None, None)
    }

    /// Stops every search under this budget, from any thread. The first reason given stays.
    pub fn cancel(&self, why: Stop) {
        let _ = self.state.stop.compare_exchange(0, why.code(), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Says whether there is little memory left, for those who can do with less.
    pub fn note_memory(&self, is_short: bool) {
        self.state.memory_is_short.store(is_short, Ordering::Relaxed);
    }

    /// Whether there is little memory left, as far as somebody has noted.
    pub fn memory_is_short(&self) -> bool {
        let mut budgets = std::iter::successors(Some(self), |budget| budget.state.parent.as_ref());
        budgets.any(|budget| budget.state.memory_is_short.load(Ordering::Relaxed))
    }

    /// Whether more than half of the time until the deadline has passed; never without one. For work that would rather
    /// end early than not at all.
    pub fn is_half_spent(&self) -> bool {
        let state = &*self.state;
        let spent = self
            .deadline()
            .is_some_and(|deadline| self.worked() > deadline.saturating_duration_since(Instant::now()));
        spent || state.parent.as_ref().is_some_and(Budget::is_half_spent)
    }

    /// How long work may have gone on since the budget was made: what was spent waiting for a turn is not counted.
    pub fn worked(&self) -> Duration {
        self.state.made.elapsed().saturating_sub(self.kept_waiting())
    }

    /// How long work has waited at the turnstile since the budget was made.
    fn kept_waiting(&self) -> Duration {
        let State { gate, waited_before, .. } = &*self.state;
        gate.as_ref().map_or(Duration::ZERO, |gate| gate.waited().saturating_sub(*waited_before))
    }

    fn deadline(&self) -> Option<Instant> {
        self.state.deadline?.checked_add(self.kept_waiting())
    }

    /// Whether work may go on, looking at clock and memory, once it is its turn.
    pub fn check(&self) -> Result<(), Stop> {
        self.check_flags()?;
        if let Some(gate) = &self.state.gate
            && let Err(stop) = gate.pass()
        {
            self.cancel(stop);
        }
        self.check_limits()
    }

    /// Whether work must end, looking at clock and memory, for those who wait for something else than their turn.
    pub fn is_over(&self) -> bool {
        self.check_limits().is_err()
    }

    fn check_limits(&self) -> Result<(), Stop> {
        self.check_flags()?;
        let state = &*self.state;
        let now = Instant::now();
        if self.deadline().is_some_and(|deadline| now >= deadline) {
            self.cancel(Stop::Timeout);
        }
        if let Some(limit) = state.memory {
            let elapsed = now.duration_since(state.made).as_millis() as u64;
            let due = state.measured.load(Ordering::Relaxed);
            if elapsed >= due {
                state.measured.store(elapsed + MEASURE_EVERY_MS, Ordering::Relaxed);
                if resident_memory().is_some_and(|used| used > limit) {
                    self.cancel(Stop::Memory);
                }
            }
        }
        if let Some(parent) = &state.parent {
            parent.check_limits()?;
        }
        self.check_flags()
    }

    /// Whether work may go on, as far as anybody has noticed: cheap enough for inner loops.
    pub(crate) fn check_flags(&self) -> Result<(), Stop> {
        let mut budget = Some(self);
        while let Some(b) = budget {
            if let Some(stop) = Stop::from_code(b.state.stop.load(Ordering::Relaxed)) {
                return Err(stop);
            }
            budget = b.state.parent.as_ref();
        }
        Ok(())
    }
}

/// The memory of this process that is in use, in bytes, where the system tells.
pub fn resident_memory() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: asks for a constant of the system.
    let page_size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * u64::try_from(page_size).ok()?)
}

/// Gives memory that is free back to the system, where the allocator would keep it.
pub fn release_memory() {
    // SAFETY: may be called at any time.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_in_the_past_is_a_timeout() {
        assert_eq!(Budget::with_deadline(Instant::now()).check(), Err(Stop::Timeout));
        assert!(Budget::with_deadline(Instant::now()).child().is_half_spent());
        assert!(!Budget::with_timeout(Duration::from_secs(1 << 20)).child().is_half_spent());
        assert!(!Budget::unlimited().is_half_spent());
        let soon = Budget::with_timeout(Duration::from_secs(3600));
        assert_eq!(soon.check(), Ok(()));
    }

    #[test]
    fn memory_beyond_the_limit_is_noticed() {
        assert_eq!(Budget::new(None, Some(1)).check(), Err(Stop::Memory));
        assert_eq!(Budget::new(None, Some(u64::MAX)).check(), Ok(()));
    }

    #[test]
    fn the_first_reason_stays() {
        let budget = Budget::unlimited();
        budget.cancel(Stop::Memory);
        budget.cancel(Stop::Timeout);
        assert_eq!(budget.check(), Err(Stop::Memory));
    }

    /// A turnstile at which everybody has waited a minute more each time.
    struct Slow(AtomicU64);

    impl Turnstile for Slow {
        fn pass(&self) -> Result<(), Stop> {
            self.0.fetch_add(60, Ordering::Relaxed);
            Ok(())
        }

        fn waited(&self) -> Duration {
            Duration::from_secs(self.0.load(Ordering::Relaxed))
        }
    }

    #[test]
    fn waiting_for_a_turn_is_no_work() {
        let gate = Arc::new(Slow(AtomicU64::new(5)));
        let behind = Budget::unlimited().child_behind(gate.clone());
        let question = behind.child_with_timeout(Duration::from_secs(20));
        assert_eq!(question.check(), Ok(()));
        assert_eq!(gate.waited(), Duration::from_secs(65));
        assert!(question.worked() < Duration::from_secs(1));
        // The run's own deadline waits for nobody.
        let late = Budget::with_deadline(Instant::now()).child_behind(gate);
        assert_eq!(late.check(), Err(Stop::Timeout));
    }

    #[test]
    fn a_child_ends_with_its_parent() {
        let parent = Budget::with_deadline(Instant::now());
        let child = parent.child();
        assert_eq!(child.check(), Err(Stop::Timeout));
        assert_eq!(child.check_flags(), Err(Stop::Timeout));
    }
}
