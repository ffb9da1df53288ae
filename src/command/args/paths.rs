//! The files among the words of a command: which words look like paths, and which endings are allowed.
//!
//! Only the shell opens and writes files.

use super::suggestions::has_ending;
use super::{Argument, Arguments, range};
use crate::command::FileRequest;
use chainrule_language::{self as language, Span};
use chainrule_report::diagnostic::{Diagnostic, Result, backtick_list};

impl Arguments<'_> {
    /// Returns the path of an argument that is given, whatever its ending.
    pub fn path(&self, argument: &Argument) -> Result<FileRequest> {
        let span = self.place(argument);
        let file = request(self.text, span);
        if file.path.is_empty() {
            let usage = format!("usage: `{}`", self.command.usage());
            return Err(Diagnostic::new("a path is expected").at(span).help(usage));
        }
        Ok(file)
    }

    /// Returns the path of an argument that is given. Its ending must be allowed for the argument.
    pub fn file(&self, argument: &Argument) -> Result<FileRequest> {
        let mut file = self.path(argument)?;
        let mut given = self.command.arguments.iter().filter(|it| self.has(it));
        let ground = given.find(|it| matches!(it.name, "dark" | "light"));
        file.is_dark = ground.map(|it| it.name == "dark");
        if !has_ending(&file.path, argument.endings) {
            let endings = argument.endings.iter().map(|ending| format!(".{ending}"));
            let (path, known) = (&file.path, backtick_list(endings));
            let message = format!("`{path}` has no ending that is known here: {known}");
            let help = match path.rsplit_once('.') {
                Some((stem, "pdf" | "eps")) if argument.endings.contains(&"svg") => format!(
                    "draw `{stem}.svg`, and make the PDF with the program rsvg-convert, or in Python with \
                     cairosvg; `:help image-files` shows how"
                ),
                _ => format!("{} is {}", argument.name, argument.meaning),
            };
            return Err(Diagnostic::new(message).at(file.span).help(help));
        }
        Ok(file)
    }

    /// Returns the path of an argument that may be missing.
    pub fn file_if_given(&self, argument: &Argument) -> Result<Option<FileRequest>> {
        self.has(argument).then(|| self.file(argument)).transpose()
    }

    /// Returns the word that names the file to read or to write.
    pub(crate) fn file_word(&self) -> Option<Span> {
        let mut files = self.command.arguments.iter().filter(|it| it.name == "FILE");
        let file = files.find_map(|file| self.words(file).first().copied());
        self.assignment.table.or(file)
    }

    /// Returns the file into which the table of the answer goes.
    pub(crate) fn table_file(&self) -> Option<FileRequest> {
        let table = self.assignment.table;
        table.map(|span| request(self.text, span))
    }
}

/// Reads a path, which may be in quotes.
fn request(text: &str, span: Span) -> FileRequest {
    let word = span.of(text);
    FileRequest {
        path: language::strip_quotes(word).unwrap_or(word).to_string(),
        span,
        is_dark: None,
    }
}

/// Whether a word looks like a path: in quotes, or with an ending that is neither a property (`y.data`) nor a part of a
/// number or a range.
pub(crate) fn is_path(word: &str) -> bool {
    if language::strip_quotes(word).is_some() {
        return true;
    }
    let Some((stem, ending)) = word.rsplit_once('.') else {
        return false;
    };
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let is_ending = ending.starts_with(|c: char| c.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric())
        && language::Property::from_word(ending).is_none();
    // The `e3` of `2*1.e3`.
    let exponent = ending.strip_prefix(['e', 'E']).unwrap_or_default();
    let is_exponent = !exponent.is_empty() && is_number(exponent);
    let is_decimal = stem.ends_with(|c: char| c.is_ascii_digit()) && is_exponent;
    is_ending && !is_number(stem) && !is_decimal && !range::is_range(word)
}
