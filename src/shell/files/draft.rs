//! A draft: a file that is written under a temporary name and then renamed over the file it replaces (atomic
//! replacement).
//!
//! An incomplete draft is never readable by more people than the final file: a draft that replaces a file is readable
//! by its owner alone and gets the permissions of the old file at the end. A draft is locked while it is written; a
//! draft without a lock was left behind by a process that was killed, and is removed.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Parts of a draft's file name: the beginning, and the end. Between them stand the process id, `-` and the draft's
/// number.
const NAME: (&str, &str) = (".chainrule-", ".tmp");

/// How many drafts this process has begun. Numbers are never reused, so removing an old draft cannot hit a new one.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// How many names are tried before creating a draft fails.
const TRIES: u32 = 100;

/// An unfinished file; dropping it removes the file unless [`Draft::finish`] was called.
pub(crate) struct Draft {
    file: File,
    path: PathBuf,
    /// The path that the draft will be renamed to.
    target: PathBuf,
    /// The file that will be replaced, if there is one: its owner and permissions carry over.
    old: Option<Metadata>,
    finished: bool,
}

impl Draft {
    /// Writes a draft with this content next to the target. `old` is the file to be replaced, or the original of a
    /// copy: the draft gets its permissions.
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

    /// Renames the draft over the target.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if let Some(old) = &self.old {
            keep_rights(&self.file, old)?;
        }
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)?;
        self.finished = true;
        // A rename is durable only once the folder is synced. Some systems cannot do that; the file is complete either
        // way.
        let _ = File::open(folder(&self.target)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.finished {
            // Best effort: a draft that cannot be removed here is removed by a later run.
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

/// Creates a draft and locks it.
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
            // Another process took this file for an abandoned draft before it was locked, and removed it. Try the next
            // name.
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Locks a new draft. False if another process is removing it.
fn is_ours(file: &File) -> bool {
    // On a file system without locks no process removes drafts, so the draft is safe without one.
    let locked = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    #[cfg(unix)]
    let there = file
        .metadata()
        .is_ok_and(|file| std::os::unix::fs::MetadataExt::nlink(&file) > 0);
    #[cfg(not(unix))]
    let there = true;
    locked && there
}

/// Removes the drafts of processes that were killed: those that are not locked.
fn clean(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let Some((process, number)) = name.to_str().and_then(numbers) else {
            continue;
        };
        // On some network file systems a process does not see its own locks, so its own drafts are recognised by their
        // names.
        let own = process == std::process::id() && number < COUNT.load(Ordering::Relaxed);
        if own || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        if let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            // A draft that cannot be removed does no harm.
            let _ = fs::remove_file(&path);
        }
    }
}

/// The process id and the draft number from the name of a draft.
fn numbers(name: &str) -> Option<(u32, u32)> {
    let name = name.strip_prefix(NAME.0)?.strip_suffix(NAME.1)?;
    let (process, number) = name.split_once('-')?;
    Some((process.parse().ok()?, number.parse().ok()?))
}

/// Gives a file the owner, group and permissions of another file.
#[cfg(unix)]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    let mut mode = old.mode() & 0o777;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only the superuser may change the owner of a file; changing the group may still be allowed.
        let given = fchown(file, Some(old.uid()), Some(old.gid()));
        if given.is_err() && fchown(file, None, Some(old.gid())).is_err() {
            // The file has a different group, so the old group's permissions must not apply to it.
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
