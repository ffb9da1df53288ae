//! The picture of `:fit … plot`: the data as dots, the fitted curve, and below them the residuals.
//!
//! The horizontal axis shows the list that the model uses, if exactly one is as long as the data; otherwise it shows
//! the number of the point.

use std::rc::Rc;

use crate::commands::look::plot::list_dots::{ListClass, Measured, classes_of};
use crate::commands::look::plot::picture_options::{PictureOptions, extent};
use crate::commands::look::plot::{MOST_CURVES, missing_note, single_blanks};
use crate::session::values::Value;
use crate::session::{Heading, Session};
use crate::study::goals::{FitProblem, FoundFit};
use crate::study::{self, SampleAxis};
use chainrule_engine::graph::{Jacobian, Node};
use chainrule_report::{Curve, Line, Measurement, Note, Piece, Plot, say};
use chainrule_stop as stop;

/// How many points show, about, whether the model is one function of the list.
const CHECKED: usize = 200;
/// Two values of the model are the same if they differ by less than this part.
const SAME: f64 = 1e-9;
/// The most classes with a curve of their own.
const MOST_GROUPS: usize = MOST_CURVES / 2;
/// The most leaves whose numbers stand in the picture.
const MOST_LEAVES: usize = 12;

/// The list that the picture goes over.
pub(super) struct Predictor {
    pub name: String,
    pub leaves: Vec<Rc<Node>>,
}

impl Predictor {
    pub(super) fn data(&self) -> Vec<f64> {
        self.leaves.iter().map(|leaf| leaf.data()).collect()
    }
}

/// The points in groups: by the classes of a list as long as the data that the model names, or all in one without a label.
pub(super) fn groups<'n>(
    session: &Session,
    problem: &FitProblem,
    across: Option<&Predictor>,
    mut names: impl Iterator<Item = &'n str>,
) -> Vec<ListClass> {
    let classes = |name: &str| {
        let nodes = session.names().find(name)?.nodes();
        let is_data = nodes.len() == problem.model.len() && nodes.iter().all(|it| it.is_frozen());
        if !is_data || across.is_some_and(|it| Rc::ptr_eq(&it.leaves[0], &nodes[0])) {
            return None;
        }
        let heading = session.heading(nodes).and_then(Heading::classes);
        let words = heading.map_or_else(Vec::new, |(_, words)| words);
        let numbers: Vec<f64> = nodes.iter().map(|node| node.data()).collect();
        let found = classes_of(&numbers, &words, name, MOST_GROUPS);
        found.ok().filter(|found| found.len() > 1)
    };
    names.find_map(classes).unwrap_or_else(|| whole(problem))
}

/// All points in one group.
fn whole(problem: &FitProblem) -> Vec<ListClass> {
    vec![ListClass {
        label: String::new(),
        items: (0..problem.model.len()).collect(),
    }]
}

/// The picture of a fit, whose leaves have their new data. The labels are those of data and model. Without `fit` it has no
/// numbers of the leaves and no band.
pub(super) fn plot(
    session: &Session,
    labels: [&str; 2],
    (problem, across): (&FitProblem, Option<&Predictor>),
    groups: &[ListClass],
    fit: Option<&FoundFit>,
    asked: &PictureOptions,
) -> Plot {
    let places = places(session, problem, across);
    let has_place = |x: &f64| !asked.logarithmic.0 || *x > 0.0;
    let all = places.numbers.iter().copied().filter(has_place);
    let typed = asked.across.map(|range| range.ends);
    let axis = SampleAxis {
        range: typed.or_else(|| extent(all)).unwrap_or((0.0, 1.0)),
        is_logarithmic: asked.logarithmic.0,
    };
    let sampled = across.and_then(|across| {
        let each = groups.iter();
        let each = each.map(|group| sample_model(problem, &across.leaves, &group.items, axis));
        each.collect::<Option<Vec<Curve>>>()
    });
    let whole = whole(problem);
    // What is no function of the axis in each class is drawn from point to point.
    let groups = if sampled.is_some() { groups } else { &whole };
    let [data_label, model_label] = labels.map(single_blanks);
    let data_of = |nodes: &[Rc<Node>]| nodes.iter().map(|node| node.data()).collect();
    let model = Measured {
        numbers: data_of(&problem.model),
        deviations: Vec::new(),
    };
    let data = Measured {
        numbers: data_of(&problem.data),
        deviations: problem.deviations.clone().unwrap_or_default(),
    };
    // Where the points have uncertainties, the residuals are in units of these.
    let units = problem.deviations_now();
    let residuals_label = units.as_ref().map_or("residuals", |_| "residuals/σ");
    let off = data.numbers.iter().zip(&model.numbers).enumerate();
    let off = off.map(|(at, (y, model))| (y - model) / units.as_ref().map_or(1.0, |it| it[at]));
    let residuals = Measured {
        numbers: off.collect(),
        deviations: vec![1.0; data.deviations.len()],
    };
    let (mut dots, mut curves, mut below) = (Vec::new(), Vec::new(), Vec::new());
    for (number, group) in groups.iter().enumerate() {
        let items = || group.items.iter().copied();
        let (label, name) = match &*group.label {
            "" => (&data_label, model_label.clone()),
            class => (&group.label, format!("{model_label} of {class}")),
        };
        dots.push(data.over(&places, label, items()));
        below.push(Curve {
            deviations_across: Vec::new(),
            ..residuals.over(&places, residuals_label, items())
        });
        let mut order = group.items.clone();
        order.sort_by(|one, other| places.numbers[*one].total_cmp(&places.numbers[*other]));
        let curve = match &sampled {
            Some(sampled) => sampled[number].clone(),
            None => model.over(&places, "", order.iter().copied()),
        };
        let leaf = across.filter(|_| sampled.is_some());
        let leaf = leaf.map(|across| &across.leaves[order[0]]);
        let is_class = !group.label.is_empty();
        curves.push(Curve {
            label: name,
            has_dots: false,
            belongs_to: is_class.then_some(number),
            legend: is_class.then(String::new),
            deviations: fit.map_or_else(Vec::new, |_| {
                band(session, problem, leaf, &curve.points, &order)
            }),
            deviations_across: Vec::new(),
            ..curve
        });
    }
    let heading = |leaves: &[Rc<Node>]| session.heading(leaves).map(|it| it.text.to_string());
    let name = |it: &Predictor| heading(&it.leaves).unwrap_or_else(|| it.name.clone());
    let mut plot = Plot {
        range: asked.range_of(&dots).unwrap_or(axis.range),
        remarks: fit.map_or_else(Vec::new, |fit| parameter_lines(session, problem, fit)),
        curves: dots.into_iter().chain(curves).collect(),
        across: across.map_or_else(|| "point".to_string(), name),
        dates: across.and_then(|it| session.heading(&it.leaves)?.dates),
        upwards: heading(&problem.data).unwrap_or(data_label),
        up_range: asked.up,
        ..Plot::default()
    };
    asked.set(&mut plot);
    plot.below = Some(Box::new(Plot {
        across: plot.across.clone(),
        dates: plot.dates,
        range: plot.range,
        typed: plot.typed,
        upwards: residuals_label.to_string(),
        curves: below,
        is_logarithmic_across: plot.is_logarithmic_across,
        ..Plot::default()
    }));
    plot
}

/// The places of the points on the horizontal axis.
fn places(session: &Session, problem: &FitProblem, across: Option<&Predictor>) -> Measured {
    match across {
        Some(across) => Measured::of(session, &across.leaves),
        None => Measured {
            numbers: (0..problem.model.len()).map(|it| it as f64).collect(),
            deviations: Vec::new(),
        },
    }
}

/// A note on the points that have no place on logarithmic axes.
pub(super) fn unseen_note(
    session: &Session,
    problem: &FitProblem,
    across: Option<&Predictor>,
    data: &str,
    logarithmic: (bool, bool),
) -> Option<Note> {
    let places = places(session, problem, across).numbers;
    let points = problem.data.iter().zip(places);
    let is_unseen =
        |(y, x): &(&Rc<Node>, f64)| logarithmic.0 && *x <= 0.0 || logarithmic.1 && y.data() <= 0.0;
    let count = points.filter(is_unseen).count();
    (count > 0).then(|| missing_note(data, count, problem.data.len()))
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

/// How far the model may be off, to first order, at places of this leaf or else at the points in this order: by its
/// leaves and by its constants with a `±`. Empty if that is not known.
fn band(
    session: &Session,
    problem: &FitProblem,
    leaf: Option<&Rc<Node>>,
    points: &[(f64, f64)],
    order: &[usize],
) -> Vec<f64> {
    let uncertain = [&problem.leaves[..], &problem.constants].concat();
    let sources = session.names().uncertain.sources(&uncertain);
    let data: Vec<f64> = uncertain.iter().map(|leaf| leaf.data()).collect();
    let found: Vec<f64> = if let Some(leaf) = leaf {
        let leaves = [&uncertain[..], std::slice::from_ref(leaf)].concat();
        let mut jacobian = Jacobian::of(&problem.model[order[0]..=order[0]], &leaves);
        let at = |(x, _): &(f64, f64)| {
            jacobian.values(&[&data[..], &[*x]].concat());
            sources.deviation(&jacobian.rows())
        };
        stop::with_checks(points.iter()).map(at).collect()
    } else {
        let mut jacobian = Jacobian::of(&problem.model, &uncertain);
        jacobian.values(&data);
        let rows = jacobian.rows();
        let row = |at: &usize| &rows[at * data.len()..][..data.len()];
        let order = stop::with_checks(order.iter());
        order.map(|at| sources.deviation(row(at))).collect()
    };
    let is_known = found.iter().all(|sigma| sigma.is_finite());
    found.into_iter().filter(|_| is_known).collect()
}

/// The only list of frozen leaves below the model that has a leaf for each point, with its name.
pub(super) fn predictor(session: &Session, problem: &FitProblem) -> Option<Predictor> {
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
    alone.then(|| Predictor {
        name: name.to_string(),
        leaves: value.nodes().to_vec(),
    })
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
