//! Plots lists as dots or lines: `:plot y over x`, or `:plot y` over the positions of its items; and points on top of
//! curves and maps, `with X, Y` or `with X, Y, CLASS`. Numbers with `±` have error bars.

use super::PlotRequest;
use super::parts_and_movers::{self, single_blanks};
use crate::commands::prelude::*;
use crate::commands::signatures::plot::{LINE, OVER, T, WITH};
use crate::session::values::ListShape;
use chainrule_language::{self as language, Expression, Span};
use chainrule_report::{Calendar, Curve, Note, Plot};

/// A list of the command line.
struct TypedList {
    label: String,
    /// The heading of the column that it was read from; empty if it was not.
    heading: String,
    /// What its dates count from.
    dates: Option<Calendar>,
    numbers: Vec<f64>,
    /// The standard deviation of each number, 0 where there is none; empty if all are certain.
    deviations: Vec<f64>,
    shape: ListShape,
    span: Span,
}

/// The dots of all lists.
pub(super) fn list_plot(
    session: &mut Session,
    arguments: &Arguments,
    asked: &PlotRequest,
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let Some(all) = arguments.span_of(T) else {
        return Err(Diagnostic::new("a list is expected before `over`")
            .at(arguments.word)
            .help("as in `:plot y over x`, or `:plot f(x) over x`"));
    };
    let lists = read_lists(session, arguments, all, notes)?;
    let over = arguments.span_of(OVER);
    let across = match over {
        Some(over) => read_lists(session, arguments, over, notes)?,
        None => Vec::new(),
    };
    if across.len() > 1 {
        let message = format!("`over` takes one list, and here are {}", across.len());
        return Err(Diagnostic::new(message)
            .at(over.unwrap_or(all))
            .help("points over another list come after `with`, as in `with x2, y2`"));
    }
    let across = across.into_iter().next();
    across.iter().try_for_each(TypedList::check_list)?;
    let first = lists.iter().find(|list| !list.shape.is_number());
    let shape = across.as_ref().or(first);
    let mut curves = Vec::with_capacity(lists.len());
    for list in &lists {
        // A number is drawn at each place.
        if !list.shape.is_number() {
            list.check_same_shape(shape.unwrap_or(list))?;
        }
        let places = match &across {
            Some(across) => across.numbers.clone(),
            None => (0..list.numbers.len()).map(|at| at as f64).collect(),
        };
        let dots = list.dots(list.label.clone(), places.into_iter().enumerate());
        curves.push(Curve {
            dots: !arguments.has(LINE),
            ..dots
        });
    }
    let is_place = |x: &f64| !asked.logarithmic.0 || *x > 0.0;
    let places = curves.iter().flat_map(|curve| &curve.points);
    // If no number has a place, `check_visible` refuses the plot later, so any range will do.
    let range = extent(places.map(|(x, _)| *x).filter(is_place)).unwrap_or((1.0, 10.0));
    let dates = across.as_ref().and_then(|list| list.dates);
    let across = across.map(|list| match list.heading {
        heading if heading.is_empty() => list.label,
        heading => heading,
    });
    Ok(Plot {
        across: across.unwrap_or_else(|| "item".to_string()),
        dates,
        upwards: match &lists[..] {
            [only] => only.heading.clone(),
            _ => String::new(),
        },
        range,
        curves,
        ..Plot::default()
    })
}

/// The points after `with`: one series, or one for each class, at most `most`. Also what their dates to the right count
/// from.
pub(super) fn point_series(
    session: &mut Session,
    arguments: &Arguments,
    most: usize,
    notes: &mut Vec<Note>,
) -> Result<(Vec<Curve>, Option<Calendar>), Diagnostic> {
    let Some(all) = arguments.span_of(WITH) else {
        return Ok((Vec::new(), None));
    };
    let lists = read_lists(session, arguments, all, notes)?;
    let (across, up, classes) = match &lists[..] {
        [across, up] => (across, up, None),
        [across, up, classes] => (across, up, Some(classes)),
        _ => {
            let count = lists.len();
            let message = format!("`with` takes two lists or three, and here are {count}");
            return Err(Diagnostic::new(message)
                .at(all)
                .help("as in `with x, y`; a third list says the class of each point"));
        }
    };
    for list in &lists {
        list.check_list()?;
        list.check_same_shape(across)?;
    }
    let places = across.numbers.iter().copied().enumerate();
    let Some(classes) = classes else {
        let label = format!("{} over {}", up.label, across.label);
        return Ok((vec![up.dots(label, places)], across.dates));
    };
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
        let label = format!("{} = {}", classes.label, language::literal(kind, false));
        let is_own = |(at, _): &(usize, f64)| classes.numbers[*at].total_cmp(&kind).is_eq();
        up.dots(label, places.clone().filter(is_own))
    };
    Ok((kinds.into_iter().map(of_kind).collect(), across.dates))
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
fn read_lists(
    session: &mut Session,
    arguments: &Arguments,
    all: Span,
    notes: &mut Vec<Note>,
) -> Result<Vec<TypedList>, Diagnostic> {
    let text = arguments.text;
    let read = language::items(text, all).map_err(|error| session.explain(error))?;
    parts_and_movers::check_count(read.len(), all)?;
    let list = |expression: Expression| {
        let span = expression.span;
        let (value, more) = session.evaluate(text, &expression)?;
        notes.extend(more);
        let heading = session.heading(value.nodes());
        Ok(TypedList {
            label: single_blanks(span.of(text)),
            heading: heading.map_or_else(String::new, |heading| heading.text.to_string()),
            dates: heading.and_then(|heading| heading.dates),
            numbers: value.nodes().iter().map(|node| node.data()).collect(),
            deviations: session.names().uncertain.deviations(value.nodes()),
            shape: value.shape().clone(),
            span,
        })
    };
    read.into_iter().map(list).collect()
}

impl TypedList {
    /// Refuses a number.
    fn check_list(&self) -> Result<(), Diagnostic> {
        if !self.shape.is_number() {
            return Ok(());
        }
        let message = format!("`{}` is a number, and a list is expected", self.label);
        Err(Diagnostic::new(message)
            .at(self.span)
            .help("as in `over x` or `with x, y`; a leaf moves through a range: `x=-5..5`"))
    }

    /// Refuses two shapes that differ.
    fn check_same_shape(&self, other: &TypedList) -> Result<(), Diagnostic> {
        if self.shape == other.shape {
            return Ok(());
        }
        let [one, other] = [self, other].map(|it| format!("`{}` is {}", it.label, it.shape));
        let help = "lists that are drawn together have one shape";
        Err(Diagnostic::new(format!("{one}, and {other}"))
            .at(self.span)
            .help(help))
    }

    /// Items of the list at places to the right; a number is at each of them.
    fn dots(&self, label: String, places: impl Iterator<Item = (usize, f64)>) -> Curve {
        let mut dots = Curve {
            label,
            dots: true,
            ..Curve::default()
        };
        for (at, place) in places {
            let at = at.min(self.numbers.len() - 1);
            dots.points.push((place, self.numbers[at]));
            dots.deviations.extend(self.deviations.get(at));
        }
        dots
    }
}
