//! Runs a source: reads lines, joins them into chunks, and runs the chunks. The prompt and pages use it, too.
//!
//! A chunk is one line, or several if an open bracket or a backslash at the end continues the statement. A line is read
//! only after everything before it has been run and, if reading may block, shown.

pub(crate) mod chunk;
mod comments;
pub(crate) mod dialogue;
mod document;
mod effects;
pub(crate) mod host;
pub(crate) mod job;
pub(crate) mod lesson;
pub(crate) mod lesson_line;
pub(crate) mod lines;
pub(crate) mod output;
pub(crate) mod pager;
mod play;
mod progress;
pub(crate) mod runner;
mod show;
pub(crate) mod transcript;
pub(crate) mod typed_line;
mod worksheet;
mod write_document;

pub(crate) use self::chunk::{continuation_starts, wants_more};
pub use self::effects::MAX_NESTED_LOADS;

use std::io::{self, ErrorKind};
use std::path::Path;

use self::chunk::{Chunk, LineJoiner};
use self::job::LineOrigin;
use self::lines::Lines;
use self::runner::Runner;
use super::process::interrupt::{self, EndAtOnce};
use super::{RunEnd, RunResult, files};
use crate::session::counts_from_zero;
use chainrule_language::{self as language, Span, TextPart};
use chainrule_report::diagnostic::Diagnostic;

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
    let mut is_first = true;
    loop {
        let waiting = lines.may_block().then(|| begin_waiting(runner));
        let guard = waiting.transpose()?;
        let read = lines.read();
        drop(guard);
        match read {
            Ok(Some((number, Ok(line)))) => {
                // The first line of a saved session tells from which number its positions count.
                let counts_from_one = std::mem::take(&mut is_first)
                    && counts_from_zero(line.as_bytes()) == Some(false);
                // The rest of the source, which may be read now, takes the place of the line.
                joiner.take(number, line);
                if counts_from_one
                    && let Some(refused) = refuse_old_positions(runner, origin, number, lines)
                {
                    return refused;
                }
                for chunk in joiner.ended.drain(..) {
                    run_chunk(&chunk, runner, origin)?;
                }
            }
            Ok(Some((number, Err(bad)))) => {
                // A statement that contains such a line is dropped as a whole.
                joiner.open = Chunk::default();
                runner.last_line = number;
                let place = origin.place(number, &bad.text);
                runner.report_failure(&bad.error, origin, Some(place))?;
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
                return runner.report_failure(&diagnostic, origin, None);
            }
        }
    }
}

/// Runs a statement that has ended, and the lines that turn out not to belong to it.
fn run_chunk(chunk: &Chunk, runner: &mut Runner, origin: LineOrigin) -> RunResult {
    let (text, rest) = chunk.split();
    let ran = chunk.text[..chunk.text.len() - rest.len()].trim_end_matches('\n');
    runner.last_line = chunk.first_line + ran.matches('\n').count();
    match chunk.error(text) {
        Some(error) => {
            let place = origin.place(chunk.first_line, text);
            runner.report_failure(&error, origin, Some(place))?;
        }
        None => runner.run(origin, chunk.first_line, text)?,
    }
    if rest.is_empty() {
        return Ok(());
    }
    let next = runner.last_line + 1;
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

/// Reports an error if the rest of this session has a position, which would count from 1. Returns `None` if the session
/// may run, or else the result of reporting. `first_line` is the number of the heading, which has already been read.
fn refuse_old_positions(
    runner: &mut Runner,
    origin: LineOrigin,
    first_line: usize,
    lines: &mut Lines,
) -> Option<RunResult> {
    // If the rest cannot be read, reading its next line will report that.
    let rest = lines.peek_rest().ok()?;
    let text = String::from_utf8_lossy(&rest);
    let mut numbered = (first_line + 1..).zip(text.lines());
    let (number, line) = numbered.find(|(_, line)| find_position(line).is_some())?;
    let span = find_position(line)?;
    let message = "this session was saved when positions counted from 1, and they count from 0";
    let help = "nothing of it was run: make each position less by 1, and delete the first line";
    let error = Diagnostic::new(message).at(span).help(help);
    Some(runner.report_failure(&error, origin, Some(origin.place(number, line))))
}

/// Does a text have the position of an item? Links need this.
#[cfg(not(feature = "terminal"))]
pub(super) fn has_position(text: &str) -> bool {
    text.lines().any(|line| find_position(line).is_some())
}

/// The first position of an item in a line, or the first function whose value is one.
fn find_position(line: &str) -> Option<Span> {
    let mut operand_end = None;
    for (part, span) in language::parts(line) {
        let word = span.of(line);
        let begins_position = word == "[" && operand_end == Some(span.start);
        if begins_position || ["argmin", "argmax"].contains(&word.trim_start_matches('.')) {
            return Some(span);
        }
        let is_operand = [TextPart::Name, TextPart::Close, TextPart::Reference].contains(&part);
        operand_end = is_operand.then_some(span.end);
    }
    None
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
