//! A change of a list that grows at its end, such as the results of a session.

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
    /// Changes a list, and turns the change into the opposite one.
    pub(crate) fn swap_in(&mut self, list: &mut Vec<T>) {
        let count = list.len();
        match self {
            Growth::Add(items) => {
                list.append(items);
                *self = Growth::Shorten(count);
            }
            Growth::Shorten(kept) => *self = Growth::Add(list.split_off(count.min(*kept))),
            Growth::All(items) => std::mem::swap(list, items),
        }
    }
}
