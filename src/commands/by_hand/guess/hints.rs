//! The hints of `:guess`: who uses the node, the local derivatives, the answer; and how `:guess` writes a derivative.
//!
//! Hints are read from the [`Question`], which holds the answer; nothing is computed here.

use std::rc::Rc;

use crate::commands::by_hand::{guess, walk};
use crate::graph::Node;
use crate::report::{Block, Fact, Line, Report, join, list, say};
use crate::session::Session;
use crate::session::by_hand::guesses::{HINTS, Quantity};
use crate::session::naming::formulas;
use crate::study::guess::{Incoming, Question};
use crate::syntax;

/// The most users or operands that are named; the others are counted.
const NAMED: usize = 4;

/// The first, second or third hint.
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
        (1, Quantity::Grad) => "another `?`: the local derivative",
        (1, Quantity::Data) => "another `?`: the operands' values",
        _ => "another `?`: the answer",
    };
    blocks.push(say!("{:dim}", rest));
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
    // A node may have half a million users: as many are listed as a table has rows.
    let told = question.arrivals.iter().take(session.table_rows());
    facts.push(("users", Fact::List(told.map(local).collect())));
    let truth = (hint >= HINTS).then_some(question.truth);
    facts.push(("answer", truth.map_or(Fact::Null, Fact::Number)));
    Report::new(
        "guess",
        facts,
        blocks.into_iter().map(Block::Line).collect(),
    )
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
    // `w[2]` and `a@1` can be typed as they stand, too.
    let (name, behind) = label.split_at(label.find(['[', '@']).unwrap_or(label.len()));
    let place = |c: char| c.is_ascii_digit() || "[]@".contains(c);
    if syntax::is_name(name) && behind.chars().all(place) || label.contains('@') {
        label
    } else if label.contains('…') || node.is_leaf() {
        format!("@{}", node.id())
    } else {
        format!("({label})")
    }
}

/// The first hint: the users of the node.
fn users(session: &Session, question: &Question) -> Line {
    let node = &called(session, &question.node);
    if Rc::ptr_eq(&question.root, &question.node) {
        return say!(
            "{:name} is the root: how much does it move when it moves?",
            node
        );
    }
    let mut users: Vec<(&Rc<Node>, usize)> = Vec::new();
    for arrival in &question.arrivals {
        // The contributions of one user are neighbours in the list.
        match users
            .last_mut()
            .filter(|(user, _)| Rc::ptr_eq(user, &arrival.user))
        {
            Some((_, times)) => *times += 1,
            None => users.push((&arrival.user, 1)),
        }
    }
    if users.is_empty() {
        let root = called(session, &question.root);
        return say!("is there a path from {:name} to {:name}?", node, root);
    }
    let users = users_listed(session, users.iter().copied());
    let line = say!("{:name} is used by {}", node, users);
    if question.arrivals.len() == 1 {
        say!(
            "{}: that passes on its grad times its derivative by {:name}",
            line,
            node
        )
    } else {
        say!("{}: what each passes on adds up", line)
    }
}

/// A list of nodes: `d and e (twice)`
pub(crate) fn users_listed<'n>(
    session: &Session,
    users: impl ExactSizeIterator<Item = (&'n Rc<Node>, usize)>,
) -> Line {
    let user = |(user, times)| {
        let user = called(session, user);
        match times {
            1 => say!("{:name}", user),
            2 => say!("{:name} (twice)", user),
            _ => say!("{:name} ({} times)", user, times),
        }
    };
    list(users.map(user), NAMED)
}

/// The second hint: `d(a*b)/da = b = -3` for each user.
fn locals(session: &Session, question: &Question) -> Vec<Line> {
    let line = |arrival: &Incoming| {
        let name = fraction(session, &arrival.user, &question.node);
        let formula = session.local_formula(&arrival.user, arrival.operand);
        // The local derivative of a sum is a number already.
        if formula.parse::<f64>().is_ok() {
            return say!("{:formula} = {}", name, arrival.local);
        }
        say!("{:formula} = {:formula} = {}", name, formula, arrival.local)
    };
    let mut lines: Vec<Line> = question.arrivals.iter().take(NAMED).map(line).collect();
    match question.arrivals.len() {
        0 => lines.push(users(session, question)),
        count if count > NAMED => lines.push(say!("and {} more", count - NAMED)),
        _ => {}
    }
    lines
}

/// The third hint: `dL/da = -2*(-3) = 6`.
fn answer(session: &Session, question: &Question) -> Vec<Line> {
    let arrivals = &question.arrivals;
    let steps = if (1..=NAMED).contains(&arrivals.len()) {
        let product = |arrival: &Incoming| {
            let (upstream, local) = (arrival.upstream, arrival.local);
            if local < 0.0 {
                say!("{:short}*({:short})", upstream, local)
            } else {
                say!("{:short}*{:short}", upstream, local)
            }
        };
        say!("{} = ", join(arrivals.iter().map(product), " + "))
    } else if question.asked == Quantity::Data && !question.node.is_leaf() {
        say!("{:formula} = ", session.expression(&question.node))
    } else {
        Line::new()
    };
    let what = what(session, question);
    vec![say!("{:formula} = {}{}", what, steps, question.truth)]
}

/// The first hint about a value: the operation that computes it.
fn operation(session: &Session, question: &Question) -> Line {
    let node = called(session, &question.node);
    let Some(op) = question.node.op() else {
        return say!("{:name} is a leaf: it has the value it was given", node);
    };
    let expression = session.expression(&question.node);
    say!("{:name} is {:formula}: {}", node, expression, op.summary)
}

/// The second hint about a value: its operands, `a = 2, b = -3`.
fn operands(session: &Session, question: &Question) -> Vec<Line> {
    let operands = question.node.operands();
    if operands.is_empty() {
        return vec![operation(session, question)];
    }
    let shown = operands.iter().take(NAMED);
    let shown = shown.map(|operand| say!("{:name} = {}", called(session, operand), operand.data()));
    let mut line = join(shown, ", ");
    if operands.len() > NAMED {
        line = say!("{} and {} more", line, operands.len() - NAMED);
    }
    vec![line]
}
