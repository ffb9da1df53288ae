//! Every worked example of the posts and the lecture, compared digit by digit. `wrong.rs` has the numbers of the famous
//! mistakes in them.

use crate::common::{Desk, close, number};
use crate::records::Record;
use serde_json::{Map, Value};

pub fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("cases/worked_examples.json")).expect("the cases are JSON")
}

pub fn script(case: &Value) -> Vec<String> {
    let lines = case["script"].as_array().expect("a case has a script");
    lines
        .iter()
        .map(|line| line.as_str().expect("lines are text").to_string())
        .collect()
}

/// The relative and absolute error; exact cases allow for the rounding of the written decimal.
fn tolerance(case: &Value) -> (f64, f64) {
    match (case["tol"]["rel"].as_f64(), case["tol"]["abs"].as_f64()) {
        (Some(0.0), Some(0.0)) => (1e-15, 0.0),
        (relative, absolute) => (relative.unwrap_or(1e-12), absolute.unwrap_or(1e-15)),
    }
}

pub fn squeeze(text: &str) -> String {
    text.split_whitespace()
        .collect::<String>()
        .replace("**", "^")
}

/// The rows by the text of the node and by its other names.
fn rows(grad: &Value) -> Map<String, Value> {
    let mut rows = Map::new();
    for row in grad["rows"].as_array().expect("there are rows") {
        rows.insert(squeeze(row["node"].as_str().unwrap_or("")), row.clone());
        for name in row["names"].as_array().into_iter().flatten() {
            rows.insert(squeeze(name.as_str().unwrap_or("")), row.clone());
        }
    }
    rows
}

/// The differences from the expected numbers, if there are any.
fn complaints(
    rows: &Map<String, Value>,
    expected: &Map<String, Value>,
    tolerance: (f64, f64),
) -> Vec<String> {
    let mut found = Vec::new();
    for (name, want) in expected {
        let Some(row) = rows.get(&squeeze(name)) else {
            // The node is not below the target, so its gradient is 0.
            if want["grad"].as_f64().unwrap_or(0.0) != 0.0 {
                found.push(format!("{name} has no row"));
            }
            continue;
        };
        for key in ["data", "grad"] {
            if want[key].is_null() {
                continue;
            }
            let (got, want) = (number(&row[key]), number(&want[key]));
            if !close(got, want, tolerance.0, tolerance.1) {
                found.push(format!("{name}.{key} is {got}, not {want}"));
            }
        }
    }
    found
}

#[test]
fn every_number_comes_out() {
    for case in cases().iter().filter(|case| case["expect_error"].is_null()) {
        let name = case["name"].as_str().unwrap_or("");
        let mut desk = Desk::with(&script(case));
        let target = case["target"].as_str().expect("a case has a target");
        let grad = desk
            .line(&format!(":grad {target}"))
            .pop()
            .expect("a pass shows its table");
        let rows = rows(&grad);
        let expected = case["expect"]
            .as_object()
            .expect("a case expects something");
        assert_eq!(
            complaints(&rows, expected, tolerance(case)),
            Vec::<String>::new(),
            "{name}"
        );
        for inner in case["inner"].as_array().into_iter().flatten() {
            let text = inner["expr"].as_str().unwrap_or("");
            if let Some(row) = rows.get(&squeeze(text)) {
                let (got, want) = (number(&row["grad"]), number(&inner["grad"]));
                let (relative, absolute) = tolerance(case);
                assert!(
                    close(got, want, relative, absolute),
                    "{name}: {text} has {got}, not {want}"
                );
            } else {
                // Rebound names look alike in the cases, and a node without leaves has no row.
                let known = case["rebinds"].is_null() && text.contains(char::is_alphabetic);
                assert!(!known, "{name}: no row for {text}");
            }
        }
    }
}

#[test]
fn steps_lead_where_the_lecture_says() {
    let mut tried = 0;
    for case in cases() {
        for then in case["then"].as_array().into_iter().flatten() {
            let (Some(rate), Some(expected)) =
                (then["step"]["lr"].as_f64(), then["expect_data"].as_object())
            else {
                continue;
            };
            let rate = if then["step"]["direction"] == "descent" {
                rate
            } else {
                -rate
            };
            let mut desk = Desk::with(&script(&case));
            desk.line(&format!(":grad {}", case["target"].as_str().unwrap_or("")));
            desk.line(&format!(":step {rate}"));
            for (name, want) in expected {
                let got = desk.value(name);
                assert!(
                    close(got, number(want), 1e-12, 1e-15),
                    "{}: {name} is {got}, not {want}",
                    case["name"]
                );
            }
            tried += 1;
        }
    }
    assert!(tried > 0, "no case steps");
}

#[test]
fn what_must_fail_fails_and_leaves_the_session_alone() {
    for case in cases()
        .iter()
        .filter(|case| !case["expect_error"].is_null())
    {
        let lines = script(case);
        let (last, before) = lines.split_last().expect("a case has lines");
        let mut desk = Desk::with(before);
        // It also compares the session with what it was.
        desk.error(last);
    }
}

#[test]
fn finite_differences_of_the_cases_come_out() {
    let mut tried = 0;
    for case in cases()
        .iter()
        .filter(|case| case["finite_difference"].is_object())
    {
        let target = case["target"].as_str().expect("a case has a target");
        let difference = &case["finite_difference"];
        for (name, slope) in difference["forward"].as_object().into_iter().flatten() {
            let line = format!(":nudge {name} {} of {target}", difference["h"]);
            let nudge = &Desk::with(&script(case)).line(&line)[0];
            assert!(
                close(number(&nudge["slope"]), number(slope), 1e-15, 0.0),
                "{line}: {nudge}"
            );
            tried += 1;
        }
    }
    assert!(tried > 0);
}

#[test]
fn levels_and_orders_are_those_of_the_cases() {
    let mut tried = 0;
    for case in cases().iter().filter(|case| case["levels"].is_object()) {
        let target = case["target"].as_str().expect("a case has a target");
        let topo = &Desk::with(&script(case)).line(&format!(":topo {target}"))[0];
        let order: Vec<&str> = topo["order"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (name, level) in case["levels"].as_object().into_iter().flatten() {
            let place = order.iter().position(|node| node == name);
            let place = place.unwrap_or_else(|| panic!("{name} is not in {order:?}"));
            assert_eq!(&topo["levels"][place], level, "{name}");
        }
        tried += 1;
    }
    assert!(tried > 0);
}

/// The losses that Python prints for the loop of `tests/screens/cells/networks.txt`, with the classes of the lecture and
/// micrograd's `Value`.
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
    let mut desk = Desk::default();
    let record = Record::read("cells/networks");
    let mut answers = record.lines().flat_map(|line| desk.line(&line.text));
    let of_loop = answers.find(|answer| answer["printed"][LOSSES.len() - 1].is_array());
    let of_loop = of_loop.expect("the loop answers");
    let printed = of_loop["printed"].as_array().expect("it prints").iter();
    let losses: Vec<f64> = printed.map(|line| number(&line[1])).collect();
    assert_eq!(losses.len(), LOSSES.len());
    for (ours, theirs) in losses.iter().zip(LOSSES) {
        assert!(close(*ours, theirs, 1e-12, 0.0), "{ours} {theirs}");
    }
}
