//! Runs the session of a page in a browser: takes entries, and answers with HTML or JSON. `web/` calls it.
//!
//! The page uses the runner of the prompt and of scripts. The runner writes a document as `--echo=html` does, and each
//! entry gets its part of the document. The browser provides the clock and shows the progress of work. It stops work by
//! ending the session, because WebAssembly does not unwind.
//!
//! While a built-in lesson is open, it has a session of its own, and the user's own session is put aside.
//!
//! This file runs entries, `answer` makes the answers, and `replay` answers entries again while sliders move. `typing`
//! serves the line before it is entered, and `files` stands in for the disk.

mod answer;
mod entry_text;
pub(super) mod files;
mod leaves;
mod links;
mod live_entry;
mod replay;
mod typing;
mod worksheet;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use self::answer::ValuesByName;
use self::live_entry::{LiveEntry, word_for};

pub use super::process::browser::Browser;

use super::RunEnd;
use super::pasted_table::{PastedTable, pasted_table};
use super::process::terminal::When;
use super::script;
use super::script::answer_format::AnswerFormat;
use super::script::dialogue::Dialogue;
use super::script::job::LineOrigin;
use super::script::lines::Lines;
use super::script::output::Output;
use super::script::runner::{RunOptions, Runner};
use crate::commands::LESSON_TABLES;
use crate::interpret;
use chainrule_language::StatementSpan;
use chainrule_report::{Fact, Facts, name_list, say};
use chainrule_view::{self as view, Document, Movement, json};

/// The text that was written since the page took it last.
#[derive(Clone, Default)]
struct Written(Rc<RefCell<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn take(&self) -> String {
        String::from_utf8(self.0.take()).unwrap_or_default()
    }
}

/// The file of the table that was pasted last.
const PASTED: &str = "pasted.txt";

/// A narrower page, in pixels, gets pictures of its own width. Most telephones have 360 to 430 pixels.
const MIN_FULL_WIDTH: usize = 600;

/// The session of a page.
pub struct Page {
    runner: Runner,
    written: Written,
    dialogue: Dialogue,
    /// The statement that reads the pasted table.
    table_statement: Option<String>,
    /// The entries by their numbers; `None` for an entry that is no longer answered again.
    entries: Vec<Option<LiveEntry>>,
    /// The values of the names after the last entry, in the user's own session and in the session of a lesson.
    last_values: [ValuesByName; 2],
    /// The statements that bring back the session as it was after the last entry.
    last_statements: String,
}

impl Page {
    /// An empty session.
    pub fn new(browser: Browser) -> Page {
        browser.install();
        for (name, table) in LESSON_TABLES {
            files::put(name, table.into());
        }
        let written = Written::default();
        let output = Output::new(Box::new(written.clone()), Box::new(written.clone()));
        let options = RunOptions {
            color: When::Always,
            ..RunOptions::default()
        };
        let mut runner = Runner::new(options, AnswerFormat::Text, output);
        runner.open_prompt();
        runner.set_movement(Movement::Possible);
        runner.begin_document(Document::part_of_page());
        Page {
            runner,
            written,
            dialogue: Dialogue::default(),
            table_statement: None,
            entries: Vec::new(),
            last_values: [ValuesByName::new(), ValuesByName::new()],
            last_statements: String::new(),
        }
    }

    /// The style sheet of the answers.
    pub fn style() -> String {
        view::page_style()
    }

    /// Sets the width of pictures in pixels.
    pub fn set_width(&mut self, pixels: usize) {
        let width = (pixels < MIN_FULL_WIDTH).then_some(pixels);
        self.runner.set_picture_width(width);
    }

    /// Runs an entry. Unless it `is_whole`, it is not run if its last statement may go on, or if it is a table. The answer
    /// is an object with these fields:
    ///
    /// - `html`: the answers;
    /// - `more`: the last statement is not complete, and nothing was run; the object then has no other field;
    /// - `line`: the text that a lesson puts into the line before the cursor and after it;
    /// - `table`: the statement that reads the pasted table;
    /// - `files` and `missing`: the files that were written, and the one that was not found;
    /// - `numbers`: the `names` for which the entry lacks numbers, and the `line` that gives them numbers;
    /// - `quit` and `failed`: the session ends; a statement failed;
    /// - `entry`: the number of the entry if it can be answered again, and `of_lesson`, `counted`, `target` and `pass`,
    ///   which [`Page::renew`] takes;
    /// - `link`: the statements of the entry for a link;
    /// - `kept`: the statements to store; `anew`: whether they replace the stored statements;
    /// - `bound`: the names that have other values now;
    /// - `leaves`: the free leaves of one number; empty while a walk goes on;
    /// - `sliders`: the leaves with sliders below the entry;
    /// - `picture`: the leaves on which the picture of the entry depends; the leaves that the entry names come first;
    /// - `ended`: the numbers of entries that are no longer answered again;
    /// - `of_before`: the numbers of entries with leaves that have moved since, or with names that are gone;
    /// - `lesson`: the lesson that is open or was left, with its `name` and its `place`, which [`Page::resume`] takes. A
    ///   lesson of the user's own has a `text`. A built-in lesson has a session, which is in use while the lesson is
    ///   `open`;
    /// - `follow`: the entry only moves leaves, as `:undo` and `:set` do. The page then computes the answers that a slider
    ///   has changed again.
    pub fn enter(&mut self, text: &str, is_whole: bool) -> String {
        if !is_whole && script::wants_more(text) {
            return object(vec![("more", Fact::Flag(true))]);
        }
        let before = self.state_before();
        if !is_whole && let Some(table) = pasted_table(text, PASTED, self.runner.session()) {
            self.offer_table(table, text);
            // The entry counts as failed, so that it is not kept as an entry.
            return self.answer(text, &before, &Err(RunEnd::Failed));
        }
        let runner = &mut self.runner;
        let ran = self.dialogue.enter(text, LineOrigin::prompt(), runner);
        if ran.is_ok() && entry_text::commands_in(text) == ["walk"] {
            self.draw_walk();
        }
        self.answer(text, &before, &ran)
    }

    /// Stores a pasted table as a file, shows its columns, and prepares the statement that reads the file.
    fn offer_table(&mut self, table: PastedTable, text: &str) {
        files::put(PASTED, text.as_bytes().to_vec());
        let is_single = table.names.len() == 1;
        let columns = if is_single { "column" } else { "columns" };
        let note = say!("a table with the {} {}", columns, name_list(table.names));
        // Writing into memory does not fail.
        let _ = self.runner.show_note(note);
        self.table_statement = Some(table.statement);
    }

    /// Draws the stops of a walk that begins as a picture with buttons, unless the walk asks for their numbers.
    fn draw_walk(&mut self) {
        let session = self.runner.session_mut();
        let walk = session.walk();
        let begun = walk.filter(|walk| walk.position == 0 && !walk.has_questions);
        let Some(root) = begun.and_then(|it| word_for(session, &it.root)) else {
            return;
        };
        let statement = format!(":graph {root} walk.html");
        // If the graph is too large for a picture, none is drawn.
        let _ = interpret::statement(session, &statement, &StatementSpan::whole(&statement));
        // The page does not offer the file of the picture.
        files::take_news();
    }

    /// Runs the statements that bring back an earlier session. Only errors are shown.
    pub fn restore(&mut self, statements: &str) -> String {
        let before = self.state_before();
        let mut lines = Lines::of(statements.as_bytes(), 1);
        let ran = self
            .runner
            .run_silently(|runner| script::read(runner, LineOrigin::prompt(), &mut lines));
        self.runner.session_mut().forget_remarks();
        self.note_values();
        self.answer("", &before, &ran)
    }

    /// Goes on with a lesson of an earlier session. `record` has the statement that plays the lesson on the first line, and
    /// the place in the lesson on the second.
    pub fn resume(&mut self, record: &str) -> String {
        let before = self.state_before();
        let (statement, place) = record.split_once('\n').unwrap_or_default();
        let runner = &mut self.runner;
        let mut ran = Ok(());
        // `Page::restore` has already begun a lesson that has a session of its own.
        if runner.lesson().aside.is_none() {
            ran = self.dialogue.enter(statement, LineOrigin::prompt(), runner);
        }
        runner.take_up_lesson(place);
        self.answer("", &before, &ran)
    }

    /// Ends a part of the document, and returns its HTML.
    fn take_part(&mut self) -> String {
        // Writing into memory does not fail.
        let _ = self.runner.end_part();
        let _ = self.runner.flush();
        self.written.take()
    }

    /// Takes a file that the user has chosen or dropped.
    pub fn put(&mut self, name: &str, bytes: Vec<u8>) {
        files::put(name, bytes);
    }

    /// The contents of a file that a statement has written.
    pub fn file(&self, name: &str) -> Vec<u8> {
        files::read(name.as_ref()).unwrap_or_default()
    }
}

/// A JSON object.
fn object(facts: Facts) -> String {
    let mut out = String::new();
    json::write_fact(&Fact::Record(facts), &mut out);
    out
}
