//! From a role to its colour: the only file that knows the `colored` crate.
//!
//! That crate decides once per process, by looking at standard output. Here standard output and standard error may
//! differ, so only its colours are taken; whether to paint is said by the caller, each time.

use colored::Color;

/// What a piece of output is, as far as colour is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary words.
    Plain,
    /// A name or label of a node.
    Name,
    /// A number: what the screen is about, hence in the terminal's own colour. The sign of a gradient has none
    /// either: red and green would judge it.
    Number,
    /// A formula.
    Formula,
    /// Something to type, or typed: a command, an option.
    Typed,
    /// A heading, the head of a table.
    Heading,
    /// Words of less weight.
    Dim,
    /// The word `error` and its carets.
    Error,
    /// The word `note` and its carets.
    Note,
    /// The word `help`.
    Help,
    /// Text in a prompt that a key press may still change: the live result.
    Hint,
    /// A bracket and its partner.
    Bracket,
    /// In a picture, a leaf that can be stepped.
    Leaf,
    /// A frozen one.
    Frozen,
    /// The value of an operation.
    Computed,
    /// The node that everything leads to.
    Root,
    /// The sign of an operation.
    Operation,
    /// A grad above zero, in a picture; its sign says it too. No judgement, hence neither red nor green.
    Rising,
    /// A grad below zero.
    Falling,
    /// Where a walk is.
    Current,
    /// What it has not come to.
    Coming,
    /// The n-th curve of a plot.
    Curve(u8),
}

/// Appends the text, in the colour of its role when `color` says so.
pub fn paint(text: &str, role: Role, color: bool, out: &mut String) {
    let (weight, hue) = look(role);
    if !color || text.is_empty() || (weight.is_empty() && hue.is_none()) {
        out.push_str(text);
        return;
    }
    let hue = hue.map(|hue| hue.to_fg_str());
    out.push_str("\u{1b}[");
    out.push_str(weight);
    if let Some(hue) = hue {
        if !weight.is_empty() {
            out.push(';');
        }
        out.push_str(&hue);
    }
    out.push('m');
    out.push_str(text);
    out.push_str("\u{1b}[0m");
}

/// The same as a string of its own.
pub fn painted(text: &str, role: Role, color: bool) -> String {
    let mut out = String::with_capacity(text.len() + 12);
    paint(text, role, color, &mut out);
    out
}

/// Weight and hue. Every hue here can be read on a dark and on a light background; blue and yellow cannot.
fn look(role: Role) -> (&'static str, Option<Color>) {
    const BOLD: &str = "1";
    const DIM: &str = "2";
    match role {
        Role::Plain | Role::Number | Role::Computed => ("", None),
        Role::Name | Role::Rising => ("", Some(Color::Cyan)),
        Role::Formula | Role::Falling => ("", Some(Color::Magenta)),
        Role::Leaf => ("", Some(Color::Green)),
        Role::Typed | Role::Note | Role::Bracket => (BOLD, Some(Color::Cyan)),
        Role::Heading | Role::Root | Role::Operation => (BOLD, None),
        Role::Dim | Role::Hint | Role::Coming | Role::Frozen => (DIM, None),
        Role::Current => (BOLD, Some(Color::Magenta)),
        Role::Error => (BOLD, Some(Color::Red)),
        Role::Help => (BOLD, Some(Color::Green)),
        Role::Curve(number) => match number % 6 {
            0 => ("", Some(Color::Cyan)),
            1 => ("", Some(Color::Magenta)),
            2 => ("", Some(Color::Green)),
            3 => ("", Some(Color::Red)),
            4 => (BOLD, None),
            _ => (BOLD, Some(Color::Cyan)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks() {
        let cases = [
            (Role::Plain, true, "x"),
            (Role::Error, false, "x"),
            (Role::Error, true, "\u{1b}[1;31mx\u{1b}[0m"),
            (Role::Name, true, "\u{1b}[36mx\u{1b}[0m"),
            (Role::Dim, true, "\u{1b}[2mx\u{1b}[0m"),
        ];
        for (role, color, expected) in cases {
            assert_eq!(painted("x", role, color), expected, "{role:?} {color}");
        }
    }
}
