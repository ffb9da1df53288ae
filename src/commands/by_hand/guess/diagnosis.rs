//! What `:guess` says about a slip: what is wrong in a few words, and where to look.
//!
//! `study::guess::diagnosis` finds out which slip it is. None of these sentences tells the right number.

use std::rc::Rc;

use super::hints;
use crate::graph::Node;
use crate::report::{Line, say};
use crate::session::Session;
use crate::session::by_hand::guesses::Quantity;
use crate::study::guess::Question;
use crate::study::guess::diagnosis::Slip;

/// A slip in a few words, and what is behind it.
pub(crate) fn said(session: &Session, question: &Question, slip: &Slip) -> (String, Line) {
    let node = &hints::called(session, &question.node);
    let called = |user: &Rc<Node>| hints::called(session, user);
    let formula = |user: &Rc<Node>, operand: usize| session.local_formula(user, operand);
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
                hints::fraction(session, user, &question.node),
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
                hints::fraction(session, &question.root, user),
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
        Slip::Path(missing) => (
            "that is only part of the sum",
            missing_paths(session, question, missing),
        ),
        Slip::Accumulation(user) => {
            let operands = say!("more than one operand of {:name}", called(user));
            (
                "contributions add up",
                say!("{:name} is {}, and each counts", node, operands),
            )
        }
        Slip::Point(user, operand) => (
            "the local derivative at the wrong point",
            say!(
                "what stands for what in {:formula}?",
                formula(user, *operand)
            ),
        ),
        Slip::Parenthesis(user, operand) => {
            let factor = formula(user, *operand);
            (
                "brackets",
                say!("what comes from above multiplies all of {:formula}", factor),
            )
        }
        Slip::Inverse => (
            "something is upside down",
            say!("a factor, or the whole, is the reciprocal of what it should be"),
        ),
        Slip::Value => {
            let root = called(&question.root);
            (
                "that is its value",
                say!("how much does {:name} move with {:name}?", root, node),
            )
        }
        Slip::Passes(count) => {
            let short = format!("that is the sum of {count} passes");
            return (short, say!("the question is what one pass gives"));
        }
        Slip::Digits => (
            "close, but not to all the digits given",
            say!("three correct digits are enough, or an expression"),
        ),
    };
    (short.to_string(), more)
}

/// Which contributions to the sum are missing.
fn missing_paths(session: &Session, question: &Question, missing: &[Rc<Node>]) -> Line {
    let node = hints::called(session, &question.node);
    if missing.is_empty() {
        let root = hints::called(session, &question.root);
        return say!(
            "there is more than one path from {:name} to {:name}",
            node,
            root
        );
    }
    let users = hints::users_listed(session, missing.iter().map(|user| (user, 1)));
    say!("{:name} is used by {}, too", node, users)
}
