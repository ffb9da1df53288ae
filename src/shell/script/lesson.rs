//! Divides a script into the steps of a lesson, keeps the user's place in it, and writes its reports.
//!
//! `play` begins and ends a lesson for `:play`, and `dialogue` moves through it. `lesson_line` compares the entries of the
//! user with its statements.
//!
//! A step is a statement with the comments before it. The lines are joined into statements as when the script runs. The
//! prompt puts the statements into the line. A question in the comments is a step with the statement `:answer`. A statement
//! with the comment `# ?` is followed by a step that asks for its value.
//!
//! At the prompt and in a page, a built-in lesson has a session of its own. It and the user's session take turns: one is
//! in use, the other is put aside in the [`PlayedLesson`]. A script of the user's own runs in the user's session.

use std::path::PathBuf;

use super::chunk::{chunks, without_indent};
use super::comments;
use super::lesson_line::{AskedValue, around_cursor, asked_value, asks, author_answer};
use crate::command::{BuiltInLesson, LessonMove};
use crate::commands::help;
use chainrule_report::diagnostic::{Diagnostic, Result};
use chainrule_report::{Block, Fact, Line, Piece, Prose, Report, dim, markdown_line, plural, say};
use chainrule_session::Session;

use crate::command::lesson_question::{LessonQuestion, QuestionPart, question_places};

/// The `kind` of the reports.
pub(super) const KIND: &str = "play";

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
    /// The answers to a question, and the comment above a guess or a question that begins with `hint:`, for those who guess
    /// wrong. No reader sees these lines before.
    pub(super) hidden: Vec<String>,
    /// Whether the first guess was right; `None` before the first guess.
    pub(super) is_first_right: Option<bool>,
    /// The statement, which may have several lines. It is empty if the step has only the comments at the end.
    pub(super) statement: String,
    /// The line on which the statement begins.
    pub(super) line: usize,
}

impl LessonStep {
    /// A statement, which is on this line. The hint above a guess is hidden.
    fn new(mut comments: Vec<String>, statement: String, line: usize) -> LessonStep {
        let is_hint = |comment: &String| comment.starts_with("# hint:");
        let hint = comments
            .iter()
            .rposition(is_hint)
            .filter(|_| asks(&statement));
        let hidden = hint.map(|at| comments.split_off(at)).unwrap_or_default();
        LessonStep {
            comments,
            hidden,
            statement,
            line,
            is_first_right: None,
        }
    }

    /// The question with which comments end. Its first answer is the author's, and its answers and its hint are hidden.
    fn of_question(
        mut comments: Vec<String>,
        question: &LessonQuestion,
        line: usize,
    ) -> LessonStep {
        let is_hidden = |comment: &String| {
            let part = comments::words(comment).and_then(QuestionPart::of);
            part.is_some_and(|(part, _)| part != QuestionPart::Ask)
        };
        let hidden_count = comments.iter().rev().take_while(|it| is_hidden(it)).count();
        LessonStep {
            statement: format!(":answer {}", question.answers[0]),
            hidden: comments.split_off(comments.len() - hidden_count),
            comments,
            line,
            is_first_right: None,
        }
    }

    /// Does the step ask for a guess?
    fn asks(&self) -> bool {
        asks(&self.statement)
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

    /// Notes whether a guess at the present statement was right.
    pub(super) fn note_guess(&mut self, is_right: bool) {
        if let Some(step) = self.steps.get_mut(self.at) {
            step.is_first_right.get_or_insert(is_right);
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

    /// The author's hint for the present statement.
    pub(super) fn hint(&self) -> Option<Line> {
        let hidden = &self.steps.get(self.at)?.hidden;
        let lines = hidden.iter().filter_map(|it| comments::words(it));
        // Of a question, only the parts behind it are hidden.
        let question = LessonQuestion::last_in(std::iter::once("ask:").chain(lines))?;
        Some(markdown_line(&question.hint?))
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
            // `:play` alone shows the comments of the present step again. `Runner::play` handles the other moves.
            _ => self.go_to(self.at),
        }
        Ok(())
    }

    /// The report of the answer to the present statement.
    pub(super) fn shown_answer(&self, session: &Session) -> Result<Report> {
        let statement = self.steps.get(self.at).map_or("", |step| &*step.statement);
        let answer = author_answer(statement).ok_or_else(|| {
            Diagnostic::new("the lesson has no answer for this statement")
                .help("Enter runs a statement, and `:play next` skips it")
        })?;
        let asks_value = self
            .question()
            .is_some_and(|question| question.asks_value());
        let node = session.names().find_node(answer).filter(|_| asks_value);
        let line = match node {
            Some(node) => say!("the answer: {:typed} = {}", answer, node.data()),
            None => say!("the answer: {:typed}", answer),
        };
        let facts = vec![("shown", Fact::from(answer))];
        Ok(Report::new(KIND, facts, vec![Block::Line(line)]))
    }

    /// The question of the present step, with its answers.
    fn question(&self) -> Option<LessonQuestion> {
        let step = self.steps.get(self.at)?;
        let lines = step.comments.iter().chain(&step.hidden);
        LessonQuestion::last_in(lines.filter_map(|it| comments::words(it)))
    }

    /// The comments that keep what the present step asks, if the user gives no answer: those of a question, or the
    /// statement of a guess with a gap, and its answer.
    pub(super) fn unanswered(&self) -> Option<Vec<String>> {
        let step = self.steps.get(self.at).filter(|step| step.asks())?;
        let mut lines: Vec<String> = step.comments.iter().chain(&step.hidden).cloned().collect();
        if self
            .question()
            .is_none_or(|question| question.answers.is_empty())
        {
            let (before, after) = around_cursor(&step.statement);
            let answer = author_answer(&step.statement).unwrap_or("?");
            lines.push(format!(
                "# ask: {}",
                format!("{before}…{after}").trim_start_matches(':')
            ));
            lines.push(format!("# answer: {answer}"));
        }
        Some(lines)
    }

    /// The report before the present statement, or at the end.
    pub(super) fn report(&self, line: LessonLine) -> Report {
        let (at, count) = (self.at, self.count());
        let step = self.steps.get(at).cloned().unwrap_or_default();
        let comments = comments::blocks(&step.comments);
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
            blocks.push(paragraph(self.place_line(line)));
        } else {
            blocks.push(paragraph(self.end_line()));
            if self.aside.is_some() {
                let back = "your own session is back; `:play back` returns to that of the lesson";
                blocks.push(paragraph(dim(markdown_line(back))));
            }
        }
        Report::new(KIND, facts, blocks)
    }

    /// `3 of 12`, with the keys at the first statement, and with what helps to guess at the first guess.
    fn place_line(&self, line: LessonLine) -> Line {
        let mut shown = say!("{:dim}", self.place());
        if self.at == 0 {
            shown.extend(dim(markdown_line(match line {
                LessonLine::Prompt => {
                    ": Enter runs the line, Ctrl-C empties it, Ctrl-D leaves the lesson"
                }
                LessonLine::Page => ": Enter runs the line, `:play stop` leaves the lesson",
                LessonLine::Cell => ": run the cell; `:play stop` leaves the lesson",
            })));
        } else if self.steps.iter().position(LessonStep::asks) == Some(self.at) {
            shown.push(Piece::dim(": "));
            shown.extend(dim(how_to_guess(line)));
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
        Report::new(KIND, facts, vec![Block::Line(line)])
    }
}

pub(super) fn no_lesson_error() -> Diagnostic {
    Diagnostic::new("no lesson is open")
        .help("`:play` lists the lessons; one is open at the prompt, a script runs all of it")
}

/// Where a lesson puts its statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LessonLine {
    /// At the prompt, which has keys that others keep for themselves.
    Prompt,
    /// In the line of a page.
    Page,
    /// In the cell of another program.
    Cell,
}

/// Tells how to go on with a lesson that waits for a guess.
pub(super) fn how_to_guess(line: LessonLine) -> Line {
    match line {
        LessonLine::Prompt => {
            say!("type a guess, or `?` for a hint; Ctrl-C and `:play next` skip it")
        }
        LessonLine::Page | LessonLine::Cell => {
            say!("type a guess, or `?` for a hint; `:play next` skips it")
        }
    }
}

/// Gives the comments of the present step to the statement that runs next, so that `:save` keeps them with it.
pub(super) fn keep_comments(lesson: &PlayedLesson, session: &mut Session) {
    session.forget_remarks();
    if let Some(step) = lesson.steps.get(lesson.at) {
        for comment in step.comments.iter().chain(&step.hidden) {
            session.add_remark(comment);
        }
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
        let statement = without_indent(lines.trim_end()).into_owned();
        let asked = asked_value(&statement);
        let run = asked.as_ref().map_or(&statement, |it| &it.statement);
        let comments_before = std::mem::take(&mut comments);
        steps.push(LessonStep::new(comments_before, run.clone(), line));
        if let Some(AskedValue { value, .. }) = asked {
            let question = LessonQuestion::of_value(&value);
            comments = vec![format!("# ask: {question}"), format!("# answer: {value}")];
            steps.extend(take_questions(&mut comments, line));
        }
    }
    steps.extend(take_questions(&mut comments, 0));
    if comments.iter().any(|comment| !comment.is_empty()) {
        steps.push(LessonStep::new(comments, String::new(), 0));
    }
    steps
}

/// Takes the questions that have an answer out of comments, with the comments before them, as steps.
fn take_questions(comments: &mut Vec<String>, line: usize) -> Vec<LessonStep> {
    let words: Vec<&str> = comments
        .iter()
        .map(|it| comments::words(it).unwrap_or_default())
        .collect();
    let mut steps = Vec::new();
    let mut begin = 0;
    for place in question_places(words.iter().copied()) {
        let question = LessonQuestion::last_in(words[place.clone()].iter().copied());
        if let Some(question) = question.filter(|it| !it.answers.is_empty()) {
            let of_step = comments[begin..place.end].to_vec();
            steps.push(LessonStep::of_question(of_step, &question, line));
            begin = place.end;
        }
    }
    comments.drain(..begin);
    steps
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
