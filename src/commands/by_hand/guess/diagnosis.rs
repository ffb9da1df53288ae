//! What `:guess` says of a slip: in a few words what is wrong, and behind them where to look.
//!
//! Which slip it is the session has found out. The right number is in none of these sentences.

use std::rc::Rc;

use super::hints;
use crate::graph::Node;
use crate::report::{Line, Piece, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::study::guess::Question;
use crate::study::guess::diagnosis::Slip;

/// A slip in a few words, and what is behind it. The right number is in neither.
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
            say!("one of what is added up has the other sign"),
        ),
        Slip::Upstream(Some(user)) => (
            "the upstream factor is missing",
            say!(
                "that is {:formula} alone; what reaches {:name} from above multiplies it",
                over(user),
                hints::called(session, user)
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
                under(user),
                hints::called(session, user),
                node
            ),
        ),
        Slip::Local(None) => (
            "the local factors are missing",
            say!("those are the grads of its users; each is multiplied by a local derivative"),
        ),
        Slip::Operand(user) if question.asked == Quantity::Grad => (
            "that belongs to the other operand",
            say!(
                "what does {:name} pass on to {:name}?",
                hints::called(session, user),
                node
            ),
        ),
        Slip::Operand(user) => (
            "that has to do with its operands, but how?",
            say!("{:name} is {:formula}", node, session.expression(user)),
        ),
        Slip::Path(missing) => (
            "that is not all that adds up",
            ways(session, question, missing),
        ),
        Slip::Accumulation(user) => (
            "contributions add up",
            say!(
                "{:name} is more than one operand of {:name}, and each counts",
                node,
                hints::called(session, user)
            ),
        ),
        Slip::Point(user, operand) => (
            "the local derivative at the wrong point",
            say!(
                "what stands for what in {:formula}?",
                formula(user, *operand)
            ),
        ),
        Slip::Parenthesis(user, operand) => (
            "brackets",
            say!(
                "what comes from above multiplies all of {:formula}",
                formula(user, *operand)
            ),
        ),
        Slip::Inverse => (
            "something is upside down",
            say!("a factor, or all of it, is one over what it should be"),
        ),
        Slip::Value => (
            "that is its value",
            say!("how much does {:name} move with {:name}?", root, node),
        ),
        Slip::Passes(count) => {
            let short = format!("that is the sum of {count} passes");
            return (short, say!("asked is what one pass gives"));
        }
        Slip::Digits => (
            "near, but not to the digits given",
            say!("three right ones are enough, or an expression"),
        ),
    };
    (short.to_string(), more)
}

/// Whose contributions add up, the missing ones first.
fn ways(session: &Session, question: &Question, missing: &[Rc<Node>]) -> Line {
    let node = Piece::name(hints::called(session, &question.node));
    if missing.is_empty() {
        let root = Piece::name(hints::called(session, &question.root));
        return say!("there is more than one way from {} to {}", node, root);
    }
    let mut line = say!("{} is used by ", node);
    line.extend(hints::list(session, missing.iter().map(|user| (user, 1))));
    line.push(Piece::plain(", too"));
    line
}
