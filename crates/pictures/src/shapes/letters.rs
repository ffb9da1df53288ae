//! The sizes of text in pictures: a graph has a monospace font, a plot a proportional one.
//!
//! The widths are those of `DejaVu` Sans Mono and `DejaVu` Sans. A reader's machine shows a file in the first of
//! [`Font::families`] that it has. Longer texts carry `textLength`, so that another font does not change the layout.

use chainrule_report::characters;

/// The width of a letter in the monospace font of height 1.
pub(crate) const MONO_ADVANCE: f64 = 1233.0 / 2048.0;

/// The height of a capital letter, in a font of height 1. The baseline of a line is half of it below the middle.
pub(crate) const CAPITAL: f64 = 0.729;

/// The font of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Font {
    /// Monospace, for graphs and their expressions.
    #[default]
    Mono,
    /// Proportional, for plots.
    Sans,
}

/// The most columns of a label. A longer one is shortened, and the tooltip shows the whole.
pub(crate) const LONGEST_LABEL: usize = 24;

/// The widths of letters of `DejaVu` Sans in 2048ths of its height.
struct Advances {
    first: char,
    /// The widths from the first letter on.
    widths: &'static [u16],
}

/// The letters of ASCII, of Western Europe, and the Greek ones.
const SANS_ADVANCES: [Advances; 3] = [
    Advances {
        first: ' ',
        widths: &SANS_ASCII_ADVANCES,
    },
    Advances {
        first: '\u{a0}',
        widths: &SANS_LATIN_ADVANCES,
    },
    Advances {
        first: 'Α',
        widths: &SANS_GREEK_ADVANCES,
    },
];
const SANS_ASCII_ADVANCES: [u16; 95] = [
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048,
    1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612, 1235,
    1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024, 1024,
    1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300,
    1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716,
];
const SANS_LATIN_ADVANCES: [u16; 96] = [
    651, 821, 1303, 1303, 1303, 1303, 690, 1024, 1024, 2048, 965, 1253, 1716, 739, 2048, 1024,
    1024, 1716, 821, 821, 1024, 1303, 1303, 651, 1024, 821, 965, 1253, 1985, 1985, 1985, 1087,
    1401, 1401, 1401, 1401, 1401, 1401, 1995, 1430, 1294, 1294, 1294, 1294, 604, 604, 604, 604,
    1587, 1532, 1612, 1612, 1612, 1612, 1612, 1716, 1612, 1499, 1499, 1499, 1499, 1251, 1239, 1290,
    1255, 1255, 1255, 1255, 1255, 1255, 2011, 1126, 1260, 1260, 1260, 1260, 569, 569, 569, 569,
    1253, 1298, 1253, 1253, 1253, 1253, 1253, 1716, 1253, 1298, 1298, 1298, 1298, 1212, 1300, 1212,
];
const SANS_GREEK_ADVANCES: [u16; 57] = [
    1401, 1405, 1141, 1401, 1294, 1403, 1540, 1612, 604, 1343, 1401, 1767, 1532, 1294, 1612, 1540,
    1235, 1303, 1294, 1251, 1251, 1612, 1403, 1612, 1565, 604, 1251, 1350, 1107, 1298, 693, 1185,
    1350, 1307, 1212, 1253, 1107, 1114, 1298, 1253, 693, 1207, 1212, 1303, 1144, 1142, 1253, 1233,
    1300, 1202, 1298, 1233, 1185, 1351, 1183, 1351, 1715,
];
/// The width of any other letter in the same font, for each column that it takes on a terminal: that of a digit.
const SANS_OTHER_ADVANCE: f64 = 1303.0;

impl Font {
    /// The names of fonts to try, best first.
    pub(crate) fn families(self) -> &'static str {
        match self {
            Font::Mono => {
                "'DejaVu Sans Mono','Menlo','SF Mono','Consolas','Liberation Mono','Noto Sans Mono CJK JP',monospace"
            }
            Font::Sans => "'DejaVu Sans','Verdana','Helvetica','Arial',sans-serif",
        }
    }

    /// The width of a letter, in a font of height 1. Wide letters of a monospace font take two columns, and combining marks
    /// none.
    pub(crate) fn advance(self, letter: char) -> f64 {
        let columns = characters::char_width(letter) as f64;
        if self == Font::Mono {
            return columns * MONO_ADVANCE;
        }
        let known = SANS_ADVANCES.iter().find_map(|it| {
            let index = u32::from(letter).checked_sub(u32::from(it.first))?;
            it.widths.get(index as usize)
        });
        let advance = match (letter, known) {
            (_, Some(advance)) => f64::from(*advance),
            ('⋅' | '‘' | '’', _) => 651.0,
            ('₀'..='₉', _) => 821.0,
            ('–', _) => 1024.0,
            ('“' | '”' | '∂', _) => 1060.0,
            ('⁺', _) => 1081.0,
            ('√', _) => 1305.0,
            ('−' | '→' | '≤' | '≥' | '≈' | '≠' | '∞', _) => 1716.0,
            ('…' | '—', _) => 2048.0,
            _ => columns * SANS_OTHER_ADVANCE,
        };
        advance / 2048.0
    }

    /// The width of a text.
    pub(crate) fn width(self, text: &str, size: f64) -> f64 {
        text.chars().map(|letter| self.advance(letter)).sum::<f64>() * size
    }
}

/// The width of a text in the monospace font.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    Font::Mono.width(text, size)
}

/// Breaks a text into lines of at most this many columns. A longer word is shortened.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let short_word = characters::shorten_middle(word, columns);
        let used = characters::width(&line);
        if used > 0 && used + 1 + characters::width(&short_word) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&short_word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttf_parser::Face;

    #[test]
    fn the_table_of_advances_is_that_of_the_font() {
        for (font, file) in [
            (Font::Mono, dejavu::sans_mono::regular()),
            (Font::Sans, dejavu::sans::regular()),
        ] {
            let face = Face::parse(file, 0).expect("the font can be read");
            let em = f64::from(face.units_per_em());
            let known = (' '..='~').chain('\u{a0}'..='ÿ').chain('Α'..='ω');
            let others = "⋅‘’₀₁₂₃₄₅₆₇₈₉–“”∂⁺√−→≤≥≈≠∞…—".chars();
            let exists = |letter: &char| !matches!(letter, '\u{ad}' | '\u{3a2}');
            for letter in known.chain(others).filter(exists) {
                let glyph = face.glyph_index(letter).expect("it has it");
                let wide = f64::from(face.glyph_hor_advance(glyph).expect("it is wide")) / em;
                let told = font.advance(letter);
                assert!(
                    (wide - told).abs() < 0.006,
                    "{font:?} {letter}: {wide} {told}"
                );
            }
            let capital = face
                .glyph_index('M')
                .and_then(|it| face.glyph_bounding_box(it));
            let high = f64::from(capital.expect("it is high").y_max) / em;
            assert!((high - CAPITAL).abs() < 1e-3, "{font:?} {high}");
        }
    }
}
