//! Statements in Python's spelling, as in the lecture that the calculator accompanies: each equals a statement of its
//! own.
//!
//! `a = Value(2.0, label='a')` binds a name, `L.backward()` is `:backward L`, `a.data = 3` is `:set a 3` except that it
//! keeps the gradients, and `print(L)` is `L`. Only `n.label = 'n'` has no other spelling.

use std::rc::Rc;

use super::{bind, evaluate};
use crate::commands;
use crate::commands::Reply;
use crate::commands::args::Arguments;
use crate::commands::args::resolve;
use crate::commands::args::resolve::LeafRequest;
use crate::commands::change::set;
use crate::diagnostic::Diagnostic;
use crate::report::{Block, Fact, Line, Piece, Report, say};
use crate::session::{Session, Setting};
use crate::syntax;
use crate::syntax::{
    Binding, BindingTarget, Cut, Expression, Head, Item, ItemKind, Lecture, Operator, Printed,
    Property, Span,
};

/// The longest label, in characters.
pub const MAX_LABEL: usize = 100;

/// Runs a statement in Python's spelling.
pub(super) fn run(
    session: &mut Session,
    text: &str,
    cut: &Cut,
    lecture: Lecture,
) -> Result<Reply, Diagnostic> {
    match lecture {
        Lecture::Value {
            target,
            number,
            label,
        } => value(session, text, cut, target, number, label),
        Lecture::Label { node, label } => show_as(session, text, cut, node, label),
        Lecture::Data {
            leaf,
            compound,
            value,
            ..
        } => assign(session, text, cut, leaf, compound, value),
        Lecture::Backward { target } => {
            let command = commands::find("backward").map_err(|_| missing("backward"))?;
            let statement = cut.span.of(text);
            let words = (target, target);
            let arguments = Arguments::cut(command, text, statement, words, cut.silenced)?;
            super::carry_out(session, command, &arguments)
        }
        Lecture::Print(parts) => print(session, text, cut, &parts),
    }
}

/// `a = Value(2.0, label='a')`
fn value<'t>(
    session: &mut Session,
    text: &'t str,
    cut: &Cut,
    target: BindingTarget<'t>,
    mut number: Expression<'t>,
    label: Option<&str>,
) -> Result<Reply, Diagnostic> {
    check_label(label.unwrap_or_default(), cut.span)?;
    // A `Value` holds a number and has no operands, so only the number of the expression is used.
    number.items.push(Item {
        kind: ItemKind::Property(Property::Data),
        span: number.span,
    });
    let binding = Binding {
        frozen: false,
        targets: vec![target],
        compound: None,
        values: vec![number],
    };
    let reply = bind(session, text, cut, &binding)?;
    let node = session.names().get(target.name).map(Rc::clone);
    if let (Some(label), Some(node)) = (label, node) {
        session.relabel(cut.span.of(text), &node, label, true);
    }
    Ok(reply)
}

/// `n.label = 'n'`
fn show_as(
    session: &mut Session,
    text: &str,
    cut: &Cut,
    node: Span,
    label: &str,
) -> Result<Reply, Diagnostic> {
    check_label(label, cut.span)?;
    let found = resolve::node(session, text, node)?;
    if !found.varies() {
        return Err(Diagnostic::new(format!(
            "`{}` is a constant and is in no table",
            node.of(text)
        ))
        .at(node)
        .help("a number with a name of its own can have a label: `a = 2`"));
    }
    session.relabel(cut.span.of(text), &found, label, false);
    let name = session.label(&found);
    let shown = session.shown(&found);
    let report = (!cut.silenced).then(|| Report {
        kind: "label",
        facts: vec![
            ("node", Fact::Text(name.clone())),
            ("label", Fact::Text(shown.clone())),
        ],
        // The lecture labels every value with its own name, which needs no confirmation.
        blocks: Vec::from_iter(
            (shown != name).then(|| Block::Line(say!("{:name} is shown as {:name}", name, shown))),
        ),
        confirmation: true,
    });
    Ok(Reply {
        report,
        ..Reply::default()
    })
}

fn check_label(label: &str, statement: Span) -> Result<(), Diagnostic> {
    let length = label.chars().count();
    if length <= MAX_LABEL {
        return Ok(());
    }
    Err(Diagnostic::new(format!(
        "a label has at most {MAX_LABEL} characters, this one has {length}"
    ))
    .at(statement)
    .help("a table has room for a few words: `n.label = 'n'`"))
}

/// `a.data = 3`, `a.data += 0.1*a.grad`
fn assign<'t>(
    session: &mut Session,
    text: &'t str,
    cut: &Cut,
    leaf: Span,
    compound: Option<&'static Operator>,
    mut value: Expression<'t>,
) -> Result<Reply, Diagnostic> {
    let node = resolve::node(session, text, leaf)?;
    if let Some(operator) = compound {
        // `a.data += E` is `a.data = a.data + (E)`: in postfix order the leaf goes first and the operator last.
        let owner = syntax::expression(text, leaf).map_err(|error| session.explain(&error))?;
        value.items.splice(0..0, owner.items);
        value.items.push(Item {
            kind: ItemKind::Apply(Head::Operator(operator), 2),
            span: value.span,
        });
    }
    let (data, notes) = session.measure(text, &value)?;
    let wish = LeafRequest {
        setting: Setting { leaf: node, data },
        word: leaf,
        notes,
    };
    set::assign(session, cut.span.of(text), cut.silenced, wish)
}

/// `print(L)`, `print('L', L)`
fn print(
    session: &mut Session,
    text: &str,
    cut: &Cut,
    parts: &[Printed],
) -> Result<Reply, Diagnostic> {
    if let [Printed::Value(only)] = parts {
        return evaluate(session, text, cut, only);
    }
    let mut line = Line::new();
    let mut items = Vec::new();
    let mut notes = Vec::new();
    let mut answers = Vec::new();
    for part in parts {
        if !line.is_empty() {
            line.push(Piece::plain(" "));
        }
        match part {
            Printed::Text(words) => {
                line.push(Piece::plain(*words));
                items.push(Fact::Text((*words).to_string()));
            }
            Printed::Value(expression) => {
                let (node, found) = session.evaluate(text, expression)?;
                line.push(Piece::Number(node.data()));
                items.push(Fact::Number(node.data()));
                notes.extend(found);
                answers.push(node);
            }
        }
    }
    let data = match answers.as_slice() {
        [only] => Some(("data", Fact::Number(only.data()))),
        _ => None,
    };
    for node in answers {
        session.point_at(&node, !cut.silenced);
        session.answer(node);
    }
    let report = (!cut.silenced).then(|| {
        Report::new(
            if data.is_some() { "value" } else { "print" },
            data.into_iter()
                .chain([("items", Fact::List(items))])
                .collect(),
            vec![Block::Line(line)],
        )
    });
    Ok(Reply {
        report,
        notes,
        ..Reply::default()
    })
}

fn missing(command: &str) -> Diagnostic {
    Diagnostic::new(format!("there is no command `:{command}`"))
}
