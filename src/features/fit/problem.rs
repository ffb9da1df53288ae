//! The problem of a fit. `read_problem` makes it of the data, the model, the `±` and the bounds of a line, and refuses what
//! cannot be fitted; then it does not change. Names in the model that have no value become leaves; the search begins where
//! the data suggest, or at 1.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::predictor::{Predictor, find_predictors};
use super::search::{FitModel, every_nth, starts};
use super::sources::{FitPoints, FitSources};
use crate::command::prelude::*;
use crate::command::signatures::fit::{WHERE, WRT, Y};
use crate::command::signatures::plot::OVER;
use crate::plotting::typed_lists::TypedList;
use crate::search::checks::{bounds, check_finite, check_size, index_of, leaves_to_move};
use crate::search::differences::Differences;
use crate::search::leaf_search::{bind_new_leaves, new_leaves_note};
use chainrule_engine::graph::NodeId;
use chainrule_language::{Expression, Head, ItemKind, ModelSides, literal};
use chainrule_program::Environment as _;
use chainrule_program::values::{ListShape, Value};
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_session::{Setting, Widths, evaluate_widths};

/// A fit as the line and the session say it.
pub(super) struct FitProblem {
    pub(super) sides: ModelSides,
    pub(super) points: FitPoints,
    pub(super) sources: FitSources,
    /// The least and the greatest number that each leaf may be.
    pub(super) bounds: Vec<(f64, f64)>,
    /// The lists of data in the model.
    pub(super) predictors: Vec<Predictor>,
    /// The list after `over`.
    pub(super) typed_predictor: Option<Predictor>,
    /// Whether new leaves were moved to starts that the data suggest.
    pub(super) has_own_starts: bool,
}

impl FitProblem {
    /// Returns the horizontal position of each point; nothing without a predictor.
    pub(super) fn across(&self) -> Vec<f64> {
        let predictor = self.predictor();
        predictor.map_or_else(Vec::new, |it| values(&it.nodes))
    }

    /// The list of data along which the model goes: the list after `over`, or the only one in the model.
    pub(super) fn predictor(&self) -> Option<&Predictor> {
        let first = self.predictors.first();
        let only = first.filter(|_| !self.has_several_lists());
        self.typed_predictor.as_ref().or(only)
    }

    pub(super) fn has_several_lists(&self) -> bool {
        self.predictors.len() > 1
    }

    /// Whether a list chooses leaves in the model, as `state` does in `Vm[state]`.
    pub(super) fn has_index_list(&self) -> bool {
        let is_name = |at: usize| matches!(self.sides.model.items[at].kind, ItemKind::Name(_));
        let mut items = self.sides.model.items.iter().enumerate().skip(1);
        items.any(|(at, it)| matches!(it.kind, ItemKind::Apply(Head::Index, _)) && is_name(at - 1))
    }
}

impl FitModel for FitProblem {
    fn has_deviations(&self) -> bool {
        self.sources.deviations.is_some()
    }

    fn residuals(&self, has_fixed_units: bool) -> Differences {
        let (points, sources) = (&self.points, &self.sources);
        let deviations = sources.deviations.clone();
        let units = deviations.unwrap_or_else(|| vec![1.0; points.model.len()]);
        let moving = sources.moving.as_deref().filter(|_| !has_fixed_units);
        let (model, data, leaves) = (&points.model, &points.data, &points.leaves);
        let mut system = Differences::of(model, data, leaves, units, moving.unwrap_or_default());
        system.bounds.clone_from(&self.bounds);
        system
    }

    fn some_residuals(&self, places: &[usize]) -> Differences {
        let points = &self.points;
        let (model, data) = (every_nth(&points.model), every_nth(&points.data));
        let leaf = |&place: &usize| Rc::clone(&points.leaves[place]);
        let leaves: Vec<Rc<Node>> = places.iter().map(leaf).collect();
        // If the x of a point has an uncertainty, the data may have none, and a deviation of 0 cannot be a unit.
        let deviations = self.sources.deviations.as_deref();
        let usable = deviations.filter(|all| all.iter().all(|deviation| *deviation > 0.0));
        let units = usable.map_or_else(|| vec![1.0; data.len()], every_nth);
        let mut system = Differences::of(&model, &data, &leaves, units, &[]);
        system.bounds = places.iter().map(|place| self.bounds[*place]).collect();
        system
    }
}

/// Reads a fit. Binds the new leaves of the model, and moves them to where the search begins. Checks everything except
/// whether the data determine all leaves, which only the search shows.
pub(super) fn read_problem(
    session: &mut Session,
    arguments: &Arguments,
    notes: &mut Vec<Note>,
) -> Result<FitProblem> {
    let text = arguments.text;
    let parsed = language::model(text, arguments.place(Y));
    let sides = parsed.map_err(|error| arguments.explain(session, error))?;
    // Before the new leaves are bound: a name of the data is missing even if the model has the same name.
    check_data_names(session, &sides)?;
    let mut names = new_names(&sides.model);
    if arguments.has(WRT) {
        // Other names without a value would stay at 1.
        let moved = arguments.words(WRT);
        names.retain(|name| moved.iter().any(|word| word.of(text) == *name));
    }
    let new_leaves = bind_new_leaves(session, &names);
    let (model, model_notes) = session.evaluate(text, &sides.model)?;
    let (data, data_notes) = session.evaluate(text, &sides.data)?;
    notes.extend(model_notes.into_iter().chain(data_notes));
    let shape = common_shape(&sides, &data, &model)?;
    let points = read_points(session, arguments, &sides, [&data, &model], &shape)?;
    let mut typed = None;
    if let Some(width) = &sides.width {
        let numbers = values(&points.data);
        let (deviations, width_notes) = evaluate_widths(session, text, width, &numbers, &shape)?;
        notes.extend(width_notes);
        typed = Some(deviations);
    }
    let mut typed_predictor = None;
    if let Some(span) = arguments.span_of(OVER) {
        let list = TypedList::read_over(session, arguments, span, notes)?;
        list.check_same_shape(&TypedList::of(session, text, sides.data.span, &data))?;
        typed_predictor = Some(Predictor {
            name: list.label,
            nodes: list.nodes,
        });
    }
    let sources = FitSources::of(session, &points, typed, notes)?;
    check_weights(&sides, &sources)?;
    let relations = arguments.relations(session, WHERE, notes)?;
    let mut problem = FitProblem {
        bounds: bounds(session, &relations, &points.leaves)?,
        predictors: find_predictors(session, &points, &sides.model),
        typed_predictor,
        has_own_starts: false,
        sides,
        points,
        sources,
    };
    // The starts depend on the weights and the bounds.
    problem.has_own_starts = move_to_starts(session, &problem, &new_leaves);
    let mut start = "1";
    if problem.has_own_starts {
        start = "starts that the data suggest";
    }
    notes.extend(new_leaves_note(session, &new_leaves, start));
    notes.extend(constant_e_note(session, text, &problem.sides.model));
    for point in &problem.points.model {
        check_finite(session, point, problem.sides.model.span)?;
    }
    Ok(problem)
}

/// The shape of data and model. A number on one side goes with each item of the other.
fn common_shape(sides: &ModelSides, data: &Value, model: &Value) -> Result<ListShape> {
    let (data, model) = (data.shape(), model.shape());
    if data == model || model.is_number() {
        return Ok(data.clone());
    }
    if data.is_number() {
        return Ok(model.clone());
    }
    let message = format!("the data are {data}, the model is {model}");
    let help = "they go item by item: lists of one shape, or one number";
    Err(Diagnostic::new(message)
        .at(sides.data.span.to(sides.model.span))
        .help(help))
}

/// The points of this data and this model. A number stands at each point.
fn read_points(
    session: &mut Session,
    arguments: &Arguments,
    sides: &ModelSides,
    [data, model]: [&Value; 2],
    shape: &ListShape,
) -> Result<FitPoints> {
    let at_each_point = |value: &Value| -> Vec<Rc<Node>> {
        let nodes = value.nodes().iter().cloned().cycle();
        nodes.take(shape.size()).collect()
    };
    let order = Order::below(model.nodes());
    let free = order.leaves(Node::is_free);
    let data = at_each_point(data);
    check_sides(session, arguments.text, sides, &free, &data)?;
    let chosen = leaves_to_move(session, arguments, WRT, free)?;
    let leaves = without_data(session, chosen, shape);
    Ok(FitPoints {
        leaves: leaves.map_err(|error| error.at(sides.model.span))?,
        model: at_each_point(model),
        data,
        order,
        sets: sets_of(shape),
    })
}

/// The points of each list of a list of lists; otherwise all points.
fn sets_of(shape: &ListShape) -> Vec<Range<usize>> {
    let items = (0..).map_while(|at| shape.item(at));
    let sets = items.map(|(item, first)| first..first + item.size());
    match shape.depth() {
        0 | 1 => std::iter::once(0..shape.size()).collect(),
        _ => sets.collect(),
    }
}

/// Refuses a model without a free leaf, and data that are not finite.
fn check_sides(
    session: &Session,
    text: &str,
    sides: &ModelSides,
    free: &[Rc<Node>],
    data: &[Rc<Node>],
) -> Result<()> {
    if free.is_empty() {
        let width = sides.width.as_ref().map_or(sides.data.span, |it| it.span);
        let typed_data = sides.data.span.to(width).of(text);
        let model = sides.model.span.of(text);
        let message = format!("the model `{model}` has no free leaf for the fit to move");
        let factor = if language::is_name(model) {
            model.to_string()
        } else {
            format!("({model})")
        };
        let mut letters = ('a'..='z').map(String::from);
        let name = letters
            .find(|name| !session.knows(name))
            .unwrap_or_default();
        let help =
            format!("as in `:fit {typed_data} ~ {name}*{factor}`; `:thaw` frees a frozen leaf");
        return Err(Diagnostic::new(message).at(sides.model.span).help(help));
    }
    let mut numbers = data.iter().map(|node| node.data());
    if let Some(point) = numbers.position(|number| !number.is_finite()) {
        let number = literal(data[point].data(), false);
        let message = format!("the data are {number} at point {}", point + 1);
        let help = "leave the point out of the data and of what the model uses";
        return Err(Diagnostic::new(message).at(sides.data.span).help(help));
    }
    Ok(())
}

/// Refuses points whose `±` is not positive.
fn check_weights(sides: &ModelSides, sources: &FitSources) -> Result<()> {
    let numbers = sources.deviations_now().unwrap_or_default();
    let has_weight = |deviation: &f64| *deviation > 0.0 && deviation.is_finite();
    let Some(point) = numbers.iter().position(|it| !has_weight(it)) else {
        return Ok(());
    };
    let span = sides.width.as_ref().map_or(sides.data.span, |it| it.span);
    let message = format!("point {} has no weight: its ± is not above 0", point + 1);
    let help = "give each point a positive ±, as in `:fit y ± 0.1 ~ a + b*x`, or none of them";
    Err(Diagnostic::new(message).at(span).help(help))
}

/// Refuses a name of the data that has no value. If it resembles a known name, a later error proposes that.
fn check_data_names(session: &Session, sides: &ModelSides) -> Result<()> {
    let data = &sides.data;
    let bound = || session.names().bound_values().map(|(name, _)| name);
    let is_missing = |name: &str| {
        !session.knows(name) && !session.is_function(name) && nearest(name, bound()).is_none()
    };
    let mut names = data.names().into_iter();
    let Some((name, at)) = names.find(|(name, _)| is_missing(name)) else {
        return Ok(());
    };
    let is_list = |word: &&str| matches!(session.names().find(word), Some(Value::List(_)));
    let mut words = sides.model.names().into_iter().map(|(word, _)| word);
    let default = if name == "x" { "t" } else { "x" };
    let across = words.find(is_list).unwrap_or(default);
    let typed = format!("{across}, {name} = [1, 2, 3], [2, 4, 7]");
    let help = format!("`:data FILE` reads lists of data from a file, `{typed}` types them");
    let message = format!("the data `{name}` are missing");
    Err(Diagnostic::new(message).at(data.items[at].span).help(help))
}

/// The leaves that a fit moves, of those that may move. Lists with the shape of the data are data, too: they stay where they
/// are, and without other leaves nothing is left to fit. Refuses too many leaves.
fn without_data(
    session: &Session,
    mut leaves: Vec<Rc<Node>>,
    shape: &ListShape,
) -> Result<Vec<Rc<Node>>> {
    let points = shape.size();
    if leaves.len() >= points && !shape.is_number() {
        let is_data = |(_, value): &(&str, &Value)| {
            let is_moved = |node: &Rc<Node>| index_of(node, &leaves).is_some();
            value.shape() == shape && value.nodes().iter().all(is_moved)
        };
        let lists: Vec<(&str, &Value)> = session.names().bound_values().filter(is_data).collect();
        let nodes = lists.iter().flat_map(|(_, value)| value.nodes());
        let data: FxHashSet<NodeId> = nodes.map(|node| node.id()).collect();
        leaves.retain(|leaf| !data.contains(&leaf.id()));
        if leaves.is_empty() {
            let name = lists[0].0;
            let message =
                format!("`{name}` is free and as long as the data: the fit would move it");
            return Err(Diagnostic::new(message)
                .help(format!("`:freeze {name}` first, or bind it with `const`")));
        }
    }
    if leaves.len() > points {
        let (given, sought) = (plural(points, "point"), plural(leaves.len(), "leaf"));
        let message = format!("{given} cannot determine {sought}");
        return Err(Diagnostic::new(message).help("`:freeze` keeps a leaf as it is"));
    }
    check_size(leaves.len(), points, "point", "a fit")?;
    Ok(leaves)
}

/// The names in the model that become leaves if they have no value.
fn new_names<'t>(model: &Expression) -> Vec<&'t str> {
    let names = model.names();
    // A name with an index stays unknown, because the length of its list is unknown. The items are in postfix order: in
    // `w[0]`, the name, the index and `Head::Index` follow each other. The evaluation refuses a longer index.
    let is_indexed = |at: usize| {
        let after_index = model.items.get(at + 2).map(|item| item.kind);
        matches!(after_index, Some(ItemKind::Apply(Head::Index, _)))
    };
    let indexed = names.iter().filter(|(_, at)| is_indexed(*at));
    let lists: FxHashSet<&str> = indexed.map(|(name, _)| *name).collect();
    let names = names.into_iter().map(|(name, _)| name);
    names.filter(|name| !lists.contains(name)).collect()
}

/// Moves new leaves to starts that the data suggest, and returns whether there are any. A model that is linear in them has
/// none, because the search finds the same from every start.
fn move_to_starts(session: &mut Session, problem: &FitProblem, new: &[Rc<Node>]) -> bool {
    if new.is_empty() {
        return false;
    }
    let leaves = &problem.points.leaves;
    let found = new.iter().filter_map(|leaf| index_of(leaf, leaves));
    let places: Vec<usize> = found.collect();
    let Some(starts) = starts(problem, &places, &problem.across()) else {
        return false;
    };
    let moved = places.iter().map(|&place| Rc::clone(&leaves[place]));
    let each = moved.zip(starts);
    let settings: Vec<Setting> = each.map(|(leaf, data)| Setting { leaf, data }).collect();
    session.set(&settings, Widths::default(), |_, _| {});
    true
}

/// A note that `e` is Euler's number, if no `^` follows it, so that a leaf may be meant.
fn constant_e_note(session: &Session, text: &str, model: &Expression) -> Option<Note> {
    let names = model.names().into_iter().filter(|(name, _)| *name == "e");
    let mut rests = names.map(|(_, at)| &text[model.items[at].span.end as usize..]);
    let may_be_leaf = rests.any(|rest| !rest.trim_start().starts_with('^'));
    let line = say!("{:name} is 2.71828 here; `e = 1` makes it a leaf", "e");
    (may_be_leaf && session.names().find("e").is_none()).then(|| Note::new(line))
}
