//! The first line of a saved session, by which the program knows its own files.
//!
//! `:save` replaces those. Any other file was written by somebody and is not thrown away; what is done about it is the
//! shell's affair.

/// The line, around the version that wrote it. Who reads the file shall know what becomes of changes.
const HEADING: (&str, &str) = (
    "# a session of chainrule ",
    ": `:load` brings it back, `:save` replaces it\n",
);
/// How the second part has begun ever since.
const BEGUN: &str = ": `:load` brings it back";

/// So many bytes of a file at most say whether it [`opens`] as a saved session does.
pub(crate) const LONGEST: u64 = 200;

/// The line.
pub(crate) fn text() -> String {
    [HEADING.0, env!("CARGO_PKG_VERSION"), HEADING.1].concat()
}

/// Does a text begin as saved sessions of any version do?
pub(crate) fn opens(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').next();
    line.and_then(|line| str::from_utf8(line).ok())
        .and_then(|line| line.strip_prefix(HEADING.0)?.split_once(BEGUN))
        .is_some_and(|(version, _)| {
            version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(' ')
        })
}
