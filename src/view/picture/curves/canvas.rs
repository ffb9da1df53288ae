//! A canvas of characters: braille dots, eight to a character, or in plain style one mark to a character.
//!
//! Lines come in parts of width and height, (0, 0) being below on the left. What they mean is not known here.

use super::window::{clipped, inside};

/// The dots of a braille character: column, row, and the bit.
const BRAILLE: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// Where lines are drawn.
#[derive(Debug)]
pub(crate) struct Canvas {
    columns: usize,
    /// How many dots a character has across and down.
    dots: (usize, usize),
    /// The dots of each character by ink, the last line through it at the end.
    cells: Vec<Vec<(u8, u8)>>,
    size: (usize, usize),
}

/// What a line looks like: dots on and off in turn.
pub(crate) type Pattern = &'static [usize];

impl Canvas {
    /// An empty canvas, measured in characters.
    pub(crate) fn new(columns: usize, rows: usize, plain: bool) -> Canvas {
        let dots = if plain { (1, 1) } else { (2, 4) };
        Canvas {
            columns,
            dots,
            cells: vec![Vec::new(); columns * rows],
            size: (columns * dots.0, rows * dots.1),
        }
    }

    /// Draws a line through places; what is outside is left out.
    pub(crate) fn draw(&mut self, places: &[(f64, f64)], ink: u8, pattern: Pattern) {
        let mut last = None;
        let mut count = 0_usize;
        let period: usize = pattern.iter().sum();
        let mut set = |canvas: &mut Canvas, x: f64, y: f64| {
            let dot = canvas.dot(x, y);
            if last == Some(dot) {
                return;
            }
            last = Some(dot);
            let mut rest = count % period.max(1);
            let mut on = true;
            for length in pattern {
                if rest < *length {
                    break;
                }
                rest -= length;
                on = !on;
            }
            count += 1;
            if on {
                canvas.set(dot, ink);
            }
        };
        if let [place] = places[..]
            && inside(place)
        {
            set(self, place.0, place.1);
        }
        let (width, height) = (self.size.0 as f64, self.size.1 as f64);
        for pair in places.windows(2) {
            let Some([from, to]) = clipped(pair[0], pair[1]) else {
                continue;
            };
            let (dx, dy) = ((to.0 - from.0) * width, (to.1 - from.1) * height);
            let steps = dx.abs().max(dy.abs()).ceil().max(1.0);
            for step in 0..=steps as usize {
                let part = step as f64 / steps;
                set(
                    self,
                    from.0 + part * (to.0 - from.0),
                    from.1 + part * (to.1 - from.1),
                );
            }
        }
    }

    /// The character at a place and its ink; none where nothing was drawn.
    ///
    /// Several lines through one character take turns from character to character, so none hides another: where they
    /// run together, their inks alternate. Where one has all dots of the others, the character has only its own dots,
    /// so that lines without colours differ in their patterns.
    pub(crate) fn cell(
        &self,
        column: usize,
        row: usize,
        is_above: impl Fn(u8) -> bool,
    ) -> Option<(char, u8)> {
        let found = &self.cells[row * self.columns + column];
        let any_above = found.iter().any(|(_, ink)| is_above(*ink));
        let lines: Vec<&(u8, u8)> = (found.iter())
            .filter(|(_, ink)| !any_above || is_above(*ink))
            .collect();
        let turn = lines.len().checked_sub(1)?;
        let own = lines[turn - (column + row) % lines.len()];
        let all = found.iter().fold(0, |all, (mask, _)| all | mask);
        let is_covered = lines.len() > 1 && lines.iter().any(|(mask, _)| *mask == all);
        let mask = if is_covered { own.0 } else { all };
        let character = char::from_u32(0x2800 + u32::from(mask)).unwrap_or(' ');
        Some((character, own.1))
    }

    /// The character that holds a place.
    pub(crate) fn place(&self, x: f64, y: f64) -> (usize, usize) {
        let dot = self.dot(x, y);
        (dot.0 / self.dots.0, dot.1 / self.dots.1)
    }

    fn dot(&self, x: f64, y: f64) -> (usize, usize) {
        let across = (x * self.size.0 as f64 - 0.5).round().max(0.0) as usize;
        let down = ((1.0 - y) * self.size.1 as f64 - 0.5).round().max(0.0) as usize;
        (across.min(self.size.0 - 1), down.min(self.size.1 - 1))
    }

    fn set(&mut self, (x, y): (usize, usize), ink: u8) {
        let cell = &mut self.cells[y / self.dots.1 * self.columns + x / self.dots.0];
        let dot = BRAILLE[y % self.dots.1][x % self.dots.0];
        // The line that is drawn now is the last one.
        if let Some((mask, _)) = cell.last_mut().filter(|(_, last)| *last == ink) {
            *mask |= dot;
            return;
        }
        let known = cell.iter().position(|(_, known)| *known == ink);
        let mask = known.map_or(0, |known| cell.remove(known).0);
        cell.push((mask | dot, ink));
    }
}
