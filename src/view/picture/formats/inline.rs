//! A picture inside the text of a terminal, as sequences of one of three protocols.
//!
//! kitty and iTerm2 take PNG files; others take sixels, which are written here: bands of six rows, one colour after the
//! other.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tiny_skia::Pixmap;

use super::base64;
use super::pixels;
use crate::view::picture::shapes::Scene;
use crate::view::picture::shapes::palette::Inks;
use crate::view::{Graphics, GraphicsProtocol, Style};

/// How many pixels of a picture a line of text is high if its letters are as large as the terminal's.
const LINE: f64 = 18.0;

/// A picture is made smaller to fit into the window, but not below this part of its size: its letters could not be
/// read.
const SMALLEST: f64 = 0.6;

/// How much of the height of the window a picture may take.
const PART: f64 = 0.75;

/// The most characters of one sequence of kitty.
const CHUNK: usize = 4096;

/// The most colours of a picture in sixels.
const COLORS: usize = 256;

/// Appends the picture, unless it has too little room.
pub(crate) fn write(
    scene: &Scene,
    graphics: &Graphics,
    style: &Style,
    inks: Inks,
    out: &mut String,
) -> bool {
    let Some(scale) = scale(scene, graphics, style.width) else {
        return false;
    };
    let Ok(drawn) = pixels::drawn(scene, scale, inks) else {
        return false;
    };
    if graphics.protocol == GraphicsProtocol::Sixel {
        sixels(&drawn, out);
        out.push('\n');
        return true;
    }
    let Ok(file) = pixels::encoded(&drawn, scale) else {
        return false;
    };
    let mut text = String::new();
    base64::write(&file, &mut text);
    if graphics.protocol == GraphicsProtocol::Iterm {
        let _ = writeln!(
            out,
            "\u{1b}]1337;File=inline=1;size={};width={}px;height={}px:{text}\u{7}",
            file.len(),
            drawn.width(),
            drawn.height()
        );
        return true;
    }
    let mut first = "a=T,f=100,q=2,";
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (chunk, later) = rest.split_at(rest.len().min(CHUNK));
        let more = u8::from(!later.is_empty());
        let _ = write!(out, "\u{1b}_G{first}m={more};{chunk}\u{1b}\\");
        (first, rest) = ("", later);
    }
    out.push('\n');
    true
}

/// Pixels of the terminal for one of the picture.
fn scale(scene: &Scene, graphics: &Graphics, columns: Option<usize>) -> Option<f64> {
    let (width, height) = graphics.cell;
    let room = |cells: f64, size: u32| cells * f64::from(size);
    let across = room(columns.unwrap_or(80) as f64 - 1.0, width) / scene.width;
    let down = room(graphics.rows as f64 * PART, height) / scene.height;
    let usual = f64::from(height) / LINE;
    let scale = usual.min(across).min(down);
    (scale >= SMALLEST * usual).then_some(scale)
}

/// The colours of a picture, each part rounded to as many levels as leave no more than [`COLORS`], and the number of
/// the colour of each pixel.
fn colors(pixels: &Pixmap) -> (Vec<[u8; 3]>, Vec<u16>) {
    let mut found = BTreeMap::new();
    let mut numbers = Vec::new();
    // Six levels a part are 216 colours.
    for levels in [256_u32, 64, 32, 16, 8, 6] {
        let rounded = |part: u8| {
            let level = (u32::from(part) * (levels - 1) + 127) / 255;
            (level * 255 / (levels - 1)) as u8
        };
        found.clear();
        numbers.clear();
        for pixel in pixels.data().chunks_exact(4) {
            let color = [pixel[0], pixel[1], pixel[2]].map(rounded);
            let next = found.len();
            numbers.push(*found.entry(color).or_insert(next as u16));
            if found.len() > COLORS {
                break;
            }
        }
        if found.len() <= COLORS {
            break;
        }
    }
    let mut colors: Vec<([u8; 3], u16)> = found.into_iter().collect();
    colors.sort_by_key(|(_, number)| *number);
    (
        colors.into_iter().map(|(color, _)| color).collect(),
        numbers,
    )
}

/// Appends a picture in sixels.
fn sixels(pixels: &Pixmap, out: &mut String) {
    let (colors, numbers) = colors(pixels);
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let _ = write!(out, "\u{1b}P0;1q\"1;1;{width};{height}");
    for (number, color) in colors.iter().enumerate() {
        let [red, green, blue] = color.map(|part| (u32::from(part) * 100 + 127) / 255);
        let _ = write!(out, "#{number};2;{red};{green};{blue}");
    }
    for band in numbers.chunks(6 * width) {
        // For each colour of the band, which of the six rows have it in every column.
        let mut rows: BTreeMap<u16, Vec<u8>> = BTreeMap::new();
        for (row, line) in band.chunks(width).enumerate() {
            for (column, number) in line.iter().enumerate() {
                rows.entry(*number).or_insert_with(|| vec![0; width])[column] |= 1 << row;
            }
        }
        for (number, columns) in rows {
            let _ = write!(out, "#{number}");
            for run in columns.chunk_by(|one, other| one == other) {
                let sign = char::from(b'?' + run[0]);
                match run.len() {
                    count @ 4.. => {
                        let _ = write!(out, "!{count}{sign}");
                    }
                    count => (0..count).for_each(|_| out.push(sign)),
                }
            }
            // Back to the beginning of the band.
            out.push('$');
        }
        out.push('-');
    }
    out.push_str("\u{1b}\\");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(width: u32, height: u32, color: impl Fn(u32, u32) -> [u8; 3]) -> Pixmap {
        let mut pixels = Pixmap::new(width, height).expect("there is room");
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        for (pixel, (x, y)) in pixels.data_mut().chunks_exact_mut(4).zip(places) {
            let [red, green, blue] = color(x, y);
            pixel.copy_from_slice(&[red, green, blue, 255]);
        }
        pixels
    }

    /// Draws sixels as a terminal does: the colours, in per cent, of the pixels of each row.
    fn read(text: &str) -> Vec<Vec<[u32; 3]>> {
        let text = text.strip_prefix("\u{1b}P0;1q\"1;1;").expect("it begins");
        let mut text = text.strip_suffix("\u{1b}\\").expect("it ends");
        let number = |text: &mut &str| {
            let end = text
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len());
            let number: usize = text[..end].parse().expect("a number");
            *text = text[end..].strip_prefix(';').unwrap_or(&text[end..]);
            number
        };
        let (width, height) = (number(&mut text), number(&mut text));
        let mut colors = BTreeMap::new();
        let mut rows = vec![vec![[999; 3]; width]; height];
        let (mut color, mut top, mut left) = (0, 0, 0);
        while let Some(sign) = text.chars().next() {
            let begins = text;
            text = &text[1..];
            match sign {
                '#' => {
                    let before = text;
                    color = number(&mut text);
                    if before[..before.len() - text.len()].ends_with(';') {
                        assert_eq!(number(&mut text), 2, "red, green, blue");
                        let parts = [0; 3].map(|_| number(&mut text) as u32);
                        colors.insert(color, parts);
                    }
                }
                '$' => left = 0,
                '-' => (left, top) = (0, top + 6),
                _ => {
                    let count = if sign == '!' { number(&mut text) } else { 1 };
                    if sign != '!' {
                        text = begins;
                    }
                    let bits = text.as_bytes()[0] - b'?';
                    text = &text[1..];
                    for row in (0..6).filter(|row| bits >> row & 1 == 1) {
                        rows[top + row][left..left + count].fill(colors[&color]);
                    }
                    left += count;
                }
            }
        }
        rows
    }

    #[test]
    fn sixels_are_the_pixels() {
        let checked = pixels(13, 14, |x, y| {
            [[255, 0, 0], [0, 255, 255], [255, 255, 255]][((x / 5 + y) % 3) as usize]
        });
        // More colours than there may be are rounded.
        let shaded = pixels(70, 7, |x, y| {
            [(3 * x) as u8, (30 * y) as u8, 255 - (2 * x) as u8]
        });
        for (drawn, error) in [(checked, 1), (shaded, 11)] {
            let mut text = String::new();
            sixels(&drawn, &mut text);
            let rows = read(&text);
            assert_eq!(rows.len(), drawn.height() as usize);
            for (y, row) in (0..).zip(rows) {
                for (x, found) in (0..).zip(row) {
                    let pixel = drawn.pixel(x, y).expect("it is on the picture");
                    let expected = [pixel.red(), pixel.green(), pixel.blue()];
                    for (found, expected) in found.into_iter().zip(expected) {
                        let expected = u32::from(expected) * 100 / 255;
                        assert!(
                            found.abs_diff(expected) <= error,
                            "{x} {y}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn pictures_fit_the_window_or_are_not_shown() {
        let graphics = |cell, rows| Graphics {
            protocol: GraphicsProtocol::Sixel,
            cell,
            rows,
        };
        let scene = |width, height| Scene {
            width,
            height,
            ..Scene::default()
        };
        // Letters as large as those of the terminal.
        assert_eq!(
            scale(&scene(100.0, 100.0), &graphics((9, 18), 40), Some(80)),
            Some(1.0)
        );
        assert_eq!(
            scale(&scene(100.0, 100.0), &graphics((18, 36), 40), Some(80)),
            Some(2.0)
        );
        // Smaller, as wide as 79 columns of 10 pixels or as high as 30 lines of 18.
        assert_eq!(
            scale(&scene(1000.0, 10.0), &graphics((10, 18), 40), Some(80)),
            Some(0.79)
        );
        assert_eq!(
            scale(&scene(10.0, 600.0), &graphics((10, 18), 40), Some(80)),
            Some(0.9)
        );
        assert_eq!(
            scale(&scene(2000.0, 10.0), &graphics((10, 18), 40), Some(80)),
            None
        );
    }
}
