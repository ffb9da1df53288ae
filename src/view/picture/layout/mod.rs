//! Layered graph drawing, for the terminal and for files alike: ranks, crossing reduction, coordinates.
//!
//! Shapes and characters are not known here.

pub(crate) mod coordinates;
mod crossings;
pub(crate) mod layers;
pub(crate) mod ranks;
mod wire_ends;
