//! Defines a canvas of braille characters, each with eight dots, on which `terminal.rs` draws the lines of charts.
//!
//! Places are fractions of the width and height; (0, 0) is the lower left corner.

use super::window::clip;

/// The number of dots of a braille character across and down.
const DOTS: (usize, usize) = (2, 4);

/// The first braille character, which has no dots. Each dot adds one bit.
const BRAILLE_BLANK: u32 = 0x2800;

/// The bits of the dots of a braille character, row by row.
const BRAILLE: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// A grid of characters on which lines are drawn.
pub(crate) struct Canvas {
    columns: usize,
    /// The bits of the dots of each character, and the ink of the last line through it.
    cells: Vec<(u8, usize)>,
    /// The number of dots across and down.
    size: (usize, usize),
}

/// The pattern of a line, which repeats: a `-` for a dot, a blank for a gap.
pub(crate) type Pattern = &'static str;

impl Canvas {
    /// An empty canvas, measured in characters.
    pub(crate) fn new(columns: usize, rows: usize) -> Canvas {
        Canvas {
            columns,
            cells: vec![(0, 0); columns * rows],
            size: (columns * DOTS.0, rows * DOTS.1),
        }
    }

    /// Draws a line through places, without the parts outside the canvas. The ink is any number that tells lines apart.
    pub(crate) fn draw(&mut self, places: &[(f64, f64)], ink: usize, pattern: Pattern) {
        let mut last = None;
        // The number of dots so far, which is the index in the pattern.
        let mut count = 0_usize;
        let (width, height) = (self.size.0 as f64, self.size.1 as f64);
        for pair in places.windows(2) {
            let Some([from, to]) = clip(pair[0], pair[1]) else {
                continue;
            };
            let (dx, dy) = ((to.0 - from.0) * width, (to.1 - from.1) * height);
            let steps = dx.abs().max(dy.abs()).ceil().max(1.0);
            for step in 0..=steps as usize {
                let fraction = step as f64 / steps;
                let across = from.0 + fraction * (to.0 - from.0);
                let dot = self.dot_at(across, from.1 + fraction * (to.1 - from.1));
                // A step may be shorter than a dot, and a dot takes only one sign of the pattern.
                if last == Some(dot) {
                    continue;
                }
                last = Some(dot);
                if pattern.as_bytes()[count % pattern.len()] == b'-' {
                    let (x, y) = dot;
                    let cell = &mut self.cells[y / DOTS.1 * self.columns + x / DOTS.0];
                    *cell = (cell.0 | BRAILLE[y % DOTS.1][x % DOTS.0], ink);
                }
                count += 1;
            }
        }
    }

    /// The character at a place, and the ink of the uppermost line there; `None` if there is no line.
    pub(crate) fn cell(&self, column: usize, row: usize) -> Option<(char, usize)> {
        let (dots, ink) = self.cells[row * self.columns + column];
        let character = char::from_u32(BRAILLE_BLANK + u32::from(dots))?;
        (dots > 0).then_some((character, ink))
    }

    /// The column and the row of the character at a place.
    pub(crate) fn place(&self, (x, y): (f64, f64)) -> (usize, usize) {
        let (across, down) = self.dot_at(x, y);
        (across / DOTS.0, down / DOTS.1)
    }

    fn dot_at(&self, x: f64, y: f64) -> (usize, usize) {
        let across = (x * self.size.0 as f64 - 0.5).round().max(0.0) as usize;
        let down = ((1.0 - y) * self.size.1 as f64 - 0.5).round().max(0.0) as usize;
        (across.min(self.size.0 - 1), down.min(self.size.1 - 1))
    }
}
