//! `:plot T x=A..B [FILE]`: expressions and functions as curves; `:plot L x=A..B y=C..D`: a map over two leaves;
//! `:plot y over x`: lists as dots; `:plot L steps`: the values of a root over the steps of `:step`.
//!
//! This file says what the command takes, chooses what is drawn, refuses what cannot be seen, and tells what is missing.
//! `what` finds out what is drawn and what moves, and each kind of picture is a function that gives series.

pub(crate) mod lists;
mod map;
mod over;
mod what;

pub use self::what::MOST_CURVES;

use crate::commands::args::range::Range;
use crate::commands::args::suggestions::{Offers, Word};
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, FileRequest, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Curve, Fact, Note, Picture, Plot, Report, plural, say};
use crate::session::{Contents, Session};
use crate::syntax;

/// The endings of file names.
pub(crate) const ENDINGS: &[&str] = &["svg", "png", "csv", "md"];

/// A curve that is finite at less than this part of its places is hardly visible: two columns of eighty.
const SEEN: f64 = 1.0 / 40.0;
/// The least and the most pixels of a file, each way, and the same of columns and rows of a terminal.
const PIXELS: std::ops::RangeInclusive<u32> = 100..=10_000;
const CHARACTERS: std::ops::RangeInclusive<u32> = 4..=1_000;

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
        Argument::optional("FILE", ArgumentKind::File)
            .means(
                "a picture or its numbers: `.svg .png .csv .md`; without it, the curve is drawn here",
            )
            .offering(Offers::Files(|| ENDINGS.to_vec())),
        Argument::after("up", "C..D", ArgumentKind::Range)
            .means("the range of the vertical axis of curves")
            .offering(Offers::Words(|_, _| {
                vec![Word::new("-5..5", say!("from bottom to top"))]
            }))
            .late()
            .not_with(&["y=C..D"]),
        Argument::flag("steps").means("draw T over the steps that `:step` has taken"),
        Argument::after("over", "X", ArgumentKind::Expression)
            .means("draw lists as dots: T over the list X, or each over its own")
            .not_with(&["x=A..B", "steps"]),
        Argument::after("with", "X, Y", ArgumentKind::Expression)
            .means("points on top: the lists X and Y; a third list says their classes")
            .late(),
        Argument::flag("log").means("logarithmic axes, both").late(),
        Argument::flag("logx").means("a logarithmic horizontal axis"),
        Argument::flag("logy").means("a logarithmic vertical axis"),
        Argument::flag("logz")
            .means("logarithmic levels of a map")
            .needs("y=C..D"),
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

/// What a line asks of the axes and of the size.
struct AskedPlot {
    /// The range of what goes to the right.
    across: Option<Range>,
    /// The range of the vertical axis of curves.
    up: Option<(f64, f64)>,
    /// Whether the axes to the right and upwards are logarithmic.
    logarithmic: (bool, bool),
    /// The width and the height.
    size: Option<(u32, u32)>,
}

/// A picture with what people read below it.
struct Drawn<P> {
    picture: P,
    lines: Vec<Block>,
    notes: Vec<Note>,
}

impl<P> Drawn<P> {
    fn of(picture: P) -> Drawn<P> {
        Drawn {
            picture,
            lines: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn into(self, picture: impl FnOnce(P) -> Picture) -> Drawn<Picture> {
        Drawn {
            picture: picture(self.picture),
            lines: self.lines,
            notes: self.notes,
        }
    }
}

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let file = arguments.file("FILE")?;
    let made = session.made();
    let drawn = drawn(session, arguments);
    session.rewind(made);
    answer(session, drawn?, file)
}

fn drawn(session: &mut Session, arguments: &Arguments) -> Result<Drawn<Picture>, Diagnostic> {
    let across = arguments.stretched_range(session, "x=A..B")?;
    let second = arguments.stretched_range(session, "y=C..D")?;
    let up = arguments.stretched_range(session, "C..D")?;
    let is_logarithmic = |word: &str| arguments.has("log") || arguments.has(word);
    let asked = AskedPlot {
        across,
        up: up.map(|range| range.ends),
        logarithmic: (is_logarithmic("logx"), is_logarithmic("logy")),
        size: size(arguments)?,
    };
    let axes = [
        (across, asked.logarithmic.0),
        (up.or(second), asked.logarithmic.1),
    ];
    for (range, is_logarithmic) in axes {
        if let Some(range) = range.filter(|range| is_logarithmic && range.ends.0 <= 0.0) {
            let from = syntax::literal(range.ends.0, false);
            return Err(Diagnostic::new(format!("a logarithmic axis has no place for {from}"))
                .at(range.from)
                .help("begin above 0, as in `0.01..100`; `logx` and `logy` make one axis logarithmic, `logz` the levels of a map, `log` all"));
        }
    }
    match across.zip(second) {
        Some((across, second)) => {
            let drawn = map::drawn(session, arguments, &asked, [across, second])?;
            Ok(drawn.into(|map| Picture::Map(Box::new(map))))
        }
        None => Ok(curves(session, arguments, &asked)?.into(Picture::Plot)),
    }
}

/// Curves and dots.
fn curves(
    session: &mut Session,
    arguments: &Arguments,
    asked: &AskedPlot,
) -> Result<Drawn<Plot>, Diagnostic> {
    let parts = what::parts(session, arguments, asked.across)?;
    let points = lists::with(session, arguments, MOST_CURVES - parts.len())?;
    let mut any_list = || parts.iter().any(|part| part.is_list(session, arguments));
    let mut drawn = if arguments.has("steps") {
        over::steps(session, arguments, asked)?
    } else if arguments.has("X") || asked.across.is_none() && any_list() {
        lists::drawn(session, arguments, asked)?
    } else {
        over::leaf(session, arguments, asked, &parts, points.ends)?
    };
    let plot = &mut drawn.picture;
    plot.logarithmic |= asked.logarithmic.1;
    plot.up = asked.up;
    plot.size = asked.size;
    drawn.notes.extend(points.notes);
    let outside = lists::outside(&points.curves, plot.range, plot.up);
    drawn.notes.extend(outside);
    plot.curves.extend(points.curves);
    visible(arguments, plot, &mut drawn.notes)?;
    Ok(drawn)
}

/// Refuses curves of which nothing would be seen, and tells what is missing of the others.
fn visible(arguments: &Arguments, plot: &Plot, notes: &mut Vec<Note>) -> Result<(), Diagnostic> {
    let has_place = |y: f64| y.is_finite() && (!plot.logarithmic || y > 0.0);
    let counts = |curve: &Curve| {
        let values = curve.points.iter().map(|(_, y)| *y);
        let finite = values.clone().filter(|y| y.is_finite()).count();
        (values.filter(|y| has_place(*y)).count(), finite)
    };
    if plot.curves.iter().all(|curve| counts(curve).0 == 0) {
        let label = plot.curves.first().map_or("", |curve| &curve.label);
        let is_low = plot.curves.iter().any(|curve| counts(curve).1 > 0);
        let axes = [(&*plot.across, plot.range)];
        return Err(invisible(arguments, label, &axes, is_low));
    }
    for curve in &plot.curves {
        let label = &*curve.label;
        let all = curve.points.len();
        notes.extend(
            match counts(curve) {
                (0, 0) => Some(say!("{:formula} has no finite value in this range", label)),
                (0, _) => Some(say!(
                    "{:formula} has no value above 0, and the axis is logarithmic",
                    label
                )),
                (_, finite) if !curve.dots && (finite as f64) < SEEN * all as f64 => {
                    let places = format!("{} of {all} places", all - finite);
                    Some(say!("{:formula} is not finite at {}", label, places))
                }
                _ => None,
            }
            .map(Note::new),
        );
    }
    let points = plot.curves.iter().flat_map(|curve| &curve.points);
    let finite = points.filter(|(_, y)| y.is_finite());
    let is_left_out = |&&(x, y): &&(f64, f64)| {
        plot.logarithmic && y <= 0.0 || plot.logarithmic_across && x <= 0.0
    };
    let left_out = finite.filter(is_left_out).count();
    notes.extend(lists::counted(left_out, "point", NOT_ABOVE));
    Ok(())
}

/// The error for a picture on which nothing would be seen.
fn invisible(
    arguments: &Arguments,
    label: &str,
    axes: &[(&str, (f64, f64))],
    is_low: bool,
) -> Diagnostic {
    let (what, help) = if is_low {
        let help = "a logarithmic axis shows only those: leave `log`, `logy` or `logz` out";
        ("value above 0", help)
    } else {
        let help = "choose a range where it has values, as in `:plot ln(x) x=0..5`";
        ("finite value", help)
    };
    let range = |(name, (from, to)): &(&str, (f64, f64))| {
        let [from, to] = [*from, *to].map(|end| syntax::literal(end, false));
        format!("{name} = {from} to {to}")
    };
    let ranges = axes.iter().map(range).collect::<Vec<_>>().join(", ");
    Diagnostic::new(format!("`{label}` has no {what} in {ranges}"))
        .at(arguments.stretch("T").unwrap_or(arguments.word))
        .help(help)
}

/// What is said of points and values that logarithms leave out.
const NOT_ABOVE: &str = "not above 0, where a logarithmic scale has no place";

/// The size: `800x400`.
fn size(arguments: &Arguments) -> Result<Option<(u32, u32)>, Diagnostic> {
    let Some((word, span)) = arguments.word("WxH") else {
        return Ok(None);
    };
    let (limits, what, example) = if arguments.has("FILE") {
        (PIXELS, "pixels", "800x400")
    } else {
        (CHARACTERS, "columns and rows", "100x30")
    };
    let side = |side: &str| {
        side.trim()
            .parse()
            .ok()
            .filter(|side| limits.contains(side))
    };
    let sides = word.split_once(['x', '×', 'X', '*']);
    match sides.and_then(|(width, height)| Some((side(width)?, side(height)?))) {
        Some(size) => Ok(Some(size)),
        None => Err(Diagnostic::new(format!(
            "`{word}` is not a size: a picture has from {} to {} {what} each way",
            limits.start(),
            limits.end()
        ))
        .at(span)
        .help(format!("as in `size {example}`"))),
    }
}

fn answer(
    session: &Session,
    drawn: Drawn<Picture>,
    file: Option<FileRequest>,
) -> Result<Reply, Diagnostic> {
    let Drawn {
        picture,
        lines,
        notes,
    } = drawn;
    let Some(file) = file else {
        let block = match picture {
            Picture::Plot(plot) => Block::Plot(plot),
            Picture::Map(map) => Block::Map(map),
            Picture::Graph(diagram) => Block::Graph(diagram),
            Picture::Bars(_) => return Ok(Reply::default()),
        };
        let blocks = std::iter::once(block).chain(lines).collect();
        return Ok(Reply::show(Report::new("plot", Vec::new(), blocks)).notes(notes));
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
    let reply = Reply::show(Report::done("plot", facts, line));
    Ok(reply.write(session, &file, contents)?.notes(notes))
}
