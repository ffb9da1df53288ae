//! Writes leaves, points and numbers into the messages of commands that move leaves or compute with their uncertainties.

use rustc_hash::FxHashSet;

use crate::command::args::relations::Relation;
use crate::command::prelude::*;
use chainrule_engine::graph::Jacobian;
use chainrule_language::{RelationSign, literal};
use chainrule_report::list_with_and;

/// The most names or equations in a message.
pub(crate) const MOST_NAMED: usize = 4;

/// The most digits before the point of a number without a power of ten.
const MOST_WHOLE: f64 = 15.0;

/// Writes a number with this many digits, in a form that can be typed.
pub(crate) fn with_digits(value: f64, digits: usize) -> String {
    let rounded = format!("{value:.*e}", digits - 1).parse().ok();
    // The largest numbers may be rounded to infinity.
    let finite = rounded.filter(|it: &f64| it.is_finite());
    literal(finite.unwrap_or(value), false)
}

/// Writes a number with the digits of tables, in a form that can be typed. As in tables, no digit before the point is lost.
pub(crate) fn with_table_digits(session: &Session, value: f64) -> String {
    let before_point = value.abs().log10().floor() + 1.0;
    let whole = if before_point <= MOST_WHOLE {
        before_point as usize
    } else {
        0
    };
    with_digits(value, session.settings().count("table-digits").max(whole))
}

/// Lists the names of the first few leaves.
pub(crate) fn name_leaves<'n>(
    session: &Session,
    leaves: impl Iterator<Item = &'n Rc<Node>>,
) -> String {
    backtick_list(leaves.take(MOST_NAMED).map(|leaf| session.label(leaf)))
}

/// Lists leaves by the names of their lists, or by their own names. Returns `None` if there are no leaves.
pub(crate) fn name_lists<'n>(
    session: &Session,
    leaves: impl IntoIterator<Item = &'n Rc<Node>>,
) -> Option<Line> {
    let mut known = FxHashSet::default();
    let mut names = Vec::new();
    for leaf in leaves {
        let label = session.label(leaf);
        let name = label.split('[').next().unwrap_or_default().to_string();
        if known.insert(name.clone()) {
            names.push(name);
        }
    }
    let listed = list_with_and(names.iter().map(|name| say!("{:name}", name)), MOST_NAMED);
    (!names.is_empty()).then_some(listed)
}

/// Describes a point by the first few leaves: `x = 3, y = 0.5, …`.
pub(crate) fn describe_point(session: &Session, leaves: &[Rc<Node>], point: &[f64]) -> String {
    let equation = |(leaf, data): (&Rc<Node>, &f64)| {
        let data = with_table_digits(session, *data);
        format!("{} = {data}", session.label(leaf))
    };
    let equations = leaves.iter().zip(point).take(MOST_NAMED).map(equation);
    let more = (leaves.len() > MOST_NAMED).then(|| "…".to_string());
    equations.chain(more).collect::<Vec<_>>().join(", ")
}

/// Describes the point where a search has ended, and how far relations are from holding there: `x = 2, where `x^2` is 4
/// and not 5`.
pub(crate) fn describe_miss(
    session: &Session,
    leaves: &[Rc<Node>],
    point: &[f64],
    relations: &[Relation],
) -> String {
    // The leaves have not moved, so the values of the sides at the point are computed apart from their data.
    let both_sides = relations.iter().flat_map(|it| [&it.left, &it.right]);
    let sides: Vec<Rc<Node>> = both_sides.cloned().collect();
    let values = Jacobian::of(&sides, leaves).values(point);
    let pairs = relations.iter().zip(values.chunks_exact(2));
    let missed = pairs
        .filter_map(|(relation, pair)| describe_violation(session, relation, [pair[0], pair[1]]));
    let missed: Vec<String> = missed.take(MOST_NAMED).collect();
    let described_point = describe_point(session, leaves, point);
    if missed.is_empty() {
        described_point
    } else {
        format!("{described_point}, where {}", missed.join(", "))
    }
}

/// Describes a relation that does not hold between these values of its sides. Returns `None` if the relation holds, or if
/// the digits of tables do not show the difference.
fn describe_violation(
    session: &Session,
    relation: &Relation,
    [left, right]: [f64; 2],
) -> Option<String> {
    let holds = match relation.sign {
        RelationSign::Equal => false,
        RelationSign::AtMost => left <= right,
        RelationSign::AtLeast => left >= right,
    };
    let [left_digits, right_digits] = [left, right].map(|side| with_table_digits(session, side));
    if holds || left_digits == right_digits {
        return None;
    }
    let wanted = match relation.sign {
        RelationSign::Equal => right_digits,
        sign => format!("{} {right_digits}", sign.spelling()),
    };
    let typed = &relation.left_text;
    Some(format!("`{typed}` is {left_digits} and not {wanted}"))
}

/// A note that a step moves measured numbers among these leaves.
pub(crate) fn moved_data_note(session: &Session, leaves: &[Rc<Node>]) -> Option<Note> {
    let names = name_measured(session, leaves)?;
    let note = say!("a measured number is moved, too: `:freeze` keeps {}", names);
    Some(Note::new(note))
}

/// A note that a search without `wrt` does not move measured numbers among these leaves.
pub(crate) fn held_data_note(session: &Session, leaves: &[Rc<Node>]) -> Option<Note> {
    let names = name_measured(session, leaves)?;
    let reason = "stays, because its ± was typed";
    Some(Note::new(say!(
        "{} {}; {:typed} moves it",
        names,
        reason,
        "wrt"
    )))
}

fn name_measured(session: &Session, leaves: &[Rc<Node>]) -> Option<Line> {
    let is_measured = |leaf: &&Rc<Node>| leaf.is_free() && session.names().uncertain.is_typed(leaf);
    name_lists(session, leaves.iter().filter(is_measured))
}

/// A note on the leaves with a `±` whose effect on the found leaves is not known.
pub(crate) fn unknown_effect_note(session: &Session, leaves: &[Rc<Node>]) -> Option<Note> {
    let uncertain = leaves
        .iter()
        .filter(|leaf| session.names().uncertain.has_width(leaf));
    Some(Note::new(say!(
        "the ± of {} is left out: what it adds is not known here",
        name_lists(session, uncertain)?
    )))
}
