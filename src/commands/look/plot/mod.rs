//! `:plot T x=A..B [FILE]`: expressions and functions as curves; `:plot L x=A..B y=C..D`: a map over two leaves;
//! `:plot y over x`: lists as dots; `:plot L steps`: the values of a root over the steps of `:step`.
//!
//! This file says what the command takes, chooses what is drawn, refuses what cannot be seen, and tells what is missing. `study::plot` samples
//! curves and maps, the views draw them.

mod asked;
mod curves;
pub(crate) mod lists;
mod map;
mod over_leaf;
mod points;
mod steps;

pub use self::curves::MOST_CURVES;

use self::asked::AskedAxes;
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, FileRequest, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::Curve;
use crate::report::{Block, Fact, Note, Picture, Plot, Report, plural, say};
use crate::session::{Contents, Session};
use crate::syntax;

/// The endings of file names.
pub(crate) const ENDINGS: &[&str] = &["svg", "png", "csv", "md"];

/// A curve that is finite on less than this part of the range is hardly visible: two columns of eighty.
const SEEN: f64 = 1.0 / 40.0;

pub(crate) const COMMAND: Command = Command {
    name: "plot",
    aliases: &[],
    group: Group::Look,
    looks: true,
    entry: (":plot L", "a curve over a leaf"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression)
            .means("an expression or a function's name, or several, separated by commas"),
        Argument::optional("x=A..B", ArgumentKind::Range),
        Argument::optional("y=C..D", ArgumentKind::Range)
            .means("the range of a second leaf, for a map"),
        Argument::optional("up=C..D", ArgumentKind::Range)
            .means("the range of the vertical axis of curves"),
        Argument::optional("FILE", ArgumentKind::File)
            .means(
                "a picture or its numbers: `.svg .png .csv .md`; without it, the curve is drawn here",
            )
            .offering(Offers::Files(|| ENDINGS.to_vec())),
        Argument::flag("steps").means("draw T over the steps that `:step` has taken"),
        Argument::after("over", "X", ArgumentKind::Expression)
            .means("draw lists as dots: T over the list X, or each over its own"),
        Argument::after("with", "X, Y", ArgumentKind::Expression)
            .means("points on top: the lists X and Y; a third list says their classes")
            .late(),
        Argument::flag("log").means("logarithmic axes, both").late(),
        Argument::flag("logx").means("a logarithmic horizontal axis"),
        Argument::flag("logy").means("a logarithmic vertical axis"),
        Argument::flag("logz").means("logarithmic levels of a map"),
        Argument::after("size", "WxH", ArgumentKind::Topic)
            .means("the size: pixels of FILE, columns and rows here")
            .offering(Offers::Words(|_, _| {
                let file = Word::new("800x400", say!("pixels of a file"));
                let here = Word::new("100x30", say!("columns and rows of the terminal"));
                vec![file, here]
            }))
            .late(),
    ],
    summary: "plot T over x, here or into FILE",
    page: page!("commands/plot"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.file("FILE")?;
    let made = session.made();
    let drawn = asked::axes(session, arguments).and_then(|asked| drawn(session, arguments, &asked));
    session.rewind(made);
    let Plotted {
        picture,
        lines,
        notes,
    } = drawn?;
    Ok(answer(session, arguments, picture, lines, file)?.notes(notes))
}

/// A picture with its lines and notes.
struct Plotted {
    picture: Picture,
    lines: Vec<Block>,
    notes: Vec<Note>,
}

/// A plot with its lines and notes.
struct PlottedCurves {
    plot: Plot,
    lines: Vec<Block>,
    notes: Vec<Note>,
}

fn drawn(
    session: &mut Session,
    arguments: &Arguments,
    asked: &AskedAxes,
) -> Result<Plotted, Diagnostic> {
    if asked.second.is_some() {
        return map::drawn(session, arguments, asked);
    }
    if let Some(word) = asked.logarithmic.levels {
        let is_all = word.of(arguments.text) == "log";
        if !is_all {
            return Err(Diagnostic::new("`logz` is for the levels of a map")
                .at(word)
                .help(format!(
                    "the vertical axis of curves is made logarithmic by `logy`: `{}`",
                    arguments.retyped(&[(word, "logy")])
                )));
        }
    }
    let PlottedCurves {
        mut plot,
        lines,
        mut notes,
    } = if arguments.words("steps").is_empty() {
        over_leaf::drawn(session, arguments, asked)?
    } else {
        steps::drawn(session, arguments, asked)?
    };
    plot.logarithmic |= asked.logarithmic.up;
    plot.up = asked.up.map(|range| range.ends);
    plot.size = asked.size;
    let shows = |y: f64| y.is_finite() && (!plot.logarithmic || y > 0.0);
    let any = |curve: &Curve| curve.points.iter().any(|(_, y)| shows(*y));
    let none: Vec<&Curve> = plot.curves.iter().filter(|curve| !any(curve)).collect();
    let is_finite = |curve: &&Curve| curve.points.iter().any(|(_, y)| y.is_finite());
    if none.len() == plot.curves.len() {
        let is_low = none.iter().any(is_finite);
        return Err(invisible(arguments, &plot, is_low));
    }
    notes.extend(none.into_iter().map(|curve| {
        let label = &curve.label;
        if is_finite(&curve) {
            return Note::new(say!(
                "{:formula} has no value above 0, and the axis is logarithmic",
                label
            ));
        }
        Note::new(say!("{:formula} has no finite value in this range", label))
    }));
    notes.extend(remark_on_logarithms(&plot));
    Ok(Plotted {
        picture: Picture::Plot(plot),
        lines,
        notes,
    })
}

/// The error for curves of which nothing would be seen.
fn invisible(arguments: &Arguments, plot: &Plot, is_low: bool) -> Diagnostic {
    let what = if is_low {
        "value above 0"
    } else {
        "finite value"
    };
    let help = if is_low {
        "a logarithmic axis shows only those: leave `log` or `logy` out"
    } else {
        "choose a range where it has values, as in `:plot ln(x) x=0..5`"
    };
    Diagnostic::new(format!(
        "`{}` has no {what} from {} = {} to {}",
        plot.curves.first().map_or("", |curve| &curve.label),
        plot.across,
        syntax::literal(plot.range.0, false),
        syntax::literal(plot.range.1, false)
    ))
    .at(arguments.stretch("T").unwrap_or(arguments.word))
    .help(help)
}

/// The note on a curve that is hardly visible.
fn remark(curve: &Curve, range: (f64, f64)) -> Option<Note> {
    let share = share(&curve.points, range);
    (share.is_some_and(|share| share < SEEN)).then(|| counted(curve))
}

/// The note on points that a logarithmic axis leaves out, if there are any.
fn remark_on_logarithms(plot: &Plot) -> Option<Note> {
    if !(plot.logarithmic || plot.logarithmic_across) {
        return None;
    }
    let left = |&&(x, y): &&(f64, f64)| {
        (plot.logarithmic && y <= 0.0) || (plot.logarithmic_across && x <= 0.0)
    };
    let points = plot.curves.iter().flat_map(|curve| &curve.points);
    let finite = points.filter(|(_, y)| y.is_finite());
    let (count, all) = (finite.clone().filter(left).count(), finite.count());
    (count > 0).then(|| {
        let what = if count == 1 { "is" } else { "are" };
        Note::new(say!(
            "{} of {} points {} not above 0, where a logarithmic axis has no place",
            count,
            all,
            what
        ))
    })
}

/// The note on values over steps, if there is one.
fn remark_on_steps(curve: &Curve) -> Option<Note> {
    let values = curve.points.iter().map(|(_, value)| value);
    let finite = values.filter(|value| value.is_finite()).count();
    let few = (finite as f64) < SEEN * curve.points.len() as f64;
    (finite > 0 && few).then(|| counted(curve))
}

fn counted(curve: &Curve) -> Note {
    let all = curve.points.len();
    let missing = curve.points.iter().filter(|(_, y)| !y.is_finite()).count();
    let places = format!("{missing} of {all} places");
    Note::new(say!("{:formula} is not finite at {}", &curve.label, places))
}

/// The part of a range in which a curve has finite values; none if it has none.
fn share(points: &[(f64, f64)], range: (f64, f64)) -> Option<f64> {
    // Half of each length: the whole may be beyond the largest number.
    let half = |(from, to): (f64, f64)| to / 2.0 - from / 2.0;
    let runs = points.split(|(_, value)| !value.is_finite());
    let stretches = runs.filter_map(|run| Some(half((run.first()?.0, run.last()?.0))));
    let share = stretches.reduce(|sum, length| sum + length)?;
    Some(share / half(range))
}

fn answer(
    session: &Session,
    arguments: &Arguments,
    picture: Picture,
    lines: Vec<Block>,
    file: Option<FileRequest>,
) -> Result<Reply, Diagnostic> {
    let Some(file) = file else {
        if arguments.silenced {
            return Ok(Reply::default());
        }
        let block = match picture {
            Picture::Plot(plot) => Block::Plot(plot),
            Picture::Map(map) => Block::Map(map),
            Picture::Graph(diagram) => Block::Graph(diagram),
            Picture::Bars(_) => return Ok(Reply::default()),
        };
        let blocks = std::iter::once(block).chain(lines).collect();
        return Ok(Reply::show(Report::new("plot", Vec::new(), blocks)));
    };
    let (count, what) = match &picture {
        Picture::Plot(plot) => {
            let (lists, curves): (Vec<&Curve>, Vec<&Curve>) =
                plot.curves.iter().partition(|curve| curve.dots);
            let points: usize = lists.iter().map(|list| list.points.len()).sum();
            match (curves.len(), lists.len()) {
                (0, count) => (count, plural(count, "list")),
                (count, 0) => (count, plural(count, "curve")),
                (count, _) => {
                    let [curves, points] = [(count, "curve"), (points, "point")]
                        .map(|(count, word)| plural(count, word));
                    (count, format!("{curves} and {points}"))
                }
            }
        }
        Picture::Map(map) => (1, format!("a map of {}", map.label)),
        Picture::Graph(_) | Picture::Bars(_) => (1, "1 picture".to_string()),
    };
    let facts = vec![
        ("path", Fact::Text(file.path.clone())),
        ("count", Fact::Count(count as u64)),
    ];
    let line = say!("drew {} into {:typed}", what, &*file.path);
    let contents = Contents::Picture(picture);
    Reply::show(Report::done("plot", facts, line)).write(session, &file, contents)
}
