//! A small plot of a function and its derivative, for its help page.
//!
//! Both are built and sampled as by `:plot`, in a temporary session. Only operations with one operand have a plot.

use std::rc::Rc;

use crate::graph::Node;
use crate::ops::{Op, Shape};
use crate::report::Curve;
use crate::report::Plot;
use crate::session::Session;
use crate::study;
use crate::study::Sampled;
use crate::syntax;
use crate::syntax::Span;

/// The ranges to try, the preferred one first.
const RANGES: [(f64, f64); 3] = [(-4.0, 4.0), (-1.25, 1.25), (0.0, 4.0)];
/// A range is good if the function has values in this part of it.
const ENOUGH: f64 = 0.6;
/// The value of the leaf while the graph is built; no function is special there.
const SOMEWHERE: f64 = 0.7;

/// The plot, if the operation has one operand and values in one of the ranges.
pub(crate) fn miniature(op: &'static Op) -> Option<Plot> {
    if op.arity() != (1, Some(1)) {
        return None;
    }
    let text = match op.shape {
        Shape::Prefix => format!("{}x", op.spelling),
        Shape::Postfix => format!("x{}", op.spelling),
        Shape::Call | Shape::Infix => format!("{}(x)", op.spelling),
    };
    let mut session = Session::new();
    session.with_variable("x", SOMEWHERE, |session, leaf| {
        let expression = syntax::expression(&text, Span::new(0, text.len())).ok()?;
        let (root, _) = session.evaluate_number(&text, &expression).ok()?;
        let slope = session.derivative(&root, leaf).ok()?;
        let roots = [root, slope];
        let looked: Vec<CurveRange> = RANGES
            .iter()
            .filter_map(|&range| look(session, &roots, leaf, range))
            .collect();
        let good = looked.iter().position(|look| look.share >= ENOUGH);
        let best = (0..looked.len())
            .max_by(|&one, &other| looked[one].share.total_cmp(&looked[other].share));
        let look = looked.into_iter().nth(good.or(best)?)?;
        let labels = [text.clone(), derivative(op, &text)];
        Some(Plot {
            across: "x".to_string(),
            range: look.range,
            curves: curves(look.sampled, labels),
            small: true,
            ..Plot::default()
        })
    })
}

/// A range and the curves in it.
struct CurveRange {
    range: (f64, f64),
    sampled: Sampled,
    /// The part of the range in which the function has values.
    share: f64,
}

fn look(
    session: &Session,
    roots: &[Rc<Node>],
    leaf: &Rc<Node>,
    range: (f64, f64),
) -> Option<CurveRange> {
    let sampled = study::sample(session, roots, leaf, range).ok()?;
    let values = sampled.values.first()?;
    let finite = values.iter().filter(|value| value.is_finite()).count();
    let share = finite as f64 / values.len().max(1) as f64;
    Some(CurveRange {
        range,
        sampled,
        share,
    })
}

/// The notation of the derivative: `tanh'(x)`, or for an operator `grad(x!, x)`.
fn derivative(op: &Op, text: &str) -> String {
    match op.shape {
        Shape::Call => format!("{}'(x)", op.spelling),
        _ => format!("grad({text}, x)"),
    }
}

fn curves(sampled: Sampled, labels: [String; 2]) -> Vec<Curve> {
    let places = &sampled.places;
    let values = sampled.values.iter().zip(sampled.breaks);
    values
        .zip(labels)
        .map(|((values, breaks), label)| Curve {
            label,
            points: places.iter().copied().zip(values.iter().copied()).collect(),
            breaks,
            ..Curve::default()
        })
        .collect()
}
