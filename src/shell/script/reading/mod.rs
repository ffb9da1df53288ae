//! From bytes to chunks: lines of a source, prompts that were pasted with them, and lines that belong together.
//!
//! Nothing is run here.

pub(crate) mod chunk;
pub(crate) mod lines;
pub(crate) mod transcript;
