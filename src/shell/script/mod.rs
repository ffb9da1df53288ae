//! Runs a source: reads lines, joins them into chunks, and runs the chunks. The prompt and pages use it, too.
//!
//! A chunk is one line, or several if an open bracket or a backslash at the end continues the statement. A line is read
//! only after everything before it has been run and, if reading may block, shown.

pub(crate) mod answer_format;
pub(crate) mod chunk;
mod comments;
pub(crate) mod dialogue;
mod document;
mod effects;
pub(crate) mod file_names;
pub(crate) mod host;
pub(crate) mod job;
pub(crate) mod lesson;
pub(crate) mod lesson_line;
pub(crate) mod lines;
pub(crate) mod output;
mod play;
mod progress;
pub(crate) mod runner;
mod show;
pub(crate) mod transcript;
pub(crate) mod typed_line;
mod worksheet;
mod write_document;
pub(crate) mod write_objects;

pub(crate) use self::chunk::wants_more;
pub use self::effects::MAX_NESTED_LOADS;

use std::io::{self, ErrorKind};
use std::path::Path;

use self::chunk::{Chunk, LineJoiner};
use self::job::{Job, LineOrigin};
use self::lines::Lines;
use self::runner::Runner;
use super::process::interrupt::{self, EndAtOnce};
use super::{RunEnd, RunResult, files};
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_session::saved_version;

/// Runs the remaining lines of a source.
pub(crate) fn read(runner: &mut Runner, origin: LineOrigin, lines: &mut Lines) -> RunResult {
    let script = origin.path.map(Path::to_path_buf);
    let script_before = runner.host.script.replace(script);
    let ran = read_lines(runner, origin, lines);
    runner.host.script.replace(script_before);
    ran
}

fn read_lines(runner: &mut Runner, origin: LineOrigin, lines: &mut Lines) -> RunResult {
    let mut joiner = LineJoiner::default();
    loop {
        let waiting = lines.may_block().then(|| begin_waiting(runner));
        let guard = waiting.transpose()?;
        let read = lines.read();
        drop(guard);
        match read {
            Ok(Some((number, Ok(line)))) => {
                if number == 1
                    && let Some(error) = too_old(line)
                {
                    let place = origin.place(number, line);
                    return runner.fail(&error, Job::at(origin, Some(place)));
                }
                joiner.take(number, line);
                for chunk in joiner.ended.drain(..) {
                    run_chunk(&chunk, runner, origin)?;
                }
            }
            Ok(Some((number, Err(bad)))) => {
                // A statement that contains such a line is dropped as a whole.
                joiner.open = Chunk::default();
                runner.tally.last_line = number;
                let place = origin.place(number, &bad.text);
                runner.fail(&bad.error, Job::at(origin, Some(place)))?;
            }
            Ok(None) => {
                joiner.end();
                for chunk in &joiner.ended {
                    run_chunk(chunk, runner, origin)?;
                }
                return runner.note_skipped_lines(joiner.answers);
            }
            Err(error) => {
                let diagnostic = unreadable(origin.name(), &error);
                return runner.fail(&diagnostic, Job::at(origin, None));
            }
        }
    }
}

/// Runs a statement that has ended, and the lines that turn out not to belong to it.
fn run_chunk(chunk: &Chunk, runner: &mut Runner, origin: LineOrigin) -> RunResult {
    let (text, rest) = chunk.split();
    let ran = chunk.text[..chunk.text.len() - rest.len()].trim_end_matches('\n');
    runner.tally.last_line = chunk.first_line + ran.matches('\n').count();
    match chunk.error(text) {
        Some(error) => {
            let place = origin.place(chunk.first_line, text);
            runner.fail(&error, Job::at(origin, Some(place)))?;
        }
        None => runner.run(origin, chunk.first_line, text)?,
    }
    if rest.is_empty() {
        return Ok(());
    }
    let next = runner.tally.last_line + 1;
    read_lines(runner, origin, &mut Lines::of(rest.as_bytes(), next))
}

/// Shows the answers so far before a read that may block. Ctrl-C ends the process while the guard lives.
fn begin_waiting(runner: &mut Runner) -> RunResult<EndAtOnce> {
    runner.flush()?;
    let waiting = interrupt::begin_waiting();
    if interrupt::pending() {
        return Err(RunEnd::Interrupted);
    }
    Ok(waiting)
}

/// The error for a session with this first line, if a version saved it in which positions counted from 1.
fn too_old(heading: &str) -> Option<Diagnostic> {
    saved_version(heading.as_bytes()).filter(|version| version.starts_with("0.1."))?;
    let message = "this session was saved when positions counted from 1, and they count from 0";
    let help = "nothing of it was run: make each position less by 1, and delete the first line";
    Some(Diagnostic::new(message).at(0..heading.len()).help(help))
}

/// The text of a lesson in a file of this name, if each question in it can be answered.
fn lesson_text<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str> {
    let text = str::from_utf8(bytes)
        .map_err(|_| Diagnostic::new(format!("`{name}` is not UTF-8")).help("save it in UTF-8"))?;
    lesson::check_questions(name, text)?;
    Ok(text.trim_start_matches('\u{feff}'))
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
