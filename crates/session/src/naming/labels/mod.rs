//! Writes the labels of nodes for tables, notes and JSON: the name of a node, its former name, or its expression.
//!
//! A label is an expression of the language, with names of nodes and lists: `W`, `W[2]`, `w[2..3]`, `flat(W)`. Numbers
//! have the shortest form that the language reads back. `writer` finds the parts of an expression. [`Captions`] makes the
//! labels of one table distinct.

mod captions;
mod items;
pub mod long_lists;
mod texts;
mod writer;

pub use self::captions::{Caption, Captions, captions};
pub use self::items::{
    FEW_ITEMS, Label, LabelItem, name, name_item, number_item, operation_item, unnamed_item,
};
pub use self::texts::{expression, fraction, kind_of, label, label_items, operations, partial};
