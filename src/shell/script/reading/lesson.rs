//! A script as a lesson: steps, each a statement with the comments before it, and the place in it.
//!
//! The lines are joined to statements as when the script runs.

use std::path::PathBuf;

use super::chunk::Chunk;
use super::comments::is_comment;
use super::transcript::{SourceLine, Transcript, syntax_reads};
use crate::session::settings::PROMPT;

/// A statement and what is said before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LessonStep {
    /// The comments, a line each, and empty lines between them.
    pub comments: Vec<String>,
    /// The statement, which may have several lines; none behind the last one.
    pub statement: String,
    /// The line on which it begins.
    pub line: usize,
}

/// The lesson that was begun last.
#[derive(Default)]
pub(crate) struct PlayedLesson {
    /// The name of a built-in lesson, or the path as typed.
    pub name: String,
    /// The file, at whose folder paths in the lesson begin.
    pub path: Option<PathBuf>,
    pub steps: Vec<LessonStep>,
    /// The present step, counted from 0.
    pub at: usize,
    /// It was not left.
    pub is_open: bool,
    /// After how many moves the comments of a step were shown last; none before the first.
    pub shown: Option<usize>,
    /// The lesson that follows.
    pub next: Option<&'static str>,
    /// All of a lesson is running, where there is no prompt.
    pub is_whole: bool,
    /// Counts the moves, so that a statement of the lesson that moves in it is recognized.
    pub moves: usize,
}

/// A statement of the lesson, as it stands in the line.
pub(crate) struct LessonStatement {
    /// Its text.
    pub text: String,
    /// The file of the lesson.
    pub path: Option<PathBuf>,
    pub moves: usize,
}

impl PlayedLesson {
    pub(crate) fn count(&self) -> usize {
        let last = self.steps.last();
        self.steps.len() - usize::from(last.is_some_and(|step| step.statement.is_empty()))
    }

    pub(crate) fn go_to(&mut self, at: usize) {
        self.at = at;
        self.is_open = true;
        self.moves += 1;
    }

    /// `3 of 12`
    pub(crate) fn place(&self) -> String {
        format!("{} of {}", self.at + 1, self.count())
    }
}

/// The steps of a script. Comments behind the last statement are a step without one.
pub(crate) fn steps(text: &str) -> Vec<LessonStep> {
    let mut steps = Vec::new();
    let mut comments = Vec::new();
    let mut transcript = Transcript::new(PROMPT);
    let mut chunk = Chunk::default();
    let mut end = |comments: &mut Vec<String>, statement: &str, line: usize| {
        // The further lines of a statement may be indented by as much as the first one.
        let alone = !statement.trim_end().contains('\n');
        let statement = if alone {
            statement.trim()
        } else {
            statement.trim_end()
        };
        if statement.is_empty() {
            return;
        }
        steps.push(LessonStep {
            comments: std::mem::take(comments),
            statement: statement.to_owned(),
            line,
        });
    };
    for (number, line) in (1..).zip(text.lines()) {
        let source = transcript.read(line, syntax_reads);
        let line = source.text();
        if chunk.ends_before(&source) {
            let Chunk { text, first, .. } = std::mem::take(&mut chunk);
            end(&mut comments, &text, first);
        }
        if source == SourceLine::Answer || number == 1 && line.starts_with("#!") {
            // A script that runs by its own name begins with `#!`.
        } else if !chunk.is_open() && (line.trim().is_empty() || is_comment(line)) {
            comments.push(line.trim().to_owned());
        } else if !chunk.push(number, line) {
            let Chunk { text, first, .. } = std::mem::take(&mut chunk);
            end(&mut comments, &text, first);
        }
    }
    end(&mut comments, &chunk.text, chunk.first);
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
