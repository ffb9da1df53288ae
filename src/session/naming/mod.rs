//! Names: which value each one stands for, how a node is referred to, and what a name means in an expression.
//!
//! A node does not know its names; [`names::Names`] does. Nothing in this folder changes data.

mod bindings;
pub mod labels;
mod lookup;
mod names;

pub(in crate::session) use self::bindings::{Former, NameChange};
pub use self::bindings::{NameId, NodeName};
pub use self::lookup::{ANSWERS, LAST_RESULT, syntax_diagnostic};
pub use self::names::{Call, FittedModel, Names, SharedNames, item_name};
