//! `:plot L steps`: the values of a root over the steps that `:step` has taken from it.
//!
//! The session keeps them; here they become a curve.

use std::rc::Rc;

use super::asked::{self, AskedAxes};
use super::{PlottedCurves, remark_on_steps};
use crate::commands::args::Arguments;
use crate::commands::args::retyped::typed_node;
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Curve, Plot, change, plural, say};
use crate::session::Session;

/// Positive values over steps are drawn on a logarithmic axis if the largest is more than this many times the smallest.
const DECADES: f64 = 1e3;

/// The values of a root over the steps taken from it.
pub(super) fn drawn(
    session: &mut Session,
    arguments: &Arguments,
    asked: &AskedAxes,
) -> Result<PlottedCurves, Diagnostic> {
    let moving = asked.across.map(|range| {
        let words = asked::words(arguments, &range);
        (words, arguments.retyped(&[(words, "")]))
    });
    let mut lists = ["X", "X, Y"].into_iter();
    let list = lists.find_map(|name| Some((arguments.stretch(name)?, arguments.without(name))));
    if let Some((range, own)) = moving.or(list) {
        let other = arguments.without("steps");
        return Err(
            Diagnostic::new("`steps` goes over all steps, a range goes over a leaf")
                .at(range)
                .help(format!(
                    "write `{own}` or `{other}`; two ranges draw a map with the path of the steps"
                )),
        );
    }
    let target = arguments.target(session, "T")?;
    let label = session.label(&target.node);
    let Some(values) = session.trail(&target.node) else {
        return Err(no_steps(session, arguments, &target.node));
    };
    let is_logarithmic = asked.logarithmic.across;
    let points: Vec<(f64, f64)> = (values.iter())
        .map(|&(step, value)| (step as f64, value))
        .collect();
    let breaks = (1..points.len())
        .filter(|&at| points[at].0 <= points[at - 1].0)
        .collect();
    let finite = points.iter().map(|(_, y)| *y).filter(|y| y.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, 0.0_f64), |(low, high), y| {
        (low.min(y), high.max(y))
    });
    let (first, last) = (points.first().copied(), points.last().copied());
    let ((_, before), (steps, after)) = first.zip(last).unwrap_or_default();
    let lines = vec![Block::Line(say!(
        "{:name}: {}{:dim}",
        &*label,
        change(before, after),
        format!("   ({})", plural(steps as usize, "step"))
    ))];
    let curve = Curve {
        label,
        points,
        breaks,
        ..Curve::default()
    };
    let mut notes = target.notes;
    notes.extend(remark_on_steps(&curve));
    let plot = Plot {
        across: "step".to_string(),
        // A logarithmic axis has no place for step 0.
        range: (f64::from(u8::from(is_logarithmic)), steps),
        curves: vec![curve],
        logarithmic: low > 0.0 && high / low > DECADES && asked.up.is_none_or(|up| up.ends.0 > 0.0),
        logarithmic_across: is_logarithmic,
        ..Plot::default()
    };
    Ok(PlottedCurves { plot, lines, notes })
}

/// The error for a root from which no step has been taken.
pub(super) fn no_steps(session: &Session, arguments: &Arguments, root: &Rc<Node>) -> Diagnostic {
    let label = session.label(root);
    let other = session.stepped().map(|root| session.label(&root));
    let help = match other {
        Some(other) => format!("`{other}` has: `:plot {} steps`", typed_node(&other)),
        None => format!("`:step 0.01 100 of {}` takes a hundred", typed_node(&label)),
    };
    Diagnostic::new(format!("`{label}` has taken no steps yet"))
        .at(arguments.stretch("T").unwrap_or(arguments.word))
        .help(help)
}
