//! `:plot`: samples are compared with values computed one by one; notes, drawings, and that nothing changes.

use crate::common::{Desk, Patience, Random, number, wide};
use chainrule_report::{Block, Picture, Plot};
use chainrule_view as view;
use chainrule_view::Style;

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
        (":plot gamma(a) a = -5 .. 5", "gamma(A)"),
        (":plot floor(t) t=-3..3", "floor(A)"),
        (":plot if(a > 0, ln(a), a) a=-1..1e3", "if(A > 0, ln(A), A)"),
    ] {
        let plot = desk.plot(line);
        let points = &plot.curves[0].points;
        assert!(
            points.len() >= 300 && points.len() <= 4_500,
            "{line}: {}",
            points.len()
        );
        assert_eq!(
            (points[0].0, points[points.len() - 1].0),
            plot.range,
            "{line}"
        );
        assert!(points.windows(2).all(|two| two[0].0 < two[1].0), "{line}");
        for curve in &plot.curves {
            let places = curve.points.iter().map(|point| point.0);
            assert!(places.eq(points.iter().map(|point| point.0)), "{line}");
        }
        for _ in 0..40 {
            let (x, y) = points[random.below(points.len())];
            // The leaf is replaced by a frozen number, and the expression evaluated as a statement of its own.
            let number = format!("({x:?})");
            let direct = desk.value(&expression.replace('A', &number));
            assert!(
                direct.to_bits() == y.to_bits() || direct.is_nan() && y.is_nan(),
                "{line} at {x:?}: {y:?}, not {direct:?}"
            );
        }
    }
}

/// Everything that could change.
fn state(desk: &Desk) -> String {
    let names: Vec<_> = desk.session.names().nodes().collect();
    let named: Vec<String> = (names.iter())
        .map(|(name, node)| format!("{name} {} {:?}", node.id(), node.data().to_bits()))
        .collect();
    let pass = desk
        .session
        .pass()
        .map(|pass| format!("{:?}", pass.grads()));
    format!(
        "{named:?} {pass:?} {} {} {} {} {}",
        desk.session.newest_id(),
        desk.session.names().count(),
        desk.session.is_stale(),
        desk.session.journal().undoable().len(),
        desk.session.journal().redoable().len(),
    )
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
    let before = state(&desk);
    for line in [
        ":plot y x=-5..5",
        ":plot y w=-5..5 out.svg",
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
        let nodes = chainrule_engine::graph::live_nodes();
        let _ = desk.try_line(line);
        assert_eq!(state(&desk), before, "{line}");
        assert_eq!(chainrule_engine::graph::live_nodes(), nodes, "{line}");
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
    }
    let text = desk.told(":plot y x=-5..5", &wide(80));
    assert!(
        text.starts_with("y = 3*x^2 - 4*x + 5   ⠄⠠ ⠄⠠ tangent\n"),
        "{text}"
    );
    assert!(
        text.ends_with("at x = 3: y = 20, slope 14\n") && text.contains('●'),
        "{text}"
    );
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
    for (line, gaps) in [
        (":plot 1/t t=-5..5", 1),
        (":plot 1/(t - 0.1234) t=-5..5", 1),
        (":plot 1/(t - 0.1234)^2 t=-5..5", 1),
        (":plot tan(t) t=-5..5", 4),
        (":plot floor(t) t=-2.5..2.5", 5),
        (":plot sign(t) t=-1..1", 2),
        (":plot gamma(t) t=-3.5..5", 4),
        (":plot t^2 t=-1..1", 0),
        (":plot tanh(1000t) t=-1..1", 0),
        (":plot cbrt(t) t=-1..1", 0),
        (":plot abs(t) t=-1..1", 0),
        (":plot sqrt(t) t=-1..1", 0),
    ] {
        let plot = desk.plot(line);
        let stretches: Vec<_> = plot.curves[0].unbroken_parts().collect();
        assert_eq!(stretches.len(), gaps + 1, "{line}");
        // No part of a curve jumps from far below to far above: nothing is connected across a pole.
        for stretch in stretches {
            for pair in stretch.windows(2) {
                let (left, right) = (pair[0].1, pair[1].1);
                assert!(
                    left * right >= 0.0 || (left - right).abs() < 1.0,
                    "{line}: {pair:?}"
                );
            }
        }
    }
    // Between neighbouring places of this one anything may be, and no search for jumps finds its shape.
    let plot = desk.plot(":plot tan(t) t=-1e308..1.7e308");
    let points = plot.curves[0].points.len();
    assert!((4_000..20_000).contains(&points), "{points}");
    let plot = desk.plot(":plot sqrt(t) t=-1..1");
    let first = plot.curves[0].points.iter().find(|(_, y)| y.is_finite());
    assert_eq!(first, Some(&(0.0, 0.0)), "it begins where it begins");
}

#[test]
fn no_dot_connects_both_sides_of_a_pole() {
    let mut desk = Desk::default();
    // Right of the pole all values are positive, left of it negative, so no character may contain both.
    for (line, width) in [
        (":plot 1/(t - 0.02) t=-5..5", 80),
        (":plot 1/t t=-3..3", 160),
    ] {
        let text = desk.told(line, &wide(width));
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let zero = rows
            .iter()
            .position(|row| row.trim_start().starts_with("0 "));
        let zero = zero.expect("zero is on the axis");
        let dots = |row: &str| -> Vec<usize> {
            let places = row.chars().enumerate();
            places
                .filter(|(_, c)| ('\u{2801}'..='\u{28ff}').contains(c))
                .map(|(at, _)| at)
                .collect()
        };
        let above: Vec<usize> = rows[..zero].iter().flat_map(|row| dots(row)).collect();
        let below: Vec<usize> = rows[zero + 1..].iter().flat_map(|row| dots(row)).collect();
        let (left, right) = (below.iter().max(), above.iter().min());
        assert!(left <= right, "{text}");
        // The curve is clipped near its pole, but visible away from it.
        assert!(above.len() > 12 && below.len() > 12, "{text}");
    }
}

#[test]
fn drawings_keep_to_their_width() {
    let mut desk = Desk::with(&[
        "x = 3",
        "a_name_of_just_about_forty_letters_or_so = 2",
        "größe = 1e300",
    ]);
    for line in [
        ":plot x^2, x, -x, 1/x, a_name_of_just_about_forty_letters_or_so*x, sin(x) x=-5..5",
        ":plot a_name_of_just_about_forty_letters_or_so^2",
        ":plot größe*größe, größe größe=0..1e300",
        ":plot x*1e-300 x=0..1",
        ":plot x*1.7e308 x=-1..1",
        ":plot x + 1234567.25 x=0..1e-3",
        ":plot nan*x, x x=0..1",
        ":plot 7 q=0..1",
        ":plot if(x == 3, 1, nan) x=0..6",
        ":plot x x=-1.7e308..1.7e308",
        ":plot x x=0..5e-324",
        ":plot x x=1..1.0000000000000002",
        ":plot x^2 x=1e15..1e15+100",
    ] {
        for (width, color) in [
            (40, false),
            (80, false),
            (100, true),
            (160, false),
            (3, true),
        ] {
            let style = Style {
                width: Some(width),
                color: color.then(Default::default),
                ..Style::default()
            };
            let reply = desk.reply(line);
            let report = reply.report.expect("it shows something");
            let mut text = String::new();
            let picture = report
                .blocks
                .iter()
                .filter(|block| matches!(block, Block::Plot(_)));
            let only = chainrule_report::Report {
                blocks: picture.cloned().collect(),
                ..chainrule_report::Report::default()
            };
            view::report(&only, &style, &mut text);
            let bare = without_colours(&text);
            let rows = bare.lines().count();
            assert!((12..=26).contains(&rows), "{line} {width}: {rows} rows");
            for row in bare.lines() {
                let wide = chainrule_report::characters::width(row);
                assert!(
                    wide <= width.clamp(24, 100),
                    "{line} {width}: {wide}\n{bare}"
                );
                assert_eq!(row.trim_end(), row, "{line}");
            }
            assert_eq!(color, bare != text, "{line}");
        }
        let few = line.contains("-x,") || line.contains("5e-324");
        let endings = if few && cfg!(feature = "png") {
            &["svg", "csv", "png"][..]
        } else {
            &["svg", "csv"]
        };
        for &ending in endings {
            let content = desk.drawn(&format!("{line} x.{ending}"), &Style::default());
            assert!(content.len() > 10, "{line}");
            if ending == "svg" {
                let text = String::from_utf8(content).expect("SVG is text");
                let paths = text.split(" d=\"").skip(1);
                for path in paths.filter_map(|rest| rest.split('"').next()) {
                    assert!(!path.contains("NaN") && !path.contains("inf"), "{line}");
                }
            }
        }
    }
}

fn without_colours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        out.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

#[test]
fn a_pole_does_not_flatten() {
    let mut desk = Desk::default();
    for line in [
        ":plot 1/t t=-5..5",
        ":plot 1/t^2 t=-5..5",
        ":plot tan(t) t=-5..5",
        ":plot t + 1e-9/t t=-1..1",
    ] {
        let text = desk.told(line, &wide(80));
        let rows = text.lines().skip(1).take(16);
        // The axis labels fit the curve, not its pole.
        let labels: Vec<f64> = rows
            .filter_map(|row| row.split('┤').next()?.trim().parse().ok())
            .collect();
        assert!(
            labels.len() > 2 && labels.iter().all(|label| label.abs() < 101.0),
            "{line}\n{text}"
        );
    }
}

#[test]
fn csv_reads_back() {
    let mut desk = Desk::with(&["max2(a, b) = max(a, b)"]);
    let line = ":plot max2(t, 0.1), \"x\" t=0..1";
    desk.error(line);
    let picture = desk.picture(":plot max2(t, 0.1), 1/t t=0..1 out.csv");
    let text = view::picture(&picture, "csv", &Style::default()).expect("it has points");
    let text = String::from_utf8(text).expect("it is text");
    let mut lines = text.split("\r\n");
    assert_eq!(lines.next(), Some("t,\"max2(t, 0.1)\",1/t"));
    let Picture::Plot(plot) = picture else {
        panic!("a plot was drawn")
    };
    for (at, (x, y)) in plot.curves[0].points.iter().enumerate() {
        let line = lines.next().expect("each point has a line");
        let numbers: Vec<f64> = line
            .split(',')
            .map(|field| field.parse().expect("a number"))
            .collect();
        let bits: Vec<u64> = numbers.iter().map(|number| number.to_bits()).collect();
        assert_eq!(
            bits,
            [*x, *y, plot.curves[1].points[at].1].map(f64::to_bits)
        );
    }
    assert_eq!((lines.next(), lines.next()), (Some(""), None));
}

#[test]
fn steps_are_kept_undone_and_done_again() {
    let mut desk = Desk::with(&["x = 3", "y = x^2", "z = x^4", ":step 0.1 3 of y"]);
    let values = |desk: &mut Desk| -> Vec<f64> {
        let plot = desk.plot(":plot y steps");
        plot.curves[0].points.iter().map(|point| point.1).collect()
    };
    let first = values(&mut desk);
    assert_eq!(first.len(), 4);
    assert_eq!(first[0], 9.0);
    desk.line(":step 0.1");
    let more = values(&mut desk);
    assert_eq!((&more[..4], more.len()), (&first[..], 5));
    assert_eq!(more[4].to_bits(), desk.value("y").to_bits());
    desk.line(":undo");
    assert_eq!(values(&mut desk), first);
    desk.line(":redo");
    assert_eq!(values(&mut desk), more);
    // A `:set` between steps makes a gap in the curve.
    desk.line(":set x 10");
    desk.line(":step 0.1");
    let plot_now = desk.plot(":plot y steps");
    assert_eq!(plot_now.curves[0].breaks, [5]);
    assert_eq!(plot_now.curves[0].points[5], (4.0, 100.0));
    // The steps of another root do not belong to this one.
    assert!(
        desk.error(":plot z steps")
            .help
            .expect("a way out")
            .contains(":step 0.01 100 of z")
    );
    desk.line(":step 1e-4 of z");
    assert_eq!(values(&mut desk).len(), 7);
    assert_eq!(desk.plot(":plot z steps").curves[0].points.len(), 2);
    // Reset and undo.
    desk.line(":reset");
    desk.error(":plot y steps");
    desk.line(":undo");
    assert_eq!(values(&mut desk).len(), 7);
    // Changing names does not change values.
    desk.line("y2 = y");
    assert_eq!(desk.plot(":plot y2 steps").curves[0].points.len(), 7);
}

#[test]
fn a_long_trail_is_thinned_out() {
    let mut desk = Desk::with(&["x = 3", "y = x^2", ":step 1e-6 100000 of y;"]);
    let many = desk.plot(":plot y steps");
    let points = &many.curves[0].points;
    assert!(
        (10_000..=20_001).contains(&points.len()),
        "{}",
        points.len()
    );
    assert_eq!(points[0], (0.0, 9.0));
    assert_eq!(points[points.len() - 1], (100_000.0, desk.value("y")));
    for _ in 0..30_000 {
        desk.try_line(":step 1e-6;");
    }
    let more = desk.plot(":plot y steps");
    let points = &more.curves[0].points;
    assert!(
        (10_000..=20_001).contains(&points.len()),
        "{}",
        points.len()
    );
    assert_eq!(points[points.len() - 1], (130_000.0, desk.value("y")));
    assert!(points.windows(2).all(|two| two[0].0 < two[1].0));
    // Over many powers of ten the axis is logarithmic.
    desk.line(":step 0.1 100 of y;");
    assert!(desk.plot(":plot y steps").logarithmic);
    assert_eq!(desk.line(":plot y steps")[0]["logarithmic"], true);
    let text = desk.told(":plot y steps", &wide(80));
    assert!(text.contains("(log)") && text.contains("e-"), "{text}");
}

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
    ]);
    for (line, across, range) in [
        (":plot f -1..1", "u", (-1.0, 1.0)),
        (":plot tanh 0 .. 1", "x", (0.0, 1.0)),
        (":plot f, tanh b=0..1", "b", (0.0, 1.0)),
        (":plot M", "a", (-2.0, 2.0)),
        (":plot M k=0..9", "k", (0.0, 9.0)),
        (":plot M 0..9", "a", (0.0, 9.0)),
        (":plot g(x, 2) x=0..1", "x", (0.0, 1.0)),
        (":plot g(x, a) 0..1", "x", (0.0, 1.0)),
        (
            ":plot sin(a) e2=-pi..2pi",
            "a",
            (-std::f64::consts::PI, 2.0 * std::f64::consts::PI),
        ),
        (":plot pi^2 pi = 0 .. 1", "pi", (0.0, 1.0)),
        (":plot x^2 -1..1", "x", (-1.0, 1.0)),
        (":plot x^2 0..b*2", "x", (0.0, 4.0)),
        (":plot x^2", "x", (-5.0, 5.0)),
        (":plot x^2 x=0...5", "x", (0.0, 0.5)),
        (
            ":plot x^2 file.svg x=0..pi",
            "x",
            (0.0, std::f64::consts::PI),
        ),
    ] {
        let plot = desk.plot(line);
        assert_eq!(
            (plot.across.as_str(), plot.range),
            (across, range),
            "{line}"
        );
    }
    let labels =
        |plot: Plot| -> Vec<String> { plot.curves.into_iter().map(|curve| curve.label).collect() };
    assert_eq!(
        labels(desk.plot(":plot f, f', f'' -1..1")),
        ["f(u)", "f'(u)", "f''(u)"]
    );
    assert_eq!(
        labels(desk.plot(":plot f'(a),  max(a,  b) a=-1..1")),
        ["f'(a)", "max(a, b)"]
    );
    let slopes = desk.plot(":plot f' -1..1");
    for (x, y) in &slopes.curves[0].points {
        assert!((y - 2.0 * x).abs() <= 1e-15, "{x} {y}");
    }
    desk.errors(&[
        (":plot L", "L", "`:plot L a=-5..5`"),
        (":plot L L=0..1", "L", "`a`, `b`"),
        (":plot L a=1..0", "1..0", "`a=0..1`"),
        (":plot L a=1..1", "1..1", "`-5..5`"),
        (":plot L a=nan..1", "nan", "finite"),
        (":plot L a=0..inf", "inf", "finite"),
        (":plot L a=3", "a=3", "`a=-5..5`"),
        (":plot L a=0..1 b", "b", "usage: `:plot"),
        (":plot p*q a=0..1", "p", "`p = 2`"),
        (":plot p*q 0..1", "q", "`q = 2`"),
        (":plot tanhh(p) 0..1", "tanhh", "`tanh`"),
        (":plot g 0..1", "g", "as in `g("),
        (":plot L' a=0..1", "'", "`grad(L, x)`"),
        (
            ":plot a, a, a, a, a, a, a a=0..1",
            "a, a, a, a, a, a, a",
            "two plots",
        ),
        (":plot a, , b a=0..1", "", ":plot tanh(x)"),
        (":plot ln(p) p=-2..-1", "ln(p)", "x=0..5"),
        (":plot L steps", "L", "`:step 0.01 100 of L`"),
        (":plot L a=0..1 x.pdf", "x.pdf", "`.svg .png .csv .md`"),
        (":plot a ans=0..1", "ans", "another name"),
        (":plot L a=0..1 a.svg b.csv", "b.csv", "usage: `:plot"),
        (":plot x^2, x a.svg b.png x=0..1", "b.png", "usage: `:plot"),
        (":plot L steps a.svg b.svg", "b.svg", "usage: `:plot"),
    ]);
}

#[test]
fn a_plot_with_hardly_any_values_has_a_note() {
    let mut desk = Desk::with(&["x = 1", "y = x^2"]);
    for (line, said) in [
        (
            ":plot y x=-1e308..1e308",
            Some("y is not drawn at 502 of 503 points"),
        ),
        (":plot y x=1..1e308", Some(" points")),
        (":plot x^200, x x=-1e308..1e308", Some(" points")),
        (":plot ln(t) t=-500..1", None),
        (":plot acosh(-t) t=-1..50", Some(" points")),
        (":plot y x=-3e154..3e154", None),
        (":plot ln(t) t=-5..5", None),
        (":plot 1/t t=-1..1", None),
        (":plot t t=-1e308..1e308", None),
    ] {
        let notes = desk.line(line)[0]["notes"].clone();
        let notes: Vec<&str> = (notes.as_array().expect("a list").iter())
            .filter_map(|note| note.as_str())
            .collect();
        match said {
            Some(said) => assert!(notes.len() == 1 && notes[0].ends_with(said), "{notes:?}"),
            None => assert!(notes.is_empty(), "{line}: {notes:?}"),
        }
    }
}

#[test]
fn json_has_the_points() {
    let mut desk = Desk::with(&["x = 3", "y = x^2"]);
    let answer = &desk.line(":plot y, 1/(x - 1.0013) x=-1..5")[0];
    assert_eq!(answer["kind"], "plot");
    assert_eq!(answer["across"], "x");
    assert_eq!(answer["range"], serde_json::json!([-1, 5]));
    let curves = answer["curves"].as_array().expect("a list");
    assert_eq!((curves.len(), &curves[0]["label"]), (2, &"y".into()));
    let points = curves[0]["points"].as_array().expect("a list");
    for point in points {
        assert_eq!(number(&point[1]), number(&point[0]) * number(&point[0]));
    }
    assert_eq!(curves[1]["breaks"].as_array().map(Vec::len), Some(1));
    assert_eq!(number(&answer["present"][0]["slope"]), 6.0);
    assert_eq!(number(&answer["present"][0]["at"]), 3.0);
    assert_eq!(answer["logarithmic"], false);
}

#[test]
fn large_graphs_are_sampled_coarsely() {
    let mut desk = Desk::with(&["x = 0.5", "y = x"]);
    desk.line(&format!("y = y{}", " + x*0.001".repeat(20_000)));
    let plot = desk.plot(":plot y x=-1..1");
    let points = &plot.curves[0].points;
    assert!((65..700).contains(&points.len()), "{}", points.len());
}

#[test]
fn it_can_be_stopped() {
    let mut desk = Desk::with(&["x = 0.5", "y = x"]);
    desk.line(&format!("y = y{}", " + x*0.001".repeat(2_000)));
    let before = state(&desk);
    desk.session.set_host(Patience::of(5));
    assert!(desk.error(":plot y x=-1..1").interrupted);
    assert_eq!(state(&desk), before);
}

/// The answer counts what was drawn: points are no curves.
#[test]
fn the_answer_says_what_was_drawn() {
    let mut desk = Desk::with(&["a = 2", "s = [1, 2, 3]"]);
    for (line, told) in [
        (
            ":plot a^2 a=0..4 with s, s t.svg",
            "drew 1 curve and 3 points into t.svg\n",
        ),
        (
            ":plot a^2, a a=0..4 with s, s, [1, 1, 2] t.svg",
            "drew 2 curves and 3 points into t.svg\n",
        ),
        (":plot s, s over s t.svg", "drew 2 lists into t.svg\n"),
        (":plot a a=0..4 t.svg", "drew 1 curve into t.svg\n"),
    ] {
        assert_eq!(desk.screen(line), told, "{line}");
    }
}
