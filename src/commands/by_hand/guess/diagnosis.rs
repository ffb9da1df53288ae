//! What `:guess` says about a mistake: a short diagnosis, and a hint at where to look.
//!
//! The mistake was recognized by `study::guess::diagnosis`. None of these sentences gives the right number away.

use std::rc::Rc;

use super::hints;
use crate::graph::Node;
use crate::report::{Line, Piece};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::study::guess::Question;
use crate::study::guess::diagnosis::Slip;

/// The short diagnosis of a mistake, and the hint. Neither contains the right number.
pub(crate) fn said(session: &Session, question: &Question, slip: &Slip) -> (String, Line) {
    let node = hints::called(session, &question.node);
    let root = hints::called(session, &question.root);
    let over = |above: &Rc<Node>| hints::fraction(session, above, &question.node);
    let under = |below: &Rc<Node>| hints::fraction(session, &question.root, below);
    let formula = |user: &Rc<Node>, operand: usize| session.local_formula(user, operand);
    let (short, more): (&str, Vec<Piece>) = match slip {
        Slip::Sign(false) => ("the size is right, the sign is not", Vec::new()),
        Slip::Sign(true) => (
            "one sign is wrong",
            vec![Piece::plain("one of what is added up has the other sign")],
        ),
        Slip::Upstream(Some(user)) => (
            "the upstream factor is missing",
            vec![
                Piece::plain("that is "),
                Piece::formula(over(user)),
                Piece::plain(" alone; what reaches "),
                Piece::name(hints::called(session, user)),
                Piece::plain(" from above multiplies it"),
            ],
        ),
        Slip::Upstream(None) => (
            "the upstream factors are missing",
            vec![Piece::plain(
                "those are the local derivatives alone; each is multiplied by what comes from above",
            )],
        ),
        Slip::Local(Some(user)) => (
            "the local factor is missing",
            vec![
                Piece::plain("that is "),
                Piece::formula(under(user)),
                Piece::plain("; how much does "),
                Piece::name(hints::called(session, user)),
                Piece::plain(" move with "),
                Piece::name(node),
                Piece::plain("?"),
            ],
        ),
        Slip::Local(None) => (
            "the local factors are missing",
            vec![Piece::plain(
                "those are the grads of its users; each is multiplied by a local derivative",
            )],
        ),
        Slip::Operand(user) if question.asked == Quantity::Grad => (
            "that belongs to the other operand",
            vec![
                Piece::plain("what does "),
                Piece::name(hints::called(session, user)),
                Piece::plain(" pass on to "),
                Piece::name(node),
                Piece::plain("?"),
            ],
        ),
        Slip::Operand(user) => (
            "that has to do with its operands, but how?",
            vec![
                Piece::name(node),
                Piece::plain(" is "),
                Piece::formula(session.expression(user)),
            ],
        ),
        Slip::Path(missing) => (
            "that is not all that adds up",
            ways(session, question, missing),
        ),
        Slip::Accumulation(user) => (
            "contributions add up",
            vec![
                Piece::name(node),
                Piece::plain(" is more than one operand of "),
                Piece::name(hints::called(session, user)),
                Piece::plain(", and each counts"),
            ],
        ),
        Slip::Point(user, operand) => (
            "the local derivative at the wrong point",
            vec![
                Piece::plain("what stands for what in "),
                Piece::formula(formula(user, *operand)),
                Piece::plain("?"),
            ],
        ),
        Slip::Parenthesis(user, operand) => (
            "brackets",
            vec![
                Piece::plain("what comes from above multiplies all of "),
                Piece::formula(formula(user, *operand)),
            ],
        ),
        Slip::Inverse => (
            "something is upside down",
            vec![Piece::plain(
                "a factor, or all of it, is one over what it should be",
            )],
        ),
        Slip::Value => (
            "that is its value",
            vec![
                Piece::plain("how much does "),
                Piece::name(root),
                Piece::plain(" move with "),
                Piece::name(node),
                Piece::plain("?"),
            ],
        ),
        Slip::Passes(count) => {
            let short = format!("that is the sum of {count} passes");
            return (short, vec![Piece::plain("asked is what one pass gives")]);
        }
        Slip::Digits => (
            "near, but not to the digits given",
            vec![Piece::plain(
                "three right ones are enough, or an expression",
            )],
        ),
    };
    (short.to_string(), more)
}

/// The users whose contributions are missing, or that there is more than one path.
fn ways(session: &Session, question: &Question, missing: &[Rc<Node>]) -> Line {
    let node = Piece::name(hints::called(session, &question.node));
    if missing.is_empty() {
        let root = Piece::name(hints::called(session, &question.root));
        return vec![
            Piece::plain("there is more than one way from "),
            node,
            Piece::plain(" to "),
            root,
        ];
    }
    let mut line = vec![node, Piece::plain(" is used by ")];
    line.extend(hints::list(session, missing.iter().map(|user| (user, 1))));
    line.push(Piece::plain(", too"));
    line
}
