//! Commands that run passes: `:grad`, `:backward`, `:zero`.
//!
//! One file for each command. What a pass is and what it costs is the business of [`crate::graph`].

pub(crate) mod backward;
pub(crate) mod grad;
pub(crate) mod zero;
