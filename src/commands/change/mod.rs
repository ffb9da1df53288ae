//! Commands that change leaves: `:set`, `:step`, `:freeze`, `:thaw`.
//!
//! All of them can be undone.

pub(crate) mod freeze;
mod rates;
pub(crate) mod set;
pub(crate) mod step;

pub use self::rates::MOST_STEPS;
