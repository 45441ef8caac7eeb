//! Limits on time and memory.
//!
//! A watchdog thread compares both with their limits, listens to signals, and cancels the run's budget, on which the run ends by itself with
//! its statistics. Should it not do so soon, the watchdog gives the last word and ends the process: whatever the run
//! is doing, a limit holds.

use crate::arguments::values::{parse_duration, parse_memory};
use crate::interrupt;
use crate::verdict::ExitStatus;
use clap::Args;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tamis_solver::{Budget, Stop, resident_memory};

/// The limits of a run.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Stop after this time: seconds, or a number with s, min or h.
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop when more memory is used: megabytes, or a number with MB or GB. A check, a run and a certification use three quarters
    /// of the machine at most if nothing else is said.
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    pub memory: Option<u64>,
}

/// The reason of a run that somebody has ended.
pub const INTERRUPTED: &str = "interrupted";

/// The usual limit on memory, once it is exceeded.
static EXCEEDED: OnceLock<u64> = OnceLock::new();

/// From so many hundredths of the limit on, memory is short: searches make room for others.
const SHORT: u64 = 60;

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
            (Stop::Memory, ..) => match EXCEEDED.get() {
                Some(usual) => format!("memory limit: {} MB", usual / 1_000_000),
                None => "memory limit".to_owned(),
            },
            (Stop::Cancelled, ..) if interrupt::asked() => INTERRUPTED.to_owned(),
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
        interrupt::listen();
        std::thread::spawn(move || self.guard(start, &budget, last_word, std::thread::sleep, || false));
    }

    /// The same, if there is a limit: for runs that are shorter than it takes to start a thread.
    pub fn watch_if_limited(
        self,
        start: Instant,
        budget: Budget,
        last_word: impl FnOnce(Stop) -> bool + Send + 'static,
    ) {
        if self.timeout.is_some() || self.memory.is_some() {
            std::thread::spawn(move || self.guard(start, &budget, last_word, std::thread::sleep, || false));
        }
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
        let mut limit = self.memory;
        let stop = loop {
            wait(POLL);
            if ended() {
                return;
            }
            if interrupt::asked() {
                break Stop::Cancelled;
            }
            if self.timeout.is_some_and(|limit| start.elapsed() >= limit) {
                break Stop::Timeout;
            }
            // Short runs do not even ask how large the machine is.
            limit = limit.or_else(usual_memory);
            let used = limit.and(resident_memory()).unwrap_or(0);
            budget.note_memory(limit.is_some_and(|limit| used > limit / 100 * SHORT));
            if limit.is_some_and(|limit| used > limit) {
                if let (None, Some(usual)) = (self.memory, limit) {
                    let _ = EXCEEDED.set(usual);
                }
                break Stop::Memory;
            }
        };
        budget.cancel(stop);
        let cancelled = Instant::now();
        while cancelled.elapsed() < GRACE && !ended() {
            wait(POLL);
            // Far above the limit there is no waiting.
            let flooded =
                limit.is_some_and(|limit| resident_memory().is_some_and(|used| used > limit + limit / 4));
            if flooded {
                break;
            }
        }
        if !ended() && last_word(stop) {
            end_children();
            // Not `exit`: destructors of the solver must not run while it does.
            // SAFETY: ends the process at once; nothing is left to be done in it.
            unsafe { libc::_exit(crate::output::status(ExitStatus::Unknown) as i32) }
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

/// Three quarters of what the machine has, or of what this process may use of it.
pub fn usual_memory() -> Option<u64> {
    static USUAL: OnceLock<Option<u64>> = OnceLock::new();
    *USUAL.get_or_init(|| Some(machine_memory()?.min(group_memory().unwrap_or(u64::MAX)) / 4 * 3))
}

/// The memory of the machine, where the system tells.
pub fn machine_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// What the control groups of this process leave it, in either version: the least of all that it is in.
fn group_memory() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut least: Option<u64> = None;
    for group in groups.lines() {
        let mut parts = group.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            names if names.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        // In a container the path may be one of the host, which is not seen here: then the root says it.
        for folder in Path::new(path.trim_start_matches('/')).ancestors() {
            let limit = std::fs::read_to_string(Path::new(root).join(folder).join(file));
            let limit = limit.ok().and_then(|text| text.trim().parse::<u64>().ok());
            least = [least, limit].into_iter().flatten().min();
        }
    }
    least
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
