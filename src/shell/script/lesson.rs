//! `:play`: a script as a lesson, which goes from statement to statement.
//!
//! A step is a statement with the comments before it. The lines are joined into statements as when the script runs. The
//! prompt puts the statements into the line.
//!
//! At the prompt and in a page, a lesson of the program has a session of its own. It and the user's take turns: one is in
//! use, the other is put aside in the [`PlayedLesson`]. A script of the user's own runs in the session that is there.

use std::path::PathBuf;

use super::chunk::{chunks, without_indent};
use super::comments;
use crate::commands::help::page_parts;
use crate::commands::{BuiltInLesson, LessonMove};
use crate::interpret::bound_names;
use crate::session::Session;
use chainrule_language::{self as language, Span};
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Block, Fact, Line, Piece, Prose, Report, dim, markdown_line, plural, say};

/// The `kind` of what is shown.
pub(super) const KIND: &str = "play";

/// The lesson that was begun last.
#[derive(Default)]
pub(crate) struct PlayedLesson {
    /// The name of a built-in lesson, or the path as typed.
    pub(crate) name: String,
    /// The file, at whose folder paths in the lesson begin.
    pub(crate) path: Option<PathBuf>,
    pub(super) steps: Vec<LessonStep>,
    /// The present step, counted from 0.
    pub(super) at: usize,
    /// Its statements are put into the line.
    pub(crate) is_open: bool,
    /// The comments of the present step have been shown.
    pub(super) is_shown: bool,
    /// How many guesses at the present step were wrong.
    pub(super) misses: usize,
    /// The lesson of the program that it is, if it is one.
    pub(crate) built_in: Option<&'static BuiltInLesson>,
    /// If it has a session of its own, the one that is not in use: the user's while the lesson is open, else the lesson's.
    pub(crate) aside: Option<Session>,
    /// All of a lesson is running, where there is no prompt.
    pub(super) is_whole: bool,
}

/// A statement and what is said before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LessonStep {
    /// The comments, a line each, and empty lines between them.
    pub(super) comments: Vec<String>,
    /// The comment above a guess that begins with `hint:`, for those who guess wrong.
    pub(super) hint: Vec<String>,
    /// Whether the first guess was right, once there was one.
    pub(super) is_first_right: Option<bool>,
    /// The statement, which may have several lines; none after the last one.
    pub(super) statement: String,
    /// The line on which it begins.
    pub(super) line: usize,
}

impl LessonStep {
    /// Does it ask for a guess?
    fn asks(&self) -> bool {
        asks(&self.statement)
    }
}

impl PlayedLesson {
    pub(super) fn count(&self) -> usize {
        let last = self.steps.last();
        self.steps.len() - usize::from(last.is_some_and(|step| step.statement.is_empty()))
    }

    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
        self.is_shown = false;
        self.misses = 0;
    }

    /// Notes a wrong guess at the present statement. Says whether it is the second one.
    pub(super) fn misses_again(&mut self) -> bool {
        let step = self.steps.get(self.at);
        self.misses += usize::from(step.is_some_and(LessonStep::asks));
        self.misses == 2
    }

    /// Notes whether a guess at the present statement was right.
    pub(super) fn note_guess(&mut self, right: bool) {
        if let Some(step) = self.steps.get_mut(self.at) {
            step.is_first_right.get_or_insert(right);
        }
    }

    /// Where the user is, for a page that goes on there later: the step, and after it for each step whether the first
    /// guess was right.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn place_to_keep(&self) -> String {
        let tried = self.steps.iter().map(|step| match step.is_first_right {
            Some(true) => '+',
            Some(false) => '-',
            None => '.',
        });
        format!("{} {}", self.at, tried.collect::<String>())
    }

    /// Goes to a place that was kept. What is said there has been seen.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn take_up(&mut self, place: &str) {
        let (at, tried) = place.split_once(' ').unwrap_or_default();
        let last = self.count().saturating_sub(usize::from(self.is_open));
        self.go_to(at.parse().unwrap_or(0).min(last));
        self.is_shown = true;
        for (step, tried) in self.steps.iter_mut().zip(tried.chars()) {
            step.is_first_right = (tried != '.').then_some(tried == '+');
        }
    }

    /// The author's hint for the present statement.
    pub(super) fn hint(&self) -> Option<Line> {
        let hint = &self.steps.get(self.at)?.hint;
        let words: Vec<&str> = hint.iter().filter_map(|it| comments::words(it)).collect();
        let words = words.join(" ");
        Some(markdown_line(words.strip_prefix("hint:")?.trim()))
    }

    /// `; 8 of 11 guesses right at the first try`, if the lesson asks for any.
    fn result(&self) -> String {
        let asked = self.steps.iter().filter(|step| step.asks()).count();
        if asked == 0 {
            return String::new();
        }
        let is_right = |step: &&LessonStep| step.is_first_right == Some(true);
        let right = self.steps.iter().filter(is_right).count();
        format!("; {right} of {asked} guesses right at the first try")
    }

    /// `3 of 12`
    pub(super) fn place(&self) -> String {
        format!("{} of {}", self.at + 1, self.count())
    }

    /// Goes on after the present statement has run, unless the statement has moved in the lesson itself.
    pub(crate) fn go_on(&mut self) {
        if self.is_open && self.is_shown {
            self.go_to(self.at + 1);
        }
    }

    /// Is its own session in use?
    pub(crate) fn runs_apart(&self) -> bool {
        self.is_open && self.aside.is_some()
    }

    /// Moves in the lesson. From its end one can go back.
    pub(super) fn move_to(&mut self, to: &LessonMove) -> Result<(), Diagnostic> {
        let count = self.count();
        let goes_back = count > 0 && matches!(to, LessonMove::Back | LessonMove::Step(_));
        if self.at >= count && !goes_back {
            return Err(no_lesson_error());
        }
        match to {
            LessonMove::Next => self.go_to(self.at + 1),
            LessonMove::Back => self.go_to(self.at.saturating_sub(1)),
            LessonMove::Step(step) if (1..=count).contains(step) => self.go_to(step - 1),
            LessonMove::Step(step) => {
                return Err(Diagnostic::new(format!(
                    "the lesson has no statement {step}: it has {count}"
                ))
                .help(format!("a number from 1 to {count}")));
            }
            _ => self.go_to(self.at),
        }
        Ok(())
    }

    /// What is shown before the present statement, or at the end.
    pub(super) fn report(&self) -> Report {
        let (at, count) = (self.at, self.count());
        let step = self.steps.get(at).cloned().unwrap_or_default();
        let said = comments::blocks(&step.comments);
        let facts = vec![
            ("lesson", Fact::Text(self.name.clone())),
            ("step", Fact::Count(at.min(count) as u64 + 1)),
            ("of", Fact::Count(count as u64)),
            ("text", Fact::List(page_parts::lines(&said))),
            ("statement", Fact::Text(step.statement)),
        ];
        let mut blocks = Vec::new();
        if at > 0 || !said.is_empty() {
            blocks.push(Block::Line(Line::new()));
        }
        blocks.extend(said);
        let mut place = if at < count {
            say!("{:dim}", self.place())
        } else {
            let count = plural(count, "statement");
            let end = format!("the end of {}, {count}{}", self.name, self.result());
            let next = self.built_in.and_then(BuiltInLesson::next);
            let next = next
                .map(|next| markdown_line(&format!("; `:play {}` is the next lesson", next.name)));
            dim(say!("{}{}", end, next.unwrap_or_default()))
        };
        if at == 0 && at < count {
            let keys = if HAS_KEYS {
                ": Enter runs the line, Ctrl-C empties it, Ctrl-D leaves the lesson"
            } else {
                ": Enter runs the line, `:play stop` leaves the lesson"
            };
            place.extend(dim(markdown_line(keys)));
        } else if self.steps.iter().position(LessonStep::asks) == Some(at) {
            place.push(Piece::dim(": "));
            place.extend(dim(how_to_guess()));
        }
        blocks.push(Block::Prose(Prose::paragraph(place)));
        if at >= count && self.aside.is_some() {
            let back = "your own session is back; `:play back` returns to that of the lesson";
            blocks.push(Block::Prose(Prose::paragraph(dim(markdown_line(back)))));
        }
        Report::new(KIND, facts, blocks)
    }

    /// What is shown where it is left. It can be taken up again.
    pub(super) fn left_report(&self) -> Report {
        let own = match self.aside {
            Some(_) => ", and your own session is back",
            None => "",
        };
        let line = say!(
            "{:typed} left at {}{}; `:play` goes on there",
            &*self.name,
            self.place(),
            own
        );
        let facts = vec![("left", Fact::Text(self.name.clone()))];
        Report::new(KIND, facts, vec![Block::Line(line)])
    }
}

pub(super) fn no_lesson_error() -> Diagnostic {
    Diagnostic::new("no lesson is open")
        .help("`:play` lists the lessons; one is open at the prompt, a script runs all of it")
}

/// The prompt has keys that a browser takes for itself.
const HAS_KEYS: bool = cfg!(feature = "terminal");

/// How a lesson goes on that waits for a guess.
pub(super) fn how_to_guess() -> Line {
    if HAS_KEYS {
        say!("type a guess, or `?` for a hint; Ctrl-C and `:play next` skip it")
    } else {
        say!("type a guess, or `?` for a hint; `:play next` skips it")
    }
}

/// Makes the comments before the present statement those of the statement that runs next, with which `:save` keeps them.
pub(super) fn keep_comments(lesson: &PlayedLesson, session: &mut Session) {
    session.forget_remarks();
    let step = lesson.steps.get(lesson.at).into_iter();
    for comment in step.flat_map(|step| step.comments.iter().chain(&step.hint)) {
        session.add_remark(comment);
    }
}

/// The place of the number in `:guess x 6x - 4 of y`: it is for the user to find.
pub(super) fn guess_place(text: &str, statement: Span) -> Option<Span> {
    let rest = statement.of(text).strip_prefix(":guess ")?;
    let end = statement.end as usize;
    let words = language::words(text, Span::new(end - rest.len(), end));
    let [_, behind @ ..] = &words[..] else {
        return None;
    };
    let value = behind.first()?;
    let of = behind.iter().rfind(|word| word.of(text) == "of");
    let end = of.map_or(end, |of| text[..of.start as usize].trim_end().len());
    let begin = value.start as usize;
    if begin <= end {
        return Some(Span::new(begin, end));
    }
    // The author has left the number out, as in `:guess x  of y`.
    (end + 2 == begin).then(|| Span::new(end + 1, end + 1))
}

/// Does a statement ask for a guess?
pub(super) fn asks(statement: &str) -> bool {
    around_guess(statement).is_some()
}

/// What a lesson puts into the line, before the cursor and after it: its statement, without the number of a guess.
pub(crate) fn around_cursor(statement: &str) -> (&str, &str) {
    around_guess(statement).unwrap_or((statement, ""))
}

/// What stands before the number of a guess and after it: `:guess x ` and ` of y`.
fn around_guess(statement: &str) -> Option<(&str, &str)> {
    let command = language::statements(statement).next()?.ok()?.span;
    let place = guess_place(statement, command)?;
    let before = Span::new(command.start as usize, place.start as usize);
    let after = Span::new(place.end as usize, command.end as usize);
    Some((before.of(statement), after.of(statement)))
}

/// The command that was typed into the line of a lesson without emptying it: the `:play stop` of `y = f(x):play stop`.
pub(super) fn command_at_cursor<'t>(text: &'t str, statement: &str) -> Option<&'t str> {
    let (before, after) = around_cursor(statement);
    let behind = text.strip_prefix(before)?;
    let typed = behind.strip_suffix(after).unwrap_or(behind).trim();
    typed.starts_with(':').then_some(typed)
}

/// Is what was entered the line of a guess without the guess?
pub(super) fn lacks_guess(text: &str, statement: &str) -> bool {
    around_guess(statement).is_some_and(|(before, after)| {
        let words = before.split_whitespace().chain(after.split_whitespace());
        text.trim().is_empty() || text.trim() == before.trim() || text.split_whitespace().eq(words)
    })
}

/// Is what was entered the statement of the lesson, a guess at the same node, or does it bind the same names?
pub(super) fn is_of_lesson(text: &str, statement: &str) -> bool {
    if let Some((before, after)) = around_guess(statement) {
        let guess = text.trim().strip_prefix(before.trim());
        let guess = guess.map(|guess| guess.strip_suffix(after).unwrap_or(guess));
        // `?` asks for a hint.
        return guess.is_some_and(|guess| guess.trim() != "?");
    }
    let names = bound_names(text);
    let is_typed = text.split_whitespace().eq(statement.split_whitespace());
    is_typed || !names.is_empty() && names == bound_names(statement)
}

/// The steps of a script. Comments after the last statement are a step without one.
pub(super) fn steps(text: &str) -> Vec<LessonStep> {
    let mut steps = Vec::new();
    let mut comments: Vec<String> = Vec::new();
    for chunk in chunks(text).0 {
        let lines = &*chunk.text;
        if !lines.contains('\n') && comments::words(lines).is_some() {
            comments.push(lines.trim().to_owned());
        } else {
            let mut step = LessonStep {
                comments: std::mem::take(&mut comments),
                statement: without_indent(lines.trim_end()).into_owned(),
                line: chunk.first,
                ..LessonStep::default()
            };
            let is_hint = |comment: &String| comment.starts_with("# hint:");
            if step.asks()
                && let Some(at) = step.comments.iter().rposition(is_hint)
            {
                step.hint = step.comments.split_off(at);
            }
            steps.push(step);
        }
    }
    if comments.iter().any(|comment| !comment.is_empty()) {
        steps.push(LessonStep {
            comments,
            ..LessonStep::default()
        });
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::{LessonStep, around_guess, lacks_guess, steps};

    #[test]
    fn a_guess_is_left_to_the_user() {
        for (statement, around) in [
            (":guess n 1 - o^2", Some((":guess n ", ""))),
            (":guess b 0.5", Some((":guess b ", ""))),
            (":guess x 6x - 4 of y", Some((":guess x ", " of y"))),
            (
                ":guess (a*b + c) -2 of (L + 1)  # why?",
                Some((":guess (a*b + c) ", " of (L + 1)")),
            ),
            (":guess x  of y", Some((":guess x ", " of y"))),
            (":guess b", None),
            (":guess", None),
            ("a = 2", None),
        ] {
            assert_eq!(around_guess(statement), around, "{statement}");
            for (entered, lacks) in [
                ("", true),
                (":guess x  of y", true),
                (":guess x", true),
                (":guess x 14 of y", false),
            ] {
                let asks = [":guess x 6x - 4 of y", ":guess x  of y"].contains(&statement);
                let is_empty = entered.is_empty() && around.is_some();
                assert_eq!(
                    lacks_guess(entered, statement),
                    asks && lacks || is_empty,
                    "{statement}: {entered}"
                );
            }
        }
    }

    #[test]
    fn a_script_falls_into_steps() {
        let text = "#!/usr/bin/env chainrule\n# Title.\n\n# one\na = 2  # kept\n:grad a\n\
                    W = [[1, 2],  # first\n     # in a bracket\n     [3, 4]]\n\
                    # two\ndef f(x):\n    y = x^2\n\n    return y\nf(3)\na = (1\n:vars\n# the end\n";
        let step = |comments: &[&str], statement: &str, line| LessonStep {
            comments: comments.iter().map(ToString::to_string).collect(),
            statement: statement.to_owned(),
            line,
            ..LessonStep::default()
        };
        assert_eq!(
            steps(text),
            [
                step(&["# Title.", "", "# one"], "a = 2  # kept", 5),
                step(&[], ":grad a", 6),
                step(
                    &[],
                    "W = [[1, 2],  # first\n     # in a bracket\n     [3, 4]]",
                    7
                ),
                step(&["# two"], "def f(x):\n    y = x^2\n\n    return y", 11),
                step(&[], "f(3)", 15),
                step(&[], "a = (1", 16),
                step(&[], ":vars", 17),
                step(&["# the end"], "", 0),
            ]
        );
        assert_eq!(steps("\n \n"), []);
        let transcript = "∂> a = 2\na = 2\n∂> a^2\n4\n";
        let statements: Vec<String> = steps(transcript)
            .into_iter()
            .map(|step| step.statement.trim().to_owned())
            .collect();
        assert_eq!(statements, ["a = 2", "a^2"]);
    }
}
