//! `:guess NODE VALUE`: predicts a gradient, or a value in a forward walk, before it is shown.
//!
//! `study::guess` judges the guess and the session keeps the score; this file finds out what is asked, and words the
//! answer so that it gives nothing away.

pub(crate) mod claim;
mod diagnosis;
mod hints;

use std::rc::Rc;

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::by_hand::walk;
use crate::commands::gradients::grad;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Fact, Line, Note, Report, dim, plural, say};
use crate::session::Session;
use crate::session::by_hand::guesses::{HINTS, NotCounted, Quantity};
use crate::session::by_hand::walk::{Direction, Walk};
use crate::study;
use crate::study::guess::{Judgement, Question, Typed};
use crate::syntax::{self, Expression, Span};

pub(crate) const COMMAND: Command = Command {
    name: "guess",
    aliases: &[],
    group: Group::Walk,
    entry: (":guess a 6", "predict a gradient"),
    arguments: &[
        Argument::optional("NODE", ArgumentKind::Node),
        Argument::optional("VALUE", ArgumentKind::Expression)
            .means("your guess, a number or any expression; `?` asks for a hint"),
        Argument::after("of", "T", ArgumentKind::Expression),
    ],
    summary: "predict a grad before it is shown",
    details: "Confirms a right guess, or names the likely slip; a wrong guess never reveals the answer. In a forward \
              walk the guess is about a value, otherwise about a grad in the pass of the open walk, or of T. VALUE is \
              any expression (`:guess d f`) or a number rounded as you like: three digits are enough. In place of \
              VALUE, a `?` gives a hint, a second one the local derivative, a third the answer. `:guess` alone shows \
              the score. `d.grad = -2`, as the lecture writes it, is a guess too. It knows these slips: sign; upstream \
              (the factor from above is missing); local (the factor of the node's own user is missing); operand (the \
              other operand's); path (one of several); accumulation (used twice, counted once); point (the derivative \
              at the wrong point); parenthesis; inverse; value (data for grad); passes (the sum of several); digits \
              (too few).",
    example: "
∂> a, b, c = 2, -3, 10
a = 2, b = -3, c = 10
∂> L = tanh(a*b + 5)*c
L = -7.61594155956
∂> :guess (tanh(a*b + 5)) c
right: dL/d(tanh(a*b + 5)) = 10
score: 1 of 1
∂> :guess b 2
dL/db is not 2: the upstream factor is missing
that is d(a*b)/db alone; what reaches a*b from above multiplies it
score: 1 of 2
∂> :guess b ?
b is used by a*b: that passes on its grad times its derivative by b
another `?`: the local derivative
∂> :guess b 8.4
right: dL/db = 8.39948683228
score: 2 of 3
",
    run,
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    let Some(&word) = arguments.words("NODE").first() else {
        return alone(session, arguments);
    };
    let made = session.made();
    let nodes = arguments.nodes(session, "NODE")?;
    let Some((node, _)) = nodes.into_iter().next() else {
        return Ok(Reply::default());
    };
    if !node.varies() {
        let text = word.of(arguments.text);
        let message = format!("`{text}` is a constant and has no gradient to guess");
        return Err(Diagnostic::new(message)
            .at(word)
            .help("what has a leaf below it has one"));
    }
    let Some(value) = value(arguments) else {
        return Err(no_value(session, arguments, &node, word));
    };
    let (question, mut notes) = question(session, arguments, &node, word)?;
    let guess = if value.of(arguments.text) == "?" {
        None
    } else {
        let (guess, found) = number(session, arguments, value)?;
        notes.extend(found);
        if question.asked == Quantity::Grad {
            let root = Some(&question.root).filter(|_| !arguments.words("T").is_empty());
            session.guesses_mut().claim(&question.node, guess, root);
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
        None => {
            let hint = study::guess::hint(session, question);
            (hints::report(session, question, hint), hint == HINTS)
        }
        Some((guess, text)) => {
            let typed = Typed::new(guess, text);
            let judgement = study::guess::guess(session, question, &typed);
            let report = judged(session, question, guess, &judgement);
            (report, judgement.right)
        }
    };
    let asked = session.walk().and_then(Walk::question);
    let mut reply = Reply::show(report);
    if asked.is_some_and(|asked| Rc::ptr_eq(&asked, &question.node)) {
        if answered && session.answered_in_walk(&question.node) {
            walk::go_on(session);
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
        let quantity = match walk.direction {
            Direction::Backward => Quantity::Grad,
            Direction::Forward => Quantity::Data,
        };
        Some((Rc::clone(walk.root()), walk.question()?, quantity))
    });
    let Some((root, node, quantity)) = asked else {
        return Ok(Reply::default());
    };
    let question = study::guess::question(session, &root, &node, quantity);
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
fn alone(session: &Session, arguments: &Arguments) -> Result<Reply, Diagnostic> {
    if let Some(&of) = arguments.words("T").first() {
        return Err(Diagnostic::new("a node is expected before `of`")
            .at(of)
            .help("as in `:guess a -2 of L`"));
    }
    let guesses = session.guesses();
    let line = if guesses.tried == 0 && guesses.shown == 0 {
        say!("no guesses yet: as in `:guess a 2`")
    } else {
        score(session)
    };
    Ok(Reply::show(Report::new(
        "guess",
        facts(session, None, None, None),
        vec![Block::Line(line)],
    )))
}

fn no_value(session: &Session, arguments: &Arguments, node: &Rc<Node>, word: Span) -> Diagnostic {
    let text = word.of(arguments.text);
    let what = match study::guess::asked_about(session, node) {
        Ok((_, Quantity::Data)) => "value",
        _ => "gradient",
    };
    let at = word.end as usize;
    Diagnostic::new(format!("`:guess {text}` needs the {what} you expect"))
        .at(at..at)
        .help(format!(
            "as in `:guess {text} -2`; `:guess {text} ?` gives a hint"
        ))
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
        grad::has_leaf(session, arguments, &target)?;
        let question = study::guess::question(session, &target.node, node, Quantity::Grad);
        return Ok((question, target.notes));
    }
    let text = word.of(arguments.text);
    match study::guess::asked_about(session, node) {
        Ok((root, asked)) => {
            let question = study::guess::question(session, &root, node, asked);
            Ok((question, Vec::new()))
        }
        Err(Some(root)) => {
            let root = session.label(&root);
            let message = format!("`{text}` is not below `{root}`");
            Err(Diagnostic::new(message).at(word).help(format!(
                "say what it is to move, as in `:guess {text} -2 of L`"
            )))
        }
        Err(None) => Err(Diagnostic::new("there is no target to guess a gradient of")
            .at(arguments.word)
            .help("`:walk L` or `:grad L` makes L the target")),
    }
}

fn judged(session: &Session, question: &Question, guess: f64, judgement: &Judgement) -> Report {
    let what = hints::what(session, question);
    let mut blocks = Vec::new();
    if judgement.right {
        let line = say!("right: {:formula} = {}", what, question.truth);
        blocks.push(Block::Line(line));
    } else {
        let mut line = say!("{:formula} is not {}", what, guess);
        let (short, more) = match &judgement.slip {
            Some(slip) => diagnosis::said(session, question, slip),
            None => (String::new(), nothing_fits(session, question)),
        };
        if !short.is_empty() {
            line = say!("{}: {}", line, short);
        }
        blocks.push(Block::Line(line));
        if !more.is_empty() {
            blocks.push(Block::Line(more));
        }
    }
    blocks.push(Block::Line(match judgement.known {
        None => score(session),
        Some(NotCounted::Answered) => dim(say!("not counted: this question has been answered")),
        Some(NotCounted::Shown) => dim(say!("already shown, not counted")),
    }));
    let right = Some(Fact::Flag(judgement.right));
    let mut facts = facts(session, Some(question), Some(guess), right);
    if let (Some(slip), Some(place)) = (
        &judgement.slip,
        facts.iter_mut().find(|(key, _)| *key == "slip"),
    ) {
        place.1 = Fact::Text(slip.word().to_string());
    }
    Report::new("guess", facts, blocks)
}

/// The score: `score: 1 of 2`
fn score(session: &Session) -> Line {
    let guesses = session.guesses();
    let score = say!("score: {} of {}", guesses.right, guesses.tried);
    dim(match guesses.shown as usize {
        0 => score,
        shown => say!("{}, {} shown", score, plural(shown, "answer")),
    })
}

/// The facts that every answer has.
pub(crate) fn facts(
    session: &Session,
    question: Option<&Question>,
    guess: Option<f64>,
    right: Option<Fact>,
) -> Vec<(&'static str, Fact)> {
    let label = |node: &Rc<Node>| Fact::Text(session.label(node));
    let guesses = session.guesses();
    let asked = question.map_or(Fact::Null, |question| {
        let word = match question.asked {
            Quantity::Grad => "grad",
            Quantity::Data => "data",
        };
        Fact::Text(word.to_string())
    });
    vec![
        ("root", question.map_or(Fact::Null, |it| label(&it.root))),
        ("node", question.map_or(Fact::Null, |it| label(&it.node))),
        ("guess", guess.map_or(Fact::Null, Fact::Number)),
        ("right", right.unwrap_or(Fact::Null)),
        ("slip", Fact::Null),
        (
            "score",
            Fact::List(vec![Fact::Count(guesses.right), Fact::Count(guesses.tried)]),
        ),
        ("shown", Fact::Count(guesses.shown)),
        ("asked", asked),
    ]
}

/// For a wrong number that no known slip explains: what to type for a hint.
fn nothing_fits(session: &Session, question: &Question) -> Line {
    let of = match study::guess::asked_about(session, &question.node) {
        Ok((root, _)) if Rc::ptr_eq(&root, &question.root) => String::new(),
        _ => format!(" of {}", hints::typed(session, &question.root)),
    };
    let node = hints::typed(session, &question.node);
    say!("{:dim}`:guess {} ?{}`", "a hint: ", node, of)
}
