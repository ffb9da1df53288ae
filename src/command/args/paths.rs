//! The files among the words of a command: which words look like paths, and which endings are allowed.
//!
//! Only the shell opens and writes files.

use super::suggestions::has_ending;
use super::{Argument, Arguments, range};
use crate::command::{FileRequest, ending};
use chainrule_language::{self as language, Span};
use chainrule_report::diagnostic::{Diagnostic, Result};

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
        self.file_with_number(argument, "")
    }

    /// Returns the path of an argument that is given, for files that have numbers in their names. The first file has this
    /// number.
    pub fn file_with_number(&self, argument: &Argument, number: &str) -> Result<FileRequest> {
        let mut file = self.path(argument)?;
        let mut given = self.command.arguments.iter().filter(|it| self.has(it));
        let ground = given.find(|it| matches!(it.name, "dark" | "light"));
        file.is_dark = ground.map(|it| it.name == "dark");
        if !has_ending(&file.path, argument.endings) {
            let endings = argument.endings.iter();
            let endings: Vec<String> = endings.map(|ending| format!("`.{ending}`")).collect();
            let (path, known) = (&file.path, endings.join(" or "));
            let message = format!("`{path}` does not end in {known}");
            let help = self.help_with_svg(argument.endings, &file, number);
            let meaning = || format!("{} is {}", argument.name, argument.meaning);
            let error = Diagnostic::new(message).at(file.span);
            return Err(error.help(help.unwrap_or_else(meaning)));
        }
        Ok(file)
    }

    /// The line that draws SVG in place of another picture, and how this picture is made of it, if that is possible.
    /// `None` for files that are no pictures.
    fn help_with_svg(&self, endings: &[&str], file: &FileRequest, number: &str) -> Option<String> {
        let word = file.span.of(self.text);
        if !is_other_picture(word, endings) {
            return None;
        }
        let (stem, typed_ending) = file.path.rsplit_once('.')?;
        // In quotes if the path was typed in quotes.
        let named = |path: String| word.replacen(&file.path, &path, 1);
        let begin = self.end() - self.statement.trim_end().len();
        let before = &self.text[begin..file.span.start as usize];
        let after = &self.text[file.span.end as usize..self.end()];
        let line = format!(
            "{}{}{after}",
            before.trim_start(),
            named(format!("{stem}.svg"))
        );
        let drawn = named(format!("{stem}{number}.svg"));
        let wanted = named(format!("{stem}{number}.{typed_ending}"));
        let format = match &*ending(&file.path) {
            // rsvg-convert makes PNG unless it is told otherwise.
            "png" => String::new(),
            "dot" | "mmd" => return Some(format!("type `{line}`")),
            other => format!("-f {other} "),
        };
        Some(format!(
            "type `{line}`, and open `{drawn}` in a browser; `rsvg-convert {format}-o {wanted} {drawn}` makes `{wanted}` of it",
        ))
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

/// The endings of pictures that are not drawn. Other programs make the first three of SVG.
const OTHER_PICTURES: [&str; 5] = ["png", "pdf", "eps", "dot", "mmd"];

/// Whether a word is the path of a picture for which SVG can be drawn, if files with these endings can be written.
pub(super) fn is_other_picture(word: &str, endings: &[&str]) -> bool {
    endings.contains(&"svg") && has_ending(word, &OTHER_PICTURES)
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
