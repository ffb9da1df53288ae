//! Divides a script into the steps of a lesson, keeps the user's place in it, and writes its reports.
//!
//! `play` begins and ends a lesson for `:play`, and `dialogue` moves through it. `lesson_line` compares the entries of the
//! user with its statements.
//!
//! A step is a statement with the comments before it. The lines are joined into statements as when the script runs. The
//! prompt puts the statements into the line. A question in the comments is a step with the statement `:answer`. A statement
//! with the comment `# ?` is followed by a step that asks for its value; `f'` is a guess of the formula.
//!
//! At the prompt and in a page, a built-in lesson has a session of its own. It and the user's session take turns: one is
//! in use, the other is put aside in the [`PlayedLesson`]. A script of the user's own runs in the user's session.

use std::path::PathBuf;

use super::chunk::{chunks, without_indent};
use super::comments;
use super::lesson_line::{Gap, asked_formula, asked_value, asks, code_before_question};
use crate::command::lesson_question::{ANSWER, ASK, HINT, LessonQuestion};
use crate::command::{BuiltInLesson, LessonMove};
use crate::commands::program::play;
use crate::commands::{self, help, number_of};
use chainrule_language as language;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Block, Fact, Line, Piece, Prose, Report, dim, markdown_line, plural, say};
use chainrule_session::Session;

/// The lesson that was begun last.
#[derive(Default)]
pub(crate) struct PlayedLesson {
    /// The name of a built-in lesson, or the path as typed.
    pub name: String,
    /// The file. Paths in the lesson begin at its folder.
    pub path: Option<PathBuf>,
    pub(super) steps: Vec<LessonStep>,
    /// The index of the present step. After the last step it is the number of steps.
    pub(super) at: usize,
    /// The dialogue puts its statements into the line.
    pub is_open: bool,
    /// The comments of the present step have been shown.
    pub(super) is_shown: bool,
    /// The number of wrong guesses at the present step.
    pub(super) misses: usize,
    /// The built-in lesson, unless it is a script of the user's own.
    pub built_in: Option<&'static BuiltInLesson>,
    /// If the lesson has a session of its own, the session that is not in use: the user's session while the lesson is open,
    /// and the session of the lesson after the user has left it.
    pub aside: Option<Session>,
    /// A whole lesson is running, without a prompt.
    pub(super) is_whole: bool,
}

/// A statement and the comments before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LessonStep {
    /// The lines of the comments, and empty lines between them.
    pub(super) comments: Vec<String>,
    /// The number of lines that are shown. The others are the answers to a question and the hint, which is for those who
    /// guess wrong.
    shown_lines: usize,
    /// Whether the first guess was right; `None` before the first guess.
    pub(super) is_first_right: Option<bool>,
    /// The statement has drawn random numbers, which stay when the user goes back to it.
    pub(super) has_drawn: bool,
    /// The statement, which may have several lines. It is empty if the step has only the comments at the end.
    pub(super) statement: String,
    /// The line on which the statement begins.
    pub(super) line: usize,
}

impl LessonStep {
    /// A statement, which is on this line. If it asks, the answers and the hint before it are hidden.
    fn new(comments: Vec<String>, statement: String, line: usize) -> LessonStep {
        let is_hidden = |comment: &String| {
            let words = comment.trim_start_matches(['#', ' ']);
            words.starts_with(ANSWER) || words.starts_with(HINT)
        };
        let last = comments.iter().rposition(is_hidden);
        let begin = last.filter(|_| asks(&statement)).map(|last| {
            let before = comments[..last].iter().rev();
            last - before.take_while(|it| is_hidden(it)).count()
        });
        LessonStep {
            shown_lines: begin.unwrap_or(comments.len()),
            comments,
            statement,
            line,
            ..LessonStep::default()
        }
    }

    /// The blocks that show the comments.
    pub(super) fn blocks(&self) -> Vec<Block> {
        comments::blocks(&self.comments[..self.shown_lines])
    }

    /// Does the step ask for a guess or an answer?
    fn asks(&self) -> bool {
        asks(&self.statement)
    }

    /// The author's answer to what the step asks. If that is a value, it is the number, which the names of the session have.
    pub(super) fn answer(&self, session: &mut Session) -> Option<String> {
        let written = Gap::of(&self.statement)?.answer;
        let words = self.comments.iter().filter_map(|it| comments::words(it));
        let question = LessonQuestion::all_in(words).pop();
        let asks_value = question.is_some_and(|it| it.asks_value());
        let number = number_of(session, written).filter(|_| asks_value);
        let value = number.map(|it| language::literal(it, false));
        let found = value.or_else(|| commands::asked_formula(session, written));
        Some(found.unwrap_or_else(|| written.to_owned()))
    }
}

impl PlayedLesson {
    /// A built-in lesson at its beginning.
    pub(super) fn of_built_in(built_in: &'static BuiltInLesson) -> PlayedLesson {
        PlayedLesson {
            name: built_in.name.to_owned(),
            // Its table is a part of the program, unless there is a file of that name in this folder.
            path: Some(PathBuf::from(format!("examples/{}.calc", built_in.name))),
            steps: steps(built_in.text),
            built_in: Some(built_in),
            ..PlayedLesson::default()
        }
    }

    /// The number of statements in the lesson. The last step may have only comments.
    pub(super) fn count(&self) -> usize {
        let has_statement = |step: &&LessonStep| !step.statement.is_empty();
        self.steps.iter().filter(has_statement).count()
    }

    /// Goes to a step, whose comments are then shown.
    pub(super) fn go_to(&mut self, at: usize) {
        self.at = at;
        self.is_shown = false;
        self.misses = 0;
    }

    /// Counts a failure at the present statement if it asks for a guess. Returns whether it is the second one, after
    /// which a note says how to go on.
    pub(super) fn count_miss(&mut self) -> bool {
        let step = self.steps.get(self.at);
        self.misses += usize::from(step.is_some_and(LessonStep::asks));
        self.misses == 2
    }

    /// Notes what the present statement has done: whether a guess was right, and whether it has drawn random numbers.
    pub(super) fn note_run(&mut self, is_right: Option<bool>, has_drawn: bool) {
        if let Some(step) = self.steps.get_mut(self.at) {
            step.is_first_right = step.is_first_right.or(is_right);
            step.has_drawn |= has_drawn;
        }
    }

    /// The user's place in the lesson, which a page keeps and [`PlayedLesson::take_up`] reads: the number of the step, then
    /// a sign for each step that tells whether the first guess was right: `3 ..+.`.
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn place_to_keep(&self) -> String {
        let sign = |step: &LessonStep| match step.is_first_right {
            Some(true) => '+',
            Some(false) => '-',
            None => '.',
        };
        let signs: String = self.steps.iter().map(sign).collect();
        format!("{} {signs}", self.at)
    }

    /// Goes to a place from [`PlayedLesson::place_to_keep`].
    #[cfg(not(feature = "terminal"))]
    pub(crate) fn take_up(&mut self, place: &str) {
        let (at, signs) = place.split_once(' ').unwrap_or_default();
        // In a later version the lesson may be shorter. An open lesson is at a statement, not after the last one.
        let last = self.count().saturating_sub(usize::from(self.is_open));
        self.go_to(at.parse().unwrap_or(0).min(last));
        // The user has seen the comments of this step.
        self.is_shown = true;
        for (step, sign) in self.steps.iter_mut().zip(signs.chars()) {
            step.is_first_right = (sign != '.').then_some(sign == '+');
        }
    }

    /// Whether the present statement is this one, and has drawn its random numbers before.
    pub(super) fn has_drawn_for(&self, text: &str) -> bool {
        let step = self.steps.get(self.at);
        step.is_some_and(|it| it.has_drawn && it.statement == text.trim())
    }

    /// The comments of the present step.
    pub(super) fn comments(&self) -> &[String] {
        let step = self.steps.get(self.at);
        step.map_or(&[], |step| &step.comments)
    }

    /// The author's hint for the present statement.
    pub(super) fn hint(&self) -> Option<Line> {
        let step = self.steps.get(self.at)?;
        let hidden = step.comments[step.shown_lines..].iter();
        let words = hidden.filter_map(|it| comments::words(it));
        let lines = words.filter(|line| !line.starts_with(ANSWER));
        let of_hint = lines.map(|line| line.strip_prefix(HINT).unwrap_or(line).trim());
        let hint = of_hint.collect::<Vec<_>>().join(" ");
        (!hint.is_empty()).then(|| markdown_line(&hint))
    }

    /// `; 8 of 11 guesses right at the first try`, if the lesson asks for guesses.
    fn score_text(&self) -> String {
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

    /// Goes on after the present statement has run, unless that statement was a `:play` that moved in the lesson.
    pub(crate) fn go_on(&mut self) {
        if self.is_open && self.is_shown {
            self.go_to(self.at + 1);
        }
    }

    /// Is the session of the lesson in use?
    pub(crate) fn runs_apart(&self) -> bool {
        self.is_open && self.aside.is_some()
    }

    /// Moves in the lesson. At its end only moves back are possible.
    pub(super) fn move_to(&mut self, to: &LessonMove) -> Result<()> {
        let count = self.count();
        let target = match to {
            LessonMove::Next => self.at + 1,
            LessonMove::Back => self.at.saturating_sub(1),
            LessonMove::Step(step) => step.wrapping_sub(1),
            // `:play` alone shows the comments of the present step again. `Runner::play` handles the other moves.
            _ => self.at,
        };
        let goes_back = count > 0 && matches!(to, LessonMove::Back | LessonMove::Step(_));
        if self.at >= count && !goes_back {
            return Err(no_lesson_error());
        }
        if let LessonMove::Step(step) = to
            && target >= count
        {
            let message = format!("the lesson has no statement {step}: it has {count}");
            return Err(Diagnostic::new(message).help(format!("a number from 1 to {count}")));
        }
        self.go_to(target);
        Ok(())
    }

    /// The report of the answer to the present statement.
    pub(super) fn shown_answer(&self, session: &mut Session) -> Result<Report> {
        let step = self.steps.get(self.at);
        let answer = step.and_then(|it| it.answer(session)).ok_or_else(|| {
            Diagnostic::new("the lesson has no answer for this statement")
                .help("Enter runs a statement, and `:play next` skips it")
        })?;
        let line = say!("the answer: {:typed}", &*answer);
        let facts = vec![("shown", Fact::Text(answer))];
        Ok(Report::new(&play::COMMAND, facts, vec![Block::Line(line)]))
    }

    /// The comments that keep what the present step asks, if the user gives no answer: those of a question, or the
    /// statement of a guess with a gap, and its answer.
    pub(super) fn unanswered(&self) -> Option<Vec<String>> {
        let step = self.steps.get(self.at)?;
        let gap = Gap::of(&step.statement)?;
        let mut lines = step.comments.clone();
        if !gap.is_answer {
            let guess = gap.before.trim_start_matches(':');
            lines.push(format!("# {ASK} {guess}…{}", gap.after));
            lines.push(format!("# {ANSWER} {}", gap.answer));
        }
        Some(lines)
    }

    /// The report before the present statement, or at the end.
    pub(super) fn report(&self, has_keys: bool) -> Report {
        let (at, count) = (self.at, self.count());
        let step = self.steps.get(at).cloned().unwrap_or_default();
        let comments = step.blocks();
        let facts = vec![
            ("lesson", Fact::Text(self.name.clone())),
            // Users count steps from 1.
            ("step", Fact::Count(at.min(count) as u64 + 1)),
            ("of", Fact::Count(count as u64)),
            ("text", Fact::List(help::text_lines(&comments))),
            ("statement", Fact::Text(step.statement)),
        ];
        let mut blocks = Vec::new();
        if at > 0 || !comments.is_empty() {
            blocks.push(help::gap());
        }
        blocks.extend(comments);
        let paragraph = |words| Block::Prose(Prose::paragraph(words));
        if at < count {
            blocks.push(paragraph(self.place_line(has_keys)));
        } else {
            blocks.push(paragraph(self.end_line()));
            if self.aside.is_some() {
                let back = "your own session is back; `:play back` returns to that of the lesson";
                blocks.push(paragraph(dim(markdown_line(back))));
            }
        }
        Report::new(&play::COMMAND, facts, blocks)
    }

    /// `3 of 12`, with what goes on at the first statement, and with what helps to guess at the first guess.
    fn place_line(&self, has_keys: bool) -> Line {
        let mut shown = say!("{:dim}", self.place());
        if self.at == 0 {
            shown.extend(dim(markdown_line(if has_keys {
                ": Enter runs the line, Ctrl-C empties it, Ctrl-D leaves the lesson"
            } else {
                ": run the line; `:play stop` leaves the lesson"
            })));
        } else if self.steps.iter().position(LessonStep::asks) == Some(self.at) {
            shown.push(Piece::dim(": "));
            shown.extend(dim(how_to_guess(has_keys)));
        }
        shown
    }

    /// `the end of tour, 12 statements`, with the score and the next lesson.
    fn end_line(&self) -> Line {
        let count = plural(self.count(), "statement");
        let end = format!("the end of {}, {count}{}", self.name, self.score_text());
        let next = match self.built_in.and_then(BuiltInLesson::next) {
            Some(lesson) => markdown_line(&format!("; `:play {}` is the next lesson", lesson.name)),
            None => Line::new(),
        };
        dim(say!("{}{}", end, next))
    }

    /// The report when the user leaves the lesson, which can be taken up again.
    pub(super) fn left_report(&self) -> Report {
        let own_session = match self.aside {
            Some(_) => ", and your own session is back",
            None => "",
        };
        let line = say!(
            "{:typed} left at {}{}; `:play` goes on there",
            &*self.name,
            self.place(),
            own_session
        );
        let facts = vec![("left", Fact::Text(self.name.clone()))];
        Report::new(&play::COMMAND, facts, vec![Block::Line(line)])
    }
}

pub(super) fn no_lesson_error() -> Diagnostic {
    Diagnostic::new("no lesson is open")
        .help("`:play` lists the lessons; one is open at the prompt, a script runs all of it")
}

/// Tells how to go on with a lesson that waits for a guess. A prompt has keys that others keep for themselves.
pub(super) fn how_to_guess(has_keys: bool) -> Line {
    if has_keys {
        say!("type a guess, or `?` for a hint; Ctrl-C and `:play next` skip it")
    } else {
        say!("type a guess, or `?` for a hint; `:play next` skips it")
    }
}

/// Gives comments to the statement that runs next, so that `:save` keeps them with it.
pub(super) fn keep_comments(comments: &[String], session: &mut Session) {
    session.forget_remarks();
    for comment in comments {
        session.add_remark(comment);
    }
}

/// The steps of a script. Comments after the last statement are a step without a statement.
pub(super) fn steps(text: &str) -> Vec<LessonStep> {
    let mut steps = Vec::new();
    let mut comments: Vec<String> = Vec::new();
    for chunk in chunks(text) {
        let lines = &*chunk.text;
        if !lines.contains('\n') && comments::words(lines).is_some() {
            comments.push(lines.trim().to_owned());
            continue;
        }
        let line = chunk.first_line;
        steps.extend(take_questions(&mut comments, line));
        let typed = without_indent(lines.trim_end());
        let code = code_before_question(&typed);
        let asked = code.and_then(asked_value);
        let silenced = code.filter(|_| asked.is_some()).map(|it| format!("{it};"));
        let guess = code.and_then(asked_formula);
        let statement = silenced.or(guess).unwrap_or_else(|| typed.to_string());
        let own_comments = std::mem::take(&mut comments);
        steps.push(LessonStep::new(own_comments, statement, line));
        if let Some(value) = asked {
            comments = vec![
                format!("# {ASK} {value} = ?"),
                format!("# {ANSWER} {value}"),
            ];
            steps.extend(take_questions(&mut comments, line));
        }
    }
    steps.extend(take_questions(&mut comments, 0));
    if comments.iter().any(|comment| !comment.is_empty()) {
        steps.push(LessonStep::new(comments, String::new(), 0));
    }
    steps
}

/// Refuses a question directly above another one, which nobody could answer.
pub(super) fn check_questions(name: &str, text: &str) -> Result<()> {
    let lines = text
        .lines()
        .map(|it| comments::words(it).unwrap_or_default());
    let questions = LessonQuestion::all_in(lines);
    let is_lost = |pair: &&[LessonQuestion]| {
        pair[0].answers.is_empty() && pair[0].lines.end == pair[1].lines.start
    };
    questions.windows(2).find(is_lost).map_or(Ok(()), |pair| {
        let (line, asked) = (pair[0].lines.start + 1, &pair[0].text);
        let message =
            format!("line {line} of `{name}` asks `{asked}`, and the next question follows it");
        let help = "write `# answer: …` below it, or leave a line empty if nobody has to answer it";
        Err(Diagnostic::new(message).help(help))
    })
}

/// Takes the questions that have an answer out of comments, with the comments before them, as steps.
fn take_questions(comments: &mut Vec<String>, line: usize) -> Vec<LessonStep> {
    let words = comments.iter().filter_map(|it| comments::words(it));
    let mut questions = LessonQuestion::all_in(words);
    questions.retain(|question| !question.answers.is_empty());
    let mut begin = 0;
    let take_step = |LessonQuestion { lines, answers, .. }| {
        let of_step = comments.drain(..lines.end - begin).collect();
        begin = lines.end;
        LessonStep::new(of_step, format!(":answer {}", answers[0]), line)
    };
    questions.into_iter().map(take_step).collect()
}

#[cfg(test)]
mod tests {
    use super::{LessonStep, steps};

    #[test]
    fn a_script_falls_into_steps() {
        let text = "#!/usr/bin/env chainrule\n# Title.\n\n# one\na = 2  # kept\n:grad a\n\
                    W = [[1, 2],  # first\n     # in a bracket\n     [3, 4]]\n\
                    # two\ndef f(x):\n    y = x^2\n\n    return y\nf(3)\na = (1\n:vars\n# the end\n";
        let step = |comments: &[&str], statement: &str, line| LessonStep {
            comments: comments.iter().map(ToString::to_string).collect(),
            shown_lines: comments.len(),
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
