//! A change of a list that grows at its end, such as the results of a session.

use std::mem::replace;

/// A change of a list that grows at its end.
#[derive(Debug)]
pub(crate) enum Growth<T> {
    /// Appends items.
    Add(Vec<T>),
    /// Keeps this many items.
    Shorten(usize),
    /// Replaces all items.
    All(Vec<T>),
}

impl<T> Growth<T> {
    /// Changes a list, and returns the opposite change.
    pub(crate) fn swap_in(self, list: &mut Vec<T>) -> Growth<T> {
        let count = list.len();
        match self {
            Growth::Add(items) => {
                list.extend(items);
                Growth::Shorten(count)
            }
            Growth::Shorten(kept) => Growth::Add(list.split_off(kept.min(count))),
            Growth::All(items) => Growth::All(replace(list, items)),
        }
    }
}
