//! The comments that wait for the next statement of a source, so that `:save` can write them again.
//!
//! The comments at the top of a script are its heading if an empty line or a statement that binds nothing follows.
//! Those before any other statement that binds nothing are dropped.

use crate::session::Session;
use crate::session::saving::header;
use crate::session::values::Comment;
use crate::syntax;
use crate::syntax::Cut;

/// The comments read so far that no statement has taken.
#[derive(Default)]
pub(crate) struct KeptComments {
    heading: Vec<Box<str>>,
    before: Vec<Box<str>>,
    /// No statement and no heading was read yet.
    at_top: bool,
}

impl KeptComments {
    /// At the beginning of a script.
    pub(crate) fn at_top() -> KeptComments {
        KeptComments {
            at_top: true,
            ..KeptComments::default()
        }
    }

    /// Takes the text if it is a comment or empty. Otherwise offers the comments to the session, before the statements
    /// of the text run. Returns whether it has statements.
    pub(crate) fn offer(&mut self, session: &mut Session, text: &str) -> bool {
        let line = text.trim_start();
        if line.is_empty() || line.starts_with('#') {
            // A comment that was refused would be refused again when it is loaded.
            if syntax::statements(text).all(|cut| cut.is_ok()) {
                self.take(line.trim_end());
            }
            return false;
        }
        let behind = if text.contains('#') {
            comment_behind(text)
        } else {
            None
        };
        if behind.is_some() || !(self.heading.is_empty() && self.before.is_empty()) {
            session.offer_comment(Comment {
                heading: std::mem::take(&mut self.heading),
                before: std::mem::take(&mut self.before),
                behind: behind.map(Into::into),
            });
        }
        true
    }

    /// Takes a comment or an empty line.
    pub(crate) fn take(&mut self, line: &str) {
        if !line.is_empty() {
            let is_first = self.at_top && self.before.is_empty();
            if !(is_first && (line.starts_with("#!") || header::opens(line.as_bytes()))) {
                self.before.push(line.into());
            }
        } else if !self.before.is_empty() {
            if self.at_top {
                self.heading = std::mem::take(&mut self.before);
                self.at_top = false;
            } else {
                self.before.push(Box::default());
            }
        }
    }

    /// Takes back what no binding took: only a heading waits on.
    pub(crate) fn settle(&mut self, session: &mut Session) {
        let at_top = std::mem::replace(&mut self.at_top, false);
        let Some(comment) = session.take_comment_back() else {
            return;
        };
        self.heading = comment.heading;
        if at_top {
            self.heading.extend(comment.before);
        }
    }
}

/// The comment behind the last statement of a text.
fn comment_behind(text: &str) -> Option<&str> {
    let cuts: Result<Vec<Cut>, _> = syntax::statements(text).collect();
    let end = cuts.ok()?.last()?.span.end as usize;
    let rest = text.get(end..)?.trim_start_matches([' ', '\t', ';']);
    rest.starts_with('#').then(|| rest.trim_end())
}

#[cfg(test)]
mod tests {
    use super::comment_behind;

    #[test]
    fn comments_behind_statements() {
        for (text, expected) in [
            ("a = 2", None),
            ("a = 2;", None),
            ("a = 2  # two ", Some("# two")),
            ("a = 2;# two", Some("# two")),
            ("a = 2; b = 3 ; # both", Some("# both")),
            (":graph L 'a # b.svg'", None),
            ("a = [1, # one\n2] # two", Some("# two")),
        ] {
            assert_eq!(comment_behind(text), expected, "{text}");
        }
    }
}
