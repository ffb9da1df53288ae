//! Words the notes that statements make in addition to their answers. A note neither stops nor changes anything.
//!
//! Numbers in a note stay numbers, because each view writes them in its own way.

use std::rc::Rc;

use crate::state::{MovedRoot, Session};
use chainrule_engine::graph::Node;
use chainrule_language::{Expression, Item, ItemKind, Name};
use chainrule_report::{Note, say};

/// The note on `123(4)` alone, a product that looks like a value with its uncertainty.
pub(crate) fn missing_sign_note(text: &str, expression: &Expression) -> Option<Note> {
    let [number, width, _] = expression.items[..] else {
        return None;
    };
    let is_number = |item: &Item<Name>| matches!(item.kind, ItemKind::Number(_));
    let between = text.get(number.span.end as usize..width.span.start as usize)?;
    if between != "(" || ![number, width].iter().all(is_number) {
        return None;
    }
    let typed = [number, width].map(|item| item.span.of(text));
    let advice = "an uncertainty is written with its sign:";
    Some(Note::new(say!("{} `{} ± {}`", advice, typed[0], typed[1])))
}

impl MovedRoot {
    fn is(&self, node: &Rc<Node>) -> bool {
        std::ptr::eq(self.node.as_ptr(), &raw const **node)
    }
}

impl Session {
    /// Remembers the root above a leaf that a line of Python is about to move: that of the last pass, or the target.
    pub fn remember_moved_root(&mut self, leaf: &Rc<Node>) {
        let pass = self.pass().filter(|_| self.has_grad(leaf));
        let aimed = || self.target_node(self.target()?);
        let Some(root) = pass.map(|it| Rc::clone(it.root())).or_else(aimed) else {
            return;
        };
        if self
            .recent
            .moved_root
            .as_ref()
            .is_none_or(|it| !it.is(&root))
        {
            self.recent.moved_root = Some(MovedRoot {
                node: Rc::downgrade(&root),
                data: root.data(),
                has_note: false,
            });
        }
    }

    /// Notes, once for the last root that moved, that Python would print another number for it.
    pub(crate) fn note_moved_root(&mut self, node: &Rc<Node>) {
        let Some(root) = &mut self.recent.moved_root else {
            return;
        };
        let data = root.data;
        if !root.is(node) || root.has_note || data.to_bits() == node.data().to_bits() {
            return;
        }
        root.has_note = true;
        let name = self.label(node);
        self.add_note(Note::new(say!(
            "Python would still print {}: it computes {:name} only where its line stands",
            data,
            name
        )));
    }

    /// The note that `x.grad` was read after data changed.
    pub(crate) fn stale_note(&self) -> Option<Note> {
        let root = self.label(self.recent.pass.as_ref()?.root());
        Some(Note::new(say!(
            "the gradient is stale: data changed since the pass; `:grad {}` brings it up to date",
            root
        )))
    }
}
