//! Writes the address that opens a script as a lesson on the page.

use std::ffi::OsStr;

use super::files;
use super::script;
use chainrule_report::characters::escape_address;
use chainrule_report::diagnostic::{Diagnostic, Result};

/// The page, if no address is given: the file in the folder of whoever writes the link.
const PAGE: &str = "chainrule.html";
/// The page refuses longer lessons, and services that pass links on may cut them.
const MOST_CHARACTERS: usize = 60_000;

/// Returns the address with the script in this file: `chainrule.html#lesson=a%20%3D%202`.
pub(crate) fn lesson_link(file: &OsStr, page: Option<&str>) -> Result<String> {
    let name = file.to_string_lossy();
    let bytes = files::read(file.as_ref()).map_err(|error| script::unreadable(&name, &error))?;
    let is_kept = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let escaped = escape_address(script::lesson_text(&name, &bytes)?, is_kept);
    if escaped.len() > MOST_CHARACTERS {
        let message = format!(
            "`{name}` is too long for a link: it would have {} characters",
            escaped.len()
        );
        let help = "a link has at most 60,000; whoever has the file drops it on the page";
        return Err(Diagnostic::new(message).help(help));
    }
    Ok(format!("{}#lesson={escaped}\n", page.unwrap_or(PAGE)))
}
