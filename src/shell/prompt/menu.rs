//! The list that Tab shows under the line: its layout, and stepping through its entries.
//!
//! The editor inserts the common prefix of all entries and lists them. If nothing is typed in between, each further Tab
//! inserts the next entry, and after the last one the text as it was typed. The candidates come from `interpret`.

use crate::interpret::Candidate;
use crate::report::Piece;
use crate::shell::process::terminal::TerminalSize;
use crate::view;
use crate::view::{Style, characters};

/// An entry of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedEntry {
    /// The text that is inserted into the line.
    pub text: String,
    /// The text shown in the list.
    pub shown: String,
}

/// Separates the name of an entry from its description. Names never contain two blanks in a row.
const GAP: &str = "  ";

/// The blanks that the editor puts between columns of entries.
const BETWEEN: usize = 2;

/// The editor computes widths in 16 bits, including the blanks between columns.
const WIDEST: usize = u16::MAX as usize - BETWEEN;

/// In a smaller window the editor would pause at each row of the list, so none is shown.
const SMALLEST: TerminalSize = TerminalSize {
    columns: 10,
    rows: 3,
};

/// With less room than this per entry, descriptions are left out.
const NARROWEST_ABOUT: usize = 18;

/// The most columns of entries that still have descriptions.
const MOST_COLUMNS: usize = 3;

/// Lays the entries out: with descriptions if the whole list then fits on the screen, else only the names.
pub(crate) fn entries(
    candidates: &[Candidate],
    style: &Style,
    room: TerminalSize,
) -> Vec<ListedEntry> {
    let most = room.columns.saturating_sub(1).clamp(1, WIDEST);
    let names: Vec<String> = candidates
        .iter()
        .map(|candidate| {
            let name = single_blanks(&characters::clean(&candidate.shown, style.ascii));
            characters::shorten_end(&name, most, style.ascii).into_owned()
        })
        .collect();
    let widest = names
        .iter()
        .map(|name| characters::width(name))
        .max()
        .unwrap_or(0);
    let abouts: Vec<(String, String)> = candidates
        .iter()
        .map(|candidate| parted(&candidate.about, style))
        .collect();
    let listed = |about: usize| -> Vec<String> {
        let entry = |(name, (said, value)): (&String, &(String, String))| {
            if said.is_empty() {
                return name.clone();
            }
            let room = about.saturating_sub(characters::width(value));
            let said = characters::shorten_end(said, room, style.ascii);
            let blanks = " ".repeat(widest - characters::width(name));
            let entry = format!("{name}{blanks}{GAP}{said}{value}");
            characters::shorten_end(&entry, most, style.ascii).into_owned()
        };
        names.iter().zip(&abouts).map(entry).collect()
    };
    // One row is for the prompt, one for the line after the list.
    let rows = room.rows.saturating_sub(2).max(1);
    let fits = |list: &[String]| {
        let width = list.iter().map(|entry| characters::width(entry)).max();
        let width = (width.unwrap_or(0) + BETWEEN).min(room.columns).max(1);
        list.len().div_ceil((room.columns / width).max(1)) <= rows
    };
    let told = (1..=MOST_COLUMNS)
        .filter_map(|abreast| {
            let width =
                (room.columns / abreast).checked_sub(if abreast == 1 { 1 } else { BETWEEN })?;
            width.checked_sub(widest + GAP.len())
        })
        .filter(|about| *about >= NARROWEST_ABOUT)
        .map(listed)
        .find(|list| fits(list));
    let told = told.map(|mut list| {
        // A short list is one column, because entries side by side would be read across. Padding the first entry to the
        // full width makes the editor use one column.
        if list.len() <= rows / 2
            && let Some(first) = list.first_mut()
        {
            let blanks = most.saturating_sub(characters::width(first));
            first.extend(std::iter::repeat_n(' ', blanks));
        }
        list
    });
    let texts = candidates.iter().map(|candidate| candidate.text.clone());
    texts
        .zip(told.unwrap_or(names))
        .map(|(text, shown)| ListedEntry { text, shown })
        .collect()
}

/// In a window too small for a list, reduces the entries to their common prefix, which the editor then inserts.
pub(crate) fn without_list(entries: Vec<ListedEntry>, room: TerminalSize) -> Vec<ListedEntry> {
    let small = room.rows < SMALLEST.rows || room.columns < SMALLEST.columns;
    if !small || entries.len() < 2 {
        return entries;
    }
    let text = common(entries.iter().map(|entry| &*entry.text)).to_owned();
    let shown = String::new();
    vec![ListedEntry { text, shown }]
}

/// Splits a listed entry into its name and the rest.
pub(crate) fn halves(shown: &str) -> (&str, &str) {
    shown.split_at(shown.find(GAP).unwrap_or(shown.len()))
}

/// Splits a description into its text and the value at its end. Only the text is shortened when there is little room.
fn parted(about: &[Piece], style: &Style) -> (String, String) {
    let value = match about {
        [.., Piece::Plain(sign), Piece::Short(_)] if sign == " = " => about.len() - 2,
        _ => about.len(),
    };
    let (said, value) = about.split_at(value);
    (view::plain(said, style), view::plain(value, style))
}

fn single_blanks(name: &str) -> String {
    let mut before = false;
    let mut out = name.to_owned();
    out.retain(|character| {
        let blank = character == ' ';
        !(std::mem::replace(&mut before, blank) && blank)
    });
    out
}

/// The list that was shown last, and which of its entries is in the line.
#[derive(Debug, Default)]
pub(crate) struct TabCycle {
    /// The line before and after the completed word.
    around: (String, String),
    /// The texts to step through; the last one is what the user typed.
    texts: Vec<String>,
    /// The index of the text that is in the line.
    at: usize,
}

impl TabCycle {
    /// Starts stepping: a list was shown for the word from `start` to the cursor.
    pub(crate) fn begin(
        &mut self,
        line: &str,
        start: usize,
        cursor: usize,
        entries: &[ListedEntry],
    ) {
        *self = TabCycle::default();
        if entries.len() < 2 {
            return;
        }
        // The editor has inserted the common prefix, so that counts as typed.
        let common = common(entries.iter().map(|entry| &*entry.text));
        let typed = &line[start..cursor];
        let typed = if common.len() > typed.len() {
            common
        } else {
            typed
        };
        self.texts = entries.iter().map(|entry| entry.text.clone()).collect();
        self.texts.retain(|text| text != typed);
        self.texts.push(typed.to_owned());
        self.around = (line[..start].to_owned(), line[cursor..].to_owned());
        self.at = self.texts.len() - 1;
    }

    /// The next text and where it starts. `None` if the line was edited in between.
    pub(crate) fn next(
        &mut self,
        line: &str,
        cursor: usize,
        back: bool,
    ) -> Option<(usize, ListedEntry)> {
        let (before, behind) = &self.around;
        let now = line[..cursor].strip_prefix(&**before)?;
        if self.texts.get(self.at)? != now || line[cursor..] != **behind {
            *self = TabCycle::default();
            return None;
        }
        let count = self.texts.len();
        self.at = (self.at + if back { count - 1 } else { 1 }) % count;
        let text = self.texts[self.at].clone();
        let shown = text.clone();
        Some((before.len(), ListedEntry { text, shown }))
    }
}

/// The longest common prefix.
fn common<'t>(mut texts: impl Iterator<Item = &'t str>) -> &'t str {
    let first = texts.next().unwrap_or_default();
    let length = texts.fold(first.len(), |length, text| {
        let same = first[..length].char_indices().zip(text.chars());
        let differs = same.clone().find(|((_, one), other)| one != other);
        let shorter = same.last().map_or(0, |((at, one), _)| at + one.len_utf8());
        differs.map_or(shorter, |((at, _), _)| at)
    });
    &first[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

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
        entries.into_iter().map(|entry| entry.shown).collect()
    }

    #[test]
    fn what_something_is_stands_in_a_column() {
        let list = [
            candidate("a", "leaf = 2"),
            candidate("長い", "leaf = 3"),
            candidate("x", ""),
        ];
        let told = ["a     leaf = 2", "長い  leaf = 3", "x"];
        let mut lines = shown(&list, 80, 24);
        assert_eq!(lines[0].len(), 79, "one below the other");
        lines[0].truncate(told[0].len());
        assert_eq!(lines, told);
        assert_eq!(shown(&list, 80, 6), told);
        assert_eq!(shown(&list, 20, 24), ["a", "長い", "x"]);
        for columns in 0..30 {
            assert_eq!(shown(&list, columns, 0).len(), 3);
        }
    }

    #[test]
    fn a_long_list_gives_up_words_before_it_floods() {
        let list: Vec<Candidate> = (10..40)
            .map(|number| candidate(&format!("name{number}"), "something that is told at length"))
            .collect();
        assert!(shown(&list, 80, 40)[0].ends_with("at length"));
        assert_eq!(
            shown(&list, 80, 20)[0],
            "name10  something that is told at len…"
        );
        assert_eq!(shown(&list, 80, 12)[0], "name10");
        assert_eq!(shown(&list, 40, 20)[0], "name10");
    }

    #[test]
    fn a_value_stays_where_its_expression_is_cut() {
        let about = vec![
            Piece::plain("alpha^2 + 3*alpha"),
            Piece::plain(" = "),
            Piece::Short(42.0),
        ];
        let one = Candidate {
            about,
            ..candidate("L", "")
        };
        let lines = shown(&[one], 25, 2);
        assert_eq!(lines, ["L  alpha^2 + 3*alp… = 42"]);
    }

    #[test]
    fn nothing_in_a_list_acts_on_the_terminal() {
        let list = [
            candidate("a\u{1b}[31m", "b\u{202e}"),
            candidate("c  d", "e"),
        ];
        assert_eq!(
            shown(&list, 80, 4),
            ["a\\u{1b}[31m  b\\u{202e}", "c d          e"]
        );
    }

    /// The editor adds the blanks between columns in 16 bits, so very wide windows must not overflow.
    #[test]
    fn a_window_may_have_any_size() {
        let list = [candidate("tan", "a"), candidate("tanh", "b")];
        for columns in [1, 2, 65_534, 65_535] {
            for shown in shown(&list, columns, 24) {
                assert!(u16::try_from(characters::width(&shown) + BETWEEN).is_ok());
            }
        }
        for (columns, rows, left) in [(80, 24, 2), (80, 2, 1), (2, 24, 1), (65_535, 65_535, 2)] {
            let room = TerminalSize { columns, rows };
            let entries = without_list(entries(&list, &Style::default(), room), room);
            assert_eq!(entries.len(), left, "{columns} x {rows}");
            assert!(left == 2 || entries[0].text == "tan");
        }
    }

    #[test]
    fn tab_goes_through_the_list_and_back_to_what_was_typed() {
        let entries = |texts: &[&str]| -> Vec<ListedEntry> {
            let entry = |text: &&str| ListedEntry {
                text: (*text).to_owned(),
                shown: String::new(),
            };
            texts.iter().map(entry).collect()
        };
        let mut steps = TabCycle::default();
        let mut step = |line: &str, cursor| {
            let (start, entry) = steps.next(line, cursor, false)?;
            Some(format!(
                "{}{}|{}",
                &line[..start],
                entry.text,
                &line[cursor..]
            ))
        };
        assert_eq!(step("", 0), None);
        steps.begin("2*al + 1", 2, 4, &entries(&["alpha", "alphabet"]));
        let mut step = |line: &str, cursor| {
            let (start, entry) = steps.next(line, cursor, false)?;
            Some(format!(
                "{}{}|{}",
                &line[..start],
                entry.text,
                &line[cursor..]
            ))
        };
        // The editor has inserted the common prefix already.
        assert_eq!(step("2*alpha + 1", 7).as_deref(), Some("2*alphabet| + 1"));
        assert_eq!(step("2*alphabet + 1", 10).as_deref(), Some("2*alpha| + 1"));
        assert_eq!(step("2*alpha + 1", 7).as_deref(), Some("2*alphabet| + 1"));
        assert_eq!(step("2*alphabets + 1", 11), None);
        assert_eq!(step("2*alphabet + 1", 10), None);
        steps.begin("pi", 0, 2, &entries(&["pi", "π"]));
        let (_, entry) = steps.next("pi", 2, false).expect("a list was shown");
        assert_eq!(entry.text, "π");
    }

    #[test]
    fn beginnings_are_cut_between_letters() {
        assert_eq!(common(["fée", "fête"].into_iter()), "f");
        assert_eq!(common(["ab", "abc", "abd"].into_iter()), "ab");
        assert_eq!(common(["sqrt(", "√"].into_iter()), "");
        assert_eq!(common(["αβ", "αβ"].into_iter()), "αβ");
    }
}
