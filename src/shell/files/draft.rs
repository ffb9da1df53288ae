//! A file in the making: written under a name of its own, then put in the place of the one it replaces.
//!
//! Until it is complete it is seen by nobody it is not meant for: it begins with the rights of a new file, or with those
//! of the owner alone if it replaces one, whose rights it gets at the end. It is locked while it is written, so that
//! the drafts of processes that were killed can be told from those in use, and removed.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// How a draft is called: beginning, number of the process and number of the draft with a hyphen between, end.
const NAME: (&str, &str) = (".chainrule-", ".tmp");

/// How many drafts this process has begun. No name is used twice: whoever removes an old draft never meets a new one.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// How many names are tried for a draft before it has its own.
const TRIES: u32 = 100;

/// A file that is not finished; removed unless it is put in its place.
pub(crate) struct Draft {
    file: File,
    path: PathBuf,
    /// Whose place it takes.
    target: PathBuf,
    /// What it replaces.
    old: Option<Metadata>,
    finished: bool,
}

impl Draft {
    /// A file with this content beside the target, with the rights of the file it will replace or is a copy of.
    pub(crate) fn write(
        target: PathBuf,
        old: Option<Metadata>,
        content: &mut impl Read,
    ) -> io::Result<Draft> {
        clean(folder(&target));
        let (file, path) = create(folder(&target), old.as_ref())?;
        let mut draft = Draft {
            file,
            path,
            target,
            old,
            finished: false,
        };
        io::copy(content, &mut draft.file)?;
        Ok(draft)
    }

    /// Replaces the target.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if let Some(old) = &self.old {
            keep_rights(&self.file, old)?;
        }
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.finished = true;
        // The name is on the disk when the folder is. Not every system can say so, and the file is complete anyway.
        let _ = File::open(folder(&self.target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing more can be done about it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A new file, locked.
fn create(folder: &Path, old: Option<&Metadata>) -> io::Result<(File, PathBuf)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(old) = old {
        use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
        options.mode(old.mode() & 0o700);
    }
    #[cfg(not(unix))]
    let _ = old;
    let (begin, end) = NAME;
    let process = std::process::id();
    for _ in 0..TRIES {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{begin}{process}-{number}{end}"));
        match options.open(&path) {
            Ok(file) if is_ours(&file) => return Ok((file, path)),
            // Between its creation and its lock it looked like one that was left behind.
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Locks a draft that was just made, unless another process is removing it.
fn is_ours(file: &File) -> bool {
    // Where files cannot be locked nobody removes drafts either.
    let locked = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    #[cfg(unix)]
    let there = file
        .metadata()
        .is_ok_and(|file| std::os::unix::fs::MetadataExt::nlink(&file) > 0);
    #[cfg(not(unix))]
    let there = true;
    locked && there
}

/// Removes the drafts of processes that came to a sudden end: those that nobody has locked.
fn clean(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let Some((process, number)) = name.to_str().and_then(numbers) else {
            continue;
        };
        // Over some networks a lock does not keep out the process that holds it.
        let own = process == std::process::id() && number < COUNT.load(Ordering::Relaxed);
        if own || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        if let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            // It is in nobody's way if it cannot be removed.
            let _ = fs::remove_file(&path);
        }
    }
}

/// The numbers in the name of a draft: of its process, and its own.
fn numbers(name: &str) -> Option<(u32, u32)> {
    let name = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?;
    let (process, number) = name.split_once('-')?;
    Some((process.parse().ok()?, number.parse().ok()?))
}

/// Gives a file the owner, the group and the rights of another.
#[cfg(unix)]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    let mut mode = old.mode() & 0o777;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only the superuser may give a file to somebody else.
        let given = fchown(file, Some(old.uid()), Some(old.gid()));
        if given.is_err() && fchown(file, None, Some(old.gid())).is_err() {
            // The rights of a group are not for another one.
            mode &= !0o070;
        }
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn only_names_of_drafts_are_taken_for_drafts() {
        for (name, expected) in [
            (".chainrule-12-0.tmp", Some((12, 0))),
            (".chainrule-12.tmp", None),
            (".chainrule-12-.tmp", None),
            (".chainrule-a-1.tmp", None),
            (".chainrule-1-2-3.tmp", None),
            (".chainrule-1-2.tmp~", None),
            ("chainrule-1-2.tmp", None),
        ] {
            assert_eq!(numbers(name), expected, "{name}");
        }
    }
}
