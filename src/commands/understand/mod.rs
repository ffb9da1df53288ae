//! Commands that explain a gradient: along its paths, by a small change, by finite differences, by a famous mistake.
//! `study` computes what they show.

pub(crate) mod assert;
pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod nudge;
pub(crate) mod topo;
pub(crate) mod wrong;
