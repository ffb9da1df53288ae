//! A session as a script that recreates it to the bit.
//!
//! `save_order` decides on statements and their order, `spelling` on their text, `definitions` writes functions, `widths` what is
//! uncertain.

mod called;
mod constant_calls;
mod definitions;
mod division;
mod ending;
pub(crate) mod header;
mod list_text;
mod literals;
mod name_order;
mod save_order;
mod script;
mod spelling;
mod widths;

pub use self::script::Script;
