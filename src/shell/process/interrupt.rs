//! Handles Ctrl-C: sets a flag while a statement runs, and ends the process while a script waits. Also handles the signal
//! for a file that has become too large.
//!
//! While a statement runs, its loops ask [`chainrule_stop`], which asks the session's host, which reads the flag. While a
//! script waits (for input, or for a reader that does not read), nothing reads the flag, so the signal handler itself
//! ends the process with status 130. At the prompt the line editor reads Ctrl-C as a key, so neither happens.
//!
//! Each side stores one flag and then loads the other: the program stores `WAITING` and loads `PENDING`, and the handlers
//! load `WAITING` and store `PENDING`. Only the ordering `SeqCst` ensures that one of them sees the store of the other.

use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status after Ctrl-C. Shells define it as 128 plus the number of the signal.
const STATUS: i32 = 130;

/// Ctrl-C was pressed and has not been handled.
static PENDING: AtomicBool = AtomicBool::new(false);
/// The process waits, so Ctrl-C ends it at once.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Installs the signal handlers. Only the first registration for a signal calls the operating system. If it fails, signals
/// do what they do by default, so errors are ignored.
#[cfg(feature = "terminal")]
pub(crate) fn watch() {
    use signal_hook::consts::SIGINT;
    use signal_hook::flag;

    // Handlers run in the order of registration. While the process waits, it ends before the flag is set.
    let _ = flag::register_conditional_shutdown(SIGINT, STATUS, &WAITING);
    let _ = flag::register(SIGINT, &PENDING);
    // Writing beyond the file size limit raises a signal that would end the process. With a handler, the write returns
    // an error instead, which is reported and leaves the session intact.
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;

        static IGNORED: AtomicBool = AtomicBool::new(false);
        let _ = flag::register(SIGXFSZ, &IGNORED);
    }
}

/// Was Ctrl-C pressed since the last [`forget`]?
pub(crate) fn pending() -> bool {
    PENDING.load(Ordering::SeqCst)
}

/// Stops the running statement, as Ctrl-C does.
#[cfg(feature = "terminal")]
pub(crate) fn request() {
    PENDING.store(true, Ordering::SeqCst);
}

/// Clears the flag after Ctrl-C has been handled.
pub(crate) fn forget() {
    PENDING.store(false, Ordering::SeqCst);
}

/// A guard: while it lives, Ctrl-C ends the process at once.
#[derive(Debug)]
#[must_use]
pub(crate) struct EndAtOnce(());

/// Begins to wait, until the guard is dropped. Guards must not nest: the drop of the inner one would end the waiting of
/// both. A caller to whom an earlier Ctrl-C matters checks [`pending`] after this call and before it blocks: a signal
/// either came before, and is pending, or comes after, and ends the process.
pub(crate) fn begin_waiting() -> EndAtOnce {
    WAITING.store(true, Ordering::SeqCst);
    EndAtOnce(())
}

impl Drop for EndAtOnce {
    fn drop(&mut self) {
        WAITING.store(false, Ordering::SeqCst);
    }
}
