//! An executable is run without the means to do harm: no network, no other process, no file to write, bounds on time and
//! memory.

use super::{Ending, NativeLimits};
use std::path::Path;

/// Runs an executable with so many empty arguments, which has so many bytes of addresses.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub fn run(_: &Path, _: usize, _: NativeLimits, _: Option<u64>) -> Result<Ending, String> {
    Err("there is no sandbox for this system".to_owned())
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use linux::run;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux {
    use super::*;
    use crate::native::filter;
    use std::io;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    /// The most files that are open.
    const FILES: u64 = 64;

    /// The stack of a program that calls as deep as the interpreter lets it.
    const STACK: u64 = 1 << 30;

    /// Runs an executable with so many empty arguments, which has so many bytes of addresses.
    pub fn run(
        executable: &Path,
        arguments: usize,
        limits: NativeLimits,
        addresses: Option<u64>,
    ) -> Result<Ending, String> {
        let mut command = Command::new(executable);
        command.args(vec![""; arguments]).env_clear().current_dir("/");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let program = filter::program();
        let seconds = limits.time.as_secs() + 1;
        let bounds = [
            (libc::RLIMIT_CPU, seconds),
            (libc::RLIMIT_AS, addresses.unwrap_or(u64::MAX)),
            (libc::RLIMIT_STACK, STACK.min(limits.memory / 2)),
            (libc::RLIMIT_NOFILE, FILES),
            (libc::RLIMIT_FSIZE, 0),
            (libc::RLIMIT_CORE, 0),
        ];
        // SAFETY: between fork and exec, only system calls are made, on memory that was set up before.
        unsafe {
            command.pre_exec(move || {
                for (resource, bound) in bounds {
                    limit(resource, bound)?;
                }
                filter::install(&program)
            });
        }
        let mut child = command.spawn().map_err(|e| format!("the compiled program cannot be run: {e}"))?;
        let began = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => {
                    let signal = status.signal().map(Ending::Signal);
                    return Ok(signal.unwrap_or(Ending::Status(status.code().unwrap_or_default())));
                }
                Ok(None) if began.elapsed() < limits.time => std::thread::sleep(Duration::from_millis(1)),
                Ok(None) => {
                    let _ = child.kill().and_then(|()| child.wait());
                    return Ok(Ending::Timeout);
                }
                Err(e) => return Err(format!("the compiled program cannot be waited for: {e}")),
            }
        }
    }

    /// Bounds a resource, as far as a stricter bound from outside allows.
    fn limit(resource: libc::__rlimit_resource_t, bound: u64) -> io::Result<()> {
        let mut now = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: both calls get a pointer to a structure of their own.
        unsafe {
            if libc::getrlimit(resource, &mut now) != 0 {
                return Err(io::Error::last_os_error());
            }
            let bound = bound.min(now.rlim_max);
            let wanted = libc::rlimit { rlim_cur: bound, rlim_max: bound };
            if libc::setrlimit(resource, &wanted) != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
}
