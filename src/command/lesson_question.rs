//! Reads the question that stands in comments of a lesson.
//!
//! ```text
//! # ask: Which leaf moves L most?
//! # answer: b
//! # hint: look at the grads
//! ```
//!
//! A question may have several lines, and several answers that are right. `:answer` judges what the user types.

use std::ops::Range;

/// A question of a lesson.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LessonQuestion {
    pub(crate) text: String,
    /// The answers that are right; none if the question is an open one.
    pub(crate) answers: Vec<String>,
    pub(crate) hint: Option<String>,
}

/// The part of a question that a comment begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuestionPart {
    Ask,
    Answer,
    Hint,
}

impl QuestionPart {
    /// The part that these words of a comment begin, and the words behind the colon.
    pub(crate) fn of(words: &str) -> Option<(QuestionPart, &str)> {
        let parts = [
            ("ask:", QuestionPart::Ask),
            ("answer:", QuestionPart::Answer),
            ("hint:", QuestionPart::Hint),
        ];
        let find = |(mark, part)| Some((part, words.trim_start().strip_prefix(mark)?.trim()));
        parts.into_iter().find_map(find)
    }
}

/// The places of the questions in lines, which are words of comments. A question ends before an empty line, and its answers
/// and its hint end before any other words.
pub(crate) fn question_places<'w>(lines: impl IntoIterator<Item = &'w str>) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    // The part to which the last line belongs, if it is one of a question.
    let mut last = None;
    for (at, line) in lines.into_iter().enumerate() {
        let begun = QuestionPart::of(line).map(|(part, _)| part);
        last = match (begun, last) {
            (Some(QuestionPart::Ask), _) => {
                places.push(at..at);
                begun
            }
            (Some(_), Some(_)) => begun,
            (None, Some(QuestionPart::Ask)) if !line.trim().is_empty() => last,
            _ => None,
        };
        if let Some(place) = places.last_mut().filter(|_| last.is_some()) {
            place.end = at + 1;
        }
    }
    places
}

impl LessonQuestion {
    /// The question for the value of a statement with `# ?`.
    pub(crate) fn of_value(value: &str) -> String {
        format!("{value} = ?")
    }

    /// Whether it asks for a value, so that only a number is an answer.
    pub(crate) fn asks_value(&self) -> bool {
        self.text.ends_with("= ?")
    }

    /// The last question in these lines, which are words of comments.
    pub(crate) fn last_in<'w>(lines: impl IntoIterator<Item = &'w str>) -> Option<LessonQuestion> {
        let mut question: Option<LessonQuestion> = None;
        let mut part = QuestionPart::Ask;
        for line in lines {
            let begun = QuestionPart::of(line);
            let words = begun.map_or(line.trim(), |(_, words)| words);
            if let Some((begins, _)) = begun {
                part = begins;
            }
            if begun.is_some_and(|(begins, _)| begins == QuestionPart::Ask) {
                question = Some(LessonQuestion::default());
            }
            let Some(question) = &mut question else {
                continue;
            };
            match part {
                QuestionPart::Ask => add_words(&mut question.text, words),
                QuestionPart::Answer if begun.is_some() => question.answers.push(words.to_owned()),
                QuestionPart::Answer => {}
                QuestionPart::Hint => add_words(question.hint.get_or_insert_default(), words),
            }
        }
        question
    }
}

fn add_words(text: &mut String, words: &str) {
    if !text.is_empty() && !words.is_empty() {
        text.push(' ');
    }
    text.push_str(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_found() {
        let text = "ask: a?\nanswer: b\nhint: c\nWords.\nanswer: d\nask: e\nf?\n\nask: g?\nask: h?\nanswer: i\nanswer: j";
        assert_eq!(question_places(text.lines()), [0..3, 5..7, 8..9, 9..12]);
        assert_eq!(question_places(["hint: a", ""]), []);
    }

    #[test]
    fn questions_are_read_from_comments() {
        let lines = "Before.\nask: Which leaf\nmoves L most?\nanswer: b\nanswer: the leaf b\nhint: look\nat the grads";
        let question = LessonQuestion::last_in(lines.lines()).expect("a question");
        assert_eq!(question.text, "Which leaf moves L most?");
        assert_eq!(question.answers, ["b", "the leaf b"]);
        assert_eq!(question.hint.as_deref(), Some("look at the grads"));
        assert_eq!(LessonQuestion::last_in(["a question: is it?"]), None);
    }
}
