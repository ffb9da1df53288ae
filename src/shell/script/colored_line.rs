//! Syntax highlighting of a line, both while it is edited and when it is shown again above its answer.
//!
//! Control characters never reach the terminal.

use std::ops::Range;

use super::drawn::Drawn;
use crate::interpret;
use crate::interpret::TokenStyle;
use crate::session::Session;
use crate::shell::script;
use crate::view::theme::Role;
use crate::view::{Style, characters};

/// Writes a line with colours, replacing the indentation of continuation lines by the margin. Without a cursor the line
/// is shown and not edited: then lines without indentation get a margin too, control characters are shown as symbols, and
/// nothing is marked as wrong, which is for the answer to say.
pub(crate) fn paint_line(
    session: &Session,
    line: &str,
    cursor: Option<usize>,
    margin: &str,
    style: &Style,
    out: &mut String,
) {
    let blanks = margin.chars().count();
    let margins = script::continued(line).into_iter().filter_map(|start| {
        let begun = &line[start..];
        let indented = begun.len() - begun.trim_start_matches(' ').len() >= blanks;
        let end = start + if indented { blanks } else { 0 };
        (indented || cursor.is_none()).then_some((start..end, None))
    });
    let tints = interpret::highlight(session, line, cursor.unwrap_or(usize::MAX));
    let mut parts: Vec<(Range<usize>, Option<Role>)> = margins
        .chain((tints.into_iter()).map(|(range, tint)| {
            let role = match role(tint) {
                Role::Error if cursor.is_none() => Role::Plain,
                role => role,
            };
            (range, Some(role))
        }))
        .collect();
    parts.sort_by_key(|(range, _)| range.start);
    // Adjacent brackets become one part, to save the escape sequences around each.
    parts.dedup_by(|next, part| {
        let joined = part.1.is_some() && part.1 == next.1 && part.0.end == next.0.start;
        if joined {
            part.0.end = next.0.end;
        }
        joined
    });
    let mut drawn = Drawn::default();
    let mut push = |text: &str, role: Role| match cursor {
        Some(_) => style.paint(&drawn.part(text), role, out),
        None => {
            for part in text.split_inclusive('\n') {
                let words = part.trim_end_matches('\n');
                style.paint(&characters::clean(words, style.ascii), role, out);
                out.push_str(&part[words.len()..]);
            }
        }
    };
    let mut done = 0;
    for (range, role) in parts {
        if range.start < done {
            continue;
        }
        push(&line[done..range.start], Role::Plain);
        done = range.end;
        match role {
            Some(role) => push(&line[range], role),
            None => push(margin, Role::Dim),
        }
    }
    push(&line[done..], Role::Plain);
}

/// The colour of a token; `Plain` is none.
fn role(tint: TokenStyle) -> Role {
    match tint {
        TokenStyle::Known => Role::Name,
        TokenStyle::Function => Role::Formula,
        TokenStyle::Number => Role::Number,
        TokenStyle::Reference => Role::Place,
        TokenStyle::Operator => Role::Plain,
        TokenStyle::Command => Role::Typed,
        TokenStyle::Comment => Role::Dim,
        TokenStyle::Paired => Role::Bracket,
        TokenStyle::Unknown | TokenStyle::Unpaired => Role::Error,
    }
}
