//! A fit as a picture: the data as dots, the fitted curve, and below them what is left over.
//!
//! Across goes the list that the model uses, if there is exactly one as long as the data; else the number of the point.

use std::rc::Rc;

use super::parts::Parts;
use crate::commands::look::plot::lists::extent;
use crate::graph::Node;
use crate::report::{Curve, Plot};
use crate::session::Session;
use crate::session::values::Value;
use crate::study::goals::{FitProblem, Points, Reach};
use crate::study::{self, Sampled};
use crate::syntax::Span;

/// What the numbers of points are called.
const NUMBER: &str = "point";
/// Data minus model.
const RESIDUALS: &str = "residuals";
/// At so many points it is checked whether the points differ in the predictor alone.
const CHECKED: usize = 200;
/// Two values of the model are the same if they differ by less than this part.
const SAME: f64 = 1e-9;

/// The picture of a fit that has been made: the leaves have their new data.
pub(super) fn plot(session: &Session, text: &str, parts: &Parts, problem: &FitProblem) -> Plot {
    let words = |span: Span| {
        span.of(text)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let predictor = Predictor::of(session, problem);
    let places: Vec<f64> = match &predictor {
        Some(predictor) => predictor.leaves.iter().map(|leaf| leaf.data()).collect(),
        None => (1..=problem.model.len())
            .map(|number| number as f64)
            .collect(),
    };
    let range = extent(&places).unwrap_or((0.0, 1.0));
    let points = |value: &dyn Fn(usize) -> f64| -> Vec<(f64, f64)> {
        let all = places.iter().enumerate();
        all.map(|(point, &place)| (place, value(point))).collect()
    };
    let mut fitted = points(&|point| problem.model[point].data());
    fitted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut curve = Curve {
        label: words(parts.model.span),
        points: fitted,
        ..Curve::default()
    };
    if let Some(sampled) = predictor.as_ref().and_then(|it| it.curve(problem, range))
        && let ([values], [breaks]) = (&sampled.values[..], &sampled.breaks[..])
    {
        let values = values.iter().copied();
        curve.points = sampled.places.iter().copied().zip(values).collect();
        curve.breaks.clone_from(breaks);
    }
    let data = Curve {
        label: words(parts.data.span),
        points: points(&|point| problem.data[point].data()),
        dots: true,
        ..Curve::default()
    };
    let left = Curve {
        label: RESIDUALS.to_string(),
        points: points(&|point| problem.data[point].data() - problem.model[point].data()),
        dots: true,
        ..Curve::default()
    };
    let across = predictor.map_or_else(|| NUMBER.to_string(), |predictor| predictor.name);
    Plot {
        range,
        curves: vec![data, curve],
        below: Some(Box::new(Plot {
            across: across.clone(),
            range,
            curves: vec![left],
            ..Plot::default()
        })),
        across,
        ..Plot::default()
    }
}

/// The list over which data and model are drawn.
struct Predictor {
    name: String,
    leaves: Vec<Rc<Node>>,
}

impl Predictor {
    /// The only list of frozen leaves below the model that has a leaf for each point.
    fn of(session: &Session, problem: &FitProblem) -> Option<Predictor> {
        let order = &problem.order;
        let is_data = |leaf: &Rc<Node>| leaf.is_frozen() && order.position(leaf).is_some();
        let mut found: Option<Predictor> = None;
        for (name, value) in session.names().bound() {
            let Value::List(list) = value else { continue };
            let leaves = list.nodes();
            if leaves.len() != problem.model.len() || !leaves.iter().all(is_data) {
                continue;
            }
            match &found {
                // A second name for the same list.
                Some(known)
                    if known
                        .leaves
                        .iter()
                        .zip(leaves)
                        .all(|(one, other)| Rc::ptr_eq(one, other)) => {}
                Some(_) => return None,
                None => {
                    found = Some(Predictor {
                        name: name.to_string(),
                        leaves: leaves.to_vec(),
                    });
                }
            }
        }
        found
    }

    /// The model of the first point while its own leaf goes through the range, if that leads through all points: then
    /// they differ in the predictor alone.
    fn curve(&self, problem: &FitProblem, range: (f64, f64)) -> Option<Sampled> {
        let (root, leaf) = (problem.model.first()?, self.leaves.first()?);
        let reach = Reach::of(&problem.model);
        let own = |(point, leaf): (usize, &Rc<Node>)| matches!(reach.points(leaf), Points::One(only, _) if only == point);
        if !(range.0 < range.1 && self.leaves.iter().enumerate().all(own)) {
            return None;
        }
        let mut jacobian =
            crate::graph::Jacobian::of(std::slice::from_ref(root), std::slice::from_ref(leaf));
        let step = problem.model.len().div_ceil(CHECKED);
        let leads_through = |point: usize| {
            let (data, value) = (self.leaves[point].data(), problem.model[point].data());
            let found = jacobian.values(&[data]);
            found
                .iter()
                .all(|found| (found - value).abs() <= SAME * (value.abs() + found.abs()))
        };
        if !(0..problem.model.len()).step_by(step).all(leads_through) {
            return None;
        }
        Some(study::sample(std::slice::from_ref(root), leaf, range))
    }
}
