//! A row of texts, each at its column.

use super::theme::{Role, Theme, paint};
use chainrule_report::characters::{push_blanks, width};

/// A row that is written from left to right. Blanks are only written before a text, so no row ends with one.
pub struct PlacedRow<'o> {
    theme: Option<Theme>,
    column: usize,
    out: &'o mut String,
}

impl<'o> PlacedRow<'o> {
    /// A row at the end of this text.
    pub fn new(theme: Option<Theme>, out: &'o mut String) -> PlacedRow<'o> {
        PlacedRow {
            theme,
            column: 0,
            out,
        }
    }

    /// Writes a text in the colour of its role, without the blanks at its end.
    pub fn write_at(&mut self, text: &str, role: Role, at: usize) {
        let theme = self.theme;
        let words = text.trim_end_matches(' ');
        self.write_painted(words, at, |words, out| paint(words, role, theme, out));
    }

    /// Writes a text that is painted in another way.
    pub fn write_painted(&mut self, text: &str, at: usize, paint: impl FnOnce(&str, &mut String)) {
        if !text.is_empty() {
            push_blanks(at.saturating_sub(self.column), self.out);
            paint(text, self.out);
            self.column = self.column.max(at) + width(text);
        }
    }

    /// Ends the row.
    pub fn end(self) {
        self.out.push('\n');
    }
}
