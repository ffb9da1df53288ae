//! A function and its derivative in small, for its page of help.
//!
//! Both are built and sampled as `:plot` does it, in a session of their own. Only what takes one operand has a picture.

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

/// Where to look, the usual place first.
const RANGES: [(f64, f64); 3] = [(-4.0, 4.0), (-1.25, 1.25), (0.0, 4.0)];
/// A range is good if so much of it has values.
const ENOUGH: f64 = 0.6;
/// The leaf is built with this value, which is special nowhere.
const SOMEWHERE: f64 = 0.7;

/// The picture, if there is something to be seen.
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
        let root = session.build(&text, &expression).ok()?.root;
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

/// A range, and what is seen in it.
struct CurveRange {
    range: (f64, f64),
    sampled: Sampled,
    /// How much of it has values.
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

/// `tanh'(x)`; what is no function has its derivative as `grad(x!, x)`.
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
            formula: String::new(),
            points: places.iter().copied().zip(values.iter().copied()).collect(),
            breaks,
        })
        .collect()
}
