//! Syntax highlighting: the role of each token of a line in this session, even while the line is incomplete.
//!
//! Names are looked up as if the line were run, with the names that the line itself defines, and brackets are paired. A
//! name without a meaning is marked as soon as its statement can be parsed.

use std::collections::HashSet;
use std::ops::Range;

use super::command_of;
use crate::command::Command;
use chainrule_language::{self as language, Span, StatementSpan, TextPart, canonical_name, parts};
use chainrule_program::Environment as _;
use chainrule_program::names;
use chainrule_report::Role;
use chainrule_session::Session;

/// A longer line is not highlighted.
pub const MOST_BYTES: usize = 16 * 1024;

/// The tokens of a line with their roles, in order; tokens without a role are left out. A name without a meaning and a
/// bracket without a partner are errors. `cursor` is a byte position; a position behind the end of the line means that
/// the line is not being edited.
pub fn highlight(session: &Session, line: &str, cursor: usize) -> Vec<(Range<usize>, Role)> {
    if line.len() > MOST_BYTES {
        return Vec::new();
    }
    let parts = parts(line);
    let mut brackets = bracket_roles(line, &parts, cursor).into_iter();
    let mut found = Vec::with_capacity(parts.len());
    let mut defined = HashSet::new();
    let mut statements = parts
        .split_inclusive(|(_, span)| span.of(line) == ";")
        .peekable();
    while let Some(tokens) = statements.next() {
        let is_being_typed = cursor <= line.len() && statements.peek().is_none();
        let statement = HighlightedStatement::new(session, line, tokens, is_being_typed);
        statement.define(&mut defined);
        for (at, &(part, span)) in tokens.iter().enumerate() {
            let bracket = brackets.next().flatten();
            let role = match part {
                TextPart::Name => statement.name(at, &defined, cursor),
                TextPart::Number => Some(Role::Number),
                TextPart::Reference => Some(Role::Place),
                TextPart::Operator => Some(Role::Plain),
                TextPart::Comment => Some(Role::Dim),
                TextPart::Member => Some(Role::Formula),
                TextPart::Open | TextPart::Close => bracket,
                TextPart::Other => statement.colon(at),
                TextPart::Comma | TextPart::Quoted => None,
            };
            found.extend(role.map(|role| (span.into(), role)));
        }
    }
    found
}

/// For each token, the role of a bracket without a partner, or of the brackets at the cursor. `None` for all others.
fn bracket_roles(line: &str, parts: &[(TextPart, Span)], cursor: usize) -> Vec<Option<Role>> {
    let is_bracket =
        |place: &usize| matches!(line.as_bytes().get(*place), Some(b'(' | b')' | b'[' | b']'));
    // The bracket under the cursor counts, else the one before it.
    let places = [Some(cursor), cursor.checked_sub(1)];
    let at_cursor = places.into_iter().flatten().find(is_bracket);
    let is_at_cursor = |token: usize| at_cursor == Some(parts[token].1.start as usize);
    let is_square = |token: usize| matches!(parts[token].1.of(line), "[" | "]");
    let mut roles = vec![None; parts.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, (part, _)) in parts.iter().enumerate() {
        if !matches!(part, TextPart::Open | TextPart::Close) {
            continue;
        }
        roles[at] = Some(Role::Error);
        if *part == TextPart::Open {
            open.push(at);
        } else if let Some(begin) = open.pop_if(|begin| is_square(*begin) == is_square(at)) {
            let has_cursor = is_at_cursor(begin) || is_at_cursor(at);
            let role = has_cursor.then_some(Role::Bracket);
            (roles[begin], roles[at]) = (role, role);
        }
    }
    roles
}

/// A statement whose tokens get roles.
struct HighlightedStatement<'l> {
    session: &'l Session,
    line: &'l str,
    parts: &'l [(TextPart, Span)],
    command: Option<&'static Command>,
    /// Whether words without a meaning may yet get one: the statement cannot be parsed as it is, or it is being typed and
    /// may become a binding or a definition (`rate`, `p, q`, `f(x, y)`).
    is_open: bool,
}

impl<'l> HighlightedStatement<'l> {
    fn new(
        session: &'l Session,
        line: &'l str,
        parts: &'l [(TextPart, Span)],
        is_being_typed: bool,
    ) -> HighlightedStatement<'l> {
        use TextPart::{Close, Comma, Name, Open};
        // Whether the token can stand to the left of `=`.
        let is_target = |(part, _): &(TextPart, Span)| matches!(part, Name | Comma | Open | Close);
        let spans = parts.iter().map(|(_, span)| *span);
        let code_spans = spans.filter(|span| span.of(line) != ";");
        let code = StatementSpan {
            span: code_spans.reduce(Span::to).unwrap_or_default(),
            is_silenced: false,
        };
        let read = language::statement(line, &code);
        HighlightedStatement {
            session,
            line,
            parts,
            is_open: read.is_err() || is_being_typed && parts.iter().all(is_target),
            command: read.as_ref().ok().and_then(command_of),
        }
    }

    /// The text of a token; empty if there is none.
    fn text(&self, at: usize) -> &'l str {
        let part = self.parts.get(at);
        part.map_or("", |(_, span)| span.of(self.line))
    }

    /// The role of a command: its colon, and the word directly after it.
    fn colon(&self, at: usize) -> Option<Role> {
        let [(_, colon), rest @ ..] = self.parts else {
            return None;
        };
        let has_word = matches!(rest, [(TextPart::Name, word), ..] if word.start == colon.end);
        let is_command = self.text(0) == ":" && (at == 0 || at == 1 && has_word);
        is_command.then_some(match self.command {
            None if has_word => Role::Error,
            _ => Role::Typed,
        })
    }

    /// The role of a name.
    fn name(&self, at: usize, defined: &HashSet<&str>, cursor: usize) -> Option<Role> {
        let text = self.text(at);
        if let Some(role) = self.colon(at) {
            return Some(role);
        }
        if self.is_keyword(at) {
            return Some(Role::Typed);
        }
        let behind = &self.line[self.parts[at].1.end as usize..];
        let is_call = behind.starts_with(['(', '\'', '’']);
        if is_call && (self.session.is_function(text) || names::is_grad(self.session, text)) {
            return Some(Role::Formula);
        }
        if defined.contains(text) || self.is_known(text) {
            return Some(Role::Name);
        }
        let takes_words = self.command.is_some_and(Command::takes_words);
        let ends_at_cursor = self.line.len() - behind.len() == cursor;
        let can_get_meaning = takes_words || self.is_open || ends_at_cursor;
        (!can_get_meaning).then_some(Role::Error)
    }

    /// Whether a name is a keyword of the language or of the command.
    fn is_keyword(&self, at: usize) -> bool {
        match self.text(at) {
            "for" | "in" => true,
            "by" if self.is_step(at) => true,
            "const" if matches!(self.parts.get(at + 1), Some((TextPart::Name, _))) => true,
            text => {
                let mut arguments = self.command.iter().flat_map(|command| command.arguments);
                arguments.any(|argument| argument.keyword == Some(text))
            }
        }
    }

    /// Whether a name has a meaning in the session.
    fn is_known(&self, text: &str) -> bool {
        let session = self.session;
        let name = &*canonical_name(text);
        // `dL/da`
        let is_differential = || {
            let of = text.strip_prefix('d').filter(|_| self.line.contains('/'));
            of.is_some_and(|of| session.names().find(of).is_some())
        };
        session.knows(name) || session.is_function(name) || is_differential()
    }

    /// Whether the token is the `by` of a step: `a = 2 in 0..10 by 0.5`.
    fn is_step(&self, at: usize) -> bool {
        use TextPart::{Comma, Open, Operator};
        let before = &self.parts[..at];
        let has = |text: &str| before.iter().any(|(_, span)| span.of(self.line) == text);
        let ends = |(part, _): &(TextPart, Span)| !matches!(part, Operator | Open | Comma);
        let is_behind_operand = before.last().is_some_and(ends);
        self.command.is_none() && is_behind_operand && has("in") && has("..")
    }

    /// Adds the names that the statement defines: all names from its start to its first `=` (`f(x) =`, `p, q =`,
    /// `:plot f(u) u=`), and all from each `for` to the next `in`.
    fn define(&self, defined: &mut HashSet<&'l str>) {
        // The token where such a stretch begins; `None` between stretches.
        let mut begin = Some(0);
        for (at, &(part, span)) in self.parts.iter().enumerate() {
            let text = span.of(self.line);
            if text == "for" {
                begin = Some(at + 1);
            } else if (text == "in" || assigns(part, text))
                && let Some(begin) = begin.take()
            {
                let stretch = self.parts[begin..at].iter();
                let names = stretch.filter(|(kind, _)| *kind == TextPart::Name);
                defined.extend(names.map(|(_, name)| name.of(self.line)));
            }
        }
    }
}

/// Whether a token assigns: `=`, `+=`.
fn assigns(part: TextPart, text: &str) -> bool {
    let is_comparison = ["==", "<=", ">=", "!="].contains(&text);
    part == TextPart::Operator && text.ends_with('=') && !is_comparison
}
