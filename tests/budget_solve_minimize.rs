//! Commands that use gradients: `:budget`, `:solve`, `:minimize`. Their results are compared with closed forms, published
//! results, and the functions themselves.

use std::cell::RefCell;
use std::rc::Rc;

use crate::common::invariants::{comes_back, sound};
use crate::common::{Desk, Patience, Random, number};
use chainrule_session::{Host, QuietHost};
use serde_json::Value;

/// The row of a node.
fn row<'a>(answer: &'a Value, node: &str) -> &'a Value {
    let rows = answer["rows"].as_array().expect("there are rows");
    let found = rows.iter().find(|row| row["node"] == node);
    found.unwrap_or_else(|| panic!("no row of {node}: {answer}"))
}

fn near(got: f64, want: f64, relative: f64) {
    assert!(
        (got - want).abs() <= relative * want.abs().max(1e-12),
        "{got} is not {want}"
    );
}

#[test]
fn solutions_that_are_known() {
    for (start, equation, want) in [
        ("1", "x^2 = 2", 2.0_f64.sqrt()),
        ("0", "x^2 = 4", 2.0),
        ("3", "sin(x) = 0", std::f64::consts::PI),
        ("1", "ln(x) = -5", (-5.0_f64).exp()),
        ("50", "tanh(x - 3) = 0.5", 3.0 + 0.5_f64.atanh()),
        ("1", "exp(x) + x = 0", -0.567_143_290_409_783_8),
        ("10", "atan(x) = 0.1", 0.1_f64.tan()),
        ("-7", "cbrt(x) = 2", 8.0),
        ("3", "(x - 1)^2 = 0", 1.0),
        ("3", "x^3 = x", 1.0),
        ("7", "(x^2 - 2)^2 = 0", 2.0_f64.sqrt()),
        ("1", "3x = x + 7", 3.5),
        ("2", "relu(x - 5) = 3", 8.0),
        // Plain Newton steps diverge here.
        ("3", "atan(x - 1) = 0", 1.0),
        ("0.1", "x^5 - x + 0.25 = 3", 1.324_378_997_393_59),
        ("4", "tanh(10(x - 1)) = 0.25", 1.0 + 0.25_f64.atanh() / 10.0),
    ] {
        let mut desk = Desk::with(&[format!("x = {start}")]);
        let answer = desk.answer(&format!(":solve x for {equation}"));
        assert_eq!(answer["solved"], true, "{equation}");
        assert!(number(&answer["passes"]) <= 100.0, "{equation}");
        near(desk.value("x"), want, 1e-8);
        desk.line(":undo");
        assert_eq!(desk.value("x").to_string(), start, "{equation}");
    }
}

#[test]
fn several_leaves_meet_as_many_equations() {
    let mut desk = Desk::with(&[
        "const Vin = 12",
        "R1, R2 = 1000, 1000",
        "Vout = Vin*R2/(R1 + R2)",
    ]);
    let answer = &desk.line(":solve R1, R2 for Vout = 3.3, R1 + R2 = 10000")[0];
    near(number(&row(answer, "R1")["after"]), 7250.0, 1e-12);
    near(number(&row(answer, "R2")["after"]), 2750.0, 1e-12);
    near(desk.value("Vout"), 3.3, 1e-12);
    // Lists: the intersection of a circle, a plane and a cylinder.
    let mut desk = Desk::with(&["v = [1, 2, 3]"]);
    desk.line(":solve v for sum(v^2) = 14, sum(v) = 4, v[0] = v[1]");
    let [x, y, z] = [0, 1, 2].map(|at| desk.value(&format!("v[{at}]")));
    near(x * x + y * y + z * z, 14.0, 1e-12);
    near(x + y + z, 4.0, 1e-12);
    assert!((x - y).abs() < 1e-12);
    // Each item has an equation of its own.
    let mut desk = Desk::with(&["w = [1, 2]"]);
    desk.line(":solve w for w^3 = [8, 27]");
    near(desk.value("w[0]"), 2.0, 1e-12);
    near(desk.value("w[1]"), 3.0, 1e-12);
}

#[test]
fn minima_that_have_been_published() {
    // Rosenbrock, Beale, Powell, Hock and Schittkowski's problem 71 (17.014_017_3).
    let mut desk = Desk::with(&["x, y = -1.2, 1", ":minimize (1 - x)^2 + 100(y - x^2)^2;"]);
    near(desk.value("x"), 1.0, 1e-14);
    near(desk.value("y"), 1.0, 1e-14);
    let mut desk = Desk::with(&[
        "x, y = 1, 1",
        "L = (1.5 - x + x*y)^2 + (2.25 - x + x*y^2)^2 + (2.625 - x + x*y^3)^2",
    ]);
    assert_eq!(desk.line(":minimize L")[0]["verdict"], "minimum");
    near(desk.value("x"), 3.0, 1e-13);
    near(desk.value("y"), 0.5, 1e-13);
    let mut desk = Desk::with(&[
        "x = [1, 5, 5, 1]",
        "T = x[0]*x[3]*(x[0] + x[1] + x[2]) + x[2]",
        ":minimize T where prod(x) >= 25, sum(x^2) = 40, x >= 1, x <= 5;",
    ]);
    near(desk.value("T"), 17.014_017_289_155_9, 1e-11);
    near(desk.value("x[1]"), 4.742_999_643_7, 1e-7);
    let rosenbrock = "L = sum((1 - x[k])^2 + 100(x[k + 1] - x[k]^2)^2 for k in range(9))";
    let mut desk = Desk::with(&[
        "x = [if(k > 5, -1.2, 1) for k in 1..10]",
        rosenbrock,
        ":minimize L;",
    ]);
    for at in 0..10 {
        near(desk.value(&format!("x[{at}]")), 1.0, 1e-9);
    }
}

#[test]
fn a_price_is_what_one_more_of_the_right_side_adds() {
    let least = |volume: f64| {
        let mut desk = Desk::with(&["r, h = 3, 10", "area, volume = 2pi*r^2 + 2pi*r*h, pi*r^2*h"]);
        let answer = desk
            .line(&format!(":minimize area where volume = {volume:?}"))
            .remove(0);
        (
            desk.value("area"),
            number(&answer["constraints"][0]["price"]),
            desk,
        )
    };
    let (area, price, mut desk) = least(330.0);
    // The best can is as high as it is wide, and dA/dV is 2/r.
    let radius = (330.0 / std::f64::consts::TAU).cbrt();
    near(desk.value("r"), radius, 1e-12);
    near(desk.value("h"), 2.0 * radius, 1e-12);
    near(area, 6.0 * std::f64::consts::PI * radius * radius, 1e-12);
    near(price, 2.0 / radius, 1e-10);
    near((least(330.001).0 - least(329.999).0) / 0.002, price, 1e-6);
}

#[test]
fn more_leaves_than_a_matrix_holds() {
    let mut desk = Desk::with(&[
        "x = [1.0*k for k in 1..600]",
        "L = sum((x[k - 1] - k/2)^2 + 0.1(x[k - 1] - x[k])^2 for k in 1..599) + (x[-1] - 300)^2",
        ":minimize L;",
        ":grad L;",
    ]);
    for at in [0, 299, 599] {
        assert!(desk.value(&format!("x[{at}].grad")).abs() < 1e-6);
    }
}

#[test]
fn uncertainties_add_up_as_squares() {
    let mut desk = Desk::with(&[
        "a, b, c = 2 ± 0.1, -3 ± 0.2, 10 ± 0.5",
        "d = a*b + c",
        "e = d^2",
    ]);
    let answer = desk.line(":budget d").remove(0);
    let effects = [-3.0 * 0.1, 2.0 * 0.2, 0.5_f64];
    let variance: f64 = effects.iter().map(|effect| effect * effect).sum();
    near(number(&answer["sigma"]), variance.sqrt(), 1e-15);
    near(number(&answer["worst"]), 1.2, 1e-15);
    for (node, effect) in ["a", "b", "c"].into_iter().zip(effects) {
        near(number(&row(&answer, node)["effect"]), effect, 1e-15);
        near(
            number(&row(&answer, node)["share"]),
            effect * effect / variance,
            1e-14,
        );
    }
    // d is 4, so e has twice 4 times its width.
    near(
        number(&desk.line(":budget e")[0]["sigma"]),
        8.0 * variance.sqrt(),
        1e-14,
    );
    // A shared leaf is a correlation by itself: nothing is left of a - a.
    let answer = desk.line(":budget (a + b) - a").remove(0);
    near(number(&answer["sigma"]), 0.2, 1e-15);
}

/// Squares of widths would overflow or vanish long before the widths do.
/// The values and deviations are those of the Python package `uncertainties` 3.2, for the fit with the covariance of
/// numpy's least squares.
#[test]
fn answers_have_the_deviations_of_the_package_uncertainties() {
    let mut desk = Desk::with(&[
        "l, T = 0.993 ± 0.001, 2.0 ± 0.01",
        "a, b = 1, 1",
        "const t = [1, 2, 3, 4]",
        ":fit [3, 5.1, 6.9, 9] ~ a + b*t",
    ]);
    for (line, value, sigma) in [
        (
            "4*pi^2*l/T^2",
            9.800_517_170_281_733,
            0.098_500_877_008_952_1,
        ),
        ("l - l", 0.0, 0.0),
        (
            "sin(l)*exp(T/l)",
            6.277_460_947_537_618,
            0.063_804_752_551_871_72,
        ),
        (
            "hypot(l, T)^l",
            2.220_425_075_356_81,
            0.009_119_262_480_924_949,
        ),
        ("(1 ± 0.1)*(2 ± 0.2)", 2.0, 0.282_842_712_474_619_06),
        ("(1 ± 10%)*(2 ± 10%)", 2.0, 0.282_842_712_474_619_06),
        ("prod([1 ± 0.1, 2 ± 0.2])", 2.0, 0.282_842_712_474_619_06),
        (
            "l*T + atan2(T, l)",
            3.095_952_635_941_667,
            0.012_028_297_358_242_984,
        ),
        ("a + 2.5*b", 6.0, 0.047_434_164_902_525_39),
        ("a/b", 0.530_303_030_303_030_8, 0.069_210_212_172_710_09),
        (
            "a*l + exp(b)",
            8.285_392_985_161_01,
            0.207_382_633_433_934_73,
        ),
    ] {
        let shown = desk.answer(line);
        let bound = desk.answer(&format!("y = {line}"));
        assert_eq!(shown["sigma"], bound["bindings"][0]["sigma"], "{line}");
        near(number(&shown["data"]), value, 1e-11);
        near(number(&shown["sigma"]), sigma, 1e-11);
    }
}

/// The `±` of the results of searches, as the package uncertainties computes it from closed forms or scipy's solutions.
#[test]
fn what_a_search_finds_follows_the_uncertain_leaves_below() {
    for (search, exact, answers) in [
        (
            ":solve x for a*x^2 = b",
            1e-12,
            &[
                ("x", 0.050_621_141_828_291_47),
                ("x + a", 0.068_240_793_148_812_78),
                ("x^3/b", 0.061_364_688_543_167_914),
                ("a*x^2 - b", 0.0),
            ][..],
        ),
        (
            ":solve u, v for a*u + v^2 = 10, u*v = b",
            1e-6,
            &[
                ("u", 0.138_911_522_510_498),
                ("v", 0.084_010_294_716_501_58),
                ("u + v", 0.075_347_687_833_145_27),
                ("u*a", 0.407_218_421_418_040_7),
                ("u*v - b", 0.0),
            ],
        ),
        (
            ":minimize (p - a)^2 + (q - b)^2 + a*exp(p/2) + p*q/10",
            1e-6,
            &[
                ("p", 0.043_346_284_741_593_306),
                ("q", 0.200_368_733_069_242_47),
                ("p*q", 0.260_602_359_045_252_36),
                ("p*a", 0.180_954_924_204_673_74),
            ],
        ),
        (
            ":minimize p^2 + a*q^2 where p + q = b, p <= 10*b, q <= 100",
            1e-9,
            &[
                ("p", 0.144_444_444_444_444_43),
                ("q", 0.086_780_551_954_518_39),
                ("p - q", 0.129_576_708_774_340_02),
                ("p^2 + a*q^2", 1.361_961_185_792_362_8),
                ("p + q - b", 0.0),
            ],
        ),
        (
            ":minimize (p - a)^2 where p <= b/10",
            1e-9,
            &[("p", 0.02), ("10*p - b", 0.0)],
        ),
    ] {
        let mut desk = Desk::with(&[
            "const a, b = 2 ± 0.1, 5 ± 0.2",
            "x, u, v, p, q = 1, 1, 1, 0.5, 0.5",
        ]);
        desk.line(search);
        let script = desk.session.script().text;
        for desk in [&mut desk, &mut Desk::with(&[script])] {
            for (line, sigma) in answers {
                let found = number(&desk.answer(line)["sigma"]);
                let shares = number(&desk.answer(&format!(":budget {line}"))["sigma"]);
                assert!(
                    (found - sigma).abs() <= exact * sigma,
                    "{search} {line}: {found}"
                );
                assert_eq!(found, shares, "{search} {line}");
            }
        }
        desk.line(":undo");
        assert_eq!(desk.answer("x + u + p")["sigma"], Value::Null, "{search}");
    }
}

/// The `±` of results that follow from found leaves: those of the package uncertainties, and for the curve of scipy's
/// `curve_fit` with the derivatives of its leaves with respect to the data.
#[test]
fn found_leaves_know_what_they_came_from() {
    const RATIO: [&str; 3] = [
        "const x, y = [1, 2, 3, 4], [0.26, 0.49, 0.76, 1.0]",
        "const R = 8 ± 0.8",
        ":fit y ± 0.01 ~ E*x/R",
    ];
    const LATER: [&str; 4] = [RATIO[0], "const R = 8", RATIO[2], ":set R ± 0.8"];
    const STRAIGHT: [&str; 3] = [
        "const t = [0, 1, 2, 3, 4]",
        "const y = [1, 3, 5, 7.1, 9] ± 0.1",
        ":fit y ~ m*t + q",
    ];
    const CURVE: [&str; 3] = [
        "const t = 0..7",
        "const y = [5.1, 3.9, 3.3, 2.6, 2.35, 1.9, 1.75, 1.6] ± 0.1",
        ":fit y ~ a*exp(-k*t) + c",
    ];
    const CROSSING: [&str; 3] = [
        "const t = [0, 1, 2, 3]",
        ":fit [1, 3, 5.2, 6.9] ~ c + k*t",
        ":solve s for c + k*s = 4",
    ];
    const PAIR: [&str; 3] = [
        "a, b = 2 ± 0.1, 5 ± 0.2",
        "u, v = 1, 1",
        ":solve u, v for a*u + v^2 = 10, u*v = b",
    ];
    const COUNTS: [&str; 4] = [
        "const t, n = 0..4, [3, 5, 9, 14, 20]",
        "a, b = 1, 0.3",
        "m = exp(a + b*t)",
        ":minimize sum(m - n*ln(m)) likelihood",
    ];
    type Answers<'a> = &'a [(&'a str, f64)];
    let cases: [(&[&str], &[&str], Answers); 12] = [
        (
            &RATIO,
            &[],
            &[
                ("E", 0.201_064_544_639_553_78),
                ("E/R", 0.001_825_741_858_350_553_7),
                ("E*R", 3.210_660_287_922_789),
            ],
        ),
        (&LATER, &[], &[("E/R", 0.001_825_741_858_350_553_7)]),
        (
            &RATIO,
            &[":set R ± 0.1"],
            &[
                ("E", 0.029_011_568_573_779_515),
                ("E*R", 0.417_741_312_829_416_5),
            ],
        ),
        // The tie is cut, and tied again.
        (
            &RATIO,
            &[":set R 9"],
            &[
                ("E", 0.201_064_544_639_553_78),
                ("E*R", 2.418_316_475_934_814),
            ],
        ),
        (&LATER, &[":set R 9"], &[("E", 0.014_605_934_866_804_43)]),
        (
            &RATIO,
            &[":set R 9", ":undo"],
            &[("E/R", 0.001_825_741_858_350_553_7)],
        ),
        (
            &RATIO,
            &["const R = 3 ± 0.5"],
            &[("E*R", 1.170_120_935_820_073_3)],
        ),
        (
            &STRAIGHT,
            &[],
            &[
                ("mean(y) - (m*2 + q)", 0.0),
                ("y[1] - q", 0.089_442_719_099_991_59),
            ],
        ),
        (
            &CURVE,
            &[],
            &[
                ("a", 0.164_075_72),
                ("a + c", 0.093_122_131_096_406),
                ("y[0] - a", 0.176_441_973_393),
                ("y[3] - a*exp(-3k) - c", 0.084_559_040_021),
            ],
        ),
        // Leaves that were found together keep their covariance, also with leaves found from them.
        (
            &CROSSING,
            &[":set k 2.5"],
            &[
                ("s", 0.038_519_290_066_523_965),
                ("s + c", 0.109_271_223_066_501_46),
            ],
        ),
        (
            &PAIR,
            &[":set a 3", "b = 7"],
            &[
                ("u", 0.138_911_522_510_498),
                ("u + v", 0.075_347_687_833_145_27),
            ],
        ),
        (
            &COUNTS,
            &[],
            &[
                ("a", 0.349_164_24),
                ("a + 2b", 0.169_130_401_550_904),
                ("a - b", 0.454_467_183_194),
            ],
        ),
    ];
    for (found, more, answers) in cases {
        let mut desk = Desk::with(&[found, more].concat());
        let script = desk.session.script().text;
        for desk in [&mut desk, &mut Desk::with(&[script])] {
            for (line, sigma) in answers {
                let known = number(&desk.answer(line)["sigma"]);
                let told = number(&desk.answer(&format!(":budget {line}"))["sigma"]);
                assert!(
                    (known - sigma).abs() <= 1e-6 * sigma,
                    "{found:?} {more:?} {line}: {known}"
                );
                near(told, known, 1e-12);
            }
        }
    }
}

#[test]
fn the_nearest_solution_is_found_and_bounds_are_kept() {
    for (equation, bound, start, end) in [
        ("z^3 = z", "", 3.0, 1.0),
        ("z^3 = z", "", 0.55, 1.0),
        ("z^3 = z", "", 0.45, 0.0),
        ("z^3 = z", "", -2.0, -1.0),
        ("sin(z) = 0", "", 1.6, std::f64::consts::PI),
        (
            "sin(z) = 0.5",
            "",
            100.0,
            (32.0 + 1.0 / 6.0) * std::f64::consts::PI,
        ),
        ("z^2 = 4", " where z >= 0", -1.0, 2.0),
        ("z^2 = 4", " where z <= 0", 1.0, -2.0),
        ("z^2 = 4", " where z >= -7, z <= -1", 5.0, -2.0),
    ] {
        let mut desk = Desk::with(&[format!("z = {start}")]);
        desk.line(&format!(":solve z for {equation}{bound}"));
        near(desk.value("z"), end, 1e-12);
    }
}

#[test]
fn a_budget_is_the_same_at_every_scale() {
    let told = |scale: f64| {
        let leaf = |data: f64, width: f64| format!("{:e} ± {:e}", data * scale, width * scale);
        let leaves = format!("a, b = {}, {}", leaf(3.0, 0.3), leaf(4.0, 0.4));
        let mut desk = Desk::with(&[&leaves]);
        let answer = desk.line(":budget hypot(a, b) corr a b 0.5").remove(0);
        let second = &answer["second"];
        let shares = ["a", "b"].map(|leaf| number(&row(&answer, leaf)["share"]));
        let sizes = [
            &answer["sigma"],
            &answer["worst"],
            &second["shift"],
            &second["sigma"],
        ]
        .map(|size| number(size) / scale);
        [shares.as_slice(), &sizes].concat()
    };
    let usual = told(1.0);
    for scale in [1e-250, 1e-160, 1e160, 1e250] {
        for (found, wanted) in told(scale).into_iter().zip(&usual) {
            near(found, *wanted, 1e-13);
        }
    }
}

#[test]
fn correlations_are_taken_into_account() {
    let mut desk = Desk::with(&["a, b = 3 ± 0.3, 4 ± 0.4"]);
    for (command, variance) in [
        (":budget a + b", 0.25),
        (":budget a + b corr a b 1", 0.49),
        (":budget a + b corr a b -1", 0.01),
        (":budget a - b corr b a 0.5", 0.25 - 0.12),
        (":budget 2a - b corr a b (1/4)", 0.36 + 0.16 - 0.12),
    ] {
        near(
            number(&desk.line(command)[0]["sigma"]).powi(2),
            variance,
            1e-14,
        );
    }
}

/// After `wrt`, a search moves what it would move if all other leaves were frozen.
#[test]
fn wrt_moves_the_leaves_that_it_names() {
    for (start, chosen, others, search) in [
        (
            "a, b, c = 1, 2, 3",
            "b",
            "a c",
            ":minimize (a*b - 5)^2 + (b - c)^2",
        ),
        (
            "a, b, c = 1, 2, 3",
            "a, c",
            "b",
            ":minimize (a*b - 5)^2 + (b - c)^2",
        ),
        (
            "a, b = [1, 2], [3, 4]",
            "b",
            "a",
            ":minimize sum((a*b - 1)^2) + sum(b^2)",
        ),
        ("a, b = 1 ± 0.1, 2", "b", "a", ":minimize (a*b - 5)^2 + b^2"),
        (
            "a, b, c = 1, 2, 3",
            "b, c",
            "a",
            ":fit [2, 3, 5, 8] ~ a + b*[1, 2, 3, 4] + c*[1, 4, 9, 16]",
        ),
        (
            "b, c = 2, 3",
            "c",
            "b",
            ":fit [2, 3, 5, 8] ~ b + c*[1, 2, 3, 4]",
        ),
    ] {
        let mut desk = Desk::with(&[start]);
        let answer = desk.answer(&format!("{search} wrt {chosen}"));
        let mut frozen = Desk::with(&[start, &format!(":freeze {others}")]);
        let want = frozen.answer(search);
        assert_eq!(
            answer["rows"].to_string(),
            want["rows"].to_string(),
            "{search}"
        );
    }
}

/// The rows of lists have the squares of their effects as shares, if nothing is correlated.
#[test]
fn a_list_has_one_row_in_a_budget() {
    let mut desk = Desk::with(&[
        "T, l = [2.01, 1.99, 2.02, 2.00, 1.98] ± 0.01, 1 ± 0.004",
        "g = 4pi^2*l/mean(T)^2",
    ]);
    let shown = |desk: &mut Desk, line: &str| {
        let text = desk.screen(line);
        let row = |name: &str| {
            let mut rows = text
                .lines()
                .filter(|line| line.trim_start().starts_with(name));
            let row = rows.next().map(str::to_owned);
            (row, rows.count())
        };
        (row("T"), row("l "))
    };
    let ((list, more), (leaf, _)) = shown(&mut desk, ":budget g");
    // The deviation of a mean of five readings is 0.01/√5, and its effect is 2g/T times that.
    let (list, leaf) = (list.expect("T"), leaf.expect("l"));
    assert!(list.contains("0.044") && list.contains("56 %"), "{list}");
    assert!(leaf.contains("0.039") && leaf.contains("44 %"), "{leaf}");
    assert_eq!(more, 0);
    let ((first, more), _) = shown(&mut desk, ":budget g items");
    assert!(first.is_some_and(|row| row.contains("T[") && row.contains("11 %")));
    assert_eq!(more, 4);
}

#[test]
fn second_derivatives_see_what_the_first_cannot() {
    let mut desk = Desk::with(&["x, y = 0 ± 1, 2 ± 0.5"]);
    let answer = desk.line(":budget x^2").remove(0);
    assert_eq!(number(&answer["sigma"]), 0.0);
    assert_eq!(answer["rows"][0]["share"], Value::Null);
    // x² of a standard normal x has mean 1 and variance 2.
    near(number(&answer["second"]["shift"]), 1.0, 1e-15);
    near(number(&answer["second"]["sigma"]), 2.0_f64.sqrt(), 1e-15);
    // x*y of independent ones: variance y²·1 + 1·0.25.
    let answer = desk.line(":budget x*y").remove(0);
    near(number(&answer["second"]["shift"]) + 1.0, 1.0, 1e-15);
    near(number(&answer["second"]["sigma"]).powi(2), 4.25, 1e-14);
    // Correlated: x*y has mean ρσxσy, and variance y²σx² + σx²σy²(1 + ρ²).
    let answer = desk.line(":budget x*y corr x y 0.6").remove(0);
    near(number(&answer["second"]["shift"]), 0.3, 1e-14);
    near(
        number(&answer["second"]["sigma"]).powi(2),
        4.0 + 0.25 * 1.36,
        1e-14,
    );
    assert!(
        desk.screen(":budget x^2")
            .contains("with second derivatives: x^2 = 1.0 ± 1.4")
    );
}

/// The point of a ball nearest to a point outside has a closed form.
#[test]
fn the_nearest_point_of_a_ball() {
    let mut random = Random(5);
    for round in 0..60 {
        let n = 1 + random.below(4);
        let scale = 10.0_f64.powf(6.0 * random.unit() - 3.0);
        let mut numbers = || -> Vec<f64> {
            let number = |_| scale * (2.0 * random.unit() - 1.0);
            (0..n).map(number).collect()
        };
        let (start, outside) = (numbers(), numbers());
        let length = outside.iter().map(|x| x * x).sum::<f64>().sqrt();
        let radius = length * (0.1 + 0.8 * random.unit());
        let mut desk = Desk::with(&[format!("x = {start:?}")]);
        let line = format!(
            ":minimize 0.5*sum((x - {outside:?})^2) where sum(x^2) <= {:?}",
            radius * radius
        );
        let answer = desk.line(&line).remove(0);
        assert_eq!(answer["verdict"], "minimum", "{round}: {line}: {answer}");
        assert!(
            number(&answer["passes"]) < 5_000.0,
            "{round}: {line}: {answer}"
        );
        for (row, x) in answer["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .zip(&outside)
        {
            let want = x * radius / length;
            let off = (number(&row["after"]) - want).abs();
            assert!(off <= 1e-10 * radius, "{round}: {line}: {answer}");
        }
        let price = number(&answer["constraints"][0]["price"]);
        near(price, -(length - radius) / (2.0 * radius), 1e-7);
    }
}

/// Two equations for two leaves determine one point, whatever is minimized.
/// The nearest point of a simplex, w >= bound and sum(w) = total. Its leaves off the bound are all moved by the same amount,
/// which a search by halves finds.
fn nearest_of_simplex(outside: &[f64], bound: f64, total: f64) -> Vec<f64> {
    let moved = |by: f64| outside.iter().map(move |x| f64::max(x + by, bound));
    let (mut low, mut high) = (-1e3, 1e3);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let is_below = moved(middle).sum::<f64>() < total;
        (low, high) = if is_below {
            (middle, high)
        } else {
            (low, middle)
        };
    }
    moved(low).collect()
}

/// More than 60 leaves have no second derivatives, which would find the last digits.
#[test]
fn leaves_end_exactly_on_their_bounds() {
    let mut random = Random(11);
    for (n, bound, is_upper) in [
        (3, 0.0, false),
        (7, 0.1, false),
        (20, -0.3, true),
        (40, 0.0, true),
        (80, 1.0 / 3.0, false),
        (80, 0.1, true),
    ] {
        let mut numbers =
            |from: f64| -> Vec<f64> { (0..n).map(|_| from + 3.0 * random.unit() - 1.5).collect() };
        let (start, outside) = (numbers(bound), numbers(0.0));
        // The mirror image of an upper bound is a lower one.
        let (sign, relation) = if is_upper { (-1.0, "<=") } else { (1.0, ">=") };
        let mirrored: Vec<f64> = outside.iter().map(|x| sign * x).collect();
        let total = sign * bound * f64::from(n) + 1.0;
        let want = nearest_of_simplex(&mirrored, sign * bound, total);
        let mut desk = Desk::with(&[format!("w = {start:?}")]);
        desk.line(&format!(
            ":minimize sum((w - {outside:?})^2) where sum(w) = {:?}, w {relation} {bound:?};",
            sign * total
        ));
        for (leaf, mirrored_end) in want.iter().enumerate() {
            let (end, found) = (sign * mirrored_end, desk.value(&format!("w[{leaf}]")));
            if end == bound {
                assert_eq!(found, bound, "{n} leaves, w[{leaf}] {relation} {bound}");
            } else {
                assert!(
                    (found - end).abs() < 1e-8,
                    "w[{leaf}] is {found} and not {end}"
                );
            }
        }
        near(desk.value("sum(w)"), sign * total, 1e-12);
    }
}

/// The amounts of a mixture at the least cost, as a simplex method finds them.
#[test]
fn a_leaf_on_its_bound_keeps_the_bound() {
    let mut desk = Desk::with(&[
        "p, q, r = 0.3, 0.3, 0.4",
        ":minimize 2p + 3.5q + 8r where p + q + r = 1, 0.09p + 0.2q + 0.45r >= 0.25, p >= 0, q >= 0, r >= 0, p <= 0.6",
        ":assert p >= 0",
    ]);
    assert_eq!(desk.value("sqrt(p)"), 0.0);
    near(desk.value("q"), 0.8, 1e-12);
    near(desk.value("r"), 0.2, 1e-12);
}

/// The second derivatives know nothing of an inequality without a price.
#[test]
fn no_bound_is_crossed_on_a_large_scale() {
    for (scale, bound) in [
        (1e6, 123.0),
        (1e6, 12345.0),
        (1e8, 12.0),
        (1e8, 123_456.789),
    ] {
        let mut desk = Desk::with(&["x, y = 0.3, 5"]);
        desk.line(&format!(
            ":minimize (x - {scale:?})^2 + y^2 where x <= {bound:?}, x + y = 3"
        ));
        assert!(desk.value("x") <= bound, "{} and {bound}", desk.value("x"));
        near(desk.value("x"), bound, 1e-10);
    }
}

#[test]
fn the_only_point_that_equations_leave_is_a_minimum() {
    let mut random = Random(7);
    let mut numbers = || -> Vec<f64> {
        let number = |_: usize| ((400.0 * random.unit()).round() - 200.0) / 100.0;
        (0..10).map(number).collect()
    };
    let mut cases = vec![
        vec![
            -2.294, 2.222, -0.06, 0.81, 0.9, 1.08, -1.49, -1.0, -1.63, -2.05,
        ],
        vec![
            1.316, -0.946, -0.48, 0.62, 0.47, -1.01, 1.54, -0.48, 1.99, 2.82,
        ],
    ];
    cases.extend((0..300).map(|_| numbers()));
    for case in cases {
        let [x, y, p, q, a, b, c, d, e, f] = case[..] else {
            panic!("there are ten numbers");
        };
        let determinant = a * e - b * d;
        if determinant.abs() < 0.1 {
            continue;
        }
        let mut desk = Desk::with(&[format!("x, y = {x:?}, {y:?}")]);
        let line = format!(
            ":minimize (x - {p:?})^2 + (y - {q:?})^2 where {a:?}*x + {b:?}*y = {c:?}, {d:?}*x + {e:?}*y = {f:?}"
        );
        let answer = desk.line(&line).remove(0);
        assert_eq!(answer["verdict"], "minimum", "{line}: {answer}");
        for (name, want) in [("x", c * e - b * f), ("y", a * f - c * d)] {
            let off = desk.value(name) - want / determinant;
            assert!(off.abs() < 1e-7 * (1.0 + want.abs()), "{line}: {answer}");
        }
    }
}

/// From here a full Newton step diverges; shorter first steps do not.
#[test]
fn equations_are_solved_from_far_away() {
    let mut desk = Desk::with(&["x, y, z = -1.76, 23.1, 20.1"]);
    let equations = [
        "-0.557x + 0.034sin(x) - 0.477y - 2.488sin(y) - 0.515z + 1.271sin(z) + 0.1x^3 = -8.7325",
        "-0.695x + 0.237sin(x) + 0.922y - 0.584sin(y) + 0.653z + 1.313sin(z) + 0.1y^3 = 167.835",
        "0.325x - 2.334sin(x) - 0.589y - 0.651sin(y) + 1.262z + 0.684sin(z) + 0.1z^3 = 110.618",
    ];
    desk.line(&format!(":solve x, y, z for {};", equations.join(", ")));
    for equation in equations {
        let (left, right) = equation.split_once(" = ").expect("two sides");
        near(desk.value(left), right.parse().expect("a number"), 1e-10);
    }
}

/// A host that keeps the statements that move the leaves to the present point of a search.
#[derive(Default)]
struct Keeper(RefCell<Vec<String>>);

impl Host for Keeper {
    fn stop(&self) -> bool {
        false
    }

    fn progress(&self, _: u64, _: u64, _: f64, setting: Option<&dyn Fn() -> String>) {
        self.0.borrow_mut().extend(setting.map(|it| it()));
    }
}

/// A page that stops a search goes on with the leaves at its last point.
#[test]
fn a_search_says_where_its_leaves_are() {
    let lines = ["w, u = 3, 4", "const t, y = [1, 2, 3], [3, 5, 9]"];
    for command in [
        ":minimize (w - 1)^2 + (u - 2)^2",
        ":solve w, u for w + u = 3, w*u = 2",
        ":fit y ~ w*t + u",
    ] {
        let mut desk = Desk::with(&lines);
        let keeper = Rc::new(Keeper::default());
        desk.session.set_host(Rc::clone(&keeper) as Rc<dyn Host>);
        desk.line(command);
        let kept = keeper.0.take();
        let mut again = Desk::with(&lines);
        again.line(kept.last().expect("it keeps something"));
        for leaf in ["w", "u"] {
            near(again.value(leaf), desk.value(leaf), 1e-3);
        }
    }
}

/// The graphs are large enough that a pass asks in the middle whether to stop.
#[test]
fn a_search_that_is_stopped_keeps_the_best_so_far() {
    for (lines, command, off) in [
        (
            vec![
                "x = [if(k > 1000, -1.2, 1) for k in 1..2000]",
                "L = sum((1 - x[k])^2 + 100(x[k + 1] - x[k]^2)^2 for k in range(1999))",
            ],
            ":minimize L",
            "L",
        ),
        (
            vec![
                "x = [3 for k in 1..40]",
                "f(k) = sum(sin(j*x[j - 1])/400 for j in 1..40) + x[k - 1]^3 - k",
                "s = [f(k) for k in 1..40]",
            ],
            ":solve x for s = 0",
            "sum(s^2)",
        ),
        (
            vec![
                "const x = (1..8)",
                "const y = [exp(-0.3k) for k in 1..8]",
                "a, b = 1, 3",
            ],
            ":fit y ~ a*exp(-b*x)",
            "sum((y - a*exp(-b*x))^2)",
        ),
    ] {
        let mut last = f64::INFINITY;
        for passes in [1, 3, 6] {
            let mut desk = Desk::with(&lines);
            let before = desk.value(off);
            desk.session.set_host(Patience::of_passes(passes));
            let answer = desk.try_line(command).pop().expect("an answer");
            desk.session.set_host(Rc::new(QuietHost));
            sound(&desk.session);
            let left = desk.value(off);
            if passes == 1 {
                assert!(answer.is_err_and(|error| error.is_interrupt), "{command}");
                assert_eq!(left, before, "{command}");
                continue;
            }
            let reply = answer.unwrap_or_else(|error| panic!("{command}: {}", error.message));
            assert!(reply.is_interrupted, "{command}");
            assert!(
                left < before && left < last,
                "{command}: {before} {last} {left}"
            );
            last = left;
            desk.line(":undo");
            assert_eq!(desk.value(off), before, "{command}");
            // A saved session ends where the search was stopped.
            desk.line(":redo");
            comes_back(&mut desk.session);
        }
    }
}

#[test]
fn a_budget_that_is_stopped_tells_nothing() {
    let mut desk = Desk::with(&[
        "x = [1.0 for k in 1..100] ± 0.1",
        "T = sum(sum(sin((k + 1)*x[j]*x[k]) for j in range(100)) for k in range(100))",
    ]);
    desk.session.set_host(Patience::of(0));
    let answer = desk.try_line(":budget T").pop().expect("an answer");
    assert!(answer.is_err_and(|error| error.is_interrupt));
}
