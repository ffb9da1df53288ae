//! Plots lists as dots or lines: `:plot y over x`, or `:plot y` over the positions of its items; and points on top of
//! curves and maps, `with X, Y` or `with X, Y, CLASS`. Numbers with `±` have error bars.

use std::rc::Rc;

use super::parts_and_movers::{self, MOST_CURVES, single_blanks};
use super::picture_options::PictureOptions;
use crate::commands::prelude::*;
use crate::commands::signatures::plot::{BY, LINE, OVER, T, WITH};
use crate::session::values::ListShape;
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, Expression, Span};
use chainrule_report::{Calendar, ClassWord, Curve, Note, Plot};

/// A list of the command line.
pub(super) struct TypedList {
    pub label: String,
    /// The heading of the column that it was read from; if it was not, its label.
    pub heading: String,
    /// What its dates count from.
    pub dates: Option<Calendar>,
    /// The words for which its numbers stand.
    pub words: Vec<ClassWord>,
    pub items: Measured,
    shape: ListShape,
    span: Span,
}

/// Numbers, and the standard deviation of each, 0 where there is none; no deviations if all are certain.
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

    /// These items as dots over those of another list; a single number is over each of them.
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
            let own = at.min(self.numbers.len() - 1);
            dots.points.push((across.numbers[at], self.numbers[own]));
            dots.deviations.extend(self.deviations.get(own));
            dots.deviations_across.extend(across.deviations.get(at));
        }
        dots
    }
}

/// A class: its word or `state = 1`, and the places of its items in their list.
pub(crate) struct ListClass {
    pub label: String,
    pub items: Vec<usize>,
}

/// The classes that a list of numbers tells, ascending. If they are more than `most`, the error is their number.
pub(crate) fn classes_of(
    numbers: &[f64],
    words: &[ClassWord],
    name: &str,
    most: usize,
) -> Result<Vec<ListClass>, usize> {
    // 0 and -0 are one class.
    let mut kinds: Vec<f64> = numbers.iter().map(|it| it + 0.0).collect();
    kinds.sort_by(f64::total_cmp);
    let is_alike = |one: f64, other: f64| one == other || one.is_nan() && other.is_nan();
    kinds.dedup_by(|one, other| is_alike(*one, *other));
    if kinds.len() > most {
        return Err(kinds.len());
    }
    let class = |kind: f64| {
        let word = words.iter().find(|it| it.number == kind);
        let unknown = || format!("{name} = {}", language::literal(kind, false));
        let is_of_kind = |at: &usize| is_alike(numbers[*at], kind);
        ListClass {
            label: word.map_or_else(unknown, |it| it.word.clone()),
            items: (0..numbers.len()).filter(is_of_kind).collect(),
        }
    };
    Ok(kinds.into_iter().map(class).collect())
}

/// The dots of all lists.
pub(super) fn list_plot(
    session: &mut Session,
    arguments: &Arguments,
    asked: &PictureOptions,
    notes: &mut Vec<Note>,
) -> Result<Plot, Diagnostic> {
    let Some(all) = arguments.span_of(T) else {
        return Err(Diagnostic::new("a list is expected before `over`")
            .at(arguments.word)
            .help("as in `:plot y over x`, or `:plot f(x) over x`"));
    };
    let lists = read_lists(session, arguments, all, notes)?;
    let over = arguments.span_of(OVER);
    let mut across = match over {
        Some(over) => read_lists(session, arguments, over, notes)?,
        None => vec![TypedList::of_positions(&lists, all)],
    };
    if across.len() > 1 {
        let message = format!("`over` takes one list, and here are {}", across.len());
        return Err(Diagnostic::new(message)
            .at(over.unwrap_or(all))
            .help("points over another list come after `with`, as in `with x2, y2`"));
    }
    let across = across.remove(0);
    across.check_list()?;
    asked.check_axis(arguments, &across.label)?;
    let by = match arguments.span_of(BY) {
        Some(by) => read_lists(session, arguments, by, notes)?,
        None => Vec::new(),
    };
    let mut curves = Vec::with_capacity(lists.len());
    for list in &lists {
        // A number is drawn at each place.
        if !list.shape.is_number() {
            list.check_same_shape(&across)?;
        }
        match &by[..] {
            [] => curves.push(list.dots(&list.label, &across)),
            [classes] if lists.len() == 1 => {
                classes.check_same_shape(list)?;
                curves = class_dots(list, &across, classes, MOST_CURVES)?;
            }
            _ => {
                let message = "`by` tells the classes of one list by one other list";
                return Err(Diagnostic::new(message)
                    .at(arguments.place(BY))
                    .help("as in `:plot y over x by species`"));
            }
        }
    }
    for curve in &mut curves {
        curve.has_dots = !arguments.has(LINE);
    }
    let mut plot = Plot {
        across: across.heading,
        dates: across.dates,
        words_across: across.words,
        // If no number has a place, `check_visible` refuses the plot later, so any range will do.
        range: asked.range_of(&curves).unwrap_or((1.0, 10.0)),
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

/// Points on top of a plot, what their dates to the right count from, and the name of their vertical axis.
#[derive(Default)]
pub(super) struct PointSeries {
    pub curves: Vec<Curve>,
    pub dates: Option<Calendar>,
    pub upwards: String,
}

/// The points after `with`: one series, or one for each class, at most `most`.
pub(super) fn point_series(
    session: &mut Session,
    arguments: &Arguments,
    most: usize,
    notes: &mut Vec<Note>,
) -> Result<PointSeries, Diagnostic> {
    let Some(all) = arguments.span_of(WITH) else {
        return Ok(PointSeries::default());
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
    let curves = match classes {
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
    let found = classes_of(&classes.items.numbers, &classes.words, &classes.label, most);
    let found = found.map_err(|count| {
        Diagnostic::new(format!(
            "`{}` has {count} different values, and there are signs for {most} classes",
            classes.label,
        ))
        .at(classes.span)
        .help("draw fewer, or put several into one class")
    })?;
    let dots = |class: ListClass| list.items.over(&across.items, &class.label, class.items);
    Ok(found.into_iter().map(dots).collect())
}

/// The lists between commas.
pub(super) fn read_lists(
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
        let label = single_blanks(span.of(text));
        let (title, words) = match heading {
            None => (&*label, Vec::new()),
            Some(heading) => heading.classes().unwrap_or((&*heading.text, Vec::new())),
        };
        Ok(TypedList {
            heading: title.to_string(),
            words,
            dates: heading.and_then(|heading| heading.dates),
            items: Measured::of(session, value.nodes()),
            shape: value.shape().clone(),
            span,
            label,
        })
    };
    read.into_iter().map(list).collect()
}

impl TypedList {
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

    /// All items over those of another list.
    fn dots(&self, label: &str, across: &TypedList) -> Curve {
        let all = 0..across.items.numbers.len();
        self.items.over(&across.items, label, all)
    }

    /// The positions of the items of the first of these lists.
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
