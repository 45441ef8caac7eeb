//! SIGINT and SIGTERM end a run as a limit does: with a verdict, and with the documents that were asked for.
//!
//! The handler only notes the signal. The watchdog sees it, cancels the run's budget, and has the last word if the run does
//! not end by itself. A second signal of the same kind ends the process at once.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether somebody wants the run to end.
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// Listens to both signals from now on; a signal that is ignored, as under `nohup`, stays ignored.
#[cfg(unix)]
pub fn listen() {
    extern "C" fn note(_: libc::c_int) {
        ASKED.store(true, Ordering::SeqCst);
    }
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: both structures are plain data, for which zeros are valid, and outlive the calls; the handler does nothing
        // but store into an atomic, which is allowed in one.
        unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut before) != 0
                || before.sa_sigaction == libc::SIG_IGN
            {
                continue;
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = note as *const () as libc::sighandler_t;
            // The second one has its usual effect. Calls of the system go on.
            action.sa_flags = libc::SA_RESETHAND | libc::SA_RESTART;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

#[cfg(not(unix))]
pub fn listen() {}
