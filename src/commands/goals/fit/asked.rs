//! What is to be fitted, the points and the leaves, and what cannot be fitted.
//!
//! Everything is checked before the search begins, except whether the data determine all leaves.

use std::collections::HashSet;
use std::rc::Rc;

use super::deviations::{self, Deviations};
use super::parts::Parts;
use crate::commands::args::Arguments;
use crate::commands::goals::{MOST_NAMED, named, no_free_leaf, placed};
use crate::diagnostic::{Diagnostic, listed};
use crate::graph::{Node, Order};
use crate::ops::CONSTANTS;
use crate::report::{Note, say};
use crate::session::Session;
use crate::session::values::{ListShape, Value};
use crate::study::goals::{FitEnd, FitProblem, FoundFit, Points, Reach};
use crate::study::{MOST_FIT_DERIVATIVES, MOST_FITTED};
use crate::syntax::{Expression, Span, literal};

/// Where a search can begin.
const A_NUMBER: &str = "where the model is a number";

/// A problem, and what is told beside its solution.
pub(super) struct Asked {
    pub(super) problem: FitProblem,
    pub(super) notes: Vec<Note>,
    /// Where the model stands.
    model: Span,
    /// The leaves that had no value before.
    new: Vec<Rc<Node>>,
}

impl Asked {
    pub(super) fn of(
        session: &mut Session,
        arguments: &Arguments,
        parts: &Parts,
        new: Vec<Rc<Node>>,
    ) -> Result<Asked, Diagnostic> {
        let text = arguments.text;
        let (model, mut notes) = session.evaluate(text, &parts.model)?;
        let (data, more) = session.evaluate(text, &parts.data)?;
        notes.extend(more);
        let shape = common_shape(&data, &model).map_err(|error| {
            let span = parts.data.span.to(parts.model.span);
            error.at(span)
        })?;
        let order = Order::below(model.nodes());
        let free = order.nodes().iter().filter(|node| node.is_free());
        let mut leaves: Vec<Rc<Node>> = free.cloned().collect();
        leaves.sort_by_key(|leaf| leaf.id());
        let nodes = |value: &Value| {
            value
                .nodes()
                .iter()
                .cloned()
                .cycle()
                .take(shape.size())
                .collect()
        };
        let mut asked = Asked {
            problem: FitProblem {
                order,
                model: nodes(&model),
                data: nodes(&data),
                deviations: None,
                leaves,
            },
            notes,
            model: parts.model.span,
            new,
        };
        asked.check_finite(session, parts)?;
        asked.check_leaves(session, &shape, text)?;
        let Deviations { each, notes } =
            deviations::of(session, text, parts, &asked.problem, &shape)?;
        asked.problem.deviations = each;
        asked.notes.extend(notes);
        asked.notes.extend(constants(session, &parts.model));
        if !asked.new.is_empty() {
            let names = named(session, asked.new.iter());
            asked
                .notes
                .push(Note::new(say!("new leaves, from 1: {}", names)));
        }
        Ok(asked)
    }

    /// All points must be numbers before a search can begin.
    fn check_finite(&self, session: &Session, parts: &Parts) -> Result<(), Diagnostic> {
        let FitProblem { model, data, .. } = &self.problem;
        let one = model.len() == 1;
        let at = |point: usize| {
            if one {
                String::new()
            } else {
                format!(" at point {}", point + 1)
            }
        };
        if let Some(point) = data.iter().position(|node| !node.data().is_finite()) {
            let node = &data[point];
            let what = literal(node.data(), false);
            let message = if node.is_leaf() {
                format!("`{}` is {what}, and data are numbers", session.label(node))
            } else {
                format!("the data are {what}{}", at(point))
            };
            return Err(Diagnostic::new(message)
                .at(parts.data.span)
                .help("leave the point out of the data and of what the model uses"));
        }
        let Some(point) = model.iter().position(|node| !node.data().is_finite()) else {
            return Ok(());
        };
        let node = &model[point];
        let what = literal(node.data(), false);
        let below = Order::below([node]);
        let leaves = || below.nodes().iter().rev().filter(|node| node.is_leaf());
        let all: Vec<(&Rc<Node>, f64)> = leaves().map(|leaf| (leaf, leaf.data())).collect();
        let said = placed(session, all.into_iter());
        let help = match leaves().find(|leaf| !leaf.data().is_finite()) {
            Some(leaf) if leaf.is_frozen() => format!(
                "`{}` is not a number: leave the point out",
                session.label(leaf)
            ),
            _ => match leaves().find(|leaf| leaf.is_free()) {
                Some(leaf) => self.begin_elsewhere(session, leaf),
                None => "leave the point out".to_string(),
            },
        };
        Err(
            Diagnostic::new(format!("the model is {what}{}, where {said}", at(point)))
                .at(self.model)
                .help(help),
        )
    }

    /// What to type so that the search begins elsewhere.
    fn begin_elsewhere(&self, session: &Session, leaf: &Rc<Node>) -> String {
        let name = session.label(leaf);
        let is_new = self.new.iter().any(|new| Rc::ptr_eq(new, leaf));
        let command = if is_new {
            format!("{name} = VALUE")
        } else {
            format!(":set {name} VALUE")
        };
        format!("`{command}` first, so that the search begins {A_NUMBER}")
    }

    /// There must be leaves, not too many of them, and none of them may be data.
    fn check_leaves(
        &self,
        session: &Session,
        shape: &ListShape,
        text: &str,
    ) -> Result<(), Diagnostic> {
        let leaves = &self.problem.leaves;
        let points = self.problem.model.len();
        let typed = self.model.of(text);
        if leaves.is_empty() {
            let words = [
                "fit",
                "a name without a value becomes one: `:fit y ~ a + b*x`",
            ];
            return Err(no_free_leaf(session, typed, words, &self.problem.order).at(self.model));
        }
        if let Some(name) = self.data_to_move(session, shape) {
            return Err(Diagnostic::new(format!(
                "`{name}` is free and as long as the data: the fit would move it"
            ))
            .at(self.model)
            .help(format!("`:freeze {name}` first, or bind it with `const`")));
        }
        if leaves.len() > points {
            let names = leaves
                .iter()
                .take(MOST_NAMED)
                .map(|leaf| session.label(leaf));
            let [points, count] =
                [(points, "point"), (leaves.len(), "leaf")].map(|(count, what)| {
                    match (count, what) {
                        (1, what) => format!("one {what}"),
                        (_, "leaf") => format!("{count} leaves"),
                        _ => format!("{count} {what}s"),
                    }
                });
            return Err(
                Diagnostic::new(format!("{points} cannot determine {count}"))
                    .at(self.model)
                    .help(format!(
                        "`:freeze` keeps a leaf as it is: {}{}",
                        listed(names),
                        if leaves.len() > MOST_NAMED {
                            ", …"
                        } else {
                            ""
                        }
                    )),
            );
        }
        if leaves.len() > MOST_FITTED || leaves.len().saturating_mul(points) > MOST_FIT_DERIVATIVES
        {
            return Err(Diagnostic::new(format!(
                "{points} points and {} leaves are too many for a fit",
                leaves.len()
            ))
            .at(self.model)
            .help(format!(
                "at most {MOST_FITTED} leaves, and {MOST_FIT_DERIVATIVES} as points times leaves; `:minimize` has no such limit"
            )));
        }
        Ok(())
    }

    /// A list of data among the free leaves of the model: it is as long as the data, and each item belongs to one point
    /// alone.
    fn data_to_move(&self, session: &Session, shape: &ListShape) -> Option<String> {
        let FitProblem { model, leaves, .. } = &self.problem;
        let rows = shape.count()?;
        let ids: HashSet<u32> = leaves.iter().map(|leaf| leaf.id()).collect();
        let mut reach = None;
        let mut is_data = |value: &Value| {
            let Value::List(list) = value else {
                return false;
            };
            let nodes = list.nodes();
            if rows < 2
                || list.count() != rows && nodes.len() != model.len()
                || !nodes.iter().all(|node| ids.contains(&node.id()))
            {
                return false;
            }
            let reach = reach.get_or_insert_with(|| Reach::of(model));
            let alone = |node: &Rc<Node>| matches!(reach.points(node), Points::One(..));
            leaves.len() > model.len() || nodes.iter().all(alone)
        };
        let found = session.names().bound().find(|(_, value)| is_data(value));
        found.map(|(name, _)| name.to_string())
    }

    /// The error for a search that could not end well.
    pub(super) fn impossible(&self, session: &Session, found: &FoundFit) -> Option<Diagnostic> {
        let leaves = &self.problem.leaves;
        let (message, help) = match &found.end {
            FitEnd::Undetermined(places) => {
                let named: Vec<String> = places
                    .iter()
                    .take(MOST_NAMED)
                    .map(|&place| format!("`{}`", session.label(&leaves[place])))
                    .collect();
                let message = match &named[..] {
                    [one] => format!("the data say nothing about {one}"),
                    [others @ .., last] => {
                        let others = others.join(", ");
                        format!("the data do not tell {others} and {last} apart")
                    }
                    [] => "the data do not determine the leaves".to_string(),
                };
                let end = placed(session, leaves.iter().zip(found.point.iter().copied()));
                (
                    format!("{message} where the search ended, at {end}"),
                    self.what_is_new(session, places),
                )
            }
            FitEnd::Undefined { point, leaf } => {
                let leaf = &leaves[*leaf];
                let message = format!(
                    "the derivative of the model by `{}` is not a number at point {}",
                    session.label(leaf),
                    point + 1
                );
                (message, self.begin_elsewhere(session, leaf))
            }
            FitEnd::Settled | FitEnd::Stuck | FitEnd::Exhausted | FitEnd::Stopped => return None,
        };
        Some(Diagnostic::new(message).at(self.model).help(help))
    }

    /// The way out if leaves are not determined. A name that was new may be a typing error.
    fn what_is_new(&self, session: &Session, places: &[usize]) -> String {
        let leaves = || {
            places
                .iter()
                .rev()
                .map(|&place| &self.problem.leaves[place])
        };
        let is_new = |leaf: &&Rc<Node>| self.new.iter().any(|new| Rc::ptr_eq(new, leaf));
        let (Some(last), new) = (leaves().next(), leaves().find(is_new)) else {
            return "write the model with fewer leaves".to_string();
        };
        let name = session.label(new.unwrap_or(last));
        match new {
            Some(_) => format!(
                "`{name}` had no value and began at 1: `{name} = VALUE` begins elsewhere, `const {name} = VALUE` fixes it"
            ),
            None => format!(
                "leave one out of the model, or `:freeze {name}`; `:set {name} VALUE` begins elsewhere"
            ),
        }
    }
}

/// A note on each predefined constant that the model uses: it may be meant as a parameter.
fn constants(session: &Session, model: &Expression) -> Vec<Note> {
    let used = model.names();
    let note = |&(name, value, _): &(&'static str, f64, &str)| {
        let is_used = session.names().find(name).is_none() && used.iter().any(|it| it.0 == name);
        let line = || {
            say!(
                "{:name} is the constant {:short} here: `{} = 1` first makes it a leaf to fit",
                name,
                value,
                name
            )
        };
        is_used.then(|| Note::new(line()))
    };
    CONSTANTS.iter().filter_map(note).collect()
}

/// The shape of all points.
fn common_shape(data: &Value, model: &Value) -> Result<ListShape, Diagnostic> {
    let [data, model] = [data.shape(), model.shape()];
    if data == model || model.is_number() {
        return Ok(data.clone());
    }
    if data.is_number() {
        return Ok(model.clone());
    }
    let message = match [data, model].map(ListShape::lengths) {
        [Some(data), Some(model)] if data.len() == 1 && model.len() == 1 => {
            format!("the data have {} items, the model {}", data[0], model[0])
        }
        _ => format!("the data are {data}, the model is {model}"),
    };
    Err(Diagnostic::new(message).help("they go item by item: lists of one shape, or one number"))
}
