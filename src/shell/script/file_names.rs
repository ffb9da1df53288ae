//! Finds the files that complete a line, at the prompt, in a page and for another program: those that have a suitable
//! ending, and the folders that may lead to one.

use crate::interpret::{Candidate, Files};
use crate::shell::files;
use chainrule_report::{characters, say};

/// The most files that are listed.
const MAX_FILES: usize = 200;

/// A path with one of these characters must be quoted: they end it or mean something else in the language.
const NEED_QUOTES: [char; 9] = [' ', '\t', '\u{a0}', ';', '#', ',', '(', '[', '\''];

/// The first [`MAX_FILES`] files, by name, whose paths begin with the typed one. They are only listed, never opened.
pub(crate) fn matching_files(asked: &Files) -> Vec<Candidate> {
    let (folder, begun) = match asked.typed.rfind('/') {
        Some(at) => asked.typed.split_at(at + 1),
        None => ("", &*asked.typed),
    };
    let mut found = files::names_in(folder);
    found.sort_unstable();
    let suits = |name: &&String| {
        let is_hidden = name.starts_with('.') && !begun.starts_with('.');
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        let has_ending = ending.is_some_and(|ending| asked.endings.contains(&ending));
        name.starts_with(begun) && !is_hidden && (has_ending || name.ends_with('/'))
    };
    let names = found.iter().filter(suits);
    let candidates = names.filter_map(|name| candidate_of(asked, folder, name));
    candidates.take(MAX_FILES).collect()
}

/// A path as it is typed: quoted if necessary, or with the quote that is typed already. Returns `None` if it cannot be typed:
/// the language has no escape for an unsafe character, or for a quote between two of its kind.
pub(crate) fn quoted_path(path: &str, typed: Option<char>) -> Option<String> {
    let quote = match typed {
        Some(typed) => typed.to_string(),
        None if !path.contains(NEED_QUOTES) => String::new(),
        None if path.contains('"') => "'".to_owned(),
        None => "\"".to_owned(),
    };
    let ends_early = !quote.is_empty() && path.contains(&quote);
    let can_be_typed = !ends_early && !path.chars().any(characters::is_unsafe);
    can_be_typed.then(|| format!("{quote}{path}{quote}"))
}

/// The candidate for a file, or for a folder, which ends with `/`. Its path is quoted if necessary. The quote of a
/// folder stays open, because the path goes on. Returns `None` if the path cannot be typed.
fn candidate_of(asked: &Files, folder: &str, name: &str) -> Option<Candidate> {
    let mut text = quoted_path(&format!("{folder}{name}"), asked.quote)?;
    let is_folder = name.ends_with('/');
    if is_folder {
        text.truncate(text.trim_end_matches(['\'', '"']).len());
    }
    Some(Candidate {
        text,
        shown: name.to_owned(),
        about: if is_folder {
            say!("folder")
        } else {
            say!("file")
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_cannot_be_typed_is_no_candidate() {
        for (quote, name, expected) in [
            (None, "a.csv", Some("a.csv")),
            (None, "a b.csv", Some("\"a b.csv\"")),
            (None, "it's.csv", Some("\"it's.csv\"")),
            (None, "2\" a.csv", Some("'2\" a.csv'")),
            (None, "2\" it's.csv", None),
            (None, "a b/", Some("\"a b/")),
            (Some('\''), "it's.csv", None),
            (None, "a\u{202e}.csv", None),
        ] {
            let asked = Files {
                quote,
                ..Files::default()
            };
            let found = candidate_of(&asked, "", name);
            assert_eq!(found.as_ref().map(|it| &*it.text), expected, "{name}");
        }
    }
}
