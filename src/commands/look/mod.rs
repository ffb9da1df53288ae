//! Commands that show names, functions, operations, pictures and curves.
//!
//! None of them changes data or gradients.

pub(crate) mod graph;
pub(crate) mod plot;
pub(crate) mod tree;
pub(crate) mod vars;
