//! Notes the inputs of an entry that its text does not name, and restores them before it is answered again.

use std::rc::{Rc, Weak};

use super::entry_text::shows_pass;
use crate::session::Session;
use crate::session::values::Value;
use chainrule_engine::graph::Node;

/// The inputs of an entry that its text does not name. Each is a name or a result, such as `$3`.
#[derive(Clone, Default)]
pub(super) struct ImplicitInputs {
    /// The target that the entry took.
    pub(super) target: Option<String>,
    /// The root of the pass that the entry shows.
    pub(super) pass: Option<String>,
}

impl ImplicitInputs {
    /// The implicit inputs of an entry with this text. `pass` is the root of the last pass before it. Returns `None` if an
    /// input has neither a name nor a result.
    pub(super) fn of(
        session: &Session,
        text: &str,
        pass: Option<&Weak<Node>>,
    ) -> Option<ImplicitInputs> {
        let mut implicit = ImplicitInputs::default();
        let targets = session.show.targets_taken.iter().flatten();
        let targets: Vec<Rc<Node>> = targets.map(Weak::upgrade).collect::<Option<_>>()?;
        if let Some((target, others)) = targets.split_first() {
            if others.iter().any(|other| !Rc::ptr_eq(other, target)) {
                return None;
            }
            implicit.target = Some(word_for(session, target)?);
        }
        if let Some(root) = pass.filter(|_| shows_pass(text)) {
            implicit.pass = Some(word_for(session, &root.upgrade()?)?);
        }
        Some(implicit)
    }

    /// Brings the inputs back before an entry with this text is answered again. Returns `false` if one is gone.
    pub(super) fn restore(&self, text: &str, session: &mut Session) -> bool {
        if shows_pass(text) && !restore_pass(self.pass.as_deref(), session) {
            return false;
        }
        let Some(target) = &self.target else {
            return true;
        };
        let found = node_of(session, target);
        if let Some(node) = &found {
            session.aim_at(node, target);
        }
        found.is_some()
    }
}

/// Makes the last pass one from this root, or forgets it. Returns `false` if the root is gone.
fn restore_pass(root: Option<&str>, session: &mut Session) -> bool {
    let Some(word) = root else {
        session.forget_pass();
        return true;
    };
    let Some(node) = node_of(session, word) else {
        return false;
    };
    let is_last = (session.pass()).is_some_and(|pass| Rc::ptr_eq(pass.root(), &node));
    if !is_last {
        session.backward(&node);
    }
    true
}

/// The name of a node, or its number as a result.
pub(super) fn word_for(session: &Session, node: &Rc<Node>) -> Option<String> {
    if let Some(name) = session.names().plain_of(node).next() {
        return Some(name.to_owned());
    }
    let is_this_node = |value: &Value| value.node().is_some_and(|it| Rc::ptr_eq(it, node));
    let mut results = session.results().iter_numbered();
    let (number, _) = results.find(|(_, value)| is_this_node(value))?;
    Some(format!("${number}"))
}

/// The value of a name, or of a result such as `$3`.
pub(super) fn value_of(session: &Session, word: &str) -> Option<Value> {
    match word.strip_prefix('$') {
        Some(number) => session.results().get(number.parse().ok()?),
        None => session.names().find(word).cloned(),
    }
}

fn node_of(session: &Session, word: &str) -> Option<Rc<Node>> {
    value_of(session, word)?.node().cloned()
}
