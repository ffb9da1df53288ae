//! Pictures of diagrams and plots that are made by hand, read back by readers that know nothing of how they are drawn.

// A test is read from top to bottom: it may be long, and use a short name twice.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;

mod graphs;
mod marks;
mod networks;
mod plots;
mod terminal;
