//! `:walk L FILE`: the whole walk as a film, one frame for each stop.
//!
//! The session stays as it is: neither the open walk nor the last pass changes.

use std::rc::Rc;

use super::shown::{LABEL, beginning, brief, coming, word};
use crate::commands::args::Arguments;
use crate::commands::gradients::grad;
use crate::commands::{Effect, FileRequest, Reply};
use crate::diagnostic::Diagnostic;
use crate::graph::{FullGraph, Node, Order, gradients};
use crate::report::{Fact, Line, Picture, Report, WalkFilm, join, plural, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::session::by_hand::walk::{Direction, Share, Walk, WalkStop};
use crate::session::naming::formulas::fraction;
use crate::study;

/// The most stops of a film: with more of them, none would be shown for long enough in the time that a film takes.
pub const MOST_STOPS: usize = 200;

/// The most boxes on a film.
pub const MOST_BOXES: usize = 1_000;

/// The most operands of a stop that are told one by one.
const MOST_TOLD: usize = 4;

/// The endings of file names.
pub(super) fn endings() -> Vec<&'static str> {
    vec!["svg", "apng"]
}

/// The answer, with the film to be drawn.
pub(super) fn reply(
    session: &mut Session,
    arguments: &Arguments,
    file: FileRequest,
    direction: Direction,
) -> Result<Reply, Diagnostic> {
    for flag in ["ask", "end"] {
        if let Some(&word) = arguments.words(flag).first() {
            let film = arguments.retyped(&[(word, "")]);
            let walk = arguments.retyped(&[(file.word(), "")]);
            return Err(Diagnostic::new(format!(
                "`{flag}` is for a walk that you make; a film goes through all of it by itself"
            ))
            .at(word)
            .help(format!("write `{film}` or `{walk}`")));
        }
    }
    let made = session.made();
    let target = arguments.target(session, "T")?;
    grad::has_leaf(session, arguments, &target)?;
    let root = &target.node;
    let label = session.label(root);
    let walk = session.walk_apart(root, direction);
    let stops = walk.of();
    let too_many = |count: usize, what: &str, most: usize| {
        Diagnostic::new(format!(
            "a walk of `{label}` has {count} {what}, a film has room for {most}"
        ))
        .at(file.span.clone())
        .help("`:walk NODE FILE` draws a part; `:walk` without a file has no limit")
    };
    if stops == 0 {
        return Err(Diagnostic::new(format!("a walk of `{label}` has no stops"))
            .at(file.span)
            .help("`:walk NODE FILE` with a computed node draws one"));
    }
    if stops > MOST_STOPS {
        return Err(too_many(stops, "stops", MOST_STOPS));
    }
    let whole = FullGraph::below(root);
    let lists = study::boxes(session, &whole, &[], false);
    let merged: usize = lists.iter().map(|list| list.places.len() - 1).sum();
    let boxes = whole.nodes.len() - merged;
    if boxes > MOST_BOXES {
        return Err(too_many(boxes, "boxes", MOST_BOXES));
    }
    let film = study::film(session, walk, &whole, &lists, |walk| told(session, walk));
    let title = format!(
        "{} walk of {}, {}",
        word(direction),
        brief(&label, 2 * LABEL),
        plural(stops, "stop")
    );
    let facts = vec![
        ("root", Fact::Text(label)),
        ("direction", Fact::Text(word(direction).to_string())),
        ("path", Fact::Text(file.path.clone())),
        ("count", Fact::Count(stops as u64)),
    ];
    let line = say!("drew {} into {:typed}", plural(stops, "stop"), &*file.path);
    shown(session, root, &whole, direction);
    drop(whole);
    drop(target.node);
    session.rewind(made);
    Ok(Reply {
        report: Some(Report::done("walk", facts, line)),
        effect: Some(
            Effect::Draw {
                file,
                picture: Picture::Walk(Box::new(WalkFilm { title, ..film })),
            }
            .into(),
        ),
        ..Reply::default()
    }
    .notes(target.notes))
}

/// What a film shows is no question for `:guess` any more.
fn shown(session: &mut Session, root: &Rc<Node>, whole: &FullGraph, direction: Direction) {
    match direction {
        Direction::Backward => {
            let order = Order::below([root]);
            let grads = gradients(&order, root, |_| {});
            let ids = order.nodes().iter().map(|node| node.id());
            session.answers_shown(root, Quantity::Grad, ids.zip(grads));
        }
        Direction::Forward => {
            let data = whole.nodes.iter().map(|node| (node.id(), node.data()));
            session.answers_shown(root, Quantity::Data, data);
        }
    }
}

/// What happens where a walk is, the most important line first.
fn told(session: &Session, walk: &Walk) -> Vec<Line> {
    let Some(stop) = walk.stop() else {
        return vec![beginning(session, walk)];
    };
    let mut lines = vec![heading(session, walk, &stop)];
    match walk.direction {
        Direction::Backward => {
            let shares = stop.shares.iter().take(MOST_TOLD);
            lines.extend(shares.map(|share| contribution(session, walk, &stop, share)));
            lines.extend(omitted(stop.shares.len()));
        }
        Direction::Forward => {
            let told = |operand: &&Rc<Node>| operand.spelling().is_none();
            let operands: Vec<_> = stop.node.operands().iter().filter(told).collect();
            let values = operands.iter().take(MOST_TOLD).map(|operand| {
                let label = brief(&session.label_in(walk, operand), LABEL);
                say!("{:name} = {:short}", label, operand.data())
            });
            if !operands.is_empty() {
                lines.push(say!("from {}", join(values, ", ")));
            }
            lines.extend(omitted(operands.len()));
        }
    }
    if walk.next().is_none() {
        lines.push(coming(session, walk));
    }
    lines
}

/// `stop 2 of 3: a*b + c = 4, upstream dL/d(a*b + c) = 2`
fn heading(session: &Session, walk: &Walk, stop: &WalkStop) -> Line {
    let label = |node| brief(&session.label_in(walk, node), LABEL);
    let node = label(&stop.node);
    let made = if session.is_named(&stop.node) {
        let expression = brief(&session.expression(&stop.node), LABEL);
        say!("{:formula} = ", expression)
    } else {
        Line::new()
    };
    let line = say!(
        "stop {} of {}: {:name} = {}{:short}",
        walk.position(),
        walk.of(),
        &node,
        made,
        stop.node.data()
    );
    let Some(upstream) = stop.upstream else {
        return line;
    };
    let fraction = fraction(&label(walk.root()), &node);
    say!(
        "{}, upstream {:formula} = {:short}",
        line,
        fraction,
        upstream
    )
}

/// `b.grad += 1 * a = 2`, and what it adds up to if it is not the first.
fn contribution(session: &Session, walk: &Walk, stop: &WalkStop, share: &Share) -> Line {
    let operand = brief(&bracketed(&session.label_in(walk, &share.to)), LABEL);
    let formula = bracketed(&session.local_formula(&stop.node, share.operand));
    let is_short = formula.chars().count() <= LABEL && !formula.contains('…');
    let local = if is_short {
        say!("{:formula}", formula)
    } else {
        say!("{:short}", share.local)
    };
    let line = say!(
        "{:name}.grad += {:short} * {} = {:short}",
        operand,
        stop.upstream.unwrap_or(0.0),
        local,
        share.amount
    );
    if share.nth == 1 {
        return line;
    }
    say!("{}, in all {:short}", line, share.after)
}

/// An expression that something follows or precedes: in brackets, unless it has no operation outside of brackets.
fn bracketed(expression: &str) -> String {
    let mut depth = 0_usize;
    for (place, c) in expression.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            c if depth == 0 && (" *^/".contains(c) || c == '-' && place == 0) => {
                return format!("({expression})");
            }
            _ => {}
        }
    }
    expression.to_string()
}

fn omitted(all: usize) -> Option<Line> {
    let more = all.checked_sub(MOST_TOLD).filter(|&more| more > 0)?;
    Some(say!("and {}", plural(more, "more operand")))
}
