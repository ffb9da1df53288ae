//! The file of the settings that `:config save` keeps, `settings.calc`. It runs before the init script.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::{OwnScripts, own_scripts};
use crate::diagnostic::Diagnostic;
use crate::shell::files;

/// The lines between which earlier versions kept settings in the init script.
const OLD_MARKS: [&str; 2] = [
    "# settings kept by :config save; change them there, not here",
    "# end of the settings kept by :config save",
];

/// Is there no file at all?
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Writes settings into their file, in place of those kept before. Returns the path of the file.
pub(crate) fn keep_settings(text: &str) -> Result<String, Diagnostic> {
    let OwnScripts { settings, init } = own_scripts().ok_or_else(|| {
        Diagnostic::new("there is no folder for settings")
            .help("`HOME` or `XDG_CONFIG_HOME` says where it is to be")
    })?;
    refuse_old_marks(&init)?;
    let name = settings.display().to_string();
    if text.is_empty() && !settings.exists() {
        return Ok(name);
    }
    let made = settings.parent().map_or(Ok(()), files::create_own);
    made.and_then(|()| files::write(&settings, text.as_bytes()))
        .map_err(|error| files::unwritable(&settings, &error))?;
    Ok(name)
}

/// An init script with settings of an earlier version would undo those that are kept now.
fn refuse_old_marks(init: &Path) -> Result<(), Diagnostic> {
    let Ok(script) = files::read(init) else {
        // What cannot be read does not run.
        return Ok(());
    };
    let lines = (1..).zip(script.split(|&byte| byte == b'\n'));
    let is_mark = |line: &[u8]| {
        OLD_MARKS
            .iter()
            .any(|mark| line.trim_ascii() == mark.as_bytes())
    };
    let marks: Vec<usize> = lines
        .filter_map(|(number, line)| is_mark(line).then_some(number))
        .collect();
    let (Some(first), Some(last)) = (marks.first(), marks.last()) else {
        return Ok(());
    };
    let lines = if first == last {
        format!("line {first}")
    } else {
        format!("lines {first} to {last}")
    };
    let init = init.display();
    Err(
        Diagnostic::new(format!("an earlier version kept settings in `{init}`")).help(format!(
            "delete {lines} there: settings have a file of their own now"
        )),
    )
}
