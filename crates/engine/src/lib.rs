//! The engine: operations with their derivatives, and graphs of nodes with forward and backward passes.
//!
//! [`ops`] is the table of operations; [`graph`] has the nodes and the passes over them. Long loops ask [`stop`] whether to
//! go on. The engine does not depend on the calculator: no sessions, no users' names, no reports.

#![warn(unreachable_pub)]

pub mod graph;
pub mod ops;
pub mod stop;
