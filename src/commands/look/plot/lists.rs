//! Lists as dots: `:plot y over x`, `:plot y1, y2 over x1, x2`, `:plot y` over the positions of its items, and points on
//! top of curves and maps, `with X, Y` or `with X, Y, CLASS`.

use super::what::{self, words};
use super::{AskedPlot, Drawn};
use crate::commands::args::Arguments;
use crate::commands::args::resolve::measured;
use crate::diagnostic::Diagnostic;
use crate::report::{Curve, Note, Plot, plural, say};
use crate::session::Session;
use crate::session::values::ListShape;
use crate::syntax::{self, Span};

/// A list as it was typed.
struct TypedList {
    label: String,
    numbers: Vec<f64>,
    shape: ListShape,
    span: Span,
}

/// Points on top of a picture.
#[derive(Default)]
pub(super) struct PointSeries {
    /// One series, or one for each class.
    pub curves: Vec<Curve>,
    /// From the first to the last, if these differ.
    pub ends: Option<(f64, f64)>,
    /// Whether a third list says their classes.
    pub has_classes: bool,
    pub notes: Vec<Note>,
}

/// The dots of all lists.
pub(super) fn drawn(
    session: &mut Session,
    arguments: &Arguments,
    asked: &AskedPlot,
) -> Result<Drawn<Plot>, Diagnostic> {
    let Some(all) = arguments.stretch("T") else {
        return Err(Diagnostic::new("a list is expected before `over`")
            .at(arguments.word)
            .help("as in `:plot y over x`, or `:plot f(x) over x`"));
    };
    let mut notes = Vec::new();
    let lists = typed(session, arguments, all, &mut notes)?;
    let across = match arguments.stretch("X") {
        Some(all) => typed(session, arguments, all, &mut notes)?,
        None => Vec::new(),
    };
    if across.len() > 1 && across.len() != lists.len() {
        let message = format!("{} lists are drawn over {}", lists.len(), across.len());
        return Err(Diagnostic::new(message)
            .at(arguments.stretch("X").unwrap_or(all))
            .help("give one list behind `over` for each, or one for all"));
    }
    across.iter().try_for_each(TypedList::is_list)?;
    let first = lists.iter().find(|list| !list.shape.is_number());
    let mut curves = Vec::with_capacity(lists.len());
    for (number, list) in lists.iter().enumerate() {
        let own = across.get(number).or(across.last());
        let beside = own.or(first).unwrap_or(list);
        // A number is drawn at each place.
        if !list.shape.is_number() {
            list.goes_with(beside)?;
        }
        let places = match own {
            Some(own) => own.numbers.clone(),
            None => (1..=list.numbers.len()).map(|at| at as f64).collect(),
        };
        let values = list.numbers.iter().copied().cycle();
        curves.push(dots(
            list.label.clone(),
            places.into_iter().zip(values).collect(),
        ));
    }
    notes.extend(left_out(&mut curves));
    let logarithmic_across = asked.logarithmic.0;
    let places = curves.iter().flat_map(|curve| &curve.points);
    let places = places
        .map(|(x, _)| *x)
        .filter(|x| !logarithmic_across || *x > 0.0);
    let Some(range) = extent(places) else {
        return Err(Diagnostic::new("there is no place to draw at: no number is finite, or none is above 0 where the axis is logarithmic")
            .at(arguments.stretch("X").unwrap_or(all)));
    };
    let over = arguments.stretch("X");
    let plot = Plot {
        across: over.map_or_else(|| "item".to_string(), |span| words(span.of(arguments.text))),
        range,
        curves,
        logarithmic_across,
        ..Plot::default()
    };
    Ok(Drawn {
        notes,
        ..Drawn::of(plot)
    })
}

/// The points behind `with`, in at most so many series.
pub(super) fn with(
    session: &mut Session,
    arguments: &Arguments,
    most: usize,
) -> Result<PointSeries, Diagnostic> {
    let Some(all) = arguments.stretch("X, Y") else {
        return Ok(PointSeries::default());
    };
    let mut notes = Vec::new();
    let lists = typed(session, arguments, all, &mut notes)?;
    let (across, up, classes) = match &lists[..] {
        [across, up] => (across, up, None),
        [across, up, classes] => (across, up, Some(classes)),
        _ => {
            let message = format!(
                "`with` takes two lists or three, and here are {}",
                lists.len()
            );
            return Err(Diagnostic::new(message)
                .at(all)
                .help("as in `with x, y`; a third list says the class of each point"));
        }
    };
    for list in &lists {
        list.is_list()?;
        list.goes_with(across)?;
    }
    let points = across
        .numbers
        .iter()
        .copied()
        .zip(up.numbers.iter().copied());
    let mut curves = match classes {
        None => {
            let label = format!("{} over {}", up.label, across.label);
            vec![dots(label, points.collect())]
        }
        Some(classes) => {
            let mut kinds = classes.numbers.clone();
            kinds.sort_by(f64::total_cmp);
            kinds.dedup();
            if kinds.len() > most {
                return Err(Diagnostic::new(format!(
                    "`{}` has {} different values, and there are signs for {most} classes",
                    classes.label,
                    kinds.len()
                ))
                .at(classes.span)
                .help("draw fewer, or put several into one class"));
            }
            let of_kind = |kind: f64| {
                let label = format!("{} = {}", classes.label, syntax::literal(kind, false));
                let points = points.clone().zip(&classes.numbers);
                let own = points.filter(|(_, class)| class.total_cmp(&kind).is_eq());
                dots(label, own.map(|(point, _)| point).collect())
            };
            kinds.into_iter().map(of_kind).collect()
        }
    };
    notes.extend(left_out(&mut curves));
    Ok(PointSeries {
        curves,
        ends: extent(across.numbers.iter().copied()).filter(|(from, to)| from < to),
        has_classes: classes.is_some(),
        notes,
    })
}

/// The smallest and the largest finite number.
pub(crate) fn extent(numbers: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = numbers.into_iter().filter(|number| number.is_finite());
    finite.fold(None, |ends, number| {
        let (low, high) = ends.unwrap_or((number, number));
        Some((number.min(low), number.max(high)))
    })
}

/// The lists between commas.
fn typed(
    session: &mut Session,
    arguments: &Arguments,
    all: Span,
    notes: &mut Vec<Note>,
) -> Result<Vec<TypedList>, Diagnostic> {
    let list = |span: Span| {
        let (numbers, shape, more) = measured(session, arguments.text, span)?;
        notes.extend(more);
        Ok(TypedList {
            label: words(span.of(arguments.text)),
            numbers,
            shape,
            span,
        })
    };
    let spans = what::spans(arguments.text, all)?;
    spans.into_iter().map(list).collect()
}

impl TypedList {
    fn is_list(&self) -> Result<(), Diagnostic> {
        if !self.shape.is_number() {
            return Ok(());
        }
        let message = format!("`{}` is a number, and a list is expected", self.label);
        Err(Diagnostic::new(message)
            .at(self.span)
            .help("as in `over x` or `with x, y`; a leaf moves through a range: `x=-5..5`"))
    }

    /// Fails unless both have one shape.
    fn goes_with(&self, other: &TypedList) -> Result<(), Diagnostic> {
        if self.shape == other.shape {
            return Ok(());
        }
        Err(Diagnostic::new(format!(
            "`{}` is {}, and `{}` is {}",
            self.label, self.shape, other.label, other.shape
        ))
        .at(self.span)
        .help("lists that are drawn together have one shape"))
    }
}

fn dots(label: String, points: Vec<(f64, f64)>) -> Curve {
    Curve {
        label,
        points,
        dots: true,
        ..Curve::default()
    }
}

/// Leaves out the points that are nowhere, and says how many are not drawn.
fn left_out(curves: &mut [Curve]) -> Option<Note> {
    let points = curves.iter().flat_map(|curve| &curve.points);
    let missing = points.filter(|(x, y)| !(x.is_finite() && y.is_finite()));
    let count = missing.count();
    for curve in curves {
        curve.points.retain(|(x, _)| x.is_finite());
    }
    counted(count, "point", "not finite and left out")
}

/// The note on points outside of the picture.
pub(super) fn outside(
    series: &[Curve],
    across: (f64, f64),
    up: Option<(f64, f64)>,
) -> Option<Note> {
    let is_out = |(x, y): &&(f64, f64)| {
        let is_in = |up: (f64, f64)| (up.0..=up.1).contains(y);
        y.is_finite() && !((across.0..=across.1).contains(x) && up.is_none_or(is_in))
    };
    let points = series.iter().flat_map(|curve| &curve.points);
    let count = points.filter(is_out).count();
    counted(count, "point", "outside of the picture")
}

/// The note on what is not drawn, if there is anything.
pub(super) fn counted(count: usize, what: &str, said: &'static str) -> Option<Note> {
    let verb = if count == 1 { "is" } else { "are" };
    (count > 0).then(|| Note::new(say!("{} {} {}", plural(count, what), verb, said)))
}
