//! The engine: operations with their derivatives, and graphs of nodes with forward and backward passes.
//!
//! [`ops`] is the table of operations, which knows only numbers; [`graph`] has the nodes and the passes over them. Long
//! loops ask [`stop`] whether to go on. Nothing here knows text, names or the calculator.

#![warn(unreachable_pub)]

pub mod graph;
pub mod ops;
pub mod stop;
