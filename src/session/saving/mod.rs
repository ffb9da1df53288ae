//! A session as a script that recreates it to the bit.
//!
//! `save_order` decides on statements and their order, `spelling` on their text, `definitions` writes functions.

mod constant_calls;
mod definitions;
pub(crate) mod header;
mod literals;
mod save_order;
mod script;
mod spelling;

pub use self::script::Script;
