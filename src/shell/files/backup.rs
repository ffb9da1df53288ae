//! Backup copies: before `:save` or `:export` replaces a file that a person wrote, `lesson.calc` is kept as
//! `lesson.calc~`.
//!
//! A backup never replaces another file. If `lesson.calc~` exists and differs, the next free name is used:
//! `lesson.calc~2`, `lesson.calc~3`.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::draft::Draft;
use crate::shell::files;

/// The number of bytes at the beginning of a file by which we recognize our own.
const BEGINNING: u64 = 200;

/// The maximum number of backup copies of one file.
const MOST: usize = 1_000;

/// Makes a backup of a file whose beginning is not one of our `own`. Returns the ending that was added to the name, or
/// `None` if there was nothing to keep.
pub(crate) fn keep(
    path: &Path,
    own: impl Fn(&[u8]) -> bool,
) -> Result<Option<String>, (PathBuf, io::Error)> {
    let here = |error| (path.to_path_buf(), error);
    let Some(old) = files::existing(path).map_err(here)? else {
        return Ok(None);
    };
    if old.len() == 0 || own(&beginning(path).map_err(here)?) {
        return Ok(None);
    }
    for number in 1..=MOST {
        let ending = match number {
            1 => "~".to_owned(),
            number => format!("~{number}"),
        };
        let copy = with_ending(path, &ending);
        let kept = match fs::symlink_metadata(&copy) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let copied = File::open(path)
                    .and_then(|mut file| files::draft(&copy, Some(old.clone()), &mut file))
                    .and_then(Draft::finish);
                copied.map(|()| true)
            }
            found => found.and_then(|found| {
                Ok(found.is_file()
                    && found.len() == old.len()
                    && fs::read(&copy)? == fs::read(path)?)
            }),
        };
        if kept.map_err(|error| (copy, error))? {
            return Ok(Some(ending));
        }
    }
    Err((with_ending(path, "~"), ErrorKind::AlreadyExists.into()))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// The first bytes of a file.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
    Ok(bytes)
}
