//! Runs the session of a page in a browser: answers the requests of the dialogue, and those that only a page has. `web/`
//! calls it.
//!
//! The runner writes a document as `--echo=html` does, and each entry gets its part of the document. The browser provides
//! the clock and takes the answers. It stops work by ending the session, because WebAssembly does not unwind.
//!
//! While a built-in lesson is open, it has a session of its own, and the user's own session is put aside.
//!
//! This file takes the requests, `answer` says what the page must know after an entry, and `files` stands in for the disk.

mod answer;
mod documents;
pub(super) mod files;
mod leaves;
mod links;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

use self::answer::ValuesByName;

pub use super::process::browser::Browser;

use super::RunEnd;
use super::pasted_table::{PastedTable, pasted_table};
use super::process::terminal::When;
use super::script;
use super::script::answer_format::AnswerFormat;
use super::script::file_names::quoted_path;
use super::script::job::LineOrigin;
use super::script::output::Output;
use super::script::runner::{RunOptions, Runner};
use super::server::entry::Entry;
use super::server::follow::FollowedLeaves;
use super::server::live_entry::{ImplicitInputs, LiveEntry};
use super::server::request::{Request, Verb};
use super::server::{Server, StateBefore};
use crate::commands::LESSON_TABLES;
use crate::commands::program::play::title_of;
use chainrule_report::diagnostic::Result;
use chainrule_report::{Fact, Facts, name_list, say};
use chainrule_session::by_hand::walk::Walk;
use chainrule_view::{self as view, Document, Movement, json};
use serde_json::Value;

/// The text that was written since it was taken last.
#[derive(Clone, Default)]
struct Written(Rc<RefCell<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
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

/// The requests of a page.
const VERBS: [Verb; 12] = [
    ("run", &["whole"]),
    ("look", &["cursor", "want", "hint"]),
    ("complete", &["cursor"]),
    ("follow", &["moved", "as", "axes"]),
    (
        "renew",
        &["target", "pass", "counted", "added", "reason", "of_lesson"],
    ),
    ("restore", &["play", "place"]),
    ("worksheet", &["title", "key"]),
    ("document", &["title"]),
    ("style", &[]),
    ("file", &[]),
    ("lesson", &[]),
    ("setting", &[]),
];

/// The session of a page.
pub struct Page {
    server: Server,
    browser: Browser,
    written: Written,
    /// The values of the names after the last entry, in the user's own session and in the session of a lesson.
    last_values: [ValuesByName; 2],
    /// Whether the last part of the document has a picture.
    has_picture: bool,
    /// The walk that was open after the last entry.
    last_walk: Option<Walk>,
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
            server: Server::new(runner),
            browser,
            written,
            last_values: [ValuesByName::new(), ValuesByName::new()],
            has_picture: false,
            last_walk: None,
            last_statements: String::new(),
        }
    }

    /// Answers a request by one object, which the browser gets.
    ///
    /// `pixels` in any request is the width of the page. These requests differ from those of the dialogue, or only a page
    /// has them:
    ///
    /// - `run` has `whole`: unless it is true, an entry is not run if its last statement may go on, or if it is a
    ///   table. The answer has the fields of `Page::answer`. For a table, it also has `table`, the statement that reads
    ///   it. If nothing was run, it only has `more`;
    /// - `follow` has `axes`: for each entry the ends of the axis of its curve, which the curve keeps. It returns the
    ///   `answers` as HTML, each empty if the entry cannot be answered, and null if it does not depend on the leaves;
    ///   and `states`, as `Page::answer` does;
    /// - `restore` runs the statements of an earlier session. If it had a lesson, `play` is the statement that plays the
    ///   lesson, which goes on at its `place`. `renew` notes one of its entries;
    /// - `worksheet` makes one of statements, or its answers with `key`; `document` makes a page of answers, and
    ///   `style` is the style sheet of the answers. Each has the `text` of its answer, and the first two have a
    ///   `title`;
    /// - `file` is the name of a file. Its answer has the statements that `read` it and `play` it, if they can name it;
    /// - `lesson` is the text of a lesson, and `setting` has the texts of numbers by the names of their leaves. The `text` of
    ///   the answer is the name of a file for the lesson, and the statement that sets the leaves.
    pub fn ask(&mut self, request: &[u8]) {
        let answered = Request::read(request).and_then(|mut it| self.carry_out(&mut it));
        let facts = answered.unwrap_or_else(|error| vec![("error", Fact::Text(error.message))]);
        let last = [("done", Fact::Flag(true))].into_iter().chain(facts);
        (self.browser.answer)(&json::object(last.collect()));
    }

    fn carry_out(&mut self, request: &mut Request) -> Result<Facts> {
        let pixels: Option<usize> = request.take("pixels")?;
        let width = pixels.filter(|pixels| *pixels < MIN_FULL_WIDTH);
        self.server.runner.set_picture_width(width);
        let text = match request.verb(&VERBS)? {
            "run" => return Ok(self.enter(&request.text("run")?, request.take("whole")?)),
            "look" => return self.server.look(request),
            "complete" => return self.server.complete(request),
            "follow" => return self.follow(request),
            "renew" => return self.renew(request),
            "restore" => return self.restore(request),
            "worksheet" => {
                let (title, statements) = (request.text("title")?, request.text("worksheet")?);
                self.worksheet(&title, &statements, request.take("key")?)
            }
            "file" => return Ok(statements_of_file(&request.text("file")?)),
            "lesson" => lesson_file(&request.text("lesson")?),
            "setting" => statement_to_set(&request.take("setting")?),
            "document" => Page::document(&request.text("title")?, &request.text("document")?),
            _ => view::page_style(),
        };
        Ok(vec![("text", Fact::Text(text))])
    }

    /// Runs an entry.
    fn enter(&mut self, text: &str, is_whole: bool) -> Facts {
        if !is_whole && script::wants_more(text) {
            return vec![("more", Fact::Flag(true))];
        }
        let entry = Entry::of(text);
        let before = self.server.state_before();
        if !is_whole && let Some(table) = pasted_table(text, PASTED, self.server.runner.session()) {
            return self.offer_table(table, text, &before);
        }
        let ran = self.server.enter(text);
        self.answer(&entry, &before, &ran)
    }

    /// Answers entries again, after leaves have moved or as if they had.
    fn follow(&mut self, request: &mut Request) -> Result<Facts> {
        let entries: Vec<usize> = request.take("follow")?;
        let followed = FollowedLeaves::of(self.server.runner.session(), request)?;
        let axes: Vec<Vec<f64>> = request.take("axes")?;
        if followed.is_trial() {
            self.server.runner.set_movement(Movement::Going);
        }
        files::set_trial(followed.is_trial());
        let answer = |(place, entry)| {
            self.server.runner.session_mut().replay.axis = match axes.get(place).map(Vec::as_slice)
            {
                Some(&[low, high]) => Some((low, high)),
                _ => None,
            };
            // Writing into memory does not fail.
            let _ = self.server.answer_again(entry, &followed);
            let html = self.take_part();
            let live = self.server.entries.get(entry);
            let depends = live.is_some_and(|it| followed.move_entry(it));
            Fact::from(depends.then_some(html))
        };
        let answers = entries.into_iter().enumerate().map(answer).collect();
        self.server.runner.set_movement(Movement::Possible);
        self.server.runner.session_mut().replay.axis = None;
        files::set_trial(false);
        // The page has offered these files below the entries.
        files::take_news();
        Ok(vec![("answers", answers), ("states", self.take_states())])
    }

    /// Notes an entry of an earlier session, so that it is answered again, and returns its new number.
    fn renew(&mut self, request: &mut Request) -> Result<Facts> {
        let text = request.text("renew")?;
        let implicit = ImplicitInputs {
            target: request.take("target")?,
            pass: request.take("pass")?,
        };
        let first = request.take::<usize>("counted")? as u64 + 1;
        let results = first..first + request.take::<usize>("added")? as u64;
        let is_of_lesson = request.take("of_lesson")?;
        let session = self.server.runner.session_of(is_of_lesson);
        // The entry of a session that is gone ends as soon as its state is asked for.
        let known = session.unwrap_or(self.server.runner.session());
        let mut entry = LiveEntry::of(known, is_of_lesson, Entry::of(&text), results, implicit);
        entry.earlier_reason = request.take("reason")?;
        entry.standing.reason.clone_from(&entry.earlier_reason);
        self.server.entries.push(entry);
        Ok(vec![("entry", (self.server.entries.len() - 1).into())])
    }

    /// Stores a pasted table as a file, shows its columns, and returns the statement that reads the file.
    fn offer_table(&mut self, table: PastedTable, text: &str, before: &StateBefore) -> Facts {
        files::put(PASTED, text.as_bytes().to_vec());
        let is_single = table.names.len() == 1;
        let columns = if is_single { "column" } else { "columns" };
        let note = say!("a table with the {} {}", columns, name_list(table.names));
        // Writing into memory does not fail.
        let _ = self.server.runner.show_note(note);
        // The entry counts as failed, so that it is not kept as an entry. In a link, a comment has its place.
        let mut facts = self.answer(&Entry::of("# a table"), before, &Err(RunEnd::Failed));
        facts.push(("table", Fact::Text(table.statement)));
        facts
    }

    /// Runs the statements that bring back an earlier session, and goes on with its lesson. Only errors are shown.
    fn restore(&mut self, request: &mut Request) -> Result<Facts> {
        let statements = request.text("restore")?;
        let (play, place): (Option<String>, String) =
            (request.take("play")?, request.take("place")?);
        let before = self.server.state_before();
        let runner = &mut self.server.runner;
        let ran = runner.run_silently(|it| it.run_text(LineOrigin::prompt(), &statements));
        runner.session_mut().forget_remarks();
        if let Some(play) = play.filter(|_| ran.is_ok()) {
            // The statements have already begun a lesson that has a session of its own.
            if runner.lesson().aside.is_none() {
                let _ = self.server.enter(&play);
            }
            self.server.runner.take_up_lesson(&place);
        }
        self.note_values();
        Ok(self.answer(&Entry::of(""), &before, &ran))
    }

    /// Ends a part of the document, and returns its HTML.
    fn take_part(&mut self) -> String {
        // Writing into memory does not fail.
        self.has_picture = self.server.runner.end_part() == Ok(true);
        let _ = self.server.runner.flush();
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

/// The statements that read a file and that play it as a lesson.
fn statements_of_file(name: &str) -> Facts {
    let quoted = quoted_path(name, None);
    let statement = |command| Fact::from(quoted.as_ref().map(|it| format!(":{command} {it}")));
    let reads = match name.rsplit_once('.') {
        Some((_, "calc")) => "load",
        _ => "data",
    };
    vec![("read", statement(reads)), ("play", statement("play"))]
}

/// The name of a file for a lesson: its title, without what a path or a quoted text cannot have.
fn lesson_file(text: &str) -> String {
    let title = title_of(text)
        .trim_end_matches('.')
        .replace(['/', '\\', '"'], " ");
    format!("{}.calc", if title.is_empty() { "lesson" } else { &title })
}

/// The statement that sets leaves to numbers, or to what was typed.
fn statement_to_set(numbers: &BTreeMap<String, Value>) -> String {
    let setting = |(name, number): (&String, &Value)| {
        let typed = number.as_str().map_or(number.to_string(), str::to_owned);
        format!("{name} {typed}")
    };
    let settings: Vec<_> = numbers.iter().map(setting).collect();
    format!(":set {}", settings.join(", "))
}
