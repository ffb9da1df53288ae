//! The comments of a statement wait for the first name or function that it binds.
//!
//! They are offered before the statement runs, and what no binding took is taken back after it.

use std::rc::Rc;

use crate::session::Session;
use crate::session::functions::Function;
use crate::session::naming::NameId;
use crate::session::values::Comment;

impl Session {
    /// Offers the comments of the statement that runs next.
    pub fn offer_comment(&mut self, comment: Comment) {
        self.comment = (!comment.is_empty()).then(|| Box::new(comment));
    }

    /// Takes the comments back that no binding took.
    pub fn take_comment_back(&mut self) -> Option<Box<Comment>> {
        self.comment.take()
    }

    /// Gives the comments that wait to a name that was just bound.
    pub(super) fn comment_name(&mut self, id: NameId) {
        if let Some(comment) = self.comment.take() {
            let comment = self.with_heading_kept(*comment);
            self.names.keep_comment(id, comment);
        }
    }

    /// Gives the comments that wait to a function that was just defined.
    pub(in crate::session::building) fn comment_function(&mut self, function: &Function) {
        if let Some(comment) = self.comment.take() {
            let comment = self.with_heading_kept(*comment);
            // The function is new, so it has no comment yet.
            let _ = function.comment.set(comment);
        }
    }

    /// The heading of a script with which a session begins is that of the session.
    fn with_heading_kept(&mut self, mut comment: Comment) -> Comment {
        let mut known = self
            .names
            .bound()
            .map(drop)
            .chain(self.functions.iter().map(drop));
        let first = !comment.heading.is_empty() && known.nth(1).is_none();
        drop(known);
        if first && self.names.heading.is_none() {
            let heading = Rc::from(std::mem::take(&mut comment.heading));
            self.names.heading.write((), Some(heading));
        }
        comment.without_heading()
    }
}
