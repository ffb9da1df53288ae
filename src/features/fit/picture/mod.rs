//! Draws the picture of `:fit … plot`: the data as dots, the fitted curve with a band, and below them the residuals.
//!
//! The horizontal axis shows the list after `over`, or the only list that is named in the model: the predictor. If the model
//! names no list, the axis shows the numbers of the points; if it names several, the fitted values. If the data are several
//! lists, or the points have classes, each has dots and a curve of its own.

mod model_curve;

use self::model_curve::sample_model;
use crate::command::prelude::*;
use crate::command::signatures::fit::{FILE, PLOT};
use crate::features::fit::predictor::{classes_of_points, set_labels};
use crate::features::fit::problem::FitProblem;
use crate::features::fit::widths::FinishedFit;
use crate::plotting::band::Band;
use crate::plotting::lists::{ListClass, Measured};
use crate::plotting::picture_options::PictureOptions;
use crate::plotting::sampling::SampleAxis;
use crate::plotting::{crowd_note, missing_note};
use chainrule_report::{Curve, Direction, Measurement, Picture, Piece, Plot, extent};
use chainrule_session::{Contents, Heading};

/// The most leaves whose fitted numbers the picture lists.
const MOST_LEAVES: usize = 12;

/// The parts of the picture that are known before the search.
pub(super) struct FitPicture<'t> {
    file: Option<FileRequest>,
    options: PictureOptions,
    /// The texts of the data and of the model.
    labels: [&'t str; 2],
    /// The name of the horizontal axis.
    across: String,
    /// The places of the points on the horizontal axis, which are known after the search.
    places: Measured,
    /// The sets of the data or the classes of the points, each with the label of its curve.
    classes: Vec<ListClass>,
    curve_labels: Vec<String>,
}

impl<'t> FitPicture<'t> {
    /// Reads the options of a picture, and checks them. Adds a note on an axis that shows no list.
    pub(super) fn read(
        session: &mut Session,
        arguments: &Arguments<'t>,
        problem: &FitProblem,
        notes: &mut Vec<Note>,
    ) -> Result<FitPicture<'t>> {
        let file = arguments.file_if_given(FILE)?;
        let mut options = PictureOptions::of(session, arguments)?;
        let (sides, points) = (&problem.sides, &problem.points);
        let labels = [&sides.data, &sides.model].map(|side| side.span.of(arguments.text));
        let predictor = problem.predictor();
        let (across, lists) = match (predictor, &problem.predictors[..]) {
            (Some(predictor), _) => (predictor.name.clone(), ""),
            (None, []) => (
                "point".to_string(),
                "no list, so the axis is the number of the point",
            ),
            (None, _) => (
                format!("fitted {}", language::one_line(labels[0])),
                "several lists, so the axis is the fitted value",
            ),
        };
        if predictor.is_none() && (file.is_some() || arguments.has(PLOT)) {
            let line = say!(
                "the model names {}; {:typed} chooses a list",
                lists,
                "over X"
            );
            notes.push(Note::new(line));
        }
        let nodes = predictor.map_or(&[][..], |it| &it.nodes);
        options.set_given(session, nodes, &points.data);
        let classes = classes_of_points(session, points, predictor, sides, arguments.text);
        // Each class has dots and a curve.
        options.check_legend(arguments, 2 * classes.len())?;
        options.check_axis(arguments, &across)?;
        Ok(FitPicture {
            file,
            options,
            curve_labels: curve_labels(arguments.text, problem, &classes),
            labels,
            across,
            places: Measured::exact([]),
            classes,
        })
    }

    /// Shows the picture above the report, or writes it into the file.
    pub(super) fn add_to(
        mut self,
        session: &Session,
        arguments: &Arguments,
        mut reply: Reply,
        fit: &FinishedFit,
    ) -> Result<Reply> {
        if self.file.is_none() && !arguments.has(PLOT) {
            return Ok(reply);
        }
        let (problem, points) = (fit.problem, &fit.problem.points);
        self.places = match problem.predictor() {
            Some(predictor) => Measured::of(session, &predictor.nodes),
            None if problem.has_several_lists() => Measured::exact(values(&points.model)),
            None => Measured::exact((0..points.model.len()).map(|it| it as f64)),
        };
        let (across, up) = self.options.scales;
        let pairs = points.data.iter().zip(&self.places.numbers);
        let is_unseen =
            |(y, x): &(&Rc<Node>, &f64)| !across.has_place(**x) || !up.has_place(y.data());
        let (unseen, all) = (pairs.filter(is_unseen).count(), points.data.len());
        let missing = (unseen > 0).then(|| missing_note(self.labels[0], unseen, all));
        reply.notes.extend(missing);
        let plot = stop::run_to_end(|| self.plot(session, fit));
        reply.notes.extend(crowd_note(arguments, &plot.curves));
        let blocks = &mut reply.report.get_or_insert_default().blocks;
        let Some(file) = &self.file else {
            blocks.insert(0, Block::Plot(plot));
            return Ok(reply);
        };
        let line = say!("drew the fit into {:typed}", &*file.path);
        blocks.push(Block::Line(line));
        let contents = Contents::Picture(Box::new(Picture::Plot(plot)), file.is_dark);
        reply.write(session, file, contents)
    }

    /// Draws a fit, whose leaves have their new data. A plain picture has no numbers of the leaves and no band.
    fn plot(&self, session: &Session, fit: &FinishedFit) -> Plot {
        let (options, problem) = (&self.options, fit.problem);
        let predictor = problem.predictor();
        let deviations = problem.sources.deviations.clone();
        let data = Measured {
            numbers: values(&problem.points.data),
            deviations: deviations.unwrap_or_default(),
        };
        let (residuals, residuals_label) = residuals_of(problem);
        let axis = self.axis();
        let data_label = language::one_line(self.labels[0]);
        let exact_places = self.exact_places();
        let curves = self.class_curves(session, fit);
        let (mut dots, mut below) = (Vec::new(), Vec::new());
        for class in &self.classes {
            let items = || class.items.iter().copied();
            let label = Some(&class.label).filter(|label| !label.is_empty());
            dots.push(data.over(&self.places, label.unwrap_or(&data_label), items()));
            let residuals_of_class = match label {
                Some(label) => format!("{residuals_label} of {label}"),
                None => residuals_label.to_string(),
            };
            below.push(residuals.over(&exact_places, &residuals_of_class, items()));
        }
        let heading = |leaves: &[Rc<Node>]| session.heading(leaves).map(Heading::text);
        let axis_heading = predictor.and_then(|it| heading(&it.nodes));
        let sets = problem.points.sets.iter();
        let mut set_names: Vec<String> = sets
            .zip(&dots)
            .map(|(set, it)| {
                heading(&problem.points.data[set.clone()]).unwrap_or_else(|| it.label.clone())
            })
            .collect();
        set_names.dedup();
        let is_divided = dots.len() == problem.points.sets.len();
        let mut plot = Plot {
            range: options.range_of(&dots).unwrap_or(axis.range),
            // The dots come first: `belongs_to` of a curve is the index of its dots.
            curves: dots.into_iter().chain(curves).collect(),
            across: axis_heading.unwrap_or_else(|| self.across.clone()),
            dates: predictor.and_then(|it| session.heading(&it.nodes)?.dates),
            upwards: if is_divided {
                set_names.join(", ")
            } else {
                heading(&problem.points.data).unwrap_or(data_label)
            },
            up_range: options.up.map(|range| range.ends),
            ..Plot::default()
        };
        if !options.is_plain {
            plot.remarks = parameter_lines(session, fit);
        }
        options.set(&mut plot);
        plot.below = Some(Box::new(Plot {
            upwards: residuals_label.to_string(),
            curves: below,
            across: plot.across.clone(),
            dates: plot.dates,
            range: plot.range,
            is_range_typed: plot.is_range_typed,
            is_label_typed: plot.is_label_typed,
            across_scale: plot.across_scale,
            directions: (plot.directions.0, Direction::Ascending),
            size: plot.size,
            ..Plot::default()
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

    /// The curve of each class: the model along the predictor. If the model in some class depends on more than the predictor,
    /// the curve joins the values of the model; if they depend on several lists, a line would go to and fro, and they stand
    /// alone.
    fn class_curves(&self, session: &Session, fit: &FinishedFit) -> Vec<Curve> {
        let problem = fit.problem;
        let uncertain = [&problem.points.leaves[..], &fit.constants].concat();
        let roots = &problem.points.model;
        let band = (!self.options.is_plain).then(|| Band::of(session, roots, uncertain));
        let (predictor, sampled) = (problem.predictor(), self.sample_classes(problem));
        let (model, places) = (Measured::exact(values(roots)), self.exact_places());
        let has_one_list = !problem.has_several_lists() && !problem.has_index_list();
        let is_joined = has_one_list || predictor.is_none() && problem.has_several_lists();
        let mut curves = Vec::new();
        for (number, class) in self.classes.iter().enumerate() {
            let order = self.in_order(&class.items);
            let mut curve = model.over(&places, "", order.iter().copied());
            curve.has_dots = false;
            if let (Some(sampled), Some(predictor)) = (&sampled, predictor) {
                curve = sampled[number].clone();
                // A class has points, and its curve is the model of any of them. The leftmost one stands for all.
                let mover = &predictor.nodes[order[0]];
                let along = |it: &Band| it.along(order[0], mover, &curve.points);
                curve.deviations = band.as_ref().map_or_else(Vec::new, along);
            } else {
                curve.breaks = (1..order.len()).filter(|_| !is_joined).collect();
                curve.deviations = band
                    .as_ref()
                    .map_or_else(Vec::new, |it| it.at_roots(&order));
            }
            curve.level = fit.level;
            curve.label.clone_from(&self.curve_labels[number]);
            if self.classes.len() > 1 {
                curve.belongs_to = Some(number);
                // The legend names a class at its dots; an empty text keeps the curve out of the legend.
                curve.legend = Some(String::new());
            }
            curves.push(curve);
        }
        curves
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
    fn sample_classes(&self, problem: &FitProblem) -> Option<Vec<Curve>> {
        let (nodes, axis) = (&problem.predictor()?.nodes, self.axis());
        let classes = self.classes.iter();
        let model = &problem.points.model;
        let curves = classes.map(|class| sample_model(model, nodes, &class.items, axis));
        curves.collect()
    }
}

/// The label of the curve of each class: the typed item of the model for a set of data, or else the model with the class.
fn curve_labels(text: &str, problem: &FitProblem, classes: &[ListClass]) -> Vec<String> {
    let (side, sets) = (problem.sides.model.span, problem.points.sets.len());
    let model = language::one_line(side.of(text));
    if classes.len() == 1 {
        vec![model]
    } else if classes.len() == sets && model.starts_with('[') {
        set_labels(text, side, sets)
    } else {
        let label = |class: &ListClass| format!("{model} of {}", class.label);
        classes.iter().map(label).collect()
    }
}

/// The data less the model at each point, in units of the uncertainty of this difference if it is known, and the name for
/// this.
fn residuals_of(problem: &FitProblem) -> (Measured, &'static str) {
    let [data, model] = [&problem.points.data, &problem.points.model].map(|it| values(it));
    let pairs = data.iter().zip(&model);
    let mut residuals = Measured::exact(pairs.map(|(one, other)| one - other));
    let Some(sigmas) = problem.sources.deviations_now() else {
        return (residuals, "residuals");
    };
    // The uncertainties of the residuals also have a part from the model's own data. The error bars of the data show only
    // those of the data.
    for (residual, sigma) in residuals.numbers.iter_mut().zip(&sigmas) {
        *residual /= sigma;
    }
    residuals.deviations = vec![1.0; sigmas.len()];
    (residuals, "residuals/σ")
}

/// `a = 0.05 ± 0.20`, or `a = 0.05 ± 0.64 (95 %)`, for each leaf. A leaf without a known `±` has only its number.
fn parameter_lines(session: &Session, fit: &FinishedFit) -> Vec<Line> {
    let leaves = &fit.problem.points.leaves;
    let mut lines = Vec::new();
    for (at, leaf) in leaves.iter().enumerate().take(MOST_LEAVES) {
        let (label, value) = (session.label(leaf), leaf.data());
        lines.push(match fit.found.deviation(at) {
            None => say!("{:name} = {:short}", label, value),
            Some(sigma) => {
                let level = fit
                    .level
                    .map(|level| (level.quantile, format!(" ({level})")));
                let (times, words) = level.unwrap_or((1.0, String::new()));
                let measurement = Measurement::of_result(value, times * sigma);
                say!(
                    "{:name} = {}{}",
                    label,
                    Piece::Measurement(measurement),
                    words
                )
            }
        });
    }
    if leaves.len() > MOST_LEAVES {
        lines.push(say!("… ({} leaves)", leaves.len().to_string()));
    }
    lines
}
