//! From an ink to its colours, on light and on dark ground.
//!
//! Words have a contrast of at least 4.5 to 1 to whatever they stand on, lines one of 3 to 1, and the curves can be
//! told apart by those who do not see red and green apart: the tests below measure all three. Boxes are filled with a
//! tint of the colour that outlines them.

use std::fmt;

use super::scene::Ink;

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color(pub u8, pub u8, pub u8);

/// The set of inks that a picture has, after its ground.
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

/// Every ink there is.
pub(crate) fn all() -> impl Iterator<Item = Ink> {
    const PLAIN: [Ink; 16] = [
        Ink::Ground,
        Ink::Words,
        Ink::Faint,
        Ink::Grid,
        Ink::Wire,
        Ink::Leaf,
        Ink::Frozen,
        Ink::Constant,
        Ink::Computed,
        Ink::Root,
        Ink::Operation,
        Ink::Rising,
        Ink::Falling,
        Ink::NotFinite,
        Ink::Current,
        Ink::Coming,
    ];
    PLAIN.into_iter().chain((0..Ink::CURVES).map(Ink::Curve))
}

/// What an ink looks like.
pub(crate) fn color(ink: Ink, used: Use, inks: Inks) -> Color {
    let (light, dark) = look(ink, used);
    let hex = match inks {
        Inks::Light => light,
        Inks::Dark => dark,
    };
    Color((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// What a style sheet calls an ink: `leaf` and, where the area has a colour of its own, `leaf-fill`.
pub(crate) fn name(ink: Ink, used: Use) -> &'static str {
    let fill = used == Use::Fill;
    match ink {
        Ink::Ground => "ground",
        Ink::Words => "words",
        Ink::Faint => "faint",
        Ink::Grid => "grid",
        Ink::Wire => "wire",
        Ink::Leaf if fill => "leaf-fill",
        Ink::Leaf => "leaf",
        Ink::Frozen if fill => "frozen-fill",
        Ink::Frozen => "frozen",
        Ink::Constant if fill => "constant-fill",
        Ink::Constant => "constant",
        Ink::Computed if fill => "computed-fill",
        Ink::Computed => "computed",
        Ink::Root if fill => "root-fill",
        Ink::Root => "root",
        Ink::Operation if fill => "operation-fill",
        Ink::Operation => "operation",
        Ink::Rising => "rising",
        Ink::Falling => "falling",
        Ink::NotFinite if fill => "not-finite-fill",
        Ink::NotFinite => "not-finite",
        Ink::Current if fill => "current-fill",
        Ink::Current => "current",
        Ink::Coming if fill => "coming-fill",
        Ink::Coming => "coming",
        Ink::Curve(n) => {
            const NAMES: [&str; Ink::CURVES as usize] = [
                "curve-1", "curve-2", "curve-3", "curve-4", "curve-5", "curve-6",
            ];
            NAMES[usize::from(n % Ink::CURVES)]
        }
    }
}

/// Light and dark.
fn look(ink: Ink, used: Use) -> (u32, u32) {
    let fill = used == Use::Fill;
    match ink {
        Ink::Ground => (0xff_ffff, 0x14_171c),
        Ink::Words => (0x1b_2027, 0xe8_ebef),
        Ink::Faint => (0x58_626e, 0xa6_afba),
        Ink::Grid => (0xdd_e2e8, 0x2d_333c),
        Ink::Leaf if fill => (0xe2_f4f0, 0x10_302c),
        Ink::Leaf => (0x12_7a6c, 0x4c_c2ae),
        Ink::Frozen if fill => (0xe9_eff5, 0x23_2e3a),
        Ink::Frozen => (0x4d_6680, 0x9a_b2ca),
        Ink::Constant if fill => (0xf5_f6f8, 0x1d_2128),
        Ink::Constant => (0x7c_8590, 0x85_8f9b),
        Ink::Computed if fill => (0xfd_fdfe, 0x1a_1e24),
        Ink::Computed => (0x47_515c, 0xb4_bdc7),
        Ink::Root if fill => (0xf4_ecfc, 0x2d_2142),
        Ink::Root => (0x7b_3fb8, 0xc3_9cf2),
        Ink::Operation if fill => (0xee_f0f3, 0x28_2e37),
        Ink::Wire | Ink::Operation => (0x6e_7985, 0x8a_95a2),
        Ink::Rising => (0x0b_5fa5, 0x74_bdf7),
        Ink::Falling => (0xb0_3f08, 0xff_a06b),
        Ink::NotFinite if fill => (0xff_e6f0, 0x47_1530),
        Ink::NotFinite => (0xc0_0a66, 0xff_7ab8),
        Ink::Current if fill => (0xff_efc2, 0x47_3606),
        Ink::Current => (0xa6_6100, 0xf2_b632),
        Ink::Coming if fill => (0xfb_fbfc, 0x17_1a20),
        Ink::Coming => (0x83_8c97, 0x74_7e8a),
        Ink::Curve(n) => match n % Ink::CURVES {
            0 => (0x1d_4ed8, 0x7a_adff),
            1 => (0xe0_470b, 0xe8_942c),
            2 => (0x0f_8f7c, 0x9b_f6ea),
            3 => (0x8a_1a7c, 0xb2_5a80),
            4 => (0x6a_8ff0, 0x5a_5cfa),
            _ => (0x57_3600, 0xff_f85a),
        },
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
    use crate::view::color_vision;

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
