//! Positions in a line of Python, which counts from 0: `xs[0]` is `xs[1]` here, and `xs[1:]` is `xs[2..len(xs)]`.
//!
//! Asked once for each line, before anything else in it is written anew. Lists that Python repeats or joins, `[0]*3`, are
//! refused here, since the same signs compute with the items.

use std::ops::Range;

use super::arguments::{FOLDS, ends_in_module};
use super::line::Foreign;
use super::{Meaning, arguments};
use crate::session::values::Value;

/// Words before which no index stands: `return [a]`.
const WORDS: [&str; 7] = ["return", "in", "if", "else", "and", "or", "not"];

/// The longest list, as written, that is repeated in `len(…)`.
const LONGEST: usize = 200;

/// An open bracket.
struct OpenBracket {
    at: usize,
    /// Where the operand begins that an index belongs to.
    owner: usize,
    /// It is neither an index nor the arguments of a call.
    alone: bool,
    commas: Vec<usize>,
    colons: Vec<usize>,
}

/// What is written instead of a piece of the line.
type Edit = (Range<usize>, String);

/// The line with the positions of this language, if there are any in it.
pub(super) fn counted(foreign: &Foreign) -> Result<Option<String>, Meaning> {
    let line = foreign.line;
    let mut edits: Vec<Edit> = Vec::new();
    let mut open: Vec<OpenBracket> = Vec::new();
    let (mut quote, mut owner, mut before) = (None, 0, None);
    for (at, c) in line.char_indices() {
        let joins = |c: char| c.is_alphanumeric() || "_.@)]".contains(c);
        let touches = before.is_some_and(joins);
        match (c, quote) {
            (_, Some(begun)) => quote = Some(begun).filter(|begun| *begun != c),
            ('"' | '\'', None) => quote = Some(c),
            ('(' | '[', None) => {
                let word = line[owner..at].trim_start();
                let alone = !touches || WORDS.contains(&word);
                open.push(OpenBracket {
                    at,
                    owner: if alone { at } else { owner },
                    alone,
                    commas: Vec::new(),
                    colons: Vec::new(),
                });
            }
            (')' | ']', None) => {
                let Some(frame) = open.pop() else { continue };
                owner = frame.owner;
                if c == ']' && frame.alone {
                    check_list(foreign, frame.at..at + 1)?;
                } else if c == ']' {
                    index(foreign, &frame, at, &mut edits)?;
                }
            }
            (',', None) => open
                .iter_mut()
                .last()
                .into_iter()
                .for_each(|it| it.commas.push(at)),
            (':', None) => open
                .iter_mut()
                .last()
                .into_iter()
                .for_each(|it| it.colons.push(at)),
            _ if joins(c) && !touches => owner = at,
            _ => {}
        }
        before = Some(c);
    }
    folds(foreign, &mut edits);
    if edits.is_empty() {
        return Ok(None);
    }
    Ok(Some(written(line, 0..line.len(), &edits)))
}

/// A part of the line with its edits. They are in the order in which their brackets close, so those of an operand that
/// ends here are the last.
fn written(line: &str, part: Range<usize>, edits: &[Edit]) -> String {
    let inside = edits
        .iter()
        .rev()
        .take_while(|(place, _)| place.start >= part.start);
    let mut inside: Vec<&Edit> = inside.filter(|(place, _)| place.end <= part.end).collect();
    inside.sort_by_key(|(place, _)| place.start);
    let (mut written, mut copied) = (String::new(), part.start);
    for (place, text) in inside {
        written.push_str(&line[copied..place.start]);
        written.push_str(text);
        copied = place.end;
    }
    written.push_str(&line[copied..part.end]);
    written
}

/// The edits of one index, whose bracket closes at `end`.
fn index(
    foreign: &Foreign,
    frame: &OpenBracket,
    end: usize,
    edits: &mut Vec<Edit>,
) -> Result<(), Meaning> {
    let line = foreign.line;
    let inside = &line[frame.at + 1..end];
    let refused = |message: &str, help: String| {
        let place = frame.at + 1..end;
        Err(Meaning::Refused(foreign.error(
            place,
            message.to_string(),
            help,
        )))
    };
    if inside.contains(['"', '\'']) || inside.trim().is_empty() {
        return Ok(());
    }
    let is_list = |name: &str| matches!(foreign.session.names().find(name), Some(Value::List(_)));
    if inside.contains(['<', '>', '=', '!']) || is_list(inside.trim()) {
        let help =
            "`if(w > 0, w, 0)` keeps the shape, `[w[k] for k in [1, 3]]` takes items".to_string();
        return refused(
            "items cannot be chosen by a condition or by positions of Python",
            help,
        );
    }
    let pieces = || inside.split(',').map(str::trim);
    let from_end = pieces().any(|piece| piece.starts_with('-'));
    if from_end && !frame.commas.is_empty() {
        let help = "write one index after the other: `W[0][-1]`".to_string();
        return refused(
            "positions from the end cannot stand in one bracket with others",
            help,
        );
    }
    // The list is repeated only where its length is needed.
    let mut owner = String::new();
    if from_end || !frame.colons.is_empty() {
        if frame.at - frame.owner < LONGEST {
            owner = written(line, frame.owner..frame.at, edits);
        }
        if !(1..LONGEST).contains(&owner.len()) {
            let help = "give this list a name in a statement of its own".to_string();
            return refused("this list is too long to be repeated in `len(…)`", help);
        }
    }
    if let [colon] = frame.colons[..] {
        let first = written(line, frame.at + 1..colon, edits);
        let last = written(line, colon + 1..end, edits);
        if !frame.commas.is_empty() {
            let help = format!(
                "name the list first, or write `[row[1] for row in {}]` for a column",
                owner.trim()
            );
            return refused("a slice of several lists has no counterpart", help);
        }
        let text = slice(&owner, first.trim(), last.trim());
        return match text {
            Some(text) => {
                edits.retain(|(place, _)| place.start <= frame.at);
                edits.push((frame.at + 1..end, text));
                Ok(())
            }
            None => refused(
                "this slice has no items",
                "a list here has at least one item".to_string(),
            ),
        };
    }
    if !frame.colons.is_empty() {
        let help = format!("write out the positions: `{}[[1, 3, 5]]`", owner.trim());
        return refused("a slice with steps has no counterpart", help);
    }
    let ends = frame.commas.iter().copied().chain([end]);
    let mut begin = frame.at + 1;
    for stop in ends {
        let piece = &line[begin..stop];
        let blanks = piece.len() - piece.trim_start().len();
        let place = begin + blanks..begin + piece.trim_end().len();
        edits.extend(position(&owner, piece.trim(), place));
        if stop < end {
            let behind = &line[stop + 1..end];
            let blanks = behind.len() - behind.trim_start().len();
            edits.push((stop..stop + 1 + blanks, "][".to_string()));
        }
        begin = stop + 1;
    }
    Ok(())
}

/// The edit of a position that counts from 0.
fn position(owner: &str, piece: &str, place: Range<usize>) -> Option<Edit> {
    if let Ok(number) = piece.parse::<i64>() {
        let text = match number {
            0.. => number.checked_add(1)?.to_string(),
            -1 => format!("len({owner})"),
            _ => format!("len({owner}) - {}", number.checked_add(1)?.checked_neg()?),
        };
        return Some((place, text));
    }
    if !arguments::is_expression(piece) {
        return None;
    }
    // `len(xs) - 1` is the last position there, and `len(xs)` is it here.
    let less = piece
        .strip_suffix('1')
        .map(str::trim_end)
        .and_then(|it| it.strip_suffix('-'));
    let less = less.map(str::trim_end).filter(|it| {
        it.ends_with(|c: char| c.is_alphanumeric() || ")]_".contains(c))
            && arguments::is_expression(it)
    });
    Some(match less {
        Some(less) => (place.start + less.len()..place.end, String::new()),
        None => (place.end..place.end, " + 1".to_string()),
    })
}

/// What Python's `owner[first:last]` is; `None` if it has no items.
fn slice(owner: &str, first: &str, last: &str) -> Option<String> {
    let from_end = |back: i64| match back {
        0 => format!("len({owner})"),
        _ => format!("len({owner}) - {back}"),
    };
    let numbers = (first.parse::<i64>(), last.parse::<i64>());
    if let (Ok(first), Ok(last)) = numbers
        && (first < 0) == (last < 0)
        && first >= last
    {
        return None;
    }
    let begin = match numbers.0 {
        _ if first.is_empty() => "1".to_string(),
        Ok(number @ 0..) => number.checked_add(1)?.to_string(),
        Ok(number) => from_end(number.checked_add(1)?.checked_neg()?),
        Err(_) => match position(owner, first, 0..first.len())? {
            (place, text) if text.is_empty() => first[..place.start].to_string(),
            (_, text) => format!("{first}{text}"),
        },
    };
    let end = match numbers.1 {
        _ if last.is_empty() => from_end(0),
        Ok(0) => return None,
        Ok(number @ 1..) => number.to_string(),
        Ok(number) => from_end(number.checked_neg()?),
        Err(_) => last.to_string(),
    };
    Some(format!("{begin}..{end}"))
}

/// `[0]*3` and `[1] + [2]`: Python repeats and joins lists, where arrays and this language compute with the items.
fn check_list(foreign: &Foreign, place: Range<usize>) -> Result<(), Meaning> {
    let line = foreign.line;
    let list = &line[place.clone()];
    let before = line[..place.start].trim_end();
    let behind = line[place.end..].trim_start();
    if behind.starts_with('[') {
        // One of its items is meant.
        return Ok(());
    }
    let factor = behind
        .strip_prefix('*')
        .filter(|rest| !rest.starts_with('*'));
    let factor = factor
        .map(str::trim_start)
        .filter(|rest| !foreign.begins_array(rest));
    let times = before.strip_suffix('*').filter(|rest| !rest.ends_with('*'));
    let times = times.map(str::trim_end).filter(|rest| !rest.ends_with(')'));
    let count = match (factor, times) {
        (Some(factor), _) => arguments::term(factor),
        (None, Some(times)) => {
            let begin = times.rfind(|c: char| !c.is_alphanumeric() && c != '_');
            &times[begin.map_or(0, |at| at + 1)..]
        }
        (None, None)
            if behind
                .strip_prefix('+')
                .is_some_and(|rest| rest.trim_start().starts_with('[')) =>
        {
            return Err(Meaning::Refused(foreign.error(
                place,
                "Python joins lists by `+`, which adds items here".to_string(),
                format!("write `flat([{list}, …])`"),
            )));
        }
        (None, None) => return Ok(()),
    };
    let item = list.trim_start_matches('[').trim_end_matches(']');
    let one = arguments::first(item) == item && arguments::is_expression(item);
    let help = if one {
        format!("write `[{item} for k in 1..{count}]`")
    } else {
        format!("write `flat([{list} for k in 1..{count}])`")
    };
    Err(Meaning::Refused(foreign.error(
        place,
        "Python repeats a list by `*`, which multiplies items here".to_string(),
        help,
    )))
}

/// `W.sum()` adds all numbers of an array, and the rows of a list of lists here.
fn folds(foreign: &Foreign, edits: &mut Vec<Edit>) {
    let line = foreign.line;
    for (at, word) in foreign.words().filter(|(_, word)| FOLDS.contains(word)) {
        let Some(owner) = line[..at].strip_suffix('.') else {
            continue;
        };
        let is_method = line[at + word.len()..].starts_with("()");
        if is_method
            && !owner.ends_with(".flat()")
            && !ends_in_module(owner)
            && foreign.may_be_nested(owner)
        {
            edits.push((at..at, "flat().".to_string()));
        }
    }
}
