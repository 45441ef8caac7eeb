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
//! They share the memory too, and of a large program each makes formulas of its own. When little is left, one search is dismissed: the
//! one that has taken most for its weight. The others go on in what it leaves, so that memory ends a run only when one search
//! alone takes all of it.
//!
//! On a busy machine a search that has a slot still has no processor most of the time. That is waiting too: a question that may
//! take a second has a second of the processor, so that what a search finds depends on other processes only where all time
//! is used up.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};
use tamis_solver::{Budget, Stop, Turnstile, resident_memory, thread_time};

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

/// How long it is waited after a search was dismissed and has ended, before another one is.
const SETTLING: Duration = Duration::from_millis(300);

/// Between two looks at what a search waits for.
const PAUSE: Duration = Duration::from_millis(2);

/// Searches that take turns.
pub(crate) struct Turns {
    /// Says whether memory is short.
    run: Budget,
    began: Instant,
    members: Mutex<Members>,
    changed: Condvar,
}

struct Members {
    members: Vec<Member>,
    free: usize,
    /// Whether everybody may go on, since there is an answer.
    open: bool,
    /// The memory of the process when it was last looked at.
    memory: u64,
    /// Nobody is dismissed earlier.
    settled: Instant,
}

struct Member {
    weight: u32,
    had: Duration,
    waited: Duration,
    state: State,
    /// Whether its slot has been lent to another, since it does not look at its budget.
    lent: bool,
    /// By how many bytes the process has grown while it worked: where several work, each is taken to have had as much.
    taken: i64,
    dismissed: Arc<AtomicBool>,
}

#[derive(Clone, Copy)]
enum State {
    /// Has a slot.
    Works { since: Instant },
    /// Could go on.
    Waits { since: Instant },
    /// Cannot go on before another search has done something, or has ended.
    Sleeps { since: Instant },
    /// Has ended.
    Ended,
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
    /// Whether it is to end, since memory is short.
    dismissed: Arc<AtomicBool>,
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
    /// Turns of searches of a run, with these weights, on so many processors. Everybody waits at first.
    pub fn new(
        weights: impl IntoIterator<Item = u32>,
        processors: usize,
        run: &Budget,
    ) -> (Arc<Turns>, Vec<Arc<Turn>>) {
        let began = Instant::now();
        let member = |weight| Member {
            weight,
            had: Duration::ZERO,
            waited: Duration::ZERO,
            state: State::Waits { since: began },
            lent: false,
            taken: 0,
            dismissed: Arc::default(),
        };
        let members: Vec<Member> = weights.into_iter().map(member).collect();
        let dismissed: Vec<Arc<AtomicBool>> = members.iter().map(|m| m.dismissed.clone()).collect();
        let memory = resident_memory().unwrap_or(0);
        let members = Members { members, free: processors, open: false, memory, settled: began };
        let (run, members, changed) = (run.clone(), Mutex::new(members), Condvar::new());
        let turns = Arc::new(Turns { run, began, members, changed });
        let turn = |(place, dismissed)| {
            let turns = turns.clone();
            let [ends, waited, stalled] = [(); 3].map(|()| AtomicU64::new(0));
            Arc::new(Turn { turns, place, ends, waited, stalled, slice: Mutex::new(None), dismissed })
        };
        let all = dismissed.into_iter().enumerate().map(turn).collect();
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
        self.account();
        if let State::Ended = state
            && self.members[place].is_dismissed()
        {
            self.settled = now + SETTLING;
        }
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
        self.account();
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

    /// Takes note of who works while memory grows. While somebody who was dismissed leaves, it says nothing of others.
    fn account(&mut self) {
        let Some(memory) = resident_memory() else { return };
        let grown = memory as i64 - std::mem::replace(&mut self.memory, memory) as i64;
        let works = |m: &Member| matches!(m.state, State::Works { .. });
        let working = self.members.iter().filter(|m| works(m)).count() as i64;
        if !self.members.iter().any(Member::is_leaving) {
            self.members.iter_mut().filter(|m| works(m)).for_each(|m| m.taken += grown / working);
        }
    }

    /// Dismisses the one that has taken the most memory for its weight, unless it is the last, or somebody leaves just now.
    fn dismiss(&mut self, now: Instant) {
        if now < self.settled || self.members.iter().any(Member::is_leaving) {
            return;
        }
        let there: Vec<&Member> = self.members.iter().filter(|m| !matches!(m.state, State::Ended)).collect();
        let most = there.iter().min_by_key(|m| Reverse(m.taken / i64::from(m.weight)));
        if let Some(most) = most.filter(|_| there.len() > 1) {
            most.dismissed.store(true, Ordering::Release);
        }
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
            State::Ended => {}
        }
    }

    fn is_dismissed(&self) -> bool {
        self.dismissed.load(Ordering::Acquire)
    }

    /// Whether it is to end and has not ended yet.
    fn is_leaving(&self) -> bool {
        self.is_dismissed() && !matches!(self.state, State::Ended)
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
        while !done() && !self.turns.lock().open && !budget.is_over() && !self.is_dismissed() {
            std::thread::sleep(PAUSE);
        }
        self.put_down(|since| State::Waits { since });
        budget.check()
    }

    /// Whether it was to end, since memory was short.
    pub fn is_dismissed(&self) -> bool {
        self.dismissed.load(Ordering::Acquire)
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
        self.0.put_down(|_| State::Ended);
    }
}

impl Turnstile for Turn {
    fn pass(&self) -> Result<(), Stop> {
        if self.is_dismissed() {
            return Err(Stop::Memory);
        }
        let now = Instant::now();
        let time = (now - self.turns.began).as_micros() as u64;
        if time < self.ends.load(Ordering::Acquire) {
            return Ok(());
        }
        let mut members = self.turns.lock();
        // Another thread of the same search may have been here meanwhile.
        let ends = self.ends.load(Ordering::Acquire);
        if members.open || time < ends {
            return Ok(());
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
            if self.turns.run.memory_is_short() {
                members.dismiss(Instant::now());
            }
            if self.is_dismissed() {
                return Err(Stop::Memory);
            }
            if let State::Works { .. } = members.members[self.place].state {
                self.begin(&members.members[self.place], Instant::now());
                return Ok(());
            }
            let waited = self.turns.changed.wait_timeout(members, LOOK);
            members = waited.unwrap_or_else(PoisonError::into_inner).0;
            if members.lend(Instant::now()) {
                self.turns.changed.notify_all();
            }
        }
        Ok(())
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
        let (turns, all) = Turns::new([1, 3, 1], 1, &Budget::unlimited());
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
        let (_, all) = Turns::new([1], 1, &Budget::unlimited());
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
        let (_, all) = Turns::new([1, 1], 1, &Budget::unlimited());
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
        let (turns, all) = Turns::new([1, 1], 1, &Budget::unlimited());
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
    fn who_has_taken_most_for_its_weight_makes_room_but_not_the_last() {
        let run = Budget::unlimited();
        let (turns, all) = Turns::new([1, 4, 1], 2, &run);
        let budget = run.child_behind(all[0].clone());
        let later = Instant::now() + 2 * SETTLING;
        {
            let mut members = turns.lock();
            for (member, taken) in members.members.iter_mut().zip([10, 30, 0]) {
                member.taken = taken;
            }
            members.dismiss(later);
            members.dismiss(later);
        }
        let dismissed = || all.iter().map(|turn| turn.is_dismissed()).collect::<Vec<bool>>();
        assert_eq!(dismissed(), [true, false, false]);
        assert_eq!(budget.check(), Err(Stop::Memory));
        assert_eq!(run.check(), Ok(()));
        drop(UntilEnd(&all[0]));
        turns.lock().dismiss(Instant::now());
        assert_eq!(dismissed(), [true, false, false]);
        turns.lock().dismiss(later + SETTLING);
        assert_eq!(dismissed(), [true, true, false]);
        drop(UntilEnd(&all[1]));
        turns.lock().dismiss(later + 4 * SETTLING);
        assert_eq!(dismissed(), [true, true, false]);
    }

    #[test]
    fn an_answer_lets_everybody_go_on() {
        let (turns, all) = Turns::new([1, 1, 1], 1, &Budget::unlimited());
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
