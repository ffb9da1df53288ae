//! The file of the settings that `:config save` keeps, `settings.calc`. It runs before the init script.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::own_scripts;
use crate::shell::files;
use chainrule_report::diagnostic::Diagnostic;

/// The lines between which earlier versions kept settings in the init script.
const OLD_BEGIN: &str = "# settings kept by :config save; change them there, not here";
const OLD_END: &str = "# end of the settings kept by :config save";

/// Is there no file at all?
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Writes settings into their file, in place of those kept before. Returns the path of the file.
pub(crate) fn keep_settings(text: &str) -> Result<String, Diagnostic> {
    let [settings, init] = own_scripts().ok_or_else(|| {
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

/// An init script with settings of an earlier version would undo those that are kept now. One that cannot be read does not
/// run.
fn refuse_old_marks(init: &Path) -> Result<(), Diagnostic> {
    let script = files::read(init).unwrap_or_default();
    let script = String::from_utf8_lossy(&script);
    if !script.contains(OLD_BEGIN) && !script.contains(OLD_END) {
        return Ok(());
    }
    let init = init.display();
    Err(
        Diagnostic::new(format!("an earlier version kept settings in `{init}`")).help(format!(
            "delete the lines from `{OLD_BEGIN}` to `{OLD_END}` there: settings have a file of their own now"
        )),
    )
}
