//! Defines the watch over a search, the progress of several searches that follow one another, and the limit of their work.

/// The most derivatives that one pass of a search may compute. Their number is the points (or equations) times the leaves.
pub const MOST_FIT_DERIVATIVES: usize = 20_000_000;

/// A function that a search calls for each pass with the number of the pass, a value to watch, and the point. It returns
/// whether the search goes on. A long pass calls it more than once.
pub(crate) type SearchWatch<'w> = &'w mut dyn FnMut(u64, f64, &[f64]) -> bool;

/// The progress of searches that follow one another.
pub(super) struct Progress<'w> {
    watch: SearchWatch<'w>,
    /// The passes of the searches that have ended.
    pub(super) passes: u64,
    pub(super) is_stopped: bool,
}

impl Progress<'_> {
    pub(super) fn watched_by(watch: SearchWatch) -> Progress {
        Progress {
            watch,
            passes: 0,
            is_stopped: false,
        }
    }

    /// Asks whether to go on after this pass of the present search. Once stopped, no search goes on.
    pub(super) fn goes_on(&mut self, pass: u64, value: f64, point: &[f64]) -> bool {
        self.is_stopped = self.is_stopped || !(self.watch)(self.passes + pass, value, point);
        !self.is_stopped
    }
}
