//! A map on the terminal: two values to a character, one above the other, in the colours of the scale; without colours
//! a sign for each shade. On it the present point with an arrow downhill, the path of the steps, points of data.
//!
//! A legend says between which levels a shade lies.

use std::collections::HashMap;

use super::{MapLevels, downhill, on_axes, series_on_axes, window};
use crate::report::{Curve, PlotMap};
use crate::view::picture::curves::canvas::{Canvas, Pattern};
use crate::view::picture::curves::cells::{
    Cells, DotOwner, DotSigns, asked_size, below, dots, entries_in_lines, finish, push, sign,
};
use crate::view::picture::curves::ticks;
use crate::view::picture::curves::window::{Window, inside};
use crate::view::picture::curves::words::{boundary_said, map_title};
use crate::view::theme::{Role, Theme, shades};
use crate::view::{Style, characters};

/// The widest and the narrowest drawing, and the usual one.
const WIDTH: (usize, usize) = (24, 100);
const USUAL: usize = 80;
/// The most levels: with colours, and with a sign for each shade.
const LEVELS: (usize, usize) = (9, 9);
/// The signs of shades without colours, none of which is a mark.
const SIGNS: [char; 10] = [' ', '.', ':', '-', '=', 'i', 'I', 'T', 'H', 'M'];
/// What has no value.
const NOTHING: char = '/';
/// Lines on a map: the boundary between classes, and the path of the steps.
const SOLID: Pattern = &[1];
const BOUNDARY: u8 = 0;
const PATH: u8 = 1;
/// The arrows, from the right against the clock.
const ARROWS: [char; 8] = ['→', '↗', '↑', '↖', '←', '↙', '↓', '↘'];
const PLAIN_ARROWS: [char; 8] = ['>', '/', '^', '\\', '<', '/', 'v', '\\'];

/// A place of the drawing.
enum MapCell {
    /// The shades above and below; none where there is no value.
    Shades(Option<u8>, Option<u8>),
    /// A sign on a shade.
    Sign(char, Option<u8>),
    /// The mark of a series.
    Mark(u8, char),
}

/// Draws the map.
pub(crate) fn write(map: &PlotMap, style: &Style, out: &mut String) {
    let width = style.width.unwrap_or(USUAL).clamp(WIDTH.0, WIDTH.1);
    let (width, rows) = asked_size(map.size, style).unwrap_or((width, 8 + width / 10));
    let is_colored = is_colored(style);
    let most = if is_colored { LEVELS.0 } else { LEVELS.1 };
    let levels = MapLevels::of(map, most.min(rows));
    let window = window(map);
    title(map, width, style, out);
    if !map.series.is_empty() {
        let signs = DotSigns::of(style.ascii);
        let entry = |(number, series): (usize, &Curve)| {
            let sign = signs.of_curve(number as u8).to_string();
            (sign, Role::Curve(number as u8), series.label.clone())
        };
        let several = (map.series.len() > 1)
            .then(|| (signs.shared.to_string(), Role::Plain, "several".to_string()));
        let entries = map.series.iter().enumerate().map(entry);
        entries_in_lines(entries.chain(several), width, style, out);
    }
    let upwards = ticks::along(map.up.logarithmic, window.up, rows / 3 + 1);
    let margin = upwards.1.iter().map(String::len).max().unwrap_or(0);
    let margin = if margin + 12 > width { 0 } else { margin };
    let name = characters::clean(&map.across.name, style.ascii);
    let name = characters::shorten_middle(&name, width / 8, style.ascii).into_owned();
    let columns = width
        .saturating_sub(margin + 3 + characters::width(&name))
        .max(1);
    let up = characters::clean(&map.up.name, style.ascii);
    let up = characters::shorten_middle(&up, width / 8, style.ascii);
    let mut cells = Cells::new();
    push(
        &" ".repeat((margin + 1).saturating_sub(characters::width(&up) / 2)),
        Role::Plain,
        &mut cells,
    );
    push(&up, Role::Name, &mut cells);
    finish(cells, style, out);
    let canvas = Canvas::new(columns, rows, style.ascii);
    let drawing = MapText {
        map,
        levels: &levels,
        window: &window,
        size: (columns, rows),
    };
    let overlay = drawing.overlay(style);
    for row in 0..rows {
        let tick = (upwards.0.iter())
            .position(|height| canvas.place(0.0, window.height(*height)).1 == row);
        let label = tick.map_or("", |tick| upwards.1[tick].as_str());
        let label = if label.len() > margin { "" } else { label };
        let mut cells = Cells::new();
        push(&format!("{label:>margin$} "), Role::Dim, &mut cells);
        let edge = if tick.is_some() { '┤' } else { '│' };
        cells.push((sign(edge, style.ascii), Role::Dim));
        let mut line = String::new();
        for column in 0..columns {
            let cell = match overlay.get(&(column, row)) {
                Some(&(mark, Some(series))) => MapCell::Mark(series, mark),
                Some(&(mark, None)) => MapCell::Sign(mark, drawing.shade(column, row, 0.5)),
                None => MapCell::Shades(
                    drawing.shade(column, row, 0.25),
                    drawing.shade(column, row, 0.75),
                ),
            };
            if is_colored {
                colored(&cell, style, &mut line);
            } else {
                cells.push((plain(&cell, &drawing, (column, row)), Role::Plain));
            }
        }
        if is_colored {
            // What follows has escape sequences of its own.
            for (character, role) in cells {
                style.paint(character.encode_utf8(&mut [0; 4]), role, out);
            }
            out.push_str(&line);
            out.push('\n');
        } else {
            finish(cells, style, out);
        }
    }
    below(
        Some(&name),
        (&window, map.across.logarithmic),
        &canvas,
        (margin, columns),
        style,
        out,
    );
    key(map, &levels, width, style, out);
}

/// Whether shades can be drawn as colours.
fn is_colored(style: &Style) -> bool {
    let has_colors = |theme| matches!(theme, Theme::Terminal | Theme::Dark | Theme::Light);
    style.color.is_some_and(has_colors) && !style.ascii
}

fn title(map: &PlotMap, width: usize, style: &Style, out: &mut String) {
    let scale = if map.logarithmic {
        "   (logarithmic)"
    } else {
        ""
    };
    let title = map_title(map);
    let clean = characters::clean(&title, style.ascii);
    let shown = characters::shorten_end(&clean, width.saturating_sub(scale.len()), style.ascii);
    let mut cells = Cells::new();
    push(&shown, Role::Heading, &mut cells);
    push(scale, Role::Dim, &mut cells);
    finish(cells, style, out);
}

fn colored(cell: &MapCell, style: &Style, out: &mut String) {
    match cell {
        MapCell::Shades(Some(upper), Some(lower)) => shades::paint_halves(*upper, *lower, out),
        MapCell::Shades(..) => style.paint("/", Role::Dim, out),
        MapCell::Sign(sign, Some(shade)) => {
            shades::paint_on(*shade, sign.encode_utf8(&mut [0; 4]), out);
        }
        MapCell::Sign(sign, None) => style.paint(sign.encode_utf8(&mut [0; 4]), Role::Plain, out),
        MapCell::Mark(series, sign) => {
            shades::paint_mark(*series, sign.encode_utf8(&mut [0; 4]), out);
        }
    }
}

fn plain(cell: &MapCell, drawing: &MapText, (column, row): (usize, usize)) -> char {
    match cell {
        MapCell::Sign(sign, _) | MapCell::Mark(_, sign) => *sign,
        MapCell::Shades(..) => {
            let band = drawing.levels.band(drawing.value(column, row, 0.5));
            band.map_or(NOTHING, |band| SIGNS[band.min(SIGNS.len() - 1)])
        }
    }
}

struct MapText<'m> {
    map: &'m PlotMap,
    levels: &'m MapLevels,
    window: &'m Window,
    size: (usize, usize),
}

impl MapText<'_> {
    /// The value in a character, so far down in it.
    fn value(&self, column: usize, row: usize, down: f64) -> f64 {
        let (columns, rows) = self.size;
        let right = (column as f64 + 0.5) / columns as f64;
        let up = 1.0 - (row as f64 + down) / rows as f64;
        let nearest = |part: f64, count: usize| (part * (count.max(1) - 1) as f64).round() as usize;
        let (across, upwards) = (&self.map.across.places, &self.map.up.places);
        self.map
            .value(nearest(right, across.len()), nearest(up, upwards.len()))
    }

    fn shade(&self, column: usize, row: usize, down: f64) -> Option<u8> {
        let band = self.levels.band(self.value(column, row, down));
        band.map(|band| self.levels.shade(band))
    }

    fn places(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        self.window.places(&on_axes(self.map, points))
    }

    /// What stands on the map: a sign, and of which series it is the mark.
    fn overlay(&self, style: &Style) -> HashMap<(usize, usize), (char, Option<u8>)> {
        let (columns, rows) = self.size;
        let mut found = HashMap::new();
        let mut lines = Canvas::new(columns, rows, style.ascii);
        self.boundary(&mut lines, style.ascii);
        lines.draw(&self.places(&self.map.path), PATH, SOLID);
        for row in 0..rows {
            for column in 0..columns {
                if let Some((dots, ink)) = lines.cell(column, row, |_| true) {
                    let sign = match (style.ascii, ink) {
                        (false, _) => dots,
                        (true, BOUNDARY) => '$',
                        (true, _) => ',',
                    };
                    found.insert((column, row), (sign, None));
                }
            }
        }
        let signs = DotSigns::of(style.ascii);
        let series = series_on_axes(self.map);
        for (place, owner) in dots(&series, self.window, &lines, usize::MAX / 4) {
            let mark = match owner {
                DotOwner::One(series) => (signs.of_curve(series), Some(series)),
                DotOwner::Several => (signs.shared, None),
            };
            found.insert(place, mark);
        }
        self.present(&lines, style.ascii, &mut found);
        found
    }

    fn boundary(&self, lines: &mut Canvas, is_plain: bool) {
        let Some(level) = self.map.boundary else {
            return;
        };
        let field = super::ContourField::of(self.map);
        for line in super::ContourField::open_lines(&field.lines(level)) {
            lines.draw(&line, BOUNDARY, SOLID);
            if is_plain {
                continue;
            }
            // Twice as heavy as any other line: a second one beside it.
            let aside = 0.5 / self.size.0 as f64;
            let beside: Vec<(f64, f64)> = line.iter().map(|(x, y)| (x + aside, *y)).collect();
            lines.draw(&beside, BOUNDARY, SOLID);
        }
    }

    fn present(
        &self,
        lines: &Canvas,
        is_plain: bool,
        found: &mut HashMap<(usize, usize), (char, Option<u8>)>,
    ) {
        let Some(present) = &self.map.present else {
            return;
        };
        let place = self.places(&[present.at])[0];
        if !inside(place) {
            return;
        }
        let at = lines.place(place.0, place.1);
        let (right, up) = downhill(self.map, present);
        // A character is about twice as high as wide.
        let (across, upwards) = (right * self.size.0 as f64, up * 2.0 * self.size.1 as f64);
        let size = across.abs().max(upwards.abs());
        let angle = (upwards / size).atan2(across / size);
        if angle.is_finite() {
            let turn = (angle / std::f64::consts::FRAC_PI_4)
                .round()
                .rem_euclid(8.0) as usize
                % 8;
            let arrows = if is_plain { PLAIN_ARROWS } else { ARROWS };
            let (dx, dy): (isize, isize) = match turn {
                0 => (1, 0),
                1 => (1, -1),
                2 => (0, -1),
                3 => (-1, -1),
                4 => (-1, 0),
                5 => (-1, 1),
                6 => (0, 1),
                _ => (1, 1),
            };
            let next = (at.0.checked_add_signed(dx), at.1.checked_add_signed(dy));
            if let (Some(column), Some(row)) = next
                && column < self.size.0
                && row < self.size.1
            {
                found.insert((column, row), (arrows[turn], None));
            }
        }
        found.insert(at, (sign('●', is_plain), None));
    }
}

/// What the shades and signs mean.
fn key(map: &PlotMap, levels: &MapLevels, width: usize, style: &Style, out: &mut String) {
    let is_colored = is_colored(style);
    let mut used = 0;
    let mut line = String::new();
    let flush = |line: &mut String, out: &mut String| {
        out.push_str(line.trim_end_matches(' '));
        out.push('\n');
        line.clear();
    };
    for band in 0..=levels.values.len() {
        let label = levels.labels.get(band).or(levels.only.as_ref());
        let label = label.map_or("", String::as_str);
        let wide = 3 + label.len() + 2;
        if used > 0 && used + wide > width {
            flush(&mut line, out);
            used = 0;
        }
        if is_colored {
            let shade = levels.shade(band);
            shades::paint_halves(shade, shade, &mut line);
            shades::paint_halves(shade, shade, &mut line);
        } else {
            let sign = SIGNS[band.min(SIGNS.len() - 1)];
            line.extend(['[', sign, ']']);
        }
        line.push(' ');
        style.paint(label, Role::Dim, &mut line);
        if !label.is_empty() {
            line.push(' ');
        }
        used += wide;
    }
    flush(&mut line, out);
    let mut entries = Vec::new();
    if map.values.iter().any(|value| value.is_nan()) {
        entries.push((NOTHING.to_string(), Role::Dim, "no number".to_string()));
    }
    if let Some(text) = boundary_said(map) {
        let sign = if style.ascii { '$' } else { '⣿' };
        entries.push((sign.to_string(), Role::Plain, text));
    }
    if map.path.len() > 1 {
        let sign = if style.ascii { ',' } else { '⠒' };
        let text = format!("the path of {} steps", map.path.len() - 1);
        entries.push((sign.to_string(), Role::Plain, text));
    }
    if !entries.is_empty() {
        entries_in_lines(entries.into_iter(), width, style, out);
    }
}
