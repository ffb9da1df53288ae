//! The parts of [`Runner`] that only the prompt uses: lending the session to the editor, pasted text, walks.
//!
//! The statements themselves run as in a script.

use super::live_line::LiveLine;
use crate::shell::process::terminal::Stream;
use crate::shell::script::pager;
use crate::shell::script::pager::Paging;
use crate::shell::script::runner::Runner;
use crate::syntax;

impl Runner {
    /// Switches to interactive use: answers appear at once, and the terminal is asked for its size each time.
    pub(crate) fn at_prompt(&mut self, plain: bool) {
        self.at_prompt = true;
        self.session.numbered = true;
        self.options.ascii |= plain;
        self.output.borrow_mut().at_prompt();
    }

    /// Lends the session to the editor, which needs it for completion, hints and highlighting.
    pub(crate) fn lend(&mut self, live_line: &LiveLine) {
        let style = self.style(Stream::Answers);
        let session = std::mem::take(&mut self.session);
        live_line.lend(session, style);
    }

    pub(crate) fn take_back(&mut self, live_line: &LiveLine) {
        self.session = live_line.give_back();
    }

    /// Announces text that was entered at once: it may be one statement or a pasted block.
    pub(crate) fn pasted(&mut self, text: &str) {
        self.session.set_paste(text);
        // The answers of a pasted block are not paged, just as those of a script are not.
        let alone = syntax::statements(text)
            .filter(|cut| {
                cut.as_ref()
                    .is_ok_and(|cut| !cut.span.of(text).trim().is_empty())
            })
            .nth(1)
            .is_none();
        self.paging = if alone && !self.options.json && pager::pager_wanted(self.session.settings())
        {
            Paging::Long
        } else {
            Paging::Never
        };
    }

    /// Is a walk open that has a next stop?
    pub(crate) fn is_walking(&self) -> bool {
        self.session
            .walk()
            .is_some_and(|walk| walk.next().is_some())
    }

    /// Is a walk open that has reached its end?
    pub(crate) fn has_walked(&self) -> bool {
        self.session
            .walk()
            .is_some_and(|walk| walk.next().is_none())
    }
}
