//! Commands that change leaves: `:set`, `:step`, `:freeze`, `:thaw`.
//!
//! All of them can be undone.

pub(crate) mod freeze;
pub(crate) mod set;
pub(crate) mod step;

pub use self::step::MOST_STEPS;
