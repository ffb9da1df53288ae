//! The first line of a saved session, by which the program recognizes its own files.
//!
//! `:save` replaces such files. Any other file was written by a person and must not be overwritten; the shell decides
//! what to do about it.

/// The line, around the version that wrote it. It tells a reader of the file that `:save` will overwrite changes.
const HEADING: (&str, &str) = (
    "# a session of chainrule ",
    ": `:load` brings it back, `:save` replaces it\n",
);
/// The beginning of the second part, which is the same in all versions.
const BEGUN: &str = ": `:load` brings it back";

/// The whole line.
pub(crate) fn text() -> String {
    [HEADING.0, env!("CARGO_PKG_VERSION"), HEADING.1].concat()
}

/// Whether a text begins like a session saved by any version.
pub(crate) fn opens(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').next();
    line.and_then(|line| str::from_utf8(line).ok())
        .and_then(|line| line.strip_prefix(HEADING.0)?.split_once(BEGUN))
        .is_some_and(|(version, _)| {
            version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ')
        })
}
