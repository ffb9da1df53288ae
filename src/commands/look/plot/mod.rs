//! `:plot` draws five kinds of plots:
//!
//! - `:plot T x=A..B`: expressions and functions as curves.
//! - `:plot L x=A..B y=C..D`: a map over two leaves; without ranges, over two that were given theirs, `x = 1 in A..B`.
//! - `:plot y over x`: lists as dots.
//! - `:plot hist d`: a histogram.
//! - `:plot L steps`: the values of a root over the steps of `:step`.
//!
//! This file chooses the kind, refuses a plot that would show nothing, and adds notes on missing points.
//! `parts` reads the expressions that are drawn, and `movers` finds the leaves that move; the other files each make one kind.

mod curves;
mod histogram;
mod list_dots;
mod map;
mod movers;
mod parts;

use self::parts::PlotPart;

use crate::command::prelude::*;
use crate::command::signatures::plot::{FILE, OVER, SIGNATURE, STEPS, T, WITH};
use crate::plotting::picture_options::{self, PictureOptions, is_in};
use crate::plotting::{MOST_CURVES, crowd_note, missing_note};
use chainrule_report::{Curve, Picture, Plot, PlotMap, Scale};

/// If a curve is visible at less than one sampled point in this many, a note says so: it would fill two columns of eighty.
const SAMPLES_PER_SEEN_POINT: usize = 40;

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, picture_options::OFFERS);

/// A `:plot` that is being made.
struct PlotRequest<'r> {
    session: &'r mut Session,
    arguments: &'r Arguments<'r>,
    options: PictureOptions,
    notes: Vec<Note>,
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply> {
    let file = arguments.file_if_given(FILE)?;
    let mut request = PlotRequest {
        options: PictureOptions::of(session, arguments)?,
        session,
        arguments,
        notes: Vec::new(),
    };
    let mut plot = read_plot(&mut request)?;
    if request.options.is_plain {
        plot.present.clear();
        plot.remarks.clear();
        if let Some(map) = plot.map.as_deref_mut() {
            map.present = None;
        }
    }
    Ok(reply(request.session, plot, file)?.with_notes(request.notes))
}

fn read_plot(request: &mut PlotRequest) -> Result<Plot> {
    if let Some(list) = histogram::list_of_hist(request.arguments) {
        return histogram::histogram(request, list);
    }
    let parts = parts::parts(request)?;
    let points = list_dots::point_plot(request, MOST_CURVES - parts.len())?;
    let ranges = request.options.across.zip(request.options.second);
    let mut plot = if let Some((across, up)) = ranges {
        map::map_plot(request, &parts, [across, up])?
    } else if request.arguments.has(STEPS) {
        curves::steps_plot(request)?
    } else if draws_lists(request, &parts) {
        list_dots::list_plot(request)?
    } else if let Some(map) = map::given_map(request, &parts) {
        map?
    } else {
        curves::leaf_plot(request, &parts, &points.curves)?
    };
    let options = &request.options;
    plot.up_range = plot.up_range.or(options.up.map(|range| range.ends));
    let sets = request.arguments.spans_of(WITH).len();
    add_points(&mut plot, points, sets);
    options.check_legend(request.arguments, plot.curves.len())?;
    options.set(&mut plot);
    check_visible(request, &plot)?;
    Ok(plot)
}

/// Whether the parts are lists, which are drawn over another list or over the positions of their items.
fn draws_lists(request: &mut PlotRequest, parts: &[PlotPart]) -> bool {
    if request.arguments.has(OVER) {
        return true;
    }
    request.options.across.is_none() && parts.iter().any(|part| part.is_list(request.session))
}

/// Adds the points of this number of `with`. If the points have several classes, a map shows the boundary between the
/// classes. Of several sets without classes, each has the colour of the curve with its number.
fn add_points(plot: &mut Plot, mut points: Plot, sets: usize) {
    let has_classes = points.curves.len() > 1;
    if has_classes && points.curves.len() == sets {
        let curves = plot.curves.iter().take_while(|curve| !curve.has_dots);
        for (number, set) in points.curves.iter_mut().enumerate().take(curves.count()) {
            set.belongs_to = Some(number);
        }
    }
    plot.curves.extend(points.curves);
    if let Some(map) = plot.map.as_deref_mut() {
        map.boundary = map::class_boundary(&map.values).filter(|_| has_classes);
        return;
    }
    plot.dates = plot.dates.or(points.dates);
    if plot.upwards.is_empty() {
        plot.upwards = points.upwards;
    }
}

/// A curve, a list or a map, with its number of visible points.
struct Visibility<'p> {
    label: &'p str,
    seen: usize,
    all: usize,
    /// If fewer points are visible, a note says so.
    expected: usize,
}

impl<'p> Visibility<'p> {
    fn of_map(map: &'p PlotMap) -> Visibility<'p> {
        let has_level = |value: &&f64| map.level_scale.has_place(**value);
        let all = map.values.len();
        Visibility {
            label: &map.label,
            seen: map.values.iter().filter(has_level).count(),
            all,
            expected: all,
        }
    }

    fn of_curve(curve: &'p Curve, plot: &Plot) -> Visibility<'p> {
        let is_seen = |point: &&(f64, f64)| is_seen(**point, curve, plot);
        let all = curve.points.len();
        let few = all / SAMPLES_PER_SEEN_POINT;
        // A function may be undefined in most of a range, but every dot should be seen. On a logarithmic axis, points may
        // be missing because they are not above 0, so a single one is worth a note.
        let is_logarithmic = [plot.across_scale, plot.up_scale].contains(&Scale::Logarithmic);
        let is_whole = curve.has_dots || is_logarithmic;
        Visibility {
            label: &curve.label,
            seen: curve.points.iter().filter(is_seen).count(),
            all,
            expected: if is_whole { all } else { few },
        }
    }
}

/// Whether a point has a place on both axes. The dots of lists must also be in the ranges.
fn is_seen((x, y): (f64, f64), curve: &Curve, plot: &Plot) -> bool {
    let has_places = plot.across_scale.has_place(x) && plot.up_scale.has_place(y);
    let is_in_ranges = is_in(plot.range, x) && plot.up_range.is_none_or(|up| is_in(up, y));
    has_places && (!curve.has_dots || is_in_ranges)
}

/// Refuses a plot that would show nothing, and adds notes on points that are missing.
fn check_visible(request: &mut PlotRequest, plot: &Plot) -> Result<()> {
    let map = plot.map.as_deref().map(Visibility::of_map);
    let mut series: Vec<Visibility> = map.into_iter().collect();
    let curves = plot.curves.iter();
    series.extend(curves.map(|curve| Visibility::of_curve(curve, plot)));
    // A map without levels is refused even if it has points.
    let required = if plot.map.is_some() { 1 } else { series.len() };
    if series[..required].iter().all(|it| it.seen == 0) {
        let label = series.first().map_or("", |first| first.label);
        return Err(Diagnostic::new(format!("`{label}` has nothing to draw here"))
            .at(request.arguments.place(T))
            .help("choose a range where it has finite values, as in `:plot … x=0..5`; logarithmic axes and levels show only what is above 0"));
    }
    let missing = series.iter().filter(|it| it.seen < it.expected);
    let notes = missing.map(|it| missing_note(it.label, it.all - it.seen, it.all));
    request
        .notes
        .extend(notes.chain(crowd_note(request.arguments, &plot.curves)));
    Ok(())
}

/// Shows a plot with its remarks. If there is a file, draws the plot into the file, and the answer is a line that says so.
fn reply(session: &Session, plot: Plot, file: Option<FileRequest>) -> Result<Reply> {
    let Some(file) = file else {
        let remarks: Vec<Block> = plot.remarks.iter().cloned().map(Block::Line).collect();
        let blocks = std::iter::once(Block::Plot(plot)).chain(remarks).collect();
        return Ok(Reply::show(Report::new(&COMMAND, Vec::new(), blocks)));
    };
    let (count, words) = drawn_parts(&plot);
    let line = say!("drew {}", words);
    Reply::report_drawing(session, &COMMAND, &file, (line, count), Picture::Plot(plot))
}

/// Returns the number of curves, lists or maps in a plot, and words for them: `2 curves and 30 points`.
fn drawn_parts(plot: &Plot) -> (usize, String) {
    if let Some(map) = &plot.map {
        return (1, format!("a map of {}", map.label));
    }
    let (lists, curves): (Vec<&Curve>, Vec<&Curve>) =
        plot.curves.iter().partition(|curve| curve.has_dots);
    if curves.is_empty() {
        return (lists.len(), plural(lists.len(), "list"));
    }
    if !curves[0].edges.is_empty() {
        let bins = plural(curves[0].points.len(), "bin");
        return (1, format!("a histogram of {bins}"));
    }
    let mut words = plural(curves.len(), "curve");
    if !lists.is_empty() {
        let points = lists.iter().map(|list| list.points.len()).sum();
        words = format!("{words} and {}", plural(points, "point"));
    }
    (curves.len(), words)
}

/// The error for a root that `:step` has not moved.
fn no_steps_error(arguments: &Arguments, label: &str) -> Diagnostic {
    Diagnostic::new(format!("`{label}` has taken no steps yet"))
        .at(arguments.place(T))
        .help(format!("`:step 0.01 100 of {label}` takes a hundred"))
}
