//! Reads statements from a user at a terminal, with a line editor and a history, and runs them.
//!
//! The statements, and pasted blocks, run through the same loop as the statements of a script, but the session survives
//! every failure. Only this folder knows the line editor, `rustyline`.
//!
//! The line editor keeps the history, in memory and in a file that several prompts may share. A failure to do so causes
//! a note, not an error, because the prompt works without a history.
//!
//! The prompt puts the statement of a lesson into the line; `script::dialogue` decides what an entry then does.

mod block_keys;
mod helper;
mod menu;
mod paste;
mod ready_statement;
mod replacement;

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::history::{FileHistory, History as _};
use rustyline::{
    Cmd, ColorMode, CompletionType, Config, EditMode, Editor, Event, EventContext, EventHandler,
    KeyCode, KeyEvent, Modifiers,
};

use self::block_keys::{align_else, continue_line, delete_indent};
use self::helper::{Assistant, KeyAction, separate_numbers};
use self::paste::Paste;
use self::ready_statement::ReadyStatement;
use self::replacement::NextReplacement;
use super::options::Options;
use super::process::terminal::Stream;
use super::process::{interrupt, panics, world};
use super::script::dialogue::Dialogue;
use super::script::job::{Job, LineOrigin};
use super::script::lesson_line::around_cursor;
use super::script::runner::Runner;
use super::script::{self, chunk, typed_line};
use super::{RunEnd, RunResult, files};
use crate::shell::PROGRAM;
use crate::shell::pasted_table::pasted_table;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Report, ReportKind, say};
use chainrule_session::settings::{PROMPT, VI};

const MAX_HISTORY_ENTRIES: usize = 10_000;

/// The history does not keep a longer entry (a pasted file), because it would have to be read at every start.
const MAX_ENTRY_BYTES: usize = 64 * 1024;

/// Reads and runs statements until the user leaves.
pub(crate) fn run(runner: &mut Runner, options: &Options) -> RunResult {
    runner.open_prompt();
    interrupt::forget();
    #[cfg(unix)]
    super::process::terminal::restore_when_killed();
    let mut prompt = match Prompt::new() {
        Ok(prompt) => prompt,
        Err(error) => {
            let diagnostic = Diagnostic::new(format!("the prompt cannot be opened: {error}"));
            return runner.fail(&diagnostic, Job::nowhere());
        }
    };
    if !options.no_history {
        prompt.open_history(runner)?;
    }
    let has_run_programs = !options.programs.is_empty();
    if !has_run_programs && !options.quiet && !runner.is_for_programs() {
        prompt.greet(runner, !options.no_history)?;
    }
    let left = prompt.read_and_run(runner);
    if matches!(left, Ok(()) | Err(RunEnd::Quit)) {
        // The user has seen the failures.
        runner.forget_failures();
        interrupt::forget();
    }
    left
}

struct Prompt {
    editor: Editor<Assistant, FileHistory>,
    /// Ctrl-C has ended the line.
    is_cleared: Arc<AtomicBool>,
    /// A lesson has filled the line, so Ctrl-D leaves the lesson, which resets this.
    is_filled: Arc<AtomicBool>,
    /// The statement of a lesson, which the next sign replaces.
    ready: ReadyStatement,
    /// The text that is being pasted.
    paste: Paste,
    /// The file of the history, if there is one.
    history: Option<PathBuf>,
    /// The line editor panicked on the last line.
    has_panicked: bool,
}

/// The result of reading an entry.
enum ReadEntry {
    Text(String),
    /// Ctrl-C
    Cleared,
    /// Ctrl-D
    Left,
}

impl Prompt {
    fn new() -> rustyline::Result<Prompt> {
        let config = Config::builder()
            .max_history_size(MAX_HISTORY_ENTRIES)?
            .history_ignore_dups(true)?
            .history_ignore_space(true)
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            // `menu` limits the list to the size of the window.
            .completion_prompt_limit(usize::MAX)
            .bell_style(BellStyle::None)
            // The line is drawn by our code even without colours, because control characters in it must not reach the
            // terminal.
            .color_mode(ColorMode::Forced)
            .build();
        let next = NextReplacement::default();
        let ready = ReadyStatement::new(next.clone());
        let mut prompt = Prompt {
            editor: Editor::with_config(config)?,
            is_cleared: Arc::default(),
            is_filled: Arc::default(),
            paste: Paste::new(next.clone(), ready.clone()),
            ready,
            history: None,
            has_panicked: false,
        };
        let assistant = Assistant::new(next.clone());
        prompt.editor.set_helper(Some(assistant));
        prompt.bind_keys(&next);
        Ok(prompt)
    }

    fn bind_keys(&mut self, next: &NextReplacement) {
        let key = |code| KeyEvent(code, Modifiers::NONE);
        // Ctrl-C ends the line as Enter does, so that the editor removes the hint after the line.
        let is_cleared = Arc::clone(&self.is_cleared);
        self.bind(KeyEvent::ctrl('C'), move |_, _| {
            is_cleared.store(true, Ordering::Relaxed);
            Some(Cmd::AcceptLine)
        });
        // Without this the editor would report Ctrl-D only in an empty line.
        let is_filled = Arc::clone(&self.is_filled);
        self.bind(KeyEvent::ctrl('D'), move |_, context| {
            let is_at_end = context.pos() == context.line().len();
            let leaves_lesson = is_at_end && is_filled.swap(false, Ordering::Relaxed);
            leaves_lesson.then_some(Cmd::Interrupt)
        });
        for enter in [key(KeyCode::Enter), KeyEvent::ctrl('J')] {
            self.bind(enter, |_, context| continue_line(context));
        }
        let (of_blanks, of_any) = (next.clone(), next.clone());
        self.bind(key(KeyCode::Backspace), move |_, context| {
            delete_indent(context, &of_blanks)
        });
        self.bind(key(KeyCode::Tab), |_, context| separate_numbers(context));
        self.bind(Event::Any, move |event, context| {
            align_else(event, context, &of_any)
        });
    }

    /// Makes a key do an action, unless it is pasted.
    fn bind(
        &mut self,
        key: impl Into<Event>,
        action: impl Fn(&Event, &EventContext) -> Option<Cmd> + Send + Sync + 'static,
    ) {
        let key_action = KeyAction {
            paste: self.paste.clone(),
            ready: self.ready.clone(),
            action,
        };
        let handler = EventHandler::Conditional(Box::new(key_action));
        self.editor.bind_sequence(key, handler);
    }

    /// Reads and runs entries until the user leaves.
    fn read_and_run(&mut self, runner: &mut Runner) -> RunResult {
        let mut dialogue = Dialogue::default();
        let mut interrupts = 0;
        loop {
            Dialogue::prepare_line(runner)?;
            runner.flush()?;
            // After Ctrl-C the line is empty, and the statement of a lesson waits.
            let statement = runner.lesson_statement().filter(|_| interrupts == 0);
            let given = statement.map(str::to_owned);
            let entry = self.read(runner, given.as_deref())?;
            // A Ctrl-C before this moment was meant for the line, not for the statement that runs next.
            interrupt::forget();
            if !matches!(entry, ReadEntry::Cleared) {
                interrupts = 0;
            }
            match entry {
                ReadEntry::Text(entry) => {
                    if let Some(statements) = self.statements_of(entry, runner)? {
                        self.enter(&statements, &mut dialogue, runner)?;
                    }
                }
                ReadEntry::Cleared => {
                    interrupts += 1;
                    // A user who presses Ctrl-C again seems to look for the way out.
                    if interrupts > 1 {
                        let in_lesson = runner.lesson().is_open;
                        let left = if in_lesson { " the lesson" } else { "" };
                        runner.show_note(say!("`Ctrl-D` leaves{}", left))?;
                    }
                }
                ReadEntry::Left if runner.lesson().is_open => {
                    let left = runner.leave_lesson();
                    runner.show_report(left)?;
                }
                ReadEntry::Left => return Ok(()),
            }
        }
    }

    /// Reads an entry. `given` is the statement of a lesson.
    fn read(&mut self, runner: &mut Runner, given: Option<&str>) -> RunResult<ReadEntry> {
        let read = self.readline(runner, given);
        let leaves_lesson = given.is_some() && !self.is_filled.load(Ordering::Relaxed);
        match read {
            Ok(line) => Ok(ReadEntry::Text(line)),
            Err(ReadlineError::Eof) => Ok(ReadEntry::Left),
            // `Signal` is the same interrupt, sent by another process.
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) if leaves_lesson => {
                Ok(ReadEntry::Left)
            }
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Ok(ReadEntry::Cleared),
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                runner.show_note(say!("what was typed is not UTF-8 and was not read"))?;
                Ok(ReadEntry::Cleared)
            }
            Err(error) => {
                let reason = error_text(&error);
                let diagnostic = Diagnostic::new(format!("the terminal cannot be read: {reason}"));
                runner.fail(&diagnostic, Job::nowhere())?;
                Ok(ReadEntry::Left)
            }
        }
    }

    /// Reads a line. Meanwhile the editor's helper borrows the session for completion, hints and colours.
    fn readline(&mut self, runner: &mut Runner, given: Option<&str>) -> rustyline::Result<String> {
        let (before, after) = given.map_or(("", ""), around_cursor);
        let before_cursor = text_for_editor(before);
        self.ready.set(given == Some(before));
        self.prepare_editor(runner, &format!("{before_cursor}{after}"));
        let editor = &mut self.editor;
        let read =
            panics::catch_panic(|| editor.readline_with_initial(PROMPT, (&before_cursor, after)));
        if let Some(helper) = self.editor.helper() {
            *runner.session_mut() = helper.session.take();
        }
        // If the editor panics, only the line is lost. If it panics twice in a row, the prompt gives up.
        let had_panicked = std::mem::replace(&mut self.has_panicked, read.is_err());
        match read {
            Ok(Ok(_)) if self.is_cleared.load(Ordering::Relaxed) => Err(ReadlineError::Interrupted),
            Ok(read) => read,
            Err(message) if had_panicked => Err(ReadlineError::Io(io::Error::other(message))),
            Err(message) => {
                // A live answer that has panicked has left its trial open and its host in place.
                let host = Rc::clone(runner.host());
                runner.session_mut().end_trial(None);
                runner.session_mut().set_host(host);
                let note = format!("the line editor failed, and the line is lost: {message}");
                // If this note cannot be written, neither can the next prompt, and that error ends the run.
                let _ = runner.show_note(say!("{}", note));
                Ok(String::new())
            }
        }
    }

    /// Prepares the editor for a line that begins with this text.
    fn prepare_editor(&mut self, runner: &mut Runner, given: &str) {
        let is_vi = runner.session().settings().word("editing") == VI;
        let mode = if is_vi { EditMode::Vi } else { EditMode::Emacs };
        self.editor.set_edit_mode(mode);
        if let Some(helper) = self.editor.helper_mut() {
            helper.style = runner.style(Stream::Answers);
            helper.session.replace(std::mem::take(runner.session_mut()));
            given.clone_into(&mut helper.given_line);
        }
        self.is_cleared.store(false, Ordering::Relaxed);
        self.is_filled.store(!given.is_empty(), Ordering::Relaxed);
    }

    /// Returns the statements of an entry, as they were edited. If the entry is a table, asks whether to read it, and
    /// returns the statement that reads it, or `None` if the user declines.
    fn statements_of(&mut self, entry: String, runner: &mut Runner) -> RunResult<Option<String>> {
        let text = typed_line::without_margin(&entry).into_owned();
        let Some(table) = pasted_table(&text, "-", runner.session()) else {
            return Ok(Some(entry));
        };
        self.remember(&entry, runner)?;
        runner.host().pasted.replace(Some(text.into_bytes()));
        let question = format!("read it as columns {}? [Y/n] ", table.names.join(", "));
        // The answer is no statement, so it needs neither hints nor completion.
        let helper = self.editor.helper_mut().map(std::mem::take);
        self.editor.set_helper(None);
        self.is_cleared.store(false, Ordering::Relaxed);
        let answer = self.editor.readline(&question).unwrap_or("n".to_owned());
        self.editor.set_helper(helper);
        let agrees = matches!(&*answer.trim().to_lowercase(), "" | "y" | "yes");
        if agrees && !self.is_cleared.load(Ordering::Relaxed) {
            return Ok(Some(table.statement));
        }
        runner.show_note(say!(
            "nothing is read; `:data - as NAME…` reads the table under other names"
        ))?;
        Ok(None)
    }

    /// Keeps an entry in the history and runs it. A failure has been shown and does not end the dialogue.
    fn enter(&mut self, entry: &str, dialogue: &mut Dialogue, runner: &mut Runner) -> RunResult {
        let text = &*typed_line::without_margin(entry);
        if !text.trim().is_empty() {
            self.remember(entry, runner)?;
        }
        let mut origin = LineOrigin::prompt();
        // The output for programs contains answers only.
        if chunk::has_several_statements(text) && !runner.is_for_programs() {
            let window = world::size(Stream::Answers);
            // A block that cannot be removed from the screen is not shown a second time.
            if let Some(erase) = typed_line::erasing_sequence(entry, window) {
                origin.is_echoed = true;
                runner.show_text(&erase)?;
            }
        }
        match dialogue.enter(text, origin, runner) {
            Err(RunEnd::Failed | RunEnd::Interrupted) => Ok(()),
            ran => ran,
        }
    }

    /// Reads the history of earlier sessions, to which this one adds its own.
    fn open_history(&mut self, runner: &mut Runner) -> RunResult {
        let Some(folder) = files::history_folder() else {
            return Ok(());
        };
        let path = folder.join("history");
        let found = files::create_own(&folder).and_then(|()| files::existing(&path));
        let loaded = match found {
            Ok(None) => Ok(()),
            Ok(Some(_)) => self.editor.load_history(&path),
            Err(error) => Err(ReadlineError::Io(error)),
        };
        match loaded {
            Ok(()) => self.history = Some(path),
            Err(error) => note_lost_history(runner, &path, &error)?,
        }
        Ok(())
    }

    /// Adds an entry to the history. This happens before the entry is run, so that it is kept even if the process dies.
    fn remember(&mut self, text: &str, runner: &mut Runner) -> RunResult {
        // A pasted block includes the line break after its last line.
        let entry = text.trim_end();
        if entry.len() > MAX_ENTRY_BYTES {
            return Ok(());
        }
        let added = self.editor.add_history_entry(entry);
        if let (Ok(true), Some(path)) = (added, &self.history)
            && let Err(error) = self.editor.append_history(path)
        {
            note_lost_history(runner, path, &error)?;
            self.history = None;
        }
        Ok(())
    }

    /// Greets the user by one line, and by a second one if the history is still empty.
    fn greet(&self, runner: &mut Runner, has_history: bool) -> RunResult {
        let mut blocks = vec![Block::Line(say!(
            "{:heading}: type an expression, `:help` for more, Ctrl-D to leave",
            PROGRAM
        ))];
        if has_history && self.editor.history().is_empty() {
            blocks.push(Block::Line(say!("new here? `:tour` shows you around")));
        }
        runner.show_report(Report::new(ReportKind::Message, Vec::new(), blocks))
    }
}

/// A statement as it is put into the editor. A definition in Python's way gets the empty line that ends it.
fn text_for_editor(statement: &str) -> String {
    let needs_end = statement.contains('\n') && script::wants_more(statement);
    let end = if needs_end { "\n" } else { "" };
    typed_line::with_margin(&format!("{statement}{end}"))
}

/// Notes that the history cannot be kept. The caller then stops writing to it, so the note appears once.
fn note_lost_history(runner: &mut Runner, path: &Path, error: &ReadlineError) -> RunResult {
    let name = format!("`{}`", path.display());
    let reason = error_text(error);
    runner.show_note(say!("the history {} is not kept: {}", name, reason))
}

/// The reason of a failure of the line editor.
fn error_text(error: &ReadlineError) -> String {
    match error {
        ReadlineError::Io(io_error) => files::reason(io_error),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::text_for_editor;

    #[test]
    fn statements_of_several_lines_stand_below_one_another() {
        assert_eq!(text_for_editor("a = 2"), "a = 2");
        assert_eq!(text_for_editor("a = [2,\n3]"), "a = [2,\n   3]");
        assert_eq!(
            text_for_editor("def f(x):\n    return x"),
            "def f(x):\n       return x\n   "
        );
    }
}
