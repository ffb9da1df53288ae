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

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

use self::job::LineOrigin;
use self::reading::chunk::{Chunk, NextLine, first_chunk};
use self::reading::kept_comments::KeptComments;
use self::reading::lines::{LineFault, Lines, MAX_LINE, ReadStep};
use self::reading::transcript::{SourceLine, Transcript, syntax_reads};
use self::runner::Runner;
use super::RunEnd;
use super::files;
use super::options::ProgramText;
use super::process::interrupt;
use crate::diagnostic::Diagnostic;
use crate::session::Session;
use crate::syntax;
use crate::syntax::MAX_CONTINUATION;

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
    loop {
        match lines.step() {
            ReadStep::Line(number, line) => {
                let line = transcript.read(line, |line| is_statement(&runner.session, line));
                if line == SourceLine::Answer {
                    chunk.run(runner, origin)?;
                    runner.skip_answer();
                    answers += 1;
                    continue;
                }
                match chunk.add(number, &line) {
                    NextLine::Alone => runner.run(origin, number, line.text())?,
                    NextLine::Whole => chunk.run(runner, origin)?,
                    NextLine::Unfinished => {}
                    NextLine::Next => {
                        lines.put_back();
                        chunk.run(runner, origin)?;
                    }
                    NextLine::TooManyLines => {
                        let Chunk { text, first, .. } = chunk;
                        chunk = Chunk {
                            skips: true,
                            ..Chunk::default()
                        };
                        let error = too_many_lines().at(text.len() - 1..text.len());
                        runner.complain(&error, origin, Some(origin.place(first, &text)))?;
                    }
                    NextLine::TooLong => {
                        let text: String = chunk.text.chars().take(SHOWN).collect();
                        let place = origin.place(chunk.first, &text);
                        chunk = Chunk::default();
                        runner.complain(&too_long("statement"), origin, Some(place))?;
                    }
                }
            }
            ReadStep::Bad(number, fault) => {
                // A statement that contains such a line is dropped as a whole.
                chunk = Chunk::default();
                let (error, text) = describe(&fault);
                runner.complain(&error, origin, Some(origin.place(number, &text)))?;
            }
            ReadStep::Wanting => {
                if let Err(error) = fill(runner, lines)? {
                    let error = unreadable(origin.name, &error);
                    return runner.complain(&error, origin, None);
                }
            }
            ReadStep::End => {
                chunk.run(runner, origin)?;
                return runner.tell_answers(answers);
            }
        }
    }
}

/// Is a line meant as it stands, although it begins like a prompt: `d> 2`, where d has a value?
fn is_statement(session: &Session, line: &str) -> bool {
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_');
    session.knows(&line[..end.unwrap_or(line.len())]) && syntax_reads(line)
}

/// How many characters of a line are shown if it cannot be shown whole.
const SHOWN: usize = 60;

impl Chunk {
    /// Runs the lines gathered so far. If a bracket was never closed, the error is in its own line, not in the lines
    /// after it: that line is run by itself, which gives the error, and the others are run as chunks of their own.
    fn run(&mut self, runner: &mut Runner, origin: LineOrigin) -> Result<(), RunEnd> {
        let text = std::mem::take(&mut self.text);
        let mut rest = Some((self.first, text.as_str()));
        let mut open = std::mem::take(&mut self.open);
        while let Some((number, text)) = rest.filter(|_| open) {
            let lines = self.continuation.take().unwrap_or_default();
            let unclosed = lines.in_brackets();
            // In a block of Python, the lines before the bracket go with it.
            let in_block = lines.never_closed();
            let before = in_block.map_or(0, |open| open.start as usize);
            let end = text[before..].find('\n').filter(|_| unclosed);
            let end = end.map_or(text.len(), |length| before + length);
            let line = &text[..end];
            let too_long = || syntax::unclosed(line).filter(|_| lines.is_too_long());
            match in_block.or_else(too_long) {
                Some(open) => {
                    let bracket = open.of(line);
                    let error = if lines.is_too_long() {
                        Diagnostic {
                            help: too_many_lines().help,
                            ..Diagnostic::new(format!(
                                "`{bracket}` was never closed within {MAX_CONTINUATION} lines"
                            ))
                        }
                    } else {
                        Diagnostic::new(format!("`{bracket}` was never closed"))
                            .help(format!("close it, or leave `{bracket}` out"))
                    };
                    let error = error.at(open).label("opened here");
                    runner.complain(&error, origin, Some(origin.place(number, line)))?;
                }
                None => runner.run(origin, number, line)?,
            }
            let next = number + line.matches('\n').count() + 1;
            rest = text.get(end + 1..).map(|rest| (next, rest));
            while let Some((number, text)) = rest {
                let (chunk, lines, unfinished) = first_chunk(text);
                if unfinished {
                    self.continuation = Some(lines);
                    break;
                }
                runner.run(origin, number, chunk)?;
                let next = number + chunk.matches('\n').count() + 1;
                rest = text.get(chunk.len() + 1..).map(|rest| (next, rest));
            }
            open = self.continuation.is_some();
        }
        Ok(())
    }
}

/// Reads more input. If that may block, output is flushed first, and Ctrl-C ends the process while it waits.
fn fill(runner: &mut Runner, lines: &mut Lines) -> Result<io::Result<()>, RunEnd> {
    if !lines.waits() {
        return Ok(lines.fill());
    }
    runner.flush()?;
    let _waiting = interrupt::waiting();
    if interrupt::pending() {
        return Err(RunEnd::Interrupted);
    }
    Ok(lines.fill())
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

fn too_long(what: &str) -> Diagnostic {
    Diagnostic::new(format!("{what} is longer than {} MiB", MAX_LINE >> 20))
        .help("end it earlier, naming parts of it by bindings of their own")
}

fn too_many_lines() -> Diagnostic {
    Diagnostic::new(format!(
        "a statement goes on over at most {MAX_CONTINUATION} lines"
    ))
    .label("one too many")
    .help(format!(
        "end it within {MAX_CONTINUATION} lines, giving parts of it names in statements of their own"
    ))
}

/// The error for a line that cannot be used, and as much of the line as can be shown.
fn describe(fault: &LineFault) -> (Diagnostic, String) {
    let beginning = |bytes: &[u8]| {
        let shown = &bytes[..SHOWN.min(bytes.len())];
        String::from_utf8_lossy(shown).into_owned()
    };
    match *fault {
        LineFault::Long(bytes) => (too_long("line"), beginning(bytes)),
        LineFault::Memory(bytes) => {
            let error = Diagnostic::new("too little memory for a line of this length")
                .help("a higher limit is set by `ulimit -v`");
            (error, beginning(bytes))
        }
        LineFault::Encoding(bytes, good) => {
            let (before, rest) = bytes.split_at(good);
            let mut text = String::from_utf8_lossy(before).into_owned();
            let at = text.len()..text.len() + char::REPLACEMENT_CHARACTER.len_utf8();
            text.push_str(&String::from_utf8_lossy(&rest[..SHOWN.min(rest.len())]));
            let byte = rest.first().copied().unwrap_or_default();
            let error = Diagnostic::new(format!("byte `\\x{byte:02x}` is not UTF-8"))
                .at(at)
                .help("save the file in UTF-8");
            (error, text)
        }
    }
}
