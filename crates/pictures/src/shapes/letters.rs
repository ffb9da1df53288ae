//! The sizes of text in pictures. The font is monospace, so all letters have one width.
//!
//! The width is that of the font in PNG files. An SVG file is shown in the first of [`FONTS`] that a reader's machine has;
//! none of the named ones is wider.

use chainrule_report::characters;

/// The width of a letter, in a font of height 1.
pub(crate) const ADVANCE: f64 = 1233.0 / 2048.0;

/// The height of a capital letter, in a font of height 1. The baseline of a line is half of this below its middle.
pub(crate) const CAPITAL: f64 = 0.729;

/// The fonts to try, best first.
pub(crate) const FONTS: &str = "'DejaVu Sans Mono','Menlo','SF Mono','Consolas','Liberation Mono','Noto Sans Mono CJK JP',monospace";

/// The width of a text. Wide letters take two places, and combining marks none.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    characters::width(text) as f64 * ADVANCE * size
}

/// The number of letters for which there is room.
pub(crate) fn places(room: f64, size: f64) -> usize {
    (room / (ADVANCE * size) + 1e-9).max(0.0) as usize
}

/// The most columns of a label. A longer one is shortened, and the tip shows the whole.
pub(crate) const LONGEST_LABEL: usize = 24;

/// A text in lines of at most this many letters. A longer word is shortened.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let word = characters::shorten_middle(word, room);
        let used = characters::width(&line);
        if used > 0 && used + 1 + characters::width(&word) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    lines.push(line);
    lines
}
