//! What the words of a line mean to this session, finished or not: for whoever colours it.
//!
//! A name is looked up as running the line would do, what the line itself defines included; brackets are paired. It
//! looks at words only: whether the line makes sense is not asked.

use std::collections::HashSet;
use std::ops::Range;

use crate::commands;
use crate::ops;
use crate::session::Session;
use crate::syntax::{Span, TextPart, parts};

/// A longer line has no tints.
pub const MOST_BYTES: usize = 16 * 1024;

/// So many names are looked at to see whether an unknown word begins one of them.
const NAMES_SEARCHED: usize = 10_000;

/// What a word is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenStyle {
    /// A name that stands for something, or is given something by this line.
    Known,
    /// A name that stands for nothing.
    Unknown,
    /// A function that is called.
    Function,
    /// A number, a result.
    Number,
    /// A sign.
    Operator,
    /// A command, and the words that belong to it.
    Command,
    /// A comment.
    Comment,
    /// A bracket without a partner.
    Lonely,
    /// The bracket at the cursor and its partner.
    Paired,
}

/// The tints of a line, in order, without those of plain words. The cursor is a place in bytes.
pub fn tints(session: &Session, line: &str, cursor: usize) -> Vec<(Range<usize>, TokenStyle)> {
    if line.len() > MOST_BYTES {
        return Vec::new();
    }
    let parts = parts(line);
    let made = made_here(line, &parts);
    let lone = lonely(&parts);
    let pair = pair(&parts, cursor);
    let mut tints = Vec::with_capacity(parts.len());
    let mut command = None;
    for (at, &(part, span)) in parts.iter().enumerate() {
        let text = span.of(line);
        let begins = at == 0 || parts[at - 1].1.of(line) == ";";
        if begins {
            command = None;
        }
        let next = parts.get(at + 1);
        let tint = match part {
            TextPart::Other if text == ":" && begins => {
                let word =
                    next.filter(|(part, word)| *part == TextPart::Name && word.start == span.end);
                command = word.and_then(|(_, word)| commands::find(word.of(line)).ok());
                if command.is_some() || word.is_none() {
                    TokenStyle::Command
                } else {
                    TokenStyle::Unknown
                }
            }
            TextPart::Name
                if at > 0
                    && parts[at - 1].1.of(line) == ":"
                    && parts[at - 1].1.end == span.start =>
            {
                match tints.last() {
                    Some((_, tint)) => *tint,
                    None => continue,
                }
            }
            TextPart::Name => {
                let keyword = command.is_some_and(|command| belongs(command, text));
                let called = next.is_some_and(|(part, bracket)| {
                    bracket.start == span.end
                        && (*part == TextPart::Open
                            || line[span.end as usize..].starts_with(['\'', '’']))
                });
                let frozen =
                    text == "const" && next.is_some_and(|(part, _)| *part == TextPart::Name);
                if keyword || frozen {
                    TokenStyle::Command
                } else if called
                    && (session.is_function(text)
                        || !ops::functions(text).is_empty()
                        || session.is_grad(text))
                {
                    TokenStyle::Function
                } else if made.contains(text) || stands_for_something(session, text) {
                    TokenStyle::Known
                } else if command.is_some_and(commands::Command::takes_words) {
                    continue;
                } else if span.end as usize == cursor && begins_something(session, text) {
                    // Still being typed.
                    continue;
                } else {
                    TokenStyle::Unknown
                }
            }
            TextPart::Number | TextPart::Reference => TokenStyle::Number,
            TextPart::Operator => TokenStyle::Operator,
            TextPart::Comment => TokenStyle::Comment,
            TextPart::Open | TextPart::Close if lone.binary_search(&at).is_ok() => {
                TokenStyle::Lonely
            }
            TextPart::Open | TextPart::Close if pair.contains(&at) => TokenStyle::Paired,
            TextPart::Member => TokenStyle::Function,
            TextPart::Open
            | TextPart::Close
            | TextPart::Comma
            | TextPart::Quoted
            | TextPart::Other => continue,
        };
        tints.push((span.into(), tint));
    }
    tints
}

fn stands_for_something(session: &Session, name: &str) -> bool {
    session.names().get(name).is_some()
        || session.is_function(name)
        || ops::constant(name).is_some()
        || !ops::functions(name).is_empty()
        || ["ans", "_"].contains(&name)
}

/// Might it become something when more is typed?
fn begins_something(session: &Session, start: &str) -> bool {
    let names = session.names().bound().map(|(name, _)| name);
    let mut names = names.take(NAMES_SEARCHED);
    names.any(|name| name.starts_with(start))
        || session
            .functions()
            .iter()
            .map(|function| &*function.name)
            .any(|name| name.starts_with(start))
        || ops::function_names().any(|name| name.starts_with(start))
        || ops::CONSTANTS
            .iter()
            .any(|(name, ..)| name.starts_with(start))
}

/// A word of the command's own: `wrt`, `of`, a rule.
fn belongs(command: &commands::Command, word: &str) -> bool {
    command
        .arguments
        .iter()
        .any(|argument| argument.keyword == Some(word))
}

/// What stands left of an `=` on this line: what it binds, and the parameters of a function it defines.
fn made_here<'l>(line: &'l str, parts: &[(TextPart, Span)]) -> HashSet<&'l str> {
    let mut made = HashSet::new();
    let mut from = 0;
    for (at, (part, span)) in parts.iter().enumerate() {
        let sign = span.of(line);
        if *part == TextPart::Other && sign == ";" {
            from = at + 1;
        } else if *part == TextPart::Operator
            && sign.ends_with('=')
            && !["==", "<=", ">=", "!="].contains(&sign)
        {
            let left = parts[from..at].iter();
            let names = left.filter(|(part, _)| *part == TextPart::Name);
            made.extend(names.map(|(_, span)| span.of(line)));
            from = at + 1;
        }
    }
    made
}

/// Brackets without a partner, as places among the parts, in order.
fn lonely(parts: &[(TextPart, Span)]) -> Vec<usize> {
    let mut open = Vec::new();
    let mut lonely = Vec::new();
    for (at, (part, _)) in parts.iter().enumerate() {
        match part {
            TextPart::Open => open.push(at),
            TextPart::Close if open.pop().is_none() => lonely.push(at),
            _ => {}
        }
    }
    lonely.extend(open);
    lonely.sort_unstable();
    lonely
}

/// The bracket under the cursor, or just before it, and its partner.
fn pair(parts: &[(TextPart, Span)], cursor: usize) -> Vec<usize> {
    let at_cursor = |place: usize| {
        parts.iter().position(|(part, span)| {
            matches!(part, TextPart::Open | TextPart::Close) && span.start as usize == place
        })
    };
    let before = cursor.checked_sub(1).and_then(at_cursor);
    let Some(one) = at_cursor(cursor).or(before) else {
        return Vec::new();
    };
    let mut depth = 0_i64;
    let step = |part: TextPart| match part {
        TextPart::Open => 1,
        TextPart::Close => -1,
        _ => 0,
    };
    let forwards = parts[one].0 == TextPart::Open;
    let mut places: Box<dyn Iterator<Item = usize>> = if forwards {
        Box::new(one..parts.len())
    } else {
        Box::new((0..=one).rev())
    };
    let other = places.find(|&at| {
        depth += step(parts[at].0);
        depth == 0 && step(parts[at].0) != 0
    });
    other.map_or_else(Vec::new, |other| vec![one, other])
}
