//! The picture of `:fit … plot`: the data as dots, the fitted curve, and below them the residuals.
//!
//! The horizontal axis shows the list that the model uses, if exactly one is as long as the data; otherwise it shows
//! the number of the point.

use std::rc::Rc;

use crate::commands::look::plot::list_dots::{class_label, extent};
use crate::commands::look::plot::picture_options::PictureOptions;
use crate::commands::look::plot::{MOST_CURVES, single_blanks};
use crate::session::values::Value;
use crate::session::{Heading, Session};
use crate::study::goals::{FitProblem, FoundFit};
use crate::study::{self, SampleAxis};
use chainrule_engine::graph::{Jacobian, Node};
use chainrule_report::{Curve, Line, Measurement, Note, Piece, Plot, plural, say};
use chainrule_stop as stop;

/// How many points show, about, whether the model is one function of the list.
const CHECKED: usize = 200;
/// Two values of the model are the same if they differ by less than this part.
const SAME: f64 = 1e-9;
/// The most classes with a curve of their own.
const MOST_GROUPS: usize = MOST_CURVES / 2;
/// The most leaves whose numbers stand in the picture.
const MOST_LEAVES: usize = 12;

/// The points of one class of the data, or all of them.
pub(super) struct FitGroup {
    /// The word of the class; none if there is only one group.
    label: Option<String>,
    points: Vec<usize>,
}

/// The points in groups: by the classes of a list as long as the data that the model names, or all in one.
pub(super) fn groups<'n>(
    session: &Session,
    problem: &FitProblem,
    names: impl Iterator<Item = &'n str>,
) -> Vec<FitGroup> {
    let own = predictor(session, problem).map(|(_, leaves)| leaves);
    let classes_of = |name: &str| {
        let nodes = session.names().find(name)?.nodes();
        let is_data = nodes.len() == problem.model.len() && nodes.iter().all(|it| it.is_frozen());
        if !is_data
            || own
                .as_ref()
                .is_some_and(|own| Rc::ptr_eq(&own[0], &nodes[0]))
        {
            return None;
        }
        let mut classes: Vec<f64> = Vec::new();
        for node in nodes {
            if classes.len() <= MOST_GROUPS && !classes.contains(&node.data()) {
                classes.push(node.data());
            }
        }
        classes.sort_by(f64::total_cmp);
        let words = session.heading(nodes).and_then(Heading::classes);
        let words = words.map_or_else(Vec::new, |(_, words)| words);
        let of_class = |class: f64| move |at: &usize| nodes[*at].data() == class;
        let group = |class: f64| FitGroup {
            label: Some(class_label(&words, name, class)),
            points: (0..nodes.len()).filter(of_class(class)).collect(),
        };
        let is_few = (2..=MOST_GROUPS).contains(&classes.len());
        is_few.then(|| classes.into_iter().map(group).collect())
    };
    let mut found = names.filter_map(classes_of);
    found.next().unwrap_or_else(|| vec![whole(problem)])
}

/// All points in one group.
fn whole(problem: &FitProblem) -> FitGroup {
    FitGroup {
        label: None,
        points: (0..problem.model.len()).collect(),
    }
}

/// The picture of a fit, whose leaves have their new data. The labels are those of data and model. Without `fit` it has no
/// numbers of the leaves and no band.
pub(super) fn plot(
    session: &Session,
    labels: [&str; 2],
    (problem, groups): (&FitProblem, &[FitGroup]),
    fit: Option<&FoundFit>,
    asked: &PictureOptions,
) -> Plot {
    let places = places(session, problem);
    let found = predictor(session, problem);
    let has_place = |x: &f64| !asked.logarithmic.0 || *x > 0.0;
    let range = extent(places.iter().copied().filter(has_place)).unwrap_or((0.0, 1.0));
    let range = asked.across.map_or(range, |asked| asked.ends);
    let axis = SampleAxis {
        range,
        logarithmic: asked.logarithmic.0,
    };
    let sampled = found.as_ref().and_then(|(_, leaves)| {
        let each = groups.iter();
        let each = each.map(|group| sample_model(problem, leaves, &group.points, axis));
        each.collect::<Option<Vec<Curve>>>()
    });
    let whole = [whole(problem)];
    // What is no function of the axis in each class is drawn from point to point.
    let groups = if sampled.is_some() { groups } else { &whole };
    let leaves = found.as_ref().map(|(_, leaves)| leaves);
    let heading = |leaves: &[Rc<Node>]| session.heading(leaves).map(|it| it.text.to_string());
    let dates = leaves.and_then(|leaves| session.heading(leaves)?.dates);
    let uncertain = leaves.filter(|_| session.has_uncertain());
    let [data_label, model_label] = labels.map(single_blanks);
    let [data, model] =
        [&problem.data, &problem.model].map(|nodes| move |point: usize| nodes[point].data());
    let deviations = problem.deviations.as_deref().unwrap_or_default();
    let dots = |label: &str, points: &[usize], value: &dyn Fn(usize) -> f64| Curve {
        label: label.to_string(),
        points: points
            .iter()
            .map(|&point| (places[point], value(point)))
            .collect(),
        dots: true,
        ..Curve::default()
    };
    // Where the points have uncertainties, the residuals are in units of these.
    let residuals_label = if deviations.is_empty() {
        "residuals"
    } else {
        "residuals/σ"
    };
    let units = problem.deviations_now().unwrap_or_default();
    let unit = |point: usize| units.get(point).copied().unwrap_or(1.0);
    let (mut data_dots, mut curves, mut residuals) = (Vec::new(), Vec::new(), Vec::new());
    for (number, group) in groups.iter().enumerate() {
        let points = &group.points;
        let of_points = |each: &dyn Fn(usize) -> f64| points.iter().map(|&at| each(at)).collect();
        let label = group.label.as_deref().unwrap_or(&data_label);
        data_dots.push(Curve {
            deviations: (problem.deviations.as_ref())
                .map_or_else(Vec::new, |all| of_points(&|at| all[at])),
            deviations_across: uncertain.map_or_else(Vec::new, |leaves| {
                of_points(&|at| session.names().uncertain.node_deviation(&leaves[at]))
            }),
            ..dots(label, points, &data)
        });
        residuals.push(Curve {
            deviations: vec![1.0; points.len().min(deviations.len())],
            ..dots(residuals_label, points, &|at| {
                (data(at) - model(at)) / unit(at)
            })
        });
        let mut order = points.clone();
        order.sort_by(|one, other| places[*one].total_cmp(&places[*other]));
        let mut curve = match &sampled {
            Some(sampled) => sampled[number].clone(),
            None => Curve {
                dots: false,
                ..dots("", &order, &model)
            },
        };
        curve.label = match &group.label {
            Some(class) => format!("{model_label} of {class}"),
            None => model_label.clone(),
        };
        curve.belongs_to = group.label.as_ref().map(|_| number);
        curve.legend = group.label.as_ref().map(|_| String::new());
        if let Some(fit) = fit {
            let leaf = sampled.as_ref().and(leaves).map(|it| &it[order[0]]);
            curve.deviations = band(problem, fit, leaf, &curve.points, &order);
        }
        curves.push(curve);
    }
    let across = found.as_ref().map_or_else(
        || "point".to_string(),
        |(name, leaves)| heading(leaves).unwrap_or_else(|| name.clone()),
    );
    let mut plot = Plot {
        range,
        remarks: fit.map_or_else(Vec::new, |fit| parameter_lines(session, problem, fit)),
        curves: data_dots.into_iter().chain(curves).collect(),
        across,
        dates,
        upwards: heading(&problem.data).unwrap_or(data_label),
        up: asked.up,
        ..Plot::default()
    };
    asked.set(&mut plot);
    plot.below = Some(Box::new(Plot {
        across: plot.across.clone(),
        dates,
        range,
        is_range_asked: plot.is_range_asked,
        upwards: residuals_label.to_string(),
        curves: residuals,
        logarithmic_across: asked.logarithmic.0,
        ..Plot::default()
    }));
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
    leaf: Option<&Rc<Node>>,
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
        let leaves = [&problem.leaves[..], std::slice::from_ref(leaf)].concat();
        let mut jacobian = Jacobian::of(&problem.model[order[0]..=order[0]], &leaves);
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
    let mut found: Vec<(&str, &Value)> = (session.names().bound_values())
        .filter(|(_, value)| fits(value))
        .collect();
    // Beside numbers, classes are not what the model goes over.
    let is_class = |value: &Value| {
        let heading = session.heading(value.nodes());
        heading.is_some_and(|it| it.classes().is_some())
    };
    if found.iter().any(|(_, value)| !is_class(value)) {
        found.retain(|(_, value)| !is_class(value));
    }
    let (name, value) = found.first()?;
    // A second name may be for the same list.
    let alone = found.iter().all(|(_, other)| other.is(value));
    alone.then(|| (name.to_string(), value.nodes().to_vec()))
}

/// The model of the first of some points while its own leaf goes through the range. None if the curve misses a point,
/// because then points differ in more than the predictor.
fn sample_model(
    problem: &FitProblem,
    leaves: &[Rc<Node>],
    points: &[usize],
    axis: SampleAxis,
) -> Option<Curve> {
    let first = *points.first()?;
    if axis.range.0 >= axis.range.1 {
        return None;
    }
    let root = std::slice::from_ref(&problem.model[first]);
    let mut jacobian = Jacobian::of(root, std::slice::from_ref(&leaves[first]));
    let mut leads_through = |point: usize| {
        let value = problem.model[point].data();
        let found = jacobian.values(&[leaves[point].data()])[0];
        (found - value).abs() <= SAME * (value.abs() + found.abs())
    };
    let mut checked = points.iter().step_by(points.len().div_ceil(CHECKED));
    if !checked.all(|point| leads_through(*point)) {
        return None;
    }
    study::sample_curves(root, &leaves[first], axis).pop()
}
