//! The runner while somebody sits at the prompt: what is typed, what is walked, what the editor may look at.
//!
//! What is entered runs as ever; how it is read and edited the prompt knows.

use super::live_line::Typing;
use crate::shell::process::terminal::Stream;
use crate::shell::script::pager;
use crate::shell::script::pager::Paging;
use crate::shell::script::runner::Runner;
use crate::syntax;

impl Runner {
    /// From here on somebody is watching: answers appear at once, and the terminal is asked for its size each time.
    pub(crate) fn at_prompt(&mut self, plain: bool) {
        self.at_prompt = true;
        self.session.numbered = true;
        self.options.ascii |= plain;
        self.output.borrow_mut().at_prompt();
    }

    /// Lends the session to whoever looks at what is being typed.
    pub(crate) fn lend(&mut self, typing: &Typing) {
        let style = self.style(Stream::Answers);
        let session = std::mem::take(&mut self.session);
        typing.lend(session, style);
    }

    /// Takes the session back.
    pub(crate) fn take_back(&mut self, typing: &Typing) {
        self.session = typing.give_back();
    }

    /// These lines were entered at once.
    pub(crate) fn pasted(&mut self, text: &str) {
        self.session.set_paste(text);
        // The answers of a block are to run through, as those of a script are.
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

    /// Is a walk open that has come to its end?
    pub(crate) fn has_walked(&self) -> bool {
        self.session
            .walk()
            .is_some_and(|walk| walk.next().is_none())
    }
}
