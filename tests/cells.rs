//! The lecture's cells, in our own words: each is run, or told why not.
//!
//! The program runs all cells of a file of `tests/cells` in one session: those of the lecture's first half, those of its
//! second half with its networks, and those of micrograd's demo. `UPDATE=1 cargo test cells::` records its answers there;
//! read the difference before you commit it. The numbers of the lecture are also those of `tests/posts.rs`.

use std::fmt::Write as _;
use std::fs;

use crate::common::process::{Folder, program};
use crate::common::project::{at, hold};

struct Cell {
    title: String,
    code: String,
}

fn cells(text: &str) -> Vec<Cell> {
    let cells = text
        .strip_prefix("== ")
        .expect("a cell has a title")
        .split("\n== ");
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
fn every_cell_of_the_lecture_runs_or_is_told_why_not() {
    record("tests/cells/lecture.txt");
    record("tests/cells/networks.txt");
}

#[test]
fn every_cell_of_the_demo_runs_or_is_told_why_not() {
    record("tests/cells/demo.txt");
}

fn record(path: &str) {
    let cells = cells(&fs::read_to_string(at(path)).expect("the cells are there"));
    let answers = run(&cells);
    assert_eq!(answers.len(), cells.len());
    let mut text = String::new();
    for (Cell { title, code }, answers) in cells.iter().zip(&answers) {
        let _ = write!(text, "== {title}\n{code}-- answers\n{answers}\n\n");
    }
    hold(path, &(text.trim_end().to_string() + "\n"));
}

/// The losses that Python prints for the loop of `networks.txt`, with the classes of the lecture and micrograd's `Value`.
const LOSSES: [f64; 20] = [
    6.019603596761848,
    3.418427082944909,
    1.605189625715392,
    0.5003385823897298,
    0.2263580614960543,
    0.1442350929651535,
    0.10631057038746346,
    0.08475156135303076,
    0.07036949102017553,
    0.060086026642614705,
    0.052368156254496555,
    0.04636412893885412,
    0.04156207635597667,
    0.0376355804657557,
    0.03436656139961278,
    0.031603738679194755,
    0.029238863724088564,
    0.02719243446453485,
    0.025404749821331236,
    0.023830110160080513,
];

#[test]
fn a_network_learns_as_in_python() {
    let cells = cells(&fs::read_to_string(at("tests/cells/networks.txt")).expect("the cells"));
    let end = cells.iter().position(|cell| cell.title == "the loop");
    let code = cells[..=end.expect("there is a loop")]
        .iter()
        .map(|cell| cell.code.as_str());
    let folder = Folder::new();
    let script = folder.file("network.py", code.collect::<String>());
    let out = program(&["--json"])
        .arg(script)
        .output()
        .expect("the program runs");
    let text = String::from_utf8(out.stdout).expect("answers are text");
    let printed = text
        .lines()
        .filter(|line| line.starts_with("{\"kind\":\"print\""));
    let losses = printed.map(|line| {
        let (_, items) = line.split_once("\"items\":[").expect("print has items");
        let (items, _) = items.split_once(']').expect("a list ends");
        let (_, loss) = items.split_once(',').expect("k and the loss");
        loss.parse().expect("a number")
    });
    let losses: Vec<f64> = losses.collect();
    assert_eq!(losses.len(), LOSSES.len());
    for (ours, theirs) in losses.iter().zip(LOSSES) {
        assert!((ours - theirs).abs() <= 1e-12 * theirs, "{ours} {theirs}");
    }
}
