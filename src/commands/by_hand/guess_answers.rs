//! Writes the answers of `:guess`: verdicts, hints and the score.
//!
//! No answer to a wrong guess or to `?` gives the number away.

use crate::commands::by_hand::walk;
use crate::commands::prelude::*;
use crate::session::by_hand::{Quantity, SumSoFar};
use crate::session::naming::labels;
use crate::study::guess::{Judgement, Question};
use chainrule_engine::graph::Contribution;
use chainrule_report::{dim, list_with_and};

/// The most operands that a hint names. The hint counts the others.
const MOST_NAMED: usize = 4;

/// The answer of `:guess` alone: the score.
pub(super) fn score_reply(session: &Session) -> Reply {
    let line = match session.guesses().tried {
        0 => say!("no guesses yet: as in `:guess a 2`"),
        _ => score_line(session),
    };
    let facts = guess_facts(session, None, None);
    Reply::show(Report::new("guess", facts, vec![Block::Line(line)]))
}

pub(super) fn verdict_report(
    session: &Session,
    question: &Question,
    guess: f64,
    judgement: &Judgement,
) -> Report {
    let asked = question_text(session, question);
    let mut lines = Vec::new();
    if judgement.is_right {
        lines.push(say!("right: {:formula} = {}", asked, question.truth));
    } else if let Some(mistake) = judgement.mistake {
        let summary = mistake.summary;
        let mut line = say!("{:formula} is not {}: {}", asked, guess, summary);
        if let Some(factor) = &judgement.missing {
            let formula = session.local_formula(question.user(factor), factor.position);
            line.extend(say!(": {:formula}", walk::brief(&formula)));
        }
        lines.push(line);
        if !mistake.reason.is_empty() {
            lines.push(say!("{}", mistake.reason));
        }
    } else {
        lines.push(say!("{:formula} is not {}", asked, guess));
        let node = node_text(session, &question.node);
        lines.push(say!("{:dim}`:guess {} ?`", "a hint: ", node));
    }
    // A right guess needs no score.
    if !judgement.is_right {
        lines.push(score_line(session));
    }
    let facts = guess_facts(session, Some(question), Some((guess, judgement)));
    Report::new("guess", facts, lines.into_iter().map(Block::Line).collect())
}

/// The answer to a right contribution while other contributions are still missing.
pub(super) fn part_report(session: &Session, question: &Question, so_far: SumSoFar) -> Report {
    let asked = question_text(session, question);
    let (done, all) = (so_far.contributions, question.arrivals.len());
    let line = say!(
        "{:formula}: so far {} of {} contributions, {}",
        asked,
        done,
        all,
        so_far.grad
    );
    let mut facts = guess_facts(session, Some(question), None);
    facts.push(("so_far", so_far.grad.into()));
    facts.push(("contributions", Fact::from_iter([done as u64, all as u64])));
    Report::new("guess", facts, vec![Block::Line(line)])
}

/// The score: `score: 1 of 2`
fn score_line(session: &Session) -> Line {
    let guesses = session.guesses();
    dim(say!("score: {} of {}", guesses.right, guesses.tried))
}

/// The facts of every answer: with a question, except for the score alone; with a guess and its judgement, if there is one.
fn guess_facts(
    session: &Session,
    question: Option<&Question>,
    judged: Option<(f64, &Judgement)>,
) -> Vec<(&'static str, Fact)> {
    let label = |node: &Rc<Node>| Fact::Text(session.label(node));
    let score = session.guesses();
    let asked = question.map(|it| match it.quantity {
        Quantity::Grad => "grad",
        Quantity::Data => "data",
    });
    let is_right = judged.map(|(_, judgement)| judgement.is_right);
    let mistake = judged.and_then(|(_, judgement)| judgement.mistake);
    vec![
        ("root", question.map_or(Fact::Null, |it| label(&it.root))),
        ("node", question.map_or(Fact::Null, |it| label(&it.node))),
        ("guess", judged.map(|(guess, _)| guess).into()),
        ("right", is_right.into()),
        ("slip", mistake.map(|it| it.word).into()),
        ("score", Fact::from_iter([score.right, score.tried])),
        ("asked", asked.into()),
    ]
}

/// The answer to `?`: how the number is computed.
pub(super) fn hint_report(session: &Session, question: &Question) -> Report {
    let node = short_label(session, &question.node);
    let line = match question.quantity {
        Quantity::Data => operation_line(session, question),
        Quantity::Grad if Rc::ptr_eq(&question.root, &question.node) => say!(
            "{:name} is the root: how much does it move when it moves?",
            node
        ),
        Quantity::Grad if question.arrivals.is_empty() => {
            let root = short_label(session, &question.root);
            say!("is there a path from {:name} to {:name}?", node, root)
        }
        Quantity::Grad => say!(
            "each, times the grad of its user, adds up to {:formula}",
            question_text(session, question)
        ),
    };
    let table = users_table(session, question);
    let blocks = vec![Block::Table(table), Block::Line(line)];
    Report::new("guess", guess_facts(session, Some(question), None), blocks)
}

/// The table of the users of a node. Each user multiplies its grad by the local derivative in its row and passes the
/// product on to the node.
fn users_table(session: &Session, question: &Question) -> Table {
    let arrivals = &question.arrivals;
    // The grad of the root is 1. If the root is the only user, its local derivative is the answer, so the table hides it.
    let is_root = |arrival: &Contribution| Rc::ptr_eq(question.user(arrival), &question.root);
    let gives_answer = arrivals.iter().all(is_root);
    // A node may have half a million users, so the table has a limit.
    let most = session.table_rows();
    let omitted = arrivals.len().saturating_sub(most);
    let mut rows = Vec::new();
    for arrival in arrivals.iter().take(most) {
        let user = question.user(arrival);
        let local = Some(arrival.local).filter(|_| !gives_answer);
        rows.push(vec![
            Cell::Name(short_label(session, user)),
            Cell::Formula(session.local_formula(user, arrival.position)),
            local.map_or(Cell::Missing, Cell::Number),
        ]);
    }
    let columns = vec![
        Column::new("user", "user"),
        Column::new("formula", "passes on its grad times"),
        Column::new("local", "="),
    ];
    Table {
        omitted: (omitted > 0).then(|| (omitted, ":config table-rows all".to_string())),
        ..Table::new("users", columns, rows)
    }
}

/// The operation that computes a value, and its operands: `L is a*b with a = 2 and b = -3`
fn operation_line(session: &Session, question: &Question) -> Line {
    let node = short_label(session, &question.node);
    let operands = question.node.operands().iter();
    if operands.len() == 0 {
        return say!("{:name} is a leaf: it has the value it was given", node);
    }
    let values = operands.map(|it| say!("{:name} = {}", short_label(session, it), it.data()));
    let expression = session.expression(&question.node);
    let values = list_with_and(values, MOST_NAMED);
    say!("{:name} is {:formula} with {}", node, expression, values)
}

/// The quantity that the question asks for: `dL/d(a*b)`, or the node itself in a forward walk.
fn question_text(session: &Session, question: &Question) -> String {
    let node = short_label(session, &question.node);
    match question.quantity {
        Quantity::Grad => labels::fraction(&short_label(session, &question.root), &node),
        Quantity::Data => node,
    }
}

/// The label of a node, short enough for a sentence.
fn short_label(session: &Session, node: &Rc<Node>) -> String {
    walk::brief(&session.label(node))
}

/// The text for a node in a command: its name, its expression in brackets, or its id.
pub(super) fn node_text(session: &Session, node: &Rc<Node>) -> String {
    let label = session.label(node);
    match labels::name(session.names(), node) {
        Some(name) => name,
        None if label.contains('…') || node.is_leaf() => format!("@{}", node.id()),
        None => format!("({label})"),
    }
}
