//! Curves and maps as SVG and on the terminal, read back: lines lie where their numbers are, no text leaves the picture or
//! lies on anything, and a window of any width holds all.

use std::collections::BTreeSet;

use crate::common::builder::Chance;
use crate::common::plots::{curve, dots, line, map, plot, with_path, with_pole, with_tangent};
use crate::common::svg::{self, Area};
use crate::common::{plot_file, wide};
use chainrule_report::{ClassWord, Curve, Plot, PlotMap, PlotSize, Scale, characters};
use chainrule_style::theme::Theme;
use chainrule_style::{Movement, Style};

fn ground(plot: &mut Plot) -> &mut PlotMap {
    plot.map.as_mut().expect("it is a map")
}

/// A plot in a window of this width, which may have colours.
fn terminal_text(plot: &Plot, width: usize, theme: Option<Theme>) -> String {
    let style = Style {
        theme,
        ..wide(width)
    };
    let mut out = String::new();
    chainrule_pictures::plot(plot, &style, &mut out);
    out
}

fn with_size(plot: Plot, width: u32, height: u32) -> Plot {
    let size = PlotSize {
        width: f64::from(width),
        height: f64::from(height),
        is_for_print: false,
    };
    Plot {
        size: Some(size),
        ..plot
    }
}

fn is_near(one: (f64, f64), other: (f64, f64), gap: (f64, f64)) -> bool {
    (one.0 - other.0).abs() < gap.0 && (one.1 - other.1).abs() < gap.1
}

/// A point of a picture in the numbers of the axes, which are linear.
fn read((x, y): svg::Point, frame: Area, plot: &Plot) -> (f64, f64) {
    let ((from, to), (low, high)) = (plot.range, plot.up_range.expect("it is given"));
    (
        from + (x - frame.left) / frame.width() * (to - from),
        high - (y - frame.top) / frame.height() * (high - low),
    )
}

#[test]
fn curves_and_dots_are_where_their_numbers_are() {
    let points = [(1.0, 1.0), (2.5, 6.25), (3.0, 17.0), (9.0, 3.0)];
    let mut drawn = curve("x^2", 0.0..4.0, |x| x * x);
    drawn.up_range = Some((-1.0, 20.0));
    drawn.curves.push(dots("points", &points));
    drawn = with_tangent(drawn, 3.0, 9.0, 6.0, "at x = 3");
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    let frame = svg::frame(&svg);
    // The axis has a little room beside dots.
    let curve = svg::first_line(&svg, "curve");
    let ((left, _), (right, _)) = (curve[0], curve[curve.len() - 1]);
    assert!(left > frame.left && right < frame.right);
    let number = |(x, y): svg::Point| {
        let across = (x - left) / (right - left) * 4.0;
        (across, read((x, y), frame, &drawn).1)
    };
    for (x, y) in curve.iter().map(|at| number(*at)) {
        assert!((y - x * x).abs() < 0.03, "{x} {y}");
    }
    let marks = svg::all(svg::groups(&svg, "dots")[0], "path").into_iter();
    let marks = marks.map(|mark| {
        let corners = svg::line(mark);
        let middle = |pick: fn(&svg::Point) -> f64| {
            corners.iter().map(pick).sum::<f64>() / corners.len() as f64
        };
        number((middle(|it| it.0), middle(|it| it.1)))
    });
    // The point outside is not drawn.
    let marks: Vec<(f64, f64)> = marks.collect();
    assert_eq!(marks.len(), 3, "{marks:?}");
    for (mark, wanted) in marks.iter().zip(points) {
        assert!(is_near(*mark, wanted, (0.03, 0.15)), "{mark:?} {wanted:?}");
    }
    let present = number(svg::circles(&svg)[0].middle());
    assert!(is_near(present, (3.0, 9.0), (0.01, 0.03)), "{present:?}");
    // The tangent has the slope that it was given.
    let is_on_tangent = |at: &svg::Point| {
        let (x, y) = number(*at);
        (y - 9.0 - 6.0 * (x - 3.0)).abs() < 0.1
    };
    let paths = svg::all(svg.root(), "path").into_iter();
    let mut straight = paths.map(svg::line).filter(|line| line.len() == 2);
    let is_tangent = |line: Vec<svg::Point>| {
        line[1].0 - line[0].0 > frame.width() / 4.0 && line.iter().all(is_on_tangent)
    };
    assert!(straight.any(is_tangent));
    // What is outside is told, and not drawn.
    drawn.up_range = Some((-1.0, 5.0));
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    assert!(svg::groups(&svg, "present").is_empty());
    assert!(svg::words(svg.root_element()).contains(&"at x = 3"));
    let described = svg::all(svg.root(), "desc")[0].text();
    assert_eq!(described, Some("x goes from 0 to 4. at x = 3."));
}

#[test]
fn the_path_and_the_arrow_lead_downhill() {
    let mut drawn = map("L", (-2.0..4.0, -2.0..2.0), |a, b| a * a + 3.0 * b * b);
    let mut path = vec![(3.0, 1.0)];
    for _ in 0..4 {
        let (a, b) = path[path.len() - 1];
        path.push((0.8 * a, 0.4 * b));
    }
    let (a, b) = path[4];
    let grad = (2.0 * a, 6.0 * b);
    drawn = with_path(drawn, &path, grad);
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    let frame = svg::frame(&svg);
    let places = svg::first_line(&svg, "path");
    assert_eq!(places.len(), path.len());
    for (place, wanted) in places.iter().zip(&path) {
        let place = read(*place, frame, &drawn);
        assert!(
            is_near(place, *wanted, (1e-3, 1e-3)),
            "{place:?} {wanted:?}"
        );
    }
    // The arrow leads against the gradient as the picture shows it.
    let shaft = svg::first_line(&svg, "present");
    let (dx, dy) = (shaft[1].0 - shaft[0].0, shaft[1].1 - shaft[0].1);
    let (ex, ey) = (-grad.0 / 6.0 * frame.width(), grad.1 / 4.0 * frame.height());
    let turn = (dx * ey - dy * ex) / (dx.hypot(dy) * ex.hypot(ey));
    assert!(turn.abs() < 0.01 && dx * ex + dy * ey > 0.0, "{dx} {dy}");
}

/// Points in the numbers of the axes.
type Line = Vec<(f64, f64)>;

/// The lines of each level of a map.
fn contours(plot: &Plot) -> Vec<(f64, Vec<Line>)> {
    let text = plot_file(plot);
    let svg = svg::parse(&text);
    let frame = svg::frame(&svg);
    let groups = svg::groups(&svg, "contour").into_iter();
    let level = |group| {
        let paths = svg::all(group, "path").into_iter();
        let lines = paths.take(1).flat_map(svg::lines);
        let lines = lines.map(|line| line.into_iter().map(|at| read(at, frame, plot)).collect());
        let level = svg::key(group).parse();
        (level.expect("a level is a number"), lines.collect())
    };
    groups.map(level).collect()
}

fn contour(plot: &Plot, level: f64) -> Vec<Line> {
    let mut levels = contours(plot).into_iter();
    levels.find(|it| it.0 == level).expect("a line").1
}

#[test]
fn contour_lines_lie_where_the_map_has_their_level() {
    let square = || (-3.0..3.0, -3.0..3.0);
    let round = map("x^2 + y^2", square(), |x, y| x * x + y * y);
    let found = contours(&round);
    let levels: Vec<f64> = found.iter().map(|(level, _)| *level).collect();
    assert_eq!(levels, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0]);
    for (level, lines) in found {
        assert!(!lines.is_empty());
        for (x, y) in lines.into_iter().flatten() {
            assert!((x * x + y * y - level).abs() < 0.01, "{level}: {x} {y}");
        }
    }
    let text = plot_file(&round);
    assert!(text.contains("<title>x^2 + y^2 over x and y</title>"));
    assert!(text.contains("x goes from -3 to 3. y goes from -3 to 3."));
    // Levels as factors.
    let mut factors = map("exp(x + y)", square(), |x, y| (x + y).exp());
    ground(&mut factors).level_scale = Scale::Logarithmic;
    let levels: Vec<f64> = contours(&factors).iter().map(|(level, _)| *level).collect();
    assert_eq!(levels, [0.01, 0.1, 1.0, 10.0, 100.0]);
    // No level runs through what is only rounding.
    let noisy = map(
        "C",
        square(),
        |x, y| if x < 0.0 { 1e-15 * (x + y) } else { x },
    );
    assert!(contours(&noisy).iter().all(|(level, _)| *level > 0.0));
    // Of a constant there are levels around its value, and no lines.
    let flat = map("C", (-2.0..2.0, -1.0..3.0), |_, _| 3.25);
    assert!(contours(&flat).iter().all(|(_, lines)| lines.is_empty()));
    let text = plot_file(&flat);
    assert!(text.contains(">3.2</text>") && text.contains(">3.4</text>"));
}

#[test]
fn contours_go_through_saddles_and_close() {
    // 0 on lines of the grid, across its squares, and between its lines.
    for (x, y, turned) in [
        (-2.0, -2.0, false),
        (-2.0, -2.0, true),
        (-2.01, -2.007, false),
    ] {
        let saddle = map("s", (x..2.0, y..2.0), |x, y| {
            if turned { x * x - y * y } else { x * y }
        });
        let lines = contour(&saddle, 0.0);
        assert_eq!(lines.len(), 2);
        for line in lines {
            let off = line.iter().map(|(x, y)| x.hypot(*y));
            assert!(off.fold(f64::MAX, f64::min) < 2e-3);
        }
    }
    let hills = map("hills", (-6.0..6.0, -6.0..6.0), |x, y| x.sin() * y.sin());
    let rings = contour(&hills, 0.5);
    assert_eq!(rings.len(), 8);
    assert!(rings.iter().all(|ring| ring.first() == ring.last()));
}

#[test]
fn classes_have_marks_and_a_boundary() {
    let mut drawn = map("score", (-1.0..4.0, -1.0..2.0), |_, v| 2.0 * v - 1.0);
    ground(&mut drawn).boundary = Some(0.0);
    drawn.curves = vec![
        dots("k = -1", &[(0.0, 0.0), (2.0, 0.0)]),
        dots("k = 1", &[(1.0, 1.0), (3.0, 1.0), (9.0, 9.0)]),
    ];
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    let frame = svg::frame(&svg);
    let paths = svg::all(svg::groups(&svg, "boundary")[0], "path");
    let widths = paths.iter().map(|path| svg::number(*path, "stroke-width"));
    assert!(widths.fold(0.0, f64::max) > 3.0 && paths.len() == 2);
    for at in svg::line(paths[0]) {
        assert!((read(at, frame, &drawn).1 - 0.5).abs() < 1e-3, "{at:?}");
    }
    assert!(text.contains("<title>The heavy line is where score = 0</title>"));
    let mut texts = svg::all(svg.root(), "text").into_iter();
    let entry = texts.find(|it| it.text() == Some("score = 0"));
    assert!(svg::number(entry.expect("an entry of the legend"), "y") < frame.top);
    // A circle for one class, on top of squares for the other; the point outside is not drawn.
    let marks = svg::groups(&svg, "dots");
    let marks = [svg::all(marks[1], "circle"), svg::all(marks[0], "path")];
    assert_eq!(marks.map(|marks| marks.len()), [2, 2]);
    let plain = terminal_text(&drawn, 80, None);
    for legend in ["• k = -1   ◦ k = 1", "score = 0"] {
        assert!(plain.contains(legend), "{plain}");
    }
}

#[test]
fn logarithmic_axes_make_powers_straight() {
    let places = (0..=250).map(|at| 10_f64.powf(f64::from(at) / 50.0 - 2.0));
    let cubes = places.map(|x| (x, x * x * x)).collect();
    let mut drawn = plot(0.01..1000.0, vec![line("y", cubes)]);
    (drawn.up_scale, drawn.across_scale) = (Scale::Logarithmic, Scale::Logarithmic);
    drawn = with_tangent(drawn, 10.0, 1000.0, 300.0, "here");
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    let curve = svg::first_line(&svg, "curve");
    let (first, last) = (curve[0], curve[curve.len() - 1]);
    let height = |x: f64| first.1 + (x - first.0) / (last.0 - first.0) * (last.1 - first.1);
    assert!(curve.iter().all(|(x, y)| (y - height(*x)).abs() < 0.05));
    // The present point lies on it.
    let present = svg::circles(&svg)[0].middle();
    let wanted = svg::between(first, last, 0.6);
    assert!(
        is_near(present, wanted, (0.5, 0.5)),
        "{present:?} {wanted:?}"
    );
    let words = svg::words(svg.root_element());
    for label in ["0.01", "0.1", "1", "10", "100", "1000"] {
        assert!(words.contains(&label), "{label}: {words:?}");
    }
    let both = terminal_text(&drawn, 80, None);
    for part in ["10⁶ ┤", "10⁰ ┤", " 1000\n"] {
        assert!(both.contains(part), "{both}");
    }
    let says_log = |word: &&str| word.contains("log");
    assert!(
        !both.contains("log") && !words.iter().any(says_log),
        "{both}"
    );
    // Small ticks at 2 to 9 times each power stand below the frame, where the axis has them.
    let frame = svg::frame(&svg);
    let lines = svg::all(svg.root(), "path").into_iter().map(svg::line);
    let ticks = lines.filter(|line| line.len() == 2 && line[0].1 == frame.bottom);
    let small = ticks.filter(|line| line[1].1 - line[0].1 == 3.0);
    let parts = small.map(|line| (line[0].0 - frame.left) / frame.width() * 5.0);
    let parts: Vec<f64> = parts.collect();
    assert_eq!(parts.len(), 5 * 8);
    for (part, at) in parts.iter().zip(0..) {
        let wanted = f64::from(at / 8) + f64::from(at % 8 + 2).log10();
        assert!((part - wanted).abs() < 0.01, "{part} {wanted}");
    }
}

#[test]
fn a_printed_figure_needs_no_colours() {
    let points = [(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)];
    let mut drawn = curve("a", 0.0..4.0, |x| x / 2.0);
    drawn.up_range = Some((0.0, 4.0));
    for (name, part) in [("b", 0.3), ("c", 0.7)] {
        drawn
            .curves
            .extend(curve(name, 0.0..4.0, |x| part * x).curves);
    }
    drawn.curves.push(Curve {
        deviations: vec![0.5; 3],
        deviations_across: vec![0.0, 0.25, 0.25],
        ..dots("points", &points)
    });
    (drawn.across, drawn.is_range_typed) = ("t (ms)".to_string(), true);
    drawn.curves[1].legend = Some("second".to_string());
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    // Curves differ in their dashes, and wear no signs.
    let groups = svg::groups(&svg, "curve");
    assert!(
        groups
            .iter()
            .all(|group| svg::all(*group, "path").len() == 1)
    );
    let dashes = groups
        .iter()
        .map(|it| svg::all(*it, "path")[0].attribute("stroke-dasharray"));
    assert_eq!(dashes.collect::<BTreeSet<_>>().len(), 3);
    // Both axes have names, and the legend says what was typed.
    let words = svg::words(svg.root_element());
    for word in ["t (ms)", "a, b, c, points", "a", "second", "points"] {
        assert!(words.contains(&word), "{word}: {words:?}");
    }
    // Each bar has the length of its uncertainty; none stands where it is 0.
    let frame = svg::frame(&svg);
    let lines = svg::all(svg.root(), "path").into_iter();
    let bars = lines.filter(|it| it.attribute("stroke-width").is_none());
    let bars: Vec<_> = bars.flat_map(svg::lines).collect();
    let length = |bar: &Vec<svg::Point>| {
        let [from, to] = [bar[0], bar[1]].map(|at| read(at, frame, &drawn));
        ((to.0 - from.0).abs(), (to.1 - from.1).abs())
    };
    let lengths: Vec<(f64, f64)> = bars.iter().map(length).collect();
    let wanted = [(0.0, 1.0); 3].into_iter().chain([(0.5, 0.0); 2]);
    assert_eq!(lengths.len(), 5, "{lengths:?}");
    for (found, wanted) in lengths.iter().zip(wanted) {
        assert!(is_near(*found, wanted, (0.01, 0.01)), "{lengths:?}");
    }
}

#[test]
fn residuals_have_a_scale_at_any_size() {
    for (width, height) in [(640, 480), (420, 320), (302, 227), (800, 200), (200, 150)] {
        let mut drawn = curve("y", 0.0..4.0, |x| x * x);
        let residuals = plot(
            0.0..4.0,
            vec![dots("residuals", &[(0.0, -2.3), (4.0, 2.1)])],
        );
        drawn.below = Some(Box::new(residuals));
        let text = plot_file(&with_size(drawn, width, height));
        let svg = svg::parse(&text);
        let mut frames = svg::groups(&svg, "frame").into_iter().map(svg::outline);
        let below = frames.next_back().expect("there are two frames");
        let texts = svg::all(svg.root(), "text").into_iter();
        let labels = texts.filter(|it| it.text().is_some_and(|it| it.parse::<f64>().is_ok()));
        let beside = labels.map(svg::text_area).filter(|it| {
            it.right < below.left && (below.top..below.bottom).contains(&it.middle().1)
        });
        let beside: Vec<Area> = beside.collect();
        assert!(beside.len() >= 2, "{width} {height}: {beside:?}");
        assert!(beside.windows(2).all(|two| two[0].is_apart(two[1], 0.0)));
    }
}

#[test]
fn classes_have_words_at_their_ticks() {
    let mut drawn = plot(
        0.0..2.0,
        vec![dots("y", &[(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)])],
    );
    let words = ["setosa", "versicolor", "virginica"].into_iter().zip(0..);
    let words = words.map(|(word, number)| ClassWord {
        number: f64::from(number),
        word: word.to_string(),
    });
    drawn.words_across = words.collect();
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    let frame = svg::frame(&svg);
    let texts = svg::all(svg.root(), "text").into_iter();
    let below = texts.filter(|text| svg::number(*text, "y") > frame.bottom + 5.0);
    let below: Vec<_> = below
        .filter_map(|it| Some((it.text()?, svg::number(it, "x"))))
        .collect();
    for ((found, x), (word, at)) in
        below
            .iter()
            .zip([("setosa", 0.5), ("versicolor", 1.5), ("virginica", 2.5)])
    {
        let wanted = frame.left + at / 3.0 * frame.width();
        assert!(*found == word && (x - wanted).abs() < 0.5, "{below:?}");
    }
    assert_eq!(below.last().map(|it| it.0), Some("x"));
    let narrow = terminal_text(&drawn, 30, None);
    assert!(
        narrow.contains("setosa") && narrow.contains("versic…"),
        "{narrow}"
    );
}

#[test]
fn texts_are_off_each_other_and_off_what_is_drawn() {
    const LONG: &str = "a_rather_long_name_of_a_list";
    let slope = |from: f64, to: f64| curve("x", from..to, |x| x);
    let present = curve("y", -1.0..3.0, |x| x * x);
    let present = with_tangent(present, 2.0, 4.0, 4.0, "at x = 2: y = 4, slope 4");
    let walked = map("L", (-1.0..3.0, -1.0..3.0), |x, y| {
        (x - 1.0).powi(2) + 4.0 * (y - 0.5).powi(2) + x * y
    });
    let steps = (0..21).map(|step| f64::from(step) / 20.0);
    let path: Vec<(f64, f64)> = steps.map(|it| (2.0 - it, 1.5 - it / 2.0)).collect();
    let walked = with_path(walked, &path, (1.0, 5.0));
    let mut far = map("x*y", (0.0..1e6, 0.0..1e6), |x, y| x * y);
    far.curves = vec![dots("points", &[(0.0, 0.0), (1e6, 0.0), (0.0, 1e6)])];
    let measured = [3.02, 2.11, 1.44, 1.06, 0.71, 0.52, 0.36, 0.19];
    let measured: Vec<(f64, f64)> = (0..8).map(f64::from).zip(measured).collect();
    let list = |up, logarithmic| Plot {
        across: LONG.to_string(),
        upwards: "y".to_string(),
        up_range: up,
        up_scale: Scale::logarithmic_if(logarithmic),
        ..plot(0.0..7.0, vec![dots("y", &measured)])
    };
    let mut model = curve("model", 0.0..7.0, |x| 3.0 * (-x / 2.8).exp())
        .curves
        .remove(0);
    model.deviations = vec![0.1; model.points.len()];
    let mut residuals = list(None, false);
    residuals.upwards.clear();
    residuals.curves = vec![dots("residuals", &[(0.0, 0.02), (3.0, -0.04), (7.0, 0.03)])];
    let mut fit = list(None, false);
    fit.curves.push(model);
    fit.below = Some(Box::new(residuals));
    let mut logarithmic = fit.clone();
    logarithmic.up_scale = Scale::Logarithmic;
    fit.title = Some("t.svg".to_string());
    let ends = vec![(1e-7, 1e-7), (1.0, 1.0), (1e7, 1e7)];
    let mut powers = plot(1e-7..1e7, vec![line("x", ends)]);
    (powers.up_scale, powers.across_scale) = (Scale::Logarithmic, Scale::Logarithmic);
    for (at, (drawn, names)) in [
        (slope(1e6, 1_000_010.0), &["x"][..]),
        (slope(-1e6, 1e6), &["x"]),
        (slope(0.0, 123_456_789.0), &["x"]),
        (with_size(slope(0.0, 1e9), 300, 200), &["x"]),
        (powers, &["x", "10", "−6"]),
        (
            map("x*y", (1e6..1_000_010.0, 1e6..1_000_010.0), |x, y| x * y),
            &["x", "y"],
        ),
        (curve("1000*x^3", -5.0..5.0, |x| 1000.0 * x.powi(3)), &["x"]),
        (present, &["x", "tangent"]),
        (
            walked.clone(),
            &["x", "y", "the path of 20 steps", "downhill"],
        ),
        (with_size(walked, 250, 200), &["x", "y", "downhill"]),
        (far, &["x", "y"]),
        (with_size(list(None, false), 200, 150), &[LONG]),
        (list(Some((0.19, 3.02)), true), &[LONG, "y"]),
        (fit, &[LONG, "residuals", "t.svg", "±1σ"]),
        (with_size(logarithmic, 300, 250), &["y", "residuals"]),
    ]
    .into_iter()
    .enumerate()
    {
        let text = plot_file(&drawn);
        let svg = svg::parse(&text);
        let view = svg.root_element().attribute("viewBox").unwrap_or_default();
        let view: Vec<f64> = view.split(' ').filter_map(|it| it.parse().ok()).collect();
        let view = Area::with_size(view[0], view[1], view[2], view[3]);
        let words = svg::words(svg.root_element());
        let are_there = names.iter().all(|name| words.contains(name));
        assert!(are_there, "{at}: {words:?}");
        let texts = svg::all(svg.root(), "text").into_iter();
        let mut areas: Vec<Area> = texts.map(svg::text_area).collect();
        for (area, words) in areas.iter().zip(&words) {
            assert!(view.holds(*area), "{at}: {words:?} {area:?}");
        }
        areas.extend(svg::circles(&svg));
        for (place, (one, words)) in areas.iter().zip(words).enumerate() {
            let mut others = areas[place + 1..].iter();
            // A number and its exponent touch, and their places are rounded to a hundredth.
            let is_free = others.all(|other| one.is_apart(*other, -0.02));
            assert!(is_free, "{at}: {words:?} {one:?}");
        }
    }
}

#[test]
fn a_picture_is_as_large_as_asked() {
    let parabola = curve("x^2", -5.0..5.0, |x| x * x);
    let text = plot_file(&with_size(parabola.clone(), 640, 300));
    let whole = svg::whole(&svg::parse(&text));
    assert_eq!((whole.right, whole.bottom), (640.0, 300.0));
    let text = terminal_text(&with_size(parabola, 50, 9), 80, None);
    // The title, nine rows, the axis, its labels.
    let widest = text.lines().map(characters::width).max();
    assert_eq!(
        (text.lines().count(), widest),
        (1 + 9 + 2, Some(50)),
        "{text}"
    );
    let product = map("x*y", (0.0..1.0, 0.0..1.0), |x, y| x * y);
    let text = terminal_text(&with_size(product, 40, 6), 80, None);
    let rows = text.lines().filter(|row| row.contains(['│', '┤']));
    assert_eq!(rows.count(), 6, "{text}");
}

#[test]
fn a_map_on_the_terminal_has_two_values_to_a_character() {
    let drawn = map("L", (-2.0..2.0, -2.0..2.0), |a, b| a * a + b * b);
    let path: Vec<(f64, f64)> = (0..6).map(|at| (1.0 - f64::from(at) / 10.0, 1.0)).collect();
    let drawn = with_path(drawn, &path, (1.0, 2.0));
    for theme in [Theme::Terminal, Theme::Dark, Theme::Light] {
        let text = terminal_text(&drawn, 80, Some(theme));
        assert!(text.contains('▀') && text.contains('●'), "{text}");
        // From the middle outwards, each shade differs from the one before.
        let row = text.lines().nth(3).unwrap_or_default();
        let shades = row.split("38;5;").skip(1);
        let shades: BTreeSet<_> = shades.map(|it| it.split([';', 'm']).next()).collect();
        assert!(shades.len() >= 3, "{row:?}");
    }
    for width in [24, 40, 80, 160] {
        let text = terminal_text(&drawn, width, None);
        let widest = text.lines().map(characters::width).max();
        assert!(widest <= Some(width.min(100)), "{text}");
        assert!(text.contains('●') && text.contains("path of 5 "), "{text}");
        // The bar beside it explains the shades.
        let mut rows = text.lines();
        let has_bar = rows.any(|row| row.ends_with(".. 2") || row.ends_with(":: 2"));
        assert!(has_bar, "{text}");
    }
    // What is no number is empty.
    let roots = map("sqrt(x - y)", (0.0..1.0, 0.0..1.0), |x, y| (x - y).sqrt());
    let text = terminal_text(&roots, 80, None);
    let rows: Vec<&str> = text.lines().collect();
    let is_empty = rows[2].contains("┤       ") && rows[17].contains("┤  '");
    assert!(is_empty, "{text}");
}

#[test]
fn the_first_curve_lies_on_top() {
    // Right of 0 both have the same values.
    let mut both = curve("relu(x)", -3.0..3.0, |x| x.max(0.0));
    both.curves.extend(curve("x", -3.0..3.0, |x| x).curves);
    let text = terminal_text(&both, 80, Some(Theme::Dark));
    let rows: Vec<&str> = text.lines().collect();
    let samples = rows[0].split("\u{1b}[").filter(|it| it.contains('⠤'));
    let colors = samples.filter_map(|sample| sample.split('m').next());
    let colors: Vec<&str> = colors.collect();
    let [first, second] = colors[..] else {
        panic!("{text}")
    };
    assert_ne!(first, second, "{text}");
    let (above, below) = rows[1..].split_at(8);
    let count = |rows: &[&str], color: &str| rows.join("\n").matches(&format!("[{color}m")).count();
    let counts = [
        count(above, first),
        count(above, second),
        count(below, second),
    ];
    assert!(
        counts[0] > 6 && counts[1] <= 1 && counts[2] > 6,
        "{counts:?} {text}"
    );
    // So do the dots of the first list.
    let lists = vec![
        dots("one", &[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]),
        dots("other", &[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]),
    ];
    let text = terminal_text(&plot(1.0..3.0, lists), 80, None);
    assert!(text.starts_with("• one   ◦ other\n"), "{text}");
    let counts = ['•', '◦'].map(|sign| text.matches(sign).count());
    assert_eq!(counts, [1 + 3, 1 + 2], "{text}");
}

#[test]
fn a_pole_is_a_gap_and_does_not_flatten() {
    // Right of the pole all values are positive, left of it negative, so no character may contain both.
    for (pole, width) in [(0.02, 80), (0.0, 160)] {
        let drawn = with_pole("1/x", -5.0..5.0, pole, |x| 1.0 / (x - pole));
        let text = terminal_text(&drawn, width, None);
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let mut starts = rows.iter().map(|row| row.trim_start());
        let zero = starts.position(|row| row.starts_with("0 "));
        let zero = zero.expect("zero is on the axis");
        let columns = |rows: &[&str]| -> Vec<usize> {
            let cells = rows.iter().flat_map(|row| row.chars().enumerate());
            let dots = cells.filter(|(_, c)| ('\u{2801}'..='\u{28ff}').contains(c));
            dots.map(|(at, _)| at).collect()
        };
        let (above, below) = (columns(&rows[..zero]), columns(&rows[zero + 1..]));
        assert!(below.iter().max() <= above.iter().min(), "{text}");
        // The curve is clipped near its pole, but visible away from it.
        assert!(above.len() > 12 && below.len() > 12, "{text}");
        // The labels of the axis fit the curve, not its pole.
        let labels = rows
            .iter()
            .filter_map(|row| row.split('┤').next()?.trim().parse().ok());
        let labels: Vec<f64> = labels.collect();
        let fit = labels.len() > 2 && labels.iter().all(|label| label.abs() < 101.0);
        assert!(fit, "{text}");
    }
}

#[test]
fn drawings_keep_to_their_width() {
    const LONG: &str = "a_name_of_just_about_forty_letters_or_so";
    let mut many = curve(LONG, -5.0..5.0, |x| x * x);
    for label in ["x", "-x", "1/x"] {
        many.curves
            .extend(curve(label, -5.0..5.0, |x| 1.0 / x).curves);
    }
    let mut named = curve("y", 0.0..1.0, |x| x);
    named.across = LONG.to_string();
    let mut pair = curve("nan", 0.0..1.0, |_| f64::NAN);
    pair.curves.extend(curve("x", 0.0..1.0, |x| x).curves);
    let one_point = vec![(0.0, f64::NAN), (3.0, 1.0), (6.0, f64::NAN)];
    for (at, drawn) in [
        many,
        named,
        curve("größe*größe", 0.0..1e300, |x| x * x),
        curve("tiny", 0.0..1.0, |x| x * 1e-300),
        curve("huge", -1.0..1.0, |x| x * 1.7e308),
        curve("x + 1234567.25", 0.0..1e-3, |x| x + 1_234_567.25),
        pair,
        curve("7", 0.0..1.0, |_| 7.0),
        plot(0.0..6.0, vec![line("one point", one_point)]),
        curve("x", -1.7e308..1.7e308, |x| x),
        curve("x", 0.0..5e-324, |x| x),
        curve("x", 1.0..1.0 + f64::EPSILON, |x| x),
        curve("x^2", 1e15..1e15 + 100.0, |x| x * x),
    ]
    .into_iter()
    .enumerate()
    {
        for width in [3, 40, 80, 100, 160] {
            let color = [3, 100].contains(&width);
            let text = terminal_text(&drawn, width, color.then(Theme::default));
            let mut parts = text.split('\u{1b}');
            let first = parts.next().unwrap_or_default();
            let rest = parts.map(|part| part.split_once('m').map_or("", |(_, rest)| rest));
            let bare = first.to_string() + &rest.collect::<String>();
            assert_eq!(color, bare != text, "{at}");
            let rows = bare.lines().count();
            assert!((12..=26).contains(&rows), "{at} {width}: {rows} rows");
            for row in bare.lines() {
                let fits = characters::width(row) <= width.clamp(24, 100);
                assert!(fits, "{at} {width}:\n{bare}");
                assert_eq!(row.trim_end(), row, "{at}");
            }
        }
        let text = plot_file(&drawn);
        let svg = svg::parse(&text);
        let paths = svg::all(svg.root(), "path").into_iter();
        let mut points = paths.flat_map(svg::line);
        assert!(points.all(|(x, y)| x.is_finite() && y.is_finite()), "{at}");
    }
}

/// A million bytes for any number of points, and outliers stay.
#[test]
fn crowds_are_drawn_in_specks() {
    let mut chance = Chance::new(5);
    let mut points = |count: usize| -> Vec<(f64, f64)> {
        let mut unit = || chance.below(1 << 20) as f64 / f64::from(1 << 20);
        (0..count).map(|_| (unit(), unit())).collect()
    };
    let mut cloud = points(100_000);
    cloud.push((0.5, 3.0));
    let deviations = cloud.iter().map(|point| point.0 / 10.0).collect();
    let with_bars = Curve {
        deviations,
        ..dots("y", &cloud)
    };
    let mut in_order = cloud.clone();
    in_order.sort_by(|one, other| one.0.total_cmp(&other.0));
    for curves in [
        vec![dots("y", &cloud)],
        vec![with_bars],
        (0..6).map(|_| dots("y", &points(16_000))).collect(),
        vec![line("y", in_order)],
        vec![line("y", cloud)],
    ] {
        let class = if curves[0].has_dots { "dots" } else { "curve" };
        let is_alone = curves.len() == 1;
        let text = plot_file(&plot(0.0..1.0, curves));
        assert!(text.len() <= 1_000_000, "{} bytes", text.len());
        let svg = svg::parse(&text);
        let middle = svg::frame(&svg).middle();
        let places = svg::first_line(&svg, class);
        if is_alone {
            // The outlier stands alone in the upper half.
            let above: Vec<_> = places.iter().filter(|it| it.1 < middle.1).collect();
            assert!((1..=2).contains(&above.len()), "{above:?}");
            assert!((above[0].0 - middle.0).abs() < 4.0, "{above:?}");
        }
    }
}

/// On a page a present point has its value beside it, inside the frame and on no line. A picture for print has none.
#[test]
fn a_point_has_its_value_beside_it_on_a_page() {
    let drawn = |at: f64| {
        let parabola = curve("y", -1.0..3.0, |x| x * x);
        with_tangent(parabola, at, at * at, 2.0 * at, "a remark")
    };
    let on_page = Style {
        movement: Movement::Possible,
        ..Style::default()
    };
    for at in [-0.99, -0.5, 0.0, 1.0, 2.0, 2.9] {
        let text = chainrule_pictures::plot_element(&drawn(at), &on_page);
        let svg = svg::parse(&text);
        let group = svg::groups(&svg, "present")[0];
        let texts = svg::all(group, "text");
        assert_eq!(texts[0].text(), Some(&*format!("y = {}", (at * at) as f32)));
        let area = svg::text_area(texts[0]);
        let frame = svg::rectangle(svg::all(svg::groups(&svg, "frame")[0], "rect")[0]);
        assert!(frame.holds(area), "{at}: {area:?}");
        assert!(area.is_apart(svg::circles(&svg)[0], 0.0), "{at}: {area:?}");
        let paths = svg::all(svg.root(), "path").into_iter().map(svg::line);
        let mut curves = paths.filter(|line| line.len() > 2);
        assert!(
            !curves.any(|line| area.is_entered_by(&line)),
            "{at}: {area:?}"
        );
    }
    let print = plot_file(&drawn(1.0));
    assert!(!print.contains("y = 1<"), "{print}");
}
