//! Comments that `:save` writes again: those before and behind the statements that bound names.
//!
//! A comment belongs to one binding, so undo and redo bring it back with the value, and a name that is bound anew has
//! none. The heading of a script belongs to the session.

/// The comments of one statement, each line from its `#` on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// The heading of the script, for the first statement behind it.
    pub heading: Vec<Box<str>>,
    /// The lines before the statement; empty ones stand between paragraphs.
    pub before: Vec<Box<str>>,
    /// The comment behind it, on the same line.
    pub behind: Option<Box<str>>,
}

impl Comment {
    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.heading.is_empty() && self.before.is_empty() && self.behind.is_none()
    }

    /// The heading as part of the comment before the statement.
    pub(crate) fn without_heading(mut self) -> Comment {
        if !self.heading.is_empty() {
            let between = (!self.before.is_empty()).then(Box::default);
            let before = std::mem::take(&mut self.before);
            self.before = std::mem::take(&mut self.heading);
            self.before.extend(between.into_iter().chain(before));
        }
        self
    }

    /// Writes a statement, a line or several, between its comments. The one behind it goes to the end of the first line.
    pub(crate) fn write_around(&self, text: &mut String, statement: &str) {
        write_lines(text, &self.before);
        match (&self.behind, statement.split_once('\n')) {
            (Some(behind), Some((first, rest))) => {
                text.extend([first, "  ", behind, "\n", rest]);
            }
            _ => text.push_str(statement),
        }
    }
}

/// Writes comments, a line each.
pub(crate) fn write_lines(text: &mut String, lines: &[Box<str>]) {
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
}
