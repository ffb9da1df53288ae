//! The roles on a page: marks in a text for the roles of its parts, and a style sheet with their colours.
//!
//! A mark is between control characters, which no shown text contains, and names a class: `ESC[name US … ESC[0 US`. The
//! colours are those of the themes for light and dark backgrounds. A literal of a leaf has a mark with the leaf and its
//! number, `ESC[a=2 US`.

use std::fmt::Write;

use colored::Styles;

use super::role_colors::{LOOKS, Look, look_of};
use super::{Role, Theme, channels, hex_color, weight_and_code};

/// The beginning of a mark.
const BEGIN: &str = "\u{1b}[";
/// The name in the mark at the end of a role. Other marks have the class of their role.
const END: &str = "0";
/// The sign after the name in a mark. No name has it.
const NAME_END: char = '\u{1f}';

/// The looks of the roles that do not look like ordinary words.
fn marked_looks() -> impl Iterator<Item = &'static Look> {
    LOOKS.iter().filter(|look| look.is_marked())
}

/// The class of a role; `None` if it looks like ordinary words.
pub fn class(role: Role) -> Option<&'static str> {
    let look = look_of(role);
    look.is_marked().then_some(look.name)
}

/// Appends a text with a mark for its role.
pub fn mark(text: &str, role: Role, out: &mut String) {
    let Some(class) = class(role).filter(|_| !text.is_empty()) else {
        return out.push_str(text);
    };
    // Writing into a string cannot fail.
    let _ = write!(out, "{BEGIN}{class}{NAME_END}{text}{BEGIN}{END}{NAME_END}");
}

/// Appends the literal of a leaf with a mark for the leaf and its number: a page shows there where the leaf has gone.
pub fn mark_literal(text: &str, leaf: &str, number: f64, out: &mut String) {
    // Writing into a string cannot fail.
    let _ = write!(
        out,
        "{BEGIN}{leaf}={number}{NAME_END}{text}{BEGIN}{END}{NAME_END}"
    );
}

/// The parts of a text with marks, each with the class of its role, or with its leaf and number, as in `a=2`.
pub fn split_marks(text: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let mut parts = text.split(BEGIN);
    // No mark stands before the first part.
    let first = parts.next().map(|first| (None, first));
    first.into_iter().chain(parts.map(read_mark))
}

/// A part of a text after the beginning of a mark: what the mark says, unless it is an end, and the rest.
fn read_mark(part: &str) -> (Option<&str>, &str) {
    match part.split_once(NAME_END) {
        Some((END, text)) => (None, text),
        Some((name, text)) => (Some(name), text),
        None => (None, part),
    }
}

/// The rules of a style sheet that give each role its look within these elements.
pub fn rules(within: &str, theme: Theme) -> String {
    let mut out = String::new();
    for look in marked_looks() {
        let class = look.name;
        let (style, code) = weight_and_code(look.role, theme);
        let is_bold = style.contains(Styles::Bold);
        let weight = if is_bold { "font-weight:600;" } else { "" };
        let hex = code.map(|code| hex_color(channels(code)));
        let color = hex.map_or_else(String::new, |hex| format!("color:{hex}"));
        if !(weight.is_empty() && color.is_empty()) {
            // Writing into a string cannot fail.
            let _ = writeln!(out, "{within} .{class}{{{weight}{color}}}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_back() {
        let mut text = String::from("x ");
        mark("[1m <a>", Role::Error, &mut text);
        mark(" m0m ", Role::Plain, &mut text);
        mark("", Role::Name, &mut text);
        mark("c", Role::Curve(7), &mut text);
        mark_literal("2", "m", -2.0, &mut text);
        let read: Vec<_> = split_marks(&text)
            .filter(|(_, part)| !part.is_empty())
            .collect();
        let expected = [
            (None, "x "),
            (Some("error"), "[1m <a>"),
            (None, " m0m "),
            (Some("curve-2"), "c"),
            (Some("m=-2"), "2"),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn every_role_with_a_look_has_a_rule() {
        for theme in [Theme::Light, Theme::Dark] {
            let rules = rules("pre", theme);
            for class in marked_looks().map(|look| look.name) {
                let known = rules.contains(&format!("pre .{class}{{"));
                assert!(known, "{theme:?} {class}:\n{rules}");
            }
        }
    }
}
