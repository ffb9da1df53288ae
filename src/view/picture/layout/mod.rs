//! Layered graph drawing: which rank, which order in it (few crossings, by barycenters), how high.
//!
//! Shared by the terminal and by files. No shapes and no characters yet.

pub(crate) mod columns;
mod crossings;
mod heights;
pub(crate) mod layers;
