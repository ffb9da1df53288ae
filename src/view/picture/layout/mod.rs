//! Layered graph drawing: which rank, which order in it (few crossings, by barycenters), how high.
//!
//! Shared by the terminal and by files. No shapes and no characters yet.

mod crossings;
pub(crate) mod heights;
pub(crate) mod layers;
