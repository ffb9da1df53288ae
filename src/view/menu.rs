//! Menus: things to type in groups, each with a few words, in as many columns as the window holds.
//!
//! A narrow window has one entry on a line, below the heading of its group. Nothing is ever left out.

use crate::report::{Menu, Piece, Prose};
use crate::view::column::Part;
use crate::view::theme::{Role, paint};
use crate::view::{Style, prose};

/// Blanks before a heading.
const INDENT: usize = 2;
/// Blanks between a thing to type and its words, and between entries.
const GAP: usize = 2;
/// More columns than this are hard to find one's way in.
const MOST: usize = 3;

/// A thing to type and its words, as they are shown.
type Entry = (Part, Part);

/// Appends the menu.
pub fn write(menu: &Menu, style: &Style, out: &mut String) {
    let room = style.width.unwrap_or(prose::WIDEST);
    let groups: Vec<(Part, Vec<Entry>)> = menu
        .groups
        .iter()
        .map(|group| {
            let entry = |(typed, what): &(String, String)| {
                (
                    Part::words(typed, Role::Typed, style),
                    Part::words(what, Role::Plain, style),
                )
            };
            (
                Part::words(group.heading, Role::Heading, style),
                group.entries.iter().map(entry).collect(),
            )
        })
        .collect();
    let heading = groups.iter().map(|(heading, _)| heading.left).max();
    let start = INDENT + heading.unwrap_or(0) + GAP;
    let fitting = (1..=MOST)
        .rev()
        .map(|columns| widths(&groups, columns))
        .find(|widths| {
            let cells: usize = widths.iter().map(|(typed, what)| typed + GAP + what).sum();
            start + cells + GAP * (widths.len() - 1) <= room
        });
    if let Some(widths) = fitting {
        for (heading, entries) in &groups {
            beside(heading, entries, &widths, start, style, out);
        }
        return;
    }
    let typed = groups.iter().flat_map(|(_, entries)| entries);
    let widest = typed.map(|(typed, _)| typed.left).max().unwrap_or(0);
    for (heading, entries) in &groups {
        below(heading, entries, widest, style, out);
    }
}

/// How wide things to type and their words are in each of so many columns.
fn widths(groups: &[(Part, Vec<Entry>)], columns: usize) -> Vec<(usize, usize)> {
    let mut widths = vec![(0, 0); columns];
    for (_, entries) in groups {
        for (place, (typed, what)) in entries.iter().enumerate() {
            let (left, right) = &mut widths[place % columns];
            *left = typed.left.max(*left);
            *right = what.left.max(*right);
        }
    }
    widths
}

/// A group beside its heading.
fn beside(
    heading: &Part,
    entries: &[Entry],
    widths: &[(usize, usize)],
    start: usize,
    style: &Style,
    out: &mut String,
) {
    for (row, entries) in entries.chunks(widths.len()).enumerate() {
        let mut column = 0;
        let mut put = |part: &Part, at: usize| {
            out.extend(std::iter::repeat_n(' ', at.saturating_sub(column)));
            paint(&part.text, part.role, style.color, out);
            column = at + part.left;
        };
        if row == 0 {
            put(heading, INDENT);
        }
        let mut at = start;
        for ((typed, what), (left, right)) in entries.iter().zip(widths) {
            put(typed, at);
            put(what, at + left + GAP);
            at += left + right + 2 * GAP;
        }
        out.push('\n');
    }
}

/// A group below its heading, an entry a line, the words behind the widest thing to type.
fn below(heading: &Part, entries: &[Entry], widest: usize, style: &Style, out: &mut String) {
    paint(&heading.text, heading.role, style.color, out);
    out.push('\n');
    for (typed, what) in entries {
        let entry = Prose {
            term: vec![Piece::typed(&*typed.text)],
            column: INDENT + widest + GAP,
            line: vec![Piece::plain(&*what.text)],
        };
        // Words that fit beside need no paragraph.
        let whole = entry.column + what.left <= style.width.unwrap_or(prose::WIDEST);
        if whole {
            out.extend(std::iter::repeat_n(' ', INDENT));
            paint(&typed.text, typed.role, style.color, out);
            let blanks = entry.column - INDENT - typed.left;
            out.extend(std::iter::repeat_n(' ', blanks));
            out.push_str(&what.text);
            out.push('\n');
        } else {
            prose::write(&entry, style, out);
        }
    }
}
