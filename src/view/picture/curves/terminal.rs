//! Curves on the terminal: a frame with round ticks, dots for the curves, and above them their names.
//!
//! Every curve has a colour, and a pattern or a mark of its own as well. The numbers of the present point are lines of
//! the report, below the picture.

use super::canvas::{Canvas, Pattern};
use super::cells::{
    Cells, DotOwner, DotSigns, MANY, MARKS, asked_size, below, dots, entries_in_lines, finish,
    push, sign,
};
use super::ticks;
use super::ticks::Ticks;
use super::window::{Window, inside, upright};
use super::words::title;
use crate::report::{Plot, Tangent};
use crate::view::theme::Role;
use crate::view::{Style, characters};

/// The widest and the narrowest drawing.
const WIDTH: (usize, usize) = (24, 100);
/// How wide it is where no width is given.
const USUAL: usize = 80;
/// The least room beside the labels, for the curves, the axis and its name.
const LEAST: usize = 12;
/// How curves without colours can be told apart: dots on and off in turn.
const PATTERNS: [Pattern; 6] = [&[1], &[5, 3], &[2, 2], &[8, 3, 2, 3], &[1, 2], &[12, 5]];
/// Tangents are thin.
const TANGENT: Pattern = &[1, 2];
/// How far tangents reach to both sides where there are several curves, as part of the width.
const REACH: f64 = 0.2;
/// The ink of a tangent is this, with the number of its curve added.
const OF_TANGENT: u8 = 100;

/// The columns and rows of a small drawing.
const SMALL: (usize, usize) = (60, 9);

/// Whether an ink is that of a curve, which is drawn above tangents.
fn is_curve(ink: u8) -> bool {
    ink < OF_TANGENT
}

/// Draws the curves.
pub(crate) fn write(plot: &Plot, style: &Style, out: &mut String) {
    let most = if plot.small { SMALL.0 } else { WIDTH.1 };
    let width = style.width.unwrap_or(USUAL).clamp(WIDTH.0, most);
    let rows = if plot.small { SMALL.1 } else { 8 + width / 10 };
    let (width, rows) = asked_size(plot.size, style).unwrap_or((width, rows));
    let name = characters::clean(&plot.across, style.ascii);
    let name = characters::shorten_middle(&name, width / 8, style.ascii);
    let panel = Panel::of(plot, rows, width);
    let lower = (plot.below.as_deref()).map(|below| Panel::of(below, rows / 2, width));
    let margin = panel.margin().max(lower.as_ref().map_or(0, Panel::margin));
    let columns = width - margin - 3 - characters::width(&name);
    legend(plot, width, style, out);
    let name = name.into_owned();
    let above = lower.is_none().then_some(name.as_str());
    panel.draw(above, (margin, columns), style, out);
    if let Some(lower) = lower {
        let names: Vec<String> = lower.plot.curves.iter().map(title).collect();
        let names = characters::clean(&names.join(", "), style.ascii).into_owned();
        let names = characters::shorten_end(&names, columns, style.ascii);
        let mut cells = Cells::new();
        push(&" ".repeat(margin + 2), Role::Plain, &mut cells);
        push(&names, Role::Dim, &mut cells);
        finish(cells, style, out);
        lower.draw(Some(&name), (margin, columns), style, out);
    }
}

/// A frame with curves.
struct Panel<'p> {
    plot: &'p Plot,
    /// The plot with logarithms where it is drawn with them.
    upright: Plot,
    window: Window,
    /// Where ticks are on the left, and their labels.
    upwards: Ticks,
    rows: usize,
}

impl Panel<'_> {
    fn of(plot: &Plot, rows: usize, width: usize) -> Panel<'_> {
        let upright = upright(plot);
        let window = Window::of(&upright);
        let mut upwards = ticks::along(plot.logarithmic, window.up, rows / 3 + 1);
        // No number is better than half of one.
        let most = width - LEAST;
        let labels = upwards.1.iter_mut();
        labels
            .filter(|label| label.len() > most)
            .for_each(String::clear);
        Panel {
            plot,
            upright,
            window,
            upwards,
            rows,
        }
    }

    /// The room for the labels on the left.
    fn margin(&self) -> usize {
        let labels = self.upwards.1.iter();
        labels.map(String::len).max().unwrap_or(0)
    }

    /// Draws it; with a name of what goes to the right, also the labels below.
    fn draw(
        &self,
        name: Option<&str>,
        (margin, columns): (usize, usize),
        style: &Style,
        out: &mut String,
    ) {
        let Panel { window, rows, .. } = self;
        let (heights, labels) = &self.upwards;
        let canvas = canvas(&self.upright, window, (columns, *rows), style.ascii);
        let sign = |drawn| sign(drawn, style.ascii);
        let level = window.height(0.0);
        let zero = (!self.plot.logarithmic && level > 0.0 && level < 1.0)
            .then(|| canvas.place(0.0, level).1);
        let side = window.right(0.0);
        let zero_across = (!self.plot.logarithmic_across && side > 0.0 && side < 1.0)
            .then(|| canvas.place(side, 0.0).0);
        let points = points(&self.upright, window, &canvas);
        let signs = DotSigns::of(style.ascii);
        let dots = dots(&self.upright.curves, window, &canvas, columns);
        for row in 0..*rows {
            let tick = heights
                .iter()
                .position(|height| canvas.place(0.0, window.height(*height)).1 == row);
            let label = tick.map_or("", |tick| labels[tick].as_str());
            let mut cells: Cells = Vec::with_capacity(margin + columns);
            push(&format!("{label:>margin$} "), Role::Dim, &mut cells);
            let edge = if tick.is_some() { '┤' } else { '│' };
            cells.push((sign(edge), Role::Dim));
            for column in 0..columns {
                let point = points.iter().find(|(place, _)| *place == (column, row));
                let dot = dots.get(&(column, row));
                let (on_level, on_side) = (zero == Some(row), zero_across == Some(column));
                cells.push(match (point, dot, canvas.cell(column, row, is_curve)) {
                    (Some((_, curve)), _, _) => (sign('●'), Role::Curve(*curve)),
                    (None, Some(&DotOwner::One(curve)), _) => {
                        (signs.of_curve(curve), Role::Curve(curve))
                    }
                    (None, Some(DotOwner::Several), _) => (signs.shared, Role::Plain),
                    (None, None, Some((_, ink))) if style.ascii && ink >= OF_TANGENT => {
                        ('.', Role::Dim)
                    }
                    (None, None, Some((_, ink))) if style.ascii => {
                        (MARKS[usize::from(ink) % MARKS.len()], Role::Curve(ink))
                    }
                    (None, None, Some((dots, ink))) if ink >= OF_TANGENT => (dots, Role::Dim),
                    (None, None, Some((dots, ink))) => (dots, Role::Curve(ink)),
                    (None, None, None) => match (on_level, on_side) {
                        (true, true) => (sign('┼'), Role::Dim),
                        (true, false) => (sign('─'), Role::Dim),
                        (false, true) => (sign('│'), Role::Dim),
                        (false, false) => (' ', Role::Plain),
                    },
                });
            }
            finish(cells, style, out);
        }
        let across = (window, self.plot.logarithmic_across);
        below(name, across, &canvas, (margin, columns), style, out);
    }
}

fn canvas(plot: &Plot, window: &Window, size: (usize, usize), plain: bool) -> Canvas {
    let mut canvas = Canvas::new(size.0, size.1, plain);
    let reach = if plot.curves.len() == 1 { 1.0 } else { REACH };
    for tangent in &plot.present {
        if let Some(ends) = window.tangent(tangent, reach) {
            canvas.draw(&ends, OF_TANGENT + tangent.curve as u8, TANGENT);
        }
    }
    // The first curve comes last, on top of the others.
    for (number, curve) in plot.curves.iter().enumerate().rev() {
        let pattern = if plain {
            PATTERNS[0]
        } else {
            pattern(plot, number)
        };
        if curve.dots {
            if curve.points.len() > MANY * size.0 {
                for place in window.places(&curve.points) {
                    canvas.draw(&[place], number as u8, PATTERNS[0]);
                }
            }
            continue;
        }
        for stretch in curve.stretches() {
            canvas.draw(&window.places(stretch), number as u8, pattern);
        }
    }
    canvas
}

/// The pattern of a connected curve: the first one is solid.
fn pattern(plot: &Plot, number: usize) -> Pattern {
    let before = plot.connected().take_while(|other| *other < number).count();
    PATTERNS[before % PATTERNS.len()]
}

/// The characters of the present points, each with its curve.
fn points(plot: &Plot, window: &Window, canvas: &Canvas) -> Vec<((usize, usize), u8)> {
    let point = |tangent: &Tangent| {
        let place = window.place((tangent.at, tangent.value));
        inside(place).then(|| (canvas.place(place.0, place.1), tangent.curve as u8))
    };
    plot.present.iter().filter_map(point).collect()
}

/// What the curves are called: a heading for one, a line of entries for several.
fn legend(plot: &Plot, width: usize, style: &Style, out: &mut String) {
    let mut cells = Cells::new();
    if let [curve] = &plot.curves[..] {
        let title = title(curve);
        let clean = characters::clean(&title, style.ascii);
        let scale = scale(plot);
        let shown = characters::shorten_end(&clean, width - scale.len(), style.ascii);
        push(&shown, Role::Heading, &mut cells);
        push(scale, Role::Dim, &mut cells);
        finish(cells, style, out);
        return;
    }
    let signs = DotSigns::of(style.ascii);
    let entries = plot.curves.iter().enumerate().map(|(number, curve)| {
        let sample = if curve.dots {
            signs.of_curve(number as u8).to_string()
        } else {
            sample(plot, number, style.ascii)
        };
        (sample, Role::Curve(number as u8), curve.label.clone())
    });
    let several = plot.curves.iter().filter(|curve| curve.dots).count() > 1;
    let both = several.then(|| (signs.shared.to_string(), Role::Plain, "several".to_string()));
    let scale = scale(plot);
    let scale = (!scale.is_empty()).then(|| (String::new(), Role::Plain, scale.trim().to_string()));
    entries_in_lines(entries.chain(both).chain(scale), width, style, out);
}

/// Which axes are logarithmic.
fn scale(plot: &Plot) -> &'static str {
    match (plot.logarithmic_across, plot.logarithmic) {
        (true, true) => "   (both logarithmic)",
        (true, false) => "   (across logarithmic)",
        (false, true) => "   (logarithmic)",
        (false, false) => "",
    }
}

/// A piece of a curve, as the legend shows it.
fn sample(plot: &Plot, number: usize, plain: bool) -> String {
    if plain {
        return MARKS[number % MARKS.len()].to_string();
    }
    let mut canvas = Canvas::new(5, 1, false);
    canvas.draw(&[(0.0, 0.4), (1.0, 0.4)], 0, pattern(plot, number));
    (0..5)
        .map(|column| {
            canvas
                .cell(column, 0, is_curve)
                .map_or(' ', |(dots, _)| dots)
        })
        .collect()
}
