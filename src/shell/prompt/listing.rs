//! Completion of file paths: lists the files with a suitable ending, and the folders that may lead to one.
//!
//! Files are only listed, never opened.

use std::fs::{self, DirEntry};

use crate::interpret::{Candidate, Files};
use crate::report::say;
use crate::shell::files;
use crate::view::characters;

/// The most entries of a folder that are examined.
const MOST_ENTRIES: usize = 10_000;

/// The most files that are listed.
const MOST_FILES: usize = 200;

/// Characters that end a path, or mean something else in the language, unless the path is quoted.
const QUOTED: [char; 9] = [' ', '\t', '\u{a0}', ';', '#', ',', '(', '[', '\''];

/// The files whose paths begin with what was typed, sorted by name.
pub(crate) fn listed(asked: &Files) -> Vec<Candidate> {
    let (folder, begun) = match asked.typed.rfind('/') {
        Some(at) => asked.typed.split_at(at + 1),
        None => ("", &*asked.typed),
    };
    if asked.typed == "~" {
        return vec![candidate(asked, "~", true)];
    }
    let shown = if folder.is_empty() { "./" } else { folder };
    let Ok(path) = files::typed(shown, None) else {
        return Vec::new();
    };
    let Ok(entries) = fs::read_dir(path) else {
        return Vec::new();
    };
    let entries = entries.take(MOST_ENTRIES).filter_map(Result::ok);
    let mut found: Vec<(String, bool)> = entries
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry)))
        .filter(|(name, _)| !name.starts_with('.') || begun.starts_with('.'))
        // A name with such characters cannot be typed.
        .filter(|(name, _)| !name.chars().any(characters::is_unsafe))
        .filter_map(|(name, entry)| {
            let is_folder = is_folder(&entry);
            let ends = |ending: &&str| {
                let stem = name
                    .strip_suffix(*ending)
                    .and_then(|stem| stem.strip_suffix('.'));
                stem.is_some_and(|stem| !stem.is_empty())
            };
            (is_folder || asked.endings.iter().any(ends)).then_some((name, is_folder))
        })
        .collect();
    found.sort();
    let begins = |name: &str| name.starts_with(begun);
    if found.iter().any(|(name, _)| begins(name)) {
        found.retain(|(name, _)| begins(name));
    } else {
        let lower = begun.to_lowercase();
        found.retain(|(name, _)| name.to_lowercase().starts_with(&lower));
    }
    found.truncate(MOST_FILES);
    found
        .iter()
        .map(|(name, is_folder)| Candidate {
            shown: format!("{name}{}", if *is_folder { "/" } else { "" }),
            ..candidate(asked, &format!("{folder}{name}"), *is_folder)
        })
        .collect()
}

/// A path as it must be typed, quoted if necessary. The quote of a folder stays open, because the path goes on.
fn candidate(asked: &Files, path: &str, is_folder: bool) -> Candidate {
    let quote = asked.quote.or_else(|| {
        let quote = if path.contains('"') { '\'' } else { '"' };
        path.contains(QUOTED).then_some(quote)
    });
    let quote = quote.map_or_else(String::new, String::from);
    let end = if is_folder { "/" } else { &*quote };
    Candidate {
        text: format!("{quote}{path}{end}"),
        shown: format!("{path}{}", if is_folder { "/" } else { "" }),
        about: say!("{}", if is_folder { "folder" } else { "file" }),
    }
}

fn is_folder(entry: &DirEntry) -> bool {
    match entry.file_type() {
        // A symbolic link counts as what it points to.
        Ok(kind) if kind.is_symlink() => entry.path().is_dir(),
        Ok(kind) => kind.is_dir(),
        Err(_) => false,
    }
}
