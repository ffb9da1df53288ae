//! Stands in for `shell/files` in a page, with the same functions: the files are in memory. They are those that the user
//! has chosen or dropped, and those that statements have written.
//!
//! They have names and no folders, so a path leads to the file with the name of its last part.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Cursor, ErrorKind};
use std::path::{Path, PathBuf};

use chainrule_report::diagnostic::{Diagnostic, Result};

#[derive(Default)]
struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
    news: FileNews,
    /// The statements that run are only tried, so they write no files.
    is_trial: bool,
}

/// What statements have done with files since the page asked last.
#[derive(Default)]
pub(super) struct FileNews {
    /// The files that were written.
    pub(super) written: Vec<String>,
    /// The last file that was not found.
    pub(super) missing: Option<String>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// The name of the file that a path leads to.
#[expect(
    clippy::unnecessary_wraps,
    reason = "on a disk a path may lead nowhere"
)]
pub(crate) fn resolve_path(path: &str, _folder: Option<&Path>) -> Result<PathBuf> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    Ok(PathBuf::from(name))
}

/// Returns `false`: a page has no standard input.
pub(crate) fn is_input(_path: &Path) -> bool {
    false
}

/// The contents of a file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let found = MEMORY.with_borrow(|memory| memory.files.get(path).cloned());
    if found.is_none() {
        let name = path.to_string_lossy().into_owned();
        MEMORY.with_borrow_mut(|memory| memory.news.missing = Some(name));
    }
    found.ok_or_else(|| ErrorKind::NotFound.into())
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

/// Returns `false`, so that the file is replaced: the browser keeps its own copy of the older one.
#[expect(clippy::unnecessary_wraps, reason = "a disk can be unreadable")]
pub(crate) fn keep_foreign(_path: &Path, _is_own: impl Fn(&[u8]) -> bool) -> Result<bool> {
    Ok(false)
}

/// Writes a file, which the page then offers to the user.
#[expect(clippy::unnecessary_wraps, reason = "a disk can be full")]
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    MEMORY.with_borrow_mut(|memory| {
        if memory.is_trial {
            return;
        }
        let name = path.to_string_lossy().into_owned();
        memory.news.written.retain(|written| *written != name);
        memory.news.written.push(name);
        memory.files.insert(path.to_path_buf(), bytes.to_vec());
    });
    Ok(())
}

/// The error for a file that could not be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let name = path.display();
    Diagnostic::new(format!("`{name}` cannot be written: {}", reason(error)))
}

/// Fails: a page has no file for settings.
pub(crate) fn keep_settings(_statements: &str) -> Result<String> {
    let help = "`:save FILE` writes the session as a script";
    Err(Diagnostic::new("a page keeps no settings").help(help))
}

/// Why a file could not be read or written.
pub(crate) fn reason(error: &io::Error) -> String {
    error.to_string()
}

/// Begins or ends a trial, in which no files are written.
pub(super) fn set_trial(is_trial: bool) {
    MEMORY.with_borrow_mut(|memory| memory.is_trial = is_trial);
}

/// Takes a file that was chosen or dropped.
pub(super) fn put(name: &str, bytes: Vec<u8>) {
    MEMORY.with_borrow_mut(|memory| memory.files.insert(PathBuf::from(name), bytes));
}

/// The names of all files: there are no folders.
pub(crate) fn names_in(_folder: &str) -> Vec<String> {
    let name = |path: &PathBuf| path.to_string_lossy().into_owned();
    MEMORY.with_borrow(|memory| memory.files.keys().map(name).collect())
}

/// Takes the files that were written, and the one that was missing, since the last call.
pub(super) fn take_news() -> FileNews {
    MEMORY.with_borrow_mut(|memory| std::mem::take(&mut memory.news))
}
