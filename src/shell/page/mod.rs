//! Runs the session of a page in a browser: takes entries, and answers with HTML or JSON. `web/` calls it.
//!
//! The page uses the runner of the prompt and of scripts. The runner writes a document as `--echo=html` does, and each
//! entry gets its part of the document. The browser provides the clock and shows the progress of work. It stops work by
//! ending the session, because WebAssembly does not unwind.
//!
//! While a built-in lesson is open, it has a session of its own, and the user's own session is put aside.

mod entries;
pub(super) mod files;
mod links;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::{Rc, Weak};

use self::entries::{ImplicitInputs, LiveEntry};
use self::files::FileNews;

pub use super::process::browser::Browser;

use super::pasted_table::{PastedTable, pasted_table};
use super::process::terminal::{Stream, When};
use super::script;
use super::script::dialogue::Dialogue;
use super::script::document::EchoDocument;
use super::script::host::TypingHost;
use super::script::lesson::around_cursor;
use super::script::lines::Lines;
use super::script::output::Output;
use super::script::runner::{AnswerFormat, LineOrigin, RunOptions, Runner};
use super::script::typed_line;
use super::{PROGRAM, RunEnd};
use crate::commands::LESSON_TABLES;
use crate::interpret;
use crate::session::values::WeakValue;
use crate::session::{LeafRange, NotesGiven, Session, Setting, TrialOf, Widths};
use chainrule_engine::graph::Node;
use chainrule_language::StatementSpan;
use chainrule_report::{Fact, name_list, say};
use chainrule_view as view;
use chainrule_view::{Document, DocumentFormat, Movement, Style, json};

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

/// The statement that leaves a lesson.
const LEAVE_LESSON: &str = ":play stop\n";

/// The session of a page.
pub struct Page {
    runner: Runner,
    written: Written,
    dialogue: Dialogue,
    /// The statement that reads the pasted table.
    table_statement: Option<String>,
    /// The entries by their numbers; `None` for an entry that is no longer answered again.
    entries: Vec<Option<LiveEntry>>,
    last_values: LastValues,
    /// The statements that bring back the session as it was after the last entry.
    last_statements: String,
}

/// The values of the names of a session.
type ValuesByName = BTreeMap<Rc<str>, WeakValue>;

/// The values of the names after the last entry, in the user's own session and in the session of a lesson.
#[derive(Default)]
struct LastValues {
    own: ValuesByName,
    lesson: ValuesByName,
}

/// The state before an entry.
struct StateBefore {
    /// The number of results.
    result_count: u64,
    /// The root of the last pass.
    pass: Option<Weak<Node>>,
    /// The session of a lesson was in use.
    is_of_lesson: bool,
    notes_given: NotesGiven,
}

/// How an entry ended.
#[derive(Clone, Copy, Default)]
struct EntryEnd {
    must_quit: bool,
    has_failed: bool,
}

/// The statements that the page stores after an entry, to bring the session back later.
struct StatementsToStore {
    statements: String,
    /// The statements replace all that are stored. Otherwise they follow the stored ones.
    must_replace: bool,
}

/// The answer to an entry. [`Page::enter`] describes its fields.
struct EntryAnswer {
    html: String,
    line: Fact,
    lesson: Fact,
    table: Option<String>,
    files: FileNews,
    end: EntryEnd,
    number: Option<usize>,
    is_of_lesson: bool,
    results_before: u64,
    implicit: ImplicitInputs,
    link: String,
    to_store: StatementsToStore,
    bound: Vec<Rc<str>>,
    leaves: Vec<Leaf>,
    slider_names: Vec<Rc<str>>,
    picture_leaves: Vec<Fact>,
    ended: Vec<Fact>,
    outdated: Vec<Fact>,
    is_only_move: bool,
}

impl EntryAnswer {
    fn into_json(self) -> String {
        let list = |names: &[Rc<str>]| names.iter().map(|name| Fact::from(&**name)).collect();
        let number = self.number.map(|number| Fact::Count(number as u64));
        object(vec![
            ("html", Fact::Text(self.html)),
            ("line", self.line),
            ("lesson", self.lesson),
            ("table", self.table.as_deref().into()),
            ("files", self.files.written.into_iter().collect()),
            ("missing", self.files.missing.as_deref().into()),
            ("quit", Fact::Flag(self.end.must_quit)),
            ("failed", Fact::Flag(self.end.has_failed)),
            ("entry", number.unwrap_or(Fact::Null)),
            ("of_lesson", Fact::Flag(self.is_of_lesson)),
            ("counted", Fact::Count(self.results_before)),
            ("target", self.implicit.target.as_deref().into()),
            ("pass", self.implicit.pass.as_deref().into()),
            ("link", Fact::Text(self.link)),
            ("kept", Fact::Text(self.to_store.statements)),
            ("anew", Fact::Flag(self.to_store.must_replace)),
            ("bound", list(&self.bound)),
            ("leaves", self.leaves.iter().map(Leaf::fact).collect()),
            ("sliders", list(&self.slider_names)),
            ("picture", Fact::List(self.picture_leaves)),
            ("ended", Fact::List(self.ended)),
            ("of_before", Fact::List(self.outdated)),
            ("follow", Fact::Flag(self.is_only_move)),
        ])
    }
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
        runner.is_at_prompt = true;
        runner.movement = Movement::Possible;
        runner.session.show.shows_numbers = true;
        runner.begin_document(EchoDocument::new(Document::part_of_page(), true));
        Page {
            runner,
            written,
            dialogue: Dialogue::default(),
            table_statement: None,
            entries: Vec::new(),
            last_values: LastValues::default(),
            last_statements: String::new(),
        }
    }

    /// The style sheet of the answers.
    pub fn style() -> String {
        view::page_style()
    }

    /// Sets the width of pictures in pixels.
    pub fn set_width(&mut self, pixels: usize) {
        self.runner.picture_width = (pixels < MIN_FULL_WIDTH).then_some(pixels);
    }

    /// Runs an entry. Unless it `is_whole`, it is not run if its last statement may go on, or if it is a table. The answer
    /// is an object with these fields:
    ///
    /// - `html`: the answers;
    /// - `more`: the last statement is not complete, and nothing was run; the object then has no other field;
    /// - `line`: the text that a lesson puts into the line before the cursor and after it;
    /// - `table`: the statement that reads the pasted table;
    /// - `files` and `missing`: the files that were written, and the one that was not found;
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
        let is_statement = |line: &str| script::is_statement(&self.runner.session, line);
        if !is_whole && let Some(table) = pasted_table(text, PASTED, is_statement) {
            self.offer_table(table, text);
            // The entry counts as failed, so that it is not kept as an entry.
            let end = EntryEnd {
                has_failed: true,
                ..EntryEnd::default()
            };
            return self.answer(text, &before, end);
        }
        let ran = self
            .dialogue
            .enter(text, LineOrigin::prompt(), &mut self.runner);
        if ran.is_ok() && entries::commands_in(text) == ["walk"] {
            self.draw_walk();
        }
        let end = EntryEnd {
            must_quit: matches!(ran, Err(RunEnd::Quit)),
            has_failed: matches!(ran, Err(RunEnd::Failed)),
        };
        self.answer(text, &before, end)
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
        let session = &mut self.runner.session;
        let Some(walk) = session.walk() else {
            return;
        };
        if walk.position != 0 || walk.has_questions {
            return;
        }
        let Some(root) = entries::word_for(session, &walk.root) else {
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
        let runner = &mut self.runner;
        runner.is_silent = true;
        let mut lines = Lines::of(statements.as_bytes(), 1);
        let ran = script::read(runner, LineOrigin::prompt(), &mut lines);
        runner.is_silent = false;
        runner.session.forget_remarks();
        let values_of = |is_of_lesson: bool| {
            let session = self.runner.session_of(is_of_lesson);
            session.map(values_by_name).unwrap_or_default()
        };
        self.last_values = LastValues {
            own: values_of(false),
            lesson: values_of(true),
        };
        let end = EntryEnd {
            must_quit: false,
            has_failed: ran.is_err(),
        };
        self.answer("", &before, end)
    }

    /// Notes an entry of an earlier session, so that it is answered again, and returns its new number. `record` has its
    /// target on the first line, its pass on the second, and then its text. An entry whose session is gone gets a number,
    /// too, but is not answered again.
    pub fn renew(
        &mut self,
        record: &str,
        results_before: u64,
        is_outdated: bool,
        is_of_lesson: bool,
    ) -> String {
        let mut parts = record.splitn(3, '\n');
        let mut next = || parts.next().unwrap_or_default();
        let [target, pass, text] = [next(), next(), next()];
        let non_empty = |word: &str| (!word.is_empty()).then(|| word.to_owned());
        let implicit = ImplicitInputs {
            target: non_empty(target),
            pass: non_empty(pass),
        };
        let session = self.runner.session_of(is_of_lesson);
        let mut entry =
            session.map(|it| LiveEntry::of(it, is_of_lesson, text, results_before, implicit));
        if let Some(live) = &mut entry {
            live.has_earlier_answer = is_outdated;
        }
        self.entries.push(entry);
        (self.entries.len() - 1).to_string()
    }

    /// Goes on with a lesson of an earlier session. `record` has the statement that plays the lesson on the first line, and
    /// the place in the lesson on the second.
    pub fn resume(&mut self, record: &str) -> String {
        let before = self.state_before();
        let (statement, place) = record.split_once('\n').unwrap_or_default();
        let (dialogue, runner) = (&mut self.dialogue, &mut self.runner);
        // `Page::restore` has already begun a lesson that has a session of its own.
        let has_begun = runner.lesson.aside.is_some();
        let ran = if has_begun {
            Ok(())
        } else {
            dialogue.enter(statement, LineOrigin::prompt(), runner)
        };
        runner.lesson.take_up(place);
        let end = EntryEnd {
            must_quit: false,
            has_failed: ran.is_err(),
        };
        self.answer("", &before, end)
    }

    /// Writes a worksheet of the lesson that is open. If none is open, writes one of these statements.
    pub fn worksheet(&mut self, title: &str, statements: &str) -> String {
        let plays_lesson = |line: &&str| entries::commands_in(line).contains(&"play");
        let mut text = self.lesson_text().unwrap_or_else(|| {
            let lines = statements.lines().filter(|line| !plays_lesson(line));
            lines.collect::<Vec<_>>().join("\n")
        });
        text.push('\n');
        let written = Written::default();
        let output = Output::new(Box::new(written.clone()), Box::new(io::sink()));
        let options = RunOptions {
            must_keep_going: true,
            ..RunOptions::default()
        };
        let mut runner = Runner::new(options, AnswerFormat::Text, output);
        let document = Document::new(DocumentFormat::Html, title, PROGRAM).with_gaps();
        runner.begin_document(EchoDocument::new(document, true));
        let mut lines = Lines::of(text.as_bytes(), 1);
        // The document shows failures, and writing into memory does not fail.
        let _ = runner.begin_source();
        let _ = script::read(&mut runner, LineOrigin::script(title, None), &mut lines);
        let _ = runner.end_document();
        let _ = runner.flush();
        // The page does not offer the files that the worksheet has written.
        files::take_news();
        written.take()
    }

    /// Writes a complete page of HTML around the answers.
    pub fn document(title: &str, answers: &str) -> String {
        let mut document = Document::new(DocumentFormat::Html, title, PROGRAM);
        let mut out = String::new();
        document.elements(answers, answers, &mut out);
        document.end(&mut out);
        out
    }

    /// The text of the lesson that is open.
    fn lesson_text(&self) -> Option<String> {
        let lesson = &self.runner.lesson;
        let path = lesson.path.as_ref().filter(|_| lesson.is_open)?;
        match lesson.built_in {
            Some(built_in) => Some(built_in.text.to_owned()),
            None => files::read_text(path),
        }
    }

    /// The state before an entry. Begins to record the targets that the entry takes.
    fn state_before(&mut self) -> StateBefore {
        let session = &mut self.runner.session;
        session.show.targets_taken = Some(Vec::new());
        StateBefore {
            result_count: result_count(session),
            pass: session.pass().map(|pass| Rc::downgrade(pass.root())),
            is_of_lesson: self.runner.lesson.runs_apart(),
            notes_given: *session.notes_given_mut(),
        }
    }

    /// Returns the answer to an entry, which [`Page::enter`] describes, and prepares the next line.
    fn answer(&mut self, text: &str, before: &StateBefore, end: EntryEnd) -> String {
        let is_live = !text.trim().is_empty() && !end.has_failed && entries::only_answers(text);
        // This must precede `prepare_line`, which may end a lesson and bring back the user's own session: the entry belongs
        // to the session of the lesson.
        let number = is_live.then(|| self.note_entry(text, before)).flatten();
        let is_of_lesson = self.runner.lesson.runs_apart();
        // Writing into memory does not fail.
        let _ = self.dialogue.prepare_line(&mut self.runner);
        let _ = self.runner.end_part();
        let _ = self.runner.flush();
        let html = self.written.take();
        let files = files::take_news();
        let to_store = self.take_statements_to_store();
        let link = self.link_of(text, before, end, &to_store);
        // An entry that has ended is not outdated, and the new entry may have ended, too.
        let ended = self.end_entries();
        let outdated = self.outdated_entries();
        let entry = number.and_then(|number| self.entries[number].as_ref());
        let implicit = entry.map(|entry| entry.implicit.clone());
        let leaves = self.leaves();
        let is_in_use = is_of_lesson == self.runner.lesson.runs_apart();
        let picture_leaves = match entry {
            Some(entry) if is_in_use && html.contains("<figure") => {
                self.leaves_below(entry, &leaves)
            }
            _ => Vec::new(),
        };
        let bound = self.take_bound_names();
        let commands = entries::commands_in(text);
        let answer = EntryAnswer {
            html,
            line: self.line(),
            lesson: self.lesson(),
            table: self.table_statement.take(),
            files,
            end,
            number,
            is_of_lesson,
            results_before: before.result_count,
            implicit: implicit.unwrap_or_default(),
            link,
            to_store,
            slider_names: slider_names(&leaves, &commands, &bound),
            bound,
            leaves,
            picture_leaves,
            ended,
            outdated,
            is_only_move: only_move_leaves(&commands),
        };
        answer.into_json()
    }

    /// Returns the statements to store after an entry, and notes them for the next entry.
    fn take_statements_to_store(&mut self) -> StatementsToStore {
        let all = self.statements_now();
        let added = all.strip_prefix(&*self.last_statements);
        let to_store = StatementsToStore {
            statements: added.unwrap_or(&all).to_owned(),
            must_replace: added.is_none(),
        };
        self.last_statements = all;
        to_store
    }

    /// The statements of an entry for a link.
    fn link_of(
        &self,
        text: &str,
        before: &StateBefore,
        end: EntryEnd,
        to_store: &StatementsToStore,
    ) -> String {
        let lesson = &self.runner.lesson;
        let is_own_lesson = lesson.path.is_some() && lesson.built_in.is_none();
        let added = if before.is_of_lesson && is_own_lesson {
            // Playing the user's own lesson ends the built-in lesson, so the link must leave that one.
            LEAVE_LESSON
        } else if to_store.must_replace {
            ""
        } else {
            &to_store.statements
        };
        links::link_of(text, added, end.has_failed, is_own_lesson)
    }

    /// The text that a lesson puts into the line before the cursor and after it.
    fn line(&self) -> Fact {
        let Some(statement) = &self.dialogue.statement else {
            return Fact::Null;
        };
        let (before, after) = around_cursor(statement);
        [before, after].into_iter().map(Fact::from).collect()
    }

    /// The lesson that is open or was left.
    fn lesson(&self) -> Fact {
        let lesson = &self.runner.lesson;
        if !lesson.is_open && lesson.aside.is_none() {
            return Fact::Null;
        }
        let own_path = lesson.path.as_ref().filter(|_| lesson.built_in.is_none());
        let text = own_path.and_then(|_| self.lesson_text());
        let name = own_path.map_or((&*lesson.name).into(), |path| path.to_string_lossy());
        Fact::Record(vec![
            ("name", Fact::from(&*name)),
            ("place", Fact::Text(lesson.place_to_keep())),
            ("text", text.as_deref().into()),
            ("open", Fact::Flag(lesson.is_open)),
        ])
    }

    /// Notes an entry that has been answered, and returns its number. Returns `None` if its inputs cannot be named.
    fn note_entry(&mut self, text: &str, before: &StateBefore) -> Option<usize> {
        let session = &self.runner.session;
        let implicit = ImplicitInputs::of(session, text, before.pass.as_ref())?;
        let is_of_lesson = self.runner.lesson.runs_apart();
        let mut entry = LiveEntry::of(session, is_of_lesson, text, before.result_count, implicit);
        entry.notes_given = Some(before.notes_given);
        self.entries.push(Some(entry));
        Some(self.entries.len() - 1)
    }

    /// Forgets the entries whose meaning has changed, and returns their numbers.
    fn end_entries(&mut self) -> Vec<Fact> {
        let runner = &self.runner;
        let has_ended = |entry: &LiveEntry| {
            let session = runner.session_of(entry.is_of_lesson);
            session.is_none_or(|session| !entry.holds(session))
        };
        let mut ended = Vec::new();
        for (number, entry) in self.entries.iter_mut().enumerate() {
            if entry.as_ref().is_some_and(has_ended) {
                *entry = None;
                ended.push(Fact::Count(number as u64));
            }
        }
        ended
    }

    /// The numbers of the entries whose answers would be different now.
    fn outdated_entries(&self) -> Vec<Fact> {
        let is_outdated = |entry: &LiveEntry| {
            let session = self.runner.session_of(entry.is_of_lesson);
            session.is_some_and(|session| entry.is_outdated(session))
        };
        let entries = self.entries.iter().zip(0..);
        let outdated = entries.filter(|(entry, _)| entry.as_ref().is_some_and(is_outdated));
        outdated.map(|(_, number)| Fact::Count(number)).collect()
    }

    /// The names whose values have changed since the last entry of the session that is in use.
    fn take_bound_names(&mut self) -> Vec<Rc<str>> {
        let last_values = if self.runner.lesson.runs_apart() {
            &mut self.last_values.lesson
        } else {
            &mut self.last_values.own
        };
        let now = values_by_name(&self.runner.session);
        let before = std::mem::replace(last_values, now);
        let values = self.runner.session.names().bound_values();
        let bound = values.filter(|(name, value)| {
            let value_before = before.get(*name).and_then(WeakValue::upgrade);
            value_before.is_none_or(|it| !it.is(value))
        });
        bound.map(|(name, _)| name.into()).collect()
    }

    /// The leaves that sliders may move. A leaf with several names is listed under its first name.
    fn leaves(&self) -> Vec<Leaf> {
        let session = &self.runner.session;
        // Moving a leaf would end the walk.
        if (session.walk()).is_some_and(|walk| walk.next_node().is_some()) {
            return Vec::new();
        }
        let mut leaves = Vec::new();
        for (name, value) in session.names().bound_values() {
            let Some(node) = value.node() else {
                continue;
            };
            let is_free = node.is_leaf() && !node.is_frozen() && node.data().is_finite();
            if is_free && session.names().plain_of(node).next() == Some(name) {
                leaves.push(Leaf {
                    name: name.into(),
                    data: node.data(),
                    range: session.leaf_range(node),
                });
            }
        }
        leaves
    }

    /// The names of the leaves on which an entry depends. The names in the text of the entry come first.
    fn leaves_below(&self, entry: &LiveEntry, leaves: &[Leaf]) -> Vec<Fact> {
        let names = self.runner.session.names();
        let entry_leaves = entry.leaves();
        let is_below = |name: &&str| {
            let leaf = names.find_node(name);
            leaf.is_some_and(|leaf| entry_leaves.contains(&Rc::as_ptr(leaf)))
        };
        let all = leaves.iter().map(|leaf| &*leaf.name);
        let mut below: Vec<&str> = all.filter(is_below).collect();
        // `false` comes before `true`.
        below.sort_by_cached_key(|name| !entry.has_name(name));
        below.into_iter().map(Fact::from).collect()
    }

    /// Answers an entry again with the present numbers of the leaves. Returns an empty text if the entry does not depend on
    /// `leaf`, if one of its inputs is gone, or if a statement fails.
    pub fn answer_now(&mut self, entry: usize, leaf: &str) -> String {
        let moved_leaf = self.runner.session.names().find_node(leaf).cloned();
        if !self.depends_on(entry, moved_leaf.iter()) {
            return String::new();
        }
        let answer = self.answer_again(entry, &[]);
        if let Some(Some(live)) = self.entries.get_mut(entry)
            && !answer.is_empty()
        {
            live.note_answer();
        }
        answer
    }

    /// Answers an entry as if the leaves in `settings` were set, such as `a 2, b 3`, and takes the settings back. Returns an
    /// empty text if the entry depends on none of these leaves, if one of its inputs is gone, or if a statement fails. A
    /// curve keeps the ends of its axis in `axis`.
    pub fn try_out(&mut self, entry: usize, settings: &str, axis: Option<(f64, f64)>) -> String {
        let names = self.runner.session.names();
        let parse_setting = |text: &str| {
            let (name, number) = text.split_once(' ')?;
            let leaf = Rc::clone(names.find_node(name)?);
            let data = number.parse().ok()?;
            Some(Setting { leaf, data })
        };
        let trial: Vec<Setting> = settings.split(", ").filter_map(parse_setting).collect();
        if !self.depends_on(entry, trial.iter().map(|setting| &setting.leaf)) {
            return String::new();
        }
        self.runner.session.show.axis = axis;
        self.runner.movement = Movement::Going;
        let answer = self.answer_again(entry, &trial);
        self.runner.movement = Movement::Possible;
        self.runner.session.show.axis = None;
        answer
    }

    /// Does an entry depend on one of these leaves?
    fn depends_on<'n>(&self, entry: usize, mut leaves: impl Iterator<Item = &'n Rc<Node>>) -> bool {
        let Some(Some(live)) = self.entries.get(entry) else {
            return false;
        };
        leaves.any(|leaf| live.depends_on(leaf))
    }

    /// Answers an entry in a trial with these settings. The end of the trial restores the session.
    fn answer_again(&mut self, entry: usize, settings: &[Setting]) -> String {
        let session = &mut self.runner.session;
        let Some(Some(live)) = self.entries.get(entry) else {
            return String::new();
        };
        if live.is_gone(session) {
            return String::new();
        }
        session.begin_trial(TrialOf::Lines);
        if let Some(notes_given) = live.notes_given {
            *session.notes_given_mut() = notes_given;
        }
        if !settings.is_empty() {
            session.set(settings, Widths::new(), |_, _| {});
            session.repeat_pass();
        }
        let has_inputs = live.implicit.restore(&live.text, session);
        session.show.replay_after = Some(live.results_before);
        let mut lines = Lines::of(live.text.as_bytes(), 1);
        let has_run =
            has_inputs && script::read(&mut self.runner, LineOrigin::prompt(), &mut lines).is_ok();
        self.runner.session.show.replay_after = None;
        self.runner.session.end_trial(None);
        // Writing into memory does not fail.
        let _ = self.runner.end_part();
        let _ = self.runner.flush();
        let written = self.written.take();
        if has_run { written } else { String::new() }
    }

    /// Does the text of a link have a position? Links of earlier versions counted positions from 1.
    pub fn has_position(text: &str) -> bool {
        script::has_position(text)
    }

    /// Paints the line as it looks while it is typed. If `is_hinted`, also returns the result that the line would have. The
    /// cursor is a byte position.
    pub fn look(&mut self, line: &str, cursor: usize, is_hinted: bool) -> String {
        let style = self.runner.style(Stream::Answers);
        let session = &mut self.runner.session;
        let mut painted = String::new();
        typed_line::paint_line(session, line, Some(cursor), "", &style, &mut painted);
        let mut hint = None;
        if is_hinted && session.settings().is_on("hint") {
            let host = Rc::new(TypingHost::new());
            let result = interpret::preview(session, line, host).answer;
            hint = result.map(|pieces| view::plain(&pieces, &Style::default()));
        }
        object(vec![
            ("html", Fact::Text(view::marked_html(&painted))),
            ("hint", hint.as_deref().into()),
        ])
    }

    /// The completions at the cursor, a byte position. `start` is the position at which they begin. Each entry has the
    /// `text` to insert, the text that is `shown` in the menu, and a description, `about`.
    pub fn complete(&self, line: &str, cursor: usize) -> String {
        let found = interpret::completions(&self.runner.session, line, cursor);
        let plain = |about| view::plain(about, &Style::default());
        let mut entries: Vec<Fact> = (found.candidates.iter())
            .map(|it| completion(&it.text, &it.shown, &plain(&it.about)))
            .collect();
        if let Some(asked) = &found.files {
            let quote = asked.quote.map(String::from).unwrap_or_default();
            let suits = |name: &String| {
                let ends = |ending: &&str| name.ends_with(&format!(".{ending}"));
                name.starts_with(&asked.typed)
                    && (asked.endings.is_empty() || asked.endings.iter().any(ends))
            };
            for name in files::names().iter().filter(|name| suits(name)) {
                entries.push(completion(&format!("{quote}{name}{quote}"), name, "file"));
            }
        }
        object(vec![
            ("start", Fact::Count(found.start as u64)),
            ("entries", Fact::List(entries)),
        ])
    }

    /// The statements that bring back the user's session and the session of a lesson. The statements of the session that is
    /// in use come last, so that an entry only adds statements at the end.
    fn statements_now(&self) -> String {
        let lesson = &self.runner.lesson;
        let in_use = statements_of(&self.runner.session);
        let Some(session_aside) = &lesson.aside else {
            return in_use;
        };
        let aside = statements_of(session_aside);
        if aside.is_empty() && in_use.is_empty() {
            return in_use;
        }
        let begin_lesson = format!(":play {}\n", lesson.name);
        if lesson.is_open {
            aside + &begin_lesson + &in_use
        } else {
            begin_lesson + &aside + LEAVE_LESSON + &in_use
        }
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

impl std::fmt::Debug for Page {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.debug_struct("Page").finish_non_exhaustive()
    }
}

/// A leaf that a slider may move.
struct Leaf {
    name: Rc<str>,
    data: f64,
    range: Option<LeafRange>,
}

impl Leaf {
    fn fact(&self) -> Fact {
        let mut facts = vec![
            ("name", Fact::from(&*self.name)),
            ("value", Fact::Number(self.data)),
        ];
        if let Some(range) = &self.range {
            facts.push(("low", Fact::Number(range.low)));
            facts.push(("high", Fact::Number(range.high)));
            facts.extend(range.step.map(|step| ("step", Fact::Number(step))));
        }
        Fact::Record(facts)
    }
}

/// The names of the leaves that get sliders below an entry with these commands: the names that the entry has bound, or all
/// names for `:vars`.
fn slider_names(leaves: &[Leaf], commands: &[&str], bound: &[Rc<str>]) -> Vec<Rc<str>> {
    let has_slider = |name: &&Rc<str>| commands.contains(&"vars") || bound.contains(name);
    let names = leaves.iter().map(|leaf| &leaf.name);
    names.filter(has_slider).cloned().collect()
}

/// Do these commands only move leaves?
fn only_move_leaves(commands: &[&str]) -> bool {
    let moves_leaves = |name: &&str| ["set", "undo", "redo"].contains(name);
    !commands.is_empty() && commands.iter().all(moves_leaves)
}

/// The values of all names.
fn values_by_name(session: &Session) -> ValuesByName {
    let values = session.names().bound_values();
    values
        .map(|(name, value)| (name.into(), value.downgrade()))
        .collect()
}

/// The statements that bring a session back.
fn statements_of(session: &Session) -> String {
    let script = session.script();
    if script.statements == 0 {
        return String::new();
    }
    script.text
}

/// The number of results so far.
fn result_count(session: &Session) -> u64 {
    session.results().range().map_or(0, |(_, last)| last)
}

/// A completion of the line.
fn completion(text: &str, shown: &str, about: &str) -> Fact {
    Fact::Record(vec![
        ("text", Fact::from(text)),
        ("shown", Fact::from(shown)),
        ("about", Fact::from(about)),
    ])
}

/// A JSON object.
fn object(facts: Vec<(&'static str, Fact)>) -> String {
    let mut out = String::new();
    json::write_fact(&Fact::Record(facts), 0, &mut out);
    out
}
