//! Names: which node each stands for, what a node is called, and what an expression means by a name.
//!
//! A node does not know its names. Everything here works on [`names::Names`] and changes no data.

pub(crate) mod formulas;
mod interner;
pub mod labels;
mod lookup;
mod names;
mod names_by_node;

pub use self::lookup::{ANSWERS, GRAD};
pub(crate) use self::lookup::{is_built_in, is_built_in_of, operation};
pub use self::names::{Call, Former, Label, NameId, Names, Standing};
