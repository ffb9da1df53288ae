//! Writes the file `settings.calc`, in which `:config save` keeps settings. It runs before the init script.

use std::path::Path;

use super::own_scripts;
use crate::shell::files;
use chainrule_report::diagnostic::Diagnostic;

/// The lines between which earlier versions kept settings in the init script.
const OLD_BEGIN: &str = "# settings kept by :config save; change them there, not here";
const OLD_END: &str = "# end of the settings kept by :config save";

/// Writes settings into their file and replaces those kept before. Without a file, an empty text makes none. Returns
/// the path of the file.
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
    let unwritable = |error| files::unwritable(&settings, &error);
    if let Some(folder) = settings.parent() {
        files::create_own(folder).map_err(unwritable)?;
    }
    files::write(&settings, text.as_bytes()).map_err(unwritable)?;
    Ok(name)
}

/// Fails if the init script has settings of an earlier version, which would override the new ones. An init script that
/// cannot be read does not run either, so it overrides nothing.
fn refuse_old_marks(init: &Path) -> Result<(), Diagnostic> {
    let bytes = files::read(init).unwrap_or_default();
    let script = String::from_utf8_lossy(&bytes);
    if !script.contains(OLD_BEGIN) && !script.contains(OLD_END) {
        return Ok(());
    }
    let message = format!("an earlier version kept settings in `{}`", init.display());
    Err(Diagnostic::new(message).help(format!(
        "delete the lines from `{OLD_BEGIN}` to `{OLD_END}` there: settings have a file of their own now"
    )))
}
