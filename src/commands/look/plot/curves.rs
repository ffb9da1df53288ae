//! Makes the curves of `:plot T x=A..B` over a leaf, and of `:plot L steps` over the steps of `:step`.
//!
//! A name without a value becomes a leaf for this plot only.

use std::rc::Rc;

use super::parts_and_movers::{self, MovingLeaf, PlotPart, check_path};
use super::picture_options::{PictureOptions, extent, is_in};
use crate::commands::prelude::*;
use crate::commands::signatures::plot::T;
use crate::session::TrailPoint;
use crate::study::{self, SampleAxis};
use chainrule_engine::graph::Node;
use chainrule_report::{Curve, Line, Note, Plot, Scale, Tangent, change, grads, plural, say};

/// The range of a linear axis if none is typed and nothing suggests another one.
const USUAL_RANGE: (f64, f64) = (-5.0, 5.0);
/// The range of a logarithmic axis if none is typed and nothing suggests another one.
const USUAL_LOG_RANGE: (f64, f64) = (0.01, 100.0);
/// If the largest of positive values over steps is more than this many times the smallest, the axis is logarithmic. On a
/// linear axis, the curve would lie on its baseline after a few steps.
const MAX_LINEAR_RATIO: f64 = 1e3;

/// Makes the curves over a leaf. The first of these ranges that there is counts: the typed range, the range of the points
/// after `with`, the axis that the session sets, a range around the present value of the leaf.
pub(super) fn leaf_plot(
    session: &mut Session,
    arguments: &Arguments,
    options: &PictureOptions,
    parts: &[PlotPart],
    points: &[Curve],
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let scale = options.scales.0;
    let usual_range = match scale {
        Scale::Linear => USUAL_RANGE,
        Scale::Logarithmic => USUAL_LOG_RANGE,
    };
    let known_range = options.range_of(points).filter(|(from, to)| from < to);
    let start = middle_value(known_range.unwrap_or(usual_range));
    let moving = parts_and_movers::mover(session, arguments, parts, options.across, start)?;
    let leaf = &moving.leaf;
    let range_around_leaf = || match (moving.is_kept, scale) {
        (true, Scale::Logarithmic) => decades_around(leaf.data()),
        (true, Scale::Linear) => range_around(leaf.data()),
        (false, _) => usual_range,
    };
    let range = known_range.or(session.show.axis);
    let axis = SampleAxis {
        range: range.unwrap_or_else(range_around_leaf),
        scale,
    };
    let mut plot = Plot {
        across: moving.name.clone(),
        range: axis.range,
        ..Plot::default()
    };
    // If the program takes a decision by the value of the leaf, each part is built again at each point.
    let (built, is_rebuilt) = session.watch_leaves(&[leaf], |session| {
        let roots = (parts.iter()).map(|part| part.root(session, arguments, &[&moving]));
        roots.collect::<Result<Vec<_>, _>>()
    });
    if is_rebuilt {
        plot.curves = rebuilt_curves(session, arguments, parts, &moving, axis);
        return Ok(plot);
    }
    let roots = built?;
    check_path(session, arguments, &roots, &[leaf])?;
    plot.curves = study::sample_curves(&roots, leaf, axis);
    for (place, (part, root)) in parts.iter().zip(&roots).enumerate() {
        let (label, formula) = part.caption(session, arguments, root, &moving.name);
        match study::gradient(root, [leaf]) {
            None => notes.push(Note::new(say!(
                "{:formula} does not depend on {:name}: its curve is flat",
                &*label,
                &*moving.name
            ))),
            Some((value, [slope])) if moving.is_kept => {
                let tangent = Tangent {
                    curve: place,
                    at: leaf.data(),
                    value,
                    slope,
                };
                let is_inside =
                    is_in(axis.range, tangent.at) && options.up.is_none_or(|up| is_in(up, value));
                let remark = tangent_line(&tangent, &moving.name, &label, is_inside);
                plot.remarks.push(remark);
                plot.present.push(tangent);
            }
            Some(_) => {}
        }
        plot.curves[place].label = label;
        plot.curves[place].formula = formula;
    }
    Ok(plot)
}

/// The line below a plot: the value and the slope of a curve at the present value of the leaf.
fn tangent_line(tangent: &Tangent, leaf: &str, label: &str, is_inside: bool) -> Line {
    say!(
        "at {:name} = {:short}{:dim}: {:formula} = {:short}, slope {}",
        leaf,
        tangent.at,
        if is_inside { "" } else { " (outside)" },
        label,
        tangent.value,
        grads(say!("{:short}", tangent.slope))
    )
}

/// A number near the middle of a range. The middle itself is often a special point, such as 0.
pub(super) fn middle_value((from, to): (f64, f64)) -> f64 {
    from * 0.4 + to * 0.6
}

/// A range on both sides of 0, up to the next 1, 2 or 5 times a power of ten that is a tenth beyond the present value.
fn range_around(present: f64) -> (f64, f64) {
    let size = present.abs();
    // Beyond these sizes, a power of ten may overflow or lose digits.
    if size == 0.0 || !(1e-300..1e300).contains(&size) {
        return USUAL_RANGE;
    }
    let least = size * 1.1;
    let power = 10_f64.powf(least.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
    let next = round.into_iter().find(|end| *end >= least);
    let end = next.unwrap_or(2.0 * size);
    // A computed power of ten may be off by an ulp, one that is read from text is not.
    let exact_end = format!("{end:.0e}").parse().unwrap_or(end);
    (-exact_end, exact_end)
}

/// A range of two powers of ten on both sides of the present value.
fn decades_around(present: f64) -> (f64, f64) {
    if !(1e-290..1e290).contains(&present) {
        return USUAL_LOG_RANGE;
    }
    let middle = present.log10().round() as i32;
    let end = |power: i32| format!("1e{power}").parse::<f64>().unwrap_or(present);
    (end(middle - 2), end(middle + 2))
}

/// Makes the curves of parts that are built again at each point, because they take decisions by the value that moves.
fn rebuilt_curves(
    session: &mut Session,
    arguments: &Arguments,
    parts: &[PlotPart],
    moving: &MovingLeaf,
    axis: SampleAxis,
) -> Vec<Curve> {
    let mut curves = Vec::new();
    for part in parts {
        let value = |place| part.value_at(session, arguments, &[moving], &[place]);
        let curve = study::built_curve(axis, value);
        // A formula is shown for names alone, and those have been built before.
        let (label, _) = part.caption(session, arguments, &moving.leaf, &moving.name);
        curves.push(Curve { label, ..curve });
    }
    curves
}

/// The values of a root over the steps that `:step` has taken from it.
pub(super) fn steps_plot(
    session: &mut Session,
    arguments: &Arguments,
    options: &PictureOptions,
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    if let Some(range) = options.across {
        let help = "leave one out; two ranges draw a map with the path of the steps";
        let message = "`steps` goes over all steps, a range goes over a leaf";
        return Err(Diagnostic::new(message).at(range.place).help(help));
    }
    let target = arguments.target(session, T)?;
    notes.extend(target.notes);
    let label = session.label(&target.node);
    let Some(trail) = session.trail(&target.node) else {
        return Err(no_steps_error(session, arguments, &target.node));
    };
    let points: Vec<(f64, f64)> = (trail.iter())
        .map(|point| (point.step as f64, point.value))
        .collect();
    let count = trail.last().map_or(0, TrailPoint::steps_taken);
    let ends = points.first().copied().zip(points.last().copied());
    let ((_, before), (last_step, after)) = ends.unwrap_or_default();
    let remark = say!(
        "{:name}: {}{:dim}",
        &*label,
        change(before, after),
        format!("   ({})", plural(count as usize, "step"))
    );
    let values = extent(points.iter().map(|(_, y)| *y));
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
        range: (first_step, last_step),
        up_scale: Scale::logarithmic_if(is_high && options.up.is_none_or(|up| up.0 > 0.0)),
        curves: vec![Curve {
            label,
            breaks: (1..points.len()).filter(is_break).collect(),
            points,
            ..Curve::default()
        }],
        ..Plot::default()
    })
}

/// The error for a root that `:step` has not moved.
pub(super) fn no_steps_error(
    session: &Session,
    arguments: &Arguments,
    root: &Rc<Node>,
) -> Diagnostic {
    let label = session.label(root);
    Diagnostic::new(format!("`{label}` has taken no steps yet"))
        .at(arguments.place(T))
        .help(format!("`:step 0.01 100 of {label}` takes a hundred"))
}
