//! `:guess NODE VALUE`: predicts a gradient, or a value in a forward walk, before it is shown.
//!
//! `study::guess` judges the guess and the session keeps the score; this file finds out what is asked, and words the
//! answer so that it gives nothing away.

use std::rc::Rc;

use crate::commands::args::{Argument, ArgumentKind, Arguments};
use crate::commands::by_hand::walk;
use crate::commands::gradients::grad;
use crate::commands::{Command, Group, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::Node;
use crate::report::{Block, Fact, Line, Note, Report, dim, join, plural, say};
use crate::session::Session;
use crate::session::by_hand::guesses::{HINTS, NotCounted, Quantity};
use crate::session::by_hand::walk::{Direction, Walk};
use crate::session::naming::formulas;
use crate::study;
use crate::study::guess::diagnosis::Slip;
use crate::study::guess::{Incoming, Judgement, Question, Typed};
use crate::syntax::{self, Expression, Span};

pub(crate) const COMMAND: Command = Command {
    name: "guess",
    aliases: &[],
    group: Group::Walk,
    looks: false,
    entry: (":guess a 6", "predict a gradient"),
    arguments: &[
        Argument::optional("NODE", ArgumentKind::Node),
        Argument::optional("VALUE", ArgumentKind::Expression)
            .means("your guess, a number or any expression; `?` asks for a hint"),
        Argument::after("of", "T", ArgumentKind::Expression),
    ],
    summary: "predict a grad before it is shown",
    page: page!("commands/guess"),
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
            (hinted(session, question, hint), hint == HINTS)
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
        facts(session, None, None),
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
    let what = what(session, question);
    let mut blocks = Vec::new();
    if judgement.right {
        let line = say!("right: {:formula} = {}", what, question.truth);
        blocks.push(Block::Line(line));
    } else {
        let mut line = say!("{:formula} is not {}", what, guess);
        let (short, more) = match &judgement.slip {
            Some(slip) => slip_said(session, question, slip),
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
    let facts = facts(session, Some(question), Some((guess, judgement)));
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
fn facts(
    session: &Session,
    question: Option<&Question>,
    judged: Option<(f64, &Judgement)>,
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
    let slip = judged.and_then(|(_, judgement)| judgement.slip.as_ref());
    let right = |(_, judgement): (f64, &Judgement)| Fact::Flag(judgement.right);
    vec![
        ("root", question.map_or(Fact::Null, |it| label(&it.root))),
        ("node", question.map_or(Fact::Null, |it| label(&it.node))),
        (
            "guess",
            judged.map_or(Fact::Null, |(guess, _)| Fact::Number(guess)),
        ),
        ("right", judged.map_or(Fact::Null, right)),
        (
            "slip",
            slip.map_or(Fact::Null, |slip| Fact::Text(slip.word().to_string())),
        ),
        (
            "score",
            Fact::List(vec![Fact::Count(guesses.right), Fact::Count(guesses.tried)]),
        ),
        ("shown", guesses.shown.into()),
        ("asked", asked),
    ]
}

/// For a wrong number that no known slip explains: what to type for a hint.
fn nothing_fits(session: &Session, question: &Question) -> Line {
    let of = match study::guess::asked_about(session, &question.node) {
        Ok((root, _)) if Rc::ptr_eq(&root, &question.root) => String::new(),
        _ => format!(" of {}", typed(session, &question.root)),
    };
    let node = typed(session, &question.node);
    say!("{:dim}`:guess {} ?{}`", "a hint: ", node, of)
}

/// The most users or operands that are named; the others are counted.
const NAMED: usize = 4;

/// The answer to `?`: how the number comes about, and to another `?` the number.
fn hinted(session: &Session, question: &Question, hint: u8) -> Report {
    let (mut lines, rest) = if hint < HINTS {
        let lines = match question.asked {
            Quantity::Grad => contributions(session, question),
            Quantity::Data => vec![operation(session, question)],
        };
        (lines, "another `?`: the answer")
    } else {
        let answer = worked_out(session, question);
        (vec![answer], "the answer has been shown: it is not counted")
    };
    lines.push(say!("{:dim}", rest));
    let mut facts = facts(session, Some(question), None);
    facts.push(("hint", u64::from(hint).into()));
    let local = |arrival: &Incoming| {
        let formula = session.local_formula(&arrival.user, arrival.operand);
        Fact::Record(vec![
            ("user", session.label(&arrival.user).into()),
            ("formula", formula.into()),
            ("local", arrival.local.into()),
        ])
    };
    // A node may have half a million users: as many are listed as a table has rows.
    let told = question.arrivals.iter().take(session.table_rows());
    facts.push(("users", Fact::List(told.map(local).collect())));
    let truth = (hint >= HINTS).then_some(question.truth);
    facts.push(("answer", truth.into()));
    Report::new("guess", facts, lines.into_iter().map(Block::Line).collect())
}

/// What each user passes on: `a*b passes on its grad times b = -3`
fn contributions(session: &Session, question: &Question) -> Vec<Line> {
    let (root, node) = (
        called(session, &question.root),
        called(session, &question.node),
    );
    if Rc::ptr_eq(&question.root, &question.node) {
        return vec![say!(
            "{:name} is the root: how much does it move when it moves?",
            node
        )];
    }
    let line = |arrival: &Incoming| {
        let user = called(session, &arrival.user);
        let formula = session.local_formula(&arrival.user, arrival.operand);
        // The local derivative of a sum is a number already.
        if formula.parse::<f64>().is_ok() {
            return say!("{:name} passes on its grad times {}", user, arrival.local);
        }
        say!(
            "{:name} passes on its grad times {:formula} = {}",
            user,
            formula,
            arrival.local
        )
    };
    let mut lines: Vec<Line> = question.arrivals.iter().take(NAMED).map(line).collect();
    match question.arrivals.len() {
        0 => lines.push(say!("is there a path from {:name} to {:name}?", node, root)),
        1 => {}
        count => {
            if count > NAMED {
                lines.push(say!("and {} more", count - NAMED));
            }
            lines.push(say!(
                "all of this adds up to {:formula}",
                what(session, question)
            ));
        }
    }
    lines
}

/// The operation that computes a value, and its operands: `L is a*b with a = 2, b = -3`
fn operation(session: &Session, question: &Question) -> Line {
    let node = called(session, &question.node);
    let operands = question.node.operands();
    if operands.is_empty() {
        return say!("{:name} is a leaf: it has the value it was given", node);
    }
    let operand = |it: &Rc<Node>| say!("{:name} = {}", called(session, it), it.data());
    let mut shown = join(operands.iter().take(NAMED).map(operand), ", ");
    if operands.len() > NAMED {
        shown = say!("{} and {} more", shown, operands.len() - NAMED);
    }
    let expression = session.expression(&question.node);
    say!("{:name} is {:formula} with {}", node, expression, shown)
}

/// The answer: `dL/da = -2*(-3) = 6`.
fn worked_out(session: &Session, question: &Question) -> Line {
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
    say!("{:formula} = {}{}", what, steps, question.truth)
}

/// What the question asks for: `dL/d(a*b)`, or in a forward walk the node itself.
fn what(session: &Session, question: &Question) -> String {
    match question.asked {
        Quantity::Grad => fraction(session, &question.root, &question.node),
        Quantity::Data => session.label(&question.node),
    }
}

/// The notation of a derivative: `dL/d(a*b)`
fn fraction(session: &Session, above: &Rc<Node>, below: &Rc<Node>) -> String {
    formulas::fraction(&called(session, above), &called(session, below))
}

/// The label of a node, short enough for a sentence.
fn called(session: &Session, node: &Rc<Node>) -> String {
    walk::brief(&session.label(node), 24)
}

/// How to refer to a node in a command: by its name, its text in brackets, or its id.
fn typed(session: &Session, node: &Rc<Node>) -> String {
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

/// A slip in a few words, and what is behind it.
fn slip_said(session: &Session, question: &Question, slip: &Slip) -> (String, Line) {
    let node = &called(session, &question.node);
    let called = |user: &Rc<Node>| called(session, user);
    let (short, more) = match slip {
        Slip::Sign(false) => ("the size is right, the sign is not", Line::new()),
        Slip::Sign(true) => (
            "one sign is wrong",
            say!("one term of the sum has the opposite sign"),
        ),
        Slip::Upstream(Some(user)) => (
            "the upstream factor is missing",
            say!(
                "that is {:formula} alone; what reaches {:name} from above multiplies it",
                fraction(session, user, &question.node),
                called(user)
            ),
        ),
        Slip::Upstream(None) => (
            "the upstream factors are missing",
            say!(
                "those are the local derivatives alone; each is multiplied by what comes from above"
            ),
        ),
        Slip::Local(Some(user)) => (
            "the local factor is missing",
            say!(
                "that is {:formula}; how much does {:name} move with {:name}?",
                fraction(session, &question.root, user),
                called(user),
                node
            ),
        ),
        Slip::Local(None) => (
            "the local factors are missing",
            say!("those are the grads of its users; each is multiplied by a local derivative"),
        ),
        Slip::Operand(user) if question.asked == Quantity::Grad => (
            "that belongs to the other operand",
            say!("what does {:name} pass on to {:name}?", called(user), node),
        ),
        Slip::Operand(user) => (
            "that has to do with its operands, but how?",
            say!("{:name} is {:formula}", node, session.expression(user)),
        ),
        Slip::Path(Some(user)) => (
            "that is only part of the sum",
            say!("{:name} is used by {:name}, too", node, called(user)),
        ),
        Slip::Path(None) => (
            "that is only part of the sum",
            say!(
                "there is more than one path from {:name} to {:name}",
                node,
                called(&question.root)
            ),
        ),
        Slip::Accumulation(user) => {
            let operands = say!("more than one operand of {:name}", called(user));
            (
                "contributions add up",
                say!("{:name} is {}, and each counts", node, operands),
            )
        }
        Slip::Value => {
            let root = called(&question.root);
            (
                "that is its value",
                say!("how much does {:name} move with {:name}?", root, node),
            )
        }
        Slip::Digits => (
            "close, but not to all the digits given",
            say!("three correct digits are enough, or an expression"),
        ),
    };
    (short.to_string(), more)
}

/// The guess that a claim is: `:guess n 0.5 of o`. A claim of 1 about a value that nothing uses makes it the root. `None`
/// if several roots are possible.
pub(crate) fn of_claim(session: &Session, node: &str, value: &str) -> Option<String> {
    let mut nodes = session.names().nodes();
    let Some((_, found)) = nodes.find(|(name, _)| name == node) else {
        return Some(format!(":guess {node} {value}"));
    };
    let root = match study::guess::claimed_about(session, found).as_slice() {
        [root] if root.id() == found.id() => node.to_string(),
        [root] => typed(session, root),
        [] if value.parse() == Ok(1.0) => node.to_string(),
        [] => return Some(format!(":guess {node} {value}")),
        _ => return None,
    };
    Some(format!(":guess {node} {value} of {root}"))
}

/// The root that an ambiguous claim is most likely about.
pub(crate) fn likely_root(session: &Session, node: &str) -> Option<String> {
    let mut nodes = session.names().nodes();
    let (_, found) = nodes.find(|(name, _)| name == node)?;
    let roots = study::guess::claimed_about(session, found);
    roots.last().map(|root| typed(session, root))
}
