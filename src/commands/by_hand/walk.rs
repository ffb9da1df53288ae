//! `:walk L`: the pass step by step: where it is, what happens at a stop, and what comes next, for `:next` and `:prev`
//! too.
//!
//! The session computes the stops; JSON has the same as facts.

use std::rc::Rc;

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Cell, Column, Line, Report, Table, dim, plural, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::session::by_hand::walk::{Direction, Share, Walk};
use crate::session::naming::formulas::fraction;

/// A stop fits on a screen of 80 columns and 24 lines: a longer label is cut in its middle, and of more operands the
/// first are shown.
const LABEL: usize = 24;
const OPERANDS: usize = 16;

pub(crate) const COMMAND: Command = Command {
    name: "walk",
    aliases: &["w"],
    group: Group::Walk,
    looks: false,
    entry: (":walk L", "stop by stop"),
    arguments: &[
        Argument::optional("T", ArgumentKind::Expression)
            .means("where the pass starts; without it, the open walk is shown, or one begins")
            .varying(),
        Argument::flag("forward").means("go through the values, from the leaves up"),
        Argument::flag("ask").means("ask for each number before it is shown"),
        Argument::flag("end").means("close the walk"),
    ],
    summary: "go through the pass of T by hand",
    page: page!("commands/walk"),
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    if arguments.has("end") {
        let line = if session.end_walk() {
            "the walk has ended"
        } else {
            "no walk is open"
        };
        let facts = vec![("ended", true.into())];
        return Ok(Reply::show(Report::done("walk", facts, say!("{}", line))));
    }
    let [forward, ask] = ["forward", "ask"].map(|word| arguments.has(word));
    if !arguments.has("T") && !forward && session.walk().is_some() {
        if ask {
            session.ask_in_walk();
        }
        return Ok(Reply::show(place(session)));
    }
    let target = arguments.target(session, "T")?;
    let direction = if forward {
        Direction::Forward
    } else {
        Direction::Backward
    };
    session.open_walk(&target.node, direction);
    if ask {
        session.ask_in_walk();
    }
    Ok(Reply::show(place(session)).notes(target.notes))
}

/// Makes the next stop of the open walk. What it shows whole is no question for `:guess` any more.
pub(crate) fn go_on(session: &mut Session) {
    let Some(walk) = session.walk() else { return };
    let (root, asked, coming) = (
        Rc::clone(&walk.root),
        walk.quantity(),
        walk.coming().to_vec(),
    );
    session.walk_on();
    let grad = |node: &Node| session.walk().and_then(|walk| walk.grad(node));
    let number = |node: &Rc<Node>| match asked {
        Quantity::Grad => (node.id(), grad(node).unwrap_or(0.0)),
        Quantity::Data => (node.id(), node.data()),
    };
    let numbers: Vec<_> = coming.iter().map(number).collect();
    session.answers_shown(&root, asked, numbers);
}

/// The open walk; an error if there is none.
pub(crate) fn open<'s>(
    session: &'s mut Session,
    arguments: &Arguments,
) -> Result<&'s Walk, Diagnostic> {
    match session.walk() {
        Some(walk) => Ok(walk),
        None => Err(Diagnostic::new("no walk is open")
            .at(arguments.word)
            .help("start one, as in `:walk L`")),
    }
}

/// Where the walk is: shown by `:walk` alone, and by `:next` and `:prev` after they have moved.
pub(crate) fn place(session: &Session) -> Report {
    let Some(walk) = session.walk() else {
        return Report::default();
    };
    let label = |node: Option<&Rc<Node>>| node.map(|node| session.label_in_walk(node)).into();
    let current = walk.current();
    let mut facts = vec![
        ("position", walk.position.into()),
        ("of", walk.of().into()),
        ("direction", word(walk.direction).into()),
        ("node", label(current)),
    ];
    let mut blocks = Vec::new();
    if let Some(node) = current {
        facts.push(("data", node.data().into()));
        blocks.push(Block::Line(heading(session, walk, node)));
        if walk.direction == Direction::Backward {
            let upstream = walk.grad(node).unwrap_or(0.0);
            facts.push(("upstream", upstream.into()));
            let what = derivative(session, walk, node);
            let line = say!("{:dim}{:formula} = {}", "upstream ", what, upstream);
            blocks.push(Block::Line(line));
            blocks.push(Block::Table(contributions(session, node, walk.shares())));
        } else {
            facts.push(("op", node.op().map_or("", |op| op.spelling).into()));
            blocks.push(Block::Table(values(session, node)));
        }
    } else {
        blocks.push(Block::Line(beginning(session, walk)));
    }
    blocks.push(Block::Line(coming(session, walk)));
    blocks.extend(asking(session).map(Block::Line));
    facts.push(("next", label(walk.next())));
    if walk.asks {
        facts.push(("asks", label(walk.question().as_ref())));
    }
    Report::new("walk", facts, blocks)
}

/// The derivative of the walk's root by a node: `dL/d(a*b)`
fn derivative(session: &Session, walk: &Walk, node: &Rc<Node>) -> String {
    let [root, node] = [&walk.root, node].map(|it| brief(&session.label_in_walk(it), LABEL));
    fraction(&root, &node)
}

/// What an asking walk asks now: `dL/da = ?`
pub(crate) fn asking(session: &Session) -> Option<Line> {
    let walk = session.walk()?;
    let node = &walk.question()?;
    let what = match walk.direction {
        Direction::Forward => brief(&session.label_in_walk(node), LABEL),
        Direction::Backward => derivative(session, walk, node),
    };
    Some(say!("{:formula} = ?", what))
}

fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Backward => "backward",
        Direction::Forward => "forward",
    }
}

/// `a backward walk of L: 3 stops; dL/dL = 1, every other grad is 0`
fn beginning(session: &Session, walk: &Walk) -> Line {
    let root = brief(&session.label_in_walk(&walk.root), LABEL);
    let (direction, stops) = (word(walk.direction), plural(walk.of(), "stop"));
    let line = say!("a {} walk of {:name}: {}", direction, root, stops);
    match walk.direction {
        Direction::Forward => say!("{}; the leaves have their data", line),
        Direction::Backward => {
            let own = derivative(session, walk, &walk.root);
            say!("{}; {:formula} = 1, every other grad is 0", line, own)
        }
    }
}

/// `2 of 3   d = a*b + c = 4`
fn heading(session: &Session, walk: &Walk, node: &Rc<Node>) -> Line {
    let label = brief(&session.label_in_walk(node), LABEL);
    let place = format!("{} of {}   ", walk.position, walk.of());
    let made = if session.is_named(node) {
        say!("{:formula} = ", brief(&session.expression(node), LABEL))
    } else {
        Line::new()
    };
    say!("{:dim}{:name} = {}{}", place, label, made, node.data())
}

/// A label for people, its middle left out if it is longer than `room`.
pub(crate) fn brief(label: &str, room: usize) -> String {
    let count = label.chars().count();
    if count <= room {
        return label.to_string();
    }
    let (head, tail) = (room / 2, room - room / 2 - 1);
    let mut out: String = label.chars().take(head).collect();
    out.push('…');
    out.extend(label.chars().skip(count - tail));
    out
}

/// How many of these operands are shown, and how many are not. Programs get all.
fn cut(session: &Session, all: usize) -> (usize, Option<(usize, String)>) {
    if session.all_rows || all <= OPERANDS {
        return (all, None);
    }
    let typed = "--json writes all".to_string();
    (OPERANDS, Some((all - OPERANDS, typed)))
}

/// The table of what a node passes on: local, upstream times local, and the operand's grad before and after.
fn contributions(session: &Session, node: &Rc<Node>, shares: &[Share]) -> Table {
    let row = |share: &Share| {
        let nth = match share.nth {
            1 => Cell::Empty,
            2 => Cell::Dim("second contribution".to_string()),
            3 => Cell::Dim("third contribution".to_string()),
            nth => Cell::Dim(format!("contribution {nth}")),
        };
        vec![
            Cell::Name(session.label_in_walk(&share.to)),
            Cell::Formula(session.local_formula(node, share.operand)),
            Cell::Number(share.local),
            Cell::Number(share.amount),
            Cell::Change(share.before, share.after),
            Cell::Number(share.before),
            Cell::Number(share.after),
            nth,
        ]
    };
    let (most, omitted) = cut(session, shares.len());
    Table {
        key: "contributions",
        columns: vec![
            Column::new("operand", "operand"),
            Column::new("formula", "local").rank(1),
            Column::new("local", "="),
            Column {
                grads: true,
                ..Column::new("contribution", "upstream*local")
            },
            Column::people("grad").signed(),
            Column::machines("before"),
            Column::machines("after"),
            Column::people("").rank(2),
        ],
        rows: shares.iter().take(most).map(row).collect(),
        omitted,
    }
}

/// The table of operands at a forward stop.
fn values(session: &Session, node: &Node) -> Table {
    let row = |operand: &Rc<Node>| {
        vec![
            Cell::Name(session.label_in_walk(operand)),
            Cell::Number(operand.data()),
        ]
    };
    let (most, omitted) = cut(session, node.operands().len());
    Table {
        key: "operands",
        columns: vec![
            Column::new("operand", "operand"),
            Column::new("data", "data"),
        ],
        rows: node.operands().iter().take(most).map(row).collect(),
        omitted,
    }
}

/// Which node is next, and why it is ready.
fn coming(session: &Session, walk: &Walk) -> Line {
    let Some(next) = walk.next() else {
        let root = brief(&session.label(&walk.root), LABEL);
        return dim(match walk.direction {
            Direction::Backward => say!("done: every grad is what `:grad` shows"),
            Direction::Forward => say!("done: {:name} has its data", root),
        });
    };
    let why = match walk.direction {
        _ if walk.position == 0 => "",
        Direction::Backward => ": all its users are done",
        Direction::Forward => ": all its operands are done",
    };
    let label = brief(&session.label_in_walk(next), LABEL);
    dim(say!("next: {:name}{}", label, why))
}
