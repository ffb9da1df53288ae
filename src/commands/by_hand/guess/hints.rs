//! The hints of `:guess`: the users of a node, their local derivatives, the answer. Also how sentences name
//! derivatives.
//!
//! The question already contains everything that the hints show; nothing is computed here.

use std::rc::Rc;

use crate::commands::by_hand::{guess, walk};
use crate::graph::Node;
use crate::report::{Block, Fact, Line, Piece, Report};
use crate::session::Session;
use crate::session::by_hand::guesses::{HINTS, Quantity};
use crate::session::naming::formulas;
use crate::study::guess::{Incoming, Question};
use crate::syntax;

/// How many users or operands are named; further ones are counted.
const NAMED: usize = 4;

/// The report of the hint with this number.
pub(crate) fn report(session: &Session, question: &Question, hint: u8) -> Report {
    let mut blocks = match (hint, question.asked) {
        (HINTS.., _) => answer(session, question),
        (1, Quantity::Grad) => vec![users(session, question)],
        (_, Quantity::Grad) => locals(session, question),
        (1, Quantity::Data) => vec![operation(session, question)],
        (_, Quantity::Data) => operands(session, question),
    };
    let rest = match (hint, question.asked) {
        (HINTS.., _) => "the answer has been shown: it is not counted",
        (1, Quantity::Grad) => "once more: the local derivative",
        (1, Quantity::Data) => "once more: the operands' values",
        _ => "once more: the answer",
    };
    blocks.push(vec![Piece::dim(rest)]);
    let mut facts = guess::facts(session, Some(question), None, None);
    facts.push(("hint", Fact::Count(u64::from(hint))));
    let local = |arrival: &Incoming| {
        let mut told = vec![("user", Fact::Text(session.label(&arrival.user)))];
        if hint > 1 {
            let formula = session.local_formula(&arrival.user, arrival.operand);
            told.push(("formula", Fact::Text(formula)));
            told.push(("local", Fact::Number(arrival.local)));
        }
        Fact::Record(told)
    };
    // Limited, because there may be half a million users, and a label for each takes time.
    let told = question.arrivals.iter().take(session.table_rows());
    facts.push(("users", Fact::List(told.map(local).collect())));
    let truth = (hint >= HINTS).then_some(question.truth);
    facts.push(("answer", truth.map_or(Fact::Null, Fact::Number)));
    Report {
        kind: "guess",
        facts,
        blocks: blocks.into_iter().map(Block::Line).collect(),
        confirmation: false,
    }
}

/// What the question asks for: `dL/d(a*b)`, or in a forward walk the node itself.
pub(crate) fn what(session: &Session, question: &Question) -> String {
    match question.asked {
        Quantity::Grad => fraction(session, &question.root, &question.node),
        Quantity::Data => session.label(&question.node),
    }
}

/// The notation of a derivative: `dL/d(a*b)`
pub(crate) fn fraction(session: &Session, above: &Rc<Node>, below: &Rc<Node>) -> String {
    formulas::fraction(&called(session, above), &called(session, below))
}

/// The label of a node, short enough for a sentence.
pub(crate) fn called(session: &Session, node: &Rc<Node>) -> String {
    walk::brief(&session.label(node), 24)
}

/// How to refer to a node in a command: by its name, its text in brackets, or its id.
pub(crate) fn typed(session: &Session, node: &Rc<Node>) -> String {
    let label = session.label(node);
    if syntax::is_name(&label) || label.contains('@') {
        label
    } else if label.contains('…') || node.is_leaf() {
        format!("@{}", node.id())
    } else {
        format!("({label})")
    }
}

/// The first hint: the users of the node.
fn users(session: &Session, question: &Question) -> Line {
    let node = Piece::name(called(session, &question.node));
    let root = Piece::name(called(session, &question.root));
    if Rc::ptr_eq(&question.root, &question.node) {
        return vec![
            node,
            Piece::plain(" is the root: how much does it move when it moves?"),
        ];
    }
    let mut users: Vec<(&Rc<Node>, usize)> = Vec::new();
    for arrival in &question.arrivals {
        // Contributions of the same user are adjacent.
        match users
            .last_mut()
            .filter(|(user, _)| Rc::ptr_eq(user, &arrival.user))
        {
            Some((_, times)) => *times += 1,
            None => users.push((&arrival.user, 1)),
        }
    }
    if users.is_empty() {
        let asked = vec![
            Piece::plain("is there a way from "),
            node,
            Piece::plain(" to "),
            root,
        ];
        return asked.into_iter().chain([Piece::plain("?")]).collect();
    }
    let mut line = vec![node.clone(), Piece::plain(" is used by ")];
    line.extend(list(session, users.iter().copied()));
    if question.arrivals.len() == 1 {
        line.push(Piece::plain(
            ": that passes on its grad times its derivative by ",
        ));
        line.push(node);
    } else {
        line.push(Piece::plain(": what each passes on adds up"));
    }
    line
}

/// A list of nodes: `d and e (twice)`
pub(crate) fn list<'n>(
    session: &Session,
    nodes: impl ExactSizeIterator<Item = (&'n Rc<Node>, usize)>,
) -> Line {
    let count = nodes.len();
    let mut line = Line::new();
    for (place, (node, times)) in nodes.enumerate().take(NAMED) {
        let between = match place {
            0 => "",
            _ if place + 1 == count => " and ",
            _ => ", ",
        };
        line.push(Piece::plain(between));
        line.push(Piece::name(called(session, node)));
        match times {
            1 => {}
            2 => line.push(Piece::plain(" (twice)")),
            _ => line.push(Piece::plain(format!(" ({times} times)"))),
        }
    }
    if count > NAMED {
        line.push(Piece::plain(format!(" and {} more", count - NAMED)));
    }
    line
}

/// The second hint: `d(a*b)/da = b = -3` for each user.
fn locals(session: &Session, question: &Question) -> Vec<Line> {
    let line = |arrival: &Incoming| {
        let formula = session.local_formula(&arrival.user, arrival.operand);
        let mut line = vec![
            Piece::formula(fraction(session, &arrival.user, &question.node)),
            Piece::plain(" = "),
        ];
        // The local derivative of a sum is just a number, which need not be written twice.
        if formula.parse::<f64>().is_err() {
            line.extend([Piece::formula(formula), Piece::plain(" = ")]);
        }
        line.push(Piece::Number(arrival.local));
        line
    };
    let mut lines: Vec<Line> = question.arrivals.iter().take(NAMED).map(line).collect();
    match question.arrivals.len() {
        0 => lines.push(users(session, question)),
        count if count > NAMED => {
            lines.push(vec![Piece::plain(format!("and {} more", count - NAMED))]);
        }
        _ => {}
    }
    lines
}

/// The third hint: `dL/da = -2*(-3) = 6`.
fn answer(session: &Session, question: &Question) -> Vec<Line> {
    let mut line = vec![Piece::formula(what(session, question)), Piece::plain(" = ")];
    let arrivals = &question.arrivals;
    if (1..=NAMED).contains(&arrivals.len()) {
        for (place, arrival) in arrivals.iter().enumerate() {
            if place > 0 {
                line.push(Piece::plain(" + "));
            }
            line.push(Piece::Short(arrival.upstream));
            line.push(Piece::plain(if arrival.local < 0.0 { "*(" } else { "*" }));
            line.push(Piece::Short(arrival.local));
            line.push(Piece::plain(if arrival.local < 0.0 { ")" } else { "" }));
        }
        line.push(Piece::plain(" = "));
    } else if question.asked == Quantity::Data && !question.node.is_leaf() {
        line.push(Piece::formula(session.expression(&question.node)));
        line.push(Piece::plain(" = "));
    }
    line.push(Piece::Number(question.truth));
    vec![line]
}

/// The first hint about a value: the operation that computes it.
fn operation(session: &Session, question: &Question) -> Line {
    let node = Piece::name(called(session, &question.node));
    match question.node.op() {
        None => vec![
            node,
            Piece::plain(" is a leaf: it has the value it was given"),
        ],
        Some(op) => vec![
            node,
            Piece::plain(" is "),
            Piece::formula(session.expression(&question.node)),
            Piece::plain(format!(": {}", op.summary)),
        ],
    }
}

/// The second hint about a value: its operands, `a = 2, b = -3`.
fn operands(session: &Session, question: &Question) -> Vec<Line> {
    let operands = question.node.operands();
    if operands.is_empty() {
        return vec![operation(session, question)];
    }
    let mut line = Line::new();
    for (place, operand) in operands.iter().enumerate().take(NAMED) {
        line.push(Piece::plain(if place > 0 { ", " } else { "" }));
        line.push(Piece::name(called(session, operand)));
        line.push(Piece::plain(" = "));
        line.push(Piece::Number(operand.data()));
    }
    if operands.len() > NAMED {
        line.push(Piece::plain(format!(
            " and {} more",
            operands.len() - NAMED
        )));
    }
    vec![line]
}
