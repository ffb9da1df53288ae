//! `:plot L x=A..B y=C..D`: a map of an expression over two leaves, or over names that have values in this plot only, with
//! the present point and the path of the steps.

use std::rc::Rc;

use super::curves::{middle_value, no_steps_error};
use super::parts_and_movers::{self, MovingLeaf, PlotPart, check_path};
use super::picture_options::{PictureOptions, extent};
use crate::commands::args::range::Range;
use crate::commands::prelude::*;
use crate::commands::signatures::plot::{FILE, LOG, LOGZ, STEPS, T};
use crate::session::limits::MOST_LEAVES_OF_PATH;
use crate::study::{self, SampleAxis};
use chainrule_engine::graph::Node;
use chainrule_report::{Line, Note, Plot, PlotMap, PresentPoint, TABLE_ENDINGS, grads, say};

/// The map over two ranges.
pub(super) fn map_plot(
    session: &mut Session,
    arguments: &Arguments,
    asked: &PictureOptions,
    (parts, ranges): (&[PlotPart], [Range; 2]),
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let [part] = parts else {
        return Err(Diagnostic::new("a map shows one expression")
            .at(arguments.place(T))
            .help("draw each into its own map, or leave one range out to draw curves"));
    };
    let mut mover = |range: Range| -> Result<_, Diagnostic> {
        let name = range.variable.ok_or_else(|| {
            Diagnostic::new("a map moves two names, and this range has none")
                .at(range.place)
                .help("as in `x=-2..6 y=-4..1`")
        })?;
        let data = middle_value(range.ends);
        parts_and_movers::named_mover(session, arguments, name, data)
    };
    let [across, up] = [mover(ranges[0])?, mover(ranges[1])?];
    if Rc::ptr_eq(&across.leaf, &up.leaf) {
        let message = format!("both ranges move `{}`", up.name);
        return Err(Diagnostic::new(message)
            .at(ranges[1].variable.unwrap_or(ranges[1].place))
            .help("a map moves two leaves, as in `x=-2..6 y=-4..1`"));
    }
    let moving = (part, [&across, &up], ranges);
    sample_plot(session, arguments, asked, moving, notes)
}

fn sample_plot(
    session: &mut Session,
    arguments: &Arguments,
    asked: &PictureOptions,
    (part, leaves, ranges): (&PlotPart, [&MovingLeaf; 2], [Range; 2]),
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let names = leaves.map(|it| it.name.as_str());
    let nodes = leaves.map(|it| &it.leaf);
    let (root, decides) =
        session.watch_leaves(&nodes, |session| part.root(session, arguments, &leaves));
    let root = root?;
    if !decides {
        check_path(session, arguments, std::slice::from_ref(&root), &nodes)?;
    }
    let (label, formula) = part.caption(session, arguments, &root, &names.join(", "));
    for (at, range) in ranges.iter().enumerate() {
        if !decides && study::gradient(&root, [nodes[at]]).is_none() {
            let message = format!("`{label}` does not depend on `{}`", names[at]);
            return Err(Diagnostic::new(message)
                .at(range.variable.unwrap_or(range.place))
                .help(format!(
                    "two ranges draw a map; the range of the vertical axis is `up={}`",
                    range.place.of(arguments.text)
                )));
        }
    }
    let logarithms: [bool; 2] = asked.logarithmic.into();
    let axes = [0, 1].map(|at| SampleAxis {
        range: ranges[at].ends,
        is_logarithmic: logarithms[at],
    });
    let file = arguments.file_if_given(FILE)?;
    let is_drawn = file.is_some_and(|file| !TABLE_ENDINGS.contains(&&*file.ending()));
    let logarithmic = arguments.has(LOG) || arguments.has(LOGZ);
    let intervals = match (is_drawn, logarithmic) {
        (true, true) => study::FINEST_MAP_INTERVALS,
        (true, false) => study::FINE_MAP_INTERVALS,
        (false, _) => study::MAP_INTERVALS,
    };
    let map = PlotMap {
        label,
        formula,
        is_logarithmic: logarithmic,
        present: present_point(&root, leaves),
        path: step_path(session, arguments, &root, nodes, notes)?,
        ..if decides {
            let value = |places: [f64; 2]| part.value_at(session, arguments, &leaves, &places);
            study::built_map(axes, intervals.min(study::MAP_INTERVALS), value)
        } else {
            study::sample_map(&root, nodes, axes, intervals)
        }
    };
    Ok(Plot {
        across: names[0].to_string(),
        upwards: names[1].to_string(),
        range: axes[0].range,
        up_range: Some(axes[1].range),
        remarks: present_line(&map, names, axes).into_iter().collect(),
        map: Some(Box::new(map)),
        ..Plot::default()
    })
}

/// The present point, if both leaves have values of their own.
fn present_point(root: &Rc<Node>, [across, up]: [&MovingLeaf; 2]) -> Option<PresentPoint> {
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

/// The line below a map.
fn present_line(map: &PlotMap, names: [&str; 2], axes: [SampleAxis; 2]) -> Option<Line> {
    let present = map.present.as_ref()?;
    let (x, y) = present.at;
    let is_in = |axis: SampleAxis, place: f64| (axis.range.0..=axis.range.1).contains(&place);
    let is_in = is_in(axes[0], x) && is_in(axes[1], y);
    Some(say!(
        "at {:name} = {:short}, {:name} = {:short}{:dim}: {:formula} = {:short}, grad {}",
        names[0],
        x,
        names[1],
        y,
        if is_in { "" } else { " (outside)" },
        &*map.label,
        present.value,
        grads(say!("{:short}, {:short}", present.grad.0, present.grad.1))
    ))
}

/// The path of the steps, for `steps`.
fn step_path(
    session: &Session,
    arguments: &Arguments,
    root: &Rc<Node>,
    leaves: [&Rc<Node>; 2],
    notes: &mut Vec<Note>,
) -> Result<Vec<(f64, f64)>, Diagnostic> {
    if !arguments.has(STEPS) {
        return Ok(Vec::new());
    }
    if session.trail(root).is_none() {
        return Err(no_steps_error(session, arguments, root));
    }
    let found = session.path(root, leaves);
    if found.is_none() {
        notes.push(Note::new(say!(
            "the path is not drawn: where the leaves were is kept for up to {} of them",
            MOST_LEAVES_OF_PATH
        )));
    }
    Ok(found.unwrap_or_default())
}

/// The level between two classes: 0 for scores of both signs, a half for probabilities.
pub(super) fn class_boundary(values: &[f64]) -> Option<f64> {
    let (low, high) = extent(values.iter().copied())?;
    if low < 0.0 && high > 0.0 {
        Some(0.0)
    } else if low >= 0.0 && high <= 1.0 && low < 0.5 && high > 0.5 {
        Some(0.5)
    } else {
        None
    }
}
