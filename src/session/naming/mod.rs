//! Names: which node each stands for, what a node is called, and what an expression means by a name.
//!
//! A node does not know its names. Everything here works on [`names::Names`] and changes no data.

pub(crate) mod formulas;
mod interner;
pub mod labels;
mod lookup;
mod names;
mod names_by_node;
mod paste;

pub use self::lookup::ANSWERS;
pub(crate) use self::lookup::operation;
pub use self::names::{Call, Former, Label, NameId, Names, Standing};
pub use self::paste::Paste;
