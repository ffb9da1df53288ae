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
pub(super) mod files;
mod leaves;
mod links;
mod worksheet;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use self::answer::ValuesByName;

pub use super::process::browser::Browser;

use super::RunEnd;
use super::pasted_table::{PastedTable, pasted_table};
use super::process::terminal::When;
use super::script;
use super::script::answer_format::AnswerFormat;
use super::script::job::LineOrigin;
use super::script::lines::Lines;
use super::script::output::Output;
use super::script::runner::{RunOptions, Runner};
use super::server::follow::FollowedLeaves;
use super::server::live_entry::word_for;
use super::server::request::{Request, Verb};
use super::server::typing::TypedText;
use super::server::{Server, entry_text};
use crate::commands::LESSON_TABLES;
use crate::interpret;
use chainrule_language::StatementSpan;
use chainrule_report::diagnostic::Result;
use chainrule_report::{Fact, Facts, name_list, say};
use chainrule_view::{self as view, Document, Movement, json};

/// The text that was written since the page took it last.
#[derive(Clone, Default)]
struct Written(Rc<RefCell<WrittenText>>);

#[derive(Default)]
struct WrittenText {
    bytes: Vec<u8>,
    /// Passes what was written to the browser as soon as it is flushed.
    send: Option<Box<dyn Fn(String)>>,
    /// Whether a picture was written.
    has_picture: bool,
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut written = self.0.borrow_mut();
        if written.send.is_some() {
            let html = String::from_utf8(std::mem::take(&mut written.bytes)).unwrap_or_default();
            written.has_picture |= html.contains("<figure");
            if let Some(send) = &written.send {
                send(html);
            }
        }
        Ok(())
    }
}

impl Written {
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut self.0.borrow_mut().bytes);
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Begins or ends to pass what is written to the browser.
    fn set_sender(&self, send: Option<Box<dyn Fn(String)>>) {
        self.0.borrow_mut().send = send;
    }

    /// Whether a picture was written since the last call.
    fn take_whether_drawn(&self) -> bool {
        std::mem::take(&mut self.0.borrow_mut().has_picture)
    }
}

/// The file of the table that was pasted last.
const PASTED: &str = "pasted.txt";

/// A narrower page, in pixels, gets pictures of its own width. Most telephones have 360 to 430 pixels.
const MIN_FULL_WIDTH: usize = 600;

/// The requests of a page.
const VERBS: [Verb; 10] = [
    ("run", &["whole", "pixels"]),
    ("look", &["cursor", "want", "hint", "pixels"]),
    ("complete", &["cursor", "pixels"]),
    ("follow", &["moved", "as", "low", "high", "pixels"]),
    ("renew", &["counted", "of_before", "of_lesson", "pixels"]),
    ("restore", &["pixels"]),
    ("resume", &["place", "pixels"]),
    ("worksheet", &["title", "pixels"]),
    ("document", &["title", "pixels"]),
    ("style", &["pixels"]),
];

/// The session of a page.
pub struct Page {
    server: Server,
    browser: Browser,
    written: Written,
    /// The statement that reads the pasted table.
    table_statement: Option<String>,
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
            server: Server::new(runner),
            browser,
            written,
            table_statement: None,
            last_values: [ValuesByName::new(), ValuesByName::new()],
            last_statements: String::new(),
        }
    }

    /// Answers a request, as in the dialogue. The browser gets each object of the answer when it is ready. The last one has
    /// the field `done`.
    ///
    /// `pixels` in any request is the width of the page. These requests differ from those of the dialogue, or only a page
    /// has them:
    ///
    /// - `run` has `whole`: unless it is true, an entry is not run if its last statement may go on, or if it is a table. The
    ///   last object has the fields of `Page::answer`, or `more` if nothing was run;
    /// - `follow` has `low` and `high`, the ends of the axis of a curve, and returns the `answers` as HTML, each empty for
    ///   an entry that is not answered;
    /// - `restore` runs the statements of an earlier session, `resume` goes on with its lesson, and `renew` notes its
    ///   entries;
    /// - `worksheet` makes one of statements, `document` makes a page of answers, and `style` is the style sheet of the
    ///   answers. Each has the `text` of its answer, and the first two have a `title`.
    pub fn ask(&mut self, request: &str) {
        let answered = Request::read(request).and_then(|mut request| {
            let id = request.id.to_fact();
            let facts = self.carry_out(&mut request, &id)?;
            let last = [("id", id), ("done", "ok".into())];
            Ok(last.into_iter().chain(facts).collect())
        });
        let facts = answered.unwrap_or_else(|error| {
            let message = Fact::Text(error.message);
            vec![("error", message), ("done", "error".into())]
        });
        self.send(facts);
    }

    fn carry_out(&mut self, request: &mut Request, id: &Fact) -> Result<Facts> {
        let verb = request.verb(&VERBS)?;
        let pixels = request.count("pixels")?;
        let width = pixels.filter(|pixels| *pixels < MIN_FULL_WIDTH);
        self.server.runner.set_picture_width(width);
        let text = match verb {
            "run" => return Ok(self.enter(&request.text("run")?, request.flag("whole")?, id)),
            "look" => return Ok(self.server.look(&TypedText::of(request)?)),
            "complete" => {
                let line = request.text("complete")?;
                return Ok(self.server.complete(&line, request.count("cursor")?));
            }
            "follow" => return self.follow(request),
            "renew" => return self.renew(request),
            "restore" => return Ok(self.restore(&request.text("restore")?, id)),
            "resume" => {
                let statement = request.text("resume")?;
                return Ok(self.resume(&statement, &request.text("place")?, id));
            }
            "worksheet" => self.worksheet(&request.text("title")?, &request.text("worksheet")?),
            "document" => Page::document(&request.text("title")?, &request.text("document")?),
            _ => view::page_style(),
        };
        Ok(vec![("text", Fact::Text(text))])
    }

    /// Passes an object to the browser.
    fn send(&self, facts: Facts) {
        (self.browser.answer)(&json::object(facts));
    }

    /// Passes the answers that follow to the browser, as parts of the answer to a request.
    fn send_parts(&self, id: &Fact) {
        let (id, answer) = (id.clone(), self.browser.answer);
        self.written.set_sender(Some(Box::new(move |html| {
            let part = Fact::Record(vec![("html", Fact::Text(html))]);
            answer(&json::object(vec![("id", id.clone()), ("answer", part)]));
        })));
    }

    /// Runs an entry.
    fn enter(&mut self, text: &str, is_whole: bool, id: &Fact) -> Facts {
        if !is_whole && script::wants_more(text) {
            return vec![("more", Fact::Flag(true))];
        }
        self.send_parts(id);
        let before = self.server.state_before();
        if !is_whole && let Some(table) = pasted_table(text, PASTED, self.server.runner.session()) {
            self.offer_table(table, text);
            // The entry counts as failed, so that it is not kept as an entry.
            return self.answer(text, &before, &Err(RunEnd::Failed));
        }
        let Server {
            runner, dialogue, ..
        } = &mut self.server;
        let ran = dialogue.enter(text, LineOrigin::prompt(), runner);
        if ran.is_ok() && entry_text::commands_in(text) == ["walk"] {
            self.draw_walk();
        }
        self.answer(text, &before, &ran)
    }

    /// Answers entries again, after leaves have moved or as if they had. A curve keeps the ends of its axis.
    fn follow(&mut self, request: &mut Request) -> Result<Facts> {
        let entries = request.counts("follow")?;
        let followed = FollowedLeaves::of(self.server.runner.session(), request)?;
        let axis = request.number("low")?.zip(request.number("high")?);
        self.server.runner.session_mut().show.axis = axis;
        if followed.is_trial() {
            self.server.runner.set_movement(Movement::Going);
        }
        let mut answers = Vec::new();
        for entry in entries {
            // Writing into memory does not fail.
            let _ = self.server.answer_again(entry, &followed);
            answers.push(Fact::Text(self.take_part()));
        }
        self.server.runner.set_movement(Movement::Possible);
        self.server.runner.session_mut().show.axis = None;
        Ok(vec![("answers", Fact::List(answers))])
    }

    /// Notes entries of an earlier session, and returns their new numbers.
    fn renew(&mut self, request: &mut Request) -> Result<Facts> {
        let words = request.text("renew")?;
        let counted = request.count("counted")?.unwrap_or_default();
        let (is_outdated, is_of_lesson) = (request.flag("of_before")?, request.flag("of_lesson")?);
        let entry = (self.server).renew(&words, counted as u64, is_outdated, is_of_lesson);
        Ok(vec![("entry", entry.into())])
    }

    /// Stores a pasted table as a file, shows its columns, and prepares the statement that reads the file.
    fn offer_table(&mut self, table: PastedTable, text: &str) {
        files::put(PASTED, text.as_bytes().to_vec());
        let is_single = table.names.len() == 1;
        let columns = if is_single { "column" } else { "columns" };
        let note = say!("a table with the {} {}", columns, name_list(table.names));
        // Writing into memory does not fail.
        let _ = self.server.runner.show_note(note);
        self.table_statement = Some(table.statement);
    }

    /// Draws the stops of a walk that begins as a picture with buttons, unless the walk asks for their numbers.
    fn draw_walk(&mut self) {
        let session = self.server.runner.session_mut();
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
    fn restore(&mut self, statements: &str, id: &Fact) -> Facts {
        self.send_parts(id);
        let before = self.server.state_before();
        let mut lines = Lines::of(statements.as_bytes(), 1);
        let ran = self
            .server
            .runner
            .run_silently(|runner| script::read(runner, LineOrigin::prompt(), &mut lines));
        self.server.runner.session_mut().forget_remarks();
        self.note_values();
        self.answer("", &before, &ran)
    }

    /// Goes on with a lesson of an earlier session at a place, after the statement that plays the lesson.
    fn resume(&mut self, statement: &str, place: &str, id: &Fact) -> Facts {
        self.send_parts(id);
        let before = self.server.state_before();
        let Server {
            runner, dialogue, ..
        } = &mut self.server;
        let mut ran = Ok(());
        // `Page::restore` has already begun a lesson that has a session of its own.
        if runner.lesson().aside.is_none() {
            ran = dialogue.enter(statement, LineOrigin::prompt(), runner);
        }
        runner.take_up_lesson(place);
        self.answer("", &before, &ran)
    }

    /// Ends a part of the document, and passes it to the browser.
    fn end_part(&mut self) {
        // Writing into memory does not fail.
        let _ = self.server.runner.end_part();
        let _ = self.server.runner.flush();
        self.written.set_sender(None);
    }

    /// Ends a part of the document, and returns its HTML.
    fn take_part(&mut self) -> String {
        self.end_part();
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
