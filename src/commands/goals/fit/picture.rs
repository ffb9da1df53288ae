//! Draws the picture of `:fit … plot`: the data as dots, the fitted curve, and below them the residuals.
//!
//! If the model uses exactly one list that is as long as the data, the horizontal axis shows this list, the predictor.
//! Otherwise the axis shows the numbers of the points.

use std::rc::Rc;

use crate::commands::args::Arguments;
use crate::commands::look::plot::list_dots::{ListClass, Measured, classes_of};
use crate::commands::look::plot::picture_options::{PictureOptions, extent};
use crate::commands::look::plot::{MOST_CURVES, missing_note, single_blanks};
use crate::session::values::Value;
use crate::session::{Heading, Session};
use crate::study::goals::{FitProblem, FoundFit};
use crate::study::{self, SampleAxis};
use chainrule_engine::graph::{Jacobian, Node};
use chainrule_language::ModelSides;
use chainrule_report::diagnostic::Diagnostic;
use chainrule_report::{Curve, Line, Measurement, Note, Piece, Plot, say};
use chainrule_stop as stop;

/// The most points that are compared with the sampled curve: enough to find a second list in the model.
const MOST_CHECKED: usize = 200;
/// Two values of the model are equal if their relative difference is at most this one, which rounding does not reach.
const TOLERANCE: f64 = 1e-9;
/// The most classes with a curve of their own. Each has dots, too.
const MOST_CLASSES: usize = MOST_CURVES / 2;
/// The most leaves whose fitted numbers the picture lists.
const MOST_LEAVES: usize = 12;

/// The list that the horizontal axis shows.
pub(super) struct Predictor {
    name: String,
    leaves: Vec<Rc<Node>>,
}

impl Predictor {
    pub(super) fn data(&self) -> Vec<f64> {
        self.leaves.iter().map(|leaf| leaf.data()).collect()
    }
}

/// The parts of the picture that are known before the search.
pub(super) struct FitPicture<'t> {
    options: PictureOptions,
    /// The texts of the data and of the model.
    labels: [&'t str; 2],
    pub(super) predictor: Option<Predictor>,
    /// The points by the classes of a list that the model names. Without classes, one class without a label has all
    /// points.
    classes: Vec<ListClass>,
}

impl<'t> FitPicture<'t> {
    /// Reads the options of a picture, and checks them.
    pub(super) fn read(
        session: &mut Session,
        arguments: &Arguments<'t>,
        problem: &FitProblem,
        sides: &ModelSides,
    ) -> Result<FitPicture<'t>, Diagnostic> {
        let options = PictureOptions::of(session, arguments)?;
        let predictor = find_predictor(session, problem);
        let names = sides.model.names().into_iter().map(|(name, _)| name);
        let mut lists =
            names.filter_map(|name| classes_in(session, problem, predictor.as_ref(), name));
        let classes = lists.next().unwrap_or_else(|| vec![all_points(problem)]);
        options.check_legend(2 * classes.len())?;
        let axis = predictor.as_ref().map_or("point", |it| &it.name);
        options.check_axis(arguments, axis)?;
        Ok(FitPicture {
            options,
            labels: [&sides.data, &sides.model].map(|side| side.span.of(arguments.text)),
            predictor,
            classes,
        })
    }

    /// A note on the points that have no place on logarithmic axes.
    pub(super) fn unseen_note(&self, session: &Session, problem: &FitProblem) -> Option<Note> {
        let places = self.places(session, problem).numbers;
        let (across, up) = self.options.scales;
        let (is_across_log, is_up_log) = (across.is_logarithmic(), up.is_logarithmic());
        let is_unseen =
            |(y, x): &(&Rc<Node>, f64)| is_across_log && *x <= 0.0 || is_up_log && y.data() <= 0.0;
        let count = problem.data.iter().zip(places).filter(is_unseen).count();
        (count > 0).then(|| missing_note(self.labels[0], count, problem.data.len()))
    }

    /// The places of the points on the horizontal axis.
    fn places(&self, session: &Session, problem: &FitProblem) -> Measured {
        match &self.predictor {
            Some(predictor) => Measured::of(session, &predictor.leaves),
            None => Measured {
                numbers: (0..problem.model.len()).map(|it| it as f64).collect(),
                deviations: Vec::new(),
            },
        }
    }

    /// Draws a fit, whose leaves have their new data. A plain picture has no numbers of the leaves and no band.
    pub(super) fn plot(&self, session: &Session, problem: &FitProblem, found: &FoundFit) -> Plot {
        let (options, predictor) = (&self.options, self.predictor.as_ref());
        let fit = Some(found).filter(|_| !options.is_plain);
        let points = FitPoints::of(problem, self.places(session, problem));
        let axis = self.axis(&points.places);
        let [data_label, model_label] = self.labels.map(single_blanks);
        let sampled = self.sample_classes(problem, axis);
        let whole = [all_points(problem)];
        // If the model is no function of the axis in each class, one line goes from point to point.
        let classes = if sampled.is_some() {
            &self.classes
        } else {
            &whole[..]
        };
        let (mut dots, mut curves, mut residuals) = (Vec::new(), Vec::new(), Vec::new());
        for (number, class) in classes.iter().enumerate() {
            let is_class = !class.label.is_empty();
            let (data_name, model_name) = match &*class.label {
                "" => (&data_label, model_label.clone()),
                word => (&class.label, format!("{model_label} of {word}")),
            };
            let items = || class.items.iter().copied();
            dots.push(points.data.over(&points.places, data_name, items()));
            residuals.push(points.residual_dots(items()));
            let order = points.in_order(class);
            let leaves = predictor.filter(|_| sampled.is_some()).map(|it| &it.leaves);
            let mover = leaves.map(|leaves| &leaves[order[0]]);
            let curve = match &sampled {
                Some(sampled) => sampled[number].clone(),
                None => (points.model).over(&points.places, "", order.iter().copied()),
            };
            let deviations = |_| band(session, problem, mover, &curve.points, &order);
            curves.push(Curve {
                label: model_name,
                has_dots: false,
                belongs_to: is_class.then_some(number),
                // The legend names a class at its dots; an empty text keeps the curve out of the legend.
                legend: is_class.then(String::new),
                deviations: fit.map_or_else(Vec::new, deviations),
                deviations_across: Vec::new(),
                ..curve
            });
        }
        let heading = |leaves: &[Rc<Node>]| session.heading(leaves).map(|it| it.text.to_string());
        let axis_name = |it: &Predictor| heading(&it.leaves).unwrap_or_else(|| it.name.clone());
        let mut plot = Plot {
            range: options.range_of(&dots).unwrap_or(axis.range),
            remarks: fit.map_or_else(Vec::new, |fit| parameter_lines(session, problem, fit)),
            curves: dots.into_iter().chain(curves).collect(),
            across: predictor.map_or_else(|| "point".to_string(), axis_name),
            dates: predictor.and_then(|it| session.heading(&it.leaves)?.dates),
            upwards: heading(&problem.data).unwrap_or(data_label),
            up_range: options.up,
            ..Plot::default()
        };
        options.set(&mut plot);
        plot.below = Some(Box::new(Plot {
            upwards: points.residuals_label.to_string(),
            curves: residuals,
            ..with_same_horizontal_axis(&plot)
        }));
        plot
    }

    /// The horizontal axis: the typed range, or that of the points.
    fn axis(&self, places: &Measured) -> SampleAxis {
        let scale = self.options.scales.0;
        let has_place = |x: &f64| scale.has_place(*x);
        let numbers = places.numbers.iter().copied().filter(has_place);
        let typed = self.options.across.map(|range| range.ends);
        SampleAxis {
            range: typed.or_else(|| extent(numbers)).unwrap_or((0.0, 1.0)),
            scale,
        }
    }

    /// Samples the model along the axis in each class, if it is a function of the predictor there.
    fn sample_classes(&self, problem: &FitProblem, axis: SampleAxis) -> Option<Vec<Curve>> {
        let leaves = &self.predictor.as_ref()?.leaves;
        let classes = self.classes.iter();
        classes
            .map(|class| sample_model(problem, leaves, &class.items, axis))
            .collect()
    }
}

/// Returns an empty plot with the horizontal axis of another one.
fn with_same_horizontal_axis(plot: &Plot) -> Plot {
    Plot {
        across: plot.across.clone(),
        dates: plot.dates,
        range: plot.range,
        typed: plot.typed,
        across_scale: plot.across_scale,
        ..Plot::default()
    }
}

/// The points of a fit as the picture shows them.
struct FitPoints {
    places: Measured,
    data: Measured,
    model: Measured,
    residuals: Measured,
    residuals_label: &'static str,
}

impl FitPoints {
    fn of(problem: &FitProblem, places: Measured) -> FitPoints {
        let numbers =
            |nodes: &[Rc<Node>]| -> Vec<f64> { nodes.iter().map(|it| it.data()).collect() };
        let (data, model) = (numbers(&problem.data), numbers(&problem.model));
        let deviations = problem.deviations.clone().unwrap_or_default();
        // Where the points have uncertainties, the residuals are in units of these.
        let units = problem.deviations_now();
        let unit = |at: usize| units.as_ref().map_or(1.0, |units| units[at]);
        let residuals = (0..data.len()).map(|at| (data[at] - model[at]) / unit(at));
        FitPoints {
            places,
            residuals: Measured {
                numbers: residuals.collect(),
                deviations: vec![1.0; deviations.len()],
            },
            residuals_label: units.map_or("residuals", |_| "residuals/σ"),
            model: Measured {
                numbers: model,
                deviations: Vec::new(),
            },
            data: Measured {
                numbers: data,
                deviations,
            },
        }
    }

    fn residual_dots(&self, items: impl Iterator<Item = usize>) -> Curve {
        let dots = (self.residuals).over(&self.places, self.residuals_label, items);
        Curve {
            deviations_across: Vec::new(),
            ..dots
        }
    }

    /// The points of a class from left to right.
    fn in_order(&self, class: &ListClass) -> Vec<usize> {
        let mut order = class.items.clone();
        let places = &self.places.numbers;
        order.sort_by(|one, other| places[*one].total_cmp(&places[*other]));
        order
    }
}

/// Divides the points into the classes of the list with this name. Returns `None` if the list is no constant list as long
/// as the data, is the predictor, or has one class or too many.
fn classes_in(
    session: &Session,
    problem: &FitProblem,
    predictor: Option<&Predictor>,
    name: &str,
) -> Option<Vec<ListClass>> {
    let nodes = session.names().find(name)?.nodes();
    let is_data = nodes.len() == problem.model.len() && nodes.iter().all(|it| it.is_frozen());
    if !is_data || predictor.is_some_and(|it| Rc::ptr_eq(&it.leaves[0], &nodes[0])) {
        return None;
    }
    let heading = session.heading(nodes).and_then(Heading::classes);
    let words = heading.map_or_else(Vec::new, |(_, words)| words);
    let numbers: Vec<f64> = nodes.iter().map(|node| node.data()).collect();
    let classes = classes_of(&numbers, &words, name, MOST_CLASSES).ok()?;
    (classes.len() > 1).then_some(classes)
}

fn all_points(problem: &FitProblem) -> ListClass {
    ListClass {
        label: String::new(),
        items: (0..problem.model.len()).collect(),
    }
}

/// Finds the only list of frozen leaves below the model that has a leaf for each point.
pub(super) fn find_predictor(session: &Session, problem: &FitProblem) -> Option<Predictor> {
    let is_data = |leaf: &Rc<Node>| leaf.is_frozen() && problem.order.slot(leaf).is_some();
    let is_predictor = |value: &Value| {
        value.nodes().len() == problem.model.len()
            && matches!(value, Value::List(_))
            && value.nodes().iter().all(is_data)
    };
    let mut found: Vec<(&str, &Value)> = (session.names().bound_values())
        .filter(|(_, value)| is_predictor(value))
        .collect();
    // A list of numbers takes precedence over classes.
    let is_class = |value: &Value| {
        let heading = session.heading(value.nodes());
        heading.is_some_and(|it| it.classes().is_some())
    };
    if found.iter().any(|(_, value)| !is_class(value)) {
        found.retain(|(_, value)| !is_class(value));
    }
    let (name, value) = found.first()?;
    // The same list may have a second name.
    let is_only_list = found.iter().all(|(_, other)| other.is(value));
    is_only_list.then(|| Predictor {
        name: name.to_string(),
        leaves: value.nodes().to_vec(),
    })
}

/// Samples a curve for these points: the model of the first point, while the predictor of this point goes through the
/// range. Returns `None` if the curve misses a point, because then the points differ in more than the predictor.
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
    let mut passes_through = |point: usize| {
        let value = problem.model[point].data();
        let found = jacobian.values(&[leaves[point].data()])[0];
        (found - value).abs() <= TOLERANCE * (value.abs() + found.abs())
    };
    let mut checked = points.iter().step_by(points.len().div_ceil(MOST_CHECKED));
    if !checked.all(|point| passes_through(*point)) {
        return None;
    }
    study::sample_curves(root, &leaves[first], axis).pop()
}

/// `a = 0.05 ± 0.20`, for each leaf.
fn parameter_lines(session: &Session, problem: &FitProblem, fit: &FoundFit) -> Vec<Line> {
    let deviations = fit.certainty.as_ref().and_then(|it| it.deviations.as_ref());
    let mut lines = Vec::new();
    for (at, leaf) in problem.leaves.iter().enumerate().take(MOST_LEAVES) {
        let (label, value) = (session.label(leaf), leaf.data());
        lines.push(
            match deviations.filter(|_| !fit.nearest.held.contains(&at)) {
                None => say!("{:name} = {:short}", label, value),
                Some(deviations) => {
                    let found = Measurement::of_result(value, deviations[at]);
                    say!("{:name} = {}", label, Piece::Measurement(found))
                }
            },
        );
    }
    if problem.leaves.len() > MOST_LEAVES {
        lines.push(say!("… ({} leaves)", problem.leaves.len().to_string()));
    }
    lines
}

/// Returns the standard deviations of the model to first order, from the fitted leaves and from constants with a `±`. With
/// a `mover`, they are at the `points` of the curve along which this leaf moves, otherwise at the points of the data in
/// this `order`. Returns an empty list if a deviation is not known.
fn band(
    session: &Session,
    problem: &FitProblem,
    mover: Option<&Rc<Node>>,
    points: &[(f64, f64)],
    order: &[usize],
) -> Vec<f64> {
    let uncertain = [&problem.leaves[..], &problem.constants].concat();
    let sources = session.names().uncertain.sources(&uncertain);
    let data: Vec<f64> = uncertain.iter().map(|leaf| leaf.data()).collect();
    let found: Vec<f64> = if let Some(mover) = mover {
        let leaves = [&uncertain[..], std::slice::from_ref(mover)].concat();
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
