//! From an ink to its colours, on light and on dark ground.
//!
//! Words have a contrast of at least 4.5 to 1 to their ground and lines one of 3 to 1, and a reader who cannot tell red
//! from green can tell the curves apart: the tests below measure all three. Boxes are filled with a
//! tint of the colour that outlines them.

use std::fmt;

use super::scene::Ink;
use crate::view::theme::shades;

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color(pub u8, pub u8, pub u8);

/// The set of colours that a picture has, by its ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inks {
    /// For a white one.
    Light,
    /// For one that is nearly black.
    Dark,
}

/// What an ink is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A line, an outline, words.
    Line,
    /// An area.
    Fill,
}

/// A colour on light and on dark ground, as red, green and blue.
type Shades = (u32, u32);

/// An ink: what a style sheet calls it, and its colours. The area has a name of its own if its colours differ.
struct PaletteRow {
    ink: Ink,
    name: &'static str,
    line: Shades,
    fill: Option<(&'static str, Shades)>,
}

const fn row(
    ink: Ink,
    name: &'static str,
    line: Shades,
    fill: Option<(&'static str, Shades)>,
) -> PaletteRow {
    PaletteRow {
        ink,
        name,
        line,
        fill,
    }
}

#[rustfmt::skip]
const PALETTE: [PaletteRow; 22] = [
    row(Ink::Ground, "ground", (0xff_ffff, 0x14_171c), None),
    row(Ink::Words, "words", (0x1b_2027, 0xe8_ebef), None),
    row(Ink::Faint, "faint", (0x58_626e, 0xa6_afba), None),
    row(Ink::Grid, "grid", (0xdd_e2e8, 0x2d_333c), None),
    row(Ink::Wire, "wire", (0x6e_7985, 0x8a_95a2), None),
    row(Ink::Leaf, "leaf", (0x12_7a6c, 0x4c_c2ae), Some(("leaf-fill", (0xe2_f4f0, 0x10_302c)))),
    row(Ink::Frozen, "frozen", (0x4d_6680, 0x9a_b2ca), Some(("frozen-fill", (0xe9_eff5, 0x23_2e3a)))),
    row(Ink::Constant, "constant", (0x7c_8590, 0x85_8f9b), Some(("constant-fill", (0xf5_f6f8, 0x1d_2128)))),
    row(Ink::Computed, "computed", (0x47_515c, 0xb4_bdc7), Some(("computed-fill", (0xfd_fdfe, 0x1a_1e24)))),
    row(Ink::Root, "root", (0x7b_3fb8, 0xc3_9cf2), Some(("root-fill", (0xf4_ecfc, 0x2d_2142)))),
    row(Ink::Operation, "operation", (0x6e_7985, 0x8a_95a2), Some(("operation-fill", (0xee_f0f3, 0x28_2e37)))),
    row(Ink::Rising, "rising", (0x0b_5fa5, 0x74_bdf7), None),
    row(Ink::Falling, "falling", (0xb0_3f08, 0xff_a06b), None),
    row(Ink::NotFinite, "not-finite", (0xc0_0a66, 0xff_7ab8), Some(("not-finite-fill", (0xff_e6f0, 0x47_1530)))),
    row(Ink::Current, "current", (0xa6_6100, 0xf2_b632), Some(("current-fill", (0xff_efc2, 0x47_3606)))),
    row(Ink::Coming, "coming", (0x83_8c97, 0x74_7e8a), Some(("coming-fill", (0xfb_fbfc, 0x17_1a20)))),
    row(Ink::Curve(0), "curve-1", (0x1d_4ed8, 0x7a_adff), None),
    row(Ink::Curve(1), "curve-2", (0xe0_470b, 0xe8_942c), None),
    row(Ink::Curve(2), "curve-3", (0x0f_8f7c, 0x9b_f6ea), None),
    row(Ink::Curve(3), "curve-4", (0x8a_1a7c, 0xb2_5a80), None),
    row(Ink::Curve(4), "curve-5", (0x6a_8ff0, 0x5a_5cfa), None),
    row(Ink::Curve(5), "curve-6", (0x57_3600, 0xff_f85a), None),
];

fn look(ink: Ink, used: Use) -> (&'static str, Shades) {
    let known = match ink {
        Ink::Curve(n) => Ink::Curve(n % Ink::CURVES),
        ink => ink,
    };
    let row = PALETTE.iter().find(|row| row.ink == known);
    let row = row.unwrap_or(&PALETTE[0]);
    let line = (row.name, row.line);
    match used {
        Use::Line => line,
        Use::Fill => row.fill.unwrap_or(line),
    }
}

/// Every ink there is.
pub(crate) fn all() -> impl Iterator<Item = Ink> {
    PALETTE.iter().map(|row| row.ink)
}

/// Every name there is, with an ink and a use that have it.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, Ink, Use)> {
    PALETTE.iter().flat_map(|row| {
        let fill = row.fill.map(|(name, _)| (name, row.ink, Use::Fill));
        std::iter::once((row.name, row.ink, Use::Line)).chain(fill)
    })
}

/// What an ink looks like.
pub(crate) fn color(ink: Ink, used: Use, inks: Inks) -> Color {
    if let Some([red, green, blue]) = fixed(ink) {
        return Color(red, green, blue);
    }
    let (_, (light, dark)) = look(ink, used);
    let hex = match inks {
        Inks::Light => light,
        Inks::Dark => dark,
    };
    Color((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// What a style sheet calls an ink: `leaf` and, where the area has a colour of its own, `leaf-fill`; nothing for the inks
/// of a map, which are the same on every ground.
pub(crate) fn name(ink: Ink, used: Use) -> &'static str {
    fixed(ink).map_or_else(|| look(ink, used).0, |_| "")
}

/// The colour of an ink that has only one.
fn fixed(ink: Ink) -> Option<[u8; 3]> {
    match ink {
        Ink::Shade(part) => Some(shades::scale(part)),
        Ink::OnShade(part) if shades::is_dark(shades::scale(part)) => Some([255; 3]),
        Ink::OnShade(_) => Some([0; 3]),
        _ => None,
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::theme::color_vision;

    fn contrast(one: Color, other: Color) -> f64 {
        color_vision::contrast(parts(one), parts(other))
    }

    fn parts(Color(red, green, blue): Color) -> [u8; 3] {
        [red, green, blue]
    }

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
        for inks in [Inks::Light, Inks::Dark] {
            for ground in grounds {
                let fill = color(ground, Use::Fill, inks);
                for ink in words {
                    let ratio = contrast(color(ink, Use::Line, inks), fill);
                    assert!(ratio >= 4.5, "{ink:?} on {ground:?}, {inks:?}: {ratio}");
                }
                let ratio = contrast(color(ground, Use::Line, inks), fill);
                assert!(
                    ratio >= 3.0 || ground == Ink::Ground,
                    "{ground:?}, {inks:?}: {ratio}"
                );
            }
            // A grid is there to be overlooked.
            for ink in all().filter(|ink| !matches!(ink, Ink::Ground | Ink::Grid)) {
                let ground = color(Ink::Ground, Use::Fill, inks);
                let ratio = contrast(color(ink, Use::Line, inks), ground);
                assert!(ratio >= 3.0, "{ink:?}, {inks:?}: {ratio}");
            }
        }
    }

    #[test]
    fn curves_can_be_told_apart_by_every_eye() {
        for inks in [Inks::Light, Inks::Dark] {
            let look = |n| parts(color(Ink::Curve(n), Use::Line, inks));
            for one in 0..Ink::CURVES {
                for other in 0..one {
                    let (eye, distance) = color_vision::nearest(look(one), look(other));
                    assert!(
                        distance >= 0.12,
                        "curves {other} and {one}, {inks:?}, {eye}: {distance}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_number_that_is_not_finite_is_told_apart_by_every_eye() {
        // What numbers have, and the boxes that are told by their outline only; the first of its kind has a word too.
        let others = [
            Ink::Words,
            Ink::Rising,
            Ink::Falling,
            Ink::Current,
            Ink::Root,
        ];
        for inks in [Inks::Light, Inks::Dark] {
            let look = |ink| parts(color(ink, Use::Line, inks));
            for other in others {
                let (eye, distance) = color_vision::nearest(look(Ink::NotFinite), look(other));
                assert!(distance >= 0.08, "{other:?}, {inks:?}, {eye}: {distance}");
            }
        }
    }

    #[test]
    fn names_are_of_one_color() {
        let mut seen = std::collections::BTreeMap::new();
        for ink in all() {
            for used in [Use::Line, Use::Fill] {
                let colors = [Inks::Light, Inks::Dark].map(|inks| color(ink, used, inks));
                let known = seen.entry(name(ink, used)).or_insert(colors);
                assert_eq!(*known, colors, "{ink:?} {used:?}");
            }
        }
    }
}
