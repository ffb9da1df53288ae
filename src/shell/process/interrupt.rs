//! Ctrl-C: a flag while something runs, the end of the process while nothing does.
//!
//! While a statement runs, the flag is what the session's host is asked for. While a script waits (for its input, or
//! for a reader that does not read), nobody would look at a flag, so the signal itself ends the process with status
//! 130. At the prompt the line editor reads Ctrl-C as a key and neither happens.

use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
#[cfg(unix)]
use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;

/// The status of a process that Ctrl-C ended: 128 and the number of the signal, as shells count.
const STATUS: i32 = 130;

static PENDING: AtomicBool = AtomicBool::new(false);
static WAITING: AtomicBool = AtomicBool::new(false);

/// From here on Ctrl-C is ours. Without a handler it just ends the process, so a failure here is no loss.
pub(crate) fn watch() {
    // In this order: a signal that ends the process need not leave a flag.
    let _ = flag::register_conditional_shutdown(SIGINT, STATUS, &WAITING);
    let _ = flag::register(SIGINT, &PENDING);
    // A file that grows beyond what the system allows, standard output among them, is an error to be told, not the end
    // of the process and the session.
    #[cfg(unix)]
    {
        static IGNORED: AtomicBool = AtomicBool::new(false);
        let _ = flag::register(SIGXFSZ, &IGNORED);
    }
}

/// Was Ctrl-C pressed since the last [`forget`]?
pub(crate) fn pending() -> bool {
    PENDING.load(Ordering::SeqCst)
}

/// The prompt has seen it.
pub(crate) fn forget() {
    PENDING.store(false, Ordering::Relaxed);
}

/// As long as this lives, Ctrl-C ends the process at once.
#[derive(Debug)]
#[must_use]
pub(crate) struct EndAtOnce(());

/// Starts waiting. Whoever goes on to wait for ever looks at [`pending`] afterwards: first the switch, then the look,
/// and a signal in between is caught by one or the other.
pub(crate) fn waiting() -> EndAtOnce {
    WAITING.store(true, Ordering::SeqCst);
    EndAtOnce(())
}

impl Drop for EndAtOnce {
    fn drop(&mut self) {
        WAITING.store(false, Ordering::SeqCst);
    }
}
