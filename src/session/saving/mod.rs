//! A session as a script that makes it again, to the bit.
//!
//! The order of the statements, their spelling, and the definitions of functions.

mod constant_calls;
mod definitions;
pub(crate) mod header;
mod literals;
mod save_order;
mod script;
mod spelling;

pub use self::script::Script;
