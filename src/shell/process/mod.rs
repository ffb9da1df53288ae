//! Handles the process around the session: signals, panics, the terminal and the clock.
//!
//! The rest of the shell calls `world` for the time, the size of the window and the progress line. `world` is `system` in
//! the program, and `browser` in a page.

use std::time::Duration;

#[cfg(not(feature = "terminal"))]
pub(crate) mod browser;
pub(crate) mod interrupt;
pub(crate) mod panics;
#[cfg(feature = "terminal")]
pub(crate) mod system;
pub(crate) mod terminal;

#[cfg(not(feature = "terminal"))]
pub(crate) use self::browser as world;
#[cfg(feature = "terminal")]
pub(crate) use self::system as world;

/// The time that has passed since `then`.
pub(crate) fn since(then: Duration) -> Duration {
    world::now().saturating_sub(then)
}
