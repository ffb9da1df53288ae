//! Reads the questions that stand in comments of a lesson.
//!
//! ```text
//! # ask: Which leaf moves L most?
//! # answer: b
//! # hint: look at the grads
//! ```
//!
//! A question may have several lines, and several answers that are right. `:answer` judges what the user types.

use std::ops::Range;

/// The words before a question, before an answer that is right, and before the hint.
pub(crate) const ASK: &str = "ask:";
pub(crate) const ANSWER: &str = "answer:";
pub(crate) const HINT: &str = "hint:";

/// A question of a lesson.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LessonQuestion {
    /// The places of its lines, with its answers and its hint, among those that were read.
    pub(crate) lines: Range<usize>,
    pub(crate) text: String,
    /// The answers that are right; none if the question is an open one.
    pub(crate) answers: Vec<String>,
    /// The hint; empty if there is none.
    pub(crate) hint: String,
}

impl LessonQuestion {
    /// The questions in lines, which are words of comments. A question ends before an empty line, and its answers and its
    /// hint end before any other words.
    pub(crate) fn all_in<'w>(lines: impl IntoIterator<Item = &'w str>) -> Vec<LessonQuestion> {
        let mut questions: Vec<LessonQuestion> = Vec::new();
        // The line before belongs to the last question.
        let mut is_open = false;
        for (at, line) in lines.into_iter().enumerate() {
            let words = line.trim();
            if words.starts_with(ASK) {
                is_open = true;
                questions.push(LessonQuestion {
                    lines: at..at,
                    ..LessonQuestion::default()
                });
            }
            let last = questions.last_mut().filter(|_| is_open);
            is_open = last.is_some_and(|question| question.take(words));
        }
        questions
    }

    /// Takes the next line, if it belongs to the question.
    fn take(&mut self, words: &str) -> bool {
        let is_in_text = self.answers.is_empty() && self.hint.is_empty();
        if let Some(answer) = words.strip_prefix(ANSWER) {
            self.answers.push(answer.trim().to_owned());
        } else if let Some(hint) = words.strip_prefix(HINT) {
            add_words(&mut self.hint, hint);
        } else if is_in_text && !words.is_empty() {
            add_words(&mut self.text, words.strip_prefix(ASK).unwrap_or(words));
        } else {
            return false;
        }
        self.lines.end += 1;
        true
    }

    /// Whether it asks for a value, so that only a number is an answer.
    pub(crate) fn asks_value(&self) -> bool {
        self.text.ends_with("= ?")
    }
}

fn add_words(text: &mut String, words: &str) {
    text.push_str(if text.is_empty() { "" } else { " " });
    text.push_str(words.trim());
}

#[cfg(test)]
mod tests {
    use super::LessonQuestion;

    #[test]
    fn questions_are_read_from_comments() {
        let text = "ask: a?\nanswer: b\nhint: c\nWords.\nanswer: d\nask: e\nf?\n\nask: g?\nask: h?\nanswer: i\n\
                    answer: the j\na question: is it?";
        let question = |lines, text: &str, answers: &[&str], hint: &str| LessonQuestion {
            lines,
            text: text.to_owned(),
            answers: answers.iter().map(ToString::to_string).collect(),
            hint: hint.to_owned(),
        };
        assert_eq!(
            LessonQuestion::all_in(text.lines()),
            [
                question(0..3, "a?", &["b"], "c"),
                question(5..7, "e f?", &[], ""),
                question(8..9, "g?", &[], ""),
                question(9..12, "h?", &["i", "the j"], ""),
            ]
        );
        assert_eq!(LessonQuestion::all_in(["hint: a", ""]), []);
    }
}
