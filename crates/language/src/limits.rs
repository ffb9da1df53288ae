//! Limits the length and the depth of a statement. Each limit has an error of its own.

/// The largest depth of nested brackets. pest recurses for each bracket, so without a limit its stack would overflow.
pub const MAX_NESTING: usize = 500;

/// The largest depth of functions in functions. Each is read again when the one around it is compiled.
pub const MAX_FUNCTIONS: usize = 50;

/// The largest length of a line or a statement: 16 MiB. Parsing needs about a hundred times as much memory.
pub const MAX_LENGTH: usize = 16 << 20;

/// The largest number of lines of a statement that continues after open brackets, after a `\` at the end of a line, or in a
/// block.
pub const MAX_CONTINUATION: usize = 1_000;

/// The largest depth of nested blocks.
pub const MAX_BLOCKS: usize = 200;
