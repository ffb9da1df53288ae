//! Names: which node each stands for, what a node is called, and what an expression means by a name.
//!
//! A node does not know its names. Everything here works on [`names::Names`] and changes no data.

pub mod formulas;
pub(crate) mod interner;
pub mod labels;
pub(crate) mod lookup;
pub mod names;
pub(crate) mod names_by_node;
