//! The parts of [`Runner`] that only the prompt uses: lending the session to the editor, pasted text, walks.
//!
//! The statements themselves run as in a script.

use super::live_line::LiveLine;
use crate::shell::process::terminal;
use crate::shell::process::terminal::Stream;
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
        let cuts = syntax::statements(text).filter_map(Result::ok);
        let mut filled = cuts.filter(|cut| !cut.span.of(text).trim().is_empty());
        let alone = filled.nth(1).is_none();
        // In a lesson, Enter goes on and must not be taken by the pager.
        let wanted =
            self.session.settings().pager && !terminal::cannot_edit() && !self.lesson.is_open;
        self.pages = alone && !self.options.for_programs() && wanted;
    }

    /// If a walk is open: has it a next stop?
    pub(crate) fn walk_goes_on(&self) -> Option<bool> {
        self.session.walk().map(|walk| walk.next().is_some())
    }
}
