//! A session behind a page in a browser: a line in, HTML or JSON out.
//!
//! The runner is that of the prompt and of scripts. It writes a document as `--echo=html` does, and each entry gets its
//! part of it. The browser keeps the time, shows how far work has come, and stops work by ending the session: here
//! nothing unwinds.

mod entries;
pub(super) mod files;
mod links;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::{Rc, Weak};

use self::entries::{LiveEntry, Outlook};

pub use super::process::browser::Browser;

use super::pasted_table::pasted_table;
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
use crate::session::values::{Value, WeakValue};
use crate::session::{LeafRange, NotesGiven, Session, Setting, TrialOf, Widths};
use chainrule_engine::graph::Node;
use chainrule_language::StatementSpan;
use chainrule_report::{Fact, name_list, say};
use chainrule_view as view;
use chainrule_view::{Document, DocumentFormat, Movement, Style, json};

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

/// A page with fewer pixels across has pictures of its width.
const NARROW: usize = 600;

/// The statement that leaves a lesson.
const LEAVE: &str = ":play stop\n";

/// The session of a page.
pub struct Page {
    runner: Runner,
    written: Written,
    dialogue: Dialogue,
    /// The statement that reads the table that was entered.
    of_table: Option<String>,
    /// What is known of each entry; nothing of one that is not answered again.
    entries: Vec<Option<LiveEntry>>,
    /// What the names stood for after the last entry: in the user's own session, and in that of a lesson.
    known: [BTreeMap<Rc<str>, WeakValue>; 2],
    /// The statements that bring the session back, after the last entry.
    kept: String,
}

/// The state before an entry.
struct Before {
    counted: u64,
    /// The root of the last pass.
    pass: Option<Weak<Node>>,
    /// Whether the session of a lesson was in use.
    is_of_lesson: bool,
    notes_given: NotesGiven,
}

/// How an entry ended.
#[derive(Clone, Copy, Default)]
struct End {
    quits: bool,
    failed: bool,
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
            of_table: None,
            entries: Vec::new(),
            known: Default::default(),
            kept: String::new(),
        }
    }

    /// The style sheet of the answers.
    pub fn style() -> String {
        view::page_style()
    }

    /// Says how many pixels the page has across for pictures.
    pub fn set_width(&mut self, pixels: usize) {
        self.runner.picture_width = (pixels < NARROW).then_some(pixels);
    }

    /// Runs what was entered. The answer is an object: `html`, `more` if the last statement is not complete, and then
    /// nothing was run, what a lesson puts into the `line` before the cursor and after it, the statement that reads the
    /// `table` that was entered, `files` that were written, the file that is `missing`, whether the session is to `quit`,
    /// whether a statement `failed`, and:
    ///
    /// - `entry`, the number of an entry that can be answered again, with what [`Page::renew`] takes: `counted`,
    ///   `target` and `pass`;
    /// - what a `link` says of the entry;
    /// - the `kept` statements that it has added to those that bring the session back, or all of them `anew`;
    /// - the names that were `bound`, the free `leaves` of one number, none while a walk goes on, those that have
    ///   `sliders` below the entry, and those below its `picture`, from the ones that it names;
    /// - the numbers of entries that have `ended`, which are not answered again, and those `of_before`, below which
    ///   leaves have moved since they were answered, or which are about names that are gone;
    /// - the `lesson` that is open, or was left, with what [`Page::resume`] takes: its `name` and the `place` in it; and
    ///   its `text` if it is one of the user's own; one without has a session of its own, in use while it is `open`;
    /// - whether the entry only goes to other numbers, as `:undo` and `:set` do, so that answers a slider has changed
    ///   `follow`.
    pub fn enter(&mut self, text: &str, is_whole: bool) -> String {
        if !is_whole && script::wants_more(text) {
            return object(vec![("more", Fact::Flag(true))]);
        }
        let before = self.before();
        let is_statement = |line: &str| script::is_statement(&self.runner.session, line);
        let table = pasted_table(text, PASTED, is_statement).filter(|_| !is_whole);
        if let Some(table) = table {
            files::put(PASTED, text.as_bytes().to_vec());
            let columns = if table.names.len() == 1 {
                "column"
            } else {
                "columns"
            };
            let note = say!("a table with the {} {}", columns, name_list(table.names));
            // Writing into memory does not fail.
            let _ = self.runner.show_note(note);
            self.of_table = Some(table.statement);
            let end = End {
                failed: true,
                ..End::default()
            };
            return self.answer(text, &before, end);
        }
        let ran = self
            .dialogue
            .enter(text, LineOrigin::prompt(), &mut self.runner);
        if ran.is_ok() && entries::commands_in(text) == ["walk"] {
            self.draw_walk();
        }
        let end = End {
            quits: matches!(ran, Err(RunEnd::Quit)),
            failed: matches!(ran, Err(RunEnd::Failed)),
        };
        self.answer(text, &before, end)
    }

    /// Shows the stops of a walk that begins as a picture with buttons, unless the walk asks for them.
    fn draw_walk(&mut self) {
        let session = &mut self.runner.session;
        let walk = session.walk();
        let walk = walk.filter(|walk| walk.position == 0 && !walk.has_questions);
        let Some(root) = walk.and_then(|walk| entries::word_for(session, &walk.root)) else {
            return;
        };
        let statement = format!(":graph {root} walk.html");
        // A graph that is too large for a picture has none.
        let _ = interpret::statement(session, &statement, &StatementSpan::whole(&statement));
        // The file of the picture is nothing to download.
        files::news();
    }

    /// Brings back the statements of an earlier session. Only errors are shown.
    pub fn restore(&mut self, statements: &str) -> String {
        let before = self.before();
        let runner = &mut self.runner;
        runner.is_silent = true;
        let mut lines = Lines::of(statements.as_bytes(), 1);
        let ran = script::read(runner, LineOrigin::prompt(), &mut lines);
        runner.is_silent = false;
        runner.session.forget_remarks();
        for is_of_lesson in [false, true] {
            let session = self.runner.session_of(is_of_lesson);
            self.known[usize::from(is_of_lesson)] = session.map(values_by_name).unwrap_or_default();
        }
        let end = End {
            quits: false,
            failed: ran.is_err(),
        };
        self.answer("", &before, end)
    }

    /// Makes an entry of an earlier session one that is answered again, and returns its number. Its words are its target
    /// and its pass, a line each, and its text.
    pub fn renew(
        &mut self,
        words: &str,
        counted: u64,
        is_of_before: bool,
        is_of_lesson: bool,
    ) -> String {
        let mut words = words.splitn(3, '\n');
        let mut next = || words.next().unwrap_or_default();
        let [target, pass, text] = [next(), next(), next()];
        let word = |word: &str| Some(word.to_owned()).filter(|word| !word.is_empty());
        let outlook = Outlook {
            target: word(target),
            pass: word(pass),
        };
        let session = self.runner.session_of(is_of_lesson);
        let entry = session.map(|session| {
            let mut entry = LiveEntry::of(session, is_of_lesson, text, counted, outlook);
            if is_of_before {
                entry.note_earlier_answer();
            }
            entry
        });
        self.entries.push(entry);
        format!("{}", self.entries.len() - 1)
    }

    /// Goes on with a lesson of an earlier session. Its words are the statement that plays it, and the place, on a line
    /// of its own. One with a session of its own has been begun when that was brought back.
    pub fn resume(&mut self, words: &str) -> String {
        let before = self.before();
        let (statement, place) = words.split_once('\n').unwrap_or_default();
        let (dialogue, runner) = (&mut self.dialogue, &mut self.runner);
        let ran = match &runner.lesson.aside {
            Some(_) => Ok(()),
            None => dialogue.enter(statement, LineOrigin::prompt(), runner),
        };
        runner.lesson.take_up(place);
        let end = End {
            quits: false,
            failed: ran.is_err(),
        };
        self.answer("", &before, end)
    }

    /// A worksheet of the lesson that is open, or else of these statements, with this title.
    pub fn worksheet(&mut self, title: &str, statements: &str) -> String {
        let plays = |line: &&str| entries::commands_in(line).contains(&"play");
        let mut text = self.lesson_text().unwrap_or_else(|| {
            let lines = statements.lines().filter(|line| !plays(line));
            lines.collect::<Vec<_>>().join("\n")
        });
        text.push('\n');
        let written = Written::default();
        let output = Output::new(Box::new(written.clone()), Box::new(io::sink()));
        let options = RunOptions {
            keep_going: true,
            ..RunOptions::default()
        };
        let mut runner = Runner::new(options, AnswerFormat::Text, output);
        let document = Document::new(DocumentFormat::Html, title, PROGRAM).with_gaps();
        runner.begin_document(EchoDocument::new(document, true));
        let mut lines = Lines::of(text.as_bytes(), 1);
        // What fails says so in the document, and writing into memory does not fail.
        let _ = runner.begin_source();
        let _ = script::read(&mut runner, LineOrigin::script(title, None), &mut lines);
        let _ = runner.end_document();
        let _ = runner.flush();
        // The files that it has written are not the user's.
        files::news();
        written.take()
    }

    /// A page of its own with this title, around answers that were given.
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
        let (true, Some(path)) = (lesson.is_open, &lesson.path) else {
            return None;
        };
        match lesson.built_in {
            Some(built_in) => Some(built_in.text.to_owned()),
            None => files::read_text(path),
        }
    }

    /// The state before an entry.
    fn before(&mut self) -> Before {
        let session = &mut self.runner.session;
        session.show.targets_taken = Some(Vec::new());
        Before {
            counted: result_count(session),
            pass: session.pass().map(|pass| Rc::downgrade(pass.root())),
            is_of_lesson: self.runner.lesson.runs_apart(),
            notes_given: *session.notes_given_mut(),
        }
    }

    fn answer(&mut self, text: &str, before: &Before, end: End) -> String {
        let is_live = !text.trim().is_empty() && !end.failed && entries::only_answers(text);
        // At the end of a lesson the user's session comes back, and the entry is about the lesson's.
        let entry = is_live.then(|| self.note_entry(text, before)).flatten();
        let is_of_lesson = self.runner.lesson.runs_apart();
        // Writing into memory does not fail.
        let _ = self.dialogue.prepare_line(&mut self.runner);
        let _ = self.runner.end_part();
        let _ = self.runner.flush();
        let (written, missing) = files::news();
        let kept = self.statements_now();
        let added = kept.strip_prefix(&*self.kept);
        let lesson = &self.runner.lesson;
        let plays_own = lesson.path.is_some() && lesson.built_in.is_none();
        // A lesson of the user's own ends one that has a session of its own.
        let ends_other = before.is_of_lesson && plays_own;
        let sent = if ends_other { Some(LEAVE) } else { added };
        let link = links::link_of(text, sent.unwrap_or_default(), end.failed, plays_own);
        let kept_fact = Fact::from(added.unwrap_or(&kept));
        let is_anew = added.is_none();
        self.kept = kept;
        let ended = self.end_entries();
        let of_before = self.entries_of_before();
        let bound = self.bound();
        let leaves = self.leaves();
        let commands = entries::commands_in(text);
        let sliders = leaves.iter().map(|leaf| leaf.name.clone());
        let has_slider = |name: &Rc<str>| commands.contains(&"vars") || bound.contains(name);
        let sliders: Vec<Fact> = sliders
            .filter(has_slider)
            .map(|it| Fact::from(&*it))
            .collect();
        let follows = !commands.is_empty()
            && (commands.iter()).all(|name| ["set", "undo", "redo"].contains(name));
        let noted = entry.and_then(|entry| self.entries[entry].as_ref());
        let outlook = noted.map(|entry| entry.outlook.clone()).unwrap_or_default();
        let html = self.written.take();
        let is_in_use = is_of_lesson == self.runner.lesson.runs_apart();
        let pictured = noted.filter(|_| is_in_use && html.contains("<figure"));
        let picture = pictured.map(|entry| self.leaves_below(entry, &leaves));
        object(vec![
            ("html", Fact::Text(html)),
            ("line", self.line()),
            ("lesson", self.lesson()),
            ("table", self.of_table.take().as_deref().into()),
            ("files", written.into_iter().collect()),
            ("missing", missing.as_deref().into()),
            ("quit", Fact::Flag(end.quits)),
            ("failed", Fact::Flag(end.failed)),
            (
                "entry",
                entry.map_or(Fact::Null, |entry| Fact::Count(entry as u64)),
            ),
            ("of_lesson", Fact::Flag(is_of_lesson)),
            ("counted", Fact::Count(before.counted)),
            ("target", outlook.target.as_deref().into()),
            ("pass", outlook.pass.as_deref().into()),
            ("link", Fact::Text(link)),
            ("kept", kept_fact),
            ("anew", Fact::Flag(is_anew)),
            (
                "bound",
                bound.iter().map(|name| Fact::from(&**name)).collect(),
            ),
            ("leaves", leaves.iter().map(Leaf::fact).collect()),
            ("sliders", Fact::List(sliders)),
            ("picture", Fact::List(picture.unwrap_or_default())),
            ("ended", Fact::List(ended)),
            ("of_before", Fact::List(of_before)),
            ("follow", Fact::Flag(follows)),
        ])
    }

    fn line(&self) -> Fact {
        let Some(statement) = &self.dialogue.statement else {
            return Fact::Null;
        };
        let (before, after) = around_cursor(statement);
        [before, after].into_iter().map(Fact::from).collect()
    }

    fn lesson(&self) -> Fact {
        let lesson = &self.runner.lesson;
        if !lesson.is_open && lesson.aside.is_none() {
            return Fact::Null;
        }
        let own = lesson.path.as_ref().filter(|_| lesson.built_in.is_none());
        let text = own.and_then(|_| self.lesson_text());
        let name = own.map_or((&*lesson.name).into(), |path| path.to_string_lossy());
        Fact::Record(vec![
            ("name", Fact::from(&*name)),
            ("place", Fact::Text(lesson.place_to_keep())),
            ("text", text.as_deref().into()),
            ("open", Fact::Flag(lesson.is_open)),
        ])
    }

    /// Notes an entry that has been answered, and returns its number.
    fn note_entry(&mut self, text: &str, before: &Before) -> Option<usize> {
        let session = &self.runner.session;
        let outlook = Outlook::of(session, text, before.pass.as_ref())?;
        let is_of_lesson = self.runner.lesson.runs_apart();
        let mut entry = LiveEntry::of(session, is_of_lesson, text, before.counted, outlook);
        entry.notes_given = Some(before.notes_given);
        self.entries.push(Some(entry));
        Some(self.entries.len() - 1)
    }

    /// Forgets the entries that are about something else now, and returns their numbers.
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

    /// The numbers of the entries that were answered about something of before.
    fn entries_of_before(&self) -> Vec<Fact> {
        let is_of_before = |entry: &LiveEntry| {
            let session = self.runner.session_of(entry.is_of_lesson);
            session.is_some_and(|session| entry.is_of_before(session))
        };
        let entries = self.entries.iter().zip(0..);
        let of_before = entries.filter(|(entry, _)| entry.as_ref().is_some_and(is_of_before));
        of_before.map(|(_, number)| Fact::Count(number)).collect()
    }

    /// The names that stand for something else than after the last entry of the session that is in use.
    fn bound(&mut self) -> Vec<Rc<str>> {
        let known = &mut self.known[usize::from(self.runner.lesson.runs_apart())];
        let now = values_by_name(&self.runner.session);
        let before = std::mem::replace(known, now);
        let values = self.runner.session.names().bound_values();
        let bound = values.filter(|(name, value)| {
            let value_before = before.get(*name).and_then(WeakValue::upgrade);
            value_before.is_none_or(|it| !it.is(value))
        });
        bound.map(|(name, _)| name.into()).collect()
    }

    /// The leaves that sliders may move. One of several names has it.
    fn leaves(&self) -> Vec<Leaf> {
        let session = &self.runner.session;
        let walk = session.walk();
        if walk.is_some_and(|walk| walk.next_node().is_some()) {
            return Vec::new();
        }
        let names = session.names();
        let leaf = |(name, value): (&str, &Value)| {
            let node = value.node()?;
            let is_free = node.is_leaf() && !node.is_frozen() && node.data().is_finite();
            let has_this_name = names.plain_of(node).next() == Some(name);
            (is_free && has_this_name).then(|| Leaf {
                name: name.into(),
                data: node.data(),
                range: session.leaf_range(node),
            })
        };
        names.bound_values().filter_map(leaf).collect()
    }

    /// Those of these leaves that an entry depends on, from the ones that it names.
    fn leaves_below(&self, entry: &LiveEntry, leaves: &[Leaf]) -> Vec<Fact> {
        let names = self.runner.session.names();
        let found = entry.leaves();
        let is_below =
            |name: &&str| (names.find_node(name)).is_some_and(|it| found.contains(&Rc::as_ptr(it)));
        let all = leaves.iter().map(|leaf| &*leaf.name);
        let mut below: Vec<&str> = all.filter(is_below).collect();
        below.sort_by_cached_key(|name| !entry.has_name(name));
        below.into_iter().map(Fact::from).collect()
    }

    /// What an entry answers with the numbers that leaves have. Nothing if it does not depend on this leaf, or does more
    /// than answer.
    pub fn again(&mut self, entry: usize, leaf: &str) -> String {
        let moved = self.runner.session.names().find_node(leaf).cloned();
        if !self.depends_on(entry, moved.iter()) {
            return String::new();
        }
        let answer = self.answer_again(entry, &[]);
        if let Some(Some(entry)) = self.entries.get_mut(entry).filter(|_| !answer.is_empty()) {
            entry.note_answer();
        }
        answer
    }

    /// What an entry would answer after `:set` with these settings, as in `a 2, b 3`. Nothing if it does not depend on a
    /// leaf of them, or does more than answer. The `axis` of a curve goes between these ends.
    pub fn try_out(&mut self, entry: usize, settings: &str, axis: Option<(f64, f64)>) -> String {
        let names = self.runner.session.names();
        let setting = |text: &str| {
            let (name, number) = text.split_once(' ')?;
            let leaf = Rc::clone(names.find_node(name)?);
            let data = number.parse().ok()?;
            Some(Setting { leaf, data })
        };
        let settings: Vec<Setting> = settings.split(", ").filter_map(setting).collect();
        if !self.depends_on(entry, settings.iter().map(|setting| &setting.leaf)) {
            return String::new();
        }
        self.runner.session.show.axis = axis;
        self.runner.movement = Movement::Going;
        let answer = self.answer_again(entry, &settings);
        self.runner.movement = Movement::Possible;
        self.runner.session.show.axis = None;
        answer
    }

    fn depends_on<'n>(&self, entry: usize, mut leaves: impl Iterator<Item = &'n Rc<Node>>) -> bool {
        let entry = self.entries.get(entry).and_then(Option::as_ref);
        entry.is_some_and(|entry| leaves.any(|leaf| entry.depends_on(leaf)))
    }

    /// What an entry answers with these settings, of which nothing stays.
    fn answer_again(&mut self, entry: usize, settings: &[Setting]) -> String {
        let session = &mut self.runner.session;
        let entry = self.entries.get(entry).and_then(Option::as_ref);
        let Some(entry) = entry.filter(|entry| !entry.is_gone(session)) else {
            return String::new();
        };
        session.begin_trial(TrialOf::Lines);
        if let Some(notes_given) = entry.notes_given {
            *session.notes_given_mut() = notes_given;
        }
        if !settings.is_empty() {
            session.set(settings, Widths::new(), |_, _| {});
            session.repeat_pass();
        }
        let is_seen = entry.outlook.restore(&entry.text, session);
        session.show.replay_after = Some(entry.counted);
        let mut lines = Lines::of(entry.text.as_bytes(), 1);
        let ran = is_seen.then(|| script::read(&mut self.runner, LineOrigin::prompt(), &mut lines));
        self.runner.session.show.replay_after = None;
        self.runner.session.end_trial(None);
        // Writing into memory does not fail.
        let _ = self.runner.end_part();
        let _ = self.runner.flush();
        let written = self.written.take();
        if !matches!(ran, Some(Ok(()))) {
            return String::new();
        }
        written
    }

    /// Was a link with this text made when positions counted from 1, and has one?
    pub fn has_position(text: &str) -> bool {
        script::has_position(text)
    }

    /// The line as it looks while it is typed, with the result it would have if that is asked for. The cursor is a byte
    /// position.
    pub fn look(&mut self, line: &str, cursor: usize, is_hinted: bool) -> String {
        let style = self.runner.style(Stream::Answers);
        let session = &mut self.runner.session;
        let mut painted = String::new();
        typed_line::paint_line(session, line, Some(cursor), "", &style, &mut painted);
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

    /// The statements that bring the session back, and that of a lesson; nothing if there are none. Those of the session
    /// that is in use come last, so they grow at the end.
    fn statements_now(&self) -> String {
        let lesson = &self.runner.lesson;
        let now = statements_of(&self.runner.session);
        let aside = lesson.aside.as_ref().map(statements_of);
        let Some(aside) = aside.filter(|aside| !(aside.is_empty() && now.is_empty())) else {
            return now;
        };
        let begin = format!(":play {}\n", lesson.name);
        if lesson.is_open {
            aside + &begin + &now
        } else {
            begin + &aside + LEAVE + &now
        }
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

/// What each name stands for.
fn values_by_name(session: &Session) -> BTreeMap<Rc<str>, WeakValue> {
    let values = session.names().bound_values();
    values
        .map(|(name, value)| (name.into(), value.downgrade()))
        .collect()
}

/// The statements that bring a session back; nothing if there are none.
fn statements_of(session: &Session) -> String {
    let script = session.script();
    if script.statements == 0 {
        return String::new();
    }
    script.text
}

/// How many results there have been.
fn result_count(session: &Session) -> u64 {
    session.results().range().map_or(0, |(_, last)| last)
}

fn object(facts: Vec<(&'static str, Fact)>) -> String {
    let mut out = String::new();
    json::write_fact(&Fact::Record(facts), 0, &mut out);
    out
}
