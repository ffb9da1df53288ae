//! Shared parts of `:solve`, `:fit` and `:minimize`: checks before a search for leaves, names of leaves in messages, the
//! move to the point that was found, and the table of the leaves.
//!
//! `study::goals` does the search.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::commands::Reply;
use crate::commands::args::relations::Relation;
use crate::commands::args::{Argument, Arguments};
use crate::commands::node_table::{self, NodeTable, TableNode};
use crate::session::{Session, Setting, Widths, setting_text};
use crate::study::goals::{SearchWatch, counted_sources, depends_on_leaves, unmoved_leaves};
use chainrule_engine::graph::{Jacobian, Node, NodeId, Order};
use chainrule_language::{RelationSign, Span, literal};
use chainrule_report::diagnostic::{Diagnostic, backtick_list};
use chainrule_report::{Cell, Column, Line, Note, Report, Table, count_text, list_with_and, say};
use chainrule_stop as stop;

/// The most names or equations in a message.
pub(super) const MOST_NAMED: usize = 4;

/// A change by less than this part counts as rounding: some thousand units in the last place.
const ROUNDING: f64 = 1e-12;

/// Writes a number with six digits, in a form that can be typed.
pub(super) fn six_digits(value: f64) -> String {
    with_digits(value, 6)
}

/// Writes a number with this many digits, in a form that can be typed.
pub(super) fn with_digits(value: f64, digits: usize) -> String {
    let rounded = format!("{value:.*e}", digits - 1).parse();
    literal(rounded.unwrap_or(value), false)
}

/// `1 leaf`, `3 leaves`.
pub(crate) fn leaf_count(count: usize) -> String {
    let noun = if count == 1 { "leaf" } else { "leaves" };
    format!("{} {noun}", count_text(count))
}

/// Lists the names of the first few leaves.
pub(super) fn name_leaves<'n>(
    session: &Session,
    leaves: impl Iterator<Item = &'n Rc<Node>>,
) -> String {
    backtick_list(leaves.take(MOST_NAMED).map(|leaf| session.label(leaf)))
}

/// Lists leaves by the names of their lists, or by their own names.
pub(super) fn name_lists(session: &Session, leaves: &[Rc<Node>]) -> Line {
    let mut known = FxHashSet::default();
    let mut names = Vec::new();
    for leaf in leaves {
        let label = session.label(leaf);
        let name = label.split('[').next().unwrap_or_default().to_string();
        if known.insert(name.clone()) {
            names.push(name);
        }
    }
    list_with_and(names.iter().map(|name| say!("{:name}", name)), MOST_NAMED)
}

/// Describes a point by the first few leaves: `x = 3, y = 0.5, …`
pub(super) fn describe_point(session: &Session, leaves: &[Rc<Node>], point: &[f64]) -> String {
    let place = |(leaf, data): (&Rc<Node>, &f64)| {
        format!("{} = {}", session.label(leaf), six_digits(*data))
    };
    let places = leaves.iter().zip(point).take(MOST_NAMED).map(place);
    let more = (leaves.len() > MOST_NAMED).then(|| "…".to_string());
    places.chain(more).collect::<Vec<_>>().join(", ")
}

/// The free leaves of an order, oldest first.
pub(crate) fn free_leaves(order: &Order) -> Vec<Rc<Node>> {
    leaves_in(order, Node::is_free)
}

fn leaves_in(order: &Order, is_wanted: fn(&Node) -> bool) -> Vec<Rc<Node>> {
    let mut leaves = order.nodes().to_vec();
    leaves.retain(|node| is_wanted(node));
    leaves.sort_by_key(|leaf| leaf.id());
    leaves
}

/// Refuses a root without a free leaf below it.
pub(crate) fn check_free(session: &Session, root: &Rc<Node>, span: Span) -> Result<(), Diagnostic> {
    let order = Order::below([root]);
    if order.nodes().iter().any(|node| node.is_free()) {
        return Ok(());
    }
    let frozen = name_leaves(session, order.nodes().iter().filter(|node| node.is_leaf()));
    let help = if frozen.is_empty() {
        "only a leaf can move, such as `a` after `a = 2`".to_string()
    } else {
        format!("`:thaw` frees a frozen leaf: {frozen}")
    };
    let message = format!("`{}` has no free leaf to move", session.label(root));
    Err(Diagnostic::new(message).at(span).help(help))
}

/// Refuses to move several lists if some may be data and the user has not typed `all`.
pub(crate) fn check_lists(
    session: &mut Session,
    arguments: &Arguments,
    all_argument: &Argument,
    target: &Rc<Node>,
    order: &Order,
) -> Result<(), Diagnostic> {
    if arguments.has(all_argument) {
        session.let_all_move(target);
        return Ok(());
    }
    let lists = session.lists_in_doubt(target, &leaves_in(order, Node::is_leaf));
    if lists.is_empty() {
        return Ok(());
    }
    let named = backtick_list(&lists);
    let message = format!("nothing says which of these lists are data: {named}");
    let (all, command) = (lists.join(" "), arguments.statement.trim());
    let help = format!("`:freeze {all}` keeps data as they are; `{command} all` moves all of them");
    Err(Diagnostic::new(message).at(arguments.name_span).help(help))
}

/// A note that measured numbers are among these leaves, which move.
pub(crate) fn measured_note(session: &Session, leaves: &[Rc<Node>]) -> Option<Note> {
    let mut measured = leaves.to_vec();
    measured.retain(|leaf| {
        session.names().uncertain.is_typed(leaf) && session.uncertainty(leaf) > Some(0.0)
    });
    let names = name_lists(session, &measured);
    let line = say!("a measured number is moved, too: `:freeze` keeps {}", names);
    (!measured.is_empty()).then(|| Note::new(line))
}

/// Refuses a side that is not finite at the point where the search begins.
pub(super) fn check_finite(
    session: &Session,
    side: &Rc<Node>,
    span: Span,
) -> Result<(), Diagnostic> {
    if side.data().is_finite() {
        return Ok(());
    }
    let (label, number) = (session.label(side), literal(side.data(), false));
    let message = format!("`{label}` is {number} here, and the search cannot begin");
    Err(Diagnostic::new(message)
        .at(span)
        .help("begin where it is a number: `:set` a leaf, or write another number"))
}

/// Refuses a relation that depends on none of these leaves, and one with a side that is not finite.
pub(super) fn check_relations(
    session: &Session,
    relations: &[Relation],
    leaves: &[Rc<Node>],
) -> Result<(), Diagnostic> {
    let all = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let order = Order::below(all);
    let moved: FxHashSet<NodeId> = leaves.iter().map(|leaf| leaf.id()).collect();
    let moves = depends_on_leaves(&order, |node| moved.contains(&node.id()));
    for relation in relations {
        let sides = [&relation.left, &relation.right];
        let mut places = sides.into_iter().filter_map(|side| order.slot(side));
        if !places.any(|place| moves[place]) {
            let names = name_leaves(session, leaves.iter());
            let message = format!("`{}` does not depend on {names}", relation.left_text);
            return Err(Diagnostic::new(message)
                .at(relation.left_span)
                .help("each relation needs one of the leaves that may change"));
        }
        for side in sides {
            check_finite(session, side, relation.span)?;
        }
    }
    Ok(())
}

/// Reads relations as bounds, and returns the least and the greatest number of each leaf. `example` is a line with a bound.
pub(super) fn bounds(
    session: &Session,
    relations: &[Relation],
    leaves: &[Rc<Node>],
    example: &str,
) -> Result<Vec<(f64, f64)>, Diagnostic> {
    check_relations(session, relations, leaves)?;
    let mut bounds = vec![(f64::NEG_INFINITY, f64::INFINITY); leaves.len()];
    let places = leaves.iter().enumerate();
    let places: FxHashMap<NodeId, usize> = places.map(|(at, leaf)| (leaf.id(), at)).collect();
    let order = Order::below(relations.iter().map(|it| &it.right));
    let is_free = depends_on_leaves(&order, Node::is_free);
    for relation in relations {
        let slot = order.slot(&relation.right);
        let is_fixed = slot.is_none_or(|slot| !is_free[slot]);
        let place = places.get(&relation.left.id()).filter(|_| is_fixed);
        let range = place.map(|&at| &mut bounds[at]);
        let bound = relation.right.data();
        match (relation.sign, range) {
            (RelationSign::AtLeast, Some((low, high))) if bound <= *high => *low = low.max(bound),
            (RelationSign::AtMost, Some((low, high))) if bound >= *low => *high = high.min(bound),
            _ => {
                let message = format!("`{}` cannot be a bound", relation.text);
                let help = format!(
                    "a leaf that moves beside a number that leaves room for it, as in {example}; `:freeze k` keeps it as it is, and `:minimize` takes other constraints"
                );
                return Err(Diagnostic::new(message).at(relation.span).help(help));
            }
        }
    }
    Ok(bounds)
}

/// Describes the point where a search has ended, and how far relations are from holding there: `x = 2, where `x^2` is 4
/// and not 5`.
pub(super) fn describe_miss(
    session: &Session,
    leaves: &[Rc<Node>],
    point: &[f64],
    relations: &[Relation],
) -> String {
    let sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let sides: Vec<Rc<Node>> = sides.cloned().collect();
    let values = Jacobian::of(&sides, leaves).values(point);
    let pairs = relations.iter().zip(values.chunks_exact(2));
    let missed =
        pairs.filter_map(|(relation, pair)| describe_violation(relation, pair[0], pair[1]));
    let missed: Vec<String> = missed.take(MOST_NAMED).collect();
    let at = describe_point(session, leaves, point);
    if missed.is_empty() {
        at
    } else {
        format!("{at}, where {}", missed.join(", "))
    }
}

/// Describes a relation that does not hold between these values of its sides.
fn describe_violation(relation: &Relation, left: f64, right: f64) -> Option<String> {
    let (holds, sign) = match relation.sign {
        RelationSign::Equal => (false, ""),
        RelationSign::AtMost => (left <= right, "<= "),
        RelationSign::AtLeast => (left >= right, ">= "),
    };
    let [left, right] = [left, right].map(six_digits);
    let text = format!("`{}` is {left} and not {sign}{right}", relation.left_text);
    (!holds && left != right).then_some(text)
}

/// Runs a search for these leaves. The host learns of each pass its number, a value to watch, and where the leaves are.
/// It is an error if the user stops the search in its first pass, or if a leaf decides what the roots compute.
pub(super) fn run_search<T>(
    session: &mut Session,
    roots: &[Rc<Node>],
    leaves: &[Rc<Node>],
    most: u64,
    search: impl FnOnce(&mut Session, SearchWatch) -> T,
) -> Result<T, Diagnostic> {
    let nowhere = Span::default();
    session
        .check_guards(roots, Some(leaves), nowhere)
        .map_err(|error| Diagnostic {
            span: None,
            ..*error
        })?;
    let host = session.host();
    let labels: Vec<String> = leaves.iter().map(|leaf| session.label(leaf)).collect();
    let (mut found_nothing, mut passes) = (false, 0);
    let mut show = |pass: u64, value: f64, point: &[f64]| {
        passes = pass;
        host.progress(pass, most, value);
        host.keep_leaves(&|| setting_text(labels.iter().zip(point.iter().copied())));
    };
    let mut watch = |pass: u64, value: f64, point: &[f64]| {
        show(pass, value, point);
        let stops = host.stop();
        found_nothing |= stops && pass <= 1;
        !stops
    };
    let found = search(session, &mut watch);
    host.end_progress();
    let nodes = Order::below(roots).nodes().len() as u64;
    session.keeping().count_work(passes.saturating_mul(nodes));
    if found_nothing {
        return Err(Diagnostic::of_interrupt());
    }
    Ok(found)
}

/// The point that a search has found.
pub(super) struct FoundPoint<'l> {
    pub(super) leaves: &'l [Rc<Node>],
    pub(super) point: &'l [f64],
    pub(super) is_interrupted: bool,
    /// The new uncertainties of the leaves.
    pub(super) widths: Widths,
    pub(super) notes: Vec<Note>,
}

impl FoundPoint<'_> {
    /// Moves the leaves and makes the reply. `make_report` gets their data before. Ctrl-C waits until the end:
    /// otherwise the session would be left half changed.
    pub(super) fn move_leaves(
        mut self,
        session: &mut Session,
        make_report: impl FnOnce(&mut Session, &[f64]) -> Report,
    ) -> Reply {
        let before: Vec<f64> = self.leaves.iter().map(|leaf| leaf.data()).collect();
        let each = self.leaves.iter().cloned().zip(self.point);
        let settings: Vec<Setting> = each.map(|(leaf, &data)| Setting { leaf, data }).collect();
        // A search that was stopped would end elsewhere.
        if self.is_interrupted {
            session.keeping().count_work(u64::MAX);
        }
        // The last pass is repeated, as after `:set`.
        let report = stop::run_to_end(|| {
            self.notes
                .extend(session.set(&settings, self.widths, |_, _| {}));
            session.repeat_pass();
            make_report(session, &before)
        });
        let mut reply = Reply::show(report).with_notes(self.notes);
        reply.is_interrupted = self.is_interrupted;
        reply
    }
}

/// The new uncertainties of leaves that were found at a point. They follow from those of the other leaves below `roots`;
/// `slopes` computes the derivatives by these. If they are not known, a note says so.
pub(super) fn found_widths(
    session: &mut Session,
    roots: &[Rc<Node>],
    leaves: &[Rc<Node>],
    point: &[f64],
    notes: &mut Vec<Note>,
    slopes: impl FnOnce(&mut Session, &[Rc<Node>]) -> Option<Vec<Vec<f64>>>,
) -> Widths {
    let others = unmoved_leaves(roots, leaves);
    let is_uncertain = |leaf: &Rc<Node>| session.uncertainty(leaf) > Some(0.0);
    if others.is_empty() && !leaves.iter().any(is_uncertain) {
        return Widths::new();
    }
    if let Some(sources) = counted_sources(session, others.clone())
        && let Some(slopes) = slopes(session, &sources)
    {
        let uncertain = &session.names().uncertain;
        let found = uncertain.of_found(point, None, &sources, &slopes);
        return leaves.iter().cloned().zip(found).collect();
    }
    notes.extend(unknown_effect_note(session, &others));
    Widths::new()
}

/// A note on the leaves with a `±` whose effect on the found leaves is not known.
pub(super) fn unknown_effect_note(session: &Session, leaves: &[Rc<Node>]) -> Option<Note> {
    let mut uncertain = leaves.to_vec();
    uncertain.retain(|leaf| session.uncertainty(leaf) > Some(0.0));
    let names = name_lists(session, &uncertain);
    let line = say!(
        "the ± of {} is left out: what it adds is not known here",
        names
    );
    (!uncertain.is_empty()).then(|| Note::new(line))
}

/// The column of the uncertainties of leaves, if any has one.
pub(super) fn sigma_column(session: &Session, leaves: &[Rc<Node>]) -> Option<(Column, Vec<Cell>)> {
    let cell = |leaf: &Rc<Node>| {
        node_table::leaf_measurement(session.names(), leaf).map_or(Cell::Missing, Cell::Sigma)
    };
    let has_width = |leaf: &Rc<Node>| session.uncertainty(leaf).is_some();
    let cells = || leaves.iter().map(cell).collect();
    (leaves.iter().any(has_width)).then(|| (Column::new("sigma", "±"), cells()))
}

/// The table of leaves that a search has moved, with more columns after those of their data.
pub(super) fn moved_table(
    session: &Session,
    leaves: &[Rc<Node>],
    before: &[f64],
    more: impl IntoIterator<Item = (Column, Vec<Cell>)>,
) -> Table {
    // Data that has moved by rounding alone must not look changed.
    let start = |row: &TableNode| {
        let (before, after) = (before[row.place], row.node.data());
        let is_unchanged = (before - after).abs() <= ROUNDING * after.abs();
        if is_unchanged { after } else { before }
    };
    let cell = |row: &TableNode, data: f64, other: f64| {
        let found = node_table::leaf_measurement(session.names(), &row.node);
        let fitted = found.filter(|of| !of.is_typed && of.value == data);
        fitted.map_or(Cell::Distinct(data, other), Cell::Value)
    };
    let mut table = NodeTable::of(session, leaves)
        .id()
        .label(Column::new("node", "leaf"))
        .shape()
        .column(Column::new("before", "before"), |row| {
            cell(row, start(row), row.node.data())
        })
        .column(Column::new("after", "after"), |row| {
            cell(row, row.node.data(), start(row))
        });
    for (column, cells) in more {
        table = table.column(column, move |row| cells[row.place].clone());
    }
    table.names(session).table("rows")
}
