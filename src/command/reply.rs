//! The reply of a statement to the shell: reports and notes to show, a file to write, and work that only the shell can do.

use super::Command;
use chainrule_language::Span;
use chainrule_report::diagnostic::{Diagnostic, Result, Translation};
use chainrule_report::{Block, DataSheet, Fact, Line, Note, Picture, Report, plural, say};
use chainrule_session::{Contents, Session, WrittenFile};

/// The answer to a statement.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// The report to show; `None` for a silenced statement.
    pub report: Option<Report>,
    /// Further reports of a statement with several answers, such as `:next 3`. In JSON each is an object of its own.
    pub more: Vec<Report>,
    /// Notes, shown even if the statement is silenced.
    pub notes: Vec<Note>,
    /// Work for the shell. (A box keeps replies small, because every statement moves one.)
    pub effect: Option<Box<Effect>>,
    /// The definition of a function that the interpreter runs instead of showing a report.
    pub definition: Option<Box<str>>,
    /// Whether a check has failed: the script goes on, but ends with status 1.
    pub has_failed: bool,
    /// Whether Ctrl-C stopped the work, whose results so far stay. A script ends with status 130.
    pub is_interrupted: bool,
    /// The line that was run instead of the statement. All places are in this line then.
    pub translated: Option<Box<Translation>>,
}

/// Work that only the shell can do, because it runs statements, ends the run or concerns the terminal.
#[derive(Clone, Debug)]
pub enum Effect {
    /// End the run.
    Quit,
    /// Run a file as one change.
    Load(FileRequest),
    /// Play a lesson, or move in the current one. Without a current lesson the report is shown.
    Play(LessonMove, Span),
}

/// A move of `:play`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonMove {
    /// To the place where the user left the lesson.
    On,
    /// To the beginning of a built-in lesson.
    BuiltIn(&'static BuiltInLesson),
    /// To the beginning of a script.
    File(FileRequest),
    /// To the next statement.
    Next,
    /// To the statement before.
    Back,
    /// To the statement with this number, counted from 1.
    Step(usize),
    /// To the next statement, after showing the answer of this one.
    Show,
    /// Out of the lesson.
    Stop,
}

/// A lesson that is part of the program.
#[derive(Debug, PartialEq, Eq)]
pub struct BuiltInLesson {
    /// Its name for `:play`.
    pub name: &'static str,
    /// The script.
    pub text: &'static str,
}

/// A file name given to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRequest {
    /// The path without quotes.
    pub path: String,
    /// The word that names it.
    pub span: Span,
    /// Whether a picture has a dark ground, if the words `dark` and `light` say so.
    pub is_dark: Option<bool>,
}

/// The ending of a file name in lower case: `svg`.
pub(crate) fn ending(path: &str) -> String {
    let ending = path.rsplit('.').next().unwrap_or_default();
    ending.to_ascii_lowercase()
}

impl Reply {
    /// Makes a reply that only shows a report.
    pub fn show(report: Report) -> Reply {
        Reply {
            report: Some(report),
            ..Reply::default()
        }
    }

    /// Makes a reply that leaves the rest to the shell.
    pub(crate) fn effect(effect: Effect) -> Reply {
        Reply {
            effect: Some(effect.into()),
            ..Reply::default()
        }
    }

    /// Writes a picture into a file, and answers with the given line and count: `drew 3 shares`.
    pub(crate) fn report_drawing(
        session: &Session,
        command: &Command,
        file: &FileRequest,
        (line, count): (Line, usize),
        picture: Picture,
    ) -> Result<Reply> {
        let confirmation = say!("{} into {:typed}", line, &*file.path);
        let facts = vec![("path", file.path.clone().into()), ("count", count.into())];
        let reply = Reply::show(Report::confirming(command, facts, confirmation));
        let contents = Contents::Picture(Box::new(picture), file.is_dark);
        reply.write(session, file, contents)
    }

    /// Writes a file. If the host keeps a copy of the old file, the report says so.
    pub(crate) fn write(
        mut self,
        session: &Session,
        file: &FileRequest,
        contents: Contents,
    ) -> Result<Reply> {
        let WrittenFile { backup, cut_texts } = session
            .host()
            .write(&file.path, contents, session.settings())
            .map_err(|error| error.at(file.span))?;
        if let (Some(report), Some(copy)) = (&mut self.report, backup) {
            let line = say!("the file that was there is kept as {:typed}", &copy);
            report.blocks.push(Block::Line(line));
            report.facts.push(("backup", Fact::Text(copy)));
        }
        let notes = cut_texts.into_iter().map(|text| {
            let help =
                "has no room in the picture and is cut: choose a larger `size` or other words";
            Note::new(say!("{:typed} {}", &text, help))
        });
        self.notes.extend(notes);
        Ok(self)
    }

    /// Moves the tables of an answer into a file, with all their rows: `:grad L FILE.csv`. The lines around them stay.
    /// The interpreter calls this after a command that answers with a table.
    pub(crate) fn write_tables(mut self, session: &Session, file: &FileRequest) -> Result<Reply> {
        let mut report = self.report.unwrap_or_default();
        let reports = std::iter::once(&report).chain(&self.more);
        let sheets: Vec<DataSheet> = reports.flat_map(Report::sheets).collect();
        if sheets.is_empty() {
            let message = "this answer has no table, so nothing was written";
            let help = "without the file the answer is shown";
            return Err(Diagnostic::new(message).at(file.span).help(help));
        }
        let rows = sheets.iter().map(|sheet| sheet.rows.len()).sum();
        let is_no_table = |block: &Block| !matches!(block, Block::Table(_));
        for part in std::iter::once(&mut report).chain(&mut self.more) {
            part.blocks.retain(is_no_table);
        }
        let line = say!("wrote {} into {:typed}", plural(rows, "row"), &*file.path);
        report.is_confirmation |= report.blocks.is_empty();
        report.blocks.insert(0, Block::Line(line));
        let facts = [("path", file.path.clone().into()), ("count", rows.into())];
        report.facts.extend(facts);
        self.report = Some(report);
        self.write(session, file, Contents::Tables(sheets))
    }

    /// Adds notes.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = Note>) -> Reply {
        self.notes.extend(notes);
        self
    }
}
