//! The interface to the line editor `rustyline`: its four traits, without any logic of our own.
//!
//! [`Validator`] asks whether a statement is complete, which `script::wants_more` answers. [`Completer`], [`Hinter`]
//! (the result shown behind the line) and [`Highlighter`] pass the line and the cursor to [`LiveLine`] and translate
//! the answer. The editor calls all of them but [`Completer`] on every key.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustyline::completion::Completer;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Context, Event, EventContext, Helper, Movement,
    RepeatCount,
};

use super::live_line::LiveLine;
use super::menu;
use super::menu::ListedEntry;
use crate::shell::script;
use crate::shell::script::echo;
use crate::view::theme::{Role, painted};

/// Stands between the line and the hint behind it.
const GAP: &str = "   ";

/// The helper object that the editor calls.
#[derive(Default)]
pub(crate) struct Assistant {
    /// Answers the editor's questions about the line.
    pub live_line: LiveLine,
    /// The statement of a lesson as it was put into the line; empty without a lesson.
    pub given: RefCell<String>,
    history: HistoryHinter,
    /// The role of the hint that is shown.
    hint: Cell<Role>,
}

/// The hint behind the line: either the result, which cannot be accepted into the line, or the rest of an earlier line,
/// which can.
#[derive(Debug)]
pub(crate) struct LineHint {
    text: String,
    rest: Option<String>,
}

impl Hint for LineHint {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        self.rest.as_deref()
    }
}

impl Helper for Assistant {}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext) -> rustyline::Result<ValidationResult> {
        // Never `Invalid`: that would keep the user from entering the line, while running it gives a proper error
        // message.
        Ok(if script::wants_more(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

impl Completer for Assistant {
    type Candidate = ListedEntry;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context,
    ) -> rustyline::Result<(usize, Vec<ListedEntry>)> {
        Ok(self.live_line.completed(line, at))
    }
}

impl Hinter for Assistant {
    type Hint = LineHint;

    fn hint(&self, line: &str, at: usize, context: &Context) -> Option<LineHint> {
        // A lesson does not give the answer away before Enter is pressed.
        let untouched = !line.is_empty() && line == *self.given.borrow();
        if !self.live_line.has_time() || at < line.len() || untouched {
            return None;
        }
        let (runs, answer) = self.live_line.preview(line);
        if let Some(answer) = answer {
            self.hint.set(Role::Hint);
            return Some(LineHint {
                text: format!("{GAP}{answer}"),
                rest: None,
            });
        }
        // Where Enter would be an error, the rest of an earlier line would look as if Enter ran it too.
        if !runs {
            return None;
        }
        let rest = self.history.hint(line, at, context)?;
        // The editor would draw an entry of several lines over several rows.
        if rest.contains('\n') {
            return None;
        }
        self.hint.set(Role::Ghost);
        Some(LineHint {
            text: self.live_line.ghost(line, &rest),
            rest: Some(rest),
        })
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        self.live_line
            .painted(line, at)
            .map_or_else(|| echo::drawn(line), Cow::Owned)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, own: bool) -> Cow<'b, str> {
        if own {
            painted(prompt, Role::Typed, self.live_line.theme()).into()
        } else {
            // The editor's own prompt for a history search, which contains the text searched for.
            echo::drawn(prompt)
        }
    }

    fn highlight_char(&self, line: &str, at: usize, _: CmdKind) -> bool {
        // A key may change the meaning of every word, and which brackets are a pair, so the whole line is redrawn.
        // Without colours the editor appends a typed character unchanged, which must not happen to an unsafe one.
        self.live_line.is_coloured(line) || echo::ends_unsafe(&line[..at])
    }

    fn highlight_candidate<'c>(&self, shown: &'c str, _: CompletionType) -> Cow<'c, str> {
        let (name, about) = menu::halves(shown);
        let about = painted(about, Role::Dim, self.live_line.theme());
        format!("{name}{about}").into()
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        painted(&echo::drawn(hint), self.hint.get(), self.live_line.theme()).into()
    }
}

/// The indentation of continuation lines. Enter in the middle of a statement starts a new line, indented by the width
/// of the prompt. The editor has no prompt for such lines, so the blanks are part of the text, and the margin is
/// painted over them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indent(Arc<AtomicUsize>);

impl Indent {
    /// Sets the width of the prompt.
    pub(crate) fn set(&self, width: usize) {
        self.0.store(width, Ordering::Relaxed);
    }

    pub(crate) fn blanks(&self) -> String {
        " ".repeat(self.0.load(Ordering::Relaxed))
    }
}

/// The key handler of Enter: inserts a line break if the statement is not complete.
pub(crate) struct ContinueLine(pub Indent);

impl ConditionalEventHandler for ContinueLine {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let goes_on = script::wants_more(context.line());
        goes_on.then(|| Cmd::Insert(1, format!("\n{}", self.0.blanks())))
    }
}

/// The key handler of Backspace directly behind the indentation: deletes all of its blanks at once. The next Backspace
/// joins the lines.
pub(crate) struct DeleteIndent(pub Indent);

impl ConditionalEventHandler for DeleteIndent {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let blanks = self.0.blanks();
        let before = context.line().get(..context.pos())?;
        let line = before.rfind('\n').map(|end| &before[end + 1..])?;
        // A `Backspace` with a count would have its count replaced by the editor; dedenting the line does the same.
        let behind = line == blanks && !blanks.is_empty();
        behind.then_some(Cmd::Dedent(Movement::WholeLine))
    }
}

/// The key handler of Ctrl-D, with whether a lesson has filled the line: at the end of such a line the key takes that back
/// and ends the line. The editor itself reports Ctrl-D only if the line is empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct CtrlD(pub Arc<AtomicBool>);

impl ConditionalEventHandler for CtrlD {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let at_end = context.pos() == context.line().len();
        (at_end && self.0.swap(false, Ordering::Relaxed)).then_some(Cmd::Interrupt)
    }
}
