//! `n.grad = 0.5`: gradients that are typed by hand, as the lecture does before it has `backward`.
//!
//! Such a line is the user's own claim, so it is judged as a guess is: it says whether the number is right.

use super::hints;
use crate::session::Session;
use crate::study;

/// The guess that a claim is: `:guess n 0.5 of o`.
///
/// It is about the root of the claims before it, or about the walk or pass that there is. A claim of 1 about a node that
/// is below neither makes this node the root.
pub(crate) fn guess(session: &Session, node: &str, value: &str) -> String {
    let mut nodes = session.names().nodes();
    let Some((_, found)) = nodes.find(|(name, _)| name == node) else {
        return format!(":guess {node} {value}");
    };
    let root = match study::guess::claimed_about(session, found) {
        Some(root) if root.id() == found.id() => node.to_string(),
        Some(root) => hints::typed(session, &root),
        None if value.parse() == Ok(1.0) => node.to_string(),
        None => return format!(":guess {node} {value}"),
    };
    format!(":guess {node} {value} of {root}")
}
