//! Scripts: a source is read in lines, lines are joined to chunks, and chunks are run.
//!
//! A chunk is one line, or several if an open bracket or a backslash at the end continues the statement. Input is read
//! only after everything before it has been run and, if reading may block, shown.

pub(crate) mod block;
pub(crate) mod colored_line;
pub(crate) mod drawn;
mod effects;
mod host;
pub(crate) mod init;
pub(crate) mod job;
pub(crate) mod output;
pub(crate) mod pager;
mod progress;
pub(crate) mod reading;
pub(crate) mod runner;
mod show;

pub use self::effects::MOST_LOADS;
pub(crate) use self::reading::chunk::{continued, is_block, wants_more};

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use self::job::LineOrigin;
use self::reading::chunk::{Chunk, is_alone};
use self::reading::kept_comments::KeptComments;
use self::reading::lines::{Lines, NumberedLine, SHOWN};
use self::reading::transcript::{SourceLine, Transcript, syntax_reads};
use self::runner::Runner;
use super::RunEnd;
use super::files;
use super::options::ProgramText;
use super::process::interrupt;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax;
use crate::syntax::Continuation;

/// A source of statements.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'s> {
    /// The text of a `-e`.
    Statement(&'s OsStr),
    /// Standard input.
    Input,
    /// A file.
    File(&'s OsStr),
}

impl<'s> Source<'s> {
    /// The source of a text to run.
    pub(crate) fn of(program: &'s ProgramText) -> Source<'s> {
        match program {
            ProgramText::Statement(text) => Source::Statement(text),
            ProgramText::File(path) if path == "-" => Source::Input,
            ProgramText::File(path) => Source::File(path),
        }
    }

    /// Does it read standard input?
    pub(crate) fn is_input(&self) -> bool {
        match self {
            Source::Statement(_) => false,
            Source::Input => true,
            Source::File(path) => files::is_input(Path::new(path)),
        }
    }
}

pub(crate) fn run(runner: &mut Runner, source: &Source) -> Result<(), RunEnd> {
    runner.begin_source()?;
    let (name, mut lines) = match *source {
        Source::Statement(text) => ("-e", Lines::of(text.as_encoded_bytes(), 1)),
        Source::Input => ("-", Lines::new(io::stdin().lock())),
        Source::File(path) => {
            let name = path.to_string_lossy();
            let origin = LineOrigin::script(&name, Some(Path::new(path)));
            return match open(path) {
                Ok(file) => read(runner, origin, &mut Lines::new(file)),
                Err(error) => runner.complain(&unreadable(&name, &error), origin, None),
            };
        }
    };
    read(runner, LineOrigin::script(name, None), &mut lines)
}

/// Runs the remaining lines of a source.
pub(crate) fn read(
    runner: &mut Runner,
    origin: LineOrigin,
    lines: &mut Lines,
) -> Result<(), RunEnd> {
    if origin.file.is_none() {
        // At the prompt, a comment waits for the line that is entered next.
        return read_lines(runner, origin, lines);
    }
    let waiting = std::mem::replace(&mut runner.comments, KeptComments::at_top());
    let ran = read_lines(runner, origin, lines);
    runner.comments = waiting;
    ran
}

fn read_lines(runner: &mut Runner, origin: LineOrigin, lines: &mut Lines) -> Result<(), RunEnd> {
    let mut chunk = Chunk::default();
    let mut transcript = Transcript::new(&runner.session.settings().prompt);
    let mut answers = 0;
    let mut again = LinesAgain::new();
    // In the rest of a statement of too many lines.
    let mut skips = false;
    loop {
        let (number, line) = if let Some(line) = again.pop_front() {
            line
        } else {
            let read = match next_line(runner, lines)? {
                Ok(read) => read,
                Err(error) => {
                    let error = unreadable(origin.name, &error);
                    return runner.complain(&error, origin, None);
                }
            };
            match read {
                Some((number, Ok(text))) => {
                    let is_statement = |line: &str| is_statement(&runner.session, line);
                    (number, transcript.read(text, is_statement))
                }
                Some((number, Err(bad))) => {
                    // A statement that contains such a line is dropped as a whole.
                    chunk = Chunk::default();
                    let place = origin.place(number, &bad.text);
                    runner.complain(&bad.error, origin, Some(place))?;
                    continue;
                }
                None if chunk.is_open() => {
                    end(&mut chunk, &mut again, runner, origin)?;
                    continue;
                }
                None => return runner.tell_answers(answers),
            }
        };
        if chunk.ends_before(&line) {
            again.push_front((number, line.into_owned()));
            end(&mut chunk, &mut again, runner, origin)?;
            continue;
        }
        if line == SourceLine::Answer {
            runner.skip_answer();
            answers += 1;
            continue;
        }
        let text = line.text();
        if skips && !syntax::begins_command(text) {
            skips = Continuation::new().push(text);
            continue;
        }
        skips = false;
        if !chunk.is_open() && is_alone(text) {
            runner.run(origin, number, text)?;
        } else if !chunk.push(number, text) {
            skips = chunk.is_given_up();
            end(&mut chunk, &mut again, runner, origin)?;
        }
    }
}

/// The next line of a source. If it has to be waited for, what was answered is shown before, and Ctrl-C ends the process
/// meanwhile.
fn next_line<'l>(
    runner: &mut Runner,
    lines: &'l mut Lines,
) -> Result<io::Result<Option<NumberedLine<'l>>>, RunEnd> {
    if !lines.may_block() {
        return Ok(lines.read());
    }
    runner.flush()?;
    let _waiting = interrupt::waiting();
    if interrupt::pending() {
        return Err(RunEnd::Interrupted);
    }
    Ok(lines.read())
}

/// Lines that were read and did not belong to the statement that was open then.
type LinesAgain = VecDeque<(usize, SourceLine<'static>)>;

/// Is a line meant as it stands, although it begins like a prompt: `d> 2`, where d has a value?
fn is_statement(session: &Session, line: &str) -> bool {
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_');
    session.knows(&line[..end.unwrap_or(line.len())]) && syntax_reads(line)
}

/// Runs a statement that has ended. Lines that turn out not to belong to it are read once more.
fn end(
    chunk: &mut Chunk,
    again: &mut LinesAgain,
    runner: &mut Runner,
    origin: LineOrigin,
) -> Result<(), RunEnd> {
    let chunk = std::mem::take(chunk);
    let (text, behind) = chunk.split();
    match chunk.error(text) {
        Some(error) => {
            let shown = if error.span.is_some() {
                text.len()
            } else {
                SHOWN
            };
            let shown = &text[..text.floor_char_boundary(shown)];
            runner.complain(&error, origin, Some(origin.place(chunk.first, shown)))?;
        }
        None => runner.run(origin, chunk.first, text)?,
    }
    let next = chunk.first + text.matches('\n').count() + 1;
    let owned = |line: &str| SourceLine::Plain(Cow::Owned(line.to_owned()));
    let mut behind: LinesAgain = (next..).zip(behind.lines().map(owned)).collect();
    behind.append(again);
    *again = behind;
    Ok(())
}

/// Opening may block too, for a named pipe.
pub(crate) fn open(path: &OsStr) -> io::Result<File> {
    let _waiting = interrupt::waiting();
    File::open(path)
}

/// The error for a script that could not be read.
pub(crate) fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    match error.kind() {
        ErrorKind::NotFound => Diagnostic::new(format!("there is no file `{name}`"))
            .help("a FILE is a script; `-e STATEMENT` runs a statement"),
        ErrorKind::IsADirectory => {
            Diagnostic::new(format!("`{name}` is a folder, a script was expected"))
                .help("name the files in it")
        }
        ErrorKind::PermissionDenied => {
            Diagnostic::new(format!("`{name}` may not be read: permission denied"))
        }
        _ => Diagnostic::new(format!("`{name}` cannot be read: {}", files::reason(error))),
    }
}
