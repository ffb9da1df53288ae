//! A session behind a page in a browser: a line in, HTML or JSON out.
//!
//! The runner is that of the prompt and of scripts. It writes a document as `--echo=html` does, and each entry gets its
//! part of it. The browser keeps the time, shows how far work has come, and stops work by ending the session: here
//! nothing unwinds.

pub(super) mod files;

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

pub use super::process::browser::Browser;

use super::RunEnd;
use super::pasted_table::pasted_table;
use super::process::terminal::{Stream, When};
use super::script;
use super::script::dialogue::Dialogue;
use super::script::document::EchoDocument;
use super::script::echo;
use super::script::host::TypingHost;
use super::script::lines::Lines;
use super::script::output::Output;
use super::script::runner::{AnswerFormat, LineOrigin, RunOptions, Runner};
use crate::commands::LESSON_TABLES;
use crate::interpret;
use crate::session::TrialOf;
use crate::session::values::Value;
use chainrule_engine::graph::NodeId;
use chainrule_language::StatementSpan;
use chainrule_report::{Fact, name_list, say};
use chainrule_view as view;
use chainrule_view::{Document, Style, json};

/// Where the document goes until the page takes it.
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

/// The file of the table that was entered last.
const PASTED: &str = "pasted.txt";

/// The session of a page.
pub struct Page {
    runner: Runner,
    written: Written,
    dialogue: Dialogue,
    /// The statement that reads the table that was entered.
    of_table: Option<String>,
    /// The newest node that the page knows of.
    known: NodeId,
}

impl Page {
    /// An empty session.
    pub fn new(browser: Browser) -> Page {
        browser.is_used();
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
        runner.at_prompt = true;
        runner.session.show.numbered = true;
        runner.begin_document(EchoDocument::new(Document::part_of_page(), true));
        Page {
            runner,
            written,
            dialogue: Dialogue::default(),
            of_table: None,
            known: 0,
        }
    }

    /// The style sheet of the answers.
    pub fn style() -> String {
        view::page_style()
    }

    /// Runs what was entered. The answer is an object: `html`, `more` if the last statement is not complete, and then
    /// nothing was run, `statement` of a lesson for the line, the statement that reads the `table` that was entered,
    /// `files` that were written, the file that is `missing`, whether the session is to `quit`, whether a statement
    /// `failed`, how many results were `counted`, the names that were `bound`, and the free `leaves` of one number, none
    /// while a walk goes on.
    pub fn enter(&mut self, text: &str, is_whole: bool) -> String {
        if !is_whole && script::wants_more(text) {
            return object(vec![("more", Fact::Flag(true))]);
        }
        let is_statement = |line: &str| script::is_statement(&self.runner.session, line);
        let table = pasted_table(text, PASTED, is_statement).filter(|_| !is_whole);
        if let Some(table) = table {
            files::put(PASTED, text.as_bytes().to_vec());
            let note = say!("a table with the columns {}", name_list(table.names));
            // Writing into memory does not fail.
            let _ = self.runner.note(note);
            self.of_table = Some(table.statement);
            return self.answer(false, true);
        }
        let ran = self
            .dialogue
            .enter(text, LineOrigin::prompt(), &mut self.runner);
        let failed = matches!(ran, Err(RunEnd::Failed));
        self.answer(matches!(ran, Err(RunEnd::Quit)), failed)
    }

    /// Brings back the statements of an earlier session. Only errors are shown.
    pub fn restore(&mut self, statements: &str) -> String {
        let runner = &mut self.runner;
        runner.unshown = true;
        let mut lines = Lines::of(statements.as_bytes(), 1);
        let ran = script::read(runner, LineOrigin::prompt(), &mut lines);
        runner.unshown = false;
        runner.session.forget_remarks();
        self.answer(false, ran.is_err())
    }

    /// Leaves the lesson.
    pub fn leave(&mut self) -> String {
        let left = match self.dialogue.statement {
            Some(_) => self.dialogue.leave_lesson(&mut self.runner),
            None => Ok(()),
        };
        self.answer(false, left.is_err())
    }

    fn answer(&mut self, quits: bool, failed: bool) -> String {
        // Writing into memory does not fail.
        let _ = self.dialogue.prepare_line(&mut self.runner);
        let _ = self.runner.end_part();
        let _ = self.runner.flush();
        let (written, missing) = files::news();
        object(vec![
            ("html", Fact::Text(self.written.take())),
            ("statement", self.dialogue.statement.as_deref().into()),
            ("table", self.of_table.take().as_deref().into()),
            ("files", written.into_iter().collect()),
            ("missing", missing.as_deref().into()),
            ("quit", Fact::Flag(quits)),
            ("failed", Fact::Flag(failed)),
            ("counted", Fact::Count(self.result_count())),
            ("bound", Fact::List(self.bound())),
            ("leaves", Fact::List(self.leaves())),
        ])
    }

    /// How many results there have been.
    fn result_count(&self) -> u64 {
        let range = self.runner.session.results().range();
        range.map_or(0, |(_, last)| last)
    }

    /// The names with nodes that the page does not know of yet.
    fn bound(&mut self) -> Vec<Fact> {
        let session = &self.runner.session;
        let known = std::mem::replace(&mut self.known, session.newest_id());
        let is_new = |value: &Value| value.nodes().last().is_some_and(|node| node.id() > known);
        let bound = session.names().bound_values();
        let bound = bound.filter(|(_, value)| is_new(value));
        bound.map(|(name, _)| Fact::from(name)).collect()
    }

    /// The leaves that sliders may move, with their numbers.
    fn leaves(&self) -> Vec<Fact> {
        let session = &self.runner.session;
        let walk = session.walk();
        if walk.is_some_and(|walk| walk.next_node().is_some()) {
            return Vec::new();
        }
        let leaf = |(name, value): (&str, &Value)| {
            let node = value.node()?;
            let is_free = node.is_leaf() && !node.is_frozen() && node.data().is_finite();
            let fields = || vec![("name", name.into()), ("value", Fact::Number(node.data()))];
            is_free.then(|| Fact::Record(fields()))
        };
        session.names().bound_values().filter_map(leaf).collect()
    }

    /// What a text would answer after the statement `set`: nothing is left of both. Nothing if the text does more than
    /// answer. `counted` results were there when it ran first.
    pub fn again(&mut self, set: &str, text: &str, counted: u64) -> String {
        let runner = &mut self.runner;
        runner.session.begin_trial(TrialOf::Lines);
        let set = interpret::statement(&mut runner.session, set, &StatementSpan::whole(set));
        runner.session.show.replay_after = Some(counted);
        let mut lines = Lines::of(text.as_bytes(), 1);
        let ran = script::read(runner, LineOrigin::prompt(), &mut lines);
        runner.session.show.replay_after = None;
        runner.session.end_trial(None);
        // Writing into memory does not fail.
        let _ = runner.end_part();
        let _ = runner.flush();
        let written = self.written.take();
        if set.is_err() || ran.is_err() {
            return String::new();
        }
        written
    }

    /// The line as it looks while it is typed, with the result it would have if that is asked for. The cursor is a byte
    /// position.
    pub fn look(&mut self, line: &str, cursor: usize, is_hinted: bool) -> String {
        let style = self.runner.style(Stream::Answers);
        let session = &mut self.runner.session;
        let mut painted = String::new();
        echo::paint_line(session, line, Some(cursor), "", &style, &mut painted);
        let wanted = is_hinted && session.settings().is_on("hint");
        let host = Rc::new(TypingHost::new());
        let hint = wanted.then(|| interpret::preview(session, line, host).answer);
        let hint = hint
            .flatten()
            .map(|line| view::plain(&line, &Style::default()));
        object(vec![
            ("html", Fact::Text(view::marked_html(&painted))),
            ("hint", hint.as_deref().into()),
        ])
    }

    /// The completions at the cursor, a byte position: where they `start`, and each with its `text`, as `shown`, and
    /// what it is `about`.
    pub fn complete(&self, line: &str, cursor: usize) -> String {
        let found = interpret::completions(&self.runner.session, line, cursor);
        let plain = |about| view::plain(about, &Style::default());
        let mut entries: Vec<[String; 3]> = (found.candidates.iter())
            .map(|one| [one.text.clone(), one.shown.clone(), plain(&one.about)])
            .collect();
        if let Some(asked) = &found.files {
            let suits = |name: &String| {
                let ends = |ending: &&str| name.ends_with(&format!(".{ending}"));
                name.starts_with(&asked.typed)
                    && (asked.endings.is_empty() || asked.endings.iter().any(ends))
            };
            let quoted = |name: String| {
                let quote = asked.quote.map(String::from).unwrap_or_default();
                [format!("{quote}{name}{quote}"), name, "file".to_owned()]
            };
            entries.extend(files::names().into_iter().filter(suits).map(quoted));
        }
        let entry = |[text, shown, about]: [String; 3]| {
            Fact::Record(vec![
                ("text", Fact::Text(text)),
                ("shown", Fact::Text(shown)),
                ("about", Fact::Text(about)),
            ])
        };
        object(vec![
            ("start", Fact::Count(found.start as u64)),
            ("entries", entries.into_iter().map(entry).collect()),
        ])
    }

    /// The statements that bring the session back; nothing if there are none.
    pub fn statements_to_keep(&self) -> String {
        let script = self.runner.session.script();
        if script.statements == 0 {
            return String::new();
        }
        script.text
    }

    /// Takes a file that was chosen or dropped.
    pub fn put(&mut self, name: &str, bytes: Vec<u8>) {
        files::put(name, bytes);
    }

    /// A file that a statement has written.
    pub fn file(&self, name: &str) -> Vec<u8> {
        files::read(name.as_ref()).unwrap_or_default()
    }
}

impl std::fmt::Debug for Page {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.debug_struct("Page").finish_non_exhaustive()
    }
}

fn object(facts: Vec<(&'static str, Fact)>) -> String {
    let mut out = String::new();
    json::write_fact(&Fact::Record(facts), 0, &mut out);
    out
}
