//! The lecture's cells, in our own words: each is run, or told why not.
//!
//! The program runs all cells of `tests/cells/lecture.txt` in one session. `UPDATE=1 cargo test cells::` records its answers
//! there; read the difference before you commit it. What must come out is written here.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::process::{Folder, feed, program};

/// A cell, and what the program answers.
struct Cell {
    title: String,
    code: String,
    answers: String,
}

fn cells(text: &str) -> Vec<Cell> {
    let cells = text.split("== ").filter(|cell| !cell.is_empty());
    let cut = |cell: &str| {
        let (title, rest) = cell.split_once('\n').expect("a cell has a title");
        let (code, answers) = rest.split_once("-- answers\n").expect("a cell has answers");
        Cell {
            title: title.to_string(),
            code: code.to_string(),
            answers: answers.trim_end_matches('\n').to_string(),
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
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cells/lecture.txt");
    let cells = cells(&fs::read_to_string(&path).expect("the cells are there"));
    let answers = run(&cells);
    assert_eq!(answers.len(), cells.len());
    if std::env::var_os("UPDATE").is_some() {
        let mut text = String::new();
        for (Cell { title, code, .. }, answers) in cells.iter().zip(&answers) {
            let _ = write!(text, "== {title}\n{code}-- answers\n{answers}\n\n");
        }
        fs::write(&path, text.trim_end().to_string() + "\n").expect("the record can be written");
        return;
    }
    for (cell, answers) in cells.iter().zip(&answers) {
        assert_eq!(cell.answers, *answers, "{}", cell.title);
    }
}

/// Lines that the answers to a cell must have: the numbers of the lecture.
const NUMBERS: &[(&str, &[&str])] = &[
    ("a function and its values", &["20", "40"]),
    ("a slope by a small step", &["14.003"]),
    (
        "slopes by several inputs",
        &["before 4", "after 4.0001", "slope 0.999999999998"],
    ),
    ("an expression of values", &["-8"]),
    (
        "the pass by hand",
        &[
            "right: dL/dL = 1",
            "right: dL/dd = -2",
            "right: dL/df = 4",
            "right: dL/dc = -2",
            "right: dL/de = -2",
            "right: dL/da = 6",
            "dL/db is not -6",
            "right: dL/db = -4",
            "6",
            "-2",
            "-4",
        ],
    ),
    ("one step up", &["-7.286496"]),
    ("a neuron", &["0.707106781187"]),
    (
        "the neuron by hand",
        &[
            "right: do/do = 1",
            "right: do/dn = 0.5",
            "right: do/dx2 = 0.5",
            "right: do/dw2 = 0",
            "right: do/dx1 = -1.5",
            "right: do/dw1 = 1",
        ],
    ),
    (
        "the same in PyTorch",
        &["0.707106781187", "x2 0.5", "w2 0", "x1 -1.5", "w1 1"],
    ),
    ("numbers on both sides", &["4", "3", "0.5", "-2"]),
];

#[test]
fn the_numbers_of_the_lecture_come_out() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cells/lecture.txt");
    let cells = cells(&fs::read_to_string(path).expect("the cells are there"));
    for (title, expected) in NUMBERS {
        let cell = cells.iter().find(|cell| cell.title == *title);
        let mut answers = cell.expect("there is this cell").answers.lines();
        for line in *expected {
            assert!(answers.any(|answer| answer == *line), "{title}: {line}");
        }
    }
    // The grads of the neuron, whole and in pieces.
    let grads = [
        ("b", "0.5"),
        ("w2", "0"),
        ("w1", "1"),
        ("x2", "0.5"),
        ("x1", "-1.5"),
    ];
    for title in ["the whole pass", "tanh in pieces"] {
        let cell = cells.iter().find(|cell| cell.title == title);
        let answers = &cell.expect("there is this cell").answers;
        for (leaf, grad) in grads {
            let row = answers
                .lines()
                .rfind(|line| line.trim_start().starts_with(&format!("{leaf} ")));
            let last = row.and_then(|row| row.split_whitespace().last());
            assert_eq!(last, Some(grad), "{title}: {leaf}");
        }
    }
}

/// What the program prints for a script, and what it says.
fn fed(arguments: &[&str], script: &str) -> (String, String) {
    let ran = feed(program(arguments), script.as_bytes());
    (ran.out, ran.err)
}

#[test]
fn a_transcript_runs_its_statements() {
    for (script, answers, skipped) in [
        (
            "∂> a = 3\na = 9\n∂> (a +\n … 1)\n77\n∂> a\n",
            "a = 3\n4\n3\n",
            "2 lines",
        ),
        (
            ">>> a = 3\n>>> def f(x):\n...     return x*a\n...\n>>> f(2)\n6\n",
            "a = 3\n→ f(x) = x*a\n6\n",
            "1 line",
        ),
        ("d> a = 3\na = 3\nd> a*2\n", "a = 3\n6\n", "1 line"),
    ] {
        let (out, err) = fed(&[], script);
        assert_eq!(out, answers, "{script}");
        assert_eq!(
            err,
            format!("note: {skipped} without a prompt skipped\n"),
            "{script}"
        );
    }
    // A comparison that begins like a prompt.
    assert_eq!(fed(&[], "d = 3\nd> 2\n5\n").0, "d = 3\n1\n5\n");
    // Columns are those of what was typed.
    let (_, err) = fed(&[], ">>> a = 3\n>>> a + q\n");
    assert!(err.contains("--> -:2:9"), "{err}");
}

/// In a source that does not begin with a prompt, a prompt is only taken off its line.
#[test]
fn prompts_inside_a_script_skip_nothing() {
    let (out, err) = fed(&[], "a = 2\n>>> a\n2\nb = 3\n∂> a*b\n:assert b == 4\na\n");
    assert_eq!(out, "a = 2\n2\n2\nb = 3\n6\n");
    assert!(err.starts_with("error: `b == 4` does not hold"), "{err}");
    let nothing = "→ skipped: there is nothing to do\n";
    let stub = "class Value:\n    ...\na = 2\n...\ndef g(self): ...\n...\na*3\n";
    let (out, err) = fed(&[], stub);
    assert!(out.ends_with(&format!("a = 2\n{nothing}→ skipped: operations know their derivatives: :help operations lists them\n{nothing}6\n")), "{out}{err}");
    assert_eq!(err, "");
}

/// What a block of Python never closes hides no lines behind it.
#[test]
fn what_a_definition_never_closes_is_an_error() {
    for (script, place, bracket) in [
        (
            "class Value:\n  def f(self): return (\na = 2\na*3\n",
            "-:2:23",
            "(",
        ),
        (
            "def f(x):\n  @@@twice\n  return 2*x\na = 2\na*3\n",
            "-:2:3",
            "'''",
        ),
        ("b = 1\ndef f(x):\n  y = [x,\na = 2\na*3\n", "-:3:7", "["),
    ] {
        let script = script.replace("@@@", "'''");
        let (out, err) = fed(&["--keep-going"], &script);
        assert!(
            err.contains(&format!("error: `{bracket}` was never closed")),
            "{err}"
        );
        assert!(err.contains(&format!("--> {place}")), "{err}");
        assert!(out.ends_with("a = 2\n6\n"), "{script}: {out}");
        assert_eq!(
            feed(program(&[""; 0]), script.as_bytes()).status,
            Some(1),
            "{script}"
        );
    }
}

#[test]
fn a_definition_ends_where_its_indentation_does() {
    let script =
        "def f(x):\n  y = 2*x\n\n  return y # twice\nf(3)\nclass Value:\n  a = [\n3]\nf(4)";
    let shown = "→ f(x) = 2*x\n6\n→ skipped: every number is a value: a = 2 makes a node, and L = a*b + c keeps the graph behind it\n8\n";
    assert_eq!(fed(&[], script).0, shown);
    assert_eq!(fed(&["--quiet"], script).0, "6\n8\n");
    let (out, _) = fed(&["--json"], script);
    assert!(
        out.starts_with("{\"kind\":\"function\",\"file\":\"-\",\"line\":1,"),
        "{out}"
    );
    assert!(out.contains("\"translated\":\"f(x) = 2*x\""), "{out}");
    assert!(
        out.contains("{\"kind\":\"skipped\",\"file\":\"-\",\"line\":6,"),
        "{out}"
    );
    // What stands in a loop that is refused is not run.
    let (out, err) = fed(
        &["--keep-going"],
        "a = 2\nfor k in range(3):\n  a = 5\n  a = 6; a = 7\na",
    );
    assert_eq!(out, "a = 2\n2\n");
    assert!(
        err.contains("`for` is a word of Python") && err.contains("--> -:2:1"),
        "{err}"
    );
    // An error in what is run shows that, at the place of what was typed.
    let (_, err) = fed(&[], "a = 2\n  b = 1;  y = math.exp(q)");
    let expected = "error: unknown name `q`\n --> -:2:11\n2 |   b = 1;  y = math.exp(q)\n  → y = exp(q)\n  |         ^\n";
    assert!(err.starts_with(expected), "{err}");
}
