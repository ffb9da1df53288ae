//! `:guess NODE VALUE`: predicts a gradient, or a value in a forward walk, before it is shown.
//!
//! `study::guess` judges the guess and the session keeps the score; this file finds out what is asked, and words the
//! answer so that it gives nothing away.

use std::rc::Rc;

use crate::commands::args::Arguments;
use crate::commands::by_hand::walk;
use crate::commands::{Command, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Cell, Column, Fact, Line, Note, Report, Table, dim, list, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::session::by_hand::walk::Walk;
use crate::session::naming::labels::{notation, parts};
use crate::study;
use crate::study::guess::{Incoming, Judgement, Question, TypedGuess};
use crate::syntax::{self, Expression, Span};

pub(crate) static COMMAND: Command = Command::new("guess", page!("commands/guess"), run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(&word) = arguments.words("NODE").first() else {
        return Ok(alone(session));
    };
    let made = session.newest_id();
    let nodes = arguments.nodes(session, "NODE")?;
    let Some((node, _)) = nodes.into_iter().next() else {
        return Ok(Reply::default());
    };
    let Some(value) = value(arguments) else {
        let (text, at) = (word.of(arguments.text), word.end as usize);
        let message = format!("`:guess {text}` needs the number you expect");
        return Err(Diagnostic::new(message).at(at..at).help(format!(
            "as in `:guess {text} -2`; `:guess {text} ?` gives a hint"
        )));
    };
    let (question, mut notes) = question(session, arguments, &node, word)?;
    let guess = if value.of(arguments.text) == "?" {
        None
    } else {
        let (guess, found) = number(session, arguments, value)?;
        notes.extend(found);
        if question.asked == Quantity::Grad {
            let root = Some(&question.root).filter(|_| !arguments.words("T").is_empty());
            session.claim(&question.node, guess, root);
        }
        Some((guess, value.of(arguments.text)))
    };
    let reply = answer(session, &question, guess);
    // A root that was built for this question is dropped, and the numbers of its nodes are free again.
    drop((question, node));
    session.rewind(made);
    Ok(reply.notes(notes))
}

/// The answer to a guess, or to a request for a hint. If the open walk has asked this question, the next one follows, or
/// the stop.
fn answer(session: &mut Session, question: &Question, guess: Option<(f64, &str)>) -> Reply {
    let (report, answered) = match guess {
        None => (hinted(session, question), false),
        Some((guess, text)) => {
            let typed = TypedGuess::new(guess, text);
            let judgement = study::guess::guess(session, question, &typed);
            let report = judged(session, question, guess, &judgement);
            (report, judgement.right)
        }
    };
    let asked = session.walk().and_then(Walk::question);
    let mut reply = Reply::show(report);
    if asked.is_some_and(|asked| Rc::ptr_eq(&asked, &question.node)) {
        if answered && session.count_walk_answer() {
            session.walk_on();
            reply.more.push(walk::place(session));
        } else if let Some(report) = &mut reply.report {
            report.blocks.extend(walk::asking(session).map(Block::Line));
        }
    }
    reply
}

/// Takes an expression for the answer to what the open walk asks; none of it asks for a hint.
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
    let typed = expression.span.of(text);
    Ok(answer(session, &question, Some((guess, typed))).notes(notes))
}

/// The words of VALUE; a `=` may stand before them.
fn value(arguments: &Arguments) -> Option<Span> {
    let words = arguments.words("VALUE");
    let text = arguments.text;
    let rest = match words.split_first() {
        Some((first, rest)) if first.of(text) == "=" => rest,
        _ => words,
    };
    rest.iter().copied().reduce(Span::to)
}

fn number(
    session: &mut Session,
    arguments: &Arguments,
    value: Span,
) -> Result<(f64, Vec<Note>), Diagnostic> {
    let expression = syntax::expression(arguments.text, value).map_err(|error| {
        let error = session.explain(error);
        // Probably a node of several words without brackets: `:guess a*b + c 2`.
        if arguments.words("VALUE").len() > 1 {
            error.help("put a node of several words in brackets, as in `:guess (a*b + c) -2`")
        } else {
            error
        }
    })?;
    Ok(session.measure(arguments.text, &expression)?)
}

/// `:guess` alone shows the score.
fn alone(session: &Session) -> Reply {
    let line = if session.guesses().tried == 0 {
        say!("no guesses yet: as in `:guess a 2`")
    } else {
        score(session)
    };
    let facts = facts(session, None, None);
    Reply::show(Report::new("guess", facts, vec![Block::Line(line)]))
}

/// What is asked: about the T that was given, or about the open walk or the last pass.
fn question(
    session: &mut Session,
    arguments: &Arguments,
    node: &Rc<Node>,
    word: Span,
) -> Result<(Question, Vec<Note>), Diagnostic> {
    if !arguments.words("T").is_empty() {
        let target = arguments.target(session, "T")?;
        let question = study::guess::question(&target.node, node, Quantity::Grad);
        return Ok((question, target.notes));
    }
    let text = word.of(arguments.text);
    let Some((root, asked)) = study::guess::default_question(session, node) else {
        let message = format!("there is no target that depends on `{text}`");
        return Err(Diagnostic::new(message).at(word).help(format!(
            "say what it is to move, as in `:guess {text} -2 of L`"
        )));
    };
    let question = study::guess::question(&root, node, asked);
    Ok((question, Vec::new()))
}

fn judged(session: &Session, question: &Question, guess: f64, judgement: &Judgement) -> Report {
    let what = what(session, question);
    let mut lines = Vec::new();
    if judgement.right {
        lines.push(say!("right: {:formula} = {}", what, question.truth));
    } else if let Some(slip) = judgement.slip {
        let [_, short, more] = slip;
        lines.push(say!("{:formula} is not {}: {}", what, guess, short));
        lines.extend(
            Some(more)
                .filter(|it| !it.is_empty())
                .map(|it| say!("{}", it)),
        );
    } else {
        lines.push(say!("{:formula} is not {}", what, guess));
        let node = typed(session, &question.node);
        lines.push(say!("{:dim}`:guess {} ?`", "a hint: ", node));
    }
    lines.push(score(session));
    let facts = facts(session, Some(question), Some((guess, judgement)));
    Report::new("guess", facts, lines.into_iter().map(Block::Line).collect())
}

/// The score: `score: 1 of 2`
fn score(session: &Session) -> Line {
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
    let asked = question.map_or(Fact::Null, |question| match question.asked {
        Quantity::Grad => "grad".into(),
        Quantity::Data => "data".into(),
    });
    let slip = judged.and_then(|(_, judgement)| Some(judgement.slip?[0]));
    vec![
        ("root", question.map_or(Fact::Null, |it| label(&it.root))),
        ("node", question.map_or(Fact::Null, |it| label(&it.node))),
        ("guess", judged.map(|(guess, _)| guess).into()),
        ("right", judged.map(|(_, judgement)| judgement.right).into()),
        ("slip", slip.into()),
        ("score", Fact::from_iter([guesses.right, guesses.tried])),
        ("asked", asked),
    ]
}

/// The most operands that are named; the others are counted.
const NAMED: usize = 4;

/// The answer to `?`: how the number comes about.
fn hinted(session: &Session, question: &Question) -> Report {
    let node = called(session, &question.node);
    let line = match question.asked {
        Quantity::Data => operation(session, question),
        Quantity::Grad if Rc::ptr_eq(&question.root, &question.node) => say!(
            "{:name} is the root: how much does it move when it moves?",
            node
        ),
        Quantity::Grad if question.arrivals.is_empty() => {
            let root = called(session, &question.root);
            say!("is there a path from {:name} to {:name}?", node, root)
        }
        Quantity::Grad => say!("all of this adds up to {:formula}", what(session, question)),
    };
    let blocks = vec![Block::Table(users(session, question)), Block::Line(line)];
    Report::new("guess", facts(session, Some(question), None), blocks)
}

/// What each user multiplies its grad by.
fn users(session: &Session, question: &Question) -> Table {
    // The grad of the root is 1, so what it alone passes on would be the answer.
    let mut users = question.arrivals.iter().map(|arrival| &arrival.user);
    let is_answer = users.all(|user| Rc::ptr_eq(user, &question.root));
    let row = |arrival: &Incoming| {
        let local = if is_answer {
            Cell::Missing
        } else {
            Cell::Number(arrival.local)
        };
        vec![
            Cell::Name(called(session, &arrival.user)),
            Cell::Formula(session.local_formula(&arrival.user, arrival.operand)),
            local,
        ]
    };
    // A node may have half a million users: as many are listed as a table has rows.
    let (most, all) = (session.table_rows(), question.arrivals.len());
    let omitted = (all > most).then(|| (all - most, ":config table-rows all".to_string()));
    Table {
        key: "users",
        columns: vec![
            Column::new("user", "user"),
            Column::new("formula", "passes on its grad times"),
            Column::new("local", "="),
        ],
        rows: question.arrivals.iter().take(most).map(row).collect(),
        omitted,
    }
}

/// The operation that computes a value, and its operands: `L is a*b with a = 2 and b = -3`
fn operation(session: &Session, question: &Question) -> Line {
    let node = called(session, &question.node);
    let operands = question.node.operands();
    if operands.is_empty() {
        return say!("{:name} is a leaf: it has the value it was given", node);
    }
    let operands = operands.iter();
    let operands = operands.map(|it| say!("{:name} = {}", called(session, it), it.data()));
    let expression = session.expression(&question.node);
    say!(
        "{:name} is {:formula} with {}",
        node,
        expression,
        list(operands, NAMED)
    )
}

/// What the question asks for: `dL/d(a*b)`, or in a forward walk the node itself.
fn what(session: &Session, question: &Question) -> String {
    let node = called(session, &question.node);
    match question.asked {
        Quantity::Grad => notation::fraction(&called(session, &question.root), &node),
        Quantity::Data => node,
    }
}

/// The label of a node, short enough for a sentence.
fn called(session: &Session, node: &Rc<Node>) -> String {
    walk::brief(&session.label(node))
}

/// How to refer to a node in a command: by its name, its text in brackets, or its id.
fn typed(session: &Session, node: &Rc<Node>) -> String {
    let label = session.label(node);
    match parts::name(session.names(), node) {
        Some(name) => name,
        None if label.contains('…') || node.is_leaf() => format!("@{}", node.id()),
        None => format!("({label})"),
    }
}

/// The guess that a claim is: `:guess n 0.5 of o`. A claim of 1 about a value that nothing uses makes it the root.
pub(crate) fn of_claim(session: &Session, node: &str, value: &str) -> String {
    let mut nodes = session.names().nodes();
    let found = nodes.find(|(name, _)| name == node).map(|(_, found)| found);
    let root = found.and_then(|found| study::guess::default_question(session, found));
    match root {
        Some((root, _)) => format!(":guess {node} {value} of {}", typed(session, &root)),
        None if value.parse() == Ok(1.0) => format!(":guess {node} {value} of {node}"),
        None => format!(":guess {node} {value}"),
    }
}
