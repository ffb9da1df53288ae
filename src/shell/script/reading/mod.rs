//! From bytes to chunks: lines of a source, prompts that were pasted with them, lines that belong together, and comments
//! as prose.
//!
//! Nothing is run here.

pub(crate) mod chunk;
pub(crate) mod comments;
pub(crate) mod kept_comments;
pub(crate) mod lesson;
pub(crate) mod line_numbers;
pub(crate) mod lines;
pub(crate) mod prose;
pub(crate) mod transcript;
