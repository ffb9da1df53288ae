//! The files of a page, in memory: what was chosen or dropped, and what statements have written.
//!
//! They have names and no folders, so a path leads to the file that is named by its last part.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, ErrorKind};
use std::path::{Path, PathBuf};

use chainrule_report::diagnostic::Diagnostic;

#[derive(Default)]
struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// Those written by statements since the page asked last.
    written: Vec<String>,
    /// The file that was wanted and is not there.
    missing: Option<String>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// The name of the file that a path leads to.
#[expect(
    clippy::unnecessary_wraps,
    reason = "on a disk a path may lead nowhere"
)]
pub(crate) fn resolve_path(path: &str, _folder: Option<&Path>) -> Result<PathBuf, Diagnostic> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    Ok(PathBuf::from(name))
}

/// A page has no standard input.
pub(crate) fn is_input(_path: &Path) -> bool {
    false
}

/// The contents of a file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    MEMORY.with_borrow_mut(|memory| {
        let found = memory.files.get(path).cloned();
        if found.is_none() {
            memory.missing = Some(path.to_string_lossy().into_owned());
        }
        found.ok_or_else(|| ErrorKind::NotFound.into())
    })
}

/// The contents of a file as text.
pub(super) fn read_text(path: &Path) -> Option<String> {
    String::from_utf8(read(path).ok()?).ok()
}

/// Opens a file for reading.
pub(crate) fn open(path: &Path) -> io::Result<Cursor<Vec<u8>>> {
    read(path).map(Cursor::new)
}

/// The path itself: there are no links.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    read(path).map(|_| path.to_path_buf())
}

/// A file with this name is replaced: what the page has written before went into a file of the browser.
#[expect(clippy::unnecessary_wraps, reason = "a disk can be unreadable")]
pub(crate) fn is_foreign(_path: &Path, _own: impl Fn(&[u8]) -> bool) -> io::Result<bool> {
    Ok(false)
}

/// Nothing is copied, as no file is foreign.
#[expect(clippy::unnecessary_wraps, reason = "a disk can be full")]
pub(crate) fn copy(_path: &Path, _copy: &Path) -> io::Result<()> {
    Ok(())
}

/// Writes a file that the page offers to its reader.
#[expect(clippy::unnecessary_wraps, reason = "a disk can be full")]
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    MEMORY.with_borrow_mut(|memory| {
        let name = path.to_string_lossy().into_owned();
        memory.written.retain(|written| *written != name);
        memory.written.push(name);
        memory.files.insert(path.to_path_buf(), bytes.to_vec());
    });
    Ok(())
}

/// The error for a file that could not be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let name = path.display();
    Diagnostic::new(format!("`{name}` cannot be written: {}", reason(error)))
}

/// A page has no init script.
pub(crate) fn keep_settings(_statements: &str) -> Result<String, Diagnostic> {
    let help = "`:save FILE` writes the session as a script";
    Err(Diagnostic::new("a page keeps no settings").help(help))
}

/// Why a file could not be read or written.
pub(crate) fn reason(error: &io::Error) -> String {
    error.to_string()
}

/// Takes a file that was chosen or dropped.
pub(super) fn put(name: &str, bytes: Vec<u8>) {
    MEMORY.with_borrow_mut(|memory| memory.files.insert(PathBuf::from(name), bytes));
}

/// The names of all files.
pub(super) fn names() -> Vec<String> {
    let name = |path: &PathBuf| path.to_string_lossy().into_owned();
    MEMORY.with_borrow(|memory| memory.files.keys().map(name).collect())
}

/// What was written, and what was missing, since the last call.
pub(super) fn news() -> (Vec<String>, Option<String>) {
    MEMORY.with_borrow_mut(|memory| (std::mem::take(&mut memory.written), memory.missing.take()))
}
