//! A fit as a picture: the data as dots, the fitted curve, and below them the residuals.
//!
//! Across goes the list that the model uses, if there is exactly one as long as the data; else the number of the point.

use std::rc::Rc;

use crate::commands::look::plot::lists::extent;
use crate::graph::{Jacobian, Node};
use crate::report::{Curve, Plot};
use crate::session::Session;
use crate::session::values::Value;
use crate::study::goals::FitProblem;
use crate::study::{self, SampleAxis};

/// At about so many points it is checked whether the model is one function of the list.
const CHECKED: usize = 200;
/// Two values of the model are the same if they differ by less than this part.
const SAME: f64 = 1e-9;

/// The picture of a fit that has been made: the leaves have their new data. The labels are those of data and model.
pub(super) fn plot(session: &Session, labels: [&str; 2], problem: &FitProblem) -> Plot {
    let count = problem.model.len();
    let found = predictor(session, problem);
    let places: Vec<f64> = match &found {
        Some((_, leaves)) => leaves.iter().map(|leaf| leaf.data()).collect(),
        None => (1..=count).map(|number| number as f64).collect(),
    };
    let sampled = found.as_ref();
    let sampled = sampled.and_then(|(_, leaves)| sampled_over(problem, &leaves[0], &places));
    let across = found.map_or_else(
        || "point".to_string(),
        |(name, leaves)| session.heading(&leaves).map_or(name, str::to_string),
    );
    let range = extent(places.iter().copied()).unwrap_or((0.0, 1.0));
    let dots = |label: &str, value: &dyn Fn(usize) -> f64| Curve {
        label: label.split_whitespace().collect::<Vec<_>>().join(" "),
        points: (0..count)
            .map(|point| (places[point], value(point)))
            .collect(),
        dots: true,
        ..Curve::default()
    };
    let [data, model] =
        [&problem.data, &problem.model].map(|nodes| move |point: usize| nodes[point].data());
    let mut curve = Curve {
        dots: false,
        ..dots(labels[1], &model)
    };
    curve.points.sort_by(|one, other| one.0.total_cmp(&other.0));
    if let Some(sampled) = sampled {
        curve.points = sampled.points;
        curve.breaks = sampled.breaks;
    }
    let deviations = problem.deviations.as_deref().unwrap_or_default();
    // Where the points have uncertainties, the residuals are told in units of these.
    let label = if deviations.is_empty() {
        "residuals"
    } else {
        "residuals/σ"
    };
    let unit = |point: usize| deviations.get(point).copied().unwrap_or(1.0);
    let residuals = Curve {
        deviations: vec![1.0; deviations.len()],
        ..dots(label, &|point| (data(point) - model(point)) / unit(point))
    };
    let data = Curve {
        deviations: deviations.to_vec(),
        ..dots(labels[0], &data)
    };
    Plot {
        range,
        curves: vec![data, curve],
        below: Some(Box::new(Plot {
            across: across.clone(),
            range,
            curves: vec![residuals],
            ..Plot::default()
        })),
        across,
        upwards: session.heading(&problem.data).unwrap_or("").to_string(),
        ..Plot::default()
    }
}

/// The only list of frozen leaves below the model that has a leaf for each point, with its name.
pub(super) fn predictor(
    session: &Session,
    problem: &FitProblem,
) -> Option<(String, Vec<Rc<Node>>)> {
    let is_data = |leaf: &Rc<Node>| leaf.is_frozen() && problem.order.slot(leaf).is_some();
    let fits = |value: &Value| {
        value.nodes().len() == problem.model.len()
            && matches!(value, Value::List(_))
            && value.nodes().iter().all(is_data)
    };
    let mut found = session.names().bound().filter(|(_, value)| fits(value));
    let (name, value) = found.next()?;
    // A second name may be for the same list.
    let alone = found.all(|(_, other)| other.is(value));
    alone.then(|| (name.to_string(), value.nodes().to_vec()))
}

/// The model of the first point while its own leaf goes through the range, if that leads through all points: then they
/// differ in the predictor alone.
fn sampled_over(problem: &FitProblem, leaf: &Rc<Node>, places: &[f64]) -> Option<Curve> {
    let range = extent(places.iter().copied()).filter(|range| range.0 < range.1)?;
    let root = std::slice::from_ref(&problem.model[0]);
    let mut jacobian = Jacobian::of(root, std::slice::from_ref(leaf));
    let leads_through = |point: usize| {
        let value = problem.model[point].data();
        let found = jacobian.values(&[places[point]])[0];
        (found - value).abs() <= SAME * (value.abs() + found.abs())
    };
    let checked = (0..places.len()).step_by(places.len().div_ceil(CHECKED));
    if !checked.into_iter().all(leads_through) {
        return None;
    }
    let axis = SampleAxis {
        range,
        logarithmic: false,
    };
    study::sample_curves(root, leaf, axis).pop()
}
