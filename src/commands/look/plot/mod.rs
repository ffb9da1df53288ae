//! `:plot T x=A..B [FILE]`: expressions and functions as curves; `:plot y over x`: lists as dots; `:plot L steps`: the
//! values of a root over the steps of `:step`.
//!
//! This file finds out which leaf moves and what is drawn, and refuses what cannot be drawn. `study::plot` samples the
//! curves, the views draw axes and curves.

mod curves;
mod gaps;
pub(crate) mod lists;

use std::rc::Rc;

use self::curves::{MovingLeaf, PlotPart};
use crate::commands::args::range;
use crate::commands::args::suggestions::Offers;
use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Effect, FileRequest, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Fact, Note, Picture, Plot, Report, change, plural, say};
use crate::report::{Curve, Tangent};
use crate::session::Session;
use crate::study;
use crate::syntax;

/// The range of a plot when none was typed.
const RANGE: (f64, f64) = (-5.0, 5.0);
/// Positive values over steps are drawn on a logarithmic axis if the largest is more than this many times the smallest.
const DECADES: f64 = 1e3;

/// The endings of file names.
pub(crate) const ENDINGS: &[&str] = &["svg", "png", "csv"];

pub(crate) const COMMAND: Command = Command {
    name: "plot",
    aliases: &[],
    group: Group::Look,
    entry: (":plot L", "a curve over a leaf"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression)
            .means("an expression or a function's name, or several with commas between"),
        Argument::optional("x=A..B", ArgumentKind::Range),
        Argument::optional("FILE", ArgumentKind::File)
            .means("a picture or its numbers: `.svg .png .csv`; left out, it is drawn here")
            .offering(Offers::Files(|| ENDINGS.to_vec())),
        Argument::flag("steps").means("T over the steps that `:step` has taken"),
        Argument::after("over", "X", ArgumentKind::Expression)
            .means("lists: their numbers over those of the list X, as dots"),
    ],
    summary: "curves of T over x, or into FILE",
    details: "Moves the leaf x from A to B and draws T, or several with commas between: `:plot tanh(x), sigmoid(x) \
              x=-4..4`. A function of one argument is given by its name, `:plot f, f' -5..5`, and `f'` is its \
              derivative. A name without a value moves for this once; x may be left out where only one thing can \
              move. Without a range it goes on both sides of 0 to the next of 1, 2, 5, 10, 20, … beyond the present \
              value; from -5 to 5 where there is none. The present point and its tangent are marked; nothing is \
              changed. `:plot y over x` draws a list over another one, item by item, `:plot y` over the positions of \
              its items. `:plot L steps` draws the values of L over the steps that `:step` has taken. FILE ends in \
              `.svg`, `.png` or `.csv`. Poles and jumps are gaps, and poles are cut off above and below.",
    example: "
∂> x = 3
x = 3
∂> y = 3x^2 - 4x + 5
y = 20
∂> :plot y x=-5..5 parabola.svg
drew 1 curve into parabola.svg
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let steps = arguments.words("steps").first();
    if let (Some(_), Some((word, span))) = (steps, arguments.word("FILE"))
        && range::is_range(word)
    {
        return Err(
            Diagnostic::new("`steps` goes over all steps, a range goes over a leaf")
                .at(span)
                .help("leave one of the two out"),
        );
    }
    let file = arguments.file("FILE")?;
    let made = session.made();
    let drawn = if steps.is_none() {
        over_leaf_or_list(session, arguments)
    } else {
        over_steps(session, arguments)
    };
    session.rewind(made);
    let drawn = drawn?;
    let any = |curve: &Curve| curve.points.iter().any(|(_, y)| y.is_finite());
    let PlottedCurves {
        plot,
        lines,
        mut notes,
    } = drawn;
    let none: Vec<&Curve> = plot.curves.iter().filter(|curve| !any(curve)).collect();
    if none.len() == plot.curves.len() {
        return Err(Diagnostic::new(format!(
            "`{}` has no finite value from {} = {} to {}",
            none.first().map_or("", |curve| &curve.label),
            plot.across,
            syntax::literal(plot.range.0, false),
            syntax::literal(plot.range.1, false)
        ))
        .at(arguments.stretch("T").unwrap_or(arguments.word))
        .help("choose a range where it has values, as in `:plot ln(x) x=0..5`"));
    }
    notes.extend(none.into_iter().map(|curve| {
        let label = &curve.label;
        Note::new(say!("{:formula} has no finite value in this range", label))
    }));
    Ok(answer(arguments, plot, lines, file).notes(notes))
}

/// A plot with its lines and notes.
struct PlottedCurves {
    plot: Plot,
    lines: Vec<Block>,
    notes: Vec<Note>,
}

fn answer(
    arguments: &Arguments,
    plot: Plot,
    lines: Vec<Block>,
    file: Option<FileRequest>,
) -> Reply {
    let Some(file) = file else {
        if arguments.silenced {
            return Reply::default();
        }
        let blocks = std::iter::once(Block::Plot(plot)).chain(lines).collect();
        return Reply::show(Report::new("plot", Vec::new(), blocks));
    };
    let count = plot.curves.len();
    let facts = vec![
        ("path", Fact::Text(file.path.clone())),
        ("count", Fact::Count(count as u64)),
    ];
    let dots = plot.curves.iter().all(|curve| curve.dots);
    let what = plural(count, if dots { "list" } else { "curve" });
    let line = say!("drew {} into {:typed}", what, &*file.path);
    let picture = Picture::Plot(plot);
    Reply {
        effect: Effect::Draw { file, picture },
        ..Reply::show(Report::done("plot", facts, line))
    }
}

fn over_leaf_or_list(
    session: &mut Session,
    arguments: &Arguments,
) -> Result<PlottedCurves, Diagnostic> {
    let range = arguments.range(session, "x=A..B")?;
    let parts = curves::parts(session, arguments, range)?;
    let over = arguments.stretch("X");
    if over.is_some() || range.is_none() && lists::are_lists(session, arguments, &parts) {
        return lists::drawn(session, arguments, &parts);
    }
    let mover = curves::mover(session, arguments, &parts, range)?;
    match mover {
        MovingLeaf::Leaf(leaf) => {
            let called = format!("@{}", leaf.id());
            let ends = range.map_or_else(|| around(leaf.data()), |range| range.ends);
            let across = session.label(&leaf);
            drawn(session, arguments, &parts, (&leaf, &called), &across, ends)
        }
        MovingLeaf::Name(name, across) => {
            let ends = range.map_or(RANGE, |range| range.ends);
            // Somewhere in the middle, but not at a point likely to be special.
            let data = ends.0 * 0.4 + ends.1 * 0.6;
            let drawn = session.with_variable(&name, data, |session, leaf| {
                drawn(session, arguments, &parts, (leaf, &name), &across, ends)
            });
            drawn.map(|drawn| PlottedCurves {
                lines: Vec::new(),
                plot: Plot {
                    present: Vec::new(),
                    ..drawn.plot
                },
                notes: drawn.notes,
            })
        }
    }
}

/// On both sides of 0 as far as the next round number beyond the present value.
fn around(present: f64) -> (f64, f64) {
    let size = present.abs();
    if size == 0.0 || !(1e-300..1e300).contains(&size) {
        return RANGE;
    }
    let power = 10_f64.powf((size * 1.1).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let end = steps.into_iter().find(|step| *step >= size * 1.1);
    // Computed powers of ten are off by an ulp; read from text they are not.
    let end = end.unwrap_or(2.0 * size);
    let end = format!("{end:.0e}").parse().unwrap_or(end);
    (-end, end)
}

/// The curves over a leaf. `called` is how an argument refers to it: `f(@3)`.
fn drawn(
    session: &mut Session,
    arguments: &Arguments,
    parts: &[PlotPart],
    (leaf, called): (&Rc<Node>, &str),
    across: &str,
    range: (f64, f64),
) -> Result<PlottedCurves, Diagnostic> {
    let mut notes = Vec::new();
    let mut roots = Vec::with_capacity(parts.len());
    let mut curves = Vec::with_capacity(parts.len());
    for part in parts {
        let root = part.root(session, arguments, called)?;
        let (label, formula) = part.caption(session, arguments, &root, across);
        roots.push(root);
        curves.push(Curve {
            label,
            formula,
            ..Curve::default()
        });
    }
    let mut lines = Vec::new();
    let mut present = Vec::new();
    for (place, (root, curve)) in roots.iter().zip(&curves).enumerate() {
        let Some((value, slope)) = study::tangent(root, leaf) else {
            notes.push(Note::new(say!(
                "{:formula} does not depend on {:name}: its curve is flat",
                &*curve.label,
                across
            )));
            continue;
        };
        let at = leaf.data();
        let outside = !(range.0..=range.1).contains(&at);
        let outside = if outside { " (outside)" } else { "" };
        lines.push(Block::Line(say!(
            "at {:name} = {:short}{:dim}: {:formula} = {:short}, slope {:short}",
            across,
            at,
            outside,
            &curve.label,
            value,
            slope
        )));
        present.push(Tangent {
            curve: place,
            at,
            value,
            slope,
        });
    }
    let sampled = study::sample(session, &roots, leaf, range)?;
    let values = sampled.values.into_iter().zip(sampled.breaks);
    for (curve, (values, breaks)) in curves.iter_mut().zip(values) {
        curve.points = sampled.places.iter().copied().zip(values).collect();
        curve.breaks = breaks;
    }
    for (root, curve) in roots.iter().zip(&curves) {
        notes.extend(gaps::remark(session, (root, leaf), curve, across, range)?);
    }
    let plot = Plot {
        across: across.to_string(),
        range,
        curves,
        present,
        ..Plot::default()
    };
    Ok(PlottedCurves { plot, lines, notes })
}

/// The values of a root over the steps taken from it.
fn over_steps(session: &mut Session, arguments: &Arguments) -> Result<PlottedCurves, Diagnostic> {
    let span = arguments.stretch("T").unwrap_or(arguments.word);
    let other = arguments.words("x=A..B").first();
    if let Some(range) = other.or(arguments.words("X").first()) {
        return Err(
            Diagnostic::new("`steps` goes over all steps, a range goes over a leaf")
                .at(*range)
                .help("leave one of the two out"),
        );
    }
    let target = arguments.target(session, "T")?;
    let label = session.label(&target.node);
    let Some(values) = session.trail(&target.node) else {
        let other = session.stepped().map(|root| session.label(&root));
        let help = match other {
            Some(other) => format!("`{other}` has: `:plot {other} steps`"),
            None => format!("`:step 0.01 100 of {label}` takes a hundred"),
        };
        return Err(Diagnostic::new(format!("`{label}` has taken no steps yet"))
            .at(span)
            .help(help));
    };
    let points: Vec<(f64, f64)> = (values.iter())
        .map(|&(step, value)| (step as f64, value))
        .collect();
    let breaks = (1..points.len())
        .filter(|&at| points[at].0 <= points[at - 1].0)
        .collect();
    let finite = points.iter().map(|(_, y)| *y).filter(|y| y.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, 0.0_f64), |(low, high), y| {
        (low.min(y), high.max(y))
    });
    let (first, last) = (points.first().copied(), points.last().copied());
    let ((_, before), (steps, after)) = first.zip(last).unwrap_or_default();
    let lines = vec![Block::Line(say!(
        "{:name}: {}{:dim}",
        &*label,
        change(before, after),
        format!("   ({})", plural(steps as usize, "step"))
    ))];
    let curve = Curve {
        label,
        points,
        breaks,
        ..Curve::default()
    };
    let mut notes = target.notes;
    notes.extend(gaps::remark_on_steps(&curve));
    let plot = Plot {
        across: "step".to_string(),
        range: (0.0, steps),
        curves: vec![curve],
        logarithmic: low > 0.0 && high / low > DECADES,
        ..Plot::default()
    };
    Ok(PlottedCurves { plot, lines, notes })
}
