//! Themes: the colour of each role. The only file that uses the `colored` crate.
//!
//! That crate decides once per process whether to use colour, by looking at standard output. Here standard output and
//! standard error may differ, so only its table of colours is used, and each caller says whether to use colour.

use colored::Color;

/// What a part of the output means, as far as colour is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary words.
    Plain,
    /// A name or label of a node.
    Name,
    /// A number. It has the terminal's default colour because most of a screen is numbers. The sign of a gradient has
    /// no colour either: red and green would suggest bad and good.
    Number,
    /// A number that is NaN or infinite; in a picture also the node where the first of them arose.
    NotFinite,
    /// A formula.
    Formula,
    /// Something to type, such as a command or an option.
    Typed,
    /// A heading, the head of a table.
    Heading,
    /// Less important words.
    Dim,
    /// The word `error` and its carets.
    Error,
    /// The word `note` and its carets.
    Note,
    /// The word `help`.
    Help,
    /// Text at the prompt that changes with each key: the live result.
    Hint,
    /// The bracket at the cursor and its partner.
    Bracket,
    /// In a picture, a leaf that `:step` changes.
    Leaf,
    /// A frozen leaf.
    Frozen,
    /// A computed node.
    Computed,
    /// The root of the graph.
    Root,
    /// The sign of an operation.
    Operation,
    /// A positive grad in a picture, in addition to its sign. Neither red nor green, because it is neither good nor
    /// bad.
    Rising,
    /// A negative grad.
    Falling,
    /// The current stop of a walk.
    Current,
    /// What the walk has not reached yet.
    Coming,
    /// The n-th curve of a plot.
    Curve(u8),
}

impl Role {
    /// The role of a number, by whether it is finite.
    pub fn of(value: f64) -> Role {
        if value.is_finite() {
            Role::Number
        } else {
            Role::NotFinite
        }
    }
}

/// The kind of background that the colours are made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The terminal's own colours, limited to those that are readable on any background.
    #[default]
    Terminal,
    /// Fixed colours for a dark background.
    Dark,
    /// Fixed colours for a light background.
    Light,
    /// No colours: only bold, underlined and inverted text.
    Plain,
}

impl Theme {
    /// The theme with this name in the settings; an unknown name gives the default.
    pub fn named(name: &str) -> Theme {
        match name {
            "dark" => Theme::Dark,
            "light" => Theme::Light,
            "plain" => Theme::Plain,
            _ => Theme::Terminal,
        }
    }
}

/// Appends a text in the colour of its role, if there is a theme.
pub fn paint(text: &str, role: Role, color: Option<Theme>, out: &mut String) {
    let (weight, hue) = color.map_or(("", None), |theme| weight_and_color(role, theme));
    if text.is_empty() || (weight.is_empty() && hue.is_none()) {
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

/// The same as a new string.
pub fn painted(text: &str, role: Role, color: Option<Theme>) -> String {
    let mut out = String::with_capacity(text.len() + 12);
    paint(text, role, color, &mut out);
    out
}

const BOLD: &str = "1";
const DIM: &str = "2";
const UNDERLINED: &str = "4";
const INVERTED: &str = "7";
const BOLD_UNDERLINED: &str = "1;4";

/// The weight and the colour of a role.
fn weight_and_color(role: Role, theme: Theme) -> (&'static str, Option<Color>) {
    let weight = weight(role);
    match theme {
        Theme::Terminal => (weight, terminal_color(role)),
        // These themes have a fixed grey for less important text, which looks the same on more terminals than dimming
        // does.
        Theme::Dark => fixed(role, weight, DARK),
        Theme::Light => fixed(role, weight, LIGHT),
        Theme::Plain => match role {
            Role::Error => (BOLD_UNDERLINED, None),
            Role::Falling => (UNDERLINED, None),
            Role::NotFinite => (INVERTED, None),
            _ => (weight, None),
        },
    }
}

fn weight(role: Role) -> &'static str {
    match role {
        Role::Typed
        | Role::Note
        | Role::Bracket
        | Role::Heading
        | Role::Root
        | Role::Operation
        | Role::Current
        | Role::Error
        | Role::Help => BOLD,
        Role::Dim | Role::Hint | Role::Coming | Role::Frozen => DIM,
        Role::Curve(number) if number % 6 >= 4 => BOLD,
        _ => "",
    }
}

/// The colours of the `terminal` theme. All are readable on dark and light backgrounds, which blue and yellow are not.
fn terminal_color(role: Role) -> Option<Color> {
    Some(match role {
        Role::Name | Role::Rising | Role::Typed | Role::Note | Role::Bracket => Color::Cyan,
        Role::Formula | Role::Falling | Role::Current => Color::Magenta,
        Role::Leaf | Role::Help => Color::Green,
        Role::Error | Role::NotFinite => Color::Red,
        Role::Curve(number) => match number % 6 {
            0 | 5 => Color::Cyan,
            1 => Color::Magenta,
            2 => Color::Green,
            3 => Color::Red,
            _ => return None,
        },
        _ => return None,
    })
}

/// Codes among the 256 colours, which look the same on all terminals that support them.
#[derive(Clone, Copy)]
struct Palette {
    names: u8,
    formulas: u8,
    leaves: u8,
    errors: u8,
    not_finite: u8,
    grey: u8,
    rising: u8,
    falling: u8,
    current: u8,
    curves: [u8; 6],
}

const DARK: Palette = Palette {
    names: 123,
    formulas: 177,
    leaves: 114,
    errors: 209,
    not_finite: 206,
    grey: 247,
    rising: 117,
    falling: 215,
    current: 228,
    curves: [111, 226, 64, 159, 180, 99],
};

const LIGHT: Palette = Palette {
    names: 24,
    formulas: 129,
    leaves: 22,
    errors: 124,
    not_finite: 161,
    grey: 242,
    rising: 25,
    falling: 94,
    current: 129,
    curves: [27, 130, 18, 127, 23, 16],
};

fn fixed(role: Role, weight: &'static str, palette: Palette) -> (&'static str, Option<Color>) {
    let code = match role {
        Role::Name | Role::Typed | Role::Note | Role::Bracket => palette.names,
        Role::Formula => palette.formulas,
        Role::Leaf | Role::Help => palette.leaves,
        Role::Error => palette.errors,
        Role::NotFinite => palette.not_finite,
        Role::Dim | Role::Hint | Role::Coming | Role::Frozen => {
            return ("", Some(Color::AnsiColor(palette.grey)));
        }
        Role::Rising => palette.rising,
        Role::Falling => palette.falling,
        Role::Current => palette.current,
        Role::Curve(number) => {
            let number = usize::from(number) % palette.curves.len();
            return ("", Some(Color::AnsiColor(palette.curves[number])));
        }
        Role::Plain
        | Role::Number
        | Role::Computed
        | Role::Heading
        | Role::Root
        | Role::Operation => return (weight, None),
    };
    (weight, Some(Color::AnsiColor(code)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::color_vision;

    #[test]
    fn looks() {
        const OWN: Option<Theme> = Some(Theme::Terminal);
        let cases = [
            (Role::Plain, OWN, "x"),
            (Role::Error, None, "x"),
            (Role::Error, OWN, "\u{1b}[1;31mx\u{1b}[0m"),
            (Role::Name, OWN, "\u{1b}[36mx\u{1b}[0m"),
            (Role::Dim, OWN, "\u{1b}[2mx\u{1b}[0m"),
            (Role::Name, Some(Theme::Dark), "\u{1b}[38;5;123mx\u{1b}[0m"),
            (
                Role::Typed,
                Some(Theme::Light),
                "\u{1b}[1;38;5;24mx\u{1b}[0m",
            ),
            (Role::Name, Some(Theme::Plain), "x"),
            (Role::Error, Some(Theme::Plain), "\u{1b}[1;4mx\u{1b}[0m"),
        ];
        for (role, color, expected) in cases {
            assert_eq!(painted("x", role, color), expected, "{role:?} {color:?}");
        }
    }

    /// The RGB values of a code: 16 is where a cube of six by six by six colours begins, 232 where greys begin.
    fn parts(code: u8) -> [u8; 3] {
        const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
        match code {
            0..16 => panic!("{code} is the terminal's own"),
            16..232 => {
                let place = usize::from(code - 16);
                [place / 36, place / 6 % 6, place % 6].map(|level| LEVELS[level])
            }
            232.. => [8 + 10 * (code - 232); 3],
        }
    }

    #[test]
    fn fixed_colours_are_read_on_their_ground_and_told_apart_by_every_eye() {
        // Black to the dark grey of many editors, and white to the sand of others.
        let grounds = |theme| match theme {
            Theme::Light => [[255; 3], [253, 246, 227]],
            _ => [[0; 3], [48; 3]],
        };
        for (theme, palette) in [(Theme::Dark, DARK), (Theme::Light, LIGHT)] {
            let words = [
                palette.names,
                palette.formulas,
                palette.leaves,
                palette.errors,
                palette.not_finite,
                palette.grey,
                palette.rising,
                palette.falling,
                palette.current,
            ];
            let lines = palette.curves.map(|curve| (curve, 3.0));
            let words = words.map(|word| (word, 4.5));
            for (code, least) in words.into_iter().chain(lines) {
                for ground in grounds(theme) {
                    let ratio = color_vision::contrast(parts(code), ground);
                    assert!(ratio >= least, "{theme:?} {code} on {ground:?}: {ratio}");
                }
            }
            let mut apart = vec![
                (palette.names, palette.formulas),
                (palette.names, palette.errors),
                (palette.formulas, palette.errors),
                (palette.rising, palette.falling),
                (palette.not_finite, palette.rising),
                (palette.not_finite, palette.falling),
                (palette.not_finite, palette.current),
                (palette.not_finite, palette.leaves),
            ];
            for (place, curve) in palette.curves.iter().enumerate() {
                apart.extend(palette.curves[..place].iter().map(|other| (*curve, *other)));
            }
            for (one, other) in apart {
                let (eye, distance) = color_vision::nearest(parts(one), parts(other));
                assert!(
                    distance >= 0.08,
                    "{theme:?} {one} {other}, {eye}: {distance}"
                );
            }
        }
    }
}
