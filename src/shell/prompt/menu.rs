//! Lays out the list that Tab shows under the line.
//!
//! The editor inserts the common prefix of all entries and lists them. The candidates come from `interpret` and
//! `file_names`.

use rustyline::completion::Pair;

use crate::interpret::Candidate;
use crate::shell::process::terminal::TerminalSize;
use chainrule_report::characters;
use chainrule_view::{self as view, Style};

/// Separates the name of an entry from its description.
pub(crate) const GAP: &str = "  ";

/// The editor computes widths in 16 bits, with two blanks between columns.
const MAX_COLUMNS: usize = u16::MAX as usize - 2;

/// Lays out the entries: one below the other with their descriptions if the window has enough rows, or else only the
/// names.
pub(crate) fn entries(candidates: &[Candidate], style: &Style, room: TerminalSize) -> Vec<Pair> {
    // The last column stays free, because some terminals wrap a line that fills it.
    let max_width = room.columns.saturating_sub(1).clamp(1, MAX_COLUMNS);
    let shorten = |text: &str| characters::shorten_end(text, max_width).into_owned();
    let shorten_name = |candidate: &Candidate| shorten(&characters::clean(&candidate.shown));
    let names: Vec<String> = candidates.iter().map(shorten_name).collect();
    let widths = names.iter().map(|name| characters::width(name));
    let widest = widths.max().unwrap_or(0);
    // One row is for the prompt, one for the line after the list.
    let shows_about = names.len() + 2 <= room.rows;
    let mut entries = Vec::new();
    for (candidate, name) in candidates.iter().zip(names) {
        let about = view::plain(&candidate.about, style);
        let display = if shows_about && !about.is_empty() {
            let blanks = " ".repeat(widest - characters::width(&name));
            shorten(&format!("{name}{blanks}{GAP}{about}"))
        } else {
            name
        };
        let replacement = candidate.text.clone();
        entries.push(Pair {
            display,
            replacement,
        });
    }
    if shows_about && let Some(first) = entries.first_mut() {
        // An entry of the full width makes the editor use one column.
        let blanks = max_width.saturating_sub(characters::width(&first.display));
        first.display.push_str(&" ".repeat(blanks));
    }
    entries
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
