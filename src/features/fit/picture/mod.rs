//! Draws the picture of `:fit … plot`: the data as dots, the fitted curve with a band, and below them the residuals.
//!
//! If the model uses exactly one list that is as long as the data, the horizontal axis shows this list, the predictor.
//! Otherwise the axis shows the numbers of the points. If the points have classes, each has dots and a curve of its own.

mod model_curve;

use self::model_curve::{ModelBand, sample_model};
use crate::command::prelude::*;
use crate::features::fit::predictor::{Predictor, all_points, classes_of_points, find_predictor};
use crate::features::fit::problem::FitProblem;
use crate::features::fit::search::FoundFit;
use crate::plotting::lists::{ListClass, Measured};
use crate::plotting::missing_note;
use crate::plotting::picture_options::PictureOptions;
use crate::plotting::sampling::SampleAxis;
use chainrule_language::ModelSides;
use chainrule_report::{Curve, Measurement, Piece, Plot, extent};

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
    ) -> Result<FitPicture<'t>> {
        let options = PictureOptions::of(session, arguments)?;
        let predictor = find_predictor(session, problem);
        let places = match &predictor {
            Some(predictor) => Measured::of(session, &predictor.leaves),
            None => Measured::exact((0..problem.model.len()).map(|it| it as f64)),
        };
        let classes = classes_of_points(session, problem, predictor.as_ref(), &sides.model);
        // Each class has dots and a curve.
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
        let options = &self.options;
        let predictor = self.predictor.as_ref();
        let points = FitPoints::of(problem);
        let axis = self.axis();
        let data_label = language::one_line(self.labels[0]);
        let exact_places = self.exact_places();
        let (mut dots, mut curves, mut residuals) = (Vec::new(), Vec::new(), Vec::new());
        for (class, curve) in self.class_curves(session, problem, &points, axis) {
            let items = || class.items.iter().copied();
            let label = Some(&class.label).filter(|label| !label.is_empty());
            dots.push((points.data).over(&self.places, label.unwrap_or(&data_label), items()));
            residuals.push((points.residuals).over(&exact_places, points.residuals_label, items()));
            curves.push(curve);
        }
        let heading = |leaves: &[Rc<Node>]| session.heading(leaves).map(|it| it.text.to_string());
        let axis_name = |it: &Predictor| heading(&it.leaves).unwrap_or_else(|| it.name.clone());
        let mut plot = Plot {
            range: options.range_of(&dots).unwrap_or(axis.range),
            // The dots come first: `belongs_to` of a curve is the index of its dots.
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

    /// The places of the points without their uncertainties, which only the dots of the data show.
    fn exact_places(&self) -> Measured {
        Measured::exact(self.places.numbers.iter().copied())
    }

    /// Each class with the curve of the model along the predictor. If the model in some class depends on more than the
    /// predictor, it has no such curve. Then all points are one class, whose curve joins the values of the model.
    fn class_curves(
        &self,
        session: &Session,
        problem: &FitProblem,
        points: &FitPoints,
        axis: SampleAxis,
    ) -> Vec<(ListClass, Curve)> {
        let model_label = language::one_line(self.labels[1]);
        let band = (!self.options.is_plain).then(|| ModelBand::of(session, problem));
        let sampled = self.sample_classes(problem, axis);
        let (Some(predictor), Some(curves)) = (&self.predictor, sampled) else {
            let class = all_points(problem);
            let order = self.in_order(&class.items);
            let places = self.exact_places();
            let mut curve = (points.model).over(&places, &model_label, order.iter().copied());
            curve.has_dots = false;
            if let Some(band) = band {
                curve.deviations = band.at_points(&order);
            }
            return vec![(class, curve)];
        };
        let mut class_curves = Vec::new();
        for (number, (class, mut curve)) in self.classes.iter().cloned().zip(curves).enumerate() {
            if let Some(band) = &band {
                // A class has points, and its curve is the model of any of them. The leftmost one stands for all.
                let leftmost = self.in_order(&class.items)[0];
                curve.deviations = band.along(leftmost, &predictor.leaves[leftmost], &curve.points);
            }
            name_curve(&mut curve, &model_label, &class.label, number);
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

    /// Samples the model in each class along the predictor. Returns `None` if there is no predictor, or if the model in
    /// some class depends on more than it.
    fn sample_classes(&self, problem: &FitProblem, axis: SampleAxis) -> Option<Vec<Curve>> {
        let leaves = &self.predictor.as_ref()?.leaves;
        let classes = self.classes.iter();
        let curves = classes.map(|class| sample_model(problem, leaves, &class.items, axis));
        curves.collect()
    }
}

/// Labels the curve of the model in a class, which belongs to the dots with this number. Without classes, the label of
/// the class is empty.
fn name_curve(curve: &mut Curve, model_label: &str, class_label: &str, number: usize) {
    if class_label.is_empty() {
        model_label.clone_into(&mut curve.label);
        return;
    }
    curve.label = format!("{model_label} of {class_label}");
    curve.belongs_to = Some(number);
    // The legend names a class at its dots; an empty text keeps the curve out of the legend.
    curve.legend = Some(String::new());
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
    /// The data minus the model, in units of the uncertainty of this difference if it is known.
    residuals: Measured,
    residuals_label: &'static str,
}

impl FitPoints {
    fn of(problem: &FitProblem) -> FitPoints {
        let [mut data, model] = [&problem.data, &problem.model]
            .map(|nodes| Measured::exact(nodes.iter().map(|node| node.data())));
        let pairs = data.numbers.iter().zip(&model.numbers);
        let mut residuals = Measured::exact(pairs.map(|(one, other)| one - other));
        data.deviations = problem.deviations.clone().unwrap_or_default();
        let mut residuals_label = "residuals";
        // The uncertainties of the residuals also have a part from the model's own data. The error bars of the data
        // show only `problem.deviations`.
        if let Some(sigmas) = problem.deviations_now() {
            residuals_label = "residuals/σ";
            for (residual, sigma) in residuals.numbers.iter_mut().zip(&sigmas) {
                *residual /= sigma;
            }
            residuals.deviations = vec![1.0; sigmas.len()];
        }
        FitPoints {
            data,
            model,
            residuals,
            residuals_label,
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
