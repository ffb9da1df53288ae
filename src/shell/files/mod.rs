//! Files: resolving paths, opening regular files only, and writing files completely or not at all.
//!
//! A file is replaced by renaming a complete one over it, so that a full disk, a crash or a power failure leaves the
//! old one intact. Every file the program writes is written here, except the history of the prompt, which the line
//! editor writes. This module knows nothing about the contents of files.

use std::ffi::OsStr;
use std::fs::{self, File, FileType, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::diagnostic::Diagnostic;

/// The number of bytes at the beginning of a file by which the program recognizes its own.
const BEGINNING: u64 = 200;

/// How many symbolic links are followed, one after the other. Operating systems have the same limit.
const MOST_LINKS: usize = 40;

/// Resolves a path as typed: `~/` is the home folder, and a relative path starts at `folder`.
pub(crate) fn typed(path: &str, folder: Option<&Path>) -> Result<PathBuf, Diagnostic> {
    if let Some(rest) = path.strip_prefix("~/") {
        let home = etcetera::home_dir();
        return home.map(|home| home.join(rest)).map_err(|_| {
            Diagnostic::new("there is no home folder")
                .help("`~/` stands for the folder that `HOME` names; write the whole path")
        });
    }
    Ok(folder.map_or_else(|| PathBuf::from(path), |folder| folder.join(path)))
}

/// `$XDG_CONFIG_HOME/chainrule/init.calc`; `None` without a home folder.
pub(crate) fn init_script() -> Option<PathBuf> {
    let folders = etcetera::base_strategy::Xdg::new().ok()?;
    Some(folders.config_dir().join("chainrule").join("init.calc"))
}

/// `$XDG_STATE_HOME/chainrule`; `None` without a home folder.
pub(crate) fn history_folder() -> Option<PathBuf> {
    Some(
        etcetera::base_strategy::Xdg::new()
            .ok()?
            .state_dir()?
            .join("chainrule"),
    )
}

/// Creates a folder that only its owner may enter, because what the user types is private.
pub(crate) fn create_own(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Does this path name the standard input of the program?
pub(crate) fn is_input(path: &Path) -> bool {
    ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
        .iter()
        .any(|input| path == Path::new(input))
}

/// The metadata of the file at this path, or `None` if there is none. Anything but a regular file is an error and is
/// never opened: a pipe would block until its other end is opened, and a device keeps nothing.
pub(crate) fn existing(path: &Path) -> io::Result<Option<Metadata>> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        found => found?,
    };
    if found.is_file() {
        return Ok(Some(found));
    }
    if found.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    let reason = format!("it is {}, not a file", kind(found.file_type()));
    Err(io::Error::new(ErrorKind::InvalidInput, reason))
}

#[cfg(unix)]
fn kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn kind(_: FileType) -> &'static str {
    "something else"
}

/// Opens a regular file for reading.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    existing(path)?;
    File::open(path)
}

/// The contents of a regular file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    existing(path)?;
    fs::read(path)
}

/// Replaces the contents of a file, or leaves the file as it is if that fails. It keeps its permissions.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = existing(path)?;
    replace(path, bytes, old.map(|old| old.permissions()))
}

/// Copies a file to another path, with its permissions.
pub(crate) fn copy(path: &Path, copy: &Path) -> io::Result<()> {
    existing(copy)?;
    replace(
        copy,
        &fs::read(path)?,
        Some(fs::metadata(path)?.permissions()),
    )
}

/// Was the file at this path written by somebody else? The beginnings of the program's `own` files tell.
pub(crate) fn is_foreign(path: &Path, own: impl Fn(&[u8]) -> bool) -> io::Result<bool> {
    if existing(path)?.is_none() {
        return Ok(false);
    }
    let mut beginning = Vec::new();
    File::open(path)?
        .take(BEGINNING)
        .read_to_end(&mut beginning)?;
    Ok(!beginning.is_empty() && !own(&beginning))
}

/// Puts a complete file in the place of the one at this path. It is written beside it, readable by nobody who may not
/// read the old one, and then renamed.
fn replace(path: &Path, bytes: &[u8], rights: Option<Permissions>) -> io::Result<()> {
    let target = end_of_links(path);
    let beside = target.with_file_name(format!(".chainrule-{}.tmp", std::process::id()));
    // A process with the same number may have been killed while it wrote.
    let _ = fs::remove_file(&beside);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if rights.is_some() {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file = options.open(&beside)?;
    let written = file.write_all(bytes).and_then(|()| {
        if let Some(rights) = rights {
            file.set_permissions(rights)?;
        }
        file.sync_all()?;
        fs::rename(&beside, &target)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// The file that a path leads to: a symbolic link stays a link, and what it points to is replaced.
fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else {
            break;
        };
        path = path.with_file_name("").join(next);
    }
    path
}

/// The error for a file that could not be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let name = path.display();
    let folder = path.parent().filter(|folder| *folder != OsStr::new(""));
    let missing = folder.filter(|folder| !folder.exists());
    match (error.kind(), missing) {
        (ErrorKind::NotFound, Some(folder)) => {
            Diagnostic::new(format!("there is no folder `{}`", folder.display())).help(format!(
                "`{name}` was to be written there; make the folder first"
            ))
        }
        (ErrorKind::IsADirectory, _) => {
            Diagnostic::new(format!("`{name}` is a folder, a file was expected"))
                .help("give the file a name in it")
        }
        (ErrorKind::InvalidInput, _) => {
            Diagnostic::new(format!("`{name}` cannot be written: {}", reason(error)))
                .help("give the name of a file, or one that nothing has yet")
        }
        _ => {
            let error = Diagnostic::new(format!("`{name}` cannot be written: {}", reason(error)));
            if path.exists() {
                error.help("what was in it before is still there")
            } else {
                error
            }
        }
    }
}

/// The operating system's reason, in the style of our messages: "no space left on device".
pub(crate) fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(at) = text.find(" (os error") {
        text.truncate(at);
    }
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => "no reason given".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_in_the_manner_of_the_house() {
        let error = io::Error::from_raw_os_error(28);
        assert_eq!(
            reason(&error),
            error
                .to_string()
                .split(" (os")
                .next()
                .expect("a part")
                .to_lowercase()
        );
    }
}
