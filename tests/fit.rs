//! `:fit`: against closed forms, certified values of NIST, and sums computed here; and pictures. Its answers are
//! recorded in `tests/screens/fits.txt`.

use std::collections::HashMap;

use serde_json::Value;

use crate::common::{Desk, Random, close, number};
use chainrule_report::{Curve, Picture, Plot, Scale};
use chainrule_view::{self as view, Style};

fn rows(fit: &Value) -> &[Value] {
    fit["rows"].as_array().expect("a fit has rows")
}

fn column(fit: &Value, key: &str) -> Vec<f64> {
    rows(fit).iter().map(|row| number(&row[key])).collect()
}

#[track_caller]
fn assert_near(got: &[f64], want: &[f64], relative: f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (got, want) in got.iter().zip(want) {
        assert!(
            close(*got, *want, relative, 0.0),
            "{what}: {got} and not {want}"
        );
    }
}

/// Models with new leaves end where the sum of squares is least, whatever the units of x and y are. The sums are the least
/// of forty runs of scipy's `least_squares`, from the leaves that the data were made with and from others around them. `U`
/// is the unit of a number in the model.
#[test]
fn models_of_many_kinds_are_fitted_without_a_start_in_any_unit() {
    for (at, (points, across, curve, noise, model, unit, squares)) in [
        (
            40,
            "0.25(i - 1)",
            "5*exp(-(x/2.2)^0.6) + 0.3",
            0.1,
            "A*exp(-(x/tau)^b) + c",
            "1",
            0.130_377_749_610_609_47,
        ),
        (
            25,
            "1e-9*10^((i - 1)/4)",
            "5 + (95 - 5)/(1 + (2e-06/x)^1.2)",
            2.0,
            "bot + (top - bot)/(1 + (K/x)^n)",
            "1",
            32.439_636_231_092_37,
        ),
        (
            30,
            "0.1 + 0.06(i - 1)",
            "24.6*1/(x - 0.043) - 3.6/x^2",
            2.0,
            "24.6*U/(x - b) - a/x^2",
            "S*T",
            37.678_501_179_485,
        ),
        (
            37,
            "10(i - 1)",
            "4*cos((x - 35)*pi/180/1)^2 + 0.3",
            0.1,
            "I0*cos((x - a)*pi/180/U)^2 + b",
            "S",
            0.125_783_231_848_246_25,
        ),
        (
            60,
            "20 + i/3",
            "100*(0.4/(1 + ((x - 31)/1.5)^2) + (1 - 0.4)*exp(-ln(2)*((x - 31)/1.5)^2)) + 5",
            1.0,
            "A*(f/(1 + ((x - m)/w)^2) + (1 - f)*exp(-ln(2)*((x - m)/w)^2)) + c",
            "1",
            20.341_694_406_640_308,
        ),
        (
            50,
            "2(i - 1)",
            "5*exp(-((x - 18)/4)^2) + 8*exp(-((x - 47)/6)^2) + 3*exp(-((x - 82)/5)^2) + 0.5",
            0.1,
            "A1*exp(-((x - m1)/s1)^2) + A2*exp(-((x - m2)/s2)^2) + A3*exp(-((x - m3)/s3)^2) + B",
            "1",
            0.169_275_822_400_961_34,
        ),
        (
            60,
            "(i - 1)/4",
            "2*sin(3.1*x + 0.7) + 1.6*sin(4.2*x + 2.1)",
            0.1,
            "A*sin(w*x + p) + B*sin(v*x + q)",
            "1",
            0.207_740_485_781_376_05,
        ),
        (
            30,
            "i",
            "10*exp(-6*exp(-0.25*x))",
            0.2,
            "a*exp(-b*exp(-k*x))",
            "1",
            0.403_031_345_482_624_1,
        ),
        (
            40,
            "0.3 + 0.07(i - 1)",
            "40/x^5/(exp(2.6/x) - 1)",
            0.02,
            "A/x^5/(exp(B/x) - 1)",
            "1",
            0.005_528_925_421_960_825,
        ),
        (
            40,
            "0.5(i - 1)",
            "6*exp(-1.1*x) + 3*exp(-0.15*x)",
            0.1,
            "a*exp(-k*x) + b*exp(-m*x)",
            "1",
            0.128_352_789_394_420_66,
        ),
        (
            30,
            "0.8(i - 1)",
            "10*1.2/(1.2 - 0.2)*(exp(-0.2*x) - exp(-1.2*x))",
            0.1,
            "D*ka/(ka - ke)*(exp(-ke*x) - exp(-ka*x))",
            "1",
            0.102_479_364_634_984_47,
        ),
        (
            60,
            "5 + i/6",
            "2*(1.8 + (x - 9.3)/0.6)^2/(1 + ((x - 9.3)/0.6)^2) + 1",
            0.1,
            "A*(q + (x - m)/g)^2/(1 + ((x - m)/g)^2) + B",
            "1",
            0.204_255_404_085_584_07,
        ),
        (
            60,
            "(i - 1)/8",
            "3*exp(-x/3)*cos(7*x + 0.4) + 0.2",
            0.05,
            "A*exp(-x/tau)*cos(w*x + p) + c",
            "1",
            0.051_838_166_502_052_02,
        ),
        (
            25,
            "280 + 4(i - 1)",
            "1000000000.0*exp(-50000.0/(8.314*1*x))",
            2.0,
            "A*exp(-E/(8.314*U*x))",
            "1/S",
            33.560_388_401_494_46,
        ),
        (
            20,
            "0.3i",
            "200*x/(1 + x)",
            5.0,
            "V*x/(K + x)",
            "1",
            164.514_507_881_681_2,
        ),
        (
            30,
            "0.7(i - 1)",
            "10/(1 + exp(-0.7*(x - 11))) + 1",
            0.1,
            "L/(1 + exp(-k*(x - m))) + c",
            "1",
            0.098_232_162_444_944_01,
        ),
        (
            50,
            "(i - 1)/5",
            "0.9*exp(-((x - 2.3)/0.5)^2) + 1.2*exp(-((x - 7.1)/0.5)^2)",
            0.02,
            "a*exp(-((x - u)/s)^2) + b*exp(-((x - v)/s)^2)",
            "1",
            0.006_749_766_948_621_897,
        ),
        (
            40,
            "0.6 + 0.085(i - 1)",
            "4.7*(1 - exp(-1.9*(x - 0.9)))^2",
            0.1,
            "D*(1 - exp(-a*(x - r)))^2",
            "1",
            0.132_003_266_359_786_96,
        ),
        (
            30,
            "i",
            "0.02*x^2.3 + 4",
            0.5,
            "a*x^n + c",
            "1",
            2.443_692_784_271_971,
        ),
        (
            60,
            "(i - 30.5)/3",
            "5*(sin(1*(x - 0.7))/(1*(x - 0.7)))^2 + 0.1",
            0.05,
            "M*(sin(w*(x - m))/(w*(x - m)))^2 + c",
            "1",
            0.051_245_243_576_528_73,
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let scaled = [[1e9, 1e-9], [1e-9, 1e9]][at % 2];
        for [x, y] in [[1.0, 1.0], scaled] {
            let mut desk = Desk::with(&[
                format!("const S, T = {x:e}, {y:e}"),
                format!("const U = {unit}"),
                format!("const i = 1..{points}"),
                format!("const x = [x.data for x in {across}]"),
                format!("const values = {curve} + {noise}*(((i - 1)*7919)%101 - 50)/50"),
                "const y, x = [v.data*T for v in values], [x*S for x in x]".to_string(),
            ]);
            let fit = desk.answer(&format!(":fit y ~ {model}"));
            let what = format!("{model} with x times {x} and y times {y}");
            let found = number(&fit["sum_of_squares"]) / (y * y);
            assert!(
                found < squares * (1.0 + 1e-6),
                "{what}: {found} for {squares}"
            );
        }
    }
}

/// The best sine through scattered points is infinitely high and wide, the best logistic curve begins infinitely far away,
/// and the best second exponential rises only at the last point. Nothing may move, however often the line is typed.
#[test]
fn leaves_that_run_away_are_named() {
    for (model, named) in [
        ("A*sin(w*x + phi)", "`A`, `w`, `phi`"),
        ("A*x/(x + b) + 0*w", "`w`"),
        ("a/(1 + exp(-(x - b)/c))", "`a`, `b`"),
        ("a/(1 + exp(-c*(x - b)))", "`a`, `b`"),
        ("a*exp(-b*x) + c*exp(-d*x)", "`c`, `d`"),
        ("a*exp(-((x - b)/c)^2)", "`a`, `b`, `c`"),
        ("a*atan(b*x) + c", "`a`, `b`"),
    ] {
        let mut desk = Desk::with(&["const x, y = [0, 1, 2, 3, 4, 5], [1, 2, 1.5, 3, 2, 4]"]);
        for _ in 0..2 {
            let error = desk.try_line(&format!(":fit y ~ {model}")).remove(0);
            let message = error
                .err()
                .unwrap_or_else(|| panic!("{model} was fitted"))
                .message;
            let is_named = message.contains(&format!(" {named} "));
            assert!(
                is_named && message.starts_with("the data "),
                "{model}: {message}"
            );
        }
        let leaf = desk.try_line("a; A; w").remove(0);
        assert!(leaf.is_err(), "{model} left a leaf behind");
    }
}

/// Powers of years depend on each other up to a part of 8e-9, but a model that is linear has a single best point.
#[test]
fn a_polynomial_in_years_is_determined() {
    let mut desk = Desk::with(&[
        "const t = 1990..2020",
        "const y = 5 + 0.3(t - 2000) - 0.02(t - 2000)^2 + 0.001(t - 2000)^3",
        ":fit y ~ a + b*t + c*t^2 + d*t^3",
    ]);
    assert_near(&[desk.value("d")], &[0.001], 1e-6, "the third power");
    let at_2007 = desk.value("a + b*2007 + c*2007^2 + d*2007^3");
    assert_near(
        &[at_2007],
        &[5.0 + 2.1 - 0.98 + 0.343],
        1e-6,
        "the year 2007",
    );
}

/// The numbers are those of scipy's `least_squares(..., bounds=...)`, with the ± of the leaves that no bound holds.
#[test]
fn leaves_stay_within_their_bounds() {
    let curve = "a*exp(-k*t) + c";
    let cubic = "p0 + p1*t + p2*t^2 + p3*t^3";
    for (model, bounds, squares, want) in [
        (
            curve,
            "c <= 0.9",
            0.055_844_067_098_301_683,
            &[
                (4.110_469_906_128_294, Some(0.081_320_96)),
                (0.273_990_159_076_385_9, Some(0.009_842_57)),
                (0.9, None),
            ][..],
        ),
        (
            curve,
            "k >= 0.3, c <= 0.7, k <= 0.2 + 0.2",
            0.383_174_165_667_702_74,
            &[
                (4.557_745_206_759_039, Some(0.157_805_63)),
                (0.3, None),
                (0.7, None),
            ],
        ),
        (
            curve,
            "k <= 0.2, c >= 1.5",
            2.105_427_340_494_166,
            &[
                (2.750_980_885_778_712_4, Some(0.321_517_22)),
                (0.2, None),
                (1.5, None),
            ],
        ),
        (
            cubic,
            "p0 >= 0, p1 >= 0, p2 >= 0, p3 >= 0",
            10.343_75,
            &[
                (2.8125, Some(0.429_778_81)),
                (0.0, None),
                (0.0, None),
                (0.0, None),
            ],
        ),
        (
            cubic,
            "p0 >= 0, p2 >= 0, p3 >= 0",
            0.076_309_523_809_523_52,
            &[
                (4.975, Some(0.103_973_63)),
                (-0.980_952_380_952_381, Some(0.069_388_53)),
                (0.072_619_047_619_047_6, Some(0.009_531_25)),
                (0.0, None),
            ],
        ),
    ] {
        let mut desk = Desk::with(&[
            "const t = 0..7",
            "const y = [5.1, 3.9, 3.3, 2.6, 2.35, 1.9, 1.75, 1.6]",
        ]);
        let fit = desk.answer(&format!(":fit y ~ {model} where {bounds}"));
        assert_eq!(fit["end"], "settled", "{bounds}");
        assert_near(&[number(&fit["sum_of_squares"])], &[squares], 1e-12, bounds);
        for (row, (value, sigma)) in rows(&fit).iter().zip(want) {
            let (got, node) = (number(&row["after"]), &row["node"]);
            assert!(close(got, *value, 1e-8, 1e-12), "{bounds}, {node}: {got}");
            assert_eq!(row["sigma"].is_null(), sigma.is_none(), "{bounds}, {node}");
            if let Some(sigma) = sigma {
                assert_near(&[number(&row["sigma"])], &[*sigma], 1e-6, bounds);
            }
        }
        // A leaf at its bound counts as frozen.
        let sigmas = |fit: &Value| {
            let each = rows(fit).iter().filter(|row| !row["sigma"].is_null());
            each.map(|row| number(&row["sigma"])).collect::<Vec<f64>>()
        };
        for row in rows(&fit).iter().filter(|row| row["sigma"].is_null()) {
            desk.line(&format!(
                ":freeze {}",
                row["node"].as_str().expect("a name")
            ));
        }
        let frozen = desk.answer(&format!(":fit y ~ {model}"));
        assert_near(&sigmas(&fit), &column(&frozen, "sigma"), 1e-6, bounds);
        assert_eq!(fit["freedom"], frozen["freedom"], "{bounds}");
    }
}

/// A line through points that count by their weights: intercept, slope, and the covariance for a variance of 1.
fn line_through(points: &[(f64, f64, f64)]) -> ([f64; 2], [f64; 3]) {
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|&(x, y, w)| w * of(x, y)).sum::<f64>();
    let (s, sx, sy) = (sum(&|_, _| 1.0), sum(&|x, _| x), sum(&|_, y| y));
    let (sxx, sxy) = (sum(&|x, _| x * x), sum(&|x, y| x * y));
    let det = s * sxx - sx * sx;
    let line = [(sxx * sy - sx * sxy) / det, (s * sxy - sx * sy) / det];
    (line, [sxx / det, -sx / det, s / det])
}

#[test]
fn a_line_is_that_of_the_closed_form() {
    let mut random = Random(5);
    for round in 0..40 {
        let count = 3 + random.below(30);
        let scale = 10_f64.powf(random.unit() * 12.0 - 6.0);
        let points: Vec<(f64, f64, f64)> = (0..count)
            .map(|_| {
                let x = 20.0 * random.unit() - 10.0;
                (
                    x,
                    scale * (3.0 - 0.7 * x + random.unit()),
                    0.1 + random.unit(),
                )
            })
            .collect();
        let list = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
            let each = points.iter().map(|point| format!("{:e}", of(point)));
            each.collect::<Vec<_>>().join(", ")
        };
        let mut desk = Desk::with(&[
            format!("const x = [{}]", list(&|point| point.0)),
            format!("const y = [{}]", list(&|point| point.1)),
            format!("const s = [{}]", list(&|point| point.2)),
        ]);
        let plain: Vec<_> = points.iter().map(|&(x, y, _)| (x, y, 1.0)).collect();
        let ([a, b], covariance) = line_through(&plain);
        let squares: f64 = plain.iter().map(|(x, y, _)| (y - a - b * x).powi(2)).sum();
        let freedom = (count - 2) as f64;
        let variance = squares / freedom;
        let mean = plain.iter().map(|it| it.1).sum::<f64>() / count as f64;
        let total: f64 = plain.iter().map(|it| (it.1 - mean).powi(2)).sum();
        let fit = desk.answer(":fit y ~ a + b*x");
        let what = format!("round {round}");
        assert_near(&column(&fit, "before"), &[1.0, 1.0], 0.0, &what);
        assert_near(&column(&fit, "after"), &[a, b], 1e-9, &what);
        let sigma = [
            (variance * covariance[0]).sqrt(),
            (variance * covariance[2]).sqrt(),
        ];
        assert_near(&column(&fit, "sigma"), &sigma, 1e-8, &what);
        let correlation = covariance[1] / (covariance[0] * covariance[2]).sqrt();
        let facts = [
            ("sum_of_squares", squares),
            ("rms", (squares / count as f64).sqrt()),
            ("r2", 1.0 - squares / total),
            ("points", count as f64),
            ("freedom", freedom),
        ];
        for (key, want) in facts {
            assert!(close(number(&fit[key]), want, 1e-8, 0.0), "{what}: {key}");
        }
        let matrix = [[1.0, correlation], [correlation, 1.0]];
        for (row, want) in matrix.iter().enumerate() {
            for (column, want) in want.iter().enumerate() {
                let got = number(&fit["correlations"][row][column]);
                assert!(
                    close(got, *want, 1e-8, 1e-9),
                    "{what}: {got} and not {want}"
                );
            }
        }
        assert_eq!(
            (&fit["chi2"], &fit["scatter"]),
            (&Value::Null, &Value::Bool(true))
        );

        // With uncertainties, typed or those of the leaves of y: absolute.
        let weighted: Vec<_> = points.iter().map(|&(x, y, s)| (x, y, s.powi(-2))).collect();
        let ([a, b], covariance) = line_through(&weighted);
        let chi2: f64 = weighted
            .iter()
            .map(|(x, y, w)| w * (y - a - b * x).powi(2))
            .sum();
        desk.line(&format!("z = [{}] ± s", list(&|point| point.1)));
        for line in [
            ":fit y ± s ~ a + b*x",
            ":fit z ~ a + b*x",
            ":fit 3z + 1 ~ 3(a + b*x) + 1",
        ] {
            let fit = desk.answer(line);
            assert_near(&column(&fit, "after"), &[a, b], 1e-8, line);
            let sigma = [covariance[0].sqrt(), covariance[2].sqrt()];
            assert_near(&column(&fit, "sigma"), &sigma, 1e-8, line);
            assert!(
                close(number(&fit["chi2"]), chi2, 1e-7, 0.0),
                "{line}: {fit}"
            );
            assert_eq!(fit["scatter"], Value::Bool(false));
        }
    }
}

/// The minimum of the sum of squared residuals near a point, by Newton's method with difference quotients.
fn least_squares(residuals: impl Fn([f64; 2]) -> Vec<f64>, start: [f64; 2]) -> [f64; 2] {
    let sum = |[a, b]: [f64; 2]| -> f64 { residuals([a, b]).iter().map(|r| r * r).sum() };
    let h = 2e-4;
    let mut at = start;
    for _ in 0..30 {
        let [a, b] = at;
        let by_a = (sum([a + h, b]) - sum([a - h, b])) / (2.0 * h);
        let by_b = (sum([a, b + h]) - sum([a, b - h])) / (2.0 * h);
        let twice = |one: f64, other: f64| (one + other - 2.0 * sum(at)) / (h * h);
        let aa = twice(sum([a + h, b]), sum([a - h, b]));
        let bb = twice(sum([a, b + h]), sum([a, b - h]));
        let mixed = sum([a + h, b + h]) + sum([a - h, b - h]);
        let ab = (mixed - sum([a + h, b - h]) - sum([a - h, b + h])) / (4.0 * h * h);
        let determinant = aa * bb - ab * ab;
        at = [
            a - (bb * by_a - ab * by_b) / determinant,
            b - (aa * by_b - ab * by_a) / determinant,
        ];
    }
    at
}

/// The `±` of constants move the leaves: compared with fits beside the constants' values.
#[test]
fn uncertain_constants_count_in_the_uncertainties_of_leaves() {
    const T: [f64; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    const Y: [f64; 6] = [5.3, 2.1, 2.3, 0.4, 1.1, 0.2];
    type Residual = fn(leaves: [f64; 2], constants: &[f64], t: f64, y: f64) -> f64;
    // The constants, the fit, its residual, and the words about the ±.
    let cases: [(&str, &str, Residual, &str); 7] = [
        (
            "const g = 2 ± 0.3",
            ":fit y ± 0.1 ~ a + b*t^2 + g*t",
            |[a, b], c, t, y| (a + b * t * t + c[0] * t - y) / 0.1,
            "; ± from those of the data and of g",
        ),
        (
            "const g = 2 ± 0.3",
            ":fit y ~ a + b*t + g*t^2",
            |[a, b], c, t, y| a + b * t + c[0] * t * t - y,
            "; ± from the scatter and those of g",
        ),
        (
            "const g, k = 0.5 ± 0.1, 3 ± 0.2",
            ":fit y ± 0.5 ~ a*exp(-g*t) + b*k*t",
            |[a, b], c, t, y| (a * (-c[0] * t).exp() + b * c[1] * t - y) / 0.5,
            "; ± from those of the data and of g and k",
        ),
        // Curved in the leaves, with large residuals.
        (
            "const g = 0.5 ± 0.1",
            ":fit y ~ a*exp(-b*g*t) + g",
            |[a, b], c, t, y| a * (-b * c[0] * t).exp() + c[0] - y,
            "; ± from the scatter and those of g",
        ),
        (
            "const g = 1.5 ± 0.2",
            ":fit ln(y)/g ± 0.1 ~ a*exp(-b*t) - g",
            |[a, b], c, t, y| (a * (-b * t).exp() - c[0] - y.ln() / c[0]) / 0.1,
            "; ± from those of the data and of g",
        ),
        // Only the data depend on it.
        (
            "const g = 1.5 ± 0.2",
            ":fit y^g ~ a*exp(-b*t)",
            |[a, b], c, t, y| a * (-b * t).exp() - y.powf(c[0]),
            "; ± from the scatter and those of g",
        ),
        // The weights move with g.
        (
            "const g, t = 0.5 ± 0.1, [0, 1, 2, 3, 4, 5] ± 0.2",
            ":fit s ~ a*exp(-b*g*t)",
            |[a, b], c, t, y| {
                let model = a * (-b * c[0] * t).exp();
                (model - y) / f64::hypot(0.5, 0.2 * b * c[0] * model)
            },
            "; ± from those of the data and of g; the weights count the ± of t",
        ),
    ];
    for (typed, line, residual, words) in cases {
        let mut desk = Desk::with(&[
            "const t = [0, 1, 2, 3, 4, 5]",
            "const y = [5.3, 2.1, 2.3, 0.4, 1.1, 0.2]",
            "const s = [5.3, 2.1, 2.3, 0.4, 1.1, 0.2] ± 0.5",
            "a, b = 4, 0.6",
            typed,
        ]);
        let (mut at, mut widths) = (vec![], vec![]);
        for name in ["g"]
            .into_iter()
            .chain(typed.contains("g, k =").then_some("k"))
        {
            let value = desk
                .session
                .names()
                .find(name)
                .expect("it is bound")
                .clone();
            for node in value.nodes() {
                at.push(node.data());
                widths.push(desk.session.names().uncertain.width(node).unwrap_or(0.0));
            }
        }
        let all = |leaves: [f64; 2], constants: &[f64]| -> Vec<f64> {
            let points = T.iter().zip(Y);
            points
                .map(|(&t, y)| residual(leaves, constants, t, y))
                .collect()
        };
        let screen = desk.screen(line);
        let words_on_screen = screen.replace("\n  ", " ");
        assert!(words_on_screen.contains(words), "{line}: {screen}");
        let start = ["a", "b"].map(|name| desk.value(name));
        let ends = |constants: &[f64]| least_squares(|leaves| all(leaves, constants), start);
        let [a, b] = ends(&at);
        let h = 1e-5;
        let slopes = |one: Vec<f64>, other: Vec<f64>| -> Vec<f64> {
            let pairs = one.iter().zip(other);
            pairs
                .map(|(one, other)| (one - other) / (2.0 * h))
                .collect()
        };
        let by_a = slopes(all([a + h, b], &at), all([a - h, b], &at));
        let by_b = slopes(all([a, b + h], &at), all([a, b - h], &at));
        let dot = |u: &[f64], v: &[f64]| -> f64 { u.iter().zip(v).map(|(u, v)| u * v).sum() };
        let [aa, ab, bb] = [(&by_a, &by_a), (&by_a, &by_b), (&by_b, &by_b)].map(|(u, v)| dot(u, v));
        let rest = all([a, b], &at);
        let scatter = if words.contains("scatter") {
            dot(&rest, &rest) / 4.0
        } else {
            1.0
        };
        let unit = scatter / (aa * bb - ab * ab);
        let mut covariance = [bb * unit, -ab * unit, aa * unit];
        for (place, width) in widths.iter().enumerate() {
            let moved = |by: f64| {
                let mut constants = at.clone();
                constants[place] += by;
                ends(&constants)
            };
            let (above, below) = (moved(1e-3), moved(-1e-3));
            let [a, b] = [0, 1].map(|leaf| (above[leaf] - below[leaf]) / 2e-3 * width);
            for (entry, more) in covariance.iter_mut().zip([a * a, a * b, b * b]) {
                *entry += more;
            }
        }
        let [aa, ab, bb] = covariance;
        let fit = desk.answer(line);
        assert_near(&column(&fit, "after"), &[a, b], 1e-5, line);
        assert_near(&column(&fit, "sigma"), &[aa.sqrt(), bb.sqrt()], 1e-4, line);
        let correlation = number(&fit["correlations"][0][1]);
        assert_near(&[correlation], &[ab / (aa * bb).sqrt()], 1e-4, line);
    }
}

/// The `±` of x counts in the weights by the slope of the model, which moves with the leaves: compared with scipy's
/// `least_squares` of the same residuals, and for Pearson's data with York's weights with the known line and the ± of
/// scipy's `odr`.
#[test]
fn errors_in_x_count_in_the_weights() {
    const X: [f64; 10] = [0.0, 0.9, 1.8, 2.6, 3.3, 4.4, 5.2, 6.1, 6.5, 7.4];
    const Y: [f64; 10] = [5.9, 5.4, 4.4, 4.6, 3.5, 3.7, 2.8, 2.8, 2.4, 1.5];
    // Model less data and its slope by x at a point.
    type Sides = fn(leaves: [f64; 2], x: f64, y: f64) -> [f64; 2];
    let line: Sides = |[a, b], x, y| [a + b * x - y, b];
    let decay: Sides = |[a, b], x, y| {
        let model = a * (-b * x).exp();
        [model - y, -b * model]
    };
    // The data depend on x, too.
    let both: Sides = |[a, b], x, y| [a + b * x * x - y - x, 2.0 * b * x - 1.0];
    let york = [5.479_910_224, -0.480_533_407];
    for (typed, fit, sides, want) in [
        ("", ":fit y ± sy ~ a + b*x", line, york),
        (":set y ± sy", ":fit y ~ a + b*x", line, york),
        (
            ":set y ± sy",
            ":fit y ~ a*exp(-b*x)",
            decay,
            [6.192_411_41, 0.144_264_19],
        ),
        (
            ":set y ± sy",
            ":fit y + x ~ a + b*x^2",
            both,
            [6.778_783_02, 0.047_868_6],
        ),
        (
            "",
            ":fit y ± sy ~ a*exp(-b*x)",
            decay,
            [6.192_411_41, 0.144_264_19],
        ),
    ] {
        let mut desk = Desk::with(&[
            format!("const x, y = {X:?}, {Y:?}"),
            "const wx = [1000, 1000, 500, 800, 200, 80, 60, 20, 1.8, 1]".to_string(),
            "const wy = [1, 1.8, 4, 8, 20, 20, 70, 70, 100, 500]".to_string(),
            "const sx, sy = 1/sqrt(wx), 1/sqrt(wy)".to_string(),
            ":set x ± sx".to_string(),
            typed.to_string(),
        ]);
        let widths = ["sx", "sy"].map(|name| {
            let value = desk.session.names().find(name).expect("it is bound");
            let nodes = value.nodes().iter();
            nodes.map(|node| node.data()).collect::<Vec<f64>>()
        });
        let points = |leaves: [f64; 2]| -> Vec<[f64; 2]> {
            let point = |at: usize| {
                let [off, slope] = sides(leaves, X[at], Y[at]);
                let width = f64::hypot(widths[1][at], slope * widths[0][at]);
                [off / width, width]
            };
            (0..10).map(point).collect()
        };
        let residuals =
            |leaves: [f64; 2]| -> Vec<f64> { points(leaves).iter().map(|[off, _]| *off).collect() };
        let found = desk.answer(fit);
        let after = column(&found, "after");
        assert_near(&after, &want, 2e-6, fit);
        let [a, b] = [after[0], after[1]];
        let h = 1e-5;
        let slopes = |one: [f64; 2], other: [f64; 2]| -> Vec<f64> {
            let (one, other) = (residuals(one), residuals(other));
            let pairs = one.iter().zip(other);
            pairs
                .map(|(one, other)| (one - other) / (2.0 * h))
                .collect()
        };
        let by = [
            slopes([a + h, b], [a - h, b]),
            slopes([a, b + h], [a, b - h]),
        ];
        let dot = |u: &[f64], v: &[f64]| -> f64 { u.iter().zip(v).map(|(u, v)| u * v).sum() };
        let [aa, ab, bb] = [(0, 0), (0, 1), (1, 1)].map(|(u, v)| dot(&by[u], &by[v]));
        let unit = aa * bb - ab * ab;
        let sigmas = [(bb / unit).sqrt(), (aa / unit).sqrt()];
        assert_near(&column(&found, "sigma"), &sigmas, 1e-6, fit);
        let points = points([a, b]);
        let chi2: f64 = points.iter().map(|[off, _]| off * off).sum();
        let weights: f64 = points.iter().map(|[_, width]| 2.0 * width.ln()).sum();
        let got = ["chi2", "aic"].map(|key| number(&found[key]));
        assert_near(&got, &[chi2, chi2 + weights + 4.0], 1e-8, fit);
        if fit.contains("a + b*x") && !fit.contains("x^2") {
            assert_near(&after, &york, 1e-8, fit);
            let sigmas = column(&found, "sigma");
            assert_near(&sigmas, &[0.294_970_7, 0.057_985_0], 1e-6, fit);
            let got = [chi2, number(&found["p"])];
            assert_near(&got, &[11.866_353_2, 0.157_267_2], 1e-6, fit);
        }
    }
}

/// A problem of NIST's reference sets.
struct Reference<'t> {
    name: &'t str,
    /// The lines that begin with each word.
    lines: HashMap<&'t str, Vec<&'t str>>,
}

impl Reference<'_> {
    fn all() -> Vec<Reference<'static>> {
        let text = include_str!("reference/nist.txt");
        let problem = |part: &'static str| {
            let mut lines: HashMap<&str, Vec<&str>> = HashMap::new();
            let mut part = part.lines();
            let name = part.next().expect("a problem has a name");
            for line in part {
                let (word, rest) = line.split_once(' ').expect("a word and the rest");
                lines.entry(word).or_default().push(rest);
            }
            Reference { name, lines }
        };
        text.trim().split("\n\n").skip(1).map(problem).collect()
    }

    fn numbers(&self, word: &str) -> Vec<f64> {
        let text = self.lines[word][0].split(' ');
        text.map(|number| number.parse().expect("a number"))
            .collect()
    }
}

#[test]
fn the_certified_values_of_nist_are_found_from_both_starts() {
    let problems = Reference::all();
    assert_eq!(problems.len(), 27);
    for problem in problems {
        let starts = &problem.lines["start"];
        assert_eq!(starts.len(), 2, "{}", problem.name);
        for start in starts {
            let mut desk = Desk::default();
            for column in ["x", "x1", "x2", "y"] {
                if let Some(numbers) = problem.lines.get(column) {
                    desk.line(&format!(
                        "const {column} = [{}]",
                        numbers[0].replace(' ', ", ")
                    ));
                }
            }
            let count = start.split(' ').count();
            let names: Vec<String> = (1..=count).map(|at| format!("b{at}")).collect();
            desk.line(&format!(
                "{} = {}",
                names.join(", "),
                start.replace(' ', ", ")
            ));
            let fit = desk.answer(&format!(":fit {}", problem.lines["fit"][0]));
            let what = format!("{} from {start}", problem.name);
            assert_eq!(fit["end"], "settled", "{what}");
            assert_near(
                &column(&fit, "after"),
                &problem.numbers("certified"),
                1e-9,
                &what,
            );
            // The residuals of Lanczos1 are 1e-13 of its data: rounding takes most of their digits.
            let digits = if problem.name == "Lanczos1" {
                1e-2
            } else {
                1e-9
            };
            assert_near(
                &column(&fit, "sigma"),
                &problem.numbers("deviations"),
                digits,
                &what,
            );
            let squares = [number(&fit["sum_of_squares"])];
            assert_near(&squares, &problem.numbers("squares"), digits, &what);
        }
    }
}

/// A wave fits equally well with the other sign of its amplitude and half a turn more.
#[test]
fn amplitudes_are_positive_and_phases_small() {
    let fitted = |wave: &str, start: [f64; 2], options: &str| {
        let mut desk = Desk::with(&[
            "const t = [0.1k for k in 0..99]",
            "const y = [y.data for y in 2*exp(-0.2t)*cos(2pi*0.87*t + 2.6) + 0.01*sin(37*t)]",
        ]);
        let [amplitude, phase] = start;
        desk.line(&format!("A, g, f, p = {amplitude}, 0.2, 0.87, {phase}"));
        let fit = desk.answer(&format!(":fit y ~ A*exp(-g*t)*{wave}{options}"));
        assert_eq!(fit["end"], "settled");
        column(&fit, "after")
    };
    let radians = "cos(2pi*f*t + p)";
    let turn = std::f64::consts::TAU;
    for (wave, start, options, want) in [
        (radians, [1.0, 2.0], "", [2.0, 2.6]),
        (radians, [1.0, -0.5], "", [2.0, 2.6]),
        (radians, [1.0, 9.0], "", [2.0, 2.6]),
        (radians, [1.0, -20.0], "", [2.0, 2.6]),
        // Who begins with a negative amplitude wants one.
        (radians, [-1.0, -0.5], "", [-2.0, 2.6 - turn / 2.0]),
        (radians, [-1.0, 6.0], "", [-2.0, 2.6 - turn / 2.0]),
        (radians, [1.0, 9.0], " where p >= 5", [2.0, 2.6 + turn]),
        ("cos(2pi*(f*t + p))", [1.0, -0.1], "", [2.0, 2.6 / turn]),
        (
            "cos(2pi*(f*t + p/360))",
            [1.0, 700.0],
            "",
            [2.0, 2.6 / turn * 360.0],
        ),
    ] {
        let found = fitted(wave, start, options);
        assert_near(&[found[0], found[3]], &want, 0.01, wave);
        assert_near(&[found[2]], &[0.87], 0.001, "the frequency");
    }
    // At whole numbers, a frequency of 0.87 cannot be told from one of -0.13, but it is no phase.
    let mut desk = Desk::with(&[
        "const t = 0..40",
        "const y = [y.data for y in 2*cos(2pi*0.87*t + 0.4) + 0.01*sin(37*t)]",
        "A, f, p = 1, 0.868, 0.3",
    ]);
    let found = column(&desk.answer(":fit y ~ A*cos(2pi*f*t + p)"), "after");
    assert_near(&found, &[2.0, 0.87, 0.4], 0.02, "a frequency");
}

/// The criterion for few points is that of statsmodels' `aicc` with one parameter more, for the scatter.
#[test]
fn few_points_have_their_own_criterion() {
    let mut desk =
        Desk::with(&["const x, y = [1, 2, 3, 4, 5, 6], [2.1, 3.9, 6.2, 7.8, 10.1, 12.9]"]);
    let fit = desk.answer(":fit y ~ a + b*x");
    let (n, k) = (6.0, 3.0);
    let aic = n * (number(&fit["sum_of_squares"]) / n).ln() + 2.0 * k;
    let want = aic + 2.0 * k * (k + 1.0) / (n - k - 1.0);
    assert_near(&[number(&fit["aicc"])], &[want], 1e-12, "AICc");
    assert!(fit["aic"].is_null());
    let fit = desk.answer(":fit y ± 0.3 ~ a + b*x");
    assert_near(
        &[number(&fit["aic"])],
        &[number(&fit["chi2"]) + 4.0],
        1e-12,
        "AIC",
    );
    assert!(fit["aicc"].is_null());
    for line in [
        ":fit y ~ c0 + c1*x + c2*x^2 + c3*x^3",
        ":fit y ± 0.3 ~ c0 + c1*x + c2*x^2 + c3*x^3 + c4*x^4 + c5*x^5",
    ] {
        let fit = desk.answer(line);
        assert!(fit["aic"].is_null() && fit["aicc"].is_null(), "{line}");
    }
}

/// Data with uncertainties have error bars, and residuals in units of these.
#[test]
fn the_picture_has_error_bars() {
    let mut desk = Desk::with(&[
        "const x, y = [1, 2, 3, 4], [2.1, 3.9, 6.2, 7.8]",
        "a, b = 1, 1",
    ]);
    let plot = desk.plot(":fit y ± [0.1, 0.4, 0.2, 0.6] ~ a + b*x plot");
    assert_eq!(plot.curves[0].deviations, [0.1, 0.4, 0.2, 0.6]);
    let bars: Vec<_> = plot.curves[0]
        .error_bars((Scale::Linear, Scale::Linear))
        .collect();
    assert_eq!(bars[3], [(4.0, 7.8 - 0.6), (4.0, 7.8 + 0.6)]);
    let below = plot.below.as_deref().expect("residuals");
    assert_eq!(below.curves[0].label, "residuals/σ");
    let names = desk.session.names();
    let [a, b] = ["a", "b"].map(|name| names.find_node(name).expect("a leaf").data());
    let (_, last) = below.curves[0].points[3];
    assert!((last - (7.8 - a - 4.0 * b) / 0.6).abs() < 1e-12, "{last}");
    let drawn = view::picture(&Picture::Plot(plot), "svg", &Style::default());
    let (svg, _) = drawn.expect("a picture");
    let wide = svg.matches("stroke-width=\"1.5\"").count();
    assert!(wide > 0, "{svg}");
}

/// Lists with `±` have error bars, computed ones to first order; a number without `±` has none.
#[test]
fn lists_have_error_bars() {
    let mut desk = Desk::with(&[
        "const x = [1, 2, 3]",
        "y = [5, 4, 9] ± [0.5, 0, 2]",
        "m = 3",
    ]);
    let dots = desk.plot(":plot y, y^2/2, m over x");
    assert_eq!(dots.curves[0].deviations, [0.5, 0.0, 2.0]);
    let bars: Vec<_> = dots.curves[0]
        .error_bars((Scale::Linear, Scale::Linear))
        .collect();
    assert_eq!(bars, [[(1.0, 4.5), (1.0, 5.5)], [(3.0, 7.0), (3.0, 11.0)]]);
    assert_eq!(dots.curves[1].deviations, [2.5, 0.0, 18.0]);
    assert_eq!(
        dots.curves[2]
            .error_bars((Scale::Linear, Scale::Linear))
            .count(),
        0
    );
    // Points without a place have no bar, and classes keep the bars of their own points.
    let gap = desk.plot(":plot y over ln(x - 1)");
    assert_eq!(
        gap.curves[0]
            .error_bars((Scale::Linear, Scale::Linear))
            .count(),
        1
    );
    let classes = desk.plot(":plot t t=0..4 with x, y, [1, 2, 2]");
    assert_eq!(classes.curves[2].deviations, [0.0, 2.0]);
    let screen = desk.screen(":plot y over x size 40x12");
    let above = |text: &str| {
        text.lines()
            .position(|row| row.contains('•') && !row.starts_with('y'))
    };
    assert!(
        above(&screen) > Some(1),
        "the bar of 9 ± 2 goes up to 11: {screen}"
    );
    desk.line(":set y ± 0;");
    let without = desk.plot(":plot y over x");
    assert_eq!(
        without.curves[0]
            .error_bars((Scale::Linear, Scale::Linear))
            .count(),
        0
    );
}

/// The band around the curve follows from scipy's covariance with its correlations; `scipy.optimize.curve_fit` gave the
/// numbers, and g·C·g with the derivatives by hand.
#[test]
fn the_band_is_that_of_the_covariance() {
    let mut desk = Desk::with(&[
        "const t = [0, 1, 2, 3, 4, 5, 6, 8]",
        "const y = [3.02, 2.11, 1.44, 1.06, 0.71, 0.52, 0.36, 0.19]",
        "A, k, c = 3, 0.4, 0.1",
    ]);
    for (line, wanted) in [
        (
            ":fit y ~ A*exp(-k*t) + c a.svg",
            [0.019_241_755, 0.015_725_340],
        ),
        (
            ":fit y ± 0.05 ~ A*exp(-k*t) + c a.svg",
            [0.046_572_020, 0.038_061_022],
        ),
        // Without a list that it is a function of, at each point.
        (
            ":fit y ± 0.05 ~ A*exp(-k*[k for k in t]) + c + 0*sum(t) a.svg",
            [0.046_572_020, 0.038_061_022],
        ),
    ] {
        let plot = desk.plot(line);
        let [dots, curve] = &plot.curves[..] else {
            panic!("data and curve")
        };
        assert!(dots.has_dots && curve.deviations.len() == curve.points.len());
        let ends = [
            curve.deviations[0],
            curve.deviations[curve.deviations.len() - 1],
        ];
        for (found, wanted) in ends.into_iter().zip(wanted) {
            assert!(close(found, wanted, 1e-5, 0.0), "{line}: {found} {wanted}");
        }
        assert_eq!(curve.band((Scale::Linear, Scale::Linear)).len(), 1);
    }
    let svg = desk.drawn_file(":fit y ± 0.05 ~ A*exp(-k*t) + c a.svg", &Style::default());
    let svg = String::from_utf8(svg).expect("SVG is text");
    for words in [
        "A = 2.987 ± 0.067",
        "k = 0.366 ± 0.022",
        "c = 0.032 ± 0.064",
        "±1σ",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    // The curve lies above the data.
    let place = |class: &str| svg.find(&format!("class=\"{class}\"")).expect("a group");
    assert!(place("dots") < place("curve"));
    let plain = desk.plot(":fit y ~ A*exp(-k*t) + c a.svg plain logx title \"b.png\" size 300x200");
    assert!(plain.remarks.is_empty() && plain.curves[1].deviations.is_empty());
    assert!(plain.across_scale.is_logarithmic() && !plain.up_scale.is_logarithmic());
    let size = plain.size.map(|size| [size.width, size.height]);
    assert_eq!(
        (plain.title.as_deref(), size),
        (Some("b.png"), Some([300.0, 200.0]))
    );
    assert_eq!(plain.range, (1.0, 8.0));
    let error = desk.error(":fit y ~ A*exp(-k*t) + c a.svg logx size 3x3");
    assert!(error.message.contains("is not a size"), "{error:?}");
}

/// With `level 95`, the band and the numbers of a picture are half widths of 95 %: the quantile of t with 6 degrees of freedom
/// is 2.446911851 (scipy).
#[test]
fn the_level_reaches_the_picture() {
    let mut desk = Desk::with(&[
        "const x, y = [1, 2, 3, 4, 5, 6, 7, 8], [0.3, 0.6, 0.7, 1.1, 1.2, 1.6, 1.7, 2.1]",
    ]);
    let height = |plot: &Plot| {
        let [upper, lower] = &plot.curves[1].band((Scale::Linear, Scale::Linear))[0];
        upper[7].1 - lower[7].1
    };
    let usual = height(&desk.plot(":fit y ~ a + b*x a.svg"));
    let wide = height(&desk.plot(":fit y ~ a + b*x a.svg level 95"));
    assert!(
        close(wide, 2.446_911_851 * usual, 1e-9, 0.0),
        "{wide} {usual}"
    );
    let svg = desk.drawn_file(":fit y ~ a + b*x a.svg level 95", &Style::default());
    let svg = String::from_utf8(svg).expect("SVG is text");
    for words in [
        "a = 0.043 ± 0.15 (95 %)",
        "b = 0.249 ± 0.030 (95 %)",
        ">95 %<",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    assert!(!svg.contains("±1σ"));
    let csv = desk.drawn_file(":fit y ~ a + b*x a.csv level 95", &Style::default());
    let csv = String::from_utf8(csv).expect("it is text");
    assert!(
        csv.starts_with("x,y,a + b*x,a + b*x sigma,"),
        "the table keeps deviations"
    );
}

/// A fit is doubtful only if an F test at 5 % finds it no better than a constant. The critical values of F are those of scipy's
/// `f.ppf(0.95, 1, n)`: 161.45, 10.128, 5.3177 and 4.4139 for 1, 3, 8 and 18.
#[test]
fn a_fit_is_doubtful_if_it_is_no_better_than_a_constant() {
    for (count, critical) in [(5_u32, 10.128), (10, 5.3177), (20, 4.4139)] {
        for (factor, end) in [(0.9, "doubtful"), (1.1, "settled")] {
            // An exponential curve with noise that is orthogonal to it and to a constant, of a size that gives this F.
            let xs: Vec<f64> = (0..count).map(f64::from).collect();
            let curve: Vec<f64> = xs.iter().map(|x| (-0.01 * x).exp()).collect();
            let mean = curve.iter().sum::<f64>() / f64::from(count);
            let explained: f64 = curve.iter().map(|y| (y - mean).powi(2)).sum();
            let wave: Vec<f64> = xs
                .iter()
                .map(|x| if x % 2.0 == 0.0 { 1.0 } else { -1.0 })
                .collect();
            let noise = orthogonal(&wave, &[vec![1.0; xs.len()], curve.clone(), xs.clone()]);
            let length: f64 = noise.iter().map(|it| it * it).sum();
            let freedom = f64::from(count - 2);
            let scale = (explained * freedom / (factor * critical) / length).sqrt();
            let ys: Vec<f64> = curve
                .iter()
                .zip(&noise)
                .map(|(y, it)| y + scale * it)
                .collect();
            let mut desk = Desk::with(&[&format!("const x, y = {xs:?}, {ys:?}")]);
            let json = desk.json(":fit y ~ a*exp(-k*x)");
            let wanted = format!("\"end\":\"{end}\"");
            assert!(json.contains(&wanted), "{count} points, {factor}: {json}");
        }
    }
}

/// The part of a list that is orthogonal to these.
fn orthogonal(list: &[f64], others: &[Vec<f64>]) -> Vec<f64> {
    let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut rest = list.to_vec();
    for vector in others.iter().map(Vec::as_slice).chain([list]) {
        rest = vector.to_vec();
        for known in &basis {
            let part = dot(&rest, known) / dot(known, known);
            rest.iter_mut()
                .zip(known)
                .for_each(|(it, along)| *it -= part * along);
        }
        basis.push(rest.clone());
    }
    rest
}

/// The horizontal axis is the list that the model names, computed or not, or the list after `over`; the model is drawn along
/// it wherever it is. A model of several lists is drawn over its own values, and never as a line that goes to and fro.
#[test]
fn the_axis_of_a_picture_is_the_list_in_the_model() {
    let mut desk = Desk::with(&[
        "const c = [0, 20, 50, 90, 140]",
        "T = c + 273.15",
        "x = 1000/T",
        "h = T/100",
        "const y = [4.1, 3.3, 2.6, 1.7, 1.1]",
        "const w, k = [2, 1, 4, 3, 5], [0, 1, 0, 1, 0]",
        "p0, p1 = 1, 1",
        "m = p0 + p1*x",
        "def grow(r):\n    n, out = 4, []\n    for i in range(5):\n        out.append(n)\n        n = n*r\n    return out\n",
    ]);
    let inverse = |c: f64| 1000.0 / (c + 273.15);
    let celsius = [0.0, 20.0, 50.0, 90.0, 140.0];
    let (over_x, over_t) = (celsius.map(inverse), celsius.map(|c| c + 273.15));
    let points = [0.0, 1.0, 2.0, 3.0, 4.0];
    // The fit, the name of the axis, the places of the points, and whether the curve is one line.
    for (fit, name, places, is_line) in [
        ("a + b*x", "x", Some(over_x), true),
        ("a + b*x + d*x^2", "x", Some(over_x), true),
        ("a + b*T", "T", Some(over_t), true),
        ("a + b*x over T", "T", Some(over_t), true),
        ("a + b*x over c", "c", Some(celsius), true),
        ("a + b*x over 1000/T", "1000/T", Some(over_x), true),
        ("m wrt p0, p1", "fitted y", None, true),
        ("a*h^b*w^d", "fitted y", None, true),
        (
            "a*h^b*w^d over h",
            "h",
            Some(over_t.map(|t| t / 100.0)),
            false,
        ),
        ("a + b*(x - mean(x))", "x", Some(over_x), true),
        ("v[k] + b*x", "x", Some(over_x), true),
        ("grow(r)", "point", Some(points), true),
        ("grow(r) over c", "c", Some(celsius), true),
        ("a", "point", Some(points), true),
    ] {
        desk.reply("r = 0.8");
        desk.reply("v = [1, 2]");
        let plot = desk.plot(&format!(":fit y ~ {fit} a.svg"));
        let (dots, curves): (Vec<&Curve>, Vec<&Curve>) =
            plot.curves.iter().partition(|curve| curve.has_dots);
        assert_eq!(plot.across, name, "{fit}");
        let of_model = |at: &(f64, f64)| curves[0].points.contains(at);
        let mut found: Vec<(f64, f64)> = dots.iter().flat_map(|it| it.points.clone()).collect();
        found.sort_by(|one, other| other.1.total_cmp(&one.1));
        for (at, (across, _)) in found.iter().enumerate() {
            match places {
                Some(places) => assert!(close(*across, places[at], 1e-14, 0.0), "{fit}: {across}"),
                None => assert!(of_model(&(*across, *across)), "{fit}: no diagonal"),
            }
        }
        assert_eq!(
            curves.iter().all(|it| it.breaks.is_empty()),
            is_line,
            "{fit}"
        );
    }
    // The curve and its band are those of the computed list: y = a + b/T, with the covariance of a straight line.
    let plot = desk.plot(":fit y ~ a + b*x a.svg");
    let (a, b) = (desk.value("a"), desk.value("b"));
    let curve = &plot.curves[1];
    assert!(curve.points.len() > 100);
    for (x, y) in &curve.points {
        assert!(close(*y, a + b * x, 1e-12, 0.0), "{x} {y}");
    }
    let mean = over_x.iter().sum::<f64>() / 5.0;
    let spread: f64 = over_x.iter().map(|x| (x - mean).powi(2)).sum();
    let residuals = plot.below.as_deref().expect("residuals").curves[0]
        .points
        .clone();
    let variance = residuals.iter().map(|(_, it)| it * it).sum::<f64>() / 3.0;
    for ((x, _), sigma) in curve.points.iter().zip(&curve.deviations) {
        let wanted = (variance * (1.0 / 5.0 + (x - mean).powi(2) / spread)).sqrt();
        assert!(close(*sigma, wanted, 1e-8, 0.0), "{x}: {sigma} {wanted}");
    }
}

/// A fit of two lists has for each its points over its own list, and its own part of the model as a curve. The truth is the
/// model at the fitted leaves.
#[test]
fn the_picture_of_several_lists_has_a_curve_each() {
    let mut desk = Desk::with(&[
        "const t, y1 = [0, 1, 2, 3, 4, 5], [5.1, 3.2, 2.1, 1.3, 0.85, 0.55]",
        "const s, y2 = [0, 2, 4, 6], [2.0, 1.1, 0.62, 0.35]",
    ]);
    let line = ":fit [y1, y2] ± [0.1, 0.05] ~ [A*exp(-k*t), B*exp(-l*s)] a.svg";
    let plot = desk.plot(line);
    assert_eq!(plot.across, "t, s");
    assert_eq!(plot.upwards, "y1, y2");
    let labels: Vec<&str> = plot.curves.iter().map(|it| &*it.label).collect();
    assert_eq!(labels, ["y1", "y2", "A*exp(-k*t)", "B*exp(-l*s)"]);
    assert_eq!(plot.curves[0].points[1], (1.0, 3.2));
    assert_eq!(
        plot.curves[1].points,
        [(0.0, 2.0), (2.0, 1.1), (4.0, 0.62), (6.0, 0.35)]
    );
    assert_eq!(plot.curves[0].deviations, [0.1; 6]);
    assert_eq!(plot.curves[1].deviations, [0.05; 4]);
    let mut leaf = |name: &str| desk.value(name);
    for (number, (factor, rate)) in [(2, ("A", "k")), (3, ("B", "l"))] {
        let curve = &plot.curves[number];
        assert_eq!(curve.belongs_to, Some(number - 2));
        let (factor, rate) = (leaf(factor), leaf(rate));
        for (x, y) in &curve.points {
            assert!(close(*y, factor * (-rate * x).exp(), 1e-12, 0.0), "{x} {y}");
        }
        assert!(curve.deviations.iter().all(|sigma| *sigma > 0.0));
    }
    let below = plot.below.as_deref().expect("residuals");
    assert_eq!(below.curves[1].points[3].0, 6.0);
    let csv = desk.drawn_file(&line.replace("svg", "csv"), &Style::default());
    let csv = String::from_utf8(csv).expect("it is text");
    let titles: Vec<&str> = csv.lines().next().expect("a heading").split(',').collect();
    let wanted = [
        "\"t",
        " s\"",
        "y1",
        "y1 sigma",
        "y2",
        "y2 sigma",
        "A*exp(-k*t)",
        "A*exp(-k*t) sigma",
        "B*exp(-l*s)",
        "B*exp(-l*s) sigma",
        "residuals/σ of y1",
        "residuals/σ of y1 sigma",
        "residuals/σ of y2",
        "residuals/σ of y2 sigma",
    ];
    assert_eq!(titles, wanted);
    // One model for all lists: each list has a curve, and lists without a name are counted.
    let rows = desk.plot(":fit [[1, 2, 4], [2, 3, 5]] ~ [p*[0, 1, 2], p*[0, 1, 2] + q] a.svg");
    assert_eq!(rows.curves.len(), 4);
    assert_eq!(rows.across, "point", "no list is the axis");
    let mut desk = Desk::with(&[
        "const x = [[0, 1, 2], [1, 2, 3]]",
        "const y = [[0.1, 1.1, 1.9], [1, 2.1, 2.9]]",
    ]);
    let shared = desk.plot(":fit y ~ c*x a.svg");
    let labels: Vec<&str> = shared.curves.iter().map(|it| &*it.label).collect();
    assert_eq!(labels, ["y[0]", "y[1]", "c*x of y[0]", "c*x of y[1]"]);
}

/// One `±` for each list. The constant that fits best is the weighted mean, whose deviation is 1/√Σw.
#[test]
fn each_list_of_a_fit_may_have_its_own_deviation() {
    let (y, z) = ([5.0, 5.2, 4.9], [5.6, 5.4]);
    for (typed, deviations) in [
        ("[0.1, 0.2]", [0.1, 0.1, 0.1, 0.2, 0.2]),
        ("[[0.1, 0.3, 0.2], 0.2]", [0.1, 0.3, 0.2, 0.2, 0.2]),
        ("0.1", [0.1; 5]),
    ] {
        let mut desk = Desk::with(&["const y, z = [5, 5.2, 4.9], [5.6, 5.4]"]);
        desk.line(&format!(":fit [y, z] ± {typed} ~ m;"));
        let weights = deviations.map(|it: f64| 1.0 / (it * it));
        let sum: f64 = weights.iter().sum();
        let terms = y.iter().chain(&z).zip(weights);
        let mean = terms.map(|(number, weight)| number * weight).sum::<f64>() / sum;
        assert!(close(desk.value("m"), mean, 1e-10, 0.0), "{typed}");
        assert!(
            close(desk.value("m.sigma"), 1.0 / sum.sqrt(), 1e-9, 0.0),
            "{typed}"
        );
    }
    let mut desk = Desk::with(&["const y, z = [5, 5.2, 4.9], [5.6, 5.4]"]);
    let error = desk.error(":fit [y, z] ± [0.1, 0.2, 0.3] ~ m");
    assert!(error.message.contains("its uncertainty"), "{error:?}");
}
