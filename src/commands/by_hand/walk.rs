//! `:walk L`: the pass step by step: where it is, what happens at a stop, and what comes next, for `:next` and `:prev`
//! too.
//!
//! The session computes the stops; JSON has the same as facts.

use std::rc::Rc;

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Cell, Column, Fact, Line, Piece, Report, Table, dim, plural, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::session::by_hand::walk::{Direction, Share, Walk, WalkStop};
use crate::session::naming::formulas::fraction;

/// A stop fits on a screen of 80 columns and 24 lines: a longer label is cut in its middle, and of more operands the
/// first are shown. A number takes at most [`NUMBER`] columns, a whole one at most [`WHOLE`].
const WIDTH: usize = 80;
const LABEL: usize = 32;
const OPERANDS: usize = 16;
const NUMBER: usize = 14;
const WHOLE: usize = 17;

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
    let [forward, ask] = ["forward", "ask"].map(|word| !arguments.words(word).is_empty());
    let direction = if forward {
        Direction::Forward
    } else {
        Direction::Backward
    };
    if !arguments.words("end").is_empty() {
        let line = if session.end_walk() {
            "the walk has ended"
        } else {
            "no walk is open"
        };
        return Ok(Reply::show(Report::done(
            "walk",
            vec![("ended", true.into())],
            say!("{}", line),
        )));
    }
    if arguments.words("T").is_empty() && !forward && session.walk().is_some() {
        if ask {
            session.ask_in_walk();
        }
        return Ok(Reply::show(place(session)));
    }
    let target = arguments.target(session, "T")?;
    session.open_walk(&target.node, direction);
    if ask {
        session.ask_in_walk();
    }
    Ok(Reply::show(place(session)).notes(target.notes))
}

/// Makes the next stop of the open walk. What it shows whole is no question for `:guess` any more.
pub(crate) fn go_on(session: &mut Session) {
    let Some(walk) = session.walk() else { return };
    let coming = walk.coming();
    let root = Rc::clone(walk.root());
    let forward = walk.direction == Direction::Forward;
    session.walk_on();
    let asked = if forward {
        Quantity::Data
    } else {
        Quantity::Grad
    };
    let number = |node: &Rc<Node>| match session.walk() {
        Some(walk) if !forward => walk.grad(node).unwrap_or(0.0),
        _ => node.data(),
    };
    let numbers: Vec<_> = coming
        .iter()
        .map(|node| (node.id(), number(node)))
        .collect();
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
    let stop = walk.stop();
    let mut facts = vec![
        ("position", walk.position().into()),
        ("of", walk.of().into()),
        ("direction", word(walk.direction).into()),
        (
            "node",
            stop.as_ref().map_or(Fact::Null, |stop| {
                Fact::Text(session.label_in_walk(&stop.node))
            }),
        ),
    ];
    let mut blocks = Vec::new();
    match &stop {
        None => blocks.push(Block::Line(beginning(session, walk))),
        Some(stop) if walk.direction == Direction::Backward => {
            facts.push(("data", stop.node.data().into()));
            facts.push(("upstream", stop.upstream.into()));
            blocks.extend(heading(session, walk, stop));
            blocks.push(Block::Table(contributions(session, stop)));
        }
        Some(stop) => {
            facts.push(("data", stop.node.data().into()));
            facts.push(("op", (stop.node.op().map_or("", |op| op.spelling)).into()));
            blocks.extend(heading(session, walk, stop));
            blocks.push(Block::Table(values(session, &stop.node)));
        }
    }
    blocks.push(Block::Line(coming(session, walk)));
    blocks.extend(asking(session).map(Block::Line));
    if stop.is_some() {
        facts.extend(lists(session, walk, stop.as_ref()));
    }
    let label = |node: Option<&Rc<Node>>| {
        node.map_or(Fact::Null, |node| Fact::Text(session.label_in_walk(node)))
    };
    facts.push(("next", label(walk.next())));
    if walk.asks {
        facts.push(("asks", label(walk.question().as_ref())));
    }
    Report::new("walk", facts, blocks)
}

/// What an asking walk asks now: `dL/da = ?`
pub(crate) fn asking(session: &Session) -> Option<Line> {
    let walk = session.walk()?;
    let node = session.label_in_walk(&walk.question()?);
    let what = match walk.direction {
        Direction::Forward => brief(&node, LABEL),
        Direction::Backward => {
            let root = session.label_in_walk(walk.root());
            fraction(&brief(&root, LABEL), &brief(&node, LABEL))
        }
    };
    Some(say!("{:formula} = ?", what))
}

fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Backward => "backward",
        Direction::Forward => "forward",
    }
}

/// What the stop's table shows, as a fact: JSON writes tables after the facts, but `next` is to come last.
fn lists(session: &Session, walk: &Walk, stop: Option<&WalkStop>) -> Option<(&'static str, Fact)> {
    let stop = stop?;
    if walk.direction == Direction::Forward {
        let operand = |node: &Rc<Node>| {
            Fact::Record(vec![
                ("operand", session.label_in_walk(node).into()),
                ("data", node.data().into()),
            ])
        };
        return Some((
            "operands",
            Fact::List(stop.node.operands().iter().map(operand).collect()),
        ));
    }
    let contribution = |share: &Share| {
        Fact::Record(vec![
            ("operand", session.label_in_walk(&share.to).into()),
            (
                "formula",
                session.local_formula(&stop.node, share.operand).into(),
            ),
            ("local", share.local.into()),
            ("contribution", share.amount.into()),
            ("before", share.before.into()),
            ("after", share.after.into()),
        ])
    };
    Some((
        "contributions",
        Fact::List(stop.shares.iter().map(contribution).collect()),
    ))
}

fn beginning(session: &Session, walk: &Walk) -> Line {
    let root = &brief(&session.label_in_walk(walk.root()), LABEL - 8);
    let direction = word(walk.direction);
    let stops = plural(walk.of(), "stop");
    let line = say!("a {} walk of {:name}: {}", direction, root, stops);
    if walk.direction == Direction::Forward {
        say!("{}; the leaves have their data", line)
    } else if root.chars().count() <= LABEL / 4 {
        let grad = fraction(root, root);
        say!("{}; {:formula} = 1, every other grad is 0", line, grad)
    } else {
        line
    }
}

/// `2 of 3   a*b + c = 4   dL/d(a*b + c) = -2`; the upstream gets its own line if one line is too short.
fn heading(session: &Session, walk: &Walk, stop: &WalkStop) -> Vec<Block> {
    let label = brief(&session.label_in_walk(&stop.node), LABEL);
    let place = format!("{} of {}   ", walk.position(), walk.of());
    let indent = " ".repeat(place.len());
    let made = if session.is_named(&stop.node) {
        let expression = brief(&session.expression(&stop.node), LABEL);
        say!("{:formula} = ", expression)
    } else {
        Line::new()
    };
    let data = stop.node.data();
    let line = say!("{:dim}{:name} = {}{}", place, label, made, data);
    let Some(upstream) = stop.upstream else {
        return vec![Block::Line(line)];
    };
    let over = |room| {
        let [root, node] = [walk.root(), &stop.node].map(|node| session.label_in_walk(node));
        fraction(&brief(&root, room), &brief(&node, room))
    };
    let long = Some(over(LABEL)).filter(|long| long.chars().count() <= WIDTH / 2);
    let what = long.unwrap_or_else(|| over(LABEL / 2));
    let upstream = say!("{:dim}{:formula} = {}", "upstream ", what, upstream);
    let width = |piece: &Piece| match piece {
        Piece::Number(value) => {
            let most = if value.fract() == 0.0 { WHOLE } else { NUMBER };
            value.to_string().len().min(most)
        }
        other => other.words().chars().count(),
    };
    let length: usize = line.iter().chain(&upstream).map(width).sum();
    if length + 3 > WIDTH {
        let below = say!("{}{}", indent, upstream);
        return vec![Block::Line(line), Block::Line(below)];
    }
    vec![Block::Line(say!("{}   {}", line, upstream))]
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

/// How many operands are not shown.
fn omitted(shown: usize, all: usize) -> Option<(usize, String)> {
    (all > shown).then(|| (all - shown, "--json writes all".to_string()))
}

/// The table of what a node passes on: local, upstream times local, and the operand's grad before and after.
fn contributions(session: &Session, stop: &WalkStop) -> Table {
    let row = |share: &Share| {
        let nth = match share.nth {
            1 => Cell::Empty,
            2 => Cell::Dim("second contribution".to_string()),
            3 => Cell::Dim("third contribution".to_string()),
            nth => Cell::Dim(format!("contribution {nth}")),
        };
        vec![
            Cell::Name(session.label_in_walk(&share.to)),
            Cell::Formula(session.local_formula(&stop.node, share.operand)),
            Cell::Number(share.local),
            Cell::Number(share.amount),
            Cell::Change(share.before, share.after),
            nth,
        ]
    };
    Table {
        key: "",
        columns: vec![
            Column::people("operand"),
            Column::people("local").rank(1),
            Column::people("="),
            Column::grads_for_people("upstream*local"),
            Column::grads_for_people("grad"),
            Column::people("").rank(2),
        ],
        rows: stop.shares.iter().take(OPERANDS).map(row).collect(),
        omitted: omitted(OPERANDS, stop.shares.len()),
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
    Table {
        key: "",
        columns: vec![Column::people("operand"), Column::people("data")],
        rows: node.operands().iter().take(OPERANDS).map(row).collect(),
        omitted: omitted(OPERANDS, node.operands().len()),
    }
}

/// Which node is next, and why it is ready.
fn coming(session: &Session, walk: &Walk) -> Line {
    let Some(next) = walk.next() else {
        let label = session.label(walk.root());
        let root = if label.chars().count() <= 2 * LABEL - 20 {
            label
        } else {
            format!("@{}", walk.root().id())
        };
        return dim(match walk.direction {
            Direction::Backward => say!("done: every grad is what `:grad {}` shows", root),
            Direction::Forward => say!("done: {:name} has its data", root),
        });
    };
    let why = match walk.direction {
        _ if walk.position() == 0 => "",
        Direction::Backward => ": all its users are done",
        Direction::Forward => ": all its operands are done",
    };
    let label = brief(&session.label_in_walk(next), 2 * LABEL - 20);
    dim(say!("next: {:name}{}", label, why))
}
