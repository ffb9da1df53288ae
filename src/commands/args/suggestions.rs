//! What completion offers for an argument, if that does not follow from its kind. Part of a command's signature.
//!
//! Completion asks for all of it, parsing only for the endings of files. Completion filters by what was typed.

use crate::characters;
use crate::graph::Node;
use crate::report::{Line, Piece, TABLE_ENDINGS};
use crate::session::Session;
use crate::session::values::Value;
use crate::syntax;

/// The most characters of an expression that are shown before its value.
const LETTERS: usize = 24;

/// What completion offers for an argument.
#[derive(Clone, Copy, Debug)]
pub enum Offers {
    /// What the kind of argument implies: names for a node, anything possible for an expression.
    Usual,
    /// Names of the nodes that satisfy a condition.
    Nodes(fn(&Node) -> bool),
    /// A list of words, computed from the session and the words given before.
    Words(fn(&Session, &[&str]) -> Vec<Word>),
    /// Files with these endings.
    Files(fn() -> Vec<&'static str>),
    /// Words, or files with these endings.
    WordsAndFiles(
        fn(&Session, &[&str]) -> Vec<Word>,
        fn() -> Vec<&'static str>,
    ),
}

/// A word that completion may offer.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The text that is inserted.
    pub text: String,
    /// A description.
    pub about: Line,
    /// Offer it only if its first letter was typed, because there are many such words.
    pub begun: bool,
}

impl Word {
    /// A word with a description.
    pub fn new(text: impl Into<String>, about: Line) -> Word {
        let text = text.into();
        Word {
            text,
            about,
            begun: false,
        }
    }

    /// Marks the word to be offered only once its first letter was typed.
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

    /// May this value be offered?
    pub fn admits(&self, value: &Value) -> bool {
        match self {
            Offers::Nodes(holds) => value.nodes().iter().all(|node| holds(node)),
            _ => true,
        }
    }

    /// The list of words, if there is one.
    pub fn words(&self, session: &Session, given: &[&str]) -> Vec<Word> {
        match self {
            Offers::Words(words) | Offers::WordsAndFiles(words, _) => words(session, given),
            _ => Vec::new(),
        }
    }

    /// Does this name a file with one of the endings, in small letters or capitals?
    pub(crate) fn is_known_file(&self, word: &str) -> bool {
        has_ending(word, &self.endings())
    }

    /// The endings of files; empty if the argument is not a file.
    pub fn endings(&self) -> Vec<&'static str> {
        match self {
            Offers::Files(endings) | Offers::WordsAndFiles(_, endings) => endings(),
            _ => Vec::new(),
        }
    }
}

/// Does this name a file that takes the table of an answer?
pub(crate) fn is_table_file(word: &str) -> bool {
    has_ending(word, &TABLE_ENDINGS)
}

fn has_ending(word: &str, endings: &[&str]) -> bool {
    let path = syntax::strip_quotes(word)
        .unwrap_or(word)
        .to_ascii_lowercase();
    // The `>` of a shell is none of it.
    path.contains('.')
        && !path.starts_with('>')
        && endings.iter().any(|ending| {
            let stem = path.strip_suffix(ending);
            let stem = stem.and_then(|stem| stem.strip_suffix('.'));
            stem.is_some_and(|stem| !stem.is_empty() && !stem.ends_with('/'))
        })
}

/// The description of a value: `leaf = 2`, `a*b = -6`, `a list of 3`.
pub fn what(session: &Session, value: &Value) -> Line {
    let Value::Node(node) = value else {
        return vec![Piece::plain(value.shape().to_string())];
    };
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

/// The beginning of an expression, with an ellipsis if it is long.
pub fn shortened(expression: &str) -> String {
    characters::shorten_end(expression, LETTERS, false).into_owned()
}
