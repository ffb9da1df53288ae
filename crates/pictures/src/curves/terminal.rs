//! Draws a chart on the terminal. Lines are braille dots, the points of a series are signs, and the areas of a map are
//! shaded: a character has two shades, one above the other, or one sign without colours.
//!
//! Every curve has its own colour, and also its own pattern or sign. The numbers of the present point are not drawn: the
//! report has them in lines below the picture.

use super::canvas::{Canvas, Pattern};
use super::chart::{Chart, DASHES, LineLook, Mark, MarkShape};
use super::field::MapLevels;
use super::plan::{ChartPlan, PlanFrame, SAMPLE};
use super::room::{BAR, PlanRoom};
use super::window::inside;
use crate::char_sheet::CharSheet;
use crate::shapes::Anchor;
use chainrule_report::{PlotMap, characters};
use chainrule_style::Style;
use chainrule_style::theme::{Role, Theme};

/// The fewest columns of a drawing: the numbers of the axis and a few dots beside them.
const MIN_COLUMNS: usize = 24;
/// The most columns of a drawing whose size was not typed. A wider one would be flat, because its height is limited.
const MAX_COLUMNS: usize = 100;
/// The columns of a drawing if the terminal has no width.
const DEFAULT_COLUMNS: usize = 80;
const SOLID: Pattern = "-";
/// The patterns of curves, which tell them apart without colours.
const PATTERNS: [Pattern; DASHES] = [
    SOLID,
    "-----   ",
    "--  ",
    "--------   --   ",
    "-  ",
    "------------     ",
];
const THIN: Pattern = "-  ";
const PATH: Pattern = "---- ";
/// The signs of dots, series by series. The small letters are those of curves.
const DOTS: [char; 24] = [
    '•', '◦', '▪', '▫', '▴', '▵', '◆', '◇', '▾', '▿', '×', '+', 'A', 'B', 'C', 'D', 'E', 'F', 'G',
    'H', 'I', 'J', 'K', 'L',
];
/// The signs of shades without colours.
const SHADES: [char; 12] = ['\'', '.', ':', '-', '~', '=', 'i', 'I', 'T', 'H', 'M', 'W'];
/// The arrows around a point, row by row.
const ARROWS: [[char; 3]; 3] = [['↖', '↑', '↗'], ['←', '●', '→'], ['↙', '↓', '↘']];

/// A character of a chart.
#[derive(Clone, Copy)]
struct ChartCell {
    sign: char,
    role: Role,
    /// The shade of a map behind it.
    shade: Option<u8>,
}

const BLANK: ChartCell = ChartCell {
    sign: ' ',
    role: Role::Plain,
    shade: None,
};

/// The columns and rows of a chart: as they were typed, or as wide as the terminal.
fn size(chart: &Chart, style: &Style) -> (usize, usize) {
    if let Some(typed) = chart.size {
        let most = style.columns().max(MIN_COLUMNS);
        let columns = (typed.width as usize).clamp(MIN_COLUMNS, most);
        return (columns, typed.height as usize);
    }
    let width = style.width.unwrap_or(DEFAULT_COLUMNS);
    let columns = width.clamp(MIN_COLUMNS, MAX_COLUMNS);
    (columns, 8 + columns / 10)
}

/// Draws a chart.
pub(crate) fn write(chart: &Chart, style: &Style, out: &mut String) {
    let (columns, rows) = size(chart, style);
    let room = PlanRoom {
        columns: columns as f64,
        rows: rows as f64,
        rows_below: (rows / 2) as f64,
        is_file: false,
    };
    let plan = ChartPlan::of(chart, &room);
    let mut sheet = CharSheet::new(0, plan.rows as usize, false);
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
        let place = (*column as usize, *row as usize);
        sheet.text(place, &sample(mark), Role::Curve(mark.series));
    }
    for (at, frame) in plan.frames.iter().enumerate() {
        let levels = plan.levels.as_ref().filter(|_| at == 0);
        let grid = frame_grid(frame, levels, style);
        for (row, cells) in grid.into_iter().enumerate() {
            draw_cells(
                &mut sheet,
                (frame.left as usize, frame.top as usize + row),
                &cells,
            );
        }
        draw_sides(&mut sheet, frame);
        if let Some(levels) = levels {
            draw_shade_bar(&mut sheet, frame, levels, style);
        }
    }
    sheet.write(style.theme, out);
}

/// The sample of a mark for the legend.
fn sample(mark: &Mark) -> String {
    let look = match mark.shape {
        MarkShape::Line(look, _) => look,
        MarkShape::Dots(_) => return dot_of(mark).to_string(),
        MarkShape::Point(..) => return ARROWS[1][1..].iter().collect(),
    };
    let mut canvas = Canvas::new(SAMPLE as usize, 1);
    let (pattern, _) = pattern_and_role(look, mark.series);
    canvas.draw(&[(0.0, 0.4), (1.0, 0.4)], 0, pattern);
    let columns = SAMPLE as usize;
    let sign = |column: usize| match (canvas.cell(column, 0), mark.letter()) {
        (_, Some(letter)) if column == columns / 2 => letter,
        (cell, _) => cell.map_or(' ', |(dots, _)| dots),
    };
    (0..columns).map(sign).collect()
}

/// The sign of the dots of a mark.
fn dot_of(mark: &Mark) -> char {
    DOTS[usize::from(mark.series) % DOTS.len()]
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

/// The characters of a frame, row by row.
type Grid = Vec<Vec<ChartCell>>;

/// The characters of a frame, with the axes or the map, the lines and the signs.
fn frame_grid(frame: &PlanFrame, levels: Option<&MapLevels>, style: &Style) -> Grid {
    let chart = frame.chart;
    // A character shows either the edge of a band or a line. Each has its own canvas, so that a line covers a band.
    let bands = line_canvas(frame, |look| look == LineLook::Band);
    let lines = line_canvas(frame, |look| look != LineLook::Band);
    let mut grid = match chart.map.zip(levels) {
        Some((map, levels)) => shaded_grid(map, levels, frame, style),
        None => axes_grid(frame, &lines),
    };
    for row in 0..frame.rows as usize {
        for column in 0..frame.columns as usize {
            let line = lines.cell(column, row);
            let Some((dots, ink)) = line.or_else(|| bands.cell(column, row)) else {
                continue;
            };
            let mark = &chart.marks[ink];
            if let MarkShape::Line(look, _) = mark.shape {
                let (_, role) = pattern_and_role(look, mark.series);
                put(&mut grid, (column, row), dots, role);
            }
        }
    }
    for mark in &chart.marks {
        put_signs(&mut grid, mark, &lines, frame);
    }
    grid
}

/// Puts the signs of a mark of dots or of a point, with an arrow that leads downhill.
fn put_signs(grid: &mut Grid, mark: &Mark, canvas: &Canvas, frame: &PlanFrame) {
    let role = Role::Curve(mark.series);
    match &mark.shape {
        MarkShape::Dots(places) => {
            for place in places.iter().filter(|place| inside(**place)) {
                put(grid, canvas.place(*place), dot_of(mark), role);
            }
        }
        MarkShape::Point(place, None) => put(grid, canvas.place(*place), ARROWS[1][1], role),
        MarkShape::Point(place, Some(downhill)) => {
            let (column, row) = canvas.place(*place);
            let (dx, dy) = step(*downhill, frame);
            // A place before the first column or row wraps, and nothing is put there.
            let beside = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
            let arrow = ARROWS[(dy + 1) as usize][(dx + 1) as usize];
            put(grid, beside, arrow, Role::Plain);
            put(grid, (column, row), ARROWS[1][1], Role::Plain);
        }
        MarkShape::Line(..) => {
            let Some(letter) = mark.letter() else { return };
            for place in mark.places_of_letter() {
                put(grid, canvas.place(place), letter, role);
            }
        }
    }
}

/// Puts a character at a column and a row, on the shade that is there.
fn put(grid: &mut Grid, (column, row): (usize, usize), sign: char, role: Role) {
    if let Some(cell) = grid.get_mut(row).and_then(|row| row.get_mut(column)) {
        (cell.sign, cell.role) = (sign, role);
    }
}

/// An empty frame, with lines where the axes are.
fn axes_grid(frame: &PlanFrame, canvas: &Canvas) -> Grid {
    let window = &frame.chart.window;
    let axis_row = window.up.zero().map(|up| canvas.place((0.0, up)).1);
    let axis_column = (window.across.zero()).map(|right| canvas.place((right, 0.0)).0);
    let line = |sign| ChartCell {
        sign,
        role: Role::Dim,
        ..BLANK
    };
    let cell = |row, column| match (axis_row == Some(row), axis_column == Some(column)) {
        (true, true) => line('┼'),
        (true, false) => line('─'),
        (false, true) => line('│'),
        (false, false) => BLANK,
    };
    cells(frame, cell)
}

/// A grid of the cells that a function makes of a row and a column.
fn cells(frame: &PlanFrame, cell: impl Fn(usize, usize) -> ChartCell) -> Grid {
    let row = |row| {
        (0..frame.columns as usize)
            .map(|column| cell(row, column))
            .collect()
    };
    (0..frame.rows as usize).map(row).collect()
}

/// The shades of a map.
fn shaded_grid(map: &PlotMap, levels: &MapLevels, frame: &PlanFrame, style: &Style) -> Grid {
    let nearest = |part: f64, count: usize| (part * (count.max(1) - 1) as f64).round() as usize;
    let levels_reached = |row: usize, column: usize, down: f64| {
        let right = (column as f64 + 0.5) / frame.columns;
        let up = 1.0 - (row as f64 + down) / frame.rows;
        let map_column = nearest(right, map.columns.len());
        levels.count_reached(map.value(map_column, nearest(up, map.rows.len())))
    };
    cells(frame, |row, column| {
        shaded_cell(levels, |down| levels_reached(row, column, down), style)
    })
}

/// A character with two shades, one above the other, or without colours the sign for the shade in its middle.
/// `levels_reached` returns the number of levels that the map reaches at a fraction of the character's height, counted from
/// above, or `None` if the map has no value there. The character is blank then.
fn shaded_cell(
    levels: &MapLevels,
    levels_reached: impl Fn(f64) -> Option<usize>,
    style: &Style,
) -> ChartCell {
    let has_colors = |theme| matches!(theme, Theme::Terminal | Theme::Dark | Theme::Light);
    if !style.theme.is_some_and(has_colors) {
        return levels_reached(0.5).map_or(BLANK, |count| ChartCell {
            sign: SHADES[count.min(SHADES.len() - 1)],
            ..BLANK
        });
    }
    let both = levels_reached(0.25).zip(levels_reached(0.75));
    both.map_or(BLANK, |(upper, lower)| ChartCell {
        sign: '▀',
        role: Role::Shade(levels.shade(upper)),
        shade: Some(levels.shade(lower)),
    })
}

/// A canvas with the lines that have one of these looks. The ink of a line is the index of its mark.
fn line_canvas(frame: &PlanFrame, has_look: impl Fn(LineLook) -> bool) -> Canvas {
    let mut canvas = Canvas::new(frame.columns as usize, frame.rows as usize);
    for (ink, mark) in frame.chart.marks.iter().enumerate() {
        if let MarkShape::Line(look, lines) = &mark.shape
            && has_look(*look)
        {
            let (pattern, _) = pattern_and_role(*look, mark.series);
            for line in lines {
                canvas.draw(line, ink, pattern);
            }
        }
    }
    canvas
}

/// The direction downhill as one of the eight steps to a neighbouring character: to the right, and down.
fn step((right, up): (f64, f64), frame: &PlanFrame) -> (isize, isize) {
    // A character is about twice as high as wide.
    let (across, down) = (right * frame.columns, -2.0 * up * frame.rows);
    let longer = across.abs().max(down.abs());
    // Without a direction both quotients are NaN, and `as` makes the step 0.
    (
        (across / longer).round() as isize,
        (down / longer).round() as isize,
    )
}

/// Draws the left and the lower side of a frame, with their ticks.
fn draw_sides(sheet: &mut CharSheet, frame: &PlanFrame) {
    let canvas = Canvas::new(frame.columns as usize, frame.rows as usize);
    for row in 0..frame.rows as usize {
        let has_tick = (frame.up.iter()).any(|up| canvas.place((0.0, *up)).1 == row);
        let side = if has_tick { "┤" } else { "│" };
        sheet.text(
            (frame.left as usize - 1, frame.top as usize + row),
            side,
            Role::Dim,
        );
    }
    let mut lower_side = String::from("└");
    for column in 0..frame.columns as usize {
        let mut ticks = frame.across.iter();
        let has_tick = ticks.any(|right| canvas.place((*right, 0.0)).0 == column);
        lower_side.push(if has_tick { '┬' } else { '─' });
    }
    let corner = (frame.left as usize - 1, (frame.top + frame.rows) as usize);
    sheet.text(corner, &lower_side, Role::Dim);
}

/// Draws the bar that explains the shades, beside the frame and with the same height.
fn draw_shade_bar(sheet: &mut CharSheet, frame: &PlanFrame, levels: &MapLevels, style: &Style) {
    for row in 0..frame.rows as usize {
        let levels_reached = |down: f64| {
            let up = 1.0 - (row as f64 + down) / frame.rows;
            Some((up * levels.shade_count() as f64) as usize)
        };
        let cell = shaded_cell(levels, levels_reached, style);
        draw_cells(
            sheet,
            (frame.bar() as usize, frame.top as usize + row),
            &[cell; BAR as usize],
        );
    }
}

/// Draws a row of characters. Neighbours with the same colours are painted together.
fn draw_cells(sheet: &mut CharSheet, (mut column, row): (usize, usize), cells: &[ChartCell]) {
    let look = |cell: &ChartCell| (cell.role, cell.shade);
    for run in cells.chunk_by(|one, other| look(one) == look(other)) {
        let text: String = run.iter().map(|cell| cell.sign).collect();
        sheet.text_on((column, row), &text, run[0].role, run[0].shade);
        column += run.len();
    }
}
