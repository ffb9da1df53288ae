//! Computes with lists: items, ranges, operations item by item, and the functions of the library.

mod item_by_item;
mod library;
mod texts;

pub use self::item_by_item::{check_list, list_of};
pub(crate) use self::item_by_item::{item_of, slice_of};
pub(crate) use self::library::no_list_error;
