//! `:plot L x=A..B y=C..D`: the values of an expression over two leaves, or over names that have values in this plot
//! only.
//!
//! What stands on the map comes with it: the present point, the path of the steps, points of data.

use std::rc::Rc;

use super::asked::{self, AskedAxes};
use super::curves::{MOST_CURVES, MovingLeaf, PlotPart, named_mover};
use super::points::PointSeries;
use super::{Plotted, curves, points, steps};
use crate::commands::args::Arguments;
use crate::commands::args::range::Range;
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, MapAxis, Note, Picture, PlotMap, PresentPoint, say};
use crate::session::{MOST_LEAVES_OF_PATH, Session};
use crate::study;
use crate::study::SampleAxis;
use crate::syntax;

/// A leaf that moves: how a call refers to it, what it is called, and whether it keeps a value.
struct MapLeaf {
    leaf: Rc<Node>,
    called: String,
    name: String,
    is_kept: bool,
}

/// The map of a line.
pub(super) fn drawn(
    session: &mut Session,
    arguments: &Arguments,
    asked: &AskedAxes,
) -> Result<Plotted, Diagnostic> {
    let parts = curves::parts(session, arguments, asked.across)?;
    if let Some(over) = arguments.stretch("X") {
        return Err(
            Diagnostic::new("`over` draws lists, and two ranges draw a map")
                .at(over)
                .help("points on a map stand behind `with`: `with x1, x2, class`"),
        );
    }
    if parts.len() > 1 {
        return Err(Diagnostic::new("a map shows one expression")
            .at(arguments.stretch("T").unwrap_or(arguments.word))
            .help("draw each into its own map, or leave one range out to draw curves"));
    }
    let Some((first, second)) = asked.across.zip(asked.second) else {
        return Err(Diagnostic::new("a map needs two ranges").at(arguments.word));
    };
    let Some((one, other)) = first.variable.zip(second.variable) else {
        return Err(
            Diagnostic::new("a map moves two names, and this range has none")
                .at(asked::words(arguments, &first))
                .help("as in `x=-2..6 y=-4..1`"),
        );
    };
    let text = arguments.text;
    let movers = [
        named_mover(session, arguments, one)?,
        named_mover(session, arguments, other)?,
    ];
    let is_same = match &movers {
        [MovingLeaf::Leaf(one), MovingLeaf::Leaf(other)] => Rc::ptr_eq(one, other),
        [MovingLeaf::Name(one, _), MovingLeaf::Name(other, _)] => one == other,
        _ => false,
    };
    if is_same {
        let name = other.of(text);
        return Err(Diagnostic::new(format!("both ranges move `{name}`"))
            .at(other)
            .help("a map moves two leaves, as in `x=-2..6 y=-4..1`"));
    }
    let series = points::with(session, arguments, MOST_CURVES)?;
    let [across, up] = movers;
    let ranges = [first, second];
    with_leaf(session, across, &first, |session, across| {
        with_leaf(session, up, &second, |session, up| {
            sampled(
                session,
                arguments,
                &parts[0],
                asked,
                [&across, &up],
                ranges,
                series,
            )
        })
    })
}

/// Does something with the leaf that moves; a name is a leaf while it is done.
fn with_leaf<T>(
    session: &mut Session,
    mover: MovingLeaf,
    range: &Range,
    then: impl FnOnce(&mut Session, MapLeaf) -> T,
) -> T {
    match mover {
        MovingLeaf::Leaf(leaf) => {
            let found = MapLeaf {
                called: format!("@{}", leaf.id()),
                name: session.label(&leaf),
                leaf,
                is_kept: true,
            };
            then(session, found)
        }
        MovingLeaf::Name(name, _) => {
            let data = range.ends.0 * 0.4 + range.ends.1 * 0.6;
            session.with_variable(&name, data, |session, leaf| {
                let found = MapLeaf {
                    leaf: Rc::clone(leaf),
                    called: name.clone(),
                    name: name.clone(),
                    is_kept: false,
                };
                then(session, found)
            })
        }
    }
}

fn sampled(
    session: &mut Session,
    arguments: &Arguments,
    part: &PlotPart,
    asked: &AskedAxes,
    leaves: [&MapLeaf; 2],
    typed: [Range; 2],
    series: Option<PointSeries>,
) -> Result<Plotted, Diagnostic> {
    let called = leaves.map(|it| it.called.as_str()).join(", ");
    let root = part.root(session, arguments, &called)?;
    let names = leaves.map(|it| it.name.clone());
    let (label, formula) = part.caption(session, arguments, &root, &names.join(", "));
    let mut notes = Vec::new();
    let nodes = leaves.map(|it| &it.leaf);
    for (leaf, name) in nodes.iter().zip(&names) {
        if study::tangent(&root, leaf).is_none() {
            notes.push(Note::new(say!(
                "{:formula} does not depend on {:name}: its map is striped",
                &*label,
                &**name
            )));
        }
    }
    let logarithms = [asked.logarithmic.across, asked.logarithmic.up];
    let axes = [0, 1].map(|at| SampleAxis {
        range: typed[at].ends,
        logarithmic: logarithms[at],
    });
    let file = arguments.file("FILE")?;
    let is_drawn = file.is_some_and(|file| !matches!(&*file.ending(), "csv" | "md"));
    let logarithmic = asked.logarithmic.levels.is_some();
    let intervals = match (is_drawn, logarithmic) {
        (true, true) => study::FINEST_MAP_INTERVALS,
        (true, false) => study::FINE_MAP_INTERVALS,
        (false, _) => study::MAP_INTERVALS,
    };
    let grid = study::sample_map(&root, nodes, axes, intervals);
    let path = path(session, arguments, &root, leaves, &mut notes)?;
    let axis = |at: usize, places: Vec<f64>| MapAxis {
        name: names[at].clone(),
        range: axes[at].range,
        logarithmic: axes[at].logarithmic,
        places,
    };
    let is_boundary = series.as_ref().is_some_and(|series| series.has_classes);
    let mut map = PlotMap {
        label,
        formula,
        across: axis(0, grid.columns),
        up: axis(1, grid.rows),
        boundary: boundary(&grid.values).filter(|_| is_boundary),
        values: grid.values,
        logarithmic,
        present: present(&root, leaves),
        path,
        series: Vec::new(),
        size: asked.size,
    };
    let lines = told(&map);
    if let Some(series) = series {
        notes.extend(series.notes);
        notes.extend(points::outside(
            &series.series,
            map.across.range,
            Some(map.up.range),
        ));
        map.series = series.series;
    }
    visible(arguments, &map, &mut notes)?;
    Ok(Plotted {
        picture: Picture::Map(Box::new(map)),
        lines,
        notes,
    })
}

/// The present point, if both leaves have values of their own.
fn present(root: &Rc<Node>, leaves: [&MapLeaf; 2]) -> Option<PresentPoint> {
    let [across, up] = leaves;
    if !(across.is_kept && up.is_kept) {
        return None;
    }
    let (value, grad) = study::gradient(root, [&across.leaf, &up.leaf])?;
    Some(PresentPoint {
        at: (across.leaf.data(), up.leaf.data()),
        value,
        grad: (grad[0], grad[1]),
    })
}

/// What people read below a map.
fn told(map: &PlotMap) -> Vec<Block> {
    let Some(present) = &map.present else {
        return Vec::new();
    };
    let (x, y) = present.at;
    let is_in = map.across.holds(x) && map.up.holds(y);
    let outside = if is_in { "" } else { " (outside)" };
    vec![Block::Line(say!(
        "at {:name} = {:short}, {:name} = {:short}{:dim}: {:formula} = {:short}, grad {:short}, {:short}",
        &*map.across.name,
        x,
        &*map.up.name,
        y,
        outside,
        &*map.label,
        present.value,
        present.grad.0,
        present.grad.1
    ))]
}

/// The path of the steps, if it was asked for.
fn path(
    session: &Session,
    arguments: &Arguments,
    root: &Rc<Node>,
    leaves: [&MapLeaf; 2],
    notes: &mut Vec<Note>,
) -> Result<Vec<(f64, f64)>, Diagnostic> {
    if arguments.words("steps").is_empty() {
        return Ok(Vec::new());
    }
    if session.trail(root).is_none() {
        return Err(steps::no_steps(session, arguments, root));
    }
    let found = session.path(root, leaves.map(|it| &it.leaf));
    if found.is_none() {
        notes.push(Note::new(say!(
            "the path is not drawn: where the leaves were is kept for up to {} of them",
            MOST_LEAVES_OF_PATH
        )));
    }
    Ok(found.unwrap_or_default())
}

/// The level between two classes: 0 for scores of both signs, a half for probabilities.
fn boundary(values: &[f64]) -> Option<f64> {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    let (low, high) = super::lists::extent(&finite.collect::<Vec<f64>>())?;
    if low < 0.0 && high > 0.0 {
        Some(0.0)
    } else if low >= 0.0 && high <= 1.0 && low < 0.5 && high > 0.5 {
        Some(0.5)
    } else {
        None
    }
}

/// Refuses a map without a value, and tells how much is missing.
fn visible(arguments: &Arguments, map: &PlotMap, notes: &mut Vec<Note>) -> Result<(), Diagnostic> {
    let all = map.values.len();
    let nan = map.values.iter().filter(|value| value.is_nan()).count();
    let finite = map.values.iter().filter(|value| value.is_finite());
    let high = finite.clone().filter(|value| **value > 0.0).count();
    let finite = finite.count();
    let place = arguments.stretch("T").unwrap_or(arguments.word);
    let label = &map.label;
    let range = |axis: &MapAxis| {
        let [from, to] = [axis.range.0, axis.range.1].map(|end| syntax::literal(end, false));
        format!("{} = {from} to {to}", axis.name)
    };
    let ranges = format!("{}, {}", range(&map.across), range(&map.up));
    if finite == 0 {
        return Err(
            Diagnostic::new(format!("`{label}` has no finite value in {ranges}"))
                .at(place)
                .help("choose ranges where it has values, as in `:plot ln(x*y) x=0..5 y=0..5`"),
        );
    }
    if map.logarithmic && high == 0 {
        return Err(
            Diagnostic::new(format!("`{label}` has no value above 0 in {ranges}"))
                .at(place)
                .help("logarithmic levels are above 0: leave `log` or `logz` out"),
        );
    }
    if map.logarithmic && high < finite {
        let what = if finite - high == 1 { "is" } else { "are" };
        notes.push(Note::new(say!(
            "{} of {} values {} not above 0, so below every logarithmic level",
            finite - high,
            all,
            what
        )));
    }
    if nan > 0 {
        notes.push(Note::new(say!(
            "{:formula} is not a number at {} of {} places",
            &**label,
            nan,
            all
        )));
    }
    Ok(())
}
