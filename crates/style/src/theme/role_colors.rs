//! Defines the look of each role in one table, with its colours on a terminal, on a page and in a picture.
//!
//! The tests of `theme` and `palette` check that all colours can be read and distinguished.

use colored::Styles;

use chainrule_report::Role;

/// The row of a role in the table.
pub fn look_of(role: Role) -> &'static Look {
    let known = match role {
        Role::Curve(number) | Role::Band(number) => Role::Curve(number % Role::CURVES),
        Role::Math => Role::Formula,
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

/// The look of ordinary words, which the table completes.
const NO_LOOK: Look = Look {
    role: Role::Plain,
    name: "",
    weight: None,
    codes: None,
    line: None,
    fill: None,
};

impl Look {
    /// Whether a text with this role looks unlike ordinary words.
    pub(super) fn is_marked(&self) -> bool {
        !self.name.is_empty() && (self.codes.is_some() || self.weight.is_some())
    }
}

/// All roles that have a look. The first of three codes is for any ground: it has a contrast of 4.5 to both black and
/// white, or nearly so (130). No other of the 256 colours has it.
#[rustfmt::skip]
pub const LOOKS: [Look; 36] = [
    Look { role: Role::Plain, ..NO_LOOK },
    Look { role: Role::Number, ..NO_LOOK },
    Look { role: Role::Name, name: "name", codes: Some([63, 123, 24]), ..NO_LOOK },
    Look { role: Role::Formula, name: "formula", codes: Some([163, 177, 129]), ..NO_LOOK },
    Look { role: Role::Typed, name: "typed", weight: Some(Styles::Bold), codes: Some([63, 123, 24]), ..NO_LOOK },
    Look { role: Role::Heading, name: "heading", weight: Some(Styles::Bold), ..NO_LOOK },
    Look { role: Role::Dim, name: "dim", weight: Some(Styles::Dimmed), codes: Some([243, 247, 242]), ..NO_LOOK },
    Look { role: Role::Error, name: "error", weight: Some(Styles::Bold), codes: Some([131, 209, 124]), ..NO_LOOK },
    Look { role: Role::Note, name: "note", weight: Some(Styles::Bold), codes: Some([63, 123, 24]), ..NO_LOOK },
    Look { role: Role::Help, name: "help", weight: Some(Styles::Bold), codes: Some([29, 114, 22]), ..NO_LOOK },
    Look { role: Role::Place, name: "place", codes: Some([29, 187, 54]), ..NO_LOOK },
    Look { role: Role::Hint, name: "hint", weight: Some(Styles::Dimmed), codes: Some([29, 151, 22]), ..NO_LOOK },
    Look { role: Role::Ghost, weight: Some(Styles::Dimmed), codes: Some([243, 247, 242]), ..NO_LOOK },
    Look { role: Role::Bracket, name: "bracket", weight: Some(Styles::Bold), codes: Some([63, 123, 24]), ..NO_LOOK },
    Look { role: Role::Ground, name: "ground", line: Some((0xff_ffff, 0x14_171c)), ..NO_LOOK },
    Look { role: Role::Words, name: "words", line: Some((0x1b_2027, 0xe8_ebef)), ..NO_LOOK },
    Look { role: Role::Faint, name: "faint", line: Some((0x58_626e, 0xa6_afba)), ..NO_LOOK },
    Look { role: Role::Grid, name: "grid", line: Some((0xdd_e2e8, 0x2d_333c)), ..NO_LOOK },
    Look { role: Role::Wire, name: "wire", line: Some((0x6e_7985, 0x8a_95a2)), ..NO_LOOK },
    Look { role: Role::Leaf, name: "leaf", codes: Some([29, 114, 22]), line: Some((0x12_7a6c, 0x4c_c2ae)), fill: Some(("leaf-fill", (0xe2_f4f0, 0x10_302c))), ..NO_LOOK },
    Look { role: Role::Frozen, name: "frozen", weight: Some(Styles::Dimmed), codes: Some([243, 247, 242]), line: Some((0x4d_6680, 0x9a_b2ca)), fill: Some(("frozen-fill", (0xe9_eff5, 0x23_2e3a))) },
    Look { role: Role::Constant, name: "constant", weight: Some(Styles::Dimmed), codes: Some([243, 247, 242]), line: Some((0x7c_8590, 0x85_8f9b)), fill: Some(("constant-fill", (0xf5_f6f8, 0x1d_2128))) },
    Look { role: Role::Computed, name: "computed", line: Some((0x47_515c, 0xb4_bdc7)), fill: Some(("computed-fill", (0xfd_fdfe, 0x1a_1e24))), ..NO_LOOK },
    Look { role: Role::Root, name: "root", weight: Some(Styles::Bold), line: Some((0x7b_3fb8, 0xc3_9cf2)), fill: Some(("root-fill", (0xf4_ecfc, 0x2d_2142))), ..NO_LOOK },
    Look { role: Role::Operation, name: "operation", weight: Some(Styles::Bold), line: Some((0x6e_7985, 0x8a_95a2)), fill: Some(("operation-fill", (0xee_f0f3, 0x28_2e37))), ..NO_LOOK },
    Look { role: Role::Rising, name: "rising", codes: Some([98, 117, 20]), line: Some((0x0b_5fa5, 0x74_bdf7)), ..NO_LOOK },
    Look { role: Role::Falling, name: "falling", codes: Some([131, 215, 94]), line: Some((0xb0_3f08, 0xff_a06b)), ..NO_LOOK },
    Look { role: Role::NotFinite, name: "not-finite", codes: Some([163, 206, 161]), line: Some((0xc0_0a66, 0xff_7ab8)), fill: Some(("not-finite-fill", (0xff_e6f0, 0x47_1530))), ..NO_LOOK },
    Look { role: Role::Current, name: "current", weight: Some(Styles::Bold), codes: Some([63, 228, 129]), line: Some((0xa6_6100, 0xf2_b632)), fill: Some(("current-fill", (0xff_efc2, 0x47_3606))) },
    Look { role: Role::Coming, name: "coming", weight: Some(Styles::Dimmed), codes: Some([243, 247, 242]), line: Some((0x83_8c97, 0x74_7e8a)), fill: Some(("coming-fill", (0xfb_fbfc, 0x17_1a20))) },
    Look { role: Role::Curve(0), name: "curve-1", codes: Some([63, 111, 27]), line: Some((0x1d_4ed8, 0x7a_adff)), ..NO_LOOK },
    Look { role: Role::Curve(1), name: "curve-2", codes: Some([130, 226, 130]), line: Some((0xe0_470b, 0xe8_942c)), ..NO_LOOK },
    Look { role: Role::Curve(2), name: "curve-3", codes: Some([29, 64, 18]), line: Some((0x0f_8f7c, 0x9b_f6ea)), ..NO_LOOK },
    Look { role: Role::Curve(3), name: "curve-4", codes: Some([163, 159, 127]), line: Some((0x8a_1a7c, 0xb2_5a80)), ..NO_LOOK },
    Look { role: Role::Curve(4), name: "curve-5", codes: Some([98, 180, 23]), line: Some((0x6a_8ff0, 0x5a_5cfa)), ..NO_LOOK },
    Look { role: Role::Curve(5), name: "curve-6", codes: Some([243, 99, 16]), line: Some((0x57_3600, 0xff_f85a)), ..NO_LOOK },
];
