//! Pictures of diagrams and plots that are made by hand, read back by readers that know nothing of how they are drawn.

mod common;

mod graphs;
mod listed;
mod networks;
#[cfg(feature = "png")]
mod pixels;
mod plots;
mod terminal;
