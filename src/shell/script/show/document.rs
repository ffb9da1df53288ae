//! `--echo`: the lines of a script and what came of them go into a document.
//!
//! `view` says what a document looks like; this file tells it what comes when. Pictures stand behind the answers of the
//! line that drew them.

use std::path::Path;

use crate::session::settings::PROMPT;
use crate::shell::RunEnd;
use crate::shell::options::{EchoFormat, Options, ProgramText};
use crate::shell::process::interrupt;
use crate::shell::process::terminal::{Stream, When};
use crate::shell::script::block::Echo;
use crate::shell::script::job::EchoDocument;
use crate::shell::script::reading::prose::ReadersLine;
use crate::shell::script::reading::transcript::shows_prompt;
use crate::shell::script::runner::Runner;
use crate::stop;
use crate::view::{Document, DocumentFormat, DocumentPicture, Style};

/// The prompts of a document, with the margins below them. They are not those of the settings, as the document is to be
/// read by others; `d> ` could be a comparison.
const SIGNS: (&str, &str) = (PROMPT, " … ");
const PLAIN_SIGNS: (&str, &str) = (">>> ", "... ");

impl Runner {
    /// Begins the document that `--echo` asks for.
    pub(crate) fn begin_document(&mut self) {
        let format = match self.options.echo {
            Some(EchoFormat::Text) => DocumentFormat::Text,
            Some(EchoFormat::Md) => DocumentFormat::Markdown,
            Some(EchoFormat::Html) => DocumentFormat::Html,
            None => return,
        };
        let document = Document::new(format, &title(&self.options));
        let colors = self.options.color != When::Never;
        self.document = Some(EchoDocument::new(document, colors));
    }

    /// Is what is shown now part of a document?
    pub(crate) fn writes_document(&self) -> bool {
        self.document.is_some() && !self.unshown
    }

    /// A file, a pipe or a `-e` begins.
    pub(crate) fn begin_source(&mut self) -> Result<(), RunEnd> {
        self.write_document(|echo, style, out| {
            echo.catch_up(style, out);
            echo.prose.begin();
        })
    }

    /// Ends the document.
    pub(crate) fn end_document(&mut self) -> Result<(), RunEnd> {
        self.write_document(|echo, style, out| {
            echo.catch_up(style, out);
            echo.document.end(out);
        })
    }

    /// Puts a line of a script into the document. Says whether it is a statement.
    pub(super) fn echo_in_document(&mut self, line: usize, text: &str) -> Result<bool, RunEnd> {
        let words = match ReadersLine::of(line, text) {
            ReadersLine::Program => return Ok(false),
            ReadersLine::Blank => "",
            ReadersLine::Prose(words) => words,
            ReadersLine::Statement => {
                let shown = self.laid_out(text);
                self.write_document(|echo, style, out| {
                    echo.catch_up(style, out);
                    echo.document.statement(&shown, out);
                })?;
                return Ok(true);
            }
        };
        let is_blank = text.trim().is_empty();
        self.write_document(|echo, style, out| {
            if is_blank && echo.prose.is_empty() {
                echo.document.blank();
            }
            echo.prose.push(words);
            if echo.prose.is_full() {
                echo.catch_up(style, out);
            }
        })?;
        Ok(false)
    }

    /// A line of a transcript was an answer: blank lines before it belonged to the answer, not to the script.
    pub(crate) fn skip_answer(&mut self) {
        if let Some(echo) = &mut self.document {
            echo.document.no_blank();
        }
    }

    /// Puts an answer, a note or an error into the document.
    pub(super) fn answer_in_document(
        &mut self,
        lay_out: impl FnOnce(&mut String),
    ) -> Result<(), RunEnd> {
        let mut text = String::new();
        stop::interruptible(interrupt::pending, || lay_out(&mut text))
            .map_err(|_| RunEnd::Interrupted)?;
        self.write_document(|echo, style, out| {
            if !echo.prose.is_empty() {
                echo.catch_up(style, out);
            }
            let looks_typed = shows_prompt(&text);
            echo.document.answer(&text, looks_typed, out);
        })
    }

    /// Shows a picture that was written into a file.
    pub(crate) fn show_picture(
        &mut self,
        path: &Path,
        title: impl FnOnce() -> String,
        content: Vec<u8>,
    ) {
        let path = path.to_string_lossy();
        let ending = path.rsplit('.').next().unwrap_or_default();
        let ending = &*ending.to_ascii_lowercase();
        if self.writes_document()
            && let Some(echo) = &mut self.document
            && DocumentPicture::is_shown(ending)
        {
            echo.pictures.push(DocumentPicture {
                title: title(),
                ending: ending.to_owned(),
                path: path.into_owned(),
                content,
            });
        }
    }

    /// Writes a part of the document, if there is one.
    fn write_document(
        &mut self,
        write: impl FnOnce(&mut EchoDocument, &Style, &mut String),
    ) -> Result<(), RunEnd> {
        if self.document.is_none() {
            return Ok(());
        }
        let style = self.style(Stream::Answers);
        let Some(echo) = &mut self.document else {
            return Ok(());
        };
        let mut output = self.output.borrow_mut();
        output.answer(|out| stop::undisturbed(|| write(echo, &style, out)))
    }

    /// A statement behind its prompt, as it was typed.
    fn laid_out(&mut self, text: &str) -> String {
        let (sign, margin) = if self.options.ascii {
            PLAIN_SIGNS
        } else {
            SIGNS
        };
        let style = Style {
            // The user's own text stays as it is.
            ascii: false,
            ..self.style(Stream::Answers)
        };
        let echo = Echo {
            sign: sign.to_owned(),
            margin: margin.to_owned(),
        };
        let mut out = String::new();
        let text = indented(text.trim_end(), margin.chars().count());
        echo.write(&self.session, &text, &style, &mut out);
        out
    }
}

/// The text with as many blanks more before its further lines: the margin takes their place, and what the author aligned
/// stays aligned. The indentation of the first line is taken from all.
fn indented(text: &str, blanks: usize) -> String {
    let first = text.len() - text.trim_start_matches(' ').len();
    let mut out = String::with_capacity(text.len() + 16);
    for (place, line) in text.split('\n').enumerate() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if place > 0 {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', blanks));
        }
        out.push_str(&line[indent.min(first)..]);
    }
    out
}

/// The name of the first file.
fn title(options: &Options) -> String {
    let named = |program: &ProgramText| match program {
        ProgramText::File(path) if path != "-" => {
            let name = Path::new(path).file_stem()?;
            Some(name.to_string_lossy().into_owned())
        }
        _ => None,
    };
    let mut names = options.programs.iter().filter_map(named);
    names.next().unwrap_or_else(|| "chainrule".to_owned())
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn further_lines_are_as_far_to_the_right_as_the_first() {
        for (text, expected) in [
            ("a = 1", "a = 1"),
            ("a = (1 +\n     2)", "a = (1 +\n        2)"),
            ("   a = (1 +\n        2)\n 3", "a = (1 +\n        2)\n   3"),
            ("def f(x):\n\n  return x", "def f(x):\n   \n     return x"),
        ] {
            assert_eq!(indented(text, 3), expected, "{text}");
        }
    }
}
