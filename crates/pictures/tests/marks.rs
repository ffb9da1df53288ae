//! The marks of charts, read back from SVG: what a reader of a printed figure tells apart, and what is drawn of very many
//! points.

use std::collections::BTreeSet;

use crate::common::builder::Chance;
use crate::common::plot_file;
use crate::common::plots::{curve, dots, line, map, plot, with_path};
use crate::common::svg;
use chainrule_report::{Curve, Plot, Scale};
use roxmltree::Node;

/// The lines of the first curve of a plot.
fn lines(drawn: &Plot) -> Vec<Vec<svg::Point>> {
    let text = plot_file(drawn);
    let svg = svg::parse(&text);
    svg::lines(svg::all(svg::groups(&svg, "curve")[0], "path")[0])
}

/// The areas that are see-through.
fn bands<'d>(svg: &'d roxmltree::Document) -> Vec<Node<'d, 'd>> {
    let mut paths = svg::all(svg.root(), "path");
    paths.retain(|path| path.has_attribute("fill-opacity"));
    paths
}

#[test]
fn lines_break_at_gaps_and_without_a_logarithm() {
    let points = [5.0, 4.0, f64::NAN, 2.0, -3.0, 8.0, 1.0, f64::INFINITY, 3.0];
    let numbered = points.iter().enumerate();
    let list = line("y", numbered.map(|(at, y)| (at as f64, *y)).collect());
    let mut drawn = plot(0.0..8.0, vec![list]);
    // The numbers of points of the lines: a point between two gaps is a short line.
    let counts = |drawn: &Plot| lines(drawn).iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(counts(&drawn), [2, 4, 2]);
    drawn.up_scale = Scale::Logarithmic;
    assert_eq!(counts(&drawn), [2, 2, 2, 2]);
    // Points without a place across are gaps, too.
    drawn.up_scale = Scale::Linear;
    drawn.across_scale = Scale::Logarithmic;
    drawn.range = (0.5, 8.0);
    assert_eq!(counts(&drawn), [2, 4, 2]);
    // The band ends where its curve does, and reaches the lower edge where its own edge has no logarithm.
    drawn.across_scale = Scale::Linear;
    drawn.up_scale = Scale::Logarithmic;
    drawn.range = (0.0, 8.0);
    drawn.curves[0].deviations = vec![0.1, 0.1, 0.1, 3.0, 4.0, 0.1, 2.0, 0.1, 0.1];
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    let areas: Vec<_> = bands(&svg).into_iter().flat_map(svg::lines).collect();
    let frame = svg::frame(&svg);
    let column = |at: f64| frame.left + at / 8.0 * frame.width();
    let widths: Vec<(f64, f64)> = areas
        .iter()
        .map(|area| {
            let across = area.iter().map(|point| point.0);
            (
                across.clone().fold(f64::MAX, f64::min),
                across.fold(0.0, f64::max),
            )
        })
        .collect();
    for (found, (from, to)) in widths
        .iter()
        .zip([(0.0, 1.0), (3.0, 3.0), (5.0, 6.0), (8.0, 8.0)])
    {
        let is_there = (found.0 - column(from)).abs() < 0.1 && (found.1 - column(to)).abs() < 0.1;
        assert!(is_there, "{found:?}, not {from} to {to}");
    }
    assert_eq!(widths.len(), 4);
    let lowest = areas[2].iter().map(|point| point.1).fold(0.0, f64::max);
    assert!((lowest - frame.bottom).abs() < 0.1, "{lowest}");
}

#[test]
fn a_band_has_the_colour_of_its_curve() {
    let with_band = |label: &str, height: f64| {
        let mut drawn = curve(label, 0.0..1.0, |x| height + x);
        let curve = &mut drawn.curves[0];
        curve.deviations = vec![0.2; curve.points.len()];
        drawn.curves.remove(0)
    };
    let text = plot_file(&plot(
        0.0..1.0,
        vec![with_band("a", 0.0), with_band("b", 1.0)],
    ));
    let svg = svg::parse(&text);
    let curves = svg::groups(&svg, "curve").into_iter();
    let mut wanted: Vec<_> = curves
        .filter_map(|it| svg::all(it, "path")[0].attribute("stroke"))
        .collect();
    let mut found: Vec<_> = bands(&svg)
        .iter()
        .filter_map(|it| it.attribute("fill"))
        .collect();
    wanted.sort_unstable();
    found.sort_unstable();
    assert_eq!(found.len(), 2);
    assert_eq!(found, wanted);
    assert_eq!(
        svg::words(svg.root_element())
            .iter()
            .filter(|it| **it == "±1σ")
            .count(),
        1
    );
    // The legend does not name a band that its curve hides.
    let mut thin = with_band("a", 0.0);
    thin.deviations.fill(1e-4);
    assert!(!plot_file(&plot(0.0..1.0, vec![thin])).contains("±1σ"));
}

/// All bars come before all signs, and a sign is filled, so no bar runs through a sign.
#[test]
fn signs_cover_their_bars() {
    let with_bars = |label: &str, up: f64| Curve {
        deviations: vec![0.5; 3],
        ..dots(label, &[(1.0, up), (2.0, up), (3.0, up)])
    };
    let text = plot_file(&plot(
        0.0..4.0,
        vec![with_bars("a", 1.0), with_bars("b", 1.2)],
    ));
    let svg = svg::parse(&text);
    let ground = svg::all(svg.root(), "rect")[0].attribute("fill");
    let signs: Vec<Node> = svg::groups(&svg, "dots")
        .iter()
        .flat_map(Node::children)
        .filter(|it| it.is_element() && it.tag_name().name() != "title")
        .collect();
    assert_eq!(signs.len(), 6);
    assert!(signs.iter().all(|sign| sign.attribute("fill") == ground));
    let bars: Vec<Node> = svg::all(svg.root(), "path")
        .into_iter()
        .filter(|path| svg::lines(*path).len() == 3 && path.attribute("fill") == Some("none"))
        .collect();
    assert_eq!(bars.len(), 2);
    let last_bar = bars.iter().map(|bar| bar.range().start).max();
    assert!(signs.iter().all(|sign| Some(sign.range().start) > last_bar));
}

/// Of 24 curves and of 24 classes, no two look the same on a printer without colours.
#[test]
fn many_curves_and_classes_differ_without_colours() {
    let curves: Vec<Curve> = (0..24)
        .map(|at| {
            line(
                &format!("c{at}"),
                vec![(0.0, f64::from(at)), (1.0, f64::from(at))],
            )
        })
        .collect();
    let text = plot_file(&plot(0.0..1.0, curves));
    let svg = svg::parse(&text);
    let shape = |node: Node| {
        let outline = match node.attribute("d") {
            Some(path) => path
                .split_once(|c: char| "lhv".contains(c))
                .map_or("", |it| it.1)
                .to_string(),
            None => node.attribute("r").unwrap_or_default().to_string(),
        };
        let fill = node.attribute("fill");
        let is_full = fill == node.attribute("stroke") || !node.has_attribute("stroke");
        let dashes = node.attribute("stroke-dasharray").unwrap_or_default();
        let letter = node.text().unwrap_or_default();
        format!("{outline} {is_full} {dashes} {letter}")
    };
    let look = |group: &Node| {
        let parts = group
            .children()
            .filter(|it| it.is_element() && it.tag_name().name() != "title");
        // The first part of a curve is its line, whose places differ anyway.
        let looks: Vec<String> = parts.map(shape).collect();
        looks.join("; ")
    };
    let looks: BTreeSet<String> = svg::groups(&svg, "curve").iter().map(look).collect();
    assert_eq!(looks.len(), 24, "{looks:#?}");
    let all: Vec<Curve> = (0..24)
        .map(|at| dots(&format!("d{at}"), &[(f64::from(at), 0.0)]))
        .collect();
    let text = plot_file(&plot(0.0..24.0, all));
    let svg = svg::parse(&text);
    let looks: BTreeSet<String> = svg::groups(&svg, "dots").iter().map(look).collect();
    assert_eq!(looks.len(), 24, "{looks:#?}");
}

/// The seventh curve and those after it have a letter on them, which is no mark of data, and which the legend repeats: in the
/// sample of the curve, or, if the legend names the data of the curve alone, behind their name.
#[test]
fn curves_have_letters_and_no_marks_of_data() {
    let named = |at: u8| line(&format!("c{at}"), vec![(0.0, at.into()), (1.0, at.into())]);
    let curves: Vec<Curve> = (0..9).map(named).collect();
    let text = plot_file(&plot(0.0..1.0, curves.clone()));
    let svg = svg::parse(&text);
    for (at, group) in svg::groups(&svg, "curve").iter().rev().enumerate() {
        let letters: BTreeSet<&str> = svg::words(*group).into_iter().collect();
        let wanted = ["a", "b", "c"].get(at.wrapping_sub(6));
        assert_eq!(letters, wanted.copied().into_iter().collect(), "curve {at}");
        let sizes = svg::all(*group, "circle")
            .into_iter()
            .map(|it| it.attribute("stroke"));
        assert!(
            sizes.flatten().next().is_none(),
            "curve {at} has an outline of a dot"
        );
    }
    let words = svg::words(svg.root_element());
    let count = |letter: &str| words.iter().filter(|it| **it == letter).count();
    // On the line, whose ends are its only points, and in the legend.
    assert_eq!([count("a"), count("b"), count("d")], [3, 3, 0], "{words:?}");
    let data = (0..9_u8).map(|at| {
        dots(
            &format!("set {}", char::from(b'A' + at)),
            &[(0.5, f64::from(at))],
        )
    });
    let belonging = curves.into_iter().enumerate().map(|(at, curve)| Curve {
        belongs_to: Some(at),
        legend: Some(String::new()),
        ..curve
    });
    let drawn = plot(0.0..1.0, data.chain(belonging).collect());
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    let words = svg::words(svg.root_element());
    for word in ["set F", "set G (a)", "set I (c)"] {
        assert!(words.contains(&word), "{word}: {words:?}");
    }
}

/// Of very many points, 20,000 are drawn, each where one is, with the highest and the lowest of each stripe.
#[test]
fn crowds_lose_no_extremes() {
    let mut chance = Chance::new(11);
    let mut unit = || chance.below(1 << 20) as f64 / f64::from(1 << 20);
    // A wave of 13 points a turn, with noise.
    let wave: Vec<(f64, f64)> = (0..60_000)
        .map(|at| {
            let x = f64::from(at) / 60_000.0;
            (
                x,
                (f64::from(at) * std::f64::consts::TAU / 13.0).sin() + unit().powi(20),
            )
        })
        .collect();
    let drawn = plot(0.0..1.0, vec![dots("a", &wave), dots("b", &wave[..20_000])]);
    let text = plot_file(&drawn);
    let svg = svg::parse(&text);
    let groups = svg::groups(&svg, "dots");
    let specks = |group: &Node| -> Vec<svg::Point> {
        let lines = svg::lines(svg::all(*group, "path")[0]);
        lines
            .iter()
            .map(|line| svg::between(line[0], line[1], 0.5))
            .collect()
    };
    let counts: Vec<usize> = groups.iter().map(|group| specks(group).len()).collect();
    assert_eq!(counts.iter().sum::<usize>(), 20_000, "{counts:?}");
    // The last series lies lowest, so it comes first.
    let (first, second) = (specks(&groups[1]), specks(&groups[0]));
    assert_eq!((first.len(), second.len()), (15_000, 5_000));
    let [left, right] =
        [f64::min, f64::max].map(|pick| first.iter().map(|it| it.0).reduce(pick).expect("points"));
    let [top, bottom] =
        [f64::min, f64::max].map(|pick| first.iter().map(|it| it.1).reduce(pick).expect("points"));
    let [high, low] =
        [f64::max, f64::min].map(|pick| wave.iter().map(|it| it.1).reduce(pick).expect("points"));
    let place = |(x, y): (f64, f64)| {
        let (last, _) = wave[wave.len() - 1];
        (
            left + x / last * (right - left),
            top + (high - y) / (high - low) * (bottom - top),
        )
    };
    let is_drawn = |point: (f64, f64)| {
        let (x, y) = place(point);
        first
            .iter()
            .any(|speck| (speck.0 - x).abs() < 0.1 && (speck.1 - y).abs() < 0.1)
    };
    for stripe in wave.chunks(600) {
        let height = |one: &&(f64, f64), other: &&(f64, f64)| one.1.total_cmp(&other.1);
        for extreme in [stripe.iter().max_by(height), stripe.iter().min_by(height)] {
            assert!(is_drawn(*extreme.expect("a point")), "{extreme:?}");
        }
    }
    // Every part of a turn stays, and about as often as it is there.
    let in_upper_half = first
        .iter()
        .filter(|it| it.1 < f64::midpoint(place((0.0, 0.0)).1, place((0.0, 0.0)).1))
        .count();
    let wanted = wave.iter().filter(|it| it.1 > 0.0).count() as f64 / 4.0;
    assert!(
        (in_upper_half as f64 / wanted - 1.0).abs() < 0.1,
        "{in_upper_half}, not {wanted}"
    );
}

/// The labels beside the bar of a map, from its lower end.
fn levels(drawn: &Plot) -> Vec<f64> {
    let text = plot_file(drawn);
    let svg = svg::parse(&text);
    let groups = svg::groups(&svg, "contour").into_iter();
    let levels = groups.map(|group| svg::key(group).parse().expect("a level is a number"));
    levels.collect()
}

/// A map has 6 to 8 levels whatever its range is, and each class between them has a value.
#[test]
fn a_map_has_enough_levels_and_no_empty_class() {
    let mut chance = Chance::new(3);
    for _ in 0..40 {
        let size = 10_f64.powi(chance.below(12) as i32 - 6);
        let low = (chance.below(2_000) as f64 - 1_000.0) / 500.0 * size;
        let drawn = map("s", (0.0..1.0, 0.0..1.0), |x, y| low + size * (x + y) / 2.0);
        let found = levels(&drawn);
        assert!((6..=8).contains(&found.len()), "{low} + {size}: {found:?}");
        assert!(
            found[0] > low && found[found.len() - 1] < low + size,
            "{found:?}"
        );
    }
    // A map of numbers that are too close for doubles has no levels, and is drawn.
    let tiny = map("t", (0.0..1.0, 0.0..1.0), |x, _| 5e-324 * x.round());
    assert!(levels(&tiny).len() <= 8);
    // Powers of ten are enough.
    let mut decades = map("d", (0.0..1.0, 0.0..1.0), |x, _| 10_f64.powf(5.0 * x - 2.5));
    decades.map.as_mut().expect("a map").level_scale = Scale::Logarithmic;
    assert_eq!(levels(&decades), [0.01, 0.1, 1.0, 10.0, 100.0]);
    // The values just above 200 are at the edges.
    let edge = map("r", (-200.0..200.0, -0.02..0.02), f64::hypot);
    assert!(levels(&edge).iter().all(|level| *level < 200.0));
    let steps = map("floor", (0.0..3.0, 0.0..1.0), |x, _| x.floor().min(2.0));
    let values = [0.0, 1.0, 2.0];
    let found = levels(&steps);
    let mut bounds = vec![f64::MIN];
    bounds.extend(&found);
    bounds.push(f64::MAX);
    for class in bounds.windows(2) {
        let occurs = values
            .iter()
            .any(|value| class[0] <= *value && *value < class[1]);
        assert!(occurs, "{class:?} of {found:?}");
    }
    assert_eq!(found, [0.5, 1.5]);
}

#[test]
fn the_bar_of_a_map_has_a_name() {
    let drawn = map("L", (0.0..1.0, 0.0..1.0), |x, y| x + y);
    let upright = |drawn: &Plot| {
        let text = plot_file(drawn);
        let svg = svg::parse(&text);
        let mut texts = svg::all(svg.root(), "text");
        texts.retain(|text| text.has_attribute("transform"));
        let rightmost = texts
            .into_iter()
            .max_by(|one, other| svg::number(*one, "x").total_cmp(&svg::number(*other, "x")));
        let name = rightmost.expect("an upright text");
        assert!(svg::number(name, "x") > svg::frame(&svg).right);
        assert!(svg::text_area(name).right <= svg::whole(&svg).right);
        name.text().unwrap_or_default().to_string()
    };
    assert_eq!(upright(&drawn), "L");
}

/// The arrow downhill ends inside of the map, also from a point at its edge and in its corner.
#[test]
fn the_arrow_stays_inside() {
    for at in [
        (0.0, 0.0),
        (1.0, 0.0),
        (1.0, 0.5),
        (0.3, 1.0),
        (0.999, 0.001),
        (0.5, 0.5),
    ] {
        for grad in [
            (1.0, 0.0),
            (-1.0, 0.0),
            (0.0, 1.0),
            (0.0, -1.0),
            (-1.0, 0.7),
            (2.0, -1.0),
        ] {
            let drawn = map("L", (0.0..1.0, 0.0..1.0), |x, y| x + y);
            let drawn = with_path(drawn, &[at], grad);
            let text = plot_file(&drawn);
            let svg = svg::parse(&text);
            let frame = svg::frame(&svg);
            for path in svg::all(svg::groups(&svg, "present")[0], "path") {
                let line = svg::line(path);
                let [from, to] = [line[0], line[1]];
                let is_in = |(x, y): svg::Point| {
                    (frame.left - 0.1..=frame.right + 0.1).contains(&x)
                        && (frame.top - 0.1..=frame.bottom + 0.1).contains(&y)
                };
                assert!(is_in(from) && is_in(to), "{at:?} {grad:?}: {from:?} {to:?}");
                // It points downhill: to the left for a slope that rises to the right.
                let right = (to.0 - from.0) * -grad.0;
                let up = (from.1 - to.1) * -grad.1;
                assert!(
                    right > -0.1 && up > -0.1,
                    "{at:?} {grad:?}: {from:?} {to:?}"
                );
            }
        }
    }
}

/// The error bars of a crowd cover what all bars cover together, in lines that do not overlap.
#[test]
fn the_bars_of_a_crowd_are_joined() {
    let wave: Vec<(f64, f64)> = (0..10_000)
        .map(|at| (f64::from(at) / 10_000.0, f64::from(at % 2) * 4.0))
        .collect();
    let crowd = Curve {
        deviations: vec![1.0; wave.len()],
        ..dots("y", &wave)
    };
    let text = plot_file(&plot(0.0..1.0, vec![crowd]));
    let svg = svg::parse(&text);
    let mut paths = svg::all(svg.root(), "path");
    paths.retain(|path| path.has_attribute("stroke-opacity"));
    let bars = svg::lines(paths[0]);
    // A bar around 0 and one around 4 in each column of pixels; the last column may have a single point.
    let columns: BTreeSet<String> = bars.iter().map(|bar| bar[0].0.to_string()).collect();
    let missing = 2 * columns.len() - bars.len();
    assert!(
        missing <= 1,
        "{} bars in {} columns",
        bars.len(),
        columns.len()
    );
    assert!((300..800).contains(&columns.len()), "{}", columns.len());
    let length = |bar: &Vec<svg::Point>| (bar[1].1 - bar[0].1).abs();
    let (first, last) = (length(&bars[0]), length(&bars[bars.len() - 1]));
    assert!((first - last).abs() < 0.1, "{first} {last}");
}
