//! The sizes of text in pictures: a graph has a monospace font, a plot one whose letters have widths of their own.
//!
//! The widths are those of the fonts in PNG files. A reader's machine shows an SVG file in the first of [`Font::families`]
//! that it has; longer texts have their length as an attribute.

use chainrule_report::characters;

/// The width of a letter, in a font of height 1.
pub(crate) const ADVANCE: f64 = 1233.0 / 2048.0;

/// The height of a capital letter, in a font of height 1. The baseline of a line is half of it below the middle.
pub(crate) const CAPITAL: f64 = 0.729;

/// The font of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Font {
    /// Letters of one width, for graphs and their expressions.
    #[default]
    Mono,
    /// Letters of their own widths, for plots.
    Sans,
}

/// The widths of the letters of `DejaVu` Sans in 2048ths of its height, from the blank on.
const ASCII: [u16; 95] = [
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048,
    1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612, 1235,
    1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024, 1024,
    1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300,
    1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716,
];
/// The width of any other letter, for each column that it takes on a terminal. A letter stands in the middle of its width.
const OTHER: f64 = 1303.0;

impl Font {
    /// The fonts to try, best first.
    pub(crate) fn families(self) -> &'static str {
        match self {
            Font::Mono => {
                "'DejaVu Sans Mono','Menlo','SF Mono','Consolas','Liberation Mono','Noto Sans Mono CJK JP',monospace"
            }
            Font::Sans => "'DejaVu Sans','Verdana','Helvetica','Arial',sans-serif",
        }
    }

    /// The width of a letter, in a font of height 1. Wide letters of a monospace font take two places, and combining marks
    /// none.
    pub(crate) fn advance(self, letter: char) -> f64 {
        let columns = characters::char_width(letter) as f64;
        if self == Font::Mono {
            return columns * ADVANCE;
        }
        let place = u32::from(letter).checked_sub(u32::from(' '));
        let known = place.and_then(|place| ASCII.get(place as usize));
        let width = match (letter, known) {
            ('·' | '⁰' | '¹' | '²' | '³' | '⁴'..='⁹', _) => 821.0,
            ('°' | '⁻', _) => 1053.0,
            ('±' | '×' | '−' | '→', _) => 1716.0,
            ('…', _) => 2048.0,
            (_, Some(width)) => f64::from(*width),
            (_, None) => columns * OTHER,
        };
        width / 2048.0
    }

    /// The width of a text.
    pub(crate) fn width(self, text: &str, size: f64) -> f64 {
        text.chars().map(|letter| self.advance(letter)).sum::<f64>() * size
    }
}

/// The width of a text in letters of one width.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    Font::Mono.width(text, size)
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
