//! Turns: searches that share the processors.
//!
//! There are as many slots as processors, and who has one works until its slice is used up. Then the slot goes to the one of
//! those that wait that has had least for its weight (stride scheduling: Waldspurger and Weihl, MIT 1995). Slices grow with what
//! a search has had, so that the cheap ones have all been tried after a moment, and hardly any time is lost to changes later.
//!
//! A search does not know of this: its [budget](Budget::child_behind) does. Who looks at the budget when its slice is used up
//! waits there. So a search that seldom looks has longer slices, and fewer of them; if it does not look for long, its slot is lent
//! to others until it does. What has to wait for another search says so
//! ([`Turn::sleep_until`]), and its slot is free meanwhile.
//!
//! On a busy machine a search that has a slot still has no processor most of the time. That is waiting too: a question that may
//! take a second has a second of the processor, so that what a search finds depends on other processes only where all time
//! is used up.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};
use tamis_solver::{Budget, Stop, Turnstile, thread_time};

/// The first slice, and the longest one.
const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(2);

/// A slice is this part of what the search has had.
const GROWTH: u32 = 4;

/// Who has not looked at its budget for so long after its slice keeps nobody waiting any more.
const OVERDUE: Duration = Duration::from_millis(100);

/// Between two looks of who waits at whether others are overdue.
const LOOK: Duration = Duration::from_millis(20);

/// So much longer a slice may seem than what its thread has of a processor. More is taken for time in which it waits for other
/// threads or processes that work for it.
const SLOWEST: u32 = 16;

/// Between two looks at what a search waits for.
const PAUSE: Duration = Duration::from_millis(2);

/// Searches that take turns.
pub(crate) struct Turns {
    began: Instant,
    members: Mutex<Members>,
    changed: Condvar,
}

struct Members {
    members: Vec<Member>,
    free: usize,
    /// Whether everybody may go on, since there is an answer.
    open: bool,
}

struct Member {
    weight: u32,
    had: Duration,
    waited: Duration,
    state: State,
    /// Whether its slot has been lent to another, since it does not look at its budget.
    lent: bool,
}

#[derive(Clone, Copy)]
enum State {
    /// Has a slot.
    Works { since: Instant },
    /// Could go on.
    Waits { since: Instant },
    /// Cannot go on before another search has done something, or has ended.
    Sleeps { since: Instant },
}

/// The place of a search among those that take turns.
pub(crate) struct Turn {
    turns: Arc<Turns>,
    place: usize,
    /// When its slice ends, in microseconds since the turns began; 0 if it has no slot.
    ends: AtomicU64,
    /// How long it has waited for slots, in microseconds.
    waited: AtomicU64,
    /// How long it has waited for a processor in slices that are over, in microseconds.
    stalled: AtomicU64,
    slice: Mutex<Option<Slice>>,
}

/// A slice, as the thread sees it that has it.
#[derive(Clone, Copy)]
struct Slice {
    thread: ThreadId,
    since: Instant,
    /// What the thread had had of a processor when it began.
    before: Duration,
}

impl Slice {
    fn begin() -> Slice {
        Slice { thread: std::thread::current().id(), since: Instant::now(), before: thread_time() }
    }

    /// How long its thread has had a slot and no processor; another thread does not know.
    fn stalled(&self) -> Duration {
        if std::thread::current().id() != self.thread {
            return Duration::ZERO;
        }
        let (passed, had) = (self.since.elapsed(), thread_time().saturating_sub(self.before));
        passed.saturating_sub(had.max(passed / SLOWEST))
    }
}

impl Turns {
    /// Turns of searches with these weights on so many processors. Everybody waits at first.
    pub fn new(weights: impl IntoIterator<Item = u32>, processors: usize) -> (Arc<Turns>, Vec<Arc<Turn>>) {
        let began = Instant::now();
        let member = |weight| Member {
            weight,
            had: Duration::ZERO,
            waited: Duration::ZERO,
            state: State::Waits { since: began },
            lent: false,
        };
        let members: Vec<Member> = weights.into_iter().map(member).collect();
        let count = members.len();
        let members = Mutex::new(Members { members, free: processors, open: false });
        let turns = Arc::new(Turns { began, members, changed: Condvar::new() });
        let turn = |place| {
            let turns = turns.clone();
            let [ends, waited, stalled] = [(); 3].map(|()| AtomicU64::new(0));
            Arc::new(Turn { turns, place, ends, waited, stalled, slice: Mutex::new(None) })
        };
        let all = (0..count).map(turn).collect();
        turns.lock().give(began);
        (turns, all)
    }

    /// Lets everybody go on, who will see that there is an answer.
    pub fn open(&self) {
        self.lock().open = true;
        self.changed.notify_all();
    }

    /// How long each has worked.
    pub fn worked(&self) -> Vec<Duration> {
        self.lock().members.iter().map(|m| m.had).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Members {
    /// Gives free slots to those who wait.
    fn give(&mut self, now: Instant) {
        while self.free > 0 {
            let waits = |m: &&mut Member| matches!(m.state, State::Waits { .. });
            let Some(next) = self.members.iter_mut().filter(waits).min_by_key(|m| m.share()) else { return };
            next.change(State::Works { since: now }, now);
            self.free -= 1;
        }
    }

    /// Changes the state of one, and gives its slot to others if it had one.
    fn change(&mut self, place: usize, state: State, now: Instant) {
        let member = &mut self.members[place];
        if let State::Works { .. } = member.state
            && !std::mem::take(&mut member.lent)
        {
            self.free += 1;
        }
        member.change(state, now);
    }

    /// Lends the slots of those who are overdue; whether there were any.
    fn lend(&mut self, now: Instant) -> bool {
        let before = self.free;
        for member in &mut self.members {
            if let State::Works { since } = member.state
                && !member.lent
                && now > since + member.slice() + OVERDUE
            {
                member.lent = true;
                self.free += 1;
            }
        }
        let lent = self.free > before;
        self.give(now);
        lent
    }
}

impl Member {
    /// What it has had for its weight.
    fn share(&self) -> Duration {
        self.had / self.weight
    }

    fn change(&mut self, state: State, now: Instant) {
        match std::mem::replace(&mut self.state, state) {
            State::Works { since } => self.had += now - since,
            State::Waits { since } | State::Sleeps { since } => self.waited += now - since,
        }
    }

    fn slice(&self) -> Duration {
        (self.had / GROWTH).clamp(FIRST, LONGEST)
    }
}

impl Turn {
    /// Waits for something that other searches do.
    ///
    /// # Errors
    /// If the budget ends before.
    pub fn sleep_until(&self, budget: &Budget, mut done: impl FnMut() -> bool) -> Result<(), Stop> {
        if done() {
            return budget.check();
        }
        self.put_down(|since| State::Sleeps { since });
        // Who sleeps must not wait for a turn to notice that the run has ended.
        while !done() && !self.turns.lock().open && !budget.is_over() {
            std::thread::sleep(PAUSE);
        }
        self.put_down(|since| State::Waits { since });
        budget.check()
    }

    fn put_down(&self, state: impl FnOnce(Instant) -> State) {
        self.end_slice();
        let now = Instant::now();
        let mut members = self.turns.lock();
        self.ends.store(0, Ordering::Release);
        members.change(self.place, state(now), now);
        members.give(now);
        self.turns.changed.notify_all();
    }

    /// Takes note of the slot that it has.
    fn begin(&self, member: &Member, now: Instant) {
        let ends = now + member.slice() - self.turns.began;
        self.waited.store(member.waited.as_micros() as u64, Ordering::Release);
        self.ends.store(ends.as_micros() as u64, Ordering::Release);
        *self.slice() = Some(Slice::begin());
    }

    fn slice(&self) -> MutexGuard<'_, Option<Slice>> {
        self.slice.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end_slice(&self) {
        if let Some(slice) = self.slice().take() {
            self.stalled.fetch_add(slice.stalled().as_micros() as u64, Ordering::AcqRel);
        }
    }
}

/// Gives a slot away for good when the search ends, be it by a panic.
pub(crate) struct UntilEnd<'a>(pub &'a Turn);

impl Drop for UntilEnd<'_> {
    fn drop(&mut self) {
        self.0.put_down(|since| State::Sleeps { since });
    }
}

impl Turnstile for Turn {
    fn pass(&self) {
        let now = Instant::now();
        let time = (now - self.turns.began).as_micros() as u64;
        if time < self.ends.load(Ordering::Acquire) {
            return;
        }
        let mut members = self.turns.lock();
        // Another thread of the same search may have been here meanwhile.
        let ends = self.ends.load(Ordering::Acquire);
        if members.open || time < ends {
            return;
        }
        if let State::Works { .. } = members.members[self.place].state
            && ends > 0
        {
            // The slice is used up: the slot goes to who has had least, which may be this one again.
            self.end_slice();
            self.ends.store(0, Ordering::Release);
            members.change(self.place, State::Waits { since: now }, now);
            members.give(now);
            self.turns.changed.notify_all();
        }
        while !members.open {
            if let State::Works { .. } = members.members[self.place].state {
                self.begin(&members.members[self.place], Instant::now());
                return;
            }
            let waited = self.turns.changed.wait_timeout(members, LOOK);
            members = waited.unwrap_or_else(PoisonError::into_inner).0;
            if members.lend(Instant::now()) {
                self.turns.changed.notify_all();
            }
        }
    }

    fn waited(&self) -> Duration {
        let slice = self.slice();
        let before = self.waited.load(Ordering::Acquire) + self.stalled.load(Ordering::Acquire);
        Duration::from_micros(before) + slice.map_or(Duration::ZERO, |slice| slice.stalled())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// Works until the budget ends, or for so many looks at it.
    fn work(budget: &Budget, looks: usize) {
        for _ in 0..looks {
            if budget.check().is_err() {
                return;
            }
            std::hint::black_box((0..1000).sum::<u64>());
        }
    }

    #[test]
    fn one_slot_is_had_by_one_at_a_time() {
        let (turns, all) = Turns::new([1, 3, 1], 1);
        let run = Budget::unlimited();
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for turn in &all {
                let (budget, turn, inside) = (run.child_behind(turn.clone()), turn.clone(), &inside);
                scope.spawn(move || {
                    let _end = UntilEnd(&turn);
                    for _ in 0..20 {
                        budget.check().unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::sleep(FIRST / 8);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(turns.worked().iter().all(|&had| had > FIRST));
    }

    #[test]
    fn time_without_a_processor_is_no_work() {
        let (_, all) = Turns::new([1], 1);
        let budget = Budget::unlimited().child_behind(all[0].clone());
        budget.check().unwrap();
        let question = budget.child_with_timeout(FIRST);
        std::thread::sleep(4 * FIRST);
        assert_eq!(question.check(), Ok(()));
        work(&question, usize::MAX);
        assert_eq!(question.check(), Err(Stop::Timeout));
        assert!(budget.worked() >= FIRST / 2);
    }

    #[test]
    fn who_sleeps_is_woken_by_what_another_does() {
        let (_, all) = Turns::new([1, 1], 1);
        let run = Budget::unlimited();
        let done = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (first, second) = (run.child_behind(all[0].clone()), run.child_behind(all[1].clone()));
            let (sleeper, worker, done) = (&all[0], &all[1], &done);
            scope.spawn(move || {
                let _end = UntilEnd(sleeper);
                sleeper.sleep_until(&first, || done.load(Ordering::SeqCst) == 1).unwrap();
                assert_eq!(done.load(Ordering::SeqCst), 1);
            });
            scope.spawn(move || {
                let _end = UntilEnd(worker);
                work(&second, 100);
                done.store(1, Ordering::SeqCst);
            });
        });
    }

    #[test]
    fn who_does_not_look_keeps_nobody_waiting() {
        let (turns, all) = Turns::new([1, 1], 1);
        let run = Budget::unlimited();
        let done = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for (i, turn) in all.iter().enumerate() {
                let (budget, turn, done) = (run.child_behind(turn.clone()), turn.clone(), &done);
                scope.spawn(move || {
                    let _end = UntilEnd(&turn);
                    budget.check().unwrap();
                    // Whoever is first waits for the other without a look.
                    done.fetch_add(1, Ordering::SeqCst);
                    while i == 0 && done.load(Ordering::SeqCst) < 2 {
                        std::thread::sleep(PAUSE);
                    }
                });
            }
        });
        let members = turns.lock();
        assert_eq!(members.free, 1);
    }

    #[test]
    fn an_answer_lets_everybody_go_on() {
        let (turns, all) = Turns::new([1, 1, 1], 1);
        let run = Budget::unlimited();
        std::thread::scope(|scope| {
            for (i, turn) in all.iter().enumerate() {
                let (budget, turn, run, turns) = (run.child_behind(turn.clone()), turn.clone(), &run, &turns);
                scope.spawn(move || {
                    let _end = UntilEnd(&turn);
                    work(&budget, if i == 1 { 10 } else { usize::MAX });
                    run.cancel(Stop::Cancelled);
                    turns.open();
                });
            }
        });
        assert_eq!(run.check(), Err(Stop::Cancelled));
    }
}
