//! The tests that need more than Rust: a browser or node, a compiler of C, Python, valgrind. `cargo test --test tools` runs
//! them. A test without its tool prints that it was skipped.

// A test is read from top to bottom: it may be long, and use a short name twice.
#![allow(clippy::shadow_unrelated, clippy::too_many_lines)]

mod common;
#[path = "../benches/common/counted.rs"]
mod counted;

mod export;
mod export_jax;
mod export_random;
mod export_tex;
mod firefox;
mod growth;
mod numpy_names;
mod python_programs;
mod rasterizers;
mod web;
