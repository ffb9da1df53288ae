//! How wide text is, in the one font of the pictures: a monospace one, so a table of advances is one number.
//!
//! The number is that of the font the pixels are drawn with; of the others a reader's machine may have instead, none
//! in the list is wider.

use crate::characters;

/// How wide a letter is, for a font of height 1.
pub(crate) const ADVANCE: f64 = 1233.0 / 2048.0;

/// How high the letters without ascenders or descenders reach, for a font of height 1: half of it below the middle of
/// a line is where its baseline is.
pub(crate) const CAPITAL: f64 = 0.729;

/// The fonts to try, best first.
pub(crate) const FONTS: &str = "'DejaVu Sans Mono','Menlo','SF Mono','Consolas','Liberation Mono','Noto Sans Mono CJK JP',monospace";

/// How wide a text is; wide letters take two places, marks upon letters none.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    characters::width(text) as f64 * ADVANCE * size
}

/// How many letters have room.
pub(crate) fn places(room: f64, size: f64) -> usize {
    (room / (ADVANCE * size) + 1e-9).max(0.0) as usize
}

/// Longer labels are shortened: the whole stands in the tip.
pub(crate) const LONGEST_LABEL: usize = 24;

/// A text in lines of at most so many letters. A longer word is shortened.
pub(crate) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let word = characters::shorten_middle(word, room, false);
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
