//! `:guess NODE VALUE`: the user predicts a gradient, or a value in a forward walk, before it is shown.
//!
//! This file reads the guess and finds the question. `study::guess` judges the guess, the session keeps the score, and
//! `guess_answers` writes the answer.

use super::guess_answers::{hint_report, node_text, part_report, score_reply, verdict_report};
use crate::commands::by_hand::walk;
use crate::commands::prelude::*;
use crate::commands::signatures::guess::{NODE, OF, SIGNATURE, VALUE};
use crate::session::by_hand::walk::Walk;
use crate::session::by_hand::{Quantity, SumSoFar};
use crate::study;
use crate::study::guess::{Question, TypedGuess};
use chainrule_language::{self as language, Expression, Span};

pub(crate) static COMMAND: Command = Command::new(SIGNATURE, run, &[]);

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(&word) = arguments.words(NODE).first() else {
        return Ok(score_reply(session));
    };
    let newest_before = session.newest_id();
    let node = arguments.node(session, NODE)?;
    // A `=` or `+=` may stand before the number.
    let words = arguments.words(VALUE);
    let sign = words.first().map(|first| first.of(arguments.text));
    let number_words = match sign {
        Some("=" | "+=") => &words[1..],
        _ => words,
    };
    let Some(value) = number_words.iter().copied().reduce(Span::to) else {
        let (text, end) = (word.of(arguments.text), word.end as usize);
        let message = format!("`:guess {text}` needs the number you expect");
        let help = format!("as in `:guess {text} -2`; `:guess {text} ?` gives a hint");
        return Err(Diagnostic::new(message).at(end..end).help(help));
    };
    let (question, mut notes) = find_question(session, arguments, &node, word)?;
    let typed = value.of(arguments.text);
    let reply = if typed == "?" {
        answer(session, &question, None)
    } else {
        let (number, found) = read_number(session, arguments, value)?;
        notes.extend(found);
        let guess = TypedGuess::new(number, typed);
        let root = Some(&question.root).filter(|_| arguments.has(OF));
        claim(session, &question, guess, root, sign == Some("+="))
    };
    // Nodes that were built for this question are dropped, and their ids are free again. `rewind` needs nodes that
    // nothing holds, so the question and the node go first.
    drop((question, node));
    session.rewind(newest_before);
    Ok(reply.with_notes(notes))
}

/// Keeps a guess as the user's claim, and answers it. A guess with `+=` (`is_added`) is added to the contributions that
/// the user has claimed before. `root` is the typed T.
fn claim(
    session: &mut Session,
    question: &Question,
    mut guess: TypedGuess,
    root: Option<&Rc<Node>>,
    is_added: bool,
) -> Reply {
    let mut so_far = SumSoFar::default();
    let mut is_part = false;
    if is_added {
        so_far = session.claimed_so_far(&question.node);
        // A right contribution is not judged as the whole gradient while others are missing.
        is_part = question.is_contribution(&guess, so_far.contributions);
        so_far.contributions += 1;
        guess.value += so_far.grad;
    }
    so_far.grad = guess.value;
    if question.quantity == Quantity::Grad {
        session.claim(&question.node, so_far, root);
    }
    if is_part {
        Reply::show(part_report(session, question, so_far))
    } else {
        answer(session, question, Some(guess))
    }
}

/// Answers a guess, or a request for a hint. If the open walk has asked this question, the next question follows, or
/// the stop of the walk.
fn answer(session: &mut Session, question: &Question, guess: Option<TypedGuess>) -> Reply {
    let (report, is_right) = match guess {
        None => (hint_report(session, question), false),
        Some(guess) => {
            let judgement = study::guess::guess(session, question, &guess);
            let report = verdict_report(session, question, guess.value, &judgement);
            (report, judgement.is_right)
        }
    };
    let mut reply = Reply::show(report);
    let asked = session.walk().and_then(Walk::question);
    if asked.is_none_or(|asked| !Rc::ptr_eq(&asked, &question.node)) {
        return reply;
    }
    let walk = session.walk_mut().filter(|_| is_right);
    if walk.is_some_and(Walk::count_answer) {
        session.make_next_stop();
        reply.more.push(walk::place_report(session));
    } else if let Some(verdict) = &mut reply.report {
        let line = walk::question_line(session);
        verdict.blocks.extend(line.map(Block::Line));
    }
    reply
}

/// Takes an expression as the answer to the question of the open walk. `None`, which stands for a lone `?`, asks for a
/// hint.
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

fn read_number(
    session: &mut Session,
    arguments: &Arguments,
    span: Span,
) -> Result<(f64, Vec<Note>), Diagnostic> {
    let read = language::expression(arguments.text, span);
    let expression = read.map_err(|error| match arguments.words(VALUE) {
        [_] => session.explain(error),
        // Probably a node of several words without brackets: `:guess a*b + c 2`.
        _ => (session.explain(error))
            .help("put a node of several words in brackets, as in `:guess (a*b + c) -2`"),
    })?;
    Ok(session.measure(arguments.text, &expression)?)
}

/// Finds the question: about the typed T, or else about the open walk or the last pass.
fn find_question(
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
        let help = format!("name one, as in `:guess {text} -2 of L`");
        return Err(Diagnostic::new(message).at(word).help(help));
    };
    let question = study::guess::question(&root, node, asked);
    Ok((question, Vec::new()))
}

/// Returns the command for a claim in Python: `:guess n 0.5 of o` for `n.grad = 0.5`, `:guess n += 0.5 of o` for
/// `n.grad += 0.5`. A claim of 1 about a node that nothing uses makes it the root.
pub(crate) fn claim_command(session: &Session, node: &str, value: &str) -> String {
    let mut named = session.names().named_nodes();
    let found = named.find(|(name, _)| name == node);
    let question = found.and_then(|(_, found)| study::guess::default_question(session, found));
    match question {
        Some((root, _)) => format!(":guess {node} {value} of {}", node_text(session, &root)),
        None if value.parse() == Ok(1.0) => format!(":guess {node} {value} of {node}"),
        None => format!(":guess {node} {value}"),
    }
}
