//! Makes the curves of lists, which `:plot` draws as dots or lines.
//!
//! `:plot y over x` draws a list over another list, and `:plot y` draws it over the positions of its items. `with X, Y` or
//! `with X, Y, CLASS` adds points to curves and maps. Numbers with `±` have error bars.

use super::PlotRequest;
use crate::command::prelude::*;
use crate::command::signatures::plot::{BY, LINE, OVER, T, WITH};
use crate::plotting::lists::{ListClass, classes_of};
use crate::plotting::typed_lists::{TypedList, read_lists};
use crate::plotting::{MOST_CURVES, check_count};
use chainrule_report::{Curve, Plot};

/// Makes the plot of lists, over another list or over the positions of their items.
pub(super) fn list_plot(request: &mut PlotRequest) -> Result<Plot> {
    let arguments = request.arguments;
    let Some(span) = arguments.span_of(T) else {
        return Err(Diagnostic::new("a list is expected before `over`")
            .at(arguments.name_span)
            .help("as in `:plot LIST over LIST`, or `:plot f(x) over LIST`"));
    };
    let lists = read_lists(request.session, arguments.text, span, &mut request.notes)?;
    let across = match arguments.span_of(OVER) {
        Some(over) => TypedList::read_over(request.session, arguments, over, &mut request.notes)?,
        None if arguments.has(WITH) => {
            let typed = language::one_line(span.of(arguments.text));
            let message = format!("`{typed}` has no axis in common with the points after `with`");
            let help = "a list needs one: `… over LIST line with LIST, LIST`; a formula of a leaf moves through a range: `… x=0..10 with LIST, LIST`";
            return Err(Diagnostic::new(message).at(span).help(help));
        }
        None => TypedList::of_positions(&lists, span),
    };
    request.options.check_axis(arguments, &across.label)?;
    let ups: Vec<Rc<Node>> = lists.iter().flat_map(|it| it.nodes.clone()).collect();
    (request.options).set_given(request.session, &across.nodes, &ups);
    let by = match arguments.span_of(BY) {
        Some(by) => read_lists(request.session, arguments.text, by, &mut request.notes)?,
        None => Vec::new(),
    };
    // A number is drawn at each place.
    for list in lists.iter().filter(|list| !list.shape.is_number()) {
        list.check_same_shape(&across)?;
    }
    let mut curves = list_curves(arguments, &lists, &across, &by)?;
    for curve in &mut curves {
        curve.has_dots = !arguments.has(LINE);
    }
    let mut plot = Plot {
        across: across.heading,
        dates: across.dates,
        words_across: across.words,
        // If no number has a place, `check_visible` refuses the plot later, so any range will do.
        range: request.options.range_of(&curves).unwrap_or((1.0, 10.0)),
        curves,
        ..Plot::default()
    };
    if let [only] = &lists[..] {
        plot.words_up.clone_from(&only.words);
        if only.heading != only.label || !by.is_empty() {
            plot.upwards.clone_from(&only.heading);
        }
    }
    Ok(plot)
}

/// Makes a curve for each list, or for each class of the only list. `by` is the list of the classes; empty if none is
/// typed.
fn list_curves(
    arguments: &Arguments,
    lists: &[TypedList],
    across: &TypedList,
    by: &[TypedList],
) -> Result<Vec<Curve>> {
    let dots = |list: &TypedList| list.dots(&list.label, across);
    match (by, lists) {
        ([], _) => Ok(lists.iter().map(dots).collect()),
        ([classes], [list]) => {
            classes.check_same_shape(list)?;
            class_dots(list, across, classes, MOST_CURVES)
        }
        _ => {
            let message = "`by` divides one list into classes, and takes one other list";
            let help = "as in `:plot LIST over LIST by CLASSES`";
            Err(Diagnostic::new(message).at(arguments.place(BY)).help(help))
        }
    }
}

/// The points after each `with`: one series, or one for each class, at most `most` in all. Without `with`, the plot is
/// empty.
pub(super) fn point_plot(request: &mut PlotRequest, most: usize) -> Result<Plot> {
    let mut plot = Plot::default();
    for span in request.arguments.spans_of(WITH) {
        let points = set_of_points(request, span, most - plot.curves.len())?;
        plot.curves.extend(points.curves);
        check_count(plot.curves.len(), most, request.arguments.place(WITH))?;
        plot.dates = plot.dates.or(points.dates);
        if plot.upwards.is_empty() {
            plot.upwards = points.upwards;
        } else if plot.upwards != points.upwards {
            plot.upwards = format!("{}, {}", plot.upwards, points.upwards);
        }
    }
    Ok(plot)
}

/// The points after one `with`.
fn set_of_points(request: &mut PlotRequest, span: Span, most: usize) -> Result<Plot> {
    let arguments = request.arguments;
    let lists = read_lists(request.session, arguments.text, span, &mut request.notes)?;
    let ([across, up] | [across, up, _]) = &lists[..] else {
        let count = lists.len();
        let message = format!("`with` takes two lists or three, and here are {count}");
        let help = "as in `… with LIST, LIST`; a third list says the class of each point";
        return Err(Diagnostic::new(message).at(span).help(help));
    };
    for list in &lists {
        list.check_list()?;
        list.check_same_shape(across)?;
    }
    let curves = match lists.get(2) {
        None => {
            let label = format!("{} over {}", up.label, across.label);
            vec![up.dots(&label, across)]
        }
        Some(classes) => class_dots(up, across, classes, most)?,
    };
    Ok(Plot {
        curves,
        dates: across.dates,
        upwards: up.heading.clone(),
        ..Plot::default()
    })
}

/// Makes the items of a list dots, in a series for each class. Refuses more than `most` classes.
fn class_dots(
    list: &TypedList,
    across: &TypedList,
    classes: &TypedList,
    most: usize,
) -> Result<Vec<Curve>> {
    let (label, words) = (&classes.label, &classes.words);
    let dots = |class: ListClass| list.items.over(&across.items, &class.label, class.items);
    match classes_of(&classes.items.numbers, words, label, most) {
        Ok(found) => Ok(found.into_iter().map(dots).collect()),
        Err(count) => {
            let message = format!(
                "`{label}` has {count} different values, and there are signs for {most} classes"
            );
            let help = "draw fewer, or put several into one class";
            Err(Diagnostic::new(message).at(classes.span).help(help))
        }
    }
}
