//! Defines the look of each role in one table, with its colours on a terminal, on a page and in a picture.
//!
//! The tests of `theme` and `palette` check that all colours can be read and distinguished.

use colored::Styles;

use chainrule_report::Role;

/// The row of a role in the table.
pub fn look_of(role: Role) -> &'static Look {
    let known = match role {
        Role::Curve(number) => Role::Curve(number % Role::CURVES),
        role => role,
    };
    let row = LOOKS.iter().find(|look| look.role == known);
    row.unwrap_or(&LOOKS[0])
}

/// A colour on light and on dark ground, as red, green and blue.
pub type Shades = (u32, u32);

/// The look of a role.
pub struct Look {
    pub role: Role,
    /// Its name in a style sheet; empty if it looks like ordinary words.
    pub name: &'static str,
    /// Bold, dimmed, or neither.
    pub(super) weight: Option<Styles>,
    /// On a terminal: three of the 256 colours, for any ground, for dark and for light ground. These colours look the
    /// same on all terminals that have them. `None` is the terminal's default colour.
    pub(super) codes: Option<[u8; 3]>,
    /// In a picture: lines, outlines and words.
    pub line: Option<Shades>,
    /// In a picture: areas, with a name of their own, if their colours differ.
    pub fill: Option<(&'static str, Shades)>,
}

const fn look(
    role: Role,
    name: &'static str,
    weight: Option<Styles>,
    codes: Option<[u8; 3]>,
    line: Option<Shades>,
    fill: Option<(&'static str, Shades)>,
) -> Look {
    Look {
        role,
        name,
        weight,
        codes,
        line,
        fill,
    }
}

impl Look {
    /// Whether a text with this role looks unlike ordinary words.
    pub(super) fn is_marked(&self) -> bool {
        !self.name.is_empty() && (self.codes.is_some() || self.weight.is_some())
    }
}

/// All roles that have a look. Of the 256 colours only the first codes in this table have a contrast of 4.5 to both black
/// and white; 28 and 130 nearly have it.
#[rustfmt::skip]
pub const LOOKS: [Look; 36] = [
    look(Role::Plain, "", None, None, None, None),
    look(Role::Number, "", None, None, None, None),
    look(Role::Name, "name", None, Some([63, 123, 24]), None, None),
    look(Role::Formula, "formula", None, Some([163, 177, 129]), None, None),
    look(Role::Typed, "typed", Some(Styles::Bold), Some([63, 123, 24]), None, None),
    look(Role::Heading, "heading", Some(Styles::Bold), None, None, None),
    look(Role::Dim, "dim", Some(Styles::Dimmed), Some([243, 247, 242]), None, None),
    look(Role::Error, "error", Some(Styles::Bold), Some([131, 209, 124]), None, None),
    look(Role::Note, "note", Some(Styles::Bold), Some([63, 123, 24]), None, None),
    look(Role::Help, "help", Some(Styles::Bold), Some([29, 114, 22]), None, None),
    look(Role::Place, "place", None, Some([29, 187, 54]), None, None),
    look(Role::Hint, "hint", Some(Styles::Dimmed), Some([29, 151, 22]), None, None),
    look(Role::Ghost, "", Some(Styles::Dimmed), Some([243, 247, 242]), None, None),
    look(Role::Bracket, "bracket", Some(Styles::Bold), Some([63, 123, 24]), None, None),
    look(Role::Ground, "ground", None, None, Some((0xff_ffff, 0x14_171c)), None),
    look(Role::Words, "words", None, None, Some((0x1b_2027, 0xe8_ebef)), None),
    look(Role::Faint, "faint", None, None, Some((0x58_626e, 0xa6_afba)), None),
    look(Role::Grid, "grid", None, None, Some((0xdd_e2e8, 0x2d_333c)), None),
    look(Role::Wire, "wire", None, None, Some((0x6e_7985, 0x8a_95a2)), None),
    look(Role::Leaf, "leaf", None, Some([29, 114, 22]), Some((0x12_7a6c, 0x4c_c2ae)), Some(("leaf-fill", (0xe2_f4f0, 0x10_302c)))),
    look(Role::Frozen, "frozen", Some(Styles::Dimmed), Some([243, 247, 242]), Some((0x4d_6680, 0x9a_b2ca)), Some(("frozen-fill", (0xe9_eff5, 0x23_2e3a)))),
    look(Role::Constant, "constant", Some(Styles::Dimmed), Some([243, 247, 242]), Some((0x7c_8590, 0x85_8f9b)), Some(("constant-fill", (0xf5_f6f8, 0x1d_2128)))),
    look(Role::Computed, "computed", None, None, Some((0x47_515c, 0xb4_bdc7)), Some(("computed-fill", (0xfd_fdfe, 0x1a_1e24)))),
    look(Role::Root, "root", Some(Styles::Bold), None, Some((0x7b_3fb8, 0xc3_9cf2)), Some(("root-fill", (0xf4_ecfc, 0x2d_2142)))),
    look(Role::Operation, "operation", Some(Styles::Bold), None, Some((0x6e_7985, 0x8a_95a2)), Some(("operation-fill", (0xee_f0f3, 0x28_2e37)))),
    look(Role::Rising, "rising", None, Some([98, 117, 20]), Some((0x0b_5fa5, 0x74_bdf7)), None),
    look(Role::Falling, "falling", None, Some([131, 215, 94]), Some((0xb0_3f08, 0xff_a06b)), None),
    look(Role::NotFinite, "not-finite", None, Some([163, 206, 161]), Some((0xc0_0a66, 0xff_7ab8)), Some(("not-finite-fill", (0xff_e6f0, 0x47_1530)))),
    look(Role::Current, "current", Some(Styles::Bold), Some([63, 228, 129]), Some((0xa6_6100, 0xf2_b632)), Some(("current-fill", (0xff_efc2, 0x47_3606)))),
    look(Role::Coming, "coming", Some(Styles::Dimmed), Some([243, 247, 242]), Some((0x83_8c97, 0x74_7e8a)), Some(("coming-fill", (0xfb_fbfc, 0x17_1a20)))),
    look(Role::Curve(0), "curve-1", None, Some([63, 111, 27]), Some((0x1d_4ed8, 0x7a_adff)), None),
    look(Role::Curve(1), "curve-2", None, Some([130, 226, 130]), Some((0xe0_470b, 0xe8_942c)), None),
    look(Role::Curve(2), "curve-3", None, Some([29, 64, 18]), Some((0x0f_8f7c, 0x9b_f6ea)), None),
    look(Role::Curve(3), "curve-4", None, Some([163, 159, 127]), Some((0x8a_1a7c, 0xb2_5a80)), None),
    look(Role::Curve(4), "curve-5", None, Some([98, 180, 23]), Some((0x6a_8ff0, 0x5a_5cfa)), None),
    look(Role::Curve(5), "curve-6", None, Some([243, 99, 16]), Some((0x57_3600, 0xff_f85a)), None),
];
