//! The colours of the inks, on a light and on a dark background.
//!
//! Words have a contrast of at least 4.5 to 1 with their background, and lines one of 3 to 1, except for grids. A
//! reader who cannot distinguish red from green can distinguish the curves. The tests below measure all three. Boxes
//! are filled with a tint of the colour of their outline.

use super::scene::Ink;
use chainrule_style::Style;
use chainrule_style::theme::{LOOKS, Shades, look_of, map_scale};

/// The background of a picture, which decides its set of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// For a white background.
    Light,
    /// For a background that is nearly black.
    Dark,
}

/// The backgrounds of a picture on a light screen and on a dark one, which are the same if the style fixes one. A notebook
/// may be light on a dark screen, so in its cells a picture is light.
pub(crate) fn backgrounds(style: &Style) -> [Background; 2] {
    match style.is_always_dark {
        None if !style.is_cell() => [Background::Light, Background::Dark],
        None | Some(false) => [Background::Light; 2],
        Some(true) => [Background::Dark; 2],
    }
}

/// The use of an ink. Most inks have one colour for each use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A line, an outline, words.
    Line,
    /// An area.
    Fill,
}

/// The name and the colours of an ink in this use. An ink that only the terminal has is black in pictures.
fn named_shades(ink: Ink, used: Use) -> (&'static str, Shades) {
    let look = look_of(ink);
    let line = (look.name, look.line.unwrap_or_default());
    match used {
        Use::Line => line,
        Use::Fill => look.fill.unwrap_or(line),
    }
}

/// All inks that pictures have.
fn all() -> impl Iterator<Item = Ink> {
    let inks = LOOKS.iter().filter(|look| look.line.is_some());
    inks.map(|look| look.role)
}

/// The uses of all inks with a colour of their own: lines, and areas if they have another colour.
pub(crate) fn ink_uses() -> impl Iterator<Item = (Ink, Use)> {
    all().flat_map(|ink| {
        let fill = look_of(ink).fill.map(|_| (ink, Use::Fill));
        std::iter::once((ink, Use::Line)).chain(fill)
    })
}

/// The red, green and blue of an ink.
pub(crate) fn color(ink: Ink, used: Use, background: Background) -> [u8; 3] {
    if let Some(color) = fixed_color(ink) {
        return color;
    }
    let (_, (light, dark)) = named_shades(ink, used);
    let hex = match background {
        Background::Light => light,
        Background::Dark => dark,
    };
    [16, 8, 0].map(|shift| (hex >> shift) as u8)
}

/// The opacity of an ink. A band lets the grid and other bands through, and differs from the grid in print, too.
pub(crate) fn opacity(ink: Ink) -> f64 {
    match ink {
        Ink::Band(_) => 0.35,
        _ => 1.0,
    }
}

/// The name of an ink in a style sheet: `leaf` or, if the area has another colour, `leaf-fill`. An ink with one colour on
/// every background has an empty name.
pub(crate) fn name(ink: Ink, used: Use) -> &'static str {
    named_shades(ink, used).0
}

/// The colour of an ink that has the same one on every background, as the inks of maps do.
fn fixed_color(ink: Ink) -> Option<[u8; 3]> {
    Some(match ink {
        Ink::Shade(part) => map_scale::scale(part),
        Ink::OnShade(part) if map_scale::is_dark(map_scale::scale(part)) => [255; 3],
        Ink::OnShade(_) => [0; 3],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::color_vision::{self, contrast};
    use chainrule_style::theme::{Theme, on_page};

    #[test]
    fn words_and_lines_stand_out() {
        let grounds = [
            Ink::Ground,
            Ink::Leaf,
            Ink::Frozen,
            Ink::Constant,
            Ink::Computed,
            Ink::Root,
            Ink::Operation,
            Ink::NotFinite,
            Ink::Current,
            Ink::Coming,
        ];
        let words = [
            Ink::Words,
            Ink::Faint,
            Ink::Rising,
            Ink::Falling,
            Ink::NotFinite,
        ];
        for background in [Background::Light, Background::Dark] {
            for ground in grounds {
                let fill = color(ground, Use::Fill, background);
                for ink in words {
                    let ratio = contrast(color(ink, Use::Line, background), fill);
                    assert!(
                        ratio >= 4.5,
                        "{ink:?} on {ground:?}, {background:?}: {ratio}"
                    );
                }
                let ratio = contrast(color(ground, Use::Line, background), fill);
                assert!(
                    ratio >= 3.0 || ground == Ink::Ground,
                    "{ground:?}, {background:?}: {ratio}"
                );
            }
            // The lines of a grid may be faint.
            for ink in all().filter(|ink| !matches!(ink, Ink::Ground | Ink::Grid)) {
                let ground = color(Ink::Ground, Use::Fill, background);
                let ratio = contrast(color(ink, Use::Line, background), ground);
                assert!(ratio >= 3.0, "{ink:?}, {background:?}: {ratio}");
            }
        }
    }

    #[test]
    fn every_eye_distinguishes_the_curves() {
        for background in [Background::Light, Background::Dark] {
            let look = |n| color(Ink::Curve(n), Use::Line, background);
            for one in 0..Ink::CURVES {
                for other in 0..one {
                    let (eye, distance) = color_vision::nearest(look(one), look(other));
                    assert!(
                        distance >= 0.12,
                        "curves {other} and {one}, {background:?}, {eye}: {distance}"
                    );
                }
            }
        }
    }

    /// The grid may be faint, but a band is data: it contrasts with the ground more than the grid of a white page does, and
    /// its curve can be seen on it.
    #[test]
    fn bands_are_tints_that_stand_out() {
        for background in [Background::Light, Background::Dark] {
            let ground = color(Ink::Ground, Use::Fill, background);
            for number in 0..Ink::CURVES {
                let curve = color(Ink::Curve(number), Use::Line, background);
                assert_eq!(color(Ink::Band(number), Use::Fill, background), curve);
                let opacity = opacity(Ink::Band(number));
                let part = |at: usize| {
                    let mixed =
                        opacity * f64::from(curve[at]) + (1.0 - opacity) * f64::from(ground[at]);
                    mixed.round() as u8
                };
                let band = [0, 1, 2].map(part);
                let from_ground = contrast(band, ground);
                assert!(from_ground > 1.4, "{number} {background:?}: {from_ground}");
                let from_curve = contrast(band, curve);
                assert!(from_curve > 2.1, "{number} {background:?}: {from_curve}");
                // On paper the grid is as light as a band, so every eye needs another colour.
                let grid = color(Ink::Grid, Use::Line, background);
                let (eye, distance) = color_vision::nearest(band, grid);
                let is_apart = distance > 0.03 || background == Background::Dark;
                assert!(is_apart, "{number}, {eye}: {distance}");
            }
        }
    }

    #[test]
    fn every_eye_distinguishes_a_number_that_is_not_finite() {
        // The inks of numbers, and of the boxes that only their outline distinguishes. The first box that is not finite
        // also has a word.
        let others = [
            Ink::Words,
            Ink::Rising,
            Ink::Falling,
            Ink::Current,
            Ink::Root,
        ];
        for background in [Background::Light, Background::Dark] {
            let look = |ink| color(ink, Use::Line, background);
            for other in others {
                let (eye, distance) = color_vision::nearest(look(Ink::NotFinite), look(other));
                assert!(
                    distance >= 0.08,
                    "{other:?}, {background:?}, {eye}: {distance}"
                );
            }
        }
    }

    #[test]
    fn names_are_of_one_color() {
        let mut seen = std::collections::BTreeMap::new();
        for ink in all() {
            for used in [Use::Line, Use::Fill] {
                let colors = [Background::Light, Background::Dark]
                    .map(|background| color(ink, used, background));
                let known = seen.entry(name(ink, used)).or_insert(colors);
                assert_eq!(*known, colors, "{ink:?} {used:?}");
            }
        }
    }

    /// The tests of the themes measure colours on white and black. Blocks of a document have another ground.
    #[test]
    fn words_are_read_on_the_ground_of_a_block() {
        for (theme, background) in [
            (Theme::Light, Background::Light),
            (Theme::Dark, Background::Dark),
        ] {
            let hex = |text: &str| {
                let part = |at: usize| u8::from_str_radix(&text[at..at + 2], 16);
                [1, 3, 5].map(|at| part(at).expect("a colour has six digits"))
            };
            let named = |name: &str| {
                let properties = crate::properties(background);
                let (_, behind) = properties.split_once(&format!("--{name}:")).expect(name);
                hex(&behind[..7])
            };
            let (block, ground) = (named("constant-fill"), named("ground"));
            let mut words = vec![named("words"), named("faint"), named("rising")];
            let rules = on_page::rules("pre", theme);
            // Curves are lines, not words.
            let of_words = rules.lines().filter(|rule| !rule.contains(".curve"));
            words.extend(of_words.filter_map(|rule| Some(hex(rule.split_once("color:")?.1))));
            assert!(words.len() > 10, "{rules}");
            for word in words {
                for ground in [block, ground] {
                    let ratio = color_vision::contrast(word, ground);
                    assert!(ratio >= 4.5, "{theme:?} {word:?} on {ground:?}: {ratio}");
                }
            }
        }
    }
}
