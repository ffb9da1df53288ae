//! Builds derivatives as nodes, from the texts in the table of operations.

mod builder;
mod derivative;
mod local_derivatives;

pub use self::builder::{Builder, NodesBefore, Purpose};
pub use self::derivative::goes_item_by_item;
pub(crate) use self::derivative::{first_at_fault, uses_all};
pub use self::local_derivatives::has_learned_text;
