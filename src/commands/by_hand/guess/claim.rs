//! `n.grad = 0.5`: gradients that are typed by hand, as the lecture does before it has `backward`.
//!
//! Such a line is the user's own claim, so it is judged as a guess is: it says whether the number is right.

use super::hints;
use crate::session::Session;
use crate::study;

/// The guess that a claim is: `:guess n 0.5 of o`. A claim of 1 about a value that nothing uses makes it the root. `None`
/// if several roots are possible.
pub(crate) fn guess(session: &Session, node: &str, value: &str) -> Option<String> {
    let mut nodes = session.names().nodes();
    let Some((_, found)) = nodes.find(|(name, _)| name == node) else {
        return Some(format!(":guess {node} {value}"));
    };
    let root = match study::guess::claimed_about(session, found).as_slice() {
        [root] if root.id() == found.id() => node.to_string(),
        [root] => hints::typed(session, root),
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
    roots.last().map(|root| hints::typed(session, root))
}
