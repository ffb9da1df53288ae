//! Reads the problem of a `:fit` line (data, model, bounds, starts of new leaves) and refuses what cannot be fitted.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::picture::find_predictor;
use super::widths::{
    PointsAbove, add_deviations_of_model, deviations_of_data, leaves_below_points,
};
use crate::commands::goals::leaf_texts::{leaf_count, name_lists};
use crate::commands::goals::search_checks::{bounds, check_finite, free_leaves};
use crate::commands::prelude::*;
use crate::commands::signatures::fit::WHERE;
use crate::session::values::{ListShape, Value};
use crate::session::{Setting, Widths};
use crate::study::goals::{FitProblem, MOST_SOURCES, starts};
use crate::study::{MOST_FIT_DERIVATIVES, MOST_FITTED};
use chainrule_engine::graph::{Node, Order};
use chainrule_language::{self as language, Expression, Head, ItemKind, ModelSides, literal};
use chainrule_report::diagnostic::suggest::nearest;
use chainrule_report::{Note, count_text, name_list, plural, say};

/// A fit as the user typed it.
pub(super) struct ReadProblem {
    pub(super) problem: FitProblem,
    pub(super) notes: Vec<Note>,
    /// Whether the program chose where new leaves start.
    pub(super) has_own_starts: bool,
}

/// Reads a fit, and checks everything but whether the data determine all leaves.
pub(super) fn read_problem(
    session: &mut Session,
    arguments: &Arguments,
    sides: &ModelSides,
) -> Result<ReadProblem, Diagnostic> {
    let text = arguments.text;
    check_data_names(session, &sides.data)?;
    let mut new = Vec::new();
    for name in new_names(session, &sides.model) {
        // Two spellings may be one name.
        if session.names().find(name).is_none() {
            new.push(session.bind_leaf(name, 1.0));
        }
    }
    let (model, mut notes) = session.evaluate(text, &sides.model)?;
    let (data, data_notes) = session.evaluate(text, &sides.data)?;
    notes.extend(data_notes);
    let shape = common_shape(sides, &data, &model)?;
    let mut problem = problem_of(&data, &model, shape.size());
    check_sides(text, sides, &problem)?;
    check_leaves(session, &problem, &shape).map_err(|error| error.at(sides.model.span))?;
    if let Some(width) = &sides.width {
        let numbers: Vec<f64> = problem.data.iter().map(|node| node.data()).collect();
        let (deviations, width_notes) = session.widths(text, width, &numbers, &shape)?;
        notes.extend(width_notes);
        problem.deviations = Some(deviations);
    }
    notes.extend(add_sources(session, &mut problem)?);
    check_weights(sides, &problem)?;
    let (relations, relation_notes) = arguments.relations(session, WHERE)?;
    notes.extend(relation_notes);
    let example = "`:fit y ~ a*exp(-k*t) where k > 0`";
    problem.bounds = bounds(session, &relations, &problem.leaves, example)?;
    let mut has_own_starts = false;
    if !new.is_empty() {
        has_own_starts = move_to_starts(session, &problem, &new);
        let names = name_list(new.iter().map(|leaf| session.label(leaf)));
        notes.push(Note::new(if has_own_starts {
            say!("new leaves, from starts that the data suggest: {}", names)
        } else {
            say!("new leaves, from 1: {}", names)
        }));
    }
    if session.names().find("e").is_none() && has_e_as_a_leaf(text, &sides.model) {
        let note = say!("{:name} is 2.71828 here; `e = 1` makes it a leaf", "e");
        notes.push(Note::new(note));
    }
    for point in &problem.model {
        check_finite(session, point, sides.model.span)?;
    }
    Ok(ReadProblem {
        problem,
        notes,
        has_own_starts,
    })
}

/// The shape of data and model. A number on one side goes with each item of the other.
fn common_shape(sides: &ModelSides, data: &Value, model: &Value) -> Result<ListShape, Diagnostic> {
    let (data, model) = (data.shape(), model.shape());
    if data == model || model.is_number() {
        return Ok(data.clone());
    }
    if data.is_number() {
        return Ok(model.clone());
    }
    let message = format!("the data are {data}, the model is {model}");
    Err(Diagnostic::new(message)
        .at(sides.data.span.to(sides.model.span))
        .help("they go item by item: lists of one shape, or one number"))
}

/// The problem with equal weights and without bounds.
fn problem_of(data: &Value, model: &Value, points: usize) -> FitProblem {
    let at_each_point = |value: &Value| -> Vec<Rc<Node>> {
        let nodes = value.nodes().iter().cloned().cycle();
        nodes.take(points).collect()
    };
    let order = Order::below(model.nodes());
    FitProblem {
        model: at_each_point(model),
        data: at_each_point(data),
        deviations: None,
        moving_deviations: Vec::new(),
        uncertain_predictors: Vec::new(),
        bounds: Vec::new(),
        leaves: free_leaves(&order),
        constants: Vec::new(),
        weighting: Vec::new(),
        order,
    }
}

/// Refuses a model without a free leaf, and data that are not finite.
fn check_sides(text: &str, sides: &ModelSides, problem: &FitProblem) -> Result<(), Diagnostic> {
    if problem.leaves.is_empty() {
        let [data, model] = [&sides.data, &sides.model].map(|side| side.span.of(text));
        let message = format!("the model `{model}` has no free leaf for the fit to move");
        let factor = if language::is_name(model) {
            model.to_string()
        } else {
            format!("({model})")
        };
        let help = format!("as in `:fit {data} ~ a*{factor} + b`; `:thaw` frees a frozen leaf");
        return Err(Diagnostic::new(message).at(sides.model.span).help(help));
    }
    let mut data = problem.data.iter().map(|node| node.data());
    if let Some(point) = data.position(|number| !number.is_finite()) {
        let number = literal(problem.data[point].data(), false);
        let message = format!("the data are {number} at point {}", point + 1);
        let help = "leave the point out of the data and of what the model uses";
        return Err(Diagnostic::new(message).at(sides.data.span).help(help));
    }
    Ok(())
}

/// Refuses points whose `±` is not positive.
fn check_weights(sides: &ModelSides, problem: &FitProblem) -> Result<(), Diagnostic> {
    let deviations = problem.deviations_now().unwrap_or_default();
    let has_weight = |deviation: &f64| *deviation > 0.0 && deviation.is_finite();
    let Some(point) = deviations.iter().position(|it| !has_weight(it)) else {
        return Ok(());
    };
    let span = sides.width.as_ref().map_or(sides.data.span, |it| it.span);
    let message = format!("point {} has no weight: its ± is not above 0", point + 1);
    let help = "give each point a positive ±, as in `:fit y ± 0.1 ~ a + b*x`, or none of them";
    Err(Diagnostic::new(message).at(span).help(help))
}

/// The leaves that each belong to one point of a fit, by the side on which they are and whether they have a `±`.
#[derive(Default)]
struct PointLeaves {
    /// Uncertain leaves below the model, each with the index of its point.
    of_model: Vec<(usize, Rc<Node>)>,
    /// Uncertain leaves below the data only, each with the index of its point.
    of_data_alone: Vec<(usize, Rc<Node>)>,
    /// Leaves without a `±`.
    certain: Vec<Rc<Node>>,
    /// Whether an uncertain leaf is below the data, so that the points have weights.
    is_data_uncertain: bool,
}

impl PointLeaves {
    /// Sorts the leaves below the points. Leaves below several points become constants of the problem.
    fn sort(session: &Session, problem: &mut FitProblem, is_typed: bool) -> PointLeaves {
        // A typed ± of the data covers all leaves below the data, so these do not count one by one.
        let data = if is_typed { &[][..] } else { &problem.data };
        let leaves = leaves_below_points(problem, data);
        let below_data = Order::below(data);
        let mut sorted = PointLeaves::default();
        for (leaf, above) in leaves {
            let PointsAbove::One(point) = above else {
                problem.constants.push(leaf);
                continue;
            };
            let is_uncertain = session.uncertainty(&leaf) > Some(0.0);
            sorted.is_data_uncertain |= is_uncertain && below_data.slot(&leaf).is_some();
            if !is_uncertain {
                sorted.certain.push(leaf);
            } else if problem.order.slot(&leaf).is_some() {
                sorted.of_model.push((point, leaf));
            } else {
                sorted.of_data_alone.push((point, leaf));
            }
        }
        sorted
    }
}

fn without_points(leaves: &[(usize, Rc<Node>)]) -> Vec<Rc<Node>> {
    leaves.iter().map(|(_, leaf)| Rc::clone(leaf)).collect()
}

/// Gives the problem the leaves from which the `±` of the fitted leaves follow, and the weights of points that follow from
/// the `±` of leaves. Returns a note on leaves that are left out because the scatter of the points shows their `±` already.
fn add_sources(
    session: &mut Session,
    problem: &mut FitProblem,
) -> Result<Option<Note>, Diagnostic> {
    let is_typed = problem.deviations.is_some();
    let mut leaves = PointLeaves::sort(session, problem, is_typed);
    let predictors = without_points(&leaves.of_model);
    if !is_typed && !leaves.is_data_uncertain {
        let names = name_lists(session, &predictors);
        let note = say!("the ± of {} is left out: the points show it already", names);
        return Ok((!predictors.is_empty()).then(|| Note::new(note)));
    }
    if is_typed {
        // These leaves may get a ± later. If they are few, they count like the leaves below several points.
        if problem.constants.len() + leaves.certain.len() <= MOST_SOURCES {
            problem.constants.append(&mut leaves.certain);
            problem.constants.sort_by_key(|leaf| leaf.id());
        }
    } else {
        problem.deviations = Some(deviations_of_data(session, problem, &leaves.of_data_alone));
        problem.weighting = without_points(&leaves.of_data_alone);
        problem.weighting.extend_from_slice(&predictors);
        problem.weighting.append(&mut leaves.certain);
    }
    if !predictors.is_empty() {
        problem.moving_deviations =
            add_deviations_of_model(session, problem, &leaves.of_model, is_typed)?;
        problem.uncertain_predictors = predictors;
    }
    Ok(None)
}

/// Moves new leaves to starts that the data suggest, and returns whether there are any.
fn move_to_starts(session: &mut Session, problem: &FitProblem, new: &[Rc<Node>]) -> bool {
    let across = find_predictor(session, problem).map_or(Vec::new(), |it| it.data());
    let is_new = |place: &usize| {
        new.iter()
            .any(|leaf| Rc::ptr_eq(leaf, &problem.leaves[*place]))
    };
    let places: Vec<usize> = (0..problem.leaves.len()).filter(is_new).collect();
    let Some(starts) = starts(problem, &places, &across) else {
        return false;
    };
    let setting = |(place, data): (&usize, f64)| Setting {
        leaf: Rc::clone(&problem.leaves[*place]),
        data,
    };
    let settings: Vec<Setting> = places.iter().zip(starts).map(setting).collect();
    session.set(&settings, Widths::default(), |_, _| {});
    true
}

/// Refuses a name of the data that has no value. If it resembles a known name, a later error proposes that.
fn check_data_names(session: &Session, data: &Expression) -> Result<(), Diagnostic> {
    let bound = || session.names().bound_values().map(|(name, _)| name);
    let is_missing = |name: &str| {
        !session.knows(name) && !session.is_function(name) && nearest(name, bound()).is_none()
    };
    let mut names = data.names().into_iter();
    let Some((name, at)) = names.find(|(name, _)| is_missing(name)) else {
        return Ok(());
    };
    let typed = if name == "x" || session.knows("x") {
        format!("{name} = [2, 4, 7]")
    } else {
        format!("x, {name} = [1, 2, 3], [2, 4, 7]")
    };
    let help = format!("`:data points.csv` reads lists of data from a file, `{typed}` types them");
    let message = format!("the data `{name}` are missing");
    Err(Diagnostic::new(message).at(data.items[at].span).help(help))
}

/// The names in the model that have no value and become leaves. A name with an index cannot: the length of its list is
/// unknown.
fn new_names<'t>(session: &Session, model: &Expression<'t>) -> Vec<&'t str> {
    let is_list = |at: usize| {
        let next = model.items.get(at + 2).map(|item| item.kind);
        matches!(next, Some(ItemKind::Apply(Head::Index, _)))
    };
    let mut names = model.names();
    names.retain(|(name, _)| !session.knows(name) && !session.is_function(name));
    let lists = names.iter().filter(|(_, at)| is_list(*at));
    let lists: FxHashSet<&str> = lists.map(|(name, _)| *name).collect();
    let names = names.into_iter().map(|(name, _)| name);
    names.filter(|name| !lists.contains(name)).collect()
}

/// Whether the constant `e` may be meant as a leaf, because no `^` follows it.
fn has_e_as_a_leaf(text: &str, model: &Expression) -> bool {
    let names = model.names().into_iter().filter(|(name, _)| *name == "e");
    let mut rests = names.map(|(_, at)| &text[model.items[at].span.end as usize..]);
    rests.any(|rest| !rest.trim_start().starts_with('^'))
}

/// Refuses too many leaves, and leaves that are data.
fn check_leaves(
    session: &Session,
    problem: &FitProblem,
    shape: &ListShape,
) -> Result<(), Diagnostic> {
    let (leaves, points) = (problem.leaves.len(), problem.model.len());
    if leaves > points {
        let is_data = |value: &Value| {
            let is_moved = |node: &Rc<Node>| node.is_free() && problem.order.slot(node).is_some();
            value.shape() == shape && value.nodes().iter().all(is_moved)
        };
        let mut values = session.names().bound_values();
        let list = values.find(|(_, value)| is_data(value));
        if let Some((name, _)) = list.filter(|_| !shape.is_number()) {
            let message =
                format!("`{name}` is free and as long as the data: the fit would move it");
            return Err(Diagnostic::new(message)
                .help(format!("`:freeze {name}` first, or bind it with `const`")));
        }
        let points = plural(points, "point");
        let message = format!("{points} cannot determine {}", leaf_count(leaves));
        return Err(Diagnostic::new(message).help("`:freeze` keeps a leaf as it is"));
    }
    if leaves > MOST_FITTED || leaves.saturating_mul(points) > MOST_FIT_DERIVATIVES {
        let message = format!(
            "{} and {} are too many for a fit",
            plural(points, "point"),
            leaf_count(leaves)
        );
        return Err(Diagnostic::new(message).help(format!(
            "at most {}, and {} as points times leaves; `:minimize` has no such limit",
            leaf_count(MOST_FITTED),
            count_text(MOST_FIT_DERIVATIVES)
        )));
    }
    Ok(())
}
