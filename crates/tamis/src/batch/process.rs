//! One check as a process of its own.

use crate::arguments::BatchOptions;
use crate::interrupt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How much of its messages is kept.
const MESSAGES: u64 = 4000;

/// How a process ended, and what it took.
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub seconds: f64,
    pub processor_seconds: f64,
    pub memory_mb: f64,
    /// Whether it was ended since it took too long.
    pub overdue: bool,
}

/// The processes that run now.
#[derive(Default)]
pub struct Running {
    processes: Mutex<Vec<Process>>,
}

struct Process {
    id: libc::pid_t,
    /// When it is ended if it has not ended by itself.
    until: Instant,
    overdue: bool,
}

impl Running {
    fn processes(&self) -> MutexGuard<'_, Vec<Process>> {
        // Nothing panics while it is held.
        self.processes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends all processes, with those that they have started.
    pub fn end_all(&self) {
        self.processes().iter().for_each(|process| end(process.id));
    }

    /// Ends the processes that do not end by themselves.
    pub fn end_overdue(&self) {
        let now = Instant::now();
        for process in self.processes().iter_mut().filter(|process| process.until <= now) {
            process.overdue = true;
            end(process.id);
        }
    }

    /// Runs a command to its end, at most for a time, on some cores if they are named.
    pub fn run(&self, mut command: Command, time: Duration, cores: Option<&[usize]>) -> io::Result<Ended> {
        // Files and no pipes: nobody has to be woken to empty them, and what a check leaves behind cannot keep them open.
        let (mut output, mut errors) = (scratch()?, scratch()?);
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(errors.try_clone()?);
        let cores = cores.map(Cores::of);
        command.process_group(0);
        // SAFETY: both are calls of the system, which need no memory and no lock.
        unsafe {
            command.pre_exec(move || {
                // A check whose batch was killed would go on for nobody.
                #[cfg(target_os = "linux")]
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                cores.iter().for_each(Cores::keep_to);
                Ok(())
            });
        }
        let start = Instant::now();
        let child = command.spawn()?;
        let id = child.id() as libc::pid_t;
        self.processes().push(Process { id, until: start + time, overdue: false });
        if interrupt::asked() {
            end(id);
        }
        wait_for_end(id);
        let seconds = start.elapsed().as_secs_f64();
        // It is taken from the list before its number can be another's.
        let mut processes = self.processes();
        let overdue = processes.iter().any(|process| process.id == id && process.overdue);
        processes.retain(|process| process.id != id);
        let (status, usage) = reap(id)?;
        drop(processes);
        Ok(Ended {
            status,
            stdout: last(&mut output, u64::MAX),
            stderr: last(&mut errors, MESSAGES),
            seconds,
            processor_seconds: span(usage.ru_utime) + span(usage.ru_stime),
            memory_mb: usage.ru_maxrss as f64 * 1024.0 / 1e6,
            overdue,
        })
    }
}

/// A file without a name.
fn scratch() -> io::Result<File> {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let unique = format!("tamis-batch-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(unique);
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}

/// The end of a file, or all of it if that is not more.
fn last(file: &mut File, most: u64) -> String {
    let length = file.seek(SeekFrom::End(0)).unwrap_or(0);
    let mut bytes = Vec::new();
    let _ = file.seek(SeekFrom::Start(length.saturating_sub(most)));
    let _ = file.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Some of the machine's cores.
#[cfg(target_os = "linux")]
struct Cores(libc::cpu_set_t);

#[cfg(target_os = "linux")]
impl Cores {
    fn of(cores: &[usize]) -> Cores {
        // SAFETY: a set of cores is a field of bits, and empty when these are 0.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: sets bits of it, which the macro keeps in its bounds.
        cores.iter().for_each(|&core| unsafe { libc::CPU_SET(core, &mut set) });
        Cores(set)
    }

    /// Lets this process run on them alone.
    fn keep_to(&self) {
        // SAFETY: reads the set.
        unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &self.0) };
    }
}

/// Other systems do not take such wishes.
#[cfg(not(target_os = "linux"))]
struct Cores;

#[cfg(not(target_os = "linux"))]
impl Cores {
    fn of(_: &[usize]) -> Cores {
        Cores
    }

    fn keep_to(&self) {}
}

fn end(id: libc::pid_t) {
    // SAFETY: sends a signal to a group of processes whose first one nobody has waited for, so that the number is its own.
    unsafe { libc::kill(-id, libc::SIGKILL) };
}

/// Waits until a process has ended, and leaves it to be asked what it took.
fn wait_for_end(id: libc::pid_t) {
    loop {
        // SAFETY: fills the structure, which is of plain numbers.
        let mut information: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let flags = libc::WEXITED | libc::WNOWAIT;
        // SAFETY: asks about a child of this process.
        let answer = unsafe { libc::waitid(libc::P_PID, id as libc::id_t, &mut information, flags) };
        if answer == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}

fn reap(id: libc::pid_t) -> io::Result<(ExitStatus, libc::rusage)> {
    let mut status = 0;
    // SAFETY: fills the structure, which is of plain numbers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: waits for a child of this process.
        if unsafe { libc::wait4(id, &mut status, 0, &mut usage) } == id {
            return Ok((ExitStatus::from_raw(status), usage));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

fn span(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

/// The executable that does the checks.
pub fn executable(options: &BatchOptions) -> io::Result<std::path::PathBuf> {
    match &options.executable {
        Some(path) => Ok(std::path::absolute(path)?),
        None => std::env::current_exe(),
    }
}

/// The hash of a file that may be large.
pub fn hash(path: &Path) -> io::Result<String> {
    Ok(crate::hash::sha256(&std::fs::read(path)?))
}
