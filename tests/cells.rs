//! The lecture's cells, in our own words: each is run, or told why not.
//!
//! The program runs all cells of `tests/cells/lecture.txt` in one session. `UPDATE=1 cargo test cells::` records its answers
//! there; read the difference before you commit it. The numbers of the lecture are also those of `tests/posts.rs`.

use std::fmt::Write as _;
use std::fs;

use crate::common::process::{Folder, program};
use crate::common::project::{at, hold};

struct Cell {
    title: String,
    code: String,
}

fn cells(text: &str) -> Vec<Cell> {
    let cells = text.split("== ").filter(|cell| !cell.is_empty());
    let cut = |cell: &str| {
        let (title, rest) = cell.split_once('\n').expect("a cell has a title");
        let (code, _) = rest.split_once("-- answers\n").expect("a cell has answers");
        Cell {
            title: title.to_string(),
            code: code.to_string(),
        }
    };
    cells.map(cut).collect()
}

/// Runs all cells one after the other, and returns the answers to each.
fn run(cells: &[Cell]) -> Vec<String> {
    let folder = Folder::new();
    let mut script = String::new();
    for cell in cells {
        let _ = writeln!(script, "{}print('next cell')", cell.code);
    }
    let shown = folder.file("shown", "");
    let input = folder.file("cells", script);
    let out = fs::File::create(&shown).expect("the answers can be written");
    let mut command = program(&["--keep-going"]);
    command
        .stdin(fs::File::open(&input).expect("the cells are there"))
        .stderr(out.try_clone().expect("a file has two handles"))
        .stdout(out);
    command.status().expect("the program runs");
    let shown = fs::read_to_string(&shown).expect("answers are text");
    let answers = shown.split("next cell\n");
    let mut answers: Vec<String> = answers.map(|it| it.trim_end().to_string()).collect();
    assert_eq!(answers.pop().as_deref(), Some(""));
    answers
}

#[test]
fn every_cell_runs_or_is_told_why_not() {
    let path = "tests/cells/lecture.txt";
    let cells = cells(&fs::read_to_string(at(path)).expect("the cells are there"));
    let answers = run(&cells);
    assert_eq!(answers.len(), cells.len());
    let mut text = String::new();
    for (Cell { title, code }, answers) in cells.iter().zip(&answers) {
        let _ = write!(text, "== {title}\n{code}-- answers\n{answers}\n\n");
    }
    hold(path, &(text.trim_end().to_string() + "\n"));
}
