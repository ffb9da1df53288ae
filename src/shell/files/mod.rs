//! Resolves paths, opens regular files only, and writes files completely or not at all.
//!
//! A file is replaced by renaming a complete one over it, so that a full disk, a crash or a power failure leaves the
//! old file intact. Every file the program writes is written here, except the history of the prompt, which the line
//! editor writes. This module knows nothing about the contents of files, except of `settings.calc`, in which `:config save`
//! keeps settings.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use chainrule_report::diagnostic::{Diagnostic, Result};

/// The number of leading bytes by which the program recognizes its own files.
const BEGINNING_BYTES: u64 = 200;

/// Resolves a path as typed: `~/` is the home folder, and a relative path starts at `folder`.
pub(crate) fn resolve_path(path: &str, folder: Option<&Path>) -> Result<PathBuf> {
    if let Some(rest) = path.strip_prefix("~/") {
        let Ok(home) = etcetera::home_dir() else {
            return Err(Diagnostic::new("there is no home folder")
                .help("`~/` stands for the folder that `HOME` names; write the whole path"));
        };
        return Ok(home.join(rest));
    }
    Ok(folder.unwrap_or(Path::new("")).join(path))
}

/// The scripts that run before everything else, in this order: the settings that `:config save` has written, and the
/// init script, which the user writes. They are in `$XDG_CONFIG_HOME/chainrule`, on Windows in `%APPDATA%\chainrule`.
/// `None` without a home folder.
pub(crate) fn own_scripts() -> Option<[PathBuf; 2]> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let folder = folders.config_dir().join("chainrule");
    Some(["settings.calc", "init.calc"].map(|name| folder.join(name)))
}

/// The folder of the history: `$XDG_STATE_HOME/chainrule`, on Windows `%APPDATA%\chainrule`. `None` without a home folder.
pub(crate) fn history_folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Some(folder.join("chainrule"))
}

/// Creates a folder that only its owner may enter, because what the user types is private.
pub(crate) fn create_own(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The text of a file.
pub(crate) fn read_text(name: &str) -> Result<String> {
    let path = resolve_path(name, None)?;
    let unreadable = |reason: String| Diagnostic::new(format!("`{name}` cannot be read: {reason}"));
    let mut text = String::new();
    let read = open(&path).and_then(|mut file| file.read_to_string(&mut text));
    read.map(|_| text)
        .map_err(|error| unreadable(reason(&error)))
}

/// The names of the files and folders in a folder as typed. Those of folders end with `/`.
pub(crate) fn names_in(folder: &str) -> Vec<String> {
    let path = resolve_path(folder, Some(Path::new("."))).unwrap_or_default();
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| {
        let end = if entry.path().is_dir() { "/" } else { "" };
        Some(entry.file_name().into_string().ok()? + end)
    });
    names.collect()
}

/// Does this path name the standard input of the program?
pub(crate) fn is_input(path: &Path) -> bool {
    let inputs = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    inputs.map(Path::new).contains(&path)
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
    let reason = "it is a device or a pipe, not a file";
    Err(io::Error::new(ErrorKind::InvalidInput, reason))
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

/// The absolute path with all symbolic links resolved.
pub(crate) fn canonical(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

/// Keeps a copy of the file at this path, with a `~` behind its name, if another program wrote the file. Returns whether it
/// does. `is_own` recognizes the beginning of our own files.
pub(crate) fn keep_foreign(path: &Path, is_own: impl Fn(&[u8]) -> bool) -> Result<bool> {
    if !is_foreign(path, is_own).map_err(|error| unwritable(path, &error))? {
        return Ok(false);
    }
    let mut copy_name = path.as_os_str().to_owned();
    copy_name.push("~");
    let copy_path = PathBuf::from(copy_name);
    let copied = copy(path, &copy_path).map_err(|error| {
        unwritable(&copy_path, &error).help(format!(
            "`{}` was not written by this program: it is replaced only when a copy of it is kept",
            path.display()
        ))
    });
    copied.map(|()| true)
}

/// Copies a file to another path, with its permissions. An older file there is replaced by a complete copy or not at all.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    existing(to)?;
    let mut source = open(from)?;
    let permissions = source.metadata()?.permissions();
    replace(to, Some(permissions), |file| {
        io::copy(&mut source, file).map(|_| ())
    })
}

/// Was the file at this path written by another program? `is_own` recognizes the beginning of our own files. An empty file
/// is not foreign, because there is nothing in it to lose.
fn is_foreign(path: &Path, is_own: impl Fn(&[u8]) -> bool) -> io::Result<bool> {
    if existing(path)?.is_none() {
        return Ok(false);
    }
    let mut beginning = Vec::new();
    File::open(path)?
        .take(BEGINNING_BYTES)
        .read_to_end(&mut beginning)?;
    Ok(!beginning.is_empty() && !is_own(&beginning))
}

/// Replaces the contents of a file, or leaves the file as it is if that fails. The new file gets the permissions of the
/// old one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let permissions = existing(path)?.map(|old| old.permissions());
    replace(path, permissions, |file| file.write_all(bytes))
}

/// Replaces the file at a path by a new one, or leaves the old file as it is if that fails. A temporary file beside it is
/// filled and then renamed. If permissions are given, the temporary file is private until they are set, so that its
/// contents are never exposed. A symbolic link stays a link.
fn replace(
    path: &Path,
    permissions: Option<Permissions>,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let target = if path.is_symlink() {
        fs::canonicalize(path)?
    } else {
        path.to_path_buf()
    };
    let beside = target.with_file_name(format!(".chainrule-{}.tmp", std::process::id()));
    // An earlier process with the same id may have been killed while it wrote.
    let _ = fs::remove_file(&beside);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if permissions.is_some() {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file = options.open(&beside)?;
    let written = fill(&mut file)
        .and_then(|()| permissions.map_or(Ok(()), |given| file.set_permissions(given)))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&beside, &target));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Writes settings into their file and replaces those kept before. Without a file, an empty text makes none. Returns
/// the path of the file.
pub(crate) fn keep_settings(text: &str) -> Result<String> {
    let [settings, _] = own_scripts().ok_or_else(|| {
        Diagnostic::new("there is no folder for settings")
            .help("`HOME` or `XDG_CONFIG_HOME` says where it is to be")
    })?;
    let name = settings.display().to_string();
    if text.is_empty() && !settings.exists() {
        return Ok(name);
    }
    let unwritable = |error| unwritable(&settings, &error);
    if let Some(folder) = settings.parent() {
        create_own(folder).map_err(unwritable)?;
    }
    write(&settings, text.as_bytes()).map_err(unwritable)?;
    Ok(name)
}

/// The error for a file that could not be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let name = path.display();
    // The parent of a bare file name is the empty path, which means the current folder.
    let is_absent_folder = |folder: &&Path| *folder != OsStr::new("") && !folder.exists();
    let missing_folder = path.parent().filter(is_absent_folder);
    match (error.kind(), missing_folder) {
        (ErrorKind::NotFound, Some(folder)) => {
            Diagnostic::new(format!("there is no folder `{}`", folder.display())).help(format!(
                "`{name}` was to be written there; make the folder first"
            ))
        }
        (ErrorKind::IsADirectory, _) => {
            Diagnostic::new(format!("`{name}` is a folder, a file was expected"))
                .help("give the file a name in it")
        }
        (kind, _) => {
            let message = format!("`{name}` cannot be written: {}", reason(error));
            let unwritten = Diagnostic::new(message);
            if kind == ErrorKind::InvalidInput {
                unwritten.help("give the name of a file, or one that nothing has yet")
            } else if path.exists() {
                unwritten.help("what was in it before is still there")
            } else {
                unwritten
            }
        }
    }
}

/// The operating system's reason, in the style of our messages: "no space left on device".
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or_default();
    let mut chars = words.chars();
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
