//! What an argument offers while it is typed, where its kind does not say it all: said in the command's signature.
//!
//! Completion asks; parsing asks for the endings of files. Which of the words begin as what was typed is not known here.

use std::rc::Rc;

use crate::graph::Node;
use crate::report::{Line, Piece};
use crate::session::Session;

/// The most letters of an expression that are shown before its value.
const LETTERS: usize = 24;

/// What is offered for an argument.
#[derive(Clone, Copy, Debug)]
pub enum Offers {
    /// What its kind says: names for a node, all that an expression is made of for an expression.
    Usual,
    /// Names of nodes of which this holds.
    Nodes(fn(&Node) -> bool),
    /// Words of its own, from the session and the words given before.
    Words(fn(&Session, &[&str]) -> Vec<Word>),
    /// Files whose names end so.
    Files(fn() -> Vec<&'static str>),
}

/// A word that may be typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// What it is.
    pub about: Line,
    /// One of many: it is offered only when it was begun.
    pub begun: bool,
}

impl Word {
    /// A word, and what it is.
    pub fn new(text: impl Into<String>, about: Line) -> Word {
        let text = text.into();
        Word {
            text,
            about,
            begun: false,
        }
    }

    /// Offered only when it was begun.
    #[must_use]
    pub fn begun(self) -> Word {
        Word {
            begun: true,
            ..self
        }
    }
}

impl Offers {
    /// Leaves, frozen or not.
    pub const LEAVES: Offers = Offers::Nodes(Node::is_leaf);

    /// Is this a node that is offered?
    pub fn admits(&self, node: &Node) -> bool {
        match self {
            Offers::Nodes(holds) => holds(node),
            _ => true,
        }
    }

    /// The words of its own.
    pub fn words(&self, session: &Session, given: &[&str]) -> Vec<Word> {
        match self {
            Offers::Words(words) => words(session, given),
            _ => Vec::new(),
        }
    }

    /// How the names of its files end; none if it is no file.
    pub fn endings(&self) -> Vec<&'static str> {
        match self {
            Offers::Files(endings) => endings(),
            _ => Vec::new(),
        }
    }
}

/// What a node is: `leaf = 2`, `a*b = -6`.
pub fn what(session: &Session, node: &Rc<Node>) -> Line {
    let kind = if node.is_frozen() {
        "frozen leaf".to_owned()
    } else if node.is_leaf() {
        "leaf".to_owned()
    } else if node.varies() {
        shortened(&session.expression(node))
    } else {
        "constant".to_owned()
    };
    let data = Piece::Short(node.data());
    vec![Piece::plain(kind), Piece::plain(" = "), data]
}

/// The beginning of a long expression.
pub fn shortened(expression: &str) -> String {
    match expression.char_indices().nth(LETTERS) {
        Some((at, _)) => format!("{}…", &expression[..at]),
        None => expression.to_owned(),
    }
}
