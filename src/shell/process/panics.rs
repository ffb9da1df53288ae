//! Turns a panic inside [`catch_panic`] into a message, so that the session goes on. Statements, the writing of their
//! answers, and the line editor run inside it.
//!
//! A panic is a bug in this program, never the user's mistake. Panics outside of [`catch_panic`] are printed as usual.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// Whether the thread is inside [`catch_panic`].
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
    /// The description of the last caught panic. The hook stores it, because only a hook learns the source location.
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a closure. If it panics, returns the message and the source location instead of printing them.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(install_hook);
    let was_catching = IS_CATCHING.replace(true);
    // A panic may leave the session half changed. Its user is told so, and can go on, save or quit.
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    IS_CATCHING.set(was_catching);
    // The hook has run before the stack was unwound, so it has stored the description of this panic.
    done.map_err(|_| LAST_PANIC.take())
}

/// Installs a hook that stores panics inside [`catch_panic`] and leaves all others to the hook before it.
fn install_hook() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if IS_CATCHING.get() {
            return LAST_PANIC.set(describe(info));
        }
        usual(info);
    }));
}

/// The message of a panic with its source location.
fn describe(info: &PanicHookInfo) -> String {
    let message = info.payload_as_str().unwrap_or("no message");
    match info.location() {
        Some(location) => format!("{message} ({}:{})", location.file(), location.line()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::catch_panic;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(catch_panic(|| 7), Ok(7));
        let caught = catch_panic(|| -> u8 { panic!("row {} is missing", 3) });
        let message = caught.expect_err("the closure panics");
        assert!(
            message.starts_with("row 3 is missing (") && message.contains("panics.rs:"),
            "{message}"
        );
        assert_eq!(catch_panic(|| 8), Ok(8));
    }
}
