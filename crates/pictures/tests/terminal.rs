//! Graphs on the terminal: what their boxes and signs say. That wires lead from box to box is tested in `src/terminal`.

use crate::common::{lecture, odd_labels, terminal_text, turn, wide, with_numbers};
use chainrule_report::{Flow, characters};
use chainrule_style::Style;
use chainrule_style::theme::Theme;

/// The numbers on wires stand beside the signs of the operations, in the order of the operands.
#[test]
fn numbers_stand_beside_the_operations() {
    for (flow, width) in [
        (None, 40),
        (None, 80),
        (None, 160),
        (Some(Flow::Right), 80),
        (Some(Flow::Down), 80),
    ] {
        let out = terminal_text(&turn(&with_numbers(lecture()), flow), &wide(width));
        for sign in ["(* -3, 1)", "(+ 1, 0.25)", "(* 0.25, inf)"] {
            assert!(out.contains(sign), "{flow:?} {sign}:\n{out}");
        }
        let widest = out.lines().map(characters::width).max();
        assert!(widest <= Some(width), "{out}");
    }
}

#[test]
fn what_is_not_finite_has_a_colour_of_its_own() {
    for (theme, code) in [
        (Theme::Terminal, "38;5;163"),
        (Theme::Dark, "38;5;206"),
        (Theme::Light, "38;5;161"),
        (Theme::Plain, "7"),
    ] {
        let style = Style {
            theme: Some(theme),
            ..wide(160)
        };
        let out =
            terminal_text(&odd_labels(), &style) + &terminal_text(&with_numbers(lecture()), &style);
        for (text, is_finite) in [
            ("NaN", false),
            ("╭ ln(z - 1) first NaN", false),
            ("-inf", false),
            ("(* 0.25, inf)", false),
            ("(max", true),
            ("(+ 1, 0.25)", true),
            ("2", true),
        ] {
            let is_marked = out.contains(&format!("\u{1b}[{code}m{text}"));
            assert_ne!(is_marked, is_finite, "{theme:?} {text}: {out:?}");
        }
    }
}
