//! `with X, Y` and `with X, Y, CLASS`: lists of points on top of curves or of a map.
//!
//! Each class is a series with its own colour and mark.

use super::lists::{extent, words};
use crate::commands::args::Arguments;
use crate::commands::args::resolve::{measured, split_at_commas, trimmed};
use crate::diagnostic::Diagnostic;
use crate::report::{Curve, Note, plural, say};
use crate::session::Session;
use crate::syntax;
use crate::syntax::Span;

const EXAMPLE: &str =
    "as in `with x, y`; a third list says the class of each point: `with x1, x2, y`";

/// Points, and over which range they are.
pub(super) struct PointSeries {
    pub series: Vec<Curve>,
    /// From the first to the last, if these differ.
    pub ends: Option<(f64, f64)>,
    pub notes: Vec<Note>,
    /// Whether a third list says their classes.
    pub has_classes: bool,
}

/// The points of a line, in at most so many series.
pub(super) fn with(
    session: &mut Session,
    arguments: &Arguments,
    most: usize,
) -> Result<Option<PointSeries>, Diagnostic> {
    let text = arguments.text;
    let Some(all) = arguments.stretch("X, Y") else {
        return Ok(None);
    };
    let mut spans: Vec<Span> = split_at_commas(text, all)
        .into_iter()
        .map(|span| trimmed(text, span))
        .collect();
    // Names may stand side by side, as they do in a file of data.
    if let [only] = spans[..] {
        let apart = syntax::words(text, only);
        if apart.len() > 1 && apart.iter().all(|word| syntax::is_name(word.of(text))) {
            spans = apart;
        }
    }
    if !(2..=3).contains(&spans.len()) {
        return Err(Diagnostic::new(format!(
            "points have two numbers each, so `with` takes two lists, and here {}",
            if spans.len() == 1 {
                "is one".to_string()
            } else {
                format!("are {}", spans.len())
            }
        ))
        .at(all)
        .help(EXAMPLE));
    }
    let mut notes = Vec::new();
    let mut lists: Vec<Vec<f64>> = Vec::new();
    let mut first = None;
    for &span in &spans {
        let (numbers, shape, more) = measured(session, text, span)?;
        notes.extend(more);
        let typed = span.of(text);
        if shape.is_number() {
            return Err(
                Diagnostic::new(format!("`{typed}` is a number, and `with` takes lists"))
                    .at(span)
                    .help(EXAMPLE),
            );
        }
        let (known, name) = first.get_or_insert((shape.clone(), typed));
        if *known != shape {
            return Err(
                Diagnostic::new(format!("`{typed}` is {shape}, and `{name}` is {known}"))
                    .at(span)
                    .help("lists that are drawn together have one shape"),
            );
        }
        lists.push(numbers);
    }
    let classes = lists.get(2).cloned();
    let named = |at: usize| words(spans[at].of(text));
    let points = lists[0].iter().copied().zip(lists[1].iter().copied());
    let points: Vec<(f64, f64)> = points.collect();
    let is_finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
    let left_out = points.iter().filter(|point| !is_finite(point)).count();
    if left_out > 0 {
        let what = if left_out == 1 { "is" } else { "are" };
        let count = plural(left_out, "point");
        notes.push(Note::new(say!(
            "{} {} not finite and left out",
            count,
            what
        )));
    }
    let series = |label: String, own: &dyn Fn(usize) -> bool| Curve {
        label,
        points: (points.iter().enumerate())
            .filter(|(at, point)| is_finite(point) && own(*at))
            .map(|(_, point)| *point)
            .collect(),
        dots: true,
        ..Curve::default()
    };
    let series = match &classes {
        None => vec![series(format!("{} over {}", named(1), named(0)), &|_| true)],
        Some(classes) => {
            let mut kinds = classes.clone();
            kinds.sort_by(f64::total_cmp);
            kinds.dedup();
            if kinds.len() > most {
                return Err(Diagnostic::new(format!(
                    "`{}` has {} different values, and there are signs for {most} classes",
                    named(2),
                    kinds.len()
                ))
                .at(spans[2])
                .help(EXAMPLE));
            }
            let of_kind = |kind: &f64| {
                let label = format!("{} = {}", named(2), syntax::literal(*kind, false));
                series(label, &|at| classes[at].total_cmp(kind).is_eq())
            };
            kinds.iter().map(of_kind).collect()
        }
    };
    Ok(Some(PointSeries {
        series,
        ends: extent(&lists[0]).filter(|(from, to)| from < to),
        notes,
        has_classes: classes.is_some(),
    }))
}

/// The note on points outside of the picture.
pub(super) fn outside(
    series: &[Curve],
    across: (f64, f64),
    up: Option<(f64, f64)>,
) -> Option<Note> {
    let is_in = |(x, y): &&(f64, f64)| {
        (across.0..=across.1).contains(x) && up.is_none_or(|up| (up.0..=up.1).contains(y))
    };
    let points = series.iter().flat_map(|curve| &curve.points);
    let count = points.clone().count() - points.filter(is_in).count();
    (count > 0).then(|| {
        let what = if count == 1 { "is" } else { "are" };
        Note::new(say!(
            "{} {} outside of the picture",
            plural(count, "point"),
            what
        ))
    })
}
