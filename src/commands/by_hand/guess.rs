//! `:guess NODE VALUE`: predicts a gradient, or a value in a forward walk, before it is shown.
//!
//! `study::guess` judges the guess and the session keeps the score; this file finds the question and writes an answer that
//! does not give the number away.

use std::rc::Rc;

use crate::commands::by_hand::walk;
use crate::commands::prelude::*;
use crate::commands::signatures::guess::{NODE, OF, SIGNATURE, VALUE};
use crate::session::by_hand::walk::Walk;
use crate::session::by_hand::{Quantity, SumSoFar};
use crate::session::naming::labels;
use crate::study;
use crate::study::guess::{Judgement, Question, TypedGuess};
use chainrule_engine::graph::{Contribution, Node};
use chainrule_language::{self as language, Expression, Span};
use chainrule_report::{
    Block, Cell, Column, Fact, Line, Note, Report, Table, dim, list_with_and, say,
};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(&word) = arguments.words(NODE).first() else {
        return Ok(score_reply(session));
    };
    let made = session.newest_id();
    let node = arguments.node(session, NODE)?;
    let Some(TypedValue { value, is_added }) = typed_value(arguments) else {
        let (text, at) = (word.of(arguments.text), word.end as usize);
        let message = format!("`:guess {text}` needs the number you expect");
        let help = format!("as in `:guess {text} -2`; `:guess {text} ?` gives a hint");
        return Err(Diagnostic::new(message).at(at..at).help(help));
    };
    let (question, mut notes) = question(session, arguments, &node, word)?;
    let typed = value.of(arguments.text);
    let reply = if typed == "?" {
        answer(session, &question, None)
    } else {
        let (number, found) = number(session, arguments, value)?;
        notes.extend(found);
        let mut guess = TypedGuess::new(number, typed);
        let mut so_far = SumSoFar::default();
        let mut is_part = false;
        if is_added {
            so_far = session.claimed_so_far(&question.node);
            is_part = question.is_contribution(&guess, so_far.contributions);
            so_far.contributions += 1;
            guess.value += so_far.grad;
        }
        so_far.grad = guess.value;
        if question.quantity == Quantity::Grad {
            let root = Some(&question.root).filter(|_| arguments.has(OF));
            session.claim(&question.node, so_far, root);
        }
        if is_part {
            Reply::show(part_report(session, &question, so_far))
        } else {
            answer(session, &question, Some(guess))
        }
    };
    // A root that was built for this question is dropped, and the numbers of its nodes are free again.
    drop((question, node));
    session.rewind(made);
    Ok(reply.with_notes(notes))
}

/// The answer to a guess or to a request for a hint. If the open walk has asked this question, the next question follows,
/// or the stop of the walk.
fn answer(session: &mut Session, question: &Question, guess: Option<TypedGuess>) -> Reply {
    let (report, answered) = match guess {
        None => (hint_report(session, question), false),
        Some(typed) => {
            let judgement = study::guess::guess(session, question, &typed);
            let report = verdict_report(session, question, typed.value, &judgement);
            (report, judgement.is_right)
        }
    };
    let asked = session.walk().and_then(Walk::question);
    let mut reply = Reply::show(report);
    if asked.is_some_and(|asked| Rc::ptr_eq(&asked, &question.node)) {
        let walk = session.walk_mut().filter(|_| answered);
        if walk.is_some_and(Walk::count_answer) {
            session.make_next_stop();
            reply.more.push(walk::place_report(session));
        } else if let Some(report) = &mut reply.report {
            let line = walk::question_line(session);
            report.blocks.extend(line.map(Block::Line));
        }
    }
    reply
}

/// Takes an expression as the answer to the question of the open walk; no expression asks for a hint.
pub(crate) fn answer_in_walk(
    session: &mut Session,
    text: &str,
    expression: Option<&Expression>,
) -> Result<Reply, Diagnostic> {
    let asked = session.walk().and_then(|walk| {
        let root = Rc::clone(&walk.root);
        Some((root, walk.question()?, walk.quantity()))
    });
    let Some((root, node, quantity)) = asked else {
        return Ok(Reply::default());
    };
    let question = study::guess::question(&root, &node, quantity);
    let Some(expression) = expression else {
        return Ok(answer(session, &question, None));
    };
    let (guess, notes) = session.measure(text, expression)?;
    let typed = TypedGuess::new(guess, expression.span.of(text));
    Ok(answer(session, &question, Some(typed)).with_notes(notes))
}

/// What is typed for VALUE.
struct TypedValue {
    value: Span,
    /// It is one of the contributions, which add up: `+=` stands before it.
    is_added: bool,
}

/// The words of VALUE; a `=` or `+=` may stand before them.
fn typed_value(arguments: &Arguments) -> Option<TypedValue> {
    let words = arguments.words(VALUE);
    let sign = words.first().map(|first| first.of(arguments.text));
    let signs = usize::from(matches!(sign, Some("=" | "+=")));
    Some(TypedValue {
        value: words[signs..].iter().copied().reduce(Span::to)?,
        is_added: sign == Some("+="),
    })
}

fn number(
    session: &mut Session,
    arguments: &Arguments,
    value: Span,
) -> Result<(f64, Vec<Note>), Diagnostic> {
    let expression = language::expression(arguments.text, value).map_err(|error| {
        let error = session.explain(error);
        // Probably a node of several words without brackets: `:guess a*b + c 2`.
        match arguments.words(VALUE) {
            [_] => error,
            _ => error.help("put a node of several words in brackets, as in `:guess (a*b + c) -2`"),
        }
    })?;
    Ok(session.measure(arguments.text, &expression)?)
}

/// The answer of `:guess` alone: the score.
fn score_reply(session: &Session) -> Reply {
    let line = match session.guesses().tried {
        0 => say!("no guesses yet: as in `:guess a 2`"),
        _ => score_line(session),
    };
    let facts = facts(session, None, None);
    Reply::show(Report::new("guess", facts, vec![Block::Line(line)]))
}

/// The question: about the given T, or about the open walk or the last pass.
fn question(
    session: &mut Session,
    arguments: &Arguments,
    node: &Rc<Node>,
    word: Span,
) -> Result<(Question, Vec<Note>), Diagnostic> {
    if arguments.has(OF) {
        let target = arguments.target(session, OF)?;
        let question = study::guess::question(&target.node, node, Quantity::Grad);
        return Ok((question, target.notes));
    }
    let text = word.of(arguments.text);
    let Some((root, asked)) = study::guess::default_question(session, node) else {
        let message = format!("there is no target that depends on `{text}`");
        let help = format!("say what it is to move, as in `:guess {text} -2 of L`");
        return Err(Diagnostic::new(message).at(word).help(help));
    };
    let question = study::guess::question(&root, node, asked);
    Ok((question, Vec::new()))
}

fn verdict_report(
    session: &Session,
    question: &Question,
    guess: f64,
    judgement: &Judgement,
) -> Report {
    let what = question_text(session, question);
    let mut lines = Vec::new();
    if judgement.is_right {
        lines.push(say!("right: {:formula} = {}", what, question.truth));
    } else if let Some(mistake) = judgement.mistake {
        let summary = mistake.summary;
        let mut line = say!("{:formula} is not {}: {}", what, guess, summary);
        if let Some(factor) = &judgement.missing {
            let formula = session.local_formula(question.user(factor), factor.position);
            line.extend(say!(": {:formula}", walk::brief(&formula)));
        }
        lines.push(line);
        if !mistake.reason.is_empty() {
            lines.push(say!("{}", mistake.reason));
        }
    } else {
        lines.push(say!("{:formula} is not {}", what, guess));
        let node = node_text(session, &question.node);
        lines.push(say!("{:dim}`:guess {} ?`", "a hint: ", node));
    }
    // After a right guess there is nothing to say of the score.
    lines.extend((!judgement.is_right).then(|| score_line(session)));
    let facts = facts(session, Some(question), Some((guess, judgement)));
    Report::new("guess", facts, lines.into_iter().map(Block::Line).collect())
}

/// The answer to a contribution that is right where others are still missing.
fn part_report(session: &Session, question: &Question, so_far: SumSoFar) -> Report {
    let what = question_text(session, question);
    let (done, all) = (so_far.contributions, question.arrivals.len());
    let line = say!(
        "{:formula}: so far {} of {} contributions, {}",
        what,
        done,
        all,
        so_far.grad
    );
    let mut facts = facts(session, Some(question), None);
    facts.push(("so_far", so_far.grad.into()));
    facts.push(("contributions", Fact::from_iter([done as u64, all as u64])));
    Report::new("guess", facts, vec![Block::Line(line)])
}

/// The score: `score: 1 of 2`
fn score_line(session: &Session) -> Line {
    let guesses = session.guesses();
    dim(say!("score: {} of {}", guesses.right, guesses.tried))
}

/// The facts that every answer has.
fn facts(
    session: &Session,
    question: Option<&Question>,
    judged: Option<(f64, &Judgement)>,
) -> Vec<(&'static str, Fact)> {
    let label = |node: &Rc<Node>| Fact::Text(session.label(node));
    let guesses = session.guesses();
    let asked = question.map_or(Fact::Null, |question| match question.quantity {
        Quantity::Grad => "grad".into(),
        Quantity::Data => "data".into(),
    });
    let slip = judged.and_then(|(_, judgement)| Some(judgement.mistake?.word));
    vec![
        ("root", question.map_or(Fact::Null, |it| label(&it.root))),
        ("node", question.map_or(Fact::Null, |it| label(&it.node))),
        ("guess", judged.map(|(guess, _)| guess).into()),
        (
            "right",
            judged.map(|(_, judgement)| judgement.is_right).into(),
        ),
        ("slip", slip.into()),
        ("score", Fact::from_iter([guesses.right, guesses.tried])),
        ("asked", asked),
    ]
}

/// The most operands that are named; the others are counted.
const MOST_NAMED: usize = 4;

/// The answer to `?`: how the number is computed.
fn hint_report(session: &Session, question: &Question) -> Report {
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
    let blocks = vec![
        Block::Table(users_table(session, question)),
        Block::Line(line),
    ];
    Report::new("guess", facts(session, Some(question), None), blocks)
}

/// The table of the users, each with the local derivative that it multiplies its grad by.
fn users_table(session: &Session, question: &Question) -> Table {
    // The grad of the root is 1, so if the root is the only user its local derivative would be the answer.
    let mut users = question
        .arrivals
        .iter()
        .map(|arrival| question.user(arrival));
    let is_answer = users.all(|user| Rc::ptr_eq(user, &question.root));
    let row = |arrival: &Contribution| {
        let user = question.user(arrival);
        let local = Some(arrival.local).filter(|_| !is_answer);
        vec![
            Cell::Name(short_label(session, user)),
            Cell::Formula(session.local_formula(user, arrival.position)),
            local.map_or(Cell::Missing, Cell::Number),
        ]
    };
    // A node may have half a million users, so the table has a limit.
    let (most, all) = (session.table_rows(), question.arrivals.len());
    let omitted = (all > most).then(|| (all - most, ":config table-rows all".to_string()));
    let columns = vec![
        Column::new("user", "user"),
        Column::new("formula", "passes on its grad times"),
        Column::new("local", "="),
    ];
    let rows: Vec<_> = question.arrivals.iter().take(most).map(row).collect();
    Table {
        omitted,
        ..Table::new("users", columns, rows)
    }
}

/// The operation that computes a value, and its operands: `L is a*b with a = 2 and b = -3`
fn operation_line(session: &Session, question: &Question) -> Line {
    let node = short_label(session, &question.node);
    let operands = question.node.operands();
    if operands.is_empty() {
        return say!("{:name} is a leaf: it has the value it was given", node);
    }
    let operands = operands.iter();
    let operands = operands.map(|it| say!("{:name} = {}", short_label(session, it), it.data()));
    let expression = session.expression(&question.node);
    say!(
        "{:name} is {:formula} with {}",
        node,
        expression,
        list_with_and(operands, MOST_NAMED)
    )
}

/// The quantity that the question asks for: `dL/d(a*b)`, or in a forward walk the node itself.
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

/// The command for a claim in Python, `n.grad = 0.5` or `n.grad += 0.5`: `:guess n 0.5 of o`, `:guess n += 0.5 of o`. A
/// claim of 1 about a value that nothing uses makes it the root.
pub(crate) fn claim_command(session: &Session, node: &str, value: &str) -> String {
    let mut nodes = session.names().nodes();
    let found = nodes.find(|(name, _)| name == node).map(|(_, found)| found);
    let root = found.and_then(|found| study::guess::default_question(session, found));
    match root {
        Some((root, _)) => format!(":guess {node} {value} of {}", node_text(session, &root)),
        None if value.parse() == Ok(1.0) => format!(":guess {node} {value} of {node}"),
        None => format!(":guess {node} {value}"),
    }
}
