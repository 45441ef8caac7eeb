//! Ctrl-C, or a polite request to end: the batch then ends its checks and keeps what is done.

use std::sync::atomic::{AtomicBool, Ordering};

static CAME: AtomicBool = AtomicBool::new(false);

extern "C" fn note(signal: libc::c_int) {
    if CAME.swap(true, Ordering::SeqCst) {
        // Whoever asks twice does not want to wait.
        // SAFETY: both may be called here.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

/// From now on signals are noted.
pub fn watch() {
    let handler = note as extern "C" fn(libc::c_int) as libc::sighandler_t;
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: the handler does nothing but what a handler may.
        let before = unsafe { libc::signal(signal, handler) };
        if before == libc::SIG_IGN {
            // As under nohup.
            // SAFETY: as above.
            unsafe { libc::signal(signal, libc::SIG_IGN) };
        }
    }
}

/// Whether the user wants it to end.
pub fn came() -> bool {
    CAME.load(Ordering::SeqCst)
}
