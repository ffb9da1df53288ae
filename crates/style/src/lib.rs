#![doc = include_str!("../README.md")]
#![warn(unreachable_pub)]
#![cfg_attr(test, allow(clippy::shadow_unrelated, clippy::too_many_lines))]

#[cfg(test)]
#[path = "../tests/common/color_vision.rs"]
mod color_vision;
pub mod column;
pub mod facts;
pub mod html;
pub mod list;
pub mod number;
pub mod pieces;
pub mod placed_row;
pub mod theme;

use chainrule_report::Piece;

use self::theme::{Role, Theme};

/// The settings for the look of text. They are passed to each call, because the two output streams may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Significant digits of a single result.
    pub digits: u8,
    /// Significant digits in tables.
    pub table_digits: u8,
    /// The columns of the terminal; `None` for a pipe or a file, where lines may have any length.
    pub width: Option<usize>,
    /// The theme, if colours may be used.
    pub color: Option<Theme>,
    /// Whether pictures in PNG files have a dark ground.
    pub is_dark: bool,
    /// Whether the numbers of a picture change while it is shown.
    pub movement: Movement,
    /// Whether each grad is a line to fill in: the text is a worksheet.
    pub has_gaps: bool,
    /// The width of pictures on a narrow page in pixels; `None` if they have their usual width.
    pub picture_width: Option<usize>,
}

/// The line that stands for a number to fill in.
pub const GAP: &str = "__________";

/// Whether the numbers of a picture change while it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// They do not.
    None,
    /// They may, so all of them have room for a few digits.
    Possible,
    /// They do now. Everything in a graph stays where it was in the last picture of it.
    Going,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            digits: 12,
            table_digits: 6,
            width: None,
            color: None,
            is_dark: false,
            movement: Movement::None,
            has_gaps: false,
            picture_width: None,
        }
    }
}

impl Style {
    /// The columns of a line; without a terminal there is no limit.
    pub fn columns(&self) -> usize {
        self.width.unwrap_or(usize::MAX)
    }

    /// Whether the text is for a page, which breaks lines by itself.
    pub fn is_page(&self) -> bool {
        self.color == Some(Theme::Page)
    }

    /// Appends a text in the colour of its role.
    pub fn paint(&self, text: &str, role: Role, out: &mut String) {
        theme::paint(text, role, self.color, out);
    }
}

/// A line without colour and without a line break.
pub fn plain(line: &[Piece], style: &Style) -> String {
    let texts = pieces::texts(line, style);
    texts.into_iter().map(|(text, _)| text).collect()
}
