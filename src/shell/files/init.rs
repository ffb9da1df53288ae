//! The settings that `:config save` keeps in the init script.
//!
//! They are between two marker lines; the rest of the file is left alone.

use std::io::{self, ErrorKind};

use super::init_script;
use crate::diagnostic::Diagnostic;
use crate::shell::files;

/// The marker line before the settings.
const BEGIN: &str = "# settings kept by :config save; change them there, not here";
/// The marker line after the settings.
const END: &str = "# end of the settings kept by :config save";

/// Is there no file at all?
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Writes settings into the init script, in place of those kept before. Returns the path of the script.
pub(crate) fn keep_settings(text: &str) -> Result<String, Diagnostic> {
    let path = init_script().ok_or_else(|| {
        Diagnostic::new("there is no folder for settings")
            .help("`HOME` or `XDG_CONFIG_HOME` says where it is to be")
    })?;
    let old = match files::read(&path) {
        Err(error) if is_missing(&error) => Vec::new(),
        read => read.map_err(|error| {
            let name = path.display();
            Diagnostic::new(format!(
                "`{name}` cannot be read: {}",
                files::reason(&error)
            ))
        })?,
    };
    let new = with_settings(&old, text).ok_or_else(|| {
        Diagnostic::new(format!(
            "`{}` has only one of the two lines that settings are kept between",
            path.display()
        ))
        .help(format!("remove the line `{BEGIN}` or `{END}`"))
    })?;
    let name = path.display().to_string();
    if new == old {
        return Ok(name);
    }
    let made = path.parent().map_or(Ok(()), files::create_own);
    made.and_then(|()| files::write(&path, &new))
        .map_err(|error| files::unwritable(&path, &error))?;
    Ok(name)
}

/// The script with these settings between the marker lines; without settings the markers go too. `None` if only one
/// marker is there, or they are in the wrong order.
fn with_settings(old: &[u8], text: &str) -> Option<Vec<u8>> {
    let kept = if text.is_empty() {
        String::new()
    } else {
        format!("{BEGIN}\n{text}{END}\n")
    };
    let lines: Vec<&[u8]> = old.split_inclusive(|&byte| byte == b'\n').collect();
    let place = |wanted: &str| {
        let reads = |line: &&[u8]| line.trim_ascii() == wanted.as_bytes();
        lines.iter().position(reads)
    };
    let (before, after) = match (place(BEGIN), place(END)) {
        (Some(begin), Some(end)) if begin < end => (&lines[..begin], &lines[end + 1..]),
        (None, None) => (&lines[..], &lines[..0]),
        _ => return None,
    };
    let mut new = before.concat();
    if !(new.is_empty() || new.ends_with(b"\n") || kept.is_empty()) {
        new.push(b'\n');
    }
    new.extend_from_slice(kept.as_bytes());
    new.extend(after.concat());
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_between_their_lines_and_the_rest_stays() {
        let with = |old: &str, text: &str| {
            with_settings(old.as_bytes(), text)
                .map(|new| String::from_utf8(new).expect("text was put in"))
        };
        let digits = ":config digits 4;\n";
        let kept = format!("{BEGIN}\n{digits}{END}\n");
        assert_eq!(with("", digits), Some(kept.clone()));
        assert_eq!(with("", ""), Some(String::new()));
        assert_eq!(with("g = 9.81", digits), Some(format!("g = 9.81\n{kept}")));
        assert_eq!(with("g = 9.81", ""), Some("g = 9.81".to_owned()));
        let around = format!("a = 1\n{kept}b = 2");
        assert_eq!(with(&around, digits), Some(around.clone()));
        assert_eq!(with(&around, ""), Some("a = 1\nb = 2".to_owned()));
        // Some editors write line endings as `\r\n`.
        let foreign = kept.replace('\n', "\r\n");
        assert_eq!(with(&foreign, digits), Some(kept.clone()));
        for broken in [BEGIN, END, &format!("{END}\n{BEGIN}\n")] {
            assert_eq!(with(broken, digits), None, "{broken}");
        }
    }
}
