//! Commands that change leaves: `:set`, `:step`, `:freeze`, `:thaw`.
//!
//! All of them can be undone.

pub(crate) mod freeze;
pub(crate) mod set;
pub(crate) mod step;
mod step_rates;

pub use self::step_rates::MOST_STEPS;
