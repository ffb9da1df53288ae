//! Data: the manual's way from a file to a result, and the networks and fits that are trained on data. The figures of
//! micrograd's demo are those that micrograd prints. The answers of `:data` are recorded in `tests/screens/data.txt`.
#![cfg(unix)]

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::common::process::Folder;
use crate::common::project::at;
use crate::common::{close, number};

fn assert_near(found: &Value, expected: f64, relative: f64) {
    let found = number(found);
    assert!(
        close(found, expected, relative, 0.0),
        "{found}, not {expected}"
    );
}

/// The eight lines of the manual, with the file that it shows. The numbers are those of scipy's `curve_fit` and the package
/// `uncertainties`, to which `half` is `RC*log(U0/5)`.
#[test]
fn eight_lines_lead_from_a_file_to_a_figure_and_results() {
    let page = include_str!("../docs/guide/your_data.md");
    let block = |begin: &str| {
        let (_, rest) = page.split_once(begin).expect("the manual has it");
        rest.split_once("\n```").expect("it ends").0
    };
    let session = block("is left:\n\n```\n");
    let typed = session.lines().filter_map(|line| line.strip_prefix("∂> "));
    let script: String = typed.map(|line| format!("{line}\n")).collect();
    assert_eq!(script.lines().count(), 8);
    let folder = Folder::with(&[("discharge.csv", block("```csv\n"))]);
    let found = folder.json(&script);
    let fit = &found[1]["rows"];
    let bound = |statement: usize| &found[statement]["bindings"][0];
    for (result, value, expected, sigma) in [
        (&fit[0], "after", 10.067_014_514_941_87, 0.066_599_791_837),
        (&fit[1], "after", 9.892_821_889_682_19, 0.076_643_221_051),
        (bound(3), "data", 0.000_989_282_188_968, 1.251_438_205_71e-5),
        (bound(5), "data", 0.050_129_293_514_8, 0.000_672_841_517_322),
        (
            &found[6]["rows"][0],
            "after",
            6.923_256_713_525,
            0.043_063_733_108_6,
        ),
    ] {
        assert_near(&result[value], expected, 1e-7);
        assert_near(&result["sigma"], sigma, 1e-7);
    }
    let picture = folder.text("discharge.svg");
    assert!(picture.contains("t [s]") && picture.contains("U [V]"));
    // The answers in the manual.
    let shown = folder.run(&[], &script).out;
    for line in [
        "t, U, sigma: 8 rows",
        "R = 10000 ± 100",
        "C = 0.000989 ± 0.000013",
        "energy = 0.05013 ± 0.00067",
        "  half        1   6.923   0.043",
    ] {
        assert!(shown.contains(line) && session.contains(line), "{shown}");
    }
}

/// The text of an example.
fn example(name: &str) -> String {
    fs::read_to_string(at("examples").join(name)).expect("the example is there")
}

/// All losses and accuracies of the moons, and that both ways to write the steps are the same.
#[test]
fn the_moons_are_those_of_micrograd() {
    let recorded = include_str!("reference/moons.csv").lines();
    let rows = recorded.filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let script = example("moons.calc");
    let folder = Folder::with(&[("moons.csv", &example("moons.csv"))]);
    let all = folder.json(&script);
    let step = all.iter().find(|object| object["kind"] == "step");
    let losses = &step.expect("there are steps")["values"];
    let (before, _) = script.split_once(":step").expect("the example has steps");
    let mut single = before.to_owned();
    for k in 0..100 {
        let _ = writeln!(single, "loss\naccuracy\n:step (1 - 0.9*{k}/100) of loss;");
    }
    let single = folder.json(&single);
    let mut values = single
        .iter()
        .filter(|object| object["kind"] == "value")
        .skip(1);
    let mut count = 0;
    for (k, row) in rows.enumerate() {
        let mut expected = row
            .split(',')
            .skip(1)
            .map(|cell| cell.parse().expect("a number"));
        let mut next = || &values.next().expect("a value")["data"];
        let loss = next();
        assert_eq!(&losses[k], loss, "step {k}");
        for found in [loss, next()] {
            assert_near(found, expected.next().expect("three cells"), 1e-12);
        }
        count += 1;
    }
    assert_eq!(count, 100);
}

/// The line that descent finds is that of numpy.polyfit of the same points.
#[test]
fn regression_ends_at_the_least_squares() {
    let folder = Folder::with(&[("regression.csv", &example("regression.csv"))]);
    let found = folder.json(&(example("regression.calc") + "\na\nb\n"));
    let [.., a, b] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_near(&a["data"], 2.617_424_242_424_242_7, 1e-6);
    assert_near(&b["data"], 0.794_370_629_370_629_3, 1e-6);
}

/// Files that differ in their separators and marks, and in what stands beside their numbers, hold the same lists.
#[test]
fn the_same_table_is_read_from_files_of_many_looks() {
    for (text, expected) in [
        ("t,ok\n1,True\n2,False\n3,True\n4,True\n", "[1, 0, 1, 1]"),
        ("t;ok\r\n1;nein\r\n2;JA\r\n3;\r\n4;ja\r\n", "[0, 1, 1]"),
        ("t\tok\n1\t\"off\"\n2\t\"on\"\n", "[0, 1]"),
        ("t,ok\n1,yes\n2,off\n3,no\n", "[1, 2, 0]"),
        (
            "t,ok [V]\n0 ms,0.00 V\n1 ms,1.50 V\n2 ms,3.00 V\n",
            "[0, 1.5, 3]",
        ),
        (
            "\u{feff}t;ok\n0 ms;0,00 V\n1 ms;1.501,50 V\n",
            "[0, 1501.5]",
        ),
        ("t\tok\n0\t20.5°C\n1\t-3.5°C\n", "[20.5, -3.5]"),
        ("t ok\n(s) (V)\n0 0.1\n1 0.2\n", "[0.1, 0.2]"),
        (
            "  t    ok\n [s]   [V]\n  0   0.1\n  1   0.2\n",
            "[0.1, 0.2]",
        ),
        ("t,ok\ns,1/s\n0,1\n1,2\n", "[1, 2]"),
        ("t;ok\ns;1\n0;1,5\n1;2,5\n", "[1.5, 2.5]"),
        (
            "t,ok [10^3 Pa]\n0,1\n1,2\nEnd of file, 2 points\n",
            "[1, 2]",
        ),
        ("t,ok (1/min)\n0,1\n1,2\nStd. dev.,0.5\n", "[1, 2]"),
        (
            "t,ok\n2026-03-02 03:41,1\n2026-03-02 03:42,2\n2026-03-02 03:43,3\n2026-0",
            "[1, 2, 3]",
        ),
        ("t ok\n0 1\n1 2\nOVERFLOW\n2 3\n", "[1, 2, 3]"),
    ] {
        let folder = Folder::with(&[("f.csv", text)]);
        let found = folder.json(":data f.csv\nok\n");
        assert_eq!(found[0]["names"], serde_json::json!(["t", "ok"]), "{text}");
        let list: Value = serde_json::from_str(expected).expect("a list");
        let numbers = |list: &Value| -> Vec<f64> {
            let items = list.as_array().expect("a list");
            items.iter().map(number).collect()
        };
        assert_eq!(numbers(&found[1]["data"]), numbers(&list), "{text}");
    }
}

/// Units of cells stand at axes. A column with units of two sizes is not read.
#[test]
fn units_of_cells_are_those_of_the_list() {
    let text = "t;U;I\n0 ms;0,5 V;1 mA\n1 ms;1,5 V;2 A\n2 ms;2,5 V;3 mA\n";
    let folder = Folder::with(&[("f.csv", text)]);
    let shown = folder.run(&[], ":data f.csv\n:save s.calc\n");
    assert!(shown.out.starts_with("t, U: 3 rows"), "{}", shown.out);
    let note = "column I left out: `1 mA` is no number";
    assert!(shown.err.contains(note), "{}", shown.err);
    let saved = folder.text("s.calc");
    assert!(saved.contains("t \"t [ms]\", U \"U [V]\""), "{saved}");
}
