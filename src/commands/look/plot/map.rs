//! Makes the plot of `:plot L x=A..B y=C..D`, or of `:plot L` if both leaves were given ranges: a map of an expression
//! over two leaves, with the present point and the path of the steps.
//!
//! A name without a value becomes a leaf for this plot only.

use super::curves::middle_value;
use super::movers::{MovingLeaf, named_mover};
use super::parts::{PlotPart, check_decisions};
use super::{PlotRequest, no_steps_error};
use crate::command::args::range::Range;
use crate::command::prelude::*;
use crate::command::signatures::plot::{FILE, LOG, LOGZ, STEPS, T};
use crate::plotting::is_table;
use crate::plotting::picture_options::{given_range, is_in};
use crate::plotting::sampling::{self, SampleAxis};
use chainrule_report::{Plot, PlotMap, PresentPoint, Scale, ask_numbers, extent};
use chainrule_session::limits::MOST_LEAVES_OF_PATH;

/// A leaf that a map moves along one of its axes.
struct MapAxis {
    moving: MovingLeaf,
    /// The place of its name.
    name_span: Span,
    range: Range,
}

impl MapAxis {
    fn read(request: &mut PlotRequest, range: Range) -> Result<MapAxis> {
        let name_span = range.variable.ok_or_else(|| {
            Diagnostic::new("a map moves two names, and this range has none")
                .at(range.place)
                .help("as in `… x=-2..6 y=-4..1`")
        })?;
        let data = middle_value(range.ends);
        let moving = named_mover(request.session, request.arguments, name_span, data)?;
        Ok(MapAxis {
            moving,
            name_span,
            range,
        })
    }
}

/// Makes the map over two ranges.
pub(super) fn map_plot(
    request: &mut PlotRequest,
    parts: &[PlotPart],
    [range_across, range_up]: [Range; 2],
) -> Result<Plot> {
    let [part] = parts else {
        return Err(Diagnostic::new("a map shows one expression")
            .at(request.arguments.place(T))
            .help("draw each into its own map, or leave one range out to draw curves"));
    };
    let across = MapAxis::read(request, range_across)?;
    let up = MapAxis::read(request, range_up)?;
    if Rc::ptr_eq(&across.moving.leaf, &up.moving.leaf) {
        let message = format!("both ranges move `{}`", up.moving.name);
        let help = "a map moves two leaves, as in `… x=-2..6 y=-4..1`";
        return Err(Diagnostic::new(message).at(up.name_span).help(help));
    }
    sample_plot(request, part, &[across, up])
}

/// Makes the map without typed ranges, over the only two free leaves below the only part, if both were given ranges. The
/// older leaf moves along the horizontal axis.
pub(super) fn given_map(request: &mut PlotRequest, parts: &[PlotPart]) -> Option<Result<Plot>> {
    let options = &request.options;
    let ([part], None, None) = (parts, options.across, options.up) else {
        return None;
    };
    // An error in the part is reported where its curve is made.
    let root = part.root(request.session, &[]).ok()?;
    let order = Order::below([&root]);
    let free = order.nodes().iter().filter(|node| node.is_free());
    let [up, across] = free.collect::<Vec<_>>()[..] else {
        return None;
    };
    let axis = |leaf, scale| {
        Some(MapAxis {
            range: given_range(request.session, std::slice::from_ref(leaf), scale)?,
            moving: MovingLeaf::of(request.session, leaf),
            name_span: request.arguments.name_span,
        })
    };
    let axes = [axis(across, options.scales.0)?, axis(up, options.scales.1)?];
    Some(sample_plot(request, part, &axes))
}

fn sample_plot(request: &mut PlotRequest, part: &PlotPart, axes: &[MapAxis; 2]) -> Result<Plot> {
    let arguments = request.arguments;
    let moving = axes.each_ref().map(|axis| &axis.moving);
    let leaves = moving.map(|it| &it.leaf);
    let names = moving.map(|it| it.name.as_str());
    // If the program takes a decision by the values of the leaves, the expression is built again at each point.
    let (built, is_rebuilt) =
        (request.session).watch_leaves(&leaves, |session| part.root(session, &leaves));
    let root = built?;
    let across = names.join(", ");
    let label = part.label(request.session, &root, &across);
    if !is_rebuilt {
        check_decisions(request, std::slice::from_ref(&root), &leaves)?;
        check_dependence(arguments, &root, &label, axes)?;
    }
    let sample_axis = |axis: &MapAxis, scale| SampleAxis {
        range: axis.range.ends,
        scale,
    };
    let (first, second) = request.options.scales;
    let sample_axes = [sample_axis(&axes[0], first), sample_axis(&axes[1], second)];
    let level_scale = Scale::logarithmic_if(arguments.has(LOG) || arguments.has(LOGZ));
    let intervals = intervals(arguments, level_scale);
    let sampled = if is_rebuilt {
        let value = |places: [f64; 2]| part.value_at(request.session, &leaves, &places);
        sampling::built_map(sample_axes, intervals.min(sampling::MAP_INTERVALS), value)
    } else {
        sampling::sample_map(&root, leaves, sample_axes, intervals)
    };
    let map = PlotMap {
        label,
        formula: part.formula(request.session, &root, &across),
        level_scale,
        present: present_point(&root, moving),
        path: step_path(request, &root, leaves)?,
        ..sampled
    };
    Ok(Plot {
        across: names[0].to_string(),
        upwards: names[1].to_string(),
        range: sample_axes[0].range,
        up_range: Some(sample_axes[1].range),
        remarks: present_line(&map, names, sample_axes).into_iter().collect(),
        map: Some(Box::new(map)),
        ..Plot::default()
    })
}

/// Refuses an expression that does not depend on both leaves.
fn check_dependence(
    arguments: &Arguments,
    root: &Rc<Node>,
    label: &str,
    axes: &[MapAxis],
) -> Result<()> {
    let is_independent = |axis: &&MapAxis| sampling::gradient(root, [&axis.moving.leaf]).is_none();
    let Some(axis) = axes.iter().find(is_independent) else {
        return Ok(());
    };
    let message = format!("`{label}` does not depend on `{}`", axis.moving.name);
    let help = format!(
        "two ranges draw a map; the range of the vertical axis is `… up={}`",
        axis.range.place.of(arguments.text)
    );
    Err(Diagnostic::new(message).at(axis.name_span).help(help))
}

/// The number of intervals along each axis. A picture in a file is finer than one in the terminal, or a table.
fn intervals(arguments: &Arguments, level_scale: Scale) -> usize {
    match (arguments.has(FILE) && !is_table(arguments), level_scale) {
        (true, Scale::Logarithmic) => sampling::FINEST_MAP_INTERVALS,
        (true, Scale::Linear) => sampling::FINE_MAP_INTERVALS,
        (false, _) => sampling::MAP_INTERVALS,
    }
}

/// The present point, if both leaves have values of their own.
fn present_point(root: &Rc<Node>, [across, up]: [&MovingLeaf; 2]) -> Option<PresentPoint> {
    if !(across.has_present_value && up.has_present_value) {
        return None;
    }
    let (value, grad) = sampling::gradient(root, [&across.leaf, &up.leaf])?;
    Some(PresentPoint {
        at: (across.leaf.data(), up.leaf.data()),
        value,
        grad: (grad[0], grad[1]),
    })
}

/// The line below a map: the value and the gradient at the present point.
fn present_line(map: &PlotMap, names: [&str; 2], axes: [SampleAxis; 2]) -> Option<Line> {
    let present = map.present.as_ref()?;
    let (x, y) = present.at;
    let is_inside = is_in(axes[0].range, x) && is_in(axes[1].range, y);
    Some(say!(
        "at {:name} = {:short}, {:name} = {:short}{:dim}: {:formula} = {:short}, grad {}",
        names[0],
        x,
        names[1],
        y,
        if is_inside { "" } else { " (outside)" },
        &*map.label,
        present.value,
        ask_numbers(say!("{:short}, {:short}", present.grad.0, present.grad.1))
    ))
}

/// Returns the path of the steps, or an empty path if `steps` is not typed.
fn step_path(
    request: &mut PlotRequest,
    root: &Rc<Node>,
    leaves: [&Rc<Node>; 2],
) -> Result<Vec<(f64, f64)>> {
    let (session, arguments) = (&*request.session, request.arguments);
    if !arguments.has(STEPS) {
        return Ok(Vec::new());
    }
    if session.trail(root).is_none() {
        return Err(no_steps_error(arguments, &session.label(root)));
    }
    let path = session.path(root, leaves);
    if path.is_none() {
        request.notes.push(Note::new(say!(
            "the path is not drawn: where the leaves were is kept for up to {} of them",
            MOST_LEAVES_OF_PATH
        )));
    }
    Ok(path.unwrap_or_default())
}

/// The level between two classes: 0 for scores with both signs, a half for probabilities.
pub(super) fn class_boundary(values: &[f64]) -> Option<f64> {
    let (low, high) = extent(values.iter().copied().filter(|it| it.is_finite()))?;
    let is_probability = low >= 0.0 && high <= 1.0;
    let middle = if is_probability { 0.5 } else { 0.0 };
    (low < middle && high > middle).then_some(middle)
}
