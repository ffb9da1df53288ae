//! Panics: a panic inside a statement becomes an error of that statement, and the session goes on.
//!
//! A panic is a bug in this program, never the user's mistake, and the state it leaves behind is uncertain. Panics
//! outside of [`catch_panic`] are printed as usual.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    static IS_CATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs a closure. If it panics, returns the message and the source location instead of printing them.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(install_hook);
    let was_catching = IS_CATCHING.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    IS_CATCHING.set(was_catching);
    done.map_err(|_| LAST_PANIC.take())
}

/// Makes a panic inside [`catch_panic`] silent.
fn install_hook() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if IS_CATCHING.get() {
            return LAST_PANIC.set(describe(info));
        }
        usual(info);
    }));
}

fn describe(info: &PanicHookInfo) -> String {
    let message = info.payload_as_str().unwrap_or("no message");
    match info.location() {
        Some(place) => format!("{message} ({}:{})", place.file(), place.line()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::catch_panic;

    #[test]
    fn a_panic_becomes_its_message() {
        assert_eq!(catch_panic(|| 7), Ok(7));
        let said = catch_panic(|| -> u8 { panic!("row {} is missing", 3) }).expect_err("it panics");
        assert!(
            said.starts_with("row 3 is missing (") && said.contains("panics.rs:"),
            "{said}"
        );
        assert_eq!(catch_panic(|| 8), Ok(8));
    }
}
