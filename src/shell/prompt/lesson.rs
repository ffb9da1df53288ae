//! The statement of a lesson that stands in the line: how it is put there, and whether what was entered is still it.
//!
//! The lesson goes on when its statement has run, or one that binds the same names. Anything else is the user's own, and
//! the lesson waits.

use super::Prompt;
use crate::interpret::bound_names;
use crate::shell::RunEnd;
use crate::shell::script;
use crate::shell::script::runner::{LineOrigin, Runner};

impl Prompt {
    /// The text to run if what was entered is the statement of the lesson. Where a line cannot be edited, the statement
    /// stands above it, and an empty line runs it.
    pub(super) fn of_lesson(&self, text: &str, statement: &str) -> Option<String> {
        if self.unedited && text.trim().is_empty() {
            return Some(statement.to_owned());
        }
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let names = bound_names(text);
        let binds_the_same = !names.is_empty() && names == bound_names(statement);
        (binds_the_same || words(text) == words(statement)).then(|| text.to_owned())
    }

    /// Runs the statement of a lesson, and goes on if that succeeds.
    pub(super) fn enter_of_lesson(
        &mut self,
        text: &str,
        runner: &mut Runner,
    ) -> Result<(), RunEnd> {
        self.remember(text, runner)?;
        self.comments = runner.lesson.comments();
        let failures = runner.failures;
        let path = runner.lesson.path();
        let origin = LineOrigin {
            path: path.as_deref(),
            ..LineOrigin::prompt()
        };
        self.enter(text, origin, runner)?;
        if runner.failures == failures {
            runner.lesson.go_on();
        }
        Ok(())
    }
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
    use super::laid_out;

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
