//! What the line editor asks while somebody types: adapters without logic.
//!
//! It asks for the end of a statement ([`Validator`], answered by `script::wants_more`). Completion, the hint that
//! shows the result while typing, and highlighting are its other three traits below; each will hand the line and the
//! cursor to a function of the lower layers and only translate the answer. Everything here runs on every key.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Cmd, ConditionalEventHandler, Event, EventContext, Helper, RepeatCount};

use super::script;

/// The editor's view of the calculator.
#[derive(Debug)]
pub struct Assistant;

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

impl Completer for Assistant {
    type Candidate = String;
}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {}

/// Sees each Ctrl-C before the editor acts on it: the editor does not tell whether there was a line to clear.
#[derive(Clone, Debug, Default)]
pub struct Clearing {
    nothing: Arc<AtomicBool>,
}

impl Clearing {
    /// Was the line empty at the last Ctrl-C?
    pub fn cleared_nothing(&self) -> bool {
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
