//! Limits of a statement. Each limit has an error of its own.

/// How deep brackets may be nested. pest recurses for each bracket, so a limit keeps its stack from overflowing.
pub const MAX_NESTING: usize = 500;

/// How many bytes a line or a statement may have: 16 MiB. (Parsing needs about a hundred times as much memory.)
pub const MAX_LENGTH: usize = 16 << 20;

/// How many lines a statement may have that continues because of an open bracket or a `\` at the end of a line.
pub const MAX_CONTINUATION: usize = 1_000;

/// How deep blocks may be nested.
pub const MAX_BLOCKS: usize = 200;
