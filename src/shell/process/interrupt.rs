//! Ctrl-C: sets a flag while a statement runs, and ends the process while a script waits.
//!
//! While a statement runs, its loops ask [`chainrule_stop`], which asks the session's host, which reads the flag. While a
//! script waits (for input, or for a reader that does not read), nothing reads the flag, so the signal handler itself
//! ends the process with status 130. At the prompt the line editor reads Ctrl-C as a key, so neither happens.

use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status after Ctrl-C. Shells define it as 128 plus the number of the signal.
const STATUS: i32 = 130;

static PENDING: AtomicBool = AtomicBool::new(false);
static WAITING: AtomicBool = AtomicBool::new(false);

/// Installs the signal handlers. If that fails, Ctrl-C ends the process as it does by default, so errors are ignored.
#[cfg(feature = "terminal")]
pub(crate) fn watch() {
    use signal_hook::consts::SIGINT;
    use signal_hook::flag;

    // Handlers run in the order of registration: ending the process comes before setting the flag.
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

/// Clears the flag after Ctrl-C has been handled.
pub(crate) fn forget() {
    PENDING.store(false, Ordering::Relaxed);
}

/// A guard: while it lives, Ctrl-C ends the process at once.
#[derive(Debug)]
#[must_use]
pub(crate) struct EndAtOnce(());

/// Marks the start of waiting. The caller must check [`pending`] after this call and before it blocks: a signal either
/// came before, and is pending, or comes after, and ends the process.
pub(crate) fn waiting() -> EndAtOnce {
    WAITING.store(true, Ordering::SeqCst);
    EndAtOnce(())
}

impl Drop for EndAtOnce {
    fn drop(&mut self) {
        WAITING.store(false, Ordering::SeqCst);
    }
}
