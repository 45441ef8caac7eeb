//! Limits on time and memory.
//!
//! A watchdog thread compares both with their limits and cancels the run's budget, on which the run ends by itself with
//! its statistics. Should it not do so soon, the watchdog gives the last word and ends the process: whatever the run
//! is doing, a limit holds.

use crate::arguments::values::{parse_duration, parse_memory};
use crate::verdict::ExitStatus;
use clap::Args;
use std::io::Read;
use std::time::{Duration, Instant};
use tamis_solver::{Budget, Stop};

/// The limits of a run.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Stop after this time: seconds, or a number with s, min or h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is used: megabytes, or a number with MB or GB.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<u64>,
}

const POLL: Duration = Duration::from_millis(10);
/// How long after its cancellation a run may take to end by itself.
const GRACE: Duration = Duration::from_millis(700);

impl Limits {
    /// The verdict's reason when a limit is exhausted.
    pub fn reason(&self, stop: Stop) -> String {
        match (stop, self.timeout, self.memory) {
            (Stop::Timeout, Some(limit), _) => format!("timeout: {} s", limit.as_secs_f64()),
            (Stop::Memory, _, Some(limit)) => format!("memory limit: {} MB", limit / 1_000_000),
            (Stop::Timeout, ..) => "timeout".to_owned(),
            (Stop::Memory, ..) => "memory limit".to_owned(),
            (Stop::Cancelled, ..) => "cancelled".to_owned(),
            (Stop::Unsupported, ..) => Stop::Unsupported.to_string(),
        }
    }

    /// Starts the watchdog for a run that began at `start`. `last_word` says what a run that does not end by itself
    /// leaves unsaid, and gives `false` if the run has ended after all.
    pub fn watch(
        self,
        start: Instant,
        budget: Budget,
        last_word: impl FnOnce(Stop) -> bool + Send + 'static,
    ) {
        if self.timeout.is_none() && self.memory.is_none() {
            return;
        }
        std::thread::spawn(move || self.guard(start, &budget, last_word, std::thread::sleep, || false));
    }

    /// As [`watch`](Limits::watch), in this thread, until the run in another one has `ended`: whoever ends it unparks this
    /// thread. A query of a millisecond feels each thread that is started.
    pub fn watch_here(
        self,
        start: Instant,
        budget: &Budget,
        last_word: impl FnOnce(Stop) -> bool,
        ended: impl Fn() -> bool,
    ) {
        if self.timeout.is_some() || self.memory.is_some() {
            self.guard(start, budget, last_word, std::thread::park_timeout, ended);
        }
    }

    fn guard(
        self,
        start: Instant,
        budget: &Budget,
        last_word: impl FnOnce(Stop) -> bool,
        wait: impl Fn(Duration),
        ended: impl Fn() -> bool,
    ) {
        let stop = loop {
            wait(POLL);
            if ended() {
                return;
            }
            if self.timeout.is_some_and(|limit| start.elapsed() >= limit) {
                break Stop::Timeout;
            }
            if self.memory.is_some_and(|limit| resident_memory().is_some_and(|used| used > limit)) {
                break Stop::Memory;
            }
        };
        budget.cancel(stop);
        let cancelled = Instant::now();
        while cancelled.elapsed() < GRACE && !ended() {
            wait(POLL);
            // Far above the limit there is no waiting.
            let flooded = self
                .memory
                .is_some_and(|limit| resident_memory().is_some_and(|used| used > limit + limit / 4));
            if flooded {
                break;
            }
        }
        if !ended() && last_word(stop) {
            end_children();
            // Not `exit`: destructors of the solver must not run while it does.
            // SAFETY: ends the process at once; nothing is left to be done in it.
            unsafe { libc::_exit(ExitStatus::Unknown as i32) }
        }
    }
}

/// Ends the processes that this one has started, and those that they have: a preprocessor that a program makes wait for a
/// named pipe would wait for ever. Where the system does not tell who they are, they stay.
fn end_children() {
    let mut processes = vec![std::process::id()];
    let mut asked = 0;
    while asked < processes.len() {
        // Who is stopped starts nobody more while it is asked.
        if let (1.., Ok(id)) = (asked, libc::pid_t::try_from(processes[asked])) {
            // SAFETY: as below.
            unsafe { libc::kill(id, libc::SIGSTOP) };
        }
        let threads = std::fs::read_dir(format!("/proc/{}/task", processes[asked]));
        for thread in threads.into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            processes.extend(children.split_ascii_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
        asked += 1;
    }
    for id in processes[1..].iter().filter_map(|&id| libc::pid_t::try_from(id).ok()) {
        // SAFETY: sends a signal. Nobody has waited for these processes, so their numbers are still theirs.
        unsafe { libc::kill(id, libc::SIGKILL) };
    }
}

/// The resident memory of this process in bytes, where the system tells.
pub fn resident_memory() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: asks for a constant of the system.
    let page_size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * u64::try_from(page_size).ok()?)
}

/// The most memory that this process has had since the last reset, in bytes, where the system tells.
pub fn peak_memory() -> Option<u64> {
    // The system writes this file anew for each read: one that is large enough takes it as a whole.
    let mut buffer = [0; 4096];
    let read = std::fs::File::open("/proc/self/status").and_then(|mut file| file.read(&mut buffer)).ok()?;
    let status = std::str::from_utf8(&buffer[..read]).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Lets [`peak_memory`] begin with what is in use now, where the system can do that.
pub fn reset_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Lets all threads allocate from one heap, which grows in large steps. A thread's own would be made for each of them and
/// grow by a few pages at a time. For runs in which one thread does most of the work.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn use_one_heap() {
    const STEP: i32 = 1 << 20;
    const LARGE_BLOCK: i32 = 16 << 20;
    // SAFETY: settings of the allocator, which may be changed at any time.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_TOP_PAD, STEP);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE_BLOCK);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn use_one_heap() {}
