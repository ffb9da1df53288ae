//! Makes the curves of `:plot T x=A..B` over a leaf, and of `:plot L steps` over the steps of `:step`.
//!
//! A name without a value becomes a leaf for this plot only.

use std::slice;

use super::movers::{MovingLeaf, mover};
use super::parts::{PlotPart, check_decisions};
use super::{PlotRequest, no_steps_error};
use crate::command::prelude::*;
use crate::command::signatures::plot::T;
use crate::plotting::band::Band;
use crate::plotting::picture_options::is_in;
use crate::plotting::sampling::{self, SampleAxis};
use chainrule_report::{Curve, Plot, Scale, Tangent, ask_numbers, change, extent};

/// If the largest of positive values over steps is more than this many times the smallest, the axis is logarithmic. On a
/// linear axis, the curve would lie on its baseline after a few steps.
const MAX_LINEAR_RATIO: f64 = 1e3;

/// Makes the curves over a leaf. The first of these ranges that there is counts: the typed range, the range that the leaf
/// was given, the range of the points after `with`, the axis that the session sets, a range around the present value of
/// the leaf.
pub(super) fn leaf_plot(
    request: &mut PlotRequest,
    parts: &[PlotPart],
    points: &[Curve],
) -> Result<Plot> {
    let scale = request.options.scales.0;
    let is_range = |(from, to): &(f64, f64)| from < to;
    let typed_or_seen = request.options.range_of(points).filter(is_range);
    let start = middle_value(typed_or_seen.unwrap_or(usual_range(scale)));
    let moving = mover(request, parts, start)?;
    let leaf = slice::from_ref(&moving.leaf);
    (request.options).set_given(request.session, leaf, &[]);
    let known_range = request.options.range_of(points).filter(is_range);
    let is_in_sight = |(low, high): &(f64, f64)| {
        let margin = (high - low) / 100.0;
        (low - margin..=high + margin).contains(&moving.leaf.data())
    };
    let kept_range = request.session.replay.axis.filter(is_in_sight);
    let range = known_range.or(kept_range);
    let axis = SampleAxis {
        range: range.unwrap_or_else(|| range_around_leaf(&moving, scale)),
        scale,
    };
    let mut plot = Plot {
        across: moving.axis.clone(),
        range: axis.range,
        ..Plot::default()
    };
    // If the program takes a decision by the value of the leaf, each part is built again at each point.
    let (built, is_rebuilt) = request.session.watch_leaves(&[&moving.leaf], |session| {
        let roots = (parts.iter()).map(|part| part.root(session, &[&moving.leaf]));
        roots.collect::<Result<Vec<_>, _>>()
    });
    if is_rebuilt {
        // An error in `built` does not matter: a point at which a part cannot be built is a gap.
        plot.curves = rebuilt_curves(request.session, parts, &moving, axis);
        return Ok(plot);
    }
    let roots = built?;
    check_decisions(request, &roots, &[&moving.leaf])?;
    plot.curves = sampling::sample_curves(&roots, &moving.leaf, axis);
    for (place, (part, root)) in parts.iter().zip(&roots).enumerate() {
        plot.curves[place].formula = part.formula(request.session, root, &moving.name);
        plot.curves[place].label = part.label(request.session, root, &moving.name);
        if !request.options.is_plain {
            let curve = &mut plot.curves[place];
            curve.deviations = deviations(request.session, root, &moving.leaf, &curve.points);
        }
        match sampling::gradient(root, [&moving.leaf]) {
            None => {
                let (label, name) = (&*plot.curves[place].label, &*moving.name);
                let line = say!(
                    "{:formula} does not depend on {:name}: its curve is flat",
                    label,
                    name
                );
                request.notes.push(Note::new(line));
            }
            Some((value, [slope])) if moving.has_present_value => {
                let tangent = Tangent {
                    curve: place,
                    at: moving.leaf.data(),
                    value,
                    slope,
                };
                request.session.note_shown(root, leaf);
                add_tangent(&mut plot, tangent, request.options.up.map(|up| up.ends));
            }
            Some(_) => {}
        }
    }
    Ok(plot)
}

/// The deviations of a root along a curve, from the uncertain leaves below it; empty if there are none. The leaf that moves
/// is exact.
fn deviations(
    session: &Session,
    root: &Rc<Node>,
    mover: &Rc<Node>,
    points: &[(f64, f64)],
) -> Vec<f64> {
    let is_uncertain = |leaf: &Rc<Node>| session.names().uncertain.has_width(leaf);
    let mut leaves = Order::below([root]).leaves(Node::is_leaf);
    leaves.retain(|leaf| !Rc::ptr_eq(leaf, mover) && is_uncertain(leaf));
    if leaves.is_empty() {
        return Vec::new();
    }
    let roots = slice::from_ref(root);
    Band::of(session, roots, leaves).along(0, mover, points)
}

/// Makes the curves of parts that are built again at each point, because they take decisions by the value that moves.
fn rebuilt_curves(
    session: &mut Session,
    parts: &[PlotPart],
    moving: &MovingLeaf,
    axis: SampleAxis,
) -> Vec<Curve> {
    let mut curves = Vec::new();
    for part in parts {
        let value = |place| part.value_at(session, &[&moving.leaf], &[place]);
        curves.push(Curve {
            label: part.typed_label(&moving.name),
            ..sampling::built_curve(axis, value)
        });
    }
    curves
}

/// Adds the tangent of a curve at the present value of the leaf, and a line below the plot with the value and the slope.
/// `up` is the range of the vertical axis, if it is typed.
fn add_tangent(plot: &mut Plot, tangent: Tangent, up: Option<(f64, f64)>) {
    let is_inside = is_in(plot.range, tangent.at) && up.is_none_or(|up| is_in(up, tangent.value));
    plot.remarks.push(say!(
        "at {:name} = {:short}{:dim}: {:formula} = {:short}, slope {}",
        &*plot.across,
        tangent.at,
        if is_inside { "" } else { " (outside)" },
        &*plot.curves[tangent.curve].label,
        tangent.value,
        ask_numbers(say!("{:short}", tangent.slope))
    ));
    plot.present.push(tangent);
}

/// The range of an axis if none is typed and nothing suggests another one.
fn usual_range(scale: Scale) -> (f64, f64) {
    match scale {
        Scale::Linear => (-5.0, 5.0),
        Scale::Logarithmic => (0.01, 100.0),
    }
}

/// A range around the present value of a leaf. A leaf that exists only in the plot has the usual range.
fn range_around_leaf(moving: &MovingLeaf, scale: Scale) -> (f64, f64) {
    let present = moving.leaf.data();
    let around = match scale {
        _ if !moving.has_present_value => None,
        Scale::Linear => range_around(present),
        Scale::Logarithmic => decades_around(present),
    };
    around.unwrap_or(usual_range(scale))
}

/// A number near the middle of a range. The middle itself is often a special point, such as 0.
pub(super) fn middle_value((from, to): (f64, f64)) -> f64 {
    from * 0.4 + to * 0.6
}

/// A range on both sides of 0, up to the first of the numbers 1, 2, 5, 10, 20, 50 … that is at least a tenth beyond the
/// present value. Returns `None` for 0, and for sizes at which a power of ten may overflow or lose digits.
fn range_around(present: f64) -> Option<(f64, f64)> {
    let size = present.abs();
    if !(1e-300..1e300).contains(&size) {
        return None;
    }
    let least = size * 1.1;
    let power = 10_f64.powf(least.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let next = round.into_iter().find(|end| *end >= least);
    let end = next.unwrap_or(2.0 * size);
    // A computed power of ten may be off by an ulp, one that is read from text is not.
    let exact_end = format!("{end:.0e}").parse().unwrap_or(end);
    Some((-exact_end, exact_end))
}

/// A range of two powers of ten on both sides of the present value. Returns `None` if the value is not positive, or so
/// large or small that such a power may overflow or lose digits.
fn decades_around(present: f64) -> Option<(f64, f64)> {
    if !(1e-290..1e290).contains(&present) {
        return None;
    }
    let middle = present.log10().round() as i32;
    let end = |power: i32| format!("1e{power}").parse::<f64>().unwrap_or(present);
    Some((end(middle - 2), end(middle + 2)))
}

/// The values of a root over the steps that `:step` has taken from it.
pub(super) fn steps_plot(request: &mut PlotRequest) -> Result<Plot> {
    let (session, arguments) = (&mut *request.session, request.arguments);
    let options = &request.options;
    if let Some(range) = options.across {
        let help = "leave one out; two ranges draw a map with the path of the steps";
        let message = "`steps` goes over all steps, a range goes over a leaf";
        return Err(Diagnostic::new(message).at(range.place).help(help));
    }
    let target = arguments.target(session, T)?;
    request.notes.extend(target.notes);
    let label = session.label(&target.node);
    let trail = session.trail(&target.node).unwrap_or_default();
    let (Some(first), Some(last)) = (trail.first(), trail.last()) else {
        return Err(no_steps_error(arguments, &label));
    };
    let points = trail.iter().map(|point| (point.step as f64, point.value));
    let points: Vec<(f64, f64)> = points.collect();
    let remark = say!(
        "{:name}: {}{:dim}",
        &*label,
        change(first.value, last.value),
        format!("   ({})", plural(last.steps_taken() as usize, "step"))
    );
    let values = extent(points.iter().map(|(_, y)| *y).filter(|y| y.is_finite()));
    let is_high = values.is_some_and(|(low, high)| low > 0.0 && high / low > MAX_LINEAR_RATIO);
    // A logarithmic axis has no place for step 0.
    let first_step = if options.scales.0.is_logarithmic() {
        1.0
    } else {
        0.0
    };
    // If a leaf was changed between two steps, the second one begins with another value of the same step.
    let is_break = |at: &usize| points[*at].0 <= points[*at - 1].0;
    Ok(Plot {
        across: "step".to_string(),
        remarks: vec![remark],
        range: (first_step, last.step as f64),
        up_scale: Scale::logarithmic_if(is_high && options.up.is_none_or(|up| up.ends.0 > 0.0)),
        curves: vec![Curve {
            label,
            breaks: (1..points.len()).filter(is_break).collect(),
            points,
            ..Curve::default()
        }],
        ..Plot::default()
    })
}
