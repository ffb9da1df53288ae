//! Menus: groups of things to type with short descriptions, in as many columns as fit.
//!
//! A menu that takes more lines than it may is folded: its longest groups lose their descriptions. In a narrow window
//! each entry has its own line below the heading of the group, and nothing is folded.

use super::column::CellPart;
use super::prose;
use crate::report::{Menu, Piece, Prose};
use crate::view::Style;
use crate::view::characters::push_blanks;
use crate::view::theme::Role;

const INDENT: usize = 2;
/// Blanks between an entry and its description, and between entries.
const GAP: usize = 2;
/// The most columns of entries; with more, a menu is hard to search.
const MOST: usize = 3;

/// A thing to type and its description.
type MenuEntry = (CellPart, CellPart);

/// A group, laid out.
struct GroupColumns {
    heading: CellPart,
    entries: Vec<MenuEntry>,
    /// Shown without descriptions.
    folded: bool,
}

pub(crate) fn write(menu: &Menu, style: &Style, out: &mut String) {
    let room = style.width.unwrap_or(prose::WIDEST);
    let mut groups: Vec<GroupColumns> = menu
        .groups
        .iter()
        .map(|group| {
            let entry = |(typed, what): &(String, String)| {
                (
                    CellPart::words(typed, Role::Typed, style),
                    CellPart::words(what, Role::Plain, style),
                )
            };
            GroupColumns {
                heading: CellPart::words(group.heading, Role::Heading, style),
                entries: group.entries.iter().map(entry).collect(),
                folded: false,
            }
        })
        .collect();
    let heading = groups.iter().map(|group| group.heading.left).max();
    let start = INDENT + heading.unwrap_or(0) + GAP;
    while let Some(widths) = fitting(&groups, start, room) {
        let lines = |group: &GroupColumns| {
            if group.folded {
                names(group, start, room, style).lines().count()
            } else {
                group.entries.len().div_ceil(widths.len())
            }
        };
        if room >= prose::WIDEST && groups.iter().map(lines).sum::<usize>() > menu.most {
            // The longest group is folded first, and the later one of equally long groups, because the first ones
            // matter most.
            let unfolded = groups.iter_mut().filter(|group| !group.folded);
            if let Some(longest) = unfolded.max_by_key(|group| group.entries.len()) {
                longest.folded = true;
                continue;
            }
        }
        for group in &groups {
            if group.folded {
                push_heading(&group.heading, start, style, out);
                out.push_str(&names(group, start, room, style));
            } else {
                beside(group, &widths, start, style, out);
            }
        }
        return;
    }
    let typed = groups.iter().flat_map(|group| &group.entries);
    let widest = typed.map(|(typed, _)| typed.left).max().unwrap_or(0);
    for group in &groups {
        below(group, widest, style, out);
    }
}

/// The widths of the columns, for the largest number of columns that fits; `None` if not even one does.
fn fitting(groups: &[GroupColumns], start: usize, room: usize) -> Option<Vec<(usize, usize)>> {
    (1..=MOST)
        .rev()
        .map(|columns| widths(groups, columns))
        .find(|widths| {
            let cells: usize = widths.iter().map(|(typed, what)| typed + GAP + what).sum();
            start + cells + GAP * (widths.len() - 1) <= room
        })
}

/// The widths of entries and descriptions in each column, for a given number of columns.
fn widths(groups: &[GroupColumns], columns: usize) -> Vec<(usize, usize)> {
    let mut widths = vec![(0, 0); columns];
    for group in groups.iter().filter(|group| !group.folded) {
        for (place, (typed, what)) in group.entries.iter().enumerate() {
            let (left, right) = &mut widths[place % columns];
            *left = typed.left.max(*left);
            *right = what.left.max(*right);
        }
    }
    widths
}

/// The entries of a folded group, as they are written after the heading.
fn names(group: &GroupColumns, start: usize, room: usize, style: &Style) -> String {
    let gap = " ".repeat(GAP);
    let mut line = Vec::new();
    for (typed, _) in &group.entries {
        if !line.is_empty() {
            line.push(Piece::plain(&*gap));
        }
        line.push(Piece::typed(&*typed.text));
    }
    let mut out = String::new();
    prose::flow(&line, (start, start), room, style, &mut out);
    out.push('\n');
    out
}

/// Writes the heading and pads it to the column where entries start.
fn push_heading(heading: &CellPart, start: usize, style: &Style, out: &mut String) {
    push_blanks(INDENT, out);
    style.paint(&heading.text, heading.role, out);
    let blanks = start.saturating_sub(INDENT + heading.left);
    push_blanks(blanks, out);
}

/// Writes a group beside its heading.
fn beside(
    group: &GroupColumns,
    widths: &[(usize, usize)],
    start: usize,
    style: &Style,
    out: &mut String,
) {
    for (row, entries) in group.entries.chunks(widths.len()).enumerate() {
        let mut column = start;
        if row == 0 {
            push_heading(&group.heading, start, style, out);
        } else {
            push_blanks(start, out);
        }
        let mut put = |part: &CellPart, at: usize| {
            push_blanks(at.saturating_sub(column), out);
            style.paint(&part.text, part.role, out);
            column = at + part.left;
        };
        let mut at = start;
        for ((typed, what), (left, right)) in entries.iter().zip(widths) {
            put(typed, at);
            put(what, at + left + GAP);
            at += left + right + 2 * GAP;
        }
        out.push('\n');
    }
}

/// Writes a group below its heading, with one entry per line and aligned descriptions.
fn below(group: &GroupColumns, widest: usize, style: &Style, out: &mut String) {
    style.paint(&group.heading.text, group.heading.role, out);
    out.push('\n');
    for (typed, what) in &group.entries {
        let entry = Prose {
            term: vec![Piece::typed(&*typed.text)],
            column: INDENT + widest + GAP,
            line: vec![Piece::plain(&*what.text)],
        };
        // A description that fits on one line is written as it is; wrapping would change its blanks.
        let whole = entry.column + what.left <= style.width.unwrap_or(prose::WIDEST);
        if whole {
            push_blanks(INDENT, out);
            style.paint(&typed.text, typed.role, out);
            let blanks = entry.column - INDENT - typed.left;
            push_blanks(blanks, out);
            out.push_str(&what.text);
            out.push('\n');
        } else {
            prose::write(&entry, style, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::MenuGroup;

    fn shown(entries: usize, words: &str, width: usize) -> String {
        let entry = |place| (format!(":word{place}"), words.to_string());
        let group = |heading, count| MenuGroup {
            key: heading,
            heading,
            entries: (0..count).map(entry).collect(),
        };
        let menu = Menu {
            groups: vec![group("first", 2), group("second", entries)],
            most: 5,
        };
        let style = Style {
            width: Some(width),
            ..Style::default()
        };
        let mut out = String::new();
        write(&menu, &style, &mut out);
        out
    }

    #[test]
    fn a_menu_that_gets_too_long_folds_its_longest_group() {
        let words = "a word or two of it";
        let whole = shown(8, words, 80);
        assert_eq!(whole.matches(words).count(), 10, "{whole}");
        assert_eq!(whole.lines().count(), 5, "{whole}");
        let folded = shown(9, words, 80);
        assert_eq!(folded.matches(words).count(), 2, "{folded}");
        assert!(
            folded.contains("  second  :word0  :word1  :word2"),
            "{folded}"
        );
        // Whatever the number of entries and the length of descriptions, no entry is lost.
        for (entries, words) in [(12, words), (60, words), (3, &*"long ".repeat(30))] {
            let out = shown(entries, words, 80);
            assert!(out.lines().all(|line| line.len() <= 80), "{out}");
            assert_eq!(out.matches(":word").count(), entries + 2, "{out}");
        }
        // A narrow window needs scrolling anyway, so nothing is folded.
        assert_eq!(shown(9, words, 60).matches(words).count(), 11);
    }
}
