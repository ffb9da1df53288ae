//! `:walk L`: goes through a pass by hand. Also makes the report of a stop, for `:next` and `:prev`.
//!
//! The session computes the stops; this file only shows them.

use std::rc::Rc;

use crate::commands::args::{Argument, Arguments, Takes};
use crate::commands::gradients::grad;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Cell, Column, Fact, Line, Piece, Report, Table};
use crate::session::Session;
use crate::session::by_hand::walk::{Direction, Share, Walk, WalkStop};
use crate::session::naming::formulas::fraction;

pub(crate) const COMMAND: Command = Command {
    name: "walk",
    aliases: &["w"],
    group: Group::Walk,
    entry: (":walk L", "stop by stop"),
    arguments: &[
        Argument::optional("T", Takes::Expression)
            .means("where the pass starts; left out, the open walk is shown, or one begins"),
        Argument::flag("forward").means("go through the values, from the leaves up"),
        Argument::flag("end").means("close the walk"),
    ],
    summary: "go through the pass of T by hand",
    details: "Opens a walk: `:next` makes a stop at each computed node in pass order, `:prev` takes it back, and an empty \
              line at the prompt is `:next`. A backward stop shows what the node got (its upstream) and, for each \
              operand, the local derivative, upstream times local, and the operand's grad before and after. `forward` \
              goes through the values instead. `:guess` predicts what is to come. Alone it shows where you are; `end` closes the walk. A finished walk is \
              `:grad T` to the bit. Changed data ends a walk.",
    example: "
∂> a, b, c = 2, -3, 10
a = 2, b = -3, c = 10
∂> L = (a*b + c)*a
L = 8
∂> :walk L
a backward walk of L: 3 stops; dL/dL = 1, every other grad is 0
next: L
∂> :next
1 of 3   L = (a*b + c)*a = 8   upstream dL/dL = 1
  operand   local     =   upstream*local   grad
  a*b + c   a         2                2      0 → 2
  a         a*b + c   4                4      0 → 4
next: a*b + c: all its users are done
∂> :next 2
2 of 3   a*b + c = 4   upstream dL/d(a*b + c) = 2
  operand   local   =   upstream*local   grad
  a*b       1       1                2      0 → 2
  c         1       1                2      0 → 2
next: a*b: all its users are done

3 of 3   a*b = -6   upstream dL/d(a*b) = 2
  operand   local    =   upstream*local   grad
  a         b       -3               -6      4 → -2   second contribution
  b         a        2                4      0 →  4
done: every grad is what :grad L shows
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    if !arguments.words("end").is_empty() {
        let line = if session.end_walk() {
            "the walk has ended"
        } else {
            "no walk is open"
        };
        return Ok(Reply::show(Report {
            kind: "walk",
            facts: vec![("ended", Fact::Flag(true))],
            blocks: vec![Block::Line(vec![Piece::plain(line)])],
            confirmation: true,
        }));
    }
    let forward = !arguments.words("forward").is_empty();
    if arguments.words("T").is_empty() && !forward && session.walk().is_some() {
        return Ok(Reply::show(place(session)));
    }
    let target = arguments.target(session, "T")?;
    grad::has_leaf(session, arguments, &target)?;
    let direction = if forward {
        Direction::Forward
    } else {
        Direction::Backward
    };
    session.open_walk(&target.node, direction);
    Ok(Reply::show(place(session)).notes(target.notes))
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

/// The report of the present stop, for `:walk` without arguments, `:next` and `:prev`.
pub(crate) fn place(session: &Session) -> Report {
    let Some(walk) = session.walk() else {
        return Report::default();
    };
    let stop = walk.stop();
    let mut facts = vec![
        ("position", Fact::Count(walk.position() as u64)),
        ("of", Fact::Count(walk.of() as u64)),
        ("direction", Fact::Text(word(walk.direction()).to_string())),
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
        Some(stop) if walk.direction() == Direction::Backward => {
            facts.push(("data", Fact::Number(stop.node.data())));
            facts.push(("upstream", stop.upstream.map_or(Fact::Null, Fact::Number)));
            blocks.extend(heading(session, walk, stop));
            blocks.push(Block::Table(contributions(session, stop)));
        }
        Some(stop) => {
            facts.push(("data", Fact::Number(stop.node.data())));
            facts.push((
                "op",
                Fact::Text(stop.node.op().map_or("", |op| op.spelling).to_string()),
            ));
            blocks.extend(heading(session, walk, stop));
            blocks.push(Block::Table(values(session, &stop.node)));
        }
    }
    blocks.push(Block::Line(coming(session, walk)));
    if stop.is_some() {
        facts.extend(lists(session, walk, stop.as_ref()));
    }
    facts.push((
        "next",
        walk.next()
            .map_or(Fact::Null, |next| Fact::Text(session.label_in_walk(next))),
    ));
    Report {
        kind: "walk",
        facts,
        blocks,
        confirmation: false,
    }
}

fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Backward => "backward",
        Direction::Forward => "forward",
    }
}

/// These lists are facts rather than tables, because JSON writes tables after the facts and `next` has to come last.
fn lists(session: &Session, walk: &Walk, stop: Option<&WalkStop>) -> Option<(&'static str, Fact)> {
    let stop = stop?;
    if walk.direction() == Direction::Forward {
        let operand = |node: &Rc<Node>| {
            Fact::Record(vec![
                ("operand", Fact::Text(session.label_in_walk(node))),
                ("data", Fact::Number(node.data())),
            ])
        };
        return Some((
            "operands",
            Fact::List(stop.node.operands().iter().map(operand).collect()),
        ));
    }
    let contribution = |share: &Share| {
        Fact::Record(vec![
            ("operand", Fact::Text(session.label_in_walk(&share.to))),
            (
                "formula",
                Fact::Text(session.local_formula(&stop.node, share.operand)),
            ),
            ("local", Fact::Number(share.local)),
            ("contribution", Fact::Number(share.amount)),
            ("before", Fact::Number(share.before)),
            ("after", Fact::Number(share.after)),
        ])
    };
    Some((
        "contributions",
        Fact::List(stop.shares.iter().map(contribution).collect()),
    ))
}

fn beginning(session: &Session, walk: &Walk) -> Line {
    let root = brief(&session.label_in_walk(walk.root()), LABEL - 8);
    let stops = match walk.of() {
        1 => "1 stop".to_string(),
        stops => format!("{stops} stops"),
    };
    let mut line = vec![
        Piece::plain(format!("a {} walk of ", word(walk.direction()))),
        Piece::name(&root),
    ];
    line.push(Piece::plain(format!(": {stops}")));
    if walk.direction() == Direction::Forward {
        line.push(Piece::plain("; the leaves have their data"));
    } else if root.chars().count() <= LABEL / 4 {
        line.extend([
            Piece::plain("; "),
            Piece::formula(fraction(&root, &root)),
            Piece::plain(" = 1, every other grad is 0"),
        ]);
    }
    line
}

/// The heading of a stop: `2 of 3   a*b + c = 4   dL/d(a*b + c) = -2`. If that is too long, the upstream is on a second
/// line.
fn heading(session: &Session, walk: &Walk, stop: &WalkStop) -> Vec<Block> {
    let label = brief(&session.label_in_walk(&stop.node), LABEL);
    let place = format!("{} of {}   ", walk.position(), walk.of());
    let indent = " ".repeat(place.len());
    let mut line = vec![Piece::dim(place), Piece::name(&label), Piece::plain(" = ")];
    if session.is_named(&stop.node) {
        line.extend([
            Piece::formula(brief(&session.expression(&stop.node), LABEL)),
            Piece::plain(" = "),
        ]);
    }
    line.push(Piece::Number(stop.node.data()));
    let Some(upstream) = stop.upstream else {
        return vec![Block::Line(line)];
    };
    let over = |room| {
        let [root, node] = [walk.root(), &stop.node].map(|node| session.label_in_walk(node));
        fraction(&brief(&root, room), &brief(&node, room))
    };
    let long = Some(over(LABEL)).filter(|long| long.chars().count() <= WIDTH / 2);
    let what = long.unwrap_or_else(|| over(LABEL / 2));
    let upstream = [
        Piece::dim("upstream "),
        Piece::formula(&what),
        Piece::plain(" = "),
        Piece::Number(upstream),
    ];
    let words = |piece: &Piece| match piece {
        Piece::Number(value) => {
            let most = if value.fract() == 0.0 { WHOLE } else { NUMBER };
            value.to_string().len().min(most)
        }
        Piece::Plain(text) | Piece::Name(text) | Piece::Formula(text) | Piece::Dim(text) => {
            text.chars().count()
        }
        _ => 0,
    };
    let length: usize = line.iter().chain(&upstream).map(words).sum();
    if length + 3 > WIDTH {
        let below = [Piece::plain(indent)].into_iter().chain(upstream);
        return vec![Block::Line(line), Block::Line(below.collect())];
    }
    line.push(Piece::plain("   "));
    line.extend(upstream);
    vec![Block::Line(line)]
}

/// The limits that keep a stop on a screen of 80 columns and 24 lines: characters of a label, operands listed, and
/// columns counted for a rounded number and for a whole one, which is not rounded.
const WIDTH: usize = 80;
const LABEL: usize = 32;
const OPERANDS: usize = 16;
const NUMBER: usize = 14;
const WHOLE: usize = 17;

/// A label for text, shortened in the middle if it is long.
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

/// The number of operands that are not shown, and how to see them.
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
            Column::people("upstream*local"),
            Column::people("grad"),
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

/// Which node comes next, and why its turn has come.
fn coming(session: &Session, walk: &Walk) -> Line {
    let Some(next) = walk.next() else {
        let label = session.label(walk.root());
        let root = if label.chars().count() <= 2 * LABEL - 20 {
            label
        } else {
            format!("@{}", walk.root().id())
        };
        return match walk.direction() {
            Direction::Backward => vec![
                Piece::dim("done: every grad is what "),
                Piece::typed(format!(":grad {root}")),
                Piece::dim(" shows"),
            ],
            Direction::Forward => vec![
                Piece::dim("done: "),
                Piece::name(&root),
                Piece::dim(" has its data"),
            ],
        };
    };
    let why = match walk.direction() {
        _ if walk.position() == 0 => "",
        Direction::Backward => ": all its users are done",
        Direction::Forward => ": all its operands are done",
    };
    vec![
        Piece::dim("next: "),
        Piece::name(brief(&session.label_in_walk(next), 2 * LABEL - 20)),
        Piece::dim(why),
    ]
}
