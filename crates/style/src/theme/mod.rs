//! Themes: texts in the colours of their roles. This is the only folder that uses the `colored` crate.
//!
//! That crate decides once per process whether to use colour, by looking at standard output. Here standard output and
//! standard error may differ, so each caller decides.

pub mod map_scale;
pub mod on_page;
mod role_colors;

use std::fmt::Write;

use colored::{Color, ColoredString, Style, Styles, control};

pub use self::role_colors::{LOOKS, Shades, look_of};
pub use chainrule_report::Role;

/// The kind of background that the colours are made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Fixed colours of medium brightness, which are readable on black and on white.
    #[default]
    Terminal,
    /// Fixed colours for a dark background.
    Dark,
    /// Fixed colours for a light background.
    Light,
    /// No colours: only bold, underlined and inverted text.
    Plain,
    /// No colours, but marks for the roles. A page gives each role its colours.
    Page,
    /// The same for a cell of a notebook, which has no style sheet: its elements have their styles.
    Cell,
}

impl Theme {
    /// The theme with this name in the settings; an unknown name gives the default.
    pub fn from_name(name: &str) -> Theme {
        match name {
            "dark" => Theme::Dark,
            "light" => Theme::Light,
            "plain" => Theme::Plain,
            _ => Theme::Terminal,
        }
    }
}

/// Appends a text in the colour of its role, if there is a theme.
pub fn paint(text: &str, role: Role, theme: Option<Theme>, out: &mut String) {
    match theme {
        Some(Theme::Page | Theme::Cell) => on_page::mark(text, role, out),
        Some(theme) if !text.is_empty() => {
            let mut colored = ColoredString::from(text);
            let (weight, code) = weight_and_code(role, theme);
            (colored.style, colored.fgcolor) = (weight, code.map(Color::AnsiColor));
            push(&colored, out);
        }
        _ => out.push_str(text),
    }
}

/// Appends a text with its colours, even if the crate decided against colours for standard output.
fn push(text: &ColoredString, out: &mut String) {
    control::set_override(true);
    // Writing into a string cannot fail.
    let _ = write!(out, "{text}");
}

/// The text in the colour of its role, as a new string.
pub fn paint_text(text: &str, role: Role, theme: Option<Theme>) -> String {
    let mut out = String::with_capacity(text.len() + 12);
    paint(text, role, theme, &mut out);
    out
}

/// The weight of a role, and the code of its colour.
fn weight_and_code(role: Role, theme: Theme) -> (Style, Option<u8>) {
    let plain = Style::default();
    let look = look_of(role);
    let [medium, dark, light] = look.codes.map_or([None; 3], |codes| codes.map(Some));
    let code = match theme {
        Theme::Terminal => medium,
        Theme::Dark => dark,
        Theme::Light => light,
        Theme::Page | Theme::Cell | Theme::Plain => None,
    };
    let weight = match (role, look.weight) {
        (Role::Error, _) if theme == Theme::Plain => plain.bold().underline(),
        (Role::Falling, _) if theme == Theme::Plain => plain.underline(),
        (Role::NotFinite, _) if theme == Theme::Plain => plain.reversed(),
        (_, Some(Styles::Bold)) => plain.bold(),
        // A fixed colour looks the same on more terminals than dimming does.
        (_, Some(_)) if code.is_none() => plain.dimmed(),
        _ => plain,
    };
    (weight, code)
}

/// A colour as style sheets write it: `#127a6c`.
pub fn hex_color([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The red, green and blue of a code. A cube of six by six by six colours begins at 16, and the greys begin at 232. The
/// codes below 16 look different on each terminal.
fn channels(code: u8) -> [u8; 3] {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match code {
        0..16 => [0; 3],
        16..232 => {
            let place = usize::from(code - 16);
            [place / 36, place / 6 % 6, place % 6].map(|level| LEVELS[level])
        }
        232.. => [8 + 10 * (code - 232); 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color_vision;

    const THEMES: [Theme; 3] = [Theme::Terminal, Theme::Dark, Theme::Light];

    /// The roles that have no colour on a terminal: their texts have the terminal's default colour.
    const WITHOUT_COLOR: [Role; 6] = [
        Role::Plain,
        Role::Number,
        Role::Computed,
        Role::Heading,
        Role::Root,
        Role::Operation,
    ];
    /// The roles that no text on a terminal has.
    const ONLY_IN_PICTURES: [Role; 5] = [
        Role::Ground,
        Role::Words,
        Role::Faint,
        Role::Grid,
        Role::Wire,
    ];

    #[test]
    fn looks() {
        const OWN: Option<Theme> = Some(Theme::Terminal);
        let cases = [
            (Role::Plain, OWN, "x"),
            (Role::Error, None, "x"),
            (Role::Error, OWN, "\u{1b}[1;38;5;131mx\u{1b}[0m"),
            (Role::Name, OWN, "\u{1b}[38;5;63mx\u{1b}[0m"),
            (Role::Dim, OWN, "\u{1b}[38;5;243mx\u{1b}[0m"),
            (Role::Name, Some(Theme::Dark), "\u{1b}[38;5;123mx\u{1b}[0m"),
            (
                Role::Typed,
                Some(Theme::Light),
                "\u{1b}[1;38;5;24mx\u{1b}[0m",
            ),
            (Role::Name, Some(Theme::Plain), "x"),
            (Role::Dim, Some(Theme::Plain), "\u{1b}[2mx\u{1b}[0m"),
            (Role::Error, Some(Theme::Plain), "\u{1b}[1;4mx\u{1b}[0m"),
        ];
        for (role, theme, expected) in cases {
            assert_eq!(paint_text("x", role, theme), expected, "{role:?} {theme:?}");
        }
    }

    #[test]
    fn gradients_have_the_colour_of_their_sign() {
        for (grad, expected) in [
            (2.0, Role::Rising),
            (-2.0, Role::Falling),
            (0.0, Role::Number),
            (-0.0, Role::Number),
            (f64::NAN, Role::NotFinite),
            (f64::NEG_INFINITY, Role::NotFinite),
        ] {
            assert_eq!(Role::of_grad(grad), expected, "{grad}");
        }
    }

    /// The colour that is written for a role: the code in its escape sequence. `None` for the default colour.
    fn written_color(role: Role, theme: Theme) -> Option<u8> {
        let text = paint_text("x", role, Some(theme));
        let (_, rest) = text.split_once("38;5;")?;
        let code = rest.split('m').next().and_then(|code| code.parse().ok());
        Some(code.expect("a code follows"))
    }

    #[test]
    fn every_role_can_be_read_on_its_background() {
        const BLACK: [u8; 3] = [0; 3];
        const WHITE: [u8; 3] = [255; 3];
        let roles = LOOKS.iter().map(|look| look.role);
        let text_roles = roles.filter(|role| !ONLY_IN_PICTURES.contains(role));
        for theme in THEMES {
            // The grey and the sand are the backgrounds of many editors. The other themes are not measured on them: a
            // colour that reaches 4.5 on both black and white reaches hardly more, so none reaches it on both grey and
            // sand.
            let backgrounds: &[[u8; 3]] = match theme {
                Theme::Dark => &[BLACK, [48; 3]],
                Theme::Light => &[WHITE, [253, 246, 227]],
                _ => &[BLACK, WHITE],
            };
            for role in text_roles.clone() {
                // The contrasts that WCAG asks of lines and of text.
                let is_line = matches!(role, Role::Curve(_));
                let least = if is_line { 3.0 } else { 4.5 };
                let Some(code) = written_color(role, theme) else {
                    let is_known = WITHOUT_COLOR.contains(&role);
                    assert!(is_known, "{theme:?} {role:?} has no colour");
                    // Dimming would make the default colour harder to read by an unknown amount.
                    assert!(!paint_text("x", role, Some(theme)).starts_with("\u{1b}[2"));
                    continue;
                };
                for &background in backgrounds {
                    let ratio = color_vision::contrast(channels(code), background);
                    assert!(
                        ratio >= least,
                        "{theme:?} {role:?} {code} on {background:?}: {ratio}"
                    );
                }
            }
        }
    }

    #[test]
    fn roles_are_told_apart_by_every_eye() {
        // These must have different colours. Some eyes may see only that one is a little darker than another.
        let different = [
            Role::Name,
            Role::Formula,
            Role::Rising,
            Role::Falling,
            Role::Place,
            Role::Number,
            Role::Dim,
        ];
        let apart = [
            (Role::Name, Role::Formula),
            (Role::Name, Role::Error),
            (Role::Formula, Role::Error),
            (Role::Rising, Role::Falling),
            (Role::NotFinite, Role::Rising),
            (Role::NotFinite, Role::Falling),
            (Role::NotFinite, Role::Current),
            (Role::NotFinite, Role::Leaf),
        ];
        for theme in THEMES {
            for (place, role) in different.iter().enumerate() {
                for other in &different[..place] {
                    assert_ne!(
                        written_color(*role, theme),
                        written_color(*other, theme),
                        "{theme:?} {role:?} {other:?}"
                    );
                }
            }
            assert_ne!(
                written_color(Role::Hint, theme),
                written_color(Role::Ghost, theme)
            );
            let curves = (0..6).flat_map(|one| (0..one).map(move |other| (one, other)));
            let curves = curves.map(|(one, other)| (Role::Curve(one), Role::Curve(other)));
            // The theme for any background has colours of one brightness. Eyes that see only blue and yellow cannot
            // distinguish all of them.
            let curves = curves.filter(|_| theme != Theme::Terminal);
            for (one, other) in apart.into_iter().chain(curves) {
                let [Some(first), Some(second)] =
                    [one, other].map(|role| written_color(role, theme))
                else {
                    panic!("{one:?} and {other:?} have colours");
                };
                let (eye, distance) = color_vision::nearest(channels(first), channels(second));
                assert!(
                    distance >= 0.08,
                    "{theme:?} {one:?} {other:?}, {eye}: {distance}"
                );
            }
        }
    }
}
