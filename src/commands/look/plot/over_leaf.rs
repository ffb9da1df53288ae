//! `:plot T x=A..B`: curves over a leaf, or over a name that has values in this plot only.
//!
//! Lists among what is drawn go to `lists`.

use std::rc::Rc;

use super::asked::AskedAxes;
use super::curves::{MOST_CURVES, MovingLeaf, PlotPart};
use super::{PlottedCurves, curves, lists, points, remark};
use crate::commands::args::Arguments;
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Curve, Note, Plot, Tangent, say};
use crate::session::Session;
use crate::study;
use crate::study::SampleAxis;

/// The range of a plot when none was typed.
const RANGE: (f64, f64) = (-5.0, 5.0);
/// The same of a logarithmic axis.
const DECADES: (f64, f64) = (0.01, 100.0);

/// The curves over a leaf, or the dots of lists.
pub(super) fn drawn(
    session: &mut Session,
    arguments: &Arguments,
    asked: &AskedAxes,
) -> Result<PlottedCurves, Diagnostic> {
    let range = asked.across;
    let parts = curves::parts(session, arguments, range)?;
    let over = arguments.stretch("X");
    if over.is_some() || range.is_none() && lists::are_lists(session, arguments, &parts) {
        return lists::drawn(session, arguments, &parts, asked);
    }
    let points = points::with(session, arguments, MOST_CURVES.saturating_sub(parts.len()))?;
    let typed = range.map(|range| range.ends);
    let ends = typed.or_else(|| points.as_ref().and_then(|points| points.ends));
    let is_logarithmic = asked.logarithmic.across;
    let mover = curves::mover(session, arguments, &parts, range)?;
    let axis = |around: (f64, f64)| SampleAxis {
        range: ends.unwrap_or(around),
        logarithmic: is_logarithmic,
    };
    let mut drawn = over_leaf(session, arguments, &parts, mover, axis)?;
    drawn.plot.logarithmic_across = is_logarithmic;
    if let Some(points) = points {
        drawn.notes.extend(points.notes);
        drawn.notes.extend(points::outside(
            &points.series,
            drawn.plot.range,
            asked.up.map(|range| range.ends),
        ));
        drawn.plot.curves.extend(points.series);
    }
    Ok(drawn)
}

fn over_leaf(
    session: &mut Session,
    arguments: &Arguments,
    parts: &[PlotPart],
    mover: MovingLeaf,
    axis: impl Fn((f64, f64)) -> SampleAxis,
) -> Result<PlottedCurves, Diagnostic> {
    let is_logarithmic = axis(RANGE).logarithmic;
    match mover {
        MovingLeaf::Leaf(leaf) => {
            let called = format!("@{}", leaf.id());
            let axis = axis(if is_logarithmic {
                decades_around(leaf.data())
            } else {
                around(leaf.data())
            });
            let across = session.label(&leaf);
            sampled(session, arguments, parts, (&leaf, &called), &across, axis)
        }
        MovingLeaf::Name(name, across) => {
            let axis = axis(if is_logarithmic { DECADES } else { RANGE });
            // Somewhere in the middle, but not at a point likely to be special.
            let data = axis.range.0 * 0.4 + axis.range.1 * 0.6;
            let drawn = session.with_variable(&name, data, |session, leaf| {
                sampled(session, arguments, parts, (leaf, &name), &across, axis)
            });
            drawn.map(|drawn| PlottedCurves {
                lines: Vec::new(),
                plot: Plot {
                    present: Vec::new(),
                    ..drawn.plot
                },
                notes: drawn.notes,
            })
        }
    }
}

/// On both sides of 0 as far as the next round number beyond the present value.
fn around(present: f64) -> (f64, f64) {
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

/// Two powers of ten on both sides of the present value.
fn decades_around(present: f64) -> (f64, f64) {
    if !(1e-290..1e290).contains(&present) {
        return DECADES;
    }
    let power = present.log10().round() as i32;
    let end = |power: i32| format!("1e{power}").parse::<f64>().unwrap_or(present);
    (end(power - 2), end(power + 2))
}

/// The curves over a leaf. `called` is how an argument refers to it: `f(@3)`.
fn sampled(
    session: &mut Session,
    arguments: &Arguments,
    parts: &[PlotPart],
    (leaf, called): (&Rc<Node>, &str),
    across: &str,
    axis: SampleAxis,
) -> Result<PlottedCurves, Diagnostic> {
    let range = axis.range;
    let mut notes = Vec::new();
    let mut roots = Vec::with_capacity(parts.len());
    let mut curves = Vec::with_capacity(parts.len());
    for part in parts {
        let root = part.root(session, arguments, called)?;
        let (label, formula) = part.caption(session, arguments, &root, across);
        roots.push(root);
        curves.push(Curve {
            label,
            formula,
            ..Curve::default()
        });
    }
    let mut lines = Vec::new();
    let mut present = Vec::new();
    for (place, (root, curve)) in roots.iter().zip(&curves).enumerate() {
        let Some((value, slope)) = study::tangent(root, leaf) else {
            notes.push(Note::new(say!(
                "{:formula} does not depend on {:name}: its curve is flat",
                &*curve.label,
                across
            )));
            continue;
        };
        let at = leaf.data();
        let outside = !(range.0..=range.1).contains(&at);
        let outside = if outside { " (outside)" } else { "" };
        lines.push(Block::Line(say!(
            "at {:name} = {:short}{:dim}: {:formula} = {:short}, slope {:short}",
            across,
            at,
            outside,
            &curve.label,
            value,
            slope
        )));
        present.push(Tangent {
            curve: place,
            at,
            value,
            slope,
        });
    }
    let sampled = study::sample_along(&roots, leaf, axis);
    let values = sampled.values.into_iter().zip(sampled.breaks);
    for (curve, (values, breaks)) in curves.iter_mut().zip(values) {
        curve.points = sampled.places.iter().copied().zip(values).collect();
        curve.breaks = breaks;
    }
    notes.extend(curves.iter().filter_map(|curve| remark(curve, range)));
    let plot = Plot {
        across: across.to_string(),
        range,
        curves,
        present,
        ..Plot::default()
    };
    Ok(PlottedCurves { plot, lines, notes })
}
