//! `:plot T x=A..B [FILE]`: expressions and functions as curves; `:plot L x=A..B y=C..D`: a map over two leaves;
//! `:plot y over x`: lists as dots; `:plot hist d`: a histogram; `:plot L steps`: the values of a root over the steps of `:step`.
//!
//! This file chooses the kind of plot, refuses one that would show nothing, and adds notes on missing points.
//! `parts_and_movers` reads the expressions and what moves; `curves`, `map`, `list_dots` and `histogram` each make one kind of plot.

mod curves;
mod histogram;
pub(crate) mod list_dots;
mod map;
mod parts_and_movers;
pub(crate) mod picture_options;

pub use self::parts_and_movers::MOST_CURVES;
pub(crate) use self::parts_and_movers::single_blanks;
use self::picture_options::{PictureOptions, sizes, titles};

use crate::commands::FileRequest;
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::prelude::*;
use crate::commands::signatures::plot::{
    FILE, LEGEND, OVER, SIGNATURE, SIZE, STEPS, T, TITLE, UP, XLABEL, YLABEL,
};
use chainrule_report::{Block, Curve, Note, Picture, Plot, Report, count_text, plural, say};

/// A curve that is finite at less than one place in this many is hardly seen: two columns of eighty.
const HARDLY: usize = 40;
pub(crate) static COMMAND: Command = Command::new(
    SIGNATURE,
    run,
    &[
        (UP, Offers::Words(ranges)),
        (TITLE, Offers::Words(titles)),
        (XLABEL, Offers::Words(titles)),
        (YLABEL, Offers::Words(titles)),
        (LEGEND, Offers::Words(titles)),
        (SIZE, Offers::Words(sizes)),
    ],
);

fn ranges(_: &Session, _: &[&str]) -> Vec<Word> {
    vec![Word::new("-5..5", say!("from bottom to top"))]
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.file_if_given(FILE)?;
    let mut notes = Vec::new();
    let plot = plot(session, arguments, &mut notes)?;
    Ok(answer(session, plot, file)?.with_notes(notes))
}

fn plot(
    session: &mut Session,
    arguments: &Arguments,
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let asked = PictureOptions::of(session, arguments)?;
    if let Some(list) = histogram::list_of_hist(arguments) {
        let mut plot = histogram::histogram(session, arguments, &asked, list, notes)?;
        plot.remarks.truncate(usize::from(!asked.plain));
        return Ok(plot);
    }
    let parts = parts_and_movers::parts(session, arguments, asked.across)?;
    let most = MOST_CURVES - parts.len();
    let points = list_dots::point_series(session, arguments, most, notes)?;
    let mut any_list = || parts.iter().any(|part| part.is_list(session, arguments));
    let mut plot = if let Some(ranges) = asked.across.zip(asked.second) {
        map::map_plot(session, arguments, &asked, (&parts, ranges.into()), notes)?
    } else if arguments.has(STEPS) {
        curves::steps_plot(session, arguments, &asked, notes)?
    } else if arguments.has(OVER) || asked.across.is_none() && any_list() {
        list_dots::list_plot(session, arguments, &asked, notes)?
    } else {
        curves::leaf_plot(session, arguments, &asked, &parts, &points.curves, notes)?
    };
    plot.up_range = plot.up_range.or(asked.up);
    let classes = points.curves.len();
    plot.curves.extend(points.curves);
    if plot.map.is_none() {
        plot.dates = plot.dates.or(points.dates);
        if plot.upwards.is_empty() {
            plot.upwards = points.upwards;
        }
    }
    asked.check_legend(plot.curves.len())?;
    asked.set(&mut plot);
    if asked.plain {
        plot.present.clear();
        plot.remarks.clear();
        if let Some(map) = plot.map.as_deref_mut() {
            map.present = None;
        }
    }
    if let Some(map) = plot.map.as_deref_mut() {
        map.boundary = map::class_boundary(&map.values).filter(|_| classes > 1);
    }
    check_visible(arguments, &plot, notes)?;
    Ok(plot)
}

/// How many points of a curve, a list or a map are seen, of how many, and how many should be.
struct SeenSeries<'p> {
    label: &'p str,
    seen: usize,
    all: usize,
    least: usize,
}

/// Refuses a plot on which nothing would be seen, and adds notes on points that are missing.
fn check_visible(
    arguments: &Arguments,
    plot: &Plot,
    notes: &mut Vec<Note>,
) -> Result<(), Diagnostic> {
    let has_place =
        |number: f64, logarithmic: bool| number.is_finite() && (number > 0.0 || !logarithmic);
    let is_in = |place: f64, (from, to): (f64, f64)| (from..=to).contains(&place);
    let is_seen = |curve: &Curve, (x, y): (f64, f64)| {
        let has_places =
            has_place(x, plot.is_logarithmic_across) && has_place(y, plot.is_logarithmic);
        has_places
            && (!curve.has_dots
                || is_in(x, plot.range) && plot.up_range.is_none_or(|up| is_in(y, up)))
    };
    let mut series = Vec::new();
    if let Some(map) = &plot.map {
        let seen = map.values.iter();
        let seen = seen.filter(|value| has_place(**value, map.is_logarithmic));
        series.push(SeenSeries {
            label: &map.label,
            seen: seen.count(),
            all: map.values.len(),
            least: map.values.len(),
        });
    }
    for curve in &plot.curves {
        let seen = curve.points.iter().filter(|point| is_seen(curve, **point));
        let all = curve.points.len();
        let is_whole = curve.has_dots || plot.is_logarithmic || plot.is_logarithmic_across;
        series.push(SeenSeries {
            label: &curve.label,
            seen: seen.count(),
            all,
            least: if is_whole { all } else { all / HARDLY },
        });
    }
    // On a map its points are not enough.
    let counted = plot.map.as_ref().map_or(series.len(), |_| 1);
    if series[..counted].iter().all(|it| it.seen == 0) {
        let label = series.first().map_or("", |first| first.label);
        return Err(Diagnostic::new(format!("`{label}` has nothing to draw here"))
            .at(arguments.place(T))
            .help("choose a range where it has finite values, as in `:plot ln(x) x=0..5`; logarithmic axes and levels show only what is above 0"));
    }
    let missing = series.iter().filter(|it| it.seen < it.least);
    notes.extend(missing.map(|it| missing_note(it.label, it.all - it.seen, it.all)));
    Ok(())
}

/// The note on points that are not drawn.
pub(crate) fn missing_note(label: &str, missing: usize, all: usize) -> Note {
    let points = format!("{} of {}", count_text(missing), plural(all, "point"));
    Note::new(say!("{:formula} is not drawn at {}", label, points))
}

fn answer(session: &Session, plot: Plot, file: Option<FileRequest>) -> Result<Reply, Diagnostic> {
    let Some(file) = file else {
        let said: Vec<Block> = plot.remarks.iter().cloned().map(Block::Line).collect();
        let blocks = std::iter::once(Block::Plot(plot)).chain(said).collect();
        return Ok(Reply::show(Report::new("plot", Vec::new(), blocks)));
    };
    let (lists, curves): (Vec<&Curve>, Vec<&Curve>) =
        plot.curves.iter().partition(|curve| curve.has_dots);
    let points: usize = lists.iter().map(|list| list.points.len()).sum();
    let (count, what) = match (&plot.map, curves.len(), lists.len()) {
        (Some(map), ..) => (1, format!("a map of {}", map.label)),
        (None, 1, 0) if !curves[0].edges.is_empty() => {
            let bins = plural(curves[0].points.len(), "bin");
            (1, format!("a histogram of {bins}"))
        }
        (None, 0, count) => (count, plural(count, "list")),
        (None, count, 0) => (count, plural(count, "curve")),
        (None, count, _) => {
            let [curves, points] =
                [(count, "curve"), (points, "point")].map(|(count, word)| plural(count, word));
            (count, format!("{curves} and {points}"))
        }
    };
    let drew = (say!("drew {}", what), count);
    Reply::report_drawing(session, "plot", &file, drew, Picture::Plot(plot))
}
