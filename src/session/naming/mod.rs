//! Names: which value each one stands for, how a node is referred to, and what a name means in an expression.
//!
//! A node does not know its names; [`names::Names`] does. Nothing in this folder changes data.

pub mod atoms;
mod bindings;
pub mod folds;
mod former;
pub(crate) mod formulas;
pub mod labels;
pub(crate) mod list_labels;
mod lookup;
mod names;
mod sources;
mod tags;
mod uncertainty;

pub use self::bindings::{NameId, Naming};
pub use self::lookup::ANSWERS;
pub(crate) use self::names::HiddenName;
pub use self::names::{Call, FittedModel, Names, SharedNames, item_name};
pub(crate) use self::sources::{deviation, unit};
pub use self::tags::Tags;
pub use self::uncertainty::Uncertainty;
