//! The picture of the prompt in the README: a session in a terminal, drawn cell by cell as SVG, for light and dark pages.
//!
//! `UPDATE=1 cargo test prompt_picture::` draws it anew.
#![cfg(unix)]

use std::fmt::Write as _;

use crate::common::process::Folder;
use crate::common::project::hold;
use crate::common::terminal::{Shown, Size, Terminal};

const SIZE: Size = Size {
    columns: 58,
    rows: 20,
};

/// The last line is not entered: the prompt shows its result below it already.
const LINES: [&str; 4] = ["a, b = 2, -3", "L = (a*b + 10)^2", ":grad L", ":set a 3"];
const TYPED: &str = "grad(L, b)/2";

/// The width and the height of a cell, and the width of the edge around all cells.
const CELL: Cell = Cell {
    width: 8.4,
    height: 19.0,
    edge: 14.0,
};

struct Cell {
    width: f64,
    height: f64,
    edge: f64,
}

/// Neighbouring cells of one row with the same look.
struct Run {
    column: u16,
    text: String,
    colour: Option<String>,
    is_bold: bool,
}

#[test]
fn the_readme_shows_the_prompt() {
    for (theme, ground, ink) in [
        ("light", "#ffffff", "#1f2328"),
        ("dark", "#0d1117", "#e6edf3"),
    ] {
        let runs = runs_on_screen(theme);
        let path = format!("docs/pictures/prompt-{theme}.svg");
        hold(&path, &picture(&runs, ground, ink));
    }
}

/// The rows of the screen after the session.
fn runs_on_screen(theme: &str) -> Vec<Vec<Run>> {
    let folder = Folder::new();
    let begin = format!("chainrule --no-history -i -e ':config theme {theme};'");
    let terminal = Terminal::start(&folder, &begin, SIZE);
    for line in LINES {
        terminal.see("prompt", |text| text.ends_with("∂>"));
        terminal.press(&format!("{line}\r"));
        terminal.see(line, |text| text.contains(line));
    }
    terminal.see("prompt", |text| text.ends_with("∂>"));
    terminal.press(TYPED);
    terminal.see("result", |text| text.ends_with("= 3"));
    let shown = terminal.screen();
    let rows = 0..shown.rows().len() as u16;
    let found = rows.map(|row| runs_of(&shown, row)).collect();
    drop(shown);
    terminal.press("\u{3}\u{4}");
    found
}

/// The cells of a row; neighbours with the same look are one piece, and blanks have no look.
fn runs_of(shown: &Shown, row: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..SIZE.columns {
        let Some(cell) = shown.screen().cell(row, column) else {
            continue;
        };
        let text = cell.contents();
        let colour = match cell.fgcolor() {
            vt100::Color::Default => None,
            vt100::Color::Idx(index) => Some(colour_of(index)),
            vt100::Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        };
        let is_bold = cell.bold();
        match runs.last_mut() {
            _ if text.trim().is_empty() => runs.push(Run {
                column: column + 1,
                text: String::new(),
                colour: None,
                is_bold: false,
            }),
            Some(run) if !run.text.is_empty() && run.colour == colour && run.is_bold == is_bold => {
                run.text += text;
            }
            _ => runs.push(Run {
                column,
                text: text.to_owned(),
                colour,
                is_bold,
            }),
        }
    }
    runs.retain(|run| !run.text.is_empty());
    runs
}

/// A colour of the cube of 216 or of the greys of a terminal.
fn colour_of(index: u8) -> String {
    let level = |part: u8| if part == 0 { 0 } else { 55 + 40 * part };
    let [red, green, blue] = match index {
        232.. => [8 + 10 * (index - 232); 3],
        16.. => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(level),
        _ => panic!("the themes have no colour whose look depends on the terminal: {index}"),
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn picture(rows: &[Vec<Run>], ground: &str, ink: &str) -> String {
    let width = f64::from(SIZE.columns) * CELL.width + 2.0 * CELL.edge;
    let height = rows.len() as f64 * CELL.height + 2.0 * CELL.edge;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"The prompt\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{ground}\" stroke=\"{ink}\" stroke-opacity=\"0.2\"/>\n\
         <g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"14\" fill=\"{ink}\" xml:space=\"preserve\">\n"
    );
    for (row, runs) in rows.iter().enumerate() {
        let y = CELL.edge + (row as f64 + 0.75) * CELL.height;
        for run in runs {
            let x = CELL.edge + f64::from(run.column) * CELL.width;
            let length = run.text.chars().count() as f64 * CELL.width;
            let colour = run.colour.as_ref();
            let fill = colour.map_or(String::new(), |colour| format!(" fill=\"{colour}\""));
            let weight = if run.is_bold {
                " font-weight=\"bold\""
            } else {
                ""
            };
            let text = run.text.replace('&', "&amp;").replace('<', "&lt;");
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\"{fill}{weight}>{text}</text>"
            );
        }
    }
    svg + "</g>\n</svg>\n"
}
