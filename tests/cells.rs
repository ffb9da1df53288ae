//! The lecture's cells, in our own words: each runs, or is refused with a reason.
//!
//! The program runs all cells of a file of `tests/cells` in one session: those of the lecture's first half, those of its
//! second half with its networks, and those of micrograd's demo. `UPDATE=1 cargo test cells::` records its answers there;
//! read the difference before you commit it. The numbers of the lecture are also those of `tests/posts.rs`.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::common::number;
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
    record("tests/cells/readme.txt");
    record("tests/cells/exercise.txt");
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
    6.019_603_596_761_848,
    3.418_427_082_944_909,
    1.605_189_625_715_392,
    0.500_338_582_389_729_8,
    0.226_358_061_496_054_3,
    0.144_235_092_965_153_5,
    0.106_310_570_387_463_46,
    0.084_751_561_353_030_76,
    0.070_369_491_020_175_53,
    0.060_086_026_642_614_705,
    0.052_368_156_254_496_555,
    0.046_364_128_938_854_12,
    0.041_562_076_355_976_67,
    0.037_635_580_465_755_7,
    0.034_366_561_399_612_78,
    0.031_603_738_679_194_755,
    0.029_238_863_724_088_564,
    0.027_192_434_464_534_85,
    0.025_404_749_821_331_236,
    0.023_830_110_160_080_513,
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
    let mut answers = text.lines();
    let answer = answers.rfind(|line| line.contains("\"printed\":[["));
    let answer = answer.expect("the loop answers");
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    let printed = answer["printed"].as_array().expect("it prints").iter();
    let losses: Vec<f64> = printed.map(|line| number(&line[1])).collect();
    assert_eq!(losses.len(), LOSSES.len());
    for (ours, theirs) in losses.iter().zip(LOSSES) {
        assert!((ours - theirs).abs() <= 1e-12 * theirs, "{ours} {theirs}");
    }
}
