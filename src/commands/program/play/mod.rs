//! `:play LESSON`: a lesson at the prompt, one statement at a time.
//!
//! A lesson is a script: the prompt shows its comments, and proposes its statements one after the other. The shell reads the
//! file and remembers the place. `:tour` begins the first of the built-in lessons.

mod lessons;

pub use self::lessons::BuiltInLesson;
pub(crate) use self::lessons::LESSON_TABLES;

use self::lessons::LESSONS;
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::prelude::*;
use crate::commands::signatures::play::{LESSON, SIGNATURE};
use crate::commands::{Effect, LessonMove};
use chainrule_language::{self as language, Span};
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::{Report, markdown_line, term_rows};

pub(crate) static COMMAND: Command =
    Command::new(SIGNATURE, run, &[(LESSON, Offers::Words(words))]);

/// The alias that begins the first lesson.
const TOUR: &str = "tour";

fn play(to: LessonMove, span: Span) -> Reply {
    Reply::effect(Effect::Play(to, span))
}

/// The words that move within a lesson.
const MOVES: [(&str, &str); 3] = [
    ("next", "skip this statement"),
    ("back", "the statement before"),
    ("stop", "leave; `:play` goes on there"),
];

fn words(_: &Session, _: &[&str]) -> Vec<Word> {
    let lessons = LESSONS.iter().map(|lesson| (lesson.name, lesson.title()));
    lessons
        .chain(MOVES)
        .map(|(word, about)| Word::new(word, markdown_line(about)))
        .collect()
}

fn run(_: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some((word, span)) = arguments.word(LESSON) else {
        if arguments.word.of(arguments.text).ends_with(TOUR) {
            return Ok(play(LessonMove::BuiltIn(&LESSONS[0]), arguments.word));
        }
        // The shell knows whether there is a lesson to go on with. If not, the list is shown.
        let reply = play(LessonMove::On, arguments.word);
        return Ok(Reply {
            report: Some(lesson_list()),
            ..reply
        });
    };
    if let Some(lesson) = LESSONS.iter().find(|lesson| lesson.name == word) {
        return Ok(play(LessonMove::BuiltIn(lesson), span));
    }
    let to = match word {
        "next" => LessonMove::Next,
        "back" => LessonMove::Back,
        "stop" | "end" => LessonMove::Stop,
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            LessonMove::Step(number.parse().unwrap_or(usize::MAX))
        }
        path if path.contains(['.', '/']) || language::strip_quotes(path).is_some() => {
            LessonMove::File(arguments.file(LESSON)?)
        }
        word => return Err(unknown_lesson_error(word, span)),
    };
    Ok(play(to, span))
}

fn unknown_lesson_error(word: &str, span: Span) -> Diagnostic {
    let names = LESSONS.iter().map(|lesson| lesson.name);
    let error = Diagnostic::new(format!("there is no lesson `{word}`")).at(span);
    let moves = || nearest(word, MOVES.map(|(word, _)| word));
    match nearest(word, names).or_else(moves) {
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
    Report::new(COMMAND.name, facts, term_rows(rows.collect()))
}
