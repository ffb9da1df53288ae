//! Reads the records in `tests/screens/`, and replays them. `tests/screens.rs` describes their format.

use std::fs;

use crate::common::process::{Folder, shell_output};
use crate::common::project::{Source, at, files, hold};
use crate::common::{Desk, timeless};
#[cfg(unix)]
use crate::keys::Keyboard;
use crate::typing;

/// A file of recorded sessions.
pub struct Record {
    path: String,
    /// What stands above the first group. Its lines are typed at the beginning of each group.
    head: String,
    pub groups: Vec<Group>,
}

/// A group with its title. The lines of its first part are typed at the beginning of each other part.
pub struct Group {
    pub title: String,
    pub parts: Vec<Part>,
}

/// A session: its lines, or the remarks of a part without lines.
#[derive(Default)]
pub struct Part {
    /// The lines that are typed before it, and are not shown.
    pub begin: Vec<Line>,
    pub lines: Vec<Line>,
    remarks: String,
}

/// A line that does something.
#[derive(Clone)]
pub struct Line {
    pub kind: Kind,
    /// The text behind its prompt, with the lines that continue it.
    pub text: String,
    /// How it stands in the file, with the remarks above it.
    shown: String,
    /// Its recorded answer.
    answer: String,
}

/// What happens to a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Typed,
    Person,
    Python,
    Json,
    Offers,
    Preview,
    Tokens,
    Saved,
    Wish,
    Shell,
    Started,
    Keys,
    Sent,
    Never,
}

/// The prompts of lines of a session.
const TYPED: [(&str, Kind); 9] = [
    ("∂> ", Kind::Typed),
    ("person> ", Kind::Person),
    (">>> ", Kind::Python),
    ("json> ", Kind::Json),
    ("tab> ", Kind::Offers),
    ("typing> ", Kind::Preview),
    ("tokens> ", Kind::Tokens),
    ("saved> ", Kind::Saved),
    ("wish> ", Kind::Wish),
];

/// The prompts of lines for a shell and for a terminal, whose output may look like a session.
const RUN: [(&str, Kind); 5] = [
    ("$ ", Kind::Shell),
    ("tty> ", Kind::Started),
    ("keys> ", Kind::Keys),
    ("sent> ", Kind::Sent),
    ("never> ", Kind::Never),
];

/// The text behind a prompt. Behind a line without text there is no blank.
fn behind<'l>(line: &'l str, prompt: &str) -> Option<&'l str> {
    let is_empty = line == prompt.trim_end();
    line.strip_prefix(prompt).or(is_empty.then_some(""))
}

impl Part {
    fn read(text: &str) -> Part {
        let has = |prompt| text.lines().any(|line| line.starts_with(prompt));
        let (prompts, next) = match text {
            _ if has("tty> ") => (&RUN[..], "< "),
            _ if has("$ ") => (&RUN[..1], "< "),
            _ => (&TYPED[..], "... "),
        };
        let mut part = Part::default();
        // A line continues the one above it, unless that has an answer.
        let mut is_open = false;
        for line in text.lines() {
            let mut found = prompts.iter();
            let begun = found.find_map(|(prompt, kind)| Some((*kind, behind(line, prompt)?)));
            if let Some((kind, typed)) = begun {
                let shown = std::mem::take(&mut part.remarks) + line + "\n";
                let (text, answer) = (typed.to_owned(), String::new());
                part.lines.push(Line {
                    kind,
                    text,
                    shown,
                    answer,
                });
            } else if let Some(rest) = behind(line, next).filter(|_| is_open)
                && let Some(last) = part.lines.last_mut()
            {
                last.text.extend(["\n", rest]);
                last.shown.extend([line, "\n"]);
            } else if line.starts_with("# ") {
                part.remarks.extend([line, "\n"]);
            } else {
                // Remarks stand right above a line. These belong to an answer.
                part.remarks.clear();
                if let Some(last) = part.lines.last_mut() {
                    last.answer.extend([line, "\n"]);
                }
            }
            is_open = begun.is_some() || is_open && behind(line, next).is_some();
        }
        part
    }

    /// Its lines with the answers of a replay.
    fn replayed(&self, mut replay: Replay) -> String {
        for line in &self.begin {
            replay.answer(line);
        }
        let answered = self.lines.iter().map(|line| {
            let answer = replay.answer(line);
            line.shown.clone() + &answer
        });
        let text: String = answered.collect();
        if text.is_empty() {
            self.remarks.clone()
        } else {
            text
        }
    }
}

/// A session of the manual with its present answers, as a reader types it at the prompt: letters need no numbers. Only the
/// README also shows the numbers of results.
pub fn replayed(session: &str, numbered: bool) -> String {
    let part = Part::read(session);
    let mut replay = Replay::of(&part);
    if let Replay::Desk(desk) = &mut replay {
        desk.session.show.shows_numbers = numbered;
        desk.session.show.reads_letters = true;
    }
    part.replayed(replay)
}

impl Group {
    fn read(text: &str, head: &[Line]) -> Group {
        let (title, session) = text.split_once('\n').expect("a group has a title");
        let session = format!("\n{session}");
        let mut parts: Vec<Part> = session.split("\n--\n").map(Part::read).collect();
        let first = [head, &parts[0].lines].concat();
        parts[0].begin = head.to_vec();
        parts[1..]
            .iter_mut()
            .for_each(|part| part.begin.clone_from(&first));
        Group {
            title: title.to_owned(),
            parts,
        }
    }

    /// Its parts with their present answers, under its title.
    fn now(&self) -> String {
        let parts = self
            .parts
            .iter()
            .map(|part| part.replayed(Replay::of(part)));
        let parts: Vec<String> = parts.collect();
        format!("== {}\n{}", self.title, parts.join("--\n"))
    }
}

impl Record {
    fn of(Source { path, text }: Source) -> Record {
        let mut groups = text.split("\n== ");
        let head = groups.next().expect("a file has a head").to_owned();
        let of_head = Part::read(&head).lines;
        let groups = groups.map(|group| Group::read(group, &of_head)).collect();
        Record { path, head, groups }
    }

    /// The record at this path in `tests/screens/`.
    pub fn read(path: &str) -> Record {
        let path = format!("tests/screens/{path}.txt");
        let text = fs::read_to_string(at(&path)).expect("the record is there");
        Record::of(Source { path, text })
    }

    /// All records in a folder of `tests/screens/`.
    pub fn all(folder: &str) -> Vec<Record> {
        let sources = files(&format!("tests/screens/{folder}"), ".txt").into_iter();
        sources.map(Record::of).collect()
    }

    /// The lines of all its sessions.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        let parts = self.groups.iter().flat_map(|group| &group.parts);
        parts.flat_map(|part| &part.lines)
    }

    /// Replays its sessions: the answers must be as recorded.
    pub fn hold(&self) {
        let mut now = self.head.clone();
        for group in &self.groups {
            now.extend(["\n", group.now().trim_end(), "\n"]);
        }
        hold(&self.path, &now);
    }
}

/// A session during its replay.
enum Replay {
    /// In the memory of the test.
    Desk(Box<Desk>),
    /// The program itself, with its answers to the lines that are left.
    Program(std::vec::IntoIter<String>),
    /// A shell or a terminal in an empty folder.
    Folder(Folder),
    #[cfg(unix)]
    Terminal(Keyboard),
}

impl Replay {
    fn of(part: &Part) -> Replay {
        let lines = part.begin.iter().chain(&part.lines);
        #[cfg(unix)]
        if lines.clone().any(|line| line.kind == Kind::Started) {
            return Replay::Terminal(Keyboard::default());
        }
        if lines.clone().any(|line| line.kind == Kind::Shell) {
            return Replay::Folder(Folder::new());
        }
        let mut desk = Desk::default();
        let is_typed = lines.clone().all(|line| line.kind == Kind::Typed);
        if is_typed && lines.clone().any(|line| desk.needs_shell(&line.text)) {
            return Replay::Program(answers_of_program(lines).into_iter());
        }
        Replay::Desk(Box::default())
    }

    fn answer(&mut self, line: &Line) -> String {
        match self {
            Replay::Desk(desk) => answer_in_session(desk, line),
            Replay::Program(answers) => answers.next().unwrap_or_default(),
            Replay::Folder(folder) => shell_output(folder, &line.text),
            #[cfg(unix)]
            Replay::Terminal(keyboard) => keyboard.answer(line.kind, &line.text, &line.answer),
        }
    }
}

/// The answers of the program itself: each is what a run with the line prints more than a run without it. Measured times
/// are made equal.
fn answers_of_program<'l>(lines: impl Iterator<Item = &'l Line>) -> Vec<String> {
    let mut script = String::new();
    let mut known = 0;
    let answers = lines.map(|line| {
        script.extend([&line.text, "\n"]);
        let ran = Folder::new().run(&[], &script);
        assert_eq!(ran.status, Some(0), "{script}");
        let shown = timeless(&ran.out);
        let answer = shown
            .get(known..)
            .unwrap_or("(what was shown before has changed)\n");
        known = shown.len();
        answer.to_owned()
    });
    answers.collect()
}

/// The answer of a session to a line.
fn answer_in_session(desk: &mut Desk, line: &Line) -> String {
    match line.kind {
        Kind::Json => desk.json(&line.text),
        Kind::Offers => typing::offers(desk, &line.text),
        Kind::Preview => typing::preview(desk, &line.text),
        Kind::Tokens => typing::token_letters(desk, &line.text),
        Kind::Saved => {
            let script = desk.session.script().text;
            let statements = script.lines().skip(1);
            statements.flat_map(|statement| [statement, "\n"]).collect()
        }
        Kind::Wish => String::new(),
        Kind::Person => {
            desk.session.show.reads_letters = true;
            desk.screen(&line.text)
        }
        _ => desk.screen(&line.text),
    }
}
