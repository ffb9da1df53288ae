//! A chart on the terminal: a frame with round ticks, its marks as dots and signs, and above them their names. On a map
//! two values to a character, one above the other, in the colours of the scale; without colours a sign for each shade,
//! and a key below.
//!
//! Every curve has a colour, and a pattern or a sign of its own as well. The numbers of the present point are lines of
//! the report, below the picture.

use std::collections::HashMap;

use super::canvas::{Canvas, Pattern};
use super::chart::{Chart, ChartPlace, LineLook, Mark, MarkShape};
use super::field::MapLevels;
use super::ticks::{self, Ticks};
use super::window::inside;
use crate::report::PlotMap;
use crate::view::theme::{Role, Theme, shades};
use crate::view::{Style, characters};

/// The widest and the narrowest drawing.
const WIDTH: (usize, usize) = (24, 100);
/// How wide it is where no width is given.
const USUAL: usize = 80;
/// The least room beside the labels, for the drawing, the axis and its name.
const LEAST: usize = 12;
/// The columns and rows of a small drawing.
const SMALL: (usize, usize) = (60, 9);
/// How curves without colours can be told apart: dots on and off in turn. The first one is for all other lines, too.
const PATTERNS: [Pattern; 6] = [&[1], &[5, 3], &[2, 2], &[8, 3, 2, 3], &[1, 2], &[12, 5]];
const THIN: Pattern = &[1, 2];
/// The signs of curves in plain style, and those of dots otherwise.
const MARKS: [char; 6] = ['*', '+', 'o', 'x', '#', '%'];
const DOTS: [char; 6] = ['•', '◦', '▪', '▫', '▴', '▵'];
/// More dots than this for each column run into each other.
const MANY: usize = 2;
/// The most levels of a ground.
const LEVELS: usize = 9;
/// The signs of shades without colours, none of which is a mark.
const SHADES: [char; 10] = [' ', '.', ':', '-', '=', 'i', 'I', 'T', 'H', 'M'];
/// What has no value.
const NOTHING: char = '/';
/// The arrows, from the right against the clock, and where they stand beside their point.
const ARROWS: [char; 8] = ['→', '↗', '↑', '↖', '←', '↙', '↓', '↘'];
const PLAIN_ARROWS: [char; 8] = ['>', '/', '^', '\\', '<', '/', 'v', '\\'];
const BESIDE: [(isize, isize); 8] = [
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// A line in the making: characters with their roles.
type Cells = Vec<(char, Role)>;

/// The columns and rows within a frame, and the room for labels on its left.
#[derive(Clone, Copy)]
struct FrameSize {
    margin: usize,
    columns: usize,
    rows: usize,
}

/// Draws a chart; a small one where it stands beside other things.
pub(super) fn write(chart: &Chart, is_small: bool, style: &Style, out: &mut String) {
    let most = if is_small { SMALL.0 } else { WIDTH.1 };
    let width = style.width.unwrap_or(USUAL).clamp(WIDTH.0, most);
    let rows = if is_small { SMALL.1 } else { 8 + width / 10 };
    let (width, rows) = asked_size(chart.size, style).unwrap_or((width, rows));
    let named = |name: &str| {
        let name = characters::clean(name, style.ascii);
        characters::shorten_middle(&name, width / 8, style.ascii).into_owned()
    };
    let (across, up) = (named(chart.across), named(chart.up));
    let below = chart.below.as_deref();
    let upwards = upwards(chart, rows, width);
    let upwards_below = below.map(|below| self::upwards(below, rows / 2, width));
    let labels = upwards_below.iter().flat_map(|ticks| &ticks.1);
    let labels = upwards.1.iter().chain(labels).map(String::len);
    let margin = labels.max().unwrap_or(0);
    let columns = width.saturating_sub(margin + 3 + characters::width(&across));
    let size = FrameSize {
        margin,
        columns: columns.max(1),
        rows,
    };
    head(chart, width, style, out);
    if !up.is_empty() {
        let lead = (margin + 1).saturating_sub(characters::width(&up) / 2);
        let mut cells = Cells::new();
        push(&" ".repeat(lead), Role::Plain, &mut cells);
        push(&up, Role::Name, &mut cells);
        finish(cells, style, out);
    }
    let levels = chart.ground.map(|map| MapLevels::of(map, LEVELS.min(rows)));
    let ground = chart.ground.zip(levels.as_ref());
    draw(chart, (&upwards, ground), size, style, out);
    let name = below.is_none().then_some(across.as_str());
    foot(chart, name, size, style, out);
    if let Some((below, upwards)) = below.zip(upwards_below) {
        let names = characters::clean(&below.names(), style.ascii).into_owned();
        let names = characters::shorten_end(&names, columns, style.ascii);
        let mut cells = Cells::new();
        push(&" ".repeat(margin + 2), Role::Plain, &mut cells);
        push(&names, Role::Dim, &mut cells);
        finish(cells, style, out);
        let rows = rows / 2;
        let size = FrameSize { rows, ..size };
        draw(below, (&upwards, None), size, style, out);
        foot(below, Some(&across), size, style, out);
    }
    if let Some((map, levels)) = ground {
        key(chart, (map, levels), width, style, out);
    }
}

/// The columns and rows that were asked for, as far as the window is wide.
fn asked_size(asked: Option<(u32, u32)>, style: &Style) -> Option<(usize, usize)> {
    let (columns, rows) = asked?;
    let most = style.width.map_or(usize::MAX, |width| width.max(WIDTH.0));
    Some(((columns as usize).clamp(WIDTH.0, most), rows as usize))
}

/// The ticks on the left. No number is better than half of one.
fn upwards(chart: &Chart, rows: usize, width: usize) -> Ticks {
    let mut ticks = ticks::along(chart.window.up, rows / 3 + 1);
    let labels = ticks.1.iter_mut();
    let long = labels.filter(|label| label.len() > width - LEAST);
    long.for_each(String::clear);
    ticks
}

/// The title or the legend; on a map the title, and a legend of what is not in the key.
fn head(chart: &Chart, width: usize, style: &Style, out: &mut String) {
    let has_title = !chart.title.is_empty();
    if has_title {
        let scale = if chart.scale.is_empty() {
            String::new()
        } else {
            format!("   {}", chart.scale)
        };
        let title = characters::clean(&chart.title, style.ascii);
        let room = width.saturating_sub(scale.len());
        let mut cells = Cells::new();
        push(
            &characters::shorten_end(&title, room, style.ascii),
            Role::Heading,
            &mut cells,
        );
        push(&scale, Role::Dim, &mut cells);
        finish(cells, style, out);
        if chart.ground.is_none() {
            return;
        }
    }
    let mut entries: Vec<LegendEntry> = (chart.legend().into_iter())
        .filter(|mark| !in_key(mark))
        .map(|mark| {
            (
                sample(mark, style.ascii),
                Role::Curve(mark.series),
                mark.label.clone(),
            )
        })
        .collect();
    let is_dots = |mark: &&Mark| matches!(mark.shape, MarkShape::Dots(_));
    if chart.marks.iter().filter(is_dots).count() > 1 {
        let sign = shared(style.ascii).to_string();
        entries.push((sign, Role::Plain, "several".to_string()));
    }
    if !has_title && !chart.scale.is_empty() {
        entries.push((String::new(), Role::Plain, chart.scale.to_string()));
    }
    if !entries.is_empty() {
        in_lines(entries, width, style, out);
    }
}

/// Is it explained below the picture?
fn in_key(mark: &Mark) -> bool {
    matches!(
        mark.shape,
        MarkShape::Line(LineLook::Boundary | LineLook::Path, _)
    )
}

/// How a mark looks, for a legend.
fn sample(mark: &Mark, is_plain: bool) -> String {
    let sign = match mark.shape {
        MarkShape::Line(LineLook::Boundary, _) => {
            if is_plain {
                '$'
            } else {
                '⣿'
            }
        }
        MarkShape::Line(LineLook::Path, _) => {
            if is_plain {
                ','
            } else {
                '⠒'
            }
        }
        MarkShape::Line(look, _) if !is_plain => {
            let mut canvas = Canvas::new(5, 1, false);
            canvas.draw(&[(0.0, 0.4), (1.0, 0.4)], 0, pattern(look, false));
            let cell = |column| canvas.cell(column, 0, |_| true);
            return (0..5)
                .map(|at| cell(at).map_or(' ', |(dots, _)| dots))
                .collect();
        }
        _ => sign_of(mark.series, is_plain),
    };
    sign.to_string()
}

/// The sign of a series.
fn sign_of(series: u8, is_plain: bool) -> char {
    let signs = if is_plain { MARKS } else { DOTS };
    signs[usize::from(series) % signs.len()]
}

/// The sign of a place that dots of several series share.
fn shared(is_plain: bool) -> char {
    if is_plain { '&' } else { '*' }
}

/// A sign of the frame, in plain style its ASCII spelling.
fn sign(drawn: char, is_plain: bool) -> char {
    match drawn {
        _ if !is_plain => drawn,
        '│' => '|',
        '─' => '-',
        '●' => '@',
        _ => '+',
    }
}

fn pattern(look: LineLook, is_plain: bool) -> Pattern {
    match look {
        LineLook::Thin => THIN,
        LineLook::Curve(before) if !is_plain => PATTERNS[before % PATTERNS.len()],
        _ => PATTERNS[0],
    }
}

/// The rows of the frame with all that is in it.
fn draw(
    chart: &Chart,
    (upwards, ground): (&Ticks, Option<(&PlotMap, &MapLevels)>),
    size: FrameSize,
    style: &Style,
    out: &mut String,
) {
    let FrameSize {
        margin,
        columns,
        rows,
    } = size;
    let window = &chart.window;
    let canvas = canvas(chart, size, style.ascii);
    let drawn = overlay(chart, &canvas, size, style.ascii);
    let zero = |part: f64, logarithmic: bool| {
        (ground.is_none() && !logarithmic && part > 0.0 && part < 1.0).then_some(part)
    };
    let level = zero(window.height(0.0), window.up.logarithmic);
    let level = level.map(|up| canvas.place(0.0, up).1);
    let side = zero(window.across.part(0.0), window.across.logarithmic);
    let side = side.map(|right| canvas.place(right, 0.0).0);
    let is_colored = is_colored(style);
    for row in 0..rows {
        let mut ticks = upwards.0.iter();
        let tick = ticks.position(|it| canvas.place(0.0, window.height(*it)).1 == row);
        let label = tick.map_or("", |tick| upwards.1[tick].as_str());
        let mut cells: Cells = Vec::with_capacity(margin + columns);
        push(&format!("{label:>margin$} "), Role::Dim, &mut cells);
        let edge = if tick.is_some() { '┤' } else { '│' };
        cells.push((sign(edge, style.ascii), Role::Dim));
        // Shades are painted with escape sequences of their own.
        let mut shaded = String::new();
        for column in 0..columns {
            let mark = drawn.get(&(column, row)).copied();
            let Some((map, levels)) = ground else {
                cells.push(mark.unwrap_or_else(|| {
                    match (level == Some(row), side == Some(column)) {
                        (true, true) => (sign('┼', style.ascii), Role::Dim),
                        (true, false) => (sign('─', style.ascii), Role::Dim),
                        (false, true) => (sign('│', style.ascii), Role::Dim),
                        (false, false) => (' ', Role::Plain),
                    }
                }));
                continue;
            };
            let band = |down: f64| levels.band(value(map, (column, row), down, size));
            if is_colored {
                let shade = |down: f64| band(down).map(|band| levels.shade(band));
                paint(mark, shade, style, &mut shaded);
            } else {
                let shade = |band: usize| SHADES[band.min(SHADES.len() - 1)];
                let (sign, _) =
                    mark.unwrap_or_else(|| (band(0.5).map_or(NOTHING, shade), Role::Plain));
                cells.push((sign, Role::Plain));
            }
        }
        if shaded.is_empty() {
            finish(cells, style, out);
        } else {
            for (character, role) in cells {
                style.paint(character.encode_utf8(&mut [0; 4]), role, out);
            }
            out.push_str(&shaded);
            out.push('\n');
        }
    }
}

/// Whether shades can be drawn as colours.
fn is_colored(style: &Style) -> bool {
    let has_colors = |theme| matches!(theme, Theme::Terminal | Theme::Dark | Theme::Light);
    style.color.is_some_and(has_colors) && !style.ascii
}

/// The value of a map in a character, so far down in it.
fn value(map: &PlotMap, (column, row): (usize, usize), down: f64, size: FrameSize) -> f64 {
    let right = (column as f64 + 0.5) / size.columns as f64;
    let up = 1.0 - (row as f64 + down) / size.rows as f64;
    let nearest = |part: f64, count: usize| (part * (count.max(1) - 1) as f64).round() as usize;
    let (across, upwards) = (&map.across.places, &map.up.places);
    map.value(nearest(right, across.len()), nearest(up, upwards.len()))
}

/// A character of a map: a mark on its shade, or the shades of its upper and lower half.
fn paint(
    mark: Option<(char, Role)>,
    shade: impl Fn(f64) -> Option<u8>,
    style: &Style,
    out: &mut String,
) {
    let mut buffer = [0; 4];
    match mark {
        Some((sign, Role::Curve(series))) => {
            shades::paint_mark(series, sign.encode_utf8(&mut buffer), out);
        }
        Some((sign, _)) => {
            let sign = sign.encode_utf8(&mut buffer);
            match shade(0.5) {
                Some(shade) => shades::paint_on(shade, sign, out),
                None => style.paint(sign, Role::Plain, out),
            }
        }
        None => match (shade(0.25), shade(0.75)) {
            (Some(upper), Some(lower)) => shades::paint_halves(upper, lower, out),
            _ => style.paint(&NOTHING.to_string(), Role::Dim, out),
        },
    }
}

/// Are there so many dots that they would run into each other? Then they are smaller, and on the canvas.
fn are_many(chart: &Chart, places: &[ChartPlace], columns: usize) -> bool {
    chart.ground.is_none() && places.len() > MANY * columns
}

/// The lines of a chart; the ink of each is its place among the marks.
fn canvas(chart: &Chart, size: FrameSize, is_plain: bool) -> Canvas {
    let mut canvas = Canvas::new(size.columns, size.rows, is_plain);
    for (ink, mark) in chart.marks.iter().enumerate() {
        let ink = ink as u8;
        match &mark.shape {
            MarkShape::Line(look, lines) => {
                for line in lines {
                    canvas.draw(line, ink, pattern(*look, is_plain));
                    if *look == LineLook::Boundary && !is_plain {
                        // Twice as heavy as any other line: a second one beside it.
                        let aside = 0.5 / size.columns as f64;
                        let beside: Vec<ChartPlace> =
                            line.iter().map(|(x, y)| (x + aside, *y)).collect();
                        canvas.draw(&beside, ink, PATTERNS[0]);
                    }
                }
            }
            MarkShape::Dots(places) if are_many(chart, places, size.columns) => {
                for place in places {
                    canvas.draw(&[*place], ink, PATTERNS[0]);
                }
            }
            MarkShape::Dots(_) | MarkShape::Point(..) => {}
        }
    }
    canvas
}

/// What stands in the frame: lines, on top of them dots, on top of these present points.
fn overlay(
    chart: &Chart,
    canvas: &Canvas,
    size: FrameSize,
    is_plain: bool,
) -> HashMap<(usize, usize), (char, Role)> {
    let mut found = HashMap::new();
    let is_thin = |ink: u8| {
        let shape = chart.marks.get(usize::from(ink)).map(|mark| &mark.shape);
        matches!(shape, Some(MarkShape::Line(LineLook::Thin, _)))
    };
    for row in 0..size.rows {
        for column in 0..size.columns {
            if let Some((dots, ink)) = canvas.cell(column, row, |ink| !is_thin(ink)) {
                let mark = &chart.marks[usize::from(ink)];
                let (plain, role) = match mark.shape {
                    MarkShape::Line(LineLook::Thin, _) => ('.', Role::Dim),
                    MarkShape::Line(LineLook::ErrorBar, _) => ('|', Role::Curve(mark.series)),
                    MarkShape::Line(LineLook::Boundary, _) => ('$', Role::Plain),
                    MarkShape::Line(LineLook::Path, _) => (',', Role::Plain),
                    _ => (sign_of(mark.series, true), Role::Curve(mark.series)),
                };
                found.insert((column, row), (if is_plain { plain } else { dots }, role));
            }
        }
    }
    let mut owners: HashMap<(usize, usize), u8> = HashMap::new();
    for mark in &chart.marks {
        match &mark.shape {
            MarkShape::Dots(places) if !are_many(chart, places, size.columns) => {
                let own = (sign_of(mark.series, is_plain), Role::Curve(mark.series));
                for place in places.iter().filter(|place| inside(**place)) {
                    let at = canvas.place(place.0, place.1);
                    let is_own = *owners.entry(at).or_insert(mark.series) == mark.series;
                    let several = (shared(is_plain), Role::Plain);
                    found.insert(at, if is_own { own } else { several });
                }
            }
            MarkShape::Point(place, downhill) => {
                let at = canvas.place(place.0, place.1);
                let role = match downhill {
                    Some(downhill) => {
                        arrow(at, *downhill, size, is_plain, &mut found);
                        Role::Plain
                    }
                    None => Role::Curve(mark.series),
                };
                found.insert(at, (sign('●', is_plain), role));
            }
            _ => {}
        }
    }
    found
}

/// The arrow downhill, beside the present point.
fn arrow(
    at: (usize, usize),
    (right, up): (f64, f64),
    size: FrameSize,
    is_plain: bool,
    found: &mut HashMap<(usize, usize), (char, Role)>,
) {
    // A character is about twice as high as wide.
    let (across, upwards) = (right * size.columns as f64, up * 2.0 * size.rows as f64);
    let longer = across.abs().max(upwards.abs());
    let angle = (upwards / longer).atan2(across / longer);
    if !angle.is_finite() {
        return;
    }
    let eighths = (angle / std::f64::consts::FRAC_PI_4)
        .round()
        .rem_euclid(8.0);
    let turn = eighths as usize % 8;
    let (dx, dy) = BESIDE[turn];
    let next = (at.0.checked_add_signed(dx), at.1.checked_add_signed(dy));
    if let (Some(column), Some(row)) = next
        && column < size.columns
        && row < size.rows
    {
        let arrows = if is_plain { PLAIN_ARROWS } else { ARROWS };
        found.insert((column, row), (arrows[turn], Role::Plain));
    }
}

/// A sign with its role, and what it stands for.
type LegendEntry = (String, Role, String);

/// Entries of a legend: a sign and what it stands for, as many on a line as have room.
fn in_lines(entries: Vec<LegendEntry>, width: usize, style: &Style, out: &mut String) {
    let mut cells = Cells::new();
    let mut used = 0;
    for (sample, role, label) in entries {
        let lead = sample.chars().count() + usize::from(!sample.is_empty());
        let clean = characters::clean(&label, style.ascii);
        let label = characters::shorten_end(&clean, width.saturating_sub(lead), style.ascii);
        let wide = lead + characters::width(&label);
        if used > 0 && used + 3 + wide > width {
            finish(std::mem::take(&mut cells), style, out);
            used = 0;
        }
        if used > 0 {
            push("   ", Role::Plain, &mut cells);
            used += 3;
        }
        if !sample.is_empty() {
            push(&sample, role, &mut cells);
            push(" ", Role::Plain, &mut cells);
        }
        let what = if sample.is_empty() {
            Role::Dim
        } else {
            Role::Formula
        };
        push(&label, what, &mut cells);
        used += wide;
    }
    finish(cells, style, out);
}

/// The frame's lower side; with the name of what goes to the right, the labels below it too.
fn foot(chart: &Chart, name: Option<&str>, size: FrameSize, style: &Style, out: &mut String) {
    let FrameSize {
        margin, columns, ..
    } = size;
    let canvas = Canvas::new(columns, 1, style.ascii);
    let place = |tick: &f64| canvas.place(chart.window.across.part(*tick), 0.0).0;
    let (ticks, labels) = fitting(chart, place, columns);
    let places: Vec<usize> = ticks.iter().map(place).collect();
    let mut cells = Cells::new();
    push(&" ".repeat(margin + 1), Role::Plain, &mut cells);
    cells.push((sign('└', style.ascii), Role::Dim));
    for column in 0..columns {
        let is_tick = places.contains(&column);
        let edge = if is_tick { '┬' } else { '─' };
        cells.push((sign(edge, style.ascii), Role::Dim));
    }
    let Some(name) = name else {
        finish(cells, style, out);
        return;
    };
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
fn fitting(chart: &Chart, place: impl Fn(&f64) -> usize, columns: usize) -> Ticks {
    let axis = chart.window.across;
    let fits = |(ticks, labels): &Ticks| {
        let mut free = 0;
        ticks.iter().zip(labels).all(|(tick, label)| {
            let start = label_start(place(tick), label.len(), columns);
            let fits = start >= free && label.len() <= columns;
            free = start + label.len() + 2;
            fits
        })
    };
    ticks::fitting(axis, columns / 8 + 2, fits).unwrap_or_else(|| {
        let (ticks, labels) = ticks::along(axis, 2);
        let first = ticks.into_iter().zip(labels).take(1);
        first.filter(|(_, label)| label.len() <= columns).unzip()
    })
}

fn label_start(place: usize, length: usize, columns: usize) -> usize {
    place
        .saturating_sub(length / 2)
        .min(columns.saturating_sub(length))
}

/// What the shades and the lines of a map mean.
fn key(
    chart: &Chart,
    (map, levels): (&PlotMap, &MapLevels),
    width: usize,
    style: &Style,
    out: &mut String,
) {
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
        if is_colored(style) {
            let shade = levels.shade(band);
            shades::paint_halves(shade, shade, &mut line);
            shades::paint_halves(shade, shade, &mut line);
        } else {
            line.extend(['[', SHADES[band.min(SHADES.len() - 1)], ']']);
        }
        line.push(' ');
        style.paint(label, Role::Dim, &mut line);
        if !label.is_empty() {
            line.push(' ');
        }
        used += wide;
    }
    flush(&mut line, out);
    let nothing = (NOTHING.to_string(), Role::Dim, "no number".to_string());
    let nothing = map
        .values
        .iter()
        .any(|value| value.is_nan())
        .then_some(nothing);
    let marks = chart.legend().into_iter().filter(|mark| in_key(mark));
    let marks = marks.map(|mark| (sample(mark, style.ascii), Role::Plain, mark.label.clone()));
    let entries: Vec<LegendEntry> = nothing.into_iter().chain(marks).collect();
    if !entries.is_empty() {
        in_lines(entries, width, style, out);
    }
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
