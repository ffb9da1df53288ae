//! The process around the session: signals, memory limits, panics, the terminal.
//!
//! Everything here asks the operating system something.

pub(crate) mod interrupt;
mod memory_limit;
pub(crate) mod panics;
pub(crate) mod terminal;

pub(crate) use self::memory_limit::{BYTES_PER_LEAF, BYTES_PER_TOKEN, Memory};
