//! Draws the picture of `:fit … plot`: the data as dots, the fitted curve with a band, and below them the residuals.
//!
//! If the model uses exactly one list that is as long as the data, the horizontal axis shows this list, the predictor.
//! Otherwise the axis shows the numbers of the points. If the points have classes, each has dots and a curve of its own.

use super::model_curve::{ModelBand, sample_model};
use super::predictor::{Predictor, all_points, classes_of_points, find_predictor};
use crate::commands::look::plot::lists::{ListClass, Measured};
use crate::commands::look::plot::missing_note;
use crate::commands::look::plot::picture_options::{PictureOptions, extent};
use crate::commands::prelude::*;
use crate::study::SampleAxis;
use crate::study::goals::{FitProblem, FoundFit};
use chainrule_language::ModelSides;
use chainrule_report::{Curve, Measurement, Piece, Plot};

/// The most leaves whose fitted numbers the picture lists.
const MOST_LEAVES: usize = 12;

/// The parts of the picture that are known before the search.
pub(super) struct FitPicture<'t> {
    options: PictureOptions,
    /// The texts of the data and of the model.
    labels: [&'t str; 2],
    predictor: Option<Predictor>,
    /// The places of the points on the horizontal axis.
    places: Measured,
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
        let places = match &predictor {
            Some(predictor) => Measured::of(session, &predictor.leaves),
            None => Measured {
                numbers: (0..problem.model.len()).map(|it| it as f64).collect(),
                ..Measured::default()
            },
        };
        let classes = classes_of_points(session, problem, predictor.as_ref(), &sides.model);
        options.check_legend(arguments, 2 * classes.len())?;
        let axis = predictor.as_ref().map_or("point", |it| &it.name);
        options.check_axis(arguments, axis)?;
        Ok(FitPicture {
            options,
            labels: [&sides.data, &sides.model].map(|side| side.span.of(arguments.text)),
            predictor,
            places,
            classes,
        })
    }

    /// A note on the points that have no place on the axes.
    pub(super) fn unseen_note(&self, problem: &FitProblem) -> Option<Note> {
        let (across, up) = self.options.scales;
        let is_unseen =
            |(y, x): &(&Rc<Node>, &f64)| !across.has_place(**x) || !up.has_place(y.data());
        let points = problem.data.iter().zip(&self.places.numbers);
        let count = points.filter(is_unseen).count();
        (count > 0).then(|| missing_note(self.labels[0], count, problem.data.len()))
    }

    /// Draws a fit, whose leaves have their new data. A plain picture has no numbers of the leaves and no band.
    pub(super) fn plot(&self, session: &Session, problem: &FitProblem, found: &FoundFit) -> Plot {
        let (options, predictor, places) = (&self.options, self.predictor.as_ref(), &self.places);
        let points = FitPoints::of(problem);
        let axis = self.axis();
        let [data_label, model_label] = self.labels.map(language::one_line);
        let class_curves = self.class_curves(session, problem, &points, axis);
        let (mut dots, mut curves, mut residuals) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (class, curve)) in class_curves.into_iter().enumerate() {
            let items = || class.items.iter().copied();
            residuals.push(Curve {
                deviations_across: Vec::new(),
                ..(points.residuals).over(places, points.residuals_label, items())
            });
            let is_class = !class.label.is_empty();
            let (dots_label, label) = match &*class.label {
                "" => (&data_label, model_label.clone()),
                word => (&class.label, format!("{model_label} of {word}")),
            };
            dots.push(points.data.over(places, dots_label, items()));
            curves.push(Curve {
                label,
                has_dots: false,
                belongs_to: is_class.then_some(number),
                // The legend names a class at its dots; an empty text keeps the curve out of the legend.
                legend: is_class.then(String::new),
                deviations_across: Vec::new(),
                ..curve
            });
        }
        let heading = |leaves: &[Rc<Node>]| session.heading(leaves).map(|it| it.text.to_string());
        let axis_name = |it: &Predictor| heading(&it.leaves).unwrap_or_else(|| it.name.clone());
        let mut plot = Plot {
            range: options.range_of(&dots).unwrap_or(axis.range),
            curves: dots.into_iter().chain(curves).collect(),
            across: predictor.map_or_else(|| "point".to_string(), axis_name),
            dates: predictor.and_then(|it| session.heading(&it.leaves)?.dates),
            upwards: heading(&problem.data).unwrap_or(data_label),
            up_range: options.up,
            ..Plot::default()
        };
        if !options.is_plain {
            plot.remarks = parameter_lines(session, problem, found);
        }
        options.set(&mut plot);
        plot.below = Some(Box::new(Plot {
            upwards: points.residuals_label.to_string(),
            curves: residuals,
            ..with_same_horizontal_axis(&plot)
        }));
        plot
    }

    /// The horizontal axis: the typed range, or that of the points.
    fn axis(&self) -> SampleAxis {
        let scale = self.options.scales.0;
        let has_place = |x: &f64| scale.has_place(*x);
        let numbers = self.places.numbers.iter().copied().filter(has_place);
        let typed = self.options.across.map(|range| range.ends);
        SampleAxis {
            range: typed.or_else(|| extent(numbers)).unwrap_or((0.0, 1.0)),
            scale,
        }
    }

    /// Draws the model in each class as a curve along the predictor. If it is no function of the predictor in some class,
    /// all points are one class instead, and a line goes from point to point.
    fn class_curves(
        &self,
        session: &Session,
        problem: &FitProblem,
        points: &FitPoints,
        axis: SampleAxis,
    ) -> Vec<(ListClass, Curve)> {
        let band = (!self.options.is_plain).then(|| ModelBand::of(session, problem));
        let sampled = self.sample_classes(problem, axis);
        let (Some(predictor), Some(curves)) = (&self.predictor, sampled) else {
            let class = all_points(problem);
            let order = self.in_order(&class.items);
            let mut curve = points.model.over(&self.places, "", order.iter().copied());
            if let Some(band) = band {
                curve.deviations = band.at_points(&order);
            }
            return vec![(class, curve)];
        };
        let mut class_curves = Vec::new();
        for (class, mut curve) in self.classes.iter().cloned().zip(curves) {
            if let Some(band) = &band {
                let leftmost = self.in_order(&class.items)[0];
                curve.deviations = band.along(leftmost, &predictor.leaves[leftmost], &curve.points);
            }
            class_curves.push((class, curve));
        }
        class_curves
    }

    /// These points from left to right.
    fn in_order(&self, points: &[usize]) -> Vec<usize> {
        let mut order = points.to_vec();
        let places = &self.places.numbers;
        order.sort_by(|one, other| places[*one].total_cmp(&places[*other]));
        order
    }

    fn sample_classes(&self, problem: &FitProblem, axis: SampleAxis) -> Option<Vec<Curve>> {
        let leaves = &self.predictor.as_ref()?.leaves;
        let classes = self.classes.iter();
        let curves = classes.map(|class| sample_model(problem, leaves, &class.items, axis));
        curves.collect()
    }
}

/// Returns an empty plot with the horizontal axis of another one.
fn with_same_horizontal_axis(plot: &Plot) -> Plot {
    Plot {
        across: plot.across.clone(),
        dates: plot.dates,
        range: plot.range,
        is_range_typed: plot.is_range_typed,
        is_label_typed: plot.is_label_typed,
        across_scale: plot.across_scale,
        ..Plot::default()
    }
}

/// The points of a fit as the picture shows them.
struct FitPoints {
    data: Measured,
    model: Measured,
    residuals: Measured,
    residuals_label: &'static str,
}

impl FitPoints {
    fn of(problem: &FitProblem) -> FitPoints {
        let numbers = |nodes: &[Rc<Node>]| nodes.iter().map(|it| it.data()).collect();
        let (data, model): (Vec<f64>, Vec<f64>) = (numbers(&problem.data), numbers(&problem.model));
        let deviations = problem.deviations.clone().unwrap_or_default();
        // If the points have uncertainties, the residuals are in units of these, so each has the uncertainty 1.
        let now = problem.deviations_now();
        let residuals_label = now.as_ref().map_or("residuals", |_| "residuals/σ");
        let units = now.unwrap_or_else(|| vec![1.0; data.len()]);
        let residuals = (0..data.len()).map(|at| (data[at] - model[at]) / units[at]);
        FitPoints {
            residuals: Measured {
                numbers: residuals.collect(),
                deviations: vec![1.0; deviations.len()],
            },
            residuals_label,
            model: Measured {
                numbers: model,
                ..Measured::default()
            },
            data: Measured {
                numbers: data,
                deviations,
            },
        }
    }
}

/// `a = 0.05 ± 0.20`, for each leaf. A leaf without a known `±` has only its number.
fn parameter_lines(session: &Session, problem: &FitProblem, found: &FoundFit) -> Vec<Line> {
    let mut lines = Vec::new();
    for (at, leaf) in problem.leaves.iter().enumerate().take(MOST_LEAVES) {
        let (label, value) = (session.label(leaf), leaf.data());
        lines.push(match found.deviation(at) {
            None => say!("{:name} = {:short}", label, value),
            Some(sigma) => {
                let measurement = Measurement::of_result(value, sigma);
                say!("{:name} = {}", label, Piece::Measurement(measurement))
            }
        });
    }
    if problem.leaves.len() > MOST_LEAVES {
        lines.push(say!("… ({} leaves)", problem.leaves.len().to_string()));
    }
    lines
}
