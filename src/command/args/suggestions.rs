//! The words that completion offers for an argument, if they do not follow from its kind.
//!
//! Completion shows those that begin with the user's letters; parsing uses only the endings of files.

use chainrule_engine::graph::Node;
use chainrule_language as language;
use chainrule_program::values::Value;
use chainrule_report::characters;
use chainrule_report::{Kind, Line, Piece};
use chainrule_session::{Session, kind_of};

/// The most characters of an expression that are shown before its value.
const LETTERS: usize = 24;

/// The words that completion offers for an argument.
#[derive(Clone, Copy, Debug)]
pub enum Offers {
    /// Words that follow from the kind of argument: names for a node, everything for an expression.
    Usual,
    /// Names of the nodes that satisfy a condition.
    Nodes(fn(&Node) -> bool),
    /// A list of words, computed from the session and the words given before.
    Words(fn(&Session, &[&str]) -> Vec<Word>),
}

/// A word that completion may offer.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The text that is inserted.
    pub text: String,
    /// A description.
    pub about: Line,
    /// Whether it is offered only after its first letter, because there are many such words.
    pub is_offered_by_letter: bool,
}

impl Word {
    /// A word with a description.
    pub fn new(text: impl Into<String>, about: Line) -> Word {
        Word {
            text: text.into(),
            about,
            is_offered_by_letter: false,
        }
    }
}

impl Offers {
    /// Leaves, frozen or not.
    pub const LEAVES: Offers = Offers::Nodes(Node::is_leaf);
}

/// Whether a word is a path with one of these endings, in small letters or capitals.
pub(super) fn has_ending(word: &str, endings: &[&str]) -> bool {
    let unquoted = language::strip_quotes(word).unwrap_or(word);
    let path = unquoted.to_ascii_lowercase();
    let ends_with = |ending: &&str| {
        let name = path.strip_suffix(&*format!(".{ending}"));
        name.is_some_and(|name| !name.is_empty() && !name.ends_with('/'))
    };
    // `>` belongs to a shell, not to a path.
    !path.starts_with('>') && endings.iter().any(ends_with)
}

/// Describes a value: `leaf = 2`, `a*b = -6`, `a list of 3`.
pub fn describe_value(session: &Session, value: &Value) -> Line {
    let Value::Node(node) = value else {
        return vec![Piece::plain(value.shape().to_string())];
    };
    let kind = match kind_of(node) {
        Kind::Frozen => "frozen leaf".to_owned(),
        Kind::Computed => short_expression(&session.expression(node)),
        kind => kind.word().to_owned(),
    };
    let data = Piece::Short(node.data());
    vec![Piece::plain(kind), Piece::plain(" = "), data]
}

/// Cuts a long expression off, with an ellipsis.
pub fn short_expression(expression: &str) -> String {
    characters::shorten_end(expression, LETTERS).into_owned()
}
