//! Curves on the terminal: a frame with round ticks, dots for the curves, and above them their names.
//!
//! Every curve has a colour, and a pattern or a mark of its own as well. The numbers of the present point are lines of
//! the report, below the picture.

use super::canvas::{Canvas, Pattern};
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
/// The same in plain style.
const MARKS: [char; 6] = ['*', '+', 'o', 'x', '#', '%'];
/// Tangents are thin.
const TANGENT: Pattern = &[1, 2];
/// How far tangents reach to both sides where there are several curves, as part of the width.
const REACH: f64 = 0.2;
/// The ink of a tangent is this, with the number of its curve added.
const OF_TANGENT: u8 = 100;

/// A sign of the frame, in plain style its ASCII spelling.
fn sign(drawn: char, plain: bool) -> char {
    match drawn {
        _ if !plain => drawn,
        '│' => '|',
        '─' => '-',
        '●' => '@',
        _ => '+',
    }
}

/// The columns and rows of a small drawing.
const SMALL: (usize, usize) = (60, 9);

/// A line in the making: characters with their roles.
type Cells = Vec<(char, Role)>;

/// Draws the curves.
pub(crate) fn write(plot: &Plot, style: &Style, out: &mut String) {
    let most = if plot.small { SMALL.0 } else { WIDTH.1 };
    let width = style.width.unwrap_or(USUAL).clamp(WIDTH.0, most);
    let rows = if plot.small { SMALL.1 } else { 8 + width / 10 };
    let upright = upright(plot);
    let window = Window::of(&upright);
    let (heights, mut labels) = ticks::upwards(plot.logarithmic, window.up, rows / 3 + 1);
    // No number is better than half of one.
    let most = width - LEAST;
    labels
        .iter_mut()
        .filter(|label| label.len() > most)
        .for_each(String::clear);
    let margin = labels.iter().map(String::len).max().unwrap_or(0);
    let name = characters::clean(&plot.across, style.ascii);
    let name = characters::shorten_middle(&name, width / 8, style.ascii);
    let columns = width - margin - 3 - characters::width(&name);
    let canvas = canvas(&upright, &window, (columns, rows), style.ascii);
    let sign = |drawn| sign(drawn, style.ascii);
    legend(plot, width, style, out);
    let level = window.height(0.0);
    let zero =
        (!plot.logarithmic && level > 0.0 && level < 1.0).then(|| canvas.place(0.0, level).1);
    let side = window.right(0.0);
    let zero_across = (side > 0.0 && side < 1.0).then(|| canvas.place(side, 0.0).0);
    let points = points(&upright, &window, &canvas);
    for row in 0..rows {
        let tick = heights
            .iter()
            .position(|height| canvas.place(0.0, window.height(*height)).1 == row);
        let label = tick.map_or("", |tick| labels[tick].as_str());
        let mut cells: Cells = Vec::with_capacity(width);
        push(&format!("{label:>margin$} "), Role::Dim, &mut cells);
        let edge = if tick.is_some() { '┤' } else { '│' };
        cells.push((sign(edge), Role::Dim));
        for column in 0..columns {
            let point = points.iter().find(|(place, _)| *place == (column, row));
            let (on_level, on_side) = (zero == Some(row), zero_across == Some(column));
            cells.push(match (point, canvas.cell(column, row)) {
                (Some((_, curve)), _) => (sign('●'), Role::Curve(*curve)),
                (None, Some((_, ink))) if style.ascii && ink >= OF_TANGENT => ('.', Role::Dim),
                (None, Some((_, ink))) if style.ascii => {
                    (MARKS[usize::from(ink) % MARKS.len()], Role::Curve(ink))
                }
                (None, Some((dots, ink))) if ink >= OF_TANGENT => (dots, Role::Dim),
                (None, Some((dots, ink))) => (dots, Role::Curve(ink)),
                (None, None) => match (on_level, on_side) {
                    (true, true) => (sign('┼'), Role::Dim),
                    (true, false) => (sign('─'), Role::Dim),
                    (false, true) => (sign('│'), Role::Dim),
                    (false, false) => (' ', Role::Plain),
                },
            });
        }
        finish(cells, style, out);
    }
    below(&name, &window, &canvas, (margin, columns), style, out);
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
        let pattern = PATTERNS[number % PATTERNS.len()];
        let pattern = if plain { PATTERNS[0] } else { pattern };
        for stretch in curve.stretches() {
            canvas.draw(&window.places(stretch), number as u8, pattern);
        }
    }
    canvas
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
        let logarithmic = plot.logarithmic;
        let scale = if logarithmic { "   (logarithmic)" } else { "" };
        let shown = characters::shorten_end(&clean, width - scale.len(), style.ascii);
        push(&shown, Role::Heading, &mut cells);
        push(scale, Role::Dim, &mut cells);
        finish(cells, style, out);
        return;
    }
    let mut used = 0;
    for (number, curve) in plot.curves.iter().enumerate() {
        let sample = sample(number, style.ascii);
        let clean = characters::clean(&curve.label, style.ascii);
        let room = width.saturating_sub(sample.chars().count() + 1);
        let label = characters::shorten_end(&clean, room, style.ascii);
        let wide = sample.chars().count() + 1 + characters::width(&label);
        if used > 0 && used + 3 + wide > width {
            finish(std::mem::take(&mut cells), style, out);
            used = 0;
        }
        if used > 0 {
            push("   ", Role::Plain, &mut cells);
            used += 3;
        }
        push(&sample, Role::Curve(number as u8), &mut cells);
        push(" ", Role::Plain, &mut cells);
        push(&label, Role::Formula, &mut cells);
        used += wide;
    }
    finish(cells, style, out);
}

/// A piece of a curve, as the legend shows it.
fn sample(number: usize, plain: bool) -> String {
    if plain {
        return MARKS[number % MARKS.len()].to_string();
    }
    let mut canvas = Canvas::new(5, 1, false);
    canvas.draw(
        &[(0.0, 0.4), (1.0, 0.4)],
        0,
        PATTERNS[number % PATTERNS.len()],
    );
    (0..5)
        .map(|column| canvas.cell(column, 0).map_or(' ', |(dots, _)| dots))
        .collect()
}

/// The frame's lower side with the name of what goes to the right, and the labels below it.
fn below(
    name: &str,
    window: &Window,
    canvas: &Canvas,
    (margin, columns): (usize, usize),
    style: &Style,
    out: &mut String,
) {
    let (ticks, labels) = fitting(window, canvas, columns);
    let places: Vec<usize> = (ticks.iter())
        .map(|tick| canvas.place(window.right(*tick), 0.0).0)
        .collect();
    let mut cells = Cells::new();
    push(&" ".repeat(margin + 1), Role::Plain, &mut cells);
    cells.push((sign('└', style.ascii), Role::Dim));
    for column in 0..columns {
        let is_tick = places.contains(&column);
        let edge = if is_tick { '┬' } else { '─' };
        cells.push((sign(edge, style.ascii), Role::Dim));
    }
    cells.push((' ', Role::Plain));
    push(name, Role::Name, &mut cells);
    finish(cells, style, out);
    let mut line = vec![' '; columns];
    for (place, label) in places.iter().zip(&labels) {
        let start = label_start(*place, label.len(), columns);
        for (at, character) in label.chars().enumerate() {
            line[start + at] = character;
        }
    }
    let line: String = line.into_iter().collect();
    let mut cells = Cells::new();
    push(&" ".repeat(margin + 2), Role::Plain, &mut cells);
    push(&line, Role::Dim, &mut cells);
    finish(cells, style, out);
}

/// As many ticks as have room for their labels; the first alone where two have none.
fn fitting(window: &Window, canvas: &Canvas, columns: usize) -> Ticks {
    let fits = |(ticks, labels): &Ticks| {
        let mut free = 0;
        ticks.iter().zip(labels).all(|(tick, label)| {
            let place = canvas.place(window.right(*tick), 0.0).0;
            let start = label_start(place, label.len(), columns);
            let fits = start >= free && label.len() <= columns;
            free = start + label.len() + 2;
            fits
        })
    };
    ticks::fitting(window.across, columns / 8 + 2, fits).unwrap_or_else(|| {
        let (ticks, labels) = ticks::labelled(window.across, 2);
        let first = ticks.into_iter().zip(labels).take(1);
        first.filter(|(_, label)| label.len() <= columns).unzip()
    })
}

fn label_start(place: usize, length: usize, columns: usize) -> usize {
    place
        .saturating_sub(length / 2)
        .min(columns.saturating_sub(length))
}

fn push(text: &str, role: Role, cells: &mut Cells) {
    cells.extend(text.chars().map(|character| (character, role)));
}

/// Ends a line: characters of one role are painted together, blanks at the end are left out.
fn finish(mut cells: Cells, style: &Style, out: &mut String) {
    while cells.pop_if(|(character, _)| *character == ' ').is_some() {}
    let mut text = String::new();
    for run in cells.chunk_by(|one, other| one.1 == other.1) {
        text.clear();
        text.extend(run.iter().map(|(character, _)| character));
        style.paint(&text, run[0].1, out);
    }
    out.push('\n');
}
