//! The process around the session: signals, panics, the terminal.
//!
//! Everything here asks the operating system something.

#[cfg(not(feature = "terminal"))]
pub(crate) mod browser;
pub(crate) mod clock;
pub(crate) mod interrupt;
pub(crate) mod panics;
pub(crate) mod terminal;
