//! Files that are written: whole or not at all, and where they are.
//!
//! A file is replaced by renaming a complete one over it, so that a full disk, a crash or a pulled plug leaves the old
//! one. What is in a file is not known here, nor who asked for it.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::output;
use crate::diagnostic::Diagnostic;

/// How many names are tried for the new file before it has its own.
const TRIES: u32 = 100;

/// The path that was typed, `~/` being the home folder; one that begins nowhere begins in `folder`.
pub fn typed(path: &str, folder: Option<&Path>) -> Result<PathBuf, Diagnostic> {
    if let Some(rest) = path.strip_prefix("~/") {
        let home = etcetera::home_dir();
        return home.map(|home| home.join(rest)).map_err(|_| {
            Diagnostic::new("there is no home folder")
                .help("`~/` stands for the folder that `HOME` names; write the whole path")
        });
    }
    Ok(folder.map_or_else(|| PathBuf::from(path), |folder| folder.join(path)))
}

/// `$XDG_CONFIG_HOME/chainrule/init.calc`; nowhere without a home.
pub fn init_script() -> Option<PathBuf> {
    let folders = etcetera::base_strategy::Xdg::new().ok()?;
    Some(folders.config_dir().join("chainrule").join("init.calc"))
}

/// `$XDG_STATE_HOME/chainrule`; nowhere without a home.
pub fn history_folder() -> Option<PathBuf> {
    Some(
        etcetera::base_strategy::Xdg::new()
            .ok()?
            .state_dir()?
            .join("chainrule"),
    )
}

/// A folder that only its owner may look into, as what was typed is nobody else's affair.
pub fn create_own(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a file hold these bytes and nothing else, or leaves it as it is.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link: what it leads to is written.
    let target = match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => path.to_path_buf(),
        found => found?,
    };
    let old = match fs::metadata(&target) {
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        found => Some(found?),
    };
    match &old {
        Some(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        // A device has no old content to keep, and nobody wants it replaced by a file.
        Some(old) if !old.is_file() => {
            return OpenOptions::new()
                .write(true)
                .open(&target)?
                .write_all(bytes);
        }
        _ => {}
    }
    let folder = match target.parent() {
        Some(folder) if folder != OsStr::new("") => folder,
        _ => Path::new("."),
    };
    let (mut file, new) = New::create(folder)?;
    file.write_all(bytes)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    new.become_file(&target)?;
    // The name is on the disk when the folder is. Not every system can say so, and the file is complete anyway.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Why a file could not be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
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
        _ => {
            let error = Diagnostic::new(format!(
                "`{name}` cannot be written: {}",
                output::reason(error)
            ));
            if path.exists() {
                error.help("what was in it before is still there")
            } else {
                error
            }
        }
    }
}

/// A file that is not finished; gone unless it becomes the real one.
struct New {
    path: PathBuf,
    finished: bool,
}

impl New {
    fn create(folder: &Path) -> io::Result<(File, New)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let process = std::process::id();
        let mut tries = 0;
        loop {
            let path = folder.join(format!(".chainrule-{process}-{tries}.tmp"));
            match options.open(&path) {
                Ok(file) => {
                    let finished = false;
                    return Ok((file, New { path, finished }));
                }
                // Left by a process that had the same number and came to a sudden end.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < TRIES => {
                    tries += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn become_file(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for New {
    fn drop(&mut self) {
        if !self.finished {
            // Nothing more can be done about it.
            let _ = fs::remove_file(&self.path);
        }
    }
}
