//! The list that Tab shows under the line: its layout, and the files in it.
//!
//! The editor inserts the common prefix of all entries and lists them. The candidates come from `interpret`; this file
//! lists the files that have a suitable ending, and the folders that may lead to one.

use rustyline::completion::{FilenameCompleter, Pair};

use crate::interpret::{Candidate, Files};
use crate::shell::files;
use crate::shell::process::terminal::TerminalSize;
use chainrule_report::characters;
use chainrule_report::say;
use chainrule_view as view;
use chainrule_view::Style;

/// Separates the name of an entry from its description.
pub(crate) const GAP: &str = "  ";

/// The editor computes widths in 16 bits, with two blanks between columns.
const WIDEST: usize = u16::MAX as usize - 2;

/// The most files that are listed.
const MOST_FILES: usize = 200;

/// Characters that end a path, or mean something else in the language, unless the path is quoted.
const QUOTED: [char; 9] = [' ', '\t', '\u{a0}', ';', '#', ',', '(', '[', '\''];

/// Lays the entries out: one below the other with their descriptions if the window has so many rows, else only the
/// names.
pub(crate) fn entries(candidates: &[Candidate], style: &Style, room: TerminalSize) -> Vec<Pair> {
    let most = room.columns.saturating_sub(1).clamp(1, WIDEST);
    let shorten = |text: &str| characters::shorten_end(text, most).into_owned();
    let name = |candidate: &Candidate| shorten(&characters::clean(&candidate.shown));
    let names: Vec<String> = candidates.iter().map(name).collect();
    let widths = names.iter().map(|name| characters::width(name));
    let widest = widths.max().unwrap_or(0);
    // One row is for the prompt, one for the line after the list.
    let is_told = names.len() + 2 <= room.rows;
    let entry = |(candidate, name): (&Candidate, String)| {
        let about = view::plain(&candidate.about, style);
        let shown = if is_told && !about.is_empty() {
            let blanks = " ".repeat(widest - characters::width(&name));
            shorten(&format!("{name}{blanks}{GAP}{about}"))
        } else {
            name
        };
        Pair {
            display: shown,
            replacement: candidate.text.clone(),
        }
    };
    let mut entries: Vec<Pair> = candidates.iter().zip(names).map(entry).collect();
    if let Some(first) = entries.first_mut().filter(|_| is_told) {
        // An entry of the full width makes the editor use one column.
        let blanks = most.saturating_sub(characters::width(&first.display));
        first.display.push_str(&" ".repeat(blanks));
    }
    entries
}

/// The files whose paths begin with what was typed, sorted by name. They are only listed, never opened.
pub(crate) fn files(asked: &Files) -> Vec<Candidate> {
    let Ok(path) = files::resolve_path(&asked.typed, None) else {
        return Vec::new();
    };
    let path = path.to_string_lossy();
    // Between single quotes the editor takes every other character of a path as it is.
    if path.contains('\'') {
        return Vec::new();
    }
    let line = format!("'{path}");
    let found = FilenameCompleter::new().complete_path(&line, line.len());
    let Ok((_, found)) = found else {
        return Vec::new();
    };
    let (folder, begun) = match asked.typed.rfind('/') {
        Some(at) => asked.typed.split_at(at + 1),
        None => ("", &*asked.typed),
    };
    let suits = |name: &str| {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| asked.endings.contains(&ending))
    };
    let listed = found.into_iter().filter_map(|file| {
        let is_folder = file.replacement.ends_with('/');
        let name = file.display;
        let hidden = name.starts_with('.') && !begun.starts_with('.');
        // A name with an unsafe character cannot be typed.
        let shown = !hidden && !name.chars().any(characters::is_unsafe);
        (shown && (is_folder || suits(&name))).then(|| file_entry(asked, folder, &name, is_folder))
    });
    listed.take(MOST_FILES).collect()
}

/// A file, with its path as it must be typed, quoted if necessary. The quote of a folder stays open, because the path
/// goes on.
fn file_entry(asked: &Files, folder: &str, name: &str, is_folder: bool) -> Candidate {
    let path = format!("{folder}{name}");
    let quote = asked.quote.or_else(|| {
        let quote = if path.contains('"') { '\'' } else { '"' };
        path.contains(QUOTED).then_some(quote)
    });
    let quote = quote.map_or_else(String::new, String::from);
    let (end, sign, kind) = if is_folder {
        ("/", "/", "folder")
    } else {
        (&*quote, "", "file")
    };
    Candidate {
        text: format!("{quote}{path}{end}"),
        shown: format!("{name}{sign}"),
        about: say!("{}", kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chainrule_report::Piece;

    fn candidate(shown: &str, about: &str) -> Candidate {
        Candidate {
            text: shown.to_owned(),
            shown: shown.to_owned(),
            about: vec![Piece::plain(about)],
        }
    }

    fn shown(candidates: &[Candidate], columns: usize, rows: usize) -> Vec<String> {
        let entries = entries(
            candidates,
            &Style::default(),
            TerminalSize { columns, rows },
        );
        entries.into_iter().map(|entry| entry.display).collect()
    }

    #[test]
    fn what_something_is_stands_in_a_column_if_there_are_rows_for_it() {
        let list = [
            candidate("a", "leaf = 2"),
            candidate("長い", "leaf = 3"),
            candidate("x", ""),
        ];
        let told = ["a     leaf = 2", "長い  leaf = 3", "x"];
        for rows in [24, 5] {
            let mut lines = shown(&list, 80, rows);
            assert_eq!(lines[0].len(), 79, "one below the other");
            lines[0].truncate(told[0].len());
            assert_eq!(lines, told);
        }
        assert_eq!(shown(&list, 80, 4), ["a", "長い", "x"]);
        assert_eq!(shown(&list, 12, 24)[1], "長い  leaf…");
        for columns in 0..30 {
            assert_eq!(shown(&list, columns, 0).len(), 3);
        }
    }

    #[test]
    fn nothing_in_a_list_acts_on_the_terminal() {
        let list = [candidate("c d", "e"), candidate("a\u{1b}[31m", "b\u{202e}")];
        let lines = shown(&list, 80, 4);
        assert_eq!(lines[0].trim_end(), "c d          e");
        assert_eq!(lines[1], "a\\u{1b}[31m  b\\u{202e}");
    }

    /// The editor adds the blanks between columns in 16 bits, so very wide windows must not overflow.
    #[test]
    fn a_window_may_have_any_size() {
        let list = [candidate("tan", "a"), candidate("tanh", "b")];
        for columns in [1, 2, 65_534, 65_535] {
            for shown in shown(&list, columns, 24) {
                assert!(u16::try_from(characters::width(&shown) + 2).is_ok());
            }
        }
    }
}
