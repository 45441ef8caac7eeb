//! Running code that may panic without a word on stderr.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// The result of `work`, or `None` if it panicked.
///
/// The panic hook is the process's: it is wrapped once, and stays silent only for a thread that is in here.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    static WRAP: Once = Once::new();
    WRAP.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |info| {
            if !QUIET.get() {
                previous(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    // What `work` borrows is not looked at again if it panics: the caller gets nothing out of it.
    let result = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::catch;

    #[test]
    fn a_panic_is_none() {
        assert_eq!(catch(|| 3), Some(3));
        assert_eq!(catch::<u32>(|| panic!("on purpose")), None);
    }
}
