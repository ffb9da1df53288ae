//! Draws a chart on the terminal: its marks as dots and signs. A character of a map shows two values, one above the other,
//! in the colours of the scale; without colours each shade has a sign.
//!
//! Every curve has a colour and also a pattern or a sign of its own. The numbers of the present point are lines of the
//! report below the picture.

use super::canvas::{Canvas, Pattern};
use super::chart::{Chart, LineLook, Mark, MarkShape};
use super::field::MapLevels;
use super::plan::{BAR, ChartPlan, PlanFrame, PlanRoom, SAMPLE};
use super::window::inside;
use crate::char_sheet::CharSheet;
use crate::shapes::Anchor;
use chainrule_report::PlotMap;
use chainrule_report::characters;
use chainrule_style::Style;
use chainrule_style::theme::{Role, Theme};

/// The narrowest and the widest drawing.
const WIDTH: (usize, usize) = (24, 100);
/// The width if none is given.
const USUAL: usize = 80;
/// The patterns of lines. Those of curves differ, so that they can be distinguished without colours.
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
/// The signs of dots.
const DOTS: [char; 6] = ['•', '◦', '▪', '▫', '▴', '▵'];
/// The signs of shades without colours.
const SHADES: [char; 12] = ['\'', '.', ':', '-', '~', '=', 'i', 'I', 'T', 'H', 'M', 'W'];
/// The arrows around a point, row by row.
const ARROWS: [[char; 3]; 3] = [['↖', '↑', '↗'], ['←', '●', '→'], ['↙', '↓', '↘']];

/// A character, its role, and the shade of a map behind it.
type ChartCell = (char, Role, Option<u8>);

const BLANK: ChartCell = (' ', Role::Plain, None);

/// Draws a chart.
pub(super) fn write(chart: &Chart, style: &Style, out: &mut String) {
    let usual = style.width.unwrap_or(USUAL).clamp(WIDTH.0, WIDTH.1);
    let (columns, rows) = match chart.size {
        Some(size) => {
            let most = style.width.map_or(usize::MAX, |width| width.max(WIDTH.0));
            let columns = (size.width as usize).clamp(WIDTH.0, most);
            (columns, size.height as usize)
        }
        None => (usual, 8 + usual / 10),
    };
    let plan = ChartPlan::of(
        chart,
        &PlanRoom {
            columns,
            rows,
            rows_below: rows / 2,
            in_file: false,
        },
    );
    let mut sheet = CharSheet::new(0, plan.rows, false);
    for text in &plan.texts {
        let wide = characters::width(&text.text);
        let before = match text.anchor {
            Anchor::Start => 0,
            Anchor::Middle => wide / 2,
            Anchor::End => wide,
        };
        let column = (text.at.0 as usize).saturating_sub(before);
        sheet.text((column, text.at.1 as usize), &text.text, text.role);
    }
    for ((column, row), mark) in &plan.samples {
        let role = Role::Curve(mark.series);
        let place = (*column as usize, *row as usize);
        sheet.text(place, &sample(mark), role);
    }
    for (at, frame) in plan.frames.iter().enumerate() {
        let levels = plan.levels.as_ref().filter(|_| at == 0);
        draw_frame(&mut sheet, frame, levels, style);
    }
    sheet.write(style.color, out);
}

/// The sample of a mark for the legend.
fn sample(mark: &Mark) -> String {
    let look = match mark.shape {
        MarkShape::Line(look, _) => look,
        MarkShape::Dots(_) => return dot_of(mark.series).to_string(),
        MarkShape::Point(..) => return ARROWS[1][1..].iter().collect(),
    };
    let mut canvas = Canvas::new(SAMPLE, 1);
    let (pattern, _) = pattern_and_role(look, mark.series);
    canvas.draw(&[(0.0, 0.4), (1.0, 0.4)], 0, pattern);
    let cells = (0..SAMPLE).map(|column| canvas.cell(column, 0));
    let cells = cells.map(|cell| cell.map_or(' ', |(dots, _)| dots));
    cells.collect()
}

/// The sign of a dot of a series.
fn dot_of(series: u8) -> char {
    DOTS[usize::from(series) % DOTS.len()]
}

/// The pattern and the colour of a line of a series.
fn pattern_and_role(look: LineLook, series: u8) -> (Pattern, Role) {
    match look {
        LineLook::Curve(before) => (PATTERNS[before % PATTERNS.len()], Role::Curve(series)),
        LineLook::ErrorBar | LineLook::Bars => (SOLID, Role::Curve(series)),
        LineLook::Thin | LineLook::Band => (THIN, Role::Dim),
        LineLook::Boundary => (SOLID, Role::Plain),
        LineLook::Path => (PATH, Role::Plain),
    }
}

/// The characters of a frame.
fn grid(frame: &PlanFrame, levels: Option<&MapLevels>, style: &Style) -> Vec<Vec<ChartCell>> {
    let chart = frame.chart;
    // A character shows either a band or a line, so both have a canvas, and a line covers a band.
    let [bands, canvas] = [true, false].map(|is_band| canvas(frame, is_band));
    let mut grid = match chart.map.zip(levels) {
        Some(ground) => write_shaded(ground, frame, style),
        None => with_axes(frame, &canvas),
    };
    let mut put = |(column, row): (usize, usize), sign: char, role: Role| {
        let row = grid.get_mut(row);
        if let Some(cell) = row.and_then(|row: &mut Vec<ChartCell>| row.get_mut(column)) {
            *cell = (sign, role, cell.2);
        }
    };
    for row in 0..frame.rows {
        for column in 0..frame.columns {
            let cell = canvas.cell(column, row);
            if let Some((dots, ink)) = cell.or_else(|| bands.cell(column, row))
                && let mark = &chart.marks[usize::from(ink)]
                && let MarkShape::Line(look, _) = mark.shape
            {
                put((column, row), dots, pattern_and_role(look, mark.series).1);
            }
        }
    }
    for mark in &chart.marks {
        let role = Role::Curve(mark.series);
        match &mark.shape {
            MarkShape::Dots(places) => {
                for place in places.iter().filter(|place| inside(**place)) {
                    put(canvas.place(*place), dot_of(mark.series), role);
                }
            }
            MarkShape::Point(place, downhill) => {
                let at = canvas.place(*place);
                let (dx, dy) = downhill.map_or((0, 0), |downhill| step(downhill, frame));
                let beside = at.0.checked_add_signed(dx).zip(at.1.checked_add_signed(dy));
                if let Some(beside) = beside {
                    let arrow = ARROWS[(dy + 1) as usize][(dx + 1) as usize];
                    put(beside, arrow, Role::Plain);
                }
                put(at, ARROWS[1][1], downhill.map_or(role, |_| Role::Plain));
            }
            MarkShape::Line(..) => {}
        }
    }
    grid
}

/// An empty frame, with lines where the axes are.
fn with_axes(frame: &PlanFrame, canvas: &Canvas) -> Vec<Vec<ChartCell>> {
    let window = &frame.chart.window;
    let level = window.up.zero().map(|up| canvas.place((0.0, up)).1);
    let side = window.across.zero();
    let side = side.map(|right| canvas.place((right, 0.0)).0);
    let cell = |row, column| {
        let sign = match (level == Some(row), side == Some(column)) {
            (true, true) => '┼',
            (true, false) => '─',
            (false, true) => '│',
            (false, false) => return BLANK,
        };
        (sign, Role::Dim, None)
    };
    cells(frame, cell)
}

fn cells(frame: &PlanFrame, cell: impl Fn(usize, usize) -> ChartCell) -> Vec<Vec<ChartCell>> {
    let row = |row| (0..frame.columns).map(|column| cell(row, column)).collect();
    (0..frame.rows).map(row).collect()
}

/// The shades of a map.
fn write_shaded(
    (map, levels): (&PlotMap, &MapLevels),
    frame: &PlanFrame,
    style: &Style,
) -> Vec<Vec<ChartCell>> {
    let nearest = |part: f64, count: usize| (part * (count.max(1) - 1) as f64).round() as usize;
    cells(frame, |row, column| {
        let right = (column as f64 + 0.5) / frame.columns as f64;
        let column = nearest(right, map.columns.len());
        let band = |down: f64| {
            let up = 1.0 - (row as f64 + down) / frame.rows as f64;
            levels.band(map.value(column, nearest(up, map.rows.len())))
        };
        shade(levels, band, style)
    })
}

/// A character with two shades, one above the other, or without colours the sign for the shade in its middle. `band` gives
/// the number of levels that are reached at a part of its height; where there is no value the character is blank.
fn shade(levels: &MapLevels, band: impl Fn(f64) -> Option<usize>, style: &Style) -> ChartCell {
    if !is_colored(style) {
        let sign = |band: usize| SHADES[band.min(SHADES.len() - 1)];
        return band(0.5).map_or(BLANK, |band| (sign(band), Role::Plain, None));
    }
    let both = band(0.25).zip(band(0.75));
    both.map_or(BLANK, |(upper, lower)| {
        let upper = Role::Shade(levels.shade(upper));
        ('▀', upper, Some(levels.shade(lower)))
    })
}

/// Whether shades can be drawn as colours.
fn is_colored(style: &Style) -> bool {
    let has_colors = |theme| matches!(theme, Theme::Terminal | Theme::Dark | Theme::Light);
    style.color.is_some_and(has_colors)
}

/// The lines of a chart, or those of its bands; the ink of each is its place among the marks.
fn canvas(frame: &PlanFrame, is_band: bool) -> Canvas {
    let mut canvas = Canvas::new(frame.columns, frame.rows);
    for (ink, mark) in frame.chart.marks.iter().enumerate() {
        if let MarkShape::Line(look, lines) = &mark.shape
            && is_band == (*look == LineLook::Band)
        {
            let (pattern, _) = pattern_and_role(*look, mark.series);
            for line in lines {
                canvas.draw(line, ink as u8, pattern);
            }
        }
    }
    canvas
}

/// The direction downhill as one of the eight steps to a neighbouring character: to the right, and down.
fn step((right, up): (f64, f64), frame: &PlanFrame) -> (isize, isize) {
    // A character is about twice as high as wide.
    let (across, down) = (right * frame.columns as f64, -2.0 * up * frame.rows as f64);
    let longer = across.abs().max(down.abs());
    // Without a direction both quotients are NaN, and `as` makes the step 0.
    (
        (across / longer).round() as isize,
        (down / longer).round() as isize,
    )
}

/// Draws a frame with its characters and the bar of its shades. Neighbours of one kind are painted together.
fn draw_frame(
    sheet: &mut CharSheet,
    frame: &PlanFrame,
    levels: Option<&(MapLevels, usize)>,
    style: &Style,
) {
    let grid = grid(frame, levels.map(|(levels, _)| levels), style);
    let place = Canvas::new(frame.columns, frame.rows);
    let up = frame.up.iter().map(|up| place.place((0.0, *up)).1);
    let up: Vec<usize> = up.collect();
    let across = frame.across.iter();
    let across: Vec<usize> = across.map(|right| place.place((*right, 0.0)).0).collect();
    for (row, cells) in grid.into_iter().enumerate() {
        let side = if up.contains(&row) { "┤" } else { "│" };
        sheet.text((frame.left - 1, frame.top + row), side, Role::Dim);
        draw_cells(sheet, (frame.left, frame.top + row), &cells);
    }
    let tick = |column| {
        if across.contains(&column) {
            '┬'
        } else {
            '─'
        }
    };
    let side = std::iter::once('└').chain((0..frame.columns).map(tick));
    let side: String = side.collect();
    sheet.text((frame.left - 1, frame.top + frame.rows), &side, Role::Dim);
    let Some((levels, column)) = levels else {
        return;
    };
    // The bar that explains the shades is as high as the frame.
    for row in 0..frame.rows {
        let band = |down: f64| {
            let up = 1.0 - (row as f64 + down) / frame.rows as f64;
            Some((up * levels.bands() as f64) as usize)
        };
        let cell = shade(levels, band, style);
        draw_cells(sheet, (*column, frame.top + row), &[cell; BAR]);
    }
}

fn draw_cells(sheet: &mut CharSheet, (mut column, row): (usize, usize), cells: &[ChartCell]) {
    for run in cells.chunk_by(|one, other| (one.1, one.2) == (other.1, other.2)) {
        let text: String = run.iter().map(|(character, ..)| character).collect();
        sheet.text_on((column, row), &text, run[0].1, run[0].2);
        column += run.len();
    }
}
