//! `a if x > 0 else b`, wherever it stands in a line: `if(x > 0, a, b)`.
//!
//! Of several in one line the last is looked at that can be read; the others follow in the next round.

use super::line::Foreign;
use super::{Meaning, arguments, cut};

/// Words behind which an operand begins.
const BEFORE: [&str; 3] = ["else", "return", "in"];

/// How many are looked at, from the last on.
const MOST_CHOICES: usize = 20;

/// The line with a choice as a call of `if`.
pub(super) fn meaning(foreign: &Foreign) -> Option<Meaning> {
    let line = foreign.line;
    let words: Vec<(usize, &str)> = foreign.words().collect();
    let mut unread = None;
    let places = words
        .iter()
        .enumerate()
        .filter(|(_, (_, word))| *word == "if");
    for (number, &(at, _)) in places.rev().take(MOST_CHOICES) {
        let begin = begin(&line[..at], &words[..number]);
        let rest = &line[at + "if".len()..];
        let rest = arguments::first(rest);
        let inside = words[number + 1..].iter();
        let inside = inside.take_while(|(place, _)| *place < at + "if".len() + rest.len());
        let inside: Vec<(usize, &str)> = inside.copied().collect();
        let level = |&&(place, _): &&(usize, &str)| is_level(&line[at..place]);
        let Some(&(middle, _)) = inside.iter().filter(|it| it.1 == "else").find(level) else {
            continue;
        };
        // A loop goes on behind the choice: `[a if k > 1 else b for k in 1..3]`.
        let behind = inside
            .iter()
            .filter(|it| it.0 > middle && it.1 == "for")
            .find(level);
        let end = behind.map_or(at + "if".len() + rest.len(), |it| it.0);
        let mut value = line[begin..at].trim();
        let mut condition = line[at + "if".len()..middle].trim();
        // `if (c) a else b`, as other languages have it.
        if value.is_empty()
            && let Some(inside) = condition.strip_prefix('(').map(arguments::all)
        {
            value = condition[inside.len() + 1..].trim_start_matches(')').trim();
            condition = inside;
        }
        let otherwise = line[middle + "else".len()..end].trim();
        let call = format!("if({condition}, {value}, {otherwise})");
        let (mut before, mut after) = (&line[..begin], &line[end..]);
        if let Some(outer) = before.trim_end().strip_suffix('(')
            && after.starts_with(')')
            && !outer.ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c))
        {
            // Brackets of its own are not needed any more.
            (before, after) = (outer, &after[1..]);
        }
        let blank = |missing: bool| if missing { "" } else { " " };
        let left = blank(before.is_empty() || before.ends_with([' ', '(', '[', ',']));
        let right = blank(!after.starts_with(char::is_alphanumeric));
        let whole = format!("{before}{left}{call}{right}{after}");
        if [condition, value, otherwise]
            .into_iter()
            .all(arguments::is_expression)
        {
            return Some(Meaning::Line(whole));
        }
        unread.get_or_insert((at, whole));
    }
    let (at, whole) = unread?;
    Some(Meaning::Refused(foreign.error(
        at..at + "if".len(),
        "`if` is a function here".to_string(),
        format!("write `{}`", cut(&whole)),
    )))
}

/// Where the operand begins that stands before an `if`.
fn begin(before: &str, words: &[(usize, &str)]) -> usize {
    let mut depth = 0_usize;
    let from = before.char_indices().rev().find(|&(at, c)| {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 0 => return true,
            '(' | '[' => depth -= 1,
            ',' => return depth == 0,
            // Of `x = a if b else c`, but not of `x == 1`.
            '=' => {
                let signs = |c: char| "=<>!".contains(c);
                return depth == 0
                    && !before[..at].ends_with(signs)
                    && !before[at + 1..].starts_with('=');
            }
            _ => {}
        }
        false
    });
    let from = from.map_or(0, |(at, c)| at + c.len_utf8());
    let last = words
        .iter()
        .rev()
        .find(|(at, word)| *at >= from && BEFORE.contains(word) && is_level(&before[*at..]));
    last.map_or(from, |(at, word)| at + word.len())
}

/// Are all brackets of a piece closed in it?
fn is_level(piece: &str) -> bool {
    arguments::all(piece).len() == piece.len()
        && piece.matches(['(', '[']).count() == piece.matches([')', ']']).count()
}
