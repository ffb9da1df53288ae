//! `:plot y over x`, `:plot y1, y2 over x1, x2`, `:plot y`: the numbers of lists as dots, over those of other lists or
//! over their positions.
//!
//! Nothing moves here, so there are no curves between the dots.

use super::PlottedCurves;
use super::asked::{self, AskedAxes};
use super::curves::PlotPart;
use crate::commands::args::Arguments;
use crate::commands::args::resolve::{measured, split_at_commas, trimmed};
use crate::diagnostic::Diagnostic;
use crate::report::{Curve, Note, Plot, plural, say};
use crate::session::Session;
use crate::session::values::ListShape;
use crate::syntax::Span;

/// What the positions of items are called.
const POSITION: &str = "item";

/// Whether the parts are lists, which are drawn over their positions.
pub(super) fn are_lists(session: &mut Session, arguments: &Arguments, parts: &[PlotPart]) -> bool {
    parts.iter().any(|part| {
        let typed = part.expression_span();
        let measured = typed.and_then(|span| measured(session, arguments.text, span).ok());
        measured.is_some_and(|(_, shape, _)| !shape.is_number())
    })
}

/// The dots of all parts.
pub(super) fn drawn(
    session: &mut Session,
    arguments: &Arguments,
    parts: &[PlotPart],
    asked: &AskedAxes,
) -> Result<PlottedCurves, Diagnostic> {
    let text = arguments.text;
    if let Some(range) = &asked.across {
        let words = asked::words(arguments, range);
        return Err(
            Diagnostic::new("a range moves a leaf, and lists stand still")
                .at(words)
                .help(format!(
                    "leave the range out: `{}`; `up=0..1` is the range of the vertical axis",
                    arguments.retyped(&[(words, "")])
                )),
        );
    }
    if let Some(with) = arguments.stretch("X, Y") {
        return Err(Diagnostic::new(
            "`with` adds points to curves and maps, and here are only lists",
        )
        .at(with)
        .help(format!("leave them out: `{}`", arguments.without("X, Y"))));
    }
    let mut notes = Vec::new();
    let across = beside(session, arguments, parts.len(), &mut notes)?;
    let mut lists = Vec::with_capacity(parts.len());
    for part in parts {
        let Some(span) = part.expression_span() else {
            let function = arguments.stretch("T");
            let message = match function {
                Some(_) => "a function has no items",
                None => "a list is expected before `over`",
            };
            return Err(Diagnostic::new(message)
                .at(function.unwrap_or(arguments.word))
                .help("as in `:plot y over x`, or `:plot f(x) over x`"));
        };
        let (numbers, shape, more) = measured(session, text, span)?;
        notes.extend(more);
        lists.push((numbers, shape, span));
    }
    let positions = first_shape(&lists);
    let mut all_places = Vec::new();
    let mut left_out = 0;
    let mut curves = Vec::with_capacity(lists.len());
    for (number, (numbers, shape, span)) in lists.into_iter().enumerate() {
        let own = across.get(number).or(across.last());
        let whole = own.map_or(&positions, |own| &own.shape);
        if !shape.is_number() && shape != *whole {
            return Err(other_shape(
                text,
                (&shape, span),
                (whole, own.map(|own| own.span)),
            ));
        }
        let places = match own {
            Some(own) => own.numbers.clone(),
            None => (1..=whole.size()).map(|position| position as f64).collect(),
        };
        let points = places.iter().copied().zip(numbers.into_iter().cycle());
        let all = points.collect::<Vec<(f64, f64)>>();
        let is_finite = |(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        left_out += all.iter().filter(|point| !is_finite(point)).count();
        let has_place = |x: f64| x.is_finite() && (!asked.logarithmic.across || x > 0.0);
        all_places.extend(places.into_iter().filter(|x| has_place(*x)));
        curves.push(Curve {
            label: words(span.of(text)),
            points: all.into_iter().filter(|(x, _)| x.is_finite()).collect(),
            dots: true,
            ..Curve::default()
        });
    }
    if left_out > 0 {
        let what = if left_out == 1 { "is" } else { "are" };
        notes.push(Note::new(say!(
            "{} {} not finite and left out",
            plural(left_out, "point"),
            what
        )));
    }
    let over = arguments.stretch("X");
    let ends = extent(&all_places).ok_or_else(|| {
        let what = if asked.logarithmic.across {
            "there is no number above 0 to draw over, and the axis is logarithmic"
        } else {
            "there is no finite number to draw over"
        };
        Diagnostic::new(what).at(over.unwrap_or(arguments.word))
    })?;
    let plot = Plot {
        across: over.map_or_else(|| POSITION.to_string(), |span| words(span.of(text))),
        range: ends,
        curves,
        logarithmic_across: asked.logarithmic.across,
        ..Plot::default()
    };
    Ok(PlottedCurves {
        plot,
        lines: Vec::new(),
        notes,
    })
}

/// A list behind `over`.
struct OverList {
    numbers: Vec<f64>,
    shape: ListShape,
    span: Span,
}

/// The lists behind `over`: none, one for all that is drawn, or one for each.
fn beside(
    session: &mut Session,
    arguments: &Arguments,
    count: usize,
    notes: &mut Vec<Note>,
) -> Result<Vec<OverList>, Diagnostic> {
    let text = arguments.text;
    let Some(all) = arguments.stretch("X") else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for span in split_at_commas(text, all) {
        let span = trimmed(text, span);
        let (numbers, shape, more) = measured(session, text, span)?;
        notes.extend(more);
        if shape.is_number() {
            let typed = span.of(text);
            return Err(
                Diagnostic::new(format!("`{typed}` is a number, and `over` takes a list"))
                    .at(span)
                    .help(format!(
                        "`:plot T {typed}=-5..5` moves a leaf through a range"
                    )),
            );
        }
        found.push(OverList {
            numbers,
            shape,
            span,
        });
    }
    if found.len() > 1 && found.len() != count {
        return Err(
            Diagnostic::new(format!("{} lists are drawn over {}", count, found.len()))
                .at(all)
                .help(format!(
                    "give one list behind `over` for each, or one for all, as in `{}`",
                    arguments.retyped(&[(all, found[0].span.of(text))])
                )),
        );
    }
    Ok(found)
}

/// The smallest and the largest finite number.
pub(crate) fn extent(numbers: &[f64]) -> Option<(f64, f64)> {
    let finite = numbers.iter().copied().filter(|number| number.is_finite());
    finite.fold(None, |ends, number| {
        let (low, high) = ends.unwrap_or((number, number));
        Some((number.min(low), number.max(high)))
    })
}

/// The shape of the first list.
fn first_shape(lists: &[(Vec<f64>, ListShape, Span)]) -> ListShape {
    let mut shapes = lists.iter().map(|(_, shape, _)| shape);
    let first = shapes.find(|shape| !shape.is_number());
    first.cloned().unwrap_or(ListShape::NUMBER)
}

fn other_shape(
    text: &str,
    (shape, span): (&ListShape, Span),
    (whole, over): (&ListShape, Option<Span>),
) -> Diagnostic {
    let typed = words(span.of(text));
    let beside = over.map_or_else(
        || "the first".to_string(),
        |span| format!("`{}`", words(span.of(text))),
    );
    Diagnostic::new(format!("`{typed}` is {shape}, and {beside} is {whole}"))
        .at(span)
        .help("lists that are drawn together have one shape")
}

/// What was typed, with single blanks.
pub(super) fn words(typed: &str) -> String {
    typed.split_whitespace().collect::<Vec<_>>().join(" ")
}
