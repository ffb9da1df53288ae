//! A chart on the terminal: a frame with round ticks, its marks as dots and signs, and above them their names. On a map
//! two values to a character, one above the other, in the colours of the scale; without colours a sign for each shade,
//! and a key below.
//!
//! Every curve has a colour, and a pattern or a sign of its own as well. The numbers of the present point are lines of
//! the report, below the picture.

use super::canvas::{Canvas, Pattern};
use super::chart::{Chart, ChartPlace, LineLook, Mark, MarkShape};
use super::field::MapLevels;
use super::ticks::{self, LabelRow, Ticks};
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
/// The patterns of lines. Those of curves can be told apart without colours.
const SOLID: Pattern = "-";
const PATTERNS: [Pattern; 6] = [
    SOLID,
    "-----   ",
    "--  ",
    "--------   --   ",
    "-  ",
    "------------     ",
];
const THIN: Pattern = "-  ";
const PATH: Pattern = "---- ";
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
/// The arrows around a point, row by row, and the same in plain style.
const ARROWS: [[char; 3]; 3] = [['↖', '↑', '↗'], ['←', '●', '→'], ['↙', '↓', '↘']];
const PLAIN_ARROWS: [[char; 3]; 3] = [['\\', '^', '/'], ['<', '@', '>'], ['/', 'v', '\\']];

/// A character and how it is painted.
type ChartCell = (char, Paint);

#[derive(Clone, Copy, PartialEq)]
enum Paint {
    Role(Role),
    /// Two shades of a map, one above the other.
    Halves(u8, u8),
    /// On a shade of a map.
    OnShade(u8),
    /// The sign of a series on a map.
    Series(u8),
}

/// A line in the making.
#[derive(Default)]
struct Cells(Vec<ChartCell>);

/// The columns and rows within a frame, and the room for labels on its left.
#[derive(Clone, Copy)]
struct FrameSize {
    margin: usize,
    columns: usize,
    rows: usize,
}

/// The ground of a map with its levels.
type Ground<'g> = Option<(&'g PlotMap, &'g MapLevels)>;

/// Draws a chart.
pub(super) fn write(chart: &Chart, style: &Style, out: &mut String) {
    let usual = style.width.unwrap_or(USUAL).clamp(WIDTH.0, WIDTH.1);
    let (width, rows) = match chart.size {
        Some((columns, rows)) => {
            let most = style.width.map_or(usize::MAX, |width| width.max(WIDTH.0));
            ((columns as usize).clamp(WIDTH.0, most), rows as usize)
        }
        None => (usual, 8 + usual / 10),
    };
    let across = characters::clean(chart.across, style.ascii);
    let across = characters::shorten_middle(&across, width / 8, style.ascii);
    // A second chart below has half as many rows.
    let below = chart.below.as_deref().map(|below| (below, rows / 2));
    let charts: Vec<(&Chart, usize)> = std::iter::once((chart, rows)).chain(below).collect();
    let ticks = charts.iter().map(|(chart, rows)| {
        let (ticks, labels) = ticks::along(chart.window.up, rows / 3 + 1);
        // No number is better than half of one.
        let labels = labels.into_iter();
        let labels = labels.map(|label| {
            if label.len() > width - LEAST {
                String::new()
            } else {
                label
            }
        });
        (ticks, labels.collect())
    });
    let ticks: Vec<Ticks> = ticks.collect();
    let labels = ticks.iter().flat_map(|(_, labels)| labels);
    let margin = labels.map(String::len).max().unwrap_or(0);
    let columns = width
        .saturating_sub(margin + 3 + characters::width(&across))
        .max(1);
    let levels = chart.ground.map(|map| MapLevels::of(map, LEVELS.min(rows)));
    let ground = chart.ground.zip(levels.as_ref());
    head(chart, width, style, out);
    for (at, ((chart, rows), ticks)) in charts.iter().zip(&ticks).enumerate() {
        let size = FrameSize {
            margin,
            columns,
            rows: *rows,
        };
        let (lead, name, role) = match at {
            0 => {
                let wide = characters::width(chart.up);
                (
                    (margin + 1).saturating_sub(wide / 2),
                    chart.up.to_string(),
                    Role::Name,
                )
            }
            _ => (margin + 2, chart.names(), Role::Dim),
        };
        if !name.is_empty() {
            let name = characters::clean(&name, style.ascii);
            let mut cells = Cells::default();
            cells.push(&" ".repeat(lead), Role::Plain);
            cells.push(
                &characters::shorten_end(&name, width - lead, style.ascii),
                role,
            );
            cells.write(style, out);
        }
        draw(chart, (ticks, ground.filter(|_| at == 0)), size, style, out);
        let is_last = at + 1 == charts.len();
        foot(chart, is_last.then_some(&*across), size, style, out);
    }
    if let Some(ground) = ground {
        key(ground, width, style, out);
    }
}

/// The title, and a legend of what is drawn where that is more than the title says.
fn head(chart: &Chart, width: usize, style: &Style, out: &mut String) {
    let mut entries: Vec<LegendEntry> = Vec::new();
    if chart.title.is_empty() || chart.ground.is_some() {
        entries.extend(chart.legend().into_iter().map(|mark| {
            let role = Paint::Role(Role::Curve(mark.series));
            let sample = sample(mark, style.ascii).into_iter();
            (
                sample.map(|sign| (sign, role)).collect(),
                mark.label.clone(),
            )
        }));
    }
    if chart.title.is_empty() {
        let scale = Some(chart.scale).filter(|scale| !scale.is_empty());
        entries.extend(scale.map(|scale| (Vec::new(), scale.to_string())));
    } else {
        let gap = if chart.scale.is_empty() { "" } else { "   " };
        let title = characters::clean(&chart.title, style.ascii);
        let room = width.saturating_sub(gap.len() + chart.scale.len());
        let mut cells = Cells::default();
        cells.push(
            &characters::shorten_end(&title, room, style.ascii),
            Role::Heading,
        );
        cells.push(gap, Role::Plain);
        cells.push(chart.scale, Role::Dim);
        cells.write(style, out);
    }
    in_lines(entries, 3, width, style, out);
}

/// How a mark looks, for a legend.
fn sample(mark: &Mark, is_plain: bool) -> Vec<char> {
    match mark.shape {
        MarkShape::Line(look, _) if !is_plain => {
            let columns = if matches!(look, LineLook::Curve(_)) {
                5
            } else {
                3
            };
            let mut canvas = Canvas::new(columns, 1, false);
            canvas.draw(
                &[(0.0, 0.4), (1.0, 0.4)],
                0,
                line_look(look, mark.series, false).0,
            );
            let cells = (0..columns).map(|column| canvas.cell(column, 0));
            cells
                .map(|cell| cell.map_or(' ', |(dots, _)| dots))
                .collect()
        }
        MarkShape::Line(look, _) => vec![line_look(look, mark.series, true).1],
        _ => vec![sign_of(mark.series, is_plain)],
    }
}

/// The sign of a series.
fn sign_of(series: u8, is_plain: bool) -> char {
    let signs = if is_plain { MARKS } else { DOTS };
    signs[usize::from(series) % signs.len()]
}

/// How a line looks: its pattern, its sign in plain style, and its colour.
fn line_look(look: LineLook, series: u8, is_plain: bool) -> (Pattern, char, Role) {
    let own = Role::Curve(series);
    match look {
        LineLook::Curve(_) if is_plain => (SOLID, sign_of(series, true), own),
        LineLook::Curve(before) => (PATTERNS[before % PATTERNS.len()], ' ', own),
        LineLook::Thin => (THIN, '.', Role::Dim),
        LineLook::ErrorBar => (SOLID, '|', own),
        LineLook::Boundary => (SOLID, '$', Role::Plain),
        LineLook::Path if is_plain => (SOLID, ',', Role::Plain),
        LineLook::Path => (PATH, ' ', Role::Plain),
    }
}

/// A sign of the frame, in plain style its ASCII spelling.
fn frame_sign(drawn: char, is_plain: bool) -> char {
    match drawn {
        _ if !is_plain => drawn,
        '│' => '|',
        '─' => '-',
        _ => '+',
    }
}

/// The rows of the frame with all that is in it.
fn draw(
    chart: &Chart,
    (upwards, ground): (&Ticks, Ground),
    size: FrameSize,
    style: &Style,
    out: &mut String,
) {
    let canvas = canvas(chart, size, style.ascii);
    let mut grid = match ground {
        Some(ground) => shaded(ground, size, style),
        None => with_axes(chart, &canvas, size, style.ascii),
    };
    let mut put = |(column, row): (usize, usize), sign: char, role: Role| {
        let cell = grid
            .get_mut(row)
            .and_then(|row: &mut Cells| row.0.get_mut(column));
        if let Some(cell) = cell {
            let paint = match (cell.1, role) {
                (Paint::Role(_), _) => Paint::Role(role),
                (_, Role::Curve(series)) => Paint::Series(series),
                (Paint::Halves(shade, _), _) => Paint::OnShade(shade),
                (paint, _) => paint,
            };
            *cell = (sign, paint);
        }
    };
    for row in 0..size.rows {
        for column in 0..size.columns {
            if let Some((dots, ink)) = canvas.cell(column, row) {
                let mark = &chart.marks[usize::from(ink)];
                let (plain, role) = match mark.shape {
                    MarkShape::Line(look, _) => {
                        let (_, sign, role) = line_look(look, mark.series, style.ascii);
                        (sign, role)
                    }
                    _ => (sign_of(mark.series, true), Role::Curve(mark.series)),
                };
                put((column, row), if style.ascii { plain } else { dots }, role);
            }
        }
    }
    for mark in &chart.marks {
        let role = Role::Curve(mark.series);
        match &mark.shape {
            MarkShape::Dots(places) if !are_many(chart, places, size.columns) => {
                for place in places.iter().filter(|place| inside(**place)) {
                    put(
                        canvas.place(*place),
                        sign_of(mark.series, style.ascii),
                        role,
                    );
                }
            }
            MarkShape::Point(place, downhill) => {
                let at = canvas.place(*place);
                let arrows = if style.ascii { PLAIN_ARROWS } else { ARROWS };
                let (dx, dy) = downhill.map_or((0, 0), |downhill| step(downhill, size));
                let beside = at.0.checked_add_signed(dx).zip(at.1.checked_add_signed(dy));
                if let Some(beside) = beside {
                    let arrow = arrows[(dy + 1) as usize][(dx + 1) as usize];
                    put(beside, arrow, Role::Plain);
                }
                put(
                    at,
                    arrows[1][1],
                    if downhill.is_some() {
                        Role::Plain
                    } else {
                        role
                    },
                );
            }
            _ => {}
        }
    }
    let margin = size.margin;
    for (row, inner) in grid.into_iter().enumerate() {
        let mut ticks = upwards.0.iter().map(|tick| chart.window.up.part(*tick));
        let tick = ticks.position(|up| canvas.place((0.0, up)).1 == row);
        let label = tick.map_or("", |tick| upwards.1[tick].as_str());
        let edge = if tick.is_some() { '┤' } else { '│' };
        let mut cells = Cells::default();
        cells.push(&format!("{label:>margin$} "), Role::Dim);
        cells
            .0
            .push((frame_sign(edge, style.ascii), Paint::Role(Role::Dim)));
        cells.0.extend(inner.0);
        cells.write(style, out);
    }
}

/// An empty frame, with lines where the axes are.
fn with_axes(chart: &Chart, canvas: &Canvas, size: FrameSize, is_plain: bool) -> Vec<Cells> {
    let level = chart.window.up.zero().map(|up| canvas.place((0.0, up)).1);
    let side = chart
        .window
        .across
        .zero()
        .map(|right| canvas.place((right, 0.0)).0);
    let sign = |row, column| match (level == Some(row), side == Some(column)) {
        (true, true) => '┼',
        (true, false) => '─',
        (false, true) => '│',
        (false, false) => ' ',
    };
    let cell = |row, column| match sign(row, column) {
        ' ' => (' ', Paint::Role(Role::Plain)),
        sign => (frame_sign(sign, is_plain), Paint::Role(Role::Dim)),
    };
    let cells = |row| Cells((0..size.columns).map(|column| cell(row, column)).collect());
    (0..size.rows).map(cells).collect()
}

/// The shades of a map.
fn shaded((map, levels): (&PlotMap, &MapLevels), size: FrameSize, style: &Style) -> Vec<Cells> {
    let nearest = |part: f64, count: usize| (part * (count.max(1) - 1) as f64).round() as usize;
    // The level of a character, so far down in it.
    let band = |row: usize, column: usize, down: f64| {
        let right = (column as f64 + 0.5) / size.columns as f64;
        let up = 1.0 - (row as f64 + down) / size.rows as f64;
        let column = nearest(right, map.columns.len());
        levels.band(map.value(column, nearest(up, map.rows.len())))
    };
    let cell = |row, column| {
        let found = if is_colored(style) {
            let upper = band(row, column, 0.25).zip(band(row, column, 0.75));
            upper.map(|(upper, lower)| shade(levels, (upper, lower), style))
        } else {
            band(row, column, 0.5).map(|band| shade(levels, (band, band), style))
        };
        found.unwrap_or((NOTHING, Paint::Role(Role::Dim)))
    };
    let cells = |row| Cells((0..size.columns).map(|column| cell(row, column)).collect());
    (0..size.rows).map(cells).collect()
}

/// A character with two levels, one above the other; without colours with the first of them.
fn shade(levels: &MapLevels, (upper, lower): (usize, usize), style: &Style) -> ChartCell {
    if is_colored(style) {
        ('▀', Paint::Halves(levels.shade(upper), levels.shade(lower)))
    } else {
        (
            SHADES[upper.min(SHADES.len() - 1)],
            Paint::Role(Role::Plain),
        )
    }
}

/// Whether shades can be drawn as colours.
fn is_colored(style: &Style) -> bool {
    let has_colors = |theme| matches!(theme, Theme::Terminal | Theme::Dark | Theme::Light);
    style.color.is_some_and(has_colors) && !style.ascii
}

/// Are there so many dots that they would run into each other? Then they are smaller, and on the canvas.
fn are_many(chart: &Chart, places: &[ChartPlace], columns: usize) -> bool {
    chart.ground.is_none() && places.len() > MANY * columns
}

/// The lines of a chart; the ink of each is its place among the marks.
fn canvas(chart: &Chart, size: FrameSize, is_plain: bool) -> Canvas {
    let mut canvas = Canvas::new(size.columns, size.rows, is_plain);
    for (ink, mark) in chart.marks.iter().enumerate() {
        match &mark.shape {
            MarkShape::Line(look, lines) => {
                for line in lines {
                    canvas.draw(line, ink as u8, line_look(*look, mark.series, is_plain).0);
                }
            }
            MarkShape::Dots(places) if are_many(chart, places, size.columns) => {
                for place in places {
                    canvas.draw(&[*place], ink as u8, SOLID);
                }
            }
            MarkShape::Dots(_) | MarkShape::Point(..) => {}
        }
    }
    canvas
}

/// The way downhill as one of the eight steps to a character beside: to the right, and down.
fn step((right, up): (f64, f64), size: FrameSize) -> (isize, isize) {
    // A character is about twice as high as wide.
    let (across, down) = (right * size.columns as f64, -2.0 * up * size.rows as f64);
    let longer = across.abs().max(down.abs());
    // Where there is no way, as there is none by NaN, the step is none.
    (
        (across / longer).round() as isize,
        (down / longer).round() as isize,
    )
}

/// A sign, and what it stands for. What has no sign is a remark.
type LegendEntry = (Vec<ChartCell>, String);

/// Entries of a legend with so many blanks between them, as many on a line as have room.
fn in_lines(entries: Vec<LegendEntry>, gap: usize, width: usize, style: &Style, out: &mut String) {
    let mut cells = Cells::default();
    let mut used = 0;
    for (sample, label) in entries {
        let lead = sample.len() + usize::from(!sample.is_empty());
        let clean = characters::clean(&label, style.ascii);
        let label = characters::shorten_end(&clean, width.saturating_sub(lead), style.ascii);
        let wide = lead + characters::width(&label);
        if used > 0 && used + gap + wide > width {
            std::mem::take(&mut cells).write(style, out);
            used = 0;
        }
        if used > 0 {
            cells.push(&" ".repeat(gap), Role::Plain);
            used += gap;
        }
        let role = if sample.is_empty() {
            Role::Dim
        } else {
            Role::Formula
        };
        if !sample.is_empty() {
            cells.0.extend(sample);
            cells.push(" ", Role::Plain);
        }
        cells.push(&label, role);
        used += wide;
    }
    if used > 0 {
        cells.write(style, out);
    }
}

/// The frame's lower side; with the name of what goes to the right, the labels below it too.
fn foot(chart: &Chart, name: Option<&str>, size: FrameSize, style: &Style, out: &mut String) {
    let FrameSize {
        margin, columns, ..
    } = size;
    let axis = chart.window.across;
    let canvas = Canvas::new(columns, 1, style.ascii);
    let place = |part: f64| canvas.place((part, 0.0)).0;
    let row = LabelRow {
        place: &|part| place(part) as f64,
        width: &|label| label.len() as f64,
        ends: (0.0, columns as f64),
        gap: 2.0,
    };
    let (ticks, labels) = row.ticks(axis, columns / 8 + 2);
    let mut edge = vec!['─'; columns];
    let mut line = vec![' '; columns];
    for (tick, label) in ticks.iter().zip(&labels) {
        let part = axis.part(*tick);
        edge[place(part)] = '┬';
        let start = row.start(part, label) as usize;
        for (at, character) in label.chars().enumerate() {
            line[start + at] = character;
        }
    }
    let mut cells = Cells::default();
    cells.push(&" ".repeat(margin + 1), Role::Plain);
    for sign in std::iter::once('└').chain(edge) {
        cells
            .0
            .push((frame_sign(sign, style.ascii), Paint::Role(Role::Dim)));
    }
    if let Some(name) = name {
        cells.push(" ", Role::Plain);
        cells.push(name, Role::Name);
        cells.write(style, out);
        cells = Cells::default();
        cells.push(&" ".repeat(margin + 2), Role::Plain);
        cells.push(&line.into_iter().collect::<String>(), Role::Dim);
    }
    cells.write(style, out);
}

/// What the shades of a map mean.
fn key((map, levels): (&PlotMap, &MapLevels), width: usize, style: &Style, out: &mut String) {
    let band = |band: usize| {
        let label = levels.labels.get(band).or(levels.only.as_ref());
        let mut sample = vec![shade(levels, (band, band), style)];
        if is_colored(style) {
            sample.push(sample[0]);
        } else {
            sample.insert(0, ('[', Paint::Role(Role::Plain)));
            sample.push((']', Paint::Role(Role::Plain)));
        }
        (sample, label.cloned().unwrap_or_default())
    };
    let mut entries: Vec<LegendEntry> = (0..=levels.values.len()).map(band).collect();
    if map.values.iter().any(|value| value.is_nan()) {
        let sample = vec![(NOTHING, Paint::Role(Role::Dim))];
        entries.push((sample, "no number".to_string()));
    }
    in_lines(entries, 1, width, style, out);
}

impl Cells {
    fn push(&mut self, text: &str, role: Role) {
        let cell = |character| (character, Paint::Role(role));
        self.0.extend(text.chars().map(cell));
    }

    /// Ends a line: characters of one kind are painted together, blanks at the end are left out.
    fn write(mut self, style: &Style, out: &mut String) {
        let is_blank = |cell: &mut ChartCell| matches!(cell, (' ', Paint::Role(_)));
        while self.0.pop_if(is_blank).is_some() {}
        for run in self.0.chunk_by(|one, other| one.1 == other.1) {
            let text: String = run.iter().map(|(character, _)| character).collect();
            match run[0].1 {
                Paint::Role(role) => style.paint(&text, role, out),
                Paint::Halves(upper, lower) => {
                    for _ in run {
                        shades::paint_halves(upper, lower, out);
                    }
                }
                Paint::OnShade(shade) => shades::paint_on(shade, &text, out),
                Paint::Series(series) => shades::paint_mark(series, &text, out),
            }
        }
        out.push('\n');
    }
}
