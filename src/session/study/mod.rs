//! What can be found out about a session without changing it: explanations, walks, checks, curves, diagrams.
//!
//! Commands show the results.

pub mod check;
pub(crate) mod diagram;
pub mod explain;
pub mod guess;
pub(crate) mod nudge;
pub mod plot;
pub mod walk;
pub mod wrong;
