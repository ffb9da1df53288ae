//! The statement of a lesson that stands in the line: how it is put there, and whether what was entered is still it.
//!
//! A statement that the user changes stays the lesson's. Once the line was cleared, or replaced by an earlier one, what
//! is in it is the user's own, and the lesson waits.

use std::cell::{Cell, RefCell};

use super::Prompt;
use crate::shell::RunEnd;
use crate::shell::script;
use crate::shell::script::job::LineOrigin;
use crate::shell::script::reading::lesson::LessonStatement;
use crate::shell::script::runner::Runner;

/// What stands in the line while a lesson is played. The editor's helper reports every change.
#[derive(Default)]
pub(crate) struct LessonLine {
    /// The statement as it was put into the line; empty without a lesson.
    given: RefCell<String>,
    last: RefCell<String>,
    own: Cell<bool>,
}

impl LessonLine {
    /// Begins a line that contains this statement.
    pub(crate) fn begin(&self, given: &str) {
        self.given.replace(given.to_owned());
        self.last.replace(given.to_owned());
        self.own.set(given.is_empty());
    }

    /// The line is now this. Says whether it is the statement of the lesson as it was given.
    pub(crate) fn is_untouched(&self, line: &str) -> bool {
        if self.given.borrow().is_empty() {
            return false;
        }
        let untouched = line == *self.given.borrow();
        let mut last = self.last.borrow_mut();
        if untouched {
            self.own.set(false);
        } else if !is_edit(&last, line) {
            self.own.set(true);
        }
        if *last != line {
            last.clear();
            last.push_str(line);
        }
        untouched
    }

    /// Is what was entered the statement of the lesson, perhaps changed?
    pub(crate) fn is_lessons(&self, entered: &str) -> bool {
        let untouched = self.is_untouched(entered);
        untouched || !self.own.get()
    }
}

impl Prompt {
    /// The text to run if what was entered is the statement of the lesson. Where a line cannot be edited, the statement
    /// stands above it, and an empty line runs it.
    pub(super) fn of_lesson(&self, text: &str, statement: &LessonStatement) -> Option<String> {
        let is_lessons = match self.editor.helper() {
            Some(helper) => helper.lesson.is_lessons(text),
            None => text.trim().is_empty() || text.trim() == statement.text,
        };
        let text = if self.unedited && text.trim().is_empty() {
            &statement.text
        } else {
            text
        };
        (is_lessons && !text.trim().is_empty()).then(|| text.to_owned())
    }

    /// Runs the statement of a lesson, and goes on if that succeeds.
    pub(super) fn enter_of_lesson(
        &mut self,
        text: &str,
        statement: &LessonStatement,
        runner: &mut Runner,
    ) -> Result<(), RunEnd> {
        self.remember(text, runner)?;
        runner.keep_comments_of_lesson();
        let failures = runner.failures;
        let origin = LineOrigin {
            path: statement.path.as_deref(),
            ..LineOrigin::prompt()
        };
        self.enter(text, origin, runner)?;
        if runner.failures == failures {
            runner.lesson_goes_on(statement);
        }
        Ok(())
    }
}

/// May one line have become the other by an edit, which keeps half of the shorter one? Else it was cleared or replaced.
fn is_edit(old: &str, new: &str) -> bool {
    let shorter = old.len().min(new.len());
    let same = |(a, b): &(u8, u8)| a == b;
    let begin = old.bytes().zip(new.bytes()).take_while(same).count();
    let end = (old.bytes().rev().zip(new.bytes().rev()))
        .take(shorter - begin)
        .take_while(same)
        .count();
    !new.is_empty() && begin + end >= shorter / 2
}

/// A statement as the editor shows it: its further lines begin below the text of the first one, behind `blanks`. A
/// definition in Python's way gets the empty line that ends it.
pub(crate) fn laid_out(statement: &str, blanks: &str) -> String {
    let mut text = statement.replace('\n', &format!("\n{blanks}"));
    if statement.contains('\n') && script::wants_more(statement) {
        text.push('\n');
        text.push_str(blanks);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LessonLine, is_edit, laid_out};

    #[test]
    fn edits_keep_something_of_the_line() {
        for (old, new, expected) in [
            ("a = 2", "a = 3", true),
            ("a = 2", "a = ", true),
            ("a = 2", "", false),
            ("a = 2", "ab = 2", true),
            ("a = 2", ":grad L", false),
            ("L = a*b + c", "M = a*b + c", true),
            ("y", "x", true),
            ("y", "yx", true),
            ("a = 2", "a = 2", true),
            ("aa", "aaa", true),
        ] {
            assert_eq!(is_edit(old, new), expected, "{old} -> {new}");
        }
    }

    #[test]
    fn a_changed_statement_stays_the_lessons_until_the_line_is_cleared() {
        let line = LessonLine::default();
        line.begin("");
        assert!(!line.is_lessons("a = 2"), "there is no lesson");
        line.begin("a = 2");
        assert!(line.is_lessons("a = 2"));
        assert!(!line.is_untouched("a = "));
        assert!(line.is_lessons("a = 3"));
        line.begin("a = 2");
        assert!(!line.is_untouched(""));
        assert!(!line.is_untouched("x"));
        assert!(!line.is_lessons("x + 1"));
        // Typed again, it is the lesson's.
        assert!(line.is_lessons("a = 2"));
    }

    #[test]
    fn statements_of_several_lines_stand_below_one_another() {
        assert_eq!(laid_out("a = 2", "   "), "a = 2");
        assert_eq!(laid_out("a = [2,\n3]", "   "), "a = [2,\n   3]");
        assert_eq!(
            laid_out("def f(x):\n    return x", "   "),
            "def f(x):\n       return x\n   "
        );
    }
}
