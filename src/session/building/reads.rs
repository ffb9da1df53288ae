//! Notes the numbers that a machine reads and that decide what it builds, and makes them the guards of a value.

use std::rc::Rc;

use super::guards::{Guard, GuardKind};
use super::machine::Machine;
use crate::session::naming::labels::label_items;
use crate::session::values::Value;
use chainrule_engine::graph::Node;
use chainrule_language::{self as language, ItemKind, Property, Span};

impl Machine<'_> {
    /// Whether a line of a block itself runs, and not a function that such a line calls.
    pub(super) fn is_line_of_block(&self) -> bool {
        self.session.in_block() && self.frames.len() == 1
    }

    /// Notes that the numbers of these values decide what is built. The positions in the lines of a block itself need no
    /// guards, because these lines run once, as typed. A function that such a line calls may be meant to follow its
    /// leaves, and so may a choice.
    pub(super) fn note_read(&mut self, values: &[Value], kind: GuardKind) {
        let is_wanted = match kind {
            GuardKind::Data => false,
            GuardKind::Condition => true,
            GuardKind::Position | GuardKind::Sigma => !self.is_line_of_block(),
        };
        if !is_wanted && self.session.running.watched.leaves.is_empty() {
            return;
        }
        let nodes = values.iter().flat_map(Value::nodes);
        for node in nodes.filter(|node| node.varies()) {
            // A loop reads the same number again and again.
            let is_same = |guard: &Guard| Rc::ptr_eq(&guard.node, node) && guard.kind == kind;
            if !self.record.read.last().is_some_and(is_same) {
                let guard = self.guard_of(node, kind);
                self.record.read.push(guard);
            }
        }
    }

    /// The guard for the number of a node that decides in this way.
    fn guard_of(&self, node: &Rc<Node>, kind: GuardKind) -> Guard {
        let function = self.frames.last().and_then(|frame| frame.function.as_ref());
        let typed: Rc<str> = match (kind, self.typed_code()) {
            (GuardKind::Condition, Some((text, _))) => self.site.span.of(text).into(),
            (GuardKind::Sigma, _) => {
                let mut label = label_items(&self.session.names, node);
                label.push(ItemKind::Property(Property::Sigma).into());
                language::infix(&label).into()
            }
            _ => self.session.label(node).into(),
        };
        Guard {
            node: Rc::clone(node),
            data: self.session.guarded_number(node, kind),
            kind,
            typed,
            function: function.map(|it| Rc::clone(&it.name)),
        }
    }

    /// Makes the numbers that were read the guards of a value. The value was typed at `span`.
    pub(super) fn guard(&mut self, value: Value, span: Span) -> Value {
        if self.record.read.is_empty() {
            return value;
        }
        let read = self.take_read();
        (self.session).guard_value(value, read, self.record.newest_before, (self.text, span))
    }

    /// Takes the numbers that were read since the last call.
    pub(super) fn take_read(&mut self) -> Vec<Guard> {
        self.record.read_before_append = 0;
        std::mem::take(&mut self.record.read)
    }
}
