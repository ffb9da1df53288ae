//! Commands that explain a gradient: along its paths, by a small change, against differences, by a famous mistake.
//!
//! They show; what they show is found out by the session.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod nudge;
pub(crate) mod topo;
pub(crate) mod wrong;
