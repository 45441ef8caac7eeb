//! A check as a process of its own.
//!
//! What hangs, or takes all memory, takes neither the server nor the editor with it, and a check that nobody waits for any more
//! is ended at once, with all the processes that it has started.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_millis(20);

/// How a process ended.
#[derive(Debug)]
pub enum Ending {
    /// By itself.
    Ended { stdout: String, stderr: String, code: Option<i32> },
    /// Nobody waits for it any more.
    Stopped,
    /// It did not even begin.
    Failed(String),
}

/// Ends a running process.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn stop(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Runs a command to its end in a thread. `each_second` is told how long it has run, and `ended` how it ended.
pub fn start(
    mut command: Command,
    mut each_second: impl FnMut(u64) + Send + 'static,
    ended: impl FnOnce(Ending) + Send + 'static,
) -> Stop {
    let stop = Stop::default();
    let asked = stop.clone();
    std::thread::spawn(move || ended(run(&mut command, &asked, &mut each_second)));
    stop
}

fn run(command: &mut Command, stop: &Stop, each_second: &mut dyn FnMut(u64)) -> Ending {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(e) => return Ending::Failed(e.to_string()),
    };
    let (out, err) = (text(child.stdout.take()), text(child.stderr.take()));
    let (start, mut told) = (Instant::now(), 0);
    let code = loop {
        if stop.is_asked() {
            end(&mut child);
            return Ending::Stopped;
        }
        match child.try_wait() {
            Ok(Some(status)) => break status.code(),
            Ok(None) => std::thread::sleep(POLL),
            Err(e) => {
                end(&mut child);
                return Ending::Failed(e.to_string());
            }
        }
        let seconds = start.elapsed().as_secs();
        if seconds > told {
            told = seconds;
            each_second(seconds);
        }
    };
    let whole = |thread: std::thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ending::Ended { stdout: whole(out), stderr: whole(err), code }
}

/// Reads a stream in a thread of its own: a full pipe would stop who writes.
fn text(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What was read before an error is still worth something.
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Ends a process and all that it has started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: sends a signal to the group that was made for this process, which has not been waited for yet.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    let _ = child.kill();
    let _ = child.wait();
}
