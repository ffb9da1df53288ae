//! The prose of a document on a terminal: the lines as their author broke them, wrapped where the window is narrower.
//!
//! Headings are marked; the rest of Markdown is made to be read as it stands.

use crate::report::{Piece, say};
use crate::view::pieces::flow;
use crate::view::{Style, characters};

pub(super) fn prose(text: &str, style: &Style, out: &mut String) {
    for line in text.lines() {
        let heading = line.trim_start_matches('#').strip_prefix(' ');
        let shown = match heading.filter(|_| line.starts_with('#')) {
            Some(words) => say!("{:heading}", words.trim()),
            None => vec![Piece::plain(line)],
        };
        let words = line.trim_start();
        let indent = characters::width(line) - characters::width(words);
        let indent = indent.min(style.columns() / 2);
        flow(&shown, (0, indent), style.columns(), style, out);
        out.push('\n');
    }
}
