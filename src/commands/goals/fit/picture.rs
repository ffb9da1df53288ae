//! The picture of `:fit … plot`: the data as dots, the fitted curve, and below them the residuals.
//!
//! The horizontal axis shows the list that the model uses, if exactly one is as long as the data; otherwise it shows
//! the number of the point.

use std::rc::Rc;

use crate::commands::look::plot::list_dots::extent;
use crate::commands::look::plot::picture_options::PictureOptions;
use crate::commands::look::plot::single_blanks;
use crate::session::Session;
use crate::session::values::Value;
use crate::study::goals::{FitProblem, FoundFit};
use crate::study::{self, SampleAxis};
use chainrule_engine::graph::{Jacobian, Node};
use chainrule_report::{Curve, Line, Measurement, Note, Piece, Plot, plural, say};
use chainrule_stop as stop;

/// How many points show, about, whether the model is one function of the list.
const CHECKED: usize = 200;
/// Two values of the model are the same if they differ by less than this part.
const SAME: f64 = 1e-9;
/// The most leaves whose numbers stand in the picture.
const MOST_LEAVES: usize = 12;

/// The picture of a fit, whose leaves have their new data. The labels are those of data and model. Without `fit` it has no
/// numbers of the leaves and no band.
pub(super) fn plot(
    session: &Session,
    labels: [&str; 2],
    problem: &FitProblem,
    fit: Option<&FoundFit>,
    options: PictureOptions,
) -> Plot {
    let count = problem.model.len();
    let places = places(session, problem);
    let found = predictor(session, problem);
    let has_place = |x: &f64| !options.logarithmic.0 || *x > 0.0;
    let range = extent(places.iter().copied().filter(has_place)).unwrap_or((0.0, 1.0));
    let axis = SampleAxis {
        range,
        logarithmic: options.logarithmic.0,
    };
    let leaf = found.as_ref().map(|(_, leaves)| &leaves[0]);
    let sampled = leaf.and_then(|leaf| sample_model(problem, leaf, &places, axis));
    let leaf = leaf.filter(|_| sampled.is_some()).cloned();
    let heading = |leaves: &[Rc<Node>]| session.heading(leaves).map(|it| it.text.to_string());
    let dates = found
        .as_ref()
        .and_then(|(_, leaves)| session.heading(leaves)?.dates);
    let across = found.map_or_else(
        || "point".to_string(),
        |(name, leaves)| heading(&leaves).unwrap_or(name),
    );
    let dots = |label: &str, value: &dyn Fn(usize) -> f64| Curve {
        label: single_blanks(label),
        points: (0..count)
            .map(|point| (places[point], value(point)))
            .collect(),
        dots: true,
        ..Curve::default()
    };
    let [data, model] =
        [&problem.data, &problem.model].map(|nodes| move |point: usize| nodes[point].data());
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|one, other| places[*one].total_cmp(&places[*other]));
    let mut curve = Curve {
        dots: false,
        ..dots(labels[1], &model)
    };
    curve.points = order.iter().map(|&at| curve.points[at]).collect();
    if let Some(sampled) = sampled {
        curve.points = sampled.points;
        curve.breaks = sampled.breaks;
    }
    if let Some(fit) = fit {
        curve.deviations = band(problem, fit, leaf, &curve.points, &order);
    }
    let deviations = problem.deviations.as_deref().unwrap_or_default();
    // Where the points have uncertainties, the residuals are in units of these.
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
    let said = fit.map_or_else(Vec::new, |fit| parameter_lines(session, problem, fit));
    let mut plot = Plot {
        range,
        remarks: said,
        curves: vec![data, curve],
        below: Some(Box::new(Plot {
            across: across.clone(),
            dates,
            range,
            curves: vec![residuals],
            logarithmic_across: options.logarithmic.0,
            ..Plot::default()
        })),
        across,
        dates,
        upwards: heading(&problem.data).unwrap_or_default(),
        ..Plot::default()
    };
    options.set(&mut plot);
    plot
}

/// The places of the points on the axis to the right.
fn places(session: &Session, problem: &FitProblem) -> Vec<f64> {
    match predictor(session, problem) {
        Some((_, leaves)) => leaves.iter().map(|leaf| leaf.data()).collect(),
        None => (0..problem.model.len()).map(|it| it as f64).collect(),
    }
}

/// A note on the points that have no place on logarithmic axes.
pub(super) fn unseen_note(
    session: &Session,
    problem: &FitProblem,
    data: &str,
    (across, up): (bool, bool),
) -> Option<Note> {
    let points = problem.data.iter().zip(places(session, problem));
    let is_unseen = |(y, x): &(&Rc<Node>, f64)| across && *x <= 0.0 || up && y.data() <= 0.0;
    let count = points.filter(is_unseen).count();
    let all = plural(problem.data.len(), "point");
    let line = say!(
        "{:formula} is not drawn at {}",
        data,
        format!("{count} of {all}")
    );
    (count > 0).then(|| Note::new(line))
}

/// `a = 0.05 ± 0.20`, for each leaf.
fn parameter_lines(session: &Session, problem: &FitProblem, fit: &FoundFit) -> Vec<Line> {
    let deviations = fit.certainty.as_ref().and_then(|it| it.deviations.as_ref());
    let line = |(at, leaf): (usize, &Rc<Node>)| {
        let (label, value) = (session.label(leaf), leaf.data());
        match deviations.filter(|_| !fit.nearest.held.contains(&at)) {
            None => say!("{:name} = {:short}", label, value),
            Some(deviations) => {
                let found = Measurement::of_result(value, deviations[at]);
                say!("{:name} = {}", label, Piece::Measurement(found))
            }
        }
    };
    let leaves = problem.leaves.iter().enumerate();
    let mut said: Vec<Line> = leaves.take(MOST_LEAVES).map(line).collect();
    if problem.leaves.len() > MOST_LEAVES {
        said.push(say!("… ({} leaves)", problem.leaves.len().to_string()));
    }
    said
}

/// How far the model may be off, to first order, at places of this leaf or else at the points in this order: √(gᵀ·C·g),
/// where g are its derivatives by the leaves and C is their covariance. Empty if that is not known.
fn band(
    problem: &FitProblem,
    fit: &FoundFit,
    leaf: Option<Rc<Node>>,
    points: &[(f64, f64)],
    order: &[usize],
) -> Vec<f64> {
    let known = fit.certainty.as_ref();
    let known = known.and_then(|it| Some((it.deviations.as_ref()?, &it.correlations)));
    let Some((deviations, correlations)) = known else {
        return Vec::new();
    };
    let n = problem.leaves.len();
    let sigma = |row: &[f64]| {
        let is_held = |at: &usize| fit.nearest.held.contains(at);
        let moved = |at: usize| {
            if is_held(&at) {
                0.0
            } else {
                row[at] * deviations[at]
            }
        };
        let moved: Vec<f64> = (0..n).map(moved).collect();
        let parts = (0..n * n).map(|at| moved[at / n] * moved[at % n] * correlations[at]);
        parts.sum::<f64>().max(0.0).sqrt()
    };
    let data: Vec<f64> = problem.leaves.iter().map(|leaf| leaf.data()).collect();
    let found: Vec<f64> = if let Some(leaf) = leaf {
        let leaves = [&problem.leaves[..], &[leaf]].concat();
        let mut jacobian = Jacobian::of(&problem.model[..1], &leaves);
        let at = |(x, _): &(f64, f64)| {
            jacobian.values(&[&data[..], &[*x]].concat());
            sigma(&jacobian.rows())
        };
        stop::with_checks(points.iter()).map(at).collect()
    } else {
        let mut jacobian = Jacobian::of(&problem.model, &problem.leaves);
        jacobian.values(&data);
        let rows = jacobian.rows();
        order.iter().map(|at| sigma(&rows[at * n..][..n])).collect()
    };
    let is_known = found.iter().all(|sigma| sigma.is_finite());
    found.into_iter().filter(|_| is_known).collect()
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
    let mut found = session
        .names()
        .bound_values()
        .filter(|(_, value)| fits(value));
    let (name, value) = found.next()?;
    // A second name may be for the same list.
    let alone = found.all(|(_, other)| other.is(value));
    alone.then(|| (name.to_string(), value.nodes().to_vec()))
}

/// The model of the first point while its own leaf goes through the range. None if the curve misses a point, because then
/// points differ in more than the predictor.
fn sample_model(
    problem: &FitProblem,
    leaf: &Rc<Node>,
    places: &[f64],
    axis: SampleAxis,
) -> Option<Curve> {
    if axis.range.0 >= axis.range.1 {
        return None;
    }
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
    study::sample_curves(root, leaf, axis).pop()
}
