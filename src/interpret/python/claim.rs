//! `n.grad = 0.5`: gradients that are typed by hand, as the lecture does before it has `backward`.
//!
//! Such a line is the user's own claim, so it is judged as a guess is: it says whether the number is right.

use super::arguments;
use super::line::Foreign;
use crate::commands::by_hand::guess::hints;
use crate::study;

/// The guess that a claim is: `:guess n 0.5 of o`.
///
/// It is about the root of the claims before it, or about the walk or pass that there is. A claim of 1 about a node that
/// is below neither makes this node the root.
pub(super) fn guess(foreign: &Foreign, node: &str, value: &str) -> Option<String> {
    if !arguments::is_expression(value) {
        return None;
    }
    let session = foreign.session;
    let mut nodes = session.names().nodes();
    let Some((_, found)) = nodes.find(|(name, _)| name == node) else {
        return Some(format!(":guess {node} {value}"));
    };
    let root = match study::guess::claimed_about(session, found) {
        Some(root) if root.id() == found.id() => node.to_string(),
        Some(root) => hints::typed(session, &root),
        None if value.parse() == Ok(1.0) => node.to_string(),
        None => return Some(format!(":guess {node} {value}")),
    };
    Some(format!(":guess {node} {value} of {root}"))
}
