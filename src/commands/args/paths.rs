//! File names among the words of a command: which words they are, and which endings are allowed.
//!
//! Files are opened and written by the shell only.

use super::range;
use super::suggestions::Offers;
use super::{Argument, ArgumentKind, Arguments};
use crate::commands::FileRequest;
use crate::diagnostic::{Diagnostic, listed};
use crate::syntax;
use crate::syntax::Span;

impl Argument {
    /// The file that takes the table of an answer: the last argument without a keyword of every command that answers with a table. What
    /// is written into it is decided in `commands::sheets`.
    pub(crate) const TABLE: Argument = Argument::optional("FILE", ArgumentKind::File)
        .means("a file for the table: `.csv .md`")
        .offering(Offers::Tables(Vec::new));
}

impl Arguments<'_> {
    /// Takes the file for the table of the answer out of the arguments, if one is given, so that the command runs as if
    /// it were not there.
    pub(crate) fn take_table(&mut self) -> Result<Option<FileRequest>, Diagnostic> {
        let is_file = |argument: &Argument| matches!(argument.offers, Offers::Tables(_));
        let Some(place) = self.command.arguments.iter().position(is_file) else {
            return Ok(None);
        };
        let argument = &self.command.arguments[place];
        let file = self.file(argument.name)?;
        let file = file.filter(|file| argument.offers.is_for_table(&file.ending()));
        if file.is_some() {
            self.given[place].clear();
        }
        Ok(file)
    }

    /// Is the last of these words a path that belongs to the file argument at `place`? A file for a table may follow any
    /// expression: there a word with an unknown ending, which may be meant as the attribute `L.T`, is a path only where
    /// an expression ends before it.
    pub(super) fn ends_with_file(&self, words: &[Span], place: usize) -> bool {
        let Some((last, before)) = words.split_last() else {
            return false;
        };
        let word = last.of(self.text);
        let offers = self.command.arguments[place].offers;
        let follows = |before: &Span| {
            let ends = |c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '_');
            before.of(self.text).ends_with(ends)
        };
        may_name_file(word, offers)
            && (!matches!(offers, Offers::Tables(_))
                || offers.is_known_file(word)
                || before.last().is_some_and(follows))
    }

    /// The path of an argument, whatever its ending.
    pub fn path(&self, name: &str) -> Result<Option<FileRequest>, Diagnostic> {
        let Some((word, span)) = self.word(name) else {
            return Ok(None);
        };
        let path = syntax::unquoted(word).unwrap_or(word);
        if path.is_empty() {
            return Err(Diagnostic::new("a path is expected")
                .at(span)
                .help(format!("usage: `{}`", self.command.usage())));
        }
        Ok(Some(FileRequest {
            path: path.to_string(),
            span: span.into(),
        }))
    }

    /// The path of an argument; an error unless it has one of the allowed endings, such as `calc` or `svg`.
    pub fn file(&self, name: &str) -> Result<Option<FileRequest>, Diagnostic> {
        let Some((word, span)) = self.word(name) else {
            return Ok(None);
        };
        let argument = self
            .command
            .arguments
            .iter()
            .find(|argument| argument.name == name);
        let offers = argument.map_or(Offers::Usual, |argument| argument.offers);
        let path = syntax::unquoted(word).unwrap_or(word);
        if !offers.is_known_file(word) {
            if !is_path(word)
                && let Some(error) = self.no_file(span)
            {
                return Err(error);
            }
            let endings = offers.endings();
            let what = if path.is_empty() {
                "a path is expected".to_string()
            } else {
                let listed = listed(endings.iter().map(|known| format!(".{known}")));
                format!("`{path}` has no ending that is known here: {listed}")
            };
            let line = self.with_ending(span, endings.first().unwrap_or(&""));
            return Err(Diagnostic::new(what)
                .at(span)
                .help(format!("as in `{line}`")));
        }
        Ok(Some(FileRequest {
            path: path.to_string(),
            span: span.into(),
        }))
    }

    /// The line with another ending of a file.
    pub(crate) fn with_ending(&self, file: Span, ending: &str) -> String {
        let word = file.of(self.text);
        let path = syntax::unquoted(word).unwrap_or(word);
        let stem = path.rsplit_once('.').filter(|(_, ending)| {
            ending.starts_with(|c: char| c.is_ascii_alphabetic()) && !ending.contains('/')
        });
        let stem = stem.map_or(path, |(stem, _)| stem).trim_end_matches('.');
        let name = if stem.is_empty() || stem.ends_with('/') {
            "NAME"
        } else {
            ""
        };
        let quote = if path.len() < word.len() {
            &word[..1]
        } else {
            ""
        };
        self.retyped(&[(file, &format!("{quote}{stem}{name}.{ending}{quote}"))])
    }

    /// The error for two files: only one may follow a free expression, and the other would be parsed as part of it.
    pub(crate) fn several_files(&self, words: &[Span]) -> Option<Diagnostic> {
        let signature = self.command.arguments;
        let takes = |kind: ArgumentKind| signature.iter().find(|argument| argument.kind == kind);
        takes(ArgumentKind::Expression).or(takes(ArgumentKind::Model))?;
        let offers = takes(ArgumentKind::File)?.offers;
        // `L.shape` may be meant as an attribute, so a word with an unknown ending counts only where nothing but a file
        // can stand.
        let is_file = |word: &&Span| {
            let path = word.of(self.text);
            offers.is_known_file(path)
                || is_path(path) && (words.last() == Some(word) || syntax::unquoted(path).is_some())
        };
        let mut files = words.iter().filter(is_file);
        let (first, second) = (files.next()?, files.next()?);
        let mut typed = format!(":{}", self.command.name);
        for (place, word) in words.iter().enumerate() {
            let comma = word.of(self.text) == ",";
            let between = comma && words.get(place + 1).as_ref().is_some_and(is_file);
            if !is_file(&word) && !between {
                typed.push_str(if comma { "" } else { " " });
                typed.push_str(word.of(self.text));
            }
        }
        let [one, other] = [first, second].map(|file| format!("`{typed} {}`", file.of(self.text)));
        let error = Diagnostic::new(format!(
            "`:{}` writes one file at a time",
            self.command.name
        ));
        Some(error.at(*second).help(format!("type {one}, then {other}")))
    }
}

/// May this word name a file: does it look like a path, or is its ending known?
pub(super) fn may_name_file(word: &str, offers: Offers) -> bool {
    is_path(word) || offers.is_known_file(word)
}

/// Does a word look like a path: in quotes, or with an ending that is neither a property (`y.data`) nor a decimal?
pub(crate) fn is_path(word: &str) -> bool {
    if syntax::unquoted(word).is_some() {
        return true;
    }
    let Some((stem, ending)) = word.rsplit_once('.') else {
        return false;
    };
    !stem.is_empty()
        && syntax::Property::named(ending).is_none()
        && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && !(stem.ends_with(|c: char| c.is_ascii_digit()) && is_exponent(ending))
        && !stem.chars().all(|c| c.is_ascii_digit())
        && !range::is_range(word)
}

/// Is this the `e3` of `2*1.e3`?
fn is_exponent(ending: &str) -> bool {
    let digits = ending.strip_prefix(['e', 'E']).unwrap_or_default();
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}
