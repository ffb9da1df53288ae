//! A session as a script that makes it again, to the bit.
//!
//! The order of the statements, their spelling, and the definitions of functions.

pub(crate) mod constant_calls;
pub(crate) mod definitions;
pub mod header;
pub(crate) mod save_order;
pub mod script;
pub(crate) mod spelling;
