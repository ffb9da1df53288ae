//! A change of a list that grows at its end: of the results, the kept statements, the trail of a target.

/// A change of a list that grows at its end.
#[derive(Debug)]
pub(super) enum Growth<T> {
    /// More items at its end.
    Add(Vec<T>),
    /// Only this many items stay.
    Shorten(usize),
    /// These take the place of all.
    All(Vec<T>),
}

impl<T> Growth<T> {
    /// Changes a list, and returns what takes that back.
    pub(super) fn swap_in(self, list: &mut Vec<T>) -> Growth<T> {
        self.swap(list.len(), |keep, add| list.splice(keep.., add).collect())
    }

    /// Changes a list of `count` items, and returns what takes that back. `replace` keeps the first items, as many as it is
    /// told, adds others, and returns those that are gone.
    pub(super) fn swap(
        self,
        count: usize,
        replace: impl FnOnce(usize, Vec<T>) -> Vec<T>,
    ) -> Growth<T> {
        match self {
            Growth::Add(items) => {
                replace(count, items);
                Growth::Shorten(count)
            }
            Growth::Shorten(keep) => Growth::Add(replace(keep.min(count), Vec::new())),
            Growth::All(items) => Growth::All(replace(0, items)),
        }
    }
}
