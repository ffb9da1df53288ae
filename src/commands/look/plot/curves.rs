//! `:plot T x=A..B` draws curves over a leaf, or over a name that has values in this plot only; `:plot L steps` draws the
//! values of a root over the steps of `:step`.

use std::rc::Rc;

use super::parts_and_movers::{self, MovingLeaf, PlotPart, check_path};
use super::picture_options::{PictureOptions, extent};
use crate::commands::prelude::*;
use crate::commands::signatures::plot::T;
use crate::session::TrailPoint;
use crate::study::{self, SampleAxis};
use chainrule_engine::graph::Node;
use chainrule_report::{Curve, Note, Plot, Tangent, change, grads, plural, say};

/// The range of a plot when none is given.
const RANGE: (f64, f64) = (-5.0, 5.0);
/// The same for a logarithmic axis.
const DECADES: (f64, f64) = (0.01, 100.0);
/// Positive values over steps are drawn on a logarithmic axis if the largest is more than this many times the smallest.
const HIGH: f64 = 1e3;

/// The curves over a leaf. Without a given range they go over the points after `with`, or else around the present value.
pub(super) fn leaf_plot(
    session: &mut Session,
    arguments: &Arguments,
    asked: &PictureOptions,
    parts: &[PlotPart],
    points: &[Curve],
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let logarithmic = asked.logarithmic.0;
    let usual = if logarithmic { DECADES } else { RANGE };
    let known = asked.range_of(points).filter(|(from, to)| from < to);
    let data = middle_value(known.unwrap_or(usual));
    let moving = parts_and_movers::mover(session, arguments, parts, asked.across, data)?;
    let MovingLeaf {
        leaf,
        name,
        is_kept,
    } = &moving;
    let range = known.or(session.show.axis);
    let range = range.unwrap_or_else(|| match (is_kept, logarithmic) {
        (true, true) => decades_around(leaf.data()),
        (true, false) => range_around(leaf.data()),
        (false, _) => usual,
    });
    let axis = SampleAxis {
        range,
        is_logarithmic: logarithmic,
    };
    let mut captions = Vec::new();
    let mut plot = Plot {
        across: name.clone(),
        range: axis.range,
        ..Plot::default()
    };
    let (built, decides) = session.watch_leaves(&[leaf], |session| {
        let built = parts
            .iter()
            .map(|part| part.root(session, arguments, &[&moving]));
        built.collect::<Result<Vec<_>, _>>()
    });
    if decides {
        plot.curves = built_curves(session, arguments, (parts, &moving), axis);
        return Ok(plot);
    }
    let roots = built?;
    check_path(session, arguments, &roots, &[leaf])?;
    for (place, (part, root)) in parts.iter().zip(&roots).enumerate() {
        let (label, formula) = part.caption(session, arguments, root, name);
        match study::gradient(root, [leaf]) {
            None => notes.push(Note::new(say!(
                "{:formula} does not depend on {:name}: its curve is flat",
                &*label,
                &**name
            ))),
            Some((value, [slope])) if *is_kept => {
                let at = leaf.data();
                let is_in = |(from, to): (f64, f64), place| (from..=to).contains(&place);
                let is_in = is_in(axis.range, at) && asked.up.is_none_or(|up| is_in(up, value));
                plot.remarks.push(say!(
                    "at {:name} = {:short}{:dim}: {:formula} = {:short}, slope {}",
                    &**name,
                    at,
                    if is_in { "" } else { " (outside)" },
                    &*label,
                    value,
                    grads(say!("{:short}", slope))
                ));
                plot.present.push(Tangent {
                    curve: place,
                    at,
                    value,
                    slope,
                });
            }
            Some(_) => {}
        }
        captions.push((label, formula));
    }
    let curves = study::sample_curves(&roots, leaf, axis).into_iter();
    let named = curves.zip(captions).map(|(curve, (label, formula))| Curve {
        label,
        formula,
        ..curve
    });
    plot.curves = named.collect();
    Ok(plot)
}

/// A number in the middle of a range, but not at a point that is likely to be special.
pub(super) fn middle_value((from, to): (f64, f64)) -> f64 {
    from * 0.4 + to * 0.6
}

/// A range on both sides of 0, up to the next round number beyond the present value.
fn range_around(present: f64) -> (f64, f64) {
    let size = present.abs();
    if size == 0.0 || !(1e-300..1e300).contains(&size) {
        return RANGE;
    }
    let power = 10_f64.powf((size * 1.1).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let end = steps.into_iter().find(|step| *step >= size * 1.1);
    // Computed powers of ten are off by an ulp; read from text they are not.
    let end = end.unwrap_or(2.0 * size);
    let end = format!("{end:.0e}").parse().unwrap_or(end);
    (-end, end)
}

/// A range of two powers of ten on both sides of the present value.
fn decades_around(present: f64) -> (f64, f64) {
    if !(1e-290..1e290).contains(&present) {
        return DECADES;
    }
    let power = present.log10().round() as i32;
    let end = |power: i32| format!("1e{power}").parse::<f64>().unwrap_or(present);
    (end(power - 2), end(power + 2))
}

/// The curves of parts that are built anew at each point, since the number of what moves decides what they compute.
fn built_curves(
    session: &mut Session,
    arguments: &Arguments,
    (parts, moving): (&[PlotPart], &MovingLeaf),
    axis: SampleAxis,
) -> Vec<Curve> {
    let mut curves = Vec::new();
    for part in parts {
        let value = |place| part.value_at(session, arguments, &[moving], &[place]);
        let curve = study::built_curve(axis, value);
        // A formula is shown for names alone, and what they stand for is built already.
        let (label, _) = part.caption(session, arguments, &moving.leaf, &moving.name);
        curves.push(Curve { label, ..curve });
    }
    curves
}

/// The values of a root over the steps taken from it.
pub(super) fn steps_plot(
    session: &mut Session,
    arguments: &Arguments,
    asked: &PictureOptions,
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    if let Some(range) = asked.across {
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
    let taken = trail.last().map_or(0, TrailPoint::steps_taken);
    let is_break = |at: &usize| points[*at].0 <= points[*at - 1].0;
    let ends = points.first().copied().zip(points.last().copied());
    let ((_, before), (steps, after)) = ends.unwrap_or_default();
    let said = say!(
        "{:name}: {}{:dim}",
        &*label,
        change(before, after),
        format!("   ({})", plural(taken as usize, "step"))
    );
    let values = extent(points.iter().map(|(_, y)| *y));
    let is_high = values.is_some_and(|(low, high)| low > 0.0 && high / low > HIGH);
    Ok(Plot {
        across: "step".to_string(),
        remarks: vec![said],
        // A logarithmic axis has no place for step 0.
        range: (f64::from(u8::from(asked.logarithmic.0)), steps),
        is_logarithmic: is_high && asked.up.is_none_or(|up| up.0 > 0.0),
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
