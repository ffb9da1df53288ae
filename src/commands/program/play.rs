//! `:play LESSON`: begins a lesson at the prompt, or moves in the current one, one statement at a time.
//!
//! A lesson is a script: the prompt shows its comments and proposes its statements, one after the other. The shell reads
//! the file and remembers the place. `:tour` begins the first of the built-in lessons, which are scripts of `examples/`.
//! The first comment of a script is its title.

use crate::command::args::suggestions::{Offers, Word};
use crate::command::prelude::*;
use crate::command::signatures::play::{LESSON, SIGNATURE};
use crate::command::{BuiltInLesson, Effect, LessonMove};
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::{markdown_line, term_rows};

/// The text of a file in `examples/`.
macro_rules! example {
    ($file:literal) => {
        include_str!(concat!("../../../examples/", $file))
    };
}

const fn lesson(name: &'static str, text: &'static str) -> BuiltInLesson {
    BuiltInLesson { name, text }
}

const LESSONS: &[BuiltInLesson] = &[
    lesson("tour", example!("0_tour.calc")),
    lesson("slope", example!("1_slope.calc")),
    lesson("chain", example!("2_chain.calc")),
    lesson("twice", example!("3_twice.calc")),
    lesson("neuron", example!("4_neuron.calc")),
    lesson("tanh", example!("5_tanh.calc")),
    lesson("learning", example!("6_learning.calc")),
    lesson("network", example!("7_network.calc")),
    lesson("iris", example!("iris.calc")),
    lesson("regression", example!("regression.calc")),
];

/// The tables that the lessons read, with the names of their files.
pub(crate) const LESSON_TABLES: [(&str, &str); 3] = [
    ("moons.csv", example!("moons.csv")),
    ("iris.csv", example!("iris.csv")),
    ("regression.csv", example!("regression.csv")),
];

/// The title of a lesson: its first comment.
pub(crate) fn title_of(text: &str) -> &str {
    let first = text.trim_start().lines().next();
    let comment = first.filter(|line| line.starts_with('#'));
    comment.map_or("", |line| line.trim_start_matches('#').trim())
}

impl BuiltInLesson {
    /// Its title.
    pub fn title(&self) -> &'static str {
        title_of(self.text)
    }

    /// Returns the next lesson.
    pub fn next(&self) -> Option<&'static BuiltInLesson> {
        let place = LESSONS.iter().position(|lesson| lesson == self)?;
        LESSONS.get(place + 1)
    }
}

pub(crate) static COMMAND: Command =
    Command::new(SIGNATURE, run, &[(LESSON, Offers::Words(words))]);

/// The alias that means `:play` with the same word.
const TOUR: &str = "tour";

/// The words that move within a lesson.
const MOVES: [(&str, &str); 4] = [
    ("next", "skip this statement"),
    ("show", "show the answer, which then counts as not solved"),
    ("back", "the statement before"),
    ("stop", "leave; `:play` goes on there"),
];

/// The lessons and the moves, for completion.
fn words(_: &Session, _: &[&str]) -> Vec<Word> {
    let lessons = LESSONS.iter().map(|lesson| (lesson.name, lesson.title()));
    lessons
        .chain(MOVES)
        .map(|(word, about)| Word::new(word, markdown_line(about)))
        .collect()
}

fn run(_: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let command = arguments.name_span;
    let is_tour = command.of(arguments.text).ends_with(TOUR);
    let named = arguments.first_word(LESSON);
    let Some((word, span)) = named.or(is_tour.then_some((TOUR, command))) else {
        // The shell knows whether there is a lesson to continue. If not, it shows the list.
        return Ok(Reply {
            report: Some(lesson_list()),
            ..Reply::effect(Effect::Play(LessonMove::On, command))
        });
    };
    if let Some(lesson) = LESSONS.iter().find(|lesson| lesson.name == word) {
        let beginning = LessonMove::BuiltIn(lesson);
        return Ok(Reply::effect(Effect::Play(beginning, span)));
    }
    let lesson_move = match word {
        "next" => LessonMove::Next,
        "back" => LessonMove::Back,
        "show" => LessonMove::Show,
        "stop" | "end" => LessonMove::Stop,
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            // A number that is too large for `usize` is beyond the end of any lesson.
            LessonMove::Step(number.parse().unwrap_or(usize::MAX))
        }
        path if path.contains(['.', '/']) || language::strip_quotes(path).is_some() => {
            LessonMove::File(arguments.file(LESSON)?)
        }
        _ => return Err(unknown_lesson_error(word, span)),
    };
    Ok(Reply::effect(Effect::Play(lesson_move, span)))
}

fn unknown_lesson_error(word: &str, span: Span) -> Diagnostic {
    let lessons = LESSONS.iter().map(|lesson| lesson.name);
    let error = Diagnostic::new(format!("there is no lesson `{word}`")).at(span);
    match nearest(word, lessons).or_else(|| nearest(word, MOVES.map(|(name, _)| name))) {
        Some(near) => error.help(format!("did you mean `:play {near}`?")),
        None => error.help(format!(
            "`:play` lists the lessons; a script of your own is played by `:play {word}.calc`"
        )),
    }
}

/// The report that lists the lessons.
fn lesson_list() -> Report {
    let lessons = || LESSONS.iter().map(|lesson| (lesson.name, lesson.title()));
    let rows = lessons().map(|(name, title)| (format!(":play {name}"), markdown_line(title)));
    let lesson = |(name, title): (&str, &str)| vec![("name", name.into()), ("title", title.into())];
    let facts = vec![("lessons", lessons().map(lesson).collect())];
    Report::new(&COMMAND, facts, term_rows(rows.collect()))
}
