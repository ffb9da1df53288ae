//! Writes the address that opens a script as a lesson on the page.

use std::ffi::OsStr;

use super::files;
use super::script;
use chainrule_report::diagnostic::{Diagnostic, Result};

/// The page, if no address is given: the file in the folder of whoever writes the link.
const PAGE: &str = "chainrule.html";
/// The page refuses longer lessons, and services that pass links on may cut them.
const MOST_CHARACTERS: usize = 60_000;

/// Returns the address with the script in this file: `chainrule.html#lesson=a%20%3D%202`.
pub(crate) fn lesson_link(file: &OsStr, page: Option<&str>) -> Result<String> {
    let name = file.to_string_lossy();
    let bytes = files::read(file.as_ref()).map_err(|error| script::unreadable(&name, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Diagnostic::new(format!("`{name}` is not UTF-8")).help("save it in UTF-8"))?;
    let escaped = escape(text.trim_start_matches('\u{feff}'));
    if escaped.len() > MOST_CHARACTERS {
        let message = format!(
            "`{name}` is too long for a link: it would have {} characters",
            escaped.len()
        );
        let help = "a link has at most 60,000; whoever has the file drops it on the page";
        return Err(Diagnostic::new(message).help(help));
    }
    Ok(format!("{}#lesson={escaped}", page.unwrap_or(PAGE)))
}

/// Escapes all but letters, digits and the signs that every address may have.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(3 * text.len());
    for byte in text.bytes() {
        match byte {
            b'-' | b'.' | b'_' => escaped.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
            _ => escaped.extend(["%", &format!("{byte:02X}")]),
        }
    }
    escaped
}
