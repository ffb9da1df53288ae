//! Reads the lists that `:plot` draws as dots or lines, and makes their curves.
//!
//! `:plot y over x` draws a list over another list, and `:plot y` draws it over the positions of its items. `with X, Y` or
//! `with X, Y, CLASS` adds points to curves and maps. Numbers with `±` have error bars.

use std::rc::Rc;

use super::parts_and_movers::{self, MOST_CURVES, single_blanks};
use super::picture_options::PictureOptions;
use crate::commands::prelude::*;
use crate::commands::signatures::plot::{BY, LINE, OVER, T, WITH};
use crate::session::values::{ListShape, Value};
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, Span};
use chainrule_report::{Calendar, ClassWord, Curve, Note, Plot};

/// A list of the command line.
pub(super) struct TypedList {
    pub label: String,
    /// The heading of the column that the list was read from. A list that was not read from a file has its label here.
    pub heading: String,
    /// The start of its dates.
    pub dates: Option<Calendar>,
    /// The words for which its numbers stand.
    pub words: Vec<ClassWord>,
    pub items: Measured,
    shape: ListShape,
    span: Span,
}

/// Numbers with their standard deviations. A number without one has 0; if none has one, there are no deviations.
#[derive(Default)]
pub(crate) struct Measured {
    pub numbers: Vec<f64>,
    pub deviations: Vec<f64>,
}

impl Measured {
    pub(crate) fn of(session: &Session, nodes: &[Rc<Node>]) -> Measured {
        Measured {
            numbers: nodes.iter().map(|node| node.data()).collect(),
            deviations: session.names().uncertain.deviations(nodes),
        }
    }

    /// Returns the given items as dots over the same items of another list. A single number is drawn over each item.
    pub(crate) fn over(
        &self,
        across: &Measured,
        label: &str,
        items: impl IntoIterator<Item = usize>,
    ) -> Curve {
        let mut dots = Curve {
            label: label.to_string(),
            has_dots: true,
            ..Curve::default()
        };
        for at in items {
            // A single number has only the index 0.
            let up = at.min(self.numbers.len() - 1);
            dots.points.push((across.numbers[at], self.numbers[up]));
            dots.deviations.extend(self.deviations.get(up));
            dots.deviations_across.extend(across.deviations.get(at));
        }
        dots
    }
}

/// A class of a list: a label (its word, or `state = 1`) and the indices of its items.
#[derive(Clone)]
pub(crate) struct ListClass {
    pub label: String,
    pub items: Vec<usize>,
}

/// Finds the classes in a list of numbers, in ascending order. If there are more than `most`, the error is the number of
/// classes.
pub(crate) fn classes_of(
    numbers: &[f64],
    words: &[ClassWord],
    name: &str,
    most: usize,
) -> Result<Vec<ListClass>, usize> {
    // Adding 0 turns -0 into 0, so that both are one class.
    let mut kinds: Vec<f64> = numbers.iter().map(|it| it + 0.0).collect();
    kinds.sort_by(f64::total_cmp);
    let is_same = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan();
    kinds.dedup_by(|a, b| is_same(*a, *b));
    if kinds.len() > most {
        return Err(kinds.len());
    }
    let label = |kind: f64| {
        let known = words.iter().find(|it| it.number == kind);
        let number = || format!("{name} = {}", language::literal(kind, false));
        known.map_or_else(number, |it| it.word.clone())
    };
    let places = |kind: f64| (0..numbers.len()).filter(move |at| is_same(numbers[*at], kind));
    let class = |kind: f64| ListClass {
        label: label(kind),
        items: places(kind).collect(),
    };
    Ok(kinds.into_iter().map(class).collect())
}

/// The dots of all lists.
pub(super) fn list_plot(
    session: &mut Session,
    arguments: &Arguments,
    options: &PictureOptions,
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let Some(span) = arguments.span_of(T) else {
        return Err(Diagnostic::new("a list is expected before `over`")
            .at(arguments.name_span)
            .help("as in `:plot y over x`, or `:plot f(x) over x`"));
    };
    let lists = read_lists(session, arguments, span, notes)?;
    let across = match arguments.span_of(OVER) {
        Some(over) => only_list(read_lists(session, arguments, over, notes)?, over)?,
        None => TypedList::of_positions(&lists, span),
    };
    across.check_list()?;
    options.check_axis(arguments, &across.label)?;
    let by = match arguments.span_of(BY) {
        Some(by) => read_lists(session, arguments, by, notes)?,
        None => Vec::new(),
    };
    for list in &lists {
        // A number is drawn at each place.
        if !list.shape.is_number() {
            list.check_same_shape(&across)?;
        }
    }
    let mut curves = match (&by[..], &lists[..]) {
        ([], _) => (lists.iter())
            .map(|list| list.dots(&list.label, &across))
            .collect(),
        ([classes], [list]) => {
            classes.check_same_shape(list)?;
            class_dots(list, &across, classes, MOST_CURVES)?
        }
        _ => {
            let message = "`by` divides one list into classes, and takes one other list";
            return Err(Diagnostic::new(message)
                .at(arguments.place(BY))
                .help("as in `:plot y over x by species`"));
        }
    };
    for curve in &mut curves {
        curve.has_dots = !arguments.has(LINE);
    }
    let mut plot = Plot {
        across: across.heading,
        dates: across.dates,
        words_across: across.words,
        // If no number has a place, `check_visible` refuses the plot later, so any range will do.
        range: options.range_of(&curves).unwrap_or((1.0, 10.0)),
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

/// The one list after `over`.
fn only_list(mut lists: Vec<TypedList>, span: Span) -> Result<TypedList, Diagnostic> {
    if lists.len() > 1 {
        let message = format!("`over` takes one list, and here are {}", lists.len());
        return Err(Diagnostic::new(message)
            .at(span)
            .help("points over another list come after `with`, as in `with x2, y2`"));
    }
    Ok(lists.remove(0))
}

/// Points on top of a plot.
#[derive(Default)]
pub(super) struct PointSeries {
    pub curves: Vec<Curve>,
    /// The start of the dates on the horizontal axis.
    pub dates: Option<Calendar>,
    /// The name of the vertical axis.
    pub upwards: String,
}

/// The points after `with`: one series, or one for each class, at most `most`.
pub(super) fn point_series(
    session: &mut Session,
    arguments: &Arguments,
    most: usize,
    notes: &mut Vec<Note>,
) -> Result<PointSeries, Diagnostic> {
    let Some(span) = arguments.span_of(WITH) else {
        return Ok(PointSeries::default());
    };
    let lists = read_lists(session, arguments, span, notes)?;
    let ([across, up] | [across, up, _]) = &lists[..] else {
        let count = lists.len();
        let message = format!("`with` takes two lists or three, and here are {count}");
        return Err(Diagnostic::new(message)
            .at(span)
            .help("as in `with x, y`; a third list says the class of each point"));
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
    Ok(PointSeries {
        curves,
        dates: across.dates,
        upwards: up.heading.clone(),
    })
}

/// The items of a list as dots, in a series for each class, at most `most`.
fn class_dots(
    list: &TypedList,
    across: &TypedList,
    classes: &TypedList,
    most: usize,
) -> Result<Vec<Curve>, Diagnostic> {
    let TypedList { items, words, .. } = classes;
    let found = classes_of(&items.numbers, words, &classes.label, most)
        .map_err(|count| too_many_classes_error(classes, count, most))?;
    let dots = |class: ListClass| list.items.over(&across.items, &class.label, class.items);
    Ok(found.into_iter().map(dots).collect())
}

fn too_many_classes_error(classes: &TypedList, count: usize, most: usize) -> Diagnostic {
    let label = &classes.label;
    let message =
        format!("`{label}` has {count} different values, and there are signs for {most} classes");
    let help = "draw fewer, or put several into one class";
    Diagnostic::new(message).at(classes.span).help(help)
}

/// Reads the lists between commas.
pub(super) fn read_lists(
    session: &mut Session,
    arguments: &Arguments,
    span: Span,
    notes: &mut Vec<Note>,
) -> Result<Vec<TypedList>, Diagnostic> {
    let text = arguments.text;
    let read = language::items(text, span).map_err(|error| session.explain(error))?;
    parts_and_movers::check_count(read.len(), span)?;
    let mut lists = Vec::with_capacity(read.len());
    for expression in read {
        let (value, more) = session.evaluate(text, &expression)?;
        notes.extend(more);
        lists.push(TypedList::of(session, text, expression.span, &value));
    }
    Ok(lists)
}

impl TypedList {
    fn of(session: &Session, text: &str, span: Span, value: &Value) -> TypedList {
        let label = single_blanks(span.of(text));
        let heading = session.heading(value.nodes());
        let (title, words) = match heading {
            None => (&*label, Vec::new()),
            Some(heading) => heading.classes().unwrap_or((&*heading.text, Vec::new())),
        };
        TypedList {
            heading: title.to_string(),
            words,
            dates: heading.and_then(|heading| heading.dates),
            items: Measured::of(session, value.nodes()),
            shape: value.shape().clone(),
            span,
            label,
        }
    }

    /// Refuses a number.
    pub(super) fn check_list(&self) -> Result<(), Diagnostic> {
        if !self.shape.is_number() {
            return Ok(());
        }
        let message = format!("`{}` is a number, and a list is expected", self.label);
        Err(Diagnostic::new(message)
            .at(self.span)
            .help("as in `over x` or `with x, y`; a leaf moves through a range: `x=-5..5`"))
    }

    /// Refuses a list with another shape.
    fn check_same_shape(&self, other: &TypedList) -> Result<(), Diagnostic> {
        if self.shape == other.shape {
            return Ok(());
        }
        let (label, shape) = (&self.label, &self.shape);
        let message = format!(
            "`{label}` is {shape}, and `{}` is {}",
            other.label, other.shape
        );
        Err(Diagnostic::new(message)
            .at(self.span)
            .help("lists that are drawn together have one shape"))
    }

    /// All items over those of another list.
    fn dots(&self, label: &str, across: &TypedList) -> Curve {
        let all = 0..across.items.numbers.len();
        self.items.over(&across.items, label, all)
    }

    /// The positions of the items in the first of these lists that is not a number.
    fn of_positions(lists: &[TypedList], span: Span) -> TypedList {
        let first = lists.iter().find(|list| !list.shape.is_number());
        let count = first.map_or(0, |list| list.items.numbers.len());
        TypedList {
            label: "item".to_string(),
            heading: "item".to_string(),
            dates: None,
            words: Vec::new(),
            items: Measured {
                numbers: (0..count).map(|at| at as f64).collect(),
                deviations: Vec::new(),
            },
            shape: first.map_or(ListShape::NUMBER, |list| list.shape.clone()),
            span,
        }
    }
}
