//! What the line editor `rustyline` asks while a line is typed, on every key: completion, the result shown after the
//! line, colours, and whether the statement is complete.
//!
//! While the editor reads a line, it borrows the session through [`Assistant`], which implements the four traits that
//! the editor calls; nothing done here changes the session. The views decide how the answers look, and the editor
//! decides when to ask. The handlers of individual keys are here, too.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter, HistoryHinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Context, Event, EventContext, Helper, Movement,
    RepeatCount,
};

use super::menu;
use crate::interpret;
use crate::interpret::{Candidate, Preview};
use crate::session::Session;
use crate::shell::process::{panics, terminal};
use crate::shell::script;
use crate::shell::script::host::TypingHost;
use crate::shell::script::typed_line;
use chainrule_language as language;
use chainrule_report::characters;
use chainrule_report::{Piece, count_text};
use chainrule_view as view;
use chainrule_view::Style;
use chainrule_view::theme::{Role, paint_text};

/// Stands between the line and the hint after it.
const GAP: &str = "   ";
/// The key that takes a hint.
const KEY: &str = "→";

/// Keys that follow one another faster than this are not typed one by one.
const TYPED: Duration = Duration::from_millis(20);
/// This many keys at once are a paste that the terminal does not mark. To draw the line anew for each key would only take
/// time.
const PASTED: usize = 256;

/// The helper object that the editor calls.
#[derive(Default)]
pub(crate) struct Assistant {
    /// The session while it is lent to the editor.
    pub session: RefCell<Session>,
    /// The style of answers.
    style: Style,
    /// The statement of a lesson as it was put into the line; empty without a lesson.
    given: String,
    history: HistoryHinter,
    /// The role of the hint that is shown.
    hint: Cell<Role>,
    /// A preview panicked, so no more previews are tried.
    broken: Cell<bool>,
    /// When the last key came, and how many have come too fast to be typed.
    last_key: Cell<Option<Instant>>,
    fast_keys: Cell<usize>,
}

impl Assistant {
    /// Lends the session and the style of its answers for one line, which begins with the statement of a lesson.
    pub(crate) fn lend(&mut self, session: Session, style: Style, given: &str) {
        self.session.replace(session);
        self.style = style;
        given.clone_into(&mut self.given);
    }

    /// Is the line coloured? If so, all of it is redrawn on every key.
    fn is_coloured(&self, line: &str) -> bool {
        self.style.color.is_some()
            && self.fast_keys.get() < PASTED
            && line.len() <= interpret::MOST_HIGHLIGHTED
    }

    /// Whether Enter would run the line without an error, and the result as text. A line that would go on below
    /// counts as one that runs.
    fn preview(&self, line: &str) -> (bool, Option<String>) {
        let tried = self.try_preview(line).unwrap_or_default();
        let wanted = self.session.borrow().settings().is_on("hint");
        let answer = tried.answer.filter(|_| wanted).map(|mut pieces| {
            if self.style.color.is_none() {
                // Without colour the hint would look like typed text. As a comment it can be told apart.
                pieces.insert(0, Piece::plain("# "));
            }
            view::plain(&pieces, &self.style)
        });
        (tried.has_run || script::wants_more(line), answer)
    }

    fn try_preview(&self, line: &str) -> Option<Preview> {
        if self.broken.get() {
            return None;
        }
        let session = &mut *self.session.borrow_mut();
        let usual = session.host();
        let host = Rc::new(TypingHost::new());
        let went = panics::catch_panic(|| interpret::preview(session, line, host));
        if went.is_err() {
            self.broken.set(true);
            // The panic left a trial open and its host in place: undo both.
            let _ = panics::catch_panic(|| session.end_trial(None));
            session.set_host(usual);
        }
        went.ok()
    }

    /// The rest of an earlier line, as far as the row has room, with the key that takes it, so that it is not mistaken for
    /// typed text.
    fn ghost(&self, line: &str, rest: &str) -> String {
        let columns = terminal::answer_size().columns;
        let last = line.rsplit('\n').next().unwrap_or(line);
        let before = characters::width(typed_line::MARGIN) + characters::width(last);
        let room = (columns - before % columns).saturating_sub(characters::width(KEY) + 3);
        let rest = characters::shorten_end(rest, room);
        match self.style.color {
            Some(_) => format!("{rest} [{KEY}]"),
            None => format!("[{rest} {KEY}]"),
        }
    }
}

/// How to leave a bracket that is still open, for who tries to: by a word, or by two lines without one.
fn way_out(text: &str) -> Option<String> {
    let mut lines = text.split('\n').rev().map(str::trim);
    let (last, above) = (lines.next()?, lines.next()?);
    let tries = matches!(last, "exit" | "quit" | "help") || last.is_empty() && above.is_empty();
    let open = language::open_bracket(text).filter(|_| tries)?;
    Some(format!(
        "`{}` is still open: Ctrl-C drops the statement",
        open.of(text)
    ))
}

/// The hint after the line: either the result, which cannot be accepted into the line, or the rest of an earlier line,
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
    type Candidate = Pair;

    /// The completions of the word at the cursor, and where that word starts.
    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let mut found = interpret::completions(&self.session.borrow(), line, at);
        if let Some(asked) = &found.files {
            found.candidates.extend(menu::files(asked));
        }
        if let Some((count, begin)) = found.more {
            // This entry takes part in computing the common prefix, which the unlisted candidates share.
            found.candidates.push(Candidate {
                text: begin,
                shown: format!("… {} more", count_text(count)),
                about: Vec::new(),
            });
        }
        let entries = menu::entries(&found.candidates, &self.style, terminal::answer_size());
        Ok((found.start, entries))
    }
}

impl Hinter for Assistant {
    type Hint = LineHint;

    fn hint(&self, line: &str, at: usize, context: &Context) -> Option<LineHint> {
        let last = self.last_key.replace(Some(Instant::now()));
        let is_fast = last.is_some_and(|last| last.elapsed() < TYPED);
        let fast = if is_fast { self.fast_keys.get() + 1 } else { 0 };
        self.fast_keys.set(fast);
        // A lesson does not give the answer away before Enter is pressed.
        let untouched = !line.is_empty() && line == self.given;
        if at < line.len() || untouched || fast >= PASTED {
            return None;
        }
        let (runs, answer) = self.preview(line);
        if let Some(answer) = answer.or_else(|| way_out(line)) {
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
            text: self.ghost(line, &rest),
            rest: Some(rest),
        })
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        if !self.is_coloured(line) {
            return typed_line::make_drawable(line);
        }
        let session = self.session.borrow();
        let style = Style {
            color: self.style.color,
            ..Style::default()
        };
        let mut out = String::with_capacity(2 * line.len());
        typed_line::paint_line(
            &session,
            line,
            Some(at),
            typed_line::MARGIN,
            &style,
            &mut out,
        );
        Cow::Owned(out)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, own: bool) -> Cow<'b, str> {
        if own {
            paint_text(prompt, Role::Typed, self.style.color).into()
        } else {
            // The editor's own prompt for a history search, which contains the text searched for.
            typed_line::make_drawable(prompt)
        }
    }

    fn highlight_char(&self, line: &str, at: usize, _: CmdKind) -> bool {
        // A key may change the meaning of every word, and which brackets are a pair, so the whole line is redrawn.
        // Without colours the editor appends a typed character unchanged, which must not happen to an unsafe one.
        self.is_coloured(line) || typed_line::ends_unsafe(&line[..at])
    }

    fn highlight_candidate<'c>(&self, shown: &'c str, _: CompletionType) -> Cow<'c, str> {
        let (name, about) = shown.split_at(shown.find(menu::GAP).unwrap_or(shown.len()));
        let about = paint_text(about, Role::Dim, self.style.color);
        format!("{name}{about}").into()
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        paint_text(
            &typed_line::make_drawable(hint),
            self.hint.get(),
            self.style.color,
        )
        .into()
    }
}

/// What a key does, by the line and the cursor; `None` for what it usually does.
pub(crate) struct KeyAction<A>(pub A);

impl<A: Fn(&EventContext) -> Option<Cmd> + Send + Sync> ConditionalEventHandler for KeyAction<A> {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        self.0(context)
    }
}

/// Enter: inserts a line break if the statement is not complete, and an indentation as wide as the prompt. The editor has
/// no prompt for such lines, so the blanks are part of the text, and the margin is painted over them. Pasted lines have no
/// indentation for the margin, and then a line below them has none either: it would seem to be indented like them.
pub(crate) fn continue_line(context: &EventContext) -> Option<Cmd> {
    let mut lines = context.line().lines().skip(1);
    let has_margin = lines.all(|line| line.starts_with(typed_line::INDENT));
    let blanks = if has_margin { typed_line::INDENT } else { "" };
    let goes_on = script::wants_more(context.line());
    goes_on.then(|| Cmd::Insert(1, format!("\n{blanks}")))
}

/// Backspace directly after the indentation: deletes all of its blanks at once. The next Backspace joins the lines.
pub(crate) fn delete_indent(context: &EventContext) -> Option<Cmd> {
    let before = context.line().get(..context.pos())?;
    let line = before.rfind('\n').map(|end| &before[end + 1..])?;
    // A `Backspace` with a count would have its count replaced by the editor; dedenting the line does the same.
    (line == typed_line::INDENT).then_some(Cmd::Dedent(Movement::WholeLine))
}

/// Tab after a number, which nothing completes: writes a blank, so that the cells of a table that the terminal does not
/// mark as pasted do not run together.
pub(crate) fn separate_numbers(context: &EventContext) -> Option<Cmd> {
    let before = context.line().get(..context.pos())?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let word = before.trim_end_matches(is_word);
    let is_number = before[word.len()..].starts_with(|c: char| c.is_ascii_digit());
    let is_command = before.trim_start().starts_with(':');
    (is_number && !is_command).then(|| Cmd::Insert(1, " ".to_owned()))
}
