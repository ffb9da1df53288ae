//! Syntax highlighting: what each token of a line means in this session, even while the line is incomplete.
//!
//! Names are looked up as if the line were run, including the names that the line itself defines, and brackets are
//! paired. Only tokens are examined: whether the line is a valid statement does not matter here.

use std::collections::HashSet;
use std::ops::Range;

use super::python;
use crate::commands;
use crate::ops;
use crate::session::random::DRAWS;
use crate::session::{ANSWERS, Session};
use crate::syntax::{Span, TextPart, parts, understood_name};

/// A longer line is not highlighted.
pub const MOST_BYTES: usize = 16 * 1024;

/// How many names are searched to see whether an unknown word begins one of them.
const NAMES_SEARCHED: usize = 10_000;

/// The kind of a token, as far as highlighting distinguishes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenStyle {
    /// A name that has a meaning, or gets one in this line.
    Known,
    /// A name without a meaning.
    Unknown,
    /// A function that is called.
    Function,
    /// A number.
    Number,
    /// A reference to a result or a node: `$3`, `@9`.
    Reference,
    /// An operator.
    Operator,
    /// A command, and the keywords that belong to it.
    Command,
    /// A comment.
    Comment,
    /// A bracket without a partner.
    Unpaired,
    /// The bracket at the cursor and its partner.
    Paired,
}

/// The styled tokens of a line, in order; tokens without a style are left out. The cursor is a byte position.
pub fn highlight(session: &Session, line: &str, cursor: usize) -> Vec<(Range<usize>, TokenStyle)> {
    if line.len() > MOST_BYTES {
        return Vec::new();
    }
    let parts = parts(line);
    let mut defined = names_defined(line, &parts);
    let words = loop_words(line, &parts, &mut defined);
    let partners = partners(line, &parts);
    let chosen = chosen(&parts, cursor);
    let open = open_words(session, line, &parts, cursor);
    let mut styled = Vec::with_capacity(parts.len());
    let mut command = None;
    for (at, &(part, span)) in parts.iter().enumerate() {
        let text = span.of(line);
        let begins = at == 0 || parts[at - 1].1.of(line) == ";";
        if begins {
            command = None;
        }
        let next = parts.get(at + 1);
        let style = match part {
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
                match styled.last() {
                    Some((_, style)) => *style,
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
                if keyword || frozen || words.contains(&at) {
                    TokenStyle::Command
                } else if called
                    && (session.is_function(text)
                        || !ops::functions(text).is_empty()
                        || session.is_grad(text))
                {
                    TokenStyle::Function
                } else if defined.contains(text)
                    || is_known(session, text)
                    || is_differential(session, line, &parts, at)
                {
                    TokenStyle::Known
                } else if command.is_some_and(commands::Command::takes_words) || open.contains(&at)
                {
                    continue;
                } else if span.end as usize == cursor && begins_known_name(session, text) {
                    // The user is still typing this word.
                    continue;
                } else {
                    TokenStyle::Unknown
                }
            }
            TextPart::Number => TokenStyle::Number,
            TextPart::Reference => TokenStyle::Reference,
            TextPart::Operator => TokenStyle::Operator,
            TextPart::Comment => TokenStyle::Comment,
            TextPart::Open | TextPart::Close => match partners[at] {
                None => TokenStyle::Unpaired,
                Some(other) if [at, other].map(Some).contains(&chosen) => TokenStyle::Paired,
                Some(_) => continue,
            },
            TextPart::Member => TokenStyle::Function,
            TextPart::Comma | TextPart::Quoted | TextPart::Other => continue,
        };
        styled.push((span.into(), style));
    }
    styled
}

/// The words, by index, that may yet get a meaning although they have none: the names of a statement that is being typed
/// and may become a binding or a definition (`rate`, `p, q`, `f(x, y`), and those of a statement of Python.
fn open_words(
    session: &Session,
    line: &str,
    parts: &[(TextPart, Span)],
    cursor: usize,
) -> Range<usize> {
    let is_end = |part: &(TextPart, Span)| part.1.of(line) == ";";
    // The statement at the cursor.
    let after = parts.partition_point(|(_, span)| (span.start as usize) < cursor);
    let from = parts[..after].iter().rposition(is_end);
    let from = from.map_or(0, |end| end + 1);
    let to = parts[from..].iter().position(is_end);
    let statement = &parts[from..to.map_or(parts.len(), |end| from + end)];
    let is_typed = cursor <= line.len() && from + statement.len() == parts.len();
    let is_python = || {
        statement.first().is_some_and(|(part, word)| {
            let word = word.of(line);
            *part == TextPart::Name && python::begins_statement(word) && !is_known(session, word)
        })
    };
    if is_python() || is_typed && is_target(line, statement) {
        from..from + statement.len()
    } else {
        0..0
    }
}

/// Is it the beginning of what may stand to the left of an `=`: `rate`, `p, q`, `const k`, `f(x, y)`?
fn is_target(line: &str, parts: &[(TextPart, Span)]) -> bool {
    let is =
        |place: usize, part: TextPart| parts.get(place).is_some_and(|(found, _)| *found == part);
    let mut at = usize::from(
        parts
            .first()
            .is_some_and(|(_, word)| word.of(line) == "const"),
    );
    let called = is(at, TextPart::Name) && is(at + 1, TextPart::Open);
    if called {
        at += 2;
    }
    while is(at, TextPart::Name) {
        at += 1;
        if !is(at, TextPart::Comma) {
            break;
        }
        at += 1;
    }
    at += usize::from(called && is(at, TextPart::Close));
    at == parts.len()
}

/// Is it the `dL` or the `da` of `dL/da`?
fn is_differential(session: &Session, line: &str, parts: &[(TextPart, Span)], at: usize) -> bool {
    let is_bar = |at: Option<usize>| {
        let part = at.and_then(|at| parts.get(at));
        part.is_some_and(|(_, span)| span.of(line) == "/")
    };
    let of = parts[at].1.of(line).strip_prefix('d');
    of.is_some_and(|of| session.names().find(of).is_some())
        && (is_bar(at.checked_sub(1)) || is_bar(Some(at + 1)))
}

fn is_known(session: &Session, name: &str) -> bool {
    let name = understood_name(name);
    session.names().find(name).is_some()
        || session.is_function(name)
        || ops::constant(name).is_some()
        || !ops::functions(name).is_empty()
        || ANSWERS.contains(&name)
}

/// Is the word the beginning of a known name?
fn begins_known_name(session: &Session, start: &str) -> bool {
    let names = session.names().bound().map(|(name, _)| name);
    let mut names = names.take(NAMES_SEARCHED);
    let mut functions = session.functions().iter();
    names.any(|name| name.starts_with(start))
        || functions.any(|function| function.name.starts_with(start))
        || ops::function_names().any(|name| name.starts_with(start))
        || DRAWS.iter().any(|draw| draw.name.starts_with(start))
        || ops::CONSTANTS
            .iter()
            .any(|(name, ..)| name.starts_with(start))
}

/// Is the word a keyword of the command, such as `wrt` or `of`?
fn belongs(command: &commands::Command, word: &str) -> bool {
    command
        .arguments
        .iter()
        .any(|argument| argument.keyword == Some(word))
}

/// The names to the left of each `=` on this line: those it binds, and the parameters of functions it defines.
fn names_defined<'l>(line: &'l str, parts: &[(TextPart, Span)]) -> HashSet<&'l str> {
    let mut defined = HashSet::new();
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
            defined.extend(names.map(|(_, span)| span.of(line)));
            from = at + 1;
        }
    }
    defined
}

/// Each `for` and `in` of `[E for x in xs]`, by index; the names between them are added to those that the line defines.
fn loop_words<'l>(
    line: &'l str,
    parts: &[(TextPart, Span)],
    defined: &mut HashSet<&'l str>,
) -> HashSet<usize> {
    let mut words = HashSet::new();
    let mut depth = 0_usize;
    let mut before = TextPart::Open;
    let mut each = None;
    for (at, (part, span)) in parts.iter().enumerate() {
        match (part, span.of(line), each) {
            (TextPart::Open, ..) => depth += 1,
            (TextPart::Close, ..) => depth = depth.saturating_sub(1),
            (TextPart::Name, "for", None) => {
                let follows = !matches!(before, TextPart::Open | TextPart::Comma);
                each = Some(at).filter(|_| depth > 0 && follows);
            }
            (TextPart::Name, "in", Some(begin)) if at > begin + 1 => {
                let names = parts[begin + 1..at].iter();
                let names = names.filter(|(part, _)| *part == TextPart::Name);
                defined.extend(names.map(|(_, span)| span.of(line)));
                words.extend([begin, at]);
                each = None;
            }
            _ => {}
        }
        before = *part;
    }
    words
}

/// The partner of each bracket, by index: `(` goes with `)`, `[` with `]`.
fn partners(line: &str, parts: &[(TextPart, Span)]) -> Vec<Option<usize>> {
    let mut partners = vec![None; parts.len()];
    let mut open: Vec<usize> = Vec::new();
    let bracket = |at: usize| parts[at].1.of(line);
    for (at, (part, _)) in parts.iter().enumerate() {
        if *part == TextPart::Open {
            open.push(at);
        } else if *part == TextPart::Close
            && let Some(begin) =
                open.pop_if(|begin| (bracket(*begin) == "[") == (bracket(at) == "]"))
        {
            (partners[begin], partners[at]) = (Some(at), Some(begin));
        }
    }
    partners
}

/// The bracket at the cursor, or just before it.
fn chosen(parts: &[(TextPart, Span)], cursor: usize) -> Option<usize> {
    let bracket_at = |place: usize| {
        parts.iter().position(|(part, span)| {
            matches!(part, TextPart::Open | TextPart::Close) && span.start as usize == place
        })
    };
    bracket_at(cursor).or_else(|| bracket_at(cursor.checked_sub(1)?))
}
