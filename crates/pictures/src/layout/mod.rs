//! The layout of a graph for the terminal and for files: ranks, crossing reduction, lines, and the routes of wires.
//!
//! Lengths are whole units: cells on the terminal, parts of cells in files.

pub(crate) mod channel;
mod crossings;
pub(crate) mod layers;
pub(crate) mod lines;
pub(crate) mod plan;
pub(crate) mod turns;
