//! `:plot`: samples are compared with values computed one by one, and nothing changes. `crates/pictures/tests` tests
//! the drawings of charts, and `tests/screens/plots.txt` records the sentences about them.

use std::f64::consts::PI;

use crate::common::{Desk, Patience, Random, everything, number};
use chainrule_engine::graph::live_nodes;
use chainrule_report::{Plot, PlotMap, Scale};
use chainrule_view::Style;

fn map(desk: &mut Desk, line: &str) -> PlotMap {
    let found = desk.plot(line).map;
    *found.unwrap_or_else(|| panic!("{line}: no map"))
}

fn values(plot: &Plot) -> Vec<f64> {
    plot.curves[0].points.iter().map(|point| point.1).collect()
}

#[test]
fn samples_are_what_the_expression_is_worth_there() {
    let mut desk = Desk::with(&[
        "a, b = 0.7, -3",
        "f(u) = 3u^2 - 4u + 5",
        "L = tanh(a*b) + f(a)",
    ]);
    let mut random = Random(7);
    for (line, expression) in [
        (":plot L a=-2..2", "tanh(A*b) + f(A)"),
        (":plot sin(1/t), t^3 t=-1..1", "sin(1/A)"),
        (":plot f -pi..2*pi", "f(A)"),
        (":plot f' -1..1", "6*A - 4"),
        (":plot gamma(a) a = -5 .. 5", "gamma(A)"),
        (":plot floor(t) t=-3..3", "floor(A)"),
        (":plot 2*3, t t=0..1", "2*3"),
        (":plot if(a > 0, ln(a), a) a=-1..1e3", "if(A > 0, ln(A), A)"),
    ] {
        let plot = desk.plot(line);
        let points = &plot.curves[0].points;
        let count = points.len();
        assert!((300..=4_500).contains(&count), "{line}: {count}");
        assert_eq!((points[0].0, points[count - 1].0), plot.range, "{line}");
        assert!(points.windows(2).all(|two| two[0].0 < two[1].0), "{line}");
        for curve in &plot.curves {
            let places = curve.points.iter().map(|point| point.0);
            assert!(places.eq(points.iter().map(|point| point.0)), "{line}");
        }
        for _ in 0..40 {
            let (x, y) = points[random.below(count)];
            // The leaf is replaced by a frozen number, and the expression evaluated as a statement of its own.
            let direct = desk.value(&expression.replace('A', &format!("({x:?})")));
            let is_same = direct.to_bits() == y.to_bits() || direct.is_nan() && y.is_nan();
            assert!(is_same, "{line} at {x:?}: {y:?}, not {direct:?}");
        }
    }
    // A large graph is sampled coarsely.
    desk.line(&format!("y = a{}", " + a*0.001".repeat(20_000)));
    let count = desk.plot(":plot y a=-1..1").curves[0].points.len();
    assert!((65..700).contains(&count), "{count}");
}

#[test]
fn nothing_changes() {
    let mut desk = Desk::with(&[
        "x, w = 3, 2",
        "f(t) = t^2",
        "y = w*x^2 - 4x",
        ":grad y",
        "x2 = 1",
        ":undo",
    ]);
    let before = (everything(&desk.session), live_nodes());
    for line in [
        ":plot y x=-5..5",
        ":plot y w=-5..5 out.svg",
        ":plot y x=-1..1 w=-1..1",
        ":plot f, f', f'' -5..5",
        ":plot y, grad(y, x), f'(x) x=-1..1;",
        ":plot q^2 + x q=0..1",
        ":plot tanh",
        ":plot y steps",
        ":plot y x=5..1",
        ":plot y y=0..1",
        ":plot y up=0..1",
        ":plot ln(q) q=-2..-1",
        ":plot foo(q) q=-2..-1",
    ] {
        let _ = desk.try_line(line);
        assert_eq!((everything(&desk.session), live_nodes()), before, "{line}");
    }
    desk.line(&format!("L = x*w{};", " + x*0.001".repeat(2_000)));
    let before = (everything(&desk.session), live_nodes());
    for line in [":plot L x=-1..1", ":plot L x=-1..1 w=0..1"] {
        desk.session.set_host(Patience::of(5));
        assert!(desk.error(line).is_interrupt);
        assert_eq!((everything(&desk.session), live_nodes()), before, "{line}");
    }
}

#[test]
fn the_tangent_has_the_slope_of_grad() {
    let mut desk = Desk::with(&["x = 3", "y = 3x^2 - 4x + 5", "z = tanh(y/20)*x"]);
    for (name, line) in [
        ("y", ":plot y x=-5..5"),
        ("z", ":plot z x=-5..5"),
        ("z", ":plot z"),
    ] {
        let plot = desk.plot(line);
        desk.line(&format!(":grad {name}"));
        let tangent = &plot.present[0];
        assert_eq!(tangent.slope.to_bits(), desk.grad("x").to_bits(), "{line}");
        assert_eq!(
            (tangent.at, tangent.value),
            (3.0, desk.value(name)),
            "{line}"
        );
        assert_eq!(plot.range, (-5.0, 5.0), "{line}");
        let answer = desk.answer(line);
        let told = ["at", "value", "slope"].map(|key| number(&answer["present"][0][key]));
        assert_eq!(told, [tangent.at, tangent.value, tangent.slope], "{line}");
    }
    // Without a range, the plot extends beyond the present value, however large that is.
    for (data, end) in [
        ("0", 5.0),
        ("0.3", 0.5),
        ("4.9", 10.0),
        ("-70", 100.0),
        ("1e-9", 2e-9),
    ] {
        desk.line(&format!(":set x {data}"));
        assert_eq!(desk.plot(":plot y").range, (-end, end), "{data}");
    }
}

#[test]
fn jumps_and_poles_are_gaps() {
    let mut desk = Desk::default();
    for (expression, gaps) in [
        ("1/t t=-5..5", 1),
        ("1/(t - 0.1234) t=-5..5", 1),
        ("1/(t - 0.1234)^2 t=-5..5", 1),
        ("tan(t) t=-5..5", 4),
        ("floor(t) t=-2.5..2.5", 5),
        ("sign(t) t=-1..1", 2),
        ("gamma(t) t=-3.5..5", 4),
        ("t^2 t=-1..1", 0),
        ("tanh(1000t) t=-1..1", 0),
        ("cbrt(t) t=-1..1", 0),
        ("abs(t) t=-1..1", 0),
        ("sqrt(t) t=-1..1", 0),
    ] {
        let plot = desk.plot(&format!(":plot {expression}"));
        let stretches = plot.curves[0].unbroken_parts((Scale::Linear, Scale::Linear));
        assert_eq!(stretches.len(), gaps + 1, "{expression}");
        let points = |stretch| &plot.curves[0].points[stretch];
        // No part of a curve jumps from far below to far above: nothing is connected across a pole.
        for pair in stretches.into_iter().flat_map(|it| points(it).windows(2)) {
            let (left, right) = (pair[0].1, pair[1].1);
            let is_joined = left * right >= 0.0 || (left - right).abs() < 1.0;
            assert!(is_joined, "{expression}: {pair:?}");
        }
        // The usual range leaves out values near a pole.
        if let Some((low, high)) = plot.curves[0].usual.filter(|_| gaps > 0) {
            assert!(high - low < 101.0, "{expression}: {low} {high}");
        }
    }
    // This one is unknown between neighbouring places, and no search for jumps finds its shape.
    let count = desk.plot(":plot tan(t) t=-1e308..1.7e308").curves[0]
        .points
        .len();
    assert!((4_000..20_000).contains(&count), "{count}");
    let plot = desk.plot(":plot sqrt(t) t=-1..1");
    let first = plot.curves[0].points.iter().find(|(_, y)| y.is_finite());
    assert_eq!(first, Some(&(0.0, 0.0)), "it begins where it begins");
}

#[test]
fn a_map_has_the_value_of_each_place() {
    let mut desk = Desk::with(&["a, b = 3, 1", "L = (a - 2)^2 + 3*(b + 1)^2 + a*b/2"]);
    let line = ":plot L a=-2..6 b=-4..3";
    let plot = desk.plot(line);
    assert_eq!((&*plot.across, &*plot.upwards), ("a", "b"));
    assert_eq!(
        (plot.range, plot.up_range),
        ((-2.0, 6.0), Some((-4.0, 3.0)))
    );
    let map = plot.map.expect("it is a map");
    let sizes = (map.columns.len(), map.rows.len(), map.values.len());
    assert_eq!(sizes, (101, 101, 101 * 101));
    // The places are the decimals that a person would write.
    assert!(map.columns.contains(&0.24));
    for (row, b) in map.rows.iter().enumerate() {
        for (column, a) in map.columns.iter().enumerate() {
            let expected = (a - 2.0) * (a - 2.0) + 3.0 * ((b + 1.0) * (b + 1.0)) + a * b / 2.0;
            let off = (map.value(column, row) - expected).abs();
            assert!(off < 1e-12 * (1.0 + expected.abs()), "{a} {b}");
        }
    }
    let present = map.present.expect("both leaves have values");
    desk.line(":grad L;");
    assert_eq!((present.at, present.value), ((3.0, 1.0), 14.5));
    assert_eq!(present.grad, (desk.grad("a"), desk.grad("b")));
    let answer = desk.answer(line);
    assert_eq!(number(&answer["map"]["values"][0][0]), map.value(0, 0));
    assert_eq!(number(&answer["map"]["values"][100][3]), map.value(3, 100));
    let grad = &answer["map"]["present"]["grad"];
    assert_eq!((number(&grad[0]), number(&grad[1])), present.grad);
    let csv = desk.drawn_file(&format!("{line} map.csv"), &Style::default());
    let csv = String::from_utf8(csv).expect("it is text");
    let lines: Vec<&str> = csv.split("\r\n").collect();
    assert_eq!((lines[0], lines.len()), ("a,b,L", 2 + 101 * 101));
    assert_eq!(lines[1 + 101], format!("-2,-3.93,{}", map.value(0, 1)));
}

/// The moving leaf, parameter or name and its range, named or found.
#[test]
fn the_variable_is_named_or_determined() {
    let mut desk = Desk::with(&[
        "a, b = 1, 2",
        "const k = 5",
        "f(u) = u^2",
        "g(u, v) = u*v",
        "L = a*b",
        "M = a*k",
        "e2 = a",
        "const px, py, qx, qy = [1, 2, 3, 4], [2, 4, 6, 8], [1.5, 9], [3, 4]",
    ]);
    for (line, across, range) in [
        ("f -1..1", "u", (-1.0, 1.0)),
        ("tanh 0 .. 1", "x", (0.0, 1.0)),
        ("f, tanh b=0..1", "b", (0.0, 1.0)),
        ("M", "a", (-2.0, 2.0)),
        ("M k=0..9", "k", (0.0, 9.0)),
        ("M 0..9", "a", (0.0, 9.0)),
        ("g(x, 2) x=0..1", "x", (0.0, 1.0)),
        ("g(x, a) 0..1", "x", (0.0, 1.0)),
        ("sin(a) e2=-pi..2pi", "a", (-PI, 2.0 * PI)),
        ("pi^2 pi = 0 .. 1", "pi", (0.0, 1.0)),
        ("x^2 -1..1", "x", (-1.0, 1.0)),
        ("x^2 0..b*2", "x", (0.0, 4.0)),
        ("x^2", "x", (-5.0, 5.0)),
        ("x^2 x=0...5", "x", (0.0, 0.5)),
        ("x^2 file.svg x=0..pi", "x", (0.0, PI)),
        ("x^2 logx", "x", (0.01, 100.0)),
        ("size^2 size=0..4", "size", (0.0, 4.0)),
        ("py over px with qx, qy", "px", (1.0, 4.0)),
        // Without a range, it is that of the points.
        ("2t, t^2 with px, py", "t", (1.0, 4.0)),
        ("[1, 2, 3] over [0, 1, 2] logx", "[0, 1, 2]", (1.0, 2.0)),
    ] {
        let plot = desk.plot(&format!(":plot {line}"));
        assert_eq!((&*plot.across, plot.range), (across, range), "{line}");
    }
    // `y` is a leaf or a name that moves, `up` the vertical axis.
    for (line, up) in [
        ("x^2 x=0..2 up=-1..1", Some((-1.0, 1.0))),
        ("x^2 up=-1..1", Some((-1.0, 1.0))),
        ("y^2 y=-1..1", None),
        ("[1, 2] over [3, 4] up=0..9", Some((0.0, 9.0))),
        ("L up=0..10 a=-5..5", Some((0.0, 10.0))),
    ] {
        assert_eq!(desk.plot(&format!(":plot {line}")).up_range, up, "{line}");
    }
    for (line, corner) in [
        ("g u=0..2 v=-1..1", -2.0),
        ("g(p, q)*2 p=0..2 q=-1..1", -4.0),
        ("x*y x=0..2 y=-1..1", -2.0),
        ("g x=0..2 y=-1..1", -2.0),
    ] {
        assert_eq!(
            map(&mut desk, &format!(":plot {line}")).value(100, 0),
            corner,
            "{line}"
        );
    }
    for (line, labels) in [
        ("f, f', f'' -1..1", "f(u)|f'(u)|f''(u)"),
        ("f'(a),  max(a,  b) a=-1..1", "f'(a)|max(a, b)"),
        ("2t, t^2 with px, py", "2t|t^2|py over px"),
        (
            "2t t=0..9 with px, py, [0, 1, 0, 1]",
            "2t|[0, 1, 0, 1] = 0|[0, 1, 0, 1] = 1",
        ),
        // `log` is the function where an operand is expected.
        ("log, ln x=1..10", "log(x)|ln(x)"),
    ] {
        let plot = desk.plot(&format!(":plot {line}"));
        let found: Vec<&str> = plot.curves.iter().map(|curve| &*curve.label).collect();
        assert_eq!(found.join("|"), labels, "{line}");
        assert!(!plot.up_scale.is_logarithmic(), "{line}");
    }
    assert_eq!(
        desk.plot(":plot py over px with qx, qy").curves[1].points,
        [(1.5, 3.0), (9.0, 4.0)]
    );
}

#[test]
fn logarithmic_axes_have_as_many_places_in_each_power_of_ten() {
    let mut desk = Desk::with(&["x = 10", "y = x^3"]);
    for (words, across, up) in [
        ("log", true, true),
        ("logx", true, false),
        ("logy", false, true),
    ] {
        let plot = desk.plot(&format!(":plot y x=0.01..1000 {words}"));
        assert_eq!(
            (
                plot.across_scale.is_logarithmic(),
                plot.up_scale.is_logarithmic()
            ),
            (across, up),
            "{words}"
        );
        let points = &plot.curves[0].points;
        assert!(
            points
                .iter()
                .all(|(x, y)| (y - x * x * x).abs() <= 1e-15 * y),
            "{words}"
        );
    }
    assert_eq!(desk.plot(":plot y logx").range, (0.1, 1000.0));
    // No bend needs more points here.
    let even = desk.plot(":plot ln(t) t=0.01..1000 logx");
    let places = &even.curves[0].points;
    let below = places.iter().filter(|(x, _)| *x < 0.1).count() as f64;
    assert!((below / places.len() as f64 - 0.2).abs() < 0.02);
}

#[test]
fn steps_are_kept_undone_and_done_again() {
    let mut desk = Desk::with(&["x = 3", "y = x^2", "z = x^4", ":step 0.1 3 of y"]);
    let seen = |desk: &mut Desk| values(&desk.plot(":plot y steps"));
    let first = seen(&mut desk);
    assert_eq!((first.len(), first[0]), (4, 9.0));
    desk.line(":step 0.1");
    let more = seen(&mut desk);
    assert_eq!((&more[..4], more.len()), (&first[..], 5));
    assert_eq!(more[4].to_bits(), desk.value("y").to_bits());
    desk.line(":undo");
    assert_eq!(seen(&mut desk), first);
    desk.line(":redo");
    assert_eq!(seen(&mut desk), more);
    // A `:set` between steps makes a gap in the curve.
    desk.line(":set x 10; :step 0.1");
    let plot = desk.plot(":plot y steps");
    assert_eq!(
        (&plot.curves[0].breaks[..], plot.curves[0].points[5]),
        (&[5][..], (4.0, 100.0))
    );
    // The steps of another root do not belong to this one.
    let help = desk.error(":plot z steps").help.expect("a way out");
    assert!(help.contains(":step 0.01 100 of z"), "{help}");
    desk.line(":step 1e-4 of z");
    assert_eq!(
        (
            seen(&mut desk).len(),
            desk.plot(":plot z steps").curves[0].points.len()
        ),
        (7, 2)
    );
    desk.line(":reset");
    desk.error(":plot y steps");
    desk.line(":undo");
    assert_eq!(seen(&mut desk).len(), 7);
    assert_eq!(desk.plot(":plot y steps logx").range, (1.0, 5.0));
    // Changing names does not change values.
    desk.line("y2 = y");
    assert_eq!(desk.plot(":plot y2 steps").curves[0].points.len(), 7);
}

#[test]
fn a_long_trail_is_thinned_out() {
    let mut desk = Desk::with(&["x = 3", "y = x^2", ":step 1e-6 100000 of y;"]);
    let check = |desk: &mut Desk, last: f64| {
        let plot = desk.plot(":plot y steps");
        let points = &plot.curves[0].points;
        let count = points.len();
        assert!((10_000..=20_001).contains(&count), "{count}");
        assert!(points.windows(2).all(|two| two[0].0 < two[1].0));
        assert_eq!(
            (points[0], points[count - 1]),
            ((0.0, 9.0), (last, desk.value("y")))
        );
    };
    check(&mut desk, 100_000.0);
    for _ in 0..30_000 {
        desk.try_line(":step 1e-6;");
    }
    check(&mut desk, 130_000.0);
    // Over many powers of ten the axis is logarithmic.
    desk.line(":step 0.1 100 of y;");
    assert!(desk.plot(":plot y steps").up_scale.is_logarithmic());
}

#[test]
fn the_path_is_where_the_leaves_have_been() {
    let mut desk = Desk::with(&[
        "a, b = 3, 1",
        "L = a^2 + 3*b^2",
        ":step 0.1 of L;",
        ":step 0.1 3;",
    ]);
    let mut expected = vec![(3.0, 1.0)];
    for _ in 0..4 {
        let (a, b) = expected[expected.len() - 1];
        expected.push((a - 0.1 * (2.0 * a), b - 0.1 * (6.0 * b)));
    }
    let line = ":plot L a=-2..4 b=-2..2 steps";
    let check = |path: &[(f64, f64)]| {
        assert_eq!(path.len(), expected.len());
        for (found, wanted) in path.iter().zip(&expected) {
            let off = (found.0 - wanted.0).abs().max((found.1 - wanted.1).abs());
            assert!(off < 1e-12, "{found:?} {wanted:?}");
        }
    };
    check(&map(&mut desk, line).path);
    check(&map(&mut desk, ":plot L steps a=-2..4 b=-2..2").path);
    // Undone steps are no part of it.
    desk.line(":undo");
    assert_eq!(map(&mut desk, line).path.len(), 2);
    desk.line(":redo");
    check(&map(&mut desk, line).path);
}

#[test]
fn classes_have_series_and_a_boundary() {
    let mut desk = Desk::with(&[
        "const p1, p2, k = [0, 1, 2, 3, 9], [0, 1, 0, 1, 9], [-1, 1, -1, 1, 1]",
        "score(u, v) = 2v - 1 + 0*u",
    ]);
    for (expression, points, boundary) in [
        ("score", "p1, p2, k", Some(0.0)),
        // A probability of a half separates the classes.
        ("sigmoid(u + v)", "p1, p2, k", Some(0.5)),
        ("u + v", "p1, p2", None),
    ] {
        let plot = desk.plot(&format!(":plot {expression} u=-1..4 v=-1..2 with {points}"));
        assert_eq!(plot.map.expect("a map").boundary, boundary, "{expression}");
        if boundary.is_some() {
            let labels: Vec<&str> = plot.curves.iter().map(|series| &*series.label).collect();
            assert_eq!(labels, ["k = -1", "k = 1"]);
            assert_eq!(plot.curves[0].points, [(0.0, 0.0), (2.0, 0.0)]);
        }
    }
}

/// The numbers are those of `numpy.histogram(d, numpy.histogram_bin_edges(d, 'fd'))` where numpy is named.
#[test]
fn a_histogram_has_the_bins_of_freedman_and_diaconis() {
    let mut desk = Desk::with(&[
        "const d = [10*sin(k) + k/7 for k in 1..200]",
        "const rolls = [1, 6, 3, 3, 2, 6, 5, 1, 4, 6]",
        "const ties = [0, 0, 0, 0, 0, 0, 0, 2.5]",
        "const odd = [1.5, 0/0, 2.5, 3.5, 1/0]",
        "const hist = [1, 2, 3]",
    ]);
    for (line, ends, counts) in [
        // numpy
        (
            "hist d",
            [
                -8.874_957_032_345_671,
                -4.247_931_273_541_173,
                37.395_300_555_699_315,
            ],
            &[9, 12, 20, 26, 32, 31, 25, 23, 12, 10][..],
        ),
        // numpy, with `range=(0, 20)`
        (
            "hist d x=0..20",
            [0.0, 3.333_333_333_333_333_5, 20.0],
            &[13, 14, 20, 24, 24, 23],
        ),
        // numpy, of the logarithms
        (
            "hist exp(d/9) logx",
            [
                10_f64.powf(-0.428_260_540_697_353_86),
                10_f64.powf(-0.204_983_679_067_020_47),
                10_f64.powf(1.804_508_075_605_98),
            ],
            &[9, 12, 20, 26, 32, 31, 25, 23, 12, 10],
        ),
        // Whole numbers are in the middle of bins of a whole width.
        ("hist rolls", [0.5, 3.5, 6.5], &[5, 5]),
        ("hist [4, 4, 4]", [3.5, 4.5, 4.5], &[3]),
        ("hist [0.5, 0.5]", [0.475, 0.525, 0.525], &[2]),
        ("hist [0.5]", [0.475, 0.525, 0.525], &[1]),
        // Sturges: log2(8) + 1 bins
        ("hist ties", [0.0, 0.625, 2.5], &[7, 0, 0, 1]),
        ("hist odd", [1.5, 2.5, 3.5], &[1, 2]),
        ("hist hist", [0.5, 1.5, 3.5], &[1, 1, 1]),
    ] {
        let plot = desk.plot(&format!(":plot {line}"));
        let bars = &plot.curves[0];
        let last = bars.edges[bars.edges.len() - 1];
        for (found, told) in [bars.edges[0], bars.edges[1], last].into_iter().zip(ends) {
            assert!(
                (found - told).abs() < 1e-13 * told.abs().max(1.0),
                "{line}: {found}"
            );
        }
        let found: Vec<f64> = bars.points.iter().map(|(_, count)| *count).collect();
        let told: Vec<f64> = counts.iter().map(|count| f64::from(*count)).collect();
        assert_eq!(found, told, "{line}");
    }
    // A name is a name unless a list follows.
    for line in [
        "hist",
        "hist line",
        "hist over hist",
        "hist - 1",
        "hist h.svg",
    ] {
        assert!(
            desk.plot(&format!(":plot {line}")).curves[0]
                .edges
                .is_empty(),
            "{line}"
        );
    }
    // A few items far from all others do not lead to a million bins.
    let far = desk.plot(":plot hist [1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1e9]");
    assert_eq!(far.curves[0].points.len(), 1_000);
    let csv = desk.drawn_file(":plot hist rolls h.csv", &Style::default());
    let csv = String::from_utf8(csv).expect("it is text");
    assert_eq!(
        csv,
        "rolls from,rolls to,count\r\n0.5,3.5,5\r\n3.5,6.5,5\r\n"
    );
}

/// The colours of the groups with this class in an SVG file, in their order.
fn colors(svg: &str, class: &str) -> Vec<String> {
    let svg = roxmltree::Document::parse(svg).expect("it is XML");
    let groups = svg
        .descendants()
        .filter(|it| it.attribute("class") == Some(class));
    let stroke = |group: roxmltree::Node| {
        let mut parts = group.descendants();
        let color = parts.find_map(|it| it.attribute("stroke"));
        color.expect("a stroke").to_string()
    };
    groups.map(stroke).collect()
}

/// The points of each `with` have the colour of the curve with its number; a single set and classes have their own.
#[test]
fn sets_of_points_have_the_colours_of_their_curves() {
    let mut desk = Desk::with(&[
        "const t, y1, y2 = [0, 1, 2], [5, 3, 2], [3, 2.5, 2]",
        "const s, y3 = [0, 1], [1, 1]",
    ]);
    let mut drawn = |line: &str| {
        let svg = desk.drawn_file(line, &Style::default());
        let svg = String::from_utf8(svg).expect("it is text");
        // The last mark is the lowest.
        let [curves, dots] = ["curve", "dots"].map(|class| colors(&svg, class));
        (curves, dots)
    };
    let (curves, dots) = drawn(":plot 5/(u+1), 3 - u/2 u=0..2 with t, y1 with t, y2 two.svg");
    assert_eq!(curves.len(), 2);
    assert_ne!(curves[0], curves[1]);
    assert_eq!(dots, curves);
    // A third set has a colour of its own; sets may have different lengths, and options may stand between them.
    let (curves, dots) =
        drawn(":plot 5/(u+1), 3 - u/2 u=0..2 with t, y1 up=0..6 with t, y2 with s, y3 a.svg");
    assert_eq!(dots[1..], curves[..]);
    assert!(!curves.contains(&dots[0]));
    let (curves, dots) = drawn(":plot 5/(u+1), 3 - u/2 u=0..2 with t, y1 a.svg");
    assert!(!curves.contains(&dots[0]));
    let (curves, dots) = drawn(":plot 5/(u+1), 3 - u/2 u=0..2 with t, y1, [0, 1, 1] a.svg");
    assert!(dots.iter().all(|dot| !curves.contains(dot)));
    let error = desk.error(":plot u u=0..2 with t, y1 with");
    assert_eq!(error.message, "`with` needs `X, Y`");
}

/// A curve may go along the name of a list, which keeps its numbers.
#[test]
fn a_model_is_drawn_beyond_its_data() {
    let mut desk = Desk::with(&["const t \"t [ms]\", y = [0, 1, 2], [5, 3, 2]"]);
    let plot = desk.plot(":plot 5*exp(-t/2) t=0..8 with t, y");
    assert_eq!(plot.across, "t [ms]");
    let last = plot.curves[0].points.last().copied();
    assert_eq!(last, Some((8.0, 5.0 * (-4.0_f64).exp())));
    let points = &plot.curves[1].points;
    assert_eq!(points[..], [(0.0, 5.0), (1.0, 3.0), (2.0, 2.0)]);
    assert_eq!(desk.value("sum(t)"), 3.0);
}

/// `y = a*x + b` has the deviation √(0.5²·x² + 0.1²), by the rule for sums; a leaf that moves has none.
#[test]
fn a_curve_has_the_band_of_its_leaves() {
    let mut desk = Desk::with(&["a, b = 2 ± 0.5, 3 ± 0.1", "x = 1 ± 0.3"]);
    let deviation = |x: f64| (0.25 * x * x + 0.01).sqrt();
    let plot = desk.plot(":plot a*x + b, 2x x=-2..2");
    let curve = &plot.curves[0];
    assert_eq!(curve.deviations.len(), curve.points.len());
    for ((x, _), sigma) in curve.points.iter().zip(&curve.deviations) {
        assert!((sigma - deviation(*x)).abs() < 1e-12, "{x}: {sigma}");
    }
    assert!(plot.curves[1].deviations.is_empty());
    assert!(
        desk.plot(":plot a*x + b x=-2..2 plain").curves[0]
            .deviations
            .is_empty()
    );
    let csv = desk.drawn_file(":plot a*x + b, 2x x=-2..2 c.csv", &Style::default());
    let csv = String::from_utf8(csv).expect("it is text");
    let mut rows = csv.lines();
    assert_eq!(rows.next(), Some("x,a*x + b,a*x + b sigma,2x"));
    let last: Vec<f64> = rows
        .last()
        .expect("rows")
        .split(',')
        .map(|it| it.parse().expect("a number"))
        .collect();
    assert!((last[2] - deviation(2.0)).abs() < 1e-12 && last[..2] == [2.0, 7.0]);
    // Where the curve has no value, its band has a gap; a single place without a slope does not hide the band.
    let roots = desk.plot(":plot sqrt(a*x) x=-1..1");
    let scales = (Scale::Linear, Scale::Linear);
    assert_eq!(roots.curves[0].band(scales).len(), 1);
    // Columns with one label differ, too.
    let twice = desk.drawn_file(":plot a*x, a*x x=0..1 c.csv", &Style::default());
    let twice = String::from_utf8(twice).expect("it is text");
    assert_eq!(
        twice.lines().next(),
        Some("x,a*x,a*x sigma,a*x (2),a*x (2) sigma")
    );
}

/// A file of numbers has all points. A picture has 20,000, and a note says so.
#[test]
fn a_crowd_has_a_note() {
    let mut desk = Desk::with(&["const n = 0..29999"]);
    for (line, is_noted) in [
        (":plot n^2 over n a.svg", true),
        (":plot n^2 over n a.csv", false),
        (":plot n[:20000] over n[:20000] a.svg", false),
    ] {
        let notes = desk.reply(line).notes;
        let said = notes
            .iter()
            .any(|note| format!("{note:?}").contains("20,000"));
        assert_eq!(said, is_noted, "{line}: {notes:?}");
    }
}

/// A constant with a `±` that cancels in the model does not widen the band: E follows R, and E/R is known to 0.01/√Σx².
#[test]
fn the_band_of_a_fit_knows_its_constants() {
    let mut desk = Desk::with(&[
        "const R = 8 ± 0.8",
        "const x, y = [1, 2, 3, 4], [0.26, 0.49, 0.76, 1.0]",
    ]);
    let plot = desk.plot(":fit y ± 0.01 ~ E*x/R plot");
    let band = &plot.curves[1];
    let widest = band.deviations[band.deviations.len() - 1];
    let told = 4.0 * 0.01 / 30_f64.sqrt();
    assert!((widest / told - 1.0).abs() < 1e-6, "{widest}, not {told}");
}
