//! What the line editor asks while somebody types: adapters without logic.
//!
//! It asks for the end of a statement ([`Validator`], answered by `script::wants_more`). Completion, the hint that
//! shows the result while typing, and highlighting are its other three traits below; each hands the line and the
//! cursor to [`Typing`] and only translates the answer. All but completion runs on every key.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustyline::completion::{Candidate, Completer};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Context, Event, EventContext, Helper, Movement,
    RepeatCount,
};

use super::live_line::Typing;
use super::menu;
use super::menu::ListedEntry;
use crate::shell::script;
use crate::shell::script::drawn;
use crate::view::theme::{Role, painted};

/// Between the line and what is shown behind it.
const GAP: &str = "   ";

/// The editor's view of the calculator.
#[derive(Default)]
pub(crate) struct Assistant {
    /// Who answers.
    pub typing: Typing,
    /// Set by Shift-Tab.
    pub backwards: Backwards,
    history: HistoryHinter,
}

/// What is shown behind the line: the result, which is not to be typed, or the rest of an earlier line, which is.
#[derive(Debug)]
pub(crate) struct Shadow {
    text: String,
    rest: Option<String>,
}

impl Hint for Shadow {
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
        // Never `Invalid`: a mistake is answered with its place and a way out, not held against the one who typed it.
        Ok(if script::wants_more(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

impl Candidate for ListedEntry {
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.text
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
        let back = self.backwards.0.swap(false, Ordering::Relaxed);
        Ok(self.typing.completed(line, at, back))
    }
}

impl Hinter for Assistant {
    type Hint = Shadow;

    fn hint(&self, line: &str, at: usize, context: &Context) -> Option<Shadow> {
        if !self.typing.has_time() || at < line.len() {
            return None;
        }
        let result = self.typing.preview(line).map(|text| Shadow {
            text: format!("{GAP}{text}"),
            rest: None,
        });
        result.or_else(|| {
            let rest = self.history.hint(line, at, context)?;
            // Another line's end would be drawn over several rows.
            let shown = !rest.contains('\n');
            shown.then(|| Shadow {
                text: rest.clone(),
                rest: Some(rest),
            })
        })
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        self.typing
            .painted(line, at)
            .map_or_else(|| drawn::drawn(line), Cow::Owned)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, own: bool) -> Cow<'b, str> {
        if own {
            Cow::Borrowed(prompt)
        } else {
            // That of a search, with what is searched for.
            drawn::drawn(prompt)
        }
    }

    fn highlight_char(&self, line: &str, at: usize, _: CmdKind) -> bool {
        // A key may change the meaning of every word, and the brackets at the cursor. Without colours the editor writes
        // a character that it can append as it is.
        self.typing.is_coloured(line) || drawn::ends_unsafe(&line[..at])
    }

    fn highlight_candidate<'c>(&self, shown: &'c str, _: CompletionType) -> Cow<'c, str> {
        let (name, about) = menu::halves(shown);
        let about = painted(about, Role::Dim, self.typing.theme());
        format!("{name}{about}").into()
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        painted(&drawn::drawn(hint), Role::Hint, self.typing.theme()).into()
    }
}

/// Enter in the middle of a statement goes on in a next line, below the text of the first: so many blanks further right
/// as the sign of the prompt is wide. There is no sign of its own for such lines in this editor, so the blanks are in
/// the text, where the margin is painted over them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Indent(Arc<AtomicUsize>);

impl Indent {
    /// The width of the sign.
    pub(crate) fn set(&self, width: usize) {
        self.0.store(width, Ordering::Relaxed);
    }

    fn blanks(&self) -> String {
        " ".repeat(self.0.load(Ordering::Relaxed))
    }
}

/// What Enter does where a statement is not at its end.
pub(crate) struct GoOn(pub Indent);

impl ConditionalEventHandler for GoOn {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let goes_on = script::wants_more(context.line());
        goes_on.then(|| Cmd::Insert(1, format!("\n{}", self.0.blanks())))
    }
}

/// What Backspace does behind the blanks of such a line: it takes them back together, and the next one joins the lines.
pub(crate) struct GoBack(pub Indent);

impl ConditionalEventHandler for GoBack {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        let blanks = self.0.blanks();
        let before = context.line().get(..context.pos())?;
        let line = before.rfind('\n').map(|end| &before[end + 1..])?;
        // The editor would take a number of characters for a count, and replace it by its own.
        let behind = line == blanks && !blanks.is_empty();
        behind.then_some(Cmd::Dedent(Movement::WholeLine))
    }
}

/// Makes Shift-Tab a Tab that goes back in the list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backwards(Arc<AtomicBool>);

impl ConditionalEventHandler for Backwards {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, _: &EventContext) -> Option<Cmd> {
        self.0.store(true, Ordering::Relaxed);
        Some(Cmd::Complete)
    }
}

/// Sees each Ctrl-C before the editor acts on it: the editor does not tell whether there was a line to clear.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clearing {
    nothing: Arc<AtomicBool>,
}

impl Clearing {
    /// Was the line empty at the last Ctrl-C?
    pub(crate) fn cleared_nothing(&self) -> bool {
        self.nothing.load(Ordering::Relaxed)
    }
}

impl ConditionalEventHandler for Clearing {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        self.nothing
            .store(context.line().is_empty(), Ordering::Relaxed);
        None
    }
}
