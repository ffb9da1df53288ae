//! Helps the line editor `rustyline` on every key: with completions, the result that is shown after the line, colours,
//! and whether the statement is complete.
//!
//! While the editor reads a line, it borrows the session through [`Assistant`], which implements the four traits that
//! the editor calls; none of them changes the session. The handlers of individual keys are here, too.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter, HistoryHinter};
use rustyline::line_buffer::LineBuffer;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Changeset, Cmd, CompletionType, ConditionalEventHandler, Context, Event, EventContext, Helper,
    RepeatCount,
};

use super::menu;
use super::paste::Paste;
use super::ready_statement::ReadyStatement;
use super::replacement::{NextReplacement, Replacement};
use crate::commands::find_without_colon;
use crate::interpret::{self, Candidate, Preview};
use crate::shell::process::{terminal, world};
use crate::shell::script::file_names::matching_files;
use crate::shell::script::host::TypingHost;
use crate::shell::script::{self, typed_line};
use chainrule_language as language;
use chainrule_report::{Piece, characters, count_text};
use chainrule_session::Session;
use chainrule_view::theme::{Role, paint_text};
use chainrule_view::{self as view, Style};

/// The blanks between the line and the result after it.
const HINT_GAP: &str = "   ";
/// The key that accepts the rest of an earlier line.
const ACCEPT_KEY: &str = "→";

/// Keys that follow one another faster are pasted: nobody types 50 keys a second.
const MIN_TYPING_INTERVAL: Duration = Duration::from_millis(20);
/// After this many fast keys the line is no longer redrawn for each key, which would slow the paste down.
const MAX_REDRAWN_KEYS: usize = 256;

/// The helper object that the editor calls. After each change of the line the editor calls `hint`, then `highlight_char`,
/// and `highlight` and `highlight_hint` if the line is redrawn.
#[derive(Default)]
pub(crate) struct Assistant {
    /// The session while the editor reads a line.
    pub session: RefCell<Session>,
    /// The style of answers.
    pub style: Style,
    /// The statement of a lesson as it was put into the line; empty without a lesson.
    pub given_line: String,
    /// What a key replaces.
    next: NextReplacement,
    history: HistoryHinter,
    /// The role of the hint that is shown.
    hint_role: Cell<Role>,
    last_key: Cell<Option<Instant>>,
    /// The number of keys since the last one that was typed and not pasted.
    fast_keys: Cell<usize>,
}

impl Assistant {
    pub(crate) fn new(next: NextReplacement) -> Assistant {
        Assistant {
            next,
            ..Assistant::default()
        }
    }

    /// Counts a key. Keys that follow one another fast are pasted.
    fn count_key(&self) {
        let last = self.last_key.replace(Some(Instant::now()));
        let is_fast = last.is_some_and(|key| key.elapsed() < MIN_TYPING_INTERVAL);
        let count = if is_fast { self.fast_keys.get() + 1 } else { 0 };
        self.fast_keys.set(count);
    }

    /// Is so much being pasted that the line is not redrawn for each key?
    fn is_pasting(&self) -> bool {
        self.fast_keys.get() >= MAX_REDRAWN_KEYS
    }

    /// Is the line coloured? If so, all of it is redrawn on every key.
    fn is_coloured(&self, line: &str) -> bool {
        self.style.theme.is_some()
            && !self.is_pasting()
            && line.len() <= interpret::MOST_HIGHLIGHTED
    }

    /// Runs a line in a trial that is undone.
    fn preview(&self, line: &str) -> Preview {
        let host = Rc::new(TypingHost(world::now()));
        interpret::preview(&mut self.session.borrow_mut(), line, host)
    }

    /// The text of a live result.
    fn result_text(&self, mut result: Vec<Piece>) -> String {
        if self.style.theme.is_none() {
            // Without colour the hint would look like typed text. As a comment it can be told apart.
            result.insert(0, Piece::plain("# "));
        }
        view::plain(&result, &self.style)
    }

    /// The rest of an earlier line, as far as the row has room, with the key that accepts it, so that it is not mistaken
    /// for typed text.
    fn ghost(&self, line: &str, rest: &str) -> String {
        let columns = terminal::answer_size().columns;
        let last = line.rsplit('\n').next().unwrap_or(line);
        let before = characters::width(typed_line::MARGIN) + characters::width(last);
        // The blank and the two brackets take three columns.
        let room = (columns - before % columns).saturating_sub(characters::width(ACCEPT_KEY) + 3);
        let shown = characters::shorten_end(rest, room);
        match self.style.theme {
            Some(_) => format!("{shown} [{ACCEPT_KEY}]"),
            None => format!("[{shown} {ACCEPT_KEY}]"),
        }
    }
}

/// Says how to leave an open bracket if the user seems to try: by a word such as `quit`, or by two empty lines.
fn way_out(text: &str) -> Option<String> {
    let mut lines = text.split('\n').rev().map(str::trim);
    let (last, above) = (lines.next()?, lines.next()?);
    let is_leaving = find_without_colon(last).is_some() || last.is_empty() && above.is_empty();
    let open = language::open_bracket(text).filter(|_| is_leaving)?;
    let bracket = open.of(text);
    Some(format!(
        "`{bracket}` is still open: Ctrl-C drops the statement"
    ))
}

/// The hint after the line: the result of the line, or the rest of an earlier line.
#[derive(Debug)]
pub(crate) struct LineHint {
    text: String,
    /// The text that a key accepts into the line. A result has none.
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
        // Never `Invalid`: the editor would not accept the line, but running it gives a proper error message.
        if script::wants_more(&typed_line::without_margin(context.input())) {
            return Ok(ValidationResult::Incomplete);
        }
        Ok(ValidationResult::Valid(None))
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    /// The place where the word at the cursor starts, and its completions.
    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        if let Some(Replacement { place, text }) = self.next.waiting() {
            let candidate = Pair {
                display: String::new(),
                replacement: text,
            };
            return Ok((place.start, vec![candidate]));
        }
        let place = typed_line::place_in_text(line, at);
        let text = typed_line::without_margin(line);
        let mut found = interpret::completions(&self.session.borrow(), &text, place);
        if let Some(asked) = &found.files {
            found.candidates.extend(matching_files(asked));
        }
        if let Some((count, begin)) = found.more {
            // The editor includes this entry in the common prefix, which the unlisted candidates share.
            found.candidates.push(Candidate {
                text: begin,
                shown: format!("… {} more", count_text(count)),
                about: Vec::new(),
            });
        }
        let entries = menu::entries(&found.candidates, &self.style, terminal::answer_size());
        Ok((at - (place - found.start), entries))
    }

    fn update(&self, line: &mut LineBuffer, start: usize, chosen: &str, changes: &mut Changeset) {
        let replacement = self.next.take();
        let end = replacement.map_or(line.pos(), |it| it.place.end);
        line.replace(start..end, chosen, changes);
    }
}

impl Hinter for Assistant {
    type Hint = LineHint;

    fn hint(&self, line: &str, at: usize, context: &Context) -> Option<LineHint> {
        // The editor calls this first after each change of the line.
        self.count_key();
        // A lesson does not give the answer away before Enter is pressed.
        let is_untouched = !line.is_empty() && line == self.given_line;
        if at < line.len() || is_untouched || self.is_pasting() {
            return None;
        }
        let plain = typed_line::without_margin(line);
        let preview = self.preview(&plain);
        let shows_results = self.session.borrow().settings().is_on("hint");
        let answer = preview.answer.filter(|_| shows_results);
        let result = answer.map(|pieces| self.result_text(pieces));
        if let Some(text) = result.or_else(|| way_out(line)) {
            self.hint_role.set(Role::Hint);
            return Some(LineHint {
                text: format!("{HINT_GAP}{text}"),
                rest: None,
            });
        }
        // If Enter would give an error, the rest of an earlier line would look as if Enter ran it too.
        if !preview.has_run && !script::wants_more(&plain) {
            return None;
        }
        let rest = self.history.hint(line, at, context)?;
        // The editor would draw an entry of several lines over several rows.
        if rest.contains('\n') {
            return None;
        }
        self.hint_role.set(Role::Ghost);
        Some(LineHint {
            text: self.ghost(line, &rest),
            rest: Some(rest),
        })
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, at: usize) -> Cow<'l, str> {
        if !self.is_coloured(line) {
            return typed_line::make_drawable(&typed_line::show_margin(line)).into();
        }
        let session = self.session.borrow();
        let style = Style {
            theme: self.style.theme,
            ..Style::default()
        };
        let mut out = String::with_capacity(2 * line.len());
        let margins = typed_line::margins_of(line);
        let text = typed_line::without_margin(line);
        let place = typed_line::place_in_text(line, at);
        typed_line::paint_line(&session, &text, Some(place), &margins, &style, &mut out);
        Cow::Owned(out)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(
        &'s self,
        prompt: &'p str,
        is_ours: bool,
    ) -> Cow<'b, str> {
        if is_ours {
            paint_text(prompt, Role::Typed, self.style.theme).into()
        } else {
            // The editor's own prompt for a history search, which contains the text searched for.
            typed_line::make_drawable(prompt).into()
        }
    }

    fn highlight_char(&self, line: &str, at: usize, _: CmdKind) -> bool {
        // A key may change the meaning of every word, and which brackets are a pair, so the whole line is redrawn.
        // Without colours the editor appends a typed character unchanged, which must not happen to an unsafe one.
        self.is_coloured(line) || typed_line::ends_unsafe(&line[..at])
    }

    fn highlight_candidate<'c>(&self, shown: &'c str, _: CompletionType) -> Cow<'c, str> {
        let name_end = shown.find(menu::GAP).unwrap_or(shown.len());
        let (name, about) = shown.split_at(name_end);
        let dim_about = paint_text(about, Role::Dim, self.style.theme);
        format!("{name}{dim_about}").into()
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let drawable = typed_line::make_drawable(hint);
        paint_text(&drawable, self.hint_role.get(), self.style.theme).into()
    }
}

/// Decides what a key does that is not pasted, by the line and the cursor. `None` stands for its usual action.
pub(crate) struct KeyAction<A> {
    pub paste: Paste,
    pub ready: ReadyStatement,
    pub action: A,
}

impl<A> ConditionalEventHandler for KeyAction<A>
where
    A: Fn(&Event, &EventContext) -> Option<Cmd> + Send + Sync,
{
    fn handle(
        &self,
        event: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext,
    ) -> Option<Cmd> {
        let pasted = self.paste.take_key(event, context);
        let replaced = || self.ready.take_key(event, context);
        pasted
            .or_else(replaced)
            .or_else(|| (self.action)(event, context))
    }
}

/// Tab after a number, which has no completions: writes a blank, so that the cells of a pasted table do not run together
/// if the terminal does not mark it as pasted.
pub(crate) fn separate_numbers(context: &EventContext) -> Option<Cmd> {
    let before = context.line().get(..context.pos())?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let word = before.trim_end_matches(is_word);
    let is_number = before[word.len()..].starts_with(|c: char| c.is_ascii_digit());
    let is_command = before.trim_start().starts_with(':');
    (is_number && !is_command).then(|| Cmd::Insert(1, " ".to_owned()))
}
