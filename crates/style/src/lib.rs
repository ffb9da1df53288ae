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
    /// How roles are marked. `None` writes bare text.
    pub theme: Option<Theme>,
    /// Whether the ground of a picture is dark on every screen, or light. `None` lets a picture follow the screen.
    pub is_always_dark: Option<bool>,
    /// If and when the numbers of a picture change while it is shown.
    pub movement: Movement,
    /// The width of pictures on a narrow page in pixels. `None` gives pictures their usual width.
    pub picture_width: Option<usize>,
}

/// If and when the numbers of a picture change while it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// They never change.
    None,
    /// They may change later. Each number gets room for a few digits.
    Possible,
    /// They change now. Every part of a graph keeps its place from the last picture.
    Going,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            digits: 12,
            table_digits: 6,
            width: None,
            theme: None,
            is_always_dark: None,
            movement: Movement::None,
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
        self.theme == Some(Theme::Page) || self.is_cell()
    }

    /// Whether the text is for a cell of a notebook.
    pub fn is_cell(&self) -> bool {
        self.theme == Some(Theme::Cell)
    }

    /// Appends a text in the colour of its role.
    pub fn paint(&self, text: &str, role: Role, out: &mut String) {
        theme::paint(text, role, self.theme, out);
    }
}

/// A line without colour and without a line break.
pub fn plain(line: &[Piece], style: &Style) -> String {
    let texts = pieces::texts(line, style);
    texts.into_iter().map(|(text, _)| text).collect()
}
