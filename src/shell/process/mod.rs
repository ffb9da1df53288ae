//! The process around the session: signals, memory limits, panics, the terminal.
//!
//! Everything that asks the operating system something.

pub(crate) mod host;
pub(crate) mod interrupt;
pub(crate) mod memory_limit;
pub(crate) mod panics;
pub(crate) mod terminal;
